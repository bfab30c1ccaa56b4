"""What holds of bots at both games: every move is legal as one of a table, tables of bots end, twins think alike."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine.bots import Bot
from domain.engine.refusals import RuleViolation
from domain.rulesets import RULESETS, ruleset
from domain.search.advance import RandomDice, make
from domain.search.match import play
from domain.search.players import Choice, named, random_player
from domain.search.strengths import Effort
from domain.search.think import ponder, think
from domain.table.play import play as play_move
from domain.table.record import Record
from domain.table.state import Chair, Table

ROOT = Path(__file__).parent.parent.parent.parent
SMALL = Effort(simulations=3, width=4, horizons=1)
KINDS = sorted(RULESETS)
FULLEST = [(kind, ruleset(kind).seats[-1]) for kind in KINDS]


def small_bot(rules, blind, seat, seed):
    return Choice(ponder(rules, blind, seat, "even", SMALL, seed).actions)


def hasty_bot(rules, blind, seat, seed):
    hasty = Effort(simulations=2, width=3, horizons=0)
    return Choice(ponder(rules, blind, seat, "even", hasty, seed).actions)


def won(kind: str, seats: int, a: str, b: str, tables: int) -> float:
    """What `a` wins alone among `b`, seats rotated."""
    whole = 0.0
    for number in range(tables):
        players = [named(b)] * seats
        players[number % seats] = named(a)
        winners = play(ruleset(kind), players, f"{number}").winners
        whole += (number % seats in winners) / max(1, len(winners))
    return whole


@cache
def states(kind: str) -> list:
    """Positions of a game of quick bots and random players, in which somebody is asked."""
    rules, found = ruleset(kind), []
    players = [small_bot, random_player, small_bot]
    play(rules, players, "states", watch=lambda state: found.append(rules.decider.copy(state)))
    return found


@pytest.mark.parametrize("kind, seats", FULLEST)
@pytest.mark.slow
def test_a_table_of_bots_comes_to_its_end(kind, seats):
    played = play(ruleset(kind), [hasty_bot] * seats, "1")
    assert played.winners
    assert len(played.scores) == seats


@settings(max_examples=12)
@given(st.sampled_from(KINDS), st.integers(0, 10**6))
@pytest.mark.slow
def test_every_thought_is_legal_as_one_move_of_a_table(kind, number):
    rules, state = ruleset(kind), states(kind)[number % len(states(kind))]
    for seat in rules.decider.awaiting(state):
        thought = ponder(rules, rules.decider.blind(state, seat), seat, "even", SMALL, b"%d" % number)
        chairs = [Chair(player=f"p{each}") for each in range(3)]
        table = Table(ruleset=kind, status="running", chairs=chairs, game=rules.decider.copy(state))
        for line in thought.lines:
            record = Record(table, rules)
            play_move(record, seat, line.actions)
            assert record.facts
            decider = rules.decider
            asked = seat in decider.awaiting(record.table.game)
            assert not asked or decider.decision(record.table.game) != decider.decision(state)


@pytest.mark.slow
@settings(max_examples=12)
@given(st.sampled_from(KINDS), st.integers(0, 10**6))
def test_twins_think_alike(kind, number):
    """Two whole games that a seat cannot tell apart lead to the same thought with the same seed."""
    rules, state = ruleset(kind), states(kind)[number % len(states(kind))]
    assert rules.guidance is not None
    for seat in rules.decider.awaiting(state):
        blind = rules.decider.blind(state, seat)
        twin = rules.guidance.sample_hidden(blind, seat, Random(number))
        other = rules.decider.blind(twin, seat)
        assert ponder(rules, other, seat, "even", SMALL, b"1") == ponder(rules, blind, seat, "even", SMALL, b"1")


@pytest.mark.slow
def test_a_thought_leaves_what_the_seat_knows_alone():
    for kind in KINDS:
        rules = ruleset(kind)
        for state in states(kind)[::40]:
            seat = min(rules.decider.awaiting(state))
            blind = rules.decider.blind(state, seat)
            ponder(rules, blind, seat, "even", SMALL, b"1")
            assert blind == rules.decider.blind(state, seat)


THINK = """
from domain.engine.bots import Bot
from domain.rulesets import RULESETS
from domain.search.advance import RandomDice, make
from domain.search.match import play
from domain.search.players import random_player
from domain.search.think import think
for rules in RULESETS.values():
    found = []
    play(rules, [random_player] * 3, "1", watch=lambda state: found.append(rules.decider.copy(state)))
    for state in found[5::40]:
        seat = min(rules.decider.awaiting(state))
        thought = think(rules, rules.decider.blind(state, seat), seat, Bot(1, "patient"), b"1")
        print(thought.actions, thought.value)
"""


@pytest.mark.slow
def test_a_thought_is_the_same_in_every_process():
    """Whatever the order of sets and of what is kept by hashes."""
    told = {
        subprocess.run(
            [sys.executable, "-P", "-c", THINK],
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
    assert told.pop().count("\n") > 5


@pytest.mark.slow
@pytest.mark.parametrize("part", ["tree", "playouts", "matrix", "weights"])
def test_a_bot_without_a_part_plays_on(part):
    for kind in KINDS:
        rules = ruleset(kind)
        for state in states(kind)[2::60]:
            seat = min(rules.decider.awaiting(state))
            choice = named(f"2-{part}")(rules, rules.decider.blind(state, seat), seat, b"1")
            make(rules.decider, rules.decider.copy(state), seat, tuple(choice.move), RandomDice(Random(1)))


def test_a_bot_whose_move_is_not_legal_is_found_out():
    def cheat(rules, blind, seat, seed):
        return Choice([rules.notation.parse("bid 99", ["ann", "ben"])[0]])

    with pytest.raises(RuleViolation):
        play(ruleset("city-hall"), [cheat] * 2, "1")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
def test_the_weakest_bot_beats_random_players(kind):
    """A tiny arena. `test_each_strength_beats_the_one_below` is a short one, docs/bots.md the long one."""
    assert won(kind, ruleset(kind).seats[0], "1", "random", tables=2) >= 1


@pytest.mark.long
@pytest.mark.parametrize("strength", ["2", "3"])
@pytest.mark.parametrize("kind, seats", [("city-hall", 2), ("tammany-hall", 3)])
def test_each_strength_beats_the_one_below(kind, seats, strength):
    tables = 6 if strength == "3" else 15
    assert won(kind, seats, strength, str(int(strength) - 1), tables) > tables / seats


@pytest.mark.parametrize("temper", ["cautious", "patient", "vindictive"])
@pytest.mark.slow
def test_a_temper_changes_some_moves_and_not_all(temper):
    """One in six or so: looked for until there is one of each."""
    same = set()
    for kind in KINDS:
        rules = ruleset(kind)
        for state in states(kind)[3::5]:
            seat = min(rules.decider.awaiting(state))
            blind = rules.decider.blind(state, seat)
            even, other = (think(rules, blind, seat, Bot(2, each), b"1").actions for each in ("even", temper))
            same.add(even == other)
            if len(same) == 2:
                return
    assert same == {True, False}
