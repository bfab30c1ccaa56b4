"""What happened, in a sentence for people: for mails, pages and the history of a game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.engine.game import Event, Seat
from domain.engine.presentation import Names, Narrative, teller
from domain.engine.sentences import Sentence, one_of, row, say, say_n
from domain.tammany_hall.rules import events as fact
from domain.tammany_hall.rules.board import COLOURS, Colour
from domain.tammany_hall.rules.words import (
    IMMIGRANTS,
    NO,
    NUMBERS,
    OFFICES,
    PEOPLE,
    ROMAN,
    USES,
    A,
    by_count,
    favor_chips,
    scoring_lines,
    victory,
)


def tell_with_sealed(event: Event, names: Names) -> str:
    """A bid with the chips in it, where they are known."""
    if not isinstance(event, fact.BidSealed) or event.chips is None:
        return ""
    chips = {"player": names[event.seat], "ward": event.ward, "chips": _colours(event.chips)}
    return say("{player} hands in a sealed bid for ward {ward}: {chips}.", **chips)


def chapter(event: Event) -> tuple[str, str] | None:
    """Each year is a part, each election, and the end."""
    match event:
        case fact.TermBegan(term=number):
            return say("Term {term}", term=number), say("year {year}", year=4 * number - 3)
        case fact.YearBegan(year=year):
            return say("Term {term}", term=(year + 3) // 4), say("year {year}", year=year)
        case fact.GardenReturned():
            return "", say("the election")
        case fact.GameScored():
            return say("The end"), ""
        case _:
            return None


def _first_player_drawn(event: fact.FirstPlayerDrawn, names: Names) -> Sentence:
    return say("{player} is drawn as first player.", player=names[event.result])


def _zone_opened(event: fact.ZoneOpened, names: Names) -> Sentence:
    by_colour = {colour: [ward for ward, cube in event.result.items() if cube == colour] for colour in COLOURS}
    dealt = [
        say_n(
            "{colour} in ward {wards}",
            "{colour} in wards {wards}",
            len(wards),
            colour=PEOPLE[colour],
            wards=one_of(wards),
        )
        for colour, wards in by_colour.items()
        if wards
    ]
    return say("Zone {zone} comes into play: {cubes}.", zone=ROMAN[event.zone], cubes=row(dealt, say("; ")))


def _garden_filled(event: fact.GardenFilled, names: Names) -> Sentence:
    return say("These come into the Castle Garden: {cubes}.", cubes=_immigrants(event.result))


def _term_began(event: fact.TermBegan, names: Names) -> Sentence:
    return say("Term {term} begins; {player} is first player.", term=event.term, player=names[event.first])


def _year_began(event: fact.YearBegan, names: Names) -> Sentence:
    return say("Year {year} begins.", year=event.year)


def _turn_began(event: fact.TurnBegan, names: Names) -> Sentence:
    return say("It is {player}'s turn.", player=names[event.seat])


def _turn_ended(event: fact.TurnEnded, names: Names) -> Sentence:
    return say("{player} ends the turn.", player=names[event.seat])


def _bosses_placed(event: fact.BossesPlaced, names: Names) -> Sentence:
    player = names[event.seat]
    match event.wards:
        case [ward]:
            return say("{player} campaigns: a boss in ward {ward}.", player=player, ward=ward)
        case [ward, again] if ward == again:
            return say("{player} campaigns: two bosses in ward {ward}.", player=player, ward=ward)
        case [first, second, *_]:
            return say(
                "{player} campaigns: a boss in ward {first} and a boss in ward {second}.",
                player=player, first=first, second=second,
            )  # fmt: skip
        case _:
            raise ValueError("a campaign without a ward")


def _immigrant_settled(event: fact.ImmigrantSettled, names: Names) -> Sentence:
    who = {"player": names[event.seat], "boss": event.boss, "ward": event.ward, "cube": A[event.cube]}
    if event.chips:
        return say(
            "{player} settles: a boss in ward {boss}, {cube} immigrant in ward {ward}, and takes {cube} favor chip.",
            **who,
        )
    return say(
        "{player} settles: a boss in ward {boss} and {cube} immigrant in ward {ward}, "
        "but no {colour} favor chip is left to take.",
        colour=NO[event.cube], **who,
    )  # fmt: skip


def _boss_slandered(event: fact.BossSlandered, names: Names) -> Sentence:
    price = favor_chips(event.favor, event.chips, NUMBERS.get(event.chips))
    who = {"player": names[event.seat], "target": names[event.target], "ward": event.ward, "chips": price}
    if event.then is None:
        return say("{player} slanders {target} in ward {ward} for {chips}: one boss leaves.", **who)
    return say(
        "{player} slanders {target} in ward {ward} and then in ward {then} for {chips}: one boss leaves each of them.",
        then=event.then, **who,
    )  # fmt: skip


def _favor_granted(event: fact.FavorGranted, names: Names) -> Sentence:
    return say("{player}, Deputy Mayor, takes {colour} favor chip.", player=names[event.seat], colour=A[event.favor])


def _ward_locked(event: fact.WardLocked, names: Names) -> Sentence:
    return say("{player}, Council President, locks ward {ward}.", player=names[event.seat], ward=event.ward)


def _immigrant_expelled(event: fact.ImmigrantExpelled, names: Names) -> Sentence:
    return say(
        "{player}, Chief of Police, sends {cube} immigrant of ward {ward} into the bag.",
        player=names[event.seat], cube=A[event.cube], ward=event.ward,
    )  # fmt: skip


def _immigrant_moved(event: fact.ImmigrantMoved, names: Names) -> Sentence:
    return say(
        "{player}, Precinct Chairman, moves {cube} immigrant from ward {origin} to ward {to}.",
        player=names[event.seat], cube=A[event.cube], origin=event.origin, to=event.to,
    )  # fmt: skip


def _garden_returned(event: fact.GardenReturned, names: Names) -> Sentence:
    if not any(event.cubes.values()):
        return say("The election begins.")
    return say("The election begins. Back into the bag go {cubes}.", cubes=_immigrants(event.cubes))


def _ward_resolved(event: fact.WardResolved, names: Names) -> Sentence:
    if not event.votes:
        return say("Ward {ward}: nobody stands there, nobody wins.", ward=event.ward)
    if len(event.votes) == 1 and event.winner is not None:
        winner = names[event.winner]
        won = say("Ward {ward}: {player} stands there alone and wins.", ward=event.ward, player=winner)
        return row([won, *_offer(event, names)], " ")
    return row([say("Ward {ward}: nobody can bid.", ward=event.ward), *_outcome(event, names)], " ")


def _bidding_opened(event: fact.BiddingOpened, names: Names) -> Sentence:
    standing = row([_candidate(candidate, names) for candidate in event.candidates], say("; "))
    owes = one_of([names[seat] for seat in event.owes])
    asked = say_n(
        "{players} has to hand in a sealed bid.",
        "{players} have to hand in sealed bids.",
        len(event.owes),
        players=owes,
    )
    return row([say("Ward {ward} is contested: {candidates}.", ward=event.ward, candidates=standing), asked], " ")


def _candidate(candidate: fact.Candidate, names: Names) -> Sentence:
    who, bosses = names[candidate.seat], candidate.bosses
    if not any(candidate.usable.values()):
        return say_n(
            "{player} has {count} boss and no chip of use", "{player} has {count} bosses and no chip of use", bosses,
            player=who,
        )  # fmt: skip
    return say_n(
        "{player} has {count} boss and can use {chips}", "{player} has {count} bosses and can use {chips}", bosses,
        player=who, chips=_colours(candidate.usable),
    )  # fmt: skip


def _bid_sealed(event: fact.BidSealed, names: Names) -> Sentence:
    return say("{player} has handed in a sealed bid for ward {ward}.", player=names[event.seat], ward=event.ward)


def _bids_revealed(event: fact.BidsRevealed, names: Names) -> Sentence:
    bids = [
        say("{player} bid {chips}", player=names[int(seat)], chips=_colours(chips))
        for seat, chips in event.bids.items()
    ]
    made = say("The bids for ward {ward}: {bids}.", ward=event.ward, bids=row(bids, ", "))
    return row([made, *_outcome(event, names)], " ")


def _outcome(event: fact.WardResolved | fact.BidsRevealed, names: Names) -> list[Sentence]:
    """The votes, who won, and the bonus offered."""
    best = max(event.votes.values())
    votes = say(
        "Votes: {votes}.", votes=", ".join(f"{names[int(seat)]} {count}" for seat, count in event.votes.items())
    )
    if event.winner is None:
        tied = one_of([names[int(seat)] for seat, count in event.votes.items() if count == best])
        return [votes, say("{players} are tied: nobody wins, and all bosses leave.", players=tied)]
    won = say("{player} wins and keeps one boss there.", player=names[event.winner])
    return [votes, won, *_offer(event, names)]


def _offer(event: fact.WardResolved | fact.BidsRevealed, names: Names) -> list[Sentence]:
    """The bonus the winner may take, if there is one."""
    if event.winner is None or event.bonus is None:
        return []
    if event.bonus == "cube":
        return [say("As a bonus, {player} may place a cube from the bag.", player=names[event.winner])]
    return [say("As a bonus, {player} may take a favor chip.", player=names[event.winner])]


def _bonus_cube_placed(event: fact.BonusCubePlaced, names: Names) -> Sentence:
    return say(
        "{player} takes the bonus: {cube} immigrant from the bag into ward {ward}.",
        player=names[event.seat], cube=A[event.cube], ward=event.ward,
    )  # fmt: skip


def _bonus_favor_taken(event: fact.BonusFavorTaken, names: Names) -> Sentence:
    return say("{player} takes the bonus: {colour} favor chip.", player=names[event.seat], colour=A[event.favor])


def _bonus_declined(event: fact.BonusDeclined, names: Names) -> Sentence:
    return say("{player} declines the bonus.", player=names[event.seat])


def _leaders_awarded(event: fact.LeadersAwarded, names: Names) -> Sentence:
    told = []
    for colour, seats in event.leaders.items():
        takes = [
            say("{player} takes {chips}", player=names[seat], chips=event.chips[colour].get(str(seat), 0))
            for seat in seats
        ]
        if takes:
            told.append(say_n(
                "{colour} ({count} cube): {leaders}", "{colour} ({count} cubes): {leaders}", event.cubes[colour],
                colour=PEOPLE[colour], leaders=one_of(takes),
            ))  # fmt: skip
        else:
            told.append(say("{colour}: nobody", colour=PEOPLE[colour]))
    return say("Immigrant leaders and their favor chips: {leaders}.", leaders=row(told, say("; ")))


def _mayor_elected(event: fact.MayorElected, names: Names) -> Sentence:
    scores = [
        say_n(
            "{player} scores {points} for ward {wards}", "{player} scores {points} for wards {wards}", len(wards),
            player=names[int(seat)], points=event.points[seat], wards=one_of(wards),
        )
        for seat, wards in event.won.items()
    ]  # fmt: skip
    scored = say("{scores}.", scores=row(scores, say("; "))) if scores else say("Nobody has won a ward.")
    return row([scored, mayor(event, names)], " ")


def mayor(event: fact.MayorElected, names: Names) -> Sentence:
    """Say who is mayor and why (TH-11.2 to TH-11.6)."""
    if event.mayor is None:
        return say("The tie for the most wards cannot be broken, so there is no mayor.")
    who = {"player": names[event.mayor], "points": event.mayor_points}
    match event.reason:
        case "wards":
            return say("{player} has won the most wards and is mayor, scoring {points}.", **who)
        case "tie-break":
            return say("{player} wins the tie for the most wards by favor chips and is mayor, scoring {points}.", **who)
        case _:
            return say(
                "{player} stays mayor, because the tie for the most wards cannot be broken, scoring {points}.", **who
            )


def _offices_assigned(event: fact.OfficesAssigned, names: Names) -> Sentence:
    given = [
        say("{player} becomes {office}", player=names[seat], office=OFFICES[title])
        for title, seat in event.offices.items()
    ]
    return say("{player}, Mayor, gives the offices: {offices}.", player=names[event.seat], offices=one_of(given))


def gives(event: Event, seat: Seat) -> str:
    """Say to a seat which office a fact gives it, and the use of it (TH-7.5 to TH-7.9, TH-12.1)."""
    held = event.offices if isinstance(event, fact.OfficesAssigned) else {}
    return next((USES[title] for title, holder in held.items() if holder == seat), "")


def _locks_lifted(event: fact.LocksLifted, names: Names) -> Sentence:
    return say_n(
        "The lock comes off ward {wards}.", "The lock comes off wards {wards}.", len(event.wards),
        wards=one_of(event.wards),
    )  # fmt: skip


def _game_scored(event: fact.GameScored, names: Names) -> Sentence:
    places = sorted(range(len(event.scores)), key=lambda seat: -event.scores[seat])
    told = [
        say(
            "{player} {points} ({lines})",
            player=names[seat],
            points=event.scores[seat],
            lines=scoring_lines(event.lines, seat),
        )
        for seat in places
    ]
    scores = say("The game is over. Final scores: {scores}.", scores=row(told, say("; ")))
    return row([scores, victory([names[seat] for seat in event.winners])], " ")


def _colours(counts: Mapping[Colour, int]) -> Sentence:
    return one_of(by_count(counts))


def _immigrants(counts: Mapping[Colour, int]) -> Sentence:
    return one_of(by_count(counts, IMMIGRANTS))


TELLERS: Final[dict[type[Event], Callable[[Any, Names], Sentence]]] = {
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
tell: Final = teller(TELLERS)
"""One event as a sentence or a few; "" where there is nothing to tell. Of a sealed bid, only that it was made."""
NARRATIVE: Final = Narrative(
    chapter=chapter,
    scenes=frozenset(
        {
            fact.TermBegan, fact.ZoneOpened, fact.TurnBegan, fact.GardenReturned, fact.WardResolved,
            fact.BiddingOpened, fact.LeadersAwarded, fact.MayorElected, fact.GameScored,
        }
    ),
    passing=frozenset({fact.YearBegan, fact.TurnBegan, fact.TurnEnded}),
    implied={fact.TurnEnded: fact.TurnBegan},
    tell_with_sealed=tell_with_sealed,
    tells_end=True,
)  # fmt: skip
