"""Colours, pawns and offices as people read them: in sentences, in lists, in columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from domain.engine.game import Seat
from domain.engine.sentences import Sentence, one_of, row, say, say_in, say_n, say_n_in, typed
from domain.tammany_hall.rules.board import COLOURS, MAYOR, PAWNS, Colour, Title

ByColour = Sequence[int] | Mapping[Colour, int]
"""A count of each colour, in their order or by their names."""
ROMAN: Final = {1: "I", 2: "II", 3: "III"}
OFFICES: Final[dict[Title, Sentence]] = {
    "deputy": say("Deputy Mayor"),
    "council": say("Council President"),
    "police": say("Chief of Police"),
    "precinct": say("Precinct Chairman"),
}
USES: Final[dict[Title, Sentence]] = {
    "deputy": say("You are Deputy Mayor: each year you may take a favor chip."),
    "council": say("You are Council President: each year you may lock a ward, while there are lock tokens."),
    "police": say("You are Chief of Police: each year you may send an immigrant out of a ward into the bag."),
    "precinct": say("You are Precinct Chairman: each year you may move an immigrant to a neighbouring ward."),
}
"""The use of each office, said to its holder (TH-7)."""
IN_COLUMN: Final[dict[str, Sentence]] = {
    "deputy": say_in("column of at most 13", "deputy"),
    "council": say_in("column of at most 13", "council"),
    "police": say_in("column of at most 13", "police"),
    "precinct": say_in("column of at most 13", "precinct"),
    MAYOR: say_in("column of at most 13", "mayor"),
}
"""The offices where there is little room."""
NO: Final[dict[Colour, Sentence]] = {
    "irish": say_in("no … immigrant, no … favor chip", "Irish"),
    "english": say_in("no … immigrant, no … favor chip", "English"),
    "german": say_in("no … immigrant, no … favor chip", "German"),
    "italian": say_in("no … immigrant, no … favor chip", "Italian"),
}
"""The colours where there is none of them."""
A: Final[dict[Colour, Sentence]] = {
    "irish": say_in("… immigrant, … favor chip", "an Irish"),
    "english": say_in("… immigrant, … favor chip", "an English"),
    "german": say_in("… immigrant, … favor chip", "a German"),
    "italian": say_in("… immigrant, … favor chip", "an Italian"),
}
"""The colours where somebody takes, sends or moves one of them."""
PEOPLE: Final[dict[str, Sentence]] = {
    "irish": say_in("immigrants of a colour", "Irish"),
    "english": say_in("immigrants of a colour", "English"),
    "german": say_in("immigrants of a colour", "German"),
    "italian": say_in("immigrants of a colour", "Italian"),
}
"""The immigrants of a colour where a sentence tells of them: words to type stand in small letters, these do not."""
NUMBERS: Final = {
    1: say_in("favor chips", "one"),
    2: say_in("favor chips", "two"),
    3: say_in("favor chips", "three"),
}
FAVORS: Final[dict[Colour, Callable[[int], Sentence]]] = {
    "irish": lambda count: say_n("{count} Irish", "{count} Irish", count),
    "english": lambda count: say_n("{count} English", "{count} English", count),
    "german": lambda count: say_n("{count} German", "{count} German", count),
    "italian": lambda count: say_n("{count} Italian", "{count} Italian", count),
}
IMMIGRANTS: Final[dict[Colour, Callable[[int], Sentence]]] = {
    "irish": lambda count: say_n_in("immigrants", "{count} Irish", "{count} Irish", count),
    "english": lambda count: say_n_in("immigrants", "{count} English", "{count} English", count),
    "german": lambda count: say_n_in("immigrants", "{count} German", "{count} German", count),
    "italian": lambda count: say_n_in("immigrants", "{count} Italian", "{count} Italian", count),
}
"""So many people of a colour: where they live, where they wait."""
CHIPS: Final[dict[Colour, Callable[[int, object], Sentence]]] = {
    "irish": lambda n, number: say_n("{number} Irish favor chip", "{number} Irish favor chips", n, number=number),
    "english": lambda n, number: say_n("{number} English favor chip", "{number} English favor chips", n, number=number),
    "german": lambda n, number: say_n("{number} German favor chip", "{number} German favor chips", n, number=number),
    "italian": lambda n, number: say_n("{number} Italian favor chip", "{number} Italian favor chips", n, number=number),
}
SCORED: Final[dict[str, Sentence]] = {
    "elections": say_in("final scoring", "elections"),
    **PEOPLE,
    "slander": say_in("final scoring", "slander"),
}
"""What final points are for (TH-13)."""


def pawns(seats: Iterable[Seat]) -> Sentence:
    """Pawns as a list, "red, yellow and black"."""
    return one_of([typed(PAWNS[seat]) for seat in seats])


def several(words: Iterable[str]) -> Sentence:
    """Words of the notation as a list, "irish, english, german and italian"."""
    return one_of([typed(word) for word in words])


def favor_chips(colour: Colour, count: int, number: object = None) -> Sentence:
    """So many chips of a colour, "3 Irish favor chips"; `number` says how many in other words."""
    return CHIPS[colour](count, count if number is None else number)


def by_count(counts: ByColour, named: Mapping[Colour, Callable[[int], Sentence]] = FAVORS) -> list[Sentence]:
    """Counts by colour in words, one each, those that are not 0: of favor chips, or of what `named` has words for."""
    table = counts if isinstance(counts, Mapping) else dict(zip(COLOURS, counts, strict=True))
    return [named[colour](table[colour]) for colour in COLOURS if table.get(colour)]


def listed(counts: ByColour, named: Mapping[Colour, Callable[[int], Sentence]] = FAVORS) -> Sentence:
    """Favor chips, or others, in words, "2 Irish, 1 German"; "none" for nothing."""
    return row(known, ", ") if (known := by_count(counts, named)) else say("none")


def immigrants(counts: ByColour) -> Sentence:
    """Immigrants in words, "2 Irish, 1 German"; "none" for nothing."""
    return listed(counts, IMMIGRANTS)


def scoring_lines(lines: Iterable[Mapping[str, int | str]], seat: Seat) -> Sentence:
    """What a seat's final points are made of: "elections 8, irish 2, slander 1"."""
    return row([row([SCORED[str(line["for"])], str(line["vp"])], " ") for line in lines if line["seat"] == seat], ", ")


FINAL_SCORING: Final = say("At the end: 2 VP for the most chips of each colour, 1 VP for each slander chip left.")
"""The final scoring in one line (TH-13.2, TH-13.4)."""


def victory(winners: Sequence[object]) -> Sentence:
    """Who has won, alone or together."""
    return say_n("{winners} wins.", "{winners} share the victory.", len(winners), winners=one_of(winners))
