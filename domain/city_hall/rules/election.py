"""The election: Endorsements, votes and the Mayor (CH-11.4, CH-12)."""

from domain.city_hall.rules.board import Endorsement
from domain.city_hall.rules.deputy import move_up
from domain.city_hall.rules.events import MayorElected, evolves
from domain.city_hall.rules.pieces import PARK, PERMITS, by_permit
from domain.city_hall.rules.position import board_of, hand_of, influence_of, money_of, rating
from domain.city_hall.rules.state import Laid, Result, State
from domain.engine.game import Event, Seat


def knows_all(state: State) -> bool:
    """Whether the state is nobody's blind one: it knows all that the election opens."""
    seen = [part for player in state.players for part in (player.money, player.influence, player.hand)]
    return None not in seen and all(card.permit is not None for card in state.bottom)


def hold_election(state: State) -> list[Event]:
    """The Deputy Mayor's controller moves up (CH-11.4), then Endorsements and votes (CH-12); all secrets are opened.

    [] on a blind state.
    """
    if not knows_all(state):
        return []
    turn_order, moved = move_up(state)
    seats = range(len(state.players))
    base, endorsed, votes = count_votes(state)
    return [
        *moved,
        MayorElected(
            base_votes=base,
            endorsements=endorsed,
            votes=votes,
            mayor=next(seat for seat in turn_order if votes[seat] == max(votes)),  # CH-12.6
            money=[money_of(state, seat) for seat in seats],
            influence=[influence_of(state, seat) for seat in seats],
            hands=[by_permit(hand_of(state, seat)) for seat in seats],
            deck=by_permit(state.unknown),
            bottom=[card.permit for card in state.bottom if card.permit is not None],
        ),
    ]


def count_votes(state: State) -> tuple[list[int], dict[str, int | None], list[int]]:
    """By seat rating times Population; who has each Endorsement; by seat the votes (CH-12.1). Of no blind state."""
    base = [rating(state, seat) * player.population for seat, player in enumerate(state.players)]
    votes = base.copy()
    endorsed: dict[str, int | None] = {}
    for endorsement in board_of(state).endorsements:
        seat = endorsed[endorsement.id] = most_of(state, endorsement)
        if seat is not None:
            votes[seat] += endorsement.votes
    return base, endorsed, votes


def most_of(state: State, endorsement: Endorsement) -> Seat | None:
    """Who has strictly most of what an Endorsement counts; nobody in a tie, and if all have nothing (CH-12.4)."""
    counts = [count(state, seat, endorsement.metric) for seat in range(len(state.players))]
    best = [seat for seat, number in enumerate(counts) if number == max(counts)]
    return best[0] if len(best) == 1 else None


def count(state: State, seat: Seat, metric: str) -> int:
    """What a seat has of a metric (CH-12.3)."""
    name, _, part = metric.partition(":")
    player = state.players[seat]
    own = {land: space for land, space in state.lands.items() if space.owner == seat}
    if part and name != "permit":
        own = {land: space for land, space in own.items() if board_of(state).borough_of[land] == part}
    match name:
        case "money":
            return money_of(state, seat)
        case "influence":
            return influence_of(state, seat)
        case "hand":
            return player.hand_count
        case "population":
            return player.population
        case "approval":
            return player.approval
        case "permit":
            return sum(space.permit == part for space in own.values())
        case "land":
            return len(own)
        case "built":
            return sum(space.permit is not None for space in own.values())
        case "buildings":
            return sum(space.permit not in (None, PARK) for space in own.values())
        case "stars":
            return sum(space.stars or 0 for space in own.values())
        case _:
            raise ValueError(f"nothing is counted as {metric}")


@evolves(MayorElected)
def mayor_elected(state: State, event: MayorElected) -> None:
    """The game is over, and everything lies open (CH-14.6)."""
    for seat, player in enumerate(state.players):
        player.money = event.money[seat]
        player.influence = event.influence[seat]
        player.hand = [event.hands[seat][permit] for permit in PERMITS]
    state.unknown = [event.deck[permit] for permit in PERMITS]
    state.bottom = [Laid(permit) for permit in event.bottom]
    state.result = Result(event.base_votes, event.endorsements, event.votes, event.mayor)
    state.phase = "over"
