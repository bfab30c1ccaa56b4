"""A position of Tammany Hall in rows: candidates, seats, supplies, Offices, final scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.engine.game import View
from domain.engine.sentences import Words, say
from domain.tammany_hall.rules.board import COLOURS, LOCKS, MAYOR, ZONE_YEARS
from domain.tammany_hall.rules.words import FINAL_SCORING, PEOPLE, ROMAN, SCORED
from domain.tammany_hall.rules.words import OFFICES as TITLES
from service.pictures.people import Person

OFFICES: Final = {MAYOR: say("Mayor"), **{str(title): name for title, name in TITLES.items()}}


LETTERS: Final = {"irish": "I", "english": "E", "german": "G", "italian": "T"}
"""By people, the letter on their cubes and chips."""


@dataclass(frozen=True, slots=True)
class Colour:
    """A people: its word of the notation, the letter on its pieces, its name."""

    word: str
    letter: str
    name: str


@dataclass(frozen=True, slots=True)
class Counted:
    """So many pieces of a colour."""

    colour: Colour
    count: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """Who bids for a ward: with how many bosses, which chips can be bid, and whether the bid is in."""

    person: Person
    bosses: int
    chips: list[Counted]
    owes: bool
    status: str
    bid: list[Counted] | None = None
    """What was bid, where the reader may look at it: [] for a bid of nothing."""


@dataclass(frozen=True, slots=True)
class Bidding:
    """The ward of a bid, its candidates, and the reader's own bid: None for no bid, [] for a bid of nothing."""

    ward: int
    candidates: list[Candidate]
    own: list[Counted] | None

    @property
    def colours(self) -> list[Colour]:
        """Return the colours that any candidate can bid."""
        found = {chip.colour.word: chip.colour for candidate in self.candidates for chip in candidate.chips}
        return [found[word] for word in COLOURS if word in found]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A seat: all that lies open of it."""

    seat: int
    person: Person
    asked: bool
    points: int
    chips: list[Counted]
    slander: int
    slandered: bool
    bosses: int
    office: str


@dataclass(frozen=True, slots=True)
class Office:
    """An office with its holder, None for nobody."""

    word: str
    title: str
    holder: Person | None


@dataclass(frozen=True, slots=True)
class Supply:
    """A supply: its word, its name, and how many it has by colour."""

    word: str
    name: str
    counts: list[Counted]


@dataclass(frozen=True, slots=True)
class Score:
    """A seat's final points, and what they are made of."""

    person: Person
    points: int
    lines: list[tuple[str, int]]
    has_won: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """All of it."""

    colours: list[Colour]
    bidding: Bidding | None
    seats: list[SeatRow]
    offices: list[Office]
    supplies: list[Supply]
    leaders: list[tuple[Colour, list[Person]]]
    first: Person | None
    locks: int
    scores: list[Score]
    final_scoring: str
    """The rule of the final scoring; empty once it has been done."""


def tables(view: View, people: list[Person], words: Words) -> Tables:
    """The position in rows, in the reader's words."""
    rows = _Rows(view, people, words)
    first = None if view["first"] is None or view["phase"] == "over" else people[view["first"]]
    return Tables(
        [rows.colour(colour) for colour in COLOURS],
        rows.bidding(),
        list(map(rows.seat, range(view["players"]))),
        list(rows.offices()),
        list(rows.supplies()),
        [(rows.colour(colour), [people[seat] for seat in seats]) for colour, seats in view["leaders"].items() if seats],
        first,
        min(view["locks_left"], LOCKS),
        list(rows.scores()),
        "" if view["phase"] == "over" else words(FINAL_SCORING),
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    view: View
    people: Sequence[Person]
    words: Words

    def colour(self, word: str) -> Colour:
        return Colour(word, LETTERS[word], self.words(PEOPLE[word]))

    def counted(self, counts: Mapping[str, int], *, zeros: bool = False) -> list[Counted]:
        return [Counted(self.colour(word), counts[word]) for word in COLOURS if zeros or counts[word]]

    def bidding(self) -> Bidding | None:
        bidding = self.view["bidding"]
        if not bidding:
            return None
        own = None if bidding["own"] is None else self.counted(bidding["own"])
        return Bidding(bidding["ward"], [self.candidate(entry, bidding) for entry in bidding["candidates"]], own)

    def candidate(self, candidate: Mapping[str, Any], bidding: Mapping[str, Any]) -> Candidate:
        chips, owes = self.counted(candidate["usable"]), candidate["seat"] in bidding["owes"]
        status = say("has to bid") if owes else say("has bid") if chips else say("bids nothing")
        known = bidding.get("bids", {}).get(candidate["seat"])
        bid = None if known is None else self.counted(known)
        return Candidate(self.people[candidate["seat"]], candidate["bosses"], chips, owes, self.words(status), bid)

    def seat(self, number: int) -> SeatRow:
        seat, over = self.view["seats"][number], self.view["phase"] == "over"
        return SeatRow(
            number, self.people[number], number in self.view["active"], seat["vp"], self.counted(seat["chips"]),
            seat["slander"], seat["slandered"] and not over, seat["bosses_left"],
            "" if seat["office"] is None else self.words(OFFICES[seat["office"]]),
        )  # fmt: skip

    def offices(self) -> Iterator[Office]:
        held = {seat["office"]: person for seat, person in zip(self.view["seats"], self.people, strict=True)}
        for word, title in OFFICES.items():
            yield Office(word, self.words(title), held.get(word))

    def supplies(self) -> Iterator[Supply]:
        yield Supply("chip", self.words(say("Chip supply")), self.counted(self.view["chip_supply"], zeros=True))
        yield Supply("bag", self.words(say("Bag")), self.counted(self.view["bag"], zeros=True))
        for zone, box in self.view["boxes"].items():
            if any(box.values()):
                year = ZONE_YEARS[self.view["players"]][int(zone)]
                name = say("Zone {zone}, from year {year}", zone=ROMAN[int(zone)], year=year)
                yield Supply(f"zone-{zone}", self.words(name), self.counted(box, zeros=True))

    def scores(self) -> Iterator[Score]:
        lines = self.view["scoring"]
        for seat in sorted(range(self.view["players"]), key=lambda seat: -int(self.view["seats"][seat]["vp"])):
            parts = [(self.words(SCORED[str(line["for"])]), int(line["vp"])) for line in lines if line["seat"] == seat]
            won = seat in self.view["winners"]
            if lines:
                yield Score(self.people[seat], self.view["seats"][seat]["vp"], parts, won)
