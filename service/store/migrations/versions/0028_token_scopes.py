"""What each token may be used for, and until when. Those there are may do everything, for ever.

Going back ends the tokens that may not: an earlier release would let them.
"""

import sqlalchemy as sa
from alembic import op

from service.store.migrations.indexes import index_of_old_table

revision = "0028"
down_revision = "0027"

EVERY = "read play talk account"
LIMITED = f"scopes <> '{EVERY}' OR expires_at IS NOT NULL"
LOSES = ((f"SELECT count(*) FROM tokens WHERE {LIMITED}", "tokens with fewer scopes, or an end"),)  # noqa: S608
INDEX = ("ix_tokens_expires_at", "tokens")


def upgrade() -> None:
    op.add_column("tokens", sa.Column("scopes", sa.String(), nullable=False, server_default=EVERY))
    op.add_column("tokens", sa.Column("expires_at", sa.BigInteger(), nullable=True))
    index_of_old_table(*INDEX, ["expires_at"], "expires_at IS NOT NULL")


def downgrade() -> None:
    op.drop_index(*INDEX)
    op.execute(sa.text(f"DELETE FROM tokens WHERE {LIMITED}"))  # noqa: S608 - ours
    for name in ("expires_at", "scopes"):
        op.drop_column("tokens", name)
