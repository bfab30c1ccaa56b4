"""Audits and bundles of games that are over, kept beside them; the house log: games opened and ended; the
ledgers of games: what was mailed, missed and signed about them.

Going back forgets audits and bundles, which are made again. What was signed cannot be: it is put by under other names,
where an earlier release does not look, and taken out again on the way forward. Games that are there come into the log
when the service starts: openings and ends by their time, then by the id of their game.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0012"
down_revision = "0011"

LOSES = ()

LOG = {"log_entries": ("number",), "log_heads": ("size",), "ledger": ("game_id", "number")}


def upgrade() -> None:
    op.create_table(
        "proofs",
        text("game_id"), text("what"), text("digest"), binary("content"),
        sa.PrimaryKeyConstraint("game_id", "what", name="pk_proofs"),
    )  # fmt: skip
    put_by = sa.inspect(op.get_bind()).has_table("kept_log_entries")
    if put_by:
        for table in LOG:
            op.rename_table(f"kept_{table}", table)
    else:
        _make_logs()
    op.add_column("deliveries", sa.Column("chained", sa.String(), nullable=True))
    op.add_column("missed", sa.Column("chained", sa.Boolean(), nullable=False, server_default=sa.false()))
    untold = sa.text(UNTOLD)
    op.create_index("ix_deliveries_chained", "deliveries", ["game_id"], sqlite_where=untold, postgresql_where=untold)
    if put_by:
        _take_out()
    sqlite = op.get_bind().dialect.name == "sqlite"
    for line in _on_sqlite() if sqlite else [*_on_postgresql(), GRANTS]:
        op.execute(sa.text(line))


def downgrade() -> None:
    signed = any(op.get_bind().execute(sa.text(f"SELECT 1 FROM {table} LIMIT 1")).first() for table in LOG)  # noqa: S608
    op.drop_index("ix_deliveries_chained", "deliveries")
    if signed:
        _put_by()
    op.drop_column("missed", "chained")
    op.drop_column("deliveries", "chained")
    for table in ("proofs",) if signed else (*LOG, "proofs"):
        op.drop_table(table)


def _make_logs() -> None:
    op.create_table(
        "log_entries",
        number("number"), text("what"), text("game_id"), sa.Column("version", sa.Integer(), nullable=False),
        text("hash"), number("at"), binary("leaf"),
        sa.PrimaryKeyConstraint("number", name="pk_log_entries"),
        sa.UniqueConstraint("game_id", "what", name="uq_log_entries_game_id"),
    )  # fmt: skip
    op.create_table(
        "log_heads",
        number("size"), number("at"), text("root"), text("key"), text("signature"), binary("peaks"),
        sa.PrimaryKeyConstraint("size", name="pk_log_heads"),
    )  # fmt: skip
    op.create_table(
        "ledger",
        text("game_id"), sa.Column("number", sa.Integer(), nullable=False), number("at"),
        sa.Column("facts", sa.Text(), nullable=False), text("hash"), text("key"), text("signature"),
        sa.PrimaryKeyConstraint("game_id", "number", name="pk_ledger"),
    )  # fmt: skip


def _put_by() -> None:
    """Rename what was signed, without its triggers, which an earlier release takes for strange ones; and note which
    mails and missed deadlines the ledgers tell already."""
    for line in NOTED:
        op.execute(sa.text(line))
    sqlite = op.get_bind().dialect.name == "sqlite"
    for table in LOG:
        for line in _on_sqlite() if sqlite else _on_postgresql():
            name, of = line.split()[2], line.split(" ON ")[1].split()[0]
            if of == table:
                op.execute(sa.text(f"DROP TRIGGER {name}" if sqlite else f"DROP TRIGGER {name} ON {table}"))
        op.rename_table(table, f"kept_{table}")


def _take_out() -> None:
    """Remember what the ledgers tell already; what became of a mail since is told next."""
    for line in REMEMBERED:
        op.execute(sa.text(line))


NOTED = (
    "CREATE TABLE kept_mails AS SELECT notice_id, chained FROM deliveries"
    " WHERE channel = 'mail' AND chained IS NOT NULL",
    "CREATE TABLE kept_missed AS SELECT game_id, seat, since, decided_at FROM missed WHERE chained",
)
REMEMBERED = (
    "UPDATE deliveries SET chained = (SELECT k.chained FROM kept_mails k WHERE k.notice_id = deliveries.notice_id)"
    " WHERE channel = 'mail'",
    "UPDATE missed SET chained = true WHERE EXISTS (SELECT 1 FROM kept_missed k WHERE k.game_id = missed.game_id"
    " AND k.seat = missed.seat AND k.since = missed.since AND k.decided_at = missed.decided_at)",
    "DROP TABLE kept_mails",
    "DROP TABLE kept_missed",
)
UNTOLD = "channel = 'mail' AND game_id <> '' AND state <> 'queued' AND (chained IS NULL OR chained <> state)"


def text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=False)


def number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def binary(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=False)


def _on_sqlite() -> list[str]:
    lines = []
    for table, keys in LOG.items():
        stop = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        lines += [f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} {stop}" for verb in ("update", "delete")]
        same = " AND ".join(f"{key} = NEW.{key}" for key in keys)
        there = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608 - the names are ours
        lines.append(f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} {there} {stop}")
    return lines


def _on_postgresql() -> list[str]:
    stop = "EXECUTE FUNCTION wardroom_forbid_change()"
    return [
        line
        for table in LOG
        for line in (
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW {stop}",
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} FOR EACH STATEMENT {stop}",
        )
    ]


GRANTS = f"""
    DO $$ DECLARE here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || here || '.proofs TO {APP_ROLE}';
            EXECUTE 'GRANT SELECT, INSERT ON ' || here || '.log_entries, ' || here || '.log_heads, '
                || here || '.ledger TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
