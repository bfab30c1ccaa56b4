"""Passkeys, and the challenges that were answered with one, so that none is answered twice.

Going back forgets them: their owners sign in by mail.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0015"
down_revision = "0014"

LOSES = (("SELECT count(*) FROM passkeys", "passkeys: their owners sign in by mail"),)


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("credential", sa.LargeBinary(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("uses", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        sa.UniqueConstraint("credential", name="uq_passkeys_credential"),
    )
    op.create_index("ix_passkeys_player_id", "passkeys", ["player_id"])
    op.create_table(
        "spent_challenges",
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_spent_challenges"),
    )
    if op.get_bind().dialect.name != "sqlite":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    op.drop_table("spent_challenges")
    op.drop_index("ix_passkeys_player_id", "passkeys")
    op.drop_table("passkeys")


GRANTS = f"""
    DO $$ DECLARE here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || here || '.passkeys, '
                || here || '.spent_challenges TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
