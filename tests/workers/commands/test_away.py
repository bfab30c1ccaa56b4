"""Leave by mail: `away` shows it, two days announce it, none takes it back; and who may do so (DESIGN 7, IN-12)."""

from typing import Any

import pytest
import sqlalchemy as sa

from domain.engine.refusals import OrderNotUnderstood
from service.store.clocks.decisions import decisions
from service.store.people.absences import absences
from tests.service.clock_tables import DAY, START, shows
from tests.tables import Tables
from tests.workers.mail_tables import mail_tables
from workers.commands.words.leave_words import days_of, leave_line
from workers.sweep import sweep_deadlines

__all__ = ["mail_tables"]
CLOCK = {"per_move": "P3D", "reminders": [], "leave_days": 14}


def leaves(mail_tables: Tables) -> list[tuple[str, str]]:
    with mail_tables.services.database.read() as connection:
        standing = (absences.c.spent.is_(False), absences.c.first_day <= absences.c.last_day)
        found = sa.select(absences.c.first_day, absences.c.last_day).where(*standing)
        return [(row[0], row[1]) for row in connection.execute(found.order_by(absences.c.first_day))]


def due(mail_tables: Tables, game: str, seat: int = 0) -> str:
    with mail_tables.services.database.read() as connection:
        found = sa.select(decisions.c.due_at).where(decisions.c.game_id == game, decisions.c.seat == seat)
        return shows(connection.execute(found).scalar_one())


def flat(text: str) -> str:
    return " ".join(text.split())


# What it says


@pytest.mark.parametrize(
    "rest, canonical",
    [
        ("2031-03-10 2031-03-14", "away 2031-03-10 2031-03-14"),
        ("2031-3-9 2031-03-14", "away 2031-03-09 2031-03-14"),
        ("from 2031-03-10 to 2031-03-14", "away 2031-03-10 2031-03-14"),
        ("2031-03-10 until 2031-03-14", "away 2031-03-10 2031-03-14"),
        ("2031-03-10 - 2031-03-14", "away 2031-03-10 2031-03-14"),
        ("2031-03-10--2031-03-14", "away 2031-03-10 2031-03-14"),
        ("von 10.03.2031 bis 14.3.2031", "away 2031-03-10 2031-03-14"),
        ("du 10. 3. 2031 au 14. 3. 2031", "away 2031-03-10 2031-03-14"),
        ("2031-03-14 2031-03-10", "away 2031-03-14 2031-03-10"),  # the service says what is wrong with it
        ("none", "away none"),
        ("nothing", "away none"),
    ],
)
def test_leave_can_be_written_in_more_than_one_way(rest, canonical):
    assert leave_line(f"away {rest}", rest) == canonical
    assert leave_line(canonical, canonical.partition(" ")[2]) == canonical
    assert (days_of(canonical) is None) == (canonical == "away none")


@pytest.mark.parametrize(
    "rest",
    [
        "2031-03-10",
        "2031-03-10 and 2031-03-14",
        "2031-03-10, 2031-03-14",
        "10/03/2031 14/03/2031",  # tenth of March or third of October: nobody guesses
        "03-10 03-14",
        "2031-02-29 2031-03-14",
        "2031-13-01 2031-13-02",
        "2031-03-10 2031-03-14 2031-03-20",
        "next week",
        "until monday",
        "0000-01-01 0000-01-02",
    ],
)
def test_in12_what_is_not_certain_is_asked_for_again_with_one_that_works(rest):
    with pytest.raises(OrderNotUnderstood) as refused:
        leave_line(f"away {rest}", rest)
    assert "“away 2026-12-24 2027-01-02”" in refused.value.message


# What it does


def test_away_with_two_days_announces_leave_and_tells_what_it_moves(mail_tables):
    game, other = mail_tables.begin("ann", "bob", clock=CLOCK), mail_tables.begin("cyd", "ann", clock=CLOCK)
    mail_tables.exchange()
    letter = next(letter for letter in mail_tables.letters_to("ann") if game in str(letter.data))
    number = mail_tables.reply("ann", "away 2031-03-06 2031-03-09", to=letter)
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "applied"
    assert leaves(mail_tables) == [("2031-03-06", "2031-03-09")]
    told = flat(mail_tables.newest_text("ann", "answer"))
    assert "| away 2031-03-06 2031-03-09" in told
    assert "You are away from Thu 06 Mar 2031 to Sun 09 Mar 2031." in told
    for one in (game, other):
        assert f"In game {one} 10 of 14 days of leave are left." in told
    assert told.count("Your deadline there moves from Fri 07 Mar 2031 12:00 UTC to Tue 11 Mar 2031 12:00 UTC.") == 2
    assert due(mail_tables, game) == "Tue 11 Mar 12:00", "at once in the game whose mail was answered"
    mail_tables.advance(minutes=1)
    sweep_deadlines(mail_tables.services)
    assert due(mail_tables, other, 1) == "Tue 11 Mar 12:00", "and with the next sweep in all others"


def test_away_and_an_order_in_one_mail_are_both_done_or_neither(mail_tables):
    game = mail_tables.begin("ann", "bob", clock=CLOCK)
    mail_tables.exchange()
    number = mail_tables.reply("ann", "hide 2\naway 2031-03-04 2031-03-09")
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), leaves(mail_tables)) == ("rejected", [])
    assert "Leave must be announced ahead: it can begin tomorrow at the earliest." in mail_tables.outcome(number).why
    assert mail_tables.awaited(game) == [0, 1]
    number = mail_tables.reply("ann", "hide 2\naway 2031-03-05 2031-03-09")
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), leaves(mail_tables)) == ("applied", [("2031-03-05", "2031-03-09")])
    assert mail_tables.awaited(game) == [1]


def test_away_none_takes_it_back_and_moves_no_deadline(mail_tables):
    game = mail_tables.begin("ann", "bob", clock=CLOCK)
    mail_tables.exchange()
    mail_tables.reply("ann", "away 2031-03-06 2031-03-09")
    mail_tables.exchange()
    mail_tables.reply("ann", "away none")
    mail_tables.exchange()
    assert leaves(mail_tables) == []
    assert "You have announced no leave." in flat(mail_tables.newest_text("ann", "answer"))
    assert due(mail_tables, game) == "Tue 11 Mar 12:00"


def test_away_alone_shows_deadlines_and_leave_and_changes_nothing(mail_tables):
    game = mail_tables.begin("ann", "bob", clock=CLOCK)
    strict = mail_tables.begin("ann", "cyd", clock={"per_move": "P3D", "reminders": []})
    mail_tables.exchange()
    number = mail_tables.reply("ann", "away")
    mail_tables.exchange()
    assert mail_tables.outcome(number).result == "answered"
    told = flat(mail_tables.newest_text("ann", "answer"))
    for said in (
        f"Game {game}: your answer is due by Fri 07 Mar 2031 12:00 UTC.",
        "You have announced no leave.",
        f"In game {game} 14 of 14 days of leave are left.",
        f"Game {strict} was opened without days of leave: its deadlines run on.",
        "To announce leave, write “away 2031-03-05 2031-03-05” with its first and its last day, tomorrow at the "
        "earliest; "
        "“away none” takes back what is to come.",
    ):
        assert said in told
    assert leaves(mail_tables) == []


@pytest.mark.parametrize("text", ["away 2031-03-06 2031-03-09\naway none", "away none\naway 2031-03-06 2031-03-09"])
def test_leave_is_announced_or_taken_back_and_not_both(mail_tables, text):
    mail_tables.begin("ann", "bob", clock=CLOCK)
    mail_tables.exchange()
    number = mail_tables.reply("ann", text)
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), leaves(mail_tables)) == ("rejected", [])
    assert "and not both" in mail_tables.outcome(number).why


def test_in29_leave_in_a_mail_that_nobody_vouches_for_waits_for_a_yes(mail_tables):
    game = mail_tables.begin("ann", "bob", clock=CLOCK)
    mail_tables.exchange()
    number = mail_tables.reply("ann", "away 2031-03-06 2031-03-09", verdict=None)
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), leaves(mail_tables)) == ("held", [])
    mail_tables.reply("ann", "yes", to=mail_tables.newest_letter("ann", "confirm"))
    mail_tables.exchange()
    assert leaves(mail_tables) == [("2031-03-06", "2031-03-09")]
    assert due(mail_tables, game) == "Tue 11 Mar 12:00"


def test_leave_announced_when_the_question_is_closed_is_announced_all_the_same(mail_tables):
    game = mail_tables.begin("ann", "bob", clock=CLOCK)
    mail_tables.exchange()
    letter = mail_tables.newest_letter("ann")
    mail_tables.move(game, 0, "hide 1")
    mail_tables.move(game, 1, "hide 1")
    number = mail_tables.reply("ann", "away 2031-03-06 2031-03-09", to=letter)
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), leaves(mail_tables)) == ("applied", [("2031-03-06", "2031-03-09")])


@pytest.mark.parametrize(
    "language, text", [("de", "urlaub 2031-03-06 bis 2031-03-09"), ("fr", "absence 2031-03-06 2031-03-09")]
)
def test_in14_leave_is_understood_in_the_player_s_language(mail_tables, language, text):
    mail_tables.player("ann")
    mail_tables.change_profile("ann", language=language)
    mail_tables.begin("ann", "bob", clock=CLOCK)
    mail_tables.exchange()
    mail_tables.reply("ann", text)
    mail_tables.exchange()
    assert leaves(mail_tables) == [("2031-03-06", "2031-03-09")]


def test_in35_a_mail_that_could_not_be_used_is_told_on_the_clock_page(mail_tables):
    from service.deadlines.explain import Page

    game = mail_tables.begin("ann", "bob", clock=CLOCK)
    mail_tables.exchange()
    mail_tables.clock.at = START + 3 * DAY - 60_000_000
    mail_tables.record_sweep()
    mail_tables.reply("ann", "hdie 3")
    mail_tables.exchange()

    def told(name: str) -> Any:
        with mail_tables.services.database.read() as connection:
            (one, *_) = Page(mail_tables.services, connection, game, mail_tables.ids[name]).document()["deadlines"]
        return [step["text"] for step in one["steps"] if step["code"] == "mending"]

    assert told("ann") == [
        "A mail of ann that was in time could not be used, so the caretaker waits until Fri 07 Mar 2031 12:29 UTC, for "
        "another one."
    ]
    assert told("bob") == []
