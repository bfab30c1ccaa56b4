"""The Health Commissioner (CH-8.21 to CH-8.25), and the one more of the final round (CH-11.3)."""

from typing import Final

from domain.city_hall.rules.actions import Health
from domain.city_hall.rules.events import StarsCounted, evolves
from domain.city_hall.rules.options import option
from domain.city_hall.rules.position import board_of, stars_of
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import form
from domain.engine.game import Event, Seat
from domain.engine.refusals import require

GAINS: Final = (4, 2, 1, 0)
"""Population by rank (CH-8.24)."""
PLUS: Final = 3


def decide_health(state: State, seat: Seat, action: Health) -> list[Event]:
    """Decide the Health Commissioner: what everybody gains, with the controller's bonus (CH-8.22).

    Raises RuleViolation.
    """
    mandatory = option(state, "health-bonus") == "mandatory"
    require(
        action.bonus != "none" or not mandatory,
        "bonus-mandatory",
        "CH-19.3",
        "In this game you must choose a bonus: {one} or {other}.",
        one=form("health plus3"),
        other=form("health double"),
    )
    totals = _totals(state)
    if action.bonus == "plus3":
        totals[seat] += PLUS
    elif action.bonus == "double":
        totals[seat] *= 2
    return [_counted(state, seat, action, totals)]


def count_once_more(state: State) -> list[Event]:
    """The stars are counted once more, without anybody's control or bonus (CH-11.3)."""
    return [_counted(state, None, Health("none"), _totals(state))]


def gains(state: State, totals: list[int]) -> list[int]:
    """What everybody gains for these totals (CH-8.23, CH-8.24)."""
    ranked = sorted(set(totals), reverse=True)
    next_only = option(state, "health-ties") == "next-only"
    gain: dict[int, int] = {}
    rank = 0
    for total in ranked:
        gain[total] = GAINS[min(rank, len(GAINS) - 1)]
        tied = totals.count(total)
        rank += min(tied, 2) if next_only else tied
    if option(state, "zero-stars") == "ignored":
        gain[0] = 0
    return [gain[total] for total in totals]


def _totals(state: State) -> list[int]:
    return [stars_of(state, seat) for seat in range(len(state.players))]


def _counted(state: State, seat: Seat | None, action: Health, totals: list[int]) -> StarsCounted:
    gained, most = gains(state, totals), board_of(state).population_max
    population = [min(most, player.population + gain) for player, gain in zip(state.players, gained, strict=True)]
    return StarsCounted(seat, action.bonus, totals, gained, population)


@evolves(StarsCounted)
def stars_counted(state: State, event: StarsCounted) -> None:
    """Population has grown."""
    for player, population in zip(state.players, event.population, strict=True):
        player.population = population
    state.phase = "election" if event.seat is None else "ended"
