"""Notes to oneself on a game: whoever may see it writes one, and nobody else ever reads it."""

import json
import zipfile
from io import BytesIO

import pytest
import sqlalchemy as sa

from service.games.notes import LONGEST, MOST
from service.integrity import key_rotation
from service.kernel.encryption import Sealer
from service.privacy import erase
from service.store.games.notes import notes
from tests.service.api.table import Api, ApiTable, Player

SECRET = "Bob bluffs in ward seventeen"


def write(table: ApiTable, who: Player, text: str):
    return table.api.send("PUT", f"{table.path}/note", who, json={"text": text})


def read(table: ApiTable, who: Player):
    return table.get(who, "note").ok().json


def rows(api: Api) -> list[tuple[str, str, bytes]]:
    with api.services.database.read() as connection:
        return [(row.game_id, row.player_id, row.body) for row in connection.execute(sa.select(notes))]


def test_a_note_is_written_read_replaced_and_thrown_away(api):
    table = api.begin(*api.players("ann bob cyd"))
    ann = table.seated[0]
    assert read(table, ann) == {"text": "", "written_at": None}
    first = write(table, ann, "  Ward 5 first.\r\nThen “talk” to Cyd.\n").ok().json
    assert first["text"] == "Ward 5 first.\nThen “talk” to Cyd."
    assert read(table, ann) == first
    assert write(table, ann, SECRET).ok().json["text"] == SECRET
    assert len(rows(api)) == 1
    assert api.delete(f"{table.path}/note", ann).ok(204).data == b""
    assert api.delete(f"{table.path}/note", ann).ok(204).data == b""
    assert read(table, ann) == {"text": "", "written_at": None}
    write(table, ann, SECRET).ok()
    write(table, ann, "   ").ok()
    assert rows(api) == []


def test_a_watcher_of_a_public_game_has_a_note_and_a_stranger_of_a_private_one_has_none(sqlite_api):
    dora = sqlite_api.player("dora")
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    write(table, dora, "Watch Ann.").ok()
    assert read(table, dora)["text"] == "Watch Ann."
    private = sqlite_api.open(sqlite_api.player("ann"), public=False)
    write(private, dora, "x").refused(404, "no-such-game")
    private.get(dora, "note").refused(404, "no-such-game")
    sqlite_api.delete(f"{private.path}/note", dora).refused(404, "no-such-game")
    sqlite_api.get("/games/none/note", dora).refused(404, "no-such-game")
    sqlite_api.get(f"{table.path}/note").refused(401, "unauthorized")


def test_a_note_has_a_longest_length_and_no_signs_that_nobody_sees(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    ann = table.seated[0]
    write(table, ann, "é" * LONGEST).ok()
    write(table, ann, "é" * LONGEST + "x").refused(422, "bad-note")
    write(table, ann, "bell \a").refused(422, "bad-note")
    assert read(table, ann)["text"] == "é" * LONGEST, "what is refused changes nothing"
    assert MOST >= 1000


def test_s30_a_note_is_sealed_for_its_game_and_player_and_sealed_again_under_a_new_key(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    write(table, table.seated[0], SECRET).ok()
    ((_, _, body),) = rows(sqlite_api)
    assert SECRET.encode() not in body
    old = sqlite_api.services.settings.secret_key
    renewed = Sealer(["another secret of at least thirty-two signs", old])
    (place,) = [place for place in key_rotation.PLACES if place.column is notes.c.body]
    with sqlite_api.services.database.write() as tx:
        assert key_rotation.seal_again(renewed, tx, place, 10) == 1
        assert key_rotation.seal_again(renewed, tx, place, 10) == 0
    ((_, _, again),) = rows(sqlite_api)
    assert renewed.is_current(again)


@pytest.mark.slow
def test_s12_a_note_changes_nothing_that_anybody_else_is_given(sqlite_api):
    """Positions, events, talk, story, bundles of the others are the same bytes before it and after."""
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    ann, bob, _ = table.seated
    dora = sqlite_api.player("dora")
    reads = ("", "events", "messages", "story", "notices", "statistics", "note")

    def given(who: Player) -> list[tuple[int, bytes]]:
        answers = [table.get(who, what) for what in reads]
        return [(answer.status, answer.data) for answer in answers]

    before = given(bob), given(dora), [table.get(ann, what).data for what in reads[:-1]]
    write(table, ann, SECRET).ok()
    assert (given(bob), given(dora), [table.get(ann, what).data for what in reads[:-1]]) == before
    bundle = zipfile.ZipFile(BytesIO(table.get(ann, "bundle").ok().data))
    assert not any(SECRET.encode() in bundle.read(name) for name in bundle.namelist())


@pytest.mark.slow
def test_s50_a_note_is_in_its_writers_export_alone_and_goes_with_them(api):
    table = api.begin(*api.players("ann bob cyd"))
    ann, bob, _ = table.seated
    write(table, ann, SECRET).ok()
    write(table, bob, "Ann waits.").ok()
    (mine,) = api.get("/me/export", ann).ok().json["notes_to_yourself"]
    assert (mine["text"], mine["game_id"]) == (SECRET, table.id)
    assert SECRET not in json.dumps(api.get("/me/export", bob).ok().json, ensure_ascii=False)
    erase.erase(api.services, ann.id)
    assert [player for _, player, _ in rows(api)] == [bob.id]
