"""All that is kept about me: given out in one document, and erased when I say so (S-50)."""

import base64
import json
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import jsonschema
import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from service.accounts import sign_in
from service.api.http.limits import ACCOUNT
from service.cli import main
from service.games import chat
from service.privacy import erase, export
from service.privacy.data_map import SECTIONS, Section
from service.store.across import personal_data
from service.store.across.personal_data import Person
from service.store.incoming.inbox import inbound
from service.store.outgoing import outbox
from service.store.people.erasures import erasures
from service.store.people.players import players
from tests.service.api.table import Api, Player
from tests.tables import Tables

pytestmark = pytest.mark.slow  # seconds together

MINE = {"email": "ann@example.org"}


def erases(api: Api, who: Player) -> str:
    """A player asks for it, and sends the code that is mailed to them. What they are told."""
    return api.delete("/me", who, json=confirmed(api, who)).ok().json["detail"]


def confirmed(api: Api, who: Player) -> dict[str, str]:
    mine = {"email": f"{who.name}@example.org"}
    assert "a code is on its way" in api.delete("/me", who, json=mine).ok(202).json["detail"]
    sign_in.post_codes(api.services)
    table = outbox.outbox
    last = sa.select(table).where(table.c.recipient == who.id, table.c.kind == "code").order_by(table.c.id.desc())
    with api.services.database.read() as connection:
        row = connection.execute(last).mappings().first()
    return mine | {
        "code": api.services.sealer.open("codes", f"code|{row['decision']}", row["secret"]).decode().split()[0]
    }


# Erasing


def test_s50_who_confirms_with_their_address_is_gone_at_once(api):
    ann, bob, cyd = api.players("ann bob cyd")
    table = api.begin(ann, bob, cyd)
    erases(api, ann)
    api.get("/me", ann).refused(401, "unauthorized")
    api.delete("/me", ann, json=MINE).refused(401, "unauthorized")
    seat = table.get(bob).ok().json["seats"][0]
    assert (seat["status"], seat["player"], seat["name"]) == ("vacant", ann.id, None)
    assert 0 not in table.position(bob)["awaiting"]
    assert table.get(bob, "audit").ok().json["ok"]
    assert not re.search(r"\bann\b", json.dumps(table.position(bob))), "a word of its own: an id may hold these letters"


@pytest.mark.parametrize("body", [None, {}, {"email": "bob@example.org"}, {"email": ""}, {"email": "ann"}])
def test_s50_without_a_confirmation_nothing_happens_and_it_is_said_what_would(sqlite_api, body):
    ann = sqlite_api.player("ann")
    more = {} if body is None else {"json": body}
    detail = sqlite_api.delete("/me", ann, **more).refused(422, "erasure-not-confirmed").json["detail"]
    assert "send your own address as “email”" in detail
    assert "caretaker plays your seats" in detail
    sqlite_api.get("/me", ann).ok()


@pytest.mark.parametrize("spelt", ["Ann@Example.ORG", " ann@EXAMPLE.org\n"])
def test_s50_an_address_confirms_in_any_spelling(sqlite_api, spelt):
    ann = sqlite_api.player("ann")
    sqlite_api.delete("/me", ann, json=confirmed(sqlite_api, ann) | {"email": spelt}).ok()
    sqlite_api.get("/me", ann).refused(401, "unauthorized")


@pytest.mark.parametrize("code", ["000-000", "", None])
def test_s50_a_token_and_an_address_which_every_token_shows_erase_nobody(sqlite_api, code):
    """Whoever has the key of a bot can read the address there: only the mailbox has the code."""
    ann = sqlite_api.player("ann")
    known = {"email": sqlite_api.get("/me", ann).ok().json["email"]}
    sqlite_api.delete("/me", ann, json=known).ok(202)
    if code:
        refused = sqlite_api.delete("/me", ann, json=known | {"code": code}).refused(422, "erasure-not-confirmed")
        assert "wrong or used up" in refused.json["detail"]
    elif code == "":
        sqlite_api.delete("/me", ann, json=known | {"code": code}).refused(400, "bad-request")
    sqlite_api.get("/me", ann).ok()


def test_s50_the_code_of_another_or_one_guessed_at_too_often_erases_nobody(sqlite_api):
    ann, bob = sqlite_api.players("ann bob")
    theirs, mine = confirmed(sqlite_api, bob)["code"], confirmed(sqlite_api, ann)
    for _ in range(sign_in.CODE_TRIES):
        sqlite_api.delete("/me", ann, json=mine | {"code": theirs}).refused(422, "erasure-not-confirmed")
    sqlite_api.delete("/me", ann, json=mine).refused(422, "erasure-not-confirmed")
    sqlite_api.delete("/me", ann, json=confirmed(sqlite_api, ann)).ok()
    sqlite_api.get("/me", bob).ok()


def test_s50_a_seat_that_cannot_be_given_up_yet_is_said(sqlite_api):
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    assert "follows within minutes" not in erases(sqlite_api, cyd)
    sqlite_api.open(bob)
    table = sqlite_api.open(ann)
    with sqlite_api.services.database.write() as tx:
        tx.execute(sa.text("UPDATE games SET ruleset = 'chess' WHERE id = :game"), {"game": table.id})
    assert "In 1 of your games the seat could not be given up yet" in erases(sqlite_api, ann)


def test_s50_a_body_that_is_no_confirmation_is_refused(sqlite_api):
    ann = sqlite_api.player("ann")
    sqlite_api.delete("/me", ann, json={"email": 7}).refused(400, "bad-request")
    sqlite_api.delete("/me", ann, json=MINE | {"now": True}).refused(400, "bad-request")
    sqlite_api.get("/me", ann).ok()


def test_s50_the_same_address_signs_up_again_as_somebody_else(sqlite_api):
    ann = sqlite_api.player("ann")
    erases(sqlite_api, ann)
    del sqlite_api.people["ann"]
    again = sqlite_api.player("ann")
    assert again.id != ann.id
    found = sqlite_api.get("/me/export", again).ok().json
    assert found["seats"] == found["notices"] == found["erasure"] == []


def test_s50_requests_of_who_is_erased_meanwhile_are_done_or_refused_and_never_fail(api):
    ann, bob, cyd = api.players("ann bob cyd")
    table = api.begin(ann, bob, cyd)
    sure = confirmed(api, ann)

    def asks(number: int) -> int:
        match number % 6:
            case 0:
                return api.patch("/me", ann, {"name": "Anna"}).status
            case 1:
                return api.post(f"/games/{table.id}/messages", ann, {"text": "hello"}).status
            case 2:
                return api.delete("/me", ann, json=sure).status
            case 3:
                return api.get("/me/export", ann).status
            case 4:
                return api.post("/games", ann, {"ruleset": "city-hall", "seats": 3}).status
            case _:
                return api.send("PUT", "/me/leave", ann, json={"from": "2027-01-01", "to": "2027-01-02"}).status

    with ThreadPoolExecutor(6) as pool:
        statuses = set(pool.map(asks, range(24)))
    assert 200 in statuses
    assert not [status for status in statuses if status == 500], statuses
    with api.services.database.write() as tx:
        tx.execute(sa.text("UPDATE erasures SET asked_at = 1, look_at = 1"))
    erase.go_on(api.services)
    with api.services.database.read() as connection:
        for section in SECTIONS:
            if not section.kept:
                assert not theirs(connection, section, Person(ann.id, "")), section.name
    assert table.get(bob, "audit").ok().json["ok"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_s29_erasing_and_exporting_are_limited_like_signing_in(limited_api, method):
    ann = limited_api.player("ann")
    for _ in range(ACCOUNT):
        limited_api.send(method, "/me/export", ann).ok()
    limited_api.get("/me/export", ann).refused(429, "too-many-requests")
    limited_api.get("/me", ann).ok()


# The export


def test_s50_the_export_shows_no_number_that_counts_what_others_have():
    """Rows of everybody are counted in one sequence: a gap in one's own tells how many another had (the twin law)."""
    for one in SECTIONS:
        for name in one.shown:
            column = personal_data.table_of(one.theirs.table).c[name]
            whole = isinstance(column.type, sa.Integer)
            counts = whole and (column.name in ("id", "decision") or "sqlite" in column.type._variant_mapping)
            assert not counts, column
    assert not {"decision", "message_id"} & {*section("notices").shown}, "both may hold such a number"
    assert "decision" not in section("webhook_messages").shown


def theirs(connection: sa.Connection, section: Section, person: Person) -> Sequence[sa.Row[Any]]:
    mine = personal_data.condition(section.theirs, person)
    return connection.execute(sa.select(personal_data.table_of(section.theirs.table)).where(mine)).all()


def section(name: str) -> Section:
    return next(section for section in SECTIONS if section.name == name)


def test_s50_an_export_is_as_it_is_described(sqlite_api):
    """With games, addresses for answers to questions and to news, feeds, a webhook and talk."""
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    table, letters = sqlite_api.begin(ann, bob, cyd), Tables(sqlite_api.services, sqlite_api.services.database.clock)
    letters.deliver()
    table.move(table.awaited, "place 1 1", "end")
    letters.deliver()
    sqlite_api.post("/me/feeds", ann, {}).ok(201)
    sqlite_api.post("/me/webhooks", ann, {"url": "https://hooks.example/x"}).ok(201)
    table.post(ann, "messages", {"text": "hello"}).ok(201)
    document = sqlite_api.get("/openapi.json").ok().json
    schema, decisions = {"$ref": "#/components/schemas/Export", "components": document["components"]}, set()
    for who in (ann, bob, cyd):
        exported = sqlite_api.get("/me/export", who).ok().json
        jsonschema.validate(exported, schema)
        decisions |= {row["decision"] for row in exported["answering_addresses"]}
    assert len(decisions) > 1
    assert "" in decisions


def test_s50_who_reads_their_export_slowly_holds_no_connection_to_the_database(sqlite_api):
    ann = sqlite_api.player("ann")
    with sqlite_api.app.test_client() as client:
        answer = client.get("/api/v1/me/export", headers=ann.headers, buffered=False)
        first = next(iter(answer.response))
        assert sqlite_api.services.database.engine.pool.checkedout() == 0
        assert b"ann@example.org" in first + b"".join(answer.response)
        answer.close()


@pytest.fixture
def lived(api: Api) -> tuple[Api, Player]:
    """Ann plays, talks, is away, has a mail on its way, and one that came."""
    ann, bob, cyd = api.players("ann bob cyd")
    table = api.begin(ann, bob, cyd)
    api.post(f"/games/{table.id}/messages", ann, {"text": "said by me"}).ok(201)
    api.post(f"/games/{table.id}/messages", bob, {"text": "said by bob"}).ok(201)
    services = api.services
    with services.database.write() as tx:
        for state, text in (("applied", b"mine"), ("held", b"not-sure-whose"), ("duplicate", b"a-strangers")):
            mail = {"source": "lmtp", "sender": "ann@example.org", "recipient": "x", "purpose": "mv", "about": 0,
                    "trusted": "", "digest": text.ljust(32), "reason": "", "not_before": 0, "lease_until": 0,
                    "attempts": 0, "message_id": "", "game_id": table.id, "seat": 0}  # fmt: skip
            raw = services.sealer.seal("inbound", text.ljust(32).hex(), text)
            tx.execute(sa.insert(inbound).values(
                **mail, player_id=ann.id, received_at=10**15, raw=raw, state=state))  # fmt: skip
    return api, ann


def test_s50_the_export_holds_every_row_that_is_mine_and_every_column_that_is_not_excepted(lived):
    api, ann = lived
    answer = api.get("/me/export", ann).ok()
    assert answer.headers["Content-Disposition"] == 'attachment; filename="wardroom-me.json"'
    found = answer.json
    assert found["format"] == export.FORMAT
    assert list(found) == ["format", "made_at", "notes", "history", *(section.name for section in SECTIONS)]
    with api.services.database.read() as connection:
        for section in SECTIONS:
            rows = theirs(connection, section, Person(ann.id, "ann@example.org"))
            told = [row for row in rows if getattr(row, "kind", "") != chat.KIND]
            assert len(found[section.name]) == len(told), section.name
            for row in found[section.name]:
                assert sorted(row) == export.keys_of(section)
    (me,) = found["profile"]
    assert (me["name"], me["email"], me["id"]) == ("ann", "ann@example.org", ann.id)
    assert [line["text"] for line in found["talk"]] == ["said by me"]
    assert found["history"][0]["bundle"].endswith(f"/games/{found['history'][0]['game']}/bundle")


def test_s50_a_mail_that_may_be_somebody_elses_is_not_given_out(lived):
    """Whoever knows an answering address can write to it: what the locks held back is shown to nobody (IN-07)."""
    api, ann = lived
    mails = api.get("/me/export", ann).ok().json["mails_received"]
    raw = {one["state"]: one["raw"] for one in mails}
    assert raw == {"applied": base64.b64encode(b"mine").decode(), "held": None, "duplicate": None}


def test_s50_the_export_gives_out_no_key_and_nothing_of_others(lived):
    api, ann = lived
    text = api.get("/me/export", ann).ok().text
    assert "said by bob" not in text
    assert "bob@example.org" not in text
    assert ann.token not in text
    assert "digest" not in json.loads(text)["tokens"][0]


def test_s50_the_export_is_of_nobody_else(api):
    _, bob = api.players("ann bob")
    assert api.get("/me/export", bob).ok().json["profile"][0]["id"] == bob.id
    api.get("/me/export").refused(401, "unauthorized")


def test_s50_times_are_rfc_3339_in_utc(lived):
    api, ann = lived
    found = api.get("/me/export", ann).ok().json
    times = [
        value
        for section in found.values()
        if isinstance(section, list)
        for row in section
        if isinstance(row, dict)
        for name, value in row.items()
        if name.endswith("_at") and name != "wakes_at"
    ]
    assert times
    assert all(value is None or str(value).endswith("Z") for value in times)  # fmt: skip


# The command


def test_s50_the_host_erases_a_guest_by_address(sqlite_api, monkeypatch):
    ann = sqlite_api.player("ann")
    sqlite_api.open(ann, public=False, invite=["guest@people.example"])
    done = runs(sqlite_api, monkeypatch, "erase", "GUEST@people.example", "--yes")
    assert (done.exit_code, "1 invitations" in done.stderr) == (0, True), done.output
    assert runs(sqlite_api, monkeypatch, "erase", "guest@people.example", "--yes").exit_code == os.EX_NOUSER


def test_s50_after_a_restore_the_host_erases_all_of_the_journal_again(sqlite_api, monkeypatch):
    ann, _ = sqlite_api.players("ann bob")
    with sqlite_api.services.database.read() as connection:
        kept = dict(connection.execute(sa.select(players).where(players.c.id == ann.id)).mappings().one())
    assert runs(sqlite_api, monkeypatch, "erase", ann.id, "--yes").exit_code == 0
    with sqlite_api.services.database.write() as tx:
        tx.execute(sa.delete(erasures))
        tx.execute(sa.insert(players).values(kept))
    assert "say --yes" in runs(sqlite_api, monkeypatch, "erase", "--again").stderr
    for back in (1, 0):
        done = runs(sqlite_api, monkeypatch, "erase", "--again", "--yes")
        assert (done.exit_code, f"1 people were erased before; {back} had come back" in done.stderr) == (0, True)
    with sqlite_api.services.database.read() as connection:
        assert list(connection.execute(sa.select(players.c.name)).scalars()) == ["bob"]
    for words in (["erase"], ["erase", "ann", "--again"]):
        assert "Name one person, or say --again" in runs(sqlite_api, monkeypatch, *words).stderr


def runs(api: Api, monkeypatch: pytest.MonkeyPatch, *words: str, **more: str):
    monkeypatch.setenv("WARDROOM_DATABASE_URL", api.services.settings.database_url)
    monkeypatch.setenv("WARDROOM_DATA_DIR", str(api.services.settings.data_dir))
    monkeypatch.setenv("WARDROOM_SECRET_KEY", "k" * 32)
    return CliRunner().invoke(main, list(words), **more)


def test_s50_the_host_erases_by_address_or_id_and_is_told_what_was_done(sqlite_api, monkeypatch):
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    sqlite_api.begin(ann, bob, cyd)
    done = runs(sqlite_api, monkeypatch, "erase", "ANN@example.org", "--yes")
    assert done.exit_code == 0, done.output
    assert "1 profile" in done.stderr
    assert "Seats given up: 1." in done.stderr
    again = runs(sqlite_api, monkeypatch, "erase", ann.id, "--yes")
    assert (again.exit_code, "nothing more" in again.stderr) == (0, True)
    assert runs(sqlite_api, monkeypatch, "erase", bob.id, "--yes").exit_code == 0
    with sqlite_api.services.database.read() as connection:
        assert list(connection.execute(sa.select(players.c.name)).scalars()) == ["cyd"]


def test_s50_the_host_is_asked_and_who_is_unknown_is_said(sqlite_api, monkeypatch):
    sqlite_api.player("ann")
    unknown = runs(sqlite_api, monkeypatch, "erase", "nobody@example.org", "--yes")
    assert (unknown.exit_code, "There is no player nobody@example.org" in unknown.stderr) == (os.EX_NOUSER, True)
    unasked = runs(sqlite_api, monkeypatch, "erase", "ann@example.org")
    assert (unasked.exit_code, "say --yes" in unasked.stderr) == (os.EX_USAGE, True)
    sqlite_api.get("/me", sqlite_api.player("ann")).ok()
