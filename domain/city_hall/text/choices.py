"""The choices of a seat as questions: what is asked, what the answers are called, where they stand in the picture."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from msgspec.structs import replace

from domain.city_hall.rules.actions import Activate, Bid, Build, Buy, Draft, Lobby, Zone
from domain.city_hall.rules.campaign import ADVANCE
from domain.city_hall.rules.candidates import considered
from domain.city_hall.rules.decide import decide
from domain.city_hall.rules.health import PLUS
from domain.city_hall.rules.lobbyist import BUY, SELL
from domain.city_hall.rules.pieces import LANDS, PAWNS, Land, Office, Permit
from domain.city_hall.rules.position import (
    activator,
    awaiting,
    high_bid,
    influence_of,
    lowest_bid,
    money_of,
    office_of,
    rating,
    stars_of,
)
from domain.city_hall.rules.state import State
from domain.city_hall.rules.surveyor import land_price
from domain.city_hall.rules.taxes import FACTORS, income
from domain.city_hall.rules.words import BUILT, KINDS, THE_OFFICES, TITLES, amount_of_influence, spoken_price
from domain.city_hall.text.notation import write
from domain.engine.choices import Amount, Path, Piece, Questions, Step
from domain.engine.game import Action, Seat
from domain.engine.legal import legal_among
from domain.engine.presentation import Names
from domain.engine.sentences import Sentence, row, say, say_n

Answer = tuple[Sentence, str | None]


def questions(state: State, seat: Seat, names: Names) -> Questions:
    """What may be asked of a seat now, from a blind state of its own."""
    legal: list[Action] = []
    if seat in awaiting(state):
        legal += legal_among(decide, state, seat, considered(state, seat))
    asked = _Asked(state, seat, names, {path: action for action in legal for path in _paths(action)})
    return Questions(list(asked.lines), asked.beginnings(), asked.question, asked.answer, asked.open)


@dataclass(frozen=True, slots=True)
class _Asked:
    state: State
    seat: Seat
    names: Names
    lines: Mapping[Path, Action]
    """Every legal action by its answers, but bids and dealings with the Lobbyist."""

    def beginnings(self) -> list[Path]:
        """What goes on with amounts, or with an order where it can go on in another way, too."""
        found: list[Path] = [(*path, "under") for path, action in self.lines.items() if self._goes_on(action)]
        if self.seat in awaiting(self.state):
            if self.state.phase == "bid" and influence_of(self.state, self.seat) >= lowest_bid(self.state):
                found.append(("bid",))
            if self.state.phase == "resolve" and self.state.office == "lobbyist":
                found.append(("lobby",))
        return found

    def open(self, path: Path) -> Step | None:
        """The amounts or the order asked for after these answers, if they are."""
        match path:
            case ("bid",):
                return self._bid()
            case ("lobby",):
                cards = influence_of(self.state, self.seat) + rating(self.state, self.seat)
                return _dealing("lobby", money_of(self.state, self.seat), cards)
            case (*before, "under"):
                return self._under(tuple(before))
            case _:
                action = self.lines.get(path)
                return None if action is None or self._goes_on(action) else self._under(path)

    def _bid(self) -> Step:
        least, most = lowest_bid(self.state), influence_of(self.state, self.seat)
        label = say("How much Influence, from {least} to {most}?", least=least, most=most)
        return Step("influence", label, amounts=(Amount("bid", say("Influence"), least, most),))

    def _goes_on(self, action: Action) -> bool:
        """Whether a complete line may go on with a second Permit (CH-19.3) or with the order of the rest."""
        return (
            isinstance(action, Zone) and not action.take and len(action.build) == 1 and len(set(self._rest(action))) > 1
        )

    def _rest(self, action: Zone) -> list[Permit]:
        """The revealed Permits that this leaves."""
        rest = self.state.revealed.copy()
        for permit in action.take:
            rest.remove(permit)
        return rest

    def _under(self, path: Path) -> Step | None:
        """The order of what goes below the deck, where there is more than one (CH-8.20)."""
        action = self.lines.get(path)
        if not isinstance(action, Zone) or len(set(rest := self._rest(action))) < 2:
            return None
        label = say("In which order does the rest go below the deck, the first nearest to the top?")
        order = tuple(Piece(permit, KINDS[permit], f"permit-{permit}") for permit in rest)
        return Step("order", label, order=order, words=" ".join([*path, "under"]))

    def question(self, path: Path) -> tuple[str, Sentence]:
        """What is asked after these answers."""
        match path:
            case ():
                return self._first_question()
            case ("draft",):
                return "land", say("Which space do you choose?")
            case ("build", *rest):
                return _founding(rest)
            case ("activate", *rest):
                return _activation(rest)
            case ("buy",):
                return "land", say("Which space do you buy?")
            case _:
                return _zoning(path)

    def _first_question(self) -> tuple[str, Sentence]:
        match self.state.phase:
            case "bid":
                name = self.names[activator(self.state)]
                return "verb", say("{name} has activated {office}: do you bid?", name=name, office=self._office())
            case "decide":
                return "verb", say("Who is to control {office}?", office=self._office())
            case _:
                return "verb", say("You control {office}: what do you do?", office=self._office())

    def _office(self) -> Sentence:
        return THE_OFFICES[office_of(self.state)]

    def answer(self, path: Path) -> Answer:
        """What the last of these answers is called, and where it stands in the picture."""
        words = path[-1].split()
        last = words[-1]
        if last in LANDS:
            return self._land(path[0], last), f"land-{last}"
        if last in KINDS:
            return self._permit(path, cast(Permit, last)), f"permit-{last}"
        if path[0] == "activate":
            return self._activated(cast(Office, last)), f"office-{last}"
        if last == "under":
            return say("Put the rest below the deck in your order"), None
        return self._way(words), f"seat-{PAWNS.index(last)}" if words[0] == "accept" else None

    def _land(self, verb: str, land: Land) -> Sentence:
        """A space, with what it brings or costs if it can be taken or bought."""
        if verb not in ("draft", "buy"):
            return row([land])
        price = land_price(self.state.phase, self.state.lands[land].money)
        return say("{land} ({price})", land=land, price=spoken_price(price))

    def _permit(self, path: Path, permit: Permit) -> Sentence:
        if path[0].startswith("zone"):
            builds = any("build" in words.split() for words in path)
            return say("Build {permit}", permit=BUILT[permit]) if builds else say("Take {permit}", permit=KINDS[permit])
        return KINDS[permit]

    def _activated(self, office: Office) -> Sentence:
        influence = self.state.offices[office].influence
        if not influence:
            return TITLES[office]
        return say("{office}, with {influence} Influence on it", office=TITLES[office], influence=influence)

    def _way(self, words: list[str]) -> Sentence:
        """An answer that is one of a few, with what it costs and brings."""
        match words:
            case ["bid"]:
                return say("Bid Influence")
            case ["pass"]:
                return say("Pass")
            case ["keep"]:
                return say("You, for {influence} to the bank", influence=amount_of_influence(high_bid(self.state)))
            case ["accept", pawn]:
                name = self.names[PAWNS.index(pawn)]
                return say(
                    "{name}, for {influence} to you", name=name, influence=amount_of_influence(high_bid(self.state))
                )
            case ["tax", *times]:
                return self._tax(times[0] if times else "plain")
            case ["campaign", pay]:
                return _campaign(pay)
            case ["health", bonus]:
                return self._health(bonus)
            case ["zone", _]:
                return say("Take nothing")
            case _:
                return say("No space")

    def _tax(self, times: str) -> Sentence:
        base = income(self.state, self.seat)
        match times:
            case "double":
                return say("Your income twice: ${money}", money=base * FACTORS["double"])
            case "triple":
                money = base * FACTORS["triple"]
                return say("Your income three times, for 1 space of approval: ${money}", money=money)
            case _:
                return say("Your income: ${money}", money=base)

    def _health(self, bonus: str) -> Sentence:
        own = stars_of(self.state, self.seat)
        match bonus:
            case "plus3":
                return say("Your stars and 3 more: {stars}", stars=own + PLUS)
            case "double":
                return say("Your stars twice: {stars}", stars=own * 2)
            case _:
                return say("Your stars as they are: {stars}", stars=own)


def _campaign(pay: str) -> Sentence:
    if pay == "none":
        return say("No campaign")
    spaces = next(spaces for price, spaces in ADVANCE.items() if str(price) == pay)
    return say_n("${price}: up {count} space of approval", "${price}: up {count} spaces of approval", spaces, price=pay)


def _founding(rest: list[str]) -> tuple[str, Sentence]:
    questions = (
        ("permit", say("Which Building do you place?")),
        ("land", say("On which space?")),
        ("permit", say("Which Permit do you return, unseen?")),
    )
    return questions[len(rest)]


def _activation(rest: list[str]) -> tuple[str, Sentence]:
    if rest:
        return "land", say("Search the Land deck for a card, for 1 Influence?")
    return "office", say("Which Office do you activate?")


def _zoning(path: Path) -> tuple[str, Sentence]:
    if path[-1] in LANDS:
        return "permit", say("What do you build then?")
    if "build" in " ".join(path):
        return "land", say("On which space?")
    return "permit", say("What else do you do?")


def _dealing(words: str, money: int, cards: int) -> Step:
    """Influence to be bought and sold, one clause after the other (CH-8.7)."""
    bounds = {"buy": money // BUY, "sell": cards}

    def follow(word: str, count: int) -> Step | None:
        bought = count if word == "buy" else -count
        left = money - (BUY * bought if bought > 0 else SELL * bought)
        return _dealing(f"{words} {word} {count}", left, cards + bought)

    labels = {"buy": say("buy at ${price} each", price=BUY), "sell": say("sell at ${price} each", price=SELL)}
    amounts = tuple(Amount(word, labels[word], 0, most) for word, most in bounds.items())
    label = say(
        "You have ${money} and {influence}: what do you buy and sell?",
        money=money,
        influence=amount_of_influence(cards),
    )
    return Step("clauses", label, amounts=amounts, words=words, nothing="", follow=follow)


def _paths(action: Action) -> Iterator[Path]:
    """The answers that spell an action; two Permits are taken in either order."""
    match action:
        case Draft(land=land):
            yield "draft", land
        case Build(permit=permit, land=land, returned=returned):
            yield "build", permit, land, *([] if returned is None else [f"return {returned}"])
        case Activate(office=office, search=search):
            yield "activate", office, *([] if search is None else [f"search {search}"])
        case Buy(land=bought):
            yield "buy", bought or "none"
        case Zone():
            yield from dict.fromkeys(map(_zone_path, (action, replace(action, take=action.take[::-1]))))
        case Bid() | Lobby():
            return
        case _:
            yield (write(action),)


def _zone_path(action: Zone) -> Path:
    taken = [f"take {permit}" if number == 0 else permit for number, permit in enumerate(action.take)]
    built = [
        word
        for number, placement in enumerate(action.build)
        for word in (placement.permit if number else f"build {placement.permit}", placement.land)
    ]
    first, *rest = [*taken, *built] or ["none"]
    return (f"zone {first}", *rest)
