"""Why somebody would make a move of City Hall, in a sentence for people, from what the seat knows."""

from domain.city_hall.rules import actions as order
from domain.city_hall.rules.copying import blind
from domain.city_hall.rules.position import activator, high_bid, influence_of, office_of
from domain.city_hall.rules.state import State
from domain.city_hall.rules.words import THE_OFFICES, TITLES, amount_of_influence, dollars
from domain.city_hall.search.auction import prizes
from domain.city_hall.search.office_reasons import done_reason, office_reason
from domain.city_hall.search.outlook import Outlook, outlook
from domain.city_hall.search.placing import placed_sentence
from domain.city_hall.search.worth import influence_worth
from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.engine.sentences import Sentence, row, say


def reason(state: State, seat: Seat, move: Move[Action]) -> Sentence:
    """Why a seat would make this move. Whatever else the state holds, the blind state of the seat is asked."""
    known = blind(state, seat)
    seen = outlook(known)
    match move[0]:
        case order.Draft(land=land):
            return draft_reason(seen, seat, land)
        case order.Build(permit=permit, land=land):
            return placed_sentence(seen, seat, permit, land)
        case order.Activate() as activated:
            return activation_reason(seen, seat, activated)
        case order.Bid(influence=influence):
            return bid_reason(seen, seat, influence)
        case order.Pass():
            return pass_reason(seen, seat)
        case order.Keep():
            return keep_reason(seen, seat)
        case order.Accept():
            return accept_reason(seen, seat)
        case action:
            return done_reason(seen, seat, action)


def worth_in_influence(seen: Outlook, seat: Seat) -> int:
    """What the Office in process is worth to a seat, in Influence."""
    unit = influence_worth(seen, 4) / 4
    return max(0, round(prizes(seen, office_of(seen.state), [seat])[seat] / max(0.2, unit)))


def about(seen: Outlook, seat: Seat) -> Sentence:
    """What it is worth, and why."""
    worth = amount_of_influence(worth_in_influence(seen, seat))
    why = office_reason(seen, seat, office_of(seen.state))
    return say("{office}: worth about {worth} to you; {why}.", office=_title(seen), worth=worth, why=why)


def _title(seen: Outlook) -> Sentence:
    return TITLES[office_of(seen.state)]


def _office(seen: Outlook) -> Sentence:
    return THE_OFFICES[office_of(seen.state)]


def draft_reason(seen: Outlook, seat: Seat, land: str) -> Sentence:
    """The money on a space, and what it touches (CH-4.3)."""
    space = seen.state.lands[land]  # type: ignore[index]
    own = [other for other in seen.board.neighbours[land] if seen.state.lands[other].owner == seat]  # type: ignore[index]
    parts = [say("{land} brings {money}.", land=land, money=dollars(space.money))] if space.money else []
    if own:
        parts.append(say("{land} touches land of yours: {lands}.", land=land, lands=" ".join(own)))
    return row(parts or [say("{land} is as good a place to build on as any.", land=land)], " ")


def activation_reason(seen: Outlook, seat: Seat, action: order.Activate) -> Sentence:
    """What the Office brings, and what lies on it (CH-7.2, CH-7.3)."""
    why = office_reason(seen, seat, action.office)
    parts = [say("{office}: {why}.", office=TITLES[action.office], why=why)]
    if lying := seen.state.offices[action.office].influence:
        parts.append(say("{influence} lying there comes to you.", influence=amount_of_influence(lying)))
    if action.search:
        parts.append(say("{land} is the space you would like to buy.", land=action.search))
    return row(parts, " ")


def bid_reason(seen: Outlook, seat: Seat, influence: int) -> Sentence:
    """Whether the Office is worth more than the bid."""
    if worth_in_influence(seen, seat) > influence:
        return about(seen, seat)
    return say("The more is bid, the more it costs to keep {office}.", office=_office(seen))


def pass_reason(seen: Outlook, seat: Seat) -> Sentence:
    """Whether a bid that counts is too much, or the Office too little."""
    worth, high = worth_in_influence(seen, seat), high_bid(seen.state)
    if influence_of(seen.state, seat) < high:
        return say("The high bid is more than you have.")
    if worth <= high:
        paid = amount_of_influence(worth)
        return say("{office}: worth about {worth} to you, no more than is bid.", office=_title(seen), worth=paid)
    return say("Your Influence will buy more elsewhere.")


def keep_reason(seen: Outlook, seat: Seat) -> Sentence:
    """What it is worth, against the price."""
    price = high_bid(seen.state)
    if worth_in_influence(seen, seat) >= price:
        return about(seen, seat)
    return say("Your rivals want {office}, too.", office=_office(seen))


def accept_reason(seen: Outlook, seat: Seat) -> Sentence:
    """The bid, against what the Office is worth."""
    price, worth = high_bid(seen.state), worth_in_influence(seen, activator(seen.state))
    if influence_of(seen.state, seat) < price:
        return say("You cannot pay {price} to keep {office}.", price=amount_of_influence(price), office=_office(seen))
    if price >= worth:
        return say(
            "{office}: {price} is at least what it is worth to you, about {worth}.",
            price=amount_of_influence(price),
            office=_title(seen),
            worth=amount_of_influence(worth),
        )
    return say(
        "You gain {price} instead of paying it, and that outweighs {office}.",
        price=amount_of_influence(price),
        office=_office(seen),
    )
