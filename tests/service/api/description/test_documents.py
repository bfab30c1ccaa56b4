"""The types of the rulesets' documents say what their views show, in the positions of random games."""

import re

import msgspec
import pytest

from domain.city_hall import CITY_HALL
from domain.engine.game import CHANCE
from domain.tammany_hall import TAMMANY_HALL
from service.api.description.refinements import DECISION, PHASES
from tests.domain.city_hall import playouts as city_hall
from tests.domain.tammany_hall import playouts as tammany_hall

GAMES = {"tammany-hall": (TAMMANY_HALL, tammany_hall), "city-hall": (CITY_HALL, city_hall)}


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
def test_a_view_fits_its_type_and_has_nothing_besides(kind):
    rules, games = GAMES[kind]
    players, options = games.VARIANTS[0]
    steps = games.playout(players, options, 1).steps
    for state in [step.after for step in steps[::7]] + [steps[-1].after]:
        shown = [rules.decider.view(state, seat) for seat in (None, 0)]
        if steps[-1].after is state:
            shown.append(rules.decider.reveal(state, [0]))
        for view in shown:
            sent = msgspec.json.encode(view)
            read = msgspec.json.decode(sent, type=rules.decider.document)
            assert msgspec.json.decode(msgspec.json.encode(read)) == msgspec.json.decode(sent)


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
def test_what_is_asked_begins_with_a_word_that_the_description_lists(kind):
    rules, games = GAMES[kind]
    players, options = games.VARIANTS[0]
    asked = set()
    for step in games.playout(players, options, 1).steps:
        if rules.decider.awaiting(step.after) - {CHANCE}:
            decision = rules.decider.decision(step.after)
            assert re.fullmatch(DECISION["pattern"], decision), decision
            asked.add(decision.partition("-")[0])
    assert asked == set(PHASES[kind])
