"""Ballots in words: filed from what a seat may see, and what they do when it is asked."""

import pytest
from hypothesis import strategies as st

from domain.engine.game import CHANCE, Action
from domain.engine.refusals import RuleViolation, Unfit
from domain.tammany_hall import ORDERS, TAMMANY_HALL
from domain.tammany_hall.ballot.ballot import Ballot, Choice, Exactly, Reserve, UpTo
from domain.tammany_hall.rules.actions import BonusCube, BonusFavor, BonusPass
from domain.tammany_hall.rules.position import term
from domain.tammany_hall.rules.state import State
from tests.domain.tammany_hall.playouts import Playout, Step
from tests.domain.tammany_hall.words import COLOURS, ELECTION_ORDER, PAWNS


def filed(state: State, pawn: str, *lines: str) -> Ballot:
    """The orders of a player, as they are filed."""
    seat = PAWNS.index(pawn)
    read = ORDERS.parse("\n".join(lines), PAWNS[: len(state.players)])
    return ORDERS.check(TAMMANY_HALL.decider.blind(state, seat), seat, read)


def followed(state: State, pawn: str, *lines: str) -> str | None:
    """What the orders of a player, filed now, do now; None where the player is asked. It is legal, whatever it is."""
    action = given_by(state, PAWNS.index(pawn), filed(state, pawn, *lines))
    return None if action is None else TAMMANY_HALL.notation.write(action)


def given_by(state: State, seat: int, ballot: Ballot) -> Action | None:
    """What a ballot does now, legal whatever it is."""
    action = ORDERS.follow(TAMMANY_HALL.decider.blind(state, seat), seat, ballot)
    assert action is None or TAMMANY_HALL.decider.decide(state, seat, action)
    return action


def unfit(state: State, pawn: str, *lines: str) -> Unfit:
    """Why the orders of a player, filed now, cannot be followed now."""
    with pytest.raises(Unfit) as error:
        followed(state, pawn, *lines)
    assert error.value.message.endswith(".")
    return error.value


def outcome_of(state: State, seat: int, ballot: Ballot) -> Action | tuple[str, str, str] | None:
    """What a ballot does in a state as it is, not blinded first, or why it does not fit."""
    try:
        return ORDERS.follow(state, seat, ballot)
    except Unfit as error:
        return error.code, error.rule, error.message


def refused(state: State, pawn: str, *lines: str) -> RuleViolation:
    """Why orders are not even filed."""
    return refused_document(state, PAWNS.index(pawn), ORDERS.parse("\n".join(lines), PAWNS[: len(state.players)]))


def refused_document(state: State, seat: int, ballot: Ballot) -> RuleViolation:
    """Why a ballot that came as a document is not even filed."""
    with pytest.raises(RuleViolation) as error:
        ORDERS.check(TAMMANY_HALL.decider.blind(state, seat), seat, ballot)
    assert error.value.message.endswith(".")
    return error.value


def elections(playout: Playout) -> list[tuple[State, list[Step], State]]:
    """Of each election the state before its first ward, what was done in it, and the state when its term was over."""
    found: list[tuple[State, list[Step], State]] = []
    steps: list[Step] = []
    for step in playout.steps:
        if step.before.phase == "election" or steps:
            steps.append(step)
        if steps and step.after.phase in ("term", "scoring"):
            found.append((steps[0].before, steps, step.after))
            steps = []
    return found


def lines_of(steps: list[Step]) -> dict[int, dict[tuple[str, int | None], str]]:
    """By seat, the line of a ballot for each decision it took; of a bid made again the last."""
    lines: dict[int, dict[tuple[str, int | None], str]] = {}
    for step in steps:
        if step.seat is not None and step.action is not None and step.seat != CHANCE:
            verb, _, rest = TAMMANY_HALL.notation.write(step.action).partition(" ")
            ward = step.before.ward
            said = {"bid": f"ward {ward} bid {rest}", "bonus": f"bonus {ward} {rest}", "assign": f"assign {rest}"}
            lines.setdefault(step.seat, {})[verb, ward] = said[verb]
    return lines


def held_with(ballots: dict[int, Ballot], state: State) -> tuple[list[tuple[str, int | None, int, str]], State]:
    """An election in which ballots alone act: every decision in its order, and the state when its term is over."""
    decisions = []
    while state.phase not in ("term", "scoring"):
        facts = TAMMANY_HALL.decider.proceed(state)
        if not facts:
            seat = min(TAMMANY_HALL.decider.awaiting(state))
            action = given_by(state, seat, ballots[seat])
            assert action is not None, f"{PAWNS[seat]} is asked for {TAMMANY_HALL.decider.decision(state)}"
            decisions.append((state.phase, state.ward, seat, TAMMANY_HALL.notation.write(action)))
            facts = TAMMANY_HALL.decider.decide(state, seat, action)
        state = TAMMANY_HALL.decider.fold(state, facts)
    return decisions, state


def in_term(playout: Playout, number: int) -> list[State]:
    """The states of one term, one after the other."""
    return [step.before for step in playout.steps if term(step.before) == number]


wards, named = st.sampled_from(ELECTION_ORDER), st.sampled_from([*ELECTION_ORDER, "others"])
colours = st.sampled_from(COLOURS)
takes = st.one_of(st.builds(BonusCube, colours, wards), st.builds(BonusFavor, colours), st.builds(BonusPass))


def votes(most: int) -> st.SearchStrategy[Exactly | UpTo]:
    """Lines about a ward, with at most so many chips of a colour."""
    conditions = {"if_contested": st.booleans(), "while_winnable": st.booleans()}
    counts, order = st.integers(1, most), st.lists(colours, min_size=1, unique=True)
    exactly = st.builds(Exactly, named, chips=st.dictionaries(colours, counts), **conditions)
    return exactly | st.builds(UpTo, named, chips=counts, colours=order, **conditions)


likely_ballots = st.builds(
    Ballot,
    bids=st.lists(votes(most=3), min_size=1, max_size=6, unique_by=lambda vote: vote.ward),
    keep=st.lists(st.builds(Reserve, st.integers(1, 3), colours, wards), max_size=2),
    bonuses=st.lists(st.builds(Choice, st.sampled_from([1, 2, 4, 7, "others"]), takes), max_size=4),
    pass_slander=st.booleans(),
    end_when_placed=st.booleans(),
)
"""Ballots that much of a random game has something to do with."""
