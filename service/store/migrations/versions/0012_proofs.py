"""Audits and bundles of games that are over, kept beside them.

Going back forgets them: they are made again.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "proofs",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "what", name="pk_proofs"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text(GRANT))


def downgrade() -> None:
    op.drop_table("proofs")


GRANT = f"""
    DO $$ DECLARE here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || here || '.proofs TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
