"""What bots must be worth."""

from domain.rulesets import RULESETS
from domain.search import gates
from domain.search.gates import Gate
from domain.search.players import named
from domain.search.standing import Pairing, standing
from tests.domain.search.test_standing import PAIRING, record

GAMES = list(RULESETS.values())


def test_the_gates_are_those_of_all_numbers_of_seats():
    asked = {gate.pairing: gate for rules in GAMES for gate in gates.gates(rules)}
    assert len(asked) == 18
    assert asked[Pairing("city-hall", 2, "1", "random")].least == 0.9
    assert asked[Pairing("city-hall", 2, "3", "2")].least == 0.7
    assert asked[Pairing("city-hall", 4, "1", "random")].least == 0.75
    assert asked[Pairing("tammany-hall", 5, "2", "1")].least == 0.4
    for rules in GAMES:
        for row in gates.trials(rules):
            assert named(row.pairing.a)
            assert named(row.pairing.b)


def test_no_part_is_tried_that_bots_of_a_game_do_without():
    tried = {(gate.pairing.game, gate.pairing.b) for rules in GAMES for gate in gates.trials(rules)}
    assert {("tammany-hall", "2-tree"), ("tammany-hall", "2-matrix"), ("city-hall", "2-playouts")} <= tried
    assert not {("city-hall", "2-tree"), ("city-hall", "2-matrix")} & tried


def test_half_the_interval_is_allowed_for_at_fuller_tables():
    found = standing(PAIRING, [record(number, [number % 3 if number else 1]) for number in range(20)])
    assert found.share == 0.95
    assert Gate(PAIRING, 20, 1.0, doubtful=True).met(found)
    assert not Gate(PAIRING, 20, 1.0).met(found)
