"""`wardroom fit`: a table of weights out of a few games."""

import os
import tomllib

import pytest
from click.testing import CliRunner

from domain.engine.weights import parse_weights
from domain.rulesets import RULESETS
from service.cli import main

GAMES = [kind for kind, rules in RULESETS.items() if rules.guidance]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow
def test_a_table_is_fitted_and_can_be_read(game, tmp_path):
    file = tmp_path / "weights.toml"
    result = CliRunner().invoke(main, ["fit", game, "--games", "10", "--out", str(file)])
    assert result.exit_code == 0, result.output
    assert "games not learnt from, the loss was" in result.stderr
    table, guidance = file.read_text(), RULESETS[game].guidance
    assert tomllib.loads(table)["games"] == 10
    weights = parse_weights(table, guidance.names)
    assert set(weights) <= set(guidance.weights)
    assert all(any(numbers) for numbers in weights.values())


@pytest.mark.parametrize(
    "words, code, sentence",
    [
        (["chess"], os.EX_USAGE, "There is no game 'chess'"),
        (["city-hall", "--games", "4"], os.EX_USAGE, "not in the range"),
        (["city-hall", "--games", "10", "--out", "/dev/null/weights.toml"], os.EX_CANTCREAT, "/dev/null/weights.toml"),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_fitted_is_refused_in_a_sentence(words, code, sentence):
    result = CliRunner().invoke(main, ["fit", *words])
    assert result.exit_code == code
    assert sentence in result.stderr
    assert "Traceback" not in result.output
