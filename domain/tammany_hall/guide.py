"""What an awaited seat can do: pairs of what to type and what it does, each kind with an example that is legal now."""

from collections.abc import Iterable, Iterator
from typing import Final

from domain.decider import Action, Seat
from domain.tammany_hall.actions import Bid, End, Slander
from domain.tammany_hall.board import PAWNS, TITLES
from domain.tammany_hall.legal import (
    accepted,
    active_wards,
    assignments,
    benefits,
    bids,
    bonuses,
    campaigns,
    open_to_all,
    settlements,
    slanders,
)
from domain.tammany_hall.notation import write
from domain.tammany_hall.options import option
from domain.tammany_hall.position import available, bidding_ward, bonus_kind, listed, one_of, usable
from domain.tammany_hall.state import State

Pair = tuple[str, str]
EXAMPLE: Final = "for example"


def guide(state: State, seat: Seat) -> list[Pair]:
    """What this seat may type now; [] where nothing is asked of it."""
    match state.phase:
        case "turn" if seat == state.seat:
            return list(_turn(state, seat))
        case "bid":
            return list(_bid(state, seat))
        case "bonus" if seat == state.won[bidding_ward(state)]:
            return list(_bonus(state, seat))
        case "assign" if seat == state.mayor:
            return list(_assign(state, seat))
        case _:
            return []


def _with_example(state: State, seat: Seat, form: str, meaning: str, actions: Iterable[Action]) -> Iterator[Pair]:
    """A form and an example of it, or nothing where no such action is legal."""
    for action in accepted(state, seat, actions):
        yield form, meaning
        yield write(action), EXAMPLE
        return


def _turn(state: State, seat: Seat) -> Iterator[Pair]:
    yield from _benefit(state, seat)
    yield from _placement(state, seat)
    yield from _slander(state, seat)
    for action in accepted(state, seat, [End()]):
        yield write(action), "end your turn; what you did not use is gone"


def _placement(state: State, seat: Seat) -> Iterator[Pair]:
    wards = one_of(open_to_all(state))
    two = available(state, seat) > 1
    form, bosses = ("place WARD WARD", "two bosses") if two else ("place WARD", "your last boss")
    where = "the same ward or two" if two else "a ward"
    meaning = f"campaign: {bosses} into {where}; open wards: {wards}; after it a line `end` ends the turn"
    yield from _with_example(state, seat, form, meaning, campaigns(state, seat))
    meaning = (
        "settle: a boss into the first ward, a cube into the second, and a chip of its colour for you; "
        f"in the Castle Garden: {listed(state.garden)}"
    )
    yield from _with_example(state, seat, "settle boss WARD cube COLOUR WARD", meaning, settlements(state))


def _benefit(state: State, seat: Seat) -> Iterator[Pair]:
    spare = one_of([ward for ward in active_wards(state) if sum(state.wards[ward].cubes) > 1])
    forms = {
        "deputy": ("office favor COLOUR", f"Deputy Mayor: take a chip; in the supply: {listed(state.supply)}"),
        "council": ("office lock WARD", f"Council President: lock a ward; lock tokens left: {state.locks_left}"),
        "police": ("office police WARD COLOUR", f"Chief of Police: put a cube back into the bag, from {spare}"),
        "precinct": (
            "office move COLOUR WARD WARD",
            f"Precinct Chairman: move a cube to a neighbouring ward, from {spare}",
        ),
    }
    office = forms.get(state.players[seat].office or "")
    if office:
        yield from _with_example(state, seat, *office, benefits(state, seat))


def _slander(state: State, seat: Seat) -> Iterator[Pair]:
    legal = [action for action in accepted(state, seat, slanders(state, seat)) if isinstance(action, Slander)]
    single = [action for action in legal if action.then is None]
    double = [action for action in legal if action.then is not None]
    victims = one_of(sorted({f"{PAWNS[action.target]} in {action.ward}" for action in single}))
    meaning = f"drive a boss out of a ward for one chip, once a term; possible: {victims}"
    yield from _with_example(state, seat, "slander PLAYER WARD COLOUR", meaning, single)
    meaning = "and another one of the same player out of a neighbouring ward, for three chips in all"
    yield from _with_example(state, seat, "slander PLAYER WARD COLOUR then WARD", meaning, double)


def _bid(state: State, seat: Seat) -> Iterator[Pair]:
    number = bidding_ward(state)
    chips = listed(usable(state, number, seat))
    again = "; it replaces the one you made" if seat in state.bids else ""
    some = [action for action in bids(state, seat) if isinstance(action, Bid) and action.chips]
    meaning = f"a sealed bid for ward {number}{again}; you can use {chips}, and all chips bid are spent"
    yield from _with_example(state, seat, "bid COLOUR COUNT", meaning, some)
    for action in accepted(state, seat, [Bid()]):
        yield write(action), f"a sealed bid of no chips{again}"
        yield "bid ward WARD COLOUR COUNT", f"the same, refused if the ward is not {number} any more"


def _bonus(state: State, seat: Seat) -> Iterator[Pair]:
    number = bidding_ward(state)
    if bonus_kind(number) == "cube":
        form, what = "bonus cube COLOUR WARD", f"into an open ward ({one_of(open_to_all(state))}) a cube of the bag"
        has = state.bag
    else:
        form, what, has = "bonus favor COLOUR", "take a chip of the supply", state.supply
    meaning = f"your bonus for ward {number}: {what}; it holds {listed(has)}"
    yield from _with_example(state, seat, form, meaning, bonuses(state))
    if option(state, "ward-bonus") == "optional":
        yield "bonus pass", "decline the bonus"


def _assign(state: State, seat: Seat) -> Iterator[Pair]:
    others = [PAWNS[other] for other in range(len(state.players)) if other != seat]
    form = "assign " + " ".join(["OFFICE PLAYER"] * len(others))
    meaning = f"give {one_of(others)} one office each; offices: {one_of(TITLES)}"
    yield from _with_example(state, seat, form, meaning, assignments(state, seat))
