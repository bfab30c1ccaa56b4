"""What a mail can ask to be shown: help, status, legal orders, history, standing orders, absence."""

from collections.abc import Callable
from textwrap import fill
from typing import Any, Final

from domain.engine.game import Seat
from domain.engine.sentences import row, say, say_n, typed
from service.accounts.names import handles
from service.games import play
from service.games import standing_orders as standing
from service.games.event_text import story
from service.languages import shown
from service.store import decisions, readers
from workers.commands.away import away
from workers.commands.command import NO_ORDERS, ORDERS, Command
from workers.commands.context import ReplyContext, standing_orders
from workers.letters.deadline_text import due_words

MOST_LEGAL: Final = 150
HISTORY: Final = 20
"""Sentences shown where no number is given."""


def show(context: ReplyContext, command: Command) -> str:
    """A block of text in the player's language; "" where the letter shows it anyway: the board."""
    return SHOWS[command.verb](context, command).rstrip()


def _help(context: ReplyContext, command: Command) -> str:
    kind, language = context.head.rules.kind, context.person.language
    words = context.words
    lines = [
        words(say("In every game:")),
        *(f"  {shown(word, language, kind):<14}{words(MEANINGS[word])}" for word in MEANINGS),
        "",
        words(say("In {title}:", title=context.head.rules.presentation.title)),
        words(context.head.rules.notation.help),
        *(_help_ahead(context) if context.head.rules.standing_orders is not None else []),
    ]
    return "\n".join(lines)


def _help_ahead(context: ReplyContext) -> list[str]:
    assert context.head.rules.standing_orders is not None
    below = say("Ahead, below a line with the word “{orders}”:", orders=typed(ORDERS))
    return ["", context.words(below), context.words(context.head.rules.standing_orders.help)]


def _status(context: ReplyContext, command: Command) -> str:
    names = _names(context)
    lines = [
        context.words(say("{player} is to answer, by {due}.", player=names[owed.seat], due=_due(context, owed.due_at)))
        for owed in decisions.of_game(context.tx, context.head.game)
    ]
    if not lines:
        lines = [context.words(STATUS[context.head.table.status])]
    return "\n".join(lines)


def _legal(context: ReplyContext, command: Command) -> str:
    seat, rules = context.grant.seat, context.head.rules
    if seat is None or context.head.table.status != "running":
        return str(context.words(NOTHING_ASKED_NOW))
    legal = rules.decider.legal_actions(rules.decider.blind(context.head.table.game, seat), seat)
    texts, language = [rules.notation.write(action) for action in legal.actions], context.person.language
    if not texts:
        return str(context.words(NOTHING_ASKED_NOW))
    more = len(texts) - MOST_LEGAL
    head = context.words(
        say("All you may do now:") if legal.complete and more <= 0 else say("Some of what you may do now:")
    )
    return "\n".join([str(head), *(f"  {shown(text, language, rules.kind)}" for text in texts[:MOST_LEGAL])])


def _history(context: ReplyContext, command: Command) -> str:
    seat, head = context.grant.seat, context.head
    number = command.text.partition(" ")[2]
    most = int(number) if number else HISTORY
    names = _names(context)
    facts = context.services.streams.facts_seen(context.tx, head.game, head.rules, seat, after=0, upto=head.version)
    told = story(
        head.rules, list(facts), 1, context.services.streams.rewinds(context.tx, head.game, head.version), names
    )
    return "\n".join(
        fill(context.words(one), 76, initial_indent="  - ", subsequent_indent="    ") for one in told[-most:]
    )


def _orders(context: ReplyContext, command: Command) -> str:
    """What the player has ordered ahead, and what was sent for the present decision."""
    ahead = (
        []
        if context.grant.seat is None or context.head.rules.standing_orders is None
        else _ahead(context, context.grant.seat)
    )
    sent = standing_orders(context)
    if sent:
        last = say("What you sent last for this decision: {orders}.", orders="; ".join(sent))
    else:
        last = say("No order of yours is waiting: whatever you played is on the table.")
    return "\n".join([*ahead, *([] if ahead and not sent else [_filled(context, last)])])


def _ahead(context: ReplyContext, seat: Seat) -> list[str]:
    """What stands of what the player has ordered ahead, and how to order something else."""
    kind, language = context.head.rules.kind, context.person.language
    stands = standing.document(context.head, seat)
    none = row([typed(word) for word in NO_ORDERS.split()], " ")
    if stands["filed"] is None:
        how = say("To order ahead, write “{orders}” and below it one order a line; “{help}” has the words.",
                  orders=typed(ORDERS), help=typed("help"))  # fmt: skip
        return [_filled(context, NOTHING_AHEAD), _filled(context, how)]
    how = say("To replace them, write “{orders}” and all the new ones below it; “{none}” withdraws them.",
              orders=typed(ORDERS), none=none)  # fmt: skip
    live = stands["live"].splitlines()
    gone = len(stands["text"].splitlines()) - len(live)
    out = say_n("{count} line has run out.", "{count} lines have run out.", gone)
    return [
        _filled(context, AHEAD if live else SPENT),
        *(f"  {shown(line, language, kind)}" for line in live or stands["text"].splitlines()),
        *([_filled(context, out if live else IDLE)] if gone else []),
        _filled(context, how),
    ]


def _filled(context: ReplyContext, text: str) -> str:
    return fill(context.words(text), 78)


def _away(context: ReplyContext, command: Command) -> str:
    return away(context)


def _nothing(context: ReplyContext, command: Command) -> str:
    return ""


def _names(context: ReplyContext) -> list[str]:
    return handles(play.display_names(context.tx, context.head), context.head.rules)


def _due(context: ReplyContext, due: int | None) -> Any:
    if due is None:
        return say("no deadline")
    zone = readers.timezone_of(context.tx, context.person.id)
    return due_words(due, zone, context.person.language)


AHEAD: Final = say("Your standing orders, which are followed as soon as you are asked:")
SPENT: Final = say("Your standing orders have run out:")
NOTHING_AHEAD: Final = say("You have no standing orders.")
IDLE: Final = say("Nothing in them can come to pass any more.")
NOTHING_ASKED_NOW: Final = say("Nothing is asked of you now.")
STATUS: Final = {
    "open": say("The game has not begun: seats are still free."),
    "running": say("Nobody is to answer just now."),
    "finished": say("The game is over."),
    "abandoned": say("The game was abandoned."),
}
MEANINGS: Final = {
    "help": say("this page"),
    "status": say("who is to answer, and by when"),
    "board": say("the position, as text and picture"),
    "legal": say("all you may do now"),
    "history": say("what happened, the last twenty things; history 50 shows fifty"),
    "orders": say("what you have ordered ahead, and sent for this decision"),
    NO_ORDERS: say("withdraws what you have ordered ahead"),
    "pass": say("where the game lets you pass"),
    "undo": say("takes back what you did last"),
    "undo ask": say("asks those who must agree to take it back"),
    "agree": say("agrees to what is proposed"),
    "refuse": say("refuses it; or takes back what you proposed yourself"),
    "pause": say("proposes to stop the clock: pause 7 days"),
    "resume": say("proposes to let the clock run again"),
    "extend": say("proposes more time: extend 2 days"),
    "away": say("your deadlines and your leave; with its first and last day it announces leave"),
    "away none": say("takes your leave back"),
    "calendar": say("your deadline as a file for a calendar"),
    "yes": say("answers a question we ask you"),
    "no": say("the same, if you do not want it"),
    "say": say("a line of talk to the table; say to NAME … to one player"),
    "unsay": say("takes your last line of talk back, while it waits"),
    "join": say("sits down on an invitation, or on your vacant seat"),
}
SHOWS: Final[dict[str, Callable[[ReplyContext, Command], str]]] = {
    "help": _help,
    "status": _status,
    "board": _nothing,
    "legal": _legal,
    "history": _history,
    "orders": _orders,
    "away": _away,
    "calendar": _nothing,
}
