"""One mail that it is your turn, and not the next one within minutes (RATE-05)."""

from collections.abc import Callable

import pytest

from service.container import Services
from service.games import takeback
from service.kernel.clock import SECOND
from tests.databases import BOTH
from tests.workers.office import Carrier, Hands, Office, text_of
from workers.mail_out.transport import Deferred

WINDOW = 180


@pytest.fixture(params=BOTH)
def office(request: pytest.FixtureRequest, open_services: Callable[..., Services], hands: Hands) -> Office:
    """An office with the window, on each database."""
    url = request.getfixturevalue(f"migrated_{request.param}")
    return Office(open_services(url, clock=hands, MAIL_WINDOW="PT3M"), hands)


def round_of(office: Office, game: str, *names: str) -> None:
    """A round of Pennies: these hide, and whoever may take does."""
    for name in names:
        office.moves(game, name, "hide 3")
    while office.phase(game) == "take" and office.awaited(game):
        office.plays(game, office.awaited(game)[0], "take")


def turns(office: Office, name: str = "ann") -> list[tuple[str, str | None]]:
    """What became of the notices that it is somebody's turn, oldest first."""
    rows = office.notices(kind="your-turn", recipient=office.ids[name])
    return [(row["state"], row["reason"]) for row in rows]


def begins(office: Office, **terms: object) -> str:
    """A game in which both were told that it is their turn."""
    game = office.begins("ann", "bob", options={"rounds": "3"}, **terms)
    office.delivers()
    assert office.carrier.kinds() == {"your-turn": 2}
    office.carrier.letters.clear()
    return game


def test_rate05_the_first_mail_goes_at_once_and_the_next_waits_for_the_end_of_the_window(office: Office) -> None:
    game = begins(office)
    office.hands.advance(seconds=60)
    round_of(office, game, "ann", "bob")
    office.delivers()
    assert not office.carrier.letters
    waiting = office.notices(kind="your-turn", state="queued")
    assert {row["not_before"] for row in waiting} == {office.hands.at + 120 * SECOND}
    assert {row["reason"] for row in waiting} == {"another about this game was sent just before"}
    assert {row["attempts"] for row in waiting} == {0}, "waiting is no attempt"
    office.hands.advance(seconds=119)
    office.delivers()
    assert not office.carrier.letters, "not a second before"
    office.hands.advance(seconds=1)
    office.delivers()
    assert office.carrier.kinds() == {"your-turn": 2}


def test_rate05_it_tells_everything_since_and_what_was_overtaken_is_never_sent(office: Office) -> None:
    """Two rounds within the window: one mail about the third, with what happened in both since ann's last move."""
    game = begins(office)
    round_of(office, game, "ann", "bob")
    office.delivers()
    round_of(office, game, "ann", "bob")
    office.hands.advance(seconds=WINDOW)
    office.delivers()
    (letter,) = office.carrier.to("ann")
    assert turns(office)[0][0] == "sent"
    assert set(turns(office)[1:-1]) <= {("superseded", "the answer was given")}
    assert turns(office)[-1] == ("sent", None)
    assert "Since your last move" in text_of(letter)


def test_rate05_after_the_window_a_mail_goes_at_once(office: Office) -> None:
    game = begins(office)
    office.hands.advance(seconds=WINDOW)
    round_of(office, game, "ann", "bob")
    assert office.delivers() == 2


def test_rate05_games_do_not_wait_for_each_other_and_neither_do_players(office: Office) -> None:
    begins(office)
    other = office.begins("ann", "cyd", options={"rounds": "3"})
    assert office.delivers() == 2
    office.hands.advance(seconds=WINDOW)
    round_of(office, other, "ann", "cyd")
    assert office.delivers() == 2


def test_rate05_a_mail_that_did_not_arrive_holds_none_back(office: Office) -> None:
    game = office.begins("ann", "bob", options={"rounds": "3"})
    office.carrier.before.extend([Deferred("451 not now"), Deferred("451 not now")])
    assert office.delivers() == 0
    round_of(office, game, "ann", "bob")
    assert office.delivers() == 2


def test_rate05_other_mail_is_not_delayed(office: Office) -> None:
    """A reminder, and word of a deadline that passed, a minute after a mail that it is your turn."""
    game = begins(office, clock={"per_move": "PT10M", "grace": "PT0S", "reminders": ["PT1M"], "strikes": 9})
    office.hands.advance(minutes=8)
    office.executes("UPDATE deliveries SET done_at = :now", now=office.hands.at)
    office.hands.advance(minutes=1)
    assert office.sweeps() == 2
    office.delivers()
    assert office.carrier.kinds() == {"reminder": 2}
    office.hands.advance(minutes=1)
    office.sweeps()
    office.delivers()
    assert office.carrier.kinds()["deadline-passed"] == 2
    assert office.head(game).table.status == "running"


def test_rate05_a_mail_never_waits_so_long_that_less_than_a_quarter_of_the_time_is_left(
    migrated_sqlite: str, open_services: Callable[..., Services], hands: Hands
) -> None:
    """However long the window: I-09 needs the notice well before the deadline."""
    office = Office(open_services(migrated_sqlite, clock=hands, MAIL_WINDOW="PT1H"), hands)
    game = begins(office, clock={"per_move": "PT20M", "reminders": []})
    round_of(office, game, "ann", "bob")
    office.delivers()
    assert {row["not_before"] - hands.at for row in office.notices(state="queued")} == {15 * 60 * SECOND}
    office.hands.advance(minutes=15)
    assert office.delivers() == 2


def test_rate05_a_turn_that_is_taken_back_and_comes_again_is_one_mail_in_a_window(office: Office) -> None:
    """The turn passes on, is taken back and passes on again within the window: who is next is asked twice in all."""
    game = office.begins("ann", "bob", "cyd", kind="tammany-hall")
    office.delivers()
    (first,) = office.awaited(game)
    names = [
        name for chair in office.head(game).table.chairs for name, one in office.ids.items() if one == chair.player
    ]
    following = names[(first + 1) % 3]
    office.plays(game, first, "place 1 1\nend")
    office.delivers()
    assert turns(office, following) == [("sent", None)]
    for _ in range(2):
        with office.services.database.write() as tx:
            takeback.go_back(office.services, tx, game, office.ids[names[first]], ask=False)
        office.delivers()
        office.plays(game, first, "place 1 2\nend")
        office.delivers()
    office.hands.advance(seconds=WINDOW)
    office.delivers()
    assert turns(office, following) == [("sent", None), ("superseded", "the answer was given"), ("sent", None)]


def test_rate05_a_window_of_nothing_holds_nothing(
    migrated_sqlite: str, open_services: Callable[..., Services], hands: Hands
) -> None:
    office = Office(open_services(migrated_sqlite, clock=hands, MAIL_WINDOW="PT0S"), hands)
    game = begins(office)
    round_of(office, game, "ann", "bob")
    assert office.delivers() == 2


def test_a_mail_that_was_claimed_and_not_reached_in_time_is_free_at_once_and_was_no_attempt(office: Office) -> None:
    office.begins("ann", "bob")
    office.delivers(seconds=-1)
    assert {row["attempts"] for row in office.notices()} == {0}


def test_i09_a_deadline_does_not_pass_while_its_notice_waits(office: Office) -> None:
    game = begins(office, clock={"per_move": "PT10M", "grace": "PT0S", "reminders": []})
    round_of(office, game, "ann", "bob")
    office.delivers()
    office.hands.advance(minutes=10)
    assert office.sweeps() == 0
    assert office.delivers(Carrier()) == 2
    office.hands.advance(minutes=1)
    office.sweeps()
    assert not office.notices(kind="deadline-passed"), "told after the deadline: the time runs again"
