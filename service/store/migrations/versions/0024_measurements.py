"""What processes have counted and say of themselves, since when a delivery is due, and the request of a notice."""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0024"
down_revision = "0023"

LOSES = (("SELECT count(*) FROM measurements", "counters, which begin anew"),)


def upgrade() -> None:
    op.create_table(
        "measurements",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("labels", sa.String(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", "labels", "part", name="pk_measurements"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "processes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )
    op.add_column("deliveries", sa.Column("due_at", sa.BigInteger(), nullable=True))
    op.add_column("notices", sa.Column("request_id", sa.String(), nullable=True))
    op.add_column("thoughts", sa.Column("request_id", sa.String(), nullable=True))
    if op.get_bind().dialect.name != "sqlite":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    op.drop_column("thoughts", "request_id")
    op.drop_column("notices", "request_id")
    op.drop_column("deliveries", "due_at")
    op.drop_table("processes")
    op.drop_table("measurements")


GRANTS = f"""
    DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON '
                || quote_ident(current_schema()) || '.measurements, '
                || quote_ident(current_schema()) || '.processes TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
