"""A whole game of Tammany Hall with every kind of mail in it: hostile names, four time zones, silence, a lost mailbox.

The same game in every run: its draws are made from a seed of the test's own.
"""

import hashlib
import random
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from config.settings import load
from domain.table.state import Table
from service.container import assemble
from service.store import migrate
from tests.workers.office import Carrier, Hands, Office
from workers.mail_out.letter import Letter
from workers.mail_out.transport import Refused

PEOPLE = {
    "ann": ("Ann", "UTC"),
    "bob": ('Zoë O\'Hara, "Boss" Łuk', "Pacific/Auckland"),
    "cyd": ("<script>alert('cyd')</script> & <b>co", "America/New_York"),
    "dan": ("Дан 王小明", "Pacific/Chatham"),
}
SILENT = "dan"
SILENT_FROM = 6
LONGEST = 1200


@dataclass(frozen=True)
class Page:
    """A notice and the letter that came of it; `phase` is what the game asked for then."""

    row: dict[str, Any]
    letter: Letter
    phase: str

    @property
    def kind(self) -> str:
        return str(self.row["kind"])

    @property
    def about_game(self) -> bool:
        return self.kind != "code"


@dataclass
class Album:
    office: Office
    game: str
    pages: list[Page] = field(default_factory=list)

    def of(self, *kinds: str) -> list[Page]:
        return [page for page in self.pages if page.kind in kinds]

    def table(self, version: int) -> Table:
        """The whole state after an event, secrets included."""
        services = self.office.services
        with services.database.read() as connection:
            return services.streams.table_at(connection, self.game, self.office.head(self.game).rules, version)

    def shown(self, name: str) -> str:
        return PEOPLE[name][0]

    def reader(self, page: Page) -> str:
        """The short name of who a page went to."""
        return page.letter.to.partition("@")[0]


def no_pictures() -> AbstractContextManager[object]:
    """Pictures are drawn in tests of their own: here each stands for what would be drawn."""
    return patch("service.pictures.png", lambda svg: hashlib.sha256(svg.encode()).digest())


def make(folder: Path) -> Album:
    """Play it."""
    given = {
        "DATA_DIR": str(folder),
        "SECRET_KEY": "k" * 32,
        "RATE_LIMITS": "off",
        "MAIL_WINDOW": "PT0S",
        "MAIL_DOMAIN": "play.example",
        "BASE_URL": "https://wardroom.example",
    }
    hands = Hands()
    services = assemble(load({f"WARDROOM_{name}": value for name, value in given.items()}), clock=hands, durable=False)
    migrate.upgrade(services.database)
    office = Office(services, hands)
    for name, (shown, zone) in PEOPLE.items():
        office.named(name, shown, zone)
        office.asks_for_a_code(name)
    with patch("secrets.token_bytes", random.Random(3).randbytes):
        game = office.opens(
            "ann", kind="tammany-hall", seats=4, clock={"per_move": "P3D"}, invite=["zed@friends.example"]
        )
        album = Album(office, game)
        collect(album)
        office.sits(game, "bob", "cyd", "dan")
    _lose_a_mail(album)
    _play(album)
    return album


def collect(album: Album) -> None:
    """Deliver, and paste in what was sent."""
    office, carrier = album.office, Carrier()
    office.delivers(carrier)
    rows = {row["message_id"]: row for row in office.notices(state="sent")}
    phase = office.phase(album.game) if office.head(album.game).table.status != "open" else "open"
    album.pages += [Page(rows[letter.message_id], letter, phase) for letter in carrier.letters]


def _lose_a_mail(album: Album) -> None:
    """The first mail that it is somebody's turn comes back: the host is told, and the time runs once more."""
    office, carrier = album.office, Carrier()
    carrier.before.append(Refused("550 5.1.1 no such mailbox"))
    office.delivers(carrier)
    office.hands.advance(days=3, minutes=11)
    office.sweeps()
    collect(album)


def _play(album: Album) -> None:
    office, game = album.office, album.game
    chance = random.Random(12)
    for step in range(LONGEST):
        head = office.head(game)
        if head.table.status != "running":
            break
        asked = sorted(head.rules.decider.awaiting(head.table.game))
        seat = next((one for one in asked if not _is_silent(head, one)), None)
        if seat is None or step % 40 == 7:
            _let_time_pass(album)
            continue
        legal = head.rules.decider.legal_actions(head.rules.decider.blind(head.table.game, seat), seat).actions
        kind = chance.choice(sorted({type(one).__name__ for one in legal}))
        text = head.rules.notation.write(chance.choice([one for one in legal if type(one).__name__ == kind]))
        office.hands.advance(minutes=47)
        office.plays(game, seat, text)
        collect(album)
    collect(album)


def _is_silent(head: Any, seat: int) -> bool:
    return seat == list(PEOPLE).index(SILENT) and head.table.game.year >= SILENT_FROM


def _let_time_pass(album: Album) -> None:
    for hours in (49, 18, 6):
        album.office.hands.advance(hours=hours)
        album.office.sweeps()
        collect(album)
