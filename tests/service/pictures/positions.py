"""Views of whole games played at random, and what can be read in a picture of them."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any
from xml.etree import ElementTree

from domain.city_hall import CITY_HALL
from domain.engine.game import View
from domain.tammany_hall import TAMMANY_HALL
from service.pictures import board_svg
from tests.domain.city_hall.playouts import playout as city_game
from tests.domain.tammany_hall.playouts import playout as ward_game

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("ann", "boris", "cyd", "dmitri", "eve")
TITLE = "A game of politics"
EVERY = 19
"""One position of so many is looked at, besides the first and the last."""


@cache
def game(number: int) -> tuple[Any, list[Any]]:
    """A whole game, the rules and all states: Tammany Hall for 3, 4 and 5 players, City Hall for 2, 3 and 4."""
    rules, play, players = (TAMMANY_HALL, ward_game, number + 3) if number < 3 else (CITY_HALL, city_game, number - 1)
    steps = play(players, {}, players).steps
    return rules, [*(step.before for step in steps), steps[-1].after]


def states(number: int) -> Iterator[Any]:
    """Positions of a game from its beginning to its end, of every phase it has."""
    _, found = game(number)
    phases = {state.phase: state for state in found}
    yield from [*found[::EVERY], *phases.values(), found[-1]]


def seen(rules: Any, state: Any, seat: int | None, names: Sequence[str] = NAMES) -> View:
    """What a seat sees of a position, with the names of the seats in it."""
    view: View = rules.decider.view(state, seat)
    for one, name in zip(view["seats"], names, strict=False):
        one["name"] = name
    return view


def views(number: int, names: Sequence[str] = NAMES) -> Iterator[tuple[str, View]]:
    """The positions of a game as its seats in turn, and at last a spectator, see them."""
    rules, _ = game(number)
    for place, state in enumerate(states(number)):
        seat = place % (len(state.players) + 1)
        yield rules.kind, seen(rules, state, seat if seat < len(state.players) else None, names)


def drawn(kind: str, view: View, **more: Any) -> ElementTree.Element:
    """The picture of a view, read as XML."""
    return ElementTree.fromstring(board_svg(kind, view, TITLE, **more))


def texts(picture: ElementTree.Element) -> list[str]:
    """All that is written in a picture."""
    return [one.text or "" for one in picture.iter(f"{SVG}text")]
