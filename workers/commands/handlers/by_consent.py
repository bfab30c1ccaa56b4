"""Going back and the clock by mail: wishes, proposals and votes, each alone in its mail."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import fill
from typing import Final, cast

from domain.engine.game import Seat
from domain.engine.refusals import RuleViolation
from domain.engine.sentences import Sentence, row, say, typed
from domain.table.consent import ClockTerms
from domain.table.proposals import missing
from domain.table.state import Reason
from service.games import clock_votes, play, takeback
from service.games.event_text import WAS_UNDONE, WOULD_BE_UNDONE
from service.games.play import NotSeated
from service.store.event_store.streams import NoSuchGame
from service.store.outgoing import notice_queries
from service.store.outgoing.notice_queries import About
from workers.commands import outcomes
from workers.commands.context import ReplyContext, attempt, replaceable
from workers.commands.leaked_addresses import COPIED, leaked
from workers.commands.outcomes import changed
from workers.commands.reply import NOT_SEATED, REPLACEABLE, Reply, Request, explain, reject
from workers.commands.words.command import Command
from workers.commands.words.consent_words import ASK, LASTING, REASONS, UNDO, VOTES

VOTE_OF: Final = {"yes": "agree", "no": "refuse"}
OFF_THE_TABLE: Final = say("What that mail asked is off the table.")
ANOTHER: Final = say("Something else has been proposed since: answer the mail about that.")
BACK_ALREADY: Final = say(
    "You have undone something since that mail was written: to undo more, answer one of our newer mails."
)
ASKS_THEM: Final = say(
    "Nobody has been asked yet: to ask, answer “{ask}”.", ask=say("{undo} {ask}", undo=typed(UNDO), ask=ASK)
)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it: a sentence, and blocks of text to be shown."""

    why: str = ""
    shows: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ByConsent:
    """A wish, a proposal or a vote. `do` does it on a head of its own; the rest is the same for all of them."""

    verbs: Sequence[str]
    meanings: Mapping[str, Sentence]
    do: Callable[[ReplyContext, Command], Done]

    def respond(self, context: ReplyContext, request: Request, command: Command) -> Reply:
        """Do it, propose it, agree or refuse; and tell what came of it."""
        if why := _too_late(context, command):
            return Reply("stale", explain(context, request.report, why, outcomes.STALE))
        try:
            with attempt(context) as trial:
                done = self.do(trial, command)
        except RuleViolation as error:
            if error.code == "needs-consent":
                return _who_would_be_asked(context, request, command, error)
            instead = [REPLACEABLE] if command.verb == UNDO and replaceable(context) else []
            return reject(context, request.report, row([error.message, *instead], " "))
        except (NotSeated, NoSuchGame):
            return reject(context, request.report, NOT_SEATED)
        copied = [str(context.words(COPIED))] if leaked(trial) else []
        outcome = changed(
            request.report, result=outcomes.APPLIED, commands=[command.text], why=str(context.words(done.why)),
            shows=done.shows, before=context.head.version, lines=[], ignored=[*request.report.ignored, *copied],
        )  # fmt: skip
        return Reply("applied", outcome, head=trial.head)


def as_votes(context: ReplyContext, commands: list[Command]) -> list[Command]:
    """The commands, with yes and no in answer to a proposal as the votes they are there."""
    if len(commands) != 1 or commands[0].verb not in VOTE_OF or _proposal_answered(context) is None:
        return commands
    verb = VOTE_OF[commands[0].verb]
    return [Command(verb, verb)]


def _too_late(context: ReplyContext, command: Command) -> Sentence | None:
    """Why a mail is about what is so no more, by the letter it answers."""
    if command.verb == UNDO:
        return BACK_ALREADY if _went_back_since(context) else None
    asked, proposal = _proposal_answered(context), context.head.table.proposal
    if command.verb not in VOTES or asked is None or (proposal is not None and proposal.version == asked):
        return None
    return OFF_THE_TABLE if proposal is None else ANOTHER


def _went_back_since(context: ReplyContext) -> bool:
    """Whether this seat has gone back since the letter that is answered: a wish that was sent twice is done once."""
    shown = notice_queries.version_shown(context.tx, context.token.outbox)
    last = context.services.streams.rewinds(context.tx, context.head.game, context.head.version)[-1:]
    return any(back > shown and _who_went_back(context, back) == context.token.seat for back, _ in last)


def _who_went_back(context: ReplyContext, version: int) -> Seat:
    head, streams = context.head, context.services.streams
    facts = streams.facts_seen(context.tx, head.game, head.rules, None, after=version - 1, upto=version)
    return cast(Seat, getattr(next(facts), "seat", -1))


def _proposal_answered(context: ReplyContext) -> int | None:
    """The proposal of the letter that is answered, by its event; None for other letters."""
    kind, decision = notice_queries.kind_and_decision(context.tx, context.token.outbox) or ("", "")
    return About.read(decision).number if kind == "proposal" else None


def _undo(trial: ReplyContext, command: Command) -> Done:
    words, before = command.text.split(), replace(trial, head=replace(trial.head))
    meant = takeback.look_back(trial.services, trial.tx, trial.head, _seat(trial), None, _reason(words))
    back = takeback.go_back(
        trial.services, trial.tx, trial.head, trial.token.player or "", reason=_reason(words), ask=ASK in words
    )
    heading = WAS_UNDONE if back.done else WOULD_BE_UNDONE
    return Done(_waits_for(trial), _list_events(before, meant.undone, heading))


def _who_would_be_asked(context: ReplyContext, request: Request, command: Command, error: RuleViolation) -> Reply:
    """It is not free: who would have to agree, what would be undone, and the words that ask them."""
    reason = _reason(command.text.split())
    meant = takeback.look_back(context.services, context.tx, context.head, _seat(context), None, reason)
    instead = [REPLACEABLE] if replaceable(context) else []
    why = row([error.message, *instead, ASKS_THEM], " ")
    shows = _list_events(context, meant.undone, WOULD_BE_UNDONE)
    outcome = changed(request.report, result=outcomes.ANSWERED, why=str(context.words(why)), shows=shows, lines=[])
    return Reply("answered", outcome)


def _vote(trial: ReplyContext, command: Command) -> Done:
    proposal, agrees = trial.head.table.proposal, command.verb == "agree"
    vote = clock_votes.vote if proposal is not None and proposal.what != "rewind" else takeback.vote
    vote(trial.services, trial.tx, trial.head, trial.token.player or "", agrees)
    return Done(_waits_for(trial))


def _propose_clock(trial: ReplyContext, command: Command) -> Done:
    verb = command.verb
    seconds = clock_votes.seconds_of(command.text.split()[1]) if verb in LASTING else 0
    clock_votes.propose(trial.services, trial.tx, trial.head, trial.token.player or "", cast(ClockTerms, verb), seconds)
    return Done(_waits_for(trial))


def _waits_for(trial: ReplyContext) -> str:
    """Who is still to answer what is proposed now; "" where it waits for nobody."""
    head = trial.head
    if head.table.proposal is None:
        return ""
    names = trial.view.names
    players = row([names[seat] for seat in missing(head.table, head.table.proposal)], say(" and "))
    return say("It waits for {players}; a mail tells you what comes of it.", players=players)


def _list_events(context: ReplyContext, versions: Sequence[int], heading: Sentence) -> list[str]:
    """What these events told the player, as a list below its heading."""
    sentences = context.view.describe(versions)
    lines = [fill(sentence, 76, initial_indent="  - ", subsequent_indent="    ") for sentence in sentences]
    return ["\n".join([context.words(heading), *lines])] if lines else []


def _seat(context: ReplyContext) -> Seat:
    return play.seated_at(context.head, context.token.player or "")


def _reason(words: Sequence[str]) -> Reason:
    return cast(Reason, next((word for word in words if word in REASONS), "slip"))


UNDO_HANDLER: Final = ByConsent(
    (UNDO,),
    {
        "undo": say("undoes what you did last"),
        "undo ask": say("asks those who must agree to undo it"),
    },
    _undo,
)
VOTES_HANDLER: Final = ByConsent(
    ("agree", "refuse"),
    {
        "agree": say("agrees to what is proposed"),
        "refuse": say("refuses it; or takes back what you proposed yourself"),
    },
    _vote,
)
CLOCK_HANDLER: Final = ByConsent(
    ("pause", "resume", "extend"),
    {
        "pause": say("proposes to stop the clock: pause 7 days"),
        "resume": say("proposes to restart the clock"),
        "extend": say("proposes more time: extend 2 days"),
    },
    _propose_clock,
)
