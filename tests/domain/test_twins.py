"""Twin laws: what a reader may not see changes nothing that the reader sees, may do, or is told (TH-14, CH-14)."""

from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from domain.engine.game import CHANCE, Action, Event, Seat
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.history.codec import owners
from tests.domain.twins import GAMES, READERS, Secrets, Twins, look, positions, secret_actions

EITHER = pytest.mark.parametrize("number", range(len(GAMES)), ids=[game.rules.kind for game in GAMES])
LAW = settings(max_examples=100, phases=[Phase.generate])


def redacted(event: Event, reader: Seat | None) -> Event:
    """Return an event without the sealed fields of others."""
    hidden = {name: None for owner, names in owners(event).items() if owner != reader for name in names}
    return msgspec.structs.replace(event, **hidden) if hidden else event


def told(game: Secrets, events: list[Event], reader: Seat | None, seats: int) -> list[tuple[Event, str, str]]:
    """Return events as a reader gets them, each with its sentences."""
    tell, aside = game.rules.presentation.tell, game.rules.presentation.narrative.tell_with_sealed
    seen = [redacted(event, reader) for event in events]
    return [(event, tell(event, READERS[:seats]), aside(event, READERS[:seats])) for event in seen]


def follow(game: Secrets, state: Any, seat: Seat, action: Action) -> list[Any]:
    """Return the events of an action up to the first draw or opening, or its refusal."""
    decider = game.rules.decider
    try:
        events = decider.decide(state, seat, action)
    except RuleViolation as refusal:
        return [refusal.code, refusal.rule, refusal.message]
    found = told(game, events, seat, len(state.players))
    while CHANCE not in decider.awaiting(state := decider.fold(state, events)):
        if not (events := decider.proceed(state)) or not decider.proceed(decider.blind(state, seat)):
            break
        found += told(game, events, seat, len(state.players))
    return [*found, look(game.rules, state, seat)]


def ordered(game: Secrets, state: Any, reader: Seat, line: str) -> list[Any]:
    """Return the answers to one line of notation."""
    try:
        actions = game.rules.notation.parse(line.strip(), READERS[: len(state.players)])
    except OrderNotUnderstood as refusal:
        return [refusal.code, refusal.rule, refusal.message]
    return [answer for action in actions for answer in follow(game, state, reader, action)]


def compare_positions(game: Secrets, number: int) -> None:
    @LAW
    @given(twins=positions(number))
    def law(twins: Twins) -> None:
        one, other, reader = twins
        assert look(game.rules, one, reader) == look(game.rules, other, reader)

    law()


def compare_orders(game: Secrets, number: int) -> None:
    @settings(LAW, max_examples=300)
    @given(twins=positions(number), pick=st.integers(0, 99))
    def law(twins: Twins, pick: int) -> None:
        one, other, reader = twins
        if reader is None:
            return
        legal = game.rules.decider.legal_actions(one, reader).actions
        own = [game.rules.notation.write(legal[pick % len(legal)])] if legal else []
        for line in (*game.lines.split(";"), *own):
            assert ordered(game, one, reader, line) == ordered(game, other, reader, line)

    law()


def compare_actions(game: Secrets, number: int) -> None:
    @LAW
    @given(taken=st.sampled_from(secret_actions(number)), chance=st.integers(0, 99), place=st.integers(0, 4))
    def law(taken: tuple[Any, Seat, Action], chance: int, place: int) -> None:
        state, seat, action = taken
        decider, seats = game.rules.decider, len(state.players)
        events, others = (
            decider.decide(state, seat, it) for it in (action, game.vary(state, seat, action, Random(chance)))
        )
        one, other = decider.fold(state, events), decider.fold(state, others)
        for reader in {None, (seat + 1 + place % (seats - 1)) % seats}:
            assert told(game, events, reader, seats) == told(game, others, reader, seats)
            assert look(game.rules, one, reader) == look(game.rules, other, reader)

    law()


@EITHER
def test_ch_14_7_th_14_1_hidden_holdings_and_bids_change_nothing_that_others_see(number):
    """CH-14.3, CH-14.5, TH-14.2: view, blind state, legal actions, guide, choices and board."""
    compare_positions(GAMES[number], number)


@pytest.mark.slow
@EITHER
def test_ch_14_7_th_14_2_orders_of_others_are_answered_alike(number):
    """CH-14.3, CH-14.5: events and sentences up to a draw or an opening, and refusals."""
    compare_orders(GAMES[number], number)


@pytest.mark.slow
@EITHER
def test_ch_14_7_th_14_1_secret_actions_look_alike_to_others(number):
    """CH-14.4: events, sentences and the positions that follow."""
    compare_actions(GAMES[number], number)


def leaky(game: Secrets, part: str) -> Secrets:
    """Return a game in which one function shows what is hidden."""
    decider, presentation = game.rules.decider, game.rules.presentation

    def view(state: Any, reader: Seat | None) -> dict[str, Any]:
        return decider.view(state, reader) | {"all": repr(state)}

    def guide(state: Any, seat: Seat) -> list[tuple[str, str]]:
        return [*presentation.guide(state, seat), ("", repr(state))]

    def decide(state: Any, seat: Seat, action: Action) -> list[Event]:
        try:
            return decider.decide(state, seat, action)
        except RuleViolation as refusal:
            raise RuleViolation(refusal.code, refusal.rule, repr(state)) from None

    rules = {
        "view": replace(game.rules, decider=replace(decider, view=view)),
        "guide": replace(game.rules, presentation=replace(presentation, guide=guide)),
        "decide": replace(game.rules, decider=replace(decider, decide=decide)),
        "blind": replace(game.rules, decider=replace(decider, blind=lambda state, seat: decider.copy(state))),
    }
    return replace(game, rules=rules[part])


@pytest.mark.slow
@EITHER
@pytest.mark.parametrize("part", ["view", "blind", "guide", "decide"])
def test_the_twin_laws_notice_a_leak(number, part):
    law = compare_orders if part == "decide" else compare_positions
    with pytest.raises(AssertionError):
        law(leaky(GAMES[number], part), number)
