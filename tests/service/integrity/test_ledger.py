"""The ledger of a game: what was mailed, missed and signed about it cannot be changed or taken away unseen."""

import json
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from domain.audit.ledger import FIRST, LedgerLine
from service.cli import main
from service.commands.health import doctor
from service.integrity import ledger
from service.integrity.audit import audit_game, audit_house
from service.integrity.checks.ledger import UNWATCHED
from service.store.clocks.missed import missed
from service.store.outgoing.deliveries import deliveries
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.service.integrity.test_audit import owner_runs
from tests.service.store.service_tables import services
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock, sqlite_tables, tables

pytestmark = pytest.mark.slow

__all__ = ["clock_tables", "manual_clock", "tables", "services", "sqlite_clock_tables", "sqlite_tables"]


def played(tables: Tables) -> str:
    """A game in which mails went out and deadlines passed, and whose ledger tells of it."""
    game = tables.begin("ann", "bob", "cyd")
    tables.deliver()
    for _ in range(2):
        tables.expire(game, tables.awaited(game)[0])
        tables.deliver()
    assert ledger.write(tables.services) == 1
    return game


def found(tables: Tables, game: str) -> set[tuple[str, str, str]]:
    """What an audit finds in what the ledger tells of."""
    findings = audit_game(tables.services, game, mend=False).findings
    return {
        (finding.weight, finding.table, finding.column)
        for finding in findings
        if "ledger" in finding.sentence or finding.table == "ledger"
    }


def test_a_line_tells_what_is_new_and_there_is_none_where_nothing_is(tables):
    game = played(tables)
    assert ledger.write(tables.services) == 0
    assert found(tables, game) == set()
    tables.expire(game, tables.awaited(game)[0])
    tables.deliver()
    assert ledger.write(tables.services) == 1
    with tables.services.database.read() as connection:
        rows = connection.execute(sa.text("SELECT number, facts FROM ledger ORDER BY number")).all()
    first, second = ({kind for fact in json.loads(row.facts) for kind in fact} for row in rows)
    assert {"mail", "missed", "checkpoint"} <= first & second
    told = [json.dumps(fact) for row in rows for fact in json.loads(row.facts)]
    assert len(told) == len(set(told))
    assert found(tables, game) == set()


@pytest.mark.parametrize(
    "other", [{"game": "other"}, {"number": 2}, {"previous": "1" * 64}, {"time": "other"}, {"facts": [{"mail": 2}]}]
)
def test_all_that_a_line_tells_and_the_line_before_it_are_in_its_hash(other):
    line = LedgerLine("game", 1, FIRST, "2031-03-04T12:00:00.000000Z", [{"mail": 1}])
    assert replace(line, **other).hash() != line.hash()


CHANGES = {
    "missed deadlines taken away": ("DELETE FROM missed", ("missed", "")),
    "a missed deadline moved by two days": ("UPDATE missed SET due_at = due_at + 172800000000", ("missed", "due_at")),
    "a missed deadline decided earlier": (
        "UPDATE missed SET decided_at = decided_at - 1", ("missed", "decided_at"),
    ),
    "a missed deadline of somebody else": ("UPDATE missed SET player_id = 'nobody'", ("missed", "player_id")),
    "a mail taken away": ("DELETE FROM deliveries WHERE id = (SELECT min(id) FROM deliveries)", ("deliveries", "")),
    "a mail said not to be sent": ("UPDATE deliveries SET state = 'superseded'", ("deliveries", "state")),
    "a mail said to wait": ("UPDATE deliveries SET state = 'queued' WHERE state = 'sent'", ("deliveries", "state")),
    "a mail said to be sent earlier": ("UPDATE deliveries SET done_at = done_at - 1000000", ("deliveries", "done_at")),
    "a mail of another event": ("UPDATE deliveries SET version = version - 1", ("deliveries", "version")),
    "a middle checkpoint taken away": (
        "DELETE FROM checkpoints WHERE version = (SELECT min(version) FROM checkpoints"
        " WHERE version > (SELECT min(version) FROM checkpoints))", ("checkpoints", ""),
    ),
    "a line changed": ("UPDATE ledger SET facts = replace(facts, 'sent', 'lost')", ("ledger", "hash")),
    "a line signed by nobody": ("UPDATE ledger SET signature = replace(signature, '1', '2')", ("ledger", "signature")),
    "a line dated otherwise": ("UPDATE ledger SET at = at + 1", ("ledger", "hash")),
    "the ledger taken away": ("DELETE FROM ledger", ("deliveries", "")),
    "the ledger of missed deadlines taken away": ("DELETE FROM ledger", ("missed", "")),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_was_told_of_and_changed_or_taken_away_is_found(sqlite_tables, change):
    statement, place = change
    game = played(sqlite_tables)
    assert found(sqlite_tables, game) == set()
    owner_runs(sqlite_tables, statement)
    assert ("witness", *place) in found(sqlite_tables, game)


def test_a_mail_that_came_back_and_a_deadline_missed_again_are_no_fault(sqlite_tables):
    game = played(sqlite_tables)
    with sqlite_tables.services.database.write() as tx:
        sent = sa.select(deliveries.c.id).where(deliveries.c.state == "sent").limit(1)
        tx.execute(sa.update(deliveries).where(deliveries.c.id.in_(sent)).values(state="bounced"))
        tx.execute(sa.update(missed).values(decided_at=missed.c.decided_at + 1, chained=False))
    assert found(sqlite_tables, game) == set()
    assert ledger.write(sqlite_tables.services) == 1
    assert found(sqlite_tables, game) == set()
    owner_runs(sqlite_tables, "UPDATE deliveries SET state = 'sent' WHERE state = 'bounced'")
    assert ("witness", "deliveries", "state") in found(sqlite_tables, game)


@pytest.mark.parametrize("later, is_found", [(0, False), (1, True)])
def test_a_key_that_is_listed_after_it_signed_is_found(sqlite_tables, later, is_found):
    played(sqlite_tables)
    owner_runs(sqlite_tables, f"UPDATE signing_keys SET since = {later} + (SELECT min(at) FROM checkpoints)")
    with sqlite_tables.services.database.read() as connection:
        keys = [row for row in audit_house(connection, sqlite_tables.services) if row.table == "signing_keys"]
    assert [finding.column for finding in keys] == ["since"] * is_found


def test_s50_a_mail_to_an_address_is_never_told_of(sqlite_tables):
    sqlite_tables.begin("ann", "bob", "cyd")
    sqlite_tables.deliver()
    owner_runs(sqlite_tables, "UPDATE deliveries SET recipient = 'dan@people.example'")
    assert ledger.write(sqlite_tables.services) == 0


@pytest.mark.parametrize("later", ["queued", "sent", "failed", "bounced"])
def test_a_mail_that_was_held_back_may_go_its_way_later(sqlite_tables, later):
    game = played(sqlite_tables)
    change = "UPDATE deliveries SET state = :state WHERE game_id = :game"
    owner_runs(sqlite_tables, "DELETE FROM ledger", "UPDATE deliveries SET chained = NULL")
    owner_runs(sqlite_tables, change, state="superseded", game=game)
    assert ledger.write(sqlite_tables.services) == 1
    owner_runs(sqlite_tables, change, state=later, game=game)
    assert {place for place in found(sqlite_tables, game) if place[1] == "deliveries"} == set()


def test_a_line_that_is_missing_is_said_to_be(sqlite_tables):
    game = played(sqlite_tables)
    sqlite_tables.expire(game, sqlite_tables.awaited(game)[0])
    assert ledger.write(sqlite_tables.services) == 1
    owner_runs(sqlite_tables, "DELETE FROM ledger WHERE number = 1")
    assert ("witness", "ledger", "") in found(sqlite_tables, game)


def test_what_was_missed_in_one_game_is_told_of_in_its_own_ledger(sqlite_tables):
    games = [sqlite_tables.begin("ann", "bob", "cyd") for _ in range(2)]
    for game in games:
        sqlite_tables.deliver()
        sqlite_tables.expire(game, sqlite_tables.awaited(game)[0])
    assert ledger.write(sqlite_tables.services) == 2
    assert [found(sqlite_tables, game) for game in games] == [set(), set()]
    owner_runs(sqlite_tables, "DELETE FROM missed")
    assert all(("witness", "missed", "") in found(sqlite_tables, game) for game in games)


def test_rows_that_were_there_before_the_ledger_are_taken_as_they_are_then(sqlite_tables):
    game = played(sqlite_tables)
    owner_runs(sqlite_tables, "DELETE FROM ledger", "UPDATE deliveries SET chained = NULL, state = 'failed'",
               "UPDATE missed SET chained = :no", no=False)  # fmt: skip
    assert found(sqlite_tables, game) == set()
    assert ledger.write(sqlite_tables.services) == 1
    assert found(sqlite_tables, game) == set()


def test_a_game_whose_rows_cannot_be_read_does_not_keep_others_from_being_told_of(sqlite_tables):
    spoilt, sound = (sqlite_tables.begin("ann", "bob", "cyd") for _ in range(2))
    sqlite_tables.deliver()
    sqlite_tables.expire(spoilt, sqlite_tables.awaited(spoilt)[0])
    owner_runs(sqlite_tables, "UPDATE missed SET changes = CAST(X'ff' AS TEXT)")
    assert ledger.write(sqlite_tables.services) == 1
    with sqlite_tables.services.database.read() as connection:
        assert connection.execute(sa.text("SELECT game_id FROM ledger")).scalars().all() == [sound]


def test_s50_a_ledger_tells_nothing_that_must_be_erased_and_misses_nothing_that_was(sqlite_tables):
    game = played(sqlite_tables)
    with sqlite_tables.services.database.read() as connection:
        facts = "".join(connection.execute(sa.text("SELECT facts FROM ledger")).scalars())
        late = connection.execute(sa.select(missed.c.player_id)).scalars().all()
    assert not any(word in facts for word in ("hours", "changes", "@"))
    rows = ", ".join(f"('{player}', 0, 0, 0, 0)" for player in set(late))
    owner_runs(sqlite_tables, f"INSERT INTO erasures (player_id, asked_at, look_at, stage, mails) VALUES {rows}",
               "DELETE FROM missed")  # fmt: skip
    assert found(sqlite_tables, game) == set()


def test_doctor_says_itself_what_nothing_watches(sqlite_tables, monkeypatch):
    played(sqlite_tables)

    class Opened:
        def __enter__(self) -> Any:
            return sqlite_tables.services

        def __exit__(self, *_: object) -> None:
            """The office stays open."""

    monkeypatch.setattr(doctor, "open_services", lambda **_: Opened())
    lines = CliRunner().invoke(main, ["doctor", "--audit"]).stdout.splitlines()
    assert [line for line in lines if line.startswith("not watched: ")] == [f"not watched: {one}" for one in UNWATCHED]
    told = json.loads(CliRunner().invoke(main, ["doctor", "--audit", "--json"]).stdout)
    assert told["unwatched"] == list(UNWATCHED)
