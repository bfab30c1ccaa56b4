"""Going back through the services: the log alone still says everything, whatever was undone (I-02 to I-05)."""

import random

import pytest
import sqlalchemy as sa

from domain.engine.refusals import RuleViolation
from domain.table import events as e
from domain.table.consent import reopen
from domain.table.play import play, settle
from domain.table.record import Record, seat_actor
from service.container import Services
from service.games import clock_votes, takeback
from service.games.commit import commit
from service.games.reader_view import ReaderView
from service.games.takeback import Back
from service.store.event_store.stream_reader import undone_by
from tests.service.store.service_tables import check
from tests.tables import Tables


def goes_back(tables: Tables, game: str, name: str, **more: object) -> Back:
    with tables.services.database.write() as tx:
        return takeback.go_back(tables.services, tx, game, tables.ids[name], **more)


def votes(tables: Tables, game: str, seat: int, agrees: bool) -> None:
    proposal = tables.head(game).table.proposal
    assert proposal is not None
    player = tables.head(game).table.chairs[seat].player
    with tables.services.database.write() as tx:
        (takeback if proposal.what == "rewind" else clock_votes).vote(tables.services, tx, game, player or "", agrees)


def wander(tables: Tables, game: str, seed: object, most: int) -> int:
    """Play and go back at random. How often the game went back."""
    chance = random.Random(str(seed))
    for _ in range(most):
        table = tables.head(game).table
        if table.status != "running":
            break
        if table.proposal is not None:
            seat = next(one for one in table.proposal.asked if one not in table.proposal.agreed)
            votes(tables, game, seat, chance.random() < 0.8)
        elif chance.random() < 0.3:
            _wishes(tables, game, chance)
        else:
            tables.play_out(game, chance.random(), late=0, most=1)
    with tables.services.database.read() as connection:
        return len(tables.services.streams.rewinds(connection, game, tables.head(game).version))


def _wishes(tables: Tables, game: str, chance: random.Random) -> None:
    players = [chair.player for chair in tables.head(game).table.chairs if chair.player]
    player = chance.choice(players)
    try:
        with tables.services.database.write() as tx:
            if chance.random() < 0.1:
                clock_votes.propose(tables.services, tx, game, player, "extend", 86_400)
            else:
                takeback.go_back(tables.services, tx, game, player)
    except RuleViolation as refused:
        if refused.code not in ("nothing-to-undo", "seal-opened"):
            raise


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pennies", "tammany-hall", "city-hall"])
def test_i04_i05_a_game_that_went_back_is_what_its_log_says(tables: Tables, kind: str) -> None:
    game = tables.begin(kind=kind, options={"rounds": "3"} if kind == "pennies" else {})
    assert wander(tables, game, kind, most=90) > 2
    check(tables.services, game)


def test_a_leaf_that_was_taken_back_is_not_opened_with_the_others(tables: Tables) -> None:
    game = tables.begin("ann", "bob", options={"rounds": "1"})
    tables.move(game, "ann", "hide 3 first")
    first = tables.head(game).version
    tables.move(game, "ann", "hide 2 second")
    goes_back(tables, game, "ann")
    tables.move(game, "bob", "hide 1")
    assert opened(tables.services, game) == {first: True, first + 1: False, first + 3: True}
    assert tables.head(game).table.game.caller == 0
    tables.move(game, "ann", "take")
    assert set(opened(tables.services, game).values()) == {True}
    check(tables.services, game)


def test_an_opening_that_follows_at_once_opens_what_was_shut_where_the_game_went_back_to(tables: Tables) -> None:
    game = tables.begin("ann", "bob", options={"rounds": "1"})
    tables.move(game, "ann", "hide 3 first")
    first = tables.head(game).version
    tables.move(game, "ann", "hide 2 second")
    with tables.services.database.write() as tx:
        head = tables.services.streams.lock(tx, game)
        record = Record(head.table, head.rules)
        reopen(record, 0, first, "slip", tables.services.streams.table_at(tx, game, head.rules, first))
        play(record, 1, head.rules.notation.parse("hide 1", ()))
        settle(record, seat_actor(1))
        commit(tables.services, tx, head, record)
    assert opened(tables.services, game) == {first: True, first + 1: False, first + 3: True}


def opened(services: Services, game: str) -> dict[int, bool]:
    """The leaves of seats: whether each is open to everybody."""
    with services.database.read() as connection:
        query = "SELECT version, opened FROM leaves WHERE game_id = :game AND owner IS NOT NULL"
        return {row[0]: row[1] is not None for row in connection.execute(sa.text(query), {"game": game})}


def test_two_who_agree_at_once_go_back_once(tables: Tables) -> None:
    game = tables.begin("ann", "bob", "cyd")
    tables.move(game, "ann", "hide 1")
    tables.move(game, "bob", "hide 1")
    goes_back(tables, game, "ann")
    votes(tables, game, 1, True)
    with pytest.raises(AssertionError):
        votes(tables, game, 1, True)
    with tables.services.database.read() as connection:
        ((back, to),) = tables.services.streams.rewinds(connection, game, tables.head(game).version)
        assert tables.services.streams.rewinds(connection, game, tables.head(game).version, after=back) == []
        assert tables.services.streams.undone_by(connection, game, to + 1, back) == back
        assert tables.services.streams.undone_by(connection, game, to, back) is None


def test_nobody_is_asked_twice_in_one_game_by_going_back(tables: Tables) -> None:
    """Every decision has one row, whatever was undone."""
    game = tables.begin("ann", "bob", "cyd", options={"rounds": "3"})
    for _ in range(3):
        tables.move(game, "ann", "hide 1")
        goes_back(tables, game, "ann")
    with tables.services.database.read() as connection:
        rows = sa.text("SELECT seat, since FROM decisions WHERE game_id = :game ORDER BY seat")
        found = [tuple(row) for row in connection.execute(rows, {"game": game})]
    assert [seat for seat, _ in found] == [0, 1, 2]
    assert found[0][1] == tables.head(game).version
    check(tables.services, game)


def test_what_a_sentence_says_of_each_event_is_for_everybody(tables: Tables) -> None:
    game = tables.begin("ann", "bob", "cyd")
    tables.move(game, "ann", "hide 1 canary")
    version = tables.head(game).version
    goes_back(tables, game, "ann")
    with tables.services.database.read() as connection:
        head = tables.services.streams.head(connection, game)
        for seat in (None, 1):
            view = ReaderView(tables.services, connection, head, seat)
            assert (view.describe([version]), view.describe([])) == (["PennyHidden"], [])


@pytest.mark.parametrize(
    "version, expected", [(4, None), (5, 9), (8, 9), (9, None), (10, 20), (13, 15), (15, 20), (16, 20), (20, None)]
)
def test_an_event_is_undone_by_the_first_that_went_back_behind_it(version: int, expected: int | None) -> None:
    assert undone_by([(9, 4), (15, 12), (20, 9)], version) == expected


def test_a_clock_that_stood_for_an_answer_nobody_owes_runs_again(tables: Tables) -> None:
    clock = {"per_move": "P3D", "on_timeout": "pause", "strikes": 3}
    game = tables.begin("ann", "bob", "cyd", clock=clock, options={"rounds": "3"})
    for name, pennies in (("ann", 0), ("bob", 3), ("cyd", 1)):
        tables.move(game, name, f"hide {pennies}")
    tables.move(game, "bob", "take")
    tables.move(game, "ann", "hide 1")
    assert tables.expire(game, 2)
    assert tables.head(game).table.paused
    before = next(n for n, it in enumerate(_events(tables, game), 1) if type(it).__name__ == "HandsOpened")
    goes_back(tables, game, "ann", to=before, reason="lapse")
    for seat in (1, 2):
        votes(tables, game, seat, True)
    table = tables.head(game).table
    assert (table.paused, table.late) == (False, None)
    assert isinstance(_events(tables, game)[-1], e.ClockResumed)
    with tables.services.database.read() as connection:
        rows = sa.text("SELECT seat, due_at FROM decisions WHERE game_id = :game")
        ((seat, due),) = connection.execute(rows, {"game": game})
    assert (seat, due is not None) == (1, True)
    check(tables.services, game)


def _events(tables: Tables, game: str) -> list[object]:
    head = tables.head(game)
    with tables.services.database.read() as connection:
        return list(tables.services.streams.facts_seen(connection, game, head.rules, None, after=0, upto=head.version))
