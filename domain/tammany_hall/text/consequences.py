"""Consequences of a move in words for its player: the lead in the wards that it touches."""

from collections.abc import Sequence

from domain.engine.game import Seat, View
from domain.engine.presentation import Names
from domain.engine.sentences import Sentence, say
from domain.tammany_hall.rules.board import ELECTION_ORDER

MOST = 3
"""Wards that are told of."""


def consequences(before: View, after: View, seat: Seat, names: Names) -> list[Sentence]:
    """Return a sentence on each ward whose bosses differ between two views of a seat (TH-8.1)."""
    touched = [
        number
        for number in sorted(ELECTION_ORDER)
        if before["wards"][str(number)]["bosses"] != after["wards"][str(number)]["bosses"]
    ]
    return [_lead(number, after["wards"][str(number)]["bosses"], seat, names) for number in touched[:MOST]]


def _lead(number: int, bosses: Sequence[int], seat: Seat, names: Names) -> Sentence:
    most = max(bosses)
    leaders = [other for other, count in enumerate(bosses) if count == most]
    if not most:
        return say("Nobody has a boss in ward {ward} then.", ward=number)
    if len(leaders) > 1:
        if seat in leaders:
            return say("You share the lead in ward {ward}, at {count}.", ward=number, count=most)
        return say("The lead in ward {ward} is shared, at {count}.", ward=number, count=most)
    rest = max(count for other, count in enumerate(bosses) if other != leaders[0])
    if leaders[0] == seat:
        return say("You lead ward {ward}, {most} to {rest}.", ward=number, most=most, rest=rest)
    own = bosses[seat]
    return say(
        "{name} leads ward {ward}, {most} to your {own}.", name=names[leaders[0]], ward=number, most=most, own=own
    )
