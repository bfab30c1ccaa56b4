"""A position in words: how far the game is, what it waits for, and the name of each place of its map."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.pieces import LANDS, Land
from domain.city_hall.rules.surveyor import land_price
from domain.city_hall.rules.words import KINDS, THE_OFFICES
from domain.engine.game import Event, View
from domain.engine.sentences import Sentence, one_of, row, say, say_n
from service.pictures.people import Person


def when(view: View) -> Sentence:
    """How far the game is."""
    if not view["round"]:
        return say("Setup")
    if view["final"] and view["phase"] != "over":
        return say("Round {round}, the final one", round=view["round"])
    return say("Round {round}", round=view["round"])


def asked(view: View, people: Sequence[Person]) -> list[Sentence]:
    """What the game waits for."""
    if view["phase"] == "over":
        mayor = view["result"]["mayor"]
        votes = view["result"]["votes"][mayor]
        return [say("The game is over: {name} is Mayor with {votes} votes", name=people[mayor].short, votes=votes)]
    if not view["active"]:
        return [say("The game goes on by itself: a draw is made")]
    rest = [people[seat].short for seat in view["schedule"][view["turn"] + 1 :]]
    then = [say("Then to activate an Office: {names}", names=one_of(rest))] if rest else []
    return [*(_task(view, people[seat].short) for seat in view["active"]), *then]


def _task(view: View, name: str) -> Sentence:
    office = THE_OFFICES.get(view["office"], say("an Office"))
    match view["phase"]:
        case "draft":
            return say("{name} has to draft a space", name=name)
        case "build":
            return say("{name} has to place an initial Building", name=name)
        case "activate":
            return say("{name} has to put a Staffer on an Office", name=name)
        case "bid":
            return say("{name} has to bid on {office} or pass", name=name, office=office)
        case "decide":
            return say("{name} has to keep {office} or accept a bid", name=name, office=office)
        case _:
            return say("{name} has to use {office}", name=name, office=office)


def points(view: View) -> list[Sentence]:
    """The votes of each seat, in short: in the end all, before that those for rating and population."""
    votes = _votes(view) if view["phase"] != "over" else view["result"]["votes"]
    return [say_n("{count} vote", "{count} votes", count) for count in votes]


def _votes(view: View) -> list[int]:
    """The votes for rating and population now, Endorsements left out (CH-12.2)."""
    return [seat["rating"] * seat["population"] for seat in view["seats"]]


def lead(view: View, people: Sequence[Person]) -> Sentence:
    """Who would have the most votes for rating and population now, Endorsements left out (CH-12.2)."""
    votes = _votes(view)
    best = [person.short for person, count in zip(people, votes, strict=True) if count == max(votes)]
    return say_n(
        "{names} leads with {votes} votes before Endorsements",
        "{names} lead with {votes} votes before Endorsements",
        len(best),
        names=one_of(best),
        votes=max(votes),
    )


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
