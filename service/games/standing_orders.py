"""Standing orders of a player at one table: filed, tried, shown, withdrawn.

All raise NoSuchGame, NotSeated, StaleTurn and RuleViolation as `service.games.play` does, OrderNotUnderstood for what
cannot be read. `seen` is the version the player had seen.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.engine.game import Seat
from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import say
from domain.table.evolve import blind
from domain.table.play import play
from domain.table.record import Record, seat_actor
from domain.table.standing_orders import file_orders, follow_orders, form_of, withdraw_orders
from domain.table.state import Table, require_played
from service.container import Services
from service.games import play as games
from service.games import seat_names
from service.games.outcomes import Moved
from service.games.play import Orders
from service.store.database import Connection
from service.store.event_store.streams import GameOrHead, Head, Seen

NONE_HERE: Final = say("To withdraw your standing orders, send DELETE to this address.")


def put_orders(
    services: Services,
    tx: Connection,
    game: GameOrHead,
    player: str,
    *,
    text: str | None = None,
    orders: Mapping[str, Any] | None = None,
    first: Orders | None = None,
    seen: Seen | None = None,
) -> Moved:
    """File orders, as a text or in their JSON form, in place of those the player had; what they say of what is asked
    now is done at once.

    `first` are orders of the game, played before; both or neither. Nothing is drawn or opened in between, so that no
    refusal of the ones tells what came of the others (S-06).
    """
    head = games.enter(services, tx, game, player, expect=seen)
    seat = games.seated_at(head, player)
    filed = _read(tx, head, text, orders)
    record = _begin(tx, head, seat, first)
    file_orders(record, seat, filed)
    if not record.facts:
        return Moved(head, [], record)
    return games.conclude(services, tx, head, record, seat_actor(seat))


def try_orders(
    services: Services,
    connection: Connection,
    game: str,
    player: str,
    *,
    text: str | None = None,
    orders: Mapping[str, Any] | None = None,
    seen: Seen | None = None,
) -> Moved:
    """What filing orders would do at once, as far as the player can foresee; nothing is recorded (S-06)."""
    head, seat = games.look_to_play(services, connection, game, player)
    if seen is not None:
        games.require_fresh(services, connection, head, seat, seen)
    filed = _read(connection, head, text, orders)
    record = Record(blind(head.table, head.rules, seat), head.rules)
    file_orders(record, seat, filed)
    if record.facts and seat in head.rules.decider.awaiting(record.table.game):
        follow_orders(record, seat)
    return Moved(head, [], record)


def drop_orders(
    services: Services,
    tx: Connection,
    game: GameOrHead,
    player: str,
    *,
    first: Orders | None = None,
    seen: Seen | None = None,
) -> Moved:
    """Withdraw the player's orders, after playing `first`."""
    head = games.enter(services, tx, game, player, expect=seen)
    seat = games.seated_at(head, player)
    record = _begin(tx, head, seat, first)
    withdraw_orders(record, seat)
    return games.conclude(services, tx, head, record, seat_actor(seat))


def document(head: Head, seat: Seat, table: Table | None = None) -> dict[str, Any]:
    """What the seat has filed: {"filed": version | null, "text", "live", "orders", "holds", "help"}; `live` are the
    lines that can still come to pass, `holds` says whether there are any. With `table`, what it would have filed
    there."""
    ahead, shown = form_of(head.rules), head.table if table is None else table
    standing = shown.orders.get(seat)
    if standing is None or standing.orders is None:
        return {"filed": None, "text": "", "live": "", "orders": None, "holds": False, "help": ahead.help}
    filed = msgspec.convert(standing.orders, ahead.form)
    running = shown.status == "running"
    live = ahead.live(head.rules.decider.blind(shown.game, seat), seat, filed) if running else None
    return {
        "filed": standing.version,
        "text": ahead.write(filed),
        "live": "" if live is None else ahead.write(live),
        "orders": standing.orders,
        "holds": live is not None,
        "help": ahead.help,
    }


def _begin(tx: Connection, head: Head, seat: Seat, first: Orders | None) -> Record:
    """A record that begins with the orders to be played first, if there are any."""
    record = Record(head.table, head.rules)
    if first is not None:
        require_played(head.table, seat)
        play(record, seat, games.read_orders(tx, head, first), ends=first.ends)
    return record


def _read(connection: Connection, head: Head, text: str | None, orders: Mapping[str, Any] | None) -> msgspec.Struct:
    ahead = form_of(head.rules)
    if text is not None:
        if " ".join(text.lower().split()) in ("none", "orders none"):
            raise OrderNotUnderstood("bad-syntax", "DESIGN-8", text.strip(), NONE_HERE)
        return ahead.parse(text, seat_names.notation_names(connection, head))
    try:
        return msgspec.convert(orders or {}, ahead.form)
    except msgspec.ValidationError as error:
        message = f"These orders cannot be read: {error}. Their schema is at /api/v1/rulesets/{head.rules.kind}."
        raise OrderNotUnderstood("bad-orders", "DESIGN-8", "", message) from error
