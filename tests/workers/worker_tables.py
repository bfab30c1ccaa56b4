"""Tables whose workers the test runs: it moves the clock, and a carrier keeps or loses the letters that leave."""

import random
from collections import Counter, deque
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from domain.engine.game import Seat
from service.accounts import people, sign_in
from service.container import Services
from service.kernel.clock import Clock, micros
from service.kernel.fault_points import faults
from service.store.outgoing.outbox import outbox
from service.store.people.sign_ins import sign_ins
from tests.databases import BOTH
from tests.notices import notice_in
from tests.service.store.service_tables import ServiceTables
from workers.mail_out.channel import deliver
from workers.mail_out.compose import compose
from workers.mail_out.letter import Letter
from workers.mail_out.transport import Transport
from workers.sweep import sweep_deadlines, sweep_reminders

NOON = datetime(2031, 3, 4, 12, 0, tzinfo=UTC)


class ManualClock(Clock):
    """A clock that stands still until the test moves it."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = int(at.timestamp()) * 1_000_000
        self.meanwhile: Callable[[], None] = lambda: None
        """What goes on while time passes: a service that runs was swept all along."""

    def now(self, connection: sa.Connection | None = None) -> int:
        return self.at

    def counted(self) -> int:
        return self.at

    def advance(self, **span: float) -> None:
        self.at += micros(timedelta(**span))
        self.meanwhile()


class Died(BaseException):
    """As if the process had been killed here: nothing in the code under test catches it."""


class Carrier:
    """Takes letters and keeps them; before or after taking one it may come to grief, as told."""

    name = "carrier"

    def __init__(self) -> None:
        self.letters: list[Letter] = []
        self.before: deque[Exception | None] = deque()

    def send(self, letter: Letter) -> None:
        if self.before and (mishap := self.before.popleft()) is not None:
            raise mishap
        self.letters.append(letter)

    def close(self) -> None:
        """Nothing is open."""

    def kinds(self) -> Counter[str]:
        return Counter(letter.message_id.strip("<").partition(".")[0] for letter in self.letters)

    def letters_to(self, name: str) -> list[Letter]:
        return [letter for letter in self.letters if letter.to == f"{name}@people.example"]


def dying(point: str, number: int = 1, error: BaseException | None = None) -> Callable[[str], None]:
    """A fault that strikes when this point is reached for the n-th time, once."""
    reached: Counter[str] = Counter()

    def fault(name: str) -> None:
        reached[name] += 1
        if name == point and reached[name] == number:
            raise error or Died(point)

    return fault


class WorkerTables(ServiceTables):
    """ServiceTables with a clock that the test moves, and with letters that leave and deadlines that pass on demand."""

    def __init__(self, services: Services, manual_clock: Clock) -> None:
        super().__init__(services)
        self.clock: Any = manual_clock
        self.clock.meanwhile = self.record_sweep
        self.carrier = Carrier()
        self.spoiled: dict[str, dict[str, bytes]] = {}

    def record_sweep(self) -> None:
        """Somebody swept until now: what follows is no return after an outage."""
        self.execute("UPDATE heartbeats SET at = :now WHERE name = 'sweep'", now=self.clock.at)

    def advance(self, **span: float) -> None:
        """Time passes, and nothing is swept meanwhile."""
        self.clock.advance(**span)

    def deliver(self, way: Transport | None = None, fault: Callable[[str], None] = lambda _: None, **more: Any) -> int:
        with faults(fault):
            return deliver(self.services, way or self.carrier, **more)

    def sweep(self) -> int:
        """Deadlines, then reminders. How many of both acted."""
        return sweep_deadlines(self.services) + sweep_reminders(self.services)

    def notices(self, **where: Any) -> list[dict[str, Any]]:
        """Rows of the outbox, oldest first."""
        found = sa.select(outbox).where(*(outbox.c[name] == value for name, value in where.items()))
        with self.services.database.read() as connection:
            return [dict(row) for row in connection.execute(found.order_by(outbox.c.id)).mappings()]

    def states(self, **where: Any) -> Counter[str]:
        return Counter(row["state"] for row in self.notices(**where))

    def compose(self, row: dict[str, Any]) -> Letter:
        """The letter of a notice. Raises Superseded."""
        with self.services.database.read() as connection:
            return compose(self.services, connection, notice_in(row))

    def execute(self, statement: str, **values: Any) -> None:
        """Change the database behind the back of the service."""
        with self.services.database.write() as tx:
            tx.execute(sa.text(statement), values)

    def change_profile(self, who: str, /, **profile: Any) -> None:
        with self.services.database.write() as tx:
            people.change_profile(tx, self.ids[who], profile)

    def rename(self, name: str, shown: str, timezone: str = "UTC") -> str:
        """A person whose name on the table is not the name in their address."""
        identity = self.player(name)
        self.change_profile(name, name=shown, timezone=timezone)
        return identity

    def request_code(self, name: str) -> None:
        self.player(name)
        with self.services.database.write() as tx:
            sign_in.ask(self.services, tx, f"{name}@people.example")
        sign_in.post_codes(self.services)

    def code_of(self, letter: Letter) -> str:
        return text_of(letter).partition("Your code for Wardroom: ")[2].split()[0]

    def valid_codes(self) -> int:
        with self.services.database.read() as connection:
            return connection.execute(sa.select(sa.func.count()).select_from(sign_ins)).scalar_one()

    def lose_key(self, game: str) -> None:
        """This game cannot be opened any more, for its key is lost."""
        self.spoiled[game] = {}
        for table, key in (("games", "id"), ("leaves", "game_id")):
            column = "state" if table == "games" else "sealed"
            one = f"{key} = :game" if table == "games" else "game_id = :game AND version = 1"
            with self.services.database.read() as connection:
                found = connection.execute(sa.text(f"SELECT {column} FROM {table} WHERE {one}"), {"game": game})
                self.spoiled[game][f"UPDATE {table} SET {column} = :was WHERE {one}"] = found.scalar_one()
            self.execute(f"UPDATE {table} SET {column} = :junk WHERE {one}", junk=bytes(64), game=game)

    def restore_key(self, game: str) -> None:
        """The key is found."""
        for statement, was in self.spoiled.pop(game).items():
            self.execute(statement, was=was, game=game)

    def awaited(self, game: str) -> list[Seat]:
        head = self.head(game)
        return sorted(head.rules.decider.awaiting(head.table.game)) if head.table.status == "running" else []

    def legal(self, game: str, seat: Seat) -> list[str]:
        """What a seat may do, in the notation."""
        head = self.head(game)
        actions = head.rules.decider.legal_actions(head.rules.decider.blind(head.table.game, seat), seat).actions
        return [head.rules.notation.write(action) for action in actions]

    def play_on(self, game: str, seed: int = 0) -> None:
        """Whoever is asked first does something."""
        head = self.head(game)
        seat = self.awaited(game)[0]
        legal = self.legal(game, seat)
        chance = random.Random(f"{seed}-{head.version}")
        kind = chance.choice(sorted({text.split()[0] for text in legal}))
        self.move(game, seat, chance.choice([text for text in legal if text.split()[0] == kind]))

    def phase(self, game: str) -> str:
        head = self.head(game)
        return (
            head.rules.decider.decision(head.table.game).partition("-")[0] if head.table.status == "running" else "over"
        )


READING = policy.default.clone(header_factory=lru_cache(10_000)(policy.default.header_factory))
"""The library parses a header each time it is asked for one, which for the type of a part it does over and over."""


@cache
def parsed(letter: Letter | bytes) -> EmailMessage:
    return message_from_bytes(letter if isinstance(letter, bytes) else letter.data, policy=READING)


@cache
def text_of(letter: Letter | bytes) -> str:
    """The plain text a player reads."""
    part = parsed(letter).get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


@cache
def html_of(letter: Letter | bytes) -> str:
    part = parsed(letter).get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


# Fixtures


@pytest.fixture
def manual_clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(params=BOTH)
def tables(
    request: pytest.FixtureRequest, open_services: Callable[..., Services], manual_clock: ManualClock
) -> WorkerTables:
    """Tables on each database."""
    url = request.getfixturevalue(f"migrated_{request.param}")
    return WorkerTables(open_services(url, clock=manual_clock), manual_clock)


@pytest.fixture
def sqlite_tables(
    migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock
) -> WorkerTables:
    """Tables on SQLite, for what does not depend on the database."""
    return WorkerTables(open_services(migrated_sqlite, clock=manual_clock), manual_clock)


ROOT = Path(__file__).parents[2]
