"""A database in trouble is 503 with Retry-After and its SQLSTATE in the log, never a bare 500 (S-37, T-34, I-11)."""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from service.store.database import Connection
from tests.service.api.table import Api, served

PASSING = [
    "08000", "08003", "08006", "25006", "25P02", "25P03", "40001", "40P01", "53100", "53200", "53300", "55006",
    "55P03", "57014", "57P01", "57P02", "57P03", "57P04", "57P05", "58030", "XX000", "XX001", "0A000",
]  # fmt: skip


@pytest.fixture
def api(postgres_copy, settings_with) -> Iterator[Api]:
    with served(settings_with(DATABASE_URL=postgres_copy)) as made:
        yield made


@pytest.fixture
def meanwhile(api, monkeypatch) -> Callable[[Callable[[Connection], object]], None]:
    """Let something happen in the next transactions, just after they began."""

    def happen(act: Callable[[Connection], object]) -> None:
        write = api.services.database.write

        @contextlib.contextmanager
        def troubled() -> Iterator[Any]:
            with write() as tx:
                act(tx)
                yield tx

        monkeypatch.setattr(api.services.database, "write", troubled)

    return happen


def move_is_refused(api: Api, table: Any, status: int, code: str) -> tuple[Any, list[Any]]:
    mover = table.awaited
    with capture_logs() as logged:
        answer = table.post(mover, "moves", {"text": "end"}).refused(status, code)
    return answer, logged


@pytest.mark.postgres
def test_t34_a_transaction_that_postgresql_ended_for_it_stood_still_is_503_and_the_next_is_well(
    api, meanwhile, monkeypatch
):
    """As a web process that was frozen finds it (SQLSTATE 25P03)."""
    table = api.begin(*api.players("ann bob cyd"))

    def stands_still(tx: Connection) -> None:
        tx.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = '20ms'"))
        pid = tx.execute(sa.text("SELECT pg_backend_pid()")).scalar_one()
        end = time.monotonic() + 20
        with api.services.database.read() as other:
            while other.execute(sa.text(f"SELECT 1 FROM pg_stat_activity WHERE pid = {pid}")).first():
                assert time.monotonic() < end
                time.sleep(0.01)

    meanwhile(stands_still)
    answer, logged = move_is_refused(api, table, 503, "unavailable")
    assert int(answer.headers["Retry-After"]) > 0
    assert [line["sqlstate"] for line in logged if line["event"] == "database unavailable"] == ["25P03"]
    monkeypatch.undo()
    for player in table.seated:
        table.get(player).ok()


@pytest.mark.postgres
def test_i11_each_state_that_passes_is_503_and_is_logged(api, meanwhile):
    table = api.begin(*api.players("ann bob cyd"))
    raised = [""]
    meanwhile(
        lambda tx: tx.execute(sa.text(f"DO $$ BEGIN RAISE EXCEPTION 'c4nary' USING ERRCODE = '{raised[0]}'; END $$"))
    )
    for state in PASSING:
        raised[0] = state
        answer, logged = move_is_refused(api, table, 503, "unavailable")
        assert int(answer.headers["Retry-After"]) > 0
        assert [line["sqlstate"] for line in logged if line["event"] == "database unavailable"] == [state]
        assert "c4nary" not in answer.text + str(logged)


@pytest.mark.postgres
def test_s37_a_statement_that_is_wrong_is_not_said_to_pass(api, meanwhile):
    table = api.begin(*api.players("ann bob cyd"))
    meanwhile(lambda tx: tx.execute(sa.text("SELECT nothing FROM nowhere")))
    answer, logged = move_is_refused(api, table, 500, "unforeseen")
    assert [line["sqlstate"] for line in logged if line["event"] == "unforeseen error"] == ["42P01"]
    assert "nowhere" not in answer.text + str(logged)


@pytest.mark.parametrize("gone", ["games", "players"])
def test_s37_a_refusal_stays_one_where_the_database_goes_before_it_can_name_people(sqlite_api, monkeypatch, gone):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    late = next(player for player in table.seated if player is not table.awaited)
    write = sqlite_api.services.database.write

    @contextlib.contextmanager
    def the_last() -> Iterator[Any]:
        try:
            with write() as tx:
                yield tx
        finally:
            monkeypatch.undo()
            with write() as tx:
                tx.execute(sa.text(f"ALTER TABLE {gone} RENAME TO {gone}_elsewhere"))

    monkeypatch.setattr(sqlite_api.services.database, "write", the_last)
    with capture_logs() as logged:
        answer = table.post(late, "moves", {"text": "place 1 1"}).refused(409, "not-your-turn")
    assert "is taking a turn" in answer.json["detail"]
    assert [line["event"] for line in logged if line["log_level"] == "error"] == []
