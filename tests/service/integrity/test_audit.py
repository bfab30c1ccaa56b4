"""Every row of every game is compared with the game's history: what is computed is mended, what is not is named.

An operator with the database but not the keys cannot change a game unseen (issue 6; F-52, A-13).
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from structlog.testing import capture_logs

from domain.engine.bots import Bot
from domain.engine.canonical import canonical, read_json
from domain.engine.refusals import RuleViolation
from domain.engine.sentences import say
from domain.history.codec import history
from domain.history.envelope import Leaf, event_hash
from domain.rulesets import RULESETS
from service import cli
from service.commands.health.diagnosis import examine
from service.commands.health.doctor import UNWATCHED
from service.container import Services
from service.games import bots, play
from service.games.play import Orders
from service.integrity import audit, audit_rounds, house_log
from service.integrity.audit import audit_game, audit_house
from service.integrity.checks import guards
from service.integrity.checks.findings import Finding
from service.integrity.replay import Task, do
from service.kernel.clock import SECOND
from service.store.clocks.decisions import decisions
from service.store.event_store.streams import games
from service.store.people.players import seats
from service.store.structure.guards import TRIGGERS
from tests.domain.table.pennies import PENNIES, Hide
from tests.service.clock_tables import DAY, START, clock_tables, sqlite_clock_tables
from tests.service.store.service_tables import check, services, snapshot, tables
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock
from workers.sweep import sweep_deadlines

pytestmark = pytest.mark.slow  # seconds together

__all__ = ["clock_tables", "manual_clock", "tables", "services", "sqlite_clock_tables"]


def owner_runs(tables: Tables, *statements: str, guarded: bool = False, **values: Any) -> None:
    """What somebody does who has the database: without the triggers, which are there again afterwards."""
    engine = tables.services.database.owner_engine()
    try:
        with engine.begin() as connection, unguarded(connection) if not guarded else _as_it_is():
            for statement in statements:
                connection.execute(sa.text(statement), values)
    finally:
        engine.dispose()


@contextmanager
def _as_it_is() -> Iterator[None]:
    yield


@contextmanager
def unguarded(connection: sa.Connection) -> Iterator[None]:
    """Without triggers."""
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET LOCAL session_replication_role = replica")
        yield
        return
    found = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all()
    for name, _ in found:
        connection.exec_driver_sql(f"DROP TRIGGER {name}")
    yield
    for _, statement in found:
        connection.exec_driver_sql(statement)


def told(tables: Tables, game: str, **how: Any) -> list[tuple[str, str, str, bool]]:
    """What an audit finds: table, row, column, whether it was mended."""
    found = audit_game(tables.services, game, **how).findings
    return [(one.table, one.row, one.column, one.mended) for one in found]


def sentences(tables: Tables, game: str) -> str:
    return "\n".join(one.line() for one in audit_game(tables.services, game, mend=False).findings)


def played(tables: Tables) -> str:
    """A running game in which hands are hidden, some of them opened."""
    game = tables.begin(clock={"per_move": "P3D", "grace": "PT10M", "strikes": 2, "bank": "P1D"})
    tables.play_out(game, 3, late=0, most=9)
    assert tables.head(game).table.status == "running"
    return game


# A sound service


def test_a_house_that_is_sound_has_nothing_to_mend(clock_tables: Tables) -> None:
    tables = clock_tables
    tables.waits = True
    running, over, waiting = played(tables), tables.begin(), tables.open()
    tables.play_out(over, 1)
    house_log.write(tables.services)
    before = snapshot(tables.services)
    for game in (running, over, waiting):
        assert audit_game(tables.services, game, thorough=True).findings == []
    with tables.services.database.read() as connection:
        assert audit_house(connection, tables.services) == []
    assert snapshot(tables.services) == before


def test_clocks_that_were_stopped_extended_credited_or_given_again_are_sound(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed("ann", "bob", "cyd", bank="P2D", per_move="P3D", leave_days=14)

    def sound() -> None:
        assert audit_game(clock_tables.services, game).findings == []

    sweep_deadlines(clock_tables.services)
    sound()
    clock_tables.take_leave("ann", "2031-03-06", "2031-03-07")
    sound()
    clock_tables.agree(game, "extend", hours=5)
    sound()
    clock_tables.agree(game, "pause", days=2)
    sound()
    clock_tables.advance(days=1)
    clock_tables.agree(game, "resume")
    sound()
    clock_tables.clock.meanwhile = lambda: None
    clock_tables.advance(hours=3)
    sweep_deadlines(clock_tables.services)
    assert [moved["data"]["outage"] for moved in clock_tables.events(game, "table.deadline-moved")] == [None, 1]
    sound()
    clock_tables.clock.meanwhile = clock_tables.record_sweep
    clock_tables.move(game, "ann", "hide 1")
    sound()
    clock_tables.agree(game, "pause", days=9)
    clock_tables.move(game, "bob", "hide 1")
    clock_tables.move(game, "cyd", "hide 2")
    sound()


# What is computed is mended


MENDED = {
    "state of another version": ("games", "state", "UPDATE games SET state = :old"),
    "state that cannot be opened": ("games", "state", "UPDATE games SET state = :junk"),
    "status": ("games", "status", "UPDATE games SET status = 'finished'"),
    "public": ("games", "public", "UPDATE games SET public = NOT public"),
    "host": ("games", "host", "UPDATE games SET host = 'p_mallory'"),
    "time of the head": ("games", "last_at", "UPDATE games SET last_at = last_at + 1"),
    "time of the clock": ("games", "clock_at", "UPDATE games SET clock_at = 5"),
    "time it was opened": ("games", "created_at", "UPDATE games SET created_at = 5"),
    "pause": ("games", "paused_until", "UPDATE games SET paused_until = 5"),
    "player of a seat": ("seats", "player_id", "UPDATE seats SET player_id = 'p_mallory' WHERE seat = 1"),
    "strikes of a seat": ("seats", "strikes", "UPDATE seats SET strikes = strikes + 1 WHERE seat = 1"),
    "seat gone": ("seats", "", "DELETE FROM seats WHERE seat = 2"),
    "seat besides": ("seats", "", "UPDATE seats SET seat = 7 WHERE seat = 2"),
    "decision": ("decisions", "decision", "UPDATE decisions SET decision = 'nothing'"),
    "decision since": ("decisions", "since", "UPDATE decisions SET since = since - 1"),
    "decision of nobody": ("decisions", "player_id", "UPDATE decisions SET player_id = NULL"),
    "decision gone": ("decisions", "", "DELETE FROM decisions"),
    "deadline earlier": ("decisions", "due_at", "UPDATE decisions SET due_at = due_at - 1"),
    "deadline later": ("decisions", "due_at", "UPDATE decisions SET due_at = due_at + 3600000000"),
    "no deadline": ("decisions", "due_at", "UPDATE decisions SET due_at = NULL, acts_at = NULL"),
    "caretaker earlier": ("decisions", "acts_at", "UPDATE decisions SET acts_at = acts_at - 1"),
    "caretaker never": ("decisions", "acts_at", "UPDATE decisions SET acts_at = NULL"),
    "begun": ("decisions", "began_at", "UPDATE decisions SET began_at = began_at + 1"),
    "bank": ("decisions", "bank_from", "UPDATE decisions SET bank_from = due_at + 1"),
    "no bank": ("decisions", "bank_from", "UPDATE decisions SET bank_from = NULL"),
    "left": ("decisions", "left", 'UPDATE decisions SET "left" = 5'),
    "reminded in a century": ("decisions", "remind_at", "UPDATE decisions SET remind_at = 9000000000000000"),
    "hours of nowhere": ("decisions", "hours", "UPDATE decisions SET hours = 'Atlantis/Poseidonis - count'"),
    "leaf shut that was opened": ("leaves", "opened", "UPDATE leaves SET opened = NULL WHERE version = :leaf"),
}  # fmt: skip


def test_what_follows_from_the_history_is_mended_and_said(tables: Tables) -> None:
    game, other = played(tables), tables.begin()
    with tables.services.database.read() as connection:
        leaf = connection.execute(
            sa.text("SELECT min(version) FROM leaves WHERE game_id = :game AND opened IS NOT NULL"), {"game": game}
        ).scalar()
        old = connection.execute(sa.select(games.c.state).where(games.c.id == other)).scalar_one()
    before = snapshot(tables.services)
    for what, (table, column, statement) in MENDED.items():
        unspoiled = snapshot(tables.services)
        this = ("AND" if "WHERE" in statement else "WHERE", "id" if table == "games" else "game_id")
        owner_runs(tables, f"{statement} {this[0]} {this[1]} = :game", game=game, leaf=leaf, old=old, junk=bytes(64))
        spoiled = snapshot(tables.services)
        assert spoiled != unspoiled, what
        dry = told(tables, game, mend=False)
        assert {(one[0], one[2]) for one in dry} >= {(table, column)}, what
        assert not any(one[3] for one in dry), what
        assert snapshot(tables.services) == spoiled, "a dry run changes nothing"
        with capture_logs() as logged:
            done = audit_game(tables.services, game)
        assert {(one.table, one.column, one.mended) for one in done.findings} >= {(table, column, True)}, what
        assert done.halted is None, what
        assert [line["event"] for line in logged] == ["mended"] * len(done.findings), what
        assert told(tables, game) == [], what
    check(tables.services, game)
    after = snapshot(tables.services)
    for name in ("events", "checkpoints", "signing_keys", "notices", "deliveries"):
        assert after[name] == before[name]
    assert [row[:5] for row in after["leaves"]] == [row[:5] for row in before["leaves"]]


THOUGHTS = {
    "another question": ("decision", "UPDATE thoughts SET decision = 'nothing'"),
    "another event": ("since", "UPDATE thoughts SET since = since - 1"),
    "another bot": ("strength", "UPDATE thoughts SET strength = 3"),
    "another temper": ("temper", "UPDATE thoughts SET temper = 'even'"),
    "another time": ("began_at", "UPDATE thoughts SET began_at = began_at + 1"),
    "leased for ever": ("lease_until", "UPDATE thoughts SET lease_until = 9000000000000000"),
    "never its turn": ("turn_at", "UPDATE thoughts SET turn_at = 9000000000000000"),
    "not in a century": ("not_before", "UPDATE thoughts SET not_before = 9000000000000000"),
    "forgotten": ("", "DELETE FROM thoughts"),
    "of a person": ("", "UPDATE thoughts SET seat = 0"),
}


def test_what_bots_think_about_is_mended_and_said(tables: Tables) -> None:
    game = tables.begin("ann", "bob", bots=[Bot(2, "patient")])
    tables.move(game, "ann", "hide 1")
    before = snapshot(tables.services)
    assert told(tables, game) == []
    for what, (column, statement) in THOUGHTS.items():
        owner_runs(tables, statement)
        done = audit_game(tables.services, game)
        assert {(one.table, one.column, one.mended) for one in done.findings} >= {("thoughts", column, True)}, what
        assert snapshot(tables.services)["thoughts"][0][:7] == before["thoughts"][0][:7], what
        assert told(tables, game) == [], what


def test_a_bot_that_thinks_is_awaited_by_the_history_however_it_came_and_went(clock_tables: Tables) -> None:
    tables = clock_tables
    tables.waits = True
    game = tables.begin("ann", "bob", bots=[Bot(2)], clock={"per_move": "P3D", "strikes": 1}, options={"rounds": "3"})
    tables.expire(game, 1)
    ann = tables.ids["ann"]
    steps: list[Callable[[sa.Connection], object]] = [
        lambda tx: bots.seat_bot(tables.services, tx, game, ann, 1, Bot(3, "cautious")),
        lambda tx: bots.seat_bot(tables.services, tx, game, ann, 2, Bot(1)),
        lambda tx: play.move(tables.services, tx, game, ann, Orders(text="hide 0")),
        lambda tx: bots.send_bot_away(tables.services, tx, game, ann, 2),
        lambda tx: bots.seat_bot(tables.services, tx, game, ann, 2, Bot(0)),
    ]
    for step in steps:
        with tables.services.database.write() as tx:
            step(tx)
        assert audit_game(tables.services, game, thorough=True).findings == []


def test_a_deadline_that_is_mended_is_that_of_the_history(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed(per_move="P3D")
    before = clock_tables.due(game, "ann")
    clock_tables.advance(days=1)
    clock_tables.execute("UPDATE decisions SET acts_at = 5, due_at = 4 WHERE seat = 0")
    audit_game(clock_tables.services, game)
    row = clock_tables.seat_clock(game, "ann")
    assert (row["due_at"], row["acts_at"]) == (before, before + 600 * SECOND)
    clock_tables.agree(game, "extend", days=9)
    later = clock_tables.due(game, "ann")
    clock_tables.execute("UPDATE decisions SET began_at = 5")
    audit_game(clock_tables.services, game)
    assert clock_tables.due(game, "ann") == later == before + 9 * DAY


def test_a_deadline_that_is_lost_altogether_is_what_the_history_tells(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed(per_move="P3D")
    clock_tables.agree(game, "extend", days=9)
    later = clock_tables.due(game, "ann")
    clock_tables.execute("DELETE FROM decisions")
    audit_game(clock_tables.services, game)
    assert clock_tables.due(game, "ann") == clock_tables.due(game, "bob") == later == START + 12 * DAY


def test_a_deadline_that_is_lost_is_what_leave_moved_it_to_at_the_least(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed(per_move="P1D", leave_days=9)
    clock_tables.take_leave("ann", "2031-03-05", "2031-03-10")
    clock_tables.cancel_leave("ann")  # deadlines stay where they are
    later = clock_tables.due(game, "ann")
    clock_tables.execute("DELETE FROM decisions")
    audit_game(clock_tables.services, game)
    assert clock_tables.due(game, "ann") == later > clock_tables.due(game, "bob")


def test_what_is_owed_is_restored_from_the_history_to_the_byte(sqlite_clock_tables: Tables) -> None:
    """Seat, question, since when, player, deadline, and whether the clock stands; leave and outages moved it."""
    tables, game = sqlite_clock_tables, sqlite_clock_tables.begin_timed(per_move="P3D", leave_days=9)
    tables.take_leave("ann", "2031-03-05", "2031-03-05")
    tables.advance(days=2)
    columns = "game_id, seat, decision, since, player_id, began_at, due_at"
    before = tables.execute(f"SELECT {columns} FROM decisions ORDER BY seat")
    tables.execute("DELETE FROM decisions")
    audit_game(tables.services, game)
    assert tables.execute(f"SELECT {columns} FROM decisions ORDER BY seat") == before
    assert audit_game(tables.services, game).findings == []


def test_a_clock_that_stands_is_mended_standing(clock_tables: Tables) -> None:
    game = clock_tables.begin_timed(per_move="P3D", bank="P1D")
    clock_tables.agree(game, "pause", days=9)
    clock_tables.execute('UPDATE decisions SET "left" = NULL')
    audit_game(clock_tables.services, game)
    row = clock_tables.seat_clock(game, "ann")
    assert (row["due_at"], row["left"], row["left_bank"]) == (None, 3 * DAY, DAY)
    clock_tables.agree(game, "resume")
    assert clock_tables.due(game, "ann") == START + 4 * DAY
    assert audit_game(clock_tables.services, game).findings == []


@pytest.mark.postgres
def test_s33_it_mends_as_the_role_of_the_service(
    migrated_postgres: str, open_services: Callable[..., Services]
) -> None:
    tables = Tables(open_services(migrated_postgres))
    game = played(tables)
    with tables.services.database.write() as tx:
        assert tx.exec_driver_sql("SELECT current_user").scalar() == "wardroom_app"
        tx.execute(sa.delete(seats))
        tx.execute(sa.delete(decisions))
        tx.execute(sa.update(games).values(state=bytes(64), status="open"))
    assert all(one.mended for one in audit_game(tables.services, game).findings)
    check(tables.services, game)


def test_a_game_that_moves_while_it_is_audited_is_looked_at_again_before_anything_is_mended(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = played(tables)
    looked = audit._look

    def look_and_move(services: Services, kept: Any) -> Any:
        found = looked(services, kept)
        monkeypatch.setattr(audit, "_look", looked)
        found.findings.append(Finding("projection", game, "seats", "0", "strikes", "It seems so."))
        tables.play_out(game, 5, late=0, most=2)
        return found

    monkeypatch.setattr(audit, "_look", look_and_move)
    assert audit_game(tables.services, game).findings == []
    check(tables.services, game)


# What is no projection is named


def rewritten(tables: Tables, game: str, version: int) -> list[dict[str, Any]]:
    """The rows of a history in which one event was changed, and every hash after it."""
    with tables.services.database.read() as connection:
        found = connection.execute(
            sa.text("SELECT version, body, hash FROM events WHERE game_id = :game ORDER BY version"), {"game": game}
        ).all()
    rows, previous = [], "0" * 64
    for number, body, _ in found:
        entry = read_json(body)
        if number == version:
            entry["cause"] = "another"
        entry["previous"] = previous
        written = canonical(entry)
        previous = event_hash(written)
        rows.append({"game": game, "version": number, "body": written.decode(), "hash": previous})
    return rows


def test_s44_a_whole_chain_rewritten_by_who_has_no_key_is_named_by_the_checkpoints(tables: Tables) -> None:
    game = played(tables)
    rows = rewritten(tables, game, 5)
    for row in rows:
        owner_runs(
            tables, "UPDATE events SET body = :body, hash = :hash WHERE game_id = :game AND version = :version", **row
        )
    owner_runs(tables, "UPDATE games SET hash = :hash WHERE id = :game", game=game, hash=rows[-1]["hash"])
    done = audit_game(tables.services, game)
    assert {one.table for one in done.findings} == {"checkpoints"}
    assert min(one.version or 0 for one in done.findings) >= 5
    assert "the history was rewritten" in (done.halted or "")


def test_s44_a_history_that_was_cut_is_named_by_the_checkpoints(tables: Tables) -> None:
    game = played(tables)
    head = tables.head(game)
    cut = head.version - 4
    with tables.services.database.read() as connection:
        row = connection.execute(
            sa.text("SELECT hash, body FROM events WHERE game_id = :game AND version = :cut"),
            {"game": game, "cut": cut},
        ).one()
    owner_runs(
        tables, "DELETE FROM events WHERE game_id = :game AND version > :cut",
        "DELETE FROM leaves WHERE game_id = :game AND version > :cut",
        "UPDATE games SET version = :cut, hash = :hash, state = :none WHERE id = :game",
        game=game, cut=cut, hash=row[0], none=b"",
    )  # fmt: skip
    assert "the history was cut" in sentences(tables, game)
    assert audit_game(tables.services, game).halted is not None


def test_s41_a_leaf_that_was_sealed_anew_with_other_contents_does_not_fit_its_commitment(tables: Tables) -> None:
    game = tables.begin()
    tables.move(game, "ann", "hide 1")
    streams, version = tables.services.streams, tables.head(game).version
    other = Leaf(0, {"note": "", "pennies": 3, "text": "hide 3"}, bytes(32))
    with tables.services.database.write() as tx:
        statement = sa.text("UPDATE leaves SET sealed = :sealed WHERE game_id = :game AND version = :version")
        tx.execute(statement, {"sealed": streams._seal_leaf(game, version, 0, other), "game": game, "version": version})
    (found,) = audit_game(tables.services, game).findings
    assert (found.table, found.column, found.version) == ("leaves", "sealed", version)
    assert "does not fit the commitment" in found.sentence


def test_a_head_behind_its_events_is_named_and_not_moved(tables: Tables) -> None:
    game = played(tables)
    owner_runs(tables, "UPDATE games SET version = version - 1 WHERE id = :game", game=game)
    done = audit_game(tables.services, game)
    assert [(one.table, one.column, one.mended) for one in done.findings] == [("games", "version", False)]
    assert done.halted is not None


def test_a_checkpoint_that_was_taken_away_is_missed(tables: Tables) -> None:
    game = played(tables)
    taken = "DELETE FROM checkpoints WHERE version IN (SELECT version FROM checkpoints ORDER BY version DESC LIMIT {})"
    owner_runs(tables, taken.format("1 OFFSET 1"))
    assert "every append since the first one was signed" in sentences(tables, game)
    (gap,) = audit_game(tables.services, game).findings
    assert (gap.weight, gap.left) == ("note", False), "those before and after it hold: an older process may not sign"
    assert audit_game(tables.services, game).halted is None, "the history holds all the same"
    owner_runs(tables, taken.format(1))
    halted = audit_game(tables.services, game).halted
    assert halted is not None, "no later one vouches for the head"
    assert f"event {tables.head(game).version}: It is missing" in halted


def test_a_key_that_is_listed_after_it_signed_is_named(tables: Tables) -> None:
    played(tables)
    for later, columns in ((0, []), (1, ["since"])):
        owner_runs(tables, f"UPDATE signing_keys SET since = {later} + (SELECT min(at) FROM checkpoints)")
        with tables.services.database.read() as connection:
            keys = [row for row in audit_house(connection, tables.services) if row.table == "signing_keys"]
        assert [finding.column for finding in keys] == columns, later


def test_rows_of_a_game_that_is_not_there_are_named(tables: Tables) -> None:
    game = played(tables)
    owner_runs(tables, "DELETE FROM games WHERE id = :game", game=game)
    with tables.services.database.read() as connection:
        found = audit_house(connection, tables.services)
    assert {one.table for one in found} == {
        "events", "leaves", "checkpoints", "seats", "decisions", "notices", "deliveries",
    }  # fmt: skip
    assert {one.game for one in found} == {game}


def test_a_notice_of_what_never_was_is_named(tables: Tables) -> None:
    game = played(tables)
    owner_runs(tables, "UPDATE notices SET decision = '1' WHERE kind = 'your-turn' AND decision ="
               " (SELECT max(decision) FROM notices WHERE kind = 'your-turn')")  # fmt: skip
    owner_runs(tables, "UPDATE notices SET version = 999 WHERE id = (SELECT min(id) FROM notices)")
    found = {(one[0], one[2], one[3]) for one in told(tables, game)}
    assert found == {("notices", "decision", False), ("notices", "version", False), ("deliveries", "version", False)}


THE_TURN = "id = (SELECT max(id) FROM notices WHERE kind = 'your-turn')"
ITS_MAIL = "notice_id = (SELECT max(id) FROM notices WHERE kind = 'your-turn')"
NOTICE, MAIL = "notices", "deliveries"
OF_THE_OUTBOX = {
    "a turn nobody is told of": (
        [f"DELETE FROM deliveries WHERE {ITS_MAIL}", f"DELETE FROM notices WHERE {THE_TURN}"], {(NOTICE, "")},
    ),
    "a turn that is not mailed": ([f"DELETE FROM deliveries WHERE {ITS_MAIL}"], {(MAIL, "")}),
    "a mail of another notice": (
        [f"UPDATE deliveries SET notice_id = 999 WHERE {ITS_MAIL}"], {(MAIL, "notice_id"), (MAIL, "")},
    ),
    "a turn told as something else": (
        [f"UPDATE notices SET kind = 'brief' WHERE {THE_TURN}"], {(NOTICE, ""), (MAIL, "kind")},
    ),
    "told to somebody else": (
        [f"UPDATE notices SET recipient = 'p_mallory' WHERE {THE_TURN}"], {(NOTICE, "recipient"), (MAIL, "recipient")},
    ),
    "put off for years": (
        [f"UPDATE deliveries SET not_before = 9000000000000000 WHERE {ITS_MAIL}"], {(MAIL, "not_before")},
    ),
    "put off for three days": (
        [f"UPDATE deliveries SET not_before = created_at + {3 * DAY} WHERE {ITS_MAIL}"], {(MAIL, "not_before")},
    ),
    "leased for ever": (
        [f"UPDATE deliveries SET lease_until = 9000000000000000 WHERE {ITS_MAIL}"], {(MAIL, "lease_until")},
    ),
    "done and not done": ([f"UPDATE deliveries SET done_at = created_at WHERE {ITS_MAIL}"], {(MAIL, "done_at")}),
    "of another moment": (
        [f"UPDATE notices SET created_at = created_at + 1 WHERE {THE_TURN}"],
        {(NOTICE, "created_at"), (MAIL, "created_at")},
    ),
    "of another event": (
        [f"UPDATE notices SET version = version - 1 WHERE {THE_TURN}"], {(NOTICE, "version"), (MAIL, "version")},
    ),
    "in no state": ([f"UPDATE deliveries SET state = 'lost' WHERE {ITS_MAIL}"], {(MAIL, "state")}),
}  # fmt: skip


@pytest.mark.parametrize(("statements", "places"), OF_THE_OUTBOX.values(), ids=OF_THE_OUTBOX)
def test_a_notice_of_an_answer_that_is_owed_is_there_and_as_it_was_made(
    sqlite_clock_tables: Tables, statements: list[str], places: set[tuple[str, str]]
) -> None:
    game = sqlite_clock_tables.begin("ann", "bob")
    sqlite_clock_tables.move(game, "ann", "hide 1")
    assert audit_game(sqlite_clock_tables.services, game).findings == []
    for statement in statements:
        sqlite_clock_tables.execute(statement)
    found = audit_game(sqlite_clock_tables.services, game).findings
    assert {(one.table, one.column) for one in found} == places
    assert {one.weight for one in found} == {"witness"}


def test_a_key_that_is_not_at_hand_stops_no_game(tables: Tables, open_services: Callable[..., Services]) -> None:
    game = played(tables)
    other = Tables(open_services(tables.services.database.url.replace("+psycopg", ""), SECRET_KEY="w" * 40))
    done = audit_game(other.services, game)
    assert {one.weight for one in done.findings} == {"key"}
    assert done.halted is None
    assert audit_game(tables.services, game).findings == []


# Triggers and grants


def test_a_trigger_that_is_missing_changed_or_strange_is_named(
    migrated_sqlite: str, open_services: Callable[..., Services]
) -> None:
    tables = Tables(open_services(migrated_sqlite))

    def found() -> list[str]:
        with tables.services.database.read() as connection:
            return [one.sentence for one in guards.findings(connection)]

    assert found() == []
    owner_runs(tables, "DROP TRIGGER leaves_no_delete", guarded=True)
    owner_runs(
        tables, "DROP TRIGGER events_no_update",
        "CREATE TRIGGER events_no_update BEFORE UPDATE ON events WHEN false BEGIN SELECT RAISE(ABORT, 'no'); END",
        "CREATE TRIGGER quiet AFTER INSERT ON EVENTS BEGIN UPDATE games SET hash = 'x'; END",
        "CREATE TRIGGER silent AFTER INSERT ON notices BEGIN DELETE FROM notices WHERE id = NEW.id; END", guarded=True,
    )  # fmt: skip
    assert [sentence.partition(":")[0] for sentence in found()] == [
        "The trigger leaves_no_delete is missing",
        "The trigger events_no_update does not do what it should, or is off. `wardroom migrate` makes it again.",
        "Nobody here has made the trigger quiet",
        "Nobody here has made the trigger silent",
    ]


def test_wardroom_migrate_makes_the_triggers_again_and_says_so(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def opened(**_: object) -> Iterator[Services]:
        yield tables.services

    monkeypatch.setattr("service.commands.storage.migrate.open_services", opened)
    dialect = tables.services.database.engine.dialect.name
    played(tables)
    on = "" if dialect == "sqlite" else " ON {}"
    names = {name: name.partition("_no_")[0] for name in TRIGGERS[dialect] if "_no_" in name}
    owner_runs(tables, *(f"DROP TRIGGER {name}{on.format(table)}" for name, table in names.items()), guarded=True)
    if dialect != "sqlite":
        owner_runs(
            tables, "ALTER TABLE events DISABLE TRIGGER events_append_only", "DROP FUNCTION wardroom_keep_leaf()",
            "CREATE OR REPLACE FUNCTION wardroom_in_order() RETURNS trigger LANGUAGE plpgsql AS"
            " $$ BEGIN RETURN NEW; END $$", guarded=True,
        )  # fmt: skip
        names |= {"events_append_only": "", "events_in_order": ""}
    with tables.services.database.read() as connection:
        told = [one.sentence for one in guards.findings(connection)]
    assert len(told) == (1 if dialect == "sqlite" else 2)
    assert all(told_of.endswith("`wardroom migrate` makes them again.") for told_of in told)
    done = CliRunner().invoke(cli.main, ["migrate"])
    assert done.exit_code == 0, done.output
    assert all(f"The trigger {name} was missing, changed or off, and was made again." in done.stderr for name in names)
    with tables.services.database.read() as connection:
        assert list(guards.findings(connection)) == []
    assert "made again" not in CliRunner().invoke(cli.main, ["migrate"]).stderr


@pytest.mark.postgres
def test_s33_a_grant_of_one_column_and_a_trigger_anywhere_are_named(
    migrated_postgres: str, open_services: Callable[..., Services]
) -> None:
    tables = Tables(open_services(migrated_postgres))
    owner_runs(
        tables, "GRANT UPDATE (body) ON events TO wardroom_app", "GRANT UPDATE (owner) ON leaves TO wardroom_app",
        "CREATE TRIGGER quiet BEFORE INSERT ON notices FOR EACH ROW EXECUTE FUNCTION wardroom_in_order()",
        "CREATE TRIGGER events_in_order BEFORE INSERT ON notices FOR EACH ROW EXECUTE FUNCTION wardroom_in_order()",
        guarded=True,
    )  # fmt: skip
    with tables.services.database.read() as connection:
        found = [one.sentence for one in guards.findings(connection)]
    assert found == [
        "Nobody here has made the trigger events_in_order on notices: see what it does, and drop it.",
        "Nobody here has made the trigger quiet: see what it does, and drop it.",
        "The role wardroom_app has UPDATE (body) on events: revoke it.",
        "The role wardroom_app has UPDATE (owner) on leaves: revoke it.",
    ]


@pytest.mark.postgres
def test_s33_a_trigger_that_is_off_a_grant_and_a_rule_are_named(
    migrated_postgres: str, open_services: Callable[..., Services]
) -> None:
    tables = Tables(open_services(migrated_postgres))
    owner_runs(
        tables, "ALTER TABLE events DISABLE TRIGGER events_append_only", "GRANT DELETE ON checkpoints TO wardroom_app",
        "GRANT UPDATE ON leaves TO wardroom_app", "CREATE RULE quiet AS ON DELETE TO games DO INSTEAD NOTHING",
        "CREATE OR REPLACE FUNCTION wardroom_keep_leaf() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RETURN NEW; END $$",
        guarded=True,
    )  # fmt: skip
    with tables.services.database.read() as connection:
        found = [one.sentence for one in guards.findings(connection)]
    assert found == [
        "The triggers events_append_only, leaves_no_change do not do what they should, or are off. "
        "`wardroom migrate` makes them again.",
        "The role wardroom_app has DELETE on checkpoints: revoke it.",
        "The role wardroom_app has UPDATE on leaves: revoke it.",
        "The rule quiet changes what is written to games: drop it.",
    ]


# What the rules say


@pytest.fixture
def stricter(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Installed rules that refuse what was hidden, and say what it was."""

    def refuses(state: Any, seat: int, action: Any) -> list[Any]:
        if isinstance(action, Hide):
            raise RuleViolation("too-much", "P-2", say("You hid {pennies}, a lot.", pennies=action.pennies))
        return list(PENNIES.decider.decide(state, seat, action))

    monkeypatch.setitem(RULESETS, PENNIES.kind, replace(PENNIES, decider=replace(PENNIES.decider, decide=refuses)))
    history.cache_clear()
    yield
    history.cache_clear()


def by_the_rules(tables: Tables, game: str) -> list[str]:
    found = [fault.sentence for fault in do(tables.services, Task(game)).faults]
    assert found
    audited = audit_game(tables.services, game, thorough=True).findings
    return found + [one.sentence for one in audited if one.weight == "rules"]


def test_s09_no_sealed_content_of_a_running_game_is_told(
    sqlite_clock_tables: Tables, request: pytest.FixtureRequest
) -> None:
    running, over = sqlite_clock_tables.begin("ann", "bob"), sqlite_clock_tables.begin("ann", "bob")
    sqlite_clock_tables.move(running, "ann", "hide 3")
    sqlite_clock_tables.play_out(over, 1, late=0)
    sqlite_clock_tables.execute("UPDATE games SET status = 'finished' WHERE id = :game", game=running)
    request.getfixturevalue("stricter")
    later = "What it says is told when the game is over."
    assert by_the_rules(sqlite_clock_tables, running) == [later, f"rules (pennies.penny-hidden, P-2): {later}"]
    told = by_the_rules(sqlite_clock_tables, over)
    assert all("You hid" in sentence for sentence in told)


# A little every day


def test_a13_each_game_is_audited_about_daily_those_first_that_were_not_for_longest(
    sqlite_clock_tables: Tables,
) -> None:
    services = sqlite_clock_tables.services
    first = sqlite_clock_tables.begin_timed()
    sqlite_clock_tables.advance(hours=1)
    second = sqlite_clock_tables.begin_timed()
    assert audit_rounds.look_round(services) == 0, "they were opened today"
    sqlite_clock_tables.advance(hours=23)
    assert audit_rounds.look_round(services, seconds=0) == 1
    sqlite_clock_tables.execute("UPDATE seats SET strikes = 9")
    assert audit_rounds.look_round(services) == 0, "the first one was looked at today"
    sqlite_clock_tables.advance(hours=1)
    assert audit_rounds.look_round(services) == 1
    with services.database.read() as connection:
        strikes = dict(
            connection.execute(sa.select(seats.c.game_id, sa.func.max(seats.c.strikes)).group_by("game_id")).all()
        )
    assert strikes == {first: 9, second: 0}
    sqlite_clock_tables.advance(days=1)
    assert audit_rounds.look_round(services, seconds=60) == 2
    assert audit_game(services, first).findings == []


def test_a13_games_that_are_over_are_audited_monthly_and_doctor_says_since_when_all_were(
    sqlite_clock_tables: Tables,
) -> None:
    def audits() -> tuple[str, str]:
        return next((one.mark, one.sentence) for one in examine(sqlite_clock_tables.services) if one.what == "audits")

    assert audits() == ("well", "No game runs.")
    over = sqlite_clock_tables.begin("ann", "bob")
    sqlite_clock_tables.play_out(over, 1, late=0)
    sqlite_clock_tables.advance(days=29)
    assert audit_rounds.look_round(sqlite_clock_tables.services) == 0
    sqlite_clock_tables.advance(days=1)
    assert audit_rounds.look_round(sqlite_clock_tables.services) == 1
    sqlite_clock_tables.begin_timed()
    assert audits() == ("well", "Every running game was audited since 2031-04-03T12:00:00.000000Z.")
    sqlite_clock_tables.advance(days=2, seconds=1)
    assert audits()[0] == "note"
    sqlite_clock_tables.execute("UPDATE games SET audited_at = 0")
    assert audits() == ("note", "A game was not audited ever: run `wardroom doctor --audit` by night.")


def test_a13_a_round_is_as_long_as_many_games_wait(
    sqlite_clock_tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(40):
        sqlite_clock_tables.open()
    sqlite_clock_tables.advance(days=1)
    at = iter(range(1000))
    monkeypatch.setattr(audit_rounds, "time", SimpleNamespace(monotonic=lambda: next(at) / 100))
    monkeypatch.setattr(audit_rounds, "audit_game", lambda services, game: None)
    assert audit_rounds.look_round(sqlite_clock_tables.services) == 40, "0.4 s at a hundredth for each"
    sqlite_clock_tables.advance(days=1)
    monkeypatch.setattr(audit_rounds, "MOST_SECONDS", 0.1)
    assert audit_rounds.look_round(sqlite_clock_tables.services) == 11


def test_a13_one_game_does_not_keep_the_others_from_being_audited(
    sqlite_clock_tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    games_ = [sqlite_clock_tables.begin_timed() for _ in range(3)]
    sqlite_clock_tables.advance(days=1)
    seen = []

    def fails(services: Services, game: str) -> None:
        seen.append(game)
        raise RecursionError

    monkeypatch.setattr(audit_rounds, "audit_game", fails)
    assert audit_rounds.look_round(sqlite_clock_tables.services, seconds=60) == 3
    assert sorted(seen) == sorted(games_)
    assert audit_rounds.look_round(sqlite_clock_tables.services) == 0


# The command


def commanded(tables: Tables, monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, str, str]:
    @contextmanager
    def opened(**_: object) -> Iterator[Services]:
        yield tables.services

    monkeypatch.setattr("service.commands.health.doctor.open_services", opened)
    done = CliRunner().invoke(cli.main, ["doctor", *words])
    return done.exit_code, done.stdout, done.stderr


def test_wardroom_doctor_audit_mends_says_so_and_names_what_it_cannot(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, other = played(tables), played(tables)
    status, out, _ = commanded(tables, monkeypatch, "--audit")
    assert (status, "everything follows from the histories, and they hold." in out) == (0, True)
    unwatched = [f"not watched: {sentence}" for sentence in UNWATCHED]
    assert [line for line in out.splitlines() if line.startswith("not watched: ")] == unwatched
    owner_runs(tables, "UPDATE seats SET strikes = 9 WHERE game_id = :game AND seat = 0", game=game)
    status, out, _ = commanded(tables, monkeypatch, "--audit", "--dry-run", "--json")
    document = json.loads(out)
    assert (status, len(document["findings"]), document["findings"][0]["mended"]) == (1, 1, False)
    assert document["unwatched"] == list(UNWATCHED)
    status, out, _ = commanded(tables, monkeypatch, "--audit", "--game", other)
    assert (status, "1 games" in out) == (0, True)
    status, out, _ = commanded(tables, monkeypatch, "--audit")
    assert status == 0
    assert f"game {game}\n  mended  seats.strikes 0: By the history it is 0. It was mended." in out
    owner_runs(
        tables,
        "UPDATE events SET body = replace(body, 'table.', 'tablf.') WHERE game_id = :game AND version = 2",
        game=game,
    )
    status, out, _ = commanded(tables, monkeypatch, "--audit")
    assert status == 1
    assert "  broken  events.body 2: It was changed: it does not have the hash it was kept with." in out
    assert f"Game {game} is stopped" in out
    assert f"game {other}" not in out


def test_like_findings_are_told_once_with_their_number(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    game = played(tables)
    for row in rewritten(tables, game, 5):
        change = "UPDATE events SET body = :body, hash = :hash WHERE game_id = :game AND version = :version"
        owner_runs(tables, change, **row)
    owner_runs(tables, f"UPDATE games SET hash = '{row['hash']}' WHERE id = :game", game=game)
    status, out, _ = commanded(tables, monkeypatch, "--audit")
    assert status == 1
    signed = audit_game(tables.services, game).findings
    assert len(signed) > 2
    told = [line for line in out.splitlines() if "checkpoints.hash" in line]
    assert [line.partition("rewritten after that.")[2] for line in told] == [f" And {len(signed) - 1} more like it."]
    assert f"{len(signed)} are left" in out


def test_wardroom_doctor_says_what_it_cannot_do(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    status, _, said = commanded(tables, monkeypatch, "--dry-run")
    assert (status, "go with --audit" in said) == (os.EX_USAGE, True)
    status, _, said = commanded(tables, monkeypatch, "--audit", "--game", "abcdefghij")
    assert (status, "There is no game abcdefghij." in said) == (os.EX_NOINPUT, True)
