"""The operator's acts at tables: a game ended, its clock stopped and started, time given, a seat freed or offered.

Each locks the game as a move does, records events of the operator's, and is told to everybody who sits there; it runs
in a transaction of `journal.act`. All raise NoSuchGame, GameHalted, and RuleViolation for what the rules of the table
forbid; then nothing is done.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from domain.engine.game import Seat
from domain.engine.refusals import require
from domain.table import operating
from domain.table.play import settle
from domain.table.record import CLOCK, Record
from domain.table.state import Table
from service.accounts.names import email_key
from service.container import Services
from service.games import operator_text
from service.games.commit import commit, lock, notice
from service.games.inviting import BY_OPERATOR, MOST_INVITATIONS, send_invitations
from service.mail.invitations import DAY, MOST_TO_AN_ADDRESS
from service.operator.journal import Deed
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.games import invitations
from service.store.people import players


def end(services: Services, tx: Connection, game: str) -> Deed:
    """End a game for good, without a result; all that was sealed is open then. The letter of its end says why."""
    head = lock(services, tx, game)
    results = _record(services, tx, head, operating.end)
    return Deed(operator_text.ENDED, game, head.version, results=results)


def pause(services: Services, tx: Connection, game: str, seconds: int) -> Deed:
    """Stop the clock, for so long at most, 0 for until it is started. Moves can be made all the same."""
    stop = partial(operating.pause, seconds=seconds)
    return _act(services, tx, game, operator_text.PAUSED, stop, {"seconds": seconds})


def resume(services: Services, tx: Connection, game: str) -> Deed:
    """Let the clock run again, whatever had stopped it."""
    return _act(services, tx, game, operator_text.RESUMED, operating.go_on, {})


def extend(services: Services, tx: Connection, game: str, seat: Seat | None, seconds: int) -> Deed:
    """Give one seat, or everybody who has to answer, so much more time."""
    more = partial(operating.extend, seconds=seconds, seat=seat)
    return _act(services, tx, game, operator_text.EXTENDED, more, {"seconds": seconds}, seat)


def vacate(services: Services, tx: Connection, game: str, seat: Seat) -> Deed:
    """Free a seat; its player is told, too, and may take it back in a game under way until another does."""
    head = lock(services, tx, game)
    before = head.table
    results = _record(services, tx, head, partial(operating.vacate_in_company, seat=seat))
    results |= {"open": True} if before.status == "open" else {}
    player = before.chairs[seat].player
    return Deed(operator_text.VACATED, game, head.version, seat, player, results, partial(_notices, head, before))


def invite(services: Services, tx: Connection, game: str, seat: Seat, address: str) -> Deed:
    """Invite an address to a seat that nobody plays. Raises RuleViolation where somebody does, or it was invited.

    The journal does not say whom: an address stands where it can be erased.
    """
    head = lock(services, tx, game)
    key = email_key(address)
    _require_free(head.table, seat)
    _require_new(tx, head, key)
    send_invitations(tx, head, {key: invitations.UNKNOWN}, f"{BY_OPERATOR}{head.now}")
    return Deed(operator_text.INVITED, game, head.version, seat, notices=partial(_notices, head, head.table))


def tell_restored(services: Services, tx: Connection, game: str, taken: int) -> Deed:
    """Tell everybody at a table that it is as it was at an earlier moment. Records nothing, for nothing happened."""
    head = lock(services, tx, game)
    told = partial(_notices, head, head.table)
    return Deed(operator_text.RESTORED, game, head.version, results={"taken": taken}, notices=told)


def _act(
    services: Services,
    tx: Connection,
    game: str,
    what: str,
    change: Callable[[Record], None],
    results: Mapping[str, Any],
    seat: Seat | None = None,
) -> Deed:
    """An act of which all at the table are told alike."""
    head = lock(services, tx, game)
    done = _record(services, tx, head, change)
    told = partial(_notices, head, head.table)
    return Deed(what, game, head.version, seat, results={**results, **done}, notices=told)


def _record(services: Services, tx: Connection, head: Head, change: Callable[[Record], None]) -> dict[str, Any]:
    """Record a change of a table, and what follows from it. The first event of it."""
    first = head.version + 1
    record = Record(head.table, head.rules)
    change(record)
    settle(record, CLOCK)
    commit(services, tx, head, record)
    return {"from": first}


def _notices(head: Head, table: Table, number: int) -> Iterator[Mapping[str, Any]]:
    """A notice to everybody who sits at a table, or sat there before the act."""
    for seat, chair in enumerate(table.chairs):
        if chair.player is not None:
            yield notice(head, chair.player, "operator-act", str(number), seat)


def _require_free(table: Table, seat: Seat) -> None:
    require(table.status in ("open", "running"), "game-over", "DESIGN-2", "The game is over.")
    seats = len(table.chairs)
    there = 0 <= seat < seats
    require(there, "no-such-seat", "DESIGN-8", "There is no such seat: they are 0 to {last}.", last=seats - 1)
    chair = table.chairs[seat]
    free = chair.vacant if table.status == "running" else not chair.taken
    require(free, "seat-taken", "DESIGN-8", "Somebody plays this seat: free it first.")


def _require_new(tx: Connection, head: Head, key: str) -> None:
    """Refuse an invitation that would be one too many: to this table, or to this address (RATE-09)."""
    known = invitations.of_game(tx, head.game)
    require(key not in known, "already-invited", "DESIGN-8", "This address is invited to the table already.")
    require(len(known) < MOST_INVITATIONS, "too-many-invitations", "DESIGN-8", "Invite at most 20 people.")
    guest = players.by_email_key(tx, key)
    seated = guest is not None and head.table.seat_of(guest.id) is not None
    require(not seated, "already-seated", "DESIGN-8", "Whoever has this address sits at the table already.")
    often = invitations.invited_often(tx, head.table.host, [key], head.now - DAY, MOST_TO_AN_ADDRESS)
    most = MOST_TO_AN_ADDRESS
    require(
        often is None,
        "too-many-invitations", "RATE-09", "{address} has had {most} invitations within a day: try again tomorrow.",
        address=key, most=most,
    )  # fmt: skip
