"""A database to measure on: made anew, migrated, and filled with tables and games."""

import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, Final

import psycopg
import sqlalchemy as sa
from psycopg import sql
from sqlalchemy import Connection, make_url

from bench.games import PLAYERS, Played
from config.settings import load
from domain.table.evolve import Rules, copy
from domain.table.record import Fact, Record
from domain.table.state import Table
from service.container import Services, assemble
from service.games.commit import commit
from service.kernel.ids import digest
from service.store import engines
from service.store.event_store.streams import Head
from service.store.people.players import players
from service.store.people.tokens import tokens
from service.store.structure import migrate

AS_DEPLOYED: Final = os.environ.get("BENCH_AS_DEPLOYED") == "1"
"""SQLite everywhere under the pragmas the service itself sets."""
FLOOR: Final = "NORMAL"
"""`synchronous` of the shared floors on SQLite, which run in WAL mode: quicker and less durable than the service."""
PEER: Final = "FULL"
"""The same of the peers."""


def beside(url: str, name: str) -> str:
    """Another database at the same place: a SQLite file, or a PostgreSQL database called `name`."""
    if url.startswith("sqlite"):
        path = Path(url.removeprefix("sqlite:///"))
        return f"sqlite:///{path.with_name(f'{path.stem}_{name}.sqlite')}"
    return make_url(url).set(database=name).render_as_string(hide_password=False)


def empty(url: str, name: str) -> str:
    """The same, without anything in it."""
    made = beside(url, name)
    if made.startswith("sqlite"):
        path = Path(made.removeprefix("sqlite:///"))
        path.parent.mkdir(parents=True, exist_ok=True)
        for suffix in ("", "-wal", "-shm", "-journal", ".ticket"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        return made
    with psycopg.connect(plain(url), autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return made


def plain(url: str) -> str:
    """The URL as psycopg reads it."""
    return url.replace("postgresql+psycopg://", "postgresql://", 1)


def environment(url: str) -> dict[str, str]:
    """The variables of a service on this database: everything else is as by default."""
    return {
        "WARDROOM_DATA_DIR": os.environ.get("BENCH_SQLITE_DIR", "/tmp/bench-sqlite"),
        "WARDROOM_DATABASE_URL": url,
        "WARDROOM_SECRET_KEY": "benchmark" * 5,
        "WARDROOM_LOG_LEVEL": "info",
    }


def services(url: str, synchronous: str | None = None, **variables: str) -> Services:
    """The service on this database.

    `synchronous` puts SQLite into WAL mode at that level, as the floors have it: to compare like with like. Without it
    the service sets what it always does (PERFORMANCE 4: a goal counts under the pragmas of the deployment).
    """
    if synchronous and not AS_DEPLOYED:
        in_wal_mode()
    made = assemble(load(environment(url) | variables))
    if synchronous and not AS_DEPLOYED and made.database.is_sqlite:
        set_synchronous(made.database.engine, synchronous)
    return made


def in_wal_mode() -> None:
    """Let this process open SQLite files in WAL mode, whatever SQLite it has."""
    engines.sqlite_journal = lambda: "WAL"


def set_synchronous(engine: sa.Engine, level: str) -> None:
    """Let every new SQLite connection have this level, after the service's own."""

    @sa.event.listens_for(engine, "connect")
    def _connected(connection: Any, _: object) -> None:
        connection.execute(f"PRAGMA synchronous={level}")


def migrated(url: str, name: str, synchronous: str | None = None, **variables: str) -> Services:
    """The service on a new database with its tables, and the five players of the benchmarks in it."""
    made = services(empty(url, name), synchronous, **variables)
    migrate.upgrade(made.database)
    with made.database.write() as tx:
        add_players(tx, PLAYERS)
    return made


def token_of(player: str) -> str:
    """The token this player has in a benchmark."""
    return f"wr_{player}"


def add_players(tx: Connection, names: Sequence[str]) -> None:
    """People with a token each."""
    tx.execute(
        sa.insert(players),
        [
            {
                "id": name,
                "name": name.removeprefix("p_"),
                "email": f"{name}@example.org",
                "email_key": f"{name}@example.org",
                "timezone": "UTC",
                "language": "en",
                "mail": True,
                "created_at": 0,
                "verified_at": 0,
            }
            for name in names
        ],
    )
    tx.execute(
        sa.insert(tokens),
        [
            {"digest": digest(token_of(name)), "id": f"t_{name}", "player_id": name, "label": "", "created_at": 0}
            for name in names
        ],
    )


def put_record(made: Services, tx: Connection, game: str, record: Record) -> Head:
    """Store a record that begins with an empty table, with everything that goes with a command."""
    head = made.streams.create(tx, game, record.rules.kind, made.database.clock.now(tx))
    commit(made, tx, head, record)
    return head


def put_records(made: Services, records: Iterable[tuple[str, Record]]) -> None:
    """Store many, a few in each transaction: the service ends one that takes too long."""
    left = iter(records)
    while some := list(islice(left, 20)):
        with made.database.write() as tx:
            for game, record in some:
                put_record(made, tx, game, record)


def run_bare(url: str, *statements: str) -> None:
    """Run statements outside any transaction and without the limits of requests."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)
    else:
        with psycopg.connect(plain(url), autocommit=True) as server:
            for statement in statements:
                server.execute(statement)


def put_game(made: Services, game: str, played: Played, version: int) -> Head:
    """Store a game as it stood after event `version`."""
    record = Record(Table(), played.rules)
    for fact in played.facts[:version]:
        record.add(fact.actor, fact.event, text=fact.text)
    with made.database.write() as tx:
        return put_record(made, tx, game, record)


class Stretched(Record):
    """A record whose log is longer than the game in it: facts of the game are repeated in front of the last one."""

    def __init__(self, rules: Rules, known: Sequence[Fact], table: Table, length: int) -> None:
        super().__init__(Table(), rules)
        own = set(rules.decider.events.values())
        filler = [fact for fact in known if type(fact.event) in own and not fact.event.SEALED and not fact.event.OPENS]
        middle = (filler[number % len(filler)] for number in range(length - len(known)))
        self.facts = [*known[:-1], *middle, known[-1]]
        self.table = copy(table, rules)
        self.table.version = len(self.facts)


def stretched(played: Played, version: int, length: int) -> Stretched:
    """The game as it stood after event `version`, with a log of this length."""
    return Stretched(played.rules, played.facts[:version], played.table(version), length)
