"""Orders by mail: those of the game, and what is ordered ahead below a line that says `orders`."""

from collections.abc import Mapping, Sequence
from typing import Final

from domain.engine.game import Seat
from domain.engine.sentences import Sentence, row, say, say_n, typed
from service.games import play
from service.games import standing_orders as standing
from service.games.play import Orders as Sent
from workers.commands.context import ReplyContext, filled, last_orders, quoted
from workers.commands.reply import Effect, Request
from workers.commands.words.command import NO_ORDERS, ORDERS, Command

AHEAD: Final = say("Your standing orders, which are followed as soon as you are asked:")
SPENT: Final = say("Your standing orders have run out:")
NOTHING_AHEAD: Final = say("You have no standing orders.")
IDLE: Final = say("Nothing in them can still happen.")


class Orders:
    """Plays what a mail orders, files or withdraws what it orders ahead, and shows what stands of both."""

    verbs: Sequence[str] = (ORDERS, "pass")
    meanings: Mapping[str, Sentence] = {
        "orders": say("what you have ordered ahead, and sent for this decision"),
        NO_ORDERS: say("withdraws what you have ordered ahead"),
        "pass": say("passes, where the game allows it"),
    }

    def act(self, trial: ReplyContext, request: Request) -> Effect:
        """Play orders of the game, then file or withdraw what is ordered ahead: all, or nothing."""
        services, tx, head, player = trial.services, trial.tx, trial.head, trial.token.player or ""
        first = Sent(text="\n".join(request.orders), ends=True) if request.orders else None
        if ahead := request.lines_ahead:
            return Effect(standing.put_orders(services, tx, head, player, text="\n".join(ahead), first=first))
        if request.files:
            return Effect(standing.drop_orders(services, tx, head, player, first=first))
        return Effect(play.move(services, tx, head, player, first) if first is not None else None)

    def show(self, context: ReplyContext, command: Command) -> str:
        """What the player has ordered ahead, and what was sent for the present decision."""
        orders_ahead = context.token.seat is not None and context.head.rules.standing_orders is not None
        ahead = _ahead(context, context.token.seat or 0) if orders_ahead else []
        sent = last_orders(context)
        if sent:
            last = say("What you sent last for this decision: {orders}.", orders=quoted(context, sent))
        else:
            last = say("No order of yours is waiting: whatever you played is on the table.")
        return "\n".join([*ahead, *([] if ahead and not sent else [filled(context, last)])])


def _ahead(context: ReplyContext, seat: Seat) -> list[str]:
    """What stands of what the player has ordered ahead, and how to order something else."""
    stands = standing.document(context.head, seat)
    none = row([typed(word) for word in NO_ORDERS.split()], " ")
    if stands["filed"] is None:
        how = say("To order ahead, write “{orders}” and below it one order a line; “{help}” has the words.",
                  orders=typed(ORDERS), help=typed("help"))  # fmt: skip
        return [filled(context, NOTHING_AHEAD), filled(context, how)]
    how = say("To replace them, write “{orders}” and all the new ones below it; “{none}” withdraws them.",
              orders=typed(ORDERS), none=none)  # fmt: skip
    live = stands["live"].splitlines()
    gone = len(stands["text"].splitlines()) - len(live)
    out = say_n("{count} line has run out.", "{count} lines have run out.", gone)
    return [
        filled(context, AHEAD if live else SPENT),
        *(f"  {context.view.shown(line)}" for line in live or stands["text"].splitlines()),
        *([filled(context, out if live else IDLE)] if gone else []),
        filled(context, how),
    ]


ORDERS_HANDLER: Final = Orders()
