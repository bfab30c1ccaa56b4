"""Devices that are called by Web Push, and by which channel each person is told what.

Going back forgets the devices, and that anybody was called on one: then mail tells everything, as before.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0020"
down_revision = "0019"

LOSES = (
    ("SELECT count(*) FROM devices", "devices that are called"),
    (
        "SELECT count(*) FROM players WHERE tell_urgent <> 'both' OR tell_normal <> 'both' OR tell_news <> 'mail'",
        "people's wishes of what comes by mail and what on devices",
    ),
)

WISHES = {"tell_urgent": "both", "tell_normal": "both", "tell_news": "mail"}


def upgrade() -> None:
    op.create_table(
        "devices",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("token_id", sa.String(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("service", sa.String(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("called_at", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_devices"),
        sa.UniqueConstraint("digest", name="uq_devices_digest"),
    )
    op.create_index("ix_devices_player_id", "devices", ["player_id"])
    for name, default in WISHES.items():
        op.add_column("players", sa.Column(name, sa.String(), nullable=False, server_default=default))
    if op.get_bind().dialect.name != "sqlite":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    for name in WISHES:
        op.drop_column("players", name)
    op.execute(sa.text("DELETE FROM deliveries WHERE channel = 'push'"))
    op.drop_index("ix_devices_player_id", "devices")
    op.drop_table("devices")


GRANTS = f"""
    DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON '
                || quote_ident(current_schema()) || '.devices TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
