"""Signed checkpoints of every append and the keys that sign them: complete, append-only, across rotations (S-44)."""

import contextlib
import json
import os
import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from domain.audit.bundle.verify import check as bundle_check
from domain.audit.checkpoints import Signed
from domain.audit.signing_keys import endorsed, key_id
from domain.engine.canonical import canonical
from domain.history.envelope import event_hash
from service.cli import main
from service.commands.health import diagnosis
from service.container import Services
from service.games import play
from service.integrity import export_bundle
from service.integrity.audit import audit_game
from service.kernel.clock import EPOCH, micros
from service.kernel.encryption import Sealer
from service.kernel.signing import Signer, genuine
from service.store.clocks.halted import why_halted
from service.store.event_store import checkpoints, streams
from service.store.event_store.checkpoints import StrangeKey, Unsigned, signing_keys
from service.store.event_store.streams import events
from service.store.structure import migrate
from tests.apps import app_of
from tests.databases import BOTH
from tests.service.clock_tables import clock_tables
from tests.service.integrity.test_audit import owner_runs, unguarded
from tests.service.store.service_tables import services, tables
from tests.service.store.test_append_only import attempt
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock

once = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
"""No statement of it has a dialect, a lock or a constraint of its own: PostgreSQL need not repeat it."""

__all__ = ["BOTH", "clock_tables", "manual_clock", "tables", "services"]
LATEST = 253_402_300_799_999_997
"""The last moment but two that can be written."""
A, B, C = ("a" * 40, "b" * 40, "c" * 40)


def rows(services: Services, table: sa.Table) -> list[dict[str, Any]]:
    with services.database.read() as connection:
        found = connection.execute(sa.select(table).order_by(*table.primary_key.columns)).mappings()
        return [dict(row) for row in found]


def kept(tables: Tables, game: str) -> dict[int, dict[str, Any]]:
    """The checkpoints of a game, by version."""
    return {row["version"]: row for row in rows(tables.services, checkpoints.checkpoints) if row["game_id"] == game}


def keys_of(services: Services) -> dict[str, str]:
    return {one["id"]: one["public"] for one in checkpoints.published(services.database, services.signer)}


def verify(tables: Tables, game: str) -> list[int]:
    """Every checkpoint of a game fits its event and is signed by a published key. Their versions."""
    publics = keys_of(tables.services)
    events = {event["version"]: event for event in map(json.loads, tables.export(game)) if "version" in event}
    with tables.services.database.read() as connection:
        found = checkpoints.of_game(connection, game, tables.head(game).version)
    for signed in found:
        one, event = signed.checkpoint, events[signed.checkpoint.version]
        assert (one.game, one.hash, one.time) == (event["game"], event["hash"], event["at"])
        assert genuine(publics[signed.key], one.message(), signed.signature)
    return [signed.checkpoint.version for signed in found]


# Signatures


@pytest.mark.parametrize(
    "public, message, signature",
    [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
            "4a7c15e9716ed28dc027beceea1ec40a",
        ),
    ],
)  # fmt: skip
def test_signatures_are_those_of_rfc_8032(public, message, signature):
    said = bytes.fromhex(message)
    assert genuine(public, said, signature)
    for place in range(0, 128, 7):
        other = f"{int(signature[place], 16) ^ 1:x}"
        assert not genuine(public, said, signature[:place] + other + signature[place + 1 :])
    assert not genuine(public, said + b"\n", signature)
    assert not genuine("00" * 32, said, signature)
    for broken in ("", "e5", "zz" * 64, signature[:-2], signature + "00"):
        assert not genuine(public, said, broken)
    assert not genuine(public[:-2], said, signature)


def small(y: int) -> list[str]:
    """The encodings of a y, with either sign."""
    return [(y | sign << 255).to_bytes(32, "little").hex() for sign in (0, 1)]


ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD83D3D706A17C7
P = 2**255 - 19


def test_no_signature_holds_under_a_key_of_small_order_or_in_another_encoding():
    forged = small(1)[0] + "00" * 32
    for y in (0, 1, P - 1, ORDER_8, P - ORDER_8, *range(P, 2**255)):
        for public in small(y):
            for n in range(24):
                assert not genuine(public, b"%d" % n, forged)
                assert not genuine(public, b"%d" % n, public + "00" * 32)


def test_a_signing_key_comes_from_the_secret_and_from_nothing_else():
    one, again, other = (Signer(Sealer(secrets)) for secrets in ([A], [A, B], [B, A]))
    assert (one.key_id, one.public) == (again.key_id, again.public)
    assert one.public != other.public
    assert one.key_id == key_id(one.public)
    assert one.at_hand(one.key_id)
    assert other.at_hand(one.key_id)
    assert not one.at_hand(other.key_id)
    assert genuine(one.public, b"x", one.sign(b"x"))
    assert not genuine(other.public, b"x", one.sign(b"x"))
    sealer = Sealer([A])
    assert sealer.masters[sealer.current].hex() not in (one.public, one.sign(b""))


# One for every append


def test_s44_every_append_leaves_one_checkpoint_of_its_last_event(tables):
    game = tables.begin(bots=1)
    tables.play_out(game, seed=3)
    events = [event for event in map(json.loads, tables.export(game)) if "version" in event]
    last = {event["cause"]: event["version"] for event in events}
    assert verify(tables, game) == sorted(last.values())
    assert len(events) > len(last) > 5
    assert tables.head(game).version in kept(tables, game)
    for version, row in kept(tables, game).items():
        at = datetime.fromisoformat(events[version - 1]["at"])
        assert (row["at"], row["hash"]) == (micros(at - EPOCH), events[version - 1]["hash"])


@once
def test_a_version_without_a_checkpoint_gets_one_when_it_is_asked_for_and_it_is_not_kept(tables):
    game = tables.begin()
    before = kept(tables, game)
    first = min(before)
    missing = next(version for version in range(2, tables.head(game).version) if version not in before)
    with tables.services.database.read() as connection:
        assert checkpoints.kept(connection, game, missing) is None
        made = checkpoints.checkpoint(connection, tables.services.streams, tables.services.signer, game, missing)
        again = checkpoints.checkpoint(connection, tables.services.streams, tables.services.signer, game, first)
    assert again.signature == before[first]["signature"]
    event = json.loads(tables.export(game)[missing - 1])
    assert (made.checkpoint.version, made.checkpoint.hash, made.checkpoint.time) == (
        missing, event["hash"], event["at"]
    )  # fmt: skip
    assert genuine(tables.services.signer.public, made.checkpoint.message(), made.signature)
    assert kept(tables, game) == before


def asks_for(tables: Tables, game: str, version: int) -> Signed:
    with tables.services.database.read() as connection:
        return checkpoints.checkpoint(connection, tables.services.streams, tables.services.signer, game, version)


def rewritten(game: str, since: int, tx: sa.Connection) -> None:
    """What somebody does who has the database: other events from `since` on, chained anew, and a head that fits."""
    previous = ""
    found = tx.execute(sa.select(events.c.version, events.c.body).where(events.c.game_id == game).order_by("version"))
    for version, body in found.all():
        entry = json.loads(body)
        if version >= since:
            entry |= {"cause": "another"} | ({"previous": previous} if previous else {})
        written = canonical(entry)
        previous = event_hash(written)
        values = {"body": written.decode(), "hash": previous}
        tx.execute(sa.update(events).where(events.c.game_id == game, events.c.version == version).values(**values))
    tx.execute(sa.update(streams.games).where(streams.games.c.id == game).values(hash=previous))


def meddles(tables: Tables, *steps: Callable[[sa.Connection], object]) -> None:
    """Whatever the owner of the database does to it, without triggers."""
    engine = tables.services.database.owner_engine()
    try:
        with engine.begin() as connection, unguarded(connection):
            for step in steps:
                step(connection)
    finally:
        engine.dispose()


@pytest.mark.slow
@once
def test_s44_nothing_is_signed_for_who_has_the_database_and_no_key(tables):
    game = tables.begin("ann", "bob", "cyd")
    tables.move(game, "bob", "hide 1")
    last = tables.head(game).version
    first, mid = min(kept(tables, game)), next(n for n in range(2, last) if n not in kept(tables, game))
    whole = checkpoints.checkpoints
    forged = dict(rows(tables.services, whole)[-1], signature="0" * 128)

    meddles(tables, lambda tx: rewritten(game, mid, tx))
    assert asks_for(tables, game, first).checkpoint.version == first, "what was kept is told as it was"
    for asked in (mid, mid + 1):
        if asked not in kept(tables, game):
            with pytest.raises(Unsigned):
                asks_for(tables, game, asked)
    meddles(tables, lambda tx: tx.execute(sa.delete(whole).where(whole.c.version >= mid)))
    for asked in (mid, last):
        with pytest.raises(Unsigned):
            asks_for(tables, game, asked)
    meddles(
        tables,
        lambda tx: tx.execute(sa.insert(whole).values(**forged | {"hash": tables.head(game).hash})),
    )
    with pytest.raises(Unsigned):
        asks_for(tables, game, mid)
    meddles(tables, lambda tx: tx.execute(sa.delete(whole)))
    for asked in (1, mid, last):
        with pytest.raises(Unsigned):
            asks_for(tables, game, asked)
    halted = audit_game(tables.services, game).halted
    assert halted is not None
    assert f"event {last}: It is missing" in halted


@pytest.mark.slow
def test_s44_a_game_older_than_the_keys_is_signed_when_it_is_asked_about(clock_tables):
    clock_tables.advance(hours=1)
    game = clock_tables.begin("ann", "bob", "cyd")
    meddles(
        clock_tables,
        lambda tx: tx.execute(sa.delete(checkpoints.checkpoints)),
        lambda tx: tx.execute(sa.delete(signing_keys)),
    )
    clock_tables.advance(minutes=2)
    last = clock_tables.head(game).version
    for version in range(1, last + 1):
        one = asks_for(clock_tables, game, version)
        assert genuine(keys_of(clock_tables.services)[one.key], one.checkpoint.message(), one.signature)
    assert audit_game(clock_tables.services, game).halted is None
    clock_tables.move(game, "bob", "hide 1")
    assert asks_for(clock_tables, game, 2).checkpoint.version == 2, "what is older hashes forward to what was kept"
    assert audit_game(clock_tables.services, game).halted is None


class Stop(Exception):
    """The transaction is undone."""


def undone(tables: Tables, does: Callable[[sa.Connection], object]) -> None:
    """Do it in a transaction that is undone."""
    with contextlib.suppress(Stop), tables.services.database.write() as tx:
        does(tx)
        raise Stop


def test_a_move_that_is_undone_leaves_no_checkpoint(tables):
    game = tables.begin()
    before = kept(tables, game)
    undone(tables, lambda tx: play.move(tables.services, tx, game, tables.ids["ann"], play.Orders(text="hide 1")))
    assert kept(tables, game) == before
    tables.move(game, "ann", "hide 1")
    assert len(kept(tables, game)) == len(before) + 1


# Append-only


@pytest.mark.parametrize("owner", [False, True], ids=["service", "owner"])
def test_s33_checkpoints_and_keys_are_only_ever_added_to(tables, owner):
    tables.begin()
    engine = tables.services.database.owner_engine() if owner else tables.services.database.engine
    before = [rows(tables.services, table) for table in (checkpoints.checkpoints, signing_keys)]
    statements = [
        "UPDATE checkpoints SET hash = 'x'", "UPDATE checkpoints SET at = at", "DELETE FROM checkpoints",
        "UPDATE signing_keys SET since = 1", "DELETE FROM signing_keys",
        "INSERT INTO checkpoints SELECT * FROM checkpoints", "INSERT INTO signing_keys SELECT * FROM signing_keys",
    ]  # fmt: skip
    if tables.services.database.is_sqlite:
        statements += [f"REPLACE INTO {name} SELECT * FROM {name}" for name in ("checkpoints", "signing_keys")]
    else:
        statements += ["TRUNCATE checkpoints", "TRUNCATE signing_keys"]
    try:
        for statement in statements:
            assert attempt(engine, statement), statement
    finally:
        if owner:
            engine.dispose()
    assert [rows(tables.services, table) for table in (checkpoints.checkpoints, signing_keys)] == before
    assert all(before)


@pytest.mark.slow
def test_s33_no_migration_takes_away_what_was_signed(tables):
    tables.begin()
    before = [rows(tables.services, table) for table in (checkpoints.checkpoints, signing_keys)]
    with pytest.raises(RuntimeError, match="holds what cannot be made again"):
        migrate.downgrade(tables.services.database, "base")
    assert [rows(tables.services, table) for table in (checkpoints.checkpoints, signing_keys)] == before


@pytest.mark.postgres
def test_s33_the_role_may_read_and_add_checkpoints_and_keys_and_nothing_else(migrated_postgres, open_services):
    query = (
        "SELECT table_name, privilege_type FROM information_schema.role_table_grants"
        " WHERE table_name IN ('checkpoints', 'signing_keys') AND grantee = 'wardroom_app'"
    )
    with open_services(migrated_postgres).database.read() as connection:
        found = {tuple(row) for row in connection.exec_driver_sql(query)}
    assert found == {(table, what) for table in ("checkpoints", "signing_keys") for what in ("SELECT", "INSERT")}


# The list of keys


@once
def test_the_present_key_is_published_before_anything_is_signed(services):
    (one,) = checkpoints.published(services.database, services.signer)
    assert (one["id"], one["public"], one["endorsement"]) == (services.signer.key_id, services.signer.public, None)
    assert checkpoints.published(services.database, services.signer) == [one]


def test_a_key_whose_first_move_was_undone_is_listed_with_the_next_one(tables):
    """Also where that transaction looked for it twice."""
    undone(
        tables,
        lambda tx: [checkpoints.list_key(tables.services.database, tx, tables.services.signer, 1) for _ in range(3)],
    )
    assert rows(tables.services, signing_keys) == []
    game = tables.begin()
    assert [row["id"] for row in rows(tables.services, signing_keys)] == [tables.services.signer.key_id]
    assert verify(tables, game)


@once
def test_a_key_is_no_younger_than_what_it_signs(tables):
    game = tables.begin()
    (key,) = rows(tables.services, signing_keys)
    assert key["since"] <= min(row["at"] for row in kept(tables, game).values())


def test_processes_that_sign_for_the_first_time_at_once_list_one_key(url, open_services):
    houses = [Tables(open_services(url)) for _ in range(4)]
    begin, opened, failed = threading.Barrier(4), [], []

    def plays(tables: Tables, number: int) -> None:
        try:
            begin.wait()
            opened.append(tables.open(f"p{number}"))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=plays, args=(one, number)) for number, one in enumerate(houses)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(rows(houses[0].services, signing_keys)) == 1
    assert all(verify(houses[0], game) for game in opened)
    assert len(opened) == 4


# Rotation


def with_secrets(open_services: Callable[..., Services], url: str, ids: dict[str, str], *secrets: str) -> Tables:
    """The same service after a restart with these secrets."""
    old = {"SECRET_KEYS_OLD": ",".join(secrets[1:])} if secrets[1:] else {}
    tables = Tables(open_services(url, SECRET_KEY=secrets[0], **old))
    tables.ids = ids
    return tables


def rotated(tables: Tables) -> None:
    """All that is sealed, sealed again."""
    while True:
        with tables.services.database.write() as tx:
            if not tables.services.streams.rotate(tx, 100):
                return


def keys_listed(tables: Tables) -> list[dict[str, Any]]:
    return checkpoints.published(tables.services.database, tables.services.signer)


def marks(tables: Tables) -> dict[str, str]:
    return {found.what: found.mark for found in diagnosis.examine(tables.services)}


@pytest.mark.slow
def test_s30_s44_a_new_secret_signs_with_a_new_key_that_the_old_one_vouches_for_and_all_holds_without_the_old(
    url, open_services
):
    ids: dict[str, str] = {}
    first = with_secrets(open_services, url, ids, A)
    game = first.begin("ann", "bob", "cyd")
    first.move(game, "ann", "hide 3")
    (old,) = checkpoints.published(first.services.database, first.services.signer)

    both = with_secrets(open_services, url, ids, B, A)
    both.move(game, "bob", "hide 1")
    rotated(both)
    listed = checkpoints.published(both.services.database, both.services.signer)
    assert listed[0] == old
    assert [one["id"] for one in listed] == [first.services.signer.key_id, both.services.signer.key_id]
    assert listed[0]["since"] < listed[1]["since"]
    assert listed[1]["endorsement"]["key"] == old["id"]
    assert endorsed(listed[1], {old["id"]: old["public"]}, genuine)
    versions = verify(both, game)

    alone = with_secrets(open_services, url, ids, B)
    assert checkpoints.published(alone.services.database, alone.services.signer) == listed
    assert verify(alone, game) == versions
    assert {row["key"] for row in kept(alone, game).values()} == {one["id"] for one in listed}
    alone.move(game, "cyd", "hide 2")
    assert len(verify(alone, game)) == len(versions) + 1
    assert marks(alone)["signing key"] == "well"

    third = with_secrets(open_services, url, ids, C, A, B)
    third.open("ann")
    rotated(third)
    newest = checkpoints.published(third.services.database, third.services.signer)[-1]
    assert newest["endorsement"]["key"] == both.services.signer.key_id, "the newest of those at hand"
    assert endorsed(newest, keys_of(third.services), genuine)

    back = with_secrets(open_services, url, ids, A, C)
    back.open("ann")
    assert len(checkpoints.published(back.services.database, back.services.signer)) == 3, (
        "a key that comes back is no new one"
    )
    assert rows(back.services, signing_keys) == rows(third.services, signing_keys)


@once
def test_s44_what_is_signed_when_it_is_asked_for_is_signed_with_a_listed_key(url, open_services):
    ids: dict[str, str] = {}
    first = with_secrets(open_services, url, ids, A)
    game = first.begin("ann", "bob", "cyd")
    mid = next(n for n in range(2, first.head(game).version) if n not in kept(first, game))
    second = with_secrets(open_services, url, ids, B, A)
    one = asks_for(second, game, mid)
    assert one.key in {key["id"] for key in rows(second.services, signing_keys)}
    assert genuine(
        keys_of(with_secrets(open_services, url, ids, C, A).services)[one.key], one.checkpoint.message(), one.signature
    )


@once
def test_s44_a_bundle_lists_the_key_of_who_moved_a_moment_before_it_was_made(url, open_services):
    ids: dict[str, str] = {}
    old = with_secrets(open_services, url, ids, A, B)
    game = old.begin("ann", "bob", "cyd")
    new = with_secrets(open_services, url, ids, B, A)
    new.move(game, "bob", "hide 1")
    with old.services.database.read() as connection:
        made = export_bundle.make(old.services, connection, old.head(game), None)
    report = bundle_check(made, genuine)
    assert report.ok, report.checks


@pytest.mark.slow
@once
def test_a_key_that_a_restore_lost_is_listed_again_by_the_same_process(tables):
    game = tables.begin("ann", "bob", "cyd")
    tables.move(game, "bob", "hide 1")
    (before,) = keys_of(tables.services)
    meddles(tables, lambda tx: tx.execute(sa.delete(signing_keys)))
    assert [*keys_of(tables.services)] == [before]
    tables.move(game, "ann", "hide 1")
    assert verify(tables, game)


@pytest.mark.slow
def test_a_key_that_this_database_was_not_sealed_under_is_never_listed_and_begins_nothing(url, open_services, tmp_path):
    """The list is for good: one command with a wrong secret must not spoil it."""
    ids: dict[str, str] = {}
    first = with_secrets(open_services, url, ids, A)
    assert marks(first)["signing key"] == "well", "there is no earlier one"
    game = first.begin()
    assert marks(first)["signing key"] == "well"
    before = rows(first.services, signing_keys), rows(first.services, events)
    stranger = with_secrets(open_services, url, ids, B)
    assert checkpoints.published(stranger.services.database, stranger.services.signer) == [*keys_listed(first)]
    variables = {"DATABASE_URL": url, "SECRET_KEY": B, "DATA_DIR": str(tmp_path)}
    environment = {f"WARDROOM_{name}": value for name, value in variables.items()}
    for command in (["keys"], ["export", game, "--bundle", "--output", str(tmp_path / "bundle.zip")]):
        done = CliRunner().invoke(main, command, env=environment)
        assert done.exit_code == os.EX_CONFIG
        assert "WARDROOM_SECRET_KEYS_OLD" in done.stderr or command[0] == "export"
    found = {one.what: one for one in diagnosis.examine(stranger.services)}["signing key"]
    assert (found.mark, found.sentence) == ("broken", str(StrangeKey()))
    with pytest.raises(StrangeKey):
        stranger.open("ann")
    assert app_of(stranger.services).test_client().get("/readyz").json["checks"][0]["what"] == "key"
    audit_game(stranger.services, game)
    with stranger.services.database.read() as connection:
        assert why_halted(connection, game) is None, "a game is not stopped for a key that is not here"
    assert (rows(first.services, signing_keys), rows(first.services, events)) == before
    assert marks(with_secrets(open_services, url, ids, B, A))["signing key"] == "well"


def test_a_key_that_opens_what_is_sealed_is_listed_with_what_it_appends_and_not_with_what_it_reads(
    migrated_sqlite, open_services
):
    """As after a restore that lost rows of the list: nobody vouches for the key, which the doctor notes."""
    ids: dict[str, str] = {}
    first = with_secrets(open_services, migrated_sqlite, ids, A)
    first.open("ann")
    stranger = Signer(Sealer([C]))
    lost = {"key": first.services.signer.key_id, "other": stranger.key_id, "public": stranger.public}
    owner_runs(first, "UPDATE signing_keys SET id = :other, public = :public WHERE id = :key", **lost)
    back = with_secrets(open_services, migrated_sqlite, ids, A)
    (only,) = checkpoints.published(back.services.database, back.services.signer)
    assert only["id"] == stranger.key_id
    found = {one.what: one for one in diagnosis.examine(back.services)}["signing key"]
    assert (found.mark, "before anything is signed" in found.sentence) == ("note", True)
    back.open("ann")
    (_, second) = checkpoints.published(back.services.database, back.services.signer)
    assert (second["id"], second["endorsement"]) == (back.services.signer.key_id, None)
    found = {one.what: one for one in diagnosis.examine(back.services)}["signing key"]
    assert (found.mark, "when it was first used" in found.sentence) == ("note", True)


def test_a_house_older_than_its_keys_lists_none_it_was_not_sealed_under(migrated_sqlite, open_services):
    first = with_secrets(open_services, migrated_sqlite, {}, A)
    first.open("ann")
    owner_runs(first, "DELETE FROM signing_keys")
    stranger, own = (with_secrets(open_services, migrated_sqlite, {}, one) for one in (B, A))
    assert checkpoints.published(stranger.services.database, stranger.services.signer) == []
    assert [one["id"] for one in keys_listed(own)] == [own.services.signer.key_id]


def test_the_keys_are_printed_with_what_vouches_for_them(migrated_sqlite, open_services, tmp_path):
    ids: dict[str, str] = {}
    with_secrets(open_services, migrated_sqlite, ids, A).open("ann")
    tables = with_secrets(open_services, migrated_sqlite, ids, B, A)
    tables.open("ann")
    old, new = checkpoints.published(tables.services.database, tables.services.signer)
    variables = {"DATABASE_URL": migrated_sqlite, "SECRET_KEY": B, "DATA_DIR": str(tmp_path)}
    done = CliRunner().invoke(main, ["keys"], env={f"WARDROOM_{name}": value for name, value in variables.items()})
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines() == [
        f"{old['id']}  {old['since']}  {old['public']}",
        f"{new['id']}  {new['since']}  {new['public']}  endorsed by {old['id']}  signs now",
    ]
