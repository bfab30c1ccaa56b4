"""What a letter tells a player of their standing orders: that they stand, or why they do so no more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from domain.engine.game import Event, Seat
from domain.engine.sentences import Words, say, say_n, typed
from domain.table.events import OrdersDropped
from domain.table.standing_orders import why_unfit
from service.container import Services
from service.games.history_queries import past
from service.games.standing_orders import document
from service.store import outbox
from service.store.streams import Head

ORDERS: Final = typed("orders")
UNFIT: Final = say("They did not fit what was asked.")


@dataclass(frozen=True, slots=True)
class Dropped:
    """Orders that stand no more, in the notation, and the sentence that says why."""

    lines: list[str]
    why: str


def dropped(
    services: Services, connection: Connection, head: Head, seat: Seat, events: Sequence[Event], words: Words
) -> Dropped | None:
    """The orders of a seat that were dropped, since they did not fit, by the last of these events that did so.

    `events` are the last ones before `head`, as the seat may see them. None where new orders stand by then.
    """
    first = head.version - len(events) + 1
    unfit = [
        version
        for version, event in enumerate(events, first)
        if isinstance(event, OrdersDropped) and event.seat == seat and event.reason == "unfit"
    ]
    then = past(services, connection, head, seat, unfit[-1] - 1) if unfit and seat not in head.table.orders else None
    if then is None:
        return None
    orders = then.table.orders[seat].orders or {}
    return Dropped(
        document(then, seat)["text"].splitlines(), words(why_unfit(head.rules, then.table.game, seat, orders) or UNFIT)
    )


def check(services: Services, connection: Connection, row: Mapping[str, Any]) -> str | None:
    """Why a letter about orders that were dropped is not to be sent; None where it is, or may be (`waits_until`)."""
    table = services.streams.head(connection, row["game_id"]).table
    if table.status != "running":
        return "the game is over"
    if table.chairs[row["seat"]].player != row["recipient"]:
        return "the seat has another player"
    if row["seat"] in table.orders:
        return "orders stand"
    state, _ = _asking(connection, row)
    return "the letter that asks tells of it" if state == "sent" else None


def waits_until(connection: Connection, row: Mapping[str, Any]) -> int | None:
    """When the letter that asks, and that would tell of the drop, may be sent; None where it will not be."""
    state, at = _asking(connection, row)
    return at if state == "queued" else None


def _asking(connection: Connection, row: Mapping[str, Any]) -> tuple[str, int]:
    """The state of the letter that asks what the orders did not fit, and not before when it is sent; "" for none."""
    asks = outbox.notice_of(connection, row["recipient"], row["game_id"], row["version"])
    return ("", 0) if asks is None else (asks[0], asks[2])


def standing_lines(head: Head, seat: Seat) -> int | None:
    """How many lines of orders of a seat can still come to pass; None where nothing can be ordered."""
    if head.rules.standing_orders is None or head.table.status != "running":
        return None
    return len(document(head, seat)["live"].splitlines())


def told(lines: int | None) -> str:
    """One line on what stands, or that something could; "" where nothing can."""
    if lines is None:
        return ""
    if not lines:
        return say(
            "What you are asked next can be answered ahead, all in one mail: write “{orders}” and below it one order a "
            "line; “{help}” has the words.",
            orders=ORDERS, help=typed("help"),
        )  # fmt: skip
    return say_n(
        "Your standing orders: {count} line; write “{orders}” to see it.",
        "Your standing orders: {count} lines; write “{orders}” to see them.",
        lines, orders=ORDERS,
    )  # fmt: skip
