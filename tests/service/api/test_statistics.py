"""Games that are over in numbers, as JSON and as a table that no spreadsheet takes for formulas."""

import csv
import io
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.games.statistics.tables import TABLES, harmless, lines, table
from tests.service.api.table import Api, ApiTable, Player

CSV = {"Accept": "text/csv"}
TEXT = {"Accept": "text/plain"}


def finished(api: Api, seed: int = 3, back: bool = False) -> ApiTable:
    """A game of Tammany Hall that is over; `back`: each once took back a move."""
    played = api.begin(*api.players("ann bob cyd"))
    dice = random.Random(seed)
    for step in range(2000):
        position = played.position()
        if position["status"] != "running":
            return played
        who = played.seated[position["awaiting"][0]]
        legal = played.legal(who)
        text = "end" if "end" in legal and dice.random() < 0.8 else dice.choice(legal)
        played.move(who, text)
        if back and step % 20 == 5:
            played.post(who, "rewind", {"ask": False})
    raise AssertionError("the game is not over")


@pytest.mark.slow
def test_statistics_of_a_finished_game_end_with_its_scores_whatever_was_taken_back(sqlite_api):
    played = finished(sqlite_api, back=True)
    assert any(event["type"] == "table.rewound" for event in played.events(played.seated[0]))
    watcher = sqlite_api.player("dan")
    shown = played.get(watcher, "statistics").ok().json
    position = played.position()
    assert (shown["unit"], shown["version"], shown["hash"]) == ("term", position["version"], position["hash"])
    last = shown["rows"][-3:]
    assert [row["vp"] for row in last] == [seat["vp"] for seat in position["state"]["seats"]]
    assert [row["chips"] for row in last] == [sum(seat["chips"].values()) for seat in position["state"]["seats"]]
    assert [row["player"] for row in last] == [one["name"] for one in position["seats"]]
    assert all(list(row) == ["term", "seat", "player", *shown["columns"]] for row in shown["rows"])
    answer = played.get(watcher, "statistics", headers=CSV).ok()
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{played.id}.csv"'
    assert answer.data.count(b"\r\n") == answer.data.count(b"\n") == len(shown["rows"]) + 1
    cells = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert cells == [{name: str(value) for name, value in row.items()} for row in shown["rows"]]
    words = played.get(watcher, "statistics", headers=TEXT).ok()
    assert words.headers["Content-Type"] == "text/plain; charset=utf-8"
    header, *lines = words.text.partition("\n\n")[0].splitlines()
    assert header.split() == ["term", "seat", "player", *shown["columns"]]
    assert [line.split() for line in lines] == [[str(value) or "-" for value in row.values()] for row in shown["rows"]]
    assert {len(line) for line in lines} == {len(header)}, "columns stand one below the other"
    assert all(f"{name}: {meaning}\n" in words.text for name, meaning in shown["columns"].items())
    _assert_result(shown, position)
    _assert_recounted(shown, [it for it in played.events(watcher) if "undone_by" not in it])
    for name in TABLES:
        _assert_table(played, watcher, shown, name)
    for wanted, kind in (("json", "application/json"), ("csv", "text/csv"), ("text", "text/plain")):
        told = played.get(watcher, f"statistics?format={wanted}", headers={"Accept": "*/*"}).ok()
        assert told.headers["Content-Type"].startswith(kind)


def _assert_result(shown: dict[str, Any], position: dict[str, Any]) -> None:
    """The standings are the result of the game, and their lines add up."""
    seats = sorted(shown["standings"], key=lambda it: it["seat"])
    assert [it["score"] for it in seats] == [seat["vp"] for seat in position["state"]["seats"]]
    assert [it["seat"] for it in seats if it["won"]] == sorted(position["state"]["winners"])
    assert all(sum(line["points"] for line in it["lines"]) == it["score"] for it in seats)
    ranks = [it["rank"] for it in shown["standings"]]
    assert (ranks[0], sorted(ranks)) == (1, ranks)
    assert all(it["won"] == (it["rank"] == 1) for it in seats)


def _assert_recounted(shown: dict[str, Any], events: list[dict[str, Any]]) -> None:
    """Bids, lead and answers, counted once more from the history as it is exported."""
    kinds = {it["version"]: it["type"].rpartition(".")[2] for it in events}
    revealed = {it["version"]: it["data"] for it in events if kinds[it["version"]] == "bids-revealed"}
    assert revealed
    for version, data in revealed.items():
        rows = {str(row["seat"]): row for row in shown["bids"]["rows"] if row["version"] == version}
        assert rows.keys() == data["votes"].keys()
        for seat, row in rows.items():
            paid = sum(data["bids"].get(seat, {}).values())
            rivals = max(votes for other, votes in data["votes"].items() if other != seat)
            assert (row["paid"], row["won"]) == (paid, data["winner"] == int(seat))
            assert row["needed"] == max(0, rivals + 1 - (data["votes"][seat] - paid))
            assert row["prize"] == f"Ward {data['ward']}"
    others = {row["version"] for row in shown["bids"]["rows"]} - revealed.keys()
    assert {kinds[version] for version in others} <= {"ward-resolved"}
    elected = {version for version, kind in kinds.items() if kind in ("mayor-elected", "game-scored")}
    assert {change["version"] for change in shown["lead"]["changes"]} <= elected
    for seat in shown["clock"]:
        causes = {it["cause"] for it in events if it["actor"] == {"seat": seat["seat"]}}
        assert 0 < seat["answers"] <= len(causes) + 1
        assert 0 <= seat["mean"] <= seat["longest"]
        assert seat["missed"] == 0


def _assert_table(played: ApiTable, watcher: Player, shown: dict[str, Any], name: str) -> None:
    """A table comes back out of the CSV as it is in the document."""
    answer = played.get(watcher, f"statistics?table={name}", headers=CSV).ok()
    parsed = list(csv.reader(io.StringIO(answer.text, newline="")))
    assert {len(line) for line in parsed} == {len(parsed[0])}
    as_text = {None: "", True: "yes", False: "no"}
    wanted = [[as_text.get(it, str(it)) if it is None or isinstance(it, bool) else str(it) for it in line]
              for line in lines(shown, name)]  # fmt: skip
    assert parsed == wanted
    assert len(parsed) > 1


def test_the_numbers_of_a_game_are_told_when_it_is_over(sqlite_api):
    ann, bob, cyd = sqlite_api.players("ann bob cyd")
    for played in (
        sqlite_api.open(ann),
        sqlite_api.begin(ann, bob, cyd),
        sqlite_api.begin(ann, bob, ruleset="city-hall"),
    ):
        for headers in ({}, CSV):
            played.get(ann, "statistics", headers=headers).refused(409, "game-not-over")


def test_a_table_that_was_closed_before_it_began_has_no_numbers(sqlite_api):
    ann = sqlite_api.player("ann")
    closed = sqlite_api.open(ann)
    sqlite_api.delete(f"{closed.path}/seats/me", ann).ok()
    assert closed.get(ann, "statistics").ok().json["rows"] == []
    assert closed.get(ann, "statistics", headers=CSV).ok().text.startswith("term,seat,player,wards,")


@pytest.mark.parametrize(
    "name", ["=1+2", "+49", "-1a", "@SUM(A1)", "\uff1dcmd", " =1", "\tann", "\rann", '=HYPERLINK("x","y")']
)
def test_t6b_a_name_is_no_formula(name):
    shown = {"unit": "term", "columns": {"vp": ""}, "rows": [{"term": 1, "seat": 0, "player": name, "vp": -3}]}
    _, row = list(csv.reader(io.StringIO(table(shown), newline="")))
    assert row == ["1", "0", f"'{name}", "-3"], "a number stays one"


@pytest.mark.slow
@given(st.text())
def test_every_cell_comes_back_as_it_is_or_behind_an_apostrophe(name):
    shown = {"unit": "term", "columns": {}, "rows": [{"term": 1, "seat": 0, "player": name}]}
    _, row = list(csv.reader(io.StringIO(table(shown), newline="")))
    assert row[2] in (name, f"'{name}")
    assert row[2][:1] not in ("=", "+", "-", "@", "\t", "\r")
    assert harmless("ann") == "ann"
