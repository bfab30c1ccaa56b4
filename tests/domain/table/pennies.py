"""Pennies: a game small enough to know by heart, for what holds of every game.

In each round chance draws a pot, every seat hides 0 to 3 pennies and a note in a sealed leaf, all hands open at once,
and whoever hid most (the lowest seat of equals) may nod, then takes the pot. After the last round most pennies win.

Ahead, a seat can order how many pennies to hide, and to take the pot, be it of any size or of so many at least.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from domain.engine.decider import Decider
from domain.engine.game import CHANCE, Action, Dice, Draw, Event, Seat
from domain.engine.guidance import Guidance
from domain.engine.legal import Legal
from domain.engine.notation import Notation
from domain.engine.presentation import Presentation
from domain.engine.refusals import OrderNotUnderstood, Unfit, require
from domain.engine.ruleset import Ruleset
from domain.engine.sentences import say
from domain.engine.standing_orders import StandingOrders
from domain.engine.upcast import Data, Upcast


@dataclass(slots=True)
class State:
    options: dict[str, str]
    seats: int
    phase: Literal["pot", "hide", "take", "ended", "over"] = "pot"
    round: int = 1
    pot: int = 0
    hands: dict[int, int | None] = field(default_factory=dict)  # None: not for these eyes
    notes: dict[int, str | None] = field(default_factory=dict)
    caller: int | None = None
    nods: int = 0
    scores: list[int] = field(default_factory=list)

    @property
    def players(self) -> range:
        """What a search counts the seats by."""
        return range(self.seats)


class Hide(Action, frozen=True, tag="hide"):
    """Hide pennies, and a note for nobody."""

    pennies: Annotated[int, Meta(ge=0, le=3)]
    note: str = ""


class Nod(Action, frozen=True, tag="nod"):
    """Nod. It does no harm."""


class Take(Action, frozen=True, tag="take"):
    """Take the pot."""


class DrawPot(Action, frozen=True, tag="draw-pot"):
    """Chance fills the pot."""

    draw: Draw
    result: int


class PotDrawn(Event, frozen=True):
    draw: Draw
    result: int


def _with_seat(data: Data) -> Data:
    return {"seat": data.pop("player"), **data}


def _with_pennies(leaf: Data) -> Data:
    return {"pennies": leaf.pop("coins"), **leaf}


class PennyHidden(Event, frozen=True):
    """The second schema of a hidden penny: in the first one the seat was a "player" and the pennies were "coins"."""

    SEALED: ClassVar[Mapping[str, str]] = {"pennies": "seat", "note": "seat"}
    UPCASTS: ClassVar = (Upcast(_with_seat, frozenset({"coins", "note"}), _with_pennies),)

    seat: int
    pennies: int | None = None
    note: str | None = None


class HandsOpened(Event, frozen=True):
    OPENS: ClassVar[bool] = True

    hands: dict[str, int]
    caller: int


class Nodded(Event, frozen=True):
    seat: int


class PotTaken(Event, frozen=True):
    seat: int
    pennies: int


class RoundEnded(Event, frozen=True):
    following: int | None


def decide(state: State, seat: Seat, action: Any) -> list[Event]:
    match action:
        case DrawPot(draw, result):
            require(state.phase == "pot" and 0 <= result < 6, "bad-draw", "P-1", "No such pot.")
            return [PotDrawn(draw, result)]
        case Hide(pennies, note):
            require(state.phase == "hide", "wrong-phase", "P-2", "Nobody hides now.")
            return [PennyHidden(seat, pennies, note)]
    require(state.phase == "take", "wrong-phase", "P-3", "The hands are shut.")
    require(seat == state.caller, "not-your-turn", "P-3", "Another takes the pot.")
    return [Nodded(seat)] if isinstance(action, Nod) else [PotTaken(seat, state.pot)]


def proceed(state: State) -> list[Event]:
    if state.phase == "ended":
        last = state.round == int(state.options["rounds"])
        return [RoundEnded(None if last else state.round + 1)]
    hands = state.hands
    if state.phase != "hide" or len(hands) < state.seats or None in hands.values():
        return []
    caller = max(sorted(hands), key=lambda seat: hands[seat] or 0)
    return [HandsOpened({str(seat): hands[seat] or 0 for seat in sorted(hands)}, caller)]


def chance(state: State, dice: Dice) -> DrawPot:
    return DrawPot(Draw("pot", dice.index), dice.below("pot", 6))


def pot_drawn(state: State, event: PotDrawn) -> None:
    state.phase, state.pot = "hide", event.result


def penny_hidden(state: State, event: PennyHidden) -> None:
    state.hands[event.seat] = event.pennies
    state.notes[event.seat] = event.note


def hands_opened(state: State, event: HandsOpened) -> None:
    state.phase, state.caller = "take", event.caller
    state.hands = {int(seat): pennies for seat, pennies in event.hands.items()}
    state.notes = {}


def nodded(state: State, event: Nodded) -> None:
    state.nods += 1


def pot_taken(state: State, event: PotTaken) -> None:
    state.phase, state.pot, state.hands, state.caller = "ended", 0, {}, None
    state.scores[event.seat] += event.pennies


def round_ended(state: State, event: RoundEnded) -> None:
    state.phase = "over" if event.following is None else "pot"
    state.round = event.following or state.round


def initial(seats: int, options: Mapping[str, str]) -> State:
    return State(dict(options), seats, scores=[0] * seats)


def copy(state: State) -> State:
    return State(
        state.options,
        state.seats,
        state.phase,
        state.round,
        state.pot,
        dict(state.hands),
        dict(state.notes),
        state.caller,
        state.nods,
        state.scores[:],
    )


def blind(state: State, seat: Seat | None) -> State:
    seen = copy(state)
    if state.phase == "hide":
        seen.hands = {one: pennies if one == seat else None for one, pennies in state.hands.items()}
    seen.notes = {one: note if one == seat else None for one, note in state.notes.items()}
    return seen


def awaiting(state: State) -> frozenset[Seat]:
    match state.phase:
        case "pot":
            return frozenset({CHANCE})
        case "hide":
            return frozenset(range(state.seats)) - set(state.hands)
        case "take" if state.caller is not None:
            return frozenset({state.caller})
    return frozenset()


def view(state: State, seat: Seat | None) -> dict[str, Any]:
    seen = blind(state, seat)
    return {
        "seats": [{"seat": one, "vp": state.scores[one]} for one in range(state.seats)],
        "phase": seen.phase,
        "round": seen.round,
        "pot": seen.pot,
        "hands": {str(one): pennies for one, pennies in seen.hands.items()},
        "notes": {str(one): note for one, note in seen.notes.items()},
    }


def legal_actions(state: State, seat: Seat) -> Legal[Action]:
    if seat not in awaiting(state):
        return Legal([])
    return Legal([Hide(pennies) for pennies in range(4)] if state.phase == "hide" else [Nod(), Take()])


def caretaker(state: State, seat: Seat) -> Action:
    return Hide(0) if state.phase == "hide" else Take()


def result(state: State) -> dict[str, Any] | None:
    if state.phase != "over":
        return None
    best = max(state.scores)
    return {"winners": [seat for seat, score in enumerate(state.scores) if score == best], "scores": scores(state)}


def scores(state: State) -> list[int]:
    return state.scores[:]


def parse(text: str, names: Sequence[str]) -> list[Action]:
    return [_order(line) for line in text.splitlines() if line.strip()]


def _order(line: str) -> Action:
    match line.split(maxsplit=2):
        case ["nod"]:
            return Nod()
        case ["take"]:
            return Take()
        case ["hide", pennies, *note] if pennies.isdigit() and int(pennies) < 4:
            return Hide(int(pennies), " ".join(note))
    raise OrderNotUnderstood("bad-syntax", "P-0", line, "Write hide 2, nod or take.")


def write(action: Action) -> str:
    if isinstance(action, Hide):
        return f"hide {action.pennies} {action.note}".rstrip()
    return type(action).__name__.lower()


class Ahead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a seat does when it is asked, in every round."""

    hide: Annotated[int, Meta(ge=0, le=3)] | None = None
    take: int | None = None
    """A pot of so many pennies at least."""


def parse_ahead(text: str, names: Sequence[str]) -> Ahead:
    found: dict[str, int] = {}
    for line in text.splitlines():
        match line.split():
            case ["hide", pennies] if pennies.isdigit() and int(pennies) < 4:
                found["hide"] = int(pennies)
            case ["take"]:
                found["take"] = 0
            case ["take", "pot", "of", least] if least.isdigit():
                found["take"] = int(least)
            case _:
                raise OrderNotUnderstood("bad-syntax", "P-0", line, "Write hide 2, take or take pot of 3.")
    return Ahead(**found)


def write_ahead(orders: Ahead) -> str:
    lines = [] if orders.hide is None else [f"hide {orders.hide}"]
    lines += [] if orders.take is None else [f"take pot of {orders.take}" if orders.take else "take"]
    return "\n".join(lines)


def check_ahead(state: State, seat: Seat, orders: Ahead) -> Ahead:
    require((orders.take or 0) < 6, "no-such-pot", "P-4", "No pot holds more than five pennies.")
    return orders


def follow_ahead(state: State, seat: Seat, orders: Ahead) -> Action | None:
    if state.phase == "hide":
        return None if orders.hide is None else Hide(orders.hide)
    if orders.take is None:
        return None
    if state.pot < orders.take:
        raise Unfit("small-pot", "P-4", f"The pot holds {state.pot} pennies and no more.")
    return Take()


def live_ahead(state: State, seat: Seat, orders: Ahead) -> Ahead | None:
    hides = state.round < int(state.options["rounds"])
    still = Ahead() if state.phase == "over" else Ahead(orders.hide if hides else None, orders.take)
    return None if still == Ahead() else still


def sample_hidden(state: State, seat: Seat, rng: Random) -> State:
    seen = copy(state)
    for other, pennies in seen.hands.items():
        seen.hands[other] = rng.randrange(4) if pennies is None else pennies
    return seen


def candidates(state: State, seat: Seat, rng: Random, most: int) -> list[tuple[Action, ...]]:
    return [(Hide(pennies),) for pennies in range(4)][:most] if state.phase == "hide" else [(Take(),)]


GUIDANCE: Guidance[State, Any] = Guidance(
    sample_hidden=sample_hidden,
    candidates=candidates,
    quick_move=lambda state, seat, rng: rng.choice(candidates(state, seat, rng, 4)),
    features=lambda state: [[score / 10] for score in state.scores],
    names=["pennies"],
    weights={"1": [1.0]},
    stage=lambda state: "1",
    horizon=lambda state: state.round,
    sealed=lambda state: state.phase == "hide",
    leans=lambda before, after, seat, temper: 0.0,
    reason=lambda state, seat, move: say("It may pay."),
)
EVENTS = {
    "pot-drawn": PotDrawn,
    "penny-hidden": PennyHidden,
    "hands-opened": HandsOpened,
    "nodded": Nodded,
    "pot-taken": PotTaken,
    "round-ended": RoundEnded,
}
PENNIES: Ruleset[State, Any, Any] = Ruleset(
    kind="pennies",
    seats=range(2, 6),
    options={"rounds": ("2", "1", "3"), "mood": ("calm", "wild")},
    decider=Decider(
        state=State,
        actions=(Hide, Nod, Take),
        events=EVENTS,
        initial=initial,
        decide=decide,
        proceed=proceed,
        chance=chance,
        evolve={
            PotDrawn: pot_drawn,
            PennyHidden: penny_hidden,
            HandsOpened: hands_opened,
            Nodded: nodded,
            PotTaken: pot_taken,
            RoundEnded: round_ended,
        },
        copy=copy,
        blind=blind,
        awaiting=awaiting,
        decision=lambda state: f"{state.phase}-{state.round}",
        view=view,
        legal_actions=legal_actions,
        sample=lambda state, seat, rng: rng.choice(legal_actions(state, seat).actions),
        caretaker=caretaker,
        result=result,
        scores=scores,
    ),
    notation=Notation(
        pawns=("copper", "silver", "gold", "iron", "tin"),
        verbs=frozenset({"hide", "nod", "take"}),
        parse=parse,
        write=write,
        read_bid=lambda body: Hide(int(body["pennies"])),
        reserved=frozenset({"hide", "nod", "take", "copper", "silver", "gold", "iron", "tin"}),
        help="hide 2, nod, take",
    ),
    presentation=Presentation(
        title="Pennies",
        about="Pennies is a game of hidden hands.",
        tell=lambda event, names: type(event).__name__,
        board=lambda seen, words=str: str(seen),
        guide=lambda state, seat: [("nod", "nods")],
    ),
    guidance=GUIDANCE,
    standing_orders=StandingOrders(
        form=Ahead,
        parse=parse_ahead,
        write=write_ahead,
        check=check_ahead,
        follow=follow_ahead,
        live=live_ahead,
        help="hide 2, take, take pot of 3",
        verbs=frozenset({"hide", "take"}),
    ),
)
