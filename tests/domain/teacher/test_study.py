"""What the teacher says of a decision, a draw and a bid; from what a seat knew then, and the same every time."""

import lzma
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.audit.comparison import Entry
from domain.audit.verify_history import read_entries
from domain.engine.game import Seat
from domain.search.strengths import EFFORTS, Effort
from domain.tammany_hall.rules.events import BidSealed, BidsRevealed
from domain.teacher import draws
from domain.teacher.course import AskedDecision, Course, DueDraw, OpenedBids, course
from domain.teacher.findings import Finding, JudgedBid, JudgedDecision, JudgedDraw
from domain.teacher.study import study
from domain.teacher.summary import summary
from tests.domain.table.gamebook import Game, begin
from tests.domain.teacher.toy import EFFORT, GUIDED, guided_pennies

GAMES = Path(__file__).parents[2] / "archive" / "games"
TINY = Effort(simulations=4, width=3, horizons=0)


@pytest.fixture(autouse=True, scope="module")
def pennies():
    """Few playouts of each draw: what they cost is no matter here."""
    with guided_pennies(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(draws, "FEWEST", 4)
        yield


def archived(name: str) -> tuple[Any, list[Entry]]:
    kept, entries, _ = read_entries(lzma.decompress((GAMES / f"{name}.ndjson.xz").read_bytes()).splitlines())
    return kept.rules, entries


def one_round(first: str, second: str, third: str = "hide 0") -> Game:
    game = begin(options={"rounds": "1"}).move(2, third).move(1, second).move(0, first)
    return game.move(game.table.game.caller, "take")


def asked(game: Game) -> Course:
    return course(GUIDED, read_entries(game.export())[1])


def found(game: Game) -> list[Finding]:
    course = asked(game)
    return [finding for question in course.questions for finding in study(course, question, EFFORT)]


def decision(findings: Sequence[Finding], seat: Seat) -> JudgedDecision:
    return next(one for one in findings if isinstance(one, JudgedDecision) and one.seat == seat)


def test_a_bad_move_is_told_from_a_good_one_with_what_would_have_been_better():
    """Seat 0 takes every pot for three pennies: equals go to the lowest seat."""
    judged = decision(found(one_round("hide 0", "hide 1")), 0)
    assert judged.verdict in ("mistake", "blunder")
    assert judged.lines[0].move == ["hide 3"]
    assert judged.loss == pytest.approx(judged.best - judged.played.value, abs=0.001)
    assert judged.lines[0].why["with"] == {"count": 3}


def test_the_best_move_loses_nothing():
    judged = decision(found(one_round("hide 3", "hide 1")), 0)
    assert (judged.verdict, judged.loss, judged.played.move) == ("best", 0.0, ["hide 3"])


def test_every_bid_is_told_its_worth_and_what_would_have_won():
    bids = {one.seat: one for one in found(one_round("hide 1", "hide 2")) if isinstance(one, JudgedBid)}
    assert [(bids[seat].price, bids[seat].won, bids[seat].least) for seat in range(3)] == [
        (1, False, 2),
        (2, True, 2),
        (0, False, 3),
    ]


def test_what_is_found_is_the_same_every_time():
    game = one_round("hide 1", "hide 2")
    assert found(game) == found(game)


def test_twin_law_another_hand_changes_nothing_of_what_a_seat_is_told():
    """Whatever seat 1 had hidden before seat 0 did: the lines of seat 0 are the same."""
    told = [decision(found(one_round("hide 3", hidden)), 0) for hidden in ("hide 0", "hide 2", "hide 3 a secret")]
    assert told[0] == told[1] == told[2]


@pytest.mark.slow
def test_twin_law_another_bid_changes_nothing_of_what_a_bidder_is_told():
    rules, entries = archived("tammany-hall-troubled-0")
    opening = next(entry for entry in entries if isinstance(entry.event, BidsRevealed) and len(entry.event.bids) > 1)
    sealed = [entry for entry in entries[: opening.version] if isinstance(entry.event, BidSealed)]
    other = next(entry for entry in sealed if entry.event.ward == opening.event.ward)
    twin = replace(other, event=msgspec.structs.replace(other.event, chips={}), text="bid none")
    end = entries[-1]

    def lines(bid: Entry) -> list[Finding]:
        told = [*entries[: other.version - 1], bid, *entries[other.version : opening.version - 1], end]
        school = course(rules, told)
        mine = [q for q in school.questions if isinstance(q, AskedDecision) and q.seat != other.event.seat]
        return [finding for question in mine[-3:] for finding in study(school, question, TINY)]

    assert lines(other) == lines(twin)


def test_a_decision_is_judged_from_a_blind_state_and_no_more():
    rules, entries = archived("city-hall-votes-39")
    for question in course(rules, entries).questions:
        if isinstance(question, AskedDecision):
            assert question.known == rules.decider.blind(question.known, question.seat)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tammany-hall-troubled-0", "city-hall-troubled-0"])
def test_a_game_with_trouble_in_it_is_studied_from_end_to_end(name):
    rules, entries = archived(name)
    school = course(rules, entries)
    questions = school.questions[:: max(1, len(school.questions) // 12)]
    questions += [question for question in school.questions if not isinstance(question, AskedDecision)][:4]
    findings = [finding for question in questions for finding in study(school, question, TINY)]
    assert msgspec.json.decode(msgspec.json.encode(findings), type=list[Finding]) == findings
    for one in findings:
        if isinstance(one, JudgedDecision):
            assert 0 <= one.loss <= one.best
            assert one.played.move not in [line.move for line in one.lines]
        elif isinstance(one, JudgedDraw):
            assert sum(one.luck(seat) for seat in range(school.seats)) == pytest.approx(0, abs=0.01)
    told = summary(findings, range(school.seats))
    assert [one.seat for one in told] == list(range(school.seats))
    assert all(one.worst == sorted(one.worst, key=lambda found: -found.loss) for one in told)


@pytest.mark.slow
def test_kinds_of_questions_of_the_archive():
    """Tammany Hall has all three; City Hall bids openly."""
    kinds = {type(question) for question in course(*archived("tammany-hall-troubled-0")).questions}
    assert kinds == {AskedDecision, DueDraw, OpenedBids}
    kinds = {type(question) for question in course(*archived("city-hall-troubled-0")).questions}
    assert kinds == {AskedDecision, DueDraw}


def test_without_guidance_nothing_can_be_said():
    school = asked(one_round("hide 3", "hide 1"))
    mute = Course(replace(GUIDED, guidance=None), school.seats, school.key, school.questions)
    with pytest.raises(LookupError, match="no guidance"):
        study(mute, school.questions[0], EFFORTS[1])
