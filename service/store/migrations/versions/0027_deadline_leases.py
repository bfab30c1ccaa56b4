"""Leases of deadlines in a table of their own, what the house log is still to tell of, and indexes for what is looked
for periodically.

On PostgreSQL an index of a large table is built outside any transaction: what stands before it may be met again.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE
from service.store.migrations.indexes import index_of_old_table

revision = "0027"
down_revision = "0026"

LOSES = ()

LEASES, UNLOGGED = "deadline_leases", "unlogged"
ACTS = ("ix_decisions_acts", "decisions")
RUNS = "acts_at IS NOT NULL"
INDEXES = (
    ("ix_games_created_at", "games", ["created_at", "id"], None),
    ("ix_games_ruleset", "games", ["ruleset", "created_at", "id"], None),
    ("ix_seats_bot", "seats", ["game_id"], "bot"),
    ("ix_notices_game_id", "notices", ["game_id"], None),
    ("ix_deliveries_game_id", "deliveries", ["game_id"], None),
    ("ix_missed_unchained", "missed", ["game_id"], "NOT chained"),
    ("ix_absences_announced_at", "absences", ["announced_at"], None),
    ("ix_tokens_kind", "tokens", ["kind", "last_used_at", "created_at"], None),
    ("ix_idempotency_created_at", "idempotency", ["created_at"], None),
    ("ix_mailboxes_scored_at", "mailboxes", ["scored_at"], "suppressed_at IS NULL"),
    ("ix_mailboxes_suppressed_at", "mailboxes", ["suppressed_at"], "suppressed_at IS NOT NULL"),
    ("ix_webhooks_old_until", "webhooks", ["old_until"], "old_until IS NOT NULL"),
)


def upgrade() -> None:
    if not sa.inspect(op.get_bind()).has_table(LEASES):
        _make_tables()
    if op.get_bind().dialect.name == "sqlite":
        op.drop_index(*ACTS)
        op.drop_column("decisions", "lease_until")
    else:
        for table in (LEASES, UNLOGGED):
            op.execute(sa.text(GRANT.format(role=APP_ROLE, table=table)))
        op.execute(sa.text("ALTER TABLE decisions DROP COLUMN IF EXISTS lease_until"))
    index_of_old_table(*ACTS, ["acts_at", "since"], RUNS)
    for index in INDEXES:
        index_of_old_table(*index)


def downgrade() -> None:
    for name, table, *_ in INDEXES:
        op.drop_index(name, table)
    op.drop_index(*ACTS)
    op.add_column("decisions", sa.Column("lease_until", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_index(*ACTS, ["acts_at"], sqlite_where=sa.text(RUNS), postgresql_where=sa.text(RUNS))
    for table in (UNLOGGED, LEASES):
        op.drop_table(table)


def _make_tables() -> None:
    op.create_table(
        LEASES,
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("acts_at", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", "since", "acts_at", name=f"pk_{LEASES}"),
        sqlite_with_rowid=False,
    )
    op.create_index(f"ix_{LEASES}_lease_until", LEASES, ["lease_until"])
    op.create_table(
        UNLOGGED,
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "what", name=f"pk_{UNLOGGED}"),
        sqlite_with_rowid=False,
    )
    for kind, status in (("opened", "status <> ''"), ("ended", "status NOT IN ('open', 'running')")):
        op.execute(sa.text(TELL.format(kind=kind, status=status)))


TELL = """
    INSERT INTO unlogged (game_id, what) SELECT id, '{kind}' FROM games WHERE {status}
       AND NOT EXISTS (SELECT 1 FROM log_entries WHERE game_id = games.id AND what = '{kind}')
"""
GRANT = (
    "DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{role}') THEN "
    "EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || quote_ident(current_schema()) || '.{table} TO {role}'; "
    "END IF; END $$"
)
