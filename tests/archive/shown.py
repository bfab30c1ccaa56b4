"""What a game shows, told from the game itself: how it ended, how ties were broken, what happened around it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from domain.city_hall.rules import events as ch
from domain.city_hall.rules.state import State as CityHall
from domain.engine.game import Event
from domain.table import events as e
from domain.table.evolve import Rules, apply
from domain.table.state import Table
from domain.tammany_hall.rules import events as th
from domain.tammany_hall.rules.state import State as TammanyHall

COLOURS: Final = ("irish", "english", "german", "italian")
MOST: Final = ("chips", *COLOURS)
ENDORSED: Final = (
    "wall-street", "party-machine", "tenants", "commerce", "labor", "parks", "queens", "brooklyn", "manhattan",
)  # fmt: skip
WANTED: Final = {
    "table": (
        "ended: finished", "ended: nobody-left", "ended: closed", "bots", "chairs put away", "went back: free",
        "went back: agreed", "went back: a lapse", "deadline passed", "strikes cleared", "seat vacated",
        "seat given up",
        "taken over: by its owner", "taken over: by another", "taken over: by a bot",
        "bot sent away", "bots that think", "clock stopped: agreed", "clock stopped: timeout",
        "clock runs again: agreed", "clock runs again: over", "clock runs again: host", "clock runs again: acted",
        "more time", "proposal refused", "proposal withdrawn", "proposal played-on", "orders followed",
        "orders withdrawn", "orders unfit", "orders taken-back", "orders taken-over",
    ),
    "tammany-hall": (
        "mayor: wards", "mayor: chips", "mayor: irish", "mayor: english", "mayor: german", "mayor: stays, tied",
        "mayor: stays, not tied", "mayor: none", "mayor: no ward won", "won: points", "won: chips", "won: irish",
        "won: english", "won: german", "won: mayor", "won: shared",
    ),
    "city-hall": (
        "mayor: votes", "mayor: turn order", *(f"endorsed: {name}" for name in ENDORSED),
        *(f"not endorsed, a tie: {name}" for name in ENDORSED), "final round: star token", "final round: approval",
        "first at last: deputy",
    ),
}  # fmt: skip
"""All that some game of the archive has to show. Of equal chips in all, irish, english and german, the italian are
equal, too: they never break a tie (TH-11.4)."""


def shown(rules: Rules, events: Sequence[Event]) -> set[str]:
    """What these events, the whole of a game, show; options other than the default ones, too."""
    table, found = Table(), {f"{rules.kind} for {sum(isinstance(one, e.SeatTaken) for one in events)}"}
    for number, event in enumerate(events):
        look = LOOKS.get(type(event))
        if look is not None:
            found.update(look(table, event))
        apply(table, rules, event, events[:number] if isinstance(event, e.Rewound) else ())
        if isinstance(event, e.GameStarted):
            found = {f"{rules.kind} for {len(event.seats)}", *(one for one in found if " for " not in one)}
    found |= {f"{name}={value}" for name, value in table.options.items() if value != rules.options[name][0]}
    return found


def _mayor(table: Table, event: th.MayorElected) -> Iterator[str]:
    wards = [len(event.won.get(str(seat), ())) for seat in range(len(table.chairs))]
    tied = [seat for seat, number in enumerate(wards) if number == max(wards)]
    if not event.won:
        yield "mayor: no ward won"
    left, by = _broken(table.game, tied, "wards")
    if len(left) == 1:
        assert event.mayor == left[0]
        yield f"mayor: {by}"
    elif event.mayor is None:
        yield "mayor: none"
    else:
        yield "mayor: stays, tied" if event.mayor in left else "mayor: stays, not tied"


def _broken(game: TammanyHall, tied: list[int], by: str) -> tuple[list[int], str]:
    """Who is left of the tied, and by what the last tie was broken (TH-11.4)."""
    for what in MOST:
        if len(tied) == 1:
            break
        have = {seat: _chips(game, seat, what) for seat in tied}
        tied, by = [seat for seat in tied if have[seat] == max(have.values())], what
    return tied, by


def _chips(game: TammanyHall, seat: int, what: str) -> int:
    chips = game.players[seat].chips
    return sum(chips) if what == "chips" else chips[COLOURS.index(what)]


def _scored(table: Table, event: th.GameScored) -> Iterator[str]:
    tied = [seat for seat, points in enumerate(event.scores) if points == max(event.scores)]
    left, by = _broken(table.game, tied, "points")
    if len(left) == 1:
        assert event.winners == left
        yield f"won: {by}"
    else:
        yield "won: shared" if len(event.winners) > 1 else "won: mayor"


def _elected(table: Table, event: ch.MayorElected) -> Iterator[str]:
    game: CityHall = table.game
    best = [seat for seat, votes in enumerate(event.votes) if votes == max(event.votes)]
    yield "mayor: votes" if len(best) == 1 else "mayor: turn order"
    assert event.mayor == min(best, key=game.turn_order.index)
    for name, seat in event.endorsements.items():
        yield f"endorsed: {name}" if seat is not None else f"not endorsed, a tie: {name}"
    if game.deputy is not None:
        yield "first at last: deputy"


def _final(table: Table, event: ch.RoundBegan) -> Iterator[str]:
    game: CityHall = table.game
    if event.final and game.board is not None:
        last = len(game.board.ratings)
        yield "final round: star token" if game.star_token == last else "final round: approval"


def _dropped(table: Table, event: e.ProposalDropped) -> Iterator[str]:
    yield f"proposal {event.reason}"


def _started(table: Table, event: e.GameStarted) -> Iterator[str]:
    if len(event.seats) < len(table.chairs):
        yield "chairs put away"


def _back(table: Table, event: e.Rewound) -> Iterator[str]:
    yield (
        "went back: a lapse" if event.reason == "lapse" else "went back: agreed" if event.agreed else "went back: free"
    )


def _vacated(table: Table, event: e.SeatVacated) -> Iterator[str]:
    chair = table.chairs[event.seat]
    yield "bot sent away" if chair.bot else "seat vacated" if chair.strikes else "seat given up"


def _taken(table: Table, event: e.SeatTaken) -> Iterator[str]:
    if event.bot is not None:
        yield "bots that think" if event.bot.thinks else "bots"


def _taken_over(table: Table, event: e.SeatTakenOver) -> Iterator[str]:
    own = table.chairs[event.seat].player == event.player
    yield "taken over: by its owner" if own else "taken over: by another"


LOOKS: Final[dict[type[Event], Callable[[Table, Any], Iterator[str]]]] = {
    th.MayorElected: _mayor,
    th.GameScored: _scored,
    ch.MayorElected: _elected,
    ch.RoundBegan: _final,
    e.ProposalDropped: _dropped,
    e.GameStarted: _started,
    e.Rewound: _back,
    e.SeatVacated: _vacated,
    e.SeatTakenOver: _taken_over,
    e.SeatTaken: _taken,
    e.SeatTakenByBot: lambda table, event: iter(["taken over: by a bot"]),
    e.TurnExpired: lambda table, event: iter(["deadline passed"]),
    e.StrikesCleared: lambda table, event: iter(["strikes cleared"]),
    e.ClockPaused: lambda table, event: iter([f"clock stopped: {event.reason}"]),
    e.ClockResumed: lambda table, event: iter([f"clock runs again: {event.reason}"]),
    e.TimeExtended: lambda table, event: iter(["more time"]),
    e.OrdersFollowed: lambda table, event: iter(["orders followed"]),
    e.OrdersDropped: lambda table, event: iter([f"orders {event.reason}"]),
    e.GameFinished: lambda table, event: iter(["ended: finished"]),
    e.GameAbandoned: lambda table, event: iter([f"ended: {event.reason}"]),
}
