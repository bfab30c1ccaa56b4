"""City Hall through the API: open auctions, hidden hands, and what a seat may not know of the others (CH-14)."""

import json
import random
from typing import Any

import pytest

from domain.audit.verify_history import audit
from tests.service.api.table import Api, ApiTable

HIDDEN = ("money", "influence", "hand")


def opened(api: Api, names: str, **terms: Any) -> ApiTable:
    return api.begin(*api.players(names), ruleset="city-hall", **terms)


def chosen(dice: random.Random, legal: list[str]) -> str:
    """A player who campaigns and builds, so that the game comes to its end (CH-15.6)."""
    for word in ("campaign 30", "campaign 10", "activate campaign", "zone build", "zone take"):
        if dice.random() < 0.8 and (fitting := [line for line in legal if line.startswith(word)]):
            return dice.choice(fitting)
    return dice.choice(legal)


def hides_what_is_hidden(document: dict[str, Any], seat: int | None) -> None:
    """CH-14.3, CH-18.3: of other seats no money, no Influence, no hand; of decks no order."""
    over = document["state"]["phase"] == "over"
    for place, one in enumerate(document["state"]["seats"]):
        assert all((one[name] is None) == (not over and place != seat) for name in HIDDEN), (seat, place, one)
    if not over:
        assert document["state"]["land_deck"] is None
        assert document["state"]["permit_deck"] is None


@pytest.mark.slow
def test_ch_14_a_whole_game_hides_holdings_from_everybody_else_and_verifies(sqlite_api):
    """CH-14.7, CH-18.3, CH-22: to the election, the position looked at by another seat or a spectator at every step."""
    names = "ann ben cat dan"
    table = opened(sqlite_api, names)
    watcher, dice = sqlite_api.player("eve"), random.Random(names)
    for step in range(4000):
        position = table.position(table.seated[step % len(table.seated)])
        hides_what_is_hidden(position, step % len(table.seated))
        if step % 5 == 0:
            hides_what_is_hidden(table.position(watcher), None)
        if position["status"] != "running":
            break
        player = table.seated[position["awaiting"][0]]
        answer = table.move(player, chosen(dice, table.legal(player)))
        hides_what_is_hidden(answer.json["game"], table.seated.index(player))
    assert position["status"] == "finished"
    assert position["state"]["result"]["mayor"] in range(len(table.seated))
    report = audit(table.export(watcher))
    assert report.ok, report.checks
    assert ("draws", "verified") in [(what, verdict) for what, verdict, _ in report.checks]


@pytest.mark.slow
def test_ch_14_4_a_returned_permit_is_known_to_its_player_alone(sqlite_api):
    """CH-5.1, CH-14.4: the return is an event for all, which Permit it was for one; nor does the order's text tell."""
    table = opened(sqlite_api, "ann ben cat")
    while not (line := table.legal(table.awaited)[0]).startswith("build"):
        table.move(table.awaited, line)
    builder = table.awaited
    answer = table.move(builder, line)
    returned = next(event for event in answer.json["events"] if event["type"] == "city-hall.permit-returned")
    assert returned["sealed"][0]["data"]["text"] == line
    for other in [*(one for one in table.seated if one is not builder), sqlite_api.player("eve")]:
        seen = next(event for event in table.events(other) if event["version"] == returned["version"])
        assert set(seen["sealed"][0]) == {"for", "commitment"}
        assert line not in json.dumps(table.events(other))


@pytest.mark.slow
def test_ch_7_an_auction_goes_through_bids(sqlite_api):
    """CH-7.5 to CH-7.9: {"influence": n} and {"pass": true}, in clockwise order, then keep or accept."""
    table = opened(sqlite_api, "ann ben cat")
    while table.position()["state"]["phase"] in ("draft", "build"):
        table.move(table.awaited, table.legal(table.awaited)[0])
    activator = table.awaited
    table.move(activator, "activate tax")
    first, second = table.awaited, table.seated[(table.seated.index(table.awaited) + 1) % 3]
    table.post(second, "bids", {"influence": 1}).refused(409, "not-your-turn", "CH-7.5")
    table.post(first, "bids", {"influence": 99}).refused(422, "not-enough-influence", "CH-7.6")
    table.post(first, "bids", {"influence": "much"}).refused(400, "bad-count")
    table.post(first, "bids", {"influence": 2}).ok(201)
    table.post(second, "bids", {"pass": True}).ok(201)
    assert table.position(second)["state"]["bidding"]["high"] == 2
    assert table.awaited is activator
    assert {"keep", f"accept {PAWN[table.seated.index(first)]}"} == set(table.legal(activator))


PAWN = ("red", "blue", "green", "yellow")


def test_ch_20_1_whoever_asks_is_shown_the_board_and_where_its_values_come_from(sqlite_api):
    """CH-20.1: the fields that are reconstructed are named."""
    printed = sqlite_api.get("/rulesets/city-hall").ok().json["printed"]
    assert printed["board"]["boroughs"]["manhattan"]["grid"] == [["M1"], ["M2"], ["M3"], ["M4"], ["M5"]]
    assert {"approval.star_start", "bridge.2.between", "endorsement.labor.metric"} <= set(printed["reconstructed"])
    assert not any(field.startswith(("permit.", "population.")) for field in printed["reconstructed"])
    assert set(json.dumps(printed["sources"]).split('"')) >= {"rulebook", "inferred", "third-party", "reconstructed"}


def test_every_action_schema_of_city_hall_stands_alone(sqlite_api):
    """DESIGN 8: what a schema refers to is in it."""
    actions = sqlite_api.get("/rulesets/city-hall").ok().json["actions"]
    for name, schema in actions.items():
        for part in json.dumps(schema).split('"$ref": "#/$defs/')[1:]:
            assert part.partition('"')[0] in schema["$defs"], name


def test_ch_14_a_refusal_tells_the_table_nothing(sqlite_api):
    """CH-14.3: a refused action and its reason are for the player who tried."""
    table = opened(sqlite_api, "ann ben cat")
    before = [table.position(one) for one in table.seated]
    table.post(table.awaited, "moves", {"text": "draft M6"}).refused(400, "unknown-land", "CH-2.1")
    table.post(table.awaited, "moves", {"text": "keep"}).refused(409, "wrong-phase", "CH-18.1")
    assert [table.position(one) for one in table.seated] == before
