"""Toys: a table, a column of the games, and an index on the events. It follows the baseline in tests alone."""

import sqlalchemy as sa
from alembic import op

from service.store.migrations.indexes import index_of_old_table

revision = "0002"
down_revision = "0001"

LOSES = (("SELECT count(*) FROM toys", "toys"),)


def upgrade() -> None:
    if not sa.inspect(op.get_bind()).has_table("toys"):
        op.create_table(
            "toys",
            sa.Column("id", sa.String(), nullable=False),
            sa.PrimaryKeyConstraint("id", name="pk_toys"),
        )
        op.add_column("games", sa.Column("toys", sa.Integer(), nullable=False, server_default="0"))
    index_of_old_table("ix_games_toys", "games", ["toys"], "toys > 0")
    index_of_old_table("ix_events_toys", "events", ["game_id", "type"])


def downgrade() -> None:
    op.drop_index("ix_events_toys", "events")
    op.drop_index("ix_games_toys", "games")
    op.drop_column("games", "toys")
    op.drop_table("toys")
