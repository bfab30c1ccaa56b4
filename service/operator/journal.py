"""One act of the operator: what is done, its line in the journal and whom it is told, in one transaction.

The *operator* runs the service; the *host* of a table is the player who opened it. An act plays no seat, opens nothing
that is sealed, and changes no event: it records new ones, or changes rows that are no history.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from domain.engine.game import Seat
from service.container import Services
from service.store.database import Connection
from service.store.outgoing import outbox
from service.store.running import operator_acts
from service.store.running.operator_acts import Act

LONGEST_WHY: Final = 500
LONGEST_NAME: Final = 80
ADDRESS: Final = re.compile(r"\S@\S")


class BadReason(ValueError):
    """A reason that cannot be told to players; its sentence says why, and what to write instead."""


class BadName(ValueError):
    """A name of an operator that cannot stand in the journal."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Who acts for the service, and why: the name is for the journal alone, the reason for the players, too."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done, whom and which game it is about, and what came of it.

    `version` is the game's after it. `results` hold numbers and ids, never a text of somebody's: the line is kept for
    good. `notices` are rows of the outbox, by the line's number, which tells them from others of their kind.
    """

    what: str
    game: str | None = None
    version: int | None = None
    seat: Seat | None = None
    player: str | None = None
    results: Mapping[str, Any] = field(default_factory=dict)
    notices: Callable[[int], Iterable[Mapping[str, Any]]] = lambda number: ()


class _Rehearsed(Exception):
    """All went well, and nothing of it is to last."""


def operator_of(name: str, why: str) -> Operator:
    """An operator and a reason as they are kept. Raises BadName, BadReason."""
    name, why = " ".join(name.split()), " ".join(why.split())
    if not 1 <= len(name) <= LONGEST_NAME or not _is_plain(name):
        raise BadName(f"A name in the journal has 1 to {LONGEST_NAME} letters: give another with --as.")
    if not why:
        raise BadReason("Say why: players are told, in these words.")
    if len(why) > LONGEST_WHY:
        raise BadReason(f"The reason has {len(why)} characters: players are told in {LONGEST_WHY} at most.")
    if not _is_plain(why):
        raise BadReason("The reason has characters that cannot be printed: write it as plain text.")
    if ADDRESS.search(why):
        raise BadReason("The reason names a mail address, and all players read it: leave the address out.")
    return Operator(name, why)


def _is_plain(text: str) -> bool:
    return not any(unicodedata.category(sign).startswith("C") for sign in text)


def act(services: Services, operator: Operator, do: Callable[[Connection], Deed], *, rehearse: bool = False) -> Act:
    """Do something, write it down and tell whom it concerns, all or nothing. Its line in the journal.

    With `rehearse` nothing lasts: the line is the one that it would have been. Raises what `do` raises.
    """
    done: list[Act] = []
    try:
        with services.database.write() as tx:
            done.append(write(services, tx, operator, do(tx)))
            if rehearse:
                raise _Rehearsed
    except _Rehearsed:
        return done[0]
    services.wakeup.wake()  # after the commit
    return done[0]


def write(services: Services, tx: Connection, operator: Operator, deed: Deed) -> Act:
    """Write down what was done in this transaction, and tell whom it concerns. Its line."""
    number = operator_acts.add(
        services.database, services.entropy, tx, operator.why, deed.results,
        at=services.database.clock.now(tx), operator=operator.name, what=deed.what,
        game_id=deed.game, version=deed.version, seat=deed.seat, player_id=deed.player,
    )  # fmt: skip
    outbox.put(tx, [dict(notice) for notice in deed.notices(number)])
    line = operator_acts.find(tx, number)
    assert line is not None, "it was just written"
    return line
