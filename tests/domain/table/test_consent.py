"""Proposals as game records: who is asked, who answers, what carries them out and what takes them off the table."""

import random

import pytest

from domain.table import events as e
from domain.table.consent import LONGEST_EXTENSION, LONGEST_PAUSE, answer, resume, take_back
from domain.table.record import CLOCK
from domain.table.state import Proposal
from domain.table.undo import present_line
from tests.domain.table.gamebook import CLOCK_POLICY, Game, begun
from tests.domain.table.pennies import PENNIES
from tests.domain.table.test_undo import files, same, taken, to_take, wander_back, went_back

pytestmark = pytest.mark.usefixtures("pennies")
HOUR, DAY = 3600, 86_400
ONE_STRIKE = {**CLOCK_POLICY, "strikes": 1}


def proposed(**terms):
    """ann asks bob to go back to before her bid: he has bid since."""
    return begun(**terms).plays(0, "hide 1").plays(1, "hide 2").asks(0, reason="misread")


# Going back


def test_consent_is_asked_of_exactly_the_persons_it_touches():
    game = proposed()
    game.then(e.RewindProposed(0, 6, "misread", [1]))
    assert game.table.proposal == Proposal(0, "rewind", [1], game.table.version, to=6, reason="misread")
    everybody = taken().asks(1)
    assert everybody.table.proposal.asked == [0, 2]


def test_the_consent_of_all_asked_carries_it_out():
    game = taken().asks(1)
    to = game.table.proposal.to
    game = game.agrees(2).recorded("RewindAnswered")
    assert game.table.proposal.agreed == (2,)
    game = game.agrees(0).then(e.RewindAnswered(0, True), e.Rewound(to, 1, "slip", [0, 2]))
    game.see(proposal=None)
    assert [fact.actor for fact in game.last] == [{"seat": 0}, {"seat": 1}]
    assert same(game, to)


def test_one_refusal_ends_it():
    game = taken().asks(1).agrees(0).refuses_it(2)
    game.then(e.RewindAnswered(2, False), e.ProposalDropped(1, "refused")).see(proposal=None)
    assert game.table.game == taken().table.game


def test_who_proposed_may_take_it_back_and_not_agree():
    game = proposed().refuses("own-proposal", lambda it: it.agrees(0))
    game.refuses_it(0).then(e.ProposalDropped(0, "withdrawn")).see(proposal=None)


def test_who_is_not_asked_does_not_answer():
    proposed().refuses("not-asked", lambda it: it.agrees(2)).refuses("not-asked", lambda it: it.refuses_it(2))


def test_nobody_agrees_twice():
    taken().asks(1).agrees(0).refuses("already-answered", lambda it: it.agrees(0))


def test_nothing_is_answered_that_is_not_proposed():
    begun().refuses("no-proposal", lambda it: it.agrees(0))


def test_a_vote_about_the_clock_is_no_vote_about_going_back():
    proposed().refuses("no-proposal", lambda it: it.step(answer, 1, "clock", True))
    begun().proposes(0, "extend", DAY).refuses("no-proposal", lambda it: it.step(answer, 1, "rewind", True))


def test_one_thing_is_proposed_at_a_time():
    game = proposed()
    game.refuses("proposal-open", lambda it: it.asks(0))
    game.refuses("proposal-open", lambda it: it.proposes(2, "pause", DAY))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_who_plays_on_does_not_go_back(seat):
    game = proposed(options={"rounds": "3"}).plays(seat, "hide 3")
    assert e.ProposalDropped(0, "played-on") in [fact.event for fact in game.last]
    game.see(proposal=None)


def test_a_deadline_that_passes_plays_on():
    game = proposed().expires(2)
    assert e.ProposalDropped(0, "played-on") in [fact.event for fact in game.last]


def test_orders_that_act_play_on():
    game = files(proposed(), 2, "hide 1")
    assert e.ProposalDropped(0, "played-on") in [fact.event for fact in game.last]


def test_orders_that_wait_do_not():
    game = files(proposed(), 2, "take")
    assert game.table.proposal is not None


def test_who_takes_back_what_stood_in_the_way_ends_the_proposal():
    """Then it can be taken back freely: nobody needs to be asked."""
    game = proposed().undoes(1)
    game.recorded("ProposalDropped", "Rewound").see(proposal=None)
    assert game.last[-1].event.agreed == []
    assert game.meaning(0).free


def test_going_back_freely_leaves_a_proposal_about_the_clock_where_it_is():
    game = to_take().proposes(0, "extend", DAY).agrees(2).plays(1, "nod")
    assert game.table.proposal is not None
    game = game.undoes(1)
    assert game.last[-1].event.agreed == [], "what was agreed was something else"
    assert game.table.proposal.agreed == (2,)
    game.agrees(1).recorded("ClockAnswered", "TimeExtended")


def test_bots_do_not_stand_in_the_way():
    game = begun("ann", "bob", bots=1).plays(0, "hide 3").plays(1, "hide 0").plays(0, "nod")
    assert game.meaning(0).free
    game = game.plays(0, "take")
    assert {fact.actor.get("seat") for fact in game.last} >= {0, 2}, "the bot has hidden its hand"
    game = game.asks(0)
    assert game.table.proposal.asked == [1]


def test_nobody_draws_again_alone():
    """Bots agree to nothing, the owner of a vacant seat may come back: nobody draws again until it pleases."""
    game = begun("ann", bots=2).plays(0, "hide 3").plays(0, "take")
    game.refuses("needs-consent", lambda it: it.undoes(0))


def test_vacant_seats_are_not_asked():
    game = begun(clock=ONE_STRIKE).expires(2)
    game = game.plays(0, "hide 3").plays(1, "hide 1").plays(0, "take").asks(0)
    assert game.table.proposal.asked == [1]


def test_who_let_go_of_the_seat_neither_proposes_nor_answers_nor_goes_back():
    game = begun(clock=ONE_STRIKE).plays(2, "hide 1").expires(0).plays(1, "hide 0").plays(2, "take")
    assert game.table.chairs[0].vacant
    game.refuses("seat-vacant", lambda it: it.proposes(0, "pause", DAY))
    game.refuses("seat-vacant", lambda it: it.asks(0, it.ends[-2]))
    game = game.proposes(1, "pause", DAY)
    game.refuses("seat-vacant", lambda it: it.refuses_it(0))
    alone = begun("ann", bots=2, clock=ONE_STRIKE)
    meant = alone.plays(0, "hide 3").plays(0, "take").meaning(0)
    gone = alone.plays(0, "hide 3").plays(0, "take")
    gone.table.chairs[0].vacant = True
    gone.refuses("seat-vacant", lambda it: it.step(take_back, 0, meant, "slip", it.at(meant.to)))


def test_who_takes_the_seat_over_answers_for_it():
    game = begun(clock=ONE_STRIKE, options={"rounds": "3"}).proposes(0, "pause", DAY).expires(1).sits("dan")
    assert game.table.proposal.asked == [1, 2]
    game.agrees(1).agrees(2).recorded("ClockAnswered", "ClockPaused")


def test_a_proposal_to_go_back_does_not_outlive_the_game():
    game = begun("ann", "bob", options={"rounds": "1"}).plays(0, "hide 3").plays(1, "hide 1")
    game = game.plays(0, "nod").proposes(1, "extend", DAY).plays(0, "take").see(status="finished", proposal=None)
    game.refuses("game-over", lambda it: it.agrees(0))


def test_a_game_that_is_abandoned_has_no_proposals():
    game = begun("ann", "bob", clock=ONE_STRIKE, options={"rounds": "3"}).proposes(0, "extend", DAY)
    game = game.expires(0).expires(1)
    game.see(status="abandoned", proposal=None)


# The clock


@pytest.mark.parametrize(
    "what, seconds, event",
    [("pause", 7 * DAY, e.ClockPaused("agreed", 7 * DAY)), ("extend", 2 * DAY, e.TimeExtended(2 * DAY))],
)
def test_the_clock_changes_when_everybody_has_agreed(what, seconds, event):
    game = begun().proposes(1, what, seconds).then(e.ClockProposed(1, what, seconds, [0, 2]))
    game = game.agrees(0).see(paused=False).agrees(2)
    game.then(e.ClockAnswered(2, True), event).see(proposal=None, paused=what == "pause")


def test_a_clock_that_stands_runs_again_when_everybody_has_agreed():
    game = begun().proposes(1, "pause", DAY).agrees(0, 2).see(paused=True)
    game = game.proposes(0, "resume", 5).then(e.ClockProposed(0, "resume", 0, [1, 2]))
    game.agrees(1, 2).recorded("ClockAnswered", "ClockResumed").see(paused=False)


def test_one_refusal_leaves_the_clock_as_it_is():
    begun().proposes(1, "pause", DAY).refuses_it(0).recorded("ClockAnswered", "ProposalDropped").see(paused=False)


def test_playing_on_is_no_answer_about_the_clock():
    game = begun().proposes(1, "extend", DAY).plays(0, "hide 1").plays(2, "hide 1")
    assert game.table.proposal is not None


def test_among_bots_it_is_done_at_once():
    begun("ann", bots=2).proposes(0, "pause", DAY).recorded("ClockProposed", "ClockPaused")


def test_who_leaves_is_not_waited_for():
    game = begun(clock=ONE_STRIKE).proposes(0, "extend", DAY).agrees(2).expires(1)
    assert [type(fact.event) for fact in game.last][-2:] == [e.SeatVacated, e.TimeExtended]
    game.see(proposal=None)


def test_who_is_left_is_waited_for():
    game = begun(clock=ONE_STRIKE).proposes(0, "extend", DAY).expires(1)
    assert game.table.proposal is not None
    game.agrees(2).recorded("ClockAnswered", "TimeExtended")


@pytest.mark.parametrize("seconds", [0, -1, HOUR - 1, LONGEST_PAUSE + 1])
def test_a_pause_has_its_bounds(seconds):
    begun().refuses("bad-pause", lambda it: it.proposes(0, "pause", seconds))


@pytest.mark.parametrize("seconds", [HOUR, LONGEST_PAUSE])
def test_a_pause_may_be_as_short_or_long_as_that(seconds):
    begun().proposes(0, "pause", seconds).recorded("ClockProposed")


@pytest.mark.parametrize("seconds", [0, HOUR - 1, LONGEST_EXTENSION + 1])
def test_more_time_has_its_bounds(seconds):
    begun().refuses("bad-extension", lambda it: it.proposes(0, "extend", seconds))


def test_what_makes_no_sense_is_not_proposed():
    game = begun().refuses("not-paused", lambda it: it.proposes(0, "resume"))
    game = game.proposes(0, "pause", DAY).agrees(1, 2)
    game.refuses("already-paused", lambda it: it.proposes(0, "pause", DAY))
    game.refuses("already-paused", lambda it: it.proposes(0, "extend", DAY))


def test_the_game_can_be_gone_back_in_while_the_clock_stands():
    game = to_take().proposes(0, "pause", DAY).agrees(1, 2).plays(1, "nod").undoes(1).see(paused=True)
    game = game.plays(1, "take").asks(1).agrees(0, 2).see(paused=True)
    game.proposes(0, "resume").agrees(1, 2).see(paused=False)


def test_a_wish_to_go_back_waits_for_its_answers_whether_the_clock_runs_or_stands():
    game = to_take().proposes(0, "pause", DAY).agrees(1, 2).plays(1, "take").asks(1)
    wish = game.table.proposal
    game = game.step(resume, CLOCK, "over").see(paused=False, proposal=wish)
    game.agrees(0, 2).see(proposal=None).recorded("RewindAnswered", "Rewound")


def test_who_is_waited_for_is_not_asked_whether_to_go_on():
    """A clock that stands for an answer would stand for ever: who does not answer does not vote."""
    game = begun(clock={**CLOCK_POLICY, "on_timeout": "pause"}).expires(0).see(paused=True, late=0)
    game.proposes(1, "resume").agrees(2).see(paused=False, late=None).recorded("ClockAnswered", "ClockResumed")


def test_a_pause_that_is_over_ends_once():
    game = begun().proposes(0, "pause", DAY).agrees(1, 2).step(resume, CLOCK, "over").then(e.ClockResumed("over"))
    game.refuses("not-paused", lambda it: it.step(resume, CLOCK, "over"))


def test_the_clock_is_not_proposed_about_before_the_start_or_after_the_end():
    waiting = Game(PENNIES).opens().sits("ann")
    waiting.refuses("not-started", lambda it: it.proposes(0, "pause", DAY))
    over = to_take(options={"rounds": "1"}).plays(1, "take")
    over.refuses("game-over", lambda it: it.proposes(0, "pause", DAY))


# What the two never do


def test_nobody_goes_back_without_the_consent_of_who_it_touches():
    """In random games: who acted since, and everybody where chance did, has agreed, unless nobody plays the seat."""
    times = 0
    for seed in range(12):
        game = wander_back(begun(options={"rounds": "3"}), random.Random(seed), back=0.5)
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
