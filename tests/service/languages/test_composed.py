"""What is composed for a reader of each language: moments, talk that is echoed, marks (OUT-37)."""

from datetime import UTC, date, datetime

import pytest

from domain.city_hall.rules.words import amount_of_influence
from domain.tammany_hall.rules.words import immigrants, listed
from service.kernel.clock import SECOND
from service.languages import canonical, shown, words
from service.languages.time_text import ReaderLocale, due_words, exact_words, left_words, utc_words

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
        ("en", MOMENT, "Europe/Berlin", "Fri 07 Mar 2031 13:00 CET (12:00 UTC)"),
        ("de", MOMENT, "Europe/Berlin", "Fr., 7. März 2031, 13:00 CET (12:00 UTC)"),
        ("de", FIRST, "Europe/Berlin", "So., 2. März 2031, 00:30 CET (Sa., 1. März, 23:30 UTC)"),
        ("fr", FIRST, "Europe/Paris", "dim. 2 mars 2031 à 00:30 CET (sam. 1er mars à 23:30 UTC)"),
    ],
)
def test_out_37_a_deadline_is_written_as_the_language_writes_it(language, moment, timezone, told):
    assert due_words(at(moment), timezone, language) == told


@pytest.mark.parametrize(
    "language, told",
    [("en", "Sun 02 Mar 00:30"), ("de", "So., 2. März, 00:30"), ("fr", "dim. 2 mars à 00:30")],
)
def test_out_37_so_is_a_moment_without_its_year(language, told):
    assert ReaderLocale("Europe/Paris", language, words(language)).brief(at(FIRST)) == told


def test_where_seconds_matter_both_zones_tell_them():
    exact = ReaderLocale("Europe/Berlin", "en", str, seconds=True)
    assert exact.when(at(MOMENT)) == "Fri 07 Mar 2031 13:00:05 CET (12:00:05 UTC)"


@pytest.mark.parametrize(
    "left, told, in_full",
    [
        (2 * 86_400 + 3 * 3600 + 60, "2 Tage 3 Stunden", "2 Tage 3 Stunden 1 Minute"),
        (3 * 3600 + 5, "3 Stunden 5 Sekunden", "3 Stunden 5 Sekunden"),
        (0, "keine Zeit", "keine Zeit"),
    ],
)
def test_out_37_what_is_left_is_told_in_two_units_and_what_was_given_in_all(left, told, in_full):
    speak = words("de")
    assert (speak(left_words(left * SECOND)), speak(exact_words(left))) == (told, in_full)


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
        ("de", "join to Place", "mitmachen to Place"),
        ("fr", "say to", "dire to"),
    ],
)
def test_in_14_words_of_one_s_own_are_echoed_as_they_were_written(language, line, echoed):
    told = shown(line, language, "tammany-hall")
    assert told.partition(" ")[2] == echoed.partition(" ")[2]
    assert canonical(told, language, "tammany-hall").split()[0] == line.split()[0]


@pytest.mark.parametrize("line", ["Say place place", "SAY bieten end", "Join Ende"])
def test_in_14_words_of_one_s_own_are_kept_however_the_first_is_written(line):
    assert canonical(line, "de", "tammany-hall") == line


@pytest.mark.parametrize("language, people", [("en", "Irish"), ("de", "Iren"), ("fr", "irlandais")])
def test_out_37_immigrants_are_people_and_chips_are_not(language, people):
    speak = words(language, "tammany-hall")
    assert speak(immigrants({"irish": 2})) == f"2 {people}"
    chips = speak(listed({"irish": 2}))
    assert chips == {"en": "2 Irish", "de": "2 irische", "fr": "2 irlandais"}[language]


@pytest.mark.parametrize(
    "language, count, told",
    [("fr", 1, "1 point d'Influence"), ("fr", 3, "3 points d'Influence"), ("de", 3, "3 Einfluss")],
)
def test_out_37_influence_is_counted_in_points_where_a_language_counts_so(language, count, told):
    speak = words(language, "city-hall")
    assert speak(amount_of_influence(count)) == told
