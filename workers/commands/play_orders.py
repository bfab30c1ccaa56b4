"""Doing what a mail orders: all of it or nothing (IN-16)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.engine.sentences import say
from service.games import chat, play
from service.games import standing_orders as standing
from service.games.play import Moved, NotSeated, Orders
from service.languages import canonical
from service.store.streams import NoSuchGame
from workers.commands import outcomes, reply_limits, show
from workers.commands.answer import changed, give_time, saying, settle, tell
from workers.commands.away import absent
from workers.commands.block_text import ready, unfolded
from workers.commands.command import ANSWERS_OF_A_QUESTION, LONERS, NO_ORDERS, ORDERS, Command
from workers.commands.context import (
    ReplyContext,
    attempt,
    is_late,
    owes,
    played_for,
    replaceable,
    shows_undone,
    standing_orders,
)
from workers.commands.grammar import Grammar
from workers.commands.join import NOT_SEATED, join
from workers.commands.leaked_addresses import COPIED, leaked
from workers.commands.outcomes import Line, Outcome
from workers.commands.proposals import REPLACEABLE, by_consent, consent
from workers.commands.show import STATUS
from workers.commands.trial_orders import first_refused, first_unfit, fits, nearest
from workers.letters.deadline_text import utc_words
from workers.parsing.command_block import Block

NO_ORDER: Final = say("There is no order in this mail: write one at the top, above everything else.")
ALREADY_PLAYED: Final = say("That very order was played when it came the first time.")
ALREADY_RECORDED: Final = say("That very order stands already.")
ALREADY_AHEAD: Final = say("Those very orders stand already.")
NOT_AHEAD: Final = say("What you ordered ahead in it was not filed either.")
AS_THEY_WERE: Final = say("Your standing orders are as they were.")
EITHER: Final = say("Write what you order ahead, or that you order nothing, and not both.")
ALONE: Final = say(
    "These words must be alone in a mail: join, leave, undo, agree, refuse, pause, resume, extend, yes, no."
)
NOTHING_ASKED: Final = say("Nothing was asked here that yes or no would answer: write an order of the game.")
BEGUN: Final = say("The game has begun: a seat cannot be left now.")
VACANT: Final = say("The caretaker plays your seat: take it back first.")


def closed(context: ReplyContext, digest: bytes, report: Outcome, orders: list[str], *, ahead: bool = False) -> None:
    """The decision is closed: tell so, show the present one, and whether the order would do now (IN-18).

    `ahead` says whether the mail orders something ahead as well.
    """
    if standing_orders(context) == orders:
        return tell(context, "duplicate", saying(context, report, ALREADY_PLAYED, outcomes.ALREADY), written=digest)
    sent = "; ".join(orders)
    why = say("What you sent, {orders}, was not played: the game has gone on since that mail was written.", orders=sent)
    if shows_undone(context):
        why = say("What you sent, {orders}, was not played: what that mail showed was taken back since.", orders=sent)
    if ahead:
        why = say("{first} {second}", first=why, second=NOT_AHEAD)
    expired = played_for(context)
    if expired is not None:
        came = say(
            "It reached us at {at} (UTC, by our clock: that is the one that counts); the deadline had passed, and the "
            "caretaker had played for you at {then}.",
            at=utc_words(context.row["received_at"]), then=utc_words(expired),
        )  # fmt: skip
        why = say("{first} {second}", first=why, second=came)
    if context.head.table.status != "running":
        why = say("{first} {second}", first=why, second=STATUS[context.head.table.status])
    elif context.grant.seat is not None and context.head.table.chairs[context.grant.seat].vacant:
        why = say("{first} {second}", first=why, second=VACANT)
    present = owes(context)
    if present is not None and context.grant.seat is not None:
        names = play.names_at(context.tx, context.head)
        refusal = first_refused(context.head, context.grant.seat, orders, names)
        again = (
            say("It would be legal now: send it again, in answer to this mail, to play it.")
            if refusal is None
            else say("It would not be legal now.")
        )
        why = say("{first} {second}", first=why, second=again)
    result, state = (outcomes.STALE, "stale") if expired is None else (outcomes.LATE, "late")
    return tell(context, state, saying(context, report, why, result), written=digest)


def rejected(context: ReplyContext, digest: bytes, report: Outcome, block: Block) -> None:
    """Nothing could be used: say why line by line, and give time to mend it (IN-35, OUT-35)."""
    whole = [refused.message for refused in block.refused if not refused.line.number]
    why = context.words(whole[0]) if whole else "" if block.refused else context.words(NO_ORDER)
    give_time(context)
    language, kind = context.person.language, context.head.rules.kind
    full = changed(
        report,
        why=" ".join([why, *_still_in_force(context, ahead=_heads(block, language, kind))]).strip(),
        block=[ready(it, language, kind) for it in block.commands],
    )
    return tell(context, "rejected", full, written=digest)


def _heads(block: Block, language: str, kind: str) -> bool:
    """Whether anything was to be ordered ahead."""
    return any(canonical(line.text, language, kind).partition(" ")[0] == ORDERS for line in block.commands)


def _still_in_force(context: ReplyContext, *, ahead: bool) -> list[str]:
    """What stands of what was ordered before; of what was ordered ahead where the mail is about that."""
    sent, seat = standing_orders(context), context.grant.seat
    earlier = say("Your earlier order is still in force: {orders}.", orders="; ".join(sent))
    as_they_were = [context.words(AS_THEY_WERE)] if ahead and seat in context.head.table.orders else []
    return [*([context.words(earlier)] if sent else []), *as_they_were]


def execute(
    context: ReplyContext, digest: bytes, report: Outcome, grammar: Grammar, commands: Sequence[Command]
) -> None:
    """Do it all, or nothing."""
    if why := unfit(context, commands):
        return refused(context, digest, report, commands, why)
    if commands[0].verb == "join":
        return join(context, digest, report, commands[0])
    if by_consent(commands):
        return consent(context, digest, report, commands[0])
    orders = [command.text for command in commands if command.plays]
    files = any(command.files for command in commands)
    idle = not any(command.plays or command.files or command.leaves for command in commands)
    if idle and reply_limits.had_enough_letters(context.tx, context.row, context.now):
        return settle(context, "ignored", "too many mails today", written=digest)
    if orders and files and standing_orders(context) == orders:
        report = changed(report, ignored=[*report.ignored, str(context.words(ALREADY_PLAYED))])
        return act(context, digest, report, grammar, commands, [])
    if orders and is_late(context, context.row["received_at"]):
        return tell(context, "late", saying(context, report, late_words(context), outcomes.LATE), written=digest)
    if orders and standing_orders(context) == orders:
        if reply_limits.same_answer(context.tx, context.row, digest, context.now, context.head.last_at):
            return settle(context, "duplicate", "recorded already", written=digest)
        return tell(context, "duplicate", saying(context, report, ALREADY_RECORDED, outcomes.ALREADY), written=digest)
    return act(context, digest, report, grammar, commands, orders)


def unfit(context: ReplyContext, commands: Sequence[Command]) -> Any:
    """Why these commands cannot be done here, whoever sent them; None where they may be."""
    verbs = {command.verb for command in commands}
    if verbs & LONERS and len(commands) > 1:
        return ALONE
    if verbs & ANSWERS_OF_A_QUESTION:
        return NOTHING_ASKED
    if NO_ORDERS in (texts := {command.text for command in commands if command.files}) and len(texts) > 1:
        return EITHER
    return BEGUN if "leave" in verbs and context.head.table.status != "open" else None


def act(
    context: ReplyContext,
    digest: bytes,
    report: Outcome,
    grammar: Grammar,
    commands: Sequence[Command],
    orders: list[str],
) -> None:
    """Play the orders, say what is to be said, show what was asked for."""
    before, moved, away = context.head.version, None, []
    try:
        with attempt(context) as trial:
            for command in commands:
                _talk(trial, grammar, command)
            moved, away = _play(trial, orders, commands), absent(trial, commands)
            if any(command.verb == "leave" for command in commands):
                play.leave_seat(trial.services, trial.tx, trial.head, trial.grant.player or "")
    except (RuleViolation, OrderNotUnderstood) as error:
        return refused(context, digest, report, commands, error.message, orders=orders, error=error)
    except chat.NotSaid as error:
        return refused(context, digest, report, commands, error.message)
    except (NotSeated, NoSuchGame):
        return refused(context, digest, report, commands, NOT_SEATED)
    context = trial
    files = any(command.files for command in commands)
    notes = list(report.ignored)
    if moved is not None:
        notes += [str(context.words(COPIED))] if leaked(context) else []
        notes += [str(context.words(REPLACEABLE))] if orders and replaceable(context) else []
    done = [command.text for command in commands if not command.reads and (orders or not command.plays)]
    reads = [command for command in commands if command.reads]
    if files and all(command.verb != ORDERS for command in reads):
        reads.append(Command(ORDERS, ORDERS))
    outcome = changed(
        report,
        result=outcomes.APPLIED if done else outcomes.ANSWERED,
        commands=done,
        answers=context.grant.decision if orders else "",
        shows=[*away, *(text for command in reads if (text := show.show(context, command)))],
        before=before,
        calendar=any(command.verb == "calendar" for command in reads),
        ahead="" if not files else "withdrawn" if NO_ORDERS in done else "filed",
        lines=[],
        ignored=notes,
    )
    if moved is not None and not moved.stored and all(command.reads or command.files for command in commands):
        again = changed(outcome, result=outcomes.ALREADY, why=str(context.words(ALREADY_AHEAD)), commands=[], ahead="")
        return tell(context, "duplicate", again, written=digest)
    return tell(context, "applied" if done else "answered", outcome, written=digest)


def _play(context: ReplyContext, orders: Sequence[str], commands: Sequence[Command]) -> Moved | None:
    """Play orders of the game, then file or withdraw what is ordered ahead: all, or nothing. None where none is."""
    services, tx, head, player = context.services, context.tx, context.head, context.grant.player or ""
    first = Orders(text="\n".join(orders)) if orders else None
    if ahead := lines_ahead(commands):
        return standing.put_orders(services, tx, head, player, text="\n".join(ahead), first=first)
    if any(command.files for command in commands):
        return standing.drop_orders(services, tx, head, player, first=first)
    return play.move(services, tx, head, player, first) if first is not None else None


def lines_ahead(commands: Sequence[Command]) -> list[str]:
    """The lines of what is ordered ahead."""
    return [it.text.partition(" ")[2] for it in commands if it.files and it.text != NO_ORDERS]


def _talk(context: ReplyContext, grammar: Grammar, command: Command) -> None:
    """A line of table talk said, or taken back."""
    player = context.grant.player or ""
    if command.verb == "say":
        seat, text = grammar.addressed(command)
        chat.say(context.services, context.tx, context.head, player, text, to=seat)
    elif command.verb == "unsay":
        chat.unsay(context.services, context.tx, context.head, player, None)


def refused(
    context: ReplyContext,
    digest: bytes,
    report: Outcome,
    commands: Sequence[Command],
    why: Any,
    *,
    orders: Sequence[str] = (),
    error: RuleViolation | OrderNotUnderstood | None = None,
) -> None:
    """The rules forbid it, or the words cannot stand together: nothing was done. `orders` were to be played."""
    fault = _fault(context, orders, lines_ahead(commands)) if error is not None else Fault()
    told = [(line, command) for line, command in zip(report.lines, commands, strict=False)]
    of_the_kind = [line.number for line, command in told if (command.files if fault.ahead else command.plays)]
    wrong = of_the_kind[fault.place] if fault.place is not None and fault.place < len(of_the_kind) else None
    reason = str(context.words(why))
    hint = str(context.words(say("Legal now, for example: {orders}", orders=fault.near))) if fault.near else ""
    lines = [Line(line.number, line.text, reason, hint) if line.number == wrong else line for line in report.lines]
    files = any(command.files for command in commands)
    said = " ".join(["" if wrong is not None else reason, *_still_in_force(context, ahead=files)]).strip()
    give_time(context)
    return tell(context, "rejected", changed(report, lines=lines, why=said, block=fault.block), written=digest)


@dataclass(frozen=True, slots=True)
class Fault:
    """Which of the orders cannot be followed, among those of the game or those ahead; what would do instead."""

    place: int | None = None
    ahead: bool = False
    near: str = ""
    block: list[str] = field(default_factory=list)


def _fault(context: ReplyContext, orders: Sequence[str], ahead: Sequence[str]) -> Fault:
    head, seat = context.head, context.grant.seat
    if seat is None:
        return Fault()
    names = play.names_at(context.tx, head)
    place = first_refused(head, seat, orders, names)
    if place is not None or not ahead:
        order, before = ("", []) if place is None else (orders[place], list(orders[:place]))
        return Fault(place, near=nearest(head, seat, order, names, before), block=before)
    place = first_unfit(head, seat, orders, ahead, names)
    rest = [line for number, line in enumerate(ahead) if number != place]
    kept = rest if place is not None and rest and fits(head, seat, orders, rest, names) else []
    return Fault(place, ahead=True, block=unfolded([*orders, *(f"{ORDERS} {line}" for line in kept)]))


def late_words(context: ReplyContext) -> Any:
    """When it came, and by which clock."""
    asked = owes(context)
    return say(
        "It reached us at {at} (UTC, by our clock: that is the one that counts); the deadline was {due}.",
        at=utc_words(context.row["received_at"]), due=utc_words((asked.due_at or 0) if asked else 0),
    )  # fmt: skip
