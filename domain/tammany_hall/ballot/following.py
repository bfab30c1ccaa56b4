"""What a ballot does when it is asked: bid, take a bonus, give the offices; and how a turn ends by itself."""

from domain.engine.game import Action, Seat
from domain.engine.legal import is_legal, legal_among
from domain.engine.refusals import RuleViolation, Unfit
from domain.engine.sentences import say
from domain.tammany_hall.ballot.ballot import Ballot, Exactly, UpTo, about
from domain.tammany_hall.rules.actions import Bid, BonusCube, BonusFavor, BonusPass, End
from domain.tammany_hall.rules.board import COLOURS, ELECTION_ORDER, INDEX, Colour
from domain.tammany_hall.rules.candidates import benefits
from domain.tammany_hall.rules.decide import decide
from domain.tammany_hall.rules.position import awaiting, bidding_ward, bonus_kind, candidates, term, usable
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.rules.words import listed


def follow(state: State, seat: Seat, ballot: Ballot) -> Action | None:
    """What the orders of an awaited seat do now, from a blind state of its own; None where they do not say.

    Raises Unfit for chips that cannot be bid and for a bonus that cannot be taken.
    """
    if seat not in awaiting(state):
        return None
    if state.phase == "turn":
        return _end(state, seat, ballot)
    if ballot.term != term(state):
        return None
    match state.phase:
        case "bid":
            return _bid(state, seat, ballot)
        case "bonus":
            return _bonus(state, seat, ballot)
        case _:
            return ballot.assign


def _end(state: State, seat: Seat, ballot: Ballot) -> End | None:
    """The end of the turn, once nothing is left in it that the orders do not give up (TH-4.4)."""
    idle = ballot.pass_slander and not any(legal_among(decide, state, seat, benefits(state, seat)))
    if not idle and not (ballot.end_when_placed and state.placed):
        return None
    return End() if is_legal(decide, state, seat, End()) else None


def _bid(state: State, seat: Seat, ballot: Ballot) -> Bid | None:
    number = bidding_ward(state)
    for vote in about(number, ballot.bids):
        chips = vote.chips if isinstance(vote, Exactly) else _fewest(state, seat, ballot, vote)
        if (vote.if_contested and not short_of_certain(state, number, seat)) or (
            vote.while_winnable and not _can_win(state, number, seat, sum(chips.values()))
        ):
            chips = {}
        bid = Bid({colour: chips[colour] for colour in COLOURS if chips.get(colour)})
        try:
            decide(state, seat, bid)
        except RuleViolation as refusal:
            message = say(
                "Your ballot bids {bid} in ward {ward}, where you can use {chips}.",
                bid=listed(bid.chips),
                ward=number,
                chips=listed(usable(state, number, seat)),
            )
            raise Unfit(refusal.code, refusal.rule, message) from None
        return bid
    return None


def _fewest(state: State, seat: Seat, ballot: Ballot, vote: UpTo) -> dict[Colour, int]:
    """The chips of an `up to` bid: as many as make it certain, or all that are allowed where no number does."""
    number = bidding_ward(state)
    wanted = min(vote.chips, short_of_certain(state, number, seat))
    spare, chips = _unreserved(state, seat, ballot), {}
    for colour in vote.colours:
        chips[colour] = min(wanted, spare[INDEX[colour]])
        wanted -= chips[colour]
    return chips


def _unreserved(state: State, seat: Seat, ballot: Ballot) -> list[int]:
    """By colour, the usable chips of a seat that it keeps for no later ward."""
    number = bidding_ward(state)
    spare = usable(state, number, seat)
    later = ELECTION_ORDER[ELECTION_ORDER.index(number) + 1 :]
    for reserve in ballot.keep:
        if reserve.ward in later:
            spare[INDEX[reserve.colour]] -= reserve.chips
    return [max(0, count) for count in spare]


def short_of_certain(state: State, number: int, seat: Seat) -> int:
    """How many chips a candidate has to bid to win alone whatever its rivals bid; 0 where it is certain to win."""
    bosses = state.wards[number].bosses
    most = max(bosses[rival] + sum(usable(state, number, rival)) for rival in _rivals(state, number, seat))
    return max(0, most + 1 - bosses[seat])


def _can_win(state: State, number: int, seat: Seat, chips: int) -> bool:
    """Whether that many chips win alone if no rival bids any."""
    bosses = state.wards[number].bosses
    return bosses[seat] + chips > max(bosses[rival] for rival in _rivals(state, number, seat))


def _rivals(state: State, number: int, seat: Seat) -> list[Seat]:
    return [rival for rival in candidates(state.wards[number]) if rival != seat]


def _bonus(state: State, seat: Seat, ballot: Ballot) -> Action | None:
    """The first bonus named that is legal; what others bring is no question of this one (TH-9.14, TH-9.15)."""
    number = bidding_ward(state)
    offered = BonusCube if bonus_kind(number) == "cube" else BonusFavor
    choices = [line.take for line in about(number, ballot.bonuses) if isinstance(line.take, offered | BonusPass)]
    for action in legal_among(decide, state, seat, choices):
        return action
    for action in choices:
        try:
            decide(state, seat, action)
        except RuleViolation as refusal:
            message = say(
                "No bonus your ballot names for ward {ward} is possible: {reason}", ward=number, reason=refusal.message
            )
            raise Unfit(refusal.code, refusal.rule, message) from None
    return None
