"""What a position of City Hall comes to, in sentences: for the head of the picture and for who cannot see it."""

from collections.abc import Sequence

from domain.city_hall.rules.words import THE_OFFICES
from domain.engine.game import View
from domain.engine.sentences import Sentence, one_of, say, say_n
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
