"""Questions the rules ask of a position: who acts, what is asked, what a seat has."""

from functools import partial

from domain.city_hall.rules.board import Board
from domain.city_hall.rules.pieces import INDEX, Land, Office, Permit
from domain.city_hall.rules.state import Player, State
from domain.city_hall.rules.words import WORDS
from domain.engine.game import CHANCE, Seat
from domain.engine.refusals import require
from domain.engine.sentences import Sentence, say


def board_of(state: State) -> Board:
    """The board of this game, once it is laid (CH-20.5)."""
    assert state.board is not None, "a game without a board"
    return state.board


def money_of(state: State, seat: Seat) -> int:
    """What a seat has; never asked of a seat the state is blind for."""
    money = state.players[seat].money
    assert money is not None, "this state does not know that seat's money"
    return money


def influence_of(state: State, seat: Seat) -> int:
    """What a seat has; never asked of a seat the state is blind for."""
    influence = state.players[seat].influence
    assert influence is not None, "this state does not know that seat's Influence"
    return influence


def hand_of(state: State, seat: Seat) -> list[int]:
    """The Permits of a seat by kind; never asked of a seat the state is blind for."""
    hand = state.players[seat].hand
    assert hand is not None, "this state does not know that seat's hand"
    return hand


def gain_money(player: Player, dollars: int) -> None:
    """Add dollars, or take them, where the state knows how many there are."""
    if player.money is not None:
        player.money += dollars


def gain_influence(player: Player, cards: int) -> None:
    """Add Influence, or take it, where the state knows how much there is."""
    if player.influence is not None:
        player.influence += cards


def gain_permit(player: Player, permit: Permit | None, cards: int) -> None:
    """Add Permits of a kind, or take them. An unknown kind (None) leaves a hand of which only the number is known."""
    player.hand_count += cards
    if permit is None:
        player.hand = None
    elif player.hand is not None:
        player.hand[INDEX[permit]] += cards


def last_space(state: State) -> int:
    """The last space of the Approval Rating Track (CH-2.6)."""
    return len(board_of(state).ratings)


def rating(state: State, seat: Seat) -> int:
    """The number printed on the approval space of a seat (CH-1.6)."""
    return board_of(state).ratings[state.players[seat].approval - 1]


def lands_in_deck(state: State) -> list[Land]:
    """The cards still in the Land deck, in board order; nobody knows another order."""
    return [land for land, space in state.lands.items() if space.state == "deck"]


def empty_lands(state: State, seat: Seat) -> list[Land]:
    """The empty spaces of a seat, in board order (CH-8.15)."""
    return [land for land, space in state.lands.items() if space.owner == seat and space.permit is None]


def free_offices(state: State) -> list[Office]:
    """The Offices without a Staffer of this round (CH-7.2)."""
    return [office for office, chair in state.offices.items() if chair.staffer is None]


def permits_in_deck(state: State) -> int:
    """How many cards the Permit deck has."""
    return sum(state.unknown) + len(state.bottom)


def permits_on(state: State) -> dict[Land, Permit]:
    """The Permits on the board."""
    return {land: space.permit for land, space in state.lands.items() if space.permit is not None}


def stars_of(state: State, seat: Seat) -> int:
    """The total of a seat: the Star Values of its Buildings (CH-8.21)."""
    return sum(space.stars or 0 for space in state.lands.values() if space.owner == seat)


def clockwise(state: State, first: Seat) -> list[Seat]:
    """The other seats, clockwise from `first` (CH-1.4)."""
    seats = len(state.players)
    return [(first + step) % seats for step in range(1, seats)]


def offers(bids: list[tuple[int, int | None]]) -> list[tuple[Seat, int]]:
    """The bids that are no passes, in the order made."""
    return [(seat, amount) for seat, amount in bids if amount is not None]


def high_bid(state: State) -> int:
    """The high bid so far, from 0 (CH-7.6)."""
    return max((amount for _, amount in offers(state.bids)), default=0)


def lowest_bid(state: State) -> int:
    """The least the next opponent can bid: a match of the high bid (CH-7.6), or 1 where 0 is none (CH-19.3)."""
    return max(high_bid(state), int(state.options.get("zero-bid") == "refused"))


def high_bidders(state: State) -> list[Seat]:
    """Who made the high bid, clockwise from the activator (CH-7.9)."""
    return [seat for seat, amount in offers(state.bids) if amount == high_bid(state)]


def activator(state: State) -> Seat:
    """Whose turn it is."""
    return state.schedule[state.turn]


def office_of(state: State) -> Office:
    """The Office in process."""
    assert state.office is not None, "no Office is in process"
    return state.office


def draw_due(state: State) -> str | None:
    """The label of the draw that comes next, if chance has to act now."""
    if state.phase == "turn-order":
        return "turn-order"
    return "land" if state.lands_due else "permits" if state.permits_due else None


def awaiting(state: State) -> frozenset[Seat]:
    """Who must act: one seat, or CHANCE; nobody where the game goes on by rule, or is over (CH-18.1)."""
    if draw_due(state):
        return frozenset({CHANCE})
    match state.phase:
        case "draft" | "build":
            return frozenset({state.turn_order[state.step % len(state.players)]})
        case "activate":
            return frozenset({activator(state)})
        case "bid":
            return frozenset(state.waiting[:1])
        case "decide" if offers(state.bids):
            return frozenset({activator(state)})
        case "resolve" if state.controller is not None:
            return frozenset({state.controller})
        case _:
            return frozenset()


def decision(state: State) -> str:
    """What is asked, as a token: the same token means the same decision."""
    match draw_due(state):
        case "land":
            return f"land-{len(lands_in_deck(state))}"
        case "permits":
            return f"permits-{state.round}"
    match state.phase:
        case "draft" | "build":
            return f"{state.phase}-{state.step}"
        case "bid":
            return f"bid-{state.round}-{state.office}-{len(state.bids)}"
        case "decide" | "resolve":
            return f"{state.phase}-{state.round}-{state.office}"
        case "activate" | "ended":
            return f"{state.phase}-{state.round}-{state.turn}"
        case "round-over":
            return f"{state.phase}-{state.round}"
        case _:
            return state.phase


def require_own_empty(state: State, seat: Seat, land: Land, rule: str) -> None:
    """Refuse a space the seat does not own, or one that holds a Permit."""
    space = state.lands[land]
    own = partial(own_lands, state, seat)
    require(space.owner == seat, "land-not-owned", rule, "You do not own {land}; {own}.", land=land, own=own)
    if space.permit is not None:
        stands = WORDS[space.permit]
        require(
            False, "land-not-empty", rule, "{land} already has a {permit}; {own}.", land=land, permit=stands, own=own
        )


def own_lands(state: State, seat: Seat) -> Sentence:
    """The empty spaces of a seat, as a clause."""
    empty = empty_lands(state, seat)
    return say("your empty spaces: {lands}", lands=" ".join(empty)) if empty else say("you have no empty space")


def picks(state: State) -> int:
    """How many picks the draft has: twice around the track, three times with two players (CH-4.2, CH-13.1)."""
    seats = len(state.players)
    return seats * (3 if seats == 2 else 2)


def must_return(state: State) -> bool:
    """Whether a starting Permit goes back: with 3 or 4 players (CH-5.1), not with 2 (CH-13.2)."""
    return len(state.players) > 2
