"""Positions in words, for lessons, worked examples and tests."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from domain.city_hall.lessons.words import by_seat, permit_list, space
from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.events import EVOLVE
from domain.city_hall.rules.pieces import LANDS, PERMITS, counted
from domain.city_hall.rules.setup import initial, lay_board
from domain.city_hall.rules.stars import star_value
from domain.city_hall.rules.state import Chair, Phase, Player, State

NAMES: Final = ("ann", "ben", "cat", "dan")
ACTIVATIONS: Final = {2: 4, 3: 3, 4: 4}
"""Of a round that is not the final one, by players (CH-6)."""
FINAL_ACTIVATIONS: Final = 7


def position(
    players: int = 3,
    phase: Phase = "activate",
    *,
    names: Sequence[str] = NAMES,
    order: str = "",
    used: str = "",
    final: bool = False,
    lands: Mapping[str, str] | None = None,
    deck: str | None = None,
    permits: str | None = None,
    hands: Mapping[str, str] | None = None,
    money: Any = 10,
    influence: Any = 3,
    approval: Any = 1,
    population: Any = 1,
    star: int | None = None,
    offices: Mapping[str, int] | None = None,
    deputy: str | None = None,
    **options: str,
) -> State:
    """The position the worked examples begin with, except for what is said; variants as `health_ties="next-only"`.

    `used` are the Offices activated in this round, in that order; who comes next must act. What `lands` leaves out
    lies in the deck, or belongs to the first player where `deck` says what lies there. `permits` are the Permits of the
    deck, in no known order; by default what is nowhere else. Raises ValueError for more Permits than there are.
    """
    names = names[:players]
    state = _laid(initial(players, {name.replace("_", "-"): value for name, value in options.items()}))
    _lay_lands(state, dict(lands or {}), deck, names)
    held = dict.fromkeys(names, "housing tower factory" if phase == "build" else "") | dict(hands or {})
    columns = [by_seat(money, names, 10), by_seat(influence, names, 3), by_seat(approval, names, 1)]
    state.players = [
        Player(row[0], row[1], counted(permit_list(held[name])), len(held[name].split()), row[2], row[3])
        for name, *row in zip(names, *columns, by_seat(population, names, 1), strict=True)
    ]
    state.unknown = _left(state) if permits is None else counted(permit_list(permits))
    state.turn_order = [names.index(name) for name in order.split()] or list(range(players))
    state.star_token = star or BOARD.star_start[str(players)]
    state.phase = phase
    if phase == "build":
        state.step = players * (3 if players == 2 else 2)
        return state
    around = [seat for seat in state.turn_order for _ in range(2 if players == 2 else 1)] * FINAL_ACTIVATIONS
    state.round, state.final = 1, final
    state.schedule = around[: FINAL_ACTIVATIONS if final else ACTIVATIONS[players]]
    state.turn = len(used.split())
    chairs = cast("dict[str, Chair]", state.offices)
    for office, count in (offices or {}).items():
        chairs[office].influence = count
    for office, seat in zip(used.split(), state.schedule, strict=False):
        chairs[office].staffer = seat
    state.deputy = None if deputy is None else names.index(deputy)
    return state


def _laid(state: State) -> State:
    """The state after the board was laid, which the caller owns."""
    for event in lay_board(state):
        EVOLVE[type(event)](state, event)
    return state


def _lay_lands(state: State, lands: Mapping[str, str], deck: str | None, names: Sequence[str]) -> None:
    for land in LANDS:
        owned = deck is not None and land not in deck.split()
        state.lands[land] = space(lands.get(land, names[0] if owned else "deck"), names)
    built = {land: place.permit for land, place in state.lands.items() if place.permit is not None}
    for land, place in state.lands.items():
        place.stars = star_value(BOARD, built, land)


def _left(state: State) -> list[int]:
    """The Permits that are nowhere else, by kind."""
    out = counted([place.permit for place in state.lands.values() if place.permit is not None])
    held = [sum(player.hand[kind] for player in state.players if player.hand) for kind in range(len(PERMITS))]
    left = [BOARD.permits[kind].count - out[n] - held[n] for n, kind in enumerate(PERMITS)]
    if min(left) < 0:
        raise ValueError("more Permits than there are")
    return left
