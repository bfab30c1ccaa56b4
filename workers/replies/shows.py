"""What a mail can ask to be shown: help, status, legal orders, history, standing orders, absence."""

from collections.abc import Callable
from textwrap import fill
from typing import Any, Final

import sqlalchemy as sa

from domain.sentences import say
from service import games
from service.languages import UNIVERSAL, shown
from service.names import handles
from service.store import decisions
from service.store.players import players as people
from service.tales import tell
from workers.grammar import Command
from workers.replies.case import Case, standing_orders
from workers.times import due_words

MOST_LEGAL: Final = 150
HISTORY: Final = 20
"""Sentences shown where no number is given."""


def show(case: Case, command: Command) -> str:
    """A block of text in the player's language; "" where the letter shows it anyway: the board."""
    return SHOWS[command.verb](case, command).rstrip()


def _help(case: Case, command: Command) -> str:
    kind, language = case.head.rules.kind, case.person.language
    words = case.words
    lines = [
        words(say("In every game:")),
        *(f"  {shown(word, language, kind):<14}{words(MEANINGS[word])}" for word in UNIVERSAL if word in MEANINGS),
        "",
        words(say("In {title}:", title=case.head.rules.title)),
        words(case.head.rules.notation),
    ]
    return "\n".join(lines)


def _status(case: Case, command: Command) -> str:
    names = _names(case)
    rows = decisions.decisions
    owed = case.tx.execute(sa.select(rows).where(rows.c.game_id == case.head.game).order_by(rows.c.seat)).mappings()
    lines = [
        case.words(say("{player} is to answer, by {due}.", player=names[one["seat"]], due=_due(case, one["due_at"])))
        for one in owed
    ]
    if not lines:
        lines = [case.words(STATUS[case.head.table.status])]
    return "\n".join(lines)


def _legal(case: Case, command: Command) -> str:
    seat, rules = case.grant.seat, case.head.rules
    if seat is None or case.head.table.status != "running":
        return str(case.words(NOTHING_ASKED_NOW))
    legal = rules.legal_actions(rules.blind(case.head.table.game, seat), seat)
    texts, language = [rules.write(action) for action in legal.actions], case.person.language
    if not texts:
        return str(case.words(NOTHING_ASKED_NOW))
    more = len(texts) - MOST_LEGAL
    head = case.words(
        say("All you may do now:") if legal.complete and more <= 0 else say("Some of what you may do now:")
    )
    return "\n".join([str(head), *(f"  {shown(text, language, rules.kind)}" for text in texts[:MOST_LEGAL])])


def _history(case: Case, command: Command) -> str:
    seat, head = case.grant.seat, case.head
    number = command.text.partition(" ")[2]
    most = int(number) if number else HISTORY
    names = _names(case)
    facts = case.room.streams.facts_seen(case.tx, head.game, head.rules, seat, after=0, upto=head.version)
    told = [sentence for event in facts if (sentence := tell(head.rules, event, names))]
    return "\n".join(fill(case.words(one), 76, initial_indent="  - ", subsequent_indent="    ") for one in told[-most:])


def _orders(case: Case, command: Command) -> str:
    standing = standing_orders(case)
    if not standing:
        return str(case.words(say("No order of yours is waiting: whatever you played is on the table.")))
    return str(case.words(say("What you sent last for this decision: {orders}.", orders="; ".join(standing))))


def _away(case: Case, command: Command) -> str:
    """Where this player's deadlines lie; a game opened without leave days has none to take."""
    rows = decisions.decisions
    mine = sa.select(rows).where(rows.c.player_id == case.person.id).order_by(rows.c.due_at)
    lines = [
        case.words(say("Game {game}: your answer is due by {due}.", game=one["game_id"], due=_due(case, one["due_at"])))
        for one in case.tx.execute(mine).mappings()
    ]
    none = case.words(say("This game was opened without days of leave, so its deadlines run on while you are away."))
    return "\n".join([str(none), *(lines or [str(case.words(NOTHING_ASKED_NOW))])])


def _nothing(case: Case, command: Command) -> str:
    return ""


def _names(case: Case) -> list[str]:
    return handles(games.display_names(case.tx, case.head), case.head.rules)


def _due(case: Case, due: int | None) -> Any:
    if due is None:
        return say("no deadline")
    zone = case.tx.execute(sa.select(people.c.timezone).where(people.c.id == case.person.id)).scalar() or "UTC"
    return due_words(due, zone, case.person.language)


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
    "orders": say("what you sent for the present decision"),
    "pass": say("where the game lets you pass"),
    "undo": say("what can be taken back"),
    "away": say("your deadlines, and whether you can take leave"),
    "calendar": say("your deadline as a file for a calendar"),
    "say": say("a line of talk to the table; say to NAME … to one player"),
    "unsay": say("takes your last line of talk back, while it waits"),
    "join": say("sits down on an invitation, or on your vacant seat"),
}
SHOWS: Final[dict[str, Callable[[Case, Command], str]]] = {
    "help": _help,
    "status": _status,
    "board": _nothing,
    "legal": _legal,
    "history": _history,
    "orders": _orders,
    "away": _away,
    "calendar": _nothing,
}
