"""A view as plain text, for a player who has only this: lines of at most 78 characters."""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, one_of, row, say, say_in, say_n, typed
from domain.tammany_hall.rules.board import (
    CHIP_WARDS,
    COLOURS,
    CUBE_WARDS,
    MAYOR,
    NEIGHBOURS,
    TAMMANY_HALL,
    ZONE_YEARS,
    ZONES,
)
from domain.tammany_hall.rules.words import (
    FINAL_SCORING,
    IN_COLUMN,
    PEOPLE,
    ROMAN,
    immigrants,
    listed,
    scoring_lines,
    victory,
)

WIDTH: Final = 78
COLUMN: Final = 4
PRIZES: Final = {
    **dict.fromkeys(CUBE_WARDS, say_in("column of at most 5", "cube")),
    **dict.fromkeys(CHIP_WARDS, say_in("column of at most 5", "chip")),
    TAMMANY_HALL: say("{count} VP", count=2),
}
IMMIGRANTS: Final = say_in("column of at most 16", "immigrants")
BOSSES: Final = say_in("column of at most 20", "bosses")
WARD: Final = say_in("column of at most 6", "ward")
BORDERS_ON: Final = say_in("column of at most 14", "borders on")
WINNER_GETS: Final = say_in("column of at most 16", "winner gets")
LOCKED: Final = say_in("column of at most 10", "LOCKED")
PLAYER: Final = say_in("column of at most 16", "player")
PAWN: Final = say_in("column of at most 6", "pawn")
POINTS: Final = say_in("column of at most 3", "VP")
SLANDER: Final = say_in("column of at most 8", "slander")
BOSSES_LEFT: Final = say_in("column of at most 6", "bosses")
OFFICE: Final = say_in("column of at most 13", "office")
"""The heads of the columns; whoever translates one has so much room."""


def board(view: View, words: Words = str) -> str:
    """The whole position: wards in election order, seats, supplies, and what is asked."""
    drawing = _Drawing(view, words)
    blocks = [drawing.title(), drawing.wards(), drawing.seats(), drawing.supplies(), drawing.asked()]
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in map(list, blocks)) + "\n"


@dataclass(frozen=True, slots=True)
class _Drawing:
    """One view in one language, a method for each block of lines."""

    view: View
    words: Words

    def title(self) -> Iterator[str]:
        """The game, how far it is, who is first player."""
        view = self.view
        when = say("Year {year} of 16, term {term} of 4", year=view["year"], term=view["term"])
        first = "" if view["first"] is None else say("First player: {player}", player=self.name(view["first"]))
        yield "   ".join(["TAMMANY HALL", self.words(when), *([self.words(first)] if first else [])])[:WIDTH]

    def wards(self) -> Iterator[str]:
        """The wards, zone by zone."""
        view, words = self.view, self.words
        yield f"{'':9}{words(IMMIGRANTS):<{COLUMN * len(COLOURS) + 1}}{words(BOSSES)}"
        pawns = self.heads(seat["pawn"] for seat in view["seats"])
        yield f"{words(WARD):>6}{self.heads(COLOURS)}  {pawns}   {words(BORDERS_ON):<15}{words(WINNER_GETS)}"
        for zone, numbers in ZONES.items():
            yield from self.wrapped(self.zone(zone))
            for number in numbers:
                yield self.ward(number)
        yield from self.wrapped(say("Ward elections run from top to bottom; each ward is 1 VP, ward 14 is 2."))

    def zone(self, zone: int) -> Sentence:
        """The line above a zone's wards."""
        view = self.view
        if any(view["wards"][str(number)]["active"] for number in ZONES[zone]):
            return say("zone {zone}", zone=ROMAN[zone])
        return say(
            "zone {zone}: not before year {year}; will get {cubes}",
            zone=ROMAN[zone], year=ZONE_YEARS[view["players"]][zone], cubes=immigrants(view["boxes"][str(zone)]),
        )  # fmt: skip

    def ward(self, number: int) -> str:
        """One ward: who lives there, who stands there, its neighbours, what it brings."""
        ward = self.view["wards"][str(number)]
        cubes, bosses = self.counts(ward["cubes"][colour] for colour in COLOURS), self.counts(ward["bosses"])
        borders = " ".join(map(str, sorted(NEIGHBOURS[number])))
        prize = self.words(PRIZES.get(number, ""))
        locked = self.words(LOCKED) if ward["locked"] else ""
        mark = ">" if self.view["ward"] == number else " "
        return f"{mark} {number:>4}{cubes}  {bosses}   {borders:<15}{prize:<6}{locked}"

    def seats(self) -> Iterator[str]:
        """The seats: points, chips, what is left to use, and the office."""
        words = self.words
        left = f"{words(SLANDER):<9}{words(BOSSES_LEFT):>6}"
        yield f"  {words(PLAYER):<16} {words(PAWN):<7}{words(POINTS):>3} {self.heads(COLOURS)}  {left}  {words(OFFICE)}"
        yield from map(self.seat, range(self.view["players"]))
        yield from self.wrapped(say("Colours: favor chips. Slander: chips left; (used): one was used this term."))
        yield from self.wrapped(say("Bosses: left to place."))
        if self.view["phase"] != "over":
            yield from self.wrapped(FINAL_SCORING)

    def seat(self, number: int) -> str:
        """One seat."""
        words, seat = self.words, self.view["seats"][number]
        used = say_in("column of at most 9", "{count} (used)", count=seat["slander"])
        slander = words(used) if seat["slandered"] else str(seat["slander"])
        office = words(IN_COLUMN[seat["office"]]) if seat["office"] else "-"
        mark = ">" if number in self.view["active"] else " "
        held = self.counts(seat["chips"][colour] for colour in COLOURS)
        name, pawn = words(self.name(number))[:16], words(typed(seat["pawn"]))
        return f"{mark} {name:<16} {pawn:<7}{seat['vp']:>3} {held}  {slander:<9}{seat['bosses_left']:>6}  {office}"

    def supplies(self) -> Iterator[str]:
        """What lies beside the wards, and the leaders."""
        view = self.view
        lines = {
            say("Castle Garden:"): immigrants(view["garden"]),
            say("Bag:"): immigrants(view["bag"]),
            say("Chip supply:"): listed(view["chip_supply"]),
            say("Leaders:"): self.leaders(),
        }
        labels = [self.words(label) for label in lines]
        width = max(map(len, labels)) + 1
        for label, text in zip(labels, lines.values(), strict=True):
            if text:
                yield from textwrap.wrap(f"{label:<{width}}{self.words(text)}", WIDTH, subsequent_indent="  ")
        if view["locks_left"] < 2:
            yield self.words(say("Lock tokens left this term: {count}", count=view["locks_left"]))

    def leaders(self) -> Sentence:
        """Who leads in which colour; an empty text where nobody does."""
        leaders = {colour: seats for colour, seats in self.view["leaders"].items() if seats}
        return row([row([PEOPLE[colour], self.names(seats)], " ") for colour, seats in leaders.items()], say("; "))

    def asked(self) -> Iterator[str]:
        """What the game waits for, or how it ended."""
        view = self.view
        match view["phase"]:
            case "over":
                yield from self.scoring()
            case "bid" if view["bidding"]:
                yield from self.bidding()
            case "bonus":
                yield from self.wrapped(self.bonus())
            case "assign" if view["assignment"]:
                mayor, others = self.name(view["assignment"]["mayor"]), self.names(view["assignment"]["others"])
                yield from self.wrapped(
                    say("{mayor} is mayor and gives offices to {players}.", mayor=mayor, players=others)
                )
            case "turn" if view["turn"]:
                yield from self.wrapped(self.turn())
            case _:
                yield from self.wrapped(say("The game goes on by itself: a draw is made."))

    def bonus(self) -> Sentence:
        """Whose choice it is, and of what."""
        bonus = self.view["bonus"]
        player = self.name(bonus["seat"])
        if bonus["kind"] == "cube":
            return say("{player} won ward {ward} and may place a cube from the bag.", player=player, ward=bonus["ward"])
        return say("{player} won ward {ward} and may take a favor chip.", player=player, ward=bonus["ward"])

    def turn(self) -> Sentence:
        """Whose turn it is, and what of it is still open."""
        view = self.view
        seat, player = view["seats"][view["turn"]["seat"]], self.name(view["turn"]["seat"])
        still = []
        if seat["bosses_left"] and not view["turn"]["placed"]:
            still.append(say("the placement"))
        if seat["office"] not in (None, MAYOR) and not view["turn"]["office_used"]:
            still.append(say("the office"))
        if view["term"] > 1 and not seat["slandered"]:
            still.append(say_in("still open this turn", "slander"))
        if not still:
            return say("{player} can only end the turn now: “{end}”.", player=player, end=typed("end"))
        return say(
            "{player} is to move. Still possible this turn: {steps}. To finish: “{end}”.",
            player=player, steps=one_of(still), end=typed("end"),
        )  # fmt: skip

    def bidding(self) -> Iterator[str]:
        """The candidates, who owes a bid, and the reader's own."""
        bidding = self.view["bidding"]
        yield self.words(say("Sealed bids for ward {ward}:", ward=bidding["ward"]))
        for candidate in bidding["candidates"]:
            yield from self.wrapped(self.candidate(candidate), first="  ", then="    ")
        if bidding["own"] is not None:
            own = listed(bidding["own"])
            yield from self.wrapped(say("Your bid: {chips}. Until all are in you may replace it.", chips=own))

    def candidate(self, candidate: Mapping[str, Any]) -> Sentence:
        """What one candidate has, and whether the bid is in."""
        if not any(candidate["usable"].values()):
            stands = say("is not asked")
        elif candidate["seat"] in self.view["bidding"]["owes"]:
            stands = say("has to bid")
        else:
            stands = say("handed in")
        return say_n(
            "{player}: {count} boss; usable chips: {chips}; {stands}",
            "{player}: {count} bosses; usable chips: {chips}; {stands}",
            candidate["bosses"],
            player=self.name(candidate["seat"]), chips=listed(candidate["usable"]), stands=stands,
        )  # fmt: skip

    def scoring(self) -> Iterator[str]:
        """The final scores line by line, best first."""
        view = self.view
        yield self.words(say("The game is over. Final scores:"))
        for seat in sorted(range(view["players"]), key=lambda seat: -int(view["seats"][seat]["vp"])):
            points, lines = view["seats"][seat]["vp"], scoring_lines(view["scoring"], seat)
            text = say("{player}: {points} ({lines})", player=self.name(seat), points=points, lines=lines)
            yield from self.wrapped(text, first="  ", then="    ")
        yield from self.wrapped(victory([self.name(seat) for seat in view["winners"]]))

    def wrapped(self, text: object, *, first: str = "", then: str = "  ") -> list[str]:
        """A text in the reader's language, in lines, with indents for the first and for the rest."""
        return textwrap.wrap(self.words(text), WIDTH, initial_indent=first, subsequent_indent=then)

    def heads(self, columns: Iterator[str] | tuple[str, ...]) -> str:
        """The first three letters of words of the notation, a column each."""
        return "".join(f"{self.words(typed(column))[:3]:>{COLUMN}}" for column in columns)

    def counts(self, numbers: Iterator[int] | list[int]) -> str:
        """Numbers, a column each, "." for 0."""
        return "".join(f"{number or '.':>{COLUMN}}" for number in numbers)

    def name(self, seat: int) -> str:
        """What a seat is called: its player's name, or the word for its pawn."""
        name, pawn = str(self.view["seats"][seat]["name"]), self.view["seats"][seat]["pawn"]
        return typed(pawn) if name == pawn else name

    def names(self, seats: list[int]) -> Sentence:
        """Seats as a list."""
        return one_of([self.name(seat) for seat in seats])
