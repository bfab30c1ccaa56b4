"""The choices of a seat as questions: what is asked, what the answers are called, where they stand in the picture."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from domain.engine.choices import Amount, Path, Questions, Step
from domain.engine.game import Action, Seat
from domain.engine.legal import is_legal, legal_among
from domain.engine.presentation import Names
from domain.engine.sentences import Sentence, row, say, say_in
from domain.tammany_hall.rules.actions import Assign, Bid, Place, Settle, Slander
from domain.tammany_hall.rules.board import COLOURS, PAWNS, TITLES, Colour
from domain.tammany_hall.rules.candidates import considered
from domain.tammany_hall.rules.decide import decide
from domain.tammany_hall.rules.position import available, bidding_ward, usable
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import OFFICES
from domain.tammany_hall.text.notation import write


def questions(state: State, seat: Seat, names: Names) -> Questions:
    """What may be asked of a seat now, from a blind state of its own."""
    asked = _Asked(state, seat, names)
    return Questions(asked.lines(), asked.beginnings(), asked.question, asked.answer, asked.open)


@dataclass(frozen=True, slots=True)
class _Asked:
    state: State
    seat: Seat
    names: Names

    def lines(self) -> Iterator[Path]:
        """Every legal action but the bids, which are too many."""
        if self.state.phase == "bid":
            return
        for action in legal_among(decide, self.state, self.seat, considered(self.state, self.seat)):
            yield from _paths(action)

    def beginnings(self) -> list[Path]:
        """The bid, where there may be one."""
        return [("bid",)] if is_legal(decide, self.state, self.seat, Bid()) else []

    def open(self, path: Path) -> Step | None:
        """The bid: chips by colour, and the ward, so that a bid that comes late is none for the next ward."""
        if path != ("bid",):
            return None
        ward = bidding_ward(self.state)
        held = usable(self.state, ward, self.seat)
        amounts = [Amount(colour, COLOURED[colour], 0, most) for colour, most in zip(COLOURS, held, strict=True)]
        return _bid(say("How many chips do you bid for ward {ward}?", ward=ward), f"bid ward {ward}", amounts, "none")

    def question(self, path: Path) -> tuple[str, Sentence]:
        """What is asked after these answers."""
        match path:
            case ():
                return self._first_question()
            case (first, *rest) if first.startswith("assign"):
                return "office", say("Which office does {player} get?", player=self._assigned(len(rest) + 1))
            case ("place", *rest):
                return "ward", self._place_question(len(rest))
            case ("settle", *rest):
                return _SETTLE[len(rest)]
            case ("slander", *rest):
                return self._slander_question(rest)
            case _:
                return _OFFICES_AND_BONUSES[path[0]][len(path) - 1]

    def _first_question(self) -> tuple[str, Sentence]:
        match self.state.phase:
            case "bonus":
                return "verb", say("Which bonus for ward {ward}?", ward=bidding_ward(self.state))
            case "assign":
                return "office", say("Which office does {player} get?", player=self._assigned(0))
            case _:
                return "verb", say("What do you do?")

    def _assigned(self, number: int) -> str:
        """The player whose office is asked for after those of so many others."""
        others = [other for other in range(len(self.state.players)) if other != self.seat]
        return self.names[others[number]]

    def _place_question(self, placed: int) -> Sentence:
        if available(self.state, self.seat) < 2:
            return say("Into which ward goes your last boss?")
        return say("Into which ward goes the second boss?") if placed else say("Into which ward goes the first boss?")

    def _slander_question(self, rest: list[str]) -> tuple[str, Sentence]:
        if len(rest) == 3:
            player = self.names[PAWNS.index(rest[0])]
            return "ward", say(
                "Out of which neighbouring ward goes another boss of {player}, for two more favor chips?", player=player
            )
        return _SLANDER[len(rest)]

    def answer(self, path: Path) -> tuple[Sentence, str | None]:
        """What the last of these answers is called, and where it stands in the picture."""
        last = path[-1].rpartition(" ")[2]
        if path[0].startswith("assign"):
            return self._given(path)
        if len(path) == 1:
            return self._verb(path[0])
        if last.isdigit():
            return say("Ward {ward}", ward=last), f"ward-{last}"
        if last in PAWNS:
            target = PAWNS.index(last)
            return row([self.names[target]]), f"seat-{target}"
        return self._colour(path, last)

    def _given(self, path: Path) -> tuple[Sentence, str | None]:
        """An office for a player; with the last but one goes the last, which leaves no choice."""
        title, *others = [title for word in path[-1].split() for title in TITLES if title == word]
        last = [f" ({self._assigned(len(path))}: ", OFFICES[others[0]], ")"] if others else []
        return row([OFFICES[title], *last]), f"office-{title}"

    def _verb(self, verb: str) -> tuple[Sentence, str | None]:
        if verb == "place" and available(self.state, self.seat) < 2:
            return say("Place your last boss"), None
        return _VERBS[verb]

    def _colour(self, path: Path, colour: str) -> tuple[Sentence, str | None]:
        """A colour, with how many there are where that is not seen in the ward it comes from."""
        number = COLOURS.index(colour)
        people = COLOURED[COLOURS[number]]
        match path[0]:
            case "settle":
                return row([people, f" ({self.state.garden[number]})"]), f"garden-{colour}"
            case "slander":
                return row([people, f" ({self.state.players[self.seat].chips[number]})"]), f"chip-{colour}"
            case "office favor" | "bonus favor":
                return row([people, f" ({self.state.supply[number]})"]), f"chip-{colour}"
            case "bonus cube":
                return row([people, f" ({self.state.bag[number]})"]), None
            case _:
                return people, None


def _bid(label: Sentence, words: str, amounts: list[Amount], nothing: str | None) -> Step:
    """A bid, or the rest of one that has some chips already: each colour is named once."""

    def follow(word: str, count: int) -> Step | None:
        left = [amount for amount in amounts if amount.word != word and amount.most]
        return _bid(label, f"{words} {word} {count}", left, "") if left else None

    return Step("chips", label, amounts=tuple(amounts), words=words, nothing=nothing, follow=follow)


def _paths(action: Action) -> Iterator[Path]:
    """The answers that spell an action; two bosses go into their wards in either order."""
    match action:
        case Place(wards=wards):
            yield from dict.fromkeys(("place", *map(str, order)) for order in (wards, wards[::-1]))
        case Settle(boss=boss, cube=cube, ward=ward):
            yield "settle", f"boss {boss}", f"cube {cube}", f"{ward}"
        case Slander(target=target, ward=ward, favor=favor, then=then):
            yield "slander", PAWNS[target], f"{ward}", favor, *([] if then is None else [f"then {then}"])
        case Assign(offices=offices):
            first, *others = [f"{title} {PAWNS[seat]}" for title, seat in sorted(offices.items(), key=_by_seat)]
            forced = [" ".join(others[-2:])] if len(offices) == len(TITLES) else others[-2:]
            yield f"assign {first}", *others[:-2], *forced
        case _:
            verb, *rest = write(action).split()
            yield (" ".join([verb, *rest[:1]]), *rest[1:])


def _by_seat(given: tuple[str, Seat]) -> Seat:
    return given[1]


COLOURED: Final[Mapping[Colour, Sentence]] = {
    "irish": say_in("a colour to choose", "Irish"),
    "english": say_in("a colour to choose", "English"),
    "german": say_in("a colour to choose", "German"),
    "italian": say_in("a colour to choose", "Italian"),
}
_VERBS: Final[Mapping[str, tuple[Sentence, str | None]]] = {
    "place": (say("Place two bosses"), None),
    "settle": (say("Settle a boss and an immigrant"), "garden"),
    "slander": (say("Slander an opponent, for a favor chip and a slander chip"), None),
    "office favor": (say("As Deputy Mayor, take a favor chip"), "office-deputy"),
    "office lock": (say("As Council President, lock a ward"), "office-council"),
    "office police": (say("As Chief of Police, send an immigrant into the bag"), "office-police"),
    "office move": (say("As Precinct Chairman, move an immigrant"), "office-precinct"),
    "end": (say("Nothing more this turn"), None),
    "bonus cube": (say("Place an immigrant from the bag"), None),
    "bonus favor": (say("Take a favor chip"), None),
    "bonus pass": (say("Decline the bonus"), None),
}
"""What the first word of a line is called, and where it stands in the picture."""
_SETTLE: Final = (
    ("ward", say("Into which ward goes the boss?")),
    ("colour", say("Which immigrant of the Castle Garden do you settle?")),
    ("ward", say("Into which ward goes the immigrant?")),
)
_SLANDER: Final = (
    ("player", say("Whose boss do you drive out?")),
    ("ward", say("Out of which ward?")),
    ("colour", say("Which favor chips do you pay with, besides a slander chip?")),
)
_OFFICES_AND_BONUSES: Final[Mapping[str, tuple[tuple[str, Sentence], ...]]] = {
    "office favor": (("colour", say("Which favor chip do you take?")),),
    "office lock": (("ward", say("Which ward do you lock?")),),
    "office police": (
        ("ward", say("Out of which ward goes an immigrant?")),
        ("colour", say("Which immigrant goes into the bag?")),
    ),
    "office move": (
        ("colour", say("Which immigrant do you move?")),
        ("ward", say("Out of which ward goes an immigrant?")),
        ("ward", say("Into which neighbouring ward goes the immigrant?")),
    ),
    "bonus cube": (
        ("colour", say("Which immigrant do you take from the bag?")),
        ("ward", say("Into which ward goes the immigrant?")),
    ),
    "bonus favor": (("colour", say("Which favor chip do you take?")),),
}
"""What is asked after these words, answer by answer."""
