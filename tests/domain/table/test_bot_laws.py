"""Laws over tables at which people and bots come and go at random: nothing is lost, and nobody thinks for a bot."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.audit.redecide import retrace
from domain.engine.bots import STRENGTHS, TEMPERS, Bot
from domain.engine.game import Seat
from domain.history.codec import history
from domain.table import events as e
from domain.table.evolve import apply, fold
from domain.table.proposals import missing, persons
from domain.table.state import Table
from tests.archive.tables import Story, anything
from tests.domain.table.gamebook import pennies
from tests.domain.table.pennies import PENNIES

__all__ = ["pennies"]
pytestmark = pytest.mark.usefixtures("pennies")
STEPS = 60


class Coming(Story):
    """A table at which all that concerns seats happens at random."""

    def a_bot(self) -> Bot:
        return Bot(self.chance.choice(STRENGTHS), self.chance.choice(TEMPERS))

    def a_seat(self) -> Seat:
        return self.chance.randrange(len(self.table.chairs))

    def come(self) -> None:
        """Somebody new sits down, or somebody who had left."""
        known = [chair.player for chair in self.table.chairs if chair.player]
        self.sit(self.chance.choice([*known, f"p_new{self.steps}"]))

    def go(self) -> None:
        """Somebody leaves, before the start or for good."""
        known = [chair.player for chair in self.table.chairs if chair.player]
        if known:
            player = self.chance.choice(known)
            gone = self.give_up if self.chance.random() < 0.5 else self.resign
            _ = self.leave(player) if self.table.status == "open" else gone(player)

    def wait(self) -> None:
        """A deadline passes, if the one who is asked owes any."""
        self.expire(self.a_seat())

    def ask(self) -> None:
        """Somebody would go back, or stop the clock; those who are asked answer."""
        present = persons(self.table)
        if self.table.status == "running" and present:
            seat = self.chance.choice(present)
            to = self.table.version - self.chance.randrange(1, 12)
            _ = self.undo(seat, to, "agreed") if self.chance.random() < 0.7 else self.propose_clock(seat, "extend")
        while (proposal := self.table.proposal) is not None and (asked := missing(self.table, proposal)):
            if not self.answer(asked[0], agrees=self.chance.random() < 0.8):
                return

    def play_on(self) -> None:
        """One of those who are asked moves: a person, or a bot that has thought."""
        if self.table.status == "running":
            seat = self.chance.choice(sorted(self.rules.decider.awaiting(self.table.game)))
            seen = self.rules.decider.blind(self.table.game, seat)
            assert self.move(seat, anything(self.chance, self.rules, seen, seat))

    def anything_happens(self) -> None:
        chances: list[tuple[int, Callable[[], object]]] = [
            (10, self.play_on), (3, self.come), (1, self.go), (3, self.wait), (2, self.ask),
            (6, lambda: self.put_bot(self.a_seat(), self.a_bot())), (3, lambda: self.remove_bot(self.a_seat())),
        ]  # fmt: skip
        (what,) = self.chance.choices([what for _, what in chances], [weight for weight, _ in chances])
        what()


def told(seed: int) -> Coming:
    """A story that goes on for some time, or to its end."""
    chance = random.Random(seed)
    terms = {"strikes": chance.choice([1, 2]), "on_timeout": chance.choice(["caretaker", "pause"])}
    story = Coming(PENNIES, chance)
    story.open(chance.choice(list(PENNIES.seats)), options={"rounds": "3"}, **terms)
    for _ in range(STEPS):
        if story.table.status not in ("open", "running"):
            break
        story.anything_happens()
        settled(story.table)
    return story


def settled(table: Table) -> None:
    """What holds of a table that nobody has to do anything about at once."""
    if table.status != "running":
        return
    awaited = PENNIES.decider.awaiting(table.game)
    assert awaited
    assert all(chair.taken for chair in table.chairs), "a seat was lost"
    assert not any(table.chairs[seat].automatic for seat in awaited), "the caretaker's moves are made at once"
    assert any(chair.manned for chair in table.chairs), "nobody is left to play"


SEEDS = st.integers(0, 2**32)


@pytest.mark.slow
@given(SEEDS)
@settings(max_examples=80, deadline=None)
def test_replay_equals_live_and_every_event_is_what_the_rules_make(seed: int) -> None:
    story = told(seed)
    assert fold(Table(), PENNIES, [fact.event for fact in story.facts]) == story.table
    found = retrace(history("pennies"), story.entries())
    assert (found.differences, found.unchecked, found.whole) == ([], 0, True)
    assert found.table == story.table


@pytest.mark.slow
@given(SEEDS)
@settings(max_examples=80, deadline=None)
def test_no_seat_is_lost_and_none_is_two_peoples(seed: int) -> None:
    story, table = told(seed), Table()
    events = [fact.event for fact in story.facts]
    started = 0
    for number, event in enumerate(events):
        apply(table, PENNIES, event, events[:number])
        if isinstance(event, e.GameStarted):
            started, nonces = len(table.chairs), [chair.nonce for chair in table.chairs]
        if started:
            assert len(table.chairs) == started
            assert [chair.nonce for chair in table.chairs] == nonces, "the draws rest on the nonces of the start"
        for chair in table.chairs:
            assert (chair.bot is not None) + chair.vacant + chair.manned == chair.taken
            assert chair.bot is None or chair.player is None
        people = [chair.player for chair in table.chairs if chair.player]
        assert len(people) == len(set(people))


@pytest.mark.slow
@given(SEEDS)
@settings(max_examples=80, deadline=None)
def test_nobody_but_itself_plays_for_a_bot_that_thinks(seed: int) -> None:
    story, table = told(seed), Table()
    events = [fact.event for fact in story.facts]
    for number, (fact, cause) in enumerate(zip(story.facts, story.causes, strict=True)):
        seat = getattr(fact.event, "seat", None)
        if seat is not None and table.chairs and 0 <= seat < len(table.chairs) and table.chairs[seat].thinks:
            assert not isinstance(fact.event, e.CaretakerActed | e.TurnExpired | e.OrdersFiled | e.StrikesCleared)
            if fact.text:
                begins = story.facts[story.causes.index(cause)]
                assert fact.actor == begins.actor == {"seat": seat}, "it was asked to, in a request of its own"
        if isinstance(fact.event, e.RewindProposed | e.ClockProposed):
            assert not any(table.chairs[asked].thinks for asked in fact.event.asked)
        apply(table, PENNIES, fact.event, events[:number])


@pytest.mark.slow
def test_the_stories_show_what_they_are_about() -> None:
    """Bots that come in all ways and go in all ways, tables that end for want of people, and whole games."""
    stories = [told(seed) for seed in range(120)]
    kinds = {type(fact.event) for story in stories for fact in story.facts}
    assert kinds >= {e.SeatTakenByBot, e.SeatVacated, e.SeatTakenOver, e.SeatLeft, e.Rewound, e.CaretakerActed}
    assert {story.table.status for story in stories} >= {"running", "finished", "abandoned"}
    by_host = [fact for story in stories for fact in story.facts if "host" in fact.actor]
    assert any(isinstance(fact.event, e.SeatVacated) for fact in by_host)
    assert any(isinstance(fact.event, e.SeatLeft) for fact in by_host)
