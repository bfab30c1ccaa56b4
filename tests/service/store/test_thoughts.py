"""What bots think about: a row as long as they are asked, and claims that are fair between games and people."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from domain.engine.bots import Bot
from domain.engine.game import Seat
from domain.table.record import Record, seat_actor
from service.games import bots, play, takeback
from service.kernel.clock import SECOND
from service.store.clocks.decisions import decisions
from service.store.event_store.states import decode_state, encode_state
from service.store.games import seats, thoughts
from service.store.games.thoughts import Queue, Thought
from service.store.outgoing.deliveries import notices
from tests.domain.table.pennies import PENNIES
from tests.manual_clock import ManualClock
from tests.tables import Tables

PATIENT = Bot(2, "patient")
EVEN = Bot()
LEASE = 15 * SECOND


class Thinkers(Tables):
    """Tables at which bots think; times of claims are given in seconds since the first of them was opened."""

    def thoughts(self, game: str) -> Sequence[Thought]:
        with self.services.database.read() as connection:
            return thoughts.of_game(connection, game)

    def answers(self, game: str, seat: Seat, text: str) -> None:
        """A bot makes a move."""
        with self.services.database.write() as tx:
            head = self.services.streams.lock(tx, game)
            record = Record(head.table, head.rules)
            play.play(record, seat, head.rules.notation.parse(text, head.rules.notation.pawns))
            play.conclude(self.services, tx, head, record, seat_actor(seat))

    def claim(self, now: int, by: str = "worker", lease: int = LEASE) -> Thought | None:
        with self.services.database.write() as tx:
            return thoughts.claim(tx, by, now, now + lease)

    def claims(self, now: int, most: int) -> list[Thought]:
        """So many claims in a row, by workers of their own."""
        found = [self.claim(now, f"worker {number}") for number in range(most)]
        return [thought for thought in found if thought is not None]

    def owing(self, game: str) -> set[Seat]:
        with self.services.database.read() as connection:
            found = sa.select(decisions.c.seat).where(decisions.c.game_id == game)
            return set(connection.execute(found).scalars())

    def later(self, game: str, seconds: int) -> None:
        """What this game asks was asked so much later."""
        with self.services.database.write() as tx:
            mine = sa.update(thoughts.thoughts).where(thoughts.thoughts.c.game_id == game)
            moved = {name: thoughts.thoughts.c[name] + seconds * SECOND for name in ("began_at", "turn_at")}
            tx.execute(mine.values(moved))


@pytest.fixture
def tables(services: Any) -> Thinkers:
    return Thinkers(services)


@pytest.fixture
def on_sqlite(migrated_sqlite: str, open_services: Any) -> Thinkers:
    return Thinkers(open_services(migrated_sqlite, clock=ManualClock()))


def now_of(tables: Thinkers, game: str) -> int:
    return max(thought.turn_at for thought in tables.thoughts(game)) + SECOND


# Asked, and asked no more


def test_a_bot_that_is_asked_thinks_and_owes_nothing(tables: Thinkers) -> None:
    game = tables.begin("ann", "bob", bots=[PATIENT])
    (thought,) = tables.thoughts(game)
    head = tables.head(game)
    assert (thought.seat, thought.since, thought.decision, thought.bot) == (2, head.version, "hide-1", PATIENT)
    assert (thought.began_at, thought.attempts, thought.lease_until) == (head.last_at, 0, 0)
    assert tables.owing(game) == {0, 1}
    with tables.services.database.read() as connection:
        assert [seats.count_bot_tables(connection, tables.ids[name]) for name in ("ann", "bob")] == [1, 0]


def test_a_bot_that_plays_at_once_has_nothing_to_think_about(on_sqlite: Thinkers) -> None:
    assert on_sqlite.thoughts(on_sqlite.begin("ann", bots=[Bot(0, "patient")])) == []


def test_it_thinks_on_while_others_move_and_is_asked_no_more_when_it_has_moved(tables: Thinkers) -> None:
    game = tables.begin("ann", "bob", bots=[PATIENT])
    (before,) = tables.thoughts(game)
    tables.move(game, "ann", "hide 1")
    assert tables.thoughts(game) == [before]
    tables.answers(game, 2, "hide 3")
    assert tables.thoughts(game) == []
    tables.move(game, "bob", "hide 0")
    (again,) = tables.thoughts(game)
    assert (again.decision, again.since) == ("take-1", tables.head(game).version)


def test_of_several_each_thinks_for_itself(on_sqlite: Thinkers) -> None:
    game = on_sqlite.begin("ann", bots=[PATIENT, EVEN])
    first, second = on_sqlite.thoughts(game)
    assert (first.seat, first.bot, second.seat, second.bot) == (1, PATIENT, 2, EVEN)
    on_sqlite.answers(game, 1, "hide 2")
    assert on_sqlite.thoughts(game) == [second]


def test_what_a_bot_did_may_leave_it_the_same_question_and_a_new_thought(on_sqlite: Thinkers) -> None:
    game = on_sqlite.begin("ann", bots=[PATIENT])
    on_sqlite.move(game, "ann", "hide 0")
    on_sqlite.answers(game, 1, "hide 3")
    (asked,) = on_sqlite.thoughts(game)
    claimed = on_sqlite.claim(now_of(on_sqlite, game))
    on_sqlite.answers(game, 1, "nod")
    (again,) = on_sqlite.thoughts(game)
    assert (again.decision, again.lease_until, again.attempts) == (asked.decision, 0, 0)
    assert again.since > asked.since
    assert claimed is not None
    assert on_sqlite.claim(now_of(on_sqlite, game), "worker") is not None, "the same worker takes it up"
    with on_sqlite.services.database.write() as tx:
        assert not thoughts.hold(tx, claimed), "what it thought of is over"


def test_going_back_begins_every_thought_anew(on_sqlite: Thinkers) -> None:
    game = on_sqlite.begin("ann", "bob", bots=[PATIENT])
    on_sqlite.move(game, "ann", "hide 1")
    (before,) = on_sqlite.thoughts(game)
    with on_sqlite.services.database.write() as tx:
        takeback.go_back(on_sqlite.services, tx, game, on_sqlite.ids["ann"])
    (after,) = on_sqlite.thoughts(game)
    assert after.since == on_sqlite.head(game).version > before.since


def test_another_bot_in_its_place_begins_anew_and_none_ends_it(on_sqlite: Thinkers) -> None:
    game = on_sqlite.begin("ann", bots=[PATIENT])
    ann = on_sqlite.ids["ann"]
    with on_sqlite.services.database.write() as tx:
        bots.seat_bot(on_sqlite.services, tx, game, ann, 1, Bot(3, "cautious"))
    (thought,) = on_sqlite.thoughts(game)
    assert (thought.bot, thought.since) == (Bot(3, "cautious"), on_sqlite.head(game).version)
    with on_sqlite.services.database.write() as tx:
        bots.send_bot_away(on_sqlite.services, tx, game, ann, 1)
    assert on_sqlite.thoughts(game) == []


def test_nobody_is_told_that_it_is_a_bot_s_turn_nor_the_host_of_what_the_host_did(on_sqlite: Thinkers) -> None:
    game = on_sqlite.begin("ann", "bob", bots=[PATIENT])
    on_sqlite.answers(game, 2, "hide 1")
    with on_sqlite.services.database.write() as tx:
        bots.send_bot_away(on_sqlite.services, tx, game, on_sqlite.ids["ann"], 2)
    with on_sqlite.services.database.read() as connection:
        told = connection.execute(sa.select(notices.c.kind, notices.c.seat).where(notices.c.game_id == game)).all()
    assert sorted(map(tuple, told)) == [("your-turn", 0), ("your-turn", 1)]


def test_a_game_that_is_over_asks_nobody(on_sqlite: Thinkers) -> None:
    game = on_sqlite.begin("ann", bots=[PATIENT], clock={"per_move": "P3D", "strikes": 1})
    on_sqlite.expire(game, 0)
    assert on_sqlite.head(game).table.status == "abandoned"
    assert on_sqlite.thoughts(game) == []


# Claims


def test_a_claim_is_a_lease_that_is_renewed_released_and_ends(tables: Thinkers) -> None:
    game = tables.begin("ann", bots=[PATIENT])
    now = now_of(tables, game)
    claimed = tables.claim(now, "first")
    assert claimed is not None
    assert (claimed.lease_by, claimed.lease_until, claimed.attempts) == ("first", now + LEASE, 1)
    assert tables.claim(now + LEASE - 1, "second") is None
    with tables.services.database.write() as tx:
        assert thoughts.renew(tx, claimed, now + 2 * LEASE)
    assert tables.claim(now + LEASE, "second") is None
    second = tables.claim(now + 2 * LEASE, "second")
    assert second is not None
    assert second.attempts == 2, "the first was killed"
    with tables.services.database.write() as tx:
        assert not thoughts.renew(tx, claimed, now + 9 * LEASE)
        assert not thoughts.hold(tx, claimed)
        assert not thoughts.release(tx, claimed, 0)
        assert thoughts.hold(tx, second)
        assert thoughts.release(tx, second, now + 3 * LEASE)
    assert tables.claim(now + 3 * LEASE - 1, "third") is None
    third = tables.claim(now + 3 * LEASE, "third")
    assert third is not None
    assert third.attempts == 3


def test_at_most_one_thought_of_a_game_is_under_way(tables: Thinkers) -> None:
    game = tables.begin("ann", bots=[PATIENT, EVEN, EVEN])
    now = now_of(tables, game)
    first = tables.claim(now)
    assert first is not None
    assert tables.claim(now) is None
    tables.answers(game, first.seat, "hide 1")
    second = tables.claim(now)
    assert second is not None
    assert first.seat != second.seat


@pytest.mark.slow
def test_nor_where_several_workers_claim_at_once(tables: Thinkers) -> None:
    """Each looks at what the others have, so they claim one after the other."""
    for _ in range(5):
        game = tables.begin("ann", bots=[EVEN] * 4)
        now = now_of(tables, game)
        with ThreadPoolExecutor(4) as workers:
            claimed = list(
                workers.map(lambda number, now=now: tables.claim(now, f"worker {number}", 3600 * SECOND), range(8))
            )
        assert sorted(thought.game_id for thought in claimed if thought is not None) == [game]


@pytest.mark.slow
def test_a_game_that_is_stopped_is_passed_over(on_sqlite: Thinkers) -> None:
    game = on_sqlite.begin("ann", bots=[PATIENT])
    now = now_of(on_sqlite, game)
    with on_sqlite.services.database.owner_engine().begin() as connection:
        connection.execute(sa.text("UPDATE games SET halted_at = 1"))
    assert on_sqlite.claim(now) is None
    with on_sqlite.services.database.read() as connection:
        assert thoughts.count(connection, now) == Queue(0, 0, None)


def many(tables: Thinkers, host: str, number: int) -> list[str]:
    return [tables.begin(host, bots=[EVEN]) for _ in range(number)]


@pytest.mark.slow
def test_one_person_of_fifty_games_does_not_keep_another_waiting(tables: Thinkers) -> None:
    of_ann = many(tables, "ann", 50)
    (of_bob,) = many(tables, "bob", 1)
    tables.later(of_bob, 1000)
    now = now_of(tables, of_bob) + 3600 * SECOND
    claimed = [thought.game_id for thought in tables.claims(now, 60)]
    assert claimed[0] == of_ann[0]
    assert claimed.index(of_bob) == 1, "ann has one under way, and bob none"
    assert sorted(claimed) == sorted([*of_ann, of_bob])
    with tables.services.database.read() as connection:
        assert thoughts.count(connection, now) == Queue(0, 51, None)


@pytest.mark.slow
def test_nor_where_a_single_worker_does_one_after_the_other(tables: Thinkers) -> None:
    of_ann = many(tables, "ann", 50)
    (of_bob,) = many(tables, "bob", 1)
    turn_of_ann, turn_of_bob = (tables.thoughts(game)[0].turn_at for game in (of_ann[0], of_bob))
    tables.later(of_bob, (turn_of_ann - turn_of_bob) // SECOND + 3)
    now, done = now_of(tables, of_bob) + 3600 * SECOND, []
    while (thought := tables.claim(now)) is not None and thought.game_id != of_bob:
        done.append(thought.game_id)
        tables.answers(thought.game_id, 1, "hide 1")
    assert done == of_ann[: len(done)]
    assert 1 <= len(done) <= 2, "those whose turn came in the three seconds before bob's"


@pytest.mark.slow
def test_nothing_is_put_off_for_more_than_a_minute(on_sqlite: Thinkers) -> None:
    games = many(on_sqlite, "ann", 40)
    turns = [on_sqlite.thoughts(game)[0] for game in games]
    assert [thought.turn_at for thought in turns] == sorted(thought.turn_at for thought in turns)
    assert turns[9].turn_at - turns[0].turn_at == 9 * thoughts.SLICE
    assert max(thought.turn_at - thought.began_at for thought in turns) <= thoughts.LONGEST + SECOND
    assert len({thought.turn_at for thought in turns}) > 30


def test_of_one_person_the_oldest_comes_first(on_sqlite: Thinkers) -> None:
    first, second, third = many(on_sqlite, "ann", 3)
    on_sqlite.later(first, 100)
    now = now_of(on_sqlite, first)
    assert [thought.game_id for thought in on_sqlite.claims(now, 3)] == [second, third, first]


def test_what_waits_and_what_is_under_way_is_counted(tables: Thinkers) -> None:
    one, other = many(tables, "ann", 2)
    began, now = tables.thoughts(one)[0].began_at, now_of(tables, other)
    with tables.services.database.read() as connection:
        assert thoughts.count(connection, now) == Queue(2, 0, began)
    tables.claim(now)
    with tables.services.database.read() as connection:
        assert thoughts.count(connection, now) == Queue(1, 1, tables.thoughts(other)[0].began_at)
        assert thoughts.count(connection, now + LEASE) == Queue(2, 0, began, again=1), "leases end"


def test_what_is_put_off_is_counted_apart_and_waits_from_when_it_may_be_begun(tables: Thinkers) -> None:
    game = tables.begin("ann", bots=[PATIENT])
    now = now_of(tables, game)
    claimed = tables.claim(now)
    assert claimed is not None
    with tables.services.database.write() as tx:
        assert thoughts.release(tx, claimed, now + SECOND)
    with tables.services.database.read() as connection:
        assert thoughts.count(connection, now) == Queue(0, 0, None, again=1, put_off=1)
        assert thoughts.count(connection, now + SECOND) == Queue(1, 0, now + SECOND, again=1)


def test_behind_another_bot_of_its_table_one_does_not_grow_old(tables: Thinkers) -> None:
    game = tables.begin("ann", bots=[PATIENT, EVEN])
    now = now_of(tables, game)
    tables.claim(now)
    with tables.services.database.read() as connection:
        assert thoughts.count(connection, now) == Queue(1, 1, None)


def test_a_state_of_another_form_is_not_read(on_sqlite: Thinkers) -> None:
    game = on_sqlite.begin("ann", "bob", bots=[Bot(0)])
    state = msgspec.msgpack.decode(encode_state(on_sqlite.head(game).table))
    assert decode_state(PENNIES, msgspec.msgpack.encode(state)) == on_sqlite.head(game).table
    for wrong in (state | {"chairs": 3}, state | {"chairs": [3]}, state | {"version": "x"}):
        with pytest.raises(msgspec.ValidationError):
            decode_state(PENNIES, msgspec.msgpack.encode(wrong))
