"""Destinations in trouble, what deliveries know of them, and jumps of the clock that were set right."""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0011"
down_revision = "0010"

LOSES = (("SELECT count(*) FROM clock_jumps", "jumps of the clock: an audit will wonder at the times of then"),)


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("interrupted", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("deliveries", sa.Column("put_off", sa.BigInteger(), nullable=True))
    op.create_table(
        "destinations",
        sa.Column("channel", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("down_since", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("probe_at", sa.BigInteger(), nullable=False),
        sa.Column("lease", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("channel", "name", name="pk_destinations"),
    )
    op.create_table(
        "clock_jumps",
        sa.Column("healed_at", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("healed_at", name="pk_clock_jumps"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    op.drop_table("clock_jumps")
    op.drop_table("destinations")
    op.drop_column("deliveries", "put_off")
    op.drop_column("deliveries", "interrupted")


GRANTS = f"""
    DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || quote_ident(current_schema()) || '.destinations'
                || ' TO {APP_ROLE}';
            EXECUTE 'GRANT SELECT, INSERT ON ' || quote_ident(current_schema()) || '.clock_jumps TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
