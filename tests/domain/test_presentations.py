"""What every game says of itself to people who choose, sit down or are asked: its options, its questions."""

import pytest

from domain.city_hall import CITY_HALL
from domain.engine.game import CHANCE
from domain.tammany_hall import TAMMANY_HALL
from tests.service.pictures.positions import game
from tests.test_docs import numbered

DRAWN = [TAMMANY_HALL, CITY_HALL]
KINDS = [rules.kind for rules in DRAWN]


@pytest.mark.parametrize("rules", DRAWN, ids=KINDS)
def test_th17_3_ch19_3_every_option_is_told_in_words_with_its_rule(rules):
    told = rules.presentation.variants
    assert {name: set(variant.values) for name, variant in told.items()} == {
        name: set(values) for name, values in rules.options.items()
    }
    assert {variant.rule for variant in told.values()} <= numbered(rules.kind)


@pytest.mark.slow
def test_whoever_is_asked_is_told_what_in_every_phase_that_asks():
    asked: dict[str, set[str]] = {"tammany-hall": set(), "city-hall": set()}
    for number in (0, 3):
        rules, states = game(number)
        for state in states:
            for seat in sorted(rules.decider.awaiting(state) - {CHANCE}):
                asked[rules.kind].add(rules.presentation.asks(rules.decider.view(state, seat)).template)
    assert {kind: len(questions) for kind, questions in asked.items()} == {"tammany-hall": 5, "city-hall": 6}
