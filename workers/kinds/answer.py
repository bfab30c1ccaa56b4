"""The answer to a player's mail: what was understood, what came of it, and what is asked now."""

from collections.abc import Sequence
from typing import Final

from domain.engine.game import Event
from domain.engine.sentences import Sentence, say, typed
from domain.table.play import END
from service.container import Services
from service.games.rule_links import rule_link
from service.store.clocks.decisions import of_seat
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.commands import outcomes
from workers.commands.outcomes import Outcome
from workers.commands.reply import REPLACEABLE
from workers.commands.words.block_text import unfolded
from workers.commands.words.command import Command
from workers.kinds.kind import GameKind
from workers.letters.content import GameContent, Reply
from workers.letters.joining import how_to_sit_down
from workers.letters.letter_data import Asked
from workers.letters.letter_view import LetterView
from workers.letters.reader import who_wrote
from workers.letters.seat_summary import SeatSummary, summarize_seat
from workers.letters.sections import Blocks, Commands, OutcomeLines, Paragraph, Remarks, Section, paragraphs
from workers.letters.turn_sections import answers, board, clock, dropped_section, orders_in_short, story_section
from workers.letters.undo_hint import undo_hint

LONGEST_DONE: Final = 60
"""Characters of orders that fit into the first line."""


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """What came of a mail stays so; the decision it left the player with, if that is open still."""
    _, outcome = outcomes.of_answer(services, connection, notice.decision)
    owed = of_seat(connection, notice.game_id, notice.seat) if outcome.decision else None
    if owed is None or owed.since != outcome.since:
        return None
    bank_from = owed.bank_from if owed.due_at == outcome.due else None
    return Asked(outcome.decision, outcome.since, outcome.due or None, bank_from=bank_from)


def tell(view: LetterView) -> GameContent:
    mail, outcome = outcomes.of_answer(view.services, view.connection, view.notice.decision)
    if outcome.result == outcomes.KEPT_OUT:
        why = _why(outcome)
        headline = view.words(_result(view, outcome))
        return GameContent(view, headline, why, why, reply=None, in_answer_to=mail.message_id)
    events = view.events_after(_last_known(view, outcome))
    joined, unused = outcome.result == outcomes.JOINED, outcome.result in (outcomes.REJECTED, outcomes.ASKED)
    summary = summarize_seat(view, events) if joined else SeatSummary()
    if joined and not summary.sentences:  # at a table that had not begun: what was before it is nothing to them
        events = view.events_after(outcome.before)
    return GameContent(
        view,
        _headline(view, outcome),
        [
            *_outcome(view, outcome),
            *paragraphs(summary.sentences),
            *dropped_section(view, events),
            *answers(view, ahead=not outcome.ahead, always=bool(summary.sentences)),
            *clock(view),
            *story_section(view, events[summary.former :], summary.heading),
            *board(view, again=not unused),
        ],
        _without_secrets(view, outcome, events),
        reply=Reply(decision=outcome.answers),
        in_answer_to=mail.message_id,
        lead=_lead(view, outcome),
        calendar=outcome.calendar,
    )


def _last_known(view: LetterView, outcome: Outcome) -> int:
    """The last event before the mail did anything; to somebody who took a seat over, the last that was played there."""
    if outcome.result == outcomes.JOINED:  # nobody has sat there before, or somebody has
        return view.acted_at(outcome.before) or outcome.before
    return outcome.before if outcome.result == outcomes.APPLIED else view.head.version


def _lead(view: LetterView, outcome: Outcome) -> Sentence | str:
    """Return how to take back what was done, or to replace it (OUT-33)."""
    if outcome.result != outcomes.APPLIED:
        return ""
    return REPLACEABLE if view.words(REPLACEABLE) in outcome.ignored else undo_hint(view, outcome.commands)


def _headline(view: LetterView, outcome: Outcome) -> Sentence:
    result, due = _result(view, outcome), view.due
    if due and _is_unfinished(view, outcome):
        if END in _legal(view):
            return say("Not finished: answer “{end}”, or go on with your turn, by {due}.", end=typed(END), due=due)
        return say("Not finished: your turn goes on. Answer by {due}.", due=due)
    if due and outcome.result == outcomes.APPLIED and outcome.since > outcome.before:
        return say("{result} It is your turn again: answer by {due}.", result=result, due=due)
    if due:
        return say("{result} Your answer is due by {due}.", result=result, due=due)
    return say("{result}", result=result)


def _is_unfinished(view: LetterView, outcome: Outcome) -> bool:
    """Return whether the orders of a mail leave something to answer of the same decision (IN-10c)."""
    return outcome.result == outcomes.APPLIED and bool(outcome.answers) and outcome.decision == outcome.answers


def _legal(view: LetterView) -> list[str]:
    rules, table, seat = view.head.rules, view.table, view.seat
    if seat is None or table.game is None:
        return []
    return [rules.notation.write(action) for action in rules.decider.legal_actions(table.game, seat).actions]


def _result(view: LetterView, outcome: Outcome) -> Sentence:
    """What was done, in the words of the reader, where that is short and no secret (OUT-36)."""
    played = [order for order in _ordered_now(outcome) if Command.of(order).plays]
    orders = view.words(say("; ")).join(map(view.shown, played))
    if outcome.result != outcomes.APPLIED or view.reader.secret_free or not 0 < len(orders) <= LONGEST_DONE:
        return outcomes.HEADLINES[outcome.result]
    return say("Done: {orders}.", orders=orders)


def _outcome(view: LetterView, outcome: Outcome) -> list[Section]:
    found: list[Section] = [*_why(outcome)]
    if outcome.lines:
        found.append(OutcomeLines(outcome.lines))
    if rule_link(outcome.rule):
        address = f"{view.services.settings.base_url}{rule_link(outcome.rule)}"
        found.append(Paragraph([say("The rule:")], link=(outcome.rule, address)))
    ordered = [] if outcome.result != outcomes.APPLIED else _ordered_now(outcome)
    if ordered:
        found.append(Commands(say("Your orders, as we understood them:"), [view.both(line) for line in ordered]))
    if outcome.block:
        found.append(Commands(say("To send it again, copy this:"), outcome.block, bar=False))
    if outcome.other_block:
        found.append(Commands(say("Or this, if you mean the other:"), outcome.other_block, bar=False))
    found += _sit_down(view, outcome)
    if remarks := [line for line in outcome.ignored if line != view.words(REPLACEABLE)]:
        found.append(Remarks(remarks))
    if outcome.shows:
        found.append(Blocks(outcome.shows))
    return found


def _without_secrets(view: LetterView, outcome: Outcome, events: Sequence[Event]) -> list[Section]:
    return [
        *_why(outcome),
        OutcomeLines(outcome.lines, quoted=False),
        Remarks(outcome.ignored),
        *_sit_down(view, outcome),
        *orders_in_short(view, events, withdrawn=outcome.ahead == "withdrawn"),
    ]


def _why(outcome: Outcome) -> list[Section]:
    return [Remarks([outcome.why])] if outcome.why else []


def _sit_down(view: LetterView, outcome: Outcome) -> list[Section]:
    """How a guest whose mail was of no use can sit down still."""
    rejected = outcome.result == outcomes.REJECTED and view.table.status == "open"
    return how_to_sit_down(view) if rejected and view.reader.player is None else []


def _ordered_now(outcome: Outcome) -> list[str]:
    """What a mail orders, without what it orders ahead, for that is shown as it stands."""
    commands = map(Command.of, outcome.commands)
    now = [command.text for command in commands if not command.files]
    return unfolded([*now, END] if outcome.ended else now)


KIND = GameKind("answer", say("your mail"), still_true, tell, reader=who_wrote)
