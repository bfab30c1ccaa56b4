"""What the pieces of City Hall are called (CH-1.5), in sentences that can be translated."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from domain.city_hall.rules.pieces import OFFICES, PAWNS, PERMITS, Permit, by_permit
from domain.engine.sentences import Sentence, one_of, row, say, say_in, say_n, typed

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
DOES: Final[dict[str, Sentence]] = {
    "tax": say("Taxes on people and buildings"),
    "surveyor": say("Buy one space"),
    "campaign": say("Climb the approval track"),
    "lobbyist": say("Influence; buy and sell it"),
    "zoning": say("Take Permits, build"),
    "health": say("Stars bring people"),
    "deputy": say("Go first next round"),
}
"""Each Office in one line (CH-8)."""
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


def dollars(amount: int) -> Sentence:
    """Money as a language writes it: "$10", "10 $"."""
    return say("${money}", money=amount)


def signed_price(price: int) -> Sentence:
    """Return a price as a short text: "$5" is paid, "+$15" is received."""
    return say("+${money}", money=-price) if price < 0 else dollars(price)


def spoken_price(price: int) -> Sentence:
    """Return a price in words, from the side of the player who takes the space."""
    if price < 0:
        return say("you get ${money}", money=-price)
    return say("costs ${money}", money=price) if price else say("costs nothing")


def amount_of_influence(count: int) -> Sentence:
    """So much Influence: what languages have different words for one of and for several."""
    return say_n("{count} Influence", "{count} Influence", count)


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
