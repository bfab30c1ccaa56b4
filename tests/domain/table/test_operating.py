"""The operator's acts at a table as game records: what each records, what is refused, what verification says."""

import pytest

from domain.audit.verify_history import audit
from domain.history.envelope import FORMS
from domain.table import events as e
from domain.table.operating import end, extend, go_on, pause, vacate, vacate_in_company
from domain.table.record import CLOCK, OPERATOR
from tests.domain.table.gamebook import CLOCK_POLICY, Game, begin, finished
from tests.domain.table.pennies import PENNIES

pytestmark = pytest.mark.usefixtures("pennies")
HOUR, DAY = 3600, 86_400


def by_operator(game: Game) -> Game:
    assert {"operator"} == {who for fact in game.last for who in fact.actor if who != "clock"}
    return game


def holds(game: Game) -> Game:
    """Verification decides the same again, for whoever asks, with leaves shut or open."""
    for seat in (None, *range(len(game.table.chairs))):
        report = audit(line + b"\n" for line in game.export(seat))
        assert report.ok, report.checks
    return game


def test_a_game_ends_for_good_without_a_result_and_its_seed_is_revealed():
    game = begin().move(0, "hide 1").operate(end)
    by_operator(game).then(e.GameAbandoned("operator"), e.SeedRevealed(game.facts[0].event.seed))
    holds(game.see(status="abandoned")).refused("game-over", lambda game: game.operate(end))
    finished().refused("game-over", lambda game: game.operate(end))


def test_a_table_that_has_not_begun_is_closed():
    holds(Game(PENNIES).open().sit("ann").operate(end)).recorded("GameAbandoned", "SeedRevealed").see(
        status="abandoned"
    )


def test_the_clock_stops_for_a_while_or_until_it_is_let_run():
    game = begin().operate(pause, 0).then(e.ClockPaused("operator", 0)).see(paused=True, late=None)
    game.refused("already-paused", lambda game: game.operate(pause, DAY))
    by_operator(holds(game.operate(go_on))).then(e.ClockResumed("operator")).see(paused=False)
    begin().refused("not-paused", lambda game: game.operate(go_on))
    begin().refused("bad-pause", lambda game: game.operate(pause, 60))
    Game(PENNIES).open().sit("ann").refused("not-started", lambda game: game.operate(pause, 0))
    holds(begin().operate(pause, DAY).move(0, "hide 1"))


def test_a_clock_that_waits_for_somebody_late_is_let_run_by_the_operator():
    game = begin(clock={**CLOCK_POLICY, "on_timeout": "pause"}).expire(0).see(paused=True, late=0)
    holds(game.operate(go_on)).then(e.ClockResumed("operator")).see(paused=False, late=None)


def test_the_table_may_agree_to_end_a_pause_of_the_operators():
    game = begin("ann", "bob").operate(pause, 0).propose_clock(0, "resume").agree(1)
    holds(game).recorded("ClockAnswered", "ClockResumed")


def test_time_is_given_to_everybody_who_owes_an_answer_or_to_one_seat():
    by_operator(holds(begin().operate(extend, DAY, None))).then(e.TimeExtended(DAY))
    game = by_operator(holds(begin().move(0, "hide 1").operate(extend, DAY, 1))).then(e.TimeExtended(DAY, 1))
    game.refused("not-asked", lambda game: game.operate(extend, DAY, 0))
    game.refused("no-such-seat", lambda game: game.operate(extend, DAY, 3))
    game.refused("bad-extension", lambda game: game.operate(extend, 60, 1))
    game.operate(pause, 0).refused("already-paused", lambda game: game.operate(extend, DAY, 1))


def test_more_time_from_the_operator_leaves_what_the_table_is_asked():
    game = begin().propose_clock(0, "pause", DAY).operate(extend, DAY, None)
    assert game.table.proposal is not None
    assert holds(game.agree(1, 2)).table.paused
    assert begin().propose_clock(0, "extend", DAY).agree(1, 2).table.proposal is None


def test_a_seat_is_freed_the_caretaker_plays_it_and_its_player_may_take_it_back():
    game = begin().operate(vacate, 1).recorded("SeatVacated", "CaretakerActed", "PennyHidden")
    assert [fact.actor for fact in game.last] == [OPERATOR, CLOCK, CLOCK]
    game.refused("seat-vacant", lambda game: game.operate(vacate, 1))
    game.refused("no-such-seat", lambda game: game.operate(vacate, -1))
    holds(game.sit("bob")).then(e.SeatTakenOver(1, "bob"))
    holds(game.sit("dan")).then(e.SeatTakenOver(1, "dan"))


def test_freeing_a_seat_carries_out_what_waited_for_it_alone():
    game = begin().propose_clock(0, "pause", DAY).agree(2).operate(vacate, 1)
    assert holds(game).table.paused
    late = begin(clock={**CLOCK_POLICY, "on_timeout": "pause"}).expire(0).operate(vacate, 0)
    holds(late).see(paused=False, late=None)


def test_the_last_person_who_is_put_off_a_table_ends_the_game():
    game = begin("ann", bots=1).operate(vacate, 0)
    holds(game).see(status="abandoned")
    assert game.last[-2].event == e.GameAbandoned("nobody-left")


def test_a_seat_is_not_freed_where_nobody_else_plays():
    alone = begin("ann", bots=1).refused("nobody-else", lambda game: game.operate(vacate_in_company, 0))
    alone.see(status="running").refused("no-player", lambda game: game.operate(vacate_in_company, 1))
    both = begin("ann", "bob", bots=1).operate(vacate_in_company, 1).see(status="running")
    both.refused("nobody-else", lambda game: game.operate(vacate_in_company, 0))
    holds(both.sit("bob").operate(vacate_in_company, 0)).see(status="running")
    game = Game(PENNIES).open().sit("ann").operate(vacate_in_company, 0)
    holds(game).recorded("SeatLeft", "GameAbandoned", "SeedRevealed")


def test_before_the_start_a_freed_seat_is_free_and_the_last_one_closes_the_table():
    game = by_operator(Game(PENNIES).open().sit("ann", "bob").operate(vacate, 0)).then(e.SeatLeft(0, "bob"))
    holds(game).see(status="open", host="bob")
    by_operator(holds(game.operate(vacate, 1))).recorded("SeatLeft", "GameAbandoned", "SeedRevealed")
    game.refused("seat-vacant", lambda game: game.operate(vacate, 2))


def test_no_seat_of_a_bot_is_freed():
    begin("ann", bots=1).refused("no-player", lambda game: game.operate(vacate, 1))


FORGED = [
    e.StrikesCleared(0),
    e.GameStarted([0, 1]),
    e.ClockResumed("operator"),
    e.ClockPaused("agreed", 0),
    e.GameAbandoned("nobody-left"),
    e.SeatTakenOver(0, "ann"),
    e.TimeExtended(1, 0),
]


@pytest.mark.parametrize("forged", FORGED, ids=lambda event: type(event).__name__)
def test_what_the_operator_may_not_record_is_found(forged):
    game = begin("ann", "bob").step(lambda record: record.add(OPERATOR, forged))
    assert not audit(line + b"\n" for line in game.export()).ok


def test_an_actor_is_the_operator_or_nothing():
    assert FORMS["actor"](OPERATOR)
    for actor in ({"operator": False}, {"operator": "ann"}, {"operator": True, "seat": 0}):
        assert not FORMS["actor"](actor)
