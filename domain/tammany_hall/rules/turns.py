"""Terms, years and turns (TH-4), and how the next term begins (TH-12.6)."""

from domain.engine.game import Event, Seat
from domain.engine.refusals import require
from domain.tammany_hall.rules.actions import End
from domain.tammany_hall.rules.events import LocksLifted, TermBegan, TurnBegan, TurnEnded, YearBegan, evolves
from domain.tammany_hall.rules.position import available, garden_to_fill, term
from domain.tammany_hall.rules.state import State


def decide_end(state: State, seat: Seat, action: End) -> list[Event]:
    """Decide the end of a turn: not before the placement, as long as a boss can be placed (TH-6.6).

    Raises RuleViolation.
    """
    require(
        state.placed or not available(state, seat),
        "must-place-first",
        "TH-6.6",
        "Place two bosses, or settle an immigrant, before you end your turn.",
    )
    return [TurnEnded(seat)]


def begin_turn(state: State, seat: Seat) -> list[Event]:
    """A seat's turn begins, with the Castle Garden if it is empty (TH-4.4, TH-5.1)."""
    return [TurnBegan(seat, draws=garden_to_fill(state))]


def after_turn(state: State) -> list[Event]:
    """The next turn, or the next year; [] when an election comes first (TH-4.8)."""
    assert state.seat is not None, "a turn without a seat"
    following = (state.seat + 1) % len(state.players)
    if following != state.first:
        return begin_turn(state, following)
    return [] if state.year % 4 == 0 else [YearBegan(state.year + 1)]


def lift_locks(state: State) -> list[Event]:
    """The lock tokens come off after an election (TH-7.14)."""
    locked = [number for number, ward in state.wards.items() if ward.locked]
    return [LocksLifted(locked)] if locked else []


def next_term(state: State) -> list[Event]:
    """The next term begins; the mayor is first player, or who was first before (TH-12.6, TH-4.9)."""
    first = state.first if state.mayor is None else state.mayor
    assert first is not None, "an election before a first player"
    return [*lift_locks(state), TermBegan(term(state) + 1, first), YearBegan(state.year + 1)]


@evolves(TurnBegan)
def turn_began(state: State, event: TurnBegan) -> None:
    """It is this seat's turn."""
    state.phase = "garden" if event.draws else "turn"
    state.seat = event.seat
    state.placed = False
    state.office_used = False


@evolves(TurnEnded)
def turn_ended(state: State, event: TurnEnded) -> None:
    """What was not used is gone."""
    state.phase = "ended"


@evolves(YearBegan)
def year_began(state: State, event: YearBegan) -> None:
    """Another year."""
    state.phase = "year"
    state.year = event.year
    state.seat = None


@evolves(TermBegan)
def term_began(state: State, event: TermBegan) -> None:
    """Everybody may slander again, and somebody is first."""
    state.first = event.first
    state.ward = None
    for player in state.players:
        player.slandered = False


@evolves(LocksLifted)
def locks_lifted(state: State, event: LocksLifted) -> None:
    """The tokens are off the board."""
    for number in event.wards:
        state.wards[number].locked = False
    state.locks_left += len(event.wards)
