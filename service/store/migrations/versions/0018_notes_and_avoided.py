"""What people keep for themselves: notes on games, and whom they mute or block.

Going back forgets both.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0018"
down_revision = "0017"

LOSES = (
    ("SELECT count(*) FROM avoided", "people whom somebody mutes or blocks"),
    ("SELECT count(*) FROM notes", "notes of people to themselves"),
)
TABLES = ("avoided", "notes")


def upgrade() -> None:
    op.create_table(
        "avoided",
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("other", sa.String(), nullable=False),
        sa.Column("how", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "other", name="pk_avoided"),
    )
    op.create_index("ix_avoided_other", "avoided", ["other"])
    op.create_table(
        "notes",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("written_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_notes"),
    )
    op.create_index("ix_notes_player_id", "notes", ["player_id"])
    if op.get_bind().dialect.name != "sqlite":
        for table in TABLES:
            op.execute(sa.text(GRANTS.format(role=APP_ROLE, table=table)))


def downgrade() -> None:
    for table, column in zip(TABLES, ("other", "player_id"), strict=True):
        op.drop_index(f"ix_{table}_{column}", table)
        op.drop_table(table)


GRANTS = (
    "DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{role}') THEN "
    "EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || quote_ident(current_schema()) || '.{table} TO {role}'; "
    "END IF; END $$"
)
