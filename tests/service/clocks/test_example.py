"""A clock reckoned out for those who choose one: a Monday evening, until when, which reminders, what then."""

from datetime import UTC, datetime, timedelta

import pytest

from service.clocks.policy import DEFAULTS, check_clock, policy
from service.clocks.presets import PRESETS, STANDARD
from service.deadlines.example import Home, example
from service.languages.time_text import ReaderLocale

BERLIN = ReaderLocale("Europe/Berlin", "en", str)
SUNDAY = int(datetime(2026, 11, 22, 17, tzinfo=UTC).timestamp()) * 1_000_000


def told(**chosen):
    clock = check_clock(chosen, timedelta(minutes=1))
    return [str(line) for line in example(clock, Home("Europe/Berlin", 8 * 60), BERLIN, SUNDAY)]


def test_t43_three_days_from_a_monday_evening_are_over_on_thursday():
    assert told() == [
        "Asked on Mon 23 Nov 18:00, you would have until Thu 26 Nov 18:00.",
        "If you had not answered by then, we would remind you: Wed 25 Nov 18:00; Thu 26 Nov 12:00.",
        "If you let that pass, the caretaker would play for you 10 minutes later; missing 2 in a row, you would lose "
        "your seat to whoever takes it over.",
    ]


def test_t44_a_clock_that_skips_weekends_is_shown_on_a_friday():
    assert told(weekends="skip")[0] == "Asked on Fri 27 Nov 18:00, you would have until Wed 02 Dec 18:00."


def test_t44_quiet_hours_and_a_bank_are_reckoned_out():
    asked, bank, reminders, _ = told(per_move="PT12H", bank="P1D", quiet_hours=True, reminders=["PT2H"])
    assert asked == "Asked on Mon 23 Nov 18:00, you would have until Tue 24 Nov 11:00."
    assert bank == "With all of your bank you would have until Wed 25 Nov 11:00."
    assert reminders == "If you had not answered by then, we would remind you: Tue 24 Nov 09:00; Wed 25 Nov 09:00."


def test_rate07_no_reminder_is_foreseen_at_night():
    assert "Tue 24 Nov 21:45" in told(per_move="P2D", reminders=["PT12H"])[1]


def test_a_game_that_waits_says_so():
    assert told(on_timeout="pause")[-1] == "If you let that pass, the game would wait for you."


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_a_clock_that_a_game_can_have(name):
    assert policy(check_clock(PRESETS[name].clock, timedelta(hours=1))).per_move


def test_the_standard_preset_has_the_time_that_every_game_has_by_default():
    assert check_clock(PRESETS[STANDARD].clock, timedelta(hours=1))["per_move"] == DEFAULTS["per_move"]
