"""Fitting: weights are found again from games that were decided by them."""

import tomllib
from dataclasses import replace
from importlib.resources import files
from random import Random

import pytest

from domain.engine.weights import parse_weights
from domain.rulesets import RULESETS, ruleset
from domain.search.evaluation import predicted
from domain.search.fitting import Situation, fit, loss, situations, write_table
from tests.domain.table.pennies import PENNIES

TRUE = {"early": [1.0, -0.5], "late": [3.0, 0.0]}
NAMES = ("points ahead", "bosses")


def drawn(count: int, seed: int) -> list[Situation]:
    """Situations whose winner was drawn by the true weights."""
    rng, found = Random(seed), []
    for number in range(count):
        stage = sorted(TRUE)[number % 2]
        features = [[rng.uniform(-1, 1), rng.uniform(-1, 1)] for _ in range(3)]
        (winner,) = rng.choices(range(3), predicted(TRUE[stage], features))
        found.append(Situation(stage, features, [float(seat == winner) for seat in range(3)]))
    return found


@pytest.mark.slow
def test_weights_are_found_again_by_stage_and_foretell_games_not_learnt_from():
    found, unseen = fit(drawn(1500, 1), 2, "1"), drawn(500, 2)
    for stage, weights in TRUE.items():
        assert found[stage] == pytest.approx(weights, abs=0.4)
    assert loss(found, unseen) < loss({}, unseen) - 0.1
    assert loss(found, unseen) == pytest.approx(loss(TRUE, unseen), abs=0.01)


def test_the_same_seed_fits_the_same_weights():
    assert fit(drawn(50, 3), 2, "1") == fit(drawn(50, 3), 2, "1") != fit(drawn(50, 3), 2, "2")


def test_a_table_is_read_by_the_names_of_its_features():
    text = write_table({"late": [0.1234, -0.0]}, NAMES, {"game": "toy", "games": 40})
    assert tomllib.loads(text)["games"] == 40
    assert parse_weights(text, NAMES) == {"late": (0.123, 0.0)}
    assert parse_weights(text, ("a new one", "points ahead")) == {"late": (0.0, 0.123)}


def test_positions_are_taken_at_every_horizon_from_games_that_end():
    found = situations(ruleset("city-hall"), 2, "1")
    assert len(found) > 10
    assert len({situation.stage for situation in found}) > 1
    assert all(sum(situation.shares) == pytest.approx(1) for situation in found)


def test_a_game_without_guidance_cannot_be_fitted():
    with pytest.raises(LookupError, match="no guidance"):
        situations(replace(PENNIES, guidance=None), 2, "1")


TABLES = {kind: files(f"domain.{kind.replace('-', '_')}.search") / "weights.toml" for kind in RULESETS}


@pytest.mark.parametrize("kind", [kind for kind, table in TABLES.items() if table.is_file()])
def test_the_table_of_a_game_weighs_all_of_its_features_in_every_stage(kind):
    guidance = ruleset(kind).guidance
    table = tomllib.loads(TABLES[kind].read_text())
    assert table["game"] == kind
    assert {"seed", "date", "games", "loss"} <= table.keys()
    assert all(list(weights) == list(guidance.names) for weights in table["stage"].values())
    assert guidance.weights.keys() == table["stage"].keys()
