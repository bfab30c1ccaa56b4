"""Doing what a mail orders: all of it or nothing (IN-16)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from domain.decider import OrderNotUnderstood, RuleViolation
from domain.sentences import say
from service import games, talk
from service.games import NotSeated, Orders
from service.store.streams import NoSuchGame
from workers import caps, outcomes
from workers.grammar import ANSWERS_OF_A_QUESTION, LONERS, Command, Grammar, ready
from workers.intake.block import Block
from workers.outcomes import Line, Outcome
from workers.replies import shows
from workers.replies.answering import changed, give_time, saying, settle, tell
from workers.replies.case import Case, is_late, owes, played_for, standing_orders
from workers.replies.joining import NOT_SEATED, join
from workers.replies.leaks import leaked
from workers.replies.shows import STATUS
from workers.times import utc_words
from workers.trials import first_refused, nearest

NO_ORDER: Final = say("There is no order in this mail: write one at the top, above everything else.")
ALREADY_PLAYED: Final = say("That very order was played when it came the first time.")
ALREADY_RECORDED: Final = say("That very order stands already.")
ALONE: Final = say("join, leave, undo, yes and no must be alone in a mail.")
NOTHING_ASKED: Final = say("Nothing was asked here that yes or no would answer: write an order of the game.")
BEGUN: Final = say("The game has begun: a seat cannot be left now.")
VACANT: Final = say("The caretaker plays your seat: take it back first.")
NO_UNDO: Final = say("What is on the table stays there: only a sealed bid can be replaced, until the bids are opened.")
REPLACEABLE: Final = say("Until the bids are opened you can replace it: answer with another one.")
COPIED: Final = say(
    "A copy of your mail went to somebody else, so every address we had given you for answers is dead: "
    "use those in our newest mails."
)


def closed(case: Case, digest: bytes, report: Outcome, orders: list[str]) -> None:
    """The decision is closed: tell so, show the present one, and whether the order would do now (IN-18)."""
    if standing_orders(case) == orders:
        return tell(case, "duplicate", saying(case, report, ALREADY_PLAYED, outcomes.ALREADY), written=digest)
    why = say(
        "What you sent, {orders}, was not played: the game has gone on since that mail was written.",
        orders="; ".join(orders),
    )
    expired = played_for(case)
    if expired is not None:
        came = say(
            "It reached us at {at} (UTC, by our clock: that is the one that counts); the deadline had passed, and the "
            "caretaker had played for you at {then}.",
            at=utc_words(case.row["received_at"]), then=utc_words(expired),
        )  # fmt: skip
        why = say("{first} {second}", first=why, second=came)
    if case.head.table.status != "running":
        why = say("{first} {second}", first=why, second=STATUS[case.head.table.status])
    elif case.grant.seat is not None and case.head.table.chairs[case.grant.seat].vacant:
        why = say("{first} {second}", first=why, second=VACANT)
    present = owes(case)
    if present is not None and case.grant.seat is not None:
        names = games.names_at(case.tx, case.head)
        refusal = first_refused(case.head, case.grant.seat, orders, names)
        again = (
            say("It would be legal now: send it again, in answer to this mail, to play it.")
            if refusal is None
            else say("It would not be legal now.")
        )
        why = say("{first} {second}", first=why, second=again)
    result, state = (outcomes.STALE, "stale") if expired is None else (outcomes.LATE, "late")
    return tell(case, state, saying(case, report, why, result), written=digest)


def rejected(case: Case, digest: bytes, report: Outcome, block: Block) -> None:
    """Nothing could be used: say why line by line, and give time to mend it (IN-35, OUT-35)."""
    whole = [refused.message for refused in block.refused if not refused.line.number]
    why = case.words(whole[0]) if whole else "" if block.refused else case.words(NO_ORDER)
    give_time(case)
    language, kind = case.person.language, case.head.rules.kind
    full = changed(
        report,
        why=" ".join([why, *_still_in_force(case)]).strip(),
        block=[ready(it, language, kind) for it in block.commands],
    )
    return tell(case, "rejected", full, written=digest)


def _still_in_force(case: Case) -> list[str]:
    standing = standing_orders(case)
    return (
        [case.words(say("Your earlier order is still in force: {orders}.", orders="; ".join(standing)))]
        if standing
        else []
    )


def execute(case: Case, digest: bytes, report: Outcome, grammar: Grammar, commands: Sequence[Command]) -> None:
    """Do it all, or nothing."""
    if why := unfit(case, commands):
        return refused(case, digest, report, commands, why)
    if commands[0].verb == "join":
        return join(case, digest, report, commands[0])
    orders = [command.text for command in commands if command.plays]
    if not orders and caps.told_enough(case.tx, case.row, case.now):
        return settle(case, "ignored", "too many mails today", written=digest)
    if orders and is_late(case, case.row["received_at"]):
        return tell(case, "late", saying(case, report, late_words(case), outcomes.LATE), written=digest)
    if orders and standing_orders(case) == orders:
        if caps.same_answer(case.tx, case.row, digest, case.now, case.head.last_at):
            return settle(case, "duplicate", "recorded already", written=digest)
        return tell(case, "duplicate", saying(case, report, ALREADY_RECORDED, outcomes.ALREADY), written=digest)
    return act(case, digest, report, grammar, commands, orders)


def unfit(case: Case, commands: Sequence[Command]) -> Any:
    """Why these commands cannot be done here, whoever sent them; None where they may be."""
    verbs = {command.verb for command in commands}
    if verbs & LONERS and len(commands) > 1:
        return ALONE
    if verbs & ANSWERS_OF_A_QUESTION:
        return NOTHING_ASKED
    if "undo" in verbs:
        return REPLACEABLE if _replaceable(case) else NO_UNDO
    return BEGUN if "leave" in verbs and case.head.table.status != "open" else None


def _replaceable(case: Case) -> bool:
    """Whether this seat has answered a decision that is still open, and may answer it otherwise (TH-9.9)."""
    head, seat = case.room.streams.head(case.tx, case.grant.game), case.grant.seat
    if seat is None or head.table.status != "running" or head.rules.decision(head.table.game) != case.grant.decision:
        return False
    answered = seat not in head.rules.awaiting(head.table.game)
    return answered and bool(head.rules.legal_actions(head.rules.blind(head.table.game, seat), seat).actions)


def act(
    case: Case, digest: bytes, report: Outcome, grammar: Grammar, commands: Sequence[Command], orders: list[str]
) -> None:
    """Play the orders, say what is to be said, show what was asked for."""
    before, game, player = case.head.version, case.grant.game, case.grant.player or ""
    try:
        with case.tx.begin_nested():
            for command in commands:
                _talk(case, grammar, command)
            if orders:
                games.move(case.room, case.tx, game, player, Orders(text="\n".join(orders)))
            if any(command.verb == "leave" for command in commands):
                games.leave_seat(case.room, case.tx, game, player)
    except (RuleViolation, OrderNotUnderstood) as error:
        return refused(case, digest, report, commands, error.message, error=error)
    except talk.NotSaid as error:
        return refused(case, digest, report, commands, error.message)
    except (NotSeated, NoSuchGame):
        return refused(case, digest, report, commands, NOT_SEATED)
    notes = list(report.ignored)
    if orders:
        notes += [str(case.words(COPIED))] if leaked(case) else []
        notes += [str(case.words(REPLACEABLE))] if _replaceable(case) else []
        case = replace(case, head=case.room.streams.lock(case.tx, game))
    done = [command.text for command in commands if not command.reads]
    reads = [command for command in commands if command.reads]
    outcome = changed(
        report,
        result=outcomes.APPLIED if done else outcomes.ANSWERED,
        commands=done,
        answers=case.grant.decision if orders else "",
        shows=[text for command in reads if (text := shows.show(case, command))],
        before=before,
        calendar=any(command.verb == "calendar" for command in reads),
        lines=[],
        ignored=notes,
    )
    return tell(case, "applied" if done else "answered", outcome, written=digest)


def _talk(case: Case, grammar: Grammar, command: Command) -> None:
    """A line of table talk said, or taken back."""
    game, player = case.grant.game, case.grant.player or ""
    if command.verb == "say":
        seat, text = grammar.addressed(command)
        talk.say(case.room, case.tx, game, player, text, to=seat)
    elif command.verb == "unsay":
        talk.unsay(case.room, case.tx, game, player, None)


def refused(
    case: Case,
    digest: bytes,
    report: Outcome,
    commands: Sequence[Command],
    why: Any,
    *,
    error: RuleViolation | OrderNotUnderstood | None = None,
) -> None:
    """The rules forbid it, or the words cannot stand together: nothing was done."""
    orders = [command.text for command in commands if command.plays]
    bad, near = None, ""
    if error is not None and case.grant.seat is not None:
        names = games.names_at(case.tx, case.head)
        bad = first_refused(case.head, case.grant.seat, orders, names)
        near = nearest(case.head, case.grant.seat, orders[bad] if bad is not None else "", names, orders[: bad or 0])
    numbers = [line.number for line, command in zip(report.lines, commands, strict=False) if command.plays]
    wrong = numbers[bad] if bad is not None and bad < len(numbers) else None
    reason = str(case.words(why))
    hint = str(case.words(say("Legal now, for example: {orders}", orders=near))) if near else ""
    lines = [Line(line.number, line.text, reason, hint) if line.number == wrong else line for line in report.lines]
    block = [text for place, text in enumerate(orders) if bad is not None and place < bad]
    said = " ".join(["" if wrong is not None else reason, *_still_in_force(case)]).strip()
    give_time(case)
    return tell(case, "rejected", changed(report, lines=lines, why=said, block=block), written=digest)


def late_words(case: Case) -> Any:
    """When it came, and by which clock."""
    asked = owes(case)
    return say(
        "It reached us at {at} (UTC, by our clock: that is the one that counts); the deadline was {due}.",
        at=utc_words(case.row["received_at"]), due=utc_words(asked["due_at"] if asked else 0),
    )  # fmt: skip
