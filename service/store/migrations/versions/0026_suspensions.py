"""Players whom the operator keeps out, and lines of table talk that the operator hid.

Going back lets them in, and shows the lines again.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0026"
down_revision = "0025"

LOSES = (
    ("SELECT count(*) FROM suspensions", "suspended players, who are let in again"),
    ("SELECT count(*) FROM messages WHERE hidden_by IS NOT NULL", "hidden lines of talk, which show again"),
)
TABLE = "suspensions"


def upgrade() -> None:
    op.create_table(
        TABLE,
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("act", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("player_id", name=f"pk_{TABLE}"),
    )
    op.add_column("messages", sa.Column("hidden_by", sa.BigInteger(), nullable=True))
    if op.get_bind().dialect.name != "sqlite":
        op.execute(sa.text(GRANT.format(role=APP_ROLE, table=TABLE)))


def downgrade() -> None:
    with op.batch_alter_table("messages") as messages:
        messages.drop_column("hidden_by")
    op.drop_table(TABLE)


GRANT = (
    "DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{role}') THEN "
    "EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || quote_ident(current_schema()) || '.{table} TO {role}'; "
    "END IF; END $$"
)
