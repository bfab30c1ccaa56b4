"""How those play whose games are kept: at random, quietly, or so that ties come about, by chance or on purpose."""

import random
from typing import Any

from domain.city_hall.rules import actions as ch
from domain.engine.game import Action, Seat
from domain.table.evolve import Rules
from domain.tammany_hall.rules.actions import Bid, End, Place, Settle
from domain.tammany_hall.rules.board import COLOURS, INDEX, TAMMANY_HALL, Colour
from tests.archive.tables import Chooser, anything
from tests.domain.city_hall.playouts import choose


def citizen(chooser: random.Random, rules: Rules, seen: Any, seat: Seat) -> Action:
    """City Hall by players who build and campaign."""
    return choose(chooser, seen, seat)


def saver(chooser: random.Random, rules: Rules, seen: Any, seat: Seat) -> Action:
    """City Hall by players who bid nothing, so that what they have is much alike."""
    legal = rules.decider.legal_actions(seen, seat).actions
    if seen.phase == "bid" and any(isinstance(it, ch.Pass) for it in legal):
        return ch.Pass()
    return choose(chooser, seen, seat)


def quiet(share: float) -> Chooser:
    """The caretaker's action, mostly."""

    def play(chooser: random.Random, rules: Rules, seen: Any, seat: Seat) -> Action:
        if chooser.random() < share:
            return rules.decider.caretaker(seen, seat)
        return anything(chooser, rules, seen, seat)

    return play


def crowding(share: float) -> Chooser:
    """Tammany Hall by bosses who go where the others are, bid nothing and want nothing, mostly."""

    def play(chooser: random.Random, rules: Rules, seen: Any, seat: Seat) -> Action:
        if chooser.random() >= share:
            return anything(chooser, rules, seen, seat)
        if seen.phase != "turn":
            return rules.decider.caretaker(seen, seat)
        legal = rules.decider.legal_actions(seen, seat).actions
        pairs = [it for it in legal if isinstance(it, Place) and len(it.wards) == len(set(it.wards)) + 1]
        if seen.placed or not pairs:
            return next((it for it in legal if isinstance(it, End)), legal[0])
        return max(pairs, key=lambda it: (_rivals(seen.wards[it.wards[0]].bosses, seat), -it.wards[0]))

    return play


def _rivals(bosses: list[int], seat: Seat) -> int:
    return sum(bosses) - 2 * bosses[seat]


def moody(moods: random.Random) -> Chooser:
    """Tammany Hall, every term in another mood."""
    by_term = [moods.choice((quiet(0.9), quiet(0.97), crowding(0.9), crowding(0.97), crowding(1))) for _ in range(4)]

    def play(chooser: random.Random, rules: Rules, seen: Any, seat: Seat) -> Action:
        return by_term[min(3, (seen.year - 1) // 4)](chooser, rules, seen, seat)

    return play


def rivals(won: Colour, settled: Colour) -> Chooser:
    """Tammany Hall by three, of whom the first ends with three chips `won`, the second with as many points and, if the
    garden has them, three chips `settled`.

    For two terms all are in Tammany Hall, where nobody wins. In the third the second has it alone, and is mayor; in the
    last the second bids the chips it brought, in vain, and the first wins two wards of one colour, and is mayor.
    """
    index, crowd = INDEX[won], 10

    def play(chooser: random.Random, rules: Rules, seen: Any, seat: Seat) -> Action:
        if seen.phase == "bid" and seen.ward == TAMMANY_HALL:
            chips, cubes = seen.players[seat].chips, seen.wards[TAMMANY_HALL].cubes
            return Bid({colour: chips[at] for at, colour in enumerate(COLOURS) if chips[at] and cubes[at]})
        if seen.phase != "turn" or seen.placed:
            return rules.decider.caretaker(seen, seat)
        term = (seen.year + 3) // 4
        active = [number for number, ward in seen.wards.items() if any(ward.cubes)]
        others = [number for number in active if number not in (crowd, TAMMANY_HALL)]
        pure = [number for number in others if seen.wards[number].cubes[index] == sum(seen.wards[number].cubes)]
        if term == 4 and seat == 0:
            return Place([TAMMANY_HALL, pure[seen.year // 15]])
        here = TAMMANY_HALL if term < 3 or (term, seat) == (3, 1) else crowd
        if term > 2 and seat == 1 and seen.players[1].chips[INDEX[settled]] < 3 and seen.garden[INDEX[settled]]:
            return Settle(here, settled, next(number for number in others if number not in pure))
        return Place([here, here])

    return play
