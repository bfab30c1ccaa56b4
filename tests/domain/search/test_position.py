"""A position: whole games by actions sampled, what hides nothing is copied, what is blind is not played on."""

from random import Random

import pytest

from domain.engine.legal import is_legal
from domain.engine.refusals import RuleViolation
from domain.search.position import Position

GAMES = [("tammany-hall", 3), ("tammany-hall", 5), ("city-hall", 2), ("city-hall", 4)]


@pytest.mark.parametrize("kind, seats", GAMES)
def test_a_game_of_sampled_actions_comes_to_its_end_and_all_of_them_are_legal(kind, seats):
    rng = Random(seats)
    position = Position.new(kind, seats, rng=rng)
    kinds = set()
    for _ in range(3_000):
        if not position.awaiting:
            break
        seat = rng.choice(sorted(position.awaiting))
        action = position.sample_action(rng, seat)
        assert is_legal(position.rules.decider.decide, position.state, seat, action)
        kinds.add(type(action))
        position.push(action, seat)
    assert position.result()["winners"]
    assert len(kinds) >= len(position.rules.decider.actions) - 2


def test_a_copy_is_played_on_by_itself():
    position = Position.new("city-hall", 2, rng=Random(3))
    before = position.view()
    position.copy().push(position.legal()[0])
    assert position.view() == before


def test_a_line_of_the_notation_is_pushed_like_an_action():
    position = Position.new("tammany-hall", 3, rng=Random(5))
    (seat,) = position.awaiting
    position.push("place 14 14\nend")
    assert position.awaiting == {(seat + 1) % 3}
    with pytest.raises(RuleViolation) as refused:
        position.push("end", seat)
    assert refused.value.code == "not-your-turn"


def test_what_one_seat_knows_cannot_be_played_on_before_the_rest_is_dealt():
    position = Position.new("city-hall", 3, rng=Random(7)).blind(1)
    with pytest.raises(ValueError, match="sample_hidden"):
        position.push("draft q1", 1)


def test_of_several_lines_all_or_none_are_played():
    position = Position.new("tammany-hall", 3, rng=Random(5))
    before = position.view()
    with pytest.raises(RuleViolation):
        position.push("place 14 14\nplace 14 14")
    assert position.view() == before


def test_a_seat_that_nobody_asks_may_still_replace_its_sealed_bid():
    position, seat = a_bidding_of_two()
    bid = position.legal(seat)[0]
    position.push(bid, seat)
    assert seat not in position.awaiting
    assert bid in position.legal(seat)
    position.push(position.legal(seat)[-1], seat)
    with pytest.raises(RuleViolation, match="Nobody asks"):
        position.sample_action(Random(1), seat)


def a_bidding_of_two() -> tuple[Position, int]:
    """A position of Tammany Hall where several bids are sealed, and a seat that is asked for one."""
    rng = Random(2)
    position = Position.new("tammany-hall", 3, rng=rng)
    while len(position.awaiting) < 2:
        position.push(position.sample_action(rng))
    return position, min(position.awaiting)


def test_what_a_seat_knows_is_asked_about_that_seat_alone():
    position, seat = a_bidding_of_two()
    other = max(position.awaiting)
    own = position.blind(other)
    assert own.legal() == own.legal(other) == position.legal(other)
    assert own.sample_action(Random(1)) in own.legal()
    with pytest.raises(ValueError, match=f"what seat {other} knows"):
        own.legal(seat)


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_is_not_there_is_a_sentence(seat):
    position = Position.new("tammany-hall", 3, rng=Random(5))
    with pytest.raises(ValueError, match="from 0 to 2"):
        position.legal(seat)
    with pytest.raises(ValueError, match="from 0 to 2"):
        position.push("end", seat)


@pytest.mark.parametrize("kind, seats", GAMES)
def test_a_game_that_is_over_asks_nobody(kind, seats):
    rng = Random(seats)
    position = Position.new(kind, seats, rng=rng)
    while position.awaiting:
        position.push(position.sample_action(rng))
    assert position.legal(0) == []
    for ask in (position.legal, lambda: position.sample_action(rng), lambda: position.push("end")):
        with pytest.raises(RuleViolation, match="Nobody asks"):
            ask()
