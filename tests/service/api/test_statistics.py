"""Games that are over in numbers, as JSON and as a table that no spreadsheet takes for formulas."""

import csv
import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.games.game_statistics import harmless, table
from tests.service.api.table import Api, ApiTable

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


@pytest.mark.parametrize("name", ["=1+2", "+49", "-1a", "@SUM(A1)", "\uff1dcmd", " =1", '=HYPERLINK("x","y")'])
def test_t6b_a_name_is_no_formula(name):
    shown = {"unit": "term", "columns": {"vp": ""}, "rows": [{"term": 1, "seat": 0, "player": name, "vp": -3}]}
    _, row = list(csv.reader(io.StringIO(table(shown), newline="")))
    assert row == ["1", "0", f"'{name}", "-3"], "a number stays one"


@given(st.text())
def test_every_cell_comes_back_as_it_is_or_behind_an_apostrophe(name):
    shown = {"unit": "term", "columns": {}, "rows": [{"term": 1, "seat": 0, "player": name}]}
    _, row = list(csv.reader(io.StringIO(table(shown), newline="")))
    assert row[2] in (name, f"'{name}")
    assert row[2][:1] not in ("=", "+", "-", "@")
    assert harmless("ann") == "ann"
