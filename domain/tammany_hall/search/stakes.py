"""What the ward that is bid for is worth to each seat, and what a chip spent on it is missed for (TH-9 to TH-11)."""

from domain.engine.game import Seat
from domain.tammany_hall.rules.board import ELECTION_ORDER
from domain.tammany_hall.rules.position import candidates, term
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search import judgement as judge
from domain.tammany_hall.search.chips import majority_worths, want
from domain.tammany_hall.search.races import Races, standing


def election_races(state: State, number: int) -> Races:
    """The races with a ward left out: wards won count whole, those to come by the squares of bosses."""
    seats = len(state.players)
    won, cubes = [0.0] * seats, [[0.0] * seats for _ in range(4)]
    ahead = False
    for ward_number, ward in state.wards.items():
        if ward_number == number:
            ahead = True
            continue
        winner = state.won.get(ward_number)
        if ahead:
            squares = sum(bosses * bosses for bosses in ward.bosses)
            parts = [(seat, bosses * bosses / squares) for seat, bosses in enumerate(ward.bosses) if bosses]
        else:
            parts = [] if winner is None else [(winner, 1.0)]
        for seat, part in parts:
            won[seat] += part
            for colour, count in enumerate(ward.cubes):
                if count:
                    cubes[colour][seat] += part * count
    return standing(state, won, cubes)


def ward_worths(state: State, number: int) -> list[float]:
    """By seat, what winning the ward is worth."""
    races, cubes = election_races(state, number), state.wards[number].cubes
    fixed = judge.POINTS[number] + judge.KEPT[term(state)]  # type: ignore[index]
    return [
        fixed + races.mayor[seat] + sum(count * races.leads[colour][seat] for colour, count in enumerate(cubes))
        for seat in range(len(state.players))
    ]


def prices(state: State, seat: Seat, number: int) -> list[float]:
    """By colour, what a chip spent now is missed for: this election's later wards, and all that comes after."""
    spent = judge.CHIP_SPENT[term(state)] * want(state, seat)
    found = [spent + worth for worth in majority_worths(state, seat)]
    for ahead in ELECTION_ORDER[ELECTION_ORDER.index(number) + 1 :]:
        ward = state.wards[ahead]
        if ward.bosses[seat] and len(candidates(ward)) > 1:
            for colour, count in enumerate(ward.cubes):
                if count:
                    found[colour] += judge.WARD_AHEAD
    return found
