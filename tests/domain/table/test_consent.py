"""Proposals as game records: who is asked, who answers, what carries them out and what takes them off the table."""

import random

import pytest

from domain.table import events as e
from domain.table.consent import LONGEST_EXTENSION, LONGEST_PAUSE, answer, resume, take_back
from domain.table.record import CLOCK
from domain.table.state import Proposal
from domain.table.undo import present_line
from tests.domain.table.gamebook import CLOCK_POLICY, Game, begin
from tests.domain.table.pennies import PENNIES
from tests.domain.table.test_undo import files, same, taken, to_take, wander_back, went_back

pytestmark = pytest.mark.usefixtures("pennies")
HOUR, DAY = 3600, 86_400
ONE_STRIKE = {**CLOCK_POLICY, "strikes": 1}


def proposed(**terms):
    """ann asks bob to go back to before her bid: he has bid since."""
    return begin(**terms).move(0, "hide 1").move(1, "hide 2").propose_undo(0, reason="misread")


# Going back


def test_consent_is_asked_of_exactly_the_persons_it_touches():
    game = proposed()
    game.then(e.RewindProposed(0, 6, "misread", [1]))
    assert game.table.proposal == Proposal(0, "rewind", [1], game.table.version, to=6, reason="misread")
    everybody = taken().propose_undo(1)
    assert everybody.table.proposal.asked == [0, 2]


def test_the_consent_of_all_asked_carries_it_out():
    game = taken().propose_undo(1)
    to = game.table.proposal.to
    game = game.agree(2).recorded("RewindAnswered")
    assert game.table.proposal.agreed == (2,)
    game = game.agree(0).then(e.RewindAnswered(0, True), e.Rewound(to, 1, "slip", [0, 2]))
    game.see(proposal=None)
    assert [fact.actor for fact in game.last] == [{"seat": 0}, {"seat": 1}]
    assert same(game, to)


def test_one_refusal_ends_it():
    game = taken().propose_undo(1).agree(0).disagree(2)
    game.then(e.RewindAnswered(2, False), e.ProposalDropped(1, "refused")).see(proposal=None)
    assert game.table.game == taken().table.game


def test_who_proposed_may_take_it_back_and_not_agree():
    game = proposed().refused("own-proposal", lambda it: it.agree(0))
    game.disagree(0).then(e.ProposalDropped(0, "withdrawn")).see(proposal=None)


def test_who_is_not_asked_does_not_answer():
    proposed().refused("not-asked", lambda it: it.agree(2)).refused("not-asked", lambda it: it.disagree(2))


def test_nobody_agrees_twice():
    taken().propose_undo(1).agree(0).refused("already-answered", lambda it: it.agree(0))


def test_nothing_is_answered_that_is_not_proposed():
    begin().refused("no-proposal", lambda it: it.agree(0))


def test_a_vote_about_the_clock_is_no_vote_about_going_back():
    proposed().refused("no-proposal", lambda it: it.step(answer, 1, "clock", True))
    begin().propose_clock(0, "extend", DAY).refused("no-proposal", lambda it: it.step(answer, 1, "rewind", True))


def test_one_thing_is_proposed_at_a_time():
    game = proposed()
    game.refused("proposal-open", lambda it: it.propose_undo(0))
    game.refused("proposal-open", lambda it: it.propose_clock(2, "pause", DAY))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_who_plays_on_does_not_go_back(seat):
    game = proposed(options={"rounds": "3"}).move(seat, "hide 3")
    assert e.ProposalDropped(0, "played-on") in [fact.event for fact in game.last]
    game.see(proposal=None)


def test_a_deadline_that_passes_plays_on():
    game = proposed().expire(2)
    assert e.ProposalDropped(0, "played-on") in [fact.event for fact in game.last]


def test_orders_that_act_play_on():
    game = files(proposed(), 2, "hide 1")
    assert e.ProposalDropped(0, "played-on") in [fact.event for fact in game.last]


def test_orders_that_wait_do_not():
    game = files(proposed(), 2, "take")
    assert game.table.proposal is not None


def test_who_takes_back_what_stood_in_the_way_ends_the_proposal():
    """Then it can be taken back freely: nobody needs to be asked."""
    game = proposed().undo(1)
    game.recorded("ProposalDropped", "Rewound").see(proposal=None)
    assert game.last[-1].event.agreed == []
    assert game.meaning(0).free


def test_going_back_freely_leaves_a_proposal_about_the_clock_where_it_is():
    game = to_take().propose_clock(0, "extend", DAY).agree(2).move(1, "nod")
    assert game.table.proposal is not None
    game = game.undo(1)
    assert game.last[-1].event.agreed == [], "what was agreed was something else"
    assert game.table.proposal.agreed == (2,)
    game.agree(1).recorded("ClockAnswered", "TimeExtended")


def test_bots_do_not_stand_in_the_way():
    game = begin("ann", "bob", bots=1).move(0, "hide 3").move(1, "hide 0").move(0, "nod")
    assert game.meaning(0).free
    game = game.move(0, "take")
    assert {fact.actor.get("seat") for fact in game.last} >= {0, 2}, "the bot has hidden its hand"
    game = game.propose_undo(0)
    assert game.table.proposal.asked == [1]


def test_nobody_draws_again_alone():
    """Bots agree to nothing, the owner of a vacant seat may come back: nobody draws again until it pleases."""
    game = begin("ann", bots=2).move(0, "hide 3").move(0, "take")
    game.refused("needs-consent", lambda it: it.undo(0))


def test_vacant_seats_are_not_asked():
    game = begin(clock=ONE_STRIKE).expire(2)
    game = game.move(0, "hide 3").move(1, "hide 1").move(0, "take").propose_undo(0)
    assert game.table.proposal.asked == [1]


def test_who_let_go_of_the_seat_neither_proposes_nor_answers_nor_goes_back():
    game = begin(clock=ONE_STRIKE).move(2, "hide 1").expire(0).move(1, "hide 0").move(2, "take")
    assert game.table.chairs[0].vacant
    game.refused("seat-vacant", lambda it: it.propose_clock(0, "pause", DAY))
    game.refused("seat-vacant", lambda it: it.propose_undo(0, it.ends[-2]))
    game = game.propose_clock(1, "pause", DAY)
    game.refused("seat-vacant", lambda it: it.disagree(0))
    alone = begin("ann", bots=2, clock=ONE_STRIKE)
    meant = alone.move(0, "hide 3").move(0, "take").meaning(0)
    gone = alone.move(0, "hide 3").move(0, "take")
    gone.table.chairs[0].vacant = True
    gone.refused("seat-vacant", lambda it: it.step(take_back, 0, meant, "slip", it.at(meant.to)))


def test_who_takes_the_seat_over_answers_for_it():
    game = begin(clock=ONE_STRIKE, options={"rounds": "3"}).propose_clock(0, "pause", DAY).expire(1).sit("dan")
    assert game.table.proposal.asked == [1, 2]
    game.agree(1).agree(2).recorded("ClockAnswered", "ClockPaused")


def test_a_proposal_to_go_back_does_not_outlive_the_game():
    game = begin("ann", "bob", options={"rounds": "1"}).move(0, "hide 3").move(1, "hide 1")
    game = game.move(0, "nod").propose_clock(1, "extend", DAY).move(0, "take").see(status="finished", proposal=None)
    game.refused("game-over", lambda it: it.agree(0))


def test_a_game_that_is_abandoned_has_no_proposals():
    game = begin("ann", "bob", clock=ONE_STRIKE, options={"rounds": "3"}).propose_clock(0, "extend", DAY)
    game = game.expire(0).expire(1)
    game.see(status="abandoned", proposal=None)


# The clock


@pytest.mark.parametrize(
    "what, seconds, event",
    [("pause", 7 * DAY, e.ClockPaused("agreed", 7 * DAY)), ("extend", 2 * DAY, e.TimeExtended(2 * DAY))],
)
def test_the_clock_changes_when_everybody_has_agreed(what, seconds, event):
    game = begin().propose_clock(1, what, seconds).then(e.ClockProposed(1, what, seconds, [0, 2]))
    game = game.agree(0).see(paused=False).agree(2)
    game.then(e.ClockAnswered(2, True), event).see(proposal=None, paused=what == "pause")


def test_a_clock_that_stands_runs_again_when_everybody_has_agreed():
    game = begin().propose_clock(1, "pause", DAY).agree(0, 2).see(paused=True)
    game = game.propose_clock(0, "resume", 5).then(e.ClockProposed(0, "resume", 0, [1, 2]))
    game.agree(1, 2).recorded("ClockAnswered", "ClockResumed").see(paused=False)


def test_one_refusal_leaves_the_clock_as_it_is():
    begin().propose_clock(1, "pause", DAY).disagree(0).recorded("ClockAnswered", "ProposalDropped").see(paused=False)


def test_playing_on_is_no_answer_about_the_clock():
    game = begin().propose_clock(1, "extend", DAY).move(0, "hide 1").move(2, "hide 1")
    assert game.table.proposal is not None


def test_among_bots_it_is_done_at_once():
    begin("ann", bots=2).propose_clock(0, "pause", DAY).recorded("ClockProposed", "ClockPaused")


def test_who_leaves_is_not_waited_for():
    game = begin(clock=ONE_STRIKE).propose_clock(0, "extend", DAY).agree(2).expire(1)
    assert [type(fact.event) for fact in game.last][-2:] == [e.SeatVacated, e.TimeExtended]
    game.see(proposal=None)


def test_who_is_left_is_waited_for():
    game = begin(clock=ONE_STRIKE).propose_clock(0, "extend", DAY).expire(1)
    assert game.table.proposal is not None
    game.agree(2).recorded("ClockAnswered", "TimeExtended")


@pytest.mark.parametrize("seconds", [0, -1, HOUR - 1, LONGEST_PAUSE + 1])
def test_a_pause_has_its_bounds(seconds):
    begin().refused("bad-pause", lambda it: it.propose_clock(0, "pause", seconds))


@pytest.mark.parametrize("seconds", [HOUR, LONGEST_PAUSE])
def test_a_pause_may_be_as_short_or_long_as_that(seconds):
    begin().propose_clock(0, "pause", seconds).recorded("ClockProposed")


@pytest.mark.parametrize("seconds", [0, HOUR - 1, LONGEST_EXTENSION + 1])
def test_more_time_has_its_bounds(seconds):
    begin().refused("bad-extension", lambda it: it.propose_clock(0, "extend", seconds))


def test_what_makes_no_sense_is_not_proposed():
    game = begin().refused("not-paused", lambda it: it.propose_clock(0, "resume"))
    game = game.propose_clock(0, "pause", DAY).agree(1, 2)
    game.refused("already-paused", lambda it: it.propose_clock(0, "pause", DAY))
    game.refused("already-paused", lambda it: it.propose_clock(0, "extend", DAY))


def test_the_game_can_be_gone_back_in_while_the_clock_stands():
    game = to_take().propose_clock(0, "pause", DAY).agree(1, 2).move(1, "nod").undo(1).see(paused=True)
    game = game.move(1, "take").propose_undo(1).agree(0, 2).see(paused=True)
    game.propose_clock(0, "resume").agree(1, 2).see(paused=False)


def test_a_wish_to_go_back_waits_for_its_answers_whether_the_clock_runs_or_stands():
    game = to_take().propose_clock(0, "pause", DAY).agree(1, 2).move(1, "take").propose_undo(1)
    wish = game.table.proposal
    game = game.step(resume, CLOCK, "over").see(paused=False, proposal=wish)
    game.agree(0, 2).see(proposal=None).recorded("RewindAnswered", "Rewound")


def test_who_is_waited_for_is_not_asked_whether_to_go_on():
    """A clock that stands for an answer would stand for ever: who does not answer does not vote."""
    game = begin(clock={**CLOCK_POLICY, "on_timeout": "pause"}).expire(0).see(paused=True, late=0)
    game.propose_clock(1, "resume").agree(2).see(paused=False, late=None).recorded("ClockAnswered", "ClockResumed")


def test_a_pause_that_is_over_ends_once():
    game = begin().propose_clock(0, "pause", DAY).agree(1, 2).step(resume, CLOCK, "over").then(e.ClockResumed("over"))
    game.refused("not-paused", lambda it: it.step(resume, CLOCK, "over"))


def test_the_clock_is_not_proposed_about_before_the_start_or_after_the_end():
    waiting = Game(PENNIES).open().sit("ann")
    waiting.refused("not-started", lambda it: it.propose_clock(0, "pause", DAY))
    over = to_take(options={"rounds": "1"}).move(1, "take")
    over.refused("game-over", lambda it: it.propose_clock(0, "pause", DAY))


# What the two never do


def test_nobody_goes_back_without_the_consent_of_who_it_touches():
    """In random games: who acted since, and everybody where chance did, has agreed, unless nobody plays the seat."""
    times = 0
    for seed in range(12):
        game = wander_back(begin(options={"rounds": "3"}), random.Random(seed), back=0.5)
        for version in went_back(game):
            event, times = game.facts[version - 1].event, times + 1
            line = present_line(game.past()[: version - 1])
            acts = [one for one in line if one.version > event.to and type(one.event) in game.rules.decider.evolve]
            touched = {one.actor["seat"] for one in acts if "seat" in one.actor}
            if any("chance" in one.actor or "clock" in one.actor for one in acts):
                touched = {0, 1, 2}
            present = {seat for seat, chair in enumerate(game.at(version - 1).chairs) if not chair.automatic}
            assert (touched & present) - {event.seat} <= set(event.agreed), f"game {seed} at {version}"
    assert times > 20
