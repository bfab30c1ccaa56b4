"""What happened, in a sentence for people: for mails, pages and the history of a game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.decider import Event
from domain.tammany_hall import events as fact
from domain.tammany_hall.board import COLOURS, Colour
from domain.tammany_hall.position import one_of

Names = Sequence[str]
ROMAN: Final = {1: "I", 2: "II", 3: "III"}
NUMBERS: Final = ("no", "one", "two", "three")
OFFICES: Final = {
    "deputy": "Deputy Mayor",
    "council": "Council President",
    "police": "Chief of Police",
    "precinct": "Precinct Chairman",
}
REASONS: Final = {
    "wards": "has won the most wards and is mayor",
    "tie-break": "wins the tie for the most wards by favor chips and is mayor",
    "holdover": "stays mayor, because the tie for the most wards cannot be broken",
}


def tell(event: Event, names: Names) -> str:
    """One event as a sentence or a few; "" where there is nothing to tell. Of a sealed bid, only that it was made."""
    teller = TELLERS.get(type(event))
    return teller(event, names) if teller else ""


def _first_player_drawn(event: fact.FirstPlayerDrawn, names: Names) -> str:
    return f"{names[event.result]} is drawn as first player."


def _zone_opened(event: fact.ZoneOpened, names: Names) -> str:
    by_colour = {colour: [ward for ward, cube in event.result.items() if cube == colour] for colour in COLOURS}
    dealt = [f"{colour} in {_wards(wards)}" for colour, wards in by_colour.items() if wards]
    return f"Zone {ROMAN[event.zone]} comes into play: {'; '.join(dealt)}."


def _garden_filled(event: fact.GardenFilled, names: Names) -> str:
    return f"Into the Castle Garden come {_colours(event.result)}."


def _term_began(event: fact.TermBegan, names: Names) -> str:
    return f"Term {event.term} begins; {names[event.first]} is first player."


def _year_began(event: fact.YearBegan, names: Names) -> str:
    return f"Year {event.year} begins."


def _turn_began(event: fact.TurnBegan, names: Names) -> str:
    return f"It is {names[event.seat]}'s turn."


def _turn_ended(event: fact.TurnEnded, names: Names) -> str:
    return f"{names[event.seat]} ends the turn."


def _bosses_placed(event: fact.BossesPlaced, names: Names) -> str:
    wards = event.wards
    twice = len(wards) == 2 and wards[0] == wards[1]
    where = f"two bosses in ward {wards[0]}" if twice else one_of([f"a boss in ward {ward}" for ward in wards])
    return f"{names[event.seat]} campaigns: {where}."


def _immigrant_settled(event: fact.ImmigrantSettled, names: Names) -> str:
    chip = f"taking {_a(event.cube)} favor chip" if event.chips else f"but no {event.cube} favor chip is left to take"
    return (
        f"{names[event.seat]} settles: a boss in ward {event.boss} and {_a(event.cube)} immigrant "
        f"in ward {event.ward}, {chip}."
    )


def _boss_slandered(event: fact.BossSlandered, names: Names) -> str:
    where = f"in ward {event.ward}" if event.then is None else f"in ward {event.ward} and then in ward {event.then}"
    leaves = "one boss leaves" if event.then is None else "one boss leaves each of them"
    price = f"{NUMBERS[event.chips]} {event.favor} favor chip{'s' if event.chips > 1 else ''}"
    return f"{names[event.seat]} slanders {names[event.target]} {where} for {price}: {leaves}."


def _favor_granted(event: fact.FavorGranted, names: Names) -> str:
    return f"{names[event.seat]}, Deputy Mayor, takes {_a(event.favor)} favor chip."


def _ward_locked(event: fact.WardLocked, names: Names) -> str:
    return f"{names[event.seat]}, Council President, locks ward {event.ward}."


def _immigrant_expelled(event: fact.ImmigrantExpelled, names: Names) -> str:
    return f"{names[event.seat]}, Chief of Police, sends {_a(event.cube)} immigrant of ward {event.ward} into the bag."


def _immigrant_moved(event: fact.ImmigrantMoved, names: Names) -> str:
    where = f"from ward {event.origin} to ward {event.to}"
    return f"{names[event.seat]}, Precinct Chairman, moves {_a(event.cube)} immigrant {where}."


def _garden_returned(event: fact.GardenReturned, names: Names) -> str:
    returned = _colours(event.cubes)
    return "The election begins." + ("" if returned == "none" else f" Back into the bag go {returned}.")


def _ward_resolved(event: fact.WardResolved, names: Names) -> str:
    if not event.votes:
        return f"Ward {event.ward}: nobody stands there, nobody wins."
    if len(event.votes) == 1 and event.winner is not None:
        return f"Ward {event.ward}: {names[event.winner]} stands there alone and wins.{_offer(event, names)}"
    return f"Ward {event.ward}: nobody can bid. {_outcome(event, names)}"


def _bidding_opened(event: fact.BiddingOpened, names: Names) -> str:
    standing = [
        f"{names[it.seat]} has {it.bosses} boss{'es' if it.bosses > 1 else ''} and "
        + (f"can use {_colours(it.usable)}" if any(it.usable.values()) else "no chip of use")
        for it in event.candidates
    ]
    owes = one_of([names[seat] for seat in event.owes])
    verb = "owes a sealed bid" if len(event.owes) == 1 else "owe sealed bids"
    return f"Ward {event.ward} is contested: {'; '.join(standing)}. {owes} {verb}."


def _bid_sealed(event: fact.BidSealed, names: Names) -> str:
    return f"{names[event.seat]} has handed in a sealed bid for ward {event.ward}."


def _bids_revealed(event: fact.BidsRevealed, names: Names) -> str:
    bids = [f"{names[int(seat)]} bid {_colours(chips)}" for seat, chips in event.bids.items()]
    return f"The bids for ward {event.ward}: {', '.join(bids)}. {_outcome(event, names)}"


def _outcome(event: fact.WardResolved | fact.BidsRevealed, names: Names) -> str:
    """The votes, who won, and the bonus offered."""
    best = max(event.votes.values())
    votes = "Votes: " + ", ".join(f"{names[int(seat)]} {count}" for seat, count in event.votes.items())
    if event.winner is None:
        tied = one_of([names[int(seat)] for seat, count in event.votes.items() if count == best])
        return f"{votes}. {tied} are tied: nobody wins, and all bosses leave."
    return f"{votes}. {names[event.winner]} wins and keeps one boss there.{_offer(event, names)}"


def _offer(event: fact.WardResolved | fact.BidsRevealed, names: Names) -> str:
    if event.winner is None or event.bonus is None:
        return ""
    what = "place a cube from the bag" if event.bonus == "cube" else "take a favor chip"
    return f" As a bonus, {names[event.winner]} may {what}."


def _bonus_cube_placed(event: fact.BonusCubePlaced, names: Names) -> str:
    return f"{names[event.seat]} takes the bonus: {_a(event.cube)} immigrant from the bag into ward {event.ward}."


def _bonus_favor_taken(event: fact.BonusFavorTaken, names: Names) -> str:
    return f"{names[event.seat]} takes the bonus: {_a(event.favor)} favor chip."


def _bonus_declined(event: fact.BonusDeclined, names: Names) -> str:
    return f"{names[event.seat]} declines the bonus."


def _leaders_awarded(event: fact.LeadersAwarded, names: Names) -> str:
    told = []
    for colour, seats in event.leaders.items():
        takes = [f"{names[seat]} takes {event.chips[colour].get(str(seat), 0)}" for seat in seats]
        cubes = f"{event.cubes[colour]} cube{'' if event.cubes[colour] == 1 else 's'}"
        told.append(f"{colour} ({cubes}): {one_of(takes)}" if takes else f"{colour}: nobody")
    return f"Immigrant leaders and their favor chips: {'; '.join(told)}."


def _mayor_elected(event: fact.MayorElected, names: Names) -> str:
    scores = [
        f"{names[int(seat)]} scores {event.points[seat]} for {_wards(wards)}" for seat, wards in event.won.items()
    ]
    points = f"{'; '.join(scores)}. " if scores else "Nobody has won a ward. "
    if event.mayor is None:
        return f"{points}The tie for the most wards cannot be broken, so there is no mayor."
    return f"{points}{names[event.mayor]} {REASONS[event.reason]}, scoring {event.mayor_points}."


def _offices_assigned(event: fact.OfficesAssigned, names: Names) -> str:
    given = [f"{names[seat]} becomes {OFFICES[title]}" for title, seat in event.offices.items()]
    return f"{names[event.seat]}, Mayor, gives the offices: {one_of(given)}."


def _locks_lifted(event: fact.LocksLifted, names: Names) -> str:
    return f"The lock comes off {_wards(event.wards)}."


def _game_scored(event: fact.GameScored, names: Names) -> str:
    places = sorted(range(len(event.scores)), key=lambda seat: -event.scores[seat])
    told = []
    for seat in places:
        lines = [f"{line['for']} {line['vp']}" for line in event.lines if line["seat"] == seat]
        told.append(f"{names[seat]} {event.scores[seat]} ({', '.join(lines)})")
    verb = "wins" if len(event.winners) == 1 else "share the victory"
    return f"The game is over. Final scores: {'; '.join(told)}. {one_of([names[it] for it in event.winners])} {verb}."


def _a(colour: Colour) -> str:
    return f"a {colour}" if colour == "german" else f"an {colour}"


def _wards(wards: Sequence[int | str]) -> str:
    return f"ward{'s' if len(wards) > 1 else ''} {one_of(wards)}"


def _colours(counts: Mapping[Colour, int]) -> str:
    return one_of([f"{counts[colour]} {colour}" for colour in COLOURS if counts.get(colour)])


TELLERS: Final[dict[type[Event], Callable[[Any, Names], str]]] = {
    fact.FirstPlayerDrawn: _first_player_drawn,
    fact.ZoneOpened: _zone_opened,
    fact.GardenFilled: _garden_filled,
    fact.TermBegan: _term_began,
    fact.YearBegan: _year_began,
    fact.TurnBegan: _turn_began,
    fact.TurnEnded: _turn_ended,
    fact.BossesPlaced: _bosses_placed,
    fact.ImmigrantSettled: _immigrant_settled,
    fact.BossSlandered: _boss_slandered,
    fact.FavorGranted: _favor_granted,
    fact.WardLocked: _ward_locked,
    fact.ImmigrantExpelled: _immigrant_expelled,
    fact.ImmigrantMoved: _immigrant_moved,
    fact.GardenReturned: _garden_returned,
    fact.WardResolved: _ward_resolved,
    fact.BiddingOpened: _bidding_opened,
    fact.BidSealed: _bid_sealed,
    fact.BidsRevealed: _bids_revealed,
    fact.BonusCubePlaced: _bonus_cube_placed,
    fact.BonusFavorTaken: _bonus_favor_taken,
    fact.BonusDeclined: _bonus_declined,
    fact.LeadersAwarded: _leaders_awarded,
    fact.MayorElected: _mayor_elected,
    fact.OfficesAssigned: _offices_assigned,
    fact.LocksLifted: _locks_lifted,
    fact.GameScored: _game_scored,
}
