"""Doing what a mail asks for: all of it or nothing (IN-16)."""

from dataclasses import replace
from typing import Any, Final

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.engine.sentences import say, typed
from domain.table.play import END
from service.games.outcomes import Moved, NotSaid
from service.games.play import NotSeated
from service.store.event_store.streams import NoSuchGame
from workers.commands import outcomes, reply_limits
from workers.commands.context import ReplyContext, attempt, is_kept_out, is_late, last_orders, replaceable
from workers.commands.handlers.questions import NOTHING_ASKED, is_asked_to_begin
from workers.commands.leaked_addresses import COPIED, leaked
from workers.commands.outcomes import Outcome, changed
from workers.commands.refusal import ALREADY_PLAYED, reply_to_doubled, reply_to_late, reply_to_refused
from workers.commands.reply import NOT_SEATED, REPLACEABLE, Reply, Request, explain
from workers.commands.verbs import ACTS, ALONE, SHOWS
from workers.commands.words.command import ANSWERS_OF_A_QUESTION, LONERS, NO_ORDERS, ORDERS, Command

ALREADY_RECORDED: Final = say("That order already stands.")
ALREADY_AHEAD: Final = say("Those orders already stand.")
KEPT_OUT: Final = say(
    "The operator of this service keeps you out for now, so nothing of it was done. You were told by mail why, and "
    "whom to ask."
)
EITHER: Final = say("Write either the orders you give ahead or that you give none, not both.")
ONLY_ONE: Final = say(
    "These words must be alone in a mail: join, leave, resign, undo, agree, refuse, pause, resume, extend, yes, no."
)
BEGUN: Final = say("The game has begun: write “{resign}” to leave it for good.", resign=typed("resign"))
NOT_BEGUN: Final = say("The game has not begun: write “{leave}” to give up your seat.", leave=typed("leave"))


def reply_to_kept_out(context: ReplyContext) -> Reply:
    """Somebody the operator keeps out hears that, and nothing of the game."""
    return Reply("held", Outcome(outcomes.KEPT_OUT, why=str(context.words(KEPT_OUT))))


def execute(context: ReplyContext, request: Request) -> Reply:
    """Do it all, or nothing."""
    if is_kept_out(context):
        return reply_to_kept_out(context)
    if why := unfit(context, request.commands):
        return reply_to_refused(context, request, why)
    first = request.commands[0]
    if first.verb in ALONE:
        return ALONE[first.verb].respond(context, request, first)
    if _is_idle(request) and reply_limits.had_enough_letters(context.tx, context.row, context.now):
        return Reply("ignored", reason="too many mails today")
    repeats = bool(request.orders) and last_orders(context) == request.orders
    if repeats and request.files:
        ignored = [*request.report.ignored, str(context.words(ALREADY_PLAYED))]
        return _carry_out(context, replace(request, report=changed(request.report, ignored=ignored), orders=[]))
    if request.orders and is_late(context, context.row.received_at):
        return reply_to_late(context, request)
    if repeats:
        return _reply_to_repeated(context, request)
    return reply_to_doubled(context, request) or _carry_out(context, request)


def unfit(context: ReplyContext, commands: list[Command]) -> Any:
    """Why these commands cannot be done here, whoever sent them; None where they may be."""
    verbs = {command.verb for command in commands}
    if verbs & LONERS and len(commands) > 1:
        return ONLY_ONE
    is_open = context.head.table.status == "open"
    if verbs & ANSWERS_OF_A_QUESTION and not is_asked_to_begin(context):
        return NOTHING_ASKED
    if NO_ORDERS in (texts := {command.text for command in commands if command.files}) and len(texts) > 1:
        return EITHER
    if "leave" in verbs and not is_open:
        return BEGUN
    return NOT_BEGUN if "resign" in verbs and is_open else None


def _is_idle(request: Request) -> bool:
    """Whether it neither moves the game nor announces leave."""
    return not any(command.plays or command.files or command.leaves for command in request.commands)


def _reply_to_repeated(context: ReplyContext, request: Request) -> Reply:
    """The orders stand as they were sent before; told once an hour."""
    now, moved_at = context.now, context.head.last_at
    if reply_limits.same_answer(context.tx, context.row, request.digest, now, moved_at):
        return Reply("duplicate", reason="recorded already")
    return Reply("duplicate", explain(context, request.report, ALREADY_RECORDED, outcomes.ALREADY))


def _carry_out(context: ReplyContext, request: Request) -> Reply:
    """Say what is to be said, play the orders, announce leave; then show what was asked for."""
    try:
        with attempt(context) as trial:
            effects = [handler.act(trial, request) for handler in ACTS]
    except (RuleViolation, OrderNotUnderstood) as error:
        return reply_to_refused(context, request, error.message, tried=True, rule=error.rule)
    except NotSaid as error:
        return reply_to_refused(context, request, error.message)
    except (NotSeated, NoSuchGame):
        return reply_to_refused(context, request, NOT_SEATED)
    moved = next((effect.moved for effect in effects if effect.moved is not None), None)
    shown = [text for effect in effects for text in effect.shows]
    outcome = _outcome(trial, request, shown, _notes(trial, request, moved), before=context.head.version)
    outcome = changed(outcome, ended=_is_ended(trial, request, moved))
    if moved is not None and not moved.stored and all(command.reads or command.files for command in request.commands):
        again = changed(outcome, result=outcomes.ALREADY, why=str(context.words(ALREADY_AHEAD)), commands=[], ahead="")
        return Reply("duplicate", again, head=trial.head)
    return Reply("applied" if outcome.commands else "answered", outcome, head=trial.head)


def _is_ended(trial: ReplyContext, request: Request, moved: Moved | None) -> bool:
    """Return whether `end` was added to the orders of a mail (IN-10c)."""
    if moved is None or not request.orders or END in request.orders:
        return False
    return any(fact.text == END and fact.actor == {"seat": trial.token.seat} for fact in moved.record.facts)


def _notes(trial: ReplyContext, request: Request, moved: Moved | None) -> list[str]:
    """What was left aside; where the game moved, that addresses leaked, or that the order may be replaced."""
    notes = list(request.report.ignored)
    if moved is not None and leaked(trial):
        notes.append(str(trial.words(COPIED)))
    if moved is not None and request.orders and replaceable(trial):
        notes.append(str(trial.words(REPLACEABLE)))
    return notes


def _outcome(trial: ReplyContext, request: Request, shown: list[str], notes: list[str], *, before: int) -> Outcome:
    """What was done, and all that was asked to be shown, with what is ordered ahead if that is new."""
    done = [command.text for command in request.commands if not command.reads and (request.orders or not command.plays)]
    reads = [command for command in request.commands if command.reads]
    if request.files and all(command.verb != ORDERS for command in reads):
        reads.append(Command(ORDERS, ORDERS))
    blocks = (SHOWS[command.verb].show(trial, command).rstrip() for command in reads)
    return changed(
        request.report,
        result=outcomes.APPLIED if done else outcomes.ANSWERED,
        commands=done,
        answers=trial.token.decision if request.orders else "",
        shows=[*shown, *filter(None, blocks)],
        before=before,
        calendar=any(command.verb == "calendar" for command in reads),
        ahead="" if not request.files else "withdrawn" if NO_ORDERS in done else "filed",
        lines=[],
        ignored=notes,
    )
