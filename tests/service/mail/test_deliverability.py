"""How mail to people fares: bounces are counted, made sure of, and in the end mail stops (RATE-10 to RATE-12)."""

from collections import Counter
from itertools import product
from typing import Any

import pytest
import sqlalchemy as sa

from domain.table import events as e
from service.accounts import people, sign_in
from service.deadlines import expire
from service.kernel.clock import SECOND
from service.mail import deliverability, unsubscribes
from service.mail.deliverability import COMPLAINT, GRAVE, KEPT, MEMORY, OLDEST, next_step
from service.store.clocks.decisions import decisions
from service.store.outgoing.deliveries import deliveries
from service.store.outgoing.mailboxes import address_at, mailboxes
from service.store.outgoing.outbox import outbox, put
from tests.notices import mail_in
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock, sqlite_tables, tables

__all__ = ["manual_clock", "tables", "sqlite_tables"]

DAY = 86_400 * SECOND
GONE = "5.1.1 no such user"


def send_mail(tables: Tables) -> None:
    """All mail that waits leaves; a second goes by."""
    with tables.services.database.write() as tx:
        rows = sa.update(deliveries).where(deliveries.c.state == "queued")
        tx.execute(rows.values(state="sent", done_at=tables.clock.at, message_id="<one@play.example>"))
    tables.advance(seconds=1)


def newest_notice(tables: Tables, name: str, kind: str = "your-turn") -> dict[str, Any]:
    recipient = name if "@" in name else tables.ids[name]
    return tables.notices(recipient=recipient, kind=kind)[-1]


def bounce(tables: Tables, notice: dict[str, Any], *, hard: bool = True, said: str = GONE) -> bool:
    with tables.services.database.write() as tx:
        return deliverability.count_bounce(tables.services, tx, mail_in(tx, notice), hard=hard, diagnostic=said)


def complain(tables: Tables, notice: dict[str, Any]) -> bool:
    with tables.services.database.write() as tx:
        return deliverability.record_complaint(tables.services, tx, mail_in(tx, notice))


def remind(tables: Tables, name: str) -> dict[str, Any]:
    """Another mail to somebody, sent."""
    with tables.services.database.write() as tx:
        number = len(tables.notices())
        row = {"recipient": tables.ids[name], "kind": "reminder", "decision": f"1.{number}"}
        put(tx, [row | {"created_at": tables.clock.at}])
    send_mail(tables)
    return newest_notice(tables, name, "reminder")


def is_mail_stopped(tables: Tables, name: str) -> bool:
    with tables.services.database.read() as connection:
        return deliverability.is_suppressed(connection, f"{name}@people.example")


def mail_state(tables: Tables, name: str) -> tuple[str, str]:
    with tables.services.database.read() as connection:
        return deliverability.state_of(connection, tables.ids[name], tables.clock.at)


def probes(tables: Tables) -> Counter[str]:
    return Counter(row["recipient"] for row in tables.notices(kind="probe"))


def told_of_stops(tables: Tables) -> list[tuple[str, str, int]]:
    """Who was told that mail to which seat has stopped."""
    rows = tables.notices(kind="undeliverable")
    return [
        (row["recipient"], row["game_id"], row["seat"])
        for row in rows
        if deliverability.tells_of_a_stop(row["decision"])
    ]


def stop_mail(tables: Tables, name: str) -> None:
    """A mail to somebody comes back, and the probe too."""
    assert bounce(tables, newest_notice(tables, name))
    send_mail(tables)
    assert bounce(tables, newest_notice(tables, name, "probe"))


# The policy


def test_rate10_nothing_stops_mail_without_a_probe_and_a_grave_bounce_after_it():
    steps = {
        given: next_step(hard=given[0], score=given[1], probed=given[2], after_probe=given[3])
        for given in product([True, False], [0, GRAVE - 1, GRAVE, GRAVE + 1], [True, False], [True, False])
    }
    stopped = {given for given, step in steps.items() if step == "stop"}
    assert all(probed and after for _, _, probed, after in stopped)
    assert {given[:2] for given in stopped} == {
        (True, 0), (True, GRAVE - 1), (True, GRAVE), (True, GRAVE + 1), (False, GRAVE), (False, GRAVE + 1)
    }  # fmt: skip
    assert {given[:2] for given, step in steps.items() if step == "probe"} == {given[:2] for given in stopped}
    assert not any(probed for (_, _, probed, _), step in steps.items() if step == "probe")


# Hard bounces


def test_rate10_the_first_hard_bounce_sends_a_probe_and_that_of_the_probe_stops_mail(tables):
    tables.begin("ann", "bob")
    send_mail(tables)
    notice = newest_notice(tables, "bob")
    assert bounce(tables, notice)
    (row,) = tables.notices(id=notice["id"])
    assert (row["state"], row["reason"], row["done_at"]) == ("bounced", GONE, notice["done_at"])
    assert mail_state(tables, "bob") == ("bouncing", GONE)
    assert not is_mail_stopped(tables, "bob"), "one bounce proves little"
    (probe,) = tables.notices(kind="probe")
    assert (probe["recipient"], probe["game_id"], probe["state"]) == (tables.ids["bob"], "", "queued")
    send_mail(tables)
    assert bounce(tables, newest_notice(tables, "bob", "probe"), said="5.1.1 still nobody")
    assert is_mail_stopped(tables, "bob")
    assert mail_state(tables, "bob") == ("stopped", "5.1.1 still nobody")
    assert probes(tables) == {tables.ids["bob"]: 1}
    assert (mail_state(tables, "ann"), is_mail_stopped(tables, "ann")) == (("ok", ""), False)


def test_rate12_mails_sent_before_the_probe_prove_no_more_than_the_first_however_many_come_back(tables):
    for _ in range(4):
        tables.begin("ann", "bob")
    send_mail(tables)
    for notice in tables.notices(kind="your-turn", recipient=tables.ids["bob"]):
        assert bounce(tables, notice)
        assert not is_mail_stopped(tables, "bob")
    send_mail(tables)
    assert probes(tables) == {tables.ids["bob"]: 1}
    assert not is_mail_stopped(tables, "bob")


def test_rate10_a_mail_sent_after_the_probe_stops_mail_too(sqlite_tables):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    bounce(sqlite_tables, newest_notice(sqlite_tables, "bob"))
    early = remind(sqlite_tables, "bob")  # the probe leaves with it: not after it
    assert bounce(sqlite_tables, early)
    assert not is_mail_stopped(sqlite_tables, "bob")
    assert bounce(sqlite_tables, remind(sqlite_tables, "bob"))
    assert is_mail_stopped(sqlite_tables, "bob")


def test_rate10_what_comes_back_while_the_probe_has_not_left_stops_nothing(sqlite_tables):
    sqlite_tables.begin("ann", "bob")
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    first, second = sqlite_tables.notices(kind="your-turn", recipient=sqlite_tables.ids["bob"])
    bounce(sqlite_tables, first)
    sqlite_tables.advance(hours=1)
    assert bounce(sqlite_tables, second)
    assert not is_mail_stopped(sqlite_tables, "bob")
    assert probes(sqlite_tables) == {sqlite_tables.ids["bob"]: 1}


def test_rate10_a_probe_that_could_not_leave_proves_nothing_and_another_is_sent(sqlite_tables):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    bounce(sqlite_tables, newest_notice(sqlite_tables, "bob"))
    with sqlite_tables.services.database.write() as tx:
        tx.execute(sa.update(deliveries).where(deliveries.c.kind == "probe").values(state="failed", done_at=1))
    assert bounce(sqlite_tables, remind(sqlite_tables, "bob"))
    assert not is_mail_stopped(sqlite_tables, "bob")
    assert probes(sqlite_tables) == {sqlite_tables.ids["bob"]: 2}


@pytest.mark.parametrize("days, stopped", [(29, True), (31, False)])
def test_rate10_a_probe_that_did_not_come_back_is_forgotten_after_a_month(sqlite_tables, days, stopped):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    bounce(sqlite_tables, newest_notice(sqlite_tables, "bob"))
    send_mail(sqlite_tables)
    sqlite_tables.advance(days=days)
    assert bounce(sqlite_tables, remind(sqlite_tables, "bob"))
    assert is_mail_stopped(sqlite_tables, "bob") == stopped
    assert probes(sqlite_tables) == {sqlite_tables.ids["bob"]: 1 if stopped else 2}


# Soft bounces


def test_rate10_soft_bounces_are_weighed_and_four_of_them_call_for_a_probe(tables):
    tables.begin("ann", "bob")
    send_mail(tables)
    bounce(tables, newest_notice(tables, "bob"), hard=False, said="4.2.2 full")
    for _ in range(2):
        assert bounce(tables, remind(tables, "bob"), hard=False)
    assert not probes(tables)
    assert mail_state(tables, "bob")[0] == "bouncing"
    assert bounce(tables, remind(tables, "bob"), hard=False)
    assert probes(tables) == {tables.ids["bob"]: 1}
    send_mail(tables)
    assert not is_mail_stopped(tables, "bob")
    bounce(tables, newest_notice(tables, "bob", "probe"), hard=False, said="4.2.2 still full")
    assert is_mail_stopped(tables, "bob")


def test_rate10_after_a_hard_bounce_one_soft_one_of_the_probe_is_not_enough(sqlite_tables):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    bounce(sqlite_tables, newest_notice(sqlite_tables, "bob"))
    send_mail(sqlite_tables)
    assert bounce(sqlite_tables, newest_notice(sqlite_tables, "bob", "probe"), hard=False)
    assert not is_mail_stopped(sqlite_tables, "bob")


@pytest.mark.parametrize("days, asked", [(29, 1), (31, 0)])
def test_rate10_the_score_is_forgotten_after_a_month_without_a_bounce(sqlite_tables, days, asked):
    sqlite_tables.begin("ann", "bob")
    for _ in range(3):
        bounce(sqlite_tables, remind(sqlite_tables, "bob"), hard=False)
    sqlite_tables.advance(days=days)
    assert mail_state(sqlite_tables, "bob")[0] == ("bouncing" if asked else "ok")
    bounce(sqlite_tables, remind(sqlite_tables, "bob"), hard=False)
    assert len(sqlite_tables.notices(kind="probe")) == asked


# What does not count


def test_rate12_a_notice_counts_once(sqlite_tables):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    notice = newest_notice(sqlite_tables, "bob")
    assert [bounce(sqlite_tables, notice, hard=False) for _ in range(5)] == [True, False, False, False, False]
    assert not probes(sqlite_tables)


@pytest.mark.parametrize("state", ["queued", "superseded", "failed", "bounced"])
def test_rate12_only_what_was_sent_can_come_back(sqlite_tables, state):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    with sqlite_tables.services.database.write() as tx:
        tx.execute(sa.update(deliveries).values(state=state))
    assert not bounce(sqlite_tables, newest_notice(sqlite_tables, "bob"))
    assert not complain(sqlite_tables, newest_notice(sqlite_tables, "bob"))
    assert {row["state"] for row in sqlite_tables.notices()} == {state}
    assert mail_state(sqlite_tables, "bob") == ("ok", "")


def test_rate12_a_mail_that_was_settled_since_it_was_read_does_not_count_again(sqlite_tables):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    stale = newest_notice(sqlite_tables, "bob")
    assert bounce(sqlite_tables, stale)
    send_mail(sqlite_tables)
    before = sqlite_tables.notices()
    assert stale["state"] == "sent"
    assert not bounce(sqlite_tables, stale)
    assert sqlite_tables.notices() == before


@pytest.mark.parametrize("late, counts", [(-2, True), (-1, False)])
def test_rate12_after_two_weeks_no_mail_comes_back(sqlite_tables, late, counts):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    sqlite_tables.advance(seconds=OLDEST // SECOND + late)
    assert complain(sqlite_tables, newest_notice(sqlite_tables, "ann")) == counts
    assert bounce(sqlite_tables, newest_notice(sqlite_tables, "bob")) == counts
    assert len(probes(sqlite_tables)) == counts


def test_a_player_who_is_gone_has_no_mailbox(sqlite_tables):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    notice = newest_notice(sqlite_tables, "bob")
    with sqlite_tables.services.database.write() as tx:
        tx.execute(sa.text("DELETE FROM players WHERE id = :id"), {"id": sqlite_tables.ids["bob"]})
    assert bounce(sqlite_tables, notice)
    assert not complain(sqlite_tables, newest_notice(sqlite_tables, "bob"))
    assert not probes(sqlite_tables)


# Refused in the session


def test_rate03_a_refusal_in_the_session_is_a_bounce_and_that_of_the_probe_stops_mail(tables):
    def refuses(notice, hard=True):
        with tables.services.database.write() as tx:
            tx.execute(sa.update(deliveries).where(deliveries.c.notice_id == notice["id"]).values(state="failed"))
            deliverability.count_refusal(tables.services, tx, mail_in(tx, notice), hard=hard, diagnostic=GONE)

    tables.begin("ann", "bob")
    refuses(newest_notice(tables, "bob"))
    assert not is_mail_stopped(tables, "bob")
    refuses(newest_notice(tables, "bob", "probe"))
    assert is_mail_stopped(tables, "bob")
    refuses(newest_notice(tables, "ann"), hard=False)
    assert mail_state(tables, "ann")[0] == "bouncing"
    assert probes(tables) == {tables.ids["bob"]: 1}


# Strangers


def test_rate10_a_stranger_is_probed_by_the_next_invitation_alone(sqlite_tables):
    stranger = "Eve@people.example"
    for stopped in (False, True):
        game = sqlite_tables.open("ann", invite=[stranger])
        send_mail(sqlite_tables)
        (invitation,) = sqlite_tables.notices(kind="invitation", game_id=game)
        assert bounce(sqlite_tables, invitation)
        assert is_mail_stopped(sqlite_tables, "eve") == stopped
        sqlite_tables.advance(minutes=1)
    assert not probes(sqlite_tables)
    assert not told_of_stops(sqlite_tables)


# Complaints


def test_rate10_a_complaint_stops_mail_at_once_and_counts_once(tables):
    game = tables.begin("ann", "bob")
    send_mail(tables)
    notice = newest_notice(tables, "bob")
    assert complain(tables, notice)
    assert is_mail_stopped(tables, "bob")
    assert mail_state(tables, "bob") == ("stopped", COMPLAINT)
    assert newest_notice(tables, "bob")["state"] == "sent", "it arrived"
    assert told_of_stops(tables) == [(tables.ids["ann"], game, 1)]
    assert not probes(tables)
    with tables.services.database.write() as tx:
        assert deliverability.lift(tx, tables.ids["bob"])
    assert not complain(tables, newest_notice(tables, "bob")), "the same complaint, sent again, stops nothing"
    assert not is_mail_stopped(tables, "bob")


# The host


def test_rate11_the_host_of_every_running_game_is_told_once(tables):
    running = [tables.begin("ann", "bob"), tables.begin("cyd", "bob", "dan")]
    tables.begin("bob", "ann")  # his own table
    tables.begin("ann", "cyd")  # not his
    tables.sit(tables.open("dan"), "bob")  # not begun
    over = tables.begin("dan", "bob")
    with tables.services.database.write() as tx:
        tx.execute(sa.text("UPDATE games SET status = 'finished' WHERE id = :id"), {"id": over})
    send_mail(tables)
    stop_mail(tables, "bob")
    told = {(tables.ids["ann"], running[0], 1), (tables.ids["cyd"], running[1], 1)}
    assert sorted(told_of_stops(tables)) == sorted(told)
    send_mail(tables)
    bounce(tables, remind(tables, "bob"))
    assert sorted(told_of_stops(tables)) == sorted(told), "once"


def test_rate11_what_the_host_is_told_holds_until_mail_reaches_the_seat_again(sqlite_tables):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    stop_mail(sqlite_tables, "bob")
    (word,) = sqlite_tables.notices(kind="undeliverable")

    def objection() -> str | None:
        with sqlite_tables.services.database.read() as connection:
            return deliverability.check(connection, word["game_id"], word["seat"])

    assert deliverability.tells_of_a_stop(word["decision"])
    assert not deliverability.tells_of_a_stop("7.1")
    assert objection() is None
    with sqlite_tables.services.database.write() as tx:
        deliverability.lift(tx, sqlite_tables.ids["bob"])
    assert objection() == "mail reaches the seat again"
    with sqlite_tables.services.database.write() as tx:
        tx.execute(sa.text("UPDATE seats SET vacant = :yes"), {"yes": True})
    assert objection() == "nobody sits there any more"


def test_rate11_a_second_stop_is_told_again(sqlite_tables):
    sqlite_tables.begin("ann", "bob")
    for times in (1, 2):
        remind(sqlite_tables, "bob")
        assert bounce(sqlite_tables, newest_notice(sqlite_tables, "bob", "reminder"))
        send_mail(sqlite_tables)
        assert bounce(sqlite_tables, newest_notice(sqlite_tables, "bob", "probe"))
        assert len(told_of_stops(sqlite_tables)) == times
        with sqlite_tables.services.database.write() as tx:
            assert deliverability.lift(tx, sqlite_tables.ids["bob"])


# The clock


def test_rate11_a_turn_whose_notice_came_back_has_its_time_once_more_and_no_more_after_that(tables):
    game = tables.begin("ann", "bob", clock={"per_move": "P3D", "grace": "PT10M", "reminders": []})
    send_mail(tables)
    stop_mail(tables, "bob")
    bob = (decisions.c.game_id == game, decisions.c.player_id == tables.ids["bob"])
    with tables.services.database.read() as connection:
        row = connection.execute(sa.select(decisions).where(*bob)).mappings().one()

    def expires() -> bool:
        with tables.services.database.write() as tx:
            return expire.expire_turn(tables.services, tx, game, row["seat"], row["since"])

    tables.advance(days=3, minutes=10)
    assert not expires()
    with tables.services.database.read() as connection:
        again = connection.execute(sa.select(decisions).where(*bob)).mappings().one()
    assert again["extended"]
    assert again["due_at"] == tables.clock.at + 3 * DAY
    tables.advance(days=3, minutes=10)
    assert expires(), "once"
    with tables.services.database.read() as connection:
        seen = tables.services.streams.seen(connection, game, None, after=0, upto=9999)
    assert [event["type"] for event in seen].count("table.turn-expired") == 1
    assert len(tables.notices(kind="undeliverable")) == 2, "the stop, and the turn"


def owes(tables: Tables, game: str, name: str) -> dict[str, Any]:
    with tables.services.database.read() as connection:
        found = sa.select(decisions).where(decisions.c.game_id == game, decisions.c.player_id == tables.ids[name])
        return dict(connection.execute(found).mappings().one())


def lets_pass(tables: Tables, game: str, name: str) -> bool:
    """The deadline of somebody passes. Whether the caretaker played."""
    row = owes(tables, game, name)
    tables.clock.at = row["acts_at"]
    with tables.services.database.write() as tx:
        return expire.expire_turn(tables.services, tx, game, row["seat"], row["since"])


@pytest.mark.parametrize("name", ["bob", "ann"])
def test_rate11_a_seat_has_its_time_once_more_in_one_turn_of_a_game_however_often_notices_come_back(tables, name):
    """Bob, and ann, who is the host and is not told of herself."""
    game, other = tables.begin("ann", "bob"), tables.begin("ann", "bob")
    send_mail(tables)
    notices = tables.notices(kind="your-turn", recipient=tables.ids[name])
    assert bounce(tables, notices[0])
    assert bounce(tables, notices[1])
    assert not lets_pass(tables, game, name)
    told = tables.notices(kind="undeliverable")
    assert [row["state"] for row in told] == ["queued" if name == "bob" else "superseded"]
    for seat in (0, 1):
        tables.move(game, seat, "hide 1")
    (caller,) = tables.head(game).rules.decider.awaiting(tables.head(game).table.game)
    tables.move(game, caller, "take")
    send_mail(tables)
    with tables.services.database.write() as tx:
        deliverability.forget_bounces(tx, tables.ids[name])
    row = owes(tables, game, name)
    assert not row["extended"]
    (notice,) = tables.notices(kind="your-turn", recipient=tables.ids[name], decision=str(row["since"]))
    assert bounce(tables, notice)
    assert lets_pass(tables, game, name), "not in the next turn"
    assert not lets_pass(tables, other, name), "another game"


def test_rate11_a_seat_that_mail_has_stopped_to_before_still_has_its_time_once_more(sqlite_tables):
    game = sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    stop_mail(sqlite_tables, "bob")
    assert told_of_stops(sqlite_tables)
    assert not lets_pass(sqlite_tables, game, "bob")


def test_rate12_a_soft_bounce_gives_no_time(sqlite_tables):
    game = sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    assert bounce(sqlite_tables, newest_notice(sqlite_tables, "bob"), hard=False)
    assert newest_notice(sqlite_tables, "bob")["state"] == "sent"
    assert lets_pass(sqlite_tables, game, "bob")


def test_rate11_a_turn_that_begins_after_mail_has_stopped_has_its_time_once(sqlite_tables):
    game = sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    stop_mail(sqlite_tables, "bob")
    with sqlite_tables.services.database.write() as tx:
        mine = (deliveries.c.kind == "your-turn", deliveries.c.recipient == sqlite_tables.ids["bob"])
        tx.execute(sa.update(deliveries).where(*mine).values(state="superseded"))
        found = sa.select(decisions).where(decisions.c.player_id == sqlite_tables.ids["bob"])
        row = tx.execute(found).mappings().one()
    sqlite_tables.advance(days=3, minutes=10)
    with sqlite_tables.services.database.write() as tx:
        assert expire.expire_turn(sqlite_tables.services, tx, game, row["seat"], row["since"])
    assert e.TurnExpired in [type(event) for event in all_events(sqlite_tables, game)]


def all_events(tables: Tables, game: str) -> list[Any]:
    with tables.services.database.read() as connection:
        head = tables.services.streams.head(connection, game)
        return list(tables.services.streams.facts_seen(connection, game, head.rules, None, after=0, upto=head.version))


# Mail again


def lifts(tables: Tables, way: str) -> None:
    bob = tables.ids["bob"]
    if way == "signs in":
        with tables.services.database.write() as tx:
            sign_in.ask(tables.services, tx, "bob@people.example")
        sign_in.post_codes(tables.services)
    with tables.services.database.write() as tx:
        if way == "asks":
            people.change_profile(tx, bob, {"mail": True})
        elif way == "signs in":
            row = tx.execute(sa.select(outbox).where(outbox.c.kind == "code")).mappings().one()
            code = tables.services.sealer.open("codes", f"code|{row['decision']}", row["secret"]).decode().split()[0]
            assert sign_in.confirm(tables.services, tx, "bob@people.example", "wrong")[0] is None
            assert deliverability.is_suppressed(tx, "bob@people.example"), "a wrong code proves nothing"
            assert sign_in.confirm(tables.services, tx, "bob@people.example", code)[0]
        elif way == "writes":
            assert deliverability.forget_bounces(tx, bob)


@pytest.mark.parametrize("way", ["asks", "signs in", "writes"])
def test_rate11_a_player_who_shows_up_gets_mail_again_with_a_clean_slate(tables, way):
    tables.begin("ann", "bob")
    send_mail(tables)
    stop_mail(tables, "bob")
    assert is_mail_stopped(tables, "bob")
    lifts(tables, way)
    assert not is_mail_stopped(tables, "bob")
    assert mail_state(tables, "bob") == ("ok", "")
    assert bounce(tables, remind(tables, "bob"))
    assert not is_mail_stopped(tables, "bob"), "a probe first, as ever"
    assert probes(tables)[tables.ids["bob"]] == 2


def test_a_mail_from_a_player_does_not_take_a_complaint_back(sqlite_tables):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    complain(sqlite_tables, newest_notice(sqlite_tables, "bob"))
    with sqlite_tables.services.database.write() as tx:
        assert not deliverability.forget_bounces(tx, sqlite_tables.ids["bob"])
        assert not deliverability.forget_bounces(tx, sqlite_tables.ids["ann"])
    assert is_mail_stopped(sqlite_tables, "bob")
    lifts(sqlite_tables, "asks")
    assert not is_mail_stopped(sqlite_tables, "bob")


@pytest.mark.slow
@pytest.mark.parametrize("changes", [{"name": "Bob"}, {"mail": False}, {}])
def test_other_changes_of_a_profile_leave_a_stop_alone(sqlite_tables, changes):
    sqlite_tables.begin("ann", "bob")
    send_mail(sqlite_tables)
    stop_mail(sqlite_tables, "bob")
    with sqlite_tables.services.database.write() as tx:
        people.change_profile(tx, sqlite_tables.ids["bob"], changes)
    assert is_mail_stopped(sqlite_tables, "bob")


# What the host sees


def test_out17_rate11_seats_without_mail_are_known(tables):
    game = tables.begin("ann", "bob", "cyd", "dan", bots=1, kind="tammany-hall")
    other = tables.begin("ann", "cyd")
    send_mail(tables)
    with tables.services.database.write() as tx:
        assert deliverability.without_mail(tx, game) == {}
        assert address_at(tx, game, 1) == "bob@people.example"
        assert address_at(tx, game, 4) is None, "a bot has none"
        unsubscribes.mute(tables.services.database, tx, tables.ids["bob"], game)
        unsubscribes.mute(tables.services.database, tx, tables.ids["bob"], game)
        people.change_profile(tx, tables.ids["cyd"], {"mail": False})
    complain(tables, remind(tables, "dan"))
    with tables.services.database.write() as tx:
        assert deliverability.without_mail(tx, game) == {1: "off", 2: "off", 3: "undeliverable"}
        assert deliverability.without_mail(tx, other) == {1: "off"}
        assert unsubscribes.unmute(tx, tables.ids["bob"], game)
        assert not unsubscribes.unmute(tx, tables.ids["bob"], game)
        assert deliverability.without_mail(tx, game) == {2: "off", 3: "undeliverable"}


# Nothing grows for ever


def test_what_is_known_of_a_mailbox_is_forgotten_when_it_matters_no_more(tables):
    assert KEPT > MEMORY
    tables.begin("ann", "bob")
    tables.begin("cyd", "dan")
    send_mail(tables)
    stop_mail(tables, "bob")
    bounce(tables, newest_notice(tables, "cyd"))
    tables.advance(seconds=KEPT // SECOND)
    bounce(tables, remind(tables, "dan"), hard=False)
    tables.advance(days=1)

    def forgets() -> int:
        with tables.services.database.write() as tx:
            return deliverability.forget(tx, tables.clock.at)

    assert forgets() == 1, "cyd's; dan's is new, and bob's is stopped"
    with tables.services.database.read() as connection:
        left = set(connection.execute(sa.select(mailboxes.c.address)).scalars())
    assert left == {"bob@people.example", "dan@people.example"}
    assert forgets() == 0
