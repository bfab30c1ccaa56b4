"""Nothing in a mail to one seat tells what another seat keeps secret: two worlds that differ only in it send the same.

The same game is copied; in each copy one seat orders, by mail, something else of which the others may only know that it
was done. Every mail to anybody else must then be the same to the byte, but for what tells its history (OUT-30).
"""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from domain.engine.game import Seat
from service.container import Services
from tests.manual_clock import ManualClock
from tests.tables import SETTINGS, Tables
from tests.witnesses import renamed

ASKED = "status\nhistory 100\nlegal\norders\nboard"
PEOPLE = ("ann", "bob", "cyd")


def bids(texts: list[str]) -> list[str]:
    """Orders that all look alike to the others: sealed bids."""
    return [text for text in texts if text.startswith("bid ")]


def hidden_permits(texts: list[str]) -> list[str]:
    """Orders of which only the Permits that go back are secret: one Building on one space."""
    built = [text for text in texts if " return " in text]
    return [text for text in built if text.partition(" return ")[0] == built[0].partition(" return ")[0]]


CASES = {"tammany-hall": ("bid", bids, 8), "city-hall": ("build", hidden_permits, 4)}


class Worlds:
    """One game, and copies of it in which a seat does different things."""

    def __init__(self, make: Callable[[Path], Tables], folder: Path) -> None:
        self.make = make
        self.folder = folder
        self.mail_tables = make(folder / "first.sqlite")

    def copies(self, number: int) -> list[Tables]:
        found = []
        for copy in range(number):
            path = self.folder / f"copy{copy}.sqlite"
            shutil.copy(self.folder / "first.sqlite", path)
            mail_tables = self.make(path)
            mail_tables.ids, mail_tables.clock.at = dict(self.mail_tables.ids), self.mail_tables.clock.at
            mail_tables.carrier.letters = list(self.mail_tables.carrier.letters)
            found.append(mail_tables)
        return found


@pytest.fixture
def worlds(sqlite_template: Path, tmp_path: Path, open_services: Callable[..., Services]) -> Worlds:
    shutil.copy(sqlite_template, tmp_path / "first.sqlite")

    def make(path: Path) -> Tables:
        manual_clock = ManualClock()
        return Tables(open_services(f"sqlite:///{path}", clock=manual_clock, **SETTINGS), manual_clock)

    return Worlds(make, tmp_path)


def reaches(
    mail_tables: Tables, game: str, phase: str, alike: Callable[[list[str]], list[str]], seed: int
) -> Seat | None:
    """Play at random until a seat has two orders that look alike to the others, with somebody else asked as well."""
    chance = random.Random(seed)
    for _ in range(600):
        head = mail_tables.head(game)
        if head.table.status != "running":
            return None
        asked = mail_tables.awaited(game)
        if mail_tables.phase(game) == phase:
            for seat in asked:
                if len(alike(mail_tables.legal(game, seat))) > 1 and (phase != "bid" or len(asked) > 1):
                    return seat
        seat = asked[0]
        legal = mail_tables.legal(game, seat)
        kind = chance.choice(sorted({text.split()[0] for text in legal}))
        mail_tables.move(game, seat, chance.choice([text for text in legal if text.split()[0] == kind]))
    return None


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind, seed",
    [
        pytest.param(kind, seed, marks=[pytest.mark.long] if seed else [])
        for kind, case in CASES.items()
        for seed in range(case[2])
    ],
)
def test_out_30_no_byte_of_a_mail_to_one_seat_holds_a_secret_of_another(worlds, kind, seed):
    phase, alike, _ = CASES[kind]
    game = worlds.mail_tables.begin(*PEOPLE, kind=kind)
    seat = reaches(worlds.mail_tables, game, phase, alike, seed)
    assert seat is not None, "such a position comes in every game"
    worlds.mail_tables.exchange()
    secretive, *others = PEOPLE[seat], *(name for name in PEOPLE if name != PEOPLE[seat])
    orders = alike(worlds.mail_tables.legal(game, seat))
    first, second = random.Random(seed).sample(orders, 2)
    seen = []
    for mail_tables, order in zip(worlds.copies(2), (first, second), strict=True):
        before = len(mail_tables.carrier.letters)
        number = mail_tables.reply(secretive, order)
        mail_tables.exchange()
        assert mail_tables.mail_state(number) == "applied", order
        for name in others:
            if mail_tables.letters_to(name):
                mail_tables.reply(name, ASKED)
                mail_tables.exchange()
        letters = [letter for letter in mail_tables.carrier.letters[before:] if not letter.to.startswith(secretive)]
        numbers: dict[str, str] = {}
        seen.append([(letter.to, letter.return_path, renamed(letter.data, numbers)) for letter in letters])
        own = [letter.data for letter in mail_tables.carrier.letters[before:] if letter.to.startswith(secretive)]
        assert own, "who ordered it is told"
    assert seen[0], "the others had mail"
    assert seen[0] == seen[1]
