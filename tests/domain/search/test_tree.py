"""The tree: which move is tried next, and how far a move that was hardly tried is believed in."""

import pytest

from domain.search.root import Root
from domain.search.simulation import Task
from domain.search.strengths import Effort
from domain.search.tree import Node, Tally
from tests.domain.search.toys import Toy

EFFORT = Effort(simulations=60, width=8, horizons=1)
MOVES = [("first",), ("second",), ("third",)]


def learn(node: Node, *values: tuple[str, float]) -> None:
    for word, value in values:
        node.learn(node.choose(0, MOVES, EFFORT, first=(word,)), [value])


def test_the_order_of_the_candidates_says_what_is_tried_first():
    assert Node().choose(0, MOVES, EFFORT).move == ("first",)


def test_a_lucky_trial_is_not_believed_in_and_many_are():
    node = Node()
    learn(node, *[("first", 0.5)] * 9, ("third", 0.9))
    edges = {edge.move[0]: edge for edge in node.edges.values()}
    expected = {word: edges[word].expected(node.tally(0), rank, EFFORT) for rank, (word,) in enumerate(MOVES)}
    assert expected["third"] < 0.6 < edges["third"].mean
    assert expected["second"] < node.tally(0).mean
    learn(node, *[("third", 0.9)] * 30)
    assert edges["third"].expected(node.tally(0), 2, EFFORT) > 0.8


def test_a_move_that_brings_more_is_tried_more_often():
    node = Node()
    for _ in range(60):
        edge = node.choose(0, MOVES, EFFORT)
        node.learn(edge, [0.6 if edge.move == ("second",) else 0.3])
    visits = {edge.move[0]: edge.visits for edge in node.edges.values()}
    assert visits["second"] > 40
    assert min(visits.values()) > 0


def test_two_seats_at_one_node_do_not_learn_from_one_another():
    node = Node()
    node.learn(node.choose(0, MOVES, EFFORT), [0.9, 0.1])
    node.learn(node.choose(1, MOVES, EFFORT), [0.9, 0.1])
    assert [node.tally(seat).mean for seat in (0, 1)] == [0.9, 0.1]
    assert len(node.edges) == 6


def test_a_node_looks_at_more_moves_the_oftener_it_is_met():
    node = Node()
    widths = []
    for _ in range(40):
        widths.append(node.width(10))
        node.choose(0, MOVES, EFFORT)
    assert widths == sorted(widths)
    assert (widths[0], widths[-1]) == (2, 10)


def test_the_spread_is_the_usual_one_until_more_is_known():
    tally = Tally()
    assert tally.spread == pytest.approx(0.15)
    for number in range(200):
        tally.add(float(number % 2))
    assert tally.spread == pytest.approx(0.5, abs=0.01)


LUCK = Toy(
    deck=("good", "bad"),
    asks=lambda said: {0: ("this", "that", "other")},
    ends=lambda said, card: [int(card == "good"), int(card == "bad")] if said else None,
)
"""Whatever is said, the hidden card decides."""


def test_every_move_meets_the_same_deals():
    rules = LUCK.rules()
    blind = rules.decider.blind(LUCK.state(card="good"), 0)
    moves = LUCK.candidates(blind, 0, None, 3)
    root = Root(Task(rules, rules.guidance, blind, 0, "even", EFFORT, moves), 7)
    for move in moves * 20:
        root.simulate(move)
    lines = root.lines()
    assert [line.visits for line in lines] == [20] * 3
    assert len({round(line.value, 9) for line in lines}) == 1
    assert 0.2 < lines[0].value < 0.8
