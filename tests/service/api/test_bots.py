"""Bots by REST: asked for at opening, called to seats and sent away, shown by strength and temper."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from service.store.games import thoughts
from tests.service.api.table import Answer, Api, ApiTable, Player, served

PATIENT = {"strength": 2, "temper": "patient"}
EVEN = {"strength": 1, "temper": "even"}
CARETAKER = {"strength": 0}
OPEN = {"ruleset": "tammany-hall", "seats": 3}


def seats_of(table: ApiTable, who: Player) -> list[tuple[str, str | None, Any]]:
    return [(seat["status"], seat["name"], seat["bot"]) for seat in table.get(who).ok().json["seats"]]


def put(table: ApiTable, who: Player, seat: int, bot: Any = None) -> Answer:
    return table.api.send("PUT", f"{table.path}/seats/{seat}/bot", who, json=PATIENT if bot is None else bot)


def delete(table: ApiTable, who: Player, seat: int) -> Answer:
    return table.api.delete(f"{table.path}/seats/{seat}/bot", who)


def thinking(table: ApiTable) -> list[int]:
    with table.api.services.database.read() as connection:
        return [thought.seat for thought in thoughts.of_game(connection, table.id)]


def test_a_number_of_bots_is_so_many_of_strength_1_and_even(sqlite_api: Api) -> None:
    ann = sqlite_api.player("ann")
    game = sqlite_api.post("/games", ann, OPEN | {"bots": 2}).ok(201).json
    assert thinking(ApiTable(sqlite_api, game["id"], [ann])) == [seat for seat in game["awaiting"] if seat]
    assert game["status"] == "running"
    assert [seat["bot"] for seat in game["seats"]] == [None, EVEN, EVEN]
    assert [seat["name"] for seat in game["seats"]] == ["ann", "Yellow (bot 1)", "Black (bot 1)"]
    assert [seat["status"] for seat in game["seats"]] == ["taken", "bot", "bot"]
    (listed,) = sqlite_api.get("/games", ann).ok().json["items"]
    assert listed["seats"] == [{name: seat[name] for name in listed["seats"][0]} for seat in game["seats"]]


def test_bots_are_chosen_by_strength_and_temper_from_left_to_right(sqlite_api: Api) -> None:
    ann = sqlite_api.player("ann")
    table = sqlite_api.open(ann, seats=4, bots=[PATIENT, {"temper": "vindictive"}])
    assert seats_of(table, ann) == [
        ("taken", "ann", None),
        ("empty", None, None),
        ("bot", "Black (bot 2, patient)", PATIENT),
        ("bot", "Purple (bot 1, vindictive)", {"strength": 1, "temper": "vindictive"}),
    ]


@pytest.mark.parametrize(
    ("bots", "sentence"),
    [
        ([{"strength": 4}], "Strength is 0, 1, 2 or 3: 0 plays at once as the caretaker does, and 3 thinks longest."),
        ([{"strength": "2"}], "Strength is 0, 1, 2 or 3: 0 plays at once as the caretaker does, and 3 thinks longest."),
        ([{"strength": True}], "Strength is 0, 1, 2 or 3"),
        ([{"strength": None}], "Field may not be null."),
        ([{"temper": "angry"}], "Temper is even, cautious, patient or vindictive."),
        ([{"temper": ["even"]}], "Temper is even, cautious, patient or vindictive."),
        ([{"strenght": 1}], "Unknown field."),
        ([2], "Invalid input type."),
        ("2", "Send how many bots, or a list of them by strength and temper."),
        (1.5, "Send how many bots, or a list of them by strength and temper."),
    ],
)
def test_what_is_no_bot_is_refused_with_what_is_one(sqlite_api: Api, bots: Any, sentence: str) -> None:
    ann = sqlite_api.player("ann")
    before = sqlite_api.kept()
    refused = sqlite_api.post("/games", ann, OPEN | {"bots": bots}).refused(400, "bad-request")
    assert sentence in str(refused.json)
    assert sqlite_api.kept() == before


def test_more_bots_than_free_seats_are_refused(sqlite_api: Api) -> None:
    ann = sqlite_api.player("ann")
    for bots in (3, [PATIENT] * 3, [PATIENT] * 300):
        refused = sqlite_api.post("/games", ann, OPEN | {"bots": bots}).refused(422, "bad-bots", "DESIGN-8")
        assert "ask for fewer bots" in refused.json["detail"]


def test_the_host_calls_a_bot_to_a_free_seat_and_sends_it_away(sqlite_api: Api) -> None:
    ann, bob = sqlite_api.players("ann bob")
    table = sqlite_api.open(ann, public=True)
    game = put(table, ann, 2).ok().json
    assert game["seats"][2]["bot"] == PATIENT
    assert put(table, ann, 2).ok().json["version"] == game["version"], "the same again is nothing"
    assert put(table, ann, 2, {"strength": 3}).ok().json["seats"][2]["bot"] == {"strength": 3, "temper": "even"}
    assert delete(table, ann, 2).ok().json["seats"][2]["status"] == "empty"
    table.sit(bob)
    started = put(table, ann, 2, EVEN).ok()
    assert started.json["status"] == "running"
    assert started.headers["ETag"]


def test_without_a_body_it_is_a_bot_of_strength_1(sqlite_api: Api) -> None:
    ann = sqlite_api.player("ann")
    table = sqlite_api.open(ann)
    answer = sqlite_api.send("PUT", f"{table.path}/seats/1/bot", ann).ok()
    assert answer.json["seats"][1]["bot"] == EVEN


def test_only_the_host_and_only_where_it_can_be(sqlite_api: Api) -> None:
    ann, bob, eve = sqlite_api.players("ann bob eve")
    table = sqlite_api.open(ann, public=True)
    table.sit(bob)
    before = sqlite_api.kept()
    for call in (put, delete):
        assert "Only the host" in call(table, bob, 2).refused(403, "not-host", "DESIGN-8").json["detail"]
        call(table, eve, 2).refused(403, "not-host")
        assert "0 to 2" in call(table, ann, 3).refused(404, "no-such-seat").json["detail"]
    put(table, ann, 1).refused(409, "seat-taken")
    delete(table, ann, 1).refused(409, "no-bot")
    put(table, ann, 2, {"strength": 9}).refused(400, "bad-request")
    assert sqlite_api.send("PUT", f"{table.path}/seats/-1/bot", ann, json=PATIENT).status == 404
    assert sqlite_api.kept() == before
    private = sqlite_api.open(bob, public=False)
    put(private, ann, 1).refused(404, "no-such-game")
    delete(private, ann, 1).refused(404, "no-such-game")


def test_a_table_tells_who_called_which_bot_and_who_sits_down_in_its_place(sqlite_api: Api) -> None:
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    table = sqlite_api.begin(ann, bots=[PATIENT, CARETAKER], public=True)
    delete(table, ann, 1).ok()
    vacant = table.get(ann).ok().json["seats"][1]
    assert (vacant["status"], vacant["bot"], vacant["player"], vacant["name"]) == ("vacant", None, None, None)
    put(table, ann, 1, {"strength": 3, "temper": "cautious"}).ok()
    delete(table, ann, 1).ok()
    table.sit(bob)
    assert table.get(bob).ok().json["you"]["seat"] == 1
    put(table, ann, 1).refused(409, "seat-taken")
    table.api.post(f"{table.path}/seats", cyd).refused(409, "table-full")
    story = table.get(ann, "story").ok().json
    told = [line["text"] for part in story["parts"] for line in part["lines"]]
    for sentence in (
        "Yellow (bot 2, patient) sits down.",
        "Black (bot 0) sits down.",
        "The seat of Yellow (bot 2) is vacant: anyone may take it over.",
        "The host calls Yellow (bot 3, cautious) to the table.",
        "The seat of Yellow (bot 3) is vacant: anyone may take it over.",
        "bob is back.",
    ):
        assert sentence in told
    assert told.index("The host calls Yellow (bot 3, cautious) to the table.") < told.index("bob is back.")


def test_a_bot_that_is_asked_beside_other_people_answers_before_it_goes(sqlite_api: Api) -> None:
    ann, bob = sqlite_api.players("ann bob")
    table = sqlite_api.begin(ann, bob, bots=[PATIENT])
    while table.position()["awaiting"] != [2]:
        table.move(table.awaited, "place 1 1", "end")
    before = sqlite_api.kept()
    refused = put(table, ann, 2, CARETAKER).refused(409, "bot-thinks", "DESIGN-8")
    assert "try again when it has answered" in refused.json["detail"]
    delete(table, ann, 2).refused(409, "bot-thinks", "DESIGN-8")
    assert sqlite_api.kept() == before


def test_a_past_position_has_the_bot_that_sat_there_then(sqlite_api: Api) -> None:
    ann = sqlite_api.player("ann")
    table = sqlite_api.begin(ann, bots=[PATIENT, CARETAKER])
    then = table.get(ann).ok().json["version"]
    delete(table, ann, 1).ok()
    assert table.get(ann, query_string={"version": then}).ok().json["seats"][1]["bot"] == PATIENT


# Not too many


@pytest.fixture
def narrow(migrated_sqlite: str, settings_with: Callable[..., Any]) -> Iterator[Api]:
    """A service where bots may think at two tables of each player."""
    with served(settings_with(DATABASE_URL=migrated_sqlite, RATE_LIMITS="on", BOT_TABLES="2")) as api:
        yield api


def test_rate09_bots_think_at_no_more_tables_of_a_player_than_set(narrow: Api) -> None:
    ann, bob = narrow.players("ann bob")
    first, second = narrow.begin(ann, bots=[PATIENT, EVEN]), narrow.open(ann, bots=[EVEN])
    before = narrow.kept()
    refused = narrow.post("/games", ann, OPEN | {"bots": 1}).refused(409, "too-many-bot-tables", "RATE-09")
    assert refused.json["detail"] == (
        "At 2 of your tables bots think already, and no more can be: end one, or send its bots away first."
    )
    assert narrow.kept() == before
    narrow.begin(bob, bots=[PATIENT, EVEN])
    third = narrow.open(ann, bots=[CARETAKER])
    put(third, ann, 1).refused(409, "too-many-bot-tables")
    put(third, ann, 1, CARETAKER).ok()
    put(first, ann, 1, {"strength": 3}).ok()
    delete(second, ann, 2).ok()
    put(third, ann, 1).ok()


def test_rate09_twelve_unless_the_host_of_the_service_says_otherwise(settings_with: Callable[..., Any]) -> None:
    assert settings_with().bot_tables == 12
