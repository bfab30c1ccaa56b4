"""After the game: its page, charts and tables, from one document; before, nothing but what there will be."""

import csv
import io
import random
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from domain.engine.game import Action, Seat
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.actions import Bid, Settle
from domain.teacher.findings import JudgedBid, JudgedDecision, JudgedDraw, Line
from service.games import play as games
from service.kernel.clock import SECOND
from service.store.clocks import decisions
from service.store.games import analyses
from service.web.results.report import MOST_CHANGES
from tests.domain.city_hall.playouts import choose
from tests.service.web.browser import Browser, Page
from tests.tables import Tables

Chooser = Callable[[random.Random, Any, Seat], Action]
SVG = "{http://www.w3.org/2000/svg}"


def bidding(chooser: random.Random, seen: Any, seat: Seat) -> Action:
    """Tammany Hall by players who settle and bid."""
    legal = TAMMANY_HALL.decider.legal_actions(seen, seat).actions
    liked = [action for action in legal if isinstance(action, Settle | Bid)]
    return chooser.choice(liked or legal)


def play(tables: Tables, game: str, chooser: Chooser, seed: int = 4) -> dict[Seat, list[int]]:
    """Play to the end with time passing; by seat how many seconds its decisions stood open, as their rows have it."""
    dice, took = random.Random(seed), dict[Seat, list[int]]()
    while (head := tables.head(game)).table.status == "running":
        decider = head.rules.decider
        seat = dice.choice(sorted(decider.awaiting(head.table.game)))
        tables.advance(seconds=dice.randrange(1, 40_000))
        with tables.services.database.read() as connection:
            before = decisions.of_seat(connection, game, seat)
        tables.move(game, seat, head.rules.notation.write(chooser(dice, decider.blind(head.table.game, seat), seat)))
        with tables.services.database.read() as connection:
            after = decisions.of_seat(connection, game, seat)
        assert before is not None
        if after is None or after.since != before.since:
            took.setdefault(seat, []).append(round((tables.clock.at - before.began_at) / SECOND))
    return took


def at(tables: Tables, name: str, **more: str) -> Browser:
    return Browser(tables.services, tables.player(name), **more)


def raw(browser: Browser, address: str) -> Any:
    return browser.client.get(address, headers=browser.headers)


@pytest.fixture
def city(tables: Tables) -> tuple[str, dict[Seat, list[int]]]:
    """A game of City Hall that is over, and how long everybody took."""
    game = tables.begin("ann", "bob", kind="city-hall")
    return game, play(tables, game, choose)


def test_from_the_finished_game_to_its_numbers_which_are_those_of_the_document(tables, city):
    game, took = city
    browser = at(tables, "ann")
    assert f"/g/{game}/statistics" in browser.get(f"/g/{game}").links
    page, shown = browser.get(f"/g/{game}/statistics"), raw(browser, f"/g/{game}/statistics.json").json
    assert page.status == 200
    assert "None" not in page.words
    for heading in ("Standings", "Course of the game", "What the bids were worth", "Where the lead changed"):
        assert heading in page.words
    _assert_tables(page, shown)
    for standing in shown["standings"]:
        assert sum(line["points"] for line in standing["lines"]) == standing["score"]
        assert all(f"{line['for']} {line['points']}" in page.words for line in standing["lines"])
    changes = shown["lead"]["changes"]
    linked = [change for change in changes if f"/g/{game}?v={change['version']}" in page.links]
    assert len(linked) == min(len(changes), MOST_CHANGES), "those that lasted longest"
    _assert_times(shown, took)
    assert f"/g/{game}/analysis" in page.links


def _assert_tables(page: Page, shown: dict[str, Any]) -> None:
    """The table beside each chart has all numbers of its column."""
    found = [
        [[int(cell) for cell in re.findall(r"<t[hd][^>]*>(\d+)</t[hd]>", row)] for row in table.split("<tr>")[2:]]
        for table in re.findall(r'<table class="numbers">(.*?)</table>', page.html, re.DOTALL)
    ]
    assert len(found) == len(shown["charts"])
    for table, chart in zip(found, shown["charts"], strict=True):
        rounds = sorted({row["round"] for row in shown["rows"]})
        wanted = [[n, *(row[chart["column"]] for row in shown["rows"] if row["round"] == n)] for n in rounds]
        assert table == wanted


def _assert_times(shown: dict[str, Any], took: dict[Seat, list[int]]) -> None:
    """What every seat took is what its decisions stood open."""
    for seat in shown["clock"]:
        mine = took[seat["seat"]]
        assert (seat["answers"], seat["longest"], seat["missed"]) == (len(mine), max(mine), 0)
        assert seat["mean"] == round(sum(mine) / len(mine))


def test_charts_are_pictures_of_their_own_and_tables_come_back(tables, city):
    game, _ = city
    browser = at(tables, "bob")
    shown = raw(browser, f"/g/{game}/statistics.json").json
    for chart in shown["charts"]:
        answer = raw(browser, f"/g/{game}/statistics/{chart['name']}.svg")
        drawing = ElementTree.fromstring(answer.text)
        assert (answer.status_code, answer.mimetype, drawing.get("role")) == (200, "image/svg+xml", "img")
        assert drawing.findtext(f"{SVG}title") == chart["title"]
    answer = raw(browser, f"/g/{game}/statistics/points.png")
    assert answer.data.startswith(b"\x89PNG")
    for name in ("periods", "standings", "bids", "lead", "clock"):
        answer = raw(browser, f"/g/{game}/statistics/{name}.csv")
        assert f'filename="{game}-{name}.csv"' in answer.headers["Content-Disposition"]
        header, *rows = csv.reader(io.StringIO(answer.text, newline=""))
        assert rows
        assert {len(row) for row in rows} == {len(header)}
    bids = list(csv.DictReader(io.StringIO(raw(browser, f"/g/{game}/statistics/bids.csv").text, newline="")))
    assert [int(row["paid"]) for row in bids] == [row["paid"] for row in shown["bids"]["rows"]]
    for strange in ("nothing.svg", "nothing.png", "nothing.csv", "..svg"):
        assert raw(browser, f"/g/{game}/statistics/{strange}").status_code == 404


def test_anybody_sees_the_numbers_of_a_public_game_and_only_its_people_those_of_a_private_one(tables, city):
    game, _ = city
    stranger = Browser(tables.services)
    page = stranger.get(f"/g/{game}/statistics")
    assert "Standings" in page.words
    (picture,) = [given["content"] for _, given in page.tags if given.get("property") == "og:image"]
    assert picture.endswith(f"/g/{game}/statistics/points.png"), "what a link to it shows elsewhere"
    for what in (".json", "/points.svg", "/bids.csv"):
        assert raw(stranger, f"/g/{game}/statistics{what}").status_code == 200
    tables.execute("UPDATE games SET public = false WHERE id = :game", game=game)
    assert stranger.get(f"/g/{game}/statistics").address == "/sign-in"
    assert at(tables, "cyd").get(f"/g/{game}/statistics").status == 404
    for what in (".json", "/points.svg", "/points.png", "/bids.csv"):
        assert raw(stranger, f"/g/{game}/statistics{what}").status_code != 200
        assert raw(at(tables, "cyd"), f"/g/{game}/statistics{what}").status_code == 404
    to_bob = at(tables, "bob").get(f"/g/{game}/statistics")
    assert (to_bob.status, "og:" in to_bob.html) == (200, False)


def test_where_the_teacher_has_looked_the_chances_are_told_by_its_numbers(tables, city):
    """The strongest analysis that is done counts, and its greatest jumps are linked."""
    game, _ = city
    browser = at(tables, "ann")
    assert "Where the chances jumped" not in browser.get(f"/g/{game}/statistics").words
    part = {"say": "Round {round}", "with": {"round": 2}}
    line = Line(["bid 1"], 0.2, 0.1)
    findings = [
        JudgedDecision(40, 1, "seat", part, line, 0.5, 0.3, "blunder", []),
        JudgedDecision(50, 0, "seat", part, line, 0.5, 0.01, "sound", []),
        JudgedDraw(60, part, {"say": "Q1 comes."}, [0.4, 0.6], [0.55, 0.45]),
        JudgedBid(61, 0, part, "x", "bid 1", 1, True, 0, 0.1),
    ]
    _judged(tables, game, 2, findings)
    _judged(tables, game, 1, findings[:1])
    page, shown = browser.get(f"/g/{game}/statistics"), raw(browser, f"/g/{game}/statistics.json").json
    assert [(jump["version"], jump["by"], jump["seat"]) for jump in shown["chances"]["jumps"]] == [
        (40, "decision", 1), (60, "draw", 0),
    ]  # fmt: skip
    assert [it["change"] for it in shown["chances"]["luck"]] == [0.15, -0.15]
    assert shown["chances"]["strength"] == 2
    for told in ("Where the chances jumped", "−30%", "+15%", "Luck with the draws", "strength 2"):
        assert told in page.words, told
    assert {f"/g/{game}?v=40", f"/g/{game}?v=60", f"/g/{game}/analysis?strength=2"} <= {*page.links}


def _judged(tables: Tables, game: str, strength: int, findings: list[Any]) -> None:
    database = tables.services.database
    with database.write() as tx:
        analyses.queue(database, tx, game, strength, tables.player("ann"))
        taken = analyses.take(tx, "test", tables.clock.at, tables.clock.at + 10)
        assert taken is not None
        assert analyses.add(tx, taken, findings, len(findings), len(findings), tables.clock.at + 10)


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "After the game"), ("de", "Nach dem Spiel"), ("fr", "Après la partie")]
)
def test_of_a_game_that_runs_it_says_what_there_will_be_and_no_number(tables, language, heading):
    game = tables.begin(kind="tammany-hall")
    browser = at(tables, "ann")
    tables.change_profile("ann", language=language)
    assert f"/g/{game}/statistics" not in browser.get(f"/g/{game}").links
    page = browser.get(f"/g/{game}/statistics")
    assert page.status == 200
    assert heading in page.words
    assert "<svg" not in page.html
    for what in (".json", "/points.svg", "/points.png", "/bids.csv"):
        assert raw(browser, f"/g/{game}/statistics{what}").status_code == 409


def test_of_a_game_that_is_not_counted_or_never_began_there_are_no_numbers(tables):
    pennies = tables.begin()
    tables.play_out(pennies, 7, late=0)
    closed = tables.open("ann", kind="tammany-hall")
    with tables.services.database.write() as tx:
        games.leave_seat(tables.services, tx, closed, tables.player("ann"))
    browser = at(tables, "ann")
    for game in (pennies, closed):
        page = browser.get(f"/g/{game}/statistics")
        assert (page.status, "there are no numbers" in page.words) == (200, True)
        assert f"/g/{game}/statistics" not in browser.get(f"/g/{game}").links
    assert raw(browser, f"/g/{pennies}/statistics.json").status_code == 404


def test_tammany_hall_has_all_of_it_too_in_the_readers_language(tables):
    game = tables.begin(kind="tammany-hall")
    tables.rename("bob", "=1+2 <b>")
    play(tables, game, bidding)
    browser = at(tables, "ann")
    tables.change_profile("ann", language="de")
    page, shown = browser.get(f"/g/{game}/statistics"), raw(browser, f"/g/{game}/statistics.json").json
    assert "Was die Gebote wert waren" in page.words
    assert "Bezirk " in page.words
    assert "<b>" not in page.html.replace("<b>", "", page.html.count("<b>") - page.html.count("=1+2 <b>"))
    assert [len(shown["charts"]), page.html.count('class="chart"')] == [4, 4]
    assert any(row["wasted"] for row in shown["bids"]["rows"])
    assert "'=1+2 <b>" in raw(browser, f"/g/{game}/statistics/standings.csv").text
