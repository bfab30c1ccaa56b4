"""The clock of a game, folded from its log: who was asked what and until when, and what makes a version stale."""

from dataclasses import replace

import pytest

from domain.engine.game import Event
from domain.table import events as e
from domain.table.clock import fold_clock, is_fresh
from domain.table.record import Due
from domain.table.undo import Past
from tests.domain.table.gamebook import Game, begin

pytestmark = pytest.mark.usefixtures("pennies")

TIMES = [f"2031-03-{day:02}T12:00:00.000000Z" for day in range(1, 29)]


@pytest.fixture
def begun() -> Game:
    """Three people are asked to hide pennies."""
    return begin()


def told(game: Game, dues: dict[int, Due]) -> list[Past]:
    """The history of a game whose events carry these deadlines, an event a day."""
    return [
        replace(past, at=TIMES[past.version - 1], due=dues.get(past.version))
        for past in game.past()
    ]  # fmt: skip


def clock_event(past: list[Past], event: Event, due: Due) -> list[Past]:
    """The same with an event of the clock after it."""
    number = len(past)
    return [*past, Past(number + 1, {"clock": True}, f"clock {number}", event, at=TIMES[number], due=due)]


def test_a_question_carries_its_deadline_and_what_moved_it(begun: Game) -> None:
    first = len(begun.facts)
    past = told(begun, {first: {"0": TIMES[20], "1": TIMES[20], "2": TIMES[20]}})
    past = clock_event(past, e.DeadlineMoved("player"), {"1": TIMES[22]})
    past = clock_event(past, e.ClockPaused("agreed", 0), {"0": None, "1": None, "2": None})
    past = clock_event(past, e.ClockResumed("agreed"), {"0": TIMES[23], "1": TIMES[25], "2": TIMES[23]})
    clock = fold_clock(begun.rules, past)
    assert {seat: (question.since, question.due) for seat, question in clock.asked.items()} == {
        0: (first, TIMES[23]), 1: (first, TIMES[25]), 2: (first, TIMES[23]),
    }  # fmt: skip
    assert [(one.version, one.due, type(one.by).__name__) for one in clock.asked[1].told] == [
        (first, TIMES[20], "NoneType"), (first + 1, TIMES[22], "DeadlineMoved"), (first + 2, None, "ClockPaused"),
        (first + 3, TIMES[25], "ClockResumed"),
    ]  # fmt: skip
    assert clock.latest_told(1, clock.asked[1].decision) == TIMES[25]


def test_a_question_that_is_answered_is_over_and_one_that_stands_is_not_asked_anew(begun: Game) -> None:
    first = len(begun.facts)
    game = begun.move(0, "hide 1")
    clock = fold_clock(game.rules, told(game, {first: {"0": TIMES[20], "1": TIMES[20], "2": TIMES[20]}}))
    assert sorted(clock.asked) == [1, 2]
    (over,) = clock.over
    assert (over.seat, over.since, over.ended, over.due) == (0, first, len(game.facts), TIMES[20])


def test_what_is_taken_back_alone_is_asked_again_since_it_was_asked_at_first(begun: Game) -> None:
    first = len(begun.facts)
    game = begun.move(0, "hide 1")
    played = len(game.facts)
    game = game.undo(0)
    dues: dict[int, Due] = {first: {"0": TIMES[20], "1": TIMES[20], "2": TIMES[20]}, len(game.facts): {"0": TIMES[21]}}
    clock = fold_clock(game.rules, told(game, dues))
    question = clock.asked[0]
    assert (question.since, question.began) == (len(game.facts), TIMES[first - 1])
    assert question.earlier is not None
    assert (question.earlier.ended, question.earlier.due) == (played, TIMES[20])
    assert [type(one.by).__name__ for one in question.told] == ["Rewound"]
    assert clock.asked[1].since == first, "nobody else is asked anew"


def test_a_deadline_that_passed_is_known_with_what_came_of_it(begun: Game) -> None:
    first = len(begun.facts)
    game = begun.expire(0)
    clock = fold_clock(game.rules, told(game, {first: {"0": TIMES[10], "1": TIMES[20], "2": TIMES[20]}}))
    (missed,) = clock.missed
    assert (missed.version, missed.question.seat, missed.due) == (first + 1, 0, TIMES[10])
    assert (missed.strikes, missed.waits, missed.vacant) == (1, False, False)


def test_in_the_midst_of_a_request_a_question_has_no_deadline_yet(begun: Game) -> None:
    first = len(begun.facts)
    past = told(begun, {first: {"0": TIMES[20]}})
    clock = fold_clock(begun.rules, past[:-1])
    assert all(not question.told for question in clock.asked.values())


def test_what_makes_a_version_stale_for_a_seat(begun: Game) -> None:
    """By what came after it: whether seat 1 may still answer as it had seen the game (DESIGN 2)."""
    sealed, own = begun.move(0, "hide 1"), begun.move(1, "hide 1")
    proposed = begun.propose_clock(0, "extend", 3600)
    opened = begun.move(0, "hide 1").move(1, "hide 1").move(2, "hide 2")
    since = len(begun.facts)
    for what, game, fresh in (
        ("another sealed", sealed, True), ("it sealed itself", own, False), ("a proposal", proposed, True),
        ("all was opened", opened, False), ("a deadline missed", begun.expire(0), False), ("nothing", begun, True),
    ):  # fmt: skip
        assert is_fresh(game.past()[since:], 1) == fresh, what
    for event in (e.DeadlineMoved("service", 1), e.ClockPaused("agreed", 0), e.TimeExtended(3600)):
        moved = clock_event(begun.past(), event, {})
        assert is_fresh(moved[since:], 1)
        assert is_fresh(moved[since:], 1, consents=True) == isinstance(event, e.DeadlineMoved)
    for event in (e.SeatVacated(2), e.SeatTakenOver(2, "p_x")):
        assert not is_fresh(clock_event(begun.past(), event, {})[since:], 1)
    assert not is_fresh(proposed.past()[since:], 1, consents=True), "another proposal is another question"
