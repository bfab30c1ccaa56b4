"""The game script of CH-16.7: a whole game as a text, with every order of chance, for tests and for replays."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from domain.city_hall.rules import events as fact
from domain.city_hall.rules.actions import (
    Accept,
    Activate,
    Bid,
    Build,
    Buy,
    Campaign,
    Draft,
    Health,
    Keep,
    Lobby,
    Pass,
    Placement,
    Tax,
    Zone,
)
from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.chance import chance
from domain.city_hall.rules.decide import decide
from domain.city_hall.rules.events import EVOLVE
from domain.city_hall.rules.pieces import LANDS, PARK, PAWNS, PERMITS, Land, Permit
from domain.city_hall.rules.position import awaiting, lands_in_deck
from domain.city_hall.rules.referee import proceed
from domain.city_hall.rules.setup import SEATS, initial
from domain.city_hall.rules.state import State
from domain.city_hall.rules.view import view
from domain.city_hall.text.notation import parse, write
from domain.engine.game import CHANCE, Action, Event, Seat, View
from domain.engine.refusals import OrderNotUnderstood, RuleViolation

HEADER: Final = ("players", "order", "lands", "permits")
NAME: Final = re.compile("[a-z][a-z0-9_-]{0,19}")
SPACES: Final = {land.lower(): land for land in LANDS}


@dataclass(frozen=True, slots=True)
class Line:
    """One line after the header, with its number in the text: an action of a seat, or Land cards of chance."""

    number: int
    seat: Seat | None
    text: str
    lands: tuple[Land, ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """A script read: names by seat, the Turn Order Track, both decks from the top, and the lines."""

    players: tuple[str, ...]
    order: tuple[Seat, ...]
    lands: tuple[Land, ...]
    permits: tuple[Permit, ...]
    lines: tuple[Line, ...]


@dataclass(slots=True)
class Rigged:
    """Dice that come out as a script says: the next cards of its decks."""

    order: list[Seat]
    lands: list[Land]
    permits: list[Permit]
    deck: list[Land] = field(default_factory=list)
    index: int = 0

    def below(self, label: str, n: int) -> int:
        """Where the next Land card lies among those in the deck."""
        return self.deck.index(self.lands.pop(0))

    def sample(self, label: str, items: Sequence[Any], k: int) -> list[Any]:
        """The seats in turn order, or the next Permits."""
        if label == "turn-order":
            return self.order
        drawn, self.permits = self.permits[:k], self.permits[k:]
        return drawn


def read_script(text: str) -> Script:
    """A script from its text. Raises ValueError with a sentence naming the line that is wrong."""
    rows = [(number, row.partition("#")[0].split()) for number, row in enumerate(text.splitlines(), 1)]
    rows = [(number, words) for number, words in rows if words]
    header: dict[str, list[str]] = {}
    for (number, (word, *rest)), due in zip(rows, HEADER, strict=False):
        _require(word.lower() == due, number, f"must begin with {due}")
        header[due] = [item.lower() for item in rest]
    _require(len(header) == len(HEADER), len(text.splitlines()), f"ends before the header does: {', '.join(HEADER)}")
    numbers = dict(zip(HEADER, (number for number, _ in rows), strict=False))
    players = header["players"]
    fit = all(NAME.fullmatch(name) for name in players) and len(set(players)) == len(players)
    _require(fit and len(players) in SEATS, numbers["players"], "must name 2 to 4 players, each in another way")
    _require(sorted(header["order"]) == sorted(players), numbers["order"], "must name every player once")
    lands = _lands(header["lands"], numbers["lands"])
    _require(sorted(lands) == sorted(LANDS), numbers["lands"], "must name every space once")
    permits = [permit for word in header["permits"] for permit in PERMITS if permit == word]
    left = [BOARD.permits[permit].count - (permit != PARK) * len(players) for permit in PERMITS]
    fits = len(permits) == len(header["permits"]) and [permits.count(permit) for permit in PERMITS] == left
    deck = ", ".join(f"{count} {permit}" for count, permit in zip(left, PERMITS, strict=True))
    _require(fits, numbers["permits"], f"must name the {sum(left)} Permits of the deck: {deck}")
    return Script(
        tuple(players),
        tuple(players.index(name) for name in header["order"]),
        tuple(lands),
        tuple(permits),
        tuple(_line(number, words, players) for number, words in rows[len(HEADER) :]),
    )


def play_script(script: Script, options: Mapping[str, str] | None = None) -> tuple[State, list[Event]]:
    """The state after a script and all the facts of its game, each order of chance as the script has it.

    Raises ValueError, naming the line, for what the rules refuse.
    """
    dice = Rigged(list(script.order), list(script.lands), list(script.permits))
    state, facts = initial(len(script.players), options or {}), list[Event]()
    _settle(state, dice, facts)
    told: Line | None = None
    for line in script.lines:
        if line.seat is None:
            _require(told is None, line.number, "gives the Land deck twice")
            told = line
            continue
        try:
            (action,) = parse(line.text, script.players)
            found = decide(state, line.seat, action)
        except (OrderNotUnderstood, RuleViolation) as refused:
            raise ValueError(f"Line {line.number}: {refused.message} ({refused.code})") from refused
        _apply(state, found, facts)
        if isinstance(action, Activate) and action.search is not None:
            deck = lands_in_deck(state)
            dice.lands = [land for land in (told.lands if told else dice.lands) if told or land != action.search]
            rest = sorted(dice.lands) == sorted(deck)
            _require(rest, told.number if told else line.number, "must give the rest of the Land deck after the search")
            told = None
        _require(told is None, line.number, "must be a search, as the line before it gives the Land deck")
        _settle(state, dice, facts)
    _require(told is None, told.number if told else 0, "gives the Land deck, and no search follows")
    return state, facts


def script_document(text: str) -> View:
    """The state document after a script, with what every seat knows of itself and its names (CH-18.2).

    Raises ValueError with a sentence naming the line that is wrong.
    """
    script = read_script(text)
    state, _ = play_script(script)
    document = view(state, None)
    for seat, name in enumerate(script.players):
        document["seats"][seat] = view(state, seat)["seats"][seat] | {"name": name}
    return document


def write_script(events: Iterable[Event], players: Sequence[str] = PAWNS) -> str:
    """The script of a game, or of the beginning of one, from all its facts, nothing missing in them.

    Cards that were never drawn come in the order of their names: no order of them ever existed.
    """
    told = list(events)
    order = next(event.result for event in told if isinstance(event, fact.TurnOrderDrawn))
    names = players[: len(order)]
    drawn = [event.result for event in _until_search(told) if isinstance(event, fact.LandDrawn)]
    revealed = [event for event in told if isinstance(event, fact.PermitsRevealed)]
    permits = [permit for event in revealed for permit in event.result[: len(event.result) - event.bottom]]
    laid = next(event for event in told if isinstance(event, fact.BoardLaid))
    left = [permit for permit in PERMITS for _ in range(laid.deck[permit] - permits.count(permit))]
    rows = [
        f"players {' '.join(names)}",
        f"order {' '.join(names[seat] for seat in order)}",
        f"lands {' '.join([*drawn, *(land for land in LANDS if land not in drawn)])}",
        f"permits {' '.join([*permits, *left])}",
        *_rows(told, names),
    ]
    return "\n".join(rows) + "\n"


def _require(claim: object, number: int, wrong: str) -> None:
    if not claim:
        raise ValueError(f"Line {number} {wrong}.")


def _lands(words: Sequence[str], number: int) -> list[Land]:
    for word in words:
        _require(word.lower() in SPACES, number, f"names a space there is not: {word}")
    return [SPACES[word.lower()] for word in words]


def _line(number: int, words: list[str], players: list[str]) -> Line:
    row = " ".join(words)
    if [word.lower() for word in words[:2]] == ["chance", "lands"]:
        return Line(number, None, row, tuple(_lands(words[2:], number)))
    name, colon, text = row.partition(":")
    _require(colon and name.strip().lower() in players, number, "must be NAME: ACTION or chance lands …")
    return Line(number, players.index(name.strip().lower()), text.strip())


def _apply(state: State, found: Iterable[Event], facts: list[Event]) -> None:
    for event in found:
        EVOLVE[type(event)](state, event)
        facts.append(event)


def _settle(state: State, dice: Rigged, facts: list[Event]) -> None:
    """All that follows by rule and by the script's chance until somebody must act."""
    while True:
        found = proceed(state)
        if not found and awaiting(state) != {CHANCE}:
            return
        if not found:
            dice.deck = lands_in_deck(state)
            found = decide(state, CHANCE, chance(state, dice))
            dice.index += 1
        _apply(state, found, facts)


def _until_search(told: Iterable[Event]) -> Iterator[Event]:
    """The facts before the next search."""
    for event in told:
        if isinstance(event, fact.LandSearched):
            return
        yield event


def _rows(told: list[Event], names: Sequence[str]) -> Iterator[str]:
    """A line for each action, and one of chance before each search."""
    state = initial(len(names), {})
    for number, event in enumerate(told):
        following = told[number + 1 :]
        action = _action(state, event, following)
        if isinstance(action, Activate) and action.search is not None:
            drawn = [later.result for later in _until_search(following[1:]) if isinstance(later, fact.LandDrawn)]
            rest = [land for land in lands_in_deck(state) if land != action.search and land not in drawn]
            yield f"chance lands {' '.join([*drawn, *rest])}".rstrip()
        if action is not None:
            seat = cast(Any, event).seat
            text = write(action)
            yield f"{names[seat]}: {text if not isinstance(action, Accept) else f'accept {names[action.seat]}'}"
        EVOLVE[type(event)](state, event)


def _action(state: State, event: Event, following: Sequence[Event]) -> Action | None:
    """The action a fact is the first of; None for what follows from it, or from the rules."""
    after = following[0] if following else None
    match event:
        case fact.LandDrafted(land=land):
            return Draft(land)
        case fact.PermitReturned(permit=returned):
            assert isinstance(after, fact.BuildingFounded)
            return Build(after.permit, after.land, returned)
        case fact.BuildingFounded(permit=permit, land=land) if len(state.players) == 2:
            return Build(permit, land)
        case fact.OfficeActivated(office=office):
            return Activate(office, after.land if isinstance(after, fact.LandSearched) else None)
        case fact.BidMade(influence=influence):
            return Bid(influence)
        case fact.BidPassed():
            return Pass()
        case fact.OfficeKept():
            return Keep()
        case fact.BidAccepted(bidder=bidder):
            return Accept(bidder)
        case _:
            return _resolution(state, event, following)


def _resolution(state: State, event: Event, following: Sequence[Event]) -> Action | None:
    """The action of an Office a fact is the first of; None for any other fact."""
    match event:
        case fact.TaxesCollected(times=times):
            return Tax(times)
        case fact.CampaignRun(money=money, spaces=spaces):
            return Campaign(cast(Any, money if spaces else "none"))
        case fact.LandBought(land=land):
            return Buy(land)
        case fact.NothingBought():
            return Buy(None)
        case fact.InfluenceLobbied(steps=steps):
            return Lobby([dict(clause) for clause in steps])
        case fact.ZoningChosen(taken=taken, under=under):
            built = []
            for later in following:
                if not isinstance(later, fact.PermitBuilt):
                    break
                built.append(Placement(later.permit, later.land))
            return Zone(list(taken), built, under if under != _as_revealed(state, taken) else None)
        case fact.StarsCounted(seat=seat, bonus=bonus) if seat is not None:
            return Health(bonus)
        case _:
            return None


def _as_revealed(state: State, taken: Sequence[Permit]) -> list[Permit]:
    """The rest of the revealed Permits in their order, in which they go below where none is named (CH-8.20)."""
    rest = state.revealed.copy()
    for permit in taken:
        rest.remove(permit)
    return rest
