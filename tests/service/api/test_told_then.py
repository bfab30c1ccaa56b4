"""What a table was told at a moment is told again, also of deadlines that moved while nothing else happened (S-10).

Leave, outages, a game that was stopped and mail that did not arrive move a deadline by an event. `at` tells the leave
that was announced then.
"""

import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from domain.engine.refusals import RuleViolation
from service.integrity import halt
from service.kernel.clock import SECOND, moment, text
from service.kernel.clock_guard import OUTAGE
from tests.service.api.table import Answer
from tests.service.api.test_time_travel import GENTLE, Witness, fixed, move
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.tables import CLOCK, Tables
from tests.workers.worker_tables import manual_clock

__all__ = ["clock_tables", "fixed", "manual_clock", "sqlite_clock_tables"]
TERMS = {**GENTLE, "strikes": 10}


class Listener(Witness):
    """A witness who asks at any moment, and remembers when; and what was told of each version when it was new."""

    def __init__(self, clock_tables: Tables, game: str, *people: str) -> None:
        super().__init__(clock_tables, game, *people)
        self.heard: list[tuple[str, int, int, bytes]] = []
        self.new: dict[tuple[str, int], bytes] = {}

    def hears(self) -> bytes:
        """Somebody asks for the position; the document, which somebody else asks for as well."""
        self.clock_tables.clock.at += 1  # what was done just now was done before
        version = self.clock_tables.head(self.game).version
        for name in ("bob", "eve"):
            told = self.asks(name).ok().data
            self.heard.append((name, version, self.clock_tables.clock.at, told))
            self.new.setdefault((name, version), self.asks(name, version=version).ok().data)
        self.clock_tables.clock.at += 1
        return told

    def asks_again(self, name: str, version: int, at: int) -> Answer:
        query = {"version": version, "at": text(at)}
        return self.api.get(f"/games/{self.game}", self.knows(name), query_string=query)

    def hears_the_same_again(self) -> None:
        for name, version, at, told in self.heard:
            assert self.asks_again(name, version, at).ok().data == told, (name, version, text(at))
        for (name, version), told in self.new.items():
            assert self.asks(name, version=version).ok().data == told, (name, version)


def listener(clock_tables: Tables, *names: str, **clock: Any) -> Listener:
    game = clock_tables.begin(*names, kind="tammany-hall", clock=CLOCK | clock)
    clock_tables.mark_all_sent()
    return Listener(clock_tables, game, *names, "eve")


def answers(clock_tables: Tables, game: str, chance: random.Random) -> None:
    seat = chance.choice(clock_tables.awaited(game))
    clock_tables.move(game, seat, move(clock_tables, game, chance, seat))


def goes_on_leave(clock_tables: Tables, game: str, chance: random.Random) -> None:
    first = moment(clock_tables.clock.at).date() + timedelta(days=chance.randint(1, 3))
    name = chance.choice(["ann", "bob", "cyd"])
    try:
        clock_tables.take_leave(name, first.isoformat(), (first + timedelta(days=chance.randint(0, 2))).isoformat())
    except RuleViolation:
        clock_tables.cancel_leave(name)


def is_away(clock_tables: Tables, game: str, chance: random.Random) -> None:
    """The service is away; perhaps somebody answers before the first sweep."""
    meanwhile, clock_tables.clock.meanwhile = clock_tables.clock.meanwhile, lambda: None
    clock_tables.advance(seconds=OUTAGE // SECOND + chance.randint(1, 50_000), microseconds=chance.randrange(10**6))
    if chance.random() < 0.5:
        answers(clock_tables, game, chance)
        clock_tables.advance(seconds=chance.randint(1, 2000))
    clock_tables.clock.meanwhile = meanwhile
    clock_tables.sweep()


def is_stopped(clock_tables: Tables, game: str, chance: random.Random) -> None:
    database = clock_tables.services.database
    with database.write() as tx:
        assert halt.halt(database, tx, game, "a row was changed")
    clock_tables.advance(hours=chance.randint(1, 40))
    with database.write() as tx:
        assert halt.release(clock_tables.services, tx, game)


def is_not_reached(clock_tables: Tables, game: str, chance: random.Random) -> None:
    """Mails are given up, or leave after the deadline: who could not be told in time has it once more."""
    clock_tables.advance(days=chance.randint(1, 4))
    state = chance.choice(["failed", "sent"])
    clock_tables.execute("UPDATE deliveries SET state = :state, done_at = :now", state=state, now=clock_tables.clock.at)
    clock_tables.sweep()


def votes_on_the_clock(clock_tables: Tables, game: str, chance: random.Random) -> None:
    what = "resume" if clock_tables.head(game).table.paused else chance.choice(["pause", "extend"])
    clock_tables.agree(game, what, hours=5)


class Silent(random.Random):
    """Takes the first of everything, so that nobody answers in an outage."""

    def random(self) -> float:
        return 0.99

    def randint(self, low: int, high: int) -> int:
        return low

    def choice(self, options: Any) -> Any:
        return options[-1]


HAPPENINGS: list[Callable[[Tables, str, random.Random], None]] = [
    answers, answers, answers, goes_on_leave, is_away, is_stopped, is_not_reached, votes_on_the_clock,
]  # fmt: skip


def lives_through(clock_tables: Tables, seed: int, steps: int) -> Listener:
    chance = random.Random(f"told then {seed}")
    witness = listener(clock_tables, "ann", "bob", "cyd", **TERMS)
    clock_tables.sweep()
    for step in range(steps):
        clock_tables.advance(minutes=chance.choice([1, 10, 100, 400]))
        witness.hears()
        HAPPENINGS[step % len(HAPPENINGS)](clock_tables, witness.game, chance)
        witness.hears()
        if clock_tables.head(witness.game).table.status != "running":
            break
    clock_tables.advance(days=2)
    clock_tables.cancel_leave("ann")
    witness.hears_the_same_again()
    return witness


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_s10_what_was_told_at_a_moment_is_told_again_byte_for_byte(sqlite_clock_tables, fixed, seed):
    witness = lives_through(sqlite_clock_tables, seed, 24)
    told = {(name, version): set[bytes]() for name, version, *_ in witness.heard}
    for name, version, _, document in witness.heard:
        told[name, version].add(document)
    assert sum(len(documents) > 1 for documents in told.values()) > 3, "of these `version` alone can tell but one"


@pytest.mark.slow
def test_s10_moments_are_the_same_on_each_database(clock_tables, fixed):
    lives_through(clock_tables, 3, 8)


def asked(clock_tables: Tables, game: str) -> str:
    (seat,) = clock_tables.awaited(game)
    return ("ann", "bob", "cyd")[seat]


def due(document: bytes) -> str:
    told: str = json.loads(document)["clock"]["deadlines"][0]["due"]
    return told


@pytest.mark.slow
@pytest.mark.parametrize(
    "happens",
    [
        lambda tables, game: tables.take_leave(asked(tables, game), "2031-03-05", "2031-03-06"),
        lambda tables, game: is_away(tables, game, Silent()),
        lambda tables, game: is_stopped(tables, game, Silent()),
        lambda tables, game: is_not_reached(tables, game, Silent()),
    ],
    ids=["leave", "an outage", "a stopped game", "mail that leaves too late"],
)
def test_s10_a_deadline_that_moves_alone_is_one_event_and_was_another_before(sqlite_clock_tables, happens):
    clock_tables = sqlite_clock_tables
    witness = listener(clock_tables, "ann", "bob", "cyd", leave_days=5)
    clock_tables.sweep()
    clock_tables.advance(hours=1)
    before = witness.hears()
    version = clock_tables.head(witness.game).version
    happens(clock_tables, witness.game)
    after = witness.hears()
    assert [event["type"] for event in clock_tables.events(witness.game)[version:]] == ["table.deadline-moved"]
    assert due(before) < due(after)
    clock_tables.play_on(witness.game)
    clock_tables.advance(days=1)
    witness.hears_the_same_again()
    assert due(witness.asks("ann", version=version).ok().data) == due(before)
    assert due(witness.asks("ann", version=version + 1).ok().data) == due(after)


def test_s10_a_moment_is_one_at_which_a_version_could_be_told(sqlite_clock_tables):
    """Neither before it was recorded nor to come: what is told of it then is not known yet."""
    witness = listener(sqlite_clock_tables, "ann", "bob", "cyd")
    version, began = sqlite_clock_tables.head(witness.game).version, sqlite_clock_tables.clock.at
    sqlite_clock_tables.advance(hours=1)
    for at in (began, sqlite_clock_tables.clock.at):
        witness.asks_again("ann", version, at).ok()
    for at in (began - 1, sqlite_clock_tables.clock.at + 1):
        answer = witness.asks_again("ann", version, at).refused(422, "bad-moment")
        assert answer.json["detail"] == (
            f"Version {version} was recorded at {text(began)}: name that moment or a later one that has passed."
        )
    for query in (f"at={text(began)}", f"version={version}&at=2031-02-29T12:00:00Z"):
        witness.api.get(f"/games/{witness.game}?{query}", witness.people["ann"]).refused(422, "bad-moment")
    witness.asks_again("ann", version + 1, began).refused(404, "no-such-version")


def test_s10_a_version_in_the_midst_of_a_request_has_the_deadlines_that_were_told_last(sqlite_clock_tables):
    """Whoever begins places and ends at once, three facts, after leave has moved the deadline."""
    clock_tables = sqlite_clock_tables
    witness = listener(clock_tables, "ann", "bob", "cyd", leave_days=5)
    mover = asked(clock_tables, witness.game)
    clock_tables.advance(hours=1)
    first = witness.asks("ann").ok().json["clock"]["deadlines"]
    clock_tables.take_leave(mover, "2031-03-05", "2031-03-06")
    last = witness.asks("ann").ok().json["clock"]["deadlines"]
    clock_tables.advance(hours=1)
    version = clock_tables.head(witness.game).version
    clock_tables.move(witness.game, mover, "place 1 1\nend")
    within = witness.asks("ann", version=version + 1).ok().json
    assert within["awaiting"] == [clock_tables.seat(witness.game, mover)]
    assert (within["clock"]["deadlines"], last != first) == (last, True)
    assert witness.asks("ann", version=version).ok().json["clock"]["deadlines"] == last
    assert witness.asks("ann", version=version - 1).ok().json["clock"]["deadlines"] == first


def test_s10_what_an_event_moved_is_told_of_its_version_alone(sqlite_clock_tables):
    """The last agreement and the extension are one request: in its midst the deadline is the old one."""
    clock_tables = sqlite_clock_tables
    witness = listener(clock_tables, "ann", "bob", "cyd")
    clock_tables.advance(hours=1)
    first, proposed = due(witness.asks("ann").ok().data), clock_tables.head(witness.game).version + 1
    clock_tables.agree(witness.game, "extend", hours=5)
    dues = [
        due(witness.asks("ann", version=version).ok().data)
        for version in range(proposed, clock_tables.head(witness.game).version + 1)
    ]
    assert dues[0] == dues[-2] == first < dues[-1] == due(witness.asks("ann").ok().data)
    assert due(witness.asks_again("ann", proposed, clock_tables.clock.at).ok().data) == first
