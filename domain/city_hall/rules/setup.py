"""The start: the board, what everybody has, and the Turn Order Track (CH-3)."""

from collections.abc import Mapping
from typing import Final

from domain.city_hall.rules.actions import DrawTurnOrder
from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.events import BoardLaid, TurnOrderDrawn, evolves
from domain.city_hall.rules.options import OPTIONS
from domain.city_hall.rules.pieces import LANDS, OFFICES, PARK, PERMITS, Permit
from domain.city_hall.rules.position import gain_influence
from domain.city_hall.rules.state import Chair, Player, Space, State
from domain.engine.game import Dice, Draw, Event, Seat
from domain.engine.refusals import require

SEATS: Final = range(2, 5)
MONEY: Final = 10
INFLUENCE: Final = 3
EXTRA: Final = 1
SHOWN: Final = 3
"""Spaces to choose from in the draft (CH-4.1)."""
LABEL: Final = "turn-order"


def initial(seats: int, options: Mapping[str, str]) -> State:
    """The first state: seats, spaces and Offices, and nothing on any of them.

    Raises ValueError for a number of players or a variant there is not.
    """
    if seats not in SEATS:
        raise ValueError(f"City Hall is for 2 to 4 players, not {seats}")
    for name, value in options.items():
        if value not in OPTIONS.get(name, ()):
            raise ValueError(f"City Hall has no variant {name}={value}")
    return State(
        options={name: options.get(name, values[0]) for name, values in OPTIONS.items()},
        players=[Player() for _ in range(seats)],
        lands={land: Space() for land in LANDS},
        offices={office: Chair() for office in OFFICES},
    )


def lay_board(state: State) -> list[Event]:
    """The board, and what CH-3.1 to CH-3.6 put on it: a Housing, a Tower and a Factory for everybody, the other
    Permits in the deck."""
    players = len(state.players)
    hand: dict[Permit, int] = {permit: int(permit != PARK) for permit in PERMITS}
    return [
        BoardLaid(
            board=BOARD,
            star_token=BOARD.star_start[str(players)],
            money=MONEY,
            influence=INFLUENCE,
            hand=hand,
            deck={permit: BOARD.permits[permit].count - players * hand[permit] for permit in PERMITS},
        )
    ]


def draw_turn_order(state: State, dice: Dice) -> DrawTurnOrder:
    """Shuffle the seats (CH-3.7)."""
    seats = list(range(len(state.players)))
    return DrawTurnOrder(Draw(LABEL, dice.index), dice.sample(LABEL, seats, len(seats)))


def decide_turn_order(state: State, seat: Seat, action: DrawTurnOrder) -> list[Event]:
    """Decide the draw of the Turn Order Track: every seat once (CH-3.7). Raises RuleViolation."""
    everybody = list(range(len(state.players)))
    require(sorted(action.result) == everybody, "bad-draw", "CH-3.7", "The draw does not name every seat once.")
    return [TurnOrderDrawn(action.draw, list(action.result), action.result[-1], EXTRA, SHOWN)]


@evolves(BoardLaid)
def board_laid(state: State, event: BoardLaid) -> None:
    """Everybody has the same."""
    state.board = event.board
    state.star_token = event.star_token
    state.unknown = [event.deck[permit] for permit in PERMITS]
    for player in state.players:
        player.money = event.money
        player.influence = event.influence
        player.hand = [event.hand[permit] for permit in PERMITS]
        player.hand_count = sum(event.hand.values())
        player.approval = event.board.approval_start
        player.population = event.board.population_start
    state.phase = "turn-order"


@evolves(TurnOrderDrawn)
def turn_order_drawn(state: State, event: TurnOrderDrawn) -> None:
    """The track is filled, and the draft begins."""
    state.turn_order = list(event.result)
    gain_influence(state.players[event.last], event.influence)
    state.lands_due = event.lands
    state.phase = "draft"
