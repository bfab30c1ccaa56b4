"""A position of City Hall in rows: the Office in play, Offices, the reader's holdings, seats, tracks, votes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.pieces import PERMITS
from domain.city_hall.rules.words import DOES, KINDS, TITLES
from domain.city_hall.text.drawing import endorsement_names, endorsements
from domain.engine.game import View
from domain.engine.sentences import Words
from service.pictures.people import Person


@dataclass(frozen=True, slots=True)
class Permit:
    """A Permit: its word of the notation, its building as a small picture, its name, how many of it."""

    word: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Bid:
    """A seat's answer in an auction: its Influence, None for a pass; or it has still to answer."""

    person: Person
    amount: int | None
    is_high: bool
    waits: bool


@dataclass(frozen=True, slots=True)
class Auction:
    """The Office in play: who activated it, the answers in their order, who controls it, the Permits revealed."""

    word: str
    title: str
    staffer: Person
    bids: list[Bid]
    controller: Person | None
    revealed: list[Permit]


@dataclass(frozen=True, slots=True)
class Office:
    """An Office: what it does in one line, the Influence on it, and its Staffer."""

    word: str
    title: str
    does: str
    influence: int
    staffer: Person | None
    in_play: bool


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat; money, Influence and hand are None where the reader may not know them."""

    seat: int
    person: Person
    asked: bool
    order: int | None
    money: int | None
    influence: int | None
    permits: int
    hand: list[Permit] | None
    rating: int
    population: int
    base: int
    stars: int
    votes: int


@dataclass(frozen=True, slots=True)
class Approval:
    """A space of the Approval Rating Track: its rating, who stands there, and whether the Star Token does."""

    space: int
    rating: int
    people: list[Person]
    star_token: bool


@dataclass(frozen=True, slots=True)
class Votes:
    """A seat's votes in the election, and the Endorsements among them."""

    row: SeatRow
    cards: list[str]
    has_won: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """The whole position."""

    auction: Auction | None
    offices: list[Office]
    mine: SeatRow | None
    """The seat whose hand the reader sees while the game goes on."""
    seats: list[SeatRow]
    track: list[Approval]
    land_deck: int
    permit_deck: int
    deputy: Person | None
    votes: list[Votes]
    endorsements: list[str]
    """What the Endorsements count, in sentences; empty when the game is over."""


def tables(view: View, people: list[Person], words: Words) -> Tables:
    """The position in rows, in the reader's words."""
    rows = _Rows(view, people, words)
    seats = list(map(rows.seat, range(view["players"])))
    over = view["phase"] == "over"
    return Tables(
        rows.auction(),
        list(rows.offices()),
        None if over or "looked_into" in view else next((row for row in seats if row.hand is not None), None),
        seats,
        list(rows.track()),
        view["land_deck_count"],
        view["permit_deck_count"],
        None if over or view["deputy"] is None else people[view["deputy"]],
        list(rows.votes(seats)),
        [] if over else list(map(words, endorsements())),
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    view: View
    people: Sequence[Person]
    words: Words

    def permit(self, word: str, count: int = 1) -> Permit:
        return Permit(word, self.words(KINDS[word]), count)

    def auction(self) -> Auction | None:
        office = self.view["office"]
        if office is None:
            return None
        staffer, controller = self.view["offices"][office]["staffer"], self.view["controller"]
        return Auction(
            office, self.words(TITLES[office]), self.people[staffer], list(self.bids()),
            None if controller is None else self.people[controller], list(map(self.permit, self.view["revealed"])),
        )  # fmt: skip

    def bids(self) -> Iterator[Bid]:
        bidding = self.view["bidding"] or {"bids": [], "waiting": [], "high": 0}
        amounts = [amount for _, amount in bidding["bids"] if amount is not None]
        for seat, amount in bidding["bids"]:
            yield Bid(self.people[seat], amount, amount is not None and amount == max(amounts), False)
        for seat in bidding["waiting"]:
            yield Bid(self.people[seat], None, False, True)

    def offices(self) -> Iterator[Office]:
        for word, chair in self.view["offices"].items():
            staffer = None if chair["staffer"] is None else self.people[chair["staffer"]]
            in_play = word == self.view["office"]
            yield Office(
                word, self.words(TITLES[word]), self.words(DOES[word]), chair["influence"], staffer, in_play
            )  # fmt: skip

    def seat(self, number: int) -> SeatRow:
        seat, order, result = self.view["seats"][number], self.view["turn_order"], self.view["result"]
        base = seat["rating"] * seat["population"]
        held = seat["hand"]
        hand = None if held is None else [self.permit(word, held[word]) for word in PERMITS if held[word]]
        return SeatRow(
            number, self.people[number], number in self.view["active"],
            order.index(number) + 1 if number in order else None,
            seat["money"], seat["influence"], seat["hand_count"], hand,
            seat["rating"], seat["population"], base, seat["stars"], result["votes"][number] if result else base,
        )  # fmt: skip

    def track(self) -> Iterator[Approval]:
        for space, rating in enumerate(BOARD.ratings, 1):
            here = [
                person
                for person, seat in zip(self.people, self.view["seats"], strict=True)
                if seat["approval"] == space
            ]
            yield Approval(space, rating, here, self.view["star_token"] == space)

    def votes(self, seats: Sequence[SeatRow]) -> Iterator[Votes]:
        result = self.view["result"]
        names = {card: self.words(name) for card, name in endorsement_names().items()}
        for row in sorted(seats, key=lambda row: -row.votes) if result else ():
            won = [names.get(card, card) for card, winner in result["endorsements"].items() if winner == row.seat]
            yield Votes(row, won, row.seat == result["mayor"])
