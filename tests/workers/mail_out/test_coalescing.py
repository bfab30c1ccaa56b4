"""One mail that it is your turn, and not the next one within minutes (RATE-05)."""

from collections.abc import Callable

import pytest

from service.container import Services
from service.games import takeback
from service.kernel.clock import SECOND
from tests.databases import BOTH
from tests.letters import Carrier, text_of
from tests.manual_clock import ManualClock
from tests.tables import Tables
from workers.mail_out.transport import Deferred

WINDOW = 180


@pytest.fixture(params=BOTH)
def tables(request: pytest.FixtureRequest, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """Tables with the window, on each database."""
    url = request.getfixturevalue(f"migrated_{request.param}")
    return Tables(open_services(url, clock=manual_clock, MAIL_WINDOW="PT3M"), manual_clock)


def round_of(tables: Tables, game: str, *names: str) -> None:
    """A round of Pennies: these hide, and whoever may take does."""
    for name in names:
        tables.move(game, name, "hide 3")
    while tables.phase(game) == "take" and tables.awaited(game):
        tables.move(game, tables.awaited(game)[0], "take")


def turns(tables: Tables, name: str = "ann") -> list[tuple[str, str | None]]:
    """What became of the notices that it is somebody's turn, oldest first."""
    rows = tables.notices(kind="your-turn", recipient=tables.ids[name])
    return [(row["state"], row["reason"]) for row in rows]


def begin(tables: Tables, **terms: object) -> str:
    """A game in which both were told that it is their turn."""
    game = tables.begin("ann", "bob", options={"rounds": "3"}, **terms)
    tables.deliver()
    assert tables.carrier.kinds() == {"your-turn": 2}
    tables.carrier.letters.clear()
    return game


def test_rate05_the_first_mail_goes_at_once_and_the_next_waits_for_the_end_of_the_window(tables: Tables) -> None:
    game = begin(tables)
    tables.advance(seconds=60)
    round_of(tables, game, "ann", "bob")
    tables.deliver()
    assert not tables.carrier.letters
    waiting = tables.notices(kind="your-turn", state="queued")
    assert {row["not_before"] for row in waiting} == {tables.clock.at + 120 * SECOND}
    assert {row["reason"] for row in waiting} == {"another about this game was sent just before"}
    assert {row["attempts"] for row in waiting} == {0}, "waiting is no attempt"
    tables.advance(seconds=119)
    tables.deliver()
    assert not tables.carrier.letters, "not a second before"
    tables.advance(seconds=1)
    tables.deliver()
    assert tables.carrier.kinds() == {"your-turn": 2}


def test_rate05_it_tells_everything_since_and_what_was_overtaken_is_never_sent(tables: Tables) -> None:
    """Two rounds within the window: one mail about the third, with what happened in both since ann's last move."""
    game = begin(tables)
    round_of(tables, game, "ann", "bob")
    tables.deliver()
    round_of(tables, game, "ann", "bob")
    tables.advance(seconds=WINDOW)
    tables.deliver()
    (letter,) = tables.carrier.letters_to("ann")
    assert turns(tables)[0][0] == "sent"
    assert set(turns(tables)[1:-1]) <= {("superseded", "the answer was given")}
    assert turns(tables)[-1] == ("sent", None)
    assert "Since your last move" in text_of(letter)


def test_rate05_after_the_window_a_mail_goes_at_once(tables: Tables) -> None:
    game = begin(tables)
    tables.advance(seconds=WINDOW)
    round_of(tables, game, "ann", "bob")
    assert tables.deliver() == 2


def test_rate05_games_do_not_wait_for_each_other_and_neither_do_players(tables: Tables) -> None:
    begin(tables)
    other = tables.begin("ann", "cyd", options={"rounds": "3"})
    assert tables.deliver() == 2
    tables.advance(seconds=WINDOW)
    round_of(tables, other, "ann", "cyd")
    assert tables.deliver() == 2


def test_rate05_a_mail_that_did_not_arrive_holds_none_back(tables: Tables) -> None:
    game = tables.begin("ann", "bob", options={"rounds": "3"})
    tables.carrier.before.extend([Deferred("451 not now"), Deferred("451 not now")])
    assert tables.deliver() == 0
    round_of(tables, game, "ann", "bob")
    assert tables.deliver() == 2


def test_rate05_other_mail_is_not_delayed(tables: Tables) -> None:
    """A reminder, and word of a deadline that passed, a minute after a mail that it is your turn."""
    game = begin(tables, clock={"per_move": "PT10M", "grace": "PT0S", "reminders": ["PT1M"], "strikes": 9})
    tables.advance(minutes=8)
    tables.execute("UPDATE deliveries SET done_at = :now", now=tables.clock.at)
    tables.advance(minutes=1)
    assert tables.sweep() == 2
    tables.deliver()
    assert tables.carrier.kinds() == {"reminder": 2}
    tables.advance(minutes=1)
    tables.sweep()
    tables.deliver()
    assert tables.carrier.kinds()["deadline-passed"] == 2
    assert tables.head(game).table.status == "running"


def test_rate05_a_mail_never_waits_so_long_that_less_than_a_quarter_of_the_time_is_left(
    migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock
) -> None:
    """However long the window: I-09 needs the notice well before the deadline."""
    tables = Tables(open_services(migrated_sqlite, clock=manual_clock, MAIL_WINDOW="PT1H"), manual_clock)
    game = begin(tables, clock={"per_move": "PT20M", "reminders": []})
    round_of(tables, game, "ann", "bob")
    tables.deliver()
    assert {row["not_before"] - manual_clock.at for row in tables.notices(state="queued")} == {15 * 60 * SECOND}
    tables.advance(minutes=15)
    assert tables.deliver() == 2


def test_rate05_a_turn_that_is_taken_back_and_comes_again_is_one_mail_in_a_window(tables: Tables) -> None:
    """The turn passes on, is taken back and passes on again within the window: who is next is asked twice in all."""
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    tables.deliver()
    (first,) = tables.awaited(game)
    names = [
        name for chair in tables.head(game).table.chairs for name, one in tables.ids.items() if one == chair.player
    ]
    following = names[(first + 1) % 3]
    tables.move(game, first, "place 1 1\nend")
    tables.deliver()
    assert turns(tables, following) == [("sent", None)]
    for _ in range(2):
        with tables.services.database.write() as tx:
            takeback.go_back(tables.services, tx, game, tables.ids[names[first]], ask=False)
        tables.deliver()
        tables.move(game, first, "place 1 2\nend")
        tables.deliver()
    tables.advance(seconds=WINDOW)
    tables.deliver()
    assert turns(tables, following) == [("sent", None), ("superseded", "the answer was given"), ("sent", None)]


def test_rate05_a_window_of_nothing_holds_nothing(
    migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock
) -> None:
    tables = Tables(open_services(migrated_sqlite, clock=manual_clock, MAIL_WINDOW="PT0S"), manual_clock)
    game = begin(tables)
    round_of(tables, game, "ann", "bob")
    assert tables.deliver() == 2


def test_a_mail_that_was_claimed_and_not_reached_in_time_is_free_at_once_and_was_no_attempt(
    tables: Tables,
) -> None:
    tables.begin("ann", "bob")
    tables.deliver(seconds=-1)
    assert {row["attempts"] for row in tables.notices()} == {0}


def test_i09_a_deadline_does_not_pass_while_its_notice_waits(tables: Tables) -> None:
    game = begin(tables, clock={"per_move": "PT10M", "grace": "PT0S", "reminders": []})
    round_of(tables, game, "ann", "bob")
    tables.deliver()
    tables.advance(minutes=10)
    assert tables.sweep() == 0
    assert tables.deliver(Carrier()) == 2
    tables.advance(minutes=1)
    tables.sweep()
    assert not tables.notices(kind="deadline-passed"), "told after the deadline: the time runs again"
