"""The places of Tammany Hall in words: the wards, and Castle Garden with the immigrants of each colour."""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.engine.game import Event, View
from domain.engine.sentences import Sentence, row, say, say_in
from domain.tammany_hall.rules.board import (
    COLOURS,
    ELECTION_ORDER,
    NEIGHBOURS,
    TAMMANY_HALL,
    ZONE_OF,
    ZONE_YEARS,
    Colour,
)
from domain.tammany_hall.rules.words import IMMIGRANTS, listed
from service.pictures.people import Person

NAME: Final = say("The wards of Manhattan")


def near(number: int) -> list[str]:
    """Return the ids of the wards beside a ward."""
    return [f"ward-{other}" for other in sorted(NEIGHBOURS[number])]


def ward_name(view: View, number: int, people: Sequence[Person]) -> Sentence:
    """Return all there is to see in a ward, in words."""
    return row(list(_ward_parts(view, number, people)), say("; "))


def _ward_parts(view: View, number: int, people: Sequence[Person]) -> Iterator[Sentence]:
    """Yield the facts about a ward."""
    ward = view["wards"][str(number)]
    name = say("Ward {ward}", ward=number)
    yield say("{ward}, worth 2", ward=name) if number == TAMMANY_HALL else name
    if view["ward"] == number:
        yield say("elected now")
    if ward["active"]:
        yield say("cubes: {cubes}", cubes=listed(ward["cubes"]))
        yield say("bosses: {bosses}", bosses=_bosses(ward["bosses"], people))
        yield say_in("of a ward", "locked") if ward["locked"] else say_in("of a ward", "open")
    else:
        yield say("from year {year}", year=ZONE_YEARS[view["players"]][ZONE_OF[number]])
    yield say("neighbours {wards}", wards=", ".join(map(str, sorted(NEIGHBOURS[number]))))


def _bosses(counts: Sequence[int], people: Sequence[Person]) -> Sentence:
    """Return the bosses of each player, "Ann 1, Bob 2"."""
    standing = [row([person.name, str(count)], " ") for person, count in zip(people, counts, strict=True) if count]
    return row(standing, ", ") if standing else say("none")


def garden_name(view: View) -> Sentence:
    """Return who waits in Castle Garden, in words."""
    return say("Castle Garden: {cubes}", cubes=listed(view["garden"]))


def waiting_name(view: View, colour: Colour) -> Sentence:
    """Return how many of a colour wait in Castle Garden, in words."""
    return say("Castle Garden: {cubes}", cubes=IMMIGRANTS[colour](view["garden"][colour]))


def place_names(view: View, people: Sequence[Person]) -> dict[str, Sentence]:
    """Return the names of all places by id, without their drawings."""
    named = {f"ward-{number}": ward_name(view, number, people) for number in ELECTION_ORDER}
    waiting = {f"garden-{colour}": waiting_name(view, colour) for colour in COLOURS if view["garden"][colour]}
    return {**named, "garden": garden_name(view), **waiting}


def touched(event: Event) -> Iterator[str]:
    """Yield the ids of the places that an act or an election changes."""
    numbers = [getattr(event, name, None) for name in ("ward", "boss", "then", "origin", "to")]
    yield from (f"ward-{number}" for number in [*numbers, *getattr(event, "wards", ())] if number is not None)
