"""The places of City Hall in words: the spaces of its map."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.pieces import LANDS, Land
from domain.city_hall.rules.surveyor import land_price
from domain.city_hall.rules.words import KINDS
from domain.engine.game import Event, View
from domain.engine.sentences import Sentence, row, say, say_n
from service.pictures.people import Person

NAME: Final = say("The boroughs of New York")
BOROUGHS: Final = {"manhattan": say("Manhattan"), "queens": say("Queens"), "brooklyn": say("Brooklyn")}


def near(land: Land) -> list[str]:
    """Return the ids of the spaces beside a space."""
    return [f"land-{other}" for other in BOARD.neighbours[land]]


def space_name(land: Land, space: Mapping[str, Any], phase: str, people: Sequence[Person]) -> Sentence:
    """Return all there is to see on a space, in words."""
    return row(list(_parts(land, space, phase, people)), say("; "))


def _parts(land: Land, space: Mapping[str, Any], phase: str, people: Sequence[Person]) -> Iterator[Sentence]:
    """Yield the facts about a space."""
    yield say("{land} in {borough}", land=land, borough=BOROUGHS[BOARD.borough_of[land]])
    match space["state"]:
        case "deck":
            yield say("its card is in the Land deck")
        case "available":
            yield _offer(phase, space["money"])
        case _:
            yield say("owned by {name}", name=people[space["owner"]].name)
            yield KINDS[space["permit"]] if space["permit"] else say("nothing built")
            if space["stars"] is not None:
                yield say_n("{count} star", "{count} stars", space["stars"])
    yield say("beside {lands}", lands=", ".join(BOARD.neighbours[land]))


def _offer(phase: str, money: int) -> Sentence:
    """Say what taking an available space brings or costs (CH-4.3, CH-8.11)."""
    if phase == "over":
        return say_n("not taken, {count} dollar on it", "not taken, {count} dollars on it", money)
    price = land_price(phase, money)
    if price < 0:
        return say_n("available: you get {count} dollar", "available: you get {count} dollars", -price)
    if not price:
        return say("available: costs nothing")
    return say_n("available: costs {count} dollar", "available: costs {count} dollars", price)


def place_names(view: View, people: Sequence[Person]) -> dict[str, Sentence]:
    """Return the names of all places by id, without their drawings."""
    return {f"land-{land}": space_name(land, view["lands"][land], view["phase"], people) for land in LANDS}


def touched(event: Event) -> Iterator[str]:
    """Yield the ids of the places that an act changes: its space, and spaces with new stars."""
    lands = [getattr(event, "land", None), *getattr(event, "stars", ())]
    yield from (f"land-{land}" for land in lands if land is not None)
