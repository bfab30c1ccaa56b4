"""The most natural replies in three languages, in the mail programs of the day: no honest order is refused, no wrong
one executed (IN-08 to IN-14)."""

import pytest

from tests.workers.replies.positions import asked
from tests.workers.replies.programs import PROGRAMS, TONGUES, Draft, plain
from tests.workers.replies.reading import letter, outcome
from tests.workers.replies.table import Row, rows

A_ROW = 3
"""Mail programs that a reply is sent with, besides the plainest: each row takes the next ones."""


@pytest.mark.parametrize("language", TONGUES)
def test_what_becomes_of_the_replies_of_a_language(language: str) -> None:
    table = rows(language)
    assert len(table) >= 100
    faults = [fault for row in table for fault in wrong(row, language)]
    assert not faults, f"{len(faults)} of {len(table)}\n" + "\n".join(faults)


def wrong(row: Row, language: str) -> list[str]:
    """Where something else becomes of a reply, in the first mail program in which it does."""
    question = asked(row.decision)
    draft = Draft(row.text, letter(question), TONGUES[language])
    turn = [PROGRAMS[(row.line + place) % len(PROGRAMS)] for place in range(A_ROW)]
    for program in dict.fromkeys((plain, *turn)):
        found = outcome(program(draft), question, language)
        if not fits(row, found):
            return [f"{row}: {found}, not {row.sign} {row.expected}, by {program.__name__}"]
    return []


def fits(row: Row, found: str) -> bool:
    said, _, _ = found.partition(" | ")
    return said == f"{row.sign} {row.expected}".strip() or (
        found.startswith("?") and (row.sign, row.expected) == ("?", "")
    )
