"""Standing orders: filed ahead by a seat, followed as soon as what they are about is asked.

They act through `decide` like any order, from what their own seat may see (S-08). That a seat has filed orders, and
that it follows them, is public; what they say is sealed until the game is over.
"""

import msgspec

from domain.engine.game import Action, Seat
from domain.engine.refusals import RuleViolation, Unfit, require
from domain.engine.sentences import say
from domain.engine.standing_orders import StandingOrders
from domain.table.events import OrdersDropped, OrdersFiled, OrdersFollowed
from domain.table.evolve import Rules
from domain.table.record import CLOCK, Record, seat_actor
from domain.table.state import require_played, require_running

RULE = "DESIGN-2"


def form_of(rules: Rules) -> StandingOrders[object, msgspec.Struct]:
    """What can be ordered ahead in this game. Raises RuleViolation where nothing can."""
    if rules.standing_orders is None:
        raise RuleViolation(
            "no-orders", RULE, say("Nothing can be ordered ahead in {title}.", title=rules.presentation.title)
        )
    return rules.standing_orders


def file_orders(record: Record, seat: Seat, orders: msgspec.Struct) -> None:
    """File standing orders in place of those the seat had; the same again records nothing.

    Raises RuleViolation for what can never be followed, and for what does not fit the decision asked now.
    """
    table, rules = record.table, record.rules
    ahead = form_of(rules)
    require_running(table)
    require_played(table, seat)
    seen = rules.decider.blind(table.game, seat)
    complete = ahead.check(seen, seat, orders)
    document = msgspec.to_builtins(complete)
    standing = table.orders.get(seat)
    if standing is not None and standing.orders == document:
        return
    if seat in rules.decider.awaiting(seen):
        _require_fit(rules, seen, seat, complete)
    record.add(seat_actor(seat), OrdersFiled(seat, document), text=ahead.write(complete))


def _require_fit(rules: Rules, seen: object, seat: Seat, orders: msgspec.Struct) -> None:
    """Refuse orders that would be dropped at once."""
    try:
        _followed(rules, seen, seat, orders)
    except Unfit as unfit:
        raise RuleViolation(unfit.code, unfit.rule, unfit.message) from None


def _followed(rules: Rules, seen: object, seat: Seat, orders: msgspec.Struct) -> Action | None:
    """What orders say of what an awaited seat is asked, as far as it can see. Raises Unfit, RuleViolation."""
    action = form_of(rules).follow(seen, seat, orders)
    if action is not None:
        rules.decider.decide(seen, seat, action)
    return action


def withdraw_orders(record: Record, seat: Seat) -> None:
    """Take the standing orders of a seat back. Raises RuleViolation where there are none."""
    require_running(record.table)
    require(seat in record.table.orders, "no-orders", RULE, "You have no standing orders.")
    record.add(seat_actor(seat), OrdersDropped(seat, "withdrawn"))


def follow_orders(record: Record, seat: Seat) -> bool:
    """Let the orders of an awaited seat act, or drop them where they do not fit. Whether anything was recorded."""
    table, rules = record.table, record.rules
    filed = table.orders.get(seat)
    if filed is None or filed.orders is None or rules.standing_orders is None:
        return False
    actor = seat_actor(seat)
    try:
        action = rules.standing_orders.follow(
            rules.decider.blind(table.game, seat), seat, msgspec.convert(filed.orders, rules.standing_orders.form)
        )
        if action is None:
            return False
        events = rules.decider.decide(table.game, seat, action)
    except (Unfit, RuleViolation) as refused:
        record.add(CLOCK, OrdersDropped(seat, "unfit", refused.code, refused.rule))
        return True
    record.add(actor, OrdersFollowed(seat, filed.version))
    record.add(actor, *events, text=rules.notation.write(action))
    return True


def why_unfit(rules: Rules, game: object, seat: Seat, orders: dict[str, object]) -> str:
    """The sentence for a seat whose orders were dropped in this state of the game; "" where they fit after all."""
    if rules.standing_orders is None:
        return ""
    try:
        _followed(rules, rules.decider.blind(game, seat), seat, msgspec.convert(orders, rules.standing_orders.form))
    except (Unfit, RuleViolation) as refused:
        return refused.message
    return ""
