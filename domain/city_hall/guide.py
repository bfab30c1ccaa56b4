"""What an awaited seat can do: pairs of what to type and what it does, each kind with an example that is legal now."""

from collections.abc import Iterable, Iterator
from typing import Final

from domain.city_hall.actions import Accept, Activate, Bid, Buy, Campaign, Health, Lobby, Zone
from domain.city_hall.campaign import ADVANCE
from domain.city_hall.draft import LAID
from domain.city_hall.founding import returning
from domain.city_hall.legal import accepted, considered
from domain.city_hall.lobbyist import BUY, SELL
from domain.city_hall.notation import write
from domain.city_hall.options import option
from domain.city_hall.position import (
    activator,
    available_lands,
    awaiting,
    board_of,
    empty_lands,
    free_offices,
    hand_of,
    high_bid,
    influence_of,
    lands_in_deck,
    lowest_bid,
    money_of,
    offers,
    office_of,
    own_lands,
    rating,
    stars_of,
)
from domain.city_hall.state import State
from domain.city_hall.surveyor import PRICE
from domain.city_hall.taxes import FACTORS, income
from domain.city_hall.words import PAWNS, TITLES, Land, listed, one_of
from domain.decider import Action, Seat

Pair = tuple[str, str]
EXAMPLE: Final = "for example"


def guide(state: State, seat: Seat) -> list[Pair]:
    """What this seat may type now; [] where nothing is asked of it."""
    if seat not in awaiting(state):
        return []
    legal = list(accepted(state, seat, considered(state, seat)))
    match state.phase:
        case "draft":
            return list(_draft(state, legal))
        case "build":
            return list(_build(state, seat, legal))
        case "activate":
            return list(_activate(state, seat, legal))
        case "bid":
            return list(_bid(state, seat, legal))
        case "decide":
            return list(_decide(state, seat, legal))
        case _:
            return list(_resolve(state, seat, legal))


def _example(form: str, meaning: str, actions: Iterable[Action]) -> Iterator[Pair]:
    """A form and an example of it, or nothing where no such action is legal."""
    for action in actions:
        yield form, meaning
        yield write(action), EXAMPLE
        return


def _prices(state: State) -> str:
    return one_of([f"{land} (${state.lands[land].money})" for land in available_lands(state)])


def _near(state: State, land: Land) -> str:
    return f"{land} (beside {' '.join(board_of(state).neighbours[land])})"


def _own(state: State, seat: Seat) -> str:
    empty = [_near(state, land) for land in empty_lands(state, seat)]
    return f"your empty spaces: {one_of(empty)}" if empty else own_lands(state, seat)


def _holdings(state: State, seat: Seat) -> str:
    return f"you have ${money_of(state, seat)} and {influence_of(state, seat)} Influence"


def _auction(state: State, seat: Seat) -> str:
    """Who activated what, and the bids so far."""
    who = "you have" if activator(state) == seat else f"{PAWNS[activator(state)]} has"
    bids = [f"{PAWNS[bidder]} {'passes' if amount is None else f'bids {amount}'}" for bidder, amount in state.bids]
    return f"{who} activated the {_title(state)}; {'so far ' + one_of(bids) if bids else 'no bid yet'}"


def _title(state: State) -> str:
    return TITLES[office_of(state)]


def _draft(state: State, legal: list[Action]) -> Iterator[Pair]:
    meaning = f"own a space and take the money on it: {_prices(state)}; the others get ${LAID} more"
    yield from _example("draft LAND", meaning, legal)


def _build(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    hand = listed(hand_of(state, seat))
    if returning(state):
        form, rest = "build PERMIT LAND return PERMIT", "; one of your other Permits goes back, one stays in hand"
    else:
        form, rest = "build PERMIT LAND", ""
    yield from _example(form, f"your initial Building, of {hand}; {_own(state, seat)}{rest}", legal)


def _activate(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    lying = [f"{office} ({state.offices[office].influence})" for office in free_offices(state)]
    meaning = (
        f"put your Staffer on a free Office and take the Influence on it: {one_of(lying)}; "
        f"then the others bid; {_holdings(state, seat)}"
    )
    yield from _example("activate OFFICE", meaning, legal)
    searches = [it for it in legal if isinstance(it, Activate) and it.search]
    deck = " ".join(lands_in_deck(state))
    meaning = f"the Surveyor, and for 1 Influence a card of your choice out of the Land deck: {deck}"
    yield from _example("activate surveyor search LAND", meaning, searches)


def _bid(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    held, least = influence_of(state, seat), lowest_bid(state)
    short = f"; to bid you would need {least} Influence, and you have {held}" if held < least else ""
    yield "pass", f"do not bid; {_auction(state, seat)}{short}"
    to_match = " (a match)" if offers(state.bids) else ""
    meaning = (
        f"bid Influence, from {least}{to_match} to {held}, all you have: you pay only if {PAWNS[activator(state)]} "
        f"accepts, and then the Office is yours"
    )
    yield from _example("bid NUMBER", meaning, [it for it in legal if isinstance(it, Bid)])


def _decide(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    price, held = high_bid(state), influence_of(state, seat)
    cannot = "" if held >= price else f"; to keep it you would have to pay {price}, and you have {held}"
    for action in legal:
        if isinstance(action, Accept):
            whom = PAWNS[action.seat]
            yield write(action), f"take {price} Influence from {whom}, and {whom} controls the {_title(state)}{cannot}"
        else:
            yield write(action), f"pay {price} Influence to the bank and control the {_title(state)}; you have {held}"


def _resolve(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    match state.office:
        case "tax":
            yield from _tax(state, seat, legal)
        case "campaign":
            yield from _campaign(state, seat, legal)
        case "surveyor":
            meaning = f"buy a space for ${PRICE}, the money on it counts: {_prices(state)}; {_holdings(state, seat)}"
            yield from _example("buy LAND", meaning, [it for it in legal if isinstance(it, Buy) and it.land])
            yield "buy none", f"buy no land; ${LAID} more on every space that is left"
        case "lobbyist":
            yield "lobby", f"take {rating(state, seat)} Influence for your rating; {_holdings(state, seat)}"
            meaning = f"and then buy Influence at ${BUY}, or sell it at ${SELL}, as often as you like, in this order"
            deals = [it for it in legal if isinstance(it, Lobby) and it.steps]
            yield from _example("lobby buy NUMBER sell NUMBER", meaning, deals)
        case "zoning":
            yield from _zone(state, seat, [it for it in legal if isinstance(it, Zone)])
        case _:
            yield from _health(state, seat, legal)


def _tax(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    base = income(state, seat)
    meanings = {
        "tax": f"take your income, ${base}",
        "tax double": f"take your income twice, ${base * FACTORS['double']}, as you are on approval space 1",
        "tax triple": f"take your income three times, ${base * FACTORS['triple']}, and go down 1 space of approval",
    }
    for action in legal:
        yield write(action), meanings[write(action)]


def _campaign(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    for action in legal:
        if isinstance(action, Campaign) and action.pay != "none":
            spaces = ADVANCE[action.pay]
            by = f"advance {spaces} space{'s' if spaces > 1 else ''}"
            where = f"on the Approval Rating Track; you have ${money_of(state, seat)}"
            yield write(action), f"pay ${action.pay} and {by} {where}"
        else:
            yield write(action), "do not campaign"


def _zone(state: State, seat: Seat, legal: list[Zone]) -> Iterator[Pair]:
    hand, shown = listed(hand_of(state, seat)), one_of(state.revealed)
    plain = [it for it in legal if not it.build]
    if not state.revealed:
        yield "zone none", "take nothing, as nothing was revealed"
    elif len(state.revealed) == 1:
        yield write(plain[0]), "take the one Permit that was revealed"
    else:
        meaning = f"take two Permits of {shown} into your hand; you have {hand}"
        yield from _example("zone take PERMIT PERMIT", meaning, plain)
    order = "; end the line with under PERMIT PERMIT to say, for yourself alone, how the rest goes below the deck"
    order = order if len(state.revealed) > 2 else ""
    meaning = f"take one Permit, then build one of your hand; {_own(state, seat)}{order}"
    yield from _example("zone take PERMIT build PERMIT LAND", meaning, [it for it in legal if it.take and it.build])
    own = [it for it in legal if not it.take and it.build]
    if option(state, "zoning-build") == "one-or-two":
        meaning = f"build one Permit of your hand ({hand}); {_own(state, seat)}"
        yield from _example("zone build PERMIT LAND", meaning, [it for it in own if len(it.build) == 1])
    meaning = f"build two Permits of your hand ({hand}), in this order; {_own(state, seat)}"
    two = [it for it in own if len(it.build) == 2]
    yield from _example("zone build PERMIT LAND PERMIT LAND", meaning, two)


def _health(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    own = stars_of(state, seat)
    totals = one_of([f"{PAWNS[other]} {stars_of(state, other)}" for other in range(len(state.players))])
    meanings = {
        "plus3": f"count the stars, yours as {own + 3} instead of {own}: Population by rank; totals: {totals}",
        "double": f"count the stars, yours as {own * 2} instead of {own}",
        "none": f"count the stars, yours as {own}",
    }
    for action in legal:
        if isinstance(action, Health):
            yield write(action), meanings[action.bonus]
