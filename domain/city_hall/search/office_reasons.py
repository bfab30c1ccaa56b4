"""What an Office is good for, and why its action is carried out so, in words (CH-8)."""

from domain.city_hall.rules import actions as order
from domain.city_hall.rules.campaign import ADVANCE
from domain.city_hall.rules.health import gains
from domain.city_hall.rules.pieces import Office
from domain.city_hall.rules.surveyor import PRICE
from domain.city_hall.rules.taxes import FACTORS
from domain.city_hall.rules.words import WORDS, amount_of_influence, dollars
from domain.city_hall.search.offices import bonus_totals, campaigns, counts_of_stars
from domain.city_hall.search.outlook import Outlook
from domain.city_hall.search.placing import placed_sentence
from domain.city_hall.search.worth import LAST
from domain.engine.game import Action, Seat
from domain.engine.sentences import Sentence, row, say, say_n


def office_reason(seen: Outlook, seat: Seat, office: Office) -> Sentence:
    """What its action would bring a seat, as a clause."""
    own = seen.seats[seat]
    match office:
        case "tax":
            times = FACTORS["double" if own.approval == 1 else "triple"]
            return say("the most that taxes bring is {money}", money=dollars(own.income * times))
        case "campaign":
            pay = max(campaigns(seen, seat), key=lambda choice: choice[0])[1].pay  # type: ignore[attr-defined]
            spaces = min(ADVANCE.get(pay, 0), LAST - own.approval)
            return say_n("it leads {count} space up in approval", "it leads {count} spaces up in approval", spaces)
        case "lobbyist":
            taken = amount_of_influence(seen.board.ratings[own.approval - 1])
            return say("it brings {influence} and trades more", influence=taken)
        case "surveyor":
            return say("land is room to build, and counts in its borough")
        case "zoning":
            return zoning_clause(seen, seat)
        case "health":
            bonus = max(counts_of_stars(seen, seat), key=lambda choice: choice[0])[1].bonus  # type: ignore[attr-defined]
            plain, more = (gains(seen.state, bonus_totals(seen, seat, kind))[seat] for kind in ("none", bonus))
            return say("its bonus adds {gain} to your Population", gain=more - plain)
        case _:
            return say("you would begin the next round, and win ties")


def zoning_clause(seen: Outlook, seat: Seat) -> Sentence:
    """By what the seat could build on."""
    empty = len(seen.seats[seat].empty)
    if not empty:
        return say("it brings Permits for later, though you have no empty space")
    return say_n("you could build on {count} empty space", "you could build on {count} empty spaces", empty)


def done_reason(seen: Outlook, seat: Seat, action: Action) -> Sentence:
    """Why an Office is carried out so."""
    own, ratings = seen.seats[seat], seen.board.ratings
    match action:
        case order.Tax(times=times):
            money = dollars(own.income * FACTORS[times])
            if times == "triple":
                return say("Three times your income is {money}, for one space of approval.", money=money)
            return say("Your taxes bring {money} and cost no approval.", money=money)
        case order.Campaign(pay=int(pay)):
            there = min(LAST, own.approval + ADVANCE[pay])
            return say(
                "Up to space {space}: your rating goes from {old} to {new}.",
                space=there,
                old=ratings[own.approval - 1],
                new=ratings[there - 1],
            )
        case order.Buy(land=str(land)):
            price = max(0, PRICE - seen.state.lands[land].money)
            return say("{land} costs you {price}.", land=land, price=dollars(price))
        case order.Lobby() as lobby:
            return lobby_reason(seen, seat, lobby)
        case order.Zone() as zone:
            return zone_reason(seen, seat, zone)
        case order.Health(bonus=bonus):
            gain = gains(seen.state, bonus_totals(seen, seat, bonus))[seat]
            total = bonus_totals(seen, seat, bonus)[seat]
            return say("A total of {total} makes your Population grow by {gain}.", total=total, gain=gain)
        case order.Buy():
            return say("No space is worth its price to you now.")
        case _:
            return say("Nothing is gained by a campaign now.")


def lobby_reason(seen: Outlook, seat: Seat, lobby: order.Lobby) -> Sentence:
    """What is taken, and why some of it is sold or more bought."""
    taken = amount_of_influence(seen.board.ratings[seen.seats[seat].approval - 1])
    parts = [say("Your rating brings {influence}.", influence=taken)]
    verbs = {verb for clause in lobby.steps for verb in clause}
    if verbs == {"sell"}:
        parts.append(say("Money is worth more to you than so much Influence."))
    elif verbs == {"buy"}:
        parts.append(say("Influence is worth more to you than so much money."))
    return row(parts, " ")


def zone_reason(seen: Outlook, seat: Seat, zone: order.Zone) -> Sentence:
    """What each Permit built brings; else what is taken for later."""
    if zone.build:
        parts = []
        for placement in zone.build:
            parts.append(placed_sentence(seen, seat, placement.permit, placement.land))
            seen.permits[placement.land] = placement.permit
        return row(parts, " ")
    if not seen.seats[seat].empty:
        return say("There is no empty space of yours to build on.")
    if not zone.take:
        return say("There is nothing to take, and nothing worth building.")
    return say("To be built later: {permits}.", permits=row([WORDS[permit] for permit in zone.take], ", "))
