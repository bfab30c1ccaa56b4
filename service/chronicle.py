"""The history of a game for those who read it: events, exports, audits, past positions, waiting for what comes."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection

from domain.audit import Report, audit
from domain.canonical import canonical
from domain.decider import Seat
from domain.table.events import EVENTS
from domain.table.state import Table
from service.store.streams import Head, undone_by
from service.tales import KEPT, tell
from service.wardroom import Wardroom

NOT_UNDONE: Final = frozenset(f"table.{name}" for name, kind in EVENTS.items() if kind in KEPT)
"""Stored names of what going back leaves as it is."""


def events(
    room: Wardroom, connection: Connection, head: Head, seat: Seat | None, *, after: int, limit: int
) -> list[dict[str, Any]]:
    """Up to `limit` events after `after`, as the seat may see them; `undone_by` is where the game went back to before
    one of them."""
    shown = room.streams.seen(connection, head.game, seat, after=after, upto=min(head.version, after + limit))
    rewinds = room.streams.rewinds(connection, head.game, head.version, after)
    for event in shown if rewinds else ():
        back = undone_by(rewinds, event["version"])
        if back is not None and event["type"] not in NOT_UNDONE:
            event["undone_by"] = back
    return shown


def told(
    room: Wardroom, connection: Connection, head: Head, seat: Seat | None, versions: Sequence[int], names: Sequence[str]
) -> list[str]:
    """What these events tell a seat, with these names by seat: a sentence each, where there is anything to tell."""
    first, last = min(versions, default=1), max(versions, default=0)
    facts = room.streams.facts_seen(connection, head.game, head.rules, seat, after=first - 1, upto=last)
    tales = {version: tell(head.rules, event, names) for version, event in enumerate(facts, first)}
    return [tales[version] for version in versions if tales[version]]


def export(room: Wardroom, connection: Connection, head: Head, seat: Seat | None) -> Iterator[bytes]:
    """The whole history as the seat may see it, one event a line, and the end line (DESIGN 3)."""
    for event in room.streams.seen(connection, head.game, seat, after=0, upto=head.version):
        yield canonical(event) + b"\n"
    yield canonical({"end": {"version": head.version, "hash": head.hash}}) + b"\n"


def report(room: Wardroom, connection: Connection, head: Head, seat: Seat | None) -> Report:
    """What an audit of that export finds."""
    return audit(export(room, connection, head, seat))


def past(room: Wardroom, connection: Connection, head: Head, seat: Seat | None, version: int) -> Head | None:
    """The head as it was after event `version`, as the seat could know it then; None where there is no such event."""
    if not 1 <= version <= head.version:
        return None
    if version == head.version:
        return head
    (event,) = room.streams.seen(connection, head.game, None, after=version - 1, upto=version)
    table: Table = room.streams.table_seen(connection, head.game, head.rules, version, seat)
    return Head(head.game, version, event["hash"], head.last_at, head.now, table, head.history)
