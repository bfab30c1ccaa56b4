"""GET /games/{id}/bundle: one file, made for who asks, that verifies as it is."""

import io
import json
import os
import zipfile
from typing import Any

import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from domain.audit.bundle.archive import FILES
from domain.audit.bundle.verify import check
from domain.audit.receipts import Witness
from service.cli import main
from service.integrity.export_bundle import TOLD
from service.kernel.signing import genuine
from service.store.outgoing.deliveries import deliveries, notices
from service.store.outgoing.outbox import outbox, put
from tests.service.api.table import Answer, Api, ApiTable, Player
from tests.service.integrity.test_audit import unguarded
from workers.kinds.kind import GameKind
from workers.kinds.registry import KINDS

pytestmark = pytest.mark.slow  # seconds together


def three(api: Api, **terms: Any) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"), **terms)


def bundle(table: ApiTable, who: Player) -> bytes:
    return table.get(who, "bundle").ok().data


def inside(data: bytes) -> dict[str, Any]:
    """The JSON files of a bundle, and its events."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert packed.testzip() is None
        files = {name: packed.read(name) for name in packed.namelist()}
    assert tuple(files) == FILES
    read = {name: json.loads(content) for name, content in files.items() if name.endswith(".json")}
    return read | {"events": [json.loads(line) for line in files["events.ndjson"].splitlines()[:-1]]}


def holds(data: bytes, **more: Any) -> dict[str, str]:
    """The verdicts on a bundle in which nothing is broken."""
    report = check(data, genuine, **more)
    assert report.ok, report.checks
    return {what: verdict for what, verdict, _ in report.checks}


def test_s40_a_running_bundle_verifies_for_every_reader_and_names_them(sqlite_api):
    table = three(sqlite_api)
    table.to_bids()
    table.bid(table.awaited)
    dan = sqlite_api.player("dan")
    for who, seat in ((table.seated[0], 0), (table.seated[1], 1), (table.seated[2], 2), (dan, None)):
        data = bundle(table, who)
        found = holds(data)
        assert (found["leaves"], found["draws"], found["signature.json"]) == ("open", "open", "verified")
        said = inside(data)
        assert said["manifest.json"]["reader"] == seat
        assert said["manifest.json"]["version"] == table.version
        assert said["events"] == [json.loads(line) for line in table.export(who)[:-1]]
        assert said["draws.json"]["seed"] is None
        assert said["draws.json"]["draws"] == []
        assert said["draws.json"]["nonces"] == [
            one["data"]["nonce"] for one in said["events"] if one["type"] == "table.seat-taken"
        ]


def test_a_running_bundle_tells_of_the_readers_own_mails_alone(api):
    table = three(api)
    for _ in range(3):
        table.move(table.awaited, table.legal(table.awaited)[0])
    told = {}
    for seat, who in enumerate(table.seated):
        notices = inside(bundle(table, who))["notices.json"]["notices"]
        assert {one["seat"] for one in notices} <= {seat}
        told[seat] = notices
    assert any(told.values())
    assert inside(bundle(table, api.player("dan")))["notices.json"]["notices"] == []


@pytest.mark.slow
@pytest.mark.parametrize("kind, bots", [("tammany-hall", 2), ("city-hall", 1)])
def test_s41_the_bundle_of_a_game_that_is_over_is_complete_and_everybodys_is_the_same(sqlite_api, kind, bots):
    table = sqlite_api.begin(sqlite_api.player("ann"), ruleset=kind, bots=bots)
    for _ in table.play_out(3):
        pass
    everybody = {bundle(table, who) for who in (*table.seated, sqlite_api.player("dan"))}
    assert len(everybody) == 1
    (data,) = everybody
    said = inside(data)
    receipt = table.get(table.seated[0], "checkpoint").ok().json["receipt"]
    found = holds(data, witnesses=[Witness.of_receipt(receipt)], noted=said["keys.json"]["keys"])
    assert "open" not in found.values()
    assert found["receipts"] == found["keys"] == found["draws.json"] == found["rules"] == "verified"
    assert said["manifest.json"]["over"] is True
    assert said["manifest.json"]["reader"] is None
    draws = [event["version"] for event in said["events"] if "draw" in event["data"]]
    assert [one["version"] for one in said["draws.json"]["draws"]] == draws
    assert ("game-over", 0) in {(one["kind"], one["seat"]) for one in said["notices.json"]["notices"]}
    assert {one["version"] for one in said["checkpoints.json"]["checkpoints"]} >= {table.version}


def sends(api: Api, **row: Any) -> None:
    """Every notice has gone the same way."""
    with api.services.database.write() as tx:
        tx.execute(sa.update(deliveries).values(**row))
        if "created_at" in row:
            tx.execute(sa.update(notices).values(created_at=row["created_at"]))


def test_s41_a_notice_says_when_it_was_written_down_and_when_it_went_out(api):
    table = three(api)
    waiting = next(one for one in inside(bundle(table, table.awaited))["notices.json"]["notices"])
    assert (waiting["state"], waiting["sent"]) == ("queued", None)
    with api.services.database.read() as connection:
        queued = connection.execute(sa.select(sa.func.max(outbox.c.created_at))).scalar_one()
    for state, goes in (("sent", True), ("bounced", True), ("failed", False), ("superseded", False)):
        sends(api, state=state, done_at=queued + 1_500_000)
        data = bundle(table, table.awaited)
        holds(data)
        notice = inside(data)["notices.json"]["notices"][0]
        assert notice["state"] == state
        assert (notice["sent"] is not None) is goes
        assert not goes or notice["sent"] > notice["queued"]


def test_a_clock_that_was_set_back_makes_no_notice_older_than_its_event(sqlite_api):
    table = three(sqlite_api)
    sends(sqlite_api, created_at=1, done_at=2, state="sent")
    data = bundle(table, table.awaited)
    holds(data)
    (notice,) = inside(data)["notices.json"]["notices"]
    assert notice["sent"] == notice["queued"] == inside(data)["events"][notice["version"] - 1]["at"]


def test_notices_of_people_who_are_gone_and_of_no_event_are_left_out(api):
    table = three(api)
    row = {"game_id": table.id, "kind": "your-turn", "state": "queued", "not_before": 0, "created_at": 5, "version": 3}
    gone = [
        {**row, "recipient": "p_erased", "decision": "a", "seat": 0},
        {**row, "recipient": table.seated[0].id, "decision": "b", "seat": 0, "version": 0},
        {**row, "recipient": table.seated[0].id, "decision": "c", "seat": None},
        {**row, "recipient": table.seated[0].id, "decision": "d", "seat": 0, "kind": "talk"},
    ]
    before = bundle(table, table.seated[0])
    with api.services.database.write() as tx:
        put(tx, gone)
    assert bundle(table, table.seated[0]) == before


def test_every_kind_of_mail_about_a_game_is_told_of_or_left_out_on_purpose():
    left_out = {"invitation", "answer", "confirm", "fresh", "talk", "operator-act", "seat-taken", "begin"}
    about_games = {name for name, kind in KINDS.items() if isinstance(kind, GameKind)}
    assert about_games == {*TOLD, *left_out}


def test_the_same_head_and_notices_give_the_same_bytes_and_a_move_gives_others(sqlite_api):
    table = three(sqlite_api)
    who = table.awaited
    once = bundle(table, who)
    assert bundle(table, who) == once
    table.move(who, table.legal(who)[0])
    assert bundle(table, who) != once


def test_seats_numbered_anew_at_the_start_are_told_by_their_new_numbers(api):
    ann, bob, cyd = api.players("ann bob cyd")
    table = api.open(ann, 5)
    table.sit(bob)
    table.sit(cyd)
    dan = api.player("dan")
    table.sit(dan)
    api.send("DELETE", f"{table.path}/seats/me", bob)
    table.post(ann, "start").ok()
    data = bundle(table, dan)
    holds(data)
    said = inside(data)
    assert said["manifest.json"]["reader"] == 2
    assert {one["seat"] for one in said["notices.json"]["notices"]} <= {2}
    nonces = [one["data"]["nonce"] for one in said["events"] if one["type"] == "table.seat-taken"]
    assert said["draws.json"]["nonces"] == [nonces[0], nonces[2], nonces[3]]


def test_a_game_older_than_its_checkpoints_gets_one_of_its_head(api, monkeypatch):
    with monkeypatch.context() as before:
        for name in ("keep", "list_key"):
            before.setattr(f"service.store.event_store.checkpoints.{name}", lambda *_: None)
        table = three(api)
    data = bundle(table, table.seated[0])
    holds(data)
    (point,) = inside(data)["checkpoints.json"]["checkpoints"]
    assert point["version"] == table.version


def test_s44_the_checkpoints_of_a_bundle_are_those_the_api_gives(sqlite_api):
    table = three(sqlite_api)
    for point in inside(bundle(table, table.seated[0]))["checkpoints.json"]["checkpoints"]:
        shown = table.get(table.seated[1], "checkpoint", query_string={"version": point["version"]}).ok().json
        assert {name: shown[name] for name in point} == point


def test_a_bundle_is_a_file_to_keep_and_nobodys_to_cache(sqlite_api):
    table = three(sqlite_api)
    answer: Answer = table.get(table.seated[0], "bundle").ok()
    assert answer.headers["Content-Type"] == "application/zip"
    named = f'attachment; filename="wardroom-{table.id}-{table.version}.zip"'
    assert answer.headers["Content-Disposition"] == named
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_s11_the_bundle_of_a_private_table_is_for_its_players_alone(sqlite_api):
    ann, bob, cyd, eve = sqlite_api.players("ann bob cyd eve")
    table = sqlite_api.begin(ann, bob, cyd, public=False, invite=["bob@example.org", "cyd@example.org"])
    table.get(eve, "bundle").refused(404, "no-such-game")
    none = sqlite_api.get("/games/nothing/bundle", eve).text
    assert table.get(eve, "bundle").text.replace(table.id, "") == none.replace("nothing", "")
    sqlite_api.get(f"{table.path}/bundle").refused(401, "unauthorized")
    table.get(ann, "bundle", query_string={"x": "1"}).refused(400, "unknown-query")
    bundle(table, bob)


def test_a_table_that_has_not_started_has_a_bundle_too(sqlite_api):
    ann = sqlite_api.player("ann")
    table = sqlite_api.open(ann, 3)
    data = bundle(table, ann)
    assert holds(data)["draws"] == "open"
    sqlite_api.send("DELETE", f"{table.path}/seats/me", ann)
    closed = bundle(table, ann)
    assert holds(closed)["draws"] == "verified"
    assert inside(closed)["manifest.json"]["over"] is True
    assert inside(closed)["draws.json"]["nonces"] == []


# The command


def exports(api: Api, monkeypatch: pytest.MonkeyPatch, *words: str) -> Result:
    settings = api.services.settings
    given = {"DATABASE_URL": settings.database_url, "DATA_DIR": str(settings.data_dir), "SECRET_KEY": "k" * 32}
    for name, value in given.items():
        monkeypatch.setenv(f"WARDROOM_{name}", value)
    return CliRunner().invoke(main, ["export", *words])


def test_the_command_writes_the_bundle_a_spectator_gets(sqlite_api, monkeypatch, tmp_path):
    table = three(sqlite_api)
    shown = bundle(table, sqlite_api.player("dan"))
    file = tmp_path / "game.zip"
    assert exports(sqlite_api, monkeypatch, table.id, "--bundle", "--output", str(file)).exit_code == 0
    assert file.read_bytes() == shown
    assert exports(sqlite_api, monkeypatch, table.id, "--bundle").stdout_bytes == shown
    assert exports(sqlite_api, monkeypatch, table.id, "--output", str(file)).exit_code == 0
    assert file.read_bytes() == exports(sqlite_api, monkeypatch, table.id).stdout_bytes
    assert file.read_bytes().splitlines() == table.export(sqlite_api.player("dan"))


DAMAGE = {
    "a leaf that cannot be opened": ("UPDATE leaves SET sealed = zeroblob(40) WHERE opened IS NOT NULL", True),
    "a seat that nobody took": (
        """UPDATE events SET body = replace(body, '"player"', '"playex"') WHERE type = 'table.seat-taken'""", False,
    ),
    "a head beyond the end": ("UPDATE games SET version = version + 1", False),
    "an event that is no JSON": ("UPDATE events SET body = '{' WHERE version = 5", False),
    "no events": ("DELETE FROM events", False),
}  # fmt: skip


@pytest.mark.parametrize("damage, shown", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_game_is_bundled_as_evidence_or_refused_with_a_sentence(
    sqlite_api, monkeypatch, tmp_path, damage, shown
):
    table = three(sqlite_api)
    table.to_bids()
    for who in list(table.seated):
        table.bid(who)
    with sqlite_api.services.database.owner_engine().begin() as connection, unguarded(connection):
        connection.exec_driver_sql(damage)
    done = exports(sqlite_api, monkeypatch, table.id, "--bundle", "--output", str(tmp_path / "game.zip"))
    answer = table.get(table.seated[0], "bundle")
    if shown:
        assert (done.exit_code, answer.status) == (0, 200), done.output
        report = check((tmp_path / "game.zip").read_bytes(), genuine)
        assert {what for what, verdict, _ in report.checks if verdict == "broken"} == {"leaves"}
        return
    assert (done.exit_code, answer.status) == (os.EX_DATAERR, 503), done.output
    assert isinstance(done.exception, SystemExit)
    assert f"The records of game {table.id} are damaged" in done.stderr
    assert answer.json["code"] == "game-halted"


def test_a_bundle_is_not_poured_over_a_terminal_and_faults_are_sentences(sqlite_api, monkeypatch, tmp_path):
    table = three(sqlite_api)
    none = exports(sqlite_api, monkeypatch, "nothing", "--bundle")
    assert (none.exit_code, none.stdout) == (os.EX_NOINPUT, "")
    assert "There is no game nothing." in none.stderr
    nowhere = exports(sqlite_api, monkeypatch, table.id, "--bundle", "--output", str(tmp_path / "no" / "game.zip"))
    assert nowhere.exit_code == os.EX_CANTCREAT
    assert "cannot be written: No such file or directory." in nowhere.stderr
    monkeypatch.setattr("service.commands.verification.history.is_terminal", lambda: True)
    refused = exports(sqlite_api, monkeypatch, table.id, "--bundle")
    assert (refused.exit_code, refused.stdout) == (os.EX_USAGE, "")
    assert "give --output FILE" in refused.stderr
    assert exports(sqlite_api, monkeypatch, table.id).exit_code == 0
