"""A game looked at again: its steps, and what it looked like to each pair of eyes after each of its events."""

import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest

from domain.engine.refusals import RuleViolation
from domain.table.undo import Past
from service.games import replay, takeback
from service.games.reader_view import ReaderView
from service.games.replay import Eyes, Step
from service.games.seat_names import display_names, names_at
from service.games.views import state_document
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock, sqlite_tables

__all__ = ["manual_clock", "sqlite_tables"]

NAMES = ("ann", "bob", "cyd")
WATCHER = "dan"
Told = dict[tuple[str, int], Any]


@pytest.fixture
def tables(sqlite_tables: Tables) -> Tables:
    return sqlite_tables


def document(tables: Tables, game: str, eyes: Eyes, version: int) -> Any:
    """The position that the replay shows."""
    with tables.services.database.read() as connection:
        head = tables.services.streams.head(connection, game)
        moment = replay.moment_at(tables.services, connection, head, eyes, version)
        return moment.document(names_at(connection, moment.head.table))


def sentences(tables: Tables, game: str, eyes: Eyes, after: int, version: int) -> str:
    with tables.services.database.read() as connection:
        head = tables.services.streams.head(connection, game)
        moment = replay.moment_at(tables.services, connection, head, eyes, version)
        view = ReaderView(tables.services, connection, moment.head, moment.seat)
        return " ".join(line.text for line in view.lines(after, revealed=moment.eyes.whose == "all"))


def history(tables: Tables, game: str) -> list[Past]:
    with tables.services.database.read() as connection:
        head = tables.services.streams.head(connection, game)
        return tables.services.streams.history(connection, game, head.rules, head.version)


def steps(tables: Tables, game: str) -> list[Step]:
    return replay.steps_of(tables.head(game).rules, history(tables, game))


def live(tables: Tables, game: str) -> Iterator[tuple[tuple[str, int], Any]]:
    """The position as everybody is told it now."""
    head = tables.head(game)
    with tables.services.database.read() as connection:
        names = display_names(connection, head)
    for who in (*NAMES, WATCHER):
        seat = head.table.seat_of(tables.player(who))
        yield (who, head.version), state_document(head.table, head, seat, names, typed=False)


def play(tables: Tables, kind: str, turns: int) -> tuple[str, Told]:
    """A game at random, with slips that are taken back; what each was told after each request."""
    game, told = tables.begin(*NAMES, kind=kind), {}
    chance = random.Random(kind)
    for number in range(turns):
        seat = tables.awaited(game)[0] if tables.awaited(game) else None
        if seat is None:
            break
        tables.play_on(game, number)
        told.update(live(tables, game))
        if chance.random() < 0.2:
            slip(tables, game, seat)
            told.update(live(tables, game))
    return game, told


def slip(tables: Tables, game: str, seat: int) -> None:
    """Somebody would take back what they did, and may not always."""
    with suppress(RuleViolation), tables.services.database.write() as tx:
        takeback.go_back(tables.services, tx, game, tables.ids[NAMES[seat]], ask=False)


@pytest.mark.parametrize("kind, turns", [("pennies", 20), ("tammany-hall", 60), ("city-hall", 50)])
@pytest.mark.slow
def test_each_version_is_shown_as_it_was_told_then(tables, kind, turns):
    """The law of the replay: to everybody at the table, and beside it, in games that go back, too."""
    game, told = play(tables, kind, turns)
    assert any(type(entry.event).__name__ == "Rewound" for entry in history(tables, game))
    for (who, version), shown in told.items():
        assert document(tables, game, Eyes("own", tables.player(who)), version) == shown, (who, version)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pennies", "tammany-hall", "city-hall"])
def test_steps_follow_each_other_without_a_gap_and_the_first_has_a_position(tables, kind):
    game = tables.begin(*NAMES, kind=kind)
    tables.play_out(game, 3, late=0.05, most=60)
    found = steps(tables, game)
    assert found[0].first == 1
    assert found[-1].last == tables.head(game).version
    assert all(one.last + 1 == after.first for one, after in pairwise(found))
    nobody = Eyes("own", tables.player(WATCHER))
    assert document(tables, game, nobody, found[0].last) is not None
    assert all(sentences(tables, game, nobody, step.first - 1, step.last) for step in found)


def test_what_is_opened_is_a_step_of_its_own(tables):
    game = tables.begin(options={"rounds": "1"})
    for seat in range(3):
        tables.move(game, seat, f"hide {seat}")
    past = history(tables, game)
    opening = next(entry.version for entry in past if entry.event.OPENS)
    assert opening in [step.first for step in steps(tables, game)]


def test_a_game_that_ended_before_it_began_is_one_step(tables):
    game = tables.open("ann")
    assert steps(tables, game) == [Step(1, tables.head(game).version)]


def test_of_sealed_bids_each_knows_then_what_they_knew_also_when_the_game_is_over(tables):
    game = tables.begin(options={"rounds": "1"})
    tables.move(game, 2, "hide 2 secretly")
    made = tables.head(game).version
    tables.move(game, 1, "hide 3")
    tables.move(game, 0, "hide 0")
    whose = {"own": Eyes("own", tables.ids["cyd"]), "rival": Eyes("own", tables.ids["ann"])}
    whose |= {"seat": Eyes("seat", seat=2), "others": Eyes("seat", seat=1), "all": Eyes("all")}
    tables.move(game, 1, "take")
    assert tables.head(game).table.status == "finished"
    knows = {name: document(tables, game, eyes, made)["hands"]["2"] for name, eyes in whose.items()}
    assert knows["rival"] is knows["others"] is None
    assert knows["own"] == knows["seat"] == 2


@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
@pytest.mark.slow
def test_everybodys_eyes_see_what_each_seat_saw_of_its_own(tables, kind):
    """With sealed bids in the hands of those who had made them."""
    game = tables.begin(*NAMES, kind=kind)
    tables.play_out(game, 5, late=0)
    hidden: dict[int, set[str]] = defaultdict(set)
    for step in steps(tables, game)[::3]:
        everything = document(tables, game, Eyes("all"), step.last)
        for seat in range(3):
            own = document(tables, game, Eyes("seat", seat=seat), step.last)
            others = document(tables, game, Eyes("seat", seat=(seat + 1) % 3), step.last)
            if kind == "city-hall":
                assert everything["seats"][seat] == own["seats"][seat]
                hidden[seat] |= {name for name, value in others["seats"][seat].items() if value is None}
            elif own["bidding"] is not None and seat in own["bidding"]["handed_in"]:
                assert everything["bidding"]["bids"][seat] == own["bidding"]["bids"][seat]
                assert seat not in others["bidding"]["bids"]
                hidden[seat].add("bid")
    assert all(hidden[seat] for seat in range(3))


@pytest.mark.slow
def test_no_eyes_see_before_the_end_what_has_not_been_opened(tables):
    """Whoever would ask for them: what is shut is not even decrypted."""
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    while len(tables.awaited(game)) < 2:
        tables.play_on(game, tables.head(game).version)
    seat = tables.awaited(game)[0]
    tables.move(game, seat, "bid none")
    version = tables.head(game).version
    assert document(tables, game, Eyes("all"), version)["bidding"]["bids"] == {}
