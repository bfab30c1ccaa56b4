"""Copies of a state: a whole one for fold, and one without what a seat may not know."""

from domain.city_hall.rules.options import option
from domain.city_hall.rules.state import Chair, Laid, Player, Space, State
from domain.engine.game import Seat


def copy(state: State) -> State:
    """A copy that shares nothing a handler changes."""
    return State(
        state.options,
        [
            Player(
                player.money,
                player.influence,
                None if player.hand is None else player.hand[:],
                player.hand_count,
                player.approval,
                player.population,
            )
            for player in state.players
        ],
        {
            land: Space(space.state, space.money, space.owner, space.permit, space.stars)
            for land, space in state.lands.items()
        },
        {office: Chair(chair.influence, chair.staffer) for office, chair in state.offices.items()},
        state.board,
        state.phase,
        state.round,
        state.final,
        state.turn_order[:],
        state.schedule[:],
        state.turn,
        state.step,
        state.office,
        state.controller,
        state.bids[:],
        state.waiting[:],
        state.deputy,
        state.star_token,
        state.unknown[:],
        state.bottom[:],
        state.revealed[:],
        state.lands_due,
        state.permits_due,
        state.result,
    )


def blind(state: State, seat: Seat | None) -> State:
    """A copy without the other seats' money, Influence and hands, and without the cards at the bottom of the Permit
    deck that the seat did not lay there itself (CH-14.3). What kinds the part above those has, everybody can count:
    it began the same for all, and only what was revealed has left it. A game that is over has no secrets."""
    seen = copy(state)
    if state.phase == "over":
        return seen
    for number, player in enumerate(seen.players):
        if number != seat:
            player.hand = None
            if option(state, "holdings") == "secret":
                player.money = player.influence = None
    seen.bottom = [card if card.by in (None, seat) else Laid(None, card.by) for card in state.bottom]
    return seen
