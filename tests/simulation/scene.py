"""Where it takes place: a migrated database with people in it, a clock, and the service as each process has it."""

import argparse
import os
import random
import shutil
import tempfile
import zoneinfo
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Final

from config.logging import configure
from config.settings import Settings, load
from domain.rulesets import RULESETS
from service.container import Services, assemble
from service.kernel.clock import SECOND, Clock
from service.mail.development_mailbox import Folder
from service.store.structure import migrate
from tests.domain.table.pennies import PENNIES
from tests.servers import PostgresServer
from tests.simulation import seeded
from tests.simulation.faults import Faults
from tests.simulation.habits import MINUTE
from tests.simulation.moment import Moment, OfTheProcess, OfTheServer, fake_server_clock
from tests.simulation.players import Deed, done, play
from tests.simulation.sink import Sink
from tests.simulation.worker import told as teller
from tests.simulation.worker import work
from tests.simulation.world import Opening, Person, settle_down
from workers.mail_out.channel import deliver
from workers.mail_out.transport import Mailbox
from workers.sweep import sweep_deadlines, sweep_reminders

WRONG: Final = (10 * MINUTE, -10 * MINUTE, 7 * MINUTE, -3 * MINUTE)
"""By how much each worker's own clock is wrong (F-42)."""


@dataclass(slots=True)
class Scene:
    """Where it takes place. `room` is never used but in forks: they find its statements compiled."""

    url: str
    folder: Path
    moment: Moment
    seed: str
    bug: str
    services: Services

    def mine(self, wrong: int = 0) -> Services:
        """The service in a process just forked, whose own clock is wrong by so much."""
        self.services.database.forked()
        self.services.database.clock = self._clock(wrong)
        self.services.clock_guard.wall = None
        return self.services

    def _clock(self, wrong: int) -> Clock:
        if self.bug == seeded.OWN_CLOCK:
            return OfTheProcess(self.moment, wrong // 3)  # more would look like an outage, and clocks be credited
        return OfTheProcess(self.moment) if self.url.startswith("sqlite") else OfTheServer(self.moment, wrong)

    def works(self, number: int, pipe: Pipe) -> None:
        """A worker process."""
        seeded.plant(self.bug)
        services = self.mine(WRONG[number % len(WRONG)])
        faults = Faults(f"{self.seed} {number} {os.getpid()}", self.moment, lambda what: tell(what), rough(self.bug))
        sink = Sink(services, self.folder / "sink.ndjson", number, faults)
        tell = teller(pipe, lambda what: sink.note(faults.last if what == "frozen" else what))
        work(services, pipe, sink, faults)

    def plays(self, number: int, pipe: Pipe) -> None:
        """A process of players."""
        seeded.plant(self.bug)
        play(self.mine(), pipe, f"{self.seed} {number}")


@contextmanager
def scene(args: argparse.Namespace) -> Iterator[Scene]:
    """A migrated database with people in it, and the clock set to the start."""
    RULESETS[PENNIES.kind] = PENNIES  # type: ignore[index]
    zoneinfo.reset_tzpath(())  # the pinned tzdata, not the host's
    start = int(datetime.fromisoformat(args.start).timestamp()) * SECOND
    with ExitStack() as stack:
        shared = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        folder = Path(tempfile.mkdtemp(prefix="wardroom-deadlines-", dir=shared))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        url = f"sqlite:///{folder}/simulated.sqlite"
        if args.database == "postgres":
            url = stack.enter_context(PostgresServer()).create()
        moment = Moment(start)
        services = assemble(settings_of(url, folder), clock=OfTheProcess(moment), durable=False)
        migrate.upgrade(services.database)
        settle_down(services, people_of(args))
        warm_up(services)
        if args.database == "postgres":
            fake_server_clock(url)
        yield Scene(url, folder, moment, str(args.seed), args.bug, services)


def settings_of(url: str, folder: Path) -> Settings:
    """As by default, but for where things are."""
    values = {
        "DATA_DIR": str(folder), "DATABASE_URL": url, "SECRET_KEY": "simulated" * 5, "LOG_LEVEL": "error",
        "POOL_SIZE": "3",
    }  # fmt: skip
    settings = load({f"WARDROOM_{name}": value for name, value in values.items()})
    configure(settings)
    return settings


def warm_up(services: Services) -> None:
    """Play a game to its end and deliver its mail: whoever is forked from here need not compile those statements."""
    people = [Person(0), Person(1)]
    for deed in (Deed("open", more={"opening": Opening("pennies", "plain", people), "rounds": "1"}),):
        _, came, game = done(services, deed, random.Random(0))
        assert came == "done", came
    for seat in (0, 1, 0, 1):
        done(services, Deed("answer", game, seat, more={"any": True}), random.Random(0))
    sweep_deadlines(services)
    sweep_reminders(services)
    deliver(services, Mailbox(Folder(services.settings.data_dir / "warm")))


def rough(bug: str) -> int:
    """How much more common what is rare is made, so that a short run with a bug in it comes upon it."""
    return 12 if bug else 1


def people_of(args: argparse.Namespace) -> int:
    """How many play."""
    return max(60, int(args.deadlines // 14))
