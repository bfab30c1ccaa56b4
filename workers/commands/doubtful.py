"""Mails whose writer may not mean what they order: nothing is done before a plain yes (IN-10a, IN-10d)."""

from collections.abc import Sequence
from typing import Final

from domain.engine.sentences import say, typed
from service.mail import inbox
from service.store.outgoing import notice_queries
from service.store.outgoing.notice_queries import About
from workers.commands import outcomes
from workers.commands.context import ReplyContext
from workers.commands.handlers.questions import is_asked_to_begin
from workers.commands.mending import give_time
from workers.commands.outcomes import Outcome, changed
from workers.commands.read_orders import Written
from workers.commands.reply import Reply, Request, explain
from workers.commands.words.block_text import ready
from workers.commands.words.command import Command
from workers.parsing.consent import read_answer

MEANT: Final = say(
    "Your mail reads as if you were not sure. Answer “{yes}” to have it done as it stands, or send other orders.",
    yes=typed("yes"),
)
SHALL_I: Final = say("Shall I seat you at this table? Answer “{yes}”.", yes=typed("yes"))
JOIN: Final = "join"
DROPPED: Final = say("It was not done. Send your orders when you are ready.")


def as_consent(context: ReplyContext, written: Written, commands: list[Command]) -> list[Command]:
    """Return the commands; `join` if the mail answers an invitation with a yes, plain or doubtful.

    A plain answer to a host's question whether to begin is `yes` or `no`.
    """
    if _verbs(commands) not in ([], ["yes"]) or not (is_invited(context) or is_asked_to_begin(context)):
        return commands
    answer = read_answer(written.text, written.grammar.people)
    if not is_invited(context):
        return [Command(answer, answer)] if answer in ("yes", "no") else commands
    return [Command(JOIN, JOIN)] if answer in ("yes", "doubtful") else commands


def reply_to_hesitant_guest(context: ReplyContext, request: Request, written: Written) -> Reply | None:
    """Ask a guest whose yes is doubtful whether to seat them. Returns None if the mail is another."""
    if not is_invited(context) or _verbs(request.commands) != [JOIN] or _verbs(written.commands) == [JOIN]:
        return None
    if read_answer(written.text, written.grammar.people) != "doubtful":
        return None
    asked = changed(explain(context, request.report, SHALL_I, outcomes.ASKED), commands=[JOIN])
    return Reply("rejected", asked)


def is_invited(context: ReplyContext) -> bool:
    """Return whether the mail answers an invitation, and its writer does not sit at the table."""
    kind, _ = notice_queries.kind_and_decision(context.tx, context.token.outbox) or ("", "")
    return kind == "invitation" and context.token.player is None and context.token.seat is None


def reply_to_doubtful(context: ReplyContext, request: Request, written: Written) -> Reply:
    """Ask whether the orders are meant, with the orders to copy, and give time to answer (IN-35)."""
    language, kind = context.person.language, context.head.rules.kind
    give_time(context)
    outcome = changed(
        explain(context, request.report, MEANT, outcomes.ASKED),
        lines=request.report.lines,
        commands=[command.text for command in request.commands],
        block=[ready(line, language, kind) for line in written.block.commands],
    )
    return Reply("rejected", outcome)


def as_meant(context: ReplyContext, commands: list[Command]) -> list[Command]:
    """Return the commands, or those of the doubtful mail if this is the yes to it."""
    asked = _question(context) if _verbs(commands) == ["yes"] else None
    return commands if asked is None else [Command.of(text) for text in asked.commands]


def reply_to_no(context: ReplyContext, commands: Sequence[Command]) -> Reply | None:
    """Confirm that nothing is done after a no to our question. Returns None if the mail is another."""
    if _verbs(commands) != ["no"] or _question(context) is None:
        return None
    return Reply("answered", Outcome(outcomes.ANSWERED, why=str(context.words(DROPPED))))


def _verbs(commands: Sequence[Command]) -> list[str]:
    return [command.verb for command in commands]


def _question(context: ReplyContext) -> Outcome | None:
    """Return the outcome of the doubtful mail that the answered letter asks about. Returns None if it asks nothing."""
    kind, decision = notice_queries.kind_and_decision(context.tx, context.token.outbox) or ("", "")
    mail = inbox.by_id(context.tx, About.read(decision).number) if kind == "answer" else None
    outcome = outcomes.read(context.services, mail) if mail is not None else None
    return outcome if outcome is not None and outcome.result == outcomes.ASKED else None
