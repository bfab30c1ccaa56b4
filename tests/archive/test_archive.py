"""Whole games of long ago under the rules of today: each is replayed, and together they show all that can happen."""

import json
import lzma
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from domain.audit.verify_history import Report, audit, read_game
from domain.city_hall import CITY_HALL
from domain.rulesets import RULESETS
from domain.tammany_hall import TAMMANY_HALL
from tests.archive import editions
from tests.archive.make import recipes, state_digest
from tests.archive.shown import WANTED, shown

HERE = Path(__file__).parent / "games"
INDEX: list[dict[str, Any]] = json.loads((HERE / "index.json").read_text())
QUICK = ("tammany-hall-closed-0", "city-hall-deserted-3")
"""Those that are replayed before every commit, too."""
LARGEST = 4_000_000
each = pytest.mark.parametrize(
    "kept",
    [
        pytest.param(one, id=name, marks=[] if name in QUICK else [pytest.mark.slow])
        for one in INDEX
        for name in [one["file"].removesuffix(".ndjson.xz")]
    ],
)


def lines(kept: dict[str, Any]) -> list[bytes]:
    return lzma.decompress((HERE / kept["file"]).read_bytes()).splitlines()


@cache
def report(file: str) -> Report:
    """What an audit of a game says; once, however many tests ask."""
    return audit(lines({"file": file}))


@each
def test_s41_every_event_of_the_archive_is_what_the_rules_of_today_make(kept):
    found = report(kept["file"])
    broken = [sentence for _, verdict, sentence in found.checks if verdict == "broken"]
    assert found.ok, [*broken, f"If a rule was corrected: raise the edition of {kept['ruleset']}, {editions.AGAIN}."]
    assert {verdict for what, verdict, _ in found.checks if what != "clock"} == {"verified"}, "it has no deadlines"
    assert (found.events, found.hash, found.ruleset) == (kept["events"], kept["head"], kept["ruleset"])
    assert found.table is not None
    assert state_digest(RULESETS[kept["ruleset"]], found.table) == kept["state"]
    _, events, _ = read_game(lines(kept))
    assert sorted(shown(RULESETS[kept["ruleset"]], events)) == kept["shows"]


@pytest.mark.parametrize("kind", RULESETS)
def test_rules_that_decide_otherwise_have_another_edition(kind):
    """What the rules decided is written down beside their edition; a failure says what to do."""
    assert editions.fault(RULESETS[kind], editions.read()[kind]) == ""


@pytest.mark.parametrize("kind", RULESETS)
def test_the_edition_must_be_raised_where_a_rule_changes(kind):
    """A rule with another outcome, under the same edition and under a new one."""
    kept = editions.read()[kind]
    other = kept | {"decided": dict.fromkeys(kept["decided"], "")}
    assert f"raise the edition of {kind} in domain/" in editions.fault(RULESETS[kind], other)
    assert "has a new edition" in editions.fault(replace(RULESETS[kind], edition="1.1"), kept)


def test_the_index_names_every_game_and_the_archive_is_small():
    assert sorted(one["file"] for one in INDEX) == sorted(path.name for path in HERE.glob("*.xz"))
    assert [one["file"] for one in INDEX] == [f"{recipe.name}.ndjson.xz" for recipe in recipes()]
    assert len(INDEX) >= 60
    assert sum(path.stat().st_size for path in HERE.iterdir()) < LARGEST


@pytest.mark.slow
@pytest.mark.parametrize("kind", WANTED)
def test_every_end_every_tie_break_and_all_that_can_happen_around_a_game_is_in_it(kind):
    """Told from the games themselves, not from the index."""
    found: set[str] = set()
    for kept in INDEX:
        if kind in ("table", kept["ruleset"]):
            _, events, _ = read_game(lines(kept))
            found |= shown(RULESETS[kept["ruleset"]], events)
    assert set(WANTED[kind]) <= found


def test_every_number_of_players_and_every_variant_is_in_it():
    """By the index, which the replay of each game holds to the truth."""
    shows = Counter(one for kept in INDEX for one in kept["shows"])
    for rules in (TAMMANY_HALL, CITY_HALL):
        assert all(shows[f"{rules.kind} for {seats}"] >= 3 for seats in rules.seats)
        options = [(name, rules.options[name]) for name in rules.options if name not in rules.later_options]
        assert all(shows[f"{name}={value}"] for name, values in options for value in values[1:])


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 40])
def test_the_tool_makes_the_same_games_again(number):
    recipe = list(recipes())[number]
    assert recipe.make().export(recipe.game) == lines(INDEX[number])
