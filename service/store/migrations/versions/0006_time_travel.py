"""Where games went back, and what leave was before it was taken back."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    rewound = sa.text("type = 'table.rewound'")
    op.create_index(
        "ix_events_rewound", "events", ["game_id", "type", "version"], sqlite_where=rewound, postgresql_where=rewound
    )
    op.add_column("absences", sa.Column("announced_last", sa.String(), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("absences", "announced_last")
    op.drop_index("ix_events_rewound", "events")
