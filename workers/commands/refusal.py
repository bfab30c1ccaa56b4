"""Replies to mails that could not be used: why, what still stands, what would do instead, and time to mend it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.engine.sentences import Sentence, say
from service.languages import canonical
from service.languages.time_text import utc_words
from workers.commands import outcomes
from workers.commands.context import (
    ReplyContext,
    last_orders,
    owes,
    played_for,
    quoted,
    shows_undone,
)
from workers.commands.mending import give_time
from workers.commands.outcomes import Outcome, changed
from workers.commands.read_orders import Written
from workers.commands.reply import STATUS, Reply, Request, explain
from workers.commands.trial_orders import corrected, first_refused, first_unfit, fits, nearest, replaced
from workers.commands.words.block_text import unfolded
from workers.commands.words.command import ORDERS
from workers.commands.words.line import Line

NO_ORDER: Final = say("There is no order in this mail: write one at the top, above everything else.")
ALREADY_PLAYED: Final = say("That very order was played when it came the first time.")
NOT_AHEAD: Final = say("What you ordered ahead in it was not filed either.")
AS_THEY_WERE: Final = say("Your standing orders are unchanged.")
VACANT: Final = say("The caretaker is playing for you: take your seat back first.")
RESIGNED: Final = say("You resigned from this game: its seats are for others.")
LEGAL_NOW: Final = say("It would be legal now: send it again, in answer to this mail, to play it.")
NOT_LEGAL_NOW: Final = say("It would not be legal now.")


def reply_to_closed(context: ReplyContext, request: Request) -> Reply:
    """The decision is closed: say so, and whether the orders would do now (IN-18)."""
    if last_orders(context) == request.orders:
        return Reply("duplicate", explain(context, request.report, ALREADY_PLAYED, outcomes.ALREADY))
    expired = played_for(context)
    why = _joined([*_why_not_played(context, request), *_why_late(context, expired), *_how_it_stands(context, request)])
    result, state = (outcomes.STALE, "stale") if expired is None else (outcomes.LATE, "late")
    return Reply(state, explain(context, request.report, why, result))


def _why_not_played(context: ReplyContext, request: Request) -> list[Sentence]:
    sent = quoted(context, request.orders)
    why = say("What you sent, {orders}, was not played: the game has gone on since that mail was written.", orders=sent)
    if shows_undone(context):
        why = say("What you sent, {orders}, was not played: what that mail showed was taken back since.", orders=sent)
    return [why, *([NOT_AHEAD] if request.files else [])]


def _why_late(context: ReplyContext, expired: int | None) -> list[Sentence]:
    if expired is None:
        return []
    came = say(
        "It reached us on {at} (UTC, by our clock, which is the one that counts); the deadline had "
        "passed, and the caretaker had played for you on {then}.",
        at=utc_words(context.row.received_at, context.person.language),
        then=utc_words(expired, context.person.language),
    )  # fmt: skip
    return [came]


def _how_it_stands(context: ReplyContext, request: Request) -> list[Sentence]:
    """The state of the game or the seat, where that is why; whether the orders would be legal, where any are asked."""
    table, seat = context.head.table, context.token.seat
    told: list[Sentence] = []
    if table.status != "running":
        told.append(STATUS[table.status])
    elif seat is not None and table.chairs[seat].vacant:
        told.append(RESIGNED if table.chairs[seat].player in table.resigned else VACANT)
    if seat is not None and owes(context) is not None:
        names = context.view.notation_names
        refused = first_refused(context.head, seat, request.orders, names)
        told.append(LEGAL_NOW if refused is None else NOT_LEGAL_NOW)
    return told


def _joined(sentences: Sequence[Sentence]) -> Sentence:
    """Sentences one after the other, as one."""
    first, *others = sentences
    for second in others:
        first = say("{first} {second}", first=first, second=second)
    return first


def reply_to_unusable(context: ReplyContext, report: Outcome, written: Written) -> Reply:
    """Nothing could be read: say why line by line, and give time to mend it (IN-35, OUT-35)."""
    block = written.block
    whole = [refused.message for refused in block.refused if not refused.line.number]
    why = context.words(whole[0]) if whole else "" if block.refused else context.words(NO_ORDER)
    give_time(context)
    language, kind = context.person.language, context.head.rules.kind
    ahead = any(canonical(line.text, language, kind).partition(" ")[0] == ORDERS for line in block.commands)
    said = " ".join([why, *_still_in_force(context, ahead=ahead)]).strip()
    first, second = [*written.copies, [], []][:2]
    return Reply("rejected", changed(report, why=said, block=first, other_block=second))


def reply_to_late(context: ReplyContext, request: Request) -> Reply:
    """The orders came after the deadline: when, and by which clock (IN-19)."""
    owed = owes(context)
    why = say(
        "It reached us on {at} (UTC, by our clock, which is the one that counts); the deadline was "
        "{due}.",
        at=utc_words(context.row.received_at, context.person.language),
        due=utc_words((owed.due_at or 0) if owed else 0, context.person.language),
    )  # fmt: skip
    return Reply("late", explain(context, request.report, why, outcomes.LATE))


@dataclass(frozen=True, slots=True)
class Fault:
    """Which of the orders cannot be followed, among those of the game or those ahead; what would do instead."""

    place: int | None = None
    ahead: bool = False
    near: str = ""
    block: list[str] = field(default_factory=list)


def reply_to_refused(
    context: ReplyContext, request: Request, why: Any, *, tried: bool = False, rule: str = ""
) -> Reply:
    """The rules forbid it, or the words cannot stand together: nothing was done.

    `tried`: the orders were played and refused, so that the one at fault can be found; `rule` is the one they break.
    """
    fault = _fault(context, request.orders, request.lines_ahead) if tried else Fault()
    wrong = _line_at_fault(request, fault)
    reason = str(context.words(why))
    hint = (
        str(context.words(say("Legal now, for example: {orders}", orders=quoted(context, fault.near.split("; ")))))
        if fault.near
        else ""
    )
    lines = [
        Line(line.number, line.text, reason, hint) if line.number == wrong else line for line in request.report.lines
    ]
    said = ["" if wrong is not None else reason, *_still_in_force(context, ahead=request.files)]
    give_time(context)
    return Reply(
        "rejected", changed(request.report, lines=lines, why=" ".join(said).strip(), block=fault.block, rule=rule)
    )


def reply_to_doubled(context: ReplyContext, request: Request) -> Reply | None:
    """Two answers to one sealed question in a mail: neither is taken, and both can be copied; None without such."""
    names = context.view.notation_names
    try:
        places = replaced(context.head, context.token.seat, request.orders, names)
    except (RuleViolation, OrderNotUnderstood):
        return None  # which is said elsewhere
    if places is None:
        return None
    first, second = (request.orders[place] for place in places)
    why = say(
        "You answered twice: “{first}” and “{second}”. Nothing was done. Send the one that counts.",
        first=context.view.shown(first), second=context.view.shown(second),
    )  # fmt: skip
    blocks = [[order for place, order in enumerate(request.orders) if place != left] for left in reversed(places)]
    said = " ".join([context.words(why), *_still_in_force(context, ahead=request.files)])
    give_time(context)
    return Reply("rejected", changed(request.report, why=said, block=blocks[0], other_block=blocks[1]))


def _line_at_fault(request: Request, fault: Fault) -> int | None:
    """The number of the line that is at fault; None where that is no matter of one line."""
    told = zip(request.report.lines, request.commands, strict=False)
    of_the_kind = [line.number for line, command in told if (command.files if fault.ahead else command.plays)]
    return of_the_kind[fault.place] if fault.place is not None and fault.place < len(of_the_kind) else None


def _still_in_force(context: ReplyContext, *, ahead: bool) -> list[str]:
    """What stands of what was ordered before; of what was ordered ahead where the mail is about that."""
    sent, seat = last_orders(context), context.token.seat
    earlier = say("Your earlier order is still in force: {orders}.", orders=quoted(context, sent))
    as_they_were = [context.words(AS_THEY_WERE)] if ahead and seat in context.head.table.orders else []
    return [*([context.words(earlier)] if sent else []), *as_they_were]


def _fault(context: ReplyContext, orders: Sequence[str], ahead: Sequence[str]) -> Fault:
    head, seat = context.head, context.token.seat
    if seat is None:
        return Fault()
    names = context.view.notation_names
    place = first_refused(head, seat, orders, names)
    if place is not None or not ahead:
        order, before = ("", []) if place is None else (orders[place], list(orders[:place]))
        block = [] if place is None else corrected(head, seat, orders, place, names)
        return Fault(place, near=nearest(head, seat, order, names, before), block=block)
    place = first_unfit(head, seat, orders, ahead, names)
    rest = [line for number, line in enumerate(ahead) if number != place]
    kept = rest if place is not None and rest and fits(head, seat, orders, rest, names) else []
    return Fault(place, ahead=True, block=unfolded([*orders, *(f"{ORDERS} {line}" for line in kept)]))
