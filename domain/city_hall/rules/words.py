"""The words of City Hall (CH-1.5) and the names of its spaces (CH-2.1), in the order wherever one is needed."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, Literal

from domain.engine.sentences import Sentence, one_of, row, say, say_in, say_n, typed

Permit = Literal["housing", "tower", "factory", "park"]
Office = Literal["tax", "surveyor", "campaign", "lobbyist", "zoning", "health", "deputy"]
Land = Literal[
    "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9",
    "M1", "M2", "M3", "M4", "M5",
]  # fmt: skip

PERMITS: Final[tuple[Permit, ...]] = ("housing", "tower", "factory", "park")
INDEX: Final = {permit: index for index, permit in enumerate(PERMITS)}
OFFICES: Final[tuple[Office, ...]] = ("tax", "surveyor", "campaign", "lobbyist", "zoning", "health", "deputy")
LANDS: Final[tuple[Land, ...]] = (
    "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9",
    "M1", "M2", "M3", "M4", "M5",
)  # fmt: skip
"""In board order."""
BOROUGHS: Final = {"queens": "Q", "brooklyn": "B", "manhattan": "M"}
"""The letter of each borough's spaces."""
PARK: Final = "park"
PAWNS: Final = ("red", "blue", "green", "yellow")
PROXY_WORDS: Final = frozenset(
    {
        say_in("command", "others"),
        say_in("command", "up"),
        say_in("command", "to"),
        say_in("command", "every"),
        say_in("command", "round"),
    }
)
"""The words that proxies alone have. None stands where a player is named, so a player may be called by one."""
WORDS: Final[dict[str, Sentence]] = {word: typed(word) for word in (*PAWNS, *PERMITS, *OFFICES)}
"""Pawns, Permits and Offices where a sentence names them as they are typed."""
TITLES: Final[dict[str, Sentence]] = {
    "tax": say("Tax Assessor"),
    "surveyor": say("Surveyor"),
    "campaign": say("Campaign Manager"),
    "lobbyist": say("Lobbyist"),
    "zoning": say("Zoning Board"),
    "health": say("Health Commissioner"),
    "deputy": say("Deputy Mayor"),
}
"""The Offices in tables and lists."""
THE_OFFICES: Final[dict[str, Sentence]] = {
    "tax": say("the Tax Assessor"),
    "surveyor": say("the Surveyor"),
    "campaign": say("the Campaign Manager"),
    "lobbyist": say("the Lobbyist"),
    "zoning": say("the Zoning Board"),
    "health": say("the Health Commissioner"),
    "deputy": say("the Deputy Mayor"),
}
"""The Offices as what a verb acts on: in the accusative, where a language has one."""
KINDS: Final[dict[str, Sentence]] = {
    "housing": say("Housing"),
    "tower": say("Tower"),
    "factory": say("Factory"),
    "park": say("Park"),
}
"""The Permits as cards, in lists."""
BUILT: Final[dict[str, Sentence]] = {
    "housing": say_in("built", "Housing"),
    "tower": say_in("built", "a Tower"),
    "factory": say_in("built", "a Factory"),
    "park": say_in("built", "a Park"),
}
"""The Permits as what somebody builds."""


PLACES: Final = {
    "LAND": say("LAND"),
    "PERMIT": say("PERMIT"),
    "OFFICE": say("OFFICE"),
    "NUMBER": say("NUMBER"),
    "PLAYER": say("PLAYER"),
}
"""What is to be chosen in a form of the notation: a word in capitals."""


def by_permit(counts: Sequence[int]) -> dict[Permit, int]:
    """A Permit table with all four kinds."""
    housing, tower, factory, park = counts
    return {"housing": housing, "tower": tower, "factory": factory, "park": park}


def counted(permits: Sequence[Permit]) -> list[int]:
    """How many Permits there are of each kind."""
    return [permits.count(permit) for permit in PERMITS]


def in_order(permits: Sequence[Permit]) -> list[Permit]:
    """The same Permits, sorted by kind."""
    return sorted(permits, key=INDEX.__getitem__)


def listed(counts: Mapping[Permit, int] | Sequence[int]) -> Sentence:
    """Permits in words, "2 housing, 1 park"; "none" for nothing."""
    table = counts if isinstance(counts, Mapping) else by_permit(counts)
    held = [_so_many(permit, table[permit]) for permit in PERMITS if table.get(permit)]
    return row(held, ", ") if held else say_in("Permits", "none")


def _so_many(permit: Permit, count: int) -> Sentence:
    match permit:
        case "housing":
            return say_n("{count} housing", "{count} housing", count)
        case "tower":
            return say_n("{count} tower", "{count} tower", count)
        case "factory":
            return say_n("{count} factory", "{count} factory", count)
        case "park":
            return say_n("{count} park", "{count} park", count)


def permits_named(permits: Sequence[Permit]) -> Sentence:
    """Permits as a list for people, each as it is typed, "housing, park and park"; "none" for nothing."""
    return one_of([WORDS[permit] for permit in permits]) if permits else say_in("Permits", "none")


@cache
def form(line: str) -> Sentence:
    """A line of the notation as it is typed, perhaps with words in capitals for what is to be chosen."""
    return row([PLACES.get(word) or (typed(word) if word.isalpha() else word) for word in line.split()], " ")


def clauses(texts: Sequence[Sentence]) -> Sentence:
    """One clause after the other, "red bids 2; blue passes"."""
    return row(texts, say("; "))
