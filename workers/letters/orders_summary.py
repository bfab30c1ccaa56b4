"""The part of a letter about its reader's standing orders: that they stand, or why they do so no more."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from domain.engine.game import Event, Seat
from domain.engine.sentences import Words, say, say_n, typed
from domain.table.events import OrdersDropped
from domain.table.standing_orders import why_unfit
from service.container import Services
from service.games.history_queries import past
from service.games.standing_orders import document
from service.store.database import Connection
from service.store.event_store.streams import Head

ORDERS: Final = typed("orders")
UNFIT: Final = say("They did not fit what was asked.")


@dataclass(frozen=True, slots=True)
class Dropped:
    """Orders that stand no more, in the notation, and the sentence that says why."""

    lines: list[str]
    why: str


def find_dropped(
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


def standing_lines(head: Head, seat: Seat) -> int | None:
    """How many lines of orders of a seat can still come to pass; None where nothing can be ordered."""
    if head.rules.standing_orders is None or head.table.status != "running":
        return None
    return len(document(head, seat)["live"].splitlines())


def describe(lines: int | None) -> str:
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
