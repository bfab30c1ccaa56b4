"""Going back over the API: what it would undo, at once, by consent, refused, and what others hear of it (Q-12)."""

import random
from collections.abc import Iterator
from datetime import timedelta

import pytest
from freezegun import freeze_time

from domain.audit.verify_history import audit
from tests.service.api.table import Api, ApiTable, Player
from tests.service.api.test_secrecy import Heard, all_ears, told_twice, worlds

pytestmark = pytest.mark.slow

__all__ = ["worlds"]
TAG = '"{}"'


def three(api: Api, **terms) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"), **terms)


def ended(table: ApiTable) -> Player:
    """Whoever begins has placed and ended the turn: nothing was drawn, and nobody has acted since."""
    player = table.awaited
    table.move(player, "place 1 1")
    table.move(player, "end")
    return player


def answered(table: ApiTable) -> tuple[Player, Player]:
    """And the next has, too: who began, and who would have to agree."""
    first = ended(table)
    second = table.awaited
    table.move(second, "place 1 1", "end")
    return first, second


def rewind(table: ApiTable, who: Player, **body):
    return table.post(who, "rewind", body)


def last(table: ApiTable, who: Player) -> str:
    return table.events(who)[-1]["type"]


# At once


def test_q12_the_end_of_a_turn_is_taken_back_at_once(api):
    table = three(api)
    player = ended(table)
    before = table.version
    shown = table.get(player, "rewind").ok().json
    assert (shown["free"], shown["to"], shown["touches"], shown["refusal"]) == (True, before - 2, [], None)
    assert shown["undoes"][0] == f"{player.name} ends the turn."
    answer = rewind(table, player).ok()
    assert (answer.json["rewound"], answer.json["version"], answer.json["proposal"]) == (True, before + 1, None)
    assert answer.headers["ETag"] == TAG.format(before + 1)
    assert table.awaited == player
    assert answer.json["state"] == table.get(player, query_string={"version": before - 2}).ok().json["state"]
    assert rewind(table, player).ok().json["rewound"], "and then what was done before it"
    assert table.legal(player)


def test_q12_only_the_last_part_of_a_request_is_taken_back(sqlite_api):
    table = three(sqlite_api)
    player = table.awaited
    table.move(player, "place 1 1", "end")
    placed = next(event["version"] for event in table.events(player) if event["type"].endswith("bosses-placed"))
    rewind(table, player, to=placed).ok()
    assert table.position()["awaiting"] == [table.seated.index(player)]
    assert "end" in table.legal(player)


def test_q12_the_midst_of_an_act_is_no_place_to_go_back_to(sqlite_api):
    table = three(sqlite_api)
    player = ended(table)
    rewind(table, player, to=table.version - 1).refused(422, "bad-version", "Q-12")


def test_q12_a_bid_in_city_hall_that_nobody_answered_is_taken_back(sqlite_api):
    table = three(sqlite_api, ruleset="city-hall")
    while not any(one.startswith("bid ") for one in table.legal(table.awaited)):
        table.move(table.awaited, table.legal(table.awaited)[0])
    bidder = table.awaited
    table.move(bidder, next(one for one in table.legal(bidder) if one.startswith("bid ")))
    assert table.get(bidder, "rewind").json["free"]
    assert rewind(table, bidder).ok(200).json["rewound"]
    assert table.awaited == bidder


def test_no_time_is_won_by_taking_back(sqlite_api):
    """What is owed again is owed since it was at first, with the bank that was left then; an hour at the least."""
    with freeze_time("2031-03-04 05:06:07") as frozen:
        table = three(sqlite_api, clock={"per_move": "P3D", "bank": "P2D", "increment": "PT12H"})
        player = table.awaited
        due = table.position(player)["you"]["due"]
        frozen.tick(timedelta(days=2))
        table.move(player, "place 1 1")
        frozen.tick(timedelta(days=2))
        table.move(player, "end")
        frozen.tick(timedelta(hours=5))
        rewind(table, player).ok()
        assert table.position(player)["you"]["due"] == due == "2031-03-09T05:06:07.000000Z"
        rewind(table, player).ok()
        assert table.position(player)["you"]["due"] == due
        frozen.tick(timedelta(hours=18, minutes=30))
        table.move(player, "place 1 1", "end")
        rewind(table, player).ok()
        assert table.position(player)["you"]["due"] == "2031-03-09T05:36:07.000000Z"


def test_no_time_is_won_by_taking_back_while_the_clock_stands(sqlite_api):
    with freeze_time("2031-03-04 05:06:07") as frozen:
        table = three(sqlite_api)
        player = table.awaited
        others = [one for one in table.seated if one != player]
        frozen.tick(timedelta(days=2))
        agree_on(table, player, others, "pause", "P30D")
        frozen.tick(timedelta(days=4))
        table.move(player, "place 1 1", "end")
        rewind(table, player).ok()
        frozen.tick(timedelta(days=4))
        agree_on(table, player, others, "resume")
        assert table.position(player)["you"]["due"] == "2031-03-15T05:06:07.000000Z"


def agree_on(table: ApiTable, player: Player, others: list[Player], what: str, lasting: str | None = None) -> None:
    """Something about the clock, by consent."""
    table.post(player, "clock", {"propose": what} | ({"for": lasting} if lasting else {})).ok(202)
    for other in others:
        table.post(other, "clock/vote", {"agree": True}).ok()


def test_the_time_in_which_the_clock_stood_is_not_owed_when_it_is_taken_back(sqlite_api):
    with freeze_time("2031-03-04 05:06:07") as frozen:
        table = three(sqlite_api)
        player = table.awaited
        others = [one for one in table.seated if one != player]
        agree_on(table, player, others, "pause", "P30D")
        frozen.tick(timedelta(days=20))
        agree_on(table, player, others, "resume")
        table.move(player, "place 1 1", "end")
        rewind(table, player).ok()
        assert table.position(player)["you"]["due"] == "2031-03-27T05:06:07.000000Z"


# By consent


def test_q12_who_has_acted_since_is_asked_and_agrees(api):
    table = three(api)
    first, second = answered(table)
    third = next(one for one in table.seated if one not in (first, second))
    seats = {who: table.seated.index(who) for who in table.seated}
    shown = table.get(first, "rewind").ok().json
    assert (shown["free"], shown["touches"]) == (False, [seats[second]])
    version = table.version
    answer = rewind(table, first, reason="misread").ok(202)
    assert (answer.json["rewound"], answer.json["version"]) == (False, version + 1)
    proposal = {
        "what": "rewind", "seat": seats[first], "version": version + 1, "to": shown["to"], "reason": "misread",
        "seconds": None, "asked": [seats[second]], "agreed": [],
    }  # fmt: skip
    for who in (*table.seated, api.player("dan")):
        assert table.position(who)["proposal"] == proposal, "everybody may know"
    asked = table.get(second, "rewind").ok().json["proposal"]
    assert asked == proposal | {"undoes": shown["undoes"]}
    table.post(third, "rewind/vote", {"agree": True}).refused(403, "not-asked")
    table.post(first, "rewind/vote", {"agree": True}).refused(409, "own-proposal")
    done = table.post(second, "rewind/vote", {"agree": True}).ok()
    assert (done.json["rewound"], done.json["proposal"], done.json["awaiting"]) == (True, None, [seats[first]])
    event = table.events(first)[-1]
    assert event["type"] == "table.rewound"
    assert list(event["data"].pop("due")) == [str(seats[first])]
    assert event["data"] == {
        "to": shown["to"], "seat": seats[first], "reason": "misread", "agreed": [seats[second]],
    }  # fmt: skip


def test_one_refusal_is_enough(sqlite_api):
    table = three(sqlite_api)
    first, second = answered(table)
    rewind(table, first).ok(202)
    answer = table.post(second, "rewind/vote", {"agree": False}).ok()
    assert (answer.json["rewound"], answer.json["proposal"]) == (False, None)
    table.post(second, "rewind/vote", {"agree": True}).refused(409, "no-proposal")


def test_a_proposal_is_withdrawn_by_who_made_it(sqlite_api):
    table = three(sqlite_api)
    first, second = answered(table)
    rewind(table, first).ok(202)
    table.api.delete(f"{table.path}/rewind", second).refused(403, "not-asked")
    assert table.api.delete(f"{table.path}/rewind", first).ok().json["proposal"] is None
    table.api.delete(f"{table.path}/rewind", first).refused(409, "no-proposal")
    assert last(table, first) == "table.proposal-dropped"


def test_nobody_is_asked_who_shall_not_be(sqlite_api):
    table = three(sqlite_api)
    first, second = answered(table)
    before = table.api.kept()
    detail = rewind(table, first, ask=False).refused(409, "needs-consent").json["detail"]
    assert f"{second.name} would have to agree" in detail
    assert table.api.kept() == before


def test_playing_on_takes_a_proposal_off_the_table(sqlite_api):
    table = three(sqlite_api)
    first, second = answered(table)
    rewind(table, first).ok(202)
    rewind(table, first).refused(409, "proposal-open")
    table.move(table.awaited, "place 1 1")
    assert table.position()["proposal"] is None
    table.post(second, "rewind/vote", {"agree": True}).refused(409, "no-proposal")


def test_among_bots_it_is_done_at_once(sqlite_api):
    (ann,) = sqlite_api.players("ann")
    table = sqlite_api.begin(ann, seats=3, bots=2)
    table.move(ann, "place 1 1", "end")
    answer = rewind(table, ann)
    assert (answer.status, answer.json["rewound"]) == (200, True)


# What cannot be


def test_what_cannot_be_gone_back_to_is_refused_in_a_sentence(sqlite_api):
    table = three(sqlite_api)
    first = ended(table)
    second = table.awaited
    rewind(table, second).refused(409, "nothing-to-undo", "Q-12")
    for to in (1, 4, table.version, table.version + 9):
        rewind(table, first, to=to).refused(422, "bad-version", "Q-12")
    shown = table.get(second, "rewind").ok().json
    assert (shown["to"], shown["free"], shown["undoes"]) == (None, False, [])
    assert shown["refusal"]["code"] == "nothing-to-undo"


def test_q12_an_opened_bid_is_not_gone_back_behind(sqlite_api):
    table = three(sqlite_api)
    for player in table.to_bids():
        table.bid(player)
    assert any(event["type"] == "tammany-hall.bids-revealed" for event in table.events(player))
    rewind(table, player).refused(422, "seal-opened", "Q-12")


def test_a_game_that_has_not_begun_or_is_not_mine_is_not_gone_back_in(sqlite_api):
    ann, dan = sqlite_api.players("ann dan")
    table = sqlite_api.open(ann)
    rewind(table, ann).refused(409, "nothing-to-undo")
    rewind(table, dan).refused(403, "not-seated")
    table.get(dan, "rewind").refused(403, "not-seated")
    table.post(dan, "rewind/vote", {"agree": True}).refused(403, "not-seated")
    hidden = sqlite_api.open(ann, public=False)
    rewind(hidden, dan).refused(404, "no-such-game")
    hidden.get(dan, "rewind").refused(404, "no-such-game")


@pytest.mark.parametrize(
    "body",
    [{"to": 0}, {"to": "7"}, {"to": 1.5}, {"reason": "because"}, {"ask": "yes"}, {"why": "slip"}, {"to": None}, []],
)
def test_t6a_what_cannot_be_read_is_400(sqlite_api, body):
    table = three(sqlite_api)
    player = ended(table)
    before = sqlite_api.kept()
    assert table.post(player, "rewind", body).status == 400
    assert sqlite_api.kept() == before


@pytest.mark.parametrize("query", ["to=0", "to=x", "reason=because", "ask=1"])
def test_t6a_a_query_that_cannot_be_read_is_400(sqlite_api, query):
    table = three(sqlite_api)
    assert table.get(table.awaited, f"rewind?{query}").status == 400


# As every command


def test_a_stale_wish_is_412_with_what_happened_since(sqlite_api):
    table = three(sqlite_api)
    player = ended(table)
    seen = table.version - 1
    answer = table.post(player, "rewind", {}, headers={"If-Match": TAG.format(seen)}).refused(412, "stale")
    assert [event["version"] for event in answer.json["events"]] == [seen + 1]
    first, second = player, table.awaited
    table.move(second, "place 1 1")
    rewind(table, first).ok(202)
    stale = {"If-Match": TAG.format(table.version - 1)}
    table.post(second, "rewind/vote", {"agree": True}, headers=stale).refused(412, "stale")
    sqlite_api.delete(f"{table.path}/rewind", first, headers=stale).refused(412, "stale")
    fresh = {"If-Match": TAG.format(table.version)}
    assert table.post(second, "rewind/vote", {"agree": True}, headers=fresh).ok().json["rewound"]


def test_the_same_wish_with_the_same_key_is_done_once(sqlite_api):
    table = three(sqlite_api)
    player = ended(table)
    key = {"Idempotency-Key": "take-back-1"}
    first = table.post(player, "rewind", {"reason": "slip"}, headers=key).ok()
    version = table.version
    again = table.post(player, "rewind", {"reason": "slip"}, headers=key).ok()
    assert (again.data, again.headers["Idempotency-Replayed"], table.version) == (first.data, "true", version)


# The history


def test_q12_what_was_undone_stays_in_the_history_marked_and_as_it_was(api):
    table = three(api)
    first, second = answered(table)
    before = table.position(second)
    states = {n: table.get(second, query_string={"version": n}).json["state"] for n in range(5, table.version + 1)}
    rewind(table, first).ok(202)
    table.post(second, "rewind/vote", {"agree": True}).ok()
    back = table.version
    to = table.events(first)[-1]["data"]["to"]
    table.move(first, "end")
    for event in table.events(second):
        game = not event["type"].startswith("table.")
        assert event.get("undone_by") == (back if game and to < event["version"] < back else None), event
    paged = table.events(second, after=to, limit=2)
    assert [event["undone_by"] for event in paged] == [back, back], "also where the page ends before it"
    for n, state in states.items():
        assert table.get(second, query_string={"version": n}).ok().json["state"] == state
    assert table.get(second, query_string={"version": before["version"]}).json["hash"] == before["hash"]
    lines = table.export(second)
    assert not any(b"undone_by" in line for line in lines), "the export is what was recorded"
    assert audit(lines).ok
    assert all(check["verdict"] != "broken" for check in table.get(first, "audit").ok().json["checks"])


def test_a_past_version_shows_what_was_proposed_then(sqlite_api):
    table = three(sqlite_api)
    first, second = answered(table)
    rewind(table, first).ok(202)
    asked = table.version
    table.post(second, "rewind/vote", {"agree": False}).ok()
    assert table.get(first, query_string={"version": asked}).json["proposal"]["version"] == asked
    assert table.position()["proposal"] is None


def test_a_game_that_goes_back_often_verifies(sqlite_api):
    table = three(sqlite_api)
    dice = random.Random(7)
    for step in range(70):
        player = table.seated[dice.choice(table.position()["awaiting"])]
        table.move(player, dice.choice(table.legal(player)))
        if step % 4:
            continue
        wish = rewind(table, player)
        assert wish.status in (200, 202, 422)
        if wish.status == 202:
            for seat in wish.json["proposal"]["asked"]:
                table.post(table.seated[seat], "rewind/vote", {"agree": True}).ok()
    rewound = [event for event in table.events(table.seated[0]) if event["type"] == "table.rewound"]
    assert len(rewound) > 5
    for who in table.seated:
        assert audit(table.export(who)).ok


# Secrecy


@pytest.mark.slow
def test_s02_s10_nobody_hears_what_a_bid_held_that_was_taken_back(worlds):
    def story(table: ApiTable, secretive: Player, chips: dict[str, int]) -> Iterator[Heard]:
        others = [one for one in table.seated if one is not secretive]
        table.bid(secretive, **chips)
        rewind(table, secretive).ok()
        yield all_ears(table, others[0], table.api.player("dan"), whole=worlds.whole)
        table.bid(secretive)
        table.bid(others[0])
        rewind(table, secretive).ok(202)
        yield all_ears(table, others[0], whole=worlds.whole)
        table.post(others[0], "rewind/vote", {"agree": True}).ok()
        for one in table.seated:
            table.bid(one)
        assert any(event["type"] == "tammany-hall.bids-revealed" for event in table.events(secretive))
        yield all_ears(table, but=secretive, whole=worlds.whole)

    told_twice(worlds, story)


def test_s10_what_was_taken_back_is_its_own_seats_alone_until_the_end(sqlite_api):
    table = three(sqlite_api)
    secretive, other, *_ = table.to_bids()
    table.bid(secretive, **table.purse(secretive))
    sealed = table.version
    rewind(table, secretive).ok()
    table.bid(secretive)
    for one in table.seated:
        if one is not secretive:
            table.bid(one)
    assert any(event["type"] == "tammany-hall.bids-revealed" for event in table.events(other))

    def leaf(who: Player) -> dict:
        (found,) = next(event for event in table.events(who) if event["version"] == sealed)["sealed"]
        return found

    assert "data" in leaf(secretive)
    for who in (other, sqlite_api.player("dan")):
        assert set(leaf(who)) == {"for", "commitment"}
