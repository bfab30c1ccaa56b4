"""What was found in games that are over: one row a game and strength.

Going back forgets it; it can be found again.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0017"
down_revision = "0016"

LOSES = (("SELECT count(*) FROM analyses", "analyses of games that are over, which can be made again"),)


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("strength", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("requested_at", sa.BigInteger(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("findings", sa.LargeBinary(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.Column("lease_by", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("game_id", "strength", name="pk_analyses"),
    )
    op.create_index("ix_analyses_player_id", "analyses", ["player_id"])
    if op.get_bind().dialect.name != "sqlite":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    op.drop_index("ix_analyses_player_id", "analyses")
    op.drop_table("analyses")


GRANTS = f"""
    DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON '
                || quote_ident(current_schema()) || '.analyses TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
