"""`/games/{id}/analysis`: asked for, made by a worker, kept; of a game that runs never, for nobody."""

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from tests.domain.teacher.toy import guided_pennies
from tests.service.api.table import Api, ApiTable
from tests.tables import Tables
from workers.teacher.study_process import study_slice
from workers.teacher.teacher import Teacher

TEXT = {"Accept": "text/plain"}
EMPTY = {"seats": [], "decisions": [], "draws": []}


@pytest.fixture
def taught(sqlite_api: Api) -> Iterator[Api]:
    """Pennies can be played, and thought about."""
    sqlite_api.domain = "people.example"
    with guided_pennies():
        yield sqlite_api


def finished(api: Api, **terms: object) -> ApiTable:
    tables = Tables(api.services)
    game = tables.begin(**terms)
    tables.play_out(game, 7, late=0)
    return ApiTable(api, game, api.players("ann bob cyd"))


def work(api: Api) -> None:
    Teacher(api.services, study_slice).work()


@pytest.mark.slow
def test_an_analysis_is_asked_for_made_and_kept_for_everybody(taught):
    table = finished(taught)
    ann, bob, _ = table.seated
    none = table.get(ann, "analysis").ok().json
    assert (none["status"], none["progress"], none["strength"]) == ("none", {"done": 0, "of": 0}, 2)
    asked = table.post(ann, "analysis", {"strength": 1}).ok(202).json
    assert (asked["status"], asked["yours"], asked["strength"]) == ("queued", True, 1)
    assert asked.items() >= EMPTY.items()
    assert not table.get(bob, "analysis").ok().json["yours"]
    work(taught)
    answer = table.get(bob, "analysis").ok()
    done = answer.json
    assert (done["status"], done["yours"]) == ("done", False)
    assert done["progress"]["done"] == done["progress"]["of"] > 0
    assert [(seat["seat"], seat["player"]) for seat in done["seats"]] == [(0, "ann"), (1, "bob"), (2, "cyd")]
    assert {decision["seat"] for decision in done["decisions"]} == {0, 1, 2}
    versions = {decision["version"] for decision in done["decisions"]}
    assert all(set(seat["worst"]) <= versions for seat in done["seats"])
    assert all(bid["text"].endswith(".") for seat in done["seats"] for bid in seat["bids"])
    assert answer.headers["ETag"] == answer.tag(done["version"])
    assert table.get(bob, "analysis", headers={"If-None-Match": answer.headers["ETag"]}).status == 304
    assert table.post(bob, "analysis", {"strength": 1}).ok(200).json["decisions"] == done["decisions"]


@pytest.mark.slow
def test_without_a_word_it_is_made_at_the_usual_strength(taught):
    table = finished(taught)
    assert table.post(table.seated[0], "analysis").ok(202).json["strength"] == 2
    assert table.get(table.seated[0], "analysis?strength=3").ok().json["status"] == "none"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "waits", "told"),
    [("en", "Nobody has asked", "what else could have been done"), ("de", "Niemand hat", "Pennies: "),
     ("fr", "Personne n'a", "Pennies")],
)  # fmt: skip
def test_as_text_it_is_told_in_the_language_of_its_reader(taught, language, waits, told):
    table = finished(taught)
    ann = table.seated[0]
    taught.patch("/me", ann, {"language": language}).ok()
    answer = table.get(ann, "analysis", headers=TEXT).ok()
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.text.startswith(waits)
    table.post(ann, "analysis", {"strength": 1}).ok(202)
    work(taught)
    shown = table.get(ann, "analysis", headers=TEXT).ok().text
    assert shown.startswith(told) or told in shown
    assert "\nann\n---\n" in shown


@pytest.mark.slow
def test_it_is_cancelled_by_whoever_waits_for_it(taught):
    table = finished(taught)
    ann, bob, _ = table.seated
    taught.delete(f"{table.path}/analysis", ann).refused(409, "no-analysis-running")
    table.post(ann, "analysis", {}).ok(202)
    taught.delete(f"{table.path}/analysis", bob).refused(403, "not-your-analysis")
    assert taught.delete(f"{table.path}/analysis", ann).ok().json["status"] == "cancelled"
    assert table.post(bob, "analysis", {}).ok(202).json["yours"]


def test_without_a_strength_everybody_cancels_their_own(taught):
    table = finished(taught)
    ann, bob, cyd = table.seated
    table.post(ann, "analysis", {"strength": 1}).ok(202)
    table.post(bob, "analysis", {"strength": 3}).ok(202)
    taught.delete(f"{table.path}/analysis", cyd).refused(403, "not-your-analysis")
    taught.delete(f"{table.path}/analysis?strength=3", ann).refused(403, "not-your-analysis")
    gone = taught.delete(f"{table.path}/analysis", ann).ok().json
    assert (gone["strength"], gone["status"]) == (1, "cancelled")
    assert table.get(bob, "analysis?strength=3").ok().json["yours"], "the other's goes on"
    assert taught.delete(f"{table.path}/analysis", bob).ok().json["strength"] == 3


def test_one_s_own_is_cancelled_though_one_may_not_see_the_game_any_more(taught):
    """And the answer tells no more than what was known when it was asked for."""
    table = finished(taught, public=False, invite=["bob@people.example", "cyd@people.example"])
    dan = taught.player("dan")
    taught.delete(f"{table.path}/analysis", dan).refused(404, "no-such-game")
    invitation = {"game": table.id, "name": "dan"}
    with taught.services.database.write() as tx:
        of_dan = "SELECT :game, email_key, '' FROM players WHERE name = :name"
        tx.execute(sa.text(f"INSERT INTO invitations (game_id, email_key, known_by) {of_dan}"), invitation)
    table.post(dan, "analysis", {"strength": 1}).ok(202)
    with taught.services.database.write() as tx:
        tx.execute(sa.text("DELETE FROM invitations WHERE game_id = :game"), {"game": table.id})
    table.get(dan, "analysis").refused(404, "no-such-game")
    gone = taught.delete(f"{table.path}/analysis", dan).ok().json
    assert (gone["status"], gone["yours"]) == ("cancelled", False)
    assert gone.items() >= EMPTY.items()
    taught.delete(f"{table.path}/analysis", dan).refused(404, "no-such-game")


def test_one_at_a_time_a_person_with_a_link_to_the_other(taught):
    first, second = finished(taught), finished(taught)
    ann = first.seated[0]
    first.post(ann, "analysis", {"strength": 1}).ok(202)
    refused = second.post(ann, "analysis", {"strength": 1}).refused(409, "analysis-running")
    assert f"/g/{first.id}/analysis?strength=1" in refused.json["detail"]
    first.post(ann, "analysis", {"strength": 3}).refused(409, "analysis-running")


@pytest.mark.parametrize("strength", [0, 4, 99])
def test_a_strength_that_does_not_exist_is_refused(taught, strength):
    table = finished(taught)
    before = taught.kept()
    refused = table.post(table.seated[0], "analysis", {"strength": strength}).refused(422, "bad-strength")
    assert "choose of 1, 2, 3" in refused.json["detail"]
    table.get(table.seated[0], f"analysis?strength={strength}").refused(422, "bad-strength")
    assert taught.kept() == before


@pytest.mark.parametrize("body", [{"strength": "2"}, {"strength": 1.5}, {"strength": None}, {"strenght": 2}, [2]])
def test_what_is_no_request_is_refused(taught, body):
    table = finished(taught)
    assert table.post(table.seated[0], "analysis", body).status == 400


@pytest.mark.slow
def test_of_a_running_game_nothing_is_said_to_anybody(taught):
    table = taught.begin(*taught.players("ann bob cyd"))
    watchers = [*table.seated, taught.player("dan")]
    before = taught.kept()
    for who in watchers:
        table.get(who, "analysis").refused(409, "game-running")
        table.get(who, "analysis", headers=TEXT).refused(409, "game-running")
        table.post(who, "analysis", {"strength": 1}).refused(409, "game-running")
        taught.delete(f"{table.path}/analysis", who).refused(409, "game-running")
    assert taught.kept() == before


def test_a_strangers_private_game_is_none(taught):
    table = finished(taught, public=False, invite=["bob@people.example", "cyd@people.example"])
    dan, before = taught.player("dan"), taught.kept()
    table.get(dan, "analysis").refused(404, "no-such-game")
    table.post(dan, "analysis", {"strength": 1}).refused(404, "no-such-game")
    taught.delete(f"{table.path}/analysis", dan).refused(404, "no-such-game")
    assert taught.kept() == before
