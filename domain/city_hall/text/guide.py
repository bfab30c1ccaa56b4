"""The question to a seat and its possible answers: forms to type, their effects, and examples that are legal now."""

from collections.abc import Iterable, Iterator

from domain.city_hall.rules.actions import Accept, Activate, Bid, Buy, Campaign, Health, Lobby, Zone
from domain.city_hall.rules.available import LAID, available_lands
from domain.city_hall.rules.campaign import ADVANCE
from domain.city_hall.rules.candidates import considered
from domain.city_hall.rules.decide import decide
from domain.city_hall.rules.lobbyist import BUY, SELL
from domain.city_hall.rules.options import option
from domain.city_hall.rules.pieces import PAWNS, Land
from domain.city_hall.rules.position import (
    activator,
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
    must_return,
    offers,
    office_of,
    own_lands,
    rating,
    stars_of,
)
from domain.city_hall.rules.state import State
from domain.city_hall.rules.surveyor import PRICE, land_price
from domain.city_hall.rules.taxes import FACTORS, income
from domain.city_hall.rules.words import (
    THE_OFFICES,
    WORDS,
    amount_of_influence,
    form,
    listed,
    permits_named,
    spoken_price,
)
from domain.city_hall.text.notation import write
from domain.engine.game import Action, Seat, View
from domain.engine.legal import legal_among
from domain.engine.presentation import EXAMPLE
from domain.engine.sentences import Sentence, one_of, row, say, say_n

Pair = tuple[str, str]


def guide(state: State, seat: Seat) -> list[Pair]:
    """What this seat may type now; [] where nothing is asked of it."""
    if seat not in awaiting(state):
        return []
    legal = list(legal_among(decide, state, seat, considered(state, seat)))
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


def _example(line: str, meaning: Sentence, actions: Iterable[Action]) -> Iterator[Pair]:
    """A form and an example of it, or nothing where no such action is legal."""
    for action in actions:
        yield form(line), meaning
        yield write(action), EXAMPLE
        return


def _prices(state: State) -> Sentence:
    return one_of(
        [
            say("{land} ({price})", land=land, price=spoken_price(land_price(state.phase, state.lands[land].money)))
            for land in available_lands(state)
        ]
    )


def _near(state: State, land: Land) -> Sentence:
    return say("{land} (beside {lands})", land=land, lands=" ".join(board_of(state).neighbours[land]))


def _own(state: State, seat: Seat) -> Sentence:
    empty = [_near(state, land) for land in empty_lands(state, seat)]
    return say("your empty spaces: {lands}", lands=one_of(empty)) if empty else own_lands(state, seat)


def _holdings(state: State, seat: Seat) -> Sentence:
    money, influence = money_of(state, seat), influence_of(state, seat)
    return say("you have ${money} and {influence}", money=money, influence=amount_of_influence(influence))


def _pawn(seat: Seat) -> Sentence:
    return WORDS[PAWNS[seat]]


def _auction(state: State) -> Sentence:
    """Who activated what, and the bids so far."""
    name, office = _pawn(activator(state)), _office(state)
    bids = [
        say("{name} passes", name=_pawn(bidder))
        if amount is None
        else say("{name} bids {influence}", name=_pawn(bidder), influence=amount)
        for bidder, amount in state.bids
    ]
    if not bids:
        return say("{name} has activated {office}; no bid yet", name=name, office=office)
    return say("{name} has activated {office}; so far {bids}", name=name, office=office, bids=one_of(bids))


def _office(state: State) -> Sentence:
    return THE_OFFICES[office_of(state)]


def _draft(state: State, legal: list[Action]) -> Iterator[Pair]:
    meaning = say(
        "own a space and take the money on it: {prices}; the bank puts ${laid} more on each of the others",
        prices=_prices(state),
        laid=LAID,
    )
    yield from _example("draft LAND", meaning, legal)


def _build(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    hand, own = listed(hand_of(state, seat)), _own(state, seat)
    if not must_return(state):
        meaning = say("your initial Building, of {hand}; {own}", hand=hand, own=own)
        yield from _example("build PERMIT LAND", meaning, legal)
        return
    meaning = say(
        "your initial Building, of {hand}; {own}; one of your other Permits goes back, one stays in hand",
        hand=hand,
        own=own,
    )
    yield from _example("build PERMIT LAND return PERMIT", meaning, legal)


def _activate(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    meaning = say(
        "put your Staffer on a free Office and take the Influence on it: {offices}; then the others bid; {holdings}",
        offices=one_of(
            [row([WORDS[office], f" ({state.offices[office].influence})"]) for office in free_offices(state)]
        ),
        holdings=_holdings(state, seat),
    )
    yield from _example("activate OFFICE", meaning, legal)
    searches = [action for action in legal if isinstance(action, Activate) and action.search]
    meaning = say(
        "the Surveyor, and for 1 Influence a card of your choice out of the Land deck: {lands}",
        lands=" ".join(lands_in_deck(state)),
    )
    yield from _example("activate surveyor search LAND", meaning, searches)


def _bid(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    held, least = influence_of(state, seat), lowest_bid(state)
    auction = _auction(state)
    if held < least:
        meaning = say(
            "do not bid; {auction}; to bid you would need {least}, and you have {held}",
            auction=auction,
            least=amount_of_influence(least),
            held=held,
        )
    else:
        meaning = say("do not bid; {auction}", auction=auction)
    yield "pass", meaning
    bids = [action for action in legal if isinstance(action, Bid)]
    values = {"least": least, "held": held, "name": _pawn(activator(state))}
    if offers(state.bids):
        meaning = say(
            "bid Influence, from {least} (a match) to {held}, all you have: you pay only if {name} accepts, "
            "and then the Office is yours",
            **values,
        )
    else:
        meaning = say(
            "bid Influence, from {least} to {held}, all you have: you pay only if {name} accepts, "
            "and then the Office is yours",
            **values,
        )
    yield from _example("bid NUMBER", meaning, bids)


def _decide(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    held = influence_of(state, seat)
    values = {"influence": amount_of_influence(high_bid(state)), "held": held, "office": _office(state)}
    for action in legal:
        if not isinstance(action, Accept):
            meaning = say("pay {influence} to the bank and control {office}; you have {held}", **values)
        elif held >= high_bid(state):
            name = _pawn(action.seat)
            meaning = say("take {influence} from {name}, and {name} controls {office}", name=name, **values)
        else:
            meaning = say(
                "take {influence} from {name}, and {name} controls {office}; "
                "to keep it you would have to pay {influence}, and you have {held}",
                name=_pawn(action.seat),
                **values,
            )
        yield write(action), meaning


def _resolve(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    match state.office:
        case "tax":
            yield from _tax(state, seat, legal)
        case "campaign":
            yield from _campaign(state, seat, legal)
        case "surveyor":
            yield from _survey(state, seat, legal)
        case "lobbyist":
            yield from _lobby(state, seat, legal)
        case "zoning":
            yield from _zone(state, seat, [action for action in legal if isinstance(action, Zone)])
        case _:
            yield from _health(state, seat, legal)


def _tax(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    base = income(state, seat)
    meanings = {
        "tax": say("take your income, ${money}", money=base),
        "tax double": say(
            "take your income twice, ${money}, as you are on approval space 1", money=base * FACTORS["double"]
        ),
        "tax triple": say(
            "take your income three times, ${money}, and go down 1 space of approval", money=base * FACTORS["triple"]
        ),
    }
    for action in legal:
        yield write(action), meanings[write(action)]


def _campaign(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    for action in legal:
        if isinstance(action, Campaign) and action.pay != "none":
            meaning = say_n(
                "pay ${price} and advance {count} space on the Approval Rating Track; you have ${money}",
                "pay ${price} and advance {count} spaces on the Approval Rating Track; you have ${money}",
                ADVANCE[action.pay],
                price=action.pay,
                money=money_of(state, seat),
            )
            yield write(action), meaning
        else:
            yield write(action), say("do not campaign")


def _survey(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    meaning = say(
        "buy a space for ${price} less the money on it: {prices}; {holdings}",
        price=PRICE,
        prices=_prices(state),
        holdings=_holdings(state, seat),
    )
    yield from _example("buy LAND", meaning, [action for action in legal if isinstance(action, Buy) and action.land])
    yield "buy none", say("buy no land; ${laid} more on every space that is left", laid=LAID)


def _lobby(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    meaning = say(
        "take {influence} for your rating; {holdings}",
        influence=amount_of_influence(rating(state, seat)),
        holdings=_holdings(state, seat),
    )
    yield "lobby", meaning
    meaning = say(
        "and then buy Influence at ${buy}, or sell it at ${sell}, as often as you like, in this order",
        buy=BUY,
        sell=SELL,
    )
    deals = [action for action in legal if isinstance(action, Lobby) and action.steps]
    yield from _example("lobby buy NUMBER sell NUMBER", meaning, deals)


def _zone(state: State, seat: Seat, legal: list[Zone]) -> Iterator[Pair]:
    hand, own = listed(hand_of(state, seat)), _own(state, seat)
    yield from _take(state, hand, [action for action in legal if not action.build])
    if len(state.revealed) > 2:
        meaning = say(
            "take one Permit, then build one of your hand; {own}; end the line with {form} to say, for yourself alone, "
            "how the rest goes below the deck",
            own=own,
            form=form("under PERMIT PERMIT"),
        )
    else:
        meaning = say("take one Permit, then build one of your hand; {own}", own=own)
    yield from _example(
        "zone take PERMIT build PERMIT LAND", meaning, [action for action in legal if action.take and action.build]
    )
    built = [action for action in legal if not action.take and action.build]
    if option(state, "zoning-build") == "one-or-two":
        meaning = say("build one Permit of your hand ({hand}); {own}", hand=hand, own=own)
        yield from _example("zone build PERMIT LAND", meaning, [action for action in built if len(action.build) == 1])
    meaning = say("build two Permits of your hand ({hand}), in this order; {own}", hand=hand, own=own)
    two = [action for action in built if len(action.build) == 2]
    yield from _example("zone build PERMIT LAND PERMIT LAND", meaning, two)


def _take(state: State, hand: Sentence, plain: list[Zone]) -> Iterator[Pair]:
    if not state.revealed:
        yield "zone none", say("take nothing, as nothing was revealed")
    elif len(state.revealed) == 1:
        yield write(plain[0]), say("take the one Permit that was revealed")
    else:
        permits = permits_named(state.revealed)
        meaning = say("take two Permits of {permits} into your hand; you have {hand}", permits=permits, hand=hand)
        yield from _example("zone take PERMIT PERMIT", meaning, plain)


def _health(state: State, seat: Seat, legal: list[Action]) -> Iterator[Pair]:
    own = stars_of(state, seat)
    totals = [row([_pawn(other), f" {stars_of(state, other)}"]) for other in range(len(state.players))]
    meanings = {
        "plus3": say(
            "count the stars, yours as {counted} instead of {own}: Population by rank; totals: {totals}",
            counted=own + 3,
            own=own,
            totals=one_of(totals),
        ),
        "double": say("count the stars, yours as {counted} instead of {own}", counted=own * 2, own=own),
        "none": say("count the stars, yours as {own}", own=own),
    }
    for action in legal:
        if isinstance(action, Health):
            yield write(action), meanings[action.bonus]


def asks(view: View) -> Sentence:
    """Return what a seat decides now, without its name (CH-18.1)."""
    office = THE_OFFICES.get(view["office"], say("an Office"))
    match view["phase"]:
        case "draft":
            return say("Draft a space")
        case "build":
            return say("Place an initial Building")
        case "activate":
            return say("Put a Staffer on an Office")
        case "bid":
            return say("Bid on {office}, or pass", office=office)
        case "decide":
            return say("Keep {office}, or accept a bid", office=office)
        case _:
            return say("Use {office}", office=office)


def question(view: View, player: str) -> Sentence:
    """Return what a player decides now, as a question to them by name (CH-18.1)."""
    office = THE_OFFICES.get(view["office"], say("an Office"))
    match view["phase"]:
        case "draft":
            return say("{player}, which space do you draft?", player=player)
        case "build":
            return say("{player}, where does your initial Building go?", player=player)
        case "activate":
            return say("{player}, which Office does your Staffer activate?", player=player)
        case "bid":
            return say("{player}, what do you bid for {office}?", player=player, office=office)
        case "decide":
            return say("{player}, do you keep {office}?", player=player, office=office)
        case _:
            return say("{player}, how do you use {office}?", player=player, office=office)
