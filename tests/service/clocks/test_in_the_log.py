"""The clock is in the log: what is recorded when a deadline moves, what is no news, and outages game by game (Q-9)."""

import json
from typing import Any

import pytest

from service.clocks.seat_clocks import given_back, mend
from service.games import takeback
from service.games.commit import lock
from service.games.statistics.clock_facts import clock_facts
from service.integrity.audit import audit_game
from service.kernel.clock import text
from service.store.clocks import decisions, outages
from tests.service.clock_tables import DAY, HOUR, START, clock_tables, sqlite_clock_tables
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock
from workers.sweep import sweep_deadlines

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]
COLUMNS = "game_id, seat, decision, since, player_id, began_at, due_at"


def dues(tables: Tables, game: str) -> list[tuple[str, Any]]:
    """The events that carry deadlines, each with what it says."""
    return [(event["type"], event["data"]["due"]) for event in tables.events(game) if "due" in event["data"]]


def test_a_question_carries_its_deadline(sqlite_clock_tables: Tables) -> None:
    tables, game = sqlite_clock_tables, sqlite_clock_tables.begin_timed(per_move="P1D")
    first = text(START + DAY)
    tables.advance(hours=1)
    tables.agree(game, "pause", days=2)
    tables.advance(hours=1)
    tables.agree(game, "resume")
    tables.agree(game, "extend", hours=2)
    later, last = text(START + DAY + HOUR), text(START + DAY + 3 * HOUR)
    tables.move(game, "ann", "hide 1")
    assert dues(tables, game) == [
        ("pennies.pot-drawn", {"0": first, "1": first}),
        ("table.clock-paused", {"0": None, "1": None}),
        ("table.clock-resumed", {"0": later, "1": later}),
        ("table.time-extended", {"0": last, "1": last}),
    ], "who answers ends a question and sets none"


def lost(tables: Tables, games: list[str]) -> None:
    """Three hours in which nobody swept."""
    sweep_deadlines(tables.services)
    tables.clock.meanwhile = lambda: None
    tables.advance(hours=3)


@pytest.mark.parametrize("killed_in", range(4))
def test_q9_killed_at_any_point_of_an_outage_s_credit_each_game_is_given_it_once(
    clock_tables: Tables, monkeypatch: pytest.MonkeyPatch, killed_in: int
) -> None:
    games = [clock_tables.begin_timed(per_move=f"P{days}D") for days in (3, 1, 2)]
    lost(clock_tables, games)
    done: list[str] = []

    def dies(row: Any, *given: Any) -> Any:
        if row.game_id not in done:
            done.append(row.game_id)
        if len(done) > killed_in:
            raise KeyboardInterrupt
        return given_back(row, *given)

    with monkeypatch.context() as patch:
        patch.setattr("service.clocks.seat_clocks.given_back", dies)
        if killed_in < 3:
            with pytest.raises(KeyboardInterrupt):
                sweep_deadlines(clock_tables.services)
        else:
            sweep_deadlines(clock_tables.services)
    assert done[0] == games[1], "the earliest deadline first"
    for _ in range(2):
        sweep_deadlines(clock_tables.services)
    for game, days in zip(games, (3, 1, 2), strict=True):
        assert clock_tables.due(game, "ann") == START + days * DAY + 3 * HOUR
        moved = [event for event in clock_tables.events(game) if event["type"] == "table.deadline-moved"]
        assert [(event["data"]["why"], event["data"]["outage"]) for event in moved] == [("service", 1)]
        assert audit_game(clock_tables.services, game).findings == []


def test_q9_a_move_in_a_game_that_has_not_made_an_outage_good_does_so_first(sqlite_clock_tables: Tables) -> None:
    tables, game = sqlite_clock_tables, sqlite_clock_tables.begin_timed(per_move="P1D")
    tables.advance(hours=3)
    with tables.services.database.write() as tx:
        outages.add(tx, START, tables.clock.at)
    tables.move(game, "ann", "hide 1")
    moved, hidden = tables.events(game)[-2:]
    assert (moved["type"], moved["data"]["outage"]) == ("table.deadline-moved", 1)
    assert (hidden["type"], hidden["cause"] != moved["cause"]) == ("pennies.penny-hidden", True)
    assert tables.due(game, "bob") == START + DAY + 3 * HOUR
    version = tables.head(game).version
    with tables.services.database.write() as tx:
        lock(tables.services, tx, game)
    assert tables.head(game).version == version, "once"


def test_q9_a_clock_that_stood_is_given_nothing_of_an_outage_when_it_runs_again(sqlite_clock_tables: Tables) -> None:
    tables, game = sqlite_clock_tables, sqlite_clock_tables.begin_timed(per_move="P1D")
    tables.agree(game, "pause", days=9)
    lost(tables, [game])
    sweep_deadlines(tables.services)
    tables.clock.meanwhile = tables.record_sweep
    tables.agree(game, "resume")
    for _ in range(2):
        sweep_deadlines(tables.services)
    assert tables.due(game, "ann") == tables.clock.at + DAY


def test_a_deadline_that_moves_is_no_news(sqlite_clock_tables: Tables) -> None:
    """It is in the log, wakes the page, and changes neither the order of lists nor what is unread."""
    tables = sqlite_clock_tables
    older, newer = tables.begin_timed(leave_days=5), None
    tables.advance(hours=1)
    newer = tables.begin_timed(leave_days=5)

    def listed() -> list[Any]:
        with tables.services.database.read() as connection:
            rows = connection.exec_driver_sql("SELECT id, last_at FROM games ORDER BY last_at DESC").fetchall()
        return [tuple(row) for row in rows]

    before, version = listed(), tables.head(older).version
    tables.advance(hours=1)
    tables.take_leave("ann", "2031-03-05", "2031-03-05")
    assert tables.head(older).version == version + 1
    assert listed() == before
    assert [row[0] for row in before] == [newer, older]
    assert tables.head(older).last_at == tables.clock.at, "the next event is not older"


def test_why_it_moved_for_its_player_s_sake_is_told_to_that_player_alone(sqlite_clock_tables: Tables) -> None:
    tables, game = sqlite_clock_tables, sqlite_clock_tables.begin_timed(leave_days=5, per_move="P2D")
    tables.take_leave("ann", "2031-03-05", "2031-03-05")
    (moved,) = tables.events(game, "table.deadline-moved")
    assert set(moved["data"]) == {"why", "outage", "due"}

    def told(name: str) -> tuple[str, str]:
        page = tables.clock_page(game, name)
        steps = next(one["steps"] for one in page["deadlines"] if one["seat"] == tables.seat(game, "ann"))
        return next((step["code"], step["text"]) for step in steps if "moved from" in step["text"])

    assert told("ann")[0] == "leave-announced"
    assert "ann had announced leave" in told("ann")[1].lower()
    assert told("bob")[0] == "moved"
    assert "leave" not in told("bob")[1]


def seen_of_ann(tables: Tables, game: str, name: str) -> tuple[Any, Any, Any]:
    """When the caretaker acts for Ann, what is in her bank now, and what codes the steps have, as somebody reads it."""
    page, seat = tables.clock_page(game, name), tables.seat(game, "ann")
    deadline = next(one for one in page["deadlines"] if one["seat"] == seat)
    bank = next(one["left"] for one in page["banks"] if one["seat"] == seat)
    assert deadline["bank_left"] == bank
    return deadline["acts"], bank, [step["code"] for step in deadline["steps"]]


def test_a_mail_that_could_not_be_used_is_told_to_its_player_alone(sqlite_clock_tables: Tables) -> None:
    tables, game = sqlite_clock_tables, sqlite_clock_tables.begin_timed(per_move="P1D", bank="PT1H", grace="PT10M")
    due, before = START + DAY + HOUR, seen_of_ann(tables, game, "bob")
    tables.advance(hours=24)
    with tables.services.database.write() as tx:
        mend(tx, next(row for row in decisions.of_game_by_due(tx, game) if row.seat == 0), due + HOUR)
    assert seen_of_ann(tables, game, "ann")[0] == text(due + HOUR)
    assert seen_of_ann(tables, game, "bob") == before
    assert before[0] == text(due + HOUR // 6)


@pytest.mark.parametrize("wakes", [60, 600])
def test_t44_a_bank_tells_others_nothing_of_when_its_player_wakes(sqlite_clock_tables: Tables, wakes: int) -> None:
    tables = sqlite_clock_tables
    tables.player("ann")
    tables.change_profile("ann", wakes_at=wakes)
    game = tables.begin_timed(quiet_hours=True, per_move="PT1H", bank="P1D")
    read = []
    for _ in range(12):
        tables.advance(hours=2)
        read.append([seen_of_ann(tables, game, name)[1] for name in ("ann", "bob")])
    assert len({own for own, _ in read}) > 4, "her own bank runs while she is awake"
    assert {shown for _, shown in read} == {"P1D"}


def life(tables: Tables, zone: str, wakes: int) -> tuple[str, list[str]]:
    """A game in which Ann lives there and wakes then, and what Bob can read of it, without times and hashes."""
    tables.rename("ann", "Ann", zone)
    tables.change_profile("ann", timezone=zone, wakes_at=wakes)
    game = tables.begin_timed(quiet_hours=True, leave_days=5, per_move="P3D", bank="P1D")
    tables.take_leave("ann", "2031-06-01", "2031-06-02")  # not reached
    tables.advance(hours=5)
    tables.agree(game, "pause", days=1)
    tables.advance(hours=5)
    tables.agree(game, "resume")
    tables.move(game, "ann", "hide 2")
    tables.move(game, "bob", "hide 1")
    told = [
        json.dumps([event["type"], event["actor"], sorted(event["data"]), sorted(event["data"].get("due", {}))])
        for event in tables.events(game)
    ]
    page = tables.clock_page(game, "bob")
    told += [json.dumps([one["seat"], [step["code"] for step in one["steps"]]]) for one in page["deadlines"]]
    tables.cancel_leave("ann")
    return game, told


def test_t44_two_games_that_differ_in_a_player_s_hours_differ_for_others_in_due_dates_alone(
    sqlite_clock_tables: Tables,
) -> None:
    """Zone, wake hour and leave that is not reached are in no event; a due date ends at a full hour."""
    tables, stories = sqlite_clock_tables, []
    for zone, wakes in (("Pacific/Chatham", 437), ("Europe/Berlin", 480)):
        game, told = life(tables, zone, wakes)
        assert all(
            due is None or due.endswith(":00:00.000000Z")
            for event in tables.events(game) for seat, due in event["data"].get("due", {}).items()
            if seat == str(tables.seat(game, "ann"))
        )  # fmt: skip
        stories.append(told)
    assert stories[0] == stories[1]
    assert len(stories[0]) > 8


def test_what_is_owed_follows_from_the_log_whatever_happens(sqlite_clock_tables: Tables) -> None:
    tables, game = sqlite_clock_tables, sqlite_clock_tables.begin_timed("ann", "bob", "cyd", leave_days=5, bank="P1D")
    deeds = (
        lambda: tables.move(game, "bob", "hide 2"),
        lambda: tables.take_leave("ann", "2031-03-06", "2031-03-06"),
        lambda: tables.agree(game, "extend", hours=7),
        lambda: tables.agree(game, "pause", days=2),
        lambda: tables.agree(game, "resume"),
        lambda: tables.expire(game, 2),
    )
    for deed in deeds:
        tables.advance(hours=1)
        deed()
        before = tables.execute(f"SELECT {COLUMNS} FROM decisions ORDER BY seat")
        tables.execute("DELETE FROM decisions")
        audit_game(tables.services, game)
        assert tables.execute(f"SELECT {COLUMNS} FROM decisions ORDER BY seat") == before


def test_design7_what_is_asked_again_while_the_clock_stands_is_not_due_earlier_when_it_runs(
    sqlite_clock_tables: Tables,
) -> None:
    tables, game = sqlite_clock_tables, sqlite_clock_tables.begin_timed("ann", "bob", "cyd", per_move="P1D")
    tables.agree(game, "extend", days=5)
    told = tables.due(game, "ann")
    tables.advance(hours=1)
    for name in ("ann", "bob"):
        tables.move(game, name, "hide 1")
    tables.agree(game, "pause", days=9)
    with tables.services.database.write() as tx:
        assert not takeback.go_back(tables.services, tx, game, tables.ids["ann"]).done, "bob is asked"
    with tables.services.database.write() as tx:
        assert takeback.vote(tables.services, tx, game, tables.ids["bob"], True).done
    assert tables.seat_clock(game, "ann")["due_at"] is None
    tables.agree(game, "resume")
    assert tables.due(game, "ann") == tables.due(game, "bob") == told
    assert audit_game(tables.services, game, thorough=True).findings == []


def test_q9_who_was_given_an_outage_is_not_given_it_again_beside_who_was_asked_later(
    sqlite_clock_tables: Tables,
) -> None:
    tables, game = sqlite_clock_tables, sqlite_clock_tables.begin_timed("ann", "bob", "cyd", per_move="P3D")
    lost(tables, [game])
    sweep_deadlines(tables.services)
    for name in ("ann", "bob"):
        tables.move(game, name, "hide 1")
    for deed in (
        lambda tx: takeback.go_back(tables.services, tx, game, tables.ids["ann"]),
        lambda tx: takeback.vote(tables.services, tx, game, tables.ids["bob"], True),
    ):
        with tables.services.database.write() as tx:
            deed(tx)
    lost(tables, [game])
    sweep_deadlines(tables.services)
    assert tables.due(game, "cyd") == START + 3 * DAY + 6 * HOUR


def test_how_long_each_took_is_counted_from_the_log_and_what_the_caretaker_answers_is_missed(
    sqlite_clock_tables: Tables,
) -> None:
    tables, game = sqlite_clock_tables, sqlite_clock_tables.begin_timed(per_move="P1D")
    tables.advance(hours=2)
    tables.move(game, "ann", "hide 1")
    tables.advance(hours=1)
    with tables.services.database.write() as tx:
        takeback.go_back(tables.services, tx, game, tables.ids["ann"])
    tables.advance(hours=1)
    tables.move(game, "ann", "hide 2")
    tables.expire(game, 1)
    tables.advance(hours=3)
    tables.move(game, "ann", "take")
    tables.advance(hours=5)
    tables.move(game, "bob", "hide 1")
    head, streams = tables.head(game), tables.services.streams
    with tables.services.database.read() as connection:
        ann, bob = clock_facts(head.rules, streams.history(connection, game, head.rules, head.version))
    assert (ann.took, ann.missed) == ([2 * 3600, 3600, 3 * 3600], 0)
    assert (bob.took, bob.missed) == ([5 * 3600], 1)
