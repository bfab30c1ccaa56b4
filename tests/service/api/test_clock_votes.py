"""The clock by consent over the API: pause, resume, more time; votes, refusals, bad durations."""

from datetime import datetime

import pytest

from tests.service.api.table import Api, ApiTable, Player

pytestmark = pytest.mark.slow


def three(api: Api, **terms) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"), **terms)


def propose(table: ApiTable, who: Player, what: str, lasting: str | None = None, **more):
    body = {"propose": what} | ({"for": lasting} if lasting else {})
    return table.post(who, "clock", body, **more)


def vote(table: ApiTable, who: Player, agree: bool = True):
    return table.post(who, "clock/vote", {"agree": agree})


def due(table: ApiTable) -> datetime:
    (deadline,) = table.position()["clock"]["deadlines"]
    return datetime.fromisoformat(deadline["due"])


def test_a_pause_begins_when_everybody_has_agreed_and_takes_no_time(api):
    table = three(api)
    ann, bob, cyd = table.seated
    before = due(table)
    answer = propose(table, ann, "pause", "P7D").ok(202)
    proposal = {
        "what": "pause", "seat": 0, "version": table.version, "to": None, "reason": None, "seconds": 604_800,
        "asked": [1, 2], "agreed": [],
    }  # fmt: skip
    assert (answer.json["proposal"], answer.json["paused"]) == (proposal, False)
    assert vote(table, bob).ok().json["proposal"]["agreed"] == [1]
    done = vote(table, cyd).ok().json
    assert (done["proposal"], done["paused"], done["clock"]["deadlines"][0]["due"]) == (None, True, None)
    propose(table, cyd, "resume").ok(202)
    vote(table, ann).ok()
    running = vote(table, bob).ok().json
    assert running["paused"] is False
    assert abs((due(table) - before).total_seconds()) < 60


def test_more_time_is_more_time_for_everybody_who_owes_an_answer(api):
    table = three(api)
    ann, bob, cyd = table.seated
    before = due(table)
    propose(table, bob, "extend", "PT36H").ok(202)
    vote(table, ann).ok()
    vote(table, cyd).ok()
    assert (due(table) - before).total_seconds() == 36 * 3600


def test_one_refusal_is_enough(sqlite_api):
    table = three(sqlite_api)
    ann, bob, cyd = table.seated
    propose(table, ann, "extend", "P2D").ok(202)
    assert vote(table, cyd, agree=False).ok().json["proposal"] is None
    vote(table, bob).refused(409, "no-proposal")


def test_a_proposal_is_withdrawn_by_who_made_it(sqlite_api):
    table = three(sqlite_api)
    ann, bob, _cyd = table.seated
    propose(table, ann, "extend", "P2D").ok(202)
    sqlite_api.delete(f"{table.path}/clock/proposal", bob).refused(403, "not-asked")
    sqlite_api.delete(f"{table.path}/rewind", ann).refused(409, "no-proposal")
    assert sqlite_api.delete(f"{table.path}/clock/proposal", ann).ok().json["proposal"] is None


def test_a_vote_about_going_back_is_none_about_the_clock(sqlite_api):
    table = three(sqlite_api)
    ann, bob, _cyd = table.seated
    propose(table, ann, "extend", "P2D").ok(202)
    table.post(bob, "rewind/vote", {"agree": True}).refused(409, "no-proposal")


def test_playing_goes_on_while_it_is_voted(sqlite_api):
    table = three(sqlite_api)
    propose(table, table.seated[0], "pause", "P2D").ok(202)
    table.move(table.awaited, "place 1 1", "end")
    assert table.position()["proposal"]["what"] == "pause"


def test_among_bots_it_is_done_at_once(sqlite_api):
    (ann,) = sqlite_api.players("ann")
    table = sqlite_api.begin(ann, seats=3, bots=2)
    assert propose(table, ann, "pause", "P2D").ok(200).json["paused"] is True
    assert propose(table, ann, "resume").ok(200).json["paused"] is False


@pytest.mark.parametrize(
    "what, lasting, code",
    [
        ("pause", "PT59M", "bad-pause"), ("pause", "P61D", "bad-pause"), ("extend", "P31D", "bad-extension"),
        ("extend", "PT0S", "bad-extension"), ("pause", "7 days", "bad-duration"), ("pause", "P1Y", "bad-duration"),
        ("extend", "-P1D", "bad-duration"), ("pause", "P999999999W", "bad-duration"),
    ],
)  # fmt: skip
def test_a_duration_that_does_not_do_is_refused_in_a_sentence(sqlite_api, what, lasting, code):
    table = three(sqlite_api)
    before = sqlite_api.kept()
    propose(table, table.seated[0], what, lasting).refused(422, code, "DESIGN-7")
    assert sqlite_api.kept() == before


@pytest.mark.parametrize(
    "body",
    [
        {}, {"propose": "pause"}, {"propose": "resume", "for": "P1D"}, {"propose": "stop", "for": "P1D"},
        {"for": "P1D"}, {"propose": "extend", "for": 7}, {"propose": "extend", "for": ""},
        {"propose": "extend", "for": "P1D", "who": 1},
    ],
)  # fmt: skip
def test_t6a_what_cannot_be_read_is_400(sqlite_api, body):
    table = three(sqlite_api)
    assert table.post(table.seated[0], "clock", body).status == 400
    assert table.post(table.seated[0], "clock/vote", {"agree": "yes"}).status == 400


def test_what_makes_no_sense_is_refused(sqlite_api):
    table = three(sqlite_api)
    ann, bob, cyd = table.seated
    propose(table, ann, "resume").refused(409, "not-paused")
    propose(table, ann, "pause", "P1D").ok(202)
    propose(table, bob, "extend", "P1D").refused(409, "proposal-open")
    vote(table, bob).ok()
    vote(table, bob).refused(409, "already-answered")
    vote(table, cyd).ok()
    propose(table, bob, "pause", "P1D").refused(409, "already-paused")
    propose(table, sqlite_api.player("dan"), "resume").refused(403, "not-seated")


def test_the_clock_of_a_game_that_has_not_begun_stands_by_itself(sqlite_api):
    (ann,) = sqlite_api.players("ann")
    table = sqlite_api.open(ann)
    propose(table, ann, "pause", "P1D").refused(409, "not-started")


def test_a_stale_proposal_is_412_and_a_repeated_one_is_made_once(sqlite_api):
    table = three(sqlite_api)
    ann, bob, _cyd = table.seated
    stale = {"If-Match": f'"{table.version - 1}"'}
    propose(table, ann, "pause", "P1D", headers=stale).refused(412, "stale")
    key = {"Idempotency-Key": "pause-1"}
    first = propose(table, ann, "pause", "P1D", headers=key).ok(202)
    again = propose(table, ann, "pause", "P1D", headers=key).ok(202)
    assert again.data == first.data
    table.post(bob, "clock/vote", {"agree": True}, headers=stale).refused(412, "stale")
    sqlite_api.delete(f"{table.path}/clock/proposal", ann, headers=stale).refused(412, "stale")


def test_everybody_may_know_that_the_clock_stands(sqlite_api):
    table = three(sqlite_api)
    propose(table, table.seated[0], "pause", "P1D").ok(202)
    for who in table.seated[1:]:
        vote(table, who).ok()
    assert table.position(sqlite_api.player("dan"))["paused"] is True
