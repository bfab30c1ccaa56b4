"""What is played for a seat that is away: the smallest harmless legal action."""

from domain.engine.game import Action, Seat
from domain.engine.legal import legal_among
from domain.tammany_hall.rules.actions import Assign, Bid, BonusPass, End, Place
from domain.tammany_hall.rules.board import TITLES, WardNumber
from domain.tammany_hall.rules.candidates import bonuses, open_to_all
from domain.tammany_hall.rules.decide import decide
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.position import available
from domain.tammany_hall.rules.state import State


def caretaker(state: State, seat: Seat) -> Action:
    """An action for an awaited seat, from a blind state of its own: never an office, a chip or a slander.

    Raises ValueError for a seat of which nothing is asked.
    """
    match state.phase:
        case "turn":
            bosses = min(2, available(state, seat))
            return End() if state.placed or not bosses else Place([quiet_ward(state, seat)] * bosses)
        case "bid":
            return Bid()
        case "bonus":
            return BonusPass() if option(state, "ward-bonus") == "optional" else _first_bonus(state, seat)
        case "assign":
            others = [other for other in range(len(state.players)) if other != seat]
            return Assign(dict(zip(TITLES, others, strict=False)))
        case _:
            raise ValueError("nothing is asked of this seat")


def quiet_ward(state: State, seat: Seat) -> WardNumber:
    """The open ward where bosses lose least: the seat's strongest, else the one with the fewest rivals."""

    def promise(number: WardNumber) -> tuple[bool, int]:
        bosses = state.wards[number].bosses
        return bosses[seat] > 0, bosses[seat] * 2 - sum(bosses)

    return max(open_to_all(state), key=promise)


def _first_bonus(state: State, seat: Seat) -> Action:
    return next(legal_among(decide, state, seat, bonuses(state)))
