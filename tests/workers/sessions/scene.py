"""A post office in which nothing is left to chance, and the games that sessions begin with.

ann is always the one who is asked, unless a given says otherwise; bob and cyd sit at her table.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from service.accounts import people
from tests.workers.post import Post

TAMMANY, CITY = "tammany-hall", "city-hall"
PIXEL = b"\x89PNG a picture that is drawn elsewhere\n"
"""Stands for every board: pictures have tests of their own, and need not be the same everywhere."""
CHANCE = 10
"""A seed with which ann begins in both games."""


@contextmanager
def certain(seed: int = CHANCE) -> Iterator[None]:
    """Ids, nonces and draws come of the seed, pictures are one and the same."""
    chance, salt = random.Random(seed), random.Random(-seed)
    with (
        patch("secrets.token_bytes", chance.randbytes),
        patch("os.urandom", salt.randbytes),
        patch("service.pictures.png", lambda svg: PIXEL),
    ):
        yield


def at_the_table(post: Post) -> str:
    """Tammany Hall, three players, ann to make the first move."""
    game = post.begins("ann", "bob", "cyd", kind=TAMMANY, clock={"per_move": "P3D"})
    post.round()
    return game


def at_the_election(post: Post) -> str:
    """Tammany Hall, three players, year 8; ann has two english chips to bid with and bob bids too, sealed."""
    game = post.begins("ann", "bob", "cyd", kind=TAMMANY, clock={"per_move": "P3D"})
    while not (post.phase(game) == "bid" and {0, 1} <= set(post.awaited(game)) and len(post.legal(game, 0)) > 2):
        post.steps(game, 1)
    post.round()
    return game


def at_the_auction(post: Post) -> str:
    """City Hall, two players, ann to bid or to pass."""
    return city(post, lambda legal: any(line.startswith("bid ") for line in legal))


def city(post: Post, wanted: Callable[[list[str]], bool], seed: int = 0, most: int = 300) -> str:
    """City Hall, two players, at the first decision of ann's that is wanted."""
    game = post.begins("ann", "bob", kind=CITY, clock={"per_move": "P3D"})
    for _ in range(most):
        if post.awaited(game)[:1] == [0] and wanted(post.legal(game, 0)):
            break
        post.steps(game, seed)
    post.round()
    return game


def pennies(post: Post) -> str:
    """Pennies, a game small enough to know by heart: all three hide pennies, sealed, for one round."""
    game = post.begins("ann", "bob", "cyd", options={"rounds": "1"})
    post.round()
    return game


def two_games(post: Post) -> str:
    """ann and bob play Pennies at two tables; the newest mail is of the second."""
    post.begins("ann", "bob")
    post.round()
    post.hands.advance(minutes=5)
    game = post.begins("ann", "bob")
    post.round()
    return game


def invited(post: Post) -> str:
    """ann has opened a table for three at Tammany Hall, and has invited zed by mail."""
    game = post.opens("ann", kind=TAMMANY, seats=3, public=False, invite=["zed@people.example"])
    post.round()
    return game


def seated_early(post: Post) -> str:
    """A table for three is still open; zed sat down by mail."""
    game = invited(post)
    post.answers("zed", "join Zed")
    post.round()
    return game


def vacant(post: Post) -> str:
    """Pennies; ann's deadline passed twice, her seat is vacant."""
    game = post.begins("ann", "bob", options={"rounds": "3"})
    post.round()
    for _ in range(2):
        while post.awaited(game) != [0]:
            post.plays(game, 1, "hide 3" if post.phase(game) == "hide" else "take")
        post.round()
        post.hands.advance(days=3, minutes=11)
        post.sweeps()
        post.round()
    return game


def over(post: Post) -> str:
    """Pennies, played to the end."""
    game = pennies(post)
    post.hands.advance(hours=1)
    for seat in (0, 1, 2):
        post.plays(game, seat, f"hide {seat}")
    post.plays(game, 2, "take")
    post.round()
    return game


def language(name: str, tongue: str, given: Callable[[Post], str]) -> Callable[[Post], str]:
    """The same, with one player reading and writing another language."""

    def made(post: Post) -> str:
        post.person(name)
        with post.services.database.write() as tx:
            people.change_profile(tx, post.ids[name], {"language": tongue})
        return given(post)

    made.__doc__ = f"{(given.__doc__ or '').rstrip('.')}; {name} reads {tongue}."
    return made


def wishing(given: Callable[[Post], str], **wishes: object) -> Callable[[Post], str]:
    """The same, with a wish of ann's."""

    def made(post: Post) -> str:
        post.person("ann")
        post.changes("ann", **wishes)
        return given(post)

    made.__doc__ = f"{(given.__doc__ or '').rstrip('.')}; ann wishes {wishes}."
    return made
