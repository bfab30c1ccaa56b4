"""Which release brought each migration, for an earlier one that meets the database later."""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0025"
down_revision = "0024"

LOSES = ()


def upgrade() -> None:
    op.create_table(
        "schema_releases",
        sa.Column("revision", sa.String(), nullable=False),
        sa.Column("release", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("revision", name="pk_schema_releases"),
    )
    if op.get_bind().dialect.name != "sqlite":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    op.drop_table("schema_releases")


GRANTS = (
    f"DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN "  # noqa: S608 - ours
    "EXECUTE 'GRANT SELECT ON ' || quote_ident(current_schema()) || "
    f"'.schema_releases TO {APP_ROLE}'; END IF; END $$"
)
