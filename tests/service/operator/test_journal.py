"""The journal of the operator: an act, its line and its notices are one transaction, and nothing of it is changed."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from service.integrity.audit import audit_house
from service.operator import journal
from service.operator.journal import BadName, BadReason, Deed, Operator
from service.privacy import erase
from service.store.running import operator_acts
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]
CARLA = Operator("carla", "Bob asked for it.")


def write(tables: Tables, **deed: object) -> operator_acts.Act:
    return journal.act(tables.services, CARLA, lambda tx: Deed(**{"what": "tried", **deed}))


def lines(tables: Tables) -> list[operator_acts.Act]:
    with tables.services.database.read() as connection:
        return list(operator_acts.every(connection))


def findings(tables: Tables) -> list[str]:
    with tables.services.database.read() as connection:
        return [finding.line() for finding in audit_house(connection, tables.services) if "operator" in finding.table]


def by_owner(tables: Tables, *statements: str) -> None:
    engine = tables.services.database.owner_engine()
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def test_an_act_has_a_line_that_says_who_when_what_about_whom_and_why(clock_tables):
    bob = clock_tables.player("bob")
    write(clock_tables, player=bob, results={"tokens": 2})
    act = write(clock_tables, game="g", version=4, seat=1)
    first, second = lines(clock_tables)
    assert (first.number, first.operator, first.what, first.player_id) == (1, "carla", "tried", bob)
    assert (first.results, first.why, first.at) == ({"tokens": 2}, "Bob asked for it.", clock_tables.clock.at)
    assert second == act
    assert (second.number, second.game_id, second.version, second.seat) == (2, "g", 4, 1)
    with clock_tables.services.database.read() as connection:
        assert operator_acts.of_game(connection, "g") == [second]
        assert operator_acts.of_player(connection, bob) == [first]
        assert operator_acts.latest(connection, 1) == [second]
        assert operator_acts.latest(connection, 5, before=2) == [first]


def test_acts_at_the_same_time_have_one_number_each_and_leave_no_gap(clock_tables):
    with ThreadPoolExecutor(4) as pool:
        acts = list(pool.map(lambda _: write(clock_tables), range(12)))
    assert sorted(act.number for act in acts) == [act.number for act in lines(clock_tables)] == list(range(1, 13))


def test_an_act_that_fails_leaves_no_line_and_one_that_is_rehearsed_neither(sqlite_clock_tables):
    services = sqlite_clock_tables.services

    def fails(tx: object) -> Deed:
        raise LookupError

    with pytest.raises(LookupError):
        journal.act(services, CARLA, fails)
    assert journal.act(services, CARLA, lambda tx: Deed("tried"), rehearse=True).number == 1
    assert lines(sqlite_clock_tables) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE operator_acts SET operator = 'nobody'",
        "UPDATE operator_acts SET number = number",
        "DELETE FROM operator_acts",
        "INSERT INTO operator_acts SELECT * FROM operator_acts",
    ],
)
def test_s33_no_line_is_changed_or_taken_away(clock_tables, statement):
    act = write(clock_tables)
    with pytest.raises(DBAPIError), clock_tables.services.database.write() as tx:
        tx.execute(sa.text(statement))
    assert lines(clock_tables) == [act]
    assert findings(clock_tables) == []


def test_the_audit_sees_a_line_that_is_missing_and_a_reason_that_was_written_anew(clock_tables):
    for _ in range(3):
        write(clock_tables)
    sqlite = clock_tables.services.database.is_sqlite
    off = "DROP TRIGGER operator_acts_no_delete" if sqlite else "ALTER TABLE operator_acts DISABLE TRIGGER USER"
    by_owner(clock_tables, off, "DELETE FROM operator_acts WHERE number = 2",
             "UPDATE operator_reasons SET why = 'He liked it.' WHERE number = 3")  # fmt: skip
    assert findings(clock_tables)[-2:] == [
        "operator_acts.number 3: The lines before it are missing: 2.",
        "operator_reasons.why 3: It is not the reason that was written with the act.",
    ]


def test_s50_who_is_erased_takes_the_reasons_along_that_may_name_them_and_the_lines_stay(clock_tables):
    game = clock_tables.begin("ann", "bob")
    write(clock_tables, player=clock_tables.ids["bob"])
    write(clock_tables, game=game)
    write(clock_tables, player=clock_tables.ids["ann"])
    erase.erase(clock_tables.services, clock_tables.ids["bob"])
    assert [act.why for act in lines(clock_tables)] == [None, None, "Bob asked for it."]
    assert findings(clock_tables) == []


def test_why_and_who_are_kept_as_one_line_of_plain_text():
    assert journal.operator_of(" Carla  M. ", "a\n reason ") == Operator("Carla M.", "a reason")
    for why in (" ", "x" * 501, "a\x00b", "ask bob@people.example"):
        with pytest.raises(BadReason):
            journal.operator_of("carla", why)
    for name in ("", "x" * 81, "a\u202eb"):
        with pytest.raises(BadName):
            journal.operator_of(name, "It was asked for.")
