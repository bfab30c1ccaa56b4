"""A finished game as a course of questions: what is asked of it, and what is not."""

import pytest

from domain.audit.verify_history import read_entries
from domain.teacher.course import AskedDecision, Course, DueDraw, NothingToLearn, OpenedBids, course
from tests.domain.table.gamebook import Game, begin, finished
from tests.domain.table.pennies import Hide, Nod, Take
from tests.domain.teacher.toy import GUIDED, guided_pennies


@pytest.fixture(autouse=True, scope="module")
def pennies():
    with guided_pennies():
        yield


def asked(game: Game) -> Course:
    return course(GUIDED, read_entries(game.export())[1])


def decisions(game: Game) -> list[tuple[int, tuple[object, ...]]]:
    return [(q.seat, q.played) for q in asked(game).questions if isinstance(q, AskedDecision)]


def test_each_decision_is_asked_once_with_all_that_was_played_of_it():
    assert decisions(finished()) == [
        (0, (Hide(0),)),
        (1, (Hide(3, "rather"),)),  # the last of two that were sealed
        (1, (Nod(), Take())),
        (0, (Hide(2),)),
        (1, (Hide(1),)),
        (2, (Hide(2, "again"),)),
        (0, (Take(),)),
    ], "and not what the caretaker hid for seat 2"


def test_draws_and_openings_are_asked_about_where_they_stand():
    game = finished()
    names = [type(fact.event).__name__ for fact in game.facts]
    found = asked(game).questions
    assert [names[q.version - 1] for q in found if isinstance(q, DueDraw)] == ["PotDrawn"] * 2
    opened = [q for q in found if isinstance(q, OpenedBids)]
    assert [names[q.version - 1] for q in opened] == ["HandsOpened"] * 2
    assert opened[0].bids == {0: Hide(0), 1: Hide(3, "rather"), 2: Hide(0)}


def test_a_seat_is_asked_with_what_it_knew_and_before_anything_was_hidden():
    first = next(q for q in asked(finished()).questions if isinstance(q, AskedDecision))
    assert (first.known.hands, first.known.notes, first.known.phase) == ({}, {}, "hide")


def test_what_was_taken_back_is_not_asked_about():
    game = begin("ann", "bob", options={"rounds": "1"}).move(0, "hide 3").undo(0).move(0, "hide 1")
    assert decisions(game.move(1, "hide 0").move(0, "take")) == [(0, (Hide(1),)), (1, (Hide(0),)), (0, (Take(),))]


def test_what_was_drawn_anew_is_asked_about_where_it_stands():
    game = begin("ann", "bob").move(0, "hide 3").move(1, "hide 0").move(0, "take")
    back = game.propose_undo(0).agree(1).move(0, "nod", "take")
    over = back.move(0, "hide 2").move(1, "hide 1").move(0, "take")
    found = asked(over)
    assert decisions(over)[2] == (0, (Nod(), Take()))
    undone = {q.version for q in asked(game.move(0, "hide 2").move(1, "hide 1").move(0, "take")).questions}
    draws = [q.version for q in found.questions if isinstance(q, DueDraw)]
    assert len(draws) == 2
    assert draws[1] not in undone


def test_nothing_is_said_of_a_game_that_runs_nor_of_what_is_sealed():
    running = begin("ann", "bob").move(0, "hide 3")
    for lines in (running.export(0), running.export(None)):
        with pytest.raises(NothingToLearn, match="not over"):
            course(GUIDED, read_entries(lines)[1])


def test_nothing_is_said_of_a_game_that_never_began():
    closed = Game(GUIDED).open("ann").sit("ann").leave("ann")
    with pytest.raises(NothingToLearn, match="nothing was played"):
        asked(closed)
