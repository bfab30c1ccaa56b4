"""Analyses are made slice by slice under a lease: a worker that dies loses one slice, and nothing is found twice."""

import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.engine.bots import Bot
from domain.engine.refusals import RuleViolation
from domain.teacher.findings import Finding
from service.games import analyses, history_queries, play
from service.games.analyses import AlreadyWaiting, Asked
from service.kernel.child_process import ChildFailed, ChildGone, ChildProcess
from service.kernel.fault_points import faults
from service.privacy import erase
from service.store.event_store.streams import NoSuchGame
from service.store.games import analyses as store
from tests.domain.teacher.toy import guided_pennies
from tests.manual_clock import Died, dying
from tests.tables import Tables
from workers import sweep
from workers.teacher import teacher
from workers.teacher.study_process import Slice, Studied, study_slice
from workers.teacher.teacher import LEASE, MOST_ATTEMPTS, Teacher

GAMES = Path(__file__).parents[2] / "archive" / "games"
SECONDS = 60.0


class Lessons:
    """Games that are over, people who ask what else could have been done, and workers that find it."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.services = tables.services

    def finished(self, *names: str, **terms: Any) -> str:
        game = self.tables.begin(*names, **terms)
        self.tables.play_out(game, 7, late=0)
        return game

    def ask(self, game: str, who: str = "ann", strength: int = 1) -> Asked:
        with self.services.database.write() as tx:
            return analyses.ask(self.services, tx, game, self.tables.player(who), strength)

    def cancel(self, game: str, who: str = "ann") -> Asked:
        with self.services.database.write() as tx:
            return analyses.cancel(self.services, tx, game, self.tables.player(who))

    def look(self, game: str, who: str = "ann", strength: int | None = None) -> Asked:
        with self.services.database.read() as connection:
            return analyses.look(self.services, connection, game, self.tables.player(who), strength)

    def work(
        self, fault: Callable[[str], None] = lambda _: None, study: Callable[[Slice], Studied] = study_slice
    ) -> int:
        with faults(fault):
            return Teacher(self.services, study).work(seconds=SECONDS)

    def kept(self, game: str, strength: int = 1) -> list[Finding]:
        with self.services.database.read() as connection:
            return store.findings(connection, game, strength)

    def whole(self, game: str) -> list[Finding]:
        """All there is to find in a game."""
        lines = [line.decode() for line in self.tables.export(game)]
        return list(study_slice(Slice("whole", 1, 0, SECONDS, lines)).findings)


@pytest.fixture(autouse=True)
def one_question_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teacher, "SLICE", 0.0)


@pytest.fixture
def lessons(tables: Tables) -> Iterator[Lessons]:
    with guided_pennies():
        yield Lessons(tables)


@pytest.fixture
def on_sqlite(sqlite_tables: Tables) -> Iterator[Lessons]:
    with guided_pennies():
        yield Lessons(sqlite_tables)


def test_an_analysis_is_made_once_and_kept(lessons):
    game = lessons.finished()
    assert lessons.ask(game).status == "queued"
    slices = lessons.work()
    done = lessons.look(game, "bob")
    assert (done.status, done.analysis.done, done.analysis.total) == ("done", slices, slices)
    assert done.findings == lessons.whole(game)
    assert not done.is_of(lessons.tables.ids["ann"]), "nobody waits any more"
    assert lessons.ask(game, "bob").status == "done"
    assert lessons.work() == 0


@pytest.mark.parametrize("point", ["claimed", "studied", "written"])
def test_a_killed_worker_loses_its_slice_and_no_more(lessons, point):
    game = lessons.finished()
    lessons.ask(game)
    with pytest.raises(Died):
        lessons.work(dying(point, 3))
    reached = lessons.look(game).analysis.done
    assert reached >= 2
    assert lessons.work() == 0, "its lease holds still"
    lessons.tables.advance(seconds=LEASE + 1)
    lessons.work()
    done = lessons.look(game)
    assert (done.status, done.findings) == ("done", lessons.whole(game))


def test_a_worker_that_was_given_up_writes_nothing_any_more(lessons):
    game = lessons.finished()
    lessons.ask(game)
    seen: list[int] = []

    def sleepy(asked: Slice) -> Studied:
        studied = study_slice(asked)
        if not seen and not studied.unknown:
            seen.append(1)
            lessons.tables.advance(seconds=LEASE + 1)
            lessons.work()  # another goes on meanwhile, to the end
        return studied

    lessons.work(study=sleepy)
    assert lessons.look(game).findings == lessons.whole(game)


def test_cancelling_ends_it_in_the_midst_and_asking_again_goes_on_there(lessons):
    game = lessons.finished()
    lessons.ask(game)

    def cancelled(point: str) -> None:
        if point == "studied" and lessons.look(game).analysis.done == 4:
            assert lessons.cancel(game).status == "cancelled"

    assert lessons.work(cancelled) == 5
    given_up = lessons.look(game)
    assert (given_up.status, given_up.analysis.done) == ("cancelled", 4)
    assert lessons.work() == 0
    lessons.ask(game, "bob")
    lessons.work()
    assert lessons.look(game).findings == lessons.whole(game)


def test_s29_a_player_may_ask_for_so_many_analyses_a_day_and_is_forgotten_after_it(lessons, monkeypatch):
    """S-29: what was cancelled counts, what was asked for twice counts once; the next day all is free again."""
    monkeypatch.setattr(analyses, "MOST_A_DAY", 2)
    games = [lessons.finished() for _ in range(3)]
    for game in (games[0], games[0], games[1]):
        lessons.ask(game)
        lessons.cancel(game)
    with pytest.raises(RuleViolation, match="2 analyses within 24 hours") as refused:
        lessons.ask(games[2])
    assert refused.value.code == "too-much-effort"
    assert lessons.ask(games[2], "bob").status == "queued", "each has a limit of their own"
    lessons.tables.advance(seconds=86_401)
    sweep.housekeep(lessons.services)
    with lessons.services.database.read() as connection:
        askers = {found.player_id for game in games for found in store.of_game(connection, game)}
    assert askers == {"", lessons.tables.ids["bob"]}, "bob's is not done yet"
    assert lessons.ask(games[2], "ann").status == "queued"
    assert lessons.ask(games[0]).status == "queued"


def test_whoever_waits_for_one_cannot_ask_for_another(lessons):
    first, second = lessons.finished(), lessons.finished()
    lessons.ask(first)
    assert lessons.ask(first, "bob").status == "queued", "the same one is the same one"
    with pytest.raises(AlreadyWaiting, match=f"/g/{first}/analysis") as refused:
        lessons.ask(second)
    assert refused.value.code == "analysis-running"
    assert lessons.ask(second, "bob").status == "queued"
    lessons.work()
    assert lessons.ask(second, strength=2).status == "queued"


def test_the_first_asked_for_is_made_first(on_sqlite):
    first, second = on_sqlite.finished(), on_sqlite.finished()
    on_sqlite.ask(second, "bob")
    on_sqlite.tables.advance(seconds=1)
    on_sqlite.ask(first)
    with pytest.raises(Died):
        on_sqlite.work(dying("claimed", 2))
    assert (on_sqlite.look(second).analysis.done, on_sqlite.look(first).analysis.done) == (1, 0)


def test_bots_that_think_go_first(on_sqlite):
    game = on_sqlite.finished()
    busy = on_sqlite.tables.begin("ann", "bob", bots=[Bot(1)])
    on_sqlite.ask(game)
    assert on_sqlite.work() == 0
    on_sqlite.tables.execute("DELETE FROM thoughts WHERE game_id = :game", game=busy)

    def asked(point: str) -> None:
        if point == "written":
            on_sqlite.tables.begin("ann", "bob", bots=[Bot(1)])

    assert on_sqlite.work(asked) == 1, "a slice, and then it waits"
    assert on_sqlite.look(game).status == "queued"
    on_sqlite.tables.execute("DELETE FROM thoughts")
    on_sqlite.work()
    assert on_sqlite.look(game).findings == on_sqlite.whole(game)


def test_a_thought_that_is_put_off_holds_up_nothing(on_sqlite):
    game = on_sqlite.finished()
    on_sqlite.tables.begin("ann", "bob", bots=[Bot(1)])
    on_sqlite.tables.execute("UPDATE thoughts SET attempts = 40, not_before = began_at + 60000000")
    on_sqlite.ask(game)
    on_sqlite.work()
    assert on_sqlite.look(game).status == "done"


def test_bots_that_always_think_hold_it_up_for_a_while_only(on_sqlite, monkeypatch):
    game = on_sqlite.finished()
    on_sqlite.tables.begin("ann", "bob", bots=[Bot(1)])
    on_sqlite.ask(game)
    waiting = Teacher(on_sqlite.services, study_slice)
    assert [waiting.work() for _ in range(2)] == [0, 0]
    monkeypatch.setattr(teacher, "LONGEST_WAIT", -1.0)
    assert [waiting.work() for _ in range(3)] == [1, 1, 1], "a slice each time"
    assert on_sqlite.look(game).analysis.done == 3


@pytest.mark.parametrize("who", ["ann", "bob", "dan"])
def test_of_a_game_that_runs_nothing_is_said_to_anybody(on_sqlite, who):
    """Not to the host, not to a player, not to a watcher."""
    game = on_sqlite.tables.begin()
    on_sqlite.tables.player(who)
    for refused in (on_sqlite.look, on_sqlite.ask, on_sqlite.cancel):
        with pytest.raises(RuleViolation, match="when it is over, and not before, for nobody") as told:
            refused(game, who)
        assert told.value.code == "game-running"


def test_a_strangers_private_game_is_none(on_sqlite):
    game = on_sqlite.finished(public=False, invite=["bob@people.example", "cyd@people.example"])
    assert on_sqlite.ask(game).status == "queued"
    for refused in (on_sqlite.look, on_sqlite.ask, on_sqlite.cancel):
        with pytest.raises(NoSuchGame):
            refused(game, "dan")


def test_only_who_asked_can_cancel(on_sqlite):
    game = on_sqlite.finished()
    with pytest.raises(RuleViolation, match="under way"):
        on_sqlite.cancel(game)
    on_sqlite.ask(game)
    with pytest.raises(RuleViolation, match="Another player"):
        on_sqlite.cancel(game, "bob")


def test_a_strength_that_does_not_exist_and_an_effort_beyond_the_cap_are_refused(on_sqlite, monkeypatch):
    game = on_sqlite.finished()
    for strength in (0, 4, -1):
        with pytest.raises(RuleViolation, match="choose of 1, 2, 3"):
            on_sqlite.ask(game, strength=strength)
    monkeypatch.setattr(analyses, "MOST", 5000)
    with pytest.raises(RuleViolation, match="ask for strength 2"):
        on_sqlite.ask(game, strength=3)
    assert on_sqlite.ask(game, strength=2).status == "queued"
    monkeypatch.setattr(analyses, "MOST", 5)
    with pytest.raises(RuleViolation, match="wardroom analyse FILE"):
        on_sqlite.ask(game, strength=1)


def test_a_game_that_ended_before_it_began_teaches_nothing(on_sqlite):
    game = on_sqlite.tables.open("ann")
    with on_sqlite.services.database.write() as tx:
        play.leave_seat(on_sqlite.services, tx, game, on_sqlite.tables.player("ann"))
    with pytest.raises(RuleViolation, match="before it began"):
        on_sqlite.ask(game)


def test_what_another_edition_found_is_looked_for_again(on_sqlite):
    game = on_sqlite.finished()
    on_sqlite.ask(game)
    on_sqlite.work()
    on_sqlite.tables.execute("UPDATE analyses SET edition = 0")
    assert on_sqlite.look(game).status == "none"
    on_sqlite.ask(game)
    on_sqlite.work()
    assert on_sqlite.look(game).findings == on_sqlite.whole(game)


def test_a_process_that_ends_again_and_again_fails_the_analysis_and_no_other(on_sqlite):
    first, second = on_sqlite.finished(), on_sqlite.finished()
    on_sqlite.ask(first)
    on_sqlite.tables.advance(seconds=1)
    on_sqlite.ask(second, "bob")

    def broken(asked: Slice) -> Studied:
        if asked.hash.startswith(first):
            raise ChildGone("killed")
        return study_slice(asked)

    on_sqlite.work(study=broken)
    assert (on_sqlite.look(first).status, on_sqlite.look(second).status) == ("failed", "done")
    assert on_sqlite.ask(first).status == "queued", "it can be asked for again"

    def failing(asked: Slice) -> Studied:
        raise ChildFailed("ValueError: hidden words")

    on_sqlite.work(study=failing)
    failed = on_sqlite.look(first)
    assert (failed.status, failed.analysis.reason) == ("failed", "ValueError")


def test_one_that_cannot_be_read_fails_and_no_other(lessons):
    broken, well = lessons.finished(), lessons.finished()
    lessons.ask(broken)
    lessons.tables.advance(seconds=1)
    lessons.ask(well, "bob")
    lessons.tables.lose_key(broken)
    lessons.work()
    lessons.tables.restore_key(broken)
    assert (lessons.look(broken).status, lessons.look(well).status) == ("failed", "done")


def test_whatever_goes_wrong_in_reading_it_is_tried_three_times(on_sqlite, monkeypatch):
    game, tries = on_sqlite.finished(), []
    on_sqlite.ask(game)

    def unreadable(*_: Any) -> Iterator[bytes]:
        tries.append(1)
        raise ValueError("hidden words")

    monkeypatch.setattr(history_queries, "export", unreadable)
    on_sqlite.work()
    failed = on_sqlite.look(game)
    assert (len(tries), failed.status, failed.analysis.reason) == (MOST_ATTEMPTS, "failed", "ValueError")
    assert on_sqlite.ask(on_sqlite.finished()).status == "queued", "who asked may ask for another"


def test_one_that_kills_every_worker_is_given_up(on_sqlite):
    """Nobody lives to say so: whoever takes it up next sees how often it was begun."""
    game = on_sqlite.finished()
    on_sqlite.ask(game)
    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(Died):
            on_sqlite.work(dying("claimed"))
        on_sqlite.tables.advance(seconds=LEASE + 1)
    assert on_sqlite.work() == 1
    assert on_sqlite.look(game).status == "failed"


def test_s50_an_analysis_of_somebody_who_is_erased_is_given_up_and_one_that_is_done_stays(on_sqlite):
    done, waiting = on_sqlite.finished(), on_sqlite.finished()
    on_sqlite.ask(done)
    on_sqlite.work()
    on_sqlite.ask(waiting)
    erase.erase(on_sqlite.services, on_sqlite.tables.ids["ann"])
    assert on_sqlite.work() == 0
    assert (on_sqlite.look(done, "bob").status, on_sqlite.look(waiting, "bob").status) == ("done", "none")


@pytest.mark.slow
def test_a_process_studies_a_game_it_is_told_once():
    lines = lzma.decompress((GAMES / "city-hall-votes-39.ndjson.xz").read_bytes()).decode().splitlines()
    process = ChildProcess("workers.teacher.study_process", 5)
    try:
        first = Slice("a game", 1, 0, 0.0)
        assert process.ask(first, Studied, SECONDS).unknown
        told = process.ask(Slice("a game", 1, 0, 0.0, lines), Studied, SECONDS)
        again = process.ask(first, Studied, SECONDS)
    finally:
        process.close()
    assert (told.done, told.total) == (1, again.total)
    assert told == again == study_slice(Slice("a game", 1, 0, 0.0, lines))
