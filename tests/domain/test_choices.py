"""The choices of a seat: every path spells a legal line, every legal line has a path, and no path knows a secret."""

import itertools
import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.city_hall.rules.actions import Lobby
from domain.engine.choices import Option, Step, ask, compose, listed_words, walk
from domain.engine.game import Draw
from domain.engine.legal import is_legal
from domain.rulesets import RULESETS
from domain.tammany_hall.rules.actions import Assign, Bid
from domain.tammany_hall.rules.board import COLOURS, PAWNS
from tests.domain.city_hall import playouts as city_hall
from tests.domain.city_hall import scenario as city_scenario
from tests.domain.table.pennies import PENNIES, PotDrawn
from tests.domain.tammany_hall import playouts as tammany_hall
from tests.domain.tammany_hall import scenario as tammany_scenario

NAMES = ("Ann", "Bob", "Cyd", "Dora", "Eve")
GAMES = {"city-hall": city_hall.playouts, "tammany-hall": tammany_hall.playouts}
EACH = [(kind, game) for kind in GAMES for game in range(6)]


def decisions(kind: str, game: int, every: int) -> Iterator[tuple[Any, int]]:
    """Blind states of a played game with the seat that must act."""
    for state, seat in GAMES[kind]()[game].decisions(every):
        yield RULESETS[kind].decider.blind(state, seat), seat


def first_step(kind: str, state: Any, seat: int) -> Step | None:
    rules = RULESETS[kind]
    assert rules.presentation.choices is not None
    return ask(rules.presentation.choices(state, seat, NAMES[: len(state.players)]))


def read(kind: str, state: Any, line: str) -> Any:
    (action,) = RULESETS[kind].notation.parse(line, NAMES[: len(state.players)])
    return action


def lines(step: Step | None, chooser: random.Random) -> Iterator[str]:
    """Every complete line of a tree; of amounts and orders some."""
    if step is None:
        return
    if step.kind == "amounts":
        for _ in range(4):
            yield compose(step, {amount.word: chooser.randint(amount.least, amount.most) for amount in step.amounts})
        yield compose(step, {amount.word: amount.least for amount in step.amounts})
        yield compose(step, {amount.word: amount.most for amount in step.amounts})
    if step.kind == "order":
        yield compose(step, chooser.sample(words := [piece.word for piece in step.order], len(words)))
    for option in step.options:
        if option.line is not None:
            yield option.line
        yield from lines(option.step, chooser)


def options(step: Step | None) -> Iterator[Option]:
    for option in step.options if step else ():
        yield option
        yield from options(option.step)


def spelled(kind: str, state: Any, action: Any) -> str:
    """An action as the answers spell it: bids name their ward, offices are given player by player."""
    match action:
        case Bid(chips=chips):
            return RULESETS[kind].notation.write(Bid(chips, state.ward))
        case Assign(offices=offices):
            given = sorted(offices.items(), key=lambda pair: pair[1])
            return " ".join(["assign", *(f"{title} {PAWNS[seat]}" for title, seat in given)])
        case _:
            return str(RULESETS[kind].notation.write(action))


@pytest.mark.parametrize(("kind", "game"), EACH)
@pytest.mark.slow
def test_every_path_of_answers_spells_a_line_that_is_legal(kind, game):
    decider, chooser = RULESETS[kind].decider, random.Random(game)
    for state, seat in decisions(kind, game, 31):
        found = list(lines(first_step(kind, state, seat), chooser))
        assert found
        for line in found:
            assert is_legal(decider.decide, state, seat, read(kind, state, line)), line


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "game"), EACH)
def test_every_legal_action_is_reached_by_a_path_of_answers(kind, game):
    for state, seat in decisions(kind, game, 31):
        step = first_step(kind, state, seat)
        for action in RULESETS[kind].decider.legal_actions(state, seat).actions:
            line = spelled(kind, state, action)
            found = walk(step, line)
            assert found is not None, line
            assert found.line == line


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "game"), EACH)
def test_no_question_is_without_an_answer_and_each_leads_on_or_ends_a_line(kind, game):
    for state, seat in decisions(kind, game, 61):
        step = first_step(kind, state, seat)
        for option in options(step):
            assert option.label
            assert option.line in (option.words, None)
            assert option.line is not None or option.step is not None, option.words
            assert walk(step, option.words) is option


def test_a_verb_that_is_the_only_one_is_not_asked_for():
    step = first_step("city-hall", *next(decisions("city-hall", 0, 1)))
    assert step.field == "land"
    assert [option.words.split()[0] for option in step.options] == ["draft"] * len(step.options)


def test_th_12_1_the_last_of_four_offices_goes_with_the_one_before():
    state, seat = next((state, seat) for state, seat in asked("tammany-hall", "assign") if len(state.players) == 5)
    step = first_step("tammany-hall", state, seat)
    others = [NAMES[other] for other in range(5) if other != seat]
    for name in others[:2]:
        assert step.label == f"Which office does {name} get?"
        step = step.options[0].step
    assert [option.step for option in step.options] == [None, None]
    assert str(step.options[0].label) == f"Chief of Police ({others[3]}: Precinct Chairman)"
    assert step.options[0].target == "office-police"


def test_two_bosses_go_into_their_wards_in_either_order():
    step = first_step("tammany-hall", *next(decisions("tammany-hall", 0, 1)))
    assert walk(step, "place 1 2").line == "place 1 2"
    assert walk(step, "PLACE 2 1").line == "place 2 1"
    assert walk(step, "place 1").line is None
    assert walk(step, "place 1").step.options
    assert walk(step, "place 1 2 3") is None
    assert walk(step, "place 12") is None
    assert walk(step, "") is None


def chosen(positions: Sequence[tuple[Any, int]], number: int) -> tuple[Any, int]:
    return positions[number % len(positions)]


@cache
def asked(kind: str, *decision: str) -> list[tuple[Any, int]]:
    """Blind states of all games in which this is asked."""
    return [
        (state, seat)
        for game in range(6)
        for state, seat in decisions(kind, game, 1)
        if (state.phase, *([state.office] if len(decision) > 1 else [])) == decision
    ]


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.dictionaries(st.sampled_from(COLOURS), st.integers(0, 9)))
def test_th_9_8_every_bid_that_is_legal_can_be_composed_and_no_other(number, chips):
    state, seat = chosen(asked("tammany-hall", "bid"), number)
    step = first_step("tammany-hall", state, seat)
    line = compose(step, chips)
    assert line.startswith(f"bid ward {state.ward} ")
    assert read("tammany-hall", state, line).chips == {c: chips[c] for c in COLOURS if chips.get(c)}
    legal = is_legal(RULESETS["tammany-hall"].decider.decide, state, seat, read("tammany-hall", state, line))
    assert (walk(step, line) is not None) == legal


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    st.integers(0, 10**6),
    st.lists(st.tuples(st.sampled_from(["buy", "sell"]), st.integers(1, 12)), max_size=4),
)
def test_ch_8_7_every_dealing_that_is_legal_can_be_walked_to_and_no_other(number, clauses):
    state, seat = chosen(asked("city-hall", "resolve", "lobbyist"), number)
    step = first_step("city-hall", state, seat)
    line = RULESETS["city-hall"].notation.write(Lobby([{verb: count} for verb, count in clauses]))
    legal = is_legal(RULESETS["city-hall"].decider.decide, state, seat, read("city-hall", state, line))
    assert (walk(step, line) is not None) == legal, line


def test_th_6_7_the_last_boss_is_placed_alone():
    state = tammany_scenario.position(turn="red", wards={3: "... | red 18"}, garden="2 irish")
    step = first_step("tammany-hall", state, 0)
    assert (step.options[0].words, step.options[0].label) == ("place", "Place your last boss")
    assert step.options[0].step.label == "Into which ward goes your last boss?"
    assert walk(step, "place 3").line == "place 3"


def test_th_9_9_who_does_not_bid_is_not_asked_to():
    state, seat = next(
        (state, seat)
        for state, _ in asked("tammany-hall", "bid")
        for seat in range(len(state.players))
        if not state.wards[state.ward].bosses[seat]
    )
    assert first_step("tammany-hall", state, seat) is None


def test_a_colour_is_bid_once_and_what_is_none_is_left_out():
    for state, seat in asked("tammany-hall", "bid"):
        step = first_step("tammany-hall", state, seat)
        if step.amounts[0].most > 1:
            break
    begins = f"bid ward {state.ward}"
    assert walk(step, f"{begins} irish 1").line
    assert walk(step, f"{begins} irish 1 irish 1") is None
    assert walk(step, f"{begins} irish 0") is None
    assert walk(step, f"{begins} irish") is None
    assert walk(step, f"{begins} irish one") is None


def test_ch_19_3_who_cannot_reach_the_lowest_bid_can_only_pass():
    poor = city_scenario.position(zero_bid="refused", influence=0)
    state = city_scenario.given(poor).when("Ann", "activate tax").state
    assert [option.words for option in first_step("city-hall", state, 1).options] == ["pass"]


def test_ch_19_3_one_permit_may_be_built_or_two_or_the_rest_be_put_in_order():
    """With zoning-build=one-or-two a complete line goes on in two ways."""
    owned = {"lands": {"B2": "ann", "B3": "ann"}, "hands": {"ann": "tower factory"}}
    either = city_scenario.position(**owned, zoning_build="one-or-two")
    state = city_scenario.given(either, permits="housing park tower").takes("Ann", "zoning").state
    one = walk(first_step("city-hall", state, 0), "zone build tower B2")
    assert one.line == "zone build tower B2"
    assert [option.words.removeprefix(f"{one.line} ") for option in one.step.options] == ["under", "factory"]
    assert (one.step.options[0].line, one.step.options[0].step.kind) == (None, "order")
    assert walk(one.step, f"{one.line} under park tower housing").line
    assert walk(one.step, f"{one.line} factory B3 under park tower housing").line


def test_two_permits_are_taken_in_either_order():
    for state, seat in asked("city-hall", "resolve", "zoning")[::9]:
        step = first_step("city-hall", state, seat)
        for first, second in itertools.permutations(state.revealed, 2):
            assert walk(step, f"zone take {first} {second}").line == f"zone take {first} {second}"


def test_ch_8_7_no_clause_is_of_nothing():
    state, seat = asked("city-hall", "resolve", "lobbyist")[0]
    step = first_step("city-hall", state, seat)
    assert walk(step, "lobby sell 0") is None
    assert walk(step, "lobby buy 0") is None


def test_ch_8_7_clauses_are_composed_in_the_order_given():
    step = first_step("city-hall", *asked("city-hall", "resolve", "lobbyist")[0])
    assert compose(step, {}) == compose(step, {"buy": 0}) == "lobby"
    assert compose(step, {"sell": 1, "buy": 2}) == "lobby sell 1 buy 2"
    assert walk(step, "lobby").line == "lobby"


def test_ch_8_20_every_order_below_the_deck_can_be_composed():
    notation, decide = RULESETS["city-hall"].notation, RULESETS["city-hall"].decider.decide
    for state, seat in asked("city-hall", "resolve", "zoning")[::5]:
        step = first_step("city-hall", state, seat)
        for zone in RULESETS["city-hall"].decider.legal_actions(state, seat).actions[::7]:
            rest = list(state.revealed)
            for permit in zone.take:
                rest.remove(permit)
            for under in set(itertools.permutations(rest)):
                line = notation.write(replace(zone, under=list(under) or None))
                assert is_legal(decide, state, seat, read("city-hall", state, line))
                assert (walk(step, line) is not None) == (not under or len(set(rest)) > 1), line
            assert walk(step, f"{notation.write(zone)} under park park park park") is None


def test_a_ruleset_without_questions_of_its_own_asks_word_by_word():
    state = PENNIES.decider.fold(PENNIES.decider.initial(2, {}), [PotDrawn(Draw("pot", 0), 3)])
    legal = PENNIES.decider.legal_actions(state, 0).actions
    step = ask(listed_words(PENNIES.notation.write, legal))
    assert [walk(step, PENNIES.notation.write(action)).line for action in legal]
