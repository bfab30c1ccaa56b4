"""What nothing can undercut: a fold in place over plain lists, and a move's own statements by the bare driver."""

import sqlite3
import time
from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec
import psycopg

from bench.ground import FLOOR, plain
from domain.engine.canonical import canonical

# A made-up game: five seats of three counters, fifteen wards of five pawns and four cubes, in lists.


class Placed(msgspec.Struct, frozen=True, tag="placed"):
    """A pawn and a cube came into a ward."""

    seat: int
    ward: int
    cube: int


class Scored(msgspec.Struct, frozen=True, tag="scored"):
    """A ward was won; its pawns left."""

    seat: int
    ward: int


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """A turn is over."""

    seat: int


Made = Placed | Scored | Ended


class Envelope(msgspec.Struct):
    """As much around an event as the service keeps."""

    actor: dict[str, int]
    at: str
    cause: str
    data: Made
    game: str
    previous: str
    schema: Literal[1]
    sealed: list[str]
    version: int


State = tuple[list[list[int]], list[list[int]], list[list[int]]]


def first_state() -> State:
    """Pawns and cubes by ward, counters by seat."""
    return [[0] * 5 for _ in range(15)], [[0] * 4 for _ in range(15)], [[0] * 3 for _ in range(5)]


def _placed(state: State, event: Placed) -> None:
    state[0][event.ward][event.seat] += 1
    state[1][event.ward][event.cube] += 1
    state[2][event.seat][0] += 1


def _scored(state: State, event: Scored) -> None:
    state[0][event.ward] = [0] * 5
    state[2][event.seat][1] += 1


def _ended(state: State, event: Ended) -> None:
    state[2][event.seat][2] += 1


HANDLERS: Final[dict[type, Callable[[State, Any], None]]] = {Placed: _placed, Scored: _scored, Ended: _ended}
decode: Final = msgspec.json.Decoder(Envelope).decode


def made_up_game(length: int) -> list[Made]:
    """So many facts: two placements, a score, the end of a turn, over and over."""
    kinds: list[Callable[[int], Made]] = [
        lambda n: Placed(n % 5, n % 15, n % 4),
        lambda n: Placed(n % 5, n * 7 % 15, n % 4),
        lambda n: Scored(n % 5, n % 15),
        lambda n: Ended(n % 5),
    ]
    return [kinds[number % 4](number) for number in range(length)]


def body(event: Made, version: int) -> bytes:
    """The event in its envelope."""
    envelope = Envelope(
        {"seat": event.seat}, "2026-11-21T12:00:00.123456Z", "c" * 16, event, "g" * 10, "0" * 64, 1, [], version
    )
    return canonical(msgspec.to_builtins(envelope))


def fold(state: State, events: list[Made]) -> State:
    """The state after them; it is changed in place."""
    for event in events:
        HANDLERS[type(event)](state, event)
    return state


# The move's own statements.

HEAD: Final = "SELECT ruleset, version, hash, last_at, state FROM games WHERE id = ?"
EVENT: Final = "INSERT INTO events (game_id, version, type, body, hash) VALUES (?, ?, ?, ?, ?)"
MOVE: Final = (
    "UPDATE games SET status = ?, version = ?, hash = ?, last_at = ?, state = ?, host = ? WHERE id = ? AND version = ?"
)
DROP: Final = "DELETE FROM decisions WHERE game_id = ? AND seat = ?"
OWE: Final = (
    "INSERT INTO decisions (game_id, seat, decision, since, player_id, began_at, due_at, acts_at, extended, remind_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
TELL: Final = (
    "INSERT INTO notices (recipient, game_id, kind, decision, seat, version, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id"
)
DELIVER: Final = (
    "INSERT INTO deliveries (notice_id, channel, target, recipient, game_id, kind, version, created_at, state,"
    " not_before, lease_until, attempts, log) VALUES (?, 'mail', '', ?, ?, ?, ?, ?, 'queued', ?, 0, 0, '[]')"
)
SEAT: Final = "SELECT seat FROM decisions WHERE game_id = ?"
BODY: Final = "x" * 330
HASH: Final = "0" * 64


class Driver:
    """One connection without anything on top, in WAL mode where it is SQLite."""

    def __init__(self, url: str) -> None:
        self.connection: Any
        self.is_sqlite = url.startswith("sqlite")
        if self.is_sqlite:
            path = url.removeprefix("sqlite:///")
            self.connection = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
            pragmas = ("journal_mode=WAL", f"synchronous={FLOOR}", "foreign_keys=ON", "recursive_triggers=ON")
            for pragma in pragmas:
                self.connection.execute(f"PRAGMA {pragma}")
        else:
            self.connection = psycopg.connect(plain(url))

    def run(self, sql: str, values: tuple[Any, ...]) -> Any:
        """Run one statement."""
        return self.connection.execute(sql if self.is_sqlite else sql.replace("?", "%s"), values)

    def head(self, game: str) -> tuple[Any, ...]:
        """Read the head of a game."""
        row: tuple[Any, ...] = self.run(HEAD, (game,)).fetchone()
        if not self.is_sqlite:
            self.connection.commit()
        return row

    def move(self, game: str, seat: int | None = None) -> int:
        """What a move of three facts and two notices writes, with the seat that owed it. Answers the new version."""
        now = time.time_ns() // 1000
        if self.is_sqlite:
            self.connection.execute("BEGIN IMMEDIATE")
        _, version, _, _, state = self.run(HEAD if self.is_sqlite else f"{HEAD} FOR UPDATE", (game,)).fetchone()
        if seat is None:
            (seat,) = self.run(SEAT, (game,)).fetchone()
        after, new = (seat + 1) % 5, int(version) + 3
        rows = [(game, version + n, "tammany-hall.bosses-placed", BODY, HASH) for n in (1, 2, 3)]
        cursor = self.connection.cursor()
        cursor.executemany(EVENT if self.is_sqlite else EVENT.replace("?", "%s"), rows)
        self.run(MOVE, ("running", new, HASH, now, state, "p_bench0000000", game, version))
        self.run(DROP, (game, seat))
        self.run(OWE, (game, after, "turn-1-1", new, f"p_{after}", now, now, now, False, now))
        for one in (seat, after):
            notice = (f"p_{one}", game, "your-turn", str(new), one, new, now)
            (number,) = self.run(TELL, notice).fetchone()
            self.run(DELIVER, (number, f"p_{one}", game, "your-turn", new, now, now))
        self.connection.commit()
        return new
