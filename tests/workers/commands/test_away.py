"""Leave by mail: `away` shows it, two days announce it, none takes it back; and who may do so (DESIGN 7, IN-12)."""

from typing import Any

import pytest
import sqlalchemy as sa

from domain.engine.refusals import OrderNotUnderstood
from service.store.absences import absences
from service.store.decisions import decisions
from tests.service.clockwork import DAY, START, shows
from tests.workers.post import Post, post
from workers.commands.words.leave_words import days_of, leave_line
from workers.sweep import sweep_deadlines

__all__ = ["post"]
CLOCK = {"per_move": "P3D", "reminders": [], "leave_days": 14}


def leaves(post: Post) -> list[tuple[str, str]]:
    with post.services.database.read() as connection:
        standing = (absences.c.spent.is_(False), absences.c.first_day <= absences.c.last_day)
        found = sa.select(absences.c.first_day, absences.c.last_day).where(*standing)
        return [(row[0], row[1]) for row in connection.execute(found.order_by(absences.c.first_day))]


def due(post: Post, game: str, seat: int = 0) -> str:
    with post.services.database.read() as connection:
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


def test_away_with_two_days_announces_leave_and_tells_what_it_moves(post):
    game, other = post.begins("ann", "bob", clock=CLOCK), post.begins("cyd", "ann", clock=CLOCK)
    post.round()
    letter = next(letter for letter in post.to("ann") if game in str(letter.data))
    number = post.answers("ann", "away 2031-03-06 2031-03-09", to=letter)
    post.round()
    assert post.state(number) == "applied"
    assert leaves(post) == [("2031-03-06", "2031-03-09")]
    told = flat(post.text("ann", "answer"))
    assert "| away 2031-03-06 2031-03-09" in told
    assert "You are away from Thu 06 Mar 2031 to Sun 09 Mar 2031." in told
    for one in (game, other):
        assert f"In game {one} 10 of 14 days of leave are left." in told
    assert told.count("Your deadline there moves from Fri 07 Mar 2031 12:00 UTC to Tue 11 Mar 2031 12:00 UTC.") == 2
    assert due(post, game) == "Tue 11 Mar 12:00", "at once in the game whose mail was answered"
    post.hands.advance(minutes=1)
    sweep_deadlines(post.services)
    assert due(post, other, 1) == "Tue 11 Mar 12:00", "and with the next sweep in all others"


def test_away_and_an_order_in_one_mail_are_both_done_or_neither(post):
    game = post.begins("ann", "bob", clock=CLOCK)
    post.round()
    number = post.answers("ann", "hide 2\naway 2031-03-04 2031-03-09")
    post.round()
    assert (post.state(number), leaves(post)) == ("rejected", [])
    assert "Leave must be announced ahead: it can begin tomorrow at the earliest." in post.outcome(number).why
    assert post.awaited(game) == [0, 1]
    number = post.answers("ann", "hide 2\naway 2031-03-05 2031-03-09")
    post.round()
    assert (post.state(number), leaves(post)) == ("applied", [("2031-03-05", "2031-03-09")])
    assert post.awaited(game) == [1]


def test_away_none_takes_it_back_and_moves_no_deadline(post):
    game = post.begins("ann", "bob", clock=CLOCK)
    post.round()
    post.answers("ann", "away 2031-03-06 2031-03-09")
    post.round()
    post.answers("ann", "away none")
    post.round()
    assert leaves(post) == []
    assert "You have announced no leave." in flat(post.text("ann", "answer"))
    assert due(post, game) == "Tue 11 Mar 12:00"


def test_away_alone_shows_deadlines_and_leave_and_changes_nothing(post):
    game = post.begins("ann", "bob", clock=CLOCK)
    strict = post.begins("ann", "cyd", clock={"per_move": "P3D", "reminders": []})
    post.round()
    number = post.answers("ann", "away")
    post.round()
    assert post.outcome(number).result == "answered"
    told = flat(post.text("ann", "answer"))
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
    assert leaves(post) == []


@pytest.mark.parametrize("text", ["away 2031-03-06 2031-03-09\naway none", "away none\naway 2031-03-06 2031-03-09"])
def test_leave_is_announced_or_taken_back_and_not_both(post, text):
    post.begins("ann", "bob", clock=CLOCK)
    post.round()
    number = post.answers("ann", text)
    post.round()
    assert (post.state(number), leaves(post)) == ("rejected", [])
    assert "and not both" in post.outcome(number).why


def test_in29_leave_in_a_mail_that_nobody_vouches_for_waits_for_a_yes(post):
    game = post.begins("ann", "bob", clock=CLOCK)
    post.round()
    number = post.answers("ann", "away 2031-03-06 2031-03-09", verdict=None)
    post.round()
    assert (post.state(number), leaves(post)) == ("held", [])
    post.answers("ann", "yes", to=post.newest("ann", "confirm"))
    post.round()
    assert leaves(post) == [("2031-03-06", "2031-03-09")]
    assert due(post, game) == "Tue 11 Mar 12:00"


def test_leave_announced_when_the_question_is_closed_is_announced_all_the_same(post):
    game = post.begins("ann", "bob", clock=CLOCK)
    post.round()
    letter = post.newest("ann")
    post.plays(game, 0, "hide 1")
    post.plays(game, 1, "hide 1")
    number = post.answers("ann", "away 2031-03-06 2031-03-09", to=letter)
    post.round()
    assert (post.state(number), leaves(post)) == ("applied", [("2031-03-06", "2031-03-09")])


@pytest.mark.parametrize(
    "language, text", [("de", "urlaub 2031-03-06 bis 2031-03-09"), ("fr", "absence 2031-03-06 2031-03-09")]
)
def test_in14_leave_is_understood_in_the_player_s_language(post, language, text):
    post.person("ann")
    post.changes("ann", language=language)
    post.begins("ann", "bob", clock=CLOCK)
    post.round()
    post.answers("ann", text)
    post.round()
    assert leaves(post) == [("2031-03-06", "2031-03-09")]


def test_in35_a_mail_that_could_not_be_used_is_told_on_the_clock_page(post):
    from service.deadlines.explanation.page import Page

    game = post.begins("ann", "bob", clock=CLOCK)
    post.round()
    post.hands.at = START + 3 * DAY - 60_000_000
    post.stays_open()
    post.answers("ann", "hdie 3")
    post.round()

    def told(name: str) -> Any:
        with post.services.database.read() as connection:
            (one, *_) = Page(post.services, connection, game, post.ids[name]).document()["deadlines"]
        return [step["text"] for step in one["steps"] if step["code"] == "mending"]

    assert told("ann") == [
        "A mail of ann that was in time could not be used, so on Fri 07 Mar 2031 11:59 UTC the caretaker was told to "
        "wait "
        "until Fri 07 Mar 2031 12:29 UTC, for another one."
    ]
    assert told("bob") == [
        "On Fri 07 Mar 2031 11:59 UTC the caretaker was told to wait until Fri 07 Mar 2031 12:29 UTC."
    ]
