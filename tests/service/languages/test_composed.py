"""What is composed for a reader of each language: moments, talk that is echoed, marks (OUT-37)."""

from datetime import UTC, date, datetime

import pytest

from service.kernel.clock import SECOND
from service.languages import canonical, shown, words
from service.languages.time_text import ReaderLocale, due_words, utc_words

MOMENT = datetime(2031, 3, 7, 12, 0, 5, tzinfo=UTC)
FIRST = datetime(2031, 3, 1, 23, 30, tzinfo=UTC)


def at(moment: datetime) -> int:
    """A moment as it is stored."""
    return int(moment.timestamp()) * SECOND


@pytest.mark.parametrize(
    "language, moment, timezone, told",
    [
        ("en", MOMENT, "UTC", "Fri 07 Mar 2031 12:00 UTC"),
        ("de", MOMENT, "UTC", "Fr., 7. März 2031, 12:00 UTC"),
        ("fr", MOMENT, "UTC", "ven. 7 mars 2031 à 12:00 UTC"),
        ("fr", FIRST, "UTC", "sam. 1er mars 2031 à 23:30 UTC"),
        ("de", FIRST, "Europe/Berlin", "So., 2. März 2031, 00:30 CET (Sa., 1. März, 23:30 UTC)"),
        ("fr", FIRST, "Europe/Paris", "dim. 2 mars 2031 à 00:30 CET (sam. 1er mars à 23:30 UTC)"),
    ],
)
def test_out_37_a_deadline_is_written_as_the_language_writes_it(language, moment, timezone, told):
    assert due_words(at(moment), timezone, language) == told


@pytest.mark.parametrize(
    "language, told",
    [("en", "07 Mar 2031 12:00:05"), ("de", "7. März 2031, 12:00:05"), ("fr", "7 mars 2031 à 12:00:05")],
)
def test_in_19_the_moment_a_mail_came_is_in_the_reader_s_language(language, told):
    assert utc_words(at(MOMENT), language) == told


@pytest.mark.parametrize(
    "language, told", [("en", "Wed 01 Jan 2031"), ("de", "Mi., 1. Jan. 2031"), ("fr", "mer. 1er janv. 2031")]
)
def test_out_37_so_is_a_day(language, told):
    assert ReaderLocale("UTC", language, words(language)).day(date(2031, 1, 1)) == told


@pytest.mark.parametrize(
    "language, line, echoed",
    [
        ("fr", "say Je place mes patrons au 6", "dire Je place mes patrons au 6"),
        ("de", "say Good luck to *all* of you!", "sagen Good luck to *all* of you!"),
        ("fr", "say to bob: Shall we share ward 6?", "dire à bob: Shall we share ward 6?"),
        ("de", "say to bob: place 1 7", "sagen an bob: place 1 7"),
        ("de", "join Will Place", "mitmachen Will Place"),
    ],
)
def test_in_14_words_of_one_s_own_are_echoed_as_they_were_written(language, line, echoed):
    told = shown(line, language, "tammany-hall")
    assert told.partition(" ")[2] == echoed.partition(" ")[2]
    assert canonical(told, language, "tammany-hall").split()[0] == line.split()[0]
