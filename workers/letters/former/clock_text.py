"""What a letter says of its reader's clock: until when, from when on the bank is used, and what a miss would cost."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from domain.engine.sentences import Sentence, say, say_n, typed
from service.clocks.policy import policy
from service.clocks.seat_clocks import bank_of, policy_seconds
from service.languages import shown
from service.languages.time_text import ReaderLocale, exact_words
from workers.letters.former.facts import Facts

Row = Mapping[str, Any]
OF_THE_TABLE: Final = frozenset({"clock-news", "proposal"})
"""Letters that say themselves whether the clock stands."""
UNDO_LAPSE: Final = "undo ask lapse"


def told(facts: Facts, row: Row, locale: ReaderLocale) -> list[Sentence]:
    """The clock of whoever reads, as of the notice; nothing where the game is over."""
    if row["kind"] == "game-over":
        return []
    return [*_missed(facts, row, locale), *_asked(facts, row, locale)]


def bank_ahead(facts: Facts, row: Row) -> int | None:
    """When the time of the move ends and the bank begins to be used, where that is still to come."""
    asked = facts.asked
    if asked is None or asked.due is None or asked.bank_from is None:
        return None
    return asked.bank_from if row["created_at"] < asked.bank_from < asked.due else None


def _asked(facts: Facts, row: Row, locale: ReaderLocale) -> Iterator[Sentence]:
    asked, table, seat = facts.asked, facts.head.table, facts.seat
    if asked is None or (seat is None and asked.due is None):
        return
    if asked.due is None:
        if table.paused and table.late != seat and row["kind"] not in OF_THE_TABLE:
            yield _stands(facts, locale)
            yield say("“{resume}” asks the others to let it run again.", resume=typed("resume"))
        return
    due, ahead = locale.when(asked.due), bank_ahead(facts, row)
    if ahead is not None:
        yield say(
            "Your time for this move ends {ends}; after that your bank is used, until {due}.",
            ends=locale.when(ahead), due=due,
        )  # fmt: skip
    else:
        yield say("Deadline: {due}.", due=due)
    if ahead is None and asked.bank_from is not None and asked.bank_from < asked.due:
        yield say("Your bank is being used since {since}.", since=locale.when(asked.bank_from))
    strikes = 0 if seat is None else table.chairs[seat].strikes
    most = table.clock.get("strikes", 2)
    last = seat is None or strikes + 1 >= most
    if table.clock.get("on_timeout") == "pause" and not last:
        yield say("If it passes, the clock stops until you answer.")
    else:
        yield say("If it passes, the caretaker plays the smallest legal move for you.")
    if strikes and row["kind"] != "deadline-passed":
        yield _so_far(strikes, most)


def _stands(facts: Facts, locale: ReaderLocale) -> Sentence:
    if facts.until is None:
        return say("The clock is stopped: nothing is due before it runs again.")
    until = locale.when(facts.until)
    return say("The clock is stopped until {until} at the latest: nothing is due before it runs again.", until=until)


def _so_far(strikes: int, most: int) -> Sentence:
    if strikes + 1 >= most:
        return say_n(
            "You have missed {count} deadline: with the next in a row your seat falls vacant.",
            "You have missed {count} deadlines in a row: with the next your seat falls vacant.",
            strikes,
        )
    return say_n(
        "You have missed {count} deadline: with number {most} in a row your seat falls vacant.",
        "You have missed {count} deadlines in a row: with number {most} your seat falls vacant.",
        strikes, most=most,
    )  # fmt: skip


def _missed(facts: Facts, row: Row, locale: ReaderLocale) -> Iterator[Sentence]:
    """How many deadlines in a row, how the caretaker's move is taken back, and what is left in the bank."""
    table, seat = facts.head.table, facts.seat
    if row["kind"] != "deadline-passed" or seat is None:
        return
    chair, clock = table.chairs[seat], policy(table.clock)
    if table.status != "running":
        yield (
            say("Nobody is left to play it: the game is over.")
            if table.status == "abandoned"
            else say("The game is over.")
        )
        return
    if chair.vacant:
        return
    which = {"number": chair.strikes, "most": table.clock.get("strikes", 2)}
    yield say("That was deadline number {number} in a row; with number {most} your seat falls vacant.", **which)
    if table.late != seat:
        undo = shown(UNDO_LAPSE, locale.language, facts.head.rules.kind)
        yield say("“{undo}” asks the table to take it back.", undo=undo)
    if clock.bank:
        left = policy_seconds(bank_of(table, seat, clock), clock)
        yield say("In your time bank: {time}.", time=exact_words(left)) if left else say("Your time bank is used up.")
