"""Consequences of a move in words for its player: money, Influence and votes."""

from collections.abc import Iterator

from domain.city_hall.rules.words import dollars
from domain.engine.game import Seat, View
from domain.engine.presentation import Names
from domain.engine.sentences import Sentence, say


def consequences(before: View, after: View, seat: Seat, _names: Names) -> list[Sentence]:
    """Return a sentence on each of a seat's own numbers that differ between two of its views."""
    return list(_changes(before["seats"][seat], after["seats"][seat]))


def _changes(then: View, now: View) -> Iterator[Sentence]:
    if then["money"] != now["money"]:
        yield say("You have {after} then, not {before}.", after=dollars(now["money"]), before=dollars(then["money"]))
    if then["influence"] != now["influence"]:
        yield say("You have {after} Influence then, not {before}.", after=now["influence"], before=then["influence"])
    votes, old = (seat["rating"] * seat["population"] for seat in (now, then))
    if votes != old:
        yield say("Your votes are {after} then, not {before}.", after=votes, before=old)
