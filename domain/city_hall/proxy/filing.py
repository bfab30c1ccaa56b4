"""Proxies as they are filed: which round they are for, and what in them could never be followed."""

from collections.abc import Sequence
from typing import Final

import msgspec

from domain.city_hall.proxy.proxies import OTHERS, SEVERAL, PassOn, Proxies, Proxy, about, is_for
from domain.city_hall.rules.options import option
from domain.city_hall.rules.pieces import OFFICES, PAWNS, Office
from domain.city_hall.rules.position import activator, free_offices
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import THE_OFFICES, WORDS, form
from domain.engine.game import Seat
from domain.engine.refusals import require
from domain.engine.sentences import one_of, say

MOST: Final = 9999
"""The largest number of the notation (CH-16.1)."""


def check(state: State, seat: Seat, orders: Proxies) -> Proxies:
    """Proxies with the round they are for: unless they say, this one, or the next where this one asks the seat for
    nothing any more.

    Raises RuleViolation.
    """
    require(state.phase != "over", "game-over", "CH-12.6", "The game is over.")
    require(
        orders.bids or orders.keep or orders.accept,
        "no-orders",
        "CH-7.6",
        "Write at least one line: {bid}, or {keep}.",
        bid=form("bid OFFICE up to NUMBER"),
        keep=form("keep OFFICE up to NUMBER"),
    )
    _require_offices(orders.bids, "CH-7.5")
    _require_offices(orders.keep, "CH-7.9")
    _require_amounts(state, orders)
    _require_bidders(state, seat, orders.accept, bool(orders.keep))
    require(not (orders.every_round and orders.round), "several-rounds", "CH-16.1", SEVERAL)
    filed = orders if orders.every_round else msgspec.structs.replace(orders, round=_round_of(state, seat, orders))
    followed = live(state, seat, filed)
    require(
        followed or not state.final,
        "nothing-to-come",
        "CH-11.2",
        "None of this can come up again before the game ends.",
    )
    require(
        followed,
        "nothing-to-come",
        "CH-7.2",
        "None of this can come up again in round {round}; for the next round write the line {form}.",
        round=state.round,
        form=form(f"round {state.round + 1}"),
    )
    return filed


def _round_of(state: State, seat: Seat, orders: Proxies) -> int:
    """The round the proxies are for, if not for every one."""
    if not orders.round:
        return state.round if any(_still_asked(state, seat)) else state.round + 1
    require(
        orders.round >= state.round,
        "round-over",
        "CH-6.2",
        "Round {round} is over; leave out the line {form}, or name a round to come.",
        round=orders.round,
        form=form(f"round {orders.round}"),
    )
    return orders.round


def live(state: State, seat: Seat, orders: Proxies) -> Proxies | None:
    """The proxies of a seat while it can still be asked for something they say; None from then on."""
    if state.phase == "over":
        return None
    if not state.final and (orders.every_round or orders.round > state.round):
        return orders
    bids, keeps = _still_asked(state, seat)
    asked = is_for(orders, state.round) and (
        any(about(office, orders.bids) for office in bids) or any(about(office, orders.keep) for office in keeps)
    )
    return orders if asked else None


def _still_asked(state: State, seat: Seat) -> tuple[list[Office], list[Office]]:
    """The Offices a seat can still be asked in this round to bid for, and those it can be asked to keep."""
    free = free_offices(state)
    following = state.schedule[state.turn + (state.phase != "activate") :]
    bids = free if set(following) - {seat} else []
    keeps = free if seat in following else []
    if state.office and state.phase == "bid" and seat in state.waiting:
        return [state.office, *bids], keeps
    if state.office and state.phase in ("bid", "decide") and seat == activator(state):
        return bids, [state.office, *keeps]
    return bids, keeps


def _require_offices(lines: Sequence[Proxy], rule: str) -> None:
    """Refuse an Office there is none of, and one with two lines about the same question."""
    offices = [line.office for line in lines]
    for office in offices:
        require(
            office in (*OFFICES, OTHERS),
            "unknown-office",
            "CH-1.5",
            "There is no such Office; Offices are {offices}.",
            offices=lambda: one_of([WORDS[known] for known in OFFICES]),
        )
        require(
            offices.count(office) == 1,
            "office-twice",
            rule,
            "You name {office} twice for the same question; keep only one line.",
            office=THE_OFFICES.get(office) or say("the other Offices"),
        )


def _require_amounts(state: State, orders: Proxies) -> None:
    """Refuse what is no number of the notation (CH-16.1), and a bid that is none in this game (CH-7.6)."""
    bids = [line.influence for line in orders.bids if not isinstance(line, PassOn)]
    require(
        all(0 <= amount <= MOST for amount in [*bids, *(line.influence for line in orders.keep)]),
        "bad-count",
        "CH-16.1",
        "That is not an amount of Influence; write a number from 0 to {most}.",
        most=MOST,
    )
    least = int(option(state, "zero-bid") == "refused")
    require(
        min(bids, default=least) >= least,
        "bid-too-low",
        "CH-7.6",
        "A bid is at least {least} in this game; not to bid, write {form}.",
        least=least,
        form=form("pass OFFICE"),
    )


def _require_bidders(state: State, seat: Seat, bidders: Sequence[Seat], keeps: bool) -> None:
    """Refuse whom the seat could never accept, and a preference without an Office it could matter for (CH-7.9)."""
    playing = PAWNS[: len(state.players)]
    for bidder in bidders:
        require(
            0 <= bidder < len(playing),
            "unknown-player",
            "CH-16.1",
            "Nobody sits there; the players are {players}.",
            players=lambda: one_of([WORDS[pawn] for pawn in playing]),
        )
        require(bidder != seat, "accepts-self", "CH-7.9", "You do not bid for your own Office; accept rivals alone.")
        require(
            bidders.count(bidder) == 1,
            "player-twice",
            "CH-7.9",
            "You name {player} twice among those to accept; keep only one.",
            player=WORDS[PAWNS[bidder]],
        )
    require(
        keeps or not bidders,
        "accepts-without-keep",
        "CH-7.9",
        "Whom to accept matters where you do not keep an Office; say for how much you do: {form}.",
        form=form("keep OFFICE up to NUMBER"),
    )
