"""Browsers that are signed in, a kind of their own beside keys to the API; links that sign in, in the mails with codes.

Going back ends the sessions, which would be keys to the API there, and forgets the links.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

LOSES = (("SELECT count(*) FROM tokens WHERE kind <> 'api'", "browsers that are signed in, and addresses of feeds"),)


def upgrade() -> None:
    op.add_column("tokens", sa.Column("kind", sa.String(), nullable=False, server_default="api"))
    op.add_column("sign_ins", sa.Column("link", sa.LargeBinary(), nullable=True))
    op.create_index("ix_sign_ins_link", "sign_ins", ["link"], unique=True)


def downgrade() -> None:
    op.execute(sa.text("DELETE FROM tokens WHERE kind <> 'api'"))
    op.drop_index("ix_sign_ins_link", "sign_ins")
    op.drop_column("sign_ins", "link")
    op.drop_column("tokens", "kind")
