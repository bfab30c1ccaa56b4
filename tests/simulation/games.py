"""Everything that is known of one game: what the database has, what the sink has, what its clocks had to be."""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from domain.table.evolve import Rules, copy
from service.container import Services
from service.store.outgoing.outbox import outbox as mails
from tests.service.store.service_tables import micros
from tests.simulation.ledger import Book, Commit, Run, commits
from tests.simulation.told import Told

Row = dict[str, Any]


class Letters:
    """The sink, and what befell those who handed letters over."""

    def __init__(self, file: Path) -> None:
        self.of_game: dict[str, list[Row]] = defaultdict(list)
        before: dict[int, Row] = {}
        self.faults: Counter[str] = Counter()
        for line in map(json.loads, file.read_text().splitlines() if file.exists() else ()):
            last = before.get(line["worker"])
            if "what" in line:
                self.faults[line["what"]] += 1
                if last is not None:
                    last["hit"] = True
            else:
                line["hit"] = last is not None and last.get("what") == "thawed"
                self.of_game[line["game_id"]].append(line)
            before[line["worker"]] = line


@dataclass(slots=True)
class Game:
    """Everything that is known of one game."""

    id: str
    rules: Rules
    folds: bool  # the state beside its head is the fold of its log
    commits: list[Commit]
    book: Book
    events: list[Any]
    stored: list[Any]
    outbox: list[Row]
    owed: list[Row]
    letters: list[Row]
    runs: dict[tuple[int, int], Run]


def read_game(services: Services, told: Told, letters: Letters, span: tuple[int, int], game: str) -> Game:
    """A game as the database has it, and the book of its clocks as they had to be."""
    with services.database.read() as connection:
        head = services.streams.head(connection, game)
        stored = _rows(
            connection, "SELECT version, type, body, hash FROM events WHERE game_id = :id ORDER BY version", game
        )
        events = list(services.streams._typed(connection, game, head.rules, 0, head.version, lambda *_: True))
        outbox = _mails(connection, game)
        owed = _rows(connection, "SELECT * FROM decisions WHERE game_id = :id", game)
    causes = [(one["cause"], micros(one["at"])) for one in (msgspec.json.decode(row["body"]) for row in stored)]
    policy, _ = told.openings[game]
    book = Book(policy, span, told.leaves, told.outages)
    requests = list(commits(head.rules, events, causes))
    _keep_book(book, requests, told)
    folds = copy(head.table, head.rules) == requests[-1].table
    runs = {(run.seat, run.since): run for run in book.runs}
    return Game(game, head.rules, folds, requests, book, events, stored, outbox, owed, letters.of_game[game], runs)


def _keep_book(book: Book, requests: Sequence[Commit], told: Told) -> None:
    """Requests, outages and announcements of leave, in the order in which they happened."""
    besides = [(ended, 0, (began, ended)) for began, ended in told.outages]
    besides += [(leave.at, 1, leave.who) for leave in told.leaves]  # type: ignore[misc]
    waiting = sorted(besides, key=lambda one: one[:2])
    asked: dict[int, str] = {}
    for request in requests:
        while waiting and waiting[0][:2] <= (request.at, 0):
            _besides(book, waiting.pop(0))
        book.follow(request, asked)
        asked = request.asked
    for one in waiting:
        _besides(book, one)


def _besides(book: Book, one: Any) -> None:
    at, what, more = one
    if what == 0:
        book.credit(*more)
    else:
        book.announce(at, f"p_{more:08d}")


def _mails(connection: sa.Connection, game: str) -> list[Row]:
    found = sa.select(mails).where(mails.c.game_id == game)
    return [dict(row) for row in connection.execute(found).mappings()]


def _rows(connection: sa.Connection, query: str, game: str) -> list[Row]:
    return [dict(row) for row in connection.execute(sa.text(query), {"id": game}).mappings()]
