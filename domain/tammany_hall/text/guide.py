"""The question to a seat and its possible answers: forms to type, their effects, and examples that are legal now."""

from collections.abc import Iterable, Iterator

from domain.engine.game import Action, Seat, View
from domain.engine.legal import is_legal, legal_among
from domain.engine.presentation import EXAMPLE
from domain.engine.sentences import Sentence, one_of, row, say, typed
from domain.tammany_hall.rules import forms
from domain.tammany_hall.rules.actions import Bid, End, Slander
from domain.tammany_hall.rules.board import PAWNS, TITLES
from domain.tammany_hall.rules.candidates import (
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
from domain.tammany_hall.rules.decide import decide
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.position import available, bidding_ward, bonus_kind, usable
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import immigrants, listed, pawns, several
from domain.tammany_hall.text.notation import write

Pair = tuple[str, str]
"""The first is a form or a line of the notation, which `service.languages.shown` puts into other languages."""


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


def _with_example(
    state: State, seat: Seat, form: Sentence, meaning: Sentence, actions: Iterable[Action], then: str = ""
) -> Iterator[Pair]:
    """Yield a form and an example of it, with a line that may follow; nothing if no such action is legal."""
    for action in legal_among(decide, state, seat, actions):
        yield form, meaning
        yield f"{write(action)}\n{then}" if then else write(action), EXAMPLE
        return


def _turn(state: State, seat: Seat) -> Iterator[Pair]:
    yield from _placement(state, seat)
    yield from _benefit(state, seat)
    yield from _slander(state, seat)
    if is_legal(decide, state, seat, End()):
        yield write(End()), say("end your turn; what you did not use is gone")


def _placement(state: State, seat: Seat) -> Iterator[Pair]:
    wards, end = one_of(open_to_all(state)), typed("end")
    if available(state, seat) > 1:
        form = forms.PLACE
        meaning = say(
            "campaign: two bosses into the same ward or two; open wards: {wards}; "
            "after it a line `{end}` ends the turn",
            wards=wards, end=end,
        )  # fmt: skip
    else:
        form = forms.PLACE_LAST
        meaning = say(
            "campaign: your last boss into a ward; open wards: {wards}; after it a line `{end}` ends the turn",
            wards=wards, end=end,
        )  # fmt: skip
    yield from _with_example(state, seat, form, meaning, campaigns(state, seat), write(End()))
    meaning = say(
        "settle: a boss into the first ward, a cube into the second, and a chip of its colour for you; "
        "in the Castle Garden: {cubes}",
        cubes=immigrants(state.garden),
    )
    yield from _with_example(state, seat, forms.SETTLE, meaning, settlements(state))


def _benefit(state: State, seat: Seat) -> Iterator[Pair]:
    spare = one_of([ward for ward in active_wards(state) if sum(state.wards[ward].cubes) > 1])
    match state.players[seat].office:
        case "deputy":
            form = forms.OFFICE_FAVOR
            meaning = say("Deputy Mayor: take a chip; in the supply: {chips}", chips=listed(state.supply))
        case "council":
            form = forms.OFFICE_LOCK
            meaning = say("Council President: lock a ward; lock tokens left: {count}", count=state.locks_left)
        case "police":
            form = forms.OFFICE_POLICE
            meaning = say("Chief of Police: put a cube back into the bag, from {wards}", wards=spare)
        case "precinct":
            form = forms.OFFICE_MOVE
            meaning = say("Precinct Chairman: move a cube to a neighbouring ward, from {wards}", wards=spare)
        case _:
            return
    yield from _with_example(state, seat, form, meaning, benefits(state, seat))


def _slander(state: State, seat: Seat) -> Iterator[Pair]:
    legal = [
        action for action in legal_among(decide, state, seat, slanders(state, seat)) if isinstance(action, Slander)
    ]
    single = [action for action in legal if action.then is None]
    double = [action for action in legal if action.then is not None]
    possible = {say("{player} in {ward}", player=typed(PAWNS[action.target]), ward=action.ward) for action in single}
    victims = one_of(sorted(possible))
    meaning = say(
        "drive a boss out of a ward, once a term, for one favor chip and a slander chip "
        "(1 VP at the end, if you keep it); possible: {victims}",
        victims=victims,
    )
    yield from _with_example(state, seat, forms.SLANDER, meaning, single)
    meaning = say(
        "and another one of the same player out of a neighbouring ward, for three favor chips and a slander chip in all"
    )
    yield from _with_example(state, seat, forms.SLANDER_TWICE, meaning, double)


def _bid(state: State, seat: Seat) -> Iterator[Pair]:
    number = bidding_ward(state)
    chips = listed(usable(state, number, seat))
    some = [action for action in bids(state, seat) if isinstance(action, Bid) and action.chips]
    if seat in state.bids:
        none = say("a sealed bid of no chips; it replaces the one you made")
        meaning = say(
            "a sealed bid for ward {ward}; it replaces the one you made; "
            "you can use {chips}, and all chips bid are spent",
            ward=number, chips=chips,
        )  # fmt: skip
    else:
        none = say("a sealed bid of no chips")
        meaning = say(
            "a sealed bid for ward {ward}; you can use {chips}, and all chips bid are spent", ward=number, chips=chips
        )
    yield from _with_example(state, seat, forms.BID, meaning, some)
    if is_legal(decide, state, seat, Bid()):
        yield write(Bid()), none
        yield forms.BID_FOR, say("the same, refused if the ward is no longer {ward}", ward=number)


def _bonus(state: State, seat: Seat) -> Iterator[Pair]:
    number = bidding_ward(state)
    if bonus_kind(number) == "cube":
        form = forms.BONUS_CUBE
        meaning = say(
            "your bonus for ward {ward}: into an open ward ({wards}) a cube of the bag; it holds {cubes}",
            ward=number, wards=one_of(open_to_all(state)), cubes=immigrants(state.bag),
        )  # fmt: skip
    else:
        form = forms.BONUS_FAVOR
        meaning = say(
            "your bonus for ward {ward}: take a chip of the supply; it holds {chips}",
            ward=number, chips=listed(state.supply),
        )  # fmt: skip
    yield from _with_example(state, seat, form, meaning, bonuses(state))
    if option(state, "ward-bonus") == "optional":
        yield forms.BONUS_PASS, say("decline the bonus")


def _assign(state: State, seat: Seat) -> Iterator[Pair]:
    others = [other for other in range(len(state.players)) if other != seat]
    form = row([typed("assign"), *[forms.GIVEN] * len(others)], " ")
    meaning = say("give {players} one office each; offices: {offices}", players=pawns(others), offices=several(TITLES))
    yield from _with_example(state, seat, form, meaning, assignments(state, seat))


def asks(view: View) -> Sentence:
    """Return what a seat decides now, without its name (TH-16.1)."""
    match view["phase"]:
        case "bid" if view["bidding"]:
            return say("Seal your bid for ward {ward}", ward=view["bidding"]["ward"])
        case "bonus" if view["bonus"]:
            if view["bonus"]["kind"] == "cube":
                return say("You won ward {ward}: place a cube from the bag", ward=view["bonus"]["ward"])
            return say("You won ward {ward}: take a favor chip", ward=view["bonus"]["ward"])
        case "assign":
            return say("You are mayor: give out the offices")
        case _:
            return say("Take your turn of year {year}", year=view["year"])


def question(view: View, player: str) -> Sentence:
    """Return what a player decides now, as a question to them by name (TH-16.1)."""
    match view["phase"]:
        case "bid" if view["bidding"]:
            ward = view["bidding"]["ward"]
            return say("{player}, what do you bid for ward {ward}?", player=player, ward=ward)
        case "bonus" if view["bonus"]:
            ward = view["bonus"]["ward"]
            if view["bonus"]["kind"] == "cube":
                return say("{player}, you won ward {ward}. Which cube do you place?", player=player, ward=ward)
            return say("{player}, you won ward {ward}. Which favor chip do you take?", player=player, ward=ward)
        case "assign":
            return say("{player}, who gets which office?", player=player)
        case "turn" if view["turn"] and view["turn"]["placed"]:
            return say("{player}, what else do you do this turn?", player=player)
        case _:
            return say("{player}, where do your bosses go?", player=player)
