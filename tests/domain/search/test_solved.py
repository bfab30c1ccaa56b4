"""The search on games that can be solved by hand: each strength finds the move that it claims to find."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec
import pytest

from domain.engine.bots import Bot
from domain.search.evaluation import softmax
from domain.search.strengths import EFFORTS, Effort, effort_of
from domain.search.think import Line, Thought, _nearly, ponder, think
from tests.domain.search.toys import Say, State, Toy

SEEDS = [bytes([number]) for number in range(8)]
ALL = pytest.mark.parametrize("strength", EFFORTS)


def words(thought: Thought) -> list[str]:
    return [action.word for action in thought.actions]


def thoughts(toy: Toy, strength: int, state: State | None = None, seat: int = 0) -> list[str]:
    """The word that a strength says, for several seeds."""
    blind = toy.rules().decider.blind(state or toy.state(), seat)
    return [word for seed in SEEDS for word in words(think(toy.rules(), blind, seat, Bot(strength), seed))]


# -- one right placement in the last turn

PLACES = ("ward 1", "ward 2", "ward 3", "ward 4", "ward 5")
LAST_TURN = Toy(
    asks=lambda said: {0: PLACES},
    ends=lambda said, card: ([9, 8] if said[0] == "ward 4" else [7, 8]) if said else None,
)


@pytest.mark.slow
@ALL
def test_the_one_right_placement_of_the_last_turn_is_found(strength):
    assert set(thoughts(LAST_TURN, strength)) == {"ward 4"}


# -- an auction in which the thing is worth less than the lowest bid

AUCTION = Toy(
    asks=lambda said: {len(said): ("bid 3", "bid 2", "pass") if not said else ("bid 4", "pass")},
    ends=lambda said, card: None if len(said) < 2 else auctioned(said),
    says=lambda said, options, rng: "pass",
)


def auctioned(said: Sequence[str]) -> list[int]:
    """Both have five coins; the last bid pays, and gets something worth one."""
    coins = [5, 5]
    bids = [(int(word[-1]), seat) for seat, word in enumerate(said) if word != "pass"]
    if bids:
        paid, seat = max(bids)
        coins[seat] += 1 - paid
    return coins


@pytest.mark.slow
@ALL
def test_an_auction_is_passed_where_the_thing_is_not_worth_its_price(strength):
    assert set(thoughts(AUCTION, strength)) == {"pass"}


# -- a sealed ward that only one bid wins

CHIPS = {0: ("0", "1", "2", "3"), 1: ("0", "1", "2")}
SEALED_WARD = Toy(
    asks=lambda said: CHIPS,
    ends=lambda said, card: [int(said[0] > said[1]), int(said[0] <= said[1])] if said else None,
)


@pytest.mark.slow
@pytest.mark.parametrize("strength", [2, 3])
def test_a_sealed_ward_that_one_bid_wins_whatever_the_other_bids_is_won(strength):
    assert set(thoughts(SEALED_WARD, strength)) == {"3"}


# -- the greedy move loses two plies later

GREED: Mapping[tuple[str, ...], Mapping[int, Sequence[str]]] = {
    (): {0: ("take three", "take one")},
    ("take three",): {1: ("shrug", "laugh", "strike back")},
    ("take one",): {1: ("shrug", "laugh")},
}
TRAP = Toy(
    asks=lambda said: GREED.get(tuple(said[:1]) if len(said) < 2 else (), {}),
    ends=lambda said, card: None if len(said) < 2 else trapped(said),
    looks=lambda said: [3.0, 0.0] if "take three" in said else [1.0, 0.0],
    says=lambda said, options, rng: options[0],
)
"""The quick policy of the rival never strikes back: only who looks at the rival's moves sees the trap."""


def trapped(said: Sequence[str]) -> list[int]:
    if said[1] == "strike back":
        return [0, 1]
    return [3, 0] if said[0] == "take three" else [1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("strength", [2, 3])
def test_the_tree_sees_that_the_greedy_move_loses_two_plies_later(strength):
    assert set(thoughts(TRAP, strength)) == {"take one"}


@pytest.mark.parametrize("strength", [2, 3])
def test_without_the_tree_it_is_walked_into(strength):
    flat = msgspec.structs.replace(EFFORTS[strength], depth=1)
    assert words(ponder(TRAP.rules(), TRAP.state(), 0, "even", flat, b"1")) == ["take three"]


def test_a_game_may_want_no_tree_whatever_the_effort():
    rules = TRAP.rules()
    flat = replace(rules, guidance=replace(rules.guidance, depth=1))
    assert words(ponder(flat, TRAP.state(), 0, "even", EFFORTS[3], b"1")) == ["take three"]


# -- sealed answers that are best given by chance

HANDS = ("heads", "tails")
MATCHING = Toy(
    asks=lambda said: {0: HANDS, 1: HANDS},
    ends=lambda said, card: [int(said[0] == said[1]), int(said[0] != said[1])] if said else None,
)


@pytest.mark.parametrize("strength", [2, 3])
@pytest.mark.parametrize("seat", [0, 1])
def test_matching_pennies_are_hidden_by_chance(strength, seat):
    thought = think(MATCHING.rules(), MATCHING.state(), seat, Bot(strength), b"1")
    assert [line.weight for line in thought.lines] == pytest.approx([0.5, 0.5], abs=0.3)
    assert all(line.mixed for line in thought.lines)
    several = [think(MATCHING.rules(), MATCHING.state(), seat, Bot(2), b"%d" % number) for number in range(20)]
    assert {words(thought)[0] for thought in several} == set(HANDS)


def test_without_mixed_answers_the_rival_is_thought_to_see_the_own_one():
    effort = msgspec.structs.replace(EFFORTS[3], mixes=False)
    thought = ponder(MATCHING.rules(), MATCHING.state(), 0, "even", effort, b"1")
    assert thought.value < 0.4
    assert not thought.lines[0].mixed


# -- a hidden card

CARDS = ("red", "black", "black")
GUESS = Toy(
    deck=CARDS,
    sees=frozenset({1}),
    asks=lambda said: {0: ("red", "black", "fold")},
    ends=lambda said, card: None if not said else [2 if said[0] == card else 1 if said[0] == "fold" else 0, 1],
)


@ALL
def test_a_card_that_is_not_seen_changes_no_thought(strength):
    blinds = [GUESS.rules().decider.blind(GUESS.state(card=card), 0) for card in CARDS]
    first, *others = [think(GUESS.rules(), blind, 0, Bot(strength), b"1") for blind in blinds]
    assert others == [first] * 2


@pytest.mark.slow
@pytest.mark.parametrize("strength", [2, 3])
def test_who_sees_the_card_says_its_colour(strength):
    """Peeking would change the answer."""
    peeking = replace(GUESS, sees=frozenset({0}))
    assert set(thoughts(peeking, strength, GUESS.state(card="red"))) == {"red"}
    assert set(thoughts(peeking, strength, GUESS.state(card="black"))) == {"black"}


@pytest.mark.slow
def test_the_likelier_card_is_guessed():
    assert set(thoughts(GUESS, 3, GUESS.state(card="red"))) == {"black"}


# -- tempers

TASTE = Toy(
    asks=lambda said: {0: ("bold", "safe", "spite")},
    ends=lambda said, card: [1, 1] if said else None,
    likes=lambda said, temper: 0.1 * ({"cautious": "safe", "vindictive": "spite"}.get(temper) in said),
)


@pytest.mark.slow
@pytest.mark.parametrize("temper, word", [("cautious", "safe"), ("vindictive", "spite")])
@pytest.mark.parametrize("strength", [2, 3])
def test_a_temper_chooses_what_it_likes_among_equals(strength, temper, word):
    for seed in SEEDS:
        assert words(think(TASTE.rules(), TASTE.state(), 0, Bot(strength, temper), seed)) == [word]


@ALL
def test_a_temper_likes_winning_better(strength):
    toy = replace(TASTE, ends=lambda said, card: None if not said else [1, 0] if said[0] == "bold" else [0, 1])
    for temper in ("even", "cautious", "vindictive"):
        assert words(think(toy.rules(), toy.state(), 0, Bot(strength, temper), b"1")) == ["bold"]


# -- what a thought costs, and what is refused

FORCED = Toy(asks=lambda said: {len(said): ("well",)}, ends=lambda said, card: None if len(said) < 2 else [0, 0])


@ALL
def test_a_forced_move_costs_no_simulation(strength):
    thought = think(FORCED.rules(), FORCED.state(), 0, Bot(strength), b"1")
    assert (thought.actions, thought.simulations, thought.value) == ([Say("well")], 0, 0.5)


@ALL
def test_ch_15_2_the_only_move_takes_as_long_as_any_other_where_it_would_tell_what_the_seat_holds(strength):
    """An answer that comes at once says that there was no other, and so what lies in the hand."""
    hidden = Toy(
        asks=lambda said: {len(said): ("well",)},
        ends=lambda said, card: None if len(said) < 2 else [0, 0],
        deck=("low", "high"),
    )
    thought = think(hidden.rules(), hidden.blind(hidden.state(card="low"), 0), 0, Bot(strength), b"1")
    assert (thought.actions, thought.simulations) == ([Say("well")], EFFORTS[strength].simulations)


@ALL
def test_a_thought_costs_what_its_strength_says_and_can_be_thought_again(strength):
    first = think(AUCTION.rules(), AUCTION.state(), 0, Bot(strength), b"1")
    assert first.simulations == EFFORTS[strength].simulations
    assert sum(line.visits for line in first.lines) == first.simulations
    assert think(AUCTION.rules(), AUCTION.state(), 0, Bot(strength), b"1") == first


def test_no_thought_costs_more_than_the_most():
    dear = msgspec.structs.replace(EFFORTS[3], simulations=5_001)
    with pytest.raises(ValueError, match="a thought takes 1 to 5000 simulations, not 5001"):
        ponder(AUCTION.rules(), AUCTION.state(), 0, "even", dear, b"1")


def test_who_does_not_think_or_is_not_asked_is_refused():
    with pytest.raises(ValueError, match="strength 0 is the caretaker"):
        think(AUCTION.rules(), AUCTION.state(), 0, Bot(0), b"1")
    with pytest.raises(ValueError, match="seat 1 is asked nothing"):
        think(AUCTION.rules(), AUCTION.state(), 1, Bot(1), b"1")
    with pytest.raises(LookupError, match="no guidance"):
        think(replace(AUCTION.rules(), guidance=None), AUCTION.state(), 0, Bot(1), b"1")


# -- how far a simulation looks, and what the weakest takes for as good

AHEAD = Toy(
    asks=lambda said: {0: ("go", "stay")} if not said else {0: ("on",)},
    ends=lambda said, card: [0, 1] if len(said) == 4 else None,
    looks=lambda said: [float(len(said)), 0.0],
)


@pytest.mark.parametrize("horizons", [0, 1, 2])
def test_a_playout_is_judged_where_the_horizon_has_changed_so_often(horizons):
    effort = Effort(simulations=2, width=2, horizons=horizons)
    thought = ponder(AHEAD.rules(), AHEAD.state(), 0, "even", effort, b"1")
    assert thought.value == pytest.approx(softmax([1.0 + horizons, 0.0])[0])


NEARLY = Toy(
    asks=lambda said: {0: ("best", "nearly", "bad")},
    ends=lambda said, card: None,
    looks=lambda said: [{"best": 1.0, "nearly": 0.95, "bad": -1.0}.get("".join(said), 0.0), 0.0],
)


@pytest.mark.parametrize(
    "slips, chosen",
    [({}, {"best"}), ({3: 0.3}, {"best"}), ({2: 0.003}, {"best"}), ({2: 0.3}, {"best", "nearly"})],
    ids=["never", "another strength", "hardly", "far enough"],
)
def test_who_slips_takes_what_is_nearly_as_good_at_times(slips, chosen):
    rules = NEARLY.rules()
    assert rules.guidance
    rules = replace(rules, guidance=replace(rules.guidance, slips=slips))
    effort = msgspec.structs.replace(effort_of(rules.guidance, 2), simulations=12, width=3, horizons=0)
    several = [ponder(rules, NEARLY.state(), 0, "even", effort, seed) for seed in SEEDS]
    assert {words(thought)[0] for thought in several} == chosen


SEALED = replace(MATCHING, ends=lambda said, card: [int(said[0] == "heads"), int(said[0] != "heads")] if said else None)
"""Heads wins, whatever the rival answers."""


@pytest.mark.parametrize("lax, chosen", [(0.0, {"heads"}), (0.5, {"heads", "tails"})])
def test_who_is_lax_gives_any_sealed_answer_at_times(lax, chosen):
    effort = Effort(simulations=40, width=3, horizons=0, lax=lax)
    several = [ponder(SEALED.rules(), SEALED.state(), 0, "even", effort, seed) for seed in SEEDS]
    assert {words(thought)[0] for thought in several} == chosen


def test_a_move_that_was_hardly_tried_is_no_slip():
    lucky, best = Line((), 0.9, 1), Line((), 0.5, 9)
    assert not _nearly(lucky, best, 0.1)
    assert _nearly(Line((), 0.45, 5), best, 0.1)
