"""The event store on both engines: versions, chain, writers at once, the state as a cache, time (I-02 to I-05)."""

import os
import random
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import SQLModel

from domain.engine.bots import Bot
from domain.engine.refusals import RuleViolation
from domain.table.evolve import blind, copy, fold
from domain.table.record import Record
from domain.table.state import Table
from service.deadlines import expire
from service.games import bots, play, standing_orders, takeback
from service.games.commit import commit
from service.games.play import NotSeated, Orders
from service.kernel import clock
from service.kernel.clock import Clock
from service.store.clocks import decisions
from service.store.event_store.streams import NoSuchGame, StaleTurn
from service.store.event_store.streams import games as games_table
from service.store.outgoing import outbox
from service.store.outgoing.deliveries import deliveries
from service.store.outgoing.outbox import outbox as outbox_table
from tests.service.store.service_tables import check, micros, snapshot
from tests.tables import Tables

GAMES = ["pennies", "tammany-hall"]


# One stream


def test_i02_i03_versions_have_no_gaps_and_the_chain_goes_on(tables):
    game = tables.begin()
    for name, text in (("ann", "hide 2"), ("bob", "hide 3"), ("bob", "hide 1"), ("cyd", "hide 0")):
        before = tables.head(game)
        moved = tables.move(game, name, text)
        assert moved.stored[0].version == before.version + 1
        assert f'"previous":"{before.hash}"'.encode() in moved.stored[0].body
        assert (moved.head.version, moved.head.hash) == (moved.stored[-1].version, moved.stored[-1].hash)
        assert tables.head(game).hash == moved.head.hash
    check(tables.services, game)
    last, streams = tables.head(game), tables.services.streams
    with tables.services.database.read() as connection:
        for at, version in ((last.last_at, last.version), (last.last_at - 1, before.version), (0, 0)):
            assert streams.version_at(connection, game, at, last.version) == version, at
        told = streams.history(connection, game, last.rules, last.version)
        assert (len(told), told[-1].actor, told[-1].at) == (last.version, {"seat": 2}, clock.text(last.last_at))


def test_two_games_have_nothing_to_do_with_each_other(tables):
    one, other = tables.begin(), tables.begin("dan", "eve")
    untouched = tables.export(other)
    tables.move(one, "ann", "hide 1")
    assert tables.export(other) == untouched
    check(tables.services, one)
    check(tables.services, other)


def test_a_stale_turn_is_refused_and_says_where_the_game_is(tables):
    game = tables.begin()
    seen = tables.head(game).version
    tables.move(game, "ann", "hide 1", seen=seen)
    tables.move(game, "bob", "hide 3", seen=seen)  # what another sealed changes nothing for bob
    tables.move(game, "cyd", "hide 1", seen=seen + 1)
    before = snapshot(tables.services)
    with pytest.raises(StaleTurn) as stale:
        tables.move(game, "bob", "take", seen=seen)
    assert (stale.value.seen, stale.value.version) == (seen, tables.head(game).version)
    with pytest.raises(StaleTurn):
        tables.move(game, "bob", "take", seen=tables.head(game).version + 5)
    assert snapshot(tables.services) == before
    tables.move(game, "bob", "take", seen=tables.head(game).version)


def test_a_refused_move_records_nothing(tables):
    game = tables.begin()
    before = snapshot(tables.services)
    with pytest.raises(RuleViolation):
        tables.move(game, "ann", "hide 1\ntake")
    tables.player("eve")
    before["players"], before["tokens"] = snapshot(tables.services)["players"], snapshot(tables.services)["tokens"]
    with pytest.raises(NotSeated):
        tables.move(game, "eve", "hide 1")
    with pytest.raises(NoSuchGame):
        tables.move("nosuchgame", "ann", "hide 1")
    assert snapshot(tables.services) == before


def test_s11_a_private_table_is_to_strangers_as_if_it_were_not_there(tables):
    game = tables.open(public=False, invite=["Friend@People.example"])
    tables.player("stranger")
    tables.player("friend")
    with tables.services.database.read() as connection:
        with pytest.raises(NoSuchGame) as hidden:
            play.look(tables.services, connection, game, tables.ids["stranger"])
        with pytest.raises(NoSuchGame) as absent:
            play.look(tables.services, connection, "nosuchgame", tables.ids["stranger"])
        assert type(hidden.value) is type(absent.value)
        play.look(tables.services, connection, game, tables.ids["friend"])
    tables.sit(game, "friend")


# Writers at once


def at_once(number: int, what: Callable[[int], object]) -> list[object]:
    """What each of some threads got or raised, all let go at the same moment."""
    results: list[object] = [None] * number
    gate = threading.Barrier(number)

    def run(which: int) -> None:
        gate.wait()
        try:
            results[which] = what(which)
        except Exception as error:  # the test says which are right
            results[which] = error

    threads = [threading.Thread(target=run, args=(which,)) for which in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "a writer hangs"
    return results


def test_i15_of_many_moves_at_one_version_exactly_one_wins(tables):
    game = tables.begin()
    for _ in range(5):
        seen = tables.head(game).version
        results = at_once(6, lambda n, seen=seen: tables.move(game, "ann", f"hide {n % 4}", seen=seen))
        stale = [one for one in results if isinstance(one, StaleTurn)]
        assert len(stale) == 5, results
        assert tables.head(game).version == seen + 1
    check(tables.services, game)


def test_i02_moves_of_all_seats_at_once_are_all_recorded_in_some_order(tables):
    game = tables.begin("ann", "bob", "cyd", "dan", "eve")
    version = tables.head(game).version
    names = ["ann", "bob", "cyd", "dan"]  # not the last: the hands stay shut
    results = at_once(4, lambda n: [tables.move(game, names[n], f"hide {turn % 4}") for turn in range(5)])
    assert not [one for one in results if isinstance(one, Exception)], results
    assert tables.head(game).version == version + 20
    check(tables.services, game)


@pytest.mark.slow
def test_i09_a_turn_that_expires_while_it_is_played_is_one_or_the_other(tables):
    for round_ in range(6):
        game = tables.begin()
        player = tables.ids["bob"]
        with tables.services.database.write() as tx:
            tx.execute(sa.update(deliveries).values(state="sent"))
            tx.execute(sa.update(decisions.decisions).values(acts_at=1))
            since = tables.services.streams.head(tx, game).version

        def act(which: int, game: str = game, since: int = since, player: str = player, round_: int = round_) -> object:
            if which == round_ % 2:
                with tables.services.database.write() as tx:
                    return expire.expire_turn(tables.services, tx, game, 1, since)
            with tables.services.database.write() as tx:
                return play.move(tables.services, tx, game, player, Orders(text="hide 2"), seen={since})

        results = at_once(2, act)
        expired = results[round_ % 2]
        assert expired in (True, False)
        assert isinstance(results[1 - round_ % 2], StaleTurn) == expired
        check(tables.services, game)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["commit", "rollback"])
def test_f41_a_second_writer_waits_for_the_first_and_sees_what_it_left(tables, ending):
    game = tables.begin()
    services, seen = tables.services, tables.head(game).version
    locked, done, found = threading.Event(), threading.Event(), []

    def second() -> None:
        locked.wait(60)
        with services.database.write() as tx:
            found.append(services.streams.lock(tx, game).version)
        done.set()

    other = threading.Thread(target=second)
    other.start()
    try:
        with services.database.write() as tx:
            play.move(services, tx, game, tables.ids["ann"], Orders(text="hide 1"))
            locked.set()
            assert not done.wait(0.3), "the second writer went past a lock"
            if ending == "rollback":
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    other.join(60)
    assert found == [seen + (ending == "commit")]
    check(services, game)


def test_f41_who_appends_without_the_lock_fails_cleanly(tables):
    game = tables.begin()
    services = tables.services
    with services.database.read() as connection:
        stale = services.streams.head(connection, game)
    tables.move(game, "ann", "hide 1")
    before = snapshot(services)
    record = Record(stale.table, stale.rules)
    record.add(
        {"seat": 1}, *stale.rules.decider.decide(stale.table.game, 1, stale.rules.notation.parse("hide 3", ())[0])
    )
    with pytest.raises(IntegrityError), services.database.write() as tx:
        commit(services, tx, stale, record)
    assert snapshot(services) == before
    check(services, game)


def test_t34_a_transaction_undone_by_an_error_leaves_the_next_writer_alone(tables):
    game = tables.begin()

    def stumble():
        with tables.services.database.write() as tx:
            tables.services.streams.lock(tx, game)
            raise ZeroDivisionError

    for _ in range(20):  # more than the pool has connections
        with pytest.raises(ZeroDivisionError):
            stumble()
    tables.move(game, "ann", "hide 1")


@pytest.mark.postgres
@pytest.mark.slow
def test_f37_a_row_that_stays_locked_fails_within_its_limit_and_leaves_other_games_alone(
    migrated_postgres, open_services
):
    tables = Tables(open_services(migrated_postgres))
    beside = open_services(migrated_postgres)
    game, free = tables.begin(), tables.begin("dan", "eve")
    with beside.database.write() as tx:
        beside.streams.lock(tx, game)
        tables.move(free, "dan", "hide 1")
        began = time.monotonic()
        with pytest.raises(DBAPIError):
            tables.move(game, "ann", "hide 1")
        assert 2.5 < time.monotonic() - began < 30
    tables.move(game, "ann", "hide 1")


# The state is a cache


@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.slow
def test_i04_i05_a_whole_game_with_passing_deadlines_agrees_with_its_log(tables, kind):
    game = tables.begin("ann", "bob", bots=1, kind=kind)
    tables.play_out(game, seed=kind, late=0.12)
    assert check(tables.services, game).status in ("finished", "abandoned")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_i04_i05_log_state_seats_decisions_and_outbox_agree_after_every_move(tables, seed):
    chance = random.Random(seed)
    terms = {"bots": chance.randrange(2), "options": {"rounds": "3"}}
    game = tables.begin("ann", "bob", "cyd", **terms, clock={"per_move": "P3D", "strikes": 1 + seed % 2})
    while tables.play_out(game, seed=f"{seed} {tables.head(game).version}", late=0.25, most=1):
        check(tables.services, game)
    check(tables.services, game)


def test_the_notices_of_invitations_and_of_leaving_are_there_too(tables):
    game = tables.open(seats=4, invite=["zoe@people.example", "Zoe@people.example", "yan@people.example"])
    with tables.services.database.read() as connection:
        found = connection.execute(sa.select(outbox_table.c.recipient, outbox_table.c.kind)).fetchall()
    assert sorted(map(tuple, found)) == [("yan@people.example", "invitation"), ("zoe@people.example", "invitation")]
    tables.sit(game, "bob")
    for name in ("ann", "bob"):
        with tables.services.database.write() as tx:
            play.leave_seat(tables.services, tx, game, tables.ids[name])
    assert check(tables.services, game).status == "abandoned"


def test_i04_every_state_rebuilt_from_the_log_is_the_state_that_was_kept(tables):
    found = [tables.begin(), tables.begin("dan", "eve", options={"rounds": "1"}), tables.open("flo")]
    tables.move(found[0], "ann", "hide 3")
    tables.play_out(found[1], seed=1)
    for game in found:
        kept = tables.head(game).table
        with tables.services.database.write() as tx:
            assert tables.services.streams.rebuild(tx, game) is False, "nothing differed"
        assert tables.head(game).table == kept


def plain(head):
    """The table as a plain one, which compares with others."""
    return copy(head.table, head.rules)


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x00" * 200], ids=["deleted", "cut", "overwritten"])
def test_i04_a_state_that_is_gone_or_broken_is_rebuilt_from_the_log_alone(tables, damage):
    game = tables.begin()
    tables.move(game, "ann", "hide 3 canary")
    kept = plain(tables.head(game))
    with tables.services.database.write() as tx:
        tx.execute(sa.update(games_table).values(state=damage))
    if not damage:
        assert plain(tables.head(game)) == kept, "a deleted state changes nothing"
        tables.move(game, "bob", "hide 1")
        check(tables.services, game)
        with tables.services.database.write() as tx:
            tx.execute(sa.update(games_table).values(state=damage))
        kept = plain(tables.head(game))
    with tables.services.database.write() as tx:
        assert tables.services.streams.rebuild(tx, game) is True
    assert plain(tables.head(game)) == kept
    check(tables.services, game)


def test_i04_a_wrong_state_is_noticed_when_it_is_rebuilt(tables):
    game = tables.begin()
    head = tables.head(game)
    head.table.game.scores[0] = 99
    with tables.services.database.write() as tx:
        tx.execute(sa.update(games_table).values(state=tables.services.streams._seal_state(game, head.table)))
    with tables.services.database.write() as tx:
        assert tables.services.streams.rebuild(tx, game) is True
    assert tables.head(game).table.game.scores[0] == 0
    with pytest.raises(NoSuchGame), tables.services.database.write() as tx:
        tables.services.streams.rebuild(tx, "nosuchgame")


@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.slow
def test_s01_the_state_a_seat_folds_from_the_log_is_its_blind_live_state(tables, kind):
    game = tables.begin("ann", "bob", bots=1, kind=kind)
    services, chance = tables.services, random.Random(kind)
    for _ in range(60):
        head = tables.head(game)
        with services.database.read() as connection:
            for seat in (None, 0, 1, 2):
                seen = services.streams.table_seen(connection, game, head.rules, head.version, seat)
                assert seen == copy(blind(head.table, head.rules, seat), head.rules)
            whole = services.streams.table_at(connection, game, head.rules, head.version)
            assert whole == copy(head.table, head.rules)
        if not tables.play_out(game, seed=chance.random(), late=0.05, most=1):
            return


def test_s01_facts_come_in_pieces_that_fold_to_the_whole(tables):
    game = tables.begin()
    tables.play_out(game, seed=3)
    head = tables.head(game)
    with tables.services.database.read() as connection:
        table = Table()
        for after in range(0, head.version, 3):
            upto = min(after + 3, head.version)
            pieces = tables.services.streams.facts_seen(connection, game, head.rules, None, after=after, upto=upto)
            table = fold(table, head.rules, pieces)
    assert table.status == head.table.status
    assert table.version == head.version


def test_s01_a_leaf_opens_with_its_round_and_not_before(tables):
    game = tables.begin()
    hidden = tables.move(game, "ann", "hide 1 first").stored[0].version
    replaced = tables.move(game, "ann", "hide 2 second").stored[0].version
    tables.move(game, "bob", "hide 0")
    before = tables.head(game).version
    opened = tables.move(game, "cyd", "hide 3").stored[-1].version

    def shown(seat, upto, version):
        with tables.services.database.read() as connection:
            (then,) = tables.services.streams.seen(connection, game, seat, after=version - 1, upto=version)
            later = tables.services.streams.seen(connection, game, seat, after=0, upto=upto)[version - 1]
        assert ("data" in then["sealed"][0]) == (seat == 0), "as it was then"
        return "data" in later["sealed"][0]

    assert shown(0, before, hidden)
    assert not shown(1, before, replaced)
    assert not shown(None, before, replaced)
    assert shown(1, opened, replaced)
    assert shown(None, opened, replaced)
    assert not shown(1, opened, hidden), "what was replaced stays sealed until the end"


def test_the_last_act_of_a_seat_is_found(tables):
    game = tables.begin()
    acted = tables.move(game, "bob", "hide 1").head.version
    tables.expire(game, 0)
    with tables.services.database.read() as connection:
        upto = tables.head(game).version
        assert tables.services.streams.last_act(connection, game, 1, upto) == acted
        assert tables.services.streams.last_act(connection, game, 1, acted - 1) == 3, "the seat was taken"
        assert tables.services.streams.last_act(connection, game, 9, upto) == 0


def test_an_opening_is_news_also_to_who_sealed_last(tables):
    """OUT-03, TH-9.10: news begin after the bid, before what it opened, and before a move that was taken back."""
    game = tables.begin("ann", "bob")
    streams = tables.services.streams

    def last_move(seat):
        with tables.services.database.read() as connection:
            return streams.last_move(connection, game, seat, tables.head(game).version)

    def undo():
        with tables.services.database.write() as tx:
            assert takeback.go_back(tables.services, tx, game, tables.ids["ann"]).done

    hidden = tables.move(game, "ann", "hide 3").stored[0].version
    sealed, opened = (stored.version for stored in tables.move(game, "bob", "hide 1").stored)
    assert (last_move(0), last_move(1)) == (hidden, sealed)
    tables.move(game, "ann", "nod")
    undo()
    assert last_move(0) == hidden, "the opening is news again, for the nod was taken back"
    taken = tables.move(game, "ann", "nod\nnod").stored[-1].version
    assert last_move(0) == taken
    undo()
    assert (last_move(0), last_move(1)) == (hidden, sealed)
    assert opened == sealed + 1


def test_what_orders_did_when_the_host_sent_a_bot_away_is_no_move_by_ones_own_hand(tables):
    game = tables.begin("ann", bots=[Bot(1)])
    ann, streams = tables.ids["ann"], tables.services.streams
    with tables.services.database.read() as connection:
        assert streams.last_move(connection, game, 0, tables.head(game).version) == 2, "who opens a table sits down"
    acted = tables.move(game, "ann", "hide 2").head.version
    with tables.services.database.write() as tx:
        standing_orders.put_orders(tables.services, tx, game, ann, text="take")
    with tables.services.database.write() as tx:
        bots.send_bot_away(tables.services, tx, game, ann, 1)
    with tables.services.database.read() as connection:
        upto = tables.head(game).version
        assert streams.last_act(connection, game, 0, upto) > acted, "the orders took the pot"
        assert streams.last_move(connection, game, 0, upto) == acted


def test_i17_looking_changes_nothing(tables):
    game = tables.begin()
    tables.move(game, "ann", "hide 1")
    before = snapshot(tables.services)
    with tables.services.database.read() as connection:
        head, seat = play.look(tables.services, connection, game, tables.ids["ann"])
        play.rehearse(tables.services, connection, game, tables.ids["bob"], Orders(text="hide 3"))
        tables.services.streams.table_at(connection, game, head.rules, head.version)
    tables.export(game, seat)
    assert snapshot(tables.services) == before


# Time


class Backwards(Clock):
    """A clock that goes back an hour each time it is asked."""

    def __init__(self) -> None:
        self.time = 1_800_000_000_000_000

    def now(self, connection: sa.Connection | None = None) -> int:
        self.time -= 3600_000_000
        return self.time


def test_t42_the_time_of_events_never_decreases_though_the_clock_does(url, open_services):
    tables = Tables(open_services(url, clock=Backwards()))
    game = tables.begin()
    tables.move(game, "ann", "hide 1")
    tables.move(game, "bob", "hide 1")
    times = [event["at"] for event in _events(tables, game)]
    assert times == sorted(times)
    assert times[0] == times[-1]
    check(tables.services, game)


def _events(tables, game):
    with tables.services.database.read() as connection:
        return tables.services.streams.seen(connection, game, None, after=0, upto=tables.head(game).version)


@pytest.mark.parametrize("zone", ["Pacific/Chatham", "America/New_York"])
def test_t40_the_zone_of_the_machine_plays_no_part(tables, zone, monkeypatch):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        game = tables.begin()
        at = datetime.fromisoformat(_events(tables, game)[-1]["at"])
        owed = snapshot(tables.services)["decisions"]
    finally:
        monkeypatch.undo()
        time.tzset()
    assert abs((datetime.now(UTC) - at).total_seconds()) < 60
    assert {row[6] - row[5] for row in owed} == {3 * 86400 * 1_000_000}, "three days are 72 hours (T-43)"


def test_t23_every_time_is_kept_as_microseconds():
    times = {"at", "last_at", "lease_until", "not_before"}
    columns = [one for table in SQLModel.metadata.sorted_tables for one in table.columns]
    found = [one for one in columns if one.name in times or (one.name.endswith("_at") and one.name != "wakes_at")]
    assert len(found) > 15
    assert {type(one.type) for one in found} == {sa.BigInteger}
    assert not [one for one in columns if isinstance(one.type, sa.DateTime | sa.Date | sa.Float | sa.JSON)]


@given(st.integers(0, 4_102_444_800_000_000))
def test_t23_a_time_as_text_is_utc_with_microseconds_and_can_be_read_back(at):
    text = clock.text(at)
    assert len(text) == 27
    assert text.endswith("Z")
    assert micros(text) == at
    assert clock.moment(at).utcoffset().total_seconds() == 0


@given(st.integers(0, 4_102_444_800_000_000), st.integers(0, 4_102_444_800_000_000))
def test_t23_times_as_text_sort_like_times(one, other):
    assert (clock.text(one) < clock.text(other)) == (one < other)


def test_q8_the_clock_of_record_is_the_database_s_where_it_has_one(services):
    with services.database.read() as connection:
        mine, its = time.time(), services.database.clock.now(connection) / 1e6
    assert abs(mine - its) < 5
    assert (services.database.clock.sql is None) == services.database.is_sqlite


@pytest.mark.slow
def test_every_reader_and_writer_in_another_process_starts_afresh(sqlite_room):
    tables = Tables(sqlite_room)
    game = tables.begin()
    child = os.fork()
    if child == 0:
        try:
            tables.services.database.forked()
            tables.move(game, "ann", "hide 1")
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    tables.move(game, "bob", "hide 2")
    check(tables.services, game)


def test_the_outbox_refuses_a_second_of_the_same(tables):
    game = tables.begin()
    with tables.services.database.read() as connection:
        row = dict(connection.execute(sa.select(outbox_table).limit(1)).mappings().one())
    kept = {name: row[name] for name in ("recipient", "game_id", "kind", "decision", "created_at")}
    with pytest.raises(IntegrityError), tables.services.database.write() as tx:
        outbox.put(tx, [kept])
    check(tables.services, game)
