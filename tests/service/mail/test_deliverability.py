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
from service.store.decisions import decisions
from service.store.deliveries import deliveries
from service.store.mailboxes import mailboxes
from service.store.outbox import outbox, put
from tests.notices import mail_in
from tests.workers.office import Office, hands, office, small_office

__all__ = ["hands", "office", "small_office"]

DAY = 86_400 * SECOND
GONE = "5.1.1 no such user"


def send_mail(office: Office) -> None:
    """All mail that waits leaves; a second goes by."""
    with office.services.database.write() as tx:
        rows = sa.update(deliveries).where(deliveries.c.state == "queued")
        tx.execute(rows.values(state="sent", done_at=office.hands.at, message_id="<one@play.example>"))
    office.hands.advance(seconds=1)


def newest_notice(office: Office, name: str, kind: str = "your-turn") -> dict[str, Any]:
    recipient = name if "@" in name else office.ids[name]
    return office.notices(recipient=recipient, kind=kind)[-1]


def bounce(office: Office, notice: dict[str, Any], *, hard: bool = True, said: str = GONE) -> bool:
    with office.services.database.write() as tx:
        return deliverability.count_bounce(office.services, tx, mail_in(tx, notice), hard=hard, diagnostic=said)


def complain(office: Office, notice: dict[str, Any]) -> bool:
    with office.services.database.write() as tx:
        return deliverability.record_complaint(office.services, tx, mail_in(tx, notice))


def remind(office: Office, name: str) -> dict[str, Any]:
    """Another mail to somebody, sent."""
    with office.services.database.write() as tx:
        number = len(office.notices())
        row = {"recipient": office.ids[name], "kind": "reminder", "decision": f"1.{number}"}
        put(tx, [row | {"created_at": office.hands.at}])
    send_mail(office)
    return newest_notice(office, name, "reminder")


def is_mail_stopped(office: Office, name: str) -> bool:
    with office.services.database.read() as connection:
        return deliverability.is_suppressed(connection, f"{name}@people.example")


def mail_state(office: Office, name: str) -> tuple[str, str]:
    with office.services.database.read() as connection:
        return deliverability.state_of(connection, office.ids[name], office.hands.at)


def probes(office: Office) -> Counter[str]:
    return Counter(row["recipient"] for row in office.notices(kind="probe"))


def told_of_stops(office: Office) -> list[tuple[str, str, int]]:
    """Who was told that mail to which seat has stopped."""
    rows = office.notices(kind="undeliverable")
    return [
        (row["recipient"], row["game_id"], row["seat"])
        for row in rows
        if deliverability.tells_of_a_stop(row["decision"])
    ]


def stop_mail(office: Office, name: str) -> None:
    """A mail to somebody comes back, and the probe too."""
    assert bounce(office, newest_notice(office, name))
    send_mail(office)
    assert bounce(office, newest_notice(office, name, "probe"))


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


def test_rate10_the_first_hard_bounce_sends_a_probe_and_that_of_the_probe_stops_mail(office):
    office.begins("ann", "bob")
    send_mail(office)
    notice = newest_notice(office, "bob")
    assert bounce(office, notice)
    (row,) = office.notices(id=notice["id"])
    assert (row["state"], row["reason"], row["done_at"]) == ("bounced", GONE, notice["done_at"])
    assert mail_state(office, "bob") == ("bouncing", GONE)
    assert not is_mail_stopped(office, "bob"), "one bounce proves little"
    (probe,) = office.notices(kind="probe")
    assert (probe["recipient"], probe["game_id"], probe["state"]) == (office.ids["bob"], "", "queued")
    send_mail(office)
    assert bounce(office, newest_notice(office, "bob", "probe"), said="5.1.1 still nobody")
    assert is_mail_stopped(office, "bob")
    assert mail_state(office, "bob") == ("stopped", "5.1.1 still nobody")
    assert probes(office) == {office.ids["bob"]: 1}
    assert (mail_state(office, "ann"), is_mail_stopped(office, "ann")) == (("ok", ""), False)


def test_rate12_mails_sent_before_the_probe_prove_no_more_than_the_first_however_many_come_back(office):
    for _ in range(4):
        office.begins("ann", "bob")
    send_mail(office)
    for notice in office.notices(kind="your-turn", recipient=office.ids["bob"]):
        assert bounce(office, notice)
        assert not is_mail_stopped(office, "bob")
    send_mail(office)
    assert probes(office) == {office.ids["bob"]: 1}
    assert not is_mail_stopped(office, "bob")


def test_rate10_a_mail_sent_after_the_probe_stops_mail_too(small_office):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    bounce(small_office, newest_notice(small_office, "bob"))
    early = remind(small_office, "bob")  # the probe leaves with it: not after it
    assert bounce(small_office, early)
    assert not is_mail_stopped(small_office, "bob")
    assert bounce(small_office, remind(small_office, "bob"))
    assert is_mail_stopped(small_office, "bob")


def test_rate10_what_comes_back_while_the_probe_has_not_left_stops_nothing(small_office):
    small_office.begins("ann", "bob")
    small_office.begins("ann", "bob")
    send_mail(small_office)
    first, second = small_office.notices(kind="your-turn", recipient=small_office.ids["bob"])
    bounce(small_office, first)
    small_office.hands.advance(hours=1)
    assert bounce(small_office, second)
    assert not is_mail_stopped(small_office, "bob")
    assert probes(small_office) == {small_office.ids["bob"]: 1}


def test_rate10_a_probe_that_could_not_leave_proves_nothing_and_another_is_sent(small_office):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    bounce(small_office, newest_notice(small_office, "bob"))
    with small_office.services.database.write() as tx:
        tx.execute(sa.update(deliveries).where(deliveries.c.kind == "probe").values(state="failed", done_at=1))
    assert bounce(small_office, remind(small_office, "bob"))
    assert not is_mail_stopped(small_office, "bob")
    assert probes(small_office) == {small_office.ids["bob"]: 2}


@pytest.mark.parametrize("days, stopped", [(29, True), (31, False)])
def test_rate10_a_probe_that_did_not_come_back_is_forgotten_after_a_month(small_office, days, stopped):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    bounce(small_office, newest_notice(small_office, "bob"))
    send_mail(small_office)
    small_office.hands.advance(days=days)
    assert bounce(small_office, remind(small_office, "bob"))
    assert is_mail_stopped(small_office, "bob") == stopped
    assert probes(small_office) == {small_office.ids["bob"]: 1 if stopped else 2}


# Soft bounces


def test_rate10_soft_bounces_are_weighed_and_four_of_them_call_for_a_probe(office):
    office.begins("ann", "bob")
    send_mail(office)
    bounce(office, newest_notice(office, "bob"), hard=False, said="4.2.2 full")
    for _ in range(2):
        assert bounce(office, remind(office, "bob"), hard=False)
    assert not probes(office)
    assert mail_state(office, "bob")[0] == "bouncing"
    assert bounce(office, remind(office, "bob"), hard=False)
    assert probes(office) == {office.ids["bob"]: 1}
    send_mail(office)
    assert not is_mail_stopped(office, "bob")
    bounce(office, newest_notice(office, "bob", "probe"), hard=False, said="4.2.2 still full")
    assert is_mail_stopped(office, "bob")


def test_rate10_after_a_hard_bounce_one_soft_one_of_the_probe_is_not_enough(small_office):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    bounce(small_office, newest_notice(small_office, "bob"))
    send_mail(small_office)
    assert bounce(small_office, newest_notice(small_office, "bob", "probe"), hard=False)
    assert not is_mail_stopped(small_office, "bob")


@pytest.mark.parametrize("days, asked", [(29, 1), (31, 0)])
def test_rate10_the_score_is_forgotten_after_a_month_without_a_bounce(small_office, days, asked):
    small_office.begins("ann", "bob")
    for _ in range(3):
        bounce(small_office, remind(small_office, "bob"), hard=False)
    small_office.hands.advance(days=days)
    assert mail_state(small_office, "bob")[0] == ("bouncing" if asked else "ok")
    bounce(small_office, remind(small_office, "bob"), hard=False)
    assert len(small_office.notices(kind="probe")) == asked


# What does not count


def test_rate12_a_notice_counts_once(small_office):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    notice = newest_notice(small_office, "bob")
    assert [bounce(small_office, notice, hard=False) for _ in range(5)] == [True, False, False, False, False]
    assert not probes(small_office)


@pytest.mark.parametrize("state", ["queued", "superseded", "failed", "bounced"])
def test_rate12_only_what_was_sent_can_come_back(small_office, state):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    with small_office.services.database.write() as tx:
        tx.execute(sa.update(deliveries).values(state=state))
    assert not bounce(small_office, newest_notice(small_office, "bob"))
    assert not complain(small_office, newest_notice(small_office, "bob"))
    assert {row["state"] for row in small_office.notices()} == {state}
    assert mail_state(small_office, "bob") == ("ok", "")


def test_rate12_a_mail_that_was_settled_since_it_was_read_does_not_count_again(small_office):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    stale = newest_notice(small_office, "bob")
    assert bounce(small_office, stale)
    send_mail(small_office)
    before = small_office.notices()
    assert stale["state"] == "sent"
    assert not bounce(small_office, stale)
    assert small_office.notices() == before


@pytest.mark.parametrize("late, counts", [(-2, True), (-1, False)])
def test_rate12_after_two_weeks_no_mail_comes_back(small_office, late, counts):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    small_office.hands.advance(seconds=OLDEST // SECOND + late)
    assert complain(small_office, newest_notice(small_office, "ann")) == counts
    assert bounce(small_office, newest_notice(small_office, "bob")) == counts
    assert len(probes(small_office)) == counts


def test_a_player_who_is_gone_has_no_mailbox(small_office):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    notice = newest_notice(small_office, "bob")
    with small_office.services.database.write() as tx:
        tx.execute(sa.text("DELETE FROM players WHERE id = :id"), {"id": small_office.ids["bob"]})
    assert bounce(small_office, notice)
    assert not complain(small_office, newest_notice(small_office, "bob"))
    assert not probes(small_office)


# Refused in the session


def test_rate03_a_refusal_in_the_session_is_a_bounce_and_that_of_the_probe_stops_mail(office):
    def refuses(notice, hard=True):
        with office.services.database.write() as tx:
            tx.execute(sa.update(deliveries).where(deliveries.c.notice_id == notice["id"]).values(state="failed"))
            deliverability.count_refusal(office.services, tx, mail_in(tx, notice), hard=hard, diagnostic=GONE)

    office.begins("ann", "bob")
    refuses(newest_notice(office, "bob"))
    assert not is_mail_stopped(office, "bob")
    refuses(newest_notice(office, "bob", "probe"))
    assert is_mail_stopped(office, "bob")
    refuses(newest_notice(office, "ann"), hard=False)
    assert mail_state(office, "ann")[0] == "bouncing"
    assert probes(office) == {office.ids["bob"]: 1}


# Strangers


def test_rate10_a_stranger_is_probed_by_the_next_invitation_alone(small_office):
    stranger = "Eve@people.example"
    for stopped in (False, True):
        game = small_office.opens("ann", invite=[stranger])
        send_mail(small_office)
        (invitation,) = small_office.notices(kind="invitation", game_id=game)
        assert bounce(small_office, invitation)
        assert is_mail_stopped(small_office, "eve") == stopped
        small_office.hands.advance(minutes=1)
    assert not probes(small_office)
    assert not told_of_stops(small_office)


# Complaints


def test_rate10_a_complaint_stops_mail_at_once_and_counts_once(office):
    game = office.begins("ann", "bob")
    send_mail(office)
    notice = newest_notice(office, "bob")
    assert complain(office, notice)
    assert is_mail_stopped(office, "bob")
    assert mail_state(office, "bob") == ("stopped", COMPLAINT)
    assert newest_notice(office, "bob")["state"] == "sent", "it arrived"
    assert told_of_stops(office) == [(office.ids["ann"], game, 1)]
    assert not probes(office)
    with office.services.database.write() as tx:
        assert deliverability.lift(tx, office.ids["bob"])
    assert not complain(office, newest_notice(office, "bob")), "the same complaint, sent again, stops nothing"
    assert not is_mail_stopped(office, "bob")


# The host


def test_rate11_the_host_of_every_running_game_is_told_once(office):
    running = [office.begins("ann", "bob"), office.begins("cyd", "bob", "dan")]
    office.begins("bob", "ann")  # his own table
    office.begins("ann", "cyd")  # not his
    office.sits(office.opens("dan"), "bob")  # not begun
    over = office.begins("dan", "bob")
    with office.services.database.write() as tx:
        tx.execute(sa.text("UPDATE games SET status = 'finished' WHERE id = :id"), {"id": over})
    send_mail(office)
    stop_mail(office, "bob")
    told = {(office.ids["ann"], running[0], 1), (office.ids["cyd"], running[1], 1)}
    assert sorted(told_of_stops(office)) == sorted(told)
    send_mail(office)
    bounce(office, remind(office, "bob"))
    assert sorted(told_of_stops(office)) == sorted(told), "once"


def test_rate11_what_the_host_is_told_holds_until_mail_reaches_the_seat_again(small_office):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    stop_mail(small_office, "bob")
    (word,) = small_office.notices(kind="undeliverable")

    def objection() -> str | None:
        with small_office.services.database.read() as connection:
            return deliverability.check(connection, word["game_id"], word["seat"])

    assert deliverability.tells_of_a_stop(word["decision"])
    assert not deliverability.tells_of_a_stop("7.1")
    assert objection() is None
    with small_office.services.database.write() as tx:
        deliverability.lift(tx, small_office.ids["bob"])
    assert objection() == "mail reaches the seat again"
    with small_office.services.database.write() as tx:
        tx.execute(sa.text("UPDATE seats SET vacant = :yes"), {"yes": True})
    assert objection() == "nobody sits there any more"


def test_rate11_a_second_stop_is_told_again(small_office):
    small_office.begins("ann", "bob")
    for times in (1, 2):
        remind(small_office, "bob")
        assert bounce(small_office, newest_notice(small_office, "bob", "reminder"))
        send_mail(small_office)
        assert bounce(small_office, newest_notice(small_office, "bob", "probe"))
        assert len(told_of_stops(small_office)) == times
        with small_office.services.database.write() as tx:
            assert deliverability.lift(tx, small_office.ids["bob"])


# The clock


def test_rate11_a_turn_whose_notice_came_back_has_its_time_once_more_and_no_more_after_that(office):
    game = office.begins("ann", "bob", clock={"per_move": "P3D", "grace": "PT10M", "reminders": []})
    send_mail(office)
    stop_mail(office, "bob")
    bob = (decisions.c.game_id == game, decisions.c.player_id == office.ids["bob"])
    with office.services.database.read() as connection:
        row = connection.execute(sa.select(decisions).where(*bob)).mappings().one()

    def expires() -> bool:
        with office.services.database.write() as tx:
            return expire.expire_turn(office.services, tx, game, row["seat"], row["since"])

    office.hands.advance(days=3, minutes=10)
    assert not expires()
    with office.services.database.read() as connection:
        again = connection.execute(sa.select(decisions).where(*bob)).mappings().one()
    assert again["extended"]
    assert again["due_at"] == office.hands.at + 3 * DAY
    office.hands.advance(days=3, minutes=10)
    assert expires(), "once"
    with office.services.database.read() as connection:
        seen = office.services.streams.seen(connection, game, None, after=0, upto=9999)
    assert [event["type"] for event in seen].count("table.turn-expired") == 1
    assert len(office.notices(kind="undeliverable")) == 2, "the stop, and the turn"


def owes(office: Office, game: str, name: str) -> dict[str, Any]:
    with office.services.database.read() as connection:
        found = sa.select(decisions).where(decisions.c.game_id == game, decisions.c.player_id == office.ids[name])
        return dict(connection.execute(found).mappings().one())


def lets_pass(office: Office, game: str, name: str) -> bool:
    """The deadline of somebody passes. Whether the caretaker played."""
    row = owes(office, game, name)
    office.hands.at = row["acts_at"]
    with office.services.database.write() as tx:
        return expire.expire_turn(office.services, tx, game, row["seat"], row["since"])


@pytest.mark.parametrize("name", ["bob", "ann"])
def test_rate11_a_seat_has_its_time_once_more_in_one_turn_of_a_game_however_often_notices_come_back(office, name):
    """Bob, and ann, who is the host and is not told of herself."""
    game, other = office.begins("ann", "bob"), office.begins("ann", "bob")
    send_mail(office)
    notices = office.notices(kind="your-turn", recipient=office.ids[name])
    assert bounce(office, notices[0])
    assert bounce(office, notices[1])
    assert not lets_pass(office, game, name)
    told = office.notices(kind="undeliverable")
    assert [row["state"] for row in told] == ["queued" if name == "bob" else "superseded"]
    for seat in (0, 1):
        office.plays(game, seat, "hide 1")
    (caller,) = office.head(game).rules.decider.awaiting(office.head(game).table.game)
    office.plays(game, caller, "take")
    send_mail(office)
    with office.services.database.write() as tx:
        deliverability.forget_bounces(tx, office.ids[name])
    row = owes(office, game, name)
    assert not row["extended"]
    (notice,) = office.notices(kind="your-turn", recipient=office.ids[name], decision=str(row["since"]))
    assert bounce(office, notice)
    assert lets_pass(office, game, name), "not in the next turn"
    assert not lets_pass(office, other, name), "another game"


def test_rate11_a_seat_that_mail_has_stopped_to_before_still_has_its_time_once_more(small_office):
    game = small_office.begins("ann", "bob")
    send_mail(small_office)
    stop_mail(small_office, "bob")
    assert told_of_stops(small_office)
    assert not lets_pass(small_office, game, "bob")


def test_rate12_a_soft_bounce_gives_no_time(small_office):
    game = small_office.begins("ann", "bob")
    send_mail(small_office)
    assert bounce(small_office, newest_notice(small_office, "bob"), hard=False)
    assert newest_notice(small_office, "bob")["state"] == "sent"
    assert lets_pass(small_office, game, "bob")


def test_rate11_a_turn_that_begins_after_mail_has_stopped_has_its_time_once(small_office):
    game = small_office.begins("ann", "bob")
    send_mail(small_office)
    stop_mail(small_office, "bob")
    with small_office.services.database.write() as tx:
        mine = (deliveries.c.kind == "your-turn", deliveries.c.recipient == small_office.ids["bob"])
        tx.execute(sa.update(deliveries).where(*mine).values(state="superseded"))
        found = sa.select(decisions).where(decisions.c.player_id == small_office.ids["bob"])
        row = tx.execute(found).mappings().one()
    small_office.hands.advance(days=3, minutes=10)
    with small_office.services.database.write() as tx:
        assert expire.expire_turn(small_office.services, tx, game, row["seat"], row["since"])
    assert e.TurnExpired in [type(event) for event in all_events(small_office, game)]


def all_events(office: Office, game: str) -> list[Any]:
    with office.services.database.read() as connection:
        head = office.services.streams.head(connection, game)
        return list(office.services.streams.facts_seen(connection, game, head.rules, None, after=0, upto=head.version))


# Mail again


def lifts(office: Office, way: str) -> None:
    bob = office.ids["bob"]
    if way == "signs in":
        with office.services.database.write() as tx:
            sign_in.ask(office.services, tx, "bob@people.example")
        sign_in.post_codes(office.services)
    with office.services.database.write() as tx:
        if way == "asks":
            people.change_profile(tx, bob, {"mail": True})
        elif way == "signs in":
            row = tx.execute(sa.select(outbox).where(outbox.c.kind == "code")).mappings().one()
            code = office.services.sealer.open("codes", f"code|{row['decision']}", row["secret"]).decode()
            assert sign_in.confirm(office.services, tx, "bob@people.example", "wrong")[0] is None
            assert deliverability.is_suppressed(tx, "bob@people.example"), "a wrong code proves nothing"
            assert sign_in.confirm(office.services, tx, "bob@people.example", code)[0]
        elif way == "writes":
            assert deliverability.forget_bounces(tx, bob)


@pytest.mark.parametrize("way", ["asks", "signs in", "writes"])
def test_rate11_a_player_who_shows_up_gets_mail_again_with_a_clean_slate(office, way):
    office.begins("ann", "bob")
    send_mail(office)
    stop_mail(office, "bob")
    assert is_mail_stopped(office, "bob")
    lifts(office, way)
    assert not is_mail_stopped(office, "bob")
    assert mail_state(office, "bob") == ("ok", "")
    assert bounce(office, remind(office, "bob"))
    assert not is_mail_stopped(office, "bob"), "a probe first, as ever"
    assert probes(office)[office.ids["bob"]] == 2


def test_a_mail_from_a_player_does_not_take_a_complaint_back(small_office):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    complain(small_office, newest_notice(small_office, "bob"))
    with small_office.services.database.write() as tx:
        assert not deliverability.forget_bounces(tx, small_office.ids["bob"])
        assert not deliverability.forget_bounces(tx, small_office.ids["ann"])
    assert is_mail_stopped(small_office, "bob")
    lifts(small_office, "asks")
    assert not is_mail_stopped(small_office, "bob")


@pytest.mark.parametrize("changes", [{"name": "Bob"}, {"mail": False}, {}])
def test_other_changes_of_a_profile_leave_a_stop_alone(small_office, changes):
    small_office.begins("ann", "bob")
    send_mail(small_office)
    stop_mail(small_office, "bob")
    with small_office.services.database.write() as tx:
        people.change_profile(tx, small_office.ids["bob"], changes)
    assert is_mail_stopped(small_office, "bob")


# What the host sees


def test_out17_rate11_seats_without_mail_are_known(office):
    game = office.begins("ann", "bob", "cyd", "dan", bots=1, kind="tammany-hall")
    other = office.begins("ann", "cyd")
    send_mail(office)
    with office.services.database.write() as tx:
        assert deliverability.without_mail(tx, game) == {}
        unsubscribes.mute(office.services.database, tx, office.ids["bob"], game)
        unsubscribes.mute(office.services.database, tx, office.ids["bob"], game)
        people.change_profile(tx, office.ids["cyd"], {"mail": False})
    complain(office, remind(office, "dan"))
    with office.services.database.write() as tx:
        assert deliverability.without_mail(tx, game) == {1: "off", 2: "off", 3: "undeliverable"}
        assert deliverability.without_mail(tx, other) == {1: "off"}
        assert unsubscribes.unmute(tx, office.ids["bob"], game)
        assert not unsubscribes.unmute(tx, office.ids["bob"], game)
        assert deliverability.without_mail(tx, game) == {2: "off", 3: "undeliverable"}


# Nothing grows for ever


def test_what_is_known_of_a_mailbox_is_forgotten_when_it_matters_no_more(office):
    assert KEPT > MEMORY
    office.begins("ann", "bob")
    office.begins("cyd", "dan")
    send_mail(office)
    stop_mail(office, "bob")
    bounce(office, newest_notice(office, "cyd"))
    office.hands.advance(seconds=KEPT // SECOND)
    bounce(office, remind(office, "dan"), hard=False)
    office.hands.advance(days=1)

    def forgets() -> int:
        with office.services.database.write() as tx:
            return deliverability.forget(tx, office.hands.at)

    assert forgets() == 1, "cyd's; dan's is new, and bob's is stopped"
    with office.services.database.read() as connection:
        left = set(connection.execute(sa.select(mailboxes.c.address)).scalars())
    assert left == {"bob@people.example", "dan@people.example"}
    assert forgets() == 0
