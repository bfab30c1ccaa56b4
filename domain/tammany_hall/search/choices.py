"""The other choices of Tammany Hall: the bonus of a ward, and the mayor's assignment (TH-9.14, TH-12.1)."""

import itertools
from math import exp
from random import Random

from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.tammany_hall.rules.actions import Assign, BonusCube, BonusFavor, BonusPass
from domain.tammany_hall.rules.board import COLOURS, ELECTION_ORDER, TITLES, Title
from domain.tammany_hall.rules.candidates import open_to_all
from domain.tammany_hall.rules.leaders import cubes_won
from domain.tammany_hall.rules.options import option
from domain.tammany_hall.rules.position import bidding_ward, bonus_kind
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge


def bonuses(state: State, seat: Seat, rng: Random, most: int) -> list[Move[Action]]:
    """The most promising bonuses, best first; to decline where that is allowed comes last."""
    found: list[tuple[float, Action]]
    if bonus_kind(bidding_ward(state)) == "favor":
        found = [
            (chip_gain(state, seat, colour), BonusFavor(COLOURS[colour])) for colour in range(4) if state.supply[colour]
        ]
    else:
        found = [
            (cube_gain(state, seat, number, colour), BonusCube(COLOURS[colour], number))
            for number in open_to_all(state)
            for colour in range(4)
            if state.bag[colour]
        ]
    if option(state, "ward-bonus") == "optional" or not found:
        found.append((0.0, BonusPass()))
    found.sort(key=lambda choice: choice[0], reverse=True)
    return [(action,) for _, action in found[:most]]


def chip_gain(state: State, seat: Seat, colour: int) -> float:
    """What a chip of a colour is worth in the middle of an election."""
    later = ELECTION_ORDER[ELECTION_ORDER.index(bidding_ward(state)) + 1 :]
    fought = sum(1 for number in later if state.wards[number].bosses[seat] and state.wards[number].cubes[colour])
    return 0.4 + 0.2 * fought + 0.1 * (colour == 0)


def cube_gain(state: State, seat: Seat, number: int, colour: int) -> float:
    """What a cube is worth there, for the chips of leaders and for bids to come in this election."""
    ward, counts = state.wards[number], cubes_won(state, colour)
    ahead = counts[seat] - max(count for rival, count in enumerate(counts) if rival != seat)
    close = 1.0 if ahead in (-1, 0) else 0.5 if ahead in (-2, 1) else 0.1
    won = state.won.get(number)
    if won is not None:
        return close if won == seat else -0.5
    if not ward.bosses[seat]:
        return -0.1
    share = ward.bosses[seat] / sum(ward.bosses)
    own = state.players[seat].chips[colour]
    others = max(
        (player.chips[colour] for rival, player in enumerate(state.players) if rival != seat and ward.bosses[rival]),
        default=0,
    )
    opens = 0.0 if ward.cubes[colour] else 0.2 * max(-2, min(2, own - others))
    return share * close + opens


def assignments(state: State, seat: Seat, rng: Random, most: int) -> list[Move[Action]]:
    """The most promising assignments, best first: the strongest rivals get the weakest offices."""
    rivals = [rival for rival in range(len(state.players)) if rival != seat]
    feared = {rival: exp((state.players[rival].vp + 0.3 * sum(state.players[rival].chips)) / 5) for rival in rivals}
    ranked = sorted(
        (sum(feared[rival] * judge.POWER[title] for rival, title in zip(rivals, titles, strict=True)), place, titles)
        for place, titles in enumerate(itertools.permutations(TITLES, len(rivals)))
    )
    return [(assignment(rivals, titles),) for _, _, titles in ranked[:most]]


def assignment(rivals: list[Seat], titles: tuple[Title, ...]) -> Assign:
    """Each rival the office in its place, in the order of the offices."""
    given = dict(zip(titles, rivals, strict=True))
    return Assign({title: given[title] for title in TITLES if title in given})
