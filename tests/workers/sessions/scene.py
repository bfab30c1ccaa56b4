"""Tables at which nothing is left to chance, and the games that sessions begin with.

ann is always the one who is asked, unless a given says otherwise; bob and cyd sit at her table.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from service.accounts import people
from tests.service.api.twins import nameless
from tests.tables import Tables

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
        patch("workers.letters.board_picture.shared_png", lambda *_: PIXEL),
        patch("service.kernel.request_ids.start", nameless),
    ):
        yield


def at_the_table(mail_tables: Tables) -> str:
    """Tammany Hall, three players, ann to make the first move."""
    game = mail_tables.begin("ann", "bob", "cyd", kind=TAMMANY, clock={"per_move": "P3D"})
    mail_tables.exchange()
    return game


def at_the_election(mail_tables: Tables) -> str:
    """Tammany Hall, three players, year 8; ann has two english chips to bid with and bob bids too, sealed."""
    game = mail_tables.begin("ann", "bob", "cyd", kind=TAMMANY, clock={"per_move": "P3D"})
    while not (
        mail_tables.phase(game) == "bid"
        and {0, 1} <= set(mail_tables.awaited(game))
        and len(mail_tables.legal(game, 0)) > 2
    ):
        mail_tables.play_on(game, 1)
    mail_tables.exchange()
    return game


def at_the_auction(mail_tables: Tables) -> str:
    """City Hall, two players, ann to bid or to pass."""
    return city(mail_tables, lambda legal: any(line.startswith("bid ") for line in legal))


def city(mail_tables: Tables, wanted: Callable[[list[str]], bool], seed: int = 0, most: int = 300) -> str:
    """City Hall, two players, at the first decision of ann's that is wanted."""
    game = mail_tables.begin("ann", "bob", kind=CITY, clock={"per_move": "P3D"})
    for _ in range(most):
        if mail_tables.awaited(game)[:1] == [0] and wanted(mail_tables.legal(game, 0)):
            break
        mail_tables.play_on(game, seed)
    mail_tables.exchange()
    return game


def pennies(mail_tables: Tables) -> str:
    """Pennies, a game small enough to know by heart: all three hide pennies, sealed, for one round."""
    game = mail_tables.begin("ann", "bob", "cyd", options={"rounds": "1"})
    mail_tables.exchange()
    return game


def two_games(mail_tables: Tables) -> str:
    """ann and bob play Pennies at two tables; the newest mail is of the second."""
    mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    mail_tables.advance(minutes=5)
    game = mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    return game


def invited(mail_tables: Tables) -> str:
    """ann has opened a table for three at Tammany Hall, and has invited zed by mail."""
    game = mail_tables.open("ann", kind=TAMMANY, seats=3, public=False, invite=["zed@people.example"])
    mail_tables.exchange()
    return game


def seated_early(mail_tables: Tables) -> str:
    """A table for three is still open; zed sat down by mail."""
    game = invited(mail_tables)
    mail_tables.reply("zed", "join Zed")
    mail_tables.exchange()
    return game


def vacant(mail_tables: Tables) -> str:
    """Pennies; ann's deadline passed twice, her seat is vacant."""
    game = mail_tables.begin("ann", "bob", options={"rounds": "3"})
    mail_tables.exchange()
    for _ in range(2):
        while mail_tables.awaited(game) != [0]:
            mail_tables.move(game, 1, "hide 3" if mail_tables.phase(game) == "hide" else "take")
        mail_tables.exchange()
        mail_tables.advance(days=3, minutes=11)
        mail_tables.sweep()
        mail_tables.exchange()
    return game


def over(mail_tables: Tables) -> str:
    """Pennies, played to the end."""
    game = pennies(mail_tables)
    mail_tables.advance(hours=1)
    for seat in (0, 1, 2):
        mail_tables.move(game, seat, f"hide {seat}")
    mail_tables.move(game, 2, "take")
    mail_tables.exchange()
    return game


def language(name: str, tongue: str, given: Callable[[Tables], str]) -> Callable[[Tables], str]:
    """The same, with one player reading and writing another language."""

    def made(mail_tables: Tables) -> str:
        mail_tables.player(name)
        with mail_tables.services.database.write() as tx:
            people.change_profile(tx, mail_tables.ids[name], {"language": tongue})
        return given(mail_tables)

    made.__doc__ = f"{(given.__doc__ or '').rstrip('.')}; {name} reads {tongue}."
    return made


def wishing(given: Callable[[Tables], str], **wishes: object) -> Callable[[Tables], str]:
    """The same, with a wish of ann's."""

    def made(mail_tables: Tables) -> str:
        mail_tables.player("ann")
        mail_tables.change_profile("ann", **wishes)
        return given(mail_tables)

    made.__doc__ = f"{(given.__doc__ or '').rstrip('.')}; ann wishes {wishes}."
    return made
