"""To whom people show which part of their profiles.

Going back forgets what they have chosen: all is shown, or not, as by default.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0019"
down_revision = "0018"

LOSES = (("SELECT count(*) FROM profiles", "choices of what a profile shows"),)


def upgrade() -> None:
    op.create_table(
        "profiles",
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("games", sa.String(), nullable=False),
        sa.Column("together", sa.String(), nullable=False),
        sa.Column("opponents", sa.String(), nullable=False),
        sa.Column("reliability", sa.String(), nullable=False),
        sa.Column("joined", sa.String(), nullable=False),
        sa.Column("languages", sa.String(), nullable=False),
        sa.Column("speaks", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name="pk_profiles"),
    )
    if op.get_bind().dialect.name != "sqlite":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    op.drop_table("profiles")


GRANTS = (
    f"DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN "  # noqa: S608 - ours
    "EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || quote_ident(current_schema()) || "
    f"'.profiles TO {APP_ROLE}'; END IF; END $$"
)
