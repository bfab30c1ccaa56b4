"""Adapters for the shared benchmark scripts: this project's rows beside their floors and peers.

    BENCH_FOLD=bench.adapter:fold    BENCH_STORE=bench.adapter:store    BENCH_DEADLINES=bench.adapter:deadlines
    BENCH_AUDIT=bench.adapter:audit  BENCH_ES=bench.adapter:es          BENCH_NOTIFY=bench.adapter:notify
    BENCH_READ=bench.adapter:read    BENCH_IMPORT=service.app

The moves over HTTP are bench/serve_http.py and bench/moves.lua. bench/README.md says how to run everything, what each
row measures, and what came out.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import Connection
from sqlmodel import SQLModel

from bench import ground
from bench.games import KIND, LAST, LAST_TERM, LAST_TURN, PLAYERS, SEATS, own_versions, seated, whole_game
from bench.letters import put_turns
from domain.engine.canonical import canonical
from domain.engine.game import Event
from domain.history.codec import Stored, history
from domain.history.envelope import GENESIS
from domain.rulesets import ruleset
from domain.table.play import play, settle
from domain.table.record import Record, seat_actor
from domain.tammany_hall.rules.actions import End, Place
from domain.tammany_hall.rules.events import BossesPlaced, TurnBegan, TurnEnded
from domain.tammany_hall.rules.state import State
from service.clocks.seat_clocks import Clocks
from service.container import Services
from service.games import history_queries
from service.games import play as games
from service.games.commit import notice
from service.games.play import Orders
from service.games.views import position
from service.kernel.clock import SECOND
from service.kernel.ids import new_cause
from service.store.clocks import deadline_leases, decisions
from service.store.outgoing import outbox

GAME: Final = "benchgame1"


_decoders: Final = history(KIND).decoders
if any(value.startswith("bench.adapter:") for name, value in os.environ.items() if name.startswith("BENCH_")):
    SQLModel.metadata.clear()  # the shared scripts define tables of the same names; ours work without being listed


class fold:
    """BENCH_FOLD: the whole game without the table's events, folded by the ruleset alone."""

    fold = staticmethod(ruleset(KIND).decider.fold)

    @staticmethod
    def events() -> list[Event]:
        facts = whole_game().facts
        return [facts[version - 1].event for version in own_versions()]

    @staticmethod
    def initial() -> State:
        state: State = ruleset(KIND).decider.initial(SEATS, {})
        return state

    @staticmethod
    def raw() -> list[tuple[str, bytes]]:
        """Rows as the store reads them: type and body."""
        own = set(own_versions())
        return [(one.type, one.body) for one in stored() if one.version in own]

    @staticmethod
    def decode(row: tuple[str, bytes]) -> Event:
        """What `History.read` does, without a call around that call."""
        name, body = row
        event: Event = _decoders[name](body).data
        return event


def stored() -> Iterator[Stored]:
    """The whole game in stored form: canonical bytes, chained."""
    previous = GENESIS
    for version, fact in enumerate(whole_game().facts, 1):
        one = history(KIND).store(
            GAME,
            version,
            fact,
            cause="0123456789abcdef",
            at="2026-11-21T12:00:00.123456Z",
            previous=previous,
            salt=lambda: bytes(32),
        )
        yield one
        previous = one.hash


def exported() -> list[bytes]:
    """The whole game as an export with every leaf open."""
    lines, last = [], GENESIS
    for one in stored():
        sealed = [
            {"for": leaf.owner, "commitment": leaf.commitment, "data": leaf.data, "salt": leaf.salt.hex()}
            for leaf in one.leaves
        ]
        lines.append(canonical({**msgspec.json.decode(one.body), "sealed": sealed, "hash": one.hash}))
        last = one.hash
    return [*lines, canonical({"end": {"version": len(lines), "hash": last}})]


class audit:
    """BENCH_AUDIT (P12): the hash chain over the stored rows of the whole game."""

    @staticmethod
    def prepare(url: str) -> Services:
        services = ground.migrated(url, "bench_audit", ground.FLOOR)
        ground.put_game(services, GAME, whole_game(), LAST)
        return services

    @staticmethod
    def verify(services: Services) -> int:
        with services.database.read() as connection:
            services.streams.require_chain(connection, GAME, LAST, services.streams.head(connection, GAME).hash)
            return LAST


class audit_replay(audit):
    """BENCH_AUDIT (P12b): the chain, and the log folded again to the state beside the head."""

    @staticmethod
    def verify(services: Services) -> int:
        with services.database.read() as connection:
            head = services.streams.head(connection, GAME)
            table = services.streams.table_proved(connection, GAME, head.rules, LAST, head.hash)
            assert msgspec.to_builtins(table) == msgspec.to_builtins(head.table), "the state is not what the log says"
        return LAST


class audit_report(audit):
    """BENCH_AUDIT: what GET /audit does: chain, every leaf, every draw made again, replay, all from the export."""

    @staticmethod
    def verify(services: Services) -> int:
        with services.database.read() as connection:
            report = history_queries.report(services, connection, services.streams.head(connection, GAME), None)
        assert report.ok, report.checks
        return report.events


class read:
    """BENCH_READ (P11): head with its state, names, deadlines, and the document one seat may see.

    Nobody can play 5,000 events, so there the log is filled with facts of the same game, and the state is event 497's.
    """

    @staticmethod
    def prepare(url: str, length: int) -> Services:
        services = ground.migrated(url, f"bench_read_{length}", ground.FLOOR)
        record = ground.stretched(whole_game(), min(length, LAST_TURN), length)
        with services.database.write() as tx:
            ground.put_record(services, tx, GAME, record)
        return services

    @staticmethod
    def read(services: Services) -> dict[str, Any]:
        with services.database.read() as connection:
            return position(connection, services.streams.head(connection, GAME), 1)


def store(url: str, setup: int = 0) -> Callable[[int, Sequence[str]], None] | None:
    """BENCH_STORE (P4): one move below the rules: lock and open the head, append three facts, move the state, change
    who owes what, and tell two people."""
    if setup:
        services = ground.migrated(url, "bench_store", ground.FLOOR)
        ground.put_records(services, ((f"game-{number}", seated(1)) for number in range(1, setup + 1)))
        services.database.close()
        return None
    services = ground.services(ground.beside(url, "bench_store"), ground.FLOOR)

    def move(number: int, payloads: Sequence[str]) -> None:
        with services.database.write() as tx:
            append_three(services, tx, f"game-{number}")

    return move


def append_three(services: Services, tx: Connection, game: str) -> None:
    """A placement, the end of the turn and the beginning of the next, whatever the rules say to it."""
    head = services.streams.lock(tx, game)
    seat = head.table.game.seat
    after = (seat + 1) % SEATS
    record = Record(head.table, head.rules)
    record.add(seat_actor(seat), BossesPlaced(seat, [14, 14]), TurnEnded(seat), TurnBegan(after, False))
    clocks = Clocks(tx, head, record)
    clocks.ask([seat], {after: head.rules.decider.decision(record.table.game)})
    record.set_due(clocks.due())
    with services.database.together(tx):
        services.streams.append(tx, head, record.facts, record.table, new_cause(services.entropy))
        decisions.drop(tx, game, seat)
        decisions.add(tx, **msgspec.structs.asdict(clocks.begun[after]))
        told = [(after, "your-turn"), (seat, "bench")]
        outbox.put(tx, [notice(head, PLAYERS[seat], kind, str(head.version), seat) for seat, kind in told])


@dataclass(slots=True)
class Season:
    """Many copies of a game about to begin its last term, and the moves to play in each: the same in all."""

    services: Services
    moves: list[tuple[str, Orders]]
    played: int = 0

    def next_move(self) -> tuple[str, str, Orders]:
        """A game, a player and a legal move of his."""
        copy, number = divmod(self.played, len(self.moves))
        self.played += 1
        return f"season-{copy}", *self.moves[number]


def season(url: str, copies: int, synchronous: str) -> Season:
    """So many copies in a new database, and the whole game beside them."""
    services = ground.migrated(url, "bench_es", synchronous)
    ground.put_game(services, GAME, whole_game(), LAST)
    last_term = ground.stretched(whole_game(), LAST_TERM, 490)
    ground.put_records(services, ((f"season-{number}", last_term) for number in range(copies)))
    return Season(services, last_term_moves())


class es:
    """BENCH_ES (P3, P8): `append` is one legal move of about three events, from the database and back to it."""

    @staticmethod
    def prepare(url: str) -> Season:
        return season(url, int(os.environ.get("BENCH_ES_COPIES", "600")), ground.PEER)

    @staticmethod
    def append(season: Season) -> int:
        game, player, orders = season.next_move()
        with season.services.database.write() as tx:
            return len(games.move(season.services, tx, game, player, orders).stored)

    @staticmethod
    def replay(season: Season) -> int:
        services = season.services
        with services.database.read() as connection:
            return services.streams.table_at(connection, GAME, ruleset(KIND), LAST).version


def last_term_moves() -> list[tuple[str, Orders]]:
    """A turn each for the seats until the last election: place the bosses there are, and end."""
    rules = ruleset(KIND)
    table = whole_game().table(LAST_TERM)
    moves: list[tuple[str, Orders]] = []
    while table.status == "running" and table.game.phase == "turn":
        seat = table.game.seat
        legal = rules.decider.legal_actions(rules.decider.blind(table.game, seat), seat).actions
        actions = [*[action for action in legal if isinstance(action, Place)][-1:], End()]
        record = Record(table, rules)
        play(record, seat, actions)
        settle(record, seat_actor(seat))
        table = record.table
        sent = [msgspec.to_builtins(action) for action in actions]
        moves.append((PLAYERS[seat], Orders(actions=sent)))
    return moves


@dataclass(slots=True)
class Sweep:
    """A sweep that leases one batch of deadlines after the other, each from where the last one ended."""

    services: Services
    last: int = 0


class deadlines:
    """BENCH_DEADLINES (P13): lease the answers whose time is over."""

    @staticmethod
    def prepare(url: str, length: int) -> Sweep:
        services = ground.migrated(url, f"bench_deadlines_{length}", ground.FLOOR)
        numbers = (
            f"(WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < {length}) SELECT i FROM c) AS n"
            if services.database.is_sqlite
            else f"generate_series(1, {length}) AS n(i)"
        )
        ground.run_bare(
            services.settings.database_url,
            "INSERT INTO decisions (game_id, seat, decision, since, player_id, began_at, due_at, acts_at, extended,"
            " remind_at) SELECT 'game-' || i, 0, 'turn-1-0', 9, 'p_' || (i / 5), 0, i, i, false, i"
            f" FROM {numbers}",
            "ANALYZE" if services.database.is_sqlite else "VACUUM ANALYZE decisions",
        )
        return Sweep(services)

    @staticmethod
    def claim(sweep: Sweep, limit: int) -> int:
        now = time.time_ns() // 1000
        with sweep.services.database.write() as tx:
            passed = deadline_leases.claim(tx, now, now + 20 * SECOND, limit, sweep.last)
        sweep.last = passed[-1].acts_at
        return len(passed)


class notify:
    """BENCH_NOTIFY (P14): whole your-turn letters of new games, composed and sent by two worker processes.

    On BENCH_NOTIFY_URL, by default a SQLite file with the pragmas of the floors.
    """

    @staticmethod
    def prepare(count: int, host: str, port: int) -> tuple[str, str]:
        url = os.environ.get("BENCH_NOTIFY_URL", "sqlite:////tmp/bench-sqlite/bench.sqlite")
        services = ground.migrated(url, "notify", ground.FLOOR)
        put_turns(services, count)
        services.database.close()
        return ground.beside(url, "notify"), f"smtp://{host}:{port}"

    @staticmethod
    def drain(handle: tuple[str, str]) -> None:
        url, smtp = handle
        environ = os.environ | ground.environment(url) | {"WARDROOM_SMTP_URL": smtp}
        command = [sys.executable, "-m", "bench.drain"]
        workers = [subprocess.Popen(command, env=environ) for _ in range(2)]
        codes = [worker.wait() for worker in workers]
        if any(codes):
            raise RuntimeError("a worker failed")
