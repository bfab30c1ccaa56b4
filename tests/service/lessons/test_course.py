"""Lessons: every step is reached by its own hint, no legal move leads into a dead end, and nothing else is taken."""

from random import Random

import pytest

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.rulesets import RULESETS
from service.lessons.course import SEAT, place, played, suggestion
from service.lessons.material import lesson_of
from service.lessons.token import LONGEST, MOST, BadToken, items_of

KINDS = [kind for kind in RULESETS if lesson_of(kind) is not None]
MISSING = {"tammany-hall": "place-14-14_end", "city-hall": "activate-health"}
"""A legal move that is not what is asked, after so many moves of the hints."""
AFTER = {"tammany-hall": 0, "city-hall": 3}
HOSTILE = (
    "settle", "settle-boss-99-cube-irish-14", "place-1-2_end_end", "x" * (LONGEST + 1), ".".join(["on"] * (MOST + 1)),
    "..", "on.on.on.on.on.on.on.on.on.on.on.on.on", "end", "%00", "<script>", "-_-", "ON", "place-1-2\nend", "__",
    "bid-irish-999999999999999999999999", "settle-boss-٣-cube-irish-14", "slander-yellow-8-german", "on_on",
    "draft-M5_draft-M5", ".", "place-1-2.", "bid-none",
)  # fmt: skip


def by_hints(kind):
    """The places of a lesson in which every hint is followed."""
    places = [place(kind, ())]
    while not places[-1].is_over:
        item = "_".join(line.replace(" ", "-") for line in suggestion(places[-1]))
        places.append(place(kind, (*places[-1].items, item)))
    return places


@pytest.mark.parametrize("kind", KINDS)
def test_every_step_is_reached_by_its_own_hint(kind):
    """Each in its turn, and its goal is what its moves reach."""
    places = by_hints(kind)
    reached = [step for where in places for step in where.last]
    assert reached == list(lesson_of(kind).step)
    assert all(where.outcome == "reached" for where in places[1:])
    assert [list(suggestion(where)) for where in places[:-1]] == [list(step.moves) for step in reached]


@pytest.mark.parametrize("kind", KINDS)
def test_goals_and_phases_are_those_of_the_game(kind):
    for step in lesson_of(kind).step:
        assert step.goal in RULESETS[kind].lessons.goals


@pytest.mark.parametrize("kind", KINDS)
def test_a_lesson_is_the_same_each_time(kind):
    """Whoever is not the learner plays as before, though nothing of the first time is remembered."""
    first = by_hints(kind)[-1].practice
    place.cache_clear()
    again = by_hints(kind)[-1].practice
    assert (first.past, first.table.game) == (again.past, again.table.game)


@pytest.mark.parametrize("kind", KINDS)
def test_a_move_that_misses_holds_the_game_until_one_goes_on(kind):
    before = by_hints(kind)[AFTER[kind]]
    missed = played(before, MISSING[kind])
    assert (missed.outcome, missed.last, missed.retry) == ("missed", (before.step,), before.items)
    with pytest.raises(BadToken):
        played(missed, MISSING[kind])
    on = place(kind, (*missed.items, "on"))
    assert on.practice.version > missed.practice.version
    assert on.step is not None


def test_a_move_that_puts_the_goal_out_of_reach_misses_it_at_once():
    """The turn goes on, but nothing that is left in it can reach the goal (TH-4.6)."""
    places = by_hints("tammany-hall")
    tried = (
        (0, "place-14-14"),
        (0, "place-2-4"),
        (2, "settle-boss-7-cube-irish-1"),
        (2, "place-6-7"),
        (3, "place-1-2"),
    )
    for after, line in tried:
        missed = played(places[after], line)
        assert (missed.outcome, missed.last) == ("missed", (places[after].step,)), (after, line)
        assert place("tammany-hall", (*missed.items, "on", "end")).practice.version > missed.practice.version, line


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_may_be_left_before_anything_is_played(kind):
    first = place(kind, ())
    left = place(kind, ("on",))
    assert left.practice.version == first.practice.version
    assert left.step != first.step


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", KINDS)
def test_no_legal_move_leads_into_a_dead_end(kind, seed):
    """Whatever is played, the lesson comes to its end, and every step on the way can be suggested or left."""
    rng = Random(f"{kind} {seed}")
    where = place(kind, ())
    while not where.is_over:
        if where.is_held or (where.step is not None and rng.random() < 0.1):
            where = place(kind, (*where.items, "on"))
            continue
        decider = RULESETS[kind].decider
        action = decider.sample(decider.blind(where.practice.table.game, SEAT), SEAT, rng)
        line = RULESETS[kind].notation.write(action)
        where = place(kind, (*where.items, line.replace(" ", "-")))
    assert items_of(".".join(where.items)) == where.items


@pytest.mark.parametrize("token", HOSTILE)
@pytest.mark.parametrize("kind", KINDS)
def test_words_that_are_no_moves_are_refused(kind, token):
    with pytest.raises(BadToken) as refused:
        place(kind, items_of(token))
    assert refused.value.message.endswith(".")


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_rules_forbid_is_refused_with_its_rule(kind):
    with pytest.raises((RuleViolation, OrderNotUnderstood)) as refused:
        played(place(kind, ()), {"tammany-hall": "place-9-9", "city-hall": "draft-Q1"}[kind])
    assert refused.value.rule


def test_a_game_without_a_lesson_has_none():
    with pytest.raises(LookupError):
        place("pennies", ())
