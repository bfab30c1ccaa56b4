"""Everything kept about one person, as one JSON document: row by row, for their mails may be long (`data_map`).

Here alone rows are mappings, as the store gives them (`personal_data`): rows of every table that names a person are
written out the same way, and which of their columns is data.
"""

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from service.container import Services
from service.games import chat, drafts, notes
from service.kernel import clock
from service.kernel.clock import SECOND
from service.kernel.encryption import Unreadable
from service.mail import inbox
from service.notify import devices, subscriptions
from service.notify.notice_log import GONE_OUT
from service.privacy.data_map import SECTIONS, Section
from service.store.across import personal_data
from service.store.across.personal_data import Person
from service.store.clocks.decisions import Owed
from service.store.database import Connection
from service.store.games import seats
from service.store.incoming.inbox import MailOutcome
from service.store.people import players

FORMAT: Final = "wardroom-me-1"
TIMES: Final = frozenset(
    {"at", "not_before", "old_until", "failing_since", "digest_since", "bank_from", "paused_until"}
)
"""Columns of times whose names do not end so."""
SECONDS: Final = frozenset({"left", "left_bank"})
SURELY_THEIRS: Final = frozenset({"applied", "answered", "rejected", "stale", "late", "confirmed"})
"""Mails that came through the locks. What any other says is shown to nobody, for it may be somebody else's (IN-07):
a copy of a mail may have come from anywhere, and is settled before the locks."""
NOTES: Final = (
    "Histories of games hold your opaque id, your orders in the notation and any nonce you brought: see `history`.",
    "If you have all this erased, your id and those histories stay; nothing says any more whose id it was.",
    "Lines that others said, and mails that they have got, are theirs, also where they name you.",
    "Backups of this server, which are kept for 35 days, hold what was erased until then.",
)
Extra = Mapping[str, Callable[[Services, Mapping[str, Any]], Any]]


def _raw(services: Services, row: Mapping[str, Any]) -> str | None:
    """A mail as it came, in base64; None once its time is over, and where it may not be theirs."""
    if row["state"] not in SURELY_THEIRS:
        return None
    try:
        raw = inbox.raw_of(services, row["digest"], row["raw"])
    except Unreadable:
        return None
    return None if raw is None else base64.b64encode(raw).decode()


def _outcome(services: Services, row: Mapping[str, Any]) -> Any:
    mail = MailOutcome(row["id"], row["outcome"], row["state"])
    return inbox.outcome(services, mail) if mail.state in SURELY_THEIRS else None


def _url(services: Services, row: Mapping[str, Any]) -> str | None:
    try:
        return subscriptions.open_kept(services, row["id"], row["sealed"]).url
    except Unreadable:
        return None


def _host(services: Services, row: Mapping[str, Any]) -> str | None:
    return devices.host_of(services, row["id"], row["sealed"])


def _line(services: Services, row: Mapping[str, Any]) -> str | None:
    try:
        return chat.text_of(services, row["game_id"], row["id"], row["body"]) if row["body"] else None
    except Unreadable:
        return None


def _note(services: Services, row: Mapping[str, Any]) -> str | None:
    try:
        return notes.text_of(services, row["game_id"], row["player_id"], row["body"])
    except Unreadable:
        return None


def _draft(services: Services, row: Mapping[str, Any]) -> str:
    owed = Owed(row["seat"], row["decision"], row["since"], row["due_at"], row["draft"])
    return drafts.kept(services, row["game_id"], row["player_id"], owed).text


OPENED: Final[Mapping[str, Extra]] = {
    "decisions": {"draft": _draft},
    "inbound": {"raw": _raw, "outcome": _outcome},
    "messages": {"text": _line},
    "notes": {"text": _note},
    "webhooks": {"url": _url},
    "devices": {"host": _host},
}
"""Sealed values as their person reads them: in place of a column, or beside the columns."""


def keys_of(section: Section) -> list[str]:
    """The keys of what a section lists."""
    return sorted({*section.shown, *OPENED.get(section.theirs.table, {})})


def export(services: Services, connection: Connection, player: str) -> Iterator[bytes]:
    """The document, in pieces: {"format", "made_at", "notes", "history": [{"game", …}], section: [{…}], …}."""
    person = Person(player, players.email_key_of(connection, player) or "")
    first = {"format": FORMAT, "made_at": clock.text(services.database.clock.now(connection)), "notes": list(NOTES)}
    yield _bytes(first)[:-1]
    yield b',"history":' + _bytes(_histories(services, connection, player))
    for section in SECTIONS:
        yield b"," + _bytes(section.name) + b":["
        between = b""
        for row in filter(_may_be_known, personal_data.rows_of(connection, section.theirs, person)):
            yield between + _bytes(_document(services, section, row))
            between = b","
        yield b"]"
    yield b"}\n"


def _bytes(document: object) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def _histories(services: Services, connection: Connection, player: str) -> list[dict[str, str]]:
    """Where the histories of the games they sit in are, as far as they may see them."""
    games = f"{services.settings.base_url}/api/v1/games"
    return [
        {"game": game, "events": f"{games}/{game}/events", "bundle": f"{games}/{game}/bundle"}
        for game in seats.games_of(connection, player)
    ]


def _may_be_known(row: Mapping[str, Any]) -> bool:
    """A notice of a line of talk is none before the line is shown: its author may still take it back."""
    return row.get("kind") != chat.KIND or row["state"] in GONE_OUT


def _document(services: Services, section: Section, row: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: _plain(name, row[name]) for name in section.shown}
    opened = OPENED.get(section.theirs.table, {})
    return shown | {name: unseal(services, row) for name, unseal in opened.items()}


def _plain(name: str, value: Any) -> Any:
    """A value as JSON has it: times in RFC 3339 UTC, spans in seconds, digests in hex."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, int) and not isinstance(value, bool) and is_time(name):
        return clock.text(value) if value else None
    if isinstance(value, int) and name in SECONDS:
        return value // SECOND
    return value


def is_time(name: str) -> bool:
    """Whether a column of this name holds a time."""
    return name in TIMES or (name.endswith("_at") and name != "wakes_at")
