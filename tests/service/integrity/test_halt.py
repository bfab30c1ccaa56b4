"""A game whose history does not verify is stopped alone: nobody plays it, and no time is lost (A-20, A-21)."""

import threading
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from domain.history.envelope import BrokenHistory
from service.clocks.policy import policy
from service.commands.health.diagnosis import examine
from service.games import play
from service.integrity import alarm
from service.integrity.audit import audit_game
from service.kernel.clock import SECOND
from service.store.clocks.halted import GameHalted, halted_games, why_halted
from service.store.event_store.streams import events, games
from tests.apps import app_of
from tests.service.api.table import Api, Player
from tests.service.clock_tables import DAY, HOUR, START, clock_tables, sqlite_clock_tables
from tests.service.integrity.test_audit import owner_runs, rewritten
from tests.service.store.service_tables import check
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock
from workers.sweep import sweep_deadlines

pytestmark = pytest.mark.slow  # seconds together

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]
THIRD = "WHERE game_id = :game AND version = 3"
OTHER_SIGNATURE = "CASE WHEN signature LIKE '0%' THEN '1' ELSE '0' END || substr(signature, 2)"
OTHER_HASH = "CASE WHEN hash LIKE '0%' THEN '1' ELSE '0' END || substr(hash, 2)"
CHANGED = f'UPDATE events SET body = replace(body, \'"cause":"\', \'"cause":"x\') {THIRD}'
BACK = f'UPDATE events SET body = replace(body, \'"cause":"x\', \'"cause":"\') {THIRD}'


@pytest.fixture(autouse=True)
def _looked_at_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "_looked", {})


def player_of(tables: Tables, name: str) -> tuple[Api, Player]:
    """The REST API, and a player who speaks to it."""
    api = Api(tables.services, domain="people.example")
    return api, api.player(name)


def stopped(tables: Tables, game: str) -> str | None:
    with tables.services.database.read() as connection:
        return why_halted(connection, game)


def test_a_stopped_game_takes_no_moves_and_shows_what_it_can(clock_tables: Tables) -> None:
    game, other = clock_tables.begin_timed(), clock_tables.begin_timed()
    owner_runs(clock_tables, CHANGED, game=game)
    with capture_logs() as logged:
        assert audit_game(clock_tables.services, game).halted == (reason := stopped(clock_tables, game))
        audit_game(clock_tables.services, game)
    assert reason == "event 3: It was changed: it does not have the hash it was kept with."
    assert [line["log_level"] for line in logged] == ["error"], "one alarm"
    with pytest.raises(GameHalted):
        clock_tables.move(game, "ann", "hide 1")
    api, ann = player_of(clock_tables, "ann")
    refused = api.post(f"/games/{game}/moves", ann, {"text": "hide 1"})
    assert (refused.status, refused.json["code"]) == (503, "game-halted")
    assert reason in refused.json["detail"]
    assert refused.headers["Retry-After"]
    for path in ("", "/events", "/audit", "/actions"):
        assert api.get(f"/games/{game}{path}", ann).status == 200, path
    assert api.get(f"/games/{game}/audit", ann).json["ok"] is False
    assert api.post(f"/games/{other}/moves", ann, {"text": "hide 1"}).status == 201
    owner_runs(clock_tables, BACK, game=game)


def test_s11_who_may_not_see_a_game_does_not_hear_that_it_is_stopped(sqlite_clock_tables: Tables) -> None:
    sqlite_clock_tables.player("bob")
    table = sqlite_clock_tables.open("ann", seats=2, public=False, invite=["bob@people.example"])
    game = sqlite_clock_tables.sit(table, "bob")
    audited(sqlite_clock_tables, game)
    api, stranger = player_of(sqlite_clock_tables, "eve")
    assert api.post(f"/games/{game}/moves", stranger, {"text": "hide 1"}).status == 404
    assert api.post(f"/games/{game}/moves", api.player("bob"), {"text": "hide 1"}).status == 503


def audited(tables: Tables, game: str) -> None:
    owner_runs(tables, CHANGED, game=game)
    assert audit_game(tables.services, game).halted


def test_a_state_that_cannot_be_opened_is_folded_again_where_the_log_is_sound(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed()
    clock_tables.execute("UPDATE games SET state = :junk WHERE id = :game", junk=bytes(64), game=game)
    api, ann = player_of(clock_tables, "ann")
    with capture_logs() as logged:
        assert api.get(f"/games/{game}", ann).json["you"]["awaited"]
    assert [line["event"] for line in logged] == ["a state was folded again"]
    assert api.post(f"/games/{game}/moves", ann, {"text": "hide 1"}).status == 201
    assert stopped(clock_tables, game) is None
    check(clock_tables.services, game)


def test_a_state_of_an_earlier_event_that_was_put_back_is_not_played_on(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed("ann", "bob", "cyd")
    clock_tables.move(game, "ann", "hide 1")
    with clock_tables.services.database.read() as connection:
        old = connection.execute(sa.select(games.c.state).where(games.c.id == game)).scalar_one()
    clock_tables.move(game, "bob", "hide 2")
    clock_tables.execute("UPDATE games SET state = :old WHERE id = :game", old=old, game=game)
    with capture_logs() as logged:
        clock_tables.move(game, "cyd", "hide 2")
    assert [line["event"] for line in logged if line["log_level"] == "warning"] == ["a state was folded again"]
    assert audit_game(clock_tables.services, game, thorough=True).findings == []
    check(clock_tables.services, game)


def test_whoever_trips_over_a_history_that_does_not_hold_stops_the_game(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed()
    owner_runs(clock_tables, CHANGED, game=game)
    clock_tables.execute("UPDATE games SET state = :junk WHERE id = :game", junk=bytes(64), game=game)
    with pytest.raises(BrokenHistory), clock_tables.services.database.read() as connection:
        clock_tables.services.streams.head(connection, game)
    api, ann = player_of(clock_tables, "ann")
    answers = [
        api.get(f"/games/{game}", ann),
        api.post(f"/games/{game}/moves", ann, {"text": "hide 1"}),
        api.get(f"/games/{game}", ann),
    ]
    assert [(one.status, one.json["code"]) for one in answers] == [(503, "game-halted")] * 3
    assert api.get("/games", api.player("bob")).status == 200


@pytest.mark.parametrize("where", ["body", "leaf", "type", "hash"])
def test_f52_a_changed_row_that_somebody_needs_stops_the_game(clock_tables: Tables, where: str) -> None:
    game = clock_tables.begin_timed()
    clock_tables.move(game, "ann", "hide 1")
    owner_runs(clock_tables, {
        "body": "UPDATE events SET body = replace(body, '\"data\"', '\"dato\"') WHERE game_id = :game AND version = 4",
        "leaf": "UPDATE leaves SET sealed = :junk WHERE game_id = :game AND version = 1",
        "type": "UPDATE events SET type = 'table.seat-takem' WHERE game_id = :game AND version = 2",
        "hash": f"UPDATE events SET hash = {OTHER_HASH} WHERE game_id = :game AND version = 4",
    }[where], game=game, junk=b"k" * 80)  # fmt: skip
    clock_tables.execute("UPDATE games SET state = :none WHERE id = :game", none=b"", game=game)
    api, bob = player_of(clock_tables, "bob")
    answer = api.get(f"/games/{game}", bob)
    assert (answer.status, answer.json["code"]) == (503, "game-halted")


@pytest.mark.parametrize("change", [f"hash = {OTHER_HASH}", "version = version - 1"])
def test_nothing_is_appended_to_a_head_that_is_not_the_last_event(clock_tables: Tables, change: str) -> None:
    game = clock_tables.begin_timed()
    owner_runs(clock_tables, f"UPDATE games SET {change} WHERE id = :game", game=game)
    before = count(clock_tables, game)
    with pytest.raises(BrokenHistory, match="the head is not the last event"):
        clock_tables.move(game, "ann", "hide 1")
    api, ann = player_of(clock_tables, "ann")
    answer = api.post(f"/games/{game}/moves", ann, {"text": "hide 1"})
    assert (answer.status, answer.json["code"]) == (503, "game-halted")
    assert count(clock_tables, game) == before
    assert stopped(clock_tables, game)


def count(tables: Tables, game: str) -> int:
    with tables.services.database.read() as connection:
        found = sa.select(sa.func.count()).select_from(events).where(events.c.game_id == game)
        return int(connection.execute(found).scalar_one())


def test_who_waits_for_the_lock_finds_the_head_and_the_event_that_came_meanwhile(clock_tables: Tables) -> None:
    """PostgreSQL tells the head as it is after the wait beside an event as it was before it."""
    game, failed = clock_tables.begin_timed(), []

    def moves() -> None:
        try:
            clock_tables.move(game, "bob", "hide 2")
        except Exception as error:
            failed.append(error)

    other = threading.Thread(target=moves)
    with clock_tables.services.database.write() as tx:
        play.move(clock_tables.services, tx, game, clock_tables.ids["ann"], play.Orders(text="hide 1"))
        other.start()
        other.join(0.5)
    other.join()
    assert failed == []
    check(clock_tables.services, game)


def test_the_audit_and_the_checkpoint_of_a_game_tell_what_was_signed(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed()
    first = clock_tables.move(game, "ann", "hide 1").head.version
    clock_tables.move(game, "bob", "hide 2")
    api, ann = player_of(clock_tables, "ann")
    sound = api.get(f"/games/{game}/audit", ann).json
    assert (sound["ok"], verdict(sound, "checkpoints")[0]) == (True, "verified")
    rows = rewritten(clock_tables, game, first)
    for row in rows:
        change = "UPDATE events SET body = :body, hash = :hash WHERE game_id = :game AND version = :version"
        owner_runs(clock_tables, change, **row)
    owner_runs(clock_tables, "UPDATE games SET hash = :hash WHERE id = :game", game=game, hash=rows[-1]["hash"])
    report = api.get(f"/games/{game}/audit", ann).json
    assert report["ok"] is False
    assert verdict(report, "checkpoints")[0] == "broken"
    assert f"event {first}: Another event was signed" in verdict(report, "checkpoints")[1]
    assert "(and 1 more)" in verdict(report, "checkpoints")[1]
    answer = api.get(f"/games/{game}/checkpoint", ann)
    assert (answer.status, answer.json["code"]) == (503, "game-halted")
    report = api.get(f"/games/{game}/audit", ann).json
    assert report["ok"] is False
    assert stopped(clock_tables, game) in verdict(report, "stopped")[1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DELETE FROM checkpoints WHERE game_id = :game AND version = :last", "It was not signed, or"),
        ("DELETE FROM checkpoints WHERE game_id = :game", "It was not signed, or"),
        (f"UPDATE checkpoints SET signature = {OTHER_SIGNATURE} WHERE game_id = :game", "not genuine"),
        ("INSERT INTO checkpoints SELECT game_id, :last + 1, at, hash, key, signature FROM checkpoints "
         "WHERE game_id = :game AND version = :last", "It was signed, and is gone"),
    ],
)  # fmt: skip
def test_the_audit_of_a_game_names_a_checkpoint_that_was_touched(
    sqlite_clock_tables: Tables, change: str, said: str
) -> None:
    game = sqlite_clock_tables.begin_timed()
    sqlite_clock_tables.advance(hours=1)
    last = sqlite_clock_tables.move(game, "ann", "hide 1").head.version
    owner_runs(sqlite_clock_tables, change, game=game, last=last)
    api, ann = player_of(sqlite_clock_tables, "ann")
    report = api.get(f"/games/{game}/audit", ann).json
    assert report["ok"] is False
    assert said in verdict(report, "checkpoints")[1]


def verdict(report: Any, what: str) -> tuple[str, str]:
    return next((one["verdict"], one["detail"]) for one in report["checks"] if one["what"] == what)


def test_an_error_that_is_not_the_game_s_stops_nothing(sqlite_clock_tables: Tables) -> None:
    game = sqlite_clock_tables.begin_timed()
    assert alarm.suspect(sqlite_clock_tables.services, game, KeyError("a fault of ours")) is None
    assert stopped(sqlite_clock_tables, game) is None
    assert alarm.suspect(sqlite_clock_tables.services, None, KeyError()) is None


def test_the_same_process_does_not_audit_a_game_at_every_error(
    sqlite_clock_tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, seen = sqlite_clock_tables.begin_timed(), []
    monkeypatch.setattr(alarm, "audit_game", lambda services, game: seen.append(game) or audit_game(services, game))
    for _ in range(3):
        alarm.suspect(sqlite_clock_tables.services, game, KeyError())
    assert seen == [game]


# And goes on


def test_a_game_that_verifies_again_goes_on_and_gets_back_the_time_it_stood(clock_tables: Tables) -> None:
    game, other = clock_tables.begin_timed(per_move="P3D", bank="P1D"), clock_tables.begin_timed()
    before, others = clock_tables.due(game, "ann"), clock_tables.due(other, "ann")
    clock_tables.advance(hours=5)
    audited(clock_tables, game)
    clock_tables.advance(days=2)
    owner_runs(clock_tables, BACK, game=game)
    assert audit_game(clock_tables.services, game).halted, "the watch lets nothing go on"
    done = audit_game(clock_tables.services, game, release=True)
    assert (done.halted, done.released, done.findings) == (None, True, [])
    assert clock_tables.due(game, "ann") == before + 2 * DAY
    assert clock_tables.due(other, "ann") == others
    assert "this game was stopped, as its records did not verify" in str(clock_tables.clock_page(game, "ann"))
    assert audit_game(clock_tables.services, game, release=True).findings == []
    clock_tables.move(game, "ann", "hide 1")
    assert audit_game(clock_tables.services, game, thorough=True).findings == []


@pytest.mark.parametrize("released_first", [False, True])
def test_q9_an_outage_while_a_game_stands_is_given_back_once(clock_tables: Tables, released_first: bool) -> None:
    """The service is away from noon; an hour later the game is stopped, another hour it stands, and so on."""
    game, other = clock_tables.begin_timed(per_move="P3D"), clock_tables.begin_timed(per_move="P3D")
    before = clock_tables.due(game, "ann")
    sweep_deadlines(clock_tables.services)
    clock_tables.clock.meanwhile = lambda: None
    clock_tables.advance(hours=1)
    audited(clock_tables, game)
    clock_tables.advance(hours=1)
    owner_runs(clock_tables, BACK, game=game)
    if released_first:
        assert audit_game(clock_tables.services, game, release=True).released
        clock_tables.advance(hours=1)
        sweep_deadlines(clock_tables.services)
    else:
        sweep_deadlines(clock_tables.services)
        clock_tables.advance(hours=1)
        assert audit_game(clock_tables.services, game, release=True).released
        sweep_deadlines(clock_tables.services)
    assert clock_tables.due(game, "ann") == clock_tables.due(other, "ann") == before + 3 * HOUR
    assert audit_game(clock_tables.services, game).findings == []


@pytest.mark.parametrize("hours", [1, 8, 30, 75])
def test_a_clock_with_nights_gets_back_the_whole_time_at_the_least(sqlite_clock_tables: Tables, hours: int) -> None:
    game = sqlite_clock_tables.begin_timed(per_move="P3D", quiet_hours=True)
    before = sqlite_clock_tables.due(game, "ann")
    sqlite_clock_tables.advance(hours=7)
    audited(sqlite_clock_tables, game)
    sqlite_clock_tables.advance(hours=hours)
    owner_runs(sqlite_clock_tables, BACK, game=game)
    audit_game(sqlite_clock_tables.services, game, release=True)
    assert sqlite_clock_tables.due(game, "ann") >= before + hours * HOUR
    assert audit_game(sqlite_clock_tables.services, game).findings == []


def test_a_deadline_that_had_passed_when_the_game_stopped_has_its_grace_again(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed(per_move="P1D", grace="PT10M")
    clock_tables.clock.at = START + DAY + 60 * SECOND
    clock_tables.record_sweep()
    audited(clock_tables, game)
    clock_tables.advance(days=3)
    owner_runs(clock_tables, BACK, game=game)
    audit_game(clock_tables.services, game, release=True)
    row = clock_tables.seat_clock(game, "ann")
    assert row["acts_at"] >= clock_tables.clock.at + 540 * SECOND
    assert policy(clock_tables.head(game).table.clock).grace == 600 * SECOND


def test_a_game_that_is_mended_and_goes_on_at_once(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed()
    audited(clock_tables, game)
    owner_runs(clock_tables, BACK, "UPDATE seats SET strikes = 7 WHERE game_id = :game", game=game)
    done = audit_game(clock_tables.services, game, release=True)
    assert done.released
    assert all(one.mended for one in done.findings)
    check(clock_tables.services, game)


# Who is told


def test_doctor_and_metrics_tell_of_stopped_games_and_the_service_is_ready(sqlite_clock_tables: Tables) -> None:
    game, _ = sqlite_clock_tables.begin_timed(), sqlite_clock_tables.begin_timed()
    audited(sqlite_clock_tables, game)
    client = app_of(sqlite_clock_tables.services).test_client()
    assert b"wardroom_games_halted 1.0" in client.get("/metrics").data
    said = [one.sentence for one in examine(sqlite_clock_tables.services) if one.what == f"game {game}"]
    assert any(sentence.startswith("It is stopped since 2031-03-04T12:00:00") for sentence in said)
    with sqlite_clock_tables.services.database.read() as connection:
        assert [one[0] for one in halted_games(connection)] == [game]


def test_a_dry_run_stops_nothing(sqlite_clock_tables: Tables) -> None:
    game = sqlite_clock_tables.begin_timed()
    owner_runs(sqlite_clock_tables, CHANGED, game=game)
    assert audit_game(sqlite_clock_tables.services, game, mend=False).findings
    assert stopped(sqlite_clock_tables, game) is None
    with sqlite_clock_tables.services.database.read() as connection:
        assert connection.execute(sa.select(games.c.halted_at).where(games.c.id == game)).scalar() is None
        assert play.look(sqlite_clock_tables.services, connection, game, sqlite_clock_tables.ids["ann"])[1] == 0
