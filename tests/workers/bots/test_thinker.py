"""The worker of bots: chains of moves, deaths at any line, thoughts that fail, and fairness (Q-11, S-08)."""

import inspect
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from domain.engine.bots import Bot
from domain.engine.game import Action
from domain.history.codec import history
from domain.rulesets import RULESETS
from service.app import create_app
from service.commands.health.diagnosis import Finding, examine
from service.games import takeback
from service.games.questions import Question
from service.kernel.child_process import ChildGone
from service.kernel.clock import SECOND
from service.kernel.fault_points import faults
from service.store.games import thoughts
from service.web.metrics.exposition import Exposition
from tests.domain.table.pennies import PENNIES, Hide, Take
from tests.manual_clock import Died, dying
from tests.service.store.service_tables import check
from tests.tables import Tables
from tests.thinking import any_move, think_all
from workers.bots.thinker import MOST_ATTEMPTS, Thinker
from workers.channels.keeper import Keeper
from workers.processes.scheduler import void_leases

BOT = Bot(2)


class Minds:
    """A mind that plays any move and remembers what it was asked; first it comes to grief as often as told."""

    def __init__(self, *mishaps: Exception | list[Action]) -> None:
        self.asked: list[Question] = []
        self.mishaps = list(mishaps)

    def __call__(self, question: Question) -> list[Action]:
        self.asked.append(question)
        if not self.mishaps:
            return any_move(question)
        mishap = self.mishaps.pop(0)
        if isinstance(mishap, Exception):
            raise mishap
        return mishap


# Moves


def test_bots_move_until_a_person_is_asked_who_is_told_once(tables: Tables) -> None:
    game = tables.begin("ann", "bob", bots=[BOT, Bot(1)])
    before = len(tables.notices(kind="your-turn"))
    tables.move(game, "ann", "hide 0")
    tables.move(game, "bob", "hide 0")
    minds = Minds([Hide(1)], [Hide(3)], [Take()])
    assert think_all(tables.services, minds) == 5, "two hands, the pot, and two hands of the next round"
    assert [question.seat for question in minds.asked] == [2, 3, 3, 2, 3]
    assert tables.awaited(game) == [0, 1]
    told = tables.notices(kind="your-turn")[before:]
    assert sorted(notice["seat"] for notice in told) == [0, 1], "one each, when it was theirs again"
    check(tables.services, game)


def test_a_chain_of_bots_is_no_recursion(sqlite_tables: Tables) -> None:
    """A bot that nods is asked again, as often as it likes: the stack is as deep at the end as at the beginning."""
    game = sqlite_tables.begin("ann", bots=[BOT])
    sqlite_tables.move(game, "ann", "hide 0")
    depths = []

    def mind(question: Question) -> list[Action]:
        depths.append(len(inspect.stack(0)))
        state = sqlite_tables.head(game).table.game
        if state.phase == "hide":
            return [Hide(3)]
        return PENNIES.notation.parse("nod" if len(depths) < 40 else "take", [])

    assert think_all(sqlite_tables.services, mind) > 40
    assert len(set(depths)) == 1


def test_q12_bots_wait_ten_seconds_for_a_move_that_can_be_taken_back_at_once(
    open_services, migrated_sqlite, manual_clock
):
    tables = Tables(open_services(migrated_sqlite, clock=manual_clock, UNDO_SECONDS="10"), manual_clock)
    game = tables.begin("ann", kind="tammany-hall", bots=[BOT, BOT])
    think_all(tables.services)
    assert tables.awaited(game) == [0], "nobody waits for the move of a bot"
    tables.move(game, "ann", "place 14 14\nend")
    assert think_all(tables.services) == 0
    tables.advance(seconds=9)
    assert think_all(tables.services) == 0
    with tables.services.database.write() as tx:
        assert takeback.go_back(tables.services, tx, game, tables.ids["ann"]).done
    tables.move(game, "ann", "place 14 14\nend")
    tables.advance(seconds=9)
    assert think_all(tables.services) == 0, "the time begins anew"
    tables.advance(seconds=1)
    assert think_all(tables.services) >= 2
    check(tables.services, game)


def test_q12_bots_do_not_wait_for_what_cannot_be_taken_back(open_services, migrated_sqlite, manual_clock):
    """The last hand opens all: nobody can go back behind that."""
    tables = Tables(open_services(migrated_sqlite, clock=manual_clock, UNDO_SECONDS="10"), manual_clock)
    game = tables.begin("ann", bots=[BOT])
    assert think_all(tables.services, Minds([Hide(3)])) == 1
    tables.move(game, "ann", "hide 0")
    assert think_all(tables.services, Minds([Take()])) >= 1, "the bot hid more and takes the pot at once"
    check(tables.services, game)


# Deaths


def test_whoever_dies_while_it_thinks_leaves_the_same_thought_to_the_next(tables: Tables) -> None:
    game = tables.begin("ann", "bob", bots=[BOT])
    first, second = Minds(), Minds()
    for point in ("claimed", "asked", "thought", "played"):
        with pytest.raises(Died), faults(dying(point)):
            think_all(tables.services, first)
        assert think_all(tables.services, second) == 0, "the lease is not over"
        tables.advance(seconds=16)
        if point == "asked":  # it was begun twice; begin anew
            tables.execute("UPDATE thoughts SET attempts = 0")
    assert think_all(tables.services, second) == 1
    assert second.asked == first.asked[-1:], "the same question, and so the same move"
    check(tables.services, game)


def test_a_lease_is_renewed_while_its_holder_lives(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thought takes longer than a lease, and nobody else begins it."""
    tables.begin("ann", "bob", bots=[BOT])
    thinker, keepers = Thinker(tables.services), []
    entered = Keeper.__enter__
    monkeypatch.setattr(Keeper, "__enter__", lambda keeper: keepers.append(keeper) or entered(keeper))

    def slow(question: Question) -> list[Action]:
        (keeper,) = keepers
        for _ in range(4):
            tables.advance(seconds=10)
            keeper.renew()
        with tables.services.database.read() as connection:
            assert not thoughts.is_due(connection, tables.clock.now())
        return any_move(question)

    thinker.mind = slow
    assert thinker.work() == 1


def test_leases_of_the_dead_are_void_when_the_embedded_server_starts(sqlite_tables: Tables) -> None:
    sqlite_tables.begin("ann", "bob", bots=[BOT])
    with pytest.raises(Died), faults(dying("thought")):
        think_all(sqlite_tables.services)
    lives = void_leases(sqlite_tables.services)
    assert lives is not None
    assert think_all(sqlite_tables.services) == 1
    lives.close()


# Thoughts that fail


FAILURES = [ChildGone("it ended"), ValueError("a secret"), [Take()]]


@pytest.mark.parametrize("failure", FAILURES, ids=["crash", "error", "illegal"])
def test_a_thought_that_fails_is_thought_again(sqlite_tables: Tables, failure: Any) -> None:
    game = sqlite_tables.begin("ann", "bob", bots=[BOT])
    minds = Minds(failure)
    version = sqlite_tables.head(game).version
    with capture_logs() as lines:
        assert think_all(sqlite_tables.services, minds) == 0
        assert sqlite_tables.head(game).version == version
        sqlite_tables.advance(seconds=2)
        assert think_all(sqlite_tables.services, minds) == 1
    assert minds.asked[0] == minds.asked[1]
    (line,) = [line for line in lines if line["event"] == "a thought failed"]
    assert (line["attempt"], line["game"], line["seat"]) == (1, game, 2)
    assert "secret" not in str(lines)


@pytest.mark.parametrize("failure", FAILURES, ids=["crash", "error", "illegal"])
def test_after_three_failures_the_caretaker_decides_and_an_alarm_is_logged(tables: Tables, failure: Any) -> None:
    game = tables.begin("ann", bots=[BOT])
    tables.move(game, "ann", "hide 0")
    minds = Minds(*[failure] * MOST_ATTEMPTS)
    with capture_logs() as lines:
        for _ in range(MOST_ATTEMPTS):
            think_all(tables.services, minds)
            tables.advance(seconds=2)
    assert len(minds.asked) == MOST_ATTEMPTS
    assert tables.head(game).table.game.hands == {0: 0, 1: 0}
    (alarm,) = [line for line in lines if line["log_level"] == "error"]
    assert (alarm["event"], alarm["game"], alarm["strength"]) == ("the caretaker plays for a bot", game, 2)
    think_all(tables.services)
    check(tables.services, game)


def test_a_thought_that_kills_whoever_thinks_it_is_decided_by_the_caretaker(sqlite_tables: Tables) -> None:
    game = sqlite_tables.begin("ann", bots=[BOT])
    sqlite_tables.move(game, "ann", "hide 0")
    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(Died), faults(dying("asked")):
            think_all(sqlite_tables.services)
        sqlite_tables.advance(seconds=16)
    minds = Minds()
    with faults(dying("asked", 2)):
        think_all(sqlite_tables.services, minds, seconds=0.001)
    assert sqlite_tables.head(game).table.game.hands == {0: 0, 1: 0}


def test_s08_where_the_caretaker_fails_too_the_log_tells_the_kind_and_no_words(
    sqlite_tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    def caretaker(state: object, seat: int) -> object:
        raise ValueError("a secret bid of 3")

    unlucky = replace(PENNIES, kind="unlucky", decider=replace(PENNIES.decider, caretaker=caretaker))
    monkeypatch.setitem(RULESETS, "unlucky", unlucky)  # type: ignore[misc]
    game = sqlite_tables.begin("ann", bots=[BOT], kind="unlucky")
    minds = Minds(*[ChildGone("it fell")] * MOST_ATTEMPTS)
    with capture_logs() as lines:
        for _ in range(MOST_ATTEMPTS):
            think_all(sqlite_tables.services, minds)
            sqlite_tables.advance(seconds=2)
    (alarm,) = [line for line in lines if line["event"] == "nobody can play for a bot"]
    assert (alarm["log_level"], alarm["game"], alarm["error"]) == ("error", game, "ValueError")
    assert "exc_info" not in alarm
    assert "secret" not in str(lines)


def test_the_caretaker_plays_for_a_bot_whose_ruleset_has_lost_its_guidance(
    sqlite_tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULESETS, "unguided", replace(PENNIES, kind="unguided"))  # type: ignore[misc]
    game, minds = sqlite_tables.begin("ann", "bob", bots=[BOT], kind="unguided"), Minds()
    monkeypatch.setitem(RULESETS, "unguided", replace(PENNIES, kind="unguided", guidance=None))  # type: ignore[misc]
    history.cache_clear()
    assert think_all(sqlite_tables.services, minds) == 1
    assert minds.asked == []
    assert sqlite_tables.head(game).table.game.hands == {2: 0}


def test_a_game_that_cannot_be_opened_does_not_stop_the_bots_of_others(tables: Tables) -> None:
    spoiled, well = tables.begin("ann", "bob", bots=[BOT]), tables.begin("ann", "bob", bots=[BOT])
    tables.lose_key(spoiled)
    assert think_all(tables.services) == 1
    assert tables.head(well).table.game.hands.keys() == {2}


# What operators see


def test_operators_see_what_waits_since_when_and_that_the_caretaker_stood_in(
    sqlite_tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Exposition, "kept", lambda *_: 0.0)
    browser = create_app(sqlite_tables.services).test_client()
    game = sqlite_tables.begin("ann", "bob", bots=[BOT, BOT])
    sqlite_tables.advance(seconds=301)
    checks = browser.get("/readyz").json["checks"]
    (asked,) = [check for check in checks if check["what"] == "bots"]
    assert asked == {"what": "bots", "ok": False, "detail": "The bot asked first waits for 301 s to think."}
    metrics = browser.get("/metrics").text
    assert 'wardroom_thoughts{state="waiting"} 2.0' in metrics
    assert "wardroom_thoughts_oldest_seconds 301.0" in metrics
    (found,) = findings(sqlite_tables)
    assert found.mark == "broken"
    assert "2 are asked and nobody thinks, the first since 2031-03-04T12:00:00" in found.sentence
    failing = Minds(*[ChildGone("it ended")] * 2 * MOST_ATTEMPTS)
    for _ in range(MOST_ATTEMPTS):
        think_all(sqlite_tables.services, failing)
        sqlite_tables.advance(seconds=2)
    assert sqlite_tables.head(game).table.game.hands.keys() == {2, 3}
    (found,) = findings(sqlite_tables)
    assert found.mark == "note"
    assert "The caretaker had to decide for a bot at 2031-03-04T12:05:0" in found.sentence
    assert 'wardroom_heartbeat_age_seconds{name="caretaker-for-bot"} 2.0' in browser.get("/metrics").text


def test_one_table_that_nobody_can_play_is_told_and_takes_no_other_with_it(sqlite_tables: Tables) -> None:
    """The service stays ready, whether nobody thinks or nobody can, and operators hear of both."""
    sqlite_tables.execute("INSERT INTO heartbeats (name, at) VALUES ('sweep', :now)", now=now_of(sqlite_tables))
    browser = create_app(sqlite_tables.services).test_client()
    sqlite_tables.begin("ann", "bob", bots=[BOT])
    sqlite_tables.execute("UPDATE thoughts SET began_at = began_at - :ago", ago=301 * SECOND)
    unheard = browser.get("/readyz")
    assert (unheard.status_code, unheard.json["status"]) == (200, "ready"), "that nobody thinks is told"
    assert {check["what"]: check["ok"] for check in unheard.json["checks"]}["bots"] is False
    sqlite_tables.execute("UPDATE thoughts SET attempts = 40, not_before = :then", then=now_of(sqlite_tables) + SECOND)
    (asked,) = [check for check in browser.get("/readyz").json["checks"] if check["what"] == "bots"]
    assert asked["ok"], "what is put off waits for nobody"
    assert 'wardroom_thoughts{state="put-off"} 1.0' in browser.get("/metrics").text
    (found,) = findings(sqlite_tables)
    assert (found.mark, found.sentence.partition(",")[0]) == ("note", "1 are put off")
    sqlite_tables.advance(seconds=2)
    (due,) = [check for check in browser.get("/readyz").json["checks"] if check["what"] == "bots"]
    assert due["detail"] == "The bot asked first waits for 1 s to think.", "since it may be begun again"


def now_of(tables: Tables) -> int:
    with tables.services.database.read() as connection:
        return tables.services.database.clock.now(connection)


def findings(tables: Tables) -> list[Finding]:
    return [finding for finding in examine(tables.services) if finding.what == "bots"]


# Fairness


def steps(thinker: Thinker, most: int) -> Iterator[str]:
    """So many thoughts and no more: the game that each was about."""
    for _ in range(most):
        thought = thinker._claim()
        if thought is None:
            return
        thinker._work_off(thought)
        yield thought.game_id


def test_one_table_of_a_person_waits_for_no_more_than_two_thoughts_of_fifty_of_another(tables: Tables) -> None:
    """Counted in thoughts, however long one takes."""
    crowd = {tables.begin("ann", bots=[BOT]) for _ in range(50)}
    thinker = Thinker(tables.services, any_move)
    tables.advance(seconds=1)
    assert set(steps(thinker, 5)) <= crowd
    own = tables.begin("bob", bots=[BOT])
    tables.advance(seconds=1)
    assert own in [*steps(thinker, 3)]
