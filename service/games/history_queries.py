"""The history of a game for those who read it: events, exports, audits, past positions, waiting for what comes."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from domain.audit.checkpoints import Signed
from domain.audit.verify_history import Report, audit
from domain.engine.canonical import canonical
from domain.engine.game import Seat
from domain.table.events import EVENTS
from domain.table.state import Table
from domain.table.undo import KEPT
from service.container import Services
from service.kernel import clock
from service.kernel.signing import genuine
from service.store.clocks.halted import why_halted
from service.store.database import Connection
from service.store.event_store import checkpoints
from service.store.event_store.stream_reader import Link, undone_by
from service.store.event_store.streams import LATEST, Head

NOT_UNDONE: Final = frozenset(f"table.{name}" for name, kind in EVENTS.items() if kind in KEPT)
"""Stored names of what going back leaves as it is."""


def events(
    services: Services, connection: Connection, head: Head, seat: Seat | None, *, after: int, limit: int
) -> list[dict[str, Any]]:
    """Up to `limit` events after `after`, as the seat may see them; `undone_by` is where the game went back to before
    one of them."""
    shown = services.streams.seen(connection, head.game, seat, after=after, upto=min(head.version, after + limit))
    rewinds = services.streams.rewinds(connection, head.game, head.version, after)
    for event in shown if rewinds else ():
        back = undone_by(rewinds, event["version"])
        if back is not None and event["type"] not in NOT_UNDONE:
            event["undone_by"] = back
    return shown


def export(services: Services, connection: Connection, head: Head, seat: Seat | None) -> Iterator[bytes]:
    """The whole history as the seat may see it, one event a line, and the end line (DESIGN 3)."""
    for event in services.streams.seen(connection, head.game, seat, after=0, upto=head.version):
        yield canonical(event) + b"\n"
    yield canonical({"end": {"version": head.version, "hash": head.hash}}) + b"\n"


def report(services: Services, connection: Connection, head: Head, seat: Seat | None) -> Report:
    """What an audit of that export finds, and a comparison with what was signed while the game was played."""
    found = audit(export(services, connection, head, seat))
    _against_checkpoints(services, connection, head, found)
    stopped = why_halted(connection, head.game)
    if stopped is not None:
        found.add("stopped", "broken", f"This game is stopped, as its records do not verify: {stopped}")
    return found


def _against_checkpoints(services: Services, connection: Connection, head: Head, found: Report) -> None:
    """Whether every event that was signed is there, and the same."""
    kept = checkpoints.of_game(connection, head.game, LATEST)
    keys = {key["id"]: key["public"] for key in checkpoints.keys(connection)}
    events = dict(enumerate(services.streams.marks(connection, head.game), 1))
    wrong = [(signed.checkpoint.version, told) for signed in kept if (told := _unlike(signed, events, keys))]
    last = events.get(head.version)
    if head.version not in {signed.checkpoint.version for signed in kept} and (
        last is None or checkpoints.is_owed(connection, head.game, last.at)
    ):
        wrong.append((head.version, "It was not signed, or its checkpoint is gone."))
    if wrong:
        version, told = wrong[0]
        more = f" (and {len(wrong) - 1} more)" if wrong[1:] else ""
        found.blame("checkpoints", version, f"{told}{more}")
    elif kept:
        found.add("checkpoints", "verified", f"All {len(kept)} events that were signed are there and the same.")


def _unlike(signed: Signed, events: Mapping[int, Link], keys: Mapping[str, str]) -> str:
    """What is wrong with an event that was signed; "" for nothing."""
    one = signed.checkpoint
    if one.version not in events:
        return "It was signed, and is gone: the history was cut after that."
    if events[one.version] != (one.hash, one.time):
        return "Another event was signed: the history was rewritten after that."
    if not genuine(keys.get(signed.key, ""), one.message(), signed.signature):
        return "Its signature is not genuine."
    return ""


def past(services: Services, connection: Connection, head: Head, seat: Seat | None, version: int) -> Head | None:
    """The head as it was after event `version`, as the seat could know it then; None where there is no such event."""
    if not 1 <= version <= head.version:
        return None
    if version == head.version:
        return head
    hash_, at = services.streams.mark_of(connection, head.game, version)
    table: Table = services.streams.table_seen(connection, head.game, head.rules, version, seat)
    recorded = clock.from_text(at)
    return Head(head.game, version, hash_, recorded, head.now, table, head.history, name=head.name)


def then(
    services: Services, connection: Connection, head: Head, player: str | None, version: int
) -> tuple[Head, Seat | None] | None:
    """The head as it was after event `version`, as a player could know it at the seat they had then, and that seat.

    None where there is no such event. What was opened only later stays shut, also when the game is over.
    """
    if not 1 <= version < head.version:
        return (head, head.table.eyes_of(player)) if version == head.version else None
    chairs = services.streams.chairs(connection, head.game, head.rules, version)
    seat = Table(chairs=chairs, resigned=head.table.resigned).eyes_of(player)
    shown = past(services, connection, head, seat, version)
    assert shown is not None, "the event is there"
    return shown, seat
