"""What a seat may see, as the state document of CH-18.2 and CH-18.3: built up from nothing, never cut down."""

from collections.abc import Collection
from typing import Any, Final

from domain.city_hall.rules.decks import unknown_permits
from domain.city_hall.rules.options import option
from domain.city_hall.rules.pieces import PAWNS, by_permit
from domain.city_hall.rules.position import awaiting, high_bid, lands_in_deck, permits_in_deck, rating, stars_of
from domain.city_hall.rules.state import State
from domain.engine.game import CHANCE, Seat, View

FORMAT: Final = "city-hall-state/1"
SHOWN: Final[dict[str, str]] = {
    "setup": "draft", "turn-order": "draft", "ended": "activate", "round-over": "activate", "election": "activate",
}  # fmt: skip
"""The words of CH-18.1 for what is no state of its own: the moments in between, in which nobody must act."""


def view(state: State, seat: Seat | None) -> View:
    """What `seat` may see (None: a spectator): no money, Influence or hand but its own (CH-18.3)."""
    return _document(state, [seat == other for other in range(len(state.players))])


def document(state: State) -> View:
    """The whole document of CH-18.2, which nobody sees before the game is over.

    No order of cards exists before they are drawn: `land_deck` is in board order, and `permit_deck` is the part of
    unknown order by kind, then the cards of known order below it.
    """
    return _document(state, [True] * len(state.players), whole=True)


def reveal(state: State, seats: Collection[Seat]) -> View:
    """What a spectator sees who looks into the hands of these seats, `looked_into`, when the game is over."""
    shown = [seat in seats for seat in range(len(state.players))]
    return _document(state, shown) | {"looked_into": sorted(seats)}


def _document(state: State, shown: list[bool], *, whole: bool = False) -> View:
    whole = whole or state.phase == "over"
    auction = state.phase in ("bid", "decide")
    in_process = auction or state.phase == "resolve"
    return {
        "format": FORMAT,
        "players": len(state.players),
        "round": state.round,
        "phase": SHOWN.get(state.phase, state.phase),
        "active": sorted(awaiting(state) - {CHANCE}),
        "final": state.final,
        "turn_order": list(state.turn_order),
        "schedule": list(state.schedule),
        "turn": state.turn,
        "office": state.office if in_process else None,
        "controller": state.controller if state.phase == "resolve" else None,
        "bidding": _bidding(state) if auction else None,
        "deputy": state.deputy,
        "star_token": state.star_token,
        "seats": [_seat(state, seat, own or whole) for seat, own in enumerate(shown)],
        "offices": {
            office: {"influence": chair.influence, "staffer": chair.staffer} for office, chair in state.offices.items()
        },
        "lands": {
            land: {
                "state": space.state,
                "money": space.money,
                "owner": space.owner,
                "permit": space.permit,
                "stars": space.stars,
            }
            for land, space in state.lands.items()
        },
        "land_deck": lands_in_deck(state) if whole else None,
        "permit_deck": [*unknown_permits(state), *(card.permit for card in state.bottom)] if whole else None,
        "land_deck_count": len(lands_in_deck(state)),
        "permit_deck_count": permits_in_deck(state),
        "revealed": list(state.revealed),
        "result": _result(state),
    }


def _bidding(state: State) -> dict[str, Any]:
    return {
        "bids": [[seat, amount] for seat, amount in state.bids],
        "high": high_bid(state),
        "waiting": list(state.waiting),
    }


def _seat(state: State, seat: Seat, own: bool) -> dict[str, Any]:
    player = state.players[seat]
    holdings = own or option(state, "holdings") == "open"
    return {
        "name": PAWNS[seat],
        "money": player.money if holdings else None,
        "influence": player.influence if holdings else None,
        "hand": by_permit(player.hand) if own and player.hand is not None else None,
        "hand_count": player.hand_count,
        "approval": player.approval,
        "rating": rating(state, seat) if state.board else 0,
        "population": player.population,
        "stars": stars_of(state, seat),
    }


def _result(state: State) -> dict[str, Any] | None:
    if state.result is None:
        return None
    return {
        "base_votes": list(state.result.base_votes),
        "endorsements": dict(state.result.endorsements),
        "votes": list(state.result.votes),
        "mayor": state.result.mayor,
    }
