"""A position in words: how far the game is, what it waits for, and the name of each place of its map."""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.engine.game import Event, View
from domain.engine.sentences import Sentence, one_of, row, say, say_in, say_n
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


def when(view: View) -> Sentence:
    """How far the game is."""
    return say("Year {year} of 16 · Term {term} of 4", year=view["year"], term=view["term"])


def asked(view: View, people: Sequence[Person]) -> list[Sentence]:
    """What the game waits for, and what the seat to move can still do this turn."""
    match view["phase"]:
        case "over":
            return [_end(view, people)]
        case "bid" if view["bidding"]:
            return [_bids(view, people)]
        case "bonus" if view["bonus"]:
            winner, ward = people[view["bonus"]["seat"]].short, view["bonus"]["ward"]
            if view["bonus"]["kind"] == "cube":
                return [say("{name} won ward {ward} and may place a cube from the bag", name=winner, ward=ward)]
            return [say("{name} won ward {ward} and may take a favor chip", name=winner, ward=ward)]
        case "assign" if view["assignment"]:
            return [say("{name} is mayor and gives out the offices", name=people[view["assignment"]["mayor"]].short)]
        case "turn" if view["turn"]:
            return [say("{name} is to move", name=people[view["turn"]["seat"]].short), _still_open(view)]
        case _:
            return [say("The game goes on by itself: a draw is made")]


def _end(view: View, people: Sequence[Person]) -> Sentence:
    names = one_of([people[seat].short for seat in view["winners"]])
    points = view["seats"][view["winners"][0]]["vp"]
    if len(view["winners"]) > 1:
        return say("The game is over: {names} share the victory with {vp} VP", names=names, vp=points)
    return say("The game is over: {name} wins with {vp} VP", name=names, vp=points)


def _bids(view: View, people: Sequence[Person]) -> Sentence:
    names = one_of([people[seat].short for seat in view["bidding"]["owes"]])
    return say("Sealed bids for ward {ward}, still to come from {names}", ward=view["bidding"]["ward"], names=names)


def _still_open(view: View) -> Sentence:
    seat, turn = view["seats"][view["turn"]["seat"]], view["turn"]
    still = []
    if not turn["placed"] and seat["bosses_left"]:
        still.append(say("placement"))
    if seat["office"] not in (None, "mayor") and not turn["office_used"]:
        still.append(say("office"))
    if view["term"] > 1 and not seat["slandered"]:
        still.append(say("slander"))
    if not still:
        return say("Nothing left but to end the turn")
    return say("Still open this turn: {parts}", parts=row(still, ", "))


def points(view: View) -> list[Sentence]:
    """What each seat has, in short."""
    return [say("{vp} VP", vp=seat["vp"]) for seat in view["seats"]]


def lead(view: View, people: Sequence[Person]) -> Sentence:
    """Who has the most victory points."""
    most = max(seat["vp"] for seat in view["seats"])
    if not most:
        return say("Nobody has victory points yet")
    best = [person.short for person, seat in zip(people, view["seats"], strict=True) if seat["vp"] == most]
    return say_n("{names} leads with {vp} VP", "{names} lead with {vp} VP", len(best), names=one_of(best), vp=most)


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
