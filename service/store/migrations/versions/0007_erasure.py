"""Who asked for everything about them to be erased, and whether that is done."""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "erasures",
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("look_at", sa.BigInteger(), nullable=True),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("mails", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_erasures"),
    )
    waits = sa.text("look_at IS NOT NULL")
    op.create_index("ix_erasures_look_at", "erasures", ["look_at"], sqlite_where=waits, postgresql_where=waits)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    op.drop_table("erasures")


GRANTS = f"""
    DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT SELECT, INSERT, UPDATE ON ' || quote_ident(current_schema()) || '.erasures TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
