"""Letters that it is somebody's turn, from the outbox to a mail server: how many a second (P18), and how long it takes
until all are told whose turns begin in one second (P19)."""

import os
import smtplib
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final
from unittest.mock import patch

import sqlalchemy as sa

from bench import ground
from bench.games import SEATS, seated
from bench.rounds import EFFORT, compare
from bench.sink import sink
from service.container import Services
from service.store.outgoing.deliveries import MAIL, deliveries
from workers.letters.board_picture import draw_board
from workers.mail_out.channel import deliver
from workers.mail_out.letter import Letter
from workers.mail_out.transport import Smtp

NAMES: Final = ("anna", "boris", "clara", "dmitri", "elena")
WORKERS: Final = 2


def measure_rate(url: str, kind: str) -> None:
    """Letters a second by one process, without pictures and with such as nobody has drawn before."""
    with sink() as port, filled(url, EFFORT.letters, port) as services:
        for with_pictures in (False, True):
            run = Run(services, with_pictures)
            run.send()  # what the floor sends, too
            title = f"{kind}: your-turn letters {'with new pictures' if with_pictures else 'without pictures'}"
            cells = {"smtplib, the same bytes": run.send_bytes, "one process": run.send}
            compare(f"{title}, {run.size:,.0f} bytes each", "letters/s", cells)
            print(f"  processor time of a letter: {1000 * min(run.spent):.1f} ms at best")


def measure_crowd(url: str, kind: str) -> None:
    """How long many turns that begin at once take to be told by two workers, beside a tenth of them."""
    few, many = (until_told(url, count) for count in (EFFORT.turns // 10, EFFORT.turns))
    print(
        f"\n{kind}: turns that begin at once, until {WORKERS} workers have told the last\n"
        f"  {EFFORT.turns // 10} turns {few:.1f} s, {EFFORT.turns} turns {many:.1f} s, which is "
        f"{many / few / 10:.2f} times as long for each",
        flush=True,
    )


@dataclass(slots=True)
class Run:
    """The same letters again and again, by one process over one connection, and their bytes by the standard library."""

    services: Services
    with_pictures: bool
    sent: list[Letter] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)
    """Seconds of this process, for one letter, in each round."""

    @property
    def size(self) -> float:
        """Bytes of a letter."""
        return sum(len(letter.data) for letter in self.sent) / len(self.sent)

    def send(self) -> float:
        """Letters a second."""
        requeue(self.services)
        self.services.pictures.clear()
        self.sent.clear()
        way = Noting(self.services, self.sent)
        draw = draw_board if self.with_pictures else lambda view: None
        with patch("workers.letters.turn_sections.draw_board", draw):
            start, spent = time.perf_counter(), time.process_time()
            count = deliver(self.services, way, seconds=600)
            took = time.perf_counter() - start
        self.spent.append((time.process_time() - spent) / max(1, count))
        way.close()
        assert count == EFFORT.letters, f"{count} letters were sent of {EFFORT.letters}"
        return count / took

    def send_bytes(self) -> float:
        """The same letters a second by smtplib."""
        server = self.services.settings.smtp_url
        assert server is not None
        start = time.perf_counter()
        with smtplib.SMTP(server.host, server.port) as connection:
            for letter in self.sent:
                connection.sendmail(letter.return_path, [letter.to], letter.data)
        return len(self.sent) / (time.perf_counter() - start)


class Noting(Smtp):
    """A mail server as in production; what went to it is noted."""

    def __init__(self, services: Services, sent: list[Letter]) -> None:
        assert services.settings.smtp_url is not None
        super().__init__(services.settings.smtp_url, services.settings)
        self.sent = sent

    def send(self, letter: Letter) -> None:
        """Hand it over."""
        super().send(letter)
        self.sent.append(letter)


@contextmanager
def filled(url: str, count: int, port: int) -> Iterator[Services]:
    """The service on a database of its own where so many turns wait to be told, with a mail server at a port."""
    name = f"bench_letters_{count}"
    services = ground.migrated(url, name, ground.FLOOR, WARDROOM_SMTP_URL=f"smtp://127.0.0.1:{port}")
    put_turns(services, count)
    yield services
    services.database.close()


def put_turns(services: Services, count: int) -> None:
    """So many games at which the first turn has begun, with people of their own each."""
    people = [people_of(number) for number in range(count)]
    for first in range(0, count, 20):
        with services.database.write() as tx:
            ground.add_players(tx, [name for names in people[first : first + 20] for name in names])
    games = ((f"letter{number:04}", seated(number, people[number])) for number in range(count))
    ground.put_records(services, games)


def people_of(game: int) -> tuple[str, ...]:
    """The ids of the people at a table."""
    return tuple(f"p_{name}{game:0{12 - len(name)}}" for name in NAMES[:SEATS])


def requeue(services: Services) -> None:
    """As if nothing had been sent."""
    again = {"state": "queued", "done_at": None, "message_id": None, "attempts": 0, "log": "[]"}
    with services.database.write() as tx:
        tx.execute(sa.update(deliveries).where(deliveries.c.channel == MAIL).values(**again))


def until_told(url: str, count: int) -> float:
    """Seconds until the last of so many turns is in the mail server's hands, by workers that were there before."""
    with sink() as port, filled(url, count, port) as services:
        settings = ground.environment(services.settings.database_url)
        environ = os.environ | settings | {"WARDROOM_SMTP_URL": f"smtp://127.0.0.1:{port}"}
        command = [sys.executable, "-m", "bench.drain", "--wait"]
        root = Path(__file__).parent.parent
        workers = [
            subprocess.Popen(command, cwd=root, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(WORKERS)
        ]
        for worker in workers:
            _stream(worker.stdout).readline()
        start = time.perf_counter()
        for worker in workers:
            _stream(worker.stdin).write("go\n")
            _stream(worker.stdin).close()
        codes = [worker.wait(600) for worker in workers]
        took = time.perf_counter() - start
        with services.database.read() as connection:
            sent = sa.select(sa.func.count()).where(deliveries.c.channel == MAIL, deliveries.c.state == "sent")
            assert not any(codes), "a worker failed"
            assert connection.execute(sent).scalar_one() == count, "letters were left"
    return took


def _stream(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream
