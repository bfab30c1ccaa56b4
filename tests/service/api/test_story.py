"""The story of a game: its parts, what it tells to whom, and how it reads."""

import random
import re
from typing import Any

import pytest

from domain.city_hall.rules.pieces import PAWNS
from service.accounts import people
from service.games import play
from service.games.game_story import _capital
from service.store.event_store import stream_rows
from tests.domain.city_hall.playouts import choose
from tests.service.api.table import Api, ApiTable, Player
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.workers.worker_tables import manual_clock

pytestmark = pytest.mark.slow  # seconds together

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables"]
PLAIN = {"Accept": "text/plain"}
SVG = "image/svg+xml"


def told(table: ApiTable, who: Player) -> dict[str, Any]:
    document: dict[str, Any] = table.get(who, "story").ok().json
    return document


def read(table: ApiTable, who: Player) -> str:
    answer = table.get(who, "story", headers=PLAIN).ok()
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    return answer.text


def texts(story: dict[str, Any]) -> list[str]:
    return [line["text"] for part in story["parts"] for line in part["lines"]]


def three(api: Api, **terms: Any) -> ApiTable:
    return api.begin(*api.players("ann bob cyd"), **terms)


def test_a_story_reads_like_one(sqlite_api):
    table = three(sqlite_api)
    first = table.awaited
    story = told(table, first)
    drawn = [line for line in texts(story) if line.startswith(("Zone", "These come"))]
    table.move(table.awaited, "place 1 2", "end")
    second = table.awaited
    table.move(second, "place 4 4", "end")
    prose = read(table, first)
    head, _, game = prose.partition("Zone I")
    assert head == (
        "Tammany Hall\n============\n\nBefore the game\n---------------\n\n"
        "A table for 3 has been opened. ann sits down. bob sits down. cyd sits down.\n\nSetup\n-----\n\n"
        f"The game begins. {first.name} is drawn as first player.\n\nTerm 1, year 1\n--------------\n\n"
    )
    paragraphs = [" ".join(one.split()) for one in f"Zone I{game}".split("\n\n")]
    assert paragraphs == [
        drawn[0],
        f"{drawn[1]} {first.name} campaigns: a boss in ward 1 and a boss in ward 2.",
        f"{second.name} campaigns: two bosses in ward 4.",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["tammany-hall", "city-hall"])
def test_a_whole_game_is_told_part_by_part_without_a_gap(sqlite_api, ruleset):
    table, dice = three(sqlite_api, ruleset=ruleset), random.Random(7)
    while (position := table.position())["status"] == "running":
        seat = position["awaiting"][0]
        if ruleset == "city-hall":
            with sqlite_api.services.database.read() as connection:
                head = sqlite_api.services.streams.head(connection, table.id)
            text = head.rules.notation.write(choose(dice, head.rules.decider.blind(head.table.game, seat), seat))
        else:
            legal = table.legal(table.seated[seat])
            text = "end" if "end" in legal else dice.choice(legal)
        table.move(table.seated[seat], text)
    watcher = sqlite_api.player("dan")
    story = told(table, watcher)
    ends = [(part["from"], part["to"]) for part in story["parts"]]
    assert [first for first, _ in ends] == [1, *(last + 1 for _, last in ends[:-1])]
    assert ends[-1][1] == story["version"] == table.version
    for part in story["parts"]:
        assert all(part["from"] <= line["version"] <= part["to"] and line["text"] for line in part["lines"])
    headings = [part["heading"] for part in story["parts"]]
    ended = [line for line in texts(story) if " wins." in line or " share the victory." in line]
    assert len([line for line in ended if "The game is over" in line]) == 1
    if ruleset == "tammany-hall":
        years = [
            name
            for term in (1, 2, 3, 4)
            for name in (
                *(f"Term {term}, year {4 * term - past}" for past in (3, 2, 1, 0)),
                f"Term {term}, the election",
            )
        ]
        assert headings == ["Before the game", "Setup", *years, "The end"]
    else:
        rounds = position["state"]["round"]
        numbered = [f"Round {number}" for number in range(1, rounds)]
        final = f"Round {rounds}, the final round"
        assert headings == ["Before the game", "Setup", *numbered, final, "The election", "The end"]
    prose = read(table, watcher)
    assert max(map(len, prose.splitlines())) <= 78
    assert "\n\n\n" not in prose
    assert " ".join(prose.split()).count("Taken back") == 0
    for line in texts(story):
        assert " ".join(line.split()) in " ".join(prose.split())
        assert line[-1] in ".", line
    assert read(table, table.seated[0]) == prose, "all is open when it is over"


def test_what_was_taken_back_is_marked_and_the_part_gone_back_to_begins_again(sqlite_api):
    table = three(sqlite_api)
    first, start = table.awaited, table.version
    for _ in range(3):
        table.move(table.awaited, "place 1 1", "end")
    table.post(first, "rewind", {"to": start}).ok(202)
    for one in table.seated:
        if one is not first:
            table.post(one, "rewind/vote", {"agree": True}).ok()
    back = table.version
    table.move(first, "place 1 2")
    parts = told(table, first)["parts"]
    assert [part["heading"] for part in parts[-3:]] == ["Term 1, year 1", "Term 1, year 2", "Term 1, year 1, again"]
    gone = [line for part in parts for line in part["lines"] if "undone_by" in line]
    assert len(gone) == 3, "three campaigns"
    assert {(line["undone_by"], line["text"][-14:]) for line in gone} == {(back, " (Taken back.)")}
    assert start < min(line["version"] for line in gone)
    assert "The game goes back to version" in parts[-2]["lines"][-1]["text"]
    why = "It was a slip."
    assert sum(why in line["text"] for part in parts for line in part["lines"]) == 1, "as it was asked for"
    assert parts[-1]["lines"] == [
        {"version": back + 1, "text": f"{first.name} campaigns: a boss in ward 1 and a boss in ward 2."}
    ]


def test_s02_a_sealed_bid_is_told_to_who_made_it_and_to_all_when_the_game_is_over(sqlite_api):
    table = three(sqlite_api)
    bidder, other, *_ = table.to_bids()
    table.bid(bidder, **(purse := table.purse(bidder)))
    table.bid(bidder)  # another in its place
    version = table.version - 1
    line = {who.name: next(t for t in lines(table, who) if t["version"] == version) for who in (bidder, other)}
    *some, last = [f"{count} {colour.capitalize()}" for colour, count in purse.items()]
    holds = f"{', '.join(some)} and {last}" if some else last
    known = f"{bidder.name} hands in a sealed bid for ward 1: {holds}."
    assert line[bidder.name]["text"] == known
    assert line[other.name]["text"] == f"{bidder.name} has handed in a sealed bid for ward 1."
    for _ in table.play_out(5):
        pass
    assert next(t for t in lines(table, sqlite_api.player("dan")) if t["version"] == version)["text"] == known


def lines(table: ApiTable, who: Player) -> list[dict[str, Any]]:
    return [line for part in told(table, who)["parts"] for line in part["lines"]]


def test_a_sealed_bid_that_is_replaced_is_told_once(sqlite_api):
    table = three(sqlite_api, options={"sealed-bid": "replaceable"})
    bidder, other, *_ = table.to_bids()
    start = table.version
    table.bid(bidder, **dict.fromkeys(table.purse(bidder), 0))
    table.bid(bidder, **table.purse(bidder))
    table.bid(bidder, **dict.fromkeys(table.purse(bidder), 0))
    bids = [line for line in lines(table, other) if line["version"] > start]
    assert [line["text"].partition(" for ward")[0] for line in bids] == [f"{bidder.name} has handed in a sealed bid"]
    own = [line["text"] for line in lines(table, bidder) if line["version"] > start]
    assert len(own) == 2, own


def test_standing_orders_are_told_to_who_gave_them_alone(sqlite_api):
    table = three(sqlite_api)
    ann, bob, _ = table.seated
    table.api.send("PUT", f"{table.path}/orders", ann, json={"text": "others bid none"}).ok()
    assert lines(table, ann)[-1]["text"] == "ann orders ahead: term 1; others bid none."
    assert lines(table, bob)[-1]["text"] == "ann orders ahead."


def test_in_14_orders_that_are_told_name_people_as_one_types_them(sqlite_api):
    """Events hold pawns; at a table of people nobody is called by one."""
    table = sqlite_api.begin(*sqlite_api.players("Ann Bob-Lee Cyd"), ruleset="city-hall")
    last = table.seated[2]
    filed = {"text": f"keep tax up to 2\naccept {PAWNS[1]} {PAWNS[0]}"}
    table.api.send("PUT", f"{table.path}/orders", last, json=filed).ok()
    assert lines(table, last)[-1]["text"] == "Cyd orders ahead: keep tax up to 2; accept bob-lee ann; round 1."


@pytest.mark.parametrize("ruleset", ["tammany-hall", "city-hall"])
@pytest.mark.parametrize("what", ["events", "story", "diff?from=1", "board", "clock", "board.svg"])
def test_out_04_whatever_is_told_as_text_calls_people_by_the_names_they_typed(sqlite_api, ruleset, what):
    """The position as JSON keeps the handles, since it is what a program types (DESIGN-8)."""
    table = sqlite_api.begin(*sqlite_api.players("Ann Bob Cyd"), ruleset=ruleset)
    first = table.awaited
    table.move(first, table.legal(first)[0])
    shown = table.get(first, what, headers={"Accept": f"text/plain, {SVG}"}).ok()
    assert shown.headers["Content-Type"].startswith((PLAIN["Accept"], SVG))
    assert any(player.name in shown.text for player in table.seated)
    assert not re.search(r"\b(ann|bob|cyd)\b", shown.text)
    if what not in ("board", "board.svg"):  # the board says which pawn is whose
        assert not re.search(r"(?i)\b(red|yellow|black|blue|green)\b", shown.text)
    assert [seat["name"] for seat in table.position()["state"]["seats"]] == ["ann", "bob", "cyd"]


def test_events_as_text_are_those_of_the_page_asked_for(sqlite_api):
    table = three(sqlite_api)
    first = table.awaited
    before = table.version
    table.move(first, "place 1 2", "end")

    def events(**query: int) -> str:
        return table.get(first, "events", headers=PLAIN, query_string=query).ok().text

    told_so = f"{before + 1}  {first.name} campaigns: a boss in ward 1 and a boss in ward 2.\n"
    assert events(after=before, limit=1) == told_so
    assert events(after=before).startswith(told_so)
    assert events(after=before).count("\n") > 1
    assert events(after=table.version) == ""
    assert [line.split()[0] for line in events(limit=4).splitlines()] == ["1", "2", "3", "4"]


def test_events_as_text_wait_for_news_and_hide_what_is_sealed(sqlite_api):
    table = three(sqlite_api)
    bidder, other, *_ = table.to_bids()
    before = table.version
    table.bid(bidder, **table.purse(bidder))
    query = {"after": before, "wait": 1}
    own, others = (table.get(who, "events", headers=PLAIN, query_string=query).ok().text for who in (bidder, other))
    assert "hands in a sealed bid for ward 1:" in own
    assert "has handed in a sealed bid for ward 1." in others
    assert "hands in a sealed bid" not in others


def test_whoever_sat_at_a_seat_is_called_by_their_own_name_in_their_own_time(sqlite_clock_tables):
    """Cyd moved up to seat 1 with the start; fay plays on for ann; dan was erased."""
    clock_tables = sqlite_clock_tables
    game = clock_tables.open("ann", kind="tammany-hall", seats=5, clock={"strikes": 1})
    clock_tables.sit(game, "bob", "cyd", "dan")
    with clock_tables.services.database.write() as tx:
        play.leave_seat(clock_tables.services, tx, game, clock_tables.ids["bob"])
    with clock_tables.services.database.write() as tx:
        play.start_game(clock_tables.services, tx, game, clock_tables.ids["ann"])
    while clock_tables.awaited(game) != [0]:
        seat = clock_tables.awaited(game)[0]
        clock_tables.move(game, seat, "place 1 1\nend")
    clock_tables.move(game, 0, "place 1 2\nend")
    while clock_tables.awaited(game) != [0]:
        clock_tables.move(game, clock_tables.awaited(game)[0], "place 2 2\nend")
    clock_tables.expire(game, 0)
    clock_tables.sit(game, "fay")
    while clock_tables.awaited(game) != [0]:
        clock_tables.move(game, clock_tables.awaited(game)[0], "place 4 4\nend")
    clock_tables.move(game, 0, "place 4 2\nend")
    clock_tables.execute("DELETE FROM players WHERE id = :id", id=clock_tables.ids["dan"])
    with clock_tables.services.database.write() as tx:
        token = people.make_token(clock_tables.services, tx, clock_tables.ids["cyd"], "test", clock_tables.clock.at)
    api = Api(clock_tables.services)
    cyd = Player("cyd", clock_tables.ids["cyd"], token)
    table = ApiTable(api, game, [cyd])
    story = texts(told(table, cyd))
    assert story[:7] == [
        "A table for 5 has been opened.", "ann sits down.", "bob sits down.", "cyd sits down.",
        "A former player (purple) sits down.", "bob stands up.", "The game begins.",
    ]  # fmt: skip
    assert "ann campaigns: a boss in ward 1 and a boss in ward 2." in story
    assert "fay campaigns: a boss in ward 4 and a boss in ward 2." in story
    assert "ann let the deadline pass." in story
    assert any(line.startswith("cyd campaigns") for line in story)
    assert any(line.startswith("A former player (black) campaigns") for line in story)
    assert not any("dan" in line for line in story)
    assert not any(re.search(r"[.] a former", line) for line in story)
    assert _capital("ann pays 2. a former player (black) wins.") == "ann pays 2. A former player (black) wins."
    assert _capital("ann drives out a former player (black).") == "ann drives out a former player (black)."


def test_s11_a_story_is_for_those_who_may_see_the_game(sqlite_api):
    table = three(sqlite_api, public=False, invite=["bob@example.org", "cyd@example.org"])
    table.get(sqlite_api.player("eve"), "story").refused(404, "no-such-game")
    table.get(table.seated[0], "story?part=1").refused(400, "unknown-query")


def test_where_a_game_went_back_is_found_by_the_index(sqlite_api):
    with sqlite_api.services.database.read() as connection:
        sql, bind = stream_rows.read_rewinds._for(connection)
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", bind({"game": "g", "after": 0, "upto": 9})).all()
    assert any("ix_events_rewound" in step[-1] for step in plan), plan
