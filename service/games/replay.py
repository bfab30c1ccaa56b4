"""A game looked at again: the steps it went, and what it looked like after any of its events, through whose eyes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from domain.engine.game import Seat
from domain.table import events as e
from domain.table.evolve import Rules
from domain.table.state import Table
from domain.table.undo import KEPT, Past
from service.container import Services
from service.games import history_queries
from service.games.event_text import tell
from service.games.views import named_document
from service.kernel import clock
from service.store.database import Connection
from service.store.event_store.streams import Head


@dataclass(frozen=True, slots=True)
class Step:
    """What somebody did, or what a scene began with, and what followed by rule: from one event to another."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Eyes:
    """Through whose eyes: a player's own, who sees what they were told then; those of a seat, None for spectators; or
    everybody's at once, from whom nothing is hidden. All but one's own are for games that are over."""

    whose: Literal["own", "seat", "all"]
    player: str | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """A game after one of its events: the past head, as those eyes could know it then, and their seat then."""

    head: Head
    seat: Seat | None
    eyes: Eyes

    def document(self, names: Sequence[str | None]) -> dict[str, Any] | None:
        """The position; None before there was one."""
        state, decider = self.head.table.game, self.head.rules.decider
        if state is None:
            return None
        looks_into = {"own": (), "seat": (self.seat,), "all": range(len(self.head.table.chairs))}[self.eyes.whose]
        hands = [seat for seat in looks_into if seat is not None]
        shown = decider.reveal(state, hands) if hands and decider.reveal else decider.view(state, self.seat)
        return named_document(shown, self.head, names, typed=False)


def is_over(table: Table) -> bool:
    """Whether everything was revealed: with the end of a game, or when it was given up."""
    return table.status in ("finished", "abandoned")


def steps_of(rules: Rules, past: Sequence[Past]) -> list[Step]:
    """The steps of a history, without a gap, the same for everybody; the first ends with a position, if any does."""
    start = next((entry.version for entry in past if isinstance(entry.event, e.GameStarted)), 0)
    nobody = [""] * len(rules.notation.pawns)
    first = [1, *(entry.version for entry in past if entry.version > start and _begins(rules, entry, nobody))]
    first = first if start and len(first) > 1 else first[:1]
    return [Step(begin, after - 1) for begin, after in zip(first, [*first[1:], len(past) + 1], strict=True)]


def moment_at(services: Services, connection: Connection, head: Head, eyes: Eyes, version: int) -> Moment:
    """A game after event `version`, which must be there, through these eyes."""
    if eyes.whose == "own":
        found = history_queries.then(services, connection, head, eyes.player or "", version)
        assert found is not None, "the event is there"
        return Moment(*found, eyes)
    streams, hash_at = services.streams, services.streams.mark_of(connection, head.game, version)
    table = (
        streams.table_revealed(connection, head.game, head.rules, version)
        if eyes.whose == "all"
        else streams.table_seen(connection, head.game, head.rules, version, eyes.seat)
    )
    past = Head(
        head.game, version, hash_at[0], clock.from_text(hash_at[1]), head.now, table, head.history, name=head.name
    )
    return Moment(past, eyes.seat, eyes)


def _begins(rules: Rules, entry: Past, names: Sequence[str]) -> bool:
    """Whether a step begins with an event: one that tells something to everybody."""
    narrative, kind = rules.presentation.narrative, type(entry.event)
    begins = entry.action or kind.OPENS or kind in narrative.scenes or isinstance(entry.event, KEPT)
    return begins and kind not in narrative.passing and bool(tell(rules, entry.event, names))
