"""Programs that wait to be let in by somebody at a browser.

Going back forgets them: they begin anew, or are given a token otherwise.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0029"
down_revision = "0028"

TABLE = "device_grants"
LOSES = ((f"SELECT count(*) FROM {TABLE}", "programs that wait to be let in: they begin anew"),)  # noqa: S608 - ours


def upgrade() -> None:
    op.create_table(
        TABLE,
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("user_code", sa.LargeBinary(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("scopes", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("pause", sa.Integer(), nullable=False),
        sa.Column("polled_at", sa.BigInteger(), nullable=True),
        sa.Column("player_id", sa.String(), nullable=True),
        sa.Column("denied", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=f"pk_{TABLE}"),
        sa.UniqueConstraint("user_code", name=f"uq_{TABLE}_user_code"),
    )
    op.create_index(f"ix_{TABLE}_expires_at", TABLE, ["expires_at"])
    op.create_index(f"ix_{TABLE}_player_id", TABLE, ["player_id"])
    if op.get_bind().dialect.name != "sqlite":
        op.execute(sa.text(GRANT.format(role=APP_ROLE, table=TABLE)))


def downgrade() -> None:
    for column in ("player_id", "expires_at"):
        op.drop_index(f"ix_{TABLE}_{column}", TABLE)
    op.drop_table(TABLE)


GRANT = (
    "DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{role}') THEN "
    "EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || quote_ident(current_schema()) || '.{table} TO {role}'; "
    "END IF; END $$"
)
