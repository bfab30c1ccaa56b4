"""The outbox in two tables: notices, and their deliveries by mail and to webhooks.

A notice keeps the number it had in the outbox, for Message-IDs, return paths and answering addresses are made of it; a
message to a webhook keeps all that its id is made of. Going back gives every row the table it came from.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0009"
down_revision = "0008"

LOSES = (
    (
        "SELECT count(*) FROM deliveries WHERE channel NOT IN ('mail', 'webhook')",
        "entries of feeds, and calls on devices, that are kept",
    ),
)

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
KEY = ("recipient", "game_id", "kind", "decision")
TOLD_IN = "told in the answer to mail "
QUEUED = "state = 'queued'"


def text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=null)


def number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=null)


def time(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def big_id(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, BIG_ID, nullable=null)


def long(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=null)


def index(name: str, table: str, columns: list[str], where: str | None = None) -> None:
    only = None if where is None else sa.text(where)
    op.create_index(name, table, columns, sqlite_where=only, postgresql_where=only)


def run(*statements: str) -> None:
    for statement in statements:
        op.execute(sa.text(statement))


def upgrade() -> None:
    op.create_table(
        "notices",
        big_id("id"), *map(text, KEY), number("seat", null=True), number("version"), time("created_at"),
        sa.Column("secret", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
        sa.UniqueConstraint(*KEY, name="uq_notices_recipient"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    op.create_table(
        "deliveries",
        big_id("id"), big_id("notice_id"), text("channel"), text("target"), text("recipient"), text("game_id"),
        text("kind"), number("version"), time("created_at"), text("state"), time("not_before"),
        text("lease", null=True), time("lease_until"), number("attempts"), time("done_at", null=True),
        text("message_id", null=True), text("reason", null=True), big_id("told_in", null=True),
        long("body", null=True), long("log"),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    run(NOTICES, *count_on("outbox", "notices"), NOTICES_OF_WEBHOOKS, MAILS.format(told_in=told_in()), MESSAGES)
    op.drop_table("hook_deliveries")
    op.drop_table("outbox")
    index("ix_deliveries_notice_id", "deliveries", ["notice_id"])
    index("ix_deliveries_due", "deliveries", ["channel", "target", "not_before", "id"], QUEUED)
    index("ix_deliveries_done", "deliveries", ["recipient", "channel", "done_at"], "done_at IS NOT NULL")
    index("ix_deliveries_target", "deliveries", ["target", "id"], "target <> ''")
    index("ix_deliveries_created_at", "deliveries", ["created_at"], "target <> ''")
    grant("notices", "deliveries")


def downgrade() -> None:
    op.create_table(
        "outbox",
        big_id("id"), *map(text, KEY), number("seat", null=True), number("version"), text("state"),
        time("not_before"), text("lease", null=True), time("lease_until"), number("attempts"), time("created_at"),
        time("done_at", null=True), text("message_id", null=True), text("reason", null=True),
        sa.Column("secret", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint(*KEY, name="uq_outbox_recipient"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    op.create_table(
        "hook_deliveries",
        big_id("id"), text("hook_id"), text("player_id"), text("game_id"), text("kind"), text("decision"),
        number("seat", null=True), number("version"), text("state"), time("not_before"), number("attempts"),
        time("created_at"), time("done_at", null=True), text("reason", null=True), long("body", null=True),
        long("log"),
        sa.PrimaryKeyConstraint("id", name="pk_hook_deliveries"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    run(OUTBOX, *count_on("notices", "outbox"), HOOK_DELIVERIES)
    op.drop_table("deliveries")
    op.drop_table("notices")
    index("ix_outbox_due", "outbox", ["not_before", "id"], QUEUED)
    index("ix_outbox_done", "outbox", ["recipient", "done_at"], "done_at IS NOT NULL")
    index("ix_hook_deliveries_due", "hook_deliveries", ["hook_id", "not_before"], QUEUED)
    index("ix_hook_deliveries_hook_id", "hook_deliveries", ["hook_id", "id"])
    index("ix_hook_deliveries_created_at", "hook_deliveries", ["created_at"])
    grant("outbox", "hook_deliveries")


def on_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def count_on(old: str, new: str) -> list[str]:
    """Statements that let a table count on where another stopped: no number is ever given twice."""
    if on_sqlite():
        counted = f"SELECT '{new}', seq FROM sqlite_sequence WHERE name = '{old}'"  # noqa: S608 - names of ours
        return [
            f"DELETE FROM sqlite_sequence WHERE name = '{new}'",  # noqa: S608
            f"INSERT INTO sqlite_sequence (name, seq) {counted}",
        ]
    sequence = f"pg_get_serial_sequence('{new}', 'id')"
    return [f"SELECT setval({sequence}, last_value, is_called) FROM {old}_id_seq"]  # noqa: S608


def told_in() -> str:
    """The number of the mail whose answer told it, as the reason of a notice says in words."""
    digits = f"substr(reason, {len(TOLD_IN) + 1})"
    is_one = f"{digits} NOT GLOB '*[^0-9]*'" if on_sqlite() else f"{digits} ~ '^[0-9]+$'"
    told = f"state = 'superseded' AND reason LIKE '{TOLD_IN}%' AND {is_one}"
    return f"CASE WHEN {told} THEN CAST({digits} AS BIGINT) END"


def grant(*tables: str) -> None:
    if not on_sqlite():
        names = ", ".join(f"'{table}'" for table in tables)
        op.execute(sa.text(GRANTS.format(names=names)))


NOTICES = """
    INSERT INTO notices (id, recipient, game_id, kind, decision, seat, version, created_at, secret)
    SELECT id, recipient, game_id, kind, decision, seat, version, created_at, secret FROM outbox
"""
NOTICES_OF_WEBHOOKS = """
    INSERT INTO notices (recipient, game_id, kind, decision, seat, version, created_at)
    SELECT h.player_id, h.game_id, h.kind, h.decision, max(h.seat), max(h.version), max(h.created_at)
    FROM hook_deliveries h WHERE NOT EXISTS (
        SELECT 1 FROM outbox o WHERE o.recipient = h.player_id AND o.game_id = h.game_id AND o.kind = h.kind
        AND o.decision = h.decision
    ) GROUP BY h.player_id, h.game_id, h.kind, h.decision ORDER BY min(h.id)
"""
"""Pings, which are mailed to nobody, and notices whose mail is not kept any more."""
MAILS = """
    INSERT INTO deliveries (
        notice_id, channel, target, recipient, game_id, kind, version, created_at, state, not_before, lease,
        lease_until, attempts, done_at, message_id, reason, told_in, log
    ) SELECT
        id, 'mail', '', recipient, game_id, kind, version, created_at, state, not_before, lease, lease_until,
        attempts, done_at, message_id, reason, {told_in}, '[]'
    FROM outbox ORDER BY id
"""
MESSAGES = """
    INSERT INTO deliveries (
        notice_id, channel, target, recipient, game_id, kind, version, created_at, state, not_before, lease_until,
        attempts, done_at, reason, body, log
    ) SELECT
        n.id, 'webhook', h.hook_id, h.player_id, h.game_id, h.kind, h.version, h.created_at, h.state, h.not_before,
        0, h.attempts, h.done_at, h.reason, h.body, h.log
    FROM hook_deliveries h JOIN notices n ON n.recipient = h.player_id AND n.game_id = h.game_id AND n.kind = h.kind
    AND n.decision = h.decision ORDER BY h.id
"""
OUTBOX = """
    INSERT INTO outbox (
        id, recipient, game_id, kind, decision, seat, version, state, not_before, lease, lease_until, attempts,
        created_at, done_at, message_id, reason, secret
    ) SELECT
        n.id, n.recipient, n.game_id, n.kind, n.decision, n.seat, n.version, d.state, d.not_before, d.lease,
        d.lease_until, d.attempts, n.created_at, d.done_at, d.message_id, d.reason, n.secret
    FROM notices n JOIN deliveries d ON d.notice_id = n.id AND d.channel = 'mail'
"""
HOOK_DELIVERIES = """
    INSERT INTO hook_deliveries (
        hook_id, player_id, game_id, kind, decision, seat, version, state, not_before, attempts, created_at, done_at,
        reason, body, log
    ) SELECT
        d.target, d.recipient, d.game_id, d.kind, n.decision, n.seat, d.version, d.state, d.not_before, d.attempts,
        d.created_at, d.done_at, d.reason, d.body, d.log
    FROM deliveries d JOIN notices n ON n.id = d.notice_id WHERE d.channel = 'webhook' ORDER BY d.id
"""
GRANTS = f"""
    DO $$ DECLARE one text; here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            FOREACH one IN ARRAY ARRAY[{{names}}] LOOP
                EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || here || '.' || one || ' TO {APP_ROLE}';
            END LOOP;
            EXECUTE 'GRANT USAGE ON ALL SEQUENCES IN SCHEMA ' || here || ' TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
