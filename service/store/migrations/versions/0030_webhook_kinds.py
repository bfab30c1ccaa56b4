"""What each webhook is told, and when a message was asked for again. Those there are stay as they are told: everything.

Going back they are told everything.
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

LOSES = (("SELECT count(*) FROM webhooks WHERE kinds IS NOT NULL", "webhooks that chose what they are told"),)


def upgrade() -> None:
    op.add_column("webhooks", sa.Column("kinds", sa.String(), nullable=True))
    op.add_column("deliveries", sa.Column("replayed_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    op.drop_column("deliveries", "replayed_at")
    op.drop_column("webhooks", "kinds")
