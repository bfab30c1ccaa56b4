"""Hours that clocks run, banks, pauses, leave, deadlines that were missed, digests."""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0003"
down_revision = "0002"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIMES = {
    "decisions": ("bank_from", "left", "left_bank"),
    "games": ("paused_until",),
    "players": ("digest_at", "digest_since"),
}
INDEXES = (
    ("ix_games_paused", "games", ["paused_until"], "paused_until IS NOT NULL"),
    ("ix_players_digest", "players", ["digest_at"], "digest_at IS NOT NULL"),
    ("ix_outbox_done", "outbox", ["recipient", "done_at"], "done_at IS NOT NULL"),
)


def upgrade() -> None:
    for table, names in TIMES.items():
        for name in names:
            op.add_column(table, sa.Column(name, sa.BigInteger(), nullable=True))
    op.add_column("decisions", sa.Column("hours", sa.String(), nullable=True))
    op.add_column("decisions", sa.Column("changes", sa.String(), nullable=False, server_default=""))
    op.add_column("players", sa.Column("wakes_at", sa.Integer(), nullable=False, server_default="480"))
    op.add_column("players", sa.Column("digest", sa.String(), nullable=False, server_default="off"))
    op.add_column("players", sa.Column("receipts", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("players", sa.Column("quiet_turns", sa.Boolean(), nullable=False, server_default=sa.false()))
    for name, table, columns, where in INDEXES:
        op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))
    op.create_table(
        "missed",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=True),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("began_at", "due_at", "acts_at", "decided_at")),
        sa.Column("bank_from", sa.BigInteger(), nullable=True),
        sa.Column("hours", sa.String(), nullable=True),
        sa.Column("changes", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "since", "decided_at", name="pk_missed"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "absences",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("first_day", sa.String(), nullable=False),
        sa.Column("last_day", sa.String(), nullable=False),
        sa.Column("announced_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("spent", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_absences"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_absences_player_id", "absences", ["player_id", "first_day"])
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    for table in ("absences", "missed"):
        op.drop_table(table)
    for name, table, _, _ in INDEXES:
        op.drop_index(name, table)
    for name in ("receipts", "quiet_turns", "digest", "wakes_at"):
        op.drop_column("players", name)
    for name in ("changes", "hours"):
        op.drop_column("decisions", name)
    for table, names in TIMES.items():
        for name in names:
            op.drop_column(table, name)


GRANTS = f"""
    DO $$ DECLARE one text; here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            FOREACH one IN ARRAY ARRAY['missed', 'absences'] LOOP
                EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || here || '.' || one || ' TO {APP_ROLE}';
            END LOOP;
            EXECUTE 'GRANT USAGE ON ALL SEQUENCES IN SCHEMA ' || here || ' TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
