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
from service.games import clock_votes, history_queries, takeback
from service.games.commit import commit
from service.games.takeback import Back
from service.store.stream_reader import undone_by
from tests.service.store.house import House, check


def goes_back(house: House, game: str, name: str, **more: object) -> Back:
    with house.services.database.write() as tx:
        return takeback.go_back(house.services, tx, game, house.ids[name], **more)


def votes(house: House, game: str, seat: int, agrees: bool) -> None:
    proposal = house.head(game).table.proposal
    assert proposal is not None
    player = house.head(game).table.chairs[seat].player
    with house.services.database.write() as tx:
        (takeback if proposal.what == "rewind" else clock_votes).vote(house.services, tx, game, player or "", agrees)


def wander(house: House, game: str, seed: object, most: int) -> int:
    """Play and go back at random. How often the game went back."""
    chance = random.Random(str(seed))
    for _ in range(most):
        table = house.head(game).table
        if table.status != "running":
            break
        if table.proposal is not None:
            seat = next(one for one in table.proposal.asked if one not in table.proposal.agreed)
            votes(house, game, seat, chance.random() < 0.8)
        elif chance.random() < 0.3:
            _wishes(house, game, chance)
        else:
            house.wanders(game, chance.random(), late=0, most=1)
    with house.services.database.read() as connection:
        return len(house.services.streams.rewinds(connection, game, house.head(game).version))


def _wishes(house: House, game: str, chance: random.Random) -> None:
    players = [chair.player for chair in house.head(game).table.chairs if chair.player]
    player = chance.choice(players)
    try:
        with house.services.database.write() as tx:
            if chance.random() < 0.1:
                clock_votes.propose(house.services, tx, game, player, "extend", 86_400)
            else:
                takeback.go_back(house.services, tx, game, player)
    except RuleViolation as refused:
        if refused.code not in ("nothing-to-undo", "seal-opened"):
            raise


@pytest.mark.parametrize("kind", ["pennies", "tammany-hall", "city-hall"])
def test_i04_i05_a_game_that_went_back_is_what_its_log_says(house: House, kind: str) -> None:
    game = house.begins(kind=kind, options={"rounds": "3"} if kind == "pennies" else {})
    assert wander(house, game, kind, most=90) > 2
    check(house.services, game)


def test_a_leaf_that_was_taken_back_is_not_opened_with_the_others(house: House) -> None:
    game = house.begins("ann", "bob", options={"rounds": "1"})
    house.moves(game, "ann", "hide 3 first")
    first = house.head(game).version
    house.moves(game, "ann", "hide 2 second")
    goes_back(house, game, "ann")
    house.moves(game, "bob", "hide 1")
    assert opened(house.services, game) == {first: True, first + 1: False, first + 3: True}
    assert house.head(game).table.game.caller == 0
    house.moves(game, "ann", "take")
    assert set(opened(house.services, game).values()) == {True}
    check(house.services, game)


def test_an_opening_that_follows_at_once_opens_what_was_shut_where_the_game_went_back_to(house: House) -> None:
    game = house.begins("ann", "bob", options={"rounds": "1"})
    house.moves(game, "ann", "hide 3 first")
    first = house.head(game).version
    house.moves(game, "ann", "hide 2 second")
    with house.services.database.write() as tx:
        head = house.services.streams.lock(tx, game)
        record = Record(head.table, head.rules)
        reopen(record, 0, first, "slip", house.services.streams.table_at(tx, game, head.rules, first))
        play(record, 1, head.rules.notation.parse("hide 1", ()))
        settle(record, seat_actor(1))
        commit(house.services, tx, head, record)
    assert opened(house.services, game) == {first: True, first + 1: False, first + 3: True}


def opened(services: Services, game: str) -> dict[int, bool]:
    """The leaves of seats: whether each is open to everybody."""
    with services.database.read() as connection:
        query = "SELECT version, opened FROM leaves WHERE game_id = :game AND owner IS NOT NULL"
        return {row[0]: row[1] is not None for row in connection.execute(sa.text(query), {"game": game})}


def test_two_who_agree_at_once_go_back_once(house: House) -> None:
    game = house.begins("ann", "bob", "cyd")
    house.moves(game, "ann", "hide 1")
    house.moves(game, "bob", "hide 1")
    goes_back(house, game, "ann")
    votes(house, game, 1, True)
    with pytest.raises(AssertionError):
        votes(house, game, 1, True)
    with house.services.database.read() as connection:
        ((back, to),) = house.services.streams.rewinds(connection, game, house.head(game).version)
        assert house.services.streams.rewinds(connection, game, house.head(game).version, after=back) == []
        assert house.services.streams.undone_by(connection, game, to + 1, back) == back
        assert house.services.streams.undone_by(connection, game, to, back) is None


def test_nobody_is_asked_twice_in_one_game_by_going_back(house: House) -> None:
    """Every decision has one row, whatever was undone."""
    game = house.begins("ann", "bob", "cyd", options={"rounds": "3"})
    for _ in range(3):
        house.moves(game, "ann", "hide 1")
        goes_back(house, game, "ann")
    with house.services.database.read() as connection:
        rows = sa.text("SELECT seat, since FROM decisions WHERE game_id = :game ORDER BY seat")
        found = [tuple(row) for row in connection.execute(rows, {"game": game})]
    assert [seat for seat, _ in found] == [0, 1, 2]
    assert found[0][1] == house.head(game).version
    check(house.services, game)


def test_what_a_sentence_says_of_each_event_is_for_everybody(house: House) -> None:
    game = house.begins("ann", "bob", "cyd")
    house.moves(game, "ann", "hide 1 canary")
    version = house.head(game).version
    goes_back(house, game, "ann")
    with house.services.database.read() as connection:
        head = house.services.streams.head(connection, game)
        for seat in (None, 1):
            (told,) = history_queries.describe(house.services, connection, head, seat, [version], ["Ann", "Bob", "Cyd"])
            assert told == "PennyHidden"
        assert history_queries.describe(house.services, connection, head, None, [], ["Ann", "Bob", "Cyd"]) == []


@pytest.mark.parametrize(
    "version, expected", [(4, None), (5, 9), (8, 9), (9, None), (10, 20), (13, 15), (15, 20), (16, 20), (20, None)]
)
def test_an_event_is_undone_by_the_first_that_went_back_behind_it(version: int, expected: int | None) -> None:
    assert undone_by([(9, 4), (15, 12), (20, 9)], version) == expected


def test_a_clock_that_stood_for_an_answer_nobody_owes_runs_again(house: House) -> None:
    clock = {"per_move": "P3D", "on_timeout": "pause", "strikes": 3}
    game = house.begins("ann", "bob", "cyd", clock=clock, options={"rounds": "3"})
    for name, pennies in (("ann", 0), ("bob", 3), ("cyd", 1)):
        house.moves(game, name, f"hide {pennies}")
    house.moves(game, "bob", "take")
    house.moves(game, "ann", "hide 1")
    assert house.expires(game, 2)
    assert house.head(game).table.paused
    before = next(n for n, it in enumerate(_events(house, game), 1) if type(it).__name__ == "HandsOpened")
    goes_back(house, game, "ann", to=before, reason="lapse")
    for seat in (1, 2):
        votes(house, game, seat, True)
    table = house.head(game).table
    assert (table.paused, table.late) == (False, None)
    assert isinstance(_events(house, game)[-1], e.ClockResumed)
    with house.services.database.read() as connection:
        rows = sa.text("SELECT seat, due_at FROM decisions WHERE game_id = :game")
        ((seat, due),) = connection.execute(rows, {"game": game})
    assert (seat, due is not None) == (1, True)
    check(house.services, game)


def _events(house: House, game: str) -> list[object]:
    head = house.head(game)
    with house.services.database.read() as connection:
        return list(house.services.streams.facts_seen(connection, game, head.rules, None, after=0, upto=head.version))
