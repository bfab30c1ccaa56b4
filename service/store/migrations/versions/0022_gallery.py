"""An index for lists of public games: in their order, with what most of them are narrowed by."""

from alembic import op

from service.store.migrations.indexes import index_of_old_table

revision = "0022"
down_revision = "0020"

LOSES = ()


def upgrade() -> None:
    index_of_old_table("ix_games_gallery", "games", ["status", "public", "created_at", "id", "ruleset"])


def downgrade() -> None:
    op.drop_index("ix_games_gallery", "games")
