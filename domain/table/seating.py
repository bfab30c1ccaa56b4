"""Before the first move: opening a table, sitting down, standing up, starting; later, seats given up or taken over."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from domain.engine.bots import Bot
from domain.engine.draws import commitment
from domain.engine.game import Seat
from domain.engine.refusals import require
from domain.engine.sentences import row, say
from domain.table.events import (
    ClockResumed,
    GameOpened,
    GameStarted,
    OrdersDropped,
    ProposalDropped,
    SeatLeft,
    SeatTaken,
    SeatTakenByBot,
    SeatTakenOver,
    SeatVacated,
)
from domain.table.play import abandon, end_when_alone
from domain.table.proposals import drop_rewind, persons, settle_clock
from domain.table.record import CLOCK, Actor, Record, seat_actor
from domain.table.standing_orders import withdraw_orders
from domain.table.state import Chair

NONCE: Final = re.compile(r"[0-9A-Za-z_-]{16,64}")
"""A player's share in the draws: no free text enters the history (Q-5)."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table is opened under. `clock` is the policy of DESIGN 7, already checked."""

    seats: int
    options: Mapping[str, str]
    clock: Mapping[str, Any]
    public: bool


@dataclass(frozen=True, slots=True)
class Nonce:
    """A sitter's nonce: one that came from the player, or one made by the server."""

    text: str
    by_player: bool


def open_table(record: Record, host: str, terms: Terms, seed: bytes) -> None:
    """Open a table under these terms; `seed` is 32 bytes that nobody knows."""
    rules = record.rules
    few, many = rules.seats[0], rules.seats[-1]
    require(
        terms.seats in rules.seats,
        "bad-seats",
        "DESIGN-8",
        "{title} is for {few} to {many} players: choose a number in that range.",
        title=rules.presentation.title,
        few=few,
        many=many,
    )
    for name, value in terms.options.items():
        known = ", ".join(sorted(rules.options))
        require(
            name in rules.options,
            "unknown-option",
            "DESIGN-8",
            "There is no such option: choose of {options}.",
            options=known,
        )
        values = row(rules.options[name], say(" or "))
        require(
            value in rules.options[name],
            "bad-option",
            "DESIGN-8",
            "Option “{name}” is {values}.",
            name=name,
            values=values,
        )
    options = {name: terms.options.get(name, values[0]) for name, values in rules.options.items()}
    for name in rules.later_options:
        if options[name] == rules.options[name][0]:
            del options[name]
    record.add(
        {"host": host},
        GameOpened(
            ruleset=rules.kind,
            seats=terms.seats,
            options=options,
            clock=dict(terms.clock),
            public=terms.public,
            host=host,
            seed_commitment=commitment(seed),
            seed=seed.hex(),
        ),
    )


def sit(record: Record, player: str, nonce: Nonce) -> None:
    """Take the first free seat before the start, or a vacant one after it; the table starts when it is full."""
    table = record.table
    require(table.status in ("open", "running"), "game-over", "DESIGN-2", "The game is over.")
    if table.status == "running":
        return _take_over(record, player)
    require(table.seat_of(player) is None, "already-seated", "DESIGN-8", "You already sit at this table.")
    require(NONCE.fullmatch(nonce.text), "bad-nonce", "DESIGN-3", "A nonce is 16 to 64 letters, digits, “-” or “_”.")
    seat = next((number for number, chair in enumerate(table.chairs) if not chair.taken), None)
    require(seat is not None, "table-full", "DESIGN-8", "No seat is free at this table.")
    assert seat is not None
    record.add(seat_actor(seat), SeatTaken(seat, player, nonce.text, "player" if nonce.by_player else "server"))
    return _start_when_full(record)


def sit_bot(record: Record, bot: Bot, nonce: str) -> None:
    """Give the last free seat to a bot, as the table is opened. Refused for a bot that cannot think here."""
    _require_guidance(record, bot)
    chairs = record.table.chairs
    seat = next((number for number in reversed(range(len(chairs))) if not chairs[number].taken), None)
    require(seat is not None, "table-full", "DESIGN-8", "There are more bots than free seats: ask for fewer.")
    assert seat is not None
    record.add(_host(record), SeatTaken(seat, None, nonce, "server", bot))
    _start_when_full(record)


def _require_guidance(record: Record, bot: Bot) -> None:
    """Refuse a bot that would think in a ruleset that has no guidance."""
    require(
        not bot.thinks or record.rules.guidance is not None,
        "bad-bots",
        "DESIGN-8",
        "No bot can think about {title}: ask for bots of strength 0, or for people.",
        title=record.rules.presentation.title,
    )


def put_bot(record: Record, player: str, seat: Seat, bot: Bot, nonce: str) -> None:
    """Let a bot play a free seat before the start, a vacant one after it, or in the place of another bot.

    For the host alone; the same bot again records nothing. The table starts when it is full. Who had left the seat
    does not get it back as long as the bot sits there. Refused while the bot there thinks and other people play, and
    for a bot that cannot think here.
    """
    _require_guidance(record, bot)
    chair = _for_a_bot(record, player, seat)
    require(not chair.manned, "seat-taken", "DESIGN-8", "Somebody plays this seat: a bot takes one that nobody plays.")
    if chair.bot == bot:
        return
    if record.table.status == "running":
        _require_no_thought(record, seat)
        _give_to_bot(record, seat, bot)
        return
    if chair.bot is not None:
        record.add(_host(record), SeatLeft(seat, record.table.host))
    record.add(_host(record), SeatTaken(seat, None, nonce, "server", bot))
    _start_when_full(record)


def _give_to_bot(record: Record, seat: Seat, bot: Bot) -> None:
    """Let a bot play a seat of a game under way; what its player had ordered ahead is no order of the bot's."""
    record.add(_host(record), SeatTakenByBot(seat, bot))
    if seat in record.table.orders:
        record.add(_host(record), OrdersDropped(seat, "taken-over"))
    drop_rewind(record, _host(record))


def remove_bot(record: Record, player: str, seat: Seat) -> None:
    """Send a bot away: its seat is free before the start, and vacant after it. For the host alone.

    Refused while it thinks and other people play.
    """
    chair = _for_a_bot(record, player, seat)
    require(chair.bot is not None, "no-bot", "DESIGN-8", "No bot sits there: only a bot can be sent away.")
    if record.table.status == "open":
        record.add(_host(record), SeatLeft(seat, record.table.host))
        return
    _require_no_thought(record, seat)
    record.add(_host(record), SeatVacated(seat))
    drop_rewind(record, _host(record))


def _for_a_bot(record: Record, player: str, seat: Seat) -> Chair:
    """The chair that the host gives to a bot, or takes from one."""
    table = record.table
    require(table.status in ("open", "running"), "game-over", "DESIGN-2", "The game is over.")
    require(player == table.host, "not-host", "DESIGN-8", "Only the host of the table seats bots and sends them away.")
    seats = len(table.chairs)
    there = 0 <= seat < seats
    require(there, "no-such-seat", "DESIGN-8", "There is no such seat: they are 0 to {last}.", last=seats - 1)
    return table.chairs[seat]


def _require_no_thought(record: Record, seat: Seat) -> None:
    """A bot that is asked answers first, where other people play than the host: else the host could choose its answer,
    or have it think for ever."""
    table = record.table
    others = any(table.chairs[other].player != table.host for other in persons(table))
    thinking = table.chairs[seat].thinks and seat in record.rules.decider.awaiting(table.game)
    require(
        not (others and thinking),
        "bot-thinks",
        "DESIGN-8",
        "This bot is thinking about its answer, and others play here too: try again when it has answered.",
    )


def _host(record: Record) -> Actor:
    return {"host": record.table.host}


def leave(record: Record, player: str, actor: Actor | None = None) -> None:
    """Stand up before the start. The table closes when nobody but bots is left; a leaving host passes the table on.

    With an `actor` it is that one's doing, and not the player's.
    """
    table = record.table
    seat = table.seat_of(player)
    require(table.status == "open", "already-started", "DESIGN-8", "The game has begun: resign to leave it for good.")
    require(seat is not None, "not-seated", "DESIGN-8", "You do not sit at this table.")
    assert seat is not None
    others = [chair.player for chair in table.chairs if chair.player not in (None, player)]
    host = table.host if table.host != player or not others else str(others[0])
    actor = seat_actor(seat) if actor is None else actor
    record.add(actor, SeatLeft(seat, host))
    if not others:
        abandon(record, actor, "closed")


def give_up(record: Record, player: str) -> None:
    """Leave for good: before the start as `leave` does; in a running game the caretaker plays the seat from now on,
    until somebody takes it over. Does nothing if the player plays no seat."""
    table = record.table
    seat = table.seat_of(player)
    if seat is None or table.status not in ("open", "running"):
        return
    if table.status == "open":
        leave(record, player)
        return
    if not table.chairs[seat].vacant:
        _stand_up(record, seat, None)


def resign(record: Record, player: str) -> None:
    """Resign from a running game: the caretaker plays the seat until a bot or a newcomer takes it over.

    Standing orders and proposals of the seat are withdrawn; a sealed bid stands. The player cannot sit down at this
    table again. If one person and no bot is left, the game is over and that person wins. Raises RuleViolation.
    """
    table = record.table
    require(table.status in ("open", "running"), "game-over", "DESIGN-2", "The game is over.")
    seat = table.seat_of(player)
    require(seat is not None, "not-seated", "DESIGN-8", "You do not sit at this table.")
    begun = table.status == "running"
    require(begun, "not-started", "DESIGN-8", "The game has not begun: leave the table instead of resigning.")
    assert seat is not None
    require(player not in table.resigned, "player-resigned", "DESIGN-8", "You have already resigned from this game.")
    vacant = table.chairs[seat].vacant
    require(not vacant, "seat-vacant", "DESIGN-8", "You do not play this seat any more: the caretaker does.")
    _stand_up(record, seat, "resigned")
    end_when_alone(record, seat_actor(seat))


def _stand_up(record: Record, seat: Seat, reason: Literal["resigned"] | None) -> None:
    """Vacate a seat of a running game; everything the seat still had open is withdrawn."""
    table, actor = record.table, seat_actor(seat)
    if seat in table.orders:
        withdraw_orders(record, seat)
    if table.proposal is not None and table.proposal.seat == seat:
        record.add(actor, ProposalDropped(seat, "withdrawn"))
    drop_rewind(record, actor)
    record.add(actor, SeatVacated(seat, reason))
    settle_clock(record, actor)
    if table.late == seat:
        record.add(CLOCK, ClockResumed("acted"))  # the caretaker does


def start(record: Record, player: str) -> None:
    """Begin with the seats that are taken; empty ones are put away. For the host alone."""
    table = record.table
    require(table.status == "open", "already-started", "DESIGN-8", "The game has already begun.")
    require(player == table.host, "not-host", "DESIGN-8", "Only the host of the table can start it.")
    taken = [seat for seat, chair in enumerate(table.chairs) if chair.taken]
    few = record.rules.seats[0]
    require(
        len(taken) >= few,
        "too-few-players",
        "DESIGN-8",
        "{title} needs at least {few} players.",
        title=record.rules.presentation.title,
        few=few,
    )
    record.add({"host": player}, GameStarted(taken))


def _start_when_full(record: Record) -> None:
    if all(chair.taken for chair in record.table.chairs):
        record.add(record.facts[-1].actor, GameStarted(list(range(len(record.table.chairs)))))


def _take_over(record: Record, player: str) -> None:
    """A vacant seat has a player again: its owner before anybody else."""
    table = record.table
    back = player not in table.resigned
    require(back, "player-resigned", "DESIGN-8", "You resigned from this game: its seats are for others.")
    own = table.seat_of(player)
    if own is not None:
        require(table.chairs[own].vacant, "already-seated", "DESIGN-8", "You already sit at this table.")
        seat = own
    else:
        vacant = [number for number, chair in enumerate(table.chairs) if chair.vacant]
        require(vacant, "table-full", "DESIGN-8", "No seat is free at this table.")
        seat = vacant[0]
        if seat in table.orders:
            record.add(seat_actor(seat), OrdersDropped(seat, "taken-over"))
    record.add(seat_actor(seat), SeatTakenOver(seat, player))
