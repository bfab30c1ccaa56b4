"""Letters: what a player reads, composed from facts. The same notice makes the same bytes (RATE-02)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from sqlalchemy import Connection

from service import mutes
from service.clock import SECOND, moment
from service.wardroom import Wardroom
from workers.facts import Facts, Reader, Row, check_claim, facts_of, reader_of
from workers.message import Envelope, build, short_mac

GAME_KINDS: Final = {
    "your-turn": "your turn",
    "reminder": "reminder",
    "deadline-passed": "your deadline passed",
    "game-over": "the game is over",
    "invitation": "an invitation",
    "undeliverable": "a player cannot be reached",
}
"""The kinds of letters about games, and what the sender's display name adds (OUT-10)."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message ready to go: where to, from which return path, and its bytes."""

    to: str
    return_path: str
    message_id: str
    data: bytes


def compose(room: Wardroom, connection: Connection, row: Row) -> Letter:
    """The letter of a notice. Raises Superseded where its claim is not true any more."""
    reader = reader_of(connection, row)
    decision = check_claim(room, connection, row)
    if row["kind"] == "code":
        return _code(room, row, reader)
    facts = facts_of(room, connection, row, decision)
    return _about_game(room, row, reader, facts)


def _about_game(room: Wardroom, row: Row, reader: Reader, facts: Facts) -> Letter:
    settings, head = room.settings, facts.head
    title = head.rules.title
    mac = short_mac(room, row["recipient"])
    root = f"<g.{head.game}.{mac}@{settings.mail_domain}>"
    link = f"{settings.base_url}/api/v1/games/{head.game}"
    words = {
        "row": row,
        "reader": reader,
        "facts": facts,
        "title": title,
        "link": link,
        "base": settings.base_url,
        "due": "",
        "left": "",
    }
    if facts.decision is not None and facts.decision["due_at"] is not None:
        words["due"] = due_words(facts.decision["due_at"], reader.timezone)
        words["left"] = left_words(facts.decision["due_at"] - row["created_at"])
    words["headline"] = HEADLINES[row["kind"]](words)
    stop = None
    if reader.player is not None:
        stop = f"{settings.base_url}/u/{mutes.token(room, reader.player, head.game)}"
    envelope = Envelope(
        to=reader.email,
        name=reader.name,
        sender=f"{title} – {GAME_KINDS[row['kind']]}",
        subject=f"[{title} #{head.game}] {', '.join(facts.players) if head.table.game is not None else 'a new table'}",
        references=[root, *([facts.previous] if facts.previous else [])],
        list_id=f"<game-{head.game}.{settings.mail_domain}>",
        unsubscribe=stop,
    )
    return _letter(room, row, envelope, words, "game")


def _code(room: Wardroom, row: Row, reader: Reader) -> Letter:
    code = room.sealer.open("codes", f"code|{row['decision']}", row["secret"]).decode()
    words = {
        "row": row,
        "reader": reader,
        "code": code,
        "base": room.settings.base_url,
        "headline": "Your code for Wardroom",
    }
    envelope = Envelope(
        to=reader.email, name=reader.name, sender="Wardroom", subject="Your code for Wardroom", references=[]
    )
    return _letter(room, row, envelope, words, "code")


def _letter(room: Wardroom, row: Row, envelope: Envelope, words: dict[str, Any], template: str) -> Letter:
    text = _ENVIRONMENT.get_template(f"{template}.txt").render(words)
    html = _ENVIRONMENT.get_template(f"{template}.html").render(words)
    message_id, data = build(room, row, envelope, text, html)
    return Letter(envelope.to, return_path(room, row), message_id, data)


def return_path(room: Wardroom, row: Row) -> str:
    """Where bounces of this very notice go (OUT-12)."""
    mac = short_mac(room, f"bounce|{row['id']}")
    return f"b-{row['id']}-{mac}@{room.settings.mail_domain}"


def due_words(due: int, timezone: str) -> str:
    """A deadline in the reader's zone and in UTC: Tue 24 Nov 2026 18:00 CET (17:00 UTC)."""
    utc = moment(due)
    here = utc.astimezone(ZoneInfo(timezone))
    if timezone == "UTC":
        return f"{utc:%a %d %b %Y %H:%M} UTC"
    day = "" if here.date() == utc.date() else f"{utc:%a %d %b} "
    return f"{here:%a %d %b %Y %H:%M %Z} ({day}{utc:%H:%M} UTC)"


def left_words(left: int) -> str:
    """A time span in its largest units: 2 days 3 hours, 6 hours, 10 minutes, 5 seconds."""
    seconds = max(0, round(left / SECOND))
    spans = [("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)]
    parts: list[str] = []
    for unit, size in spans:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {unit}{'s' if count > 1 else ''}")
    return " ".join(parts[:2]) or "no time"


def _until(words: dict[str, Any]) -> str:
    return f" – answer by {words['due']}" if words["due"] else ""


HEADLINES: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "your-turn": lambda words: f"Your turn in {words['title']}{_until(words)}.",
    "reminder": lambda words: (
        f"Reminder: your answer in {words['title']} is due in {words['left']}, by {words['due']}."
    ),
    "deadline-passed": lambda words: f"Your deadline in {words['title']} passed: the caretaker played for you.",
    "game-over": lambda words: f"Your game of {words['title']} is over.",
    "invitation": lambda words: f"{words['facts'].players[0]} invites you to a game of {words['title']}.",
    "undeliverable": lambda words: (
        f"{words['facts'].players[words['row']['seat']]} could not be told that it is their turn in {words['title']}."
    ),
}
_ENVIRONMENT: Final = Environment(
    loader=PackageLoader("workers"),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
