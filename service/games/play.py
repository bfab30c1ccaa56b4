"""The commands of players at tables: open, sit, leave, start, play. Each runs in a transaction the caller began.

A caller who holds the lock of a game passes its head instead of its id, and the head moves along.

All raise NoSuchGame for a game that is not there or not for this player, RuleViolation (nothing recorded) for what the
rules forbid, NotSeated for a player without a seat, StaleTurn where somebody moved first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from domain.engine.bots import Bot
from domain.engine.game import Action, Seat
from domain.engine.refusals import OrderNotUnderstood, require
from domain.rulesets import RULESETS
from domain.table import seating
from domain.table.clock import is_fresh
from domain.table.evolve import Rules, blind
from domain.table.play import play, settle
from domain.table.record import Actor, Record, seat_actor
from domain.table.seating import Nonce, Terms, leave, open_table, sit, sit_bot, start
from domain.table.state import require_played
from service.accounts.avoidance import require_apart
from service.accounts.names import email_key
from service.accounts.people import require_own_name
from service.clocks.policy import check_clock
from service.container import Services
from service.games.commit import commit, lock, lock_for
from service.games.inviting import ask_to_begin, require_may_invite, send_invitations
from service.games.json_actions import read_action
from service.games.outcomes import Moved
from service.games.seat_names import notation_names
from service.kernel.ids import new_game_id, new_nonce
from service.store.clocks import decisions
from service.store.database import Connection
from service.store.event_store.streams import GameOrHead, Head, NoSuchGame, Seen
from service.store.games import game_rows, invitations
from service.store.games import seats as seat_rows
from service.store.games.invitations import KnownBy
from service.store.games.seats import may_know
from service.store.people import players
from service.telemetry.tracing import span

MOST_ACTIONS: Final = 64


class NotSeated(Exception):
    """The player may watch this table but does not sit at it."""


@dataclass(frozen=True, slots=True)
class Orders:
    """What a player sent: actions as JSON, lines of notation, or the body of a bid."""

    actions: Sequence[Mapping[str, Any]] | None = None
    text: str | None = None
    bid: Mapping[str, Any] | None = None
    ends: bool = False
    """Whether the turn is to be ended if nothing else is left: so in mails and on pages, never for programs."""


def open_game(
    services: Services,
    tx: Connection,
    host: str,
    *,
    kind: str,
    seats: int | None,
    options: Mapping[str, str],
    clock: Mapping[str, Any],
    public: bool,
    bots: int | Sequence[Bot],
    invite: Sequence[str],
    nonce: str | None,
    name: str | None = None,
    again: Sequence[str] = (),
) -> Moved:
    """Open a table. Its host gets seat 0, and the bots get the last seats in their order.

    Invites the addresses, and the players in `again` by their ids. If `bots` is a number, they are even bots of
    strength 1. If `seats` is None, the table has one seat for each person and bot, as far as the rules allow.

    Refused where its host has as many already that have not begun, or at which bots think, as one may (RATE-09).
    """
    require(kind in RULESETS, "unknown-ruleset", "DESIGN-8", "There is no such ruleset: see /api/v1/rulesets.")
    number = bots if isinstance(bots, int) else len(bots)
    guests = _guests(tx, invite, again)
    seats = _seats_for(RULESETS[kind], len(guests) + number) if seats is None else seats
    require(0 <= number < seats, "bad-bots", "DESIGN-8", "Leave at least one seat to a person: ask for fewer bots.")
    players.lock(tx, host)  # one table at a time
    require_may_invite(services, tx, host, [*guests])
    head = services.streams.create(tx, new_game_id(services.entropy), kind, services.database.clock.now(tx), name)
    record = Record(head.table, head.rules)
    terms = Terms(seats, options, check_clock(clock, services.settings.min_move_time), public)
    open_table(record, host, terms, services.entropy.seed(32))
    sit(record, host, _nonce(services, nonce))
    for bot in reversed([Bot()] * bots if isinstance(bots, int) else bots):
        sit_bot(record, bot, new_nonce(services.entropy))
    settle(record, seat_actor(0))
    moved = Moved(head, commit(services, tx, head, record), record)
    _require_few_open(services, tx, host, head)
    require_few_bot_tables(services, tx, head)
    send_invitations(tx, head, guests, "open")
    return moved


def _guests(connection: Connection, addresses: Sequence[str], again: Sequence[str]) -> dict[str, KnownBy]:
    """Return the folded addresses of all invited people, each with how the host knows it."""
    found: dict[str, KnownBy] = {}
    for player in again:
        if (key := players.email_key_of(connection, player)) is not None:
            found[key] = invitations.NAME
    return found | dict.fromkeys(map(email_key, addresses), invitations.ADDRESS)


def _seats_for(rules: Rules, others: int) -> int:
    """Return the seats for a host and this number of others, or the usual number if there are no others."""
    counts = rules.seats
    return next((seats for seats in counts if others < seats), counts[-1]) if others else counts[len(counts) // 2]


def _require_few_open(services: Services, tx: Connection, host: str, head: Head) -> None:
    """Refuse a table that waits for its start where too many of its host's do."""
    if head.table.status != "open" or not services.settings.rate_limits:
        return
    others = game_rows.count_open(tx, host) - 1
    require(
        others < services.settings.open_tables,
        "too-many-open-tables", "RATE-09",
        "Of your tables {count} have not begun, and no more may wait: let one begin, or leave it, then open this one.",
        count=others,
    )  # fmt: skip


def require_few_bot_tables(services: Services, tx: Connection, head: Head) -> None:
    """Refuse one more table at which bots think where its host has as many as one may."""
    here = head.table.status in ("open", "running") and any(chair.thinks for chair in head.table.chairs)
    if not here or not services.settings.rate_limits:
        return
    tables = seat_rows.count_bot_tables(tx, head.table.host)
    require(
        tables <= services.settings.bot_tables,
        "too-many-bot-tables", "RATE-09",
        "At {count} of your tables bots think already, and no more can be: end one, or send its bots away first.",
        count=tables - 1,
    )  # fmt: skip


def take_seat(services: Services, tx: Connection, game: GameOrHead, player: str, nonce: str | None) -> Moved:
    """Sit down before the start, or take over a vacant seat; the game starts when the table is full.

    Nobody is seated beside somebody whom they have blocked, or who has blocked them, unless the seat is their own.
    """
    head = enter(services, tx, game, player)
    others = {chair.player for chair in head.table.chairs if chair.player}
    require_own_name(tx, others, player)
    record = Record(head.table, head.rules)
    sit(record, player, _nonce(services, nonce))
    if player not in others:
        require_apart(tx, player, others | {head.table.host})
    moved = conclude(services, tx, head, record, record.facts[0].actor)
    ask_to_begin(tx, head)
    return moved


def leave_seat(services: Services, tx: Connection, game: GameOrHead, player: str) -> Moved:
    """Stand up before the start. A private table is then what it was before the invitation: not there (S-11)."""
    head = enter(services, tx, game, player)
    seated_at(head, player)
    record = Record(head.table, head.rules)
    leave(record, player)
    moved = conclude(services, tx, head, record, record.facts[0].actor)
    invitations.take_back(tx, head.game, players.email_key_of(tx, player) or "")
    return moved


def resign(services: Services, tx: Connection, game: GameOrHead, player: str, *, seen: Seen | None = None) -> Moved:
    """Resign from a running game for good; the caretaker, a bot or a newcomer plays the seat from now on."""
    head = enter(services, tx, game, player, expect=seen)
    seat = seated_at(head, player)
    record = Record(head.table, head.rules)
    seating.resign(record, player)
    return conclude(services, tx, head, record, seat_actor(seat))


def start_game(services: Services, tx: Connection, game: GameOrHead, player: str) -> Moved:
    """Begin with whoever sits there."""
    head = enter(services, tx, game, player)
    seated_at(head, player)
    record = Record(head.table, head.rules)
    start(record, player)
    return conclude(services, tx, head, record, {"host": player})


def move(
    services: Services,
    tx: Connection,
    game: GameOrHead,
    player: str,
    orders: Orders,
    *,
    seen: Seen | None = None,
) -> Moved:
    """Play a list of orders, all or nothing; `seen` are versions the player had seen."""
    head = enter(services, tx, game, player, expect=seen)
    seat = seated_at(head, player)
    actions = read_orders(tx, head, orders)
    require_played(head.table, seat)
    record = Record(head.table, head.rules)
    with span("decide", ruleset=head.rules.kind):
        play(record, seat, actions, ends=orders.ends)
    return conclude(services, tx, head, record, seat_actor(seat))


def rehearse(
    services: Services, connection: Connection, game: str, player: str, orders: Orders, *, seen: Seen | None = None
) -> Moved:
    """What a list of orders would do, as far as the player can foresee; nothing is recorded (S-06)."""
    head, seat = look_to_play(services, connection, game, player)
    if seen is not None:
        require_fresh(services, connection, head, seat, seen)
    actions = read_orders(connection, head, orders)
    require_played(head.table, seat)
    record = Record(blind(head.table, head.rules, seat), head.rules)
    play(record, seat, actions, ends=orders.ends)
    return Moved(head, [], record)


def look(services: Services, connection: Connection, game: str, player: str | None) -> tuple[Head, Seat | None]:
    """Return a game as it stands, and the seat whose secrets the player may see.

    The seat is None for a spectator, and for a player who has resigned. `player` is None for somebody who is not
    signed in. Raises NoSuchGame.
    """
    head = services.streams.head_for(connection, game, player)
    return head, head.table.eyes_of(player)


def look_to_play(services: Services, connection: Connection, game: str, player: str) -> tuple[Head, Seat]:
    """Return the same for a player who tries a move. Raises NotSeated, and RuleViolation after a resignation."""
    head, seat = look(services, connection, game, player)
    if seat is None:
        require_played(head.table, seated_at(head, player))
        raise NotSeated
    return head, seat


def read_orders(connection: Connection, head: Head, orders: Orders) -> list[Action]:
    """The actions a player sent, in the ruleset's types. Raises OrderNotUnderstood."""
    rules = head.rules
    if orders.bid is not None:
        return [rules.notation.read_bid(orders.bid)]
    if orders.text is not None:
        actions = rules.notation.parse(orders.text, notation_names(connection, head))
    else:
        actions = [read_action(rules, action, place) for place, action in enumerate(orders.actions or ())]
    if not 1 <= len(actions) <= MOST_ACTIONS:
        raise OrderNotUnderstood(
            "bad-syntax", "DESIGN-8", orders.text or "", f"Send 1 to {MOST_ACTIONS} orders at a time."
        )
    return actions


def conclude(services: Services, tx: Connection, head: Head, record: Record, actor: Actor) -> Moved:
    """Let what follows come about, and keep the record."""
    settle(record, actor)
    return Moved(head, commit(services, tx, head, record), record)


def enter(
    services: Services,
    tx: Connection,
    game: GameOrHead,
    player: str,
    *,
    expect: Seen | None = None,
    consents: bool = False,
) -> Head:
    """Lock a game that this player may see. Raises NoSuchGame, and StaleTurn if what they had seen is not fresh."""
    if isinstance(game, str):
        head = lock_for(services, tx, game, player)
    else:
        require_known(tx, game.game, player)
        head = lock(services, tx, game)
    if expect is not None:
        require_fresh(services, tx, head, head.table.seat_of(player), expect, consents=consents)
    return head


def require_fresh(
    services: Services, connection: Connection, head: Head, seat: Seat | None, seen: Seen, *, consents: bool = False
) -> None:
    """Raise StaleTurn if an event after what the seat has seen may change what it is asked or may answer."""
    behind = max((version for version in seen if version < head.version), default=None)
    if head.version in seen or behind is None:
        return head.expect(seen)
    owed = None if seat is None else decisions.of_seat(connection, head.game, seat)
    if owed is None or owed.since <= behind:
        since = services.streams.history(connection, head.game, head.rules, head.version, after=behind)
        if is_fresh(since, seat, consents=consents):
            return None
    return head.expect(seen)


def require_known(connection: Connection, game: str, player: str | None) -> None:
    """Refuse a private table to whoever neither sits there nor is invited, as if it did not exist: by one statement,
    before anything of it is read or locked, so that the time tells as little as the words (S-11)."""
    if not may_know(connection, game, player):
        raise NoSuchGame(game)


def seated_at(head: Head, player: str) -> Seat:
    """The seat of a player. Raises NotSeated."""
    seat = head.table.seat_of(player)
    if seat is None:
        raise NotSeated
    return seat


def _nonce(services: Services, given: str | None) -> Nonce:
    return Nonce(new_nonce(services.entropy), by_player=False) if given is None else Nonce(given, by_player=True)
