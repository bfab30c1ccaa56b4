"""Why somebody would make a move of Tammany Hall, in a sentence or two for people, from what the seat knows."""

from domain.engine.game import Action, Seat
from domain.engine.guidance import Move
from domain.engine.sentences import Sentence, row, say, typed
from domain.tammany_hall.rules.actions import Assign, Bid, BonusCube, BonusFavor, BonusPass
from domain.tammany_hall.rules.board import COLOURS, ELECTION_ORDER, INDEX, PAWNS
from domain.tammany_hall.rules.position import bidding_ward, candidates, usable
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import OFFICES, PEOPLE, A
from domain.tammany_hall.search.turn_reasons import chip_counts, turn_reasons


def reason(state: State, seat: Seat, move: Move[Action]) -> Sentence:
    """Why a seat would make this move."""
    match move:
        case [Bid() as bid]:
            return bid_reason(state, seat, sum(bid.chips.values()))
        case [BonusFavor(favor=favor)]:
            ahead = ELECTION_ORDER[ELECTION_ORDER.index(bidding_ward(state)) + 1 :]
            fought = [
                number for number in ahead if seat in (known := candidates(state.wards[number])) and len(known) > 1
            ]
            return chip_counts(state, favor, fought)
        case [BonusCube(cube=cube, ward=ward)]:
            return bonus_cube_reason(state, seat, INDEX[cube], ward)
        case [BonusPass()]:
            return say("Any bonus would help others more.")
        case [Assign() as assign]:
            return assign_reason(state, seat, assign)
        case _:
            return row(turn_reasons(state, seat, move) or [say("Nothing is left to do this turn.")], " ")


def bid_reason(state: State, seat: Seat, chips: int) -> Sentence:
    """What a bid of so many chips wins, saves or spoils (TH-9.10)."""
    number = bidding_ward(state)
    bosses = state.wards[number].bosses
    rivals = [rival for rival in candidates(state.wards[number]) if rival != seat]
    most = {rival: bosses[rival] + sum(usable(state, number, rival)) for rival in rivals}
    votes, least = bosses[seat] + chips, max(bosses[rival] for rival in rivals)
    reach = bosses[seat] + sum(usable(state, number, seat))
    known = {"ward": number, "votes": votes}
    if votes > max(most.values()):
        return say("{votes} votes win ward {ward}, whatever the others bid.", **known)
    if reach < least:
        return say(
            "Ward {ward} cannot be won: {most} votes at best, and a rival has {least}.",
            ward=number,
            most=reach,
            least=least,
        )
    if votes > least:
        return say("{votes} votes win ward {ward} unless a rival gets as many.", **known)
    if votes == least:
        return say("With {votes} votes nobody wins ward {ward}, unless a rival bids.", **known)
    return say("Ward {ward} is left to the others, so that the chips last for later.", ward=number)


def bonus_cube_reason(state: State, seat: Seat, colour: int, number: int) -> Sentence:
    """What a bonus cube is good for: the leaders, or the chips that count in a ward to come (TH-9.6, TH-10.1)."""
    words = {"ward": number, "colour": A[COLOURS[colour]], "people": PEOPLE[COLOURS[colour]]}
    if state.won.get(number) == seat:
        return say("Ward {ward} is won already: the cube counts for the immigrant leader ({people}).", **words)
    to_come = ELECTION_ORDER.index(number) > ELECTION_ORDER.index(bidding_ward(state))
    if to_come and not state.wards[number].cubes[colour]:
        return say("In ward {ward} one may now bid {colour} favor chip.", **words)
    return say("Whoever wins ward {ward} has one cube more for the immigrant leader ({people}).", **words)


def assign_reason(state: State, seat: Seat, assign: Assign) -> Sentence:
    """Which office the strongest rival gets (TH-12.1)."""
    rivals = [rival for rival in range(len(state.players)) if rival != seat]
    ahead = max(rivals, key=lambda rival: (state.players[rival].vp, sum(state.players[rival].chips)))
    (title,) = (title for title, holder in assign.offices.items() if holder == ahead)
    return say(
        "{player}, who stands best of the others, becomes {office}.",
        player=typed(PAWNS[ahead]), office=OFFICES[title],
    )  # fmt: skip
