"""Deliveries that know how often their sender died with them in hand."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("interrupted", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("deliveries", "interrupted")
