"""A game whose history does not verify is stopped alone: nobody plays it, and no time is lost (A-20, A-21)."""

import threading
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from domain.history.envelope import BrokenHistory
from service.clocks.policy import policy
from service.commands.diagnosis import examine
from service.games import play as tables
from service.integrity import alarm
from service.integrity.audit import audit_game
from service.kernel.clock import SECOND
from service.store.halted import GameHalted, halted_games, why_halted
from service.store.streams import events, games
from tests.apps import app_of
from tests.service.api.table import Api, Player
from tests.service.clockwork import DAY, HOUR, START, Hall, hall, small_hall
from tests.service.integrity.test_audit import owner_runs, rewritten
from tests.service.store.house import House, check
from tests.workers.office import hands
from workers.sweep import sweep_deadlines

pytestmark = pytest.mark.slow  # seconds together

__all__ = ["hall", "hands", "small_hall"]
THIRD = "WHERE game_id = :game AND version = 3"
OTHER_SIGNATURE = "CASE WHEN signature LIKE '0%' THEN '1' ELSE '0' END || substr(signature, 2)"
OTHER_HASH = "CASE WHEN hash LIKE '0%' THEN '1' ELSE '0' END || substr(hash, 2)"
CHANGED = f'UPDATE events SET body = replace(body, \'"cause":"\', \'"cause":"x\') {THIRD}'
BACK = f'UPDATE events SET body = replace(body, \'"cause":"x\', \'"cause":"\') {THIRD}'


@pytest.fixture(autouse=True)
def _looked_at_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "_looked", {})


def player_of(house: House, name: str) -> tuple[Api, Player]:
    """The REST API, and somebody of a house who speaks to it."""
    api = Api(house.services, domain="people.example")
    return api, api.player(name)


def stopped(house: House, game: str) -> str | None:
    with house.services.database.read() as connection:
        return why_halted(connection, game)


def test_a_stopped_game_takes_no_moves_and_shows_what_it_can(hall: Hall) -> None:
    game, other = hall.sets(), hall.sets()
    owner_runs(hall, CHANGED, game=game)
    with capture_logs() as logged:
        assert audit_game(hall.services, game).halted == (reason := stopped(hall, game))
        audit_game(hall.services, game)
    assert reason == "event 3: It was changed: it does not have the hash it was kept with."
    assert [line["log_level"] for line in logged] == ["error"], "one alarm"
    with pytest.raises(GameHalted):
        hall.moves(game, "ann", "hide 1")
    api, ann = player_of(hall, "ann")
    refused = api.post(f"/games/{game}/moves", ann, {"text": "hide 1"})
    assert (refused.status, refused.json["code"]) == (503, "game-halted")
    assert reason in refused.json["detail"]
    assert refused.headers["Retry-After"]
    for path in ("", "/events", "/audit", "/actions"):
        assert api.get(f"/games/{game}{path}", ann).status == 200, path
    assert api.get(f"/games/{game}/audit", ann).json["ok"] is False
    assert api.post(f"/games/{other}/moves", ann, {"text": "hide 1"}).status == 201
    owner_runs(hall, BACK, game=game)


def test_s11_who_may_not_see_a_game_does_not_hear_that_it_is_stopped(small_hall: Hall) -> None:
    small_hall.person("bob")
    table = small_hall.opens("ann", seats=2, public=False, invite=["bob@people.example"])
    game = small_hall.sits(table, "bob")
    audited(small_hall, game)
    api, stranger = player_of(small_hall, "eve")
    assert api.post(f"/games/{game}/moves", stranger, {"text": "hide 1"}).status == 404
    assert api.post(f"/games/{game}/moves", api.player("bob"), {"text": "hide 1"}).status == 503


def audited(house: House, game: str) -> None:
    owner_runs(house, CHANGED, game=game)
    assert audit_game(house.services, game).halted


def test_a_state_that_cannot_be_opened_is_folded_again_where_the_log_is_sound(hall: Hall) -> None:
    game = hall.sets()
    hall.executes("UPDATE games SET state = :junk WHERE id = :game", junk=bytes(64), game=game)
    api, ann = player_of(hall, "ann")
    with capture_logs() as logged:
        assert api.get(f"/games/{game}", ann).json["you"]["awaited"]
    assert [line["event"] for line in logged] == ["a state was folded again"]
    assert api.post(f"/games/{game}/moves", ann, {"text": "hide 1"}).status == 201
    assert stopped(hall, game) is None
    check(hall.services, game)


def test_a_state_of_an_earlier_event_that_was_put_back_is_not_played_on(hall: Hall) -> None:
    game = hall.sets("ann", "bob", "cyd")
    hall.moves(game, "ann", "hide 1")
    with hall.services.database.read() as connection:
        old = connection.execute(sa.select(games.c.state).where(games.c.id == game)).scalar_one()
    hall.moves(game, "bob", "hide 2")
    hall.executes("UPDATE games SET state = :old WHERE id = :game", old=old, game=game)
    with capture_logs() as logged:
        hall.moves(game, "cyd", "hide 2")
    assert [line["event"] for line in logged if line["log_level"] == "warning"] == ["a state was folded again"]
    assert audit_game(hall.services, game, thorough=True).findings == []
    check(hall.services, game)


def test_whoever_trips_over_a_history_that_does_not_hold_stops_the_game(hall: Hall) -> None:
    game = hall.sets()
    owner_runs(hall, CHANGED, game=game)
    hall.executes("UPDATE games SET state = :junk WHERE id = :game", junk=bytes(64), game=game)
    with pytest.raises(BrokenHistory), hall.services.database.read() as connection:
        hall.services.streams.head(connection, game)
    api, ann = player_of(hall, "ann")
    answers = [
        api.get(f"/games/{game}", ann),
        api.post(f"/games/{game}/moves", ann, {"text": "hide 1"}),
        api.get(f"/games/{game}", ann),
    ]
    assert [(one.status, one.json["code"]) for one in answers] == [(503, "game-halted")] * 3
    assert api.get("/games", api.player("bob")).status == 200


@pytest.mark.parametrize("where", ["body", "leaf", "type", "hash"])
def test_f52_a_changed_row_that_somebody_needs_stops_the_game(hall: Hall, where: str) -> None:
    game = hall.sets()
    hall.moves(game, "ann", "hide 1")
    owner_runs(hall, {
        "body": "UPDATE events SET body = replace(body, '\"data\"', '\"dato\"') WHERE game_id = :game AND version = 4",
        "leaf": "UPDATE leaves SET sealed = :junk WHERE game_id = :game AND version = 1",
        "type": "UPDATE events SET type = 'table.seat-takem' WHERE game_id = :game AND version = 2",
        "hash": f"UPDATE events SET hash = {OTHER_HASH} WHERE game_id = :game AND version = 4",
    }[where], game=game, junk=b"k" * 80)  # fmt: skip
    hall.executes("UPDATE games SET state = :none WHERE id = :game", none=b"", game=game)
    api, bob = player_of(hall, "bob")
    answer = api.get(f"/games/{game}", bob)
    assert (answer.status, answer.json["code"]) == (503, "game-halted")


@pytest.mark.parametrize("change", [f"hash = {OTHER_HASH}", "version = version - 1"])
def test_nothing_is_appended_to_a_head_that_is_not_the_last_event(hall: Hall, change: str) -> None:
    game = hall.sets()
    owner_runs(hall, f"UPDATE games SET {change} WHERE id = :game", game=game)
    before = count(hall, game)
    with pytest.raises(BrokenHistory, match="the head is not the last event"):
        hall.moves(game, "ann", "hide 1")
    api, ann = player_of(hall, "ann")
    answer = api.post(f"/games/{game}/moves", ann, {"text": "hide 1"})
    assert (answer.status, answer.json["code"]) == (503, "game-halted")
    assert count(hall, game) == before
    assert stopped(hall, game)


def count(house: House, game: str) -> int:
    with house.services.database.read() as connection:
        found = sa.select(sa.func.count()).select_from(events).where(events.c.game_id == game)
        return int(connection.execute(found).scalar_one())


def test_who_waits_for_the_lock_finds_the_head_and_the_event_that_came_meanwhile(hall: Hall) -> None:
    """PostgreSQL tells the head as it is after the wait beside an event as it was before it."""
    game, failed = hall.sets(), []

    def moves() -> None:
        try:
            hall.moves(game, "bob", "hide 2")
        except Exception as error:
            failed.append(error)

    other = threading.Thread(target=moves)
    with hall.services.database.write() as tx:
        tables.move(hall.services, tx, game, hall.ids["ann"], tables.Orders(text="hide 1"))
        other.start()
        other.join(0.5)
    other.join()
    assert failed == []
    check(hall.services, game)


def test_the_audit_and_the_checkpoint_of_a_game_tell_what_was_signed(hall: Hall) -> None:
    game = hall.sets()
    first = hall.moves(game, "ann", "hide 1").head.version
    hall.moves(game, "bob", "hide 2")
    api, ann = player_of(hall, "ann")
    sound = api.get(f"/games/{game}/audit", ann).json
    assert (sound["ok"], verdict(sound, "checkpoints")[0]) == (True, "verified")
    rows = rewritten(hall, game, first)
    for row in rows:
        change = "UPDATE events SET body = :body, hash = :hash WHERE game_id = :game AND version = :version"
        owner_runs(hall, change, **row)
    owner_runs(hall, "UPDATE games SET hash = :hash WHERE id = :game", game=game, hash=rows[-1]["hash"])
    report = api.get(f"/games/{game}/audit", ann).json
    assert report["ok"] is False
    assert verdict(report, "checkpoints")[0] == "broken"
    assert f"event {first}: Another event was signed" in verdict(report, "checkpoints")[1]
    assert "(and 1 more)" in verdict(report, "checkpoints")[1]
    answer = api.get(f"/games/{game}/checkpoint", ann)
    assert (answer.status, answer.json["code"]) == (503, "game-halted")
    report = api.get(f"/games/{game}/audit", ann).json
    assert report["ok"] is False
    assert stopped(hall, game) in verdict(report, "stopped")[1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DELETE FROM checkpoints WHERE game_id = :game AND version = :last", "It was not signed, or"),
        ("DELETE FROM checkpoints WHERE game_id = :game", "It was not signed, or"),
        (f"UPDATE checkpoints SET signature = {OTHER_SIGNATURE} WHERE game_id = :game", "not genuine"),
        ("INSERT INTO checkpoints SELECT game_id, :last + 1, at, hash, key, signature, deadlines FROM checkpoints "
         "WHERE game_id = :game AND version = :last", "It was signed, and is gone"),
    ],
)  # fmt: skip
def test_the_audit_of_a_game_names_a_checkpoint_that_was_touched(small_hall: Hall, change: str, said: str) -> None:
    game = small_hall.sets()
    small_hall.hands.advance(hours=1)
    last = small_hall.moves(game, "ann", "hide 1").head.version
    owner_runs(small_hall, change, game=game, last=last)
    api, ann = player_of(small_hall, "ann")
    report = api.get(f"/games/{game}/audit", ann).json
    assert report["ok"] is False
    assert said in verdict(report, "checkpoints")[1]


def verdict(report: Any, what: str) -> tuple[str, str]:
    return next((one["verdict"], one["detail"]) for one in report["checks"] if one["what"] == what)


def test_an_error_that_is_not_the_game_s_stops_nothing(small_hall: Hall) -> None:
    game = small_hall.sets()
    assert alarm.suspect(small_hall.services, game, KeyError("a fault of ours")) is None
    assert stopped(small_hall, game) is None
    assert alarm.suspect(small_hall.services, None, KeyError()) is None


def test_the_same_process_does_not_audit_a_game_at_every_error(
    small_hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, seen = small_hall.sets(), []
    monkeypatch.setattr(alarm, "audit_game", lambda services, game: seen.append(game) or audit_game(services, game))
    for _ in range(3):
        alarm.suspect(small_hall.services, game, KeyError())
    assert seen == [game]


# And goes on


def test_a_game_that_verifies_again_goes_on_and_gets_back_the_time_it_stood(hall: Hall) -> None:
    game, other = hall.sets(per_move="P3D", bank="P1D"), hall.sets()
    before, others = hall.due(game, "ann"), hall.due(other, "ann")
    hall.hands.advance(hours=5)
    audited(hall, game)
    hall.hands.advance(days=2)
    owner_runs(hall, BACK, game=game)
    assert audit_game(hall.services, game).halted, "the watch lets nothing go on"
    done = audit_game(hall.services, game, release=True)
    assert (done.halted, done.released, done.findings) == (None, True, [])
    assert hall.due(game, "ann") == before + 2 * DAY
    assert hall.due(other, "ann") == others
    assert "this game was stopped, as its records did not verify" in str(hall.page(game, "ann"))
    assert audit_game(hall.services, game, release=True).findings == []
    hall.moves(game, "ann", "hide 1")
    assert audit_game(hall.services, game, thorough=True).findings == []


@pytest.mark.parametrize("released_first", [False, True])
def test_q9_an_outage_while_a_game_stands_is_given_back_once(hall: Hall, released_first: bool) -> None:
    """The service is away from noon; an hour later the game is stopped, another hour it stands, and so on."""
    game, other = hall.sets(per_move="P3D"), hall.sets(per_move="P3D")
    before = hall.due(game, "ann")
    sweep_deadlines(hall.services)
    hall.hands.meanwhile = lambda: None
    hall.hands.advance(hours=1)
    audited(hall, game)
    hall.hands.advance(hours=1)
    owner_runs(hall, BACK, game=game)
    if released_first:
        assert audit_game(hall.services, game, release=True).released
        hall.hands.advance(hours=1)
        sweep_deadlines(hall.services)
    else:
        sweep_deadlines(hall.services)
        hall.hands.advance(hours=1)
        assert audit_game(hall.services, game, release=True).released
    assert hall.due(game, "ann") == before + 3 * HOUR
    assert hall.due(other, "ann") == before + (3 if released_first else 2) * HOUR
    assert audit_game(hall.services, game).findings == []


@pytest.mark.parametrize("hours", [1, 8, 30, 75])
def test_a_clock_with_nights_gets_back_the_whole_time_at_the_least(small_hall: Hall, hours: int) -> None:
    game = small_hall.sets(per_move="P3D", quiet_hours=True)
    before = small_hall.due(game, "ann")
    small_hall.hands.advance(hours=7)
    audited(small_hall, game)
    small_hall.hands.advance(hours=hours)
    owner_runs(small_hall, BACK, game=game)
    audit_game(small_hall.services, game, release=True)
    assert small_hall.due(game, "ann") >= before + hours * HOUR
    assert audit_game(small_hall.services, game).findings == []


def test_a_deadline_that_had_passed_when_the_game_stopped_has_its_grace_again(hall: Hall) -> None:
    game = hall.sets(per_move="P1D", grace="PT10M")
    hall.hands.at = START + DAY + 60 * SECOND
    hall.stays_open()
    audited(hall, game)
    hall.hands.advance(days=3)
    owner_runs(hall, BACK, game=game)
    audit_game(hall.services, game, release=True)
    row = hall.clock(game, "ann")
    assert row["acts_at"] >= hall.hands.at + 540 * SECOND
    assert policy(hall.head(game).table.clock).grace == 600 * SECOND


def test_a_game_that_is_mended_and_goes_on_at_once(hall: Hall) -> None:
    game = hall.sets()
    audited(hall, game)
    owner_runs(hall, BACK, "UPDATE seats SET strikes = 7 WHERE game_id = :game", game=game)
    done = audit_game(hall.services, game, release=True)
    assert done.released
    assert all(one.mended for one in done.findings)
    check(hall.services, game)


# Who is told


def test_doctor_and_metrics_tell_of_stopped_games_and_the_service_is_ready(small_hall: Hall) -> None:
    game, _ = small_hall.sets(), small_hall.sets()
    audited(small_hall, game)
    client = app_of(small_hall.services).test_client()
    assert b"wardroom_games_halted 1.0" in client.get("/metrics").data
    said = [one.sentence for one in examine(small_hall.services) if one.what == f"game {game}"]
    assert any(sentence.startswith("It is stopped since 2031-03-04T12:00:00") for sentence in said)
    with small_hall.services.database.read() as connection:
        assert [one[0] for one in halted_games(connection)] == [game]


def test_a_dry_run_stops_nothing(small_hall: Hall) -> None:
    game = small_hall.sets()
    owner_runs(small_hall, CHANGED, game=game)
    assert audit_game(small_hall.services, game, mend=False).findings
    assert stopped(small_hall, game) is None
    with small_hall.services.database.read() as connection:
        assert connection.execute(sa.select(games.c.halted_at).where(games.c.id == game)).scalar() is None
        assert tables.look(small_hall.services, connection, game, small_hall.ids["ann"])[1] == 0
