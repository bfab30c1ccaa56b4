"""The baseline: every table and index, the triggers that keep histories, and the rights of the service's role.

Until 0.9.0 is tagged this file is rewritten, and no migration follows it (decision 0120).
"""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0001"
down_revision = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
EVERY = "read play talk account"


def upgrade() -> None:
    make_tables()
    for line in on_sqlite() if op.get_bind().dialect.name == "sqlite" else on_postgresql():
        op.execute(sa.text(line))


def downgrade() -> None:
    for table in APPEND_ONLY:
        if op.get_bind().execute(sa.text(f"SELECT 1 FROM {table} LIMIT 1")).first():  # noqa: S608 - the names are ours
            raise RuntimeError(f"{table} holds what cannot be made again: restore a backup instead.")
    for table in TABLES:
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        for function in FUNCTION_NAMES:
            op.execute(sa.text(f"DROP FUNCTION {function}"))


# -- tables


def column(name: str, kind: Any, *, null: bool = False, default: str | bool | None = None) -> sa.Column[Any]:
    if isinstance(default, bool):
        return sa.Column(name, kind, nullable=null, server_default=sa.true() if default else sa.false())
    return sa.Column(name, kind, nullable=null, server_default=default)


def text(name: str, **more: Any) -> sa.Column[Any]:
    return column(name, sa.String(), **more)


def long(name: str, **more: Any) -> sa.Column[Any]:
    return column(name, sa.Text(), **more)


def number(name: str, **more: Any) -> sa.Column[Any]:
    return column(name, sa.Integer(), **more)


def big(name: str, **more: Any) -> sa.Column[Any]:
    return column(name, sa.BigInteger(), **more)


def big_id(name: str, **more: Any) -> sa.Column[Any]:
    return column(name, BIG_ID, **more)


def given(name: str) -> sa.Column[Any]:
    """Return a big number that is a primary key without a sequence."""
    return sa.Column(name, sa.BigInteger(), nullable=False, autoincrement=False)


def flag(name: str, **more: Any) -> sa.Column[Any]:
    return column(name, sa.Boolean(), **more)


def blob(name: str, **more: Any) -> sa.Column[Any]:
    return column(name, sa.LargeBinary(), **more)


def index(name: str, table: str, columns: list[str], *, where: str | None = None, unique: bool = False) -> None:
    only = None if where is None else sa.text(where)
    op.create_index(name, table, columns, unique=unique, sqlite_where=only, postgresql_where=only)


def make_tables() -> None:
    op.create_table(
        "players",
        text("id"), text("name"), text("email"), text("email_key"), text("timezone"), text("language"),
        flag("mail"), big("created_at"), big("verified_at", null=True), flag("secret_free", default=False),
        flag("new_subjects", default=False), flag("calendar", default=False), big("digest_at", null=True),
        big("digest_since", null=True), number("wakes_at", default="480"), text("digest", default="off"),
        flag("receipts", default=True), flag("quiet_turns", default=False),
        text("tell_urgent", default="both"), text("tell_normal", default="both"),
        text("tell_news", default="mail"),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("email_key", name="uq_players_email_key"),
    )  # fmt: skip
    index("ix_players_digest", "players", ["digest_at"], where="digest_at IS NOT NULL")
    index("ix_players_guests", "players", ["created_at"], where="verified_at IS NULL")
    op.create_table(
        "tokens",
        blob("digest"), text("id"), text("player_id"), text("label"), big("created_at"),
        big("last_used_at", null=True), text("kind", default="api"), text("scopes", default=EVERY),
        big("expires_at", null=True),
        sa.PrimaryKeyConstraint("digest", name="pk_tokens"),
        sa.UniqueConstraint("id", name="uq_tokens_id"),
    )  # fmt: skip
    index("ix_tokens_expires_at", "tokens", ["expires_at"], where="expires_at IS NOT NULL")
    index("ix_tokens_kind", "tokens", ["kind", "last_used_at", "created_at"])
    index("ix_tokens_player_id", "tokens", ["player_id"])
    op.create_table(
        "passkeys",
        text("id"), text("player_id"), blob("credential"), blob("public_key"), big("uses"), text("label"),
        big("created_at"), big("last_used_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        sa.UniqueConstraint("credential", name="uq_passkeys_credential"),
    )  # fmt: skip
    index("ix_passkeys_player_id", "passkeys", ["player_id"])
    op.create_table(
        "spent_challenges",
        blob("digest"), big("expires_at"),
        sa.PrimaryKeyConstraint("digest", name="pk_spent_challenges"),
    )  # fmt: skip
    op.create_table(
        "sign_ins",
        big_id("id"), text("email_key"), blob("request"), blob("caller"), long("profile", null=True),
        blob("code", null=True), big("created_at"), big("expires_at"), big("posted_at", null=True),
        number("tries"), long("guesses"), flag("used"), blob("link", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_sign_ins"),
        sa.UniqueConstraint("request", name="uq_sign_ins_request"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    index("ix_sign_ins_email_key", "sign_ins", ["email_key"])
    index("ix_sign_ins_link", "sign_ins", ["link"], unique=True)
    index("ix_sign_ins_unposted", "sign_ins", ["id"], where="posted_at IS NULL")
    op.create_table(
        "games",
        text("id"), text("ruleset"), text("status"), number("version"), text("hash"), big("last_at"),
        big("clock_at", default="0"), blob("state"), flag("public"), text("host"), big("created_at"),
        big("paused_until", null=True),
        big("halted_at", null=True), text("halted", null=True), big("audited_at", default="0"),
        flag("guest", default=False),
        text("name", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )  # fmt: skip
    index("ix_games_audited_at", "games", ["audited_at"])
    index("ix_games_created_at", "games", ["created_at", "id"])
    index("ix_games_gallery", "games", ["status", "public", "created_at", "id", "ruleset"])
    index("ix_games_halted", "games", ["halted_at"], where="halted_at IS NOT NULL")
    index("ix_games_lobby", "games", ["status", "created_at", "id"])
    index("ix_games_paused", "games", ["paused_until"], where="paused_until IS NOT NULL")
    index("ix_games_ruleset", "games", ["ruleset", "created_at", "id"])
    op.create_table(
        "events",
        text("game_id"), number("version"), text("type"), long("body"), text("hash"),
        sa.PrimaryKeyConstraint("game_id", "version", name="pk_events"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    index("ix_events_rewound", "events", ["game_id", "type", "version"], where="type = 'table.rewound'")
    op.create_table(
        "leaves",
        text("game_id"), number("version"), number("number"), number("owner", null=True), blob("sealed"),
        number("opened", null=True),
        sa.PrimaryKeyConstraint("game_id", "version", "number", name="pk_leaves"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_table(
        "seats",
        text("game_id"), number("seat"), text("player_id", null=True), flag("bot"), flag("vacant"),
        number("strikes"), number("strength", null=True), text("temper", null=True),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seats"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    index("ix_seats_bot", "seats", ["game_id"], where="bot")
    index("ix_seats_player_id", "seats", ["player_id"])
    op.create_table(
        "invitations",
        text("game_id"), text("email_key"), text("known_by"),
        sa.PrimaryKeyConstraint("game_id", "email_key", name="pk_invitations"),
    )  # fmt: skip
    index("ix_invitations_email_key", "invitations", ["email_key"])
    op.create_table(
        "decisions",
        text("game_id"), number("seat"), text("decision"), number("since"), text("player_id", null=True),
        big("began_at"), big("due_at", null=True), big("acts_at", null=True), flag("extended"),
        big("remind_at", null=True), flag("graced", default=False), big("bank_from", null=True),
        big("stopped_at", null=True), big("left", null=True), big("left_bank", null=True), text("hours", null=True),
        number("outage", default="0"), text("reasons", default=""), blob("draft", null=True),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_decisions"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    index("ix_decisions_acts", "decisions", ["acts_at", "since"], where="acts_at IS NOT NULL")
    index("ix_decisions_player_id", "decisions", ["player_id"])
    index("ix_decisions_remind", "decisions", ["remind_at"], where="remind_at IS NOT NULL")
    op.create_table(
        "deadline_leases",
        text("game_id"), number("seat"), number("since"), big("acts_at"), big("lease_until"),
        sa.PrimaryKeyConstraint("game_id", "seat", "since", "acts_at", name="pk_deadline_leases"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    index("ix_deadline_leases_lease_until", "deadline_leases", ["lease_until"])
    op.create_table(
        "thoughts",
        text("game_id"), number("seat"), number("since"), text("decision"), number("strength"),
        text("temper"), big("began_at"), big("turn_at"), big("not_before"), big("lease_until"),
        text("lease_by", null=True), number("attempts"), text("request_id", null=True),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_thoughts"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    index("ix_thoughts_turn_at", "thoughts", ["turn_at"])
    op.create_table(
        "analyses",
        text("game_id"), number("strength"), text("player_id"), text("state"), number("edition"),
        big("requested_at"), number("done"), number("total"), blob("findings"), text("reason"),
        number("attempts"), big("lease_until"), text("lease_by", null=True),
        sa.PrimaryKeyConstraint("game_id", "strength", name="pk_analyses"),
    )  # fmt: skip
    index("ix_analyses_player_id", "analyses", ["player_id"])
    op.create_table(
        "absences",
        big_id("id"), text("player_id"), text("first_day"), text("last_day"), big("announced_at"),
        big("ended_at", null=True), flag("spent"), text("announced_last", default=""),
        sa.PrimaryKeyConstraint("id", name="pk_absences"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    index("ix_absences_announced_at", "absences", ["announced_at"])
    index("ix_absences_player_id", "absences", ["player_id", "first_day"])
    op.create_table(
        "notices",
        big_id("id"), text("recipient"), text("game_id"), text("kind"), text("decision"),
        number("seat", null=True), number("version"), big("created_at"), blob("secret", null=True),
        text("request_id", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
        sa.UniqueConstraint("recipient", "game_id", "kind", "decision", name="uq_notices_recipient"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    index("ix_notices_game_id", "notices", ["game_id"])
    op.create_table(
        "deliveries",
        big_id("id"), big_id("notice_id"), text("channel"), text("target"), text("recipient"),
        text("game_id"), text("kind"), number("version"), big("created_at"), text("state"), big("not_before"),
        text("lease", null=True), big("lease_until"), number("attempts"), big("done_at", null=True),
        text("message_id", null=True), text("reason", null=True), big_id("told_in", null=True),
        long("body", null=True), long("log"), number("interrupted", default="0"), big("put_off", null=True),
        big("due_at", null=True), big("replayed_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    index("ix_deliveries_created_at", "deliveries", ["created_at"], where="target <> ''")
    index("ix_deliveries_done", "deliveries", ["recipient", "channel", "done_at"], where="done_at IS NOT NULL")
    index("ix_deliveries_due", "deliveries", ["channel", "target", "not_before", "id"], where="state = 'queued'")
    index("ix_deliveries_game_id", "deliveries", ["game_id"])
    index("ix_deliveries_notice_id", "deliveries", ["notice_id"])
    index("ix_deliveries_target", "deliveries", ["target", "id"], where="target <> ''")
    op.create_table(
        "destinations",
        text("channel"), text("name"), big("since"), big("down_since", null=True), number("failures"),
        big("probe_at"), text("lease", null=True), text("reason"),
        sa.PrimaryKeyConstraint("channel", "name", name="pk_destinations"),
    )  # fmt: skip
    op.create_table(
        "reply_tokens",
        blob("digest"), text("purpose"), text("recipient"), text("player_id", null=True), text("game_id"),
        number("seat", null=True), text("decision"), big_id("outbox_id"), text("mark"),
        blob("options", null=True), big_id("held", null=True), big("issued_at"), big("revoked_at", null=True),
        sa.PrimaryKeyConstraint("digest", name="pk_reply_tokens"),
    )  # fmt: skip
    index("ix_reply_tokens_game_id", "reply_tokens", ["game_id"])
    index("ix_reply_tokens_player_id", "reply_tokens", ["player_id", "game_id"])
    op.create_table(
        "inbound",
        big_id("id"), big("received_at"), text("source"), text("sender"), text("recipient"),
        blob("token", null=True), text("purpose"), big_id("about"), text("trusted"), blob("digest"),
        blob("raw", null=True), text("state"), text("reason"), big("not_before"), text("lease", null=True),
        big("lease_until"), number("attempts"), text("player_id", null=True), text("game_id"),
        number("seat", null=True), text("message_id"), blob("written", null=True), blob("outcome", null=True),
        big("done_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_inbound"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    index("ix_inbound_address", "inbound", ["token", "purpose", "about", "received_at"])
    index("ix_inbound_due", "inbound", ["not_before", "id"], where="state = 'received'")
    index("ix_inbound_player_id", "inbound", ["player_id", "id"])
    index("ix_inbound_received_at", "inbound", ["received_at"], where="raw IS NOT NULL OR sender <> ''")
    index("ix_inbound_seat", "inbound", ["game_id", "seat", "state"])
    index("ix_inbound_token", "inbound", ["token", "done_at"])
    op.create_table(
        "mailboxes",
        text("address"), number("score"), big("scored_at"), big("probed_at", null=True),
        big_id("probe", null=True), big("suppressed_at", null=True), text("reason"),
        sa.PrimaryKeyConstraint("address", name="pk_mailboxes"),
    )  # fmt: skip
    index("ix_mailboxes_scored_at", "mailboxes", ["scored_at"], where="suppressed_at IS NULL")
    index("ix_mailboxes_suppressed_at", "mailboxes", ["suppressed_at"], where="suppressed_at IS NOT NULL")
    op.create_table(
        "messages",
        big_id("id"), text("game_id"), number("seat"), text("player_id"), number("to_seat", null=True),
        blob("body"), big("created_at"), big("shown_at"), big("cancelled_at", null=True),
        big("hidden_by", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    index("ix_messages_game_id", "messages", ["game_id", "id"])
    index("ix_messages_player_id", "messages", ["player_id"])
    op.create_table(
        "mutes",
        text("game_id"), text("player_id"), big("at"),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_mutes"),
    )  # fmt: skip
    op.create_table(
        "profiles",
        text("player_id"), text("games"), text("together"), text("opponents"), text("reliability"),
        text("joined"), text("languages"), text("speaks"),
        sa.PrimaryKeyConstraint("player_id", name="pk_profiles"),
    )  # fmt: skip
    op.create_table(
        "avoided",
        text("player_id"), text("other"), text("how"), big("at"),
        sa.PrimaryKeyConstraint("player_id", "other", name="pk_avoided"),
    )  # fmt: skip
    index("ix_avoided_other", "avoided", ["other"])
    op.create_table(
        "notes",
        text("game_id"), text("player_id"), blob("body"), big("written_at"),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_notes"),
    )  # fmt: skip
    index("ix_notes_player_id", "notes", ["player_id"])
    op.create_table(
        "idempotency",
        text("player_id"), text("key"), text("fingerprint"), big("created_at"), number("status", null=True),
        blob("answer", null=True),
        sa.PrimaryKeyConstraint("player_id", "key", name="pk_idempotency"),
    )  # fmt: skip
    index("ix_idempotency_created_at", "idempotency", ["created_at"])
    op.create_table(
        "heartbeats",
        text("name"), big("at"),
        sa.PrimaryKeyConstraint("name", name="pk_heartbeats"),
    )  # fmt: skip
    op.create_table(
        "measurements",
        text("name"), text("labels"), text("part"), big("value"),
        sa.PrimaryKeyConstraint("name", "labels", "part", name="pk_measurements"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_table(
        "processes",
        text("id"), text("role"), big("at"), long("report"),
        sa.PrimaryKeyConstraint("id", name="pk_processes"),
    )  # fmt: skip
    op.create_table(
        "schema_releases",
        text("revision"), text("release"), big("at"),
        sa.PrimaryKeyConstraint("revision", name="pk_schema_releases"),
    )  # fmt: skip
    op.create_table(
        "clock_jumps",
        given("healed_at"), big("first"), big("last"),
        sa.PrimaryKeyConstraint("healed_at", name="pk_clock_jumps"),
    )  # fmt: skip
    op.create_table(
        "outages",
        number("number"), big("began_at"), big("ended_at"),
        sa.PrimaryKeyConstraint("number", name="pk_outages"),
    )  # fmt: skip
    op.create_table(
        "webhooks",
        text("id"), text("player_id"), blob("sealed"), big("old_until", null=True), text("state"),
        text("reason"), big("created_at"), number("failures"), big("failing_since", null=True),
        big("not_before"), text("lease", null=True), big("lease_until"), text("kinds", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
    )  # fmt: skip
    index("ix_webhooks_old_until", "webhooks", ["old_until"], where="old_until IS NOT NULL")
    index("ix_webhooks_player_id", "webhooks", ["player_id"])
    op.create_table(
        "devices",
        text("id"), text("player_id"), text("token_id"), blob("digest"), text("service"), blob("sealed"),
        text("label"), big("created_at"), big("called_at", null=True), text("reason"),
        sa.PrimaryKeyConstraint("id", name="pk_devices"),
        sa.UniqueConstraint("digest", name="uq_devices_digest"),
    )  # fmt: skip
    index("ix_devices_player_id", "devices", ["player_id"])
    op.create_table(
        "checkpoints",
        text("game_id"), number("version"), big("at"), text("hash"), text("key"), text("signature"),
        sa.PrimaryKeyConstraint("game_id", "version", name="pk_checkpoints"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_table(
        "proofs",
        text("game_id"), text("what"), text("digest"), blob("content"),
        sa.PrimaryKeyConstraint("game_id", "what", name="pk_proofs"),
    )  # fmt: skip
    op.create_table(
        "signing_keys",
        text("id"), text("public"), big("since"), text("endorser", null=True), text("endorsement", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_signing_keys"),
    )  # fmt: skip
    op.create_table(
        "log_entries",
        big("number"), text("what"), text("game_id"), number("version"), text("hash"), big("at"), blob("leaf"),
        sa.PrimaryKeyConstraint("number", name="pk_log_entries"),
        sa.UniqueConstraint("game_id", "what", name="uq_log_entries_game_id"),
    )  # fmt: skip
    op.create_table(
        "unlogged",
        text("game_id"), text("what"),
        sa.PrimaryKeyConstraint("game_id", "what", name="pk_unlogged"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_table(
        "log_heads",
        big("size"), big("at"), text("root"), text("key"), text("signature"), blob("peaks"),
        sa.PrimaryKeyConstraint("size", name="pk_log_heads"),
    )  # fmt: skip
    op.create_table(
        "operator_acts",
        given("number"), big("at"), text("operator"), text("what"), text("game_id", null=True),
        number("version", null=True), number("seat", null=True), text("player_id", null=True),
        long("outcome"), text("commitment"),
        sa.PrimaryKeyConstraint("number", name="pk_operator_acts"),
    )  # fmt: skip
    index("ix_operator_acts_game_id", "operator_acts", ["game_id"])
    index("ix_operator_acts_player_id", "operator_acts", ["player_id"])
    op.create_table(
        "operator_reasons",
        given("number"), text("game_id", null=True), text("player_id", null=True), blob("salt"),
        long("why"),
        sa.PrimaryKeyConstraint("number", name="pk_operator_reasons"),
    )  # fmt: skip
    index("ix_operator_reasons_game_id", "operator_reasons", ["game_id"])
    index("ix_operator_reasons_player_id", "operator_reasons", ["player_id"])
    op.create_table(
        "suspensions",
        text("player_id"), big("act"), big("since"), big("until", null=True),
        sa.PrimaryKeyConstraint("player_id", name="pk_suspensions"),
    )  # fmt: skip
    op.create_table(
        "erasures",
        text("player_id"), big("asked_at"), big("look_at", null=True), big("done_at", null=True),
        number("stage"), text("mails"),
        sa.PrimaryKeyConstraint("player_id", name="pk_erasures"),
    )  # fmt: skip
    index("ix_erasures_look_at", "erasures", ["look_at"], where="look_at IS NOT NULL")


TABLES = (
    "players", "tokens", "passkeys", "spent_challenges", "sign_ins", "games", "events",
    "leaves", "seats", "invitations", "decisions", "deadline_leases", "thoughts", "analyses",
    "absences", "notices", "deliveries", "destinations", "reply_tokens", "inbound", "mailboxes", "messages",
    "mutes", "profiles", "avoided", "notes", "idempotency", "heartbeats", "measurements", "processes",
    "schema_releases", "clock_jumps", "outages", "webhooks", "devices", "checkpoints", "proofs", "signing_keys",
    "log_entries", "unlogged", "log_heads", "operator_acts", "operator_reasons",
    "suspensions", "erasures",
)  # fmt: skip


# -- triggers

APPEND_ONLY = {
    "events": ("game_id", "version"),
    "checkpoints": ("game_id", "version"),
    "signing_keys": ("id",),
    "log_entries": ("number",),
    "log_heads": ("size",),
    "operator_acts": ("number",),
}
"""Tables whose rows are never changed or deleted, with their primary keys."""
KEPT = {"leaves": ("game_id", "version", "number"), "games": ("id",)}
"""Tables whose rows are never deleted."""
OF_A_GAME = ("events", "checkpoints", "leaves")
"""Tables whose rows are deleted only with the whole game of a guest."""
GAME_CHANGED = "NEW.id <> OLD.id OR (NEW.guest AND NOT OLD.guest)"
"""A game becomes another one, or a guest's that was none."""
LEAF_CHANGED = (
    "NEW.game_id {other} OLD.game_id OR NEW.version {other} OLD.version OR NEW.number {other} OLD.number"
    " OR NEW.owner {other} OLD.owner"
    " OR (NEW.opened {other} OLD.opened AND (OLD.opened IS NOT NULL OR NEW.opened <= OLD.version))"
)
"""Any change of a leaf, except that it is sealed again, or opened by a later event."""


def on_sqlite() -> Iterator[str]:
    for table, keys in (APPEND_ONLY | KEPT).items():
        message = "games are kept" if table == "games" else f"{table} is append-only"
        stop = f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        guest = "SELECT 1 FROM games WHERE id = OLD.game_id AND guest"
        unless = "WHEN NOT OLD.guest " if table == "games" else ""
        unless = f"WHEN NOT EXISTS ({guest}) " if table in OF_A_GAME else unless
        if table in APPEND_ONLY:
            yield f"CREATE TRIGGER {table}_no_update BEFORE update ON {table} {stop}"
        yield f"CREATE TRIGGER {table}_no_delete BEFORE delete ON {table} {unless}{stop}"
        same = " AND ".join(f"{key} = NEW.{key}" for key in keys)
        exists = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608 - the names are ours
        yield f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} {exists} {stop}"
    yield (
        f"CREATE TRIGGER games_no_change BEFORE UPDATE OF id, guest ON games WHEN {GAME_CHANGED}"
        " BEGIN SELECT RAISE(ABORT, 'games are kept'); END"
    )
    yield (
        f"CREATE TRIGGER leaves_no_change BEFORE UPDATE ON leaves WHEN {LEAF_CHANGED.format(other='IS NOT')}"
        " BEGIN SELECT RAISE(ABORT, 'leaves is append-only'); END"
    )
    yield (
        "CREATE TRIGGER events_in_order BEFORE INSERT ON events"
        " WHEN NEW.version <> 1 + (SELECT coalesce(max(version), 0) FROM events WHERE game_id = NEW.game_id)"
        " BEGIN SELECT RAISE(ABORT, 'events come in order'); END"
    )


def on_postgresql() -> Iterator[str]:
    yield from FUNCTIONS
    stop, keep = "EXECUTE FUNCTION wardroom_forbid_change()", "EXECUTE FUNCTION wardroom_keep_history()"
    for table in APPEND_ONLY | KEPT:
        row = f"FOR EACH ROW {keep if table in OF_A_GAME else stop}"
        if table in APPEND_ONLY:
            yield f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} {row}"
        elif table != "games":
            yield f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {row}"
        yield f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} FOR EACH STATEMENT {stop}"
    yield (
        "CREATE TRIGGER games_kept BEFORE DELETE OR UPDATE OF id, guest ON games FOR EACH ROW"
        " EXECUTE FUNCTION wardroom_keep_game()"
    )
    yield "CREATE TRIGGER leaves_no_change BEFORE UPDATE ON leaves FOR EACH ROW EXECUTE FUNCTION wardroom_keep_leaf()"
    yield "CREATE TRIGGER events_in_order BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION wardroom_in_order()"
    yield DELETE_GUEST_GAME
    yield ROLE
    yield GRANTS


FUNCTIONS = (
    "CREATE FUNCTION wardroom_forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$",
    "CREATE FUNCTION wardroom_keep_leaf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    f" IF {LEAF_CHANGED.format(other='IS DISTINCT FROM')} THEN"
    " RAISE EXCEPTION 'leaves is append-only' USING ERRCODE = 'restrict_violation'; END IF; RETURN NEW; END $$",
    "CREATE FUNCTION wardroom_in_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " IF NEW.version < 1 OR (NEW.version > 1 AND NOT EXISTS (SELECT 1 FROM events"
    " WHERE game_id = NEW.game_id AND version = NEW.version - 1)) THEN"
    " RAISE EXCEPTION 'events come in order' USING ERRCODE = 'restrict_violation'; END IF; RETURN NEW; END $$",
    "CREATE FUNCTION wardroom_keep_history() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " IF TG_OP = 'DELETE' AND EXISTS (SELECT 1 FROM games WHERE id = OLD.game_id AND guest) THEN RETURN OLD; END IF;"
    " RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$",
    "CREATE FUNCTION wardroom_keep_game() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " IF TG_OP = 'DELETE' AND OLD.guest THEN RETURN OLD; END IF;"
    f" IF TG_OP = 'DELETE' OR {GAME_CHANGED} THEN"
    " RAISE EXCEPTION 'games is append-only' USING ERRCODE = 'restrict_violation'; END IF; RETURN NEW; END $$",
)
# the one way to delete a history: with the rights of the owner, and only for a game of a guest that was not kept
DELETE_GUEST_GAME = f"""
    DO $do$ BEGIN
        EXECUTE 'CREATE FUNCTION wardroom_delete_guest_game(text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER'
            ' SET search_path = ' || quote_ident(current_schema()) || ', pg_temp AS $$ BEGIN'
            ' PERFORM 1 FROM games WHERE id = $1 AND guest FOR UPDATE;'
            ' IF NOT FOUND THEN'
            ' RAISE EXCEPTION ''games are kept'' USING ERRCODE = ''restrict_violation''; END IF;'
            '{"".join(f" DELETE FROM {table} WHERE game_id = $1;" for table in OF_A_GAME)}'
            ' DELETE FROM games WHERE id = $1; END $$';
        REVOKE ALL ON FUNCTION wardroom_delete_guest_game(text) FROM PUBLIC;
    END $do$
"""  # noqa: S608 - the names in it are ours
FUNCTION_NAMES = (
    "wardroom_forbid_change()", "wardroom_keep_leaf()", "wardroom_in_order()", "wardroom_keep_history()",
    "wardroom_keep_game()", "wardroom_delete_guest_game(text)",
)  # fmt: skip


# -- the role that the service works as

# the role is the cluster's: another database may have made it already, and we may not be allowed to
ROLE = f"""
    DO $$ BEGIN
        CREATE ROLE {APP_ROLE} NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN NULL;
    END $$
"""
GRANTS = f"""
    DO $$ DECLARE here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT USAGE ON SCHEMA ' || here || ' TO {APP_ROLE}';
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ' || here || ' TO {APP_ROLE}';
            EXECUTE 'GRANT USAGE ON ALL SEQUENCES IN SCHEMA ' || here || ' TO {APP_ROLE}';
            REVOKE USAGE ON SEQUENCE log_entries_number_seq, log_heads_size_seq FROM {APP_ROLE};
            REVOKE UPDATE, DELETE, TRUNCATE ON {", ".join(APPEND_ONLY)}, clock_jumps, outages, leaves FROM {APP_ROLE};
            GRANT UPDATE (sealed, opened) ON leaves TO {APP_ROLE};
            REVOKE DELETE, TRUNCATE ON games, erasures FROM {APP_ROLE};
            REVOKE INSERT, UPDATE, DELETE ON schema_releases FROM {APP_ROLE};
            GRANT EXECUTE ON FUNCTION wardroom_delete_guest_game(text) TO {APP_ROLE};
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
