"""Going back and the clock by mail: wishes, proposals and votes, each alone in its mail."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import Final, cast

from domain.engine.game import Seat
from domain.engine.refusals import RuleViolation
from domain.engine.sentences import Sentence, row, say, typed
from domain.table.consent import ClockTerms
from domain.table.proposals import missing
from domain.table.state import Reason
from service.games import clock_votes, history_queries, play, takeback
from service.games.play import NotSeated
from service.store import notice_queries
from service.store.notice_queries import About
from service.store.streams import NoSuchGame
from workers.commands import outcomes
from workers.commands.answer import changed, saying, tell
from workers.commands.command import Command
from workers.commands.consent_words import ASK, BY_CONSENT, LASTING, REASONS, UNDO, VOTES
from workers.commands.context import ReplyContext, attempt, replaceable
from workers.commands.join import NOT_SEATED
from workers.commands.leaked_addresses import COPIED, leaked
from workers.commands.outcomes import Outcome
from workers.letters.table_letters import WAS_UNDONE, WOULD_BE_UNDONE

MEANT: Final = {"yes": "agree", "no": "refuse"}
OFF_THE_TABLE: Final = say("What that mail asked is off the table.")
ANOTHER: Final = say("Something else is proposed by now: answer the mail about that.")
BACK_ALREADY: Final = say(
    "You have taken something back since that mail was written: to take back more, answer one of our newer mails."
)
ASKS_THEM: Final = say(
    "Nobody was asked yet: to ask, answer with “{ask}”.", ask=say("{undo} {ask}", undo=typed(UNDO), ask=ASK)
)
REPLACEABLE: Final = say("Until the bids are opened you can replace it: answer with another one.")


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it: a sentence, and blocks of text to be shown."""

    why: str = ""
    shows: list[str] = field(default_factory=list)


def by_consent(commands: Sequence[Command]) -> bool:
    """Whether this is a mail about going back, or about the clock."""
    return len(commands) == 1 and commands[0].verb in BY_CONSENT


def meant(context: ReplyContext, commands: list[Command]) -> list[Command]:
    """The commands, with yes and no in answer to a proposal as what they mean there."""
    if len(commands) != 1 or commands[0].verb not in MEANT or _proposal_answered(context) is None:
        return commands
    verb = MEANT[commands[0].verb]
    return [Command(verb, verb)]


def consent(context: ReplyContext, digest: bytes, report: Outcome, command: Command) -> None:
    """Go back, propose it or something about the clock, agree or refuse; and tell what came of it."""
    if why := _too_late(context, command):
        return tell(context, "stale", saying(context, report, why, outcomes.STALE), written=digest)
    before = context.head.version
    try:
        with attempt(context) as trial:
            done = _DO[command.verb](trial, command)
    except RuleViolation as error:
        if error.code == "needs-consent":
            return _who_would_be_asked(context, digest, report, command, error)
        said = [error.message, *([REPLACEABLE] if command.verb == UNDO and replaceable(context) else [])]
        return tell(context, "rejected", saying(context, report, row(said, " ")), written=digest)
    except (NotSeated, NoSuchGame):
        return tell(context, "rejected", saying(context, report, NOT_SEATED), written=digest)
    notes = [*report.ignored, *([str(context.words(COPIED))] if leaked(trial) else [])]
    outcome = changed(
        report, result=outcomes.APPLIED, commands=[command.text], why=str(context.words(done.why)), shows=done.shows,
        before=before, lines=[], ignored=notes,
    )  # fmt: skip
    return tell(trial, "applied", outcome, written=digest)


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
    written = notice_queries.version_shown(context.tx, context.grant.outbox)
    last = context.services.streams.rewinds(context.tx, context.head.game, context.head.version)[-1:]
    return any(back > written and _went_back(context, back) == context.grant.seat for back, _ in last)


def _went_back(context: ReplyContext, version: int) -> Seat:
    head = context.head
    facts = context.services.streams.facts_seen(
        context.tx, head.game, head.rules, None, after=version - 1, upto=version
    )
    return cast(Seat, getattr(next(facts), "seat", -1))


def _proposal_answered(context: ReplyContext) -> int | None:
    """The proposal of the letter that is answered, by its event; None for other letters."""
    kind, decision = notice_queries.kind_and_decision(context.tx, context.grant.outbox) or ("", "")
    return About.read(decision).number if kind == "proposal" else None


def _undo(context: ReplyContext, command: Command) -> Done:
    words = command.text.split()
    versions = takeback.look_back(
        context.services, context.tx, context.head, _seat(context), None, _reason(words)
    ).undone
    back = takeback.go_back(
        context.services, context.tx, context.head, context.grant.player or "", reason=_reason(words), ask=ASK in words
    )
    return Done(_waits_for(context), _tales(context, versions, WAS_UNDONE if back.done else WOULD_BE_UNDONE))


def _who_would_be_asked(
    context: ReplyContext, digest: bytes, report: Outcome, command: Command, error: RuleViolation
) -> None:
    """It is not free: who would have to agree, what would be undone, and the words that ask them."""
    meant = takeback.look_back(
        context.services, context.tx, context.head, _seat(context), None, _reason(command.text.split())
    )
    instead = [REPLACEABLE] if replaceable(context) else []
    why = row([error.message, *instead, ASKS_THEM], " ")
    shows = _tales(context, meant.undone, WOULD_BE_UNDONE)
    outcome = changed(report, result=outcomes.ANSWERED, why=str(context.words(why)), shows=shows, lines=[])
    return tell(context, "answered", outcome, written=digest)


def _vote(context: ReplyContext, command: Command) -> Done:
    proposal, agrees = context.head.table.proposal, command.verb == "agree"
    vote = clock_votes.vote if proposal is not None and proposal.what != "rewind" else takeback.vote
    vote(context.services, context.tx, context.head, context.grant.player or "", agrees)
    return Done(_waits_for(context))


def _clock(context: ReplyContext, command: Command) -> Done:
    verb = command.verb
    seconds = clock_votes.seconds_of(command.text.split()[1]) if verb in LASTING else 0
    clock_votes.propose(
        context.services, context.tx, context.head, context.grant.player or "", cast(ClockTerms, verb), seconds
    )
    return Done(_waits_for(context))


def _waits_for(context: ReplyContext) -> str:
    """Who is still to answer what is proposed now; "" where it waits for nobody."""
    head = context.head
    if head.table.proposal is None:
        return ""
    names = play.shown_names(context.tx, head)
    players = row([names[seat] for seat in missing(head.table, head.table.proposal)], say(" and "))
    return say("It waits for {players}; a mail tells you what comes of it.", players=players)


def _tales(context: ReplyContext, versions: Sequence[int], heading: Sentence) -> list[str]:
    """What these events told the player, as a list below its heading."""
    names = play.shown_names(context.tx, context.head)
    told = history_queries.told(context.services, context.tx, context.head, context.grant.seat, versions, names)
    lines = [fill(context.words(one), 76, initial_indent="  - ", subsequent_indent="    ") for one in told]
    return ["\n".join([context.words(heading), *lines])] if lines else []


def _seat(context: ReplyContext) -> Seat:
    return play.seated_at(context.head, context.grant.player or "")


def _reason(words: Sequence[str]) -> Reason:
    return cast(Reason, next((word for word in words if word in REASONS), "slip"))


_DO: Final[dict[str, Callable[[ReplyContext, Command], Done]]] = {
    UNDO: _undo,
    **dict.fromkeys(VOTES, _vote),
    **dict.fromkeys((*LASTING, "resume"), _clock),
}
