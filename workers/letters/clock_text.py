"""The clock of a letter's reader: until when, from when on the bank is used, and what a miss would cost."""

from collections.abc import Iterator
from typing import Final

from domain.engine.sentences import Sentence, say, say_n, typed
from workers.letters.letter_view import LetterView

STRIKES: Final = 2
"""Misses in a row after which a seat falls vacant, where a table has agreed on nothing else."""


def deadline_lines(view: LetterView, *, strikes: bool = True, stopped: bool = True) -> Iterator[Sentence]:
    """The clock of the reader, as of the notice.

    Without `strikes` the letter says itself how many deadlines were missed, without `stopped` that the clock stands.
    """
    asked = view.asked
    if asked is None:
        return
    if asked.due is None:
        if stopped and view.seat is not None and view.table.paused and view.table.late != view.seat:
            yield _stands(view)
            yield say("“{resume}” asks the others to let it run again.", resume=typed("resume"))
        return
    yield from _until(view, asked.due, asked.bank_from)
    missed = 0 if view.seat is None else view.table.chairs[view.seat].strikes
    most = most_strikes(view)
    last = view.seat is None or missed + 1 >= most
    if view.table.clock.get("on_timeout") == "pause" and not last:
        yield say("If it passes, the clock stops until you answer.")
    else:
        yield say("If it passes, the caretaker plays for you: the smallest legal move.")
    if missed and strikes:
        yield _so_far(missed, most)


def most_strikes(view: LetterView) -> int:
    """How many misses in a row a seat may have at this table before it falls vacant."""
    return int(view.table.clock.get("strikes", STRIKES))


def _until(view: LetterView, at: int, bank_from: int | None) -> Iterator[Sentence]:
    due, ahead = view.locale.when(at), view.bank_ahead
    if ahead is not None:
        yield say(
            "Your time for this move ends {ends}; after that your bank is used, until {due}.",
            ends=view.locale.when(ahead), due=due,
        )  # fmt: skip
        return
    yield say("Deadline: {due}.", due=due)
    if bank_from is not None and bank_from < at:
        yield say("Your bank is being used since {since}.", since=view.locale.when(bank_from))


def _stands(view: LetterView) -> Sentence:
    if (at := view.paused_until) is None:
        return say("The clock is stopped: nothing is due before it runs again.")
    until = view.locale.when(at)
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
