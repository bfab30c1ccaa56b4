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
from service.store.structure import migrate
from tests.letters import Carrier
from tests.manual_clock import ManualClock
from tests.tables import Tables
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
class Correspondence:
    tables: Tables
    game: str
    pages: list[Page] = field(default_factory=list)

    def of(self, *kinds: str) -> list[Page]:
        return [page for page in self.pages if page.kind in kinds]

    def table(self, version: int) -> Table:
        """The whole state after an event, secrets included."""
        services = self.tables.services
        with services.database.read() as connection:
            return services.streams.table_at(connection, self.game, self.tables.head(self.game).rules, version)

    def shown(self, name: str) -> str:
        return PEOPLE[name][0]

    def reader(self, page: Page) -> str:
        """The short name of who a page went to."""
        return page.letter.to.partition("@")[0]


def no_pictures() -> AbstractContextManager[object]:
    """Pictures are drawn in tests of their own: here each stands for what would be drawn."""
    return patch("service.pictures.png", lambda svg, width=600: hashlib.sha256(svg.encode()).digest())


def make(folder: Path) -> Correspondence:
    """Play it."""
    given = {
        "DATA_DIR": str(folder),
        "SECRET_KEY": "k" * 32,
        "RATE_LIMITS": "off",
        "MAIL_WINDOW": "PT0S",
        "UNDO_SECONDS": "0",
        "MAIL_DOMAIN": "play.example",
        "BASE_URL": "https://wardroom.example",
    }
    manual_clock = ManualClock()
    services = assemble(
        load({f"WARDROOM_{name}": value for name, value in given.items()}), clock=manual_clock, durable=False
    )
    migrate.upgrade(services.database)
    tables = Tables(services, manual_clock)
    for name, (shown, zone) in PEOPLE.items():
        tables.rename(name, shown, zone)
        tables.request_code(name)
    with patch("secrets.token_bytes", random.Random(3).randbytes):
        game = tables.open(
            "ann", kind="tammany-hall", seats=4, clock={"per_move": "P3D"}, invite=["zed@friends.example"]
        )
        correspondence = Correspondence(tables, game)
        collect(correspondence)
        tables.sit(game, "bob", "cyd", "dan")
    _lose_a_mail(correspondence)
    _play(correspondence)
    return correspondence


def collect(correspondence: Correspondence) -> None:
    """Deliver, and paste in what was sent."""
    tables, carrier = correspondence.tables, Carrier()
    tables.deliver(carrier)
    rows = {row["message_id"]: row for row in tables.notices(state="sent")}
    phase = tables.phase(correspondence.game) if tables.head(correspondence.game).table.status != "open" else "open"
    correspondence.pages += [Page(rows[letter.message_id], letter, phase) for letter in carrier.letters]


def _lose_a_mail(correspondence: Correspondence) -> None:
    """The first mail that it is somebody's turn comes back: the host is told, and the time runs once more."""
    tables, carrier = correspondence.tables, Carrier()
    carrier.before.append(Refused("550 5.1.1 no such mailbox"))
    tables.deliver(carrier)
    tables.advance(days=3, minutes=11)
    tables.sweep()
    collect(correspondence)


def _play(correspondence: Correspondence) -> None:
    tables, game = correspondence.tables, correspondence.game
    chance = random.Random(12)
    for step in range(LONGEST):
        head = tables.head(game)
        if head.table.status != "running":
            break
        asked = sorted(head.rules.decider.awaiting(head.table.game))
        seat = next((one for one in asked if not _is_silent(head, one)), None)
        if seat is None or step % 40 == 7:
            _let_time_pass(correspondence)
            continue
        legal = head.rules.decider.legal_actions(head.rules.decider.blind(head.table.game, seat), seat).actions
        kind = chance.choice(sorted({type(one).__name__ for one in legal}))
        text = head.rules.notation.write(chance.choice([one for one in legal if type(one).__name__ == kind]))
        tables.advance(minutes=47)
        tables.move(game, seat, text)
        collect(correspondence)
    collect(correspondence)


def _is_silent(head: Any, seat: int) -> bool:
    return seat == list(PEOPLE).index(SILENT) and head.table.game.year >= SILENT_FROM


def _let_time_pass(correspondence: Correspondence) -> None:
    for hours in (49, 18, 6):
        correspondence.tables.advance(hours=hours)
        correspondence.tables.sweep()
        collect(correspondence)
