"""Trying orders, of the game or ahead, on what a seat itself may know: what is wrong with them, would they do."""

import difflib
from collections.abc import Sequence

from domain.engine.game import Seat
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.table.evolve import blind
from domain.table.play import play
from domain.table.record import Record
from domain.table.standing_orders import file_orders, form_of
from service.store.event_store.streams import Head
from workers.parsing.near_words import distance

NEAR = 4
"""Legal orders shown beside one that is not."""


def first_refused(head: Head, seat: Seat, orders: Sequence[str], names: Sequence[str]) -> int | None:
    """The place of the first order that is refused, in this order from here; None where all would do."""
    for place in range(len(orders)):
        try:
            _try(head, seat, orders[: place + 1], names)
        except (RuleViolation, OrderNotUnderstood):
            return place
    return None


def corrected(head: Head, seat: Seat, orders: Sequence[str], place: int, names: Sequence[str]) -> list[str]:
    """Return the orders with the refused one replaced by the only legal order that is a slip away, or [].

    Returns all of the orders or none: a copied part would play something else (IN-10b).
    """
    texts = _legal_texts(head, seat, orders[:place], names)
    near = [text for text in texts if abs(len(text) - len(orders[place])) <= 1 and distance(text, orders[place]) == 1]
    whole = [*orders[:place], *near, *orders[place + 1 :]]
    return whole if len(near) == 1 and first_refused(head, seat, whole, names) is None else []


def first_unfit(
    head: Head, seat: Seat, orders: Sequence[str], ahead: Sequence[str], names: Sequence[str]
) -> int | None:
    """The place of the line without which, and all below it, the others could be ordered ahead once `orders` are
    played; None where that is no matter of one line."""
    counts = range(len(ahead), 0, -1)
    good = next((count for count in counts if fits(head, seat, orders, ahead[:count], names)), 0)
    of_a_line = good or len(ahead) == 1 or any(fits(head, seat, orders, [line], names) for line in ahead)
    return good if of_a_line and good < len(ahead) else None


def fits(head: Head, seat: Seat, orders: Sequence[str], ahead: Sequence[str], names: Sequence[str]) -> bool:
    """Whether these lines could be ordered ahead, once `orders` are played."""
    try:
        record = _try(head, seat, orders, names) if orders else Record(blind(head.table, head.rules, seat), head.rules)
        file_orders(record, seat, form_of(head.rules).parse("\n".join(ahead), names))
    except (RuleViolation, OrderNotUnderstood):
        return False
    return True


def replaced(head: Head, seat: Seat | None, orders: Sequence[str], names: Sequence[str]) -> tuple[int, int] | None:
    """The places of two different orders of which the second would replace the first (TH-9.9); None without such."""
    if seat is None or head.table.status != "running":
        return None
    decider = head.rules.decider
    for place in range(1, len(orders)):
        game = _try(head, seat, orders[:place], names).table.game
        answered = seat not in decider.awaiting(game) and decider.decision(game) == decider.decision(head.table.game)
        if answered and orders[place] != orders[place - 1]:
            return place - 1, place
    return None


def finishes(head: Head, seat: Seat | None, orders: Sequence[str], names: Sequence[str]) -> bool:
    """Whether these orders are legal and leave nothing to answer of the present decision."""
    if seat is None or head.table.status != "running":
        return False
    try:
        record = _try(head, seat, orders, names)
    except (RuleViolation, OrderNotUnderstood):
        return False
    rules, game = head.rules, record.table.game
    return seat not in rules.decider.awaiting(game) or rules.decider.decision(game) != rules.decider.decision(
        head.table.game
    )


def nearest(head: Head, seat: Seat, order: str, names: Sequence[str], before: Sequence[str] = ()) -> str:
    """A few legal orders like this one, once those before it are played."""
    if head.table.status != "running":
        return ""
    texts = _legal_texts(head, seat, before, names)
    alike = [text for text in texts if text.split()[0] == order.split()[:1][0]] if order else []
    pool = alike or texts
    close = difflib.get_close_matches(order, pool[:400], NEAR, 0.3) if order else []
    return "; ".join(close or pool[:NEAR])


def _legal_texts(head: Head, seat: Seat, before: Sequence[str], names: Sequence[str]) -> list[str]:
    rules = head.rules
    table = _try(head, seat, before, names).table if before else head.table
    legal = rules.decider.legal_actions(rules.decider.blind(table.game, seat), seat).actions
    return [rules.notation.write(action) for action in legal]


def _try(head: Head, seat: Seat, orders: Sequence[str], names: Sequence[str]) -> Record:
    record = Record(blind(head.table, head.rules, seat), head.rules)
    play(record, seat, head.rules.notation.parse("\n".join(orders), names))
    return record
