"""Resigning as game records: each resignation, its consequences, and verification of the history."""

import pytest

from domain.city_hall import CITY_HALL
from domain.table import events as e
from domain.table.operating import vacate
from domain.tammany_hall import TAMMANY_HALL
from tests.domain.table.gamebook import CLOCK_POLICY, Game, begin, finished
from tests.domain.table.pennies import PENNIES, PennyHidden
from tests.domain.table.test_bots import PATIENT
from tests.domain.table.test_operating import holds

pytestmark = pytest.mark.usefixtures("pennies")
DAY = 86_400


def test_a_player_resigns_and_the_caretaker_plays_the_seat_at_once():
    game = begin().resign("bob")
    holds(game).then(e.SeatVacated(1, "resigned"), e.CaretakerActed(1, "vacant"), PennyHidden(1, 0, ""))
    assert [fact.actor for fact in game.last[:2]] == [{"seat": 1}, {"clock": True}]
    game.see(status="running", resigned=frozenset({"bob"}))


def test_who_resigned_does_not_get_a_seat_back_and_a_newcomer_does():
    game = begin().resign("bob").refused("player-resigned", lambda game: game.sit("bob"))
    game.refused("player-resigned", lambda game: game.resign("bob"))
    taken = holds(game.sit("dan")).then(e.SeatTakenOver(1, "dan"))
    taken.operate(vacate, 1).refused("player-resigned", lambda game: game.sit("bob"))
    holds(game.put_bot(1, PATIENT))


def test_who_resigned_is_not_told_to_take_the_seat_back():
    begin().resign("bob").refused("player-resigned", lambda game: game.propose_clock(1, "pause", DAY))
    begin().operate(vacate, 1).refused("seat-vacant", lambda game: game.propose_clock(1, "pause", DAY))


def test_a_resignation_is_refused_before_the_start_after_the_end_and_from_a_seat_nobody_plays():
    Game(PENNIES).open().sit("ann").refused("not-started", lambda game: game.resign("ann"))
    finished().refused("game-over", lambda game: game.resign("ann"))
    begin().refused("not-seated", lambda game: game.resign("dan"))
    begin().operate(vacate, 1).refused("seat-vacant", lambda game: game.resign("bob"))


def test_a_sealed_bid_stands_and_is_opened():
    game = begin().move(1, "hide 3").resign("bob").then(e.SeatVacated(1, "resigned"))
    game = game.move(0, "hide 1").move(2, "hide 1")
    holds(game)
    opened = [fact.event for fact in game.facts if getattr(fact.event, "hands", None)]
    assert opened[-1].hands == {"0": 1, "1": 3, "2": 1}


def test_standing_orders_and_proposals_are_withdrawn_and_a_pause_for_the_late_seat_ends():
    late = begin(clock={**CLOCK_POLICY, "on_timeout": "pause"}).expire(0).see(late=0).resign("ann")
    holds(late).see(paused=False, late=None)
    asked = begin().propose_clock(1, "pause", DAY).resign("bob")
    holds(asked).recorded("ProposalDropped", "SeatVacated", "CaretakerActed", "PennyHidden").see(proposal=None)
    waiting = begin().propose_clock(0, "pause", DAY).agree(2).resign("bob")
    holds(waiting).see(paused=True)


def test_the_last_person_wins_with_the_scores_as_they_stand():
    game = begin("ann", "bob").resign("ann")
    holds(game).recorded("SeatVacated", "GameFinished", "SeedRevealed").see(status="finished")
    assert game.last[1].event == e.GameFinished([1], game.table.game.scores, "resigned")
    three = begin().resign("ann").see(status="running").resign("cyd")
    assert holds(three).last[-2].event.winners == [1]


def test_a_game_with_a_bot_goes_on_and_one_without_people_is_abandoned():
    holds(begin("ann", "bob", bots=1).resign("ann")).see(status="running")
    alone = holds(begin("ann", bots=1).resign("ann")).see(status="abandoned")
    assert alone.last[-2].event == e.GameAbandoned("nobody-left")


@pytest.mark.parametrize("rules", [TAMMANY_HALL, CITY_HALL], ids=lambda rules: rules.kind)
def test_each_game_tells_its_scores_at_any_time(rules):
    game = begin("ann", "bob", "cyd", rules=rules).resign("cyd").resign("ann")
    end = holds(game).last[-2].event
    assert (end.winners, end.reason, len(end.scores)) == ([1], "resigned", 3)
