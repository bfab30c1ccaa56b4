"""What an audit and a bundle cost: kept once a game is over, known by an ETag, one at a time for each caller."""

import json
import zlib

import pytest
import sqlalchemy as sa

from service.integrity import proofs as made
from service.integrity.proofs import proof_of
from service.store.event_store import proofs as store_proofs
from service.store.event_store.checkpoints import checkpoints, signing_keys
from service.store.event_store.proofs import evidence, proofs
from service.store.event_store.stream_rows import events, games, leaves
from service.store.outgoing.deliveries import deliveries, notices
from service.store.running.turns import one_at_a_time
from tests.forked import FORKS
from tests.service.api.table import Api, ApiTable
from tests.service.api.turn_taker import take_turn
from tests.service.integrity.test_audit import unguarded

BOTH = pytest.mark.parametrize("what", ["audit", "bundle"])


def closed(api: Api) -> ApiTable:
    """A table that was given up before its start: over, and quickly so."""
    table = api.open(api.player("ann"))
    api.delete(f"{table.path}/seats/me", table.seated[0]).ok()
    return table


def three(api: Api) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"))


def meddle(api: Api, statement: sa.Update) -> None:
    """Change what no trigger lets anybody change."""
    engine = api.services.database.owner_engine()
    with engine.begin() as connection, unguarded(connection):
        connection.execute(statement)
    engine.dispose()


def kept(api: Api) -> dict[str, bytes]:
    with api.services.database.read() as connection:
        return {row.what: zlib.decompress(row.content) for row in connection.execute(sa.select(proofs))}


@BOTH
def test_the_proof_of_a_game_that_is_over_is_made_once_for_everybody(sqlite_api, what):
    table = closed(sqlite_api)
    made = table.get(table.seated[0], what).ok()
    assert kept(sqlite_api) == {what: made.data}
    with sqlite_api.services.database.write() as tx:
        tx.execute(sa.update(proofs).values(content=zlib.compress(b"as it was kept")))
    for who in (*table.seated, sqlite_api.player("dan")):
        again = table.get(who, what).ok()
        assert again.data == b"as it was kept"
        assert again.headers["ETag"] == made.headers["ETag"]


@BOTH
def test_the_proof_of_a_running_game_is_kept_nowhere_and_is_the_readers_own(sqlite_api, what):
    table = three(sqlite_api)
    ann, bob, _ = table.seated
    tags = [table.get(who, what).ok().headers["ETag"] for who in (ann, bob, ann)]
    assert tags[0] == tags[2] != tags[1]
    assert kept(sqlite_api) == {}


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
def test_who_has_it_is_told_that_nothing_changed_until_a_row_does(sqlite_api, what, over):
    table = closed(sqlite_api) if over else three(sqlite_api)
    ann = table.seated[0]
    tag = table.get(ann, what).ok().headers["ETag"]
    assert tag.startswith(f'"{table.version}.')
    same = table.get(ann, what, headers={"If-None-Match": f'"x", {tag}'}).ok(304)
    assert (same.data, same.headers["ETag"]) == (b"", tag)
    meddle(sqlite_api, sa.update(events).where(events.c.version == 1).values(hash="0" * 64))
    changed = table.get(ann, what, headers={"If-None-Match": tag})
    assert changed.status != 304
    assert changed.headers.get("ETag") != tag


CHANGES = (
    sa.update(games).values(halted="it does not verify"),
    sa.update(events).where(events.c.version == 1).values(type="table.other"),
    sa.update(leaves).values(sealed=b"other"),
    sa.update(leaves).values(opened="other"),
    sa.update(leaves).values(owner="other"),
    sa.update(checkpoints).values(at=checkpoints.c.at + 1),
    sa.update(checkpoints).values(hash="other"),
    sa.update(checkpoints).values(key="other"),
    sa.update(checkpoints).values(signature="other"),
    sa.update(notices).values(recipient="other"),
    sa.update(notices).values(kind="other"),
    sa.update(notices).values(version=notices.c.version + 1),
    sa.update(notices).values(created_at=notices.c.created_at + 1),
    sa.update(deliveries).values(state="superseded"),
    sa.update(deliveries).values(done_at=1),
    sa.update(signing_keys).values(since=signing_keys.c.since + 1),
    sa.update(signing_keys).values(public="other"),
    sa.delete(deliveries),
    sa.delete(checkpoints),
)  # fmt: skip
"""Of every row that an audit or a bundle tells of, what it tells."""


@pytest.mark.slow
def test_one_changed_column_of_any_row_they_tell_of_makes_them_anew(sqlite_api):
    game = three(sqlite_api).id
    digests = set()
    for number, change in enumerate(CHANGES):
        meddle(sqlite_api, change)
        with sqlite_api.services.database.read() as connection:
            digests.add(evidence(connection, game))
        assert len(digests) == number + 1, f"{change}"


@BOTH
def test_they_are_the_readers_own_while_a_game_runs_and_everybodys_once_it_is_over(sqlite_api, what, monkeypatch):
    services, game = sqlite_api.services, three(sqlite_api).id

    def digests() -> set[str]:
        return {proof_of(services, connection, head, seat, what).digest for seat in (None, 0, 1)}

    with services.database.read() as connection:
        head = services.streams.head(connection, game)
        assert len(digests()) == 3
        head.table.status = "finished"
        over = digests()
        assert len(over) == 1
        monkeypatch.setattr(made, "FORM", "another")
        assert digests() != over, "made otherwise"


def test_what_is_kept_takes_the_place_of_what_was_made_of_other_rows(sqlite_api):
    database = sqlite_api.services.database
    for number in (b"1", b"2"):
        with database.write() as tx:
            store_proofs.keep(database, tx, "game", "audit", f"digest {number!r}", number)
    with database.read() as connection:
        found = [store_proofs.kept(connection, "game", "audit", f"digest {number!r}") for number in (b"1", b"2")]
    assert found == [None, b"2"]


def test_a_history_changed_after_its_audit_was_kept_is_audited_again(sqlite_api):
    table = closed(sqlite_api)
    assert table.get(table.seated[0], "audit").ok().json["ok"]
    body = sa.func.replace(events.c.body, '"seats":3', '"seats":4')
    meddle(sqlite_api, sa.update(events).where(events.c.version == 1).values(body=body))
    assert not table.get(table.seated[0], "audit").ok().json["ok"]
    assert not json.loads(kept(sqlite_api)["audit"])["ok"]


def test_a_mail_that_went_out_is_in_the_next_bundle(sqlite_api):
    table = three(sqlite_api)
    before = table.get(table.awaited, "bundle").ok()
    with sqlite_api.services.database.write() as tx:
        tx.execute(sa.update(deliveries).values(state="sent", done_at=deliveries.c.created_at))
    after = table.get(table.awaited, "bundle", headers={"If-None-Match": before.headers["ETag"]}).ok()
    assert after.data != before.data


@BOTH
def test_one_is_made_at_a_time_for_a_caller_and_others_do_not_wait_for_them(api, what):
    table, over = three(api), closed(api)
    ann, bob, _ = table.seated
    tag = table.get(ann, what).ok().headers["ETag"]
    over.get(ann, what).ok()
    with api.services.database.read() as connection, one_at_a_time(api.services.database, connection, ann.id):
        for other in ("audit", "bundle"):
            answer = table.get(ann, other).refused(429, "too-many-at-once")
            assert int(answer.headers["Retry-After"]) > 0
        table.get(ann, what, headers={"If-None-Match": tag}).ok(304)
        over.get(ann, what).ok()
        table.get(bob, what).ok()
    table.get(ann, what).ok()


@pytest.mark.slow
def test_turns_count_in_all_processes_on_a_database_and_end_with_their_holder(api):
    here, there = FORKS.Pipe()
    url = api.services.database.engine.url.render_as_string(hide_password=False)
    with api.services.database.read() as connection, one_at_a_time(api.services.database, connection, "ann"):
        other = FORKS.Process(target=take_turn, args=(url, there))
        other.start()
        assert [here.recv(), here.recv()] == ["taken", "mine"]
    other.join(60)
    with api.services.database.read() as connection, one_at_a_time(api.services.database, connection, "ann"):
        pass
