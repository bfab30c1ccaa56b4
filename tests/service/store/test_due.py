"""Due work: notices and deadlines are claimed under leases, once, in order, and a lost lease is fenced (Q-11, T-25)."""

import threading
import time

import msgspec
import pytest
import sqlalchemy as sa

from domain.engine.bots import Bot
from service.store.clocks import deadline_leases, decisions
from service.store.clocks.decisions import decisions as decision_rows
from service.store.games import analyses, thoughts
from service.store.incoming import inbox
from service.store.outgoing import deliveries, destinations, notice_queries, outbox, sent_mails, webhooks
from service.store.outgoing.outbox import outbox as rows

NOW = 1_800_000_000_000_000


def put(services, count, **more):
    base = {"recipient": "p_ann", "kind": "your-turn", **more}
    with services.database.write() as tx:
        outbox.put(tx, [{**base, "decision": str(n), "created_at": NOW + n} for n in range(count)])


def claim(services, lease, now=NOW + 1000, until=NOW + 2000, most=10):
    with services.database.write() as tx:
        return deliveries.claim(tx, "mail", lease, now, until, most)


def finish(services, row, lease, state="sent"):
    with services.database.write() as tx:
        mine = msgspec.structs.replace(row, lease=lease)
        return deliveries.finish(tx, mine, state, NOW + 5, message_id="<m@x>", reason=None)


def kept(services):
    with services.database.read() as connection:
        return connection.execute(sa.select(rows).order_by(rows.c.id)).mappings().all()


def test_notices_are_claimed_in_the_order_they_are_due(services):
    with services.database.write() as tx:
        base = {"recipient": "p_ann", "kind": "your-turn"}
        times = [5, 3, 9, 3, 1]
        outbox.put(tx, [{**base, "decision": str(n), "created_at": NOW + at} for n, at in enumerate(times)])
    assert [row.decision for row in claim(services, "one", most=3)] == ["4", "1", "3"]
    assert [row.decision for row in claim(services, "two")] == ["0", "2"]


def test_a_notice_waits_for_its_time(services):
    put(services, 3, not_before=NOW + 500)
    assert claim(services, "one", now=NOW + 499) == []
    assert len(claim(services, "one", now=NOW + 500)) == 3


def test_no_more_are_claimed_than_asked_for(services):
    put(services, 7)
    assert [len(claim(services, str(n), most=3)) for n in range(4)] == [3, 3, 1, 0]


def test_a_claim_names_the_holder_and_is_no_attempt(services):
    put(services, 1)
    (row,) = claim(services, "one", until=NOW + 2000)
    assert (row.lease, row.lease_until, row.attempts, row.state) == ("one", NOW + 2000, 0, "queued")


def test_a_lease_that_nobody_gave_back_is_counted_until_somebody_does(services):
    put(services, 1)
    for count in range(3):
        (row,) = claim(services, f"{count}", now=NOW * 2 + count, until=NOW * 2 + count + 1)
        assert (row.interrupted, row.attempts) == (count, 0)
    with services.database.write() as tx:
        assert deliveries.renew(tx, row, NOW * 2 + 9)
        assert deliveries.hold_back(tx, row, NOW * 2 + 5, "held")
        assert not deliveries.renew(tx, row, NOW * 2 + 10)
    (row,) = claim(services, "later", now=NOW * 2 + 5, until=NOW * 3)
    assert (row.interrupted, row.attempts) == (0, 0)


def test_leases_of_the_dead_are_void_and_count_as_lost(services):
    put(services, 2)
    assert len(claim(services, "dead", until=NOW * 2, most=1)) == 1
    with services.database.write() as tx:
        assert deliveries.void_leases(tx) == 1
    assert [row.interrupted for row in claim(services, "next")] == [1, 0]


LEASED = [
    (thoughts.void_leases, "thoughts", "lease_until = 0 AND lease_by IS NULL"),
    (analyses.void_leases, "analyses", "lease_until = 0 AND lease_by IS NULL"),
    (inbox.void_leases, "inbound", "lease_until = 0"),
    (lambda tx: webhooks.void_leases(tx, NOW), "webhooks", f"lease IS NULL AND lease_until = {NOW}"),
    (lambda tx: destinations.void_leases(tx, NOW), "destinations", f"lease IS NULL AND probe_at = {NOW}"),
]


def test_whatever_the_dead_had_leased_is_free(tables):
    game, until = tables.begin("ann", "bob", bots=[Bot()]), NOW * 2
    database, held = tables.services.database, {"lease": "dead", "lease_until": until}
    mail = {"received_at": NOW, "source": "smtp", "sender": "", "recipient": "", "purpose": "mv", "digest": b""}
    with database.write() as tx:
        analyses.queue(database, tx, game, 1, tables.ids["ann"])
        for table in (thoughts.thoughts, analyses.analyses):
            tx.execute(sa.update(table).values(lease_until=until, lease_by="dead"))
        tx.execute(sa.insert(inbox.inbound).values(**mail, **held))
        webhooks.add(tx, "w_1", tables.ids["ann"], b"", NOW, None)
        tx.execute(sa.update(webhooks.webhooks).values(held))
        destinations.put(tx, destinations.Trouble("mail", "mx", NOW, NOW, 1, until, "dead", ""))
        for void, table, free in LEASED:
            count = sa.text(f"SELECT count(*), count(CASE WHEN {free} THEN 1 END) FROM {table}")
            assert tuple(tx.execute(count).one()) == (1, 0), table
            void(tx)
            assert tuple(tx.execute(count).one()) == (1, 1), table


def test_t25_two_claimers_never_share_a_notice(services):
    put(services, 120)
    taken, gate = [], threading.Barrier(4)

    def work(name):
        gate.wait()
        while got := claim(services, name, most=7):
            assert len(got) <= 7
            taken.extend((name, row.notice_id) for row in got)

    threads = [threading.Thread(target=work, args=(f"worker{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(number for _, number in taken) == [row["id"] for row in kept(services)]
    assert {(row["lease"], row["id"]) for row in kept(services)} == set(taken)


@pytest.mark.postgres
def test_t25_a_deadline_leased_since_the_statement_began_is_left_alone(migrated_postgres, open_services):
    """What a claimer has read may be old when it comes to write: it holds a lock nobody waits for, and no lease."""
    services = open_services(migrated_postgres)
    owe(services, NOW)
    with services.database.write() as tx:
        owed = decisions.of_seat(tx, "game0", 0)
    claimed: list[list[deadline_leases.Passed]] = []
    claimer = threading.Thread(target=lambda: claimed.append(expired(services)))
    waits = sa.text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    with services.database.read() as beside, services.database.write() as tx:
        deadline_leases.look_again(tx, owed, NOW + 1800)
        claimer.start()
        while not beside.execute(waits).scalar() and claimer.is_alive():
            time.sleep(0.01)
    claimer.join(10)
    assert claimed == [[]]


@pytest.mark.postgres
def test_t25_a_claimer_passes_over_what_another_is_claiming(migrated_postgres, open_services):
    services, beside = open_services(migrated_postgres), open_services(migrated_postgres)
    put(services, 4)
    with beside.database.write() as tx:
        first = deliveries.claim(tx, "mail", "one", NOW + 1000, NOW + 2000, 2)
        assert len(first) == 2
        second = claim(services, "two")
    assert {row.notice_id for row in first} & {row.notice_id for row in second} == set()
    assert len(second) == 2


def test_q11_a_lost_lease_is_fenced(services):
    put(services, 1)
    (row,) = claim(services, "slow", now=NOW + 1000, until=NOW + 2000)
    assert claim(services, "other", now=NOW + 1999) == []
    (again,) = claim(services, "other", now=NOW + 2000, until=NOW + 9000)
    assert (again.attempts, again.interrupted) == (0, 1)
    assert finish(services, row, "slow") is False, "it was sent by one who no longer held it"
    with services.database.write() as tx:
        assert deliveries.put_off(tx, row, NOW + 5000, "later", NOW) is False
    assert kept(services)[0]["state"] == "queued"
    assert finish(services, row, "other") is True
    assert finish(services, row, "other") is False, "twice is once"


def test_what_is_done_is_not_claimed_again_and_its_secret_is_wiped(services):
    put(services, 2, secret=b"sealed")
    for row, state in zip(claim(services, "one"), ("sent", "superseded"), strict=True):
        assert finish(services, row, "one", state)
    assert claim(services, "two", now=NOW * 2) == []
    for row, state in zip(kept(services), ("sent", "superseded"), strict=True):
        assert (row["state"], row["done_at"], row["message_id"]) == (state, NOW + 5, "<m@x>")
        assert (row["secret"], row["lease"], row["lease_until"]) == (None, None, 0)


def test_what_is_postponed_comes_again_later_with_its_secret(services):
    put(services, 1, secret=b"sealed")
    (row,) = claim(services, "one")
    with services.database.write() as tx:
        assert deliveries.put_off(tx, row, NOW + 5000, "451 try again", NOW)
    assert claim(services, "two", now=NOW + 4999) == []
    (again,) = claim(services, "two", now=NOW + 5000)
    assert (again.secret, again.reason, again.attempts) == (b"sealed", "451 try again", 1)


def test_a_notice_about_no_game_and_one_of_each_kind_may_stand_side_by_side(services):
    put(services, 1)
    put(services, 1, kind="reminder")
    put(services, 1, recipient="p_bob")
    put(services, 1, game_id="k7x2m9qd4t")
    assert len(kept(services)) == 4


def test_a_notice_that_was_superseded_is_true_again_on_each_channel_that_has_not_told_it(tables):
    ann = tables.player("ann")
    with tables.services.database.write() as tx:
        webhooks.add(tx, "w_1", ann, b"", NOW, None)
    put(tables.services, 1, recipient=ann, version=7)
    (mail,) = claim(tables.services, "one")
    assert finish(tables.services, mail, "one", "superseded")
    key = {"recipient": ann, "game_id": "", "kind": "your-turn", "decision": "0"}
    again = {**key, "seat": None, "version": 9, "state": "queued", "not_before": NOW + 8, "created_at": NOW + 8}
    with tables.services.database.write() as tx:
        assert notice_queries.version_shown(tx, mail.notice_id) == 7
        outbox.put_again(tx, again)
        assert notice_queries.version_shown(tx, mail.notice_id) == 9
        assert notice_queries.version_shown(tx, mail.notice_id + 1) == 0
        told = sa.select(deliveries.deliveries.c.channel, deliveries.deliveries.c.created_at)
        assert sorted(map(tuple, tx.execute(told))) == [("mail", NOW + 8), ("webhook", NOW)]
    assert [row.version for row in claim(tables.services, "two")] == [9]


def test_mails_that_went_out_and_that_are_held_back_are_counted_for_the_limits(services):
    put(services, 3, game_id="game0", seat=1)
    first, second, third = claim(services, "one")
    assert finish(services, first, "one")
    assert finish(services, second, "one")
    with services.database.write() as tx:
        for number, game, without, found in (
            (2, None, ("answer",), NOW + 5), (3, None, ("answer",), None),
            (1, "game0", ("answer",), NOW + 5), (1, "game1", ("answer",), None),
            (1, None, ("your-turn",), None),
        ):  # fmt: skip
            sent = sent_mails.nth_last_sent(tx, "p_ann", NOW, number, without, game)
            assert sent == found, (number, game, without)
        assert not sent_mails.is_any_held(tx, "p_ann", "too many", NOW)
        assert deliveries.hold_back(tx, third, NOW + 9000, "too many mails")
        assert sent_mails.is_any_held(tx, "p_ann", "too many", NOW * 2)
        assert not sent_mails.is_any_held(tx, "p_bob", "too many", NOW)


def test_the_first_notice_of_a_deadline_that_passed_is_found(services):
    put(services, 3, kind="deadline-passed", game_id="game0", seat=1)
    with services.database.read() as connection:
        for at, found in ((NOW + 1, (NOW + 1, 1)), (NOW + 3, None)):
            assert notice_queries.passed_since(connection, "p_ann", "game0", 1, at) == found
        first = kept(services)[0]["id"]
        assert notice_queries.passed_between(connection, "p_ann", "game0", 1, first, NOW + 9) == (NOW + 1, 1)


# Deadlines


def owe(services, *times):
    with services.database.write() as tx:
        for seat, acts_at in enumerate(times):
            decisions.add(
                tx,
                game_id=f"game{seat % 2}",
                seat=seat,
                decision="turn",
                since=7 + seat,
                player_id="p_ann",
                began_at=NOW,
                due_at=acts_at,
                acts_at=acts_at,
                remind_at=None,
            )


def expired(services, now=NOW + 1000, until=NOW + 2000, most=10, since=0):
    with services.database.write() as tx:
        return deadline_leases.claim(tx, now, until, most, since)


def test_i09_only_what_is_over_expires(services):
    owe(services, NOW + 1000, NOW + 1001, None)
    assert expired(services) == [("game0", 0, 7, NOW + 1000)]


def test_i09_a_leased_deadline_is_nobody_else_s_until_the_lease_ends(services):
    owe(services, NOW, NOW)
    assert len(expired(services)) == 2
    assert expired(services, now=NOW + 1999, until=NOW + 5000) == []
    assert len(expired(services, now=NOW + 2000, until=NOW + 5000)) == 2


def test_the_oldest_deadlines_come_first_and_no_more_than_asked_for(services):
    owe(services, NOW + 5, NOW + 1, NOW + 9, NOW + 3)
    assert [passed.seat for passed in expired(services, most=2)] == [1, 3]
    assert [passed.seat for passed in expired(services, most=2)] == [0, 2]


def test_a_sweep_goes_on_where_its_last_batch_ended(services):
    owe(services, *[NOW + n for n in range(6)])
    first = expired(services, most=2)
    assert [passed.seat for passed in expired(services, since=first[-1].acts_at, most=3)] == [2, 3, 4]
    assert [passed.seat for passed in expired(services, since=NOW + 5)] == [5]


def test_a_lease_is_of_the_deadline_as_it_stood(services):
    owe(services, NOW, NOW, NOW)
    assert len(expired(services)) == 3
    with services.database.write() as tx:
        decisions.change(tx, "game0", 0, {"acts_at": NOW + 1})
        decisions.change(tx, "game1", 1, {"since": 99})
    assert {passed.seat for passed in expired(services)} == {0, 1}


def test_a_deadline_is_looked_at_again_when_it_is_to_be(services):
    owe(services, NOW, NOW)
    for at in (NOW + 1500, NOW + 1700):
        with services.database.write() as tx:
            deadline_leases.look_again(tx, decisions.of_seat(tx, "game0", 0), at)
    assert [passed.seat for passed in expired(services, now=NOW + 1699, until=NOW + 9000)] == [1]
    assert [passed.seat for passed in expired(services, now=NOW + 1700, until=NOW + 9000)] == [0]


@pytest.mark.parametrize("beyond, free", [(0, 0), (1, 1)], ids=["longest", "longer"])
def test_t41_no_lease_lasts_longer_than_leases_do(services, beyond, free):
    owe(services, NOW)
    assert len(expired(services, now=NOW, until=NOW + deadline_leases.LONGEST + beyond)) == 1
    assert len(expired(services, now=NOW)) == free


def test_leases_that_are_over_are_dropped(services):
    owe(services, NOW, NOW + 1)
    expired(services, now=NOW, until=NOW + 100)
    expired(services, now=NOW + 1, until=NOW + 101)
    with services.database.write() as tx:
        deadline_leases.drop_over(tx, NOW + 100)
        assert tx.execute(sa.select(deadline_leases.leases.c.seat)).scalars().all() == [1]


def test_t25_two_sweeps_never_share_a_deadline(services):
    owe(services, *[NOW] * 60)
    taken, gate = [], threading.Barrier(3)

    def work():
        gate.wait()
        while got := expired(services, most=5):
            assert len(got) <= 5
            taken.extend(got)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(taken) == len(set(taken)) == 60


def test_a_draft_is_kept_for_one_decision_of_its_player_alone(services):
    owe(services, NOW + 5, NOW + 1, None)
    with services.database.write() as tx:
        mine = decisions.of_seat(tx, "game0", 0)
        given = {"game": "game0", "seat": 0, "since": mine.since, "player": mine.player_id, "draft": b"sealed"}
        for other in ({"seat": 1}, {"since": mine.since + 1}, {"player": "p_another"}):
            decisions.keep_draft(tx, **given | other)
            assert [one.draft for one in decisions.owed(tx, "game0")] == [None, None], other
        decisions.keep_draft(tx, **given)
        assert [one.draft for one in decisions.owed(tx, "game0")] == [b"sealed", None]
        decisions.keep_draft(tx, **given | {"draft": None})
        assert [one.draft for one in decisions.owed(tx, "game0")] == [None, None]


def test_what_is_owed_is_listed_by_seat_and_dropped(services):
    owe(services, NOW + 5, NOW + 1, None)
    with services.database.write() as tx:
        owed = decisions.owed(tx, "game0")
        assert [(one.seat, one.since, one.due_at) for one in owed] == [(0, 7, NOW + 5), (2, 9, None)]
        decisions.drop(tx, "game0", 0)
        assert [one.seat for one in decisions.owed(tx, "game0")] == [2]
    with services.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(decision_rows)).scalar() == 2
