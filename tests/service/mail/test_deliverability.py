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
from tests.service.store.house import House
from tests.workers.office import Hands

DAY = 86_400 * SECOND
GONE = "5.1.1 no such user"


class Post(House):
    """A house whose mails leave, or come back, when the test says so."""

    def __init__(self, services: Any, hands: Hands) -> None:
        super().__init__(services)
        self.hands = hands

    def sends(self) -> None:
        """All mail that waits leaves; a second goes by."""
        with self.services.database.write() as tx:
            rows = sa.update(deliveries).where(deliveries.c.state == "queued")
            tx.execute(rows.values(state="sent", done_at=self.hands.at, message_id="<one@play.example>"))
        self.hands.advance(seconds=1)

    def notices(self, **where: Any) -> list[dict[str, Any]]:
        found = sa.select(outbox).where(*(outbox.c[name] == value for name, value in where.items()))
        with self.services.database.read() as connection:
            return [dict(row) for row in connection.execute(found.order_by(outbox.c.id)).mappings()]

    def newest(self, name: str, kind: str = "your-turn") -> dict[str, Any]:
        recipient = name if "@" in name else self.ids[name]
        return self.notices(recipient=recipient, kind=kind)[-1]

    def bounces(self, notice: dict[str, Any], *, hard: bool = True, said: str = GONE) -> bool:
        with self.services.database.write() as tx:
            return deliverability.count_bounce(self.services, tx, mail_in(tx, notice), hard=hard, diagnostic=said)

    def complains(self, notice: dict[str, Any]) -> bool:
        with self.services.database.write() as tx:
            return deliverability.record_complaint(self.services, tx, mail_in(tx, notice))

    def reminds(self, name: str) -> dict[str, Any]:
        """Another mail to somebody, sent."""
        with self.services.database.write() as tx:
            number = len(self.notices())
            row = {"recipient": self.ids[name], "kind": "reminder", "decision": f"1.{number}"}
            put(tx, [row | {"created_at": self.hands.at}])
        self.sends()
        return self.newest(name, "reminder")

    def is_stopped(self, name: str) -> bool:
        with self.services.database.read() as connection:
            return deliverability.is_suppressed(connection, f"{name}@people.example")

    def mail_of(self, name: str) -> tuple[str, str]:
        with self.services.database.read() as connection:
            return deliverability.state_of(connection, self.ids[name], self.hands.at)

    def probes(self) -> Counter[str]:
        return Counter(row["recipient"] for row in self.notices(kind="probe"))

    def told(self) -> list[tuple[str, str, int]]:
        """Who was told that mail to which seat has stopped."""
        rows = self.notices(kind="undeliverable")
        return [
            (row["recipient"], row["game_id"], row["seat"])
            for row in rows
            if deliverability.tells_of_a_stop(row["decision"])
        ]

    def stops(self, name: str) -> None:
        """A mail to somebody comes back, and the probe too."""
        assert self.bounces(self.newest(name))
        self.sends()
        assert self.bounces(self.newest(name, "probe"))


@pytest.fixture
def post(url: str, open_services: Any) -> Post:
    hands = Hands()
    return Post(open_services(url, clock=hands), hands)


@pytest.fixture
def small_post(migrated_sqlite: str, open_services: Any) -> Post:
    """On SQLite, for what does not depend on the database."""
    hands = Hands()
    return Post(open_services(migrated_sqlite, clock=hands), hands)


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


def test_rate10_the_first_hard_bounce_sends_a_probe_and_that_of_the_probe_stops_mail(post):
    post.begins("ann", "bob")
    post.sends()
    notice = post.newest("bob")
    assert post.bounces(notice)
    (row,) = post.notices(id=notice["id"])
    assert (row["state"], row["reason"], row["done_at"]) == ("bounced", GONE, notice["done_at"])
    assert post.mail_of("bob") == ("bouncing", GONE)
    assert not post.is_stopped("bob"), "one bounce proves little"
    (probe,) = post.notices(kind="probe")
    assert (probe["recipient"], probe["game_id"], probe["state"]) == (post.ids["bob"], "", "queued")
    post.sends()
    assert post.bounces(post.newest("bob", "probe"), said="5.1.1 still nobody")
    assert post.is_stopped("bob")
    assert post.mail_of("bob") == ("stopped", "5.1.1 still nobody")
    assert post.probes() == {post.ids["bob"]: 1}
    assert (post.mail_of("ann"), post.is_stopped("ann")) == (("ok", ""), False)


def test_rate12_mails_sent_before_the_probe_prove_no_more_than_the_first_however_many_come_back(post):
    for _ in range(4):
        post.begins("ann", "bob")
    post.sends()
    for notice in post.notices(kind="your-turn", recipient=post.ids["bob"]):
        assert post.bounces(notice)
        assert not post.is_stopped("bob")
    post.sends()
    assert post.probes() == {post.ids["bob"]: 1}
    assert not post.is_stopped("bob")


def test_rate10_a_mail_sent_after_the_probe_stops_mail_too(small_post):
    small_post.begins("ann", "bob")
    small_post.sends()
    small_post.bounces(small_post.newest("bob"))
    early = small_post.reminds("bob")  # the probe leaves with it: not after it
    assert small_post.bounces(early)
    assert not small_post.is_stopped("bob")
    assert small_post.bounces(small_post.reminds("bob"))
    assert small_post.is_stopped("bob")


def test_rate10_what_comes_back_while_the_probe_has_not_left_stops_nothing(small_post):
    small_post.begins("ann", "bob")
    small_post.begins("ann", "bob")
    small_post.sends()
    first, second = small_post.notices(kind="your-turn", recipient=small_post.ids["bob"])
    small_post.bounces(first)
    small_post.hands.advance(hours=1)
    assert small_post.bounces(second)
    assert not small_post.is_stopped("bob")
    assert small_post.probes() == {small_post.ids["bob"]: 1}


def test_rate10_a_probe_that_could_not_leave_proves_nothing_and_another_is_sent(small_post):
    small_post.begins("ann", "bob")
    small_post.sends()
    small_post.bounces(small_post.newest("bob"))
    with small_post.services.database.write() as tx:
        tx.execute(sa.update(deliveries).where(deliveries.c.kind == "probe").values(state="failed", done_at=1))
    assert small_post.bounces(small_post.reminds("bob"))
    assert not small_post.is_stopped("bob")
    assert small_post.probes() == {small_post.ids["bob"]: 2}


@pytest.mark.parametrize("days, stopped", [(29, True), (31, False)])
def test_rate10_a_probe_that_did_not_come_back_is_forgotten_after_a_month(small_post, days, stopped):
    small_post.begins("ann", "bob")
    small_post.sends()
    small_post.bounces(small_post.newest("bob"))
    small_post.sends()
    small_post.hands.advance(days=days)
    assert small_post.bounces(small_post.reminds("bob"))
    assert small_post.is_stopped("bob") == stopped
    assert small_post.probes() == {small_post.ids["bob"]: 1 if stopped else 2}


# Soft bounces


def test_rate10_soft_bounces_are_weighed_and_four_of_them_call_for_a_probe(post):
    post.begins("ann", "bob")
    post.sends()
    post.bounces(post.newest("bob"), hard=False, said="4.2.2 full")
    for _ in range(2):
        assert post.bounces(post.reminds("bob"), hard=False)
    assert not post.probes()
    assert post.mail_of("bob")[0] == "bouncing"
    assert post.bounces(post.reminds("bob"), hard=False)
    assert post.probes() == {post.ids["bob"]: 1}
    post.sends()
    assert not post.is_stopped("bob")
    post.bounces(post.newest("bob", "probe"), hard=False, said="4.2.2 still full")
    assert post.is_stopped("bob")


def test_rate10_after_a_hard_bounce_one_soft_one_of_the_probe_is_not_enough(small_post):
    small_post.begins("ann", "bob")
    small_post.sends()
    small_post.bounces(small_post.newest("bob"))
    small_post.sends()
    assert small_post.bounces(small_post.newest("bob", "probe"), hard=False)
    assert not small_post.is_stopped("bob")


@pytest.mark.parametrize("days, asked", [(29, 1), (31, 0)])
def test_rate10_the_score_is_forgotten_after_a_month_without_a_bounce(small_post, days, asked):
    small_post.begins("ann", "bob")
    for _ in range(3):
        small_post.bounces(small_post.reminds("bob"), hard=False)
    small_post.hands.advance(days=days)
    assert small_post.mail_of("bob")[0] == ("bouncing" if asked else "ok")
    small_post.bounces(small_post.reminds("bob"), hard=False)
    assert len(small_post.notices(kind="probe")) == asked


# What does not count


def test_rate12_a_notice_counts_once(small_post):
    small_post.begins("ann", "bob")
    small_post.sends()
    notice = small_post.newest("bob")
    assert [small_post.bounces(notice, hard=False) for _ in range(5)] == [True, False, False, False, False]
    assert not small_post.probes()


@pytest.mark.parametrize("state", ["queued", "superseded", "failed", "bounced"])
def test_rate12_only_what_was_sent_can_come_back(small_post, state):
    small_post.begins("ann", "bob")
    small_post.sends()
    with small_post.services.database.write() as tx:
        tx.execute(sa.update(deliveries).values(state=state))
    assert not small_post.bounces(small_post.newest("bob"))
    assert not small_post.complains(small_post.newest("bob"))
    assert {row["state"] for row in small_post.notices()} == {state}
    assert small_post.mail_of("bob") == ("ok", "")


def test_rate12_a_mail_that_was_settled_since_it_was_read_does_not_count_again(small_post):
    small_post.begins("ann", "bob")
    small_post.sends()
    stale = small_post.newest("bob")
    assert small_post.bounces(stale)
    small_post.sends()
    before = small_post.notices()
    assert stale["state"] == "sent"
    assert not small_post.bounces(stale)
    assert small_post.notices() == before


@pytest.mark.parametrize("late, counts", [(-2, True), (-1, False)])
def test_rate12_after_two_weeks_no_mail_comes_back(small_post, late, counts):
    small_post.begins("ann", "bob")
    small_post.sends()
    small_post.hands.advance(seconds=OLDEST // SECOND + late)
    assert small_post.complains(small_post.newest("ann")) == counts
    assert small_post.bounces(small_post.newest("bob")) == counts
    assert len(small_post.probes()) == counts


def test_a_player_who_is_gone_has_no_mailbox(small_post):
    small_post.begins("ann", "bob")
    small_post.sends()
    notice = small_post.newest("bob")
    with small_post.services.database.write() as tx:
        tx.execute(sa.text("DELETE FROM players WHERE id = :id"), {"id": small_post.ids["bob"]})
    assert small_post.bounces(notice)
    assert not small_post.complains(small_post.newest("bob"))
    assert not small_post.probes()


# Refused in the session


def test_rate03_a_refusal_in_the_session_is_a_bounce_and_that_of_the_probe_stops_mail(post):
    def refuses(notice, hard=True):
        with post.services.database.write() as tx:
            tx.execute(sa.update(deliveries).where(deliveries.c.notice_id == notice["id"]).values(state="failed"))
            deliverability.count_refusal(post.services, tx, mail_in(tx, notice), hard=hard, diagnostic=GONE)

    post.begins("ann", "bob")
    refuses(post.newest("bob"))
    assert not post.is_stopped("bob")
    refuses(post.newest("bob", "probe"))
    assert post.is_stopped("bob")
    refuses(post.newest("ann"), hard=False)
    assert post.mail_of("ann")[0] == "bouncing"
    assert post.probes() == {post.ids["bob"]: 1}


# Strangers


def test_rate10_a_stranger_is_probed_by_the_next_invitation_alone(small_post):
    stranger = "Eve@people.example"
    for stopped in (False, True):
        game = small_post.opens("ann", invite=[stranger])
        small_post.sends()
        (invitation,) = small_post.notices(kind="invitation", game_id=game)
        assert small_post.bounces(invitation)
        assert small_post.is_stopped("eve") == stopped
        small_post.hands.advance(minutes=1)
    assert not small_post.probes()
    assert not small_post.told()


# Complaints


def test_rate10_a_complaint_stops_mail_at_once_and_counts_once(post):
    game = post.begins("ann", "bob")
    post.sends()
    notice = post.newest("bob")
    assert post.complains(notice)
    assert post.is_stopped("bob")
    assert post.mail_of("bob") == ("stopped", COMPLAINT)
    assert post.newest("bob")["state"] == "sent", "it arrived"
    assert post.told() == [(post.ids["ann"], game, 1)]
    assert not post.probes()
    with post.services.database.write() as tx:
        assert deliverability.lift(tx, post.ids["bob"])
    assert not post.complains(post.newest("bob")), "the same complaint, sent again, stops nothing"
    assert not post.is_stopped("bob")


# The host


def test_rate11_the_host_of_every_running_game_is_told_once(post):
    running = [post.begins("ann", "bob"), post.begins("cyd", "bob", "dan")]
    post.begins("bob", "ann")  # his own table
    post.begins("ann", "cyd")  # not his
    post.sits(post.opens("dan"), "bob")  # not begun
    over = post.begins("dan", "bob")
    with post.services.database.write() as tx:
        tx.execute(sa.text("UPDATE games SET status = 'finished' WHERE id = :id"), {"id": over})
    post.sends()
    post.stops("bob")
    told = {(post.ids["ann"], running[0], 1), (post.ids["cyd"], running[1], 1)}
    assert sorted(post.told()) == sorted(told)
    post.sends()
    post.bounces(post.reminds("bob"))
    assert sorted(post.told()) == sorted(told), "once"


def test_rate11_what_the_host_is_told_holds_until_mail_reaches_the_seat_again(small_post):
    small_post.begins("ann", "bob")
    small_post.sends()
    small_post.stops("bob")
    (word,) = small_post.notices(kind="undeliverable")

    def objection() -> str | None:
        with small_post.services.database.read() as connection:
            return deliverability.check(connection, word["game_id"], word["seat"])

    assert deliverability.tells_of_a_stop(word["decision"])
    assert not deliverability.tells_of_a_stop("7.1")
    assert objection() is None
    with small_post.services.database.write() as tx:
        deliverability.lift(tx, small_post.ids["bob"])
    assert objection() == "mail reaches the seat again"
    with small_post.services.database.write() as tx:
        tx.execute(sa.text("UPDATE seats SET vacant = :yes"), {"yes": True})
    assert objection() == "nobody sits there any more"


def test_rate11_a_second_stop_is_told_again(small_post):
    small_post.begins("ann", "bob")
    for times in (1, 2):
        small_post.reminds("bob")
        assert small_post.bounces(small_post.newest("bob", "reminder"))
        small_post.sends()
        assert small_post.bounces(small_post.newest("bob", "probe"))
        assert len(small_post.told()) == times
        with small_post.services.database.write() as tx:
            assert deliverability.lift(tx, small_post.ids["bob"])


# The clock


def test_rate11_a_turn_whose_notice_came_back_has_its_time_once_more_and_no_more_after_that(post):
    game = post.begins("ann", "bob", clock={"per_move": "P3D", "grace": "PT10M", "reminders": []})
    post.sends()
    post.stops("bob")
    bob = (decisions.c.game_id == game, decisions.c.player_id == post.ids["bob"])
    with post.services.database.read() as connection:
        row = connection.execute(sa.select(decisions).where(*bob)).mappings().one()

    def expires() -> bool:
        with post.services.database.write() as tx:
            return expire.expire_turn(post.services, tx, game, row["seat"], row["since"])

    post.hands.advance(days=3, minutes=10)
    assert not expires()
    with post.services.database.read() as connection:
        again = connection.execute(sa.select(decisions).where(*bob)).mappings().one()
    assert again["extended"]
    assert again["due_at"] == post.hands.at + 3 * DAY
    post.hands.advance(days=3, minutes=10)
    assert expires(), "once"
    with post.services.database.read() as connection:
        seen = post.services.streams.seen(connection, game, None, after=0, upto=9999)
    assert [event["type"] for event in seen].count("table.turn-expired") == 1
    assert len(post.notices(kind="undeliverable")) == 2, "the stop, and the turn"


def owes(post: Post, game: str, name: str) -> dict[str, Any]:
    with post.services.database.read() as connection:
        found = sa.select(decisions).where(decisions.c.game_id == game, decisions.c.player_id == post.ids[name])
        return dict(connection.execute(found).mappings().one())


def lets_pass(post: Post, game: str, name: str) -> bool:
    """The deadline of somebody passes. Whether the caretaker played."""
    row = owes(post, game, name)
    post.hands.at = row["acts_at"]
    with post.services.database.write() as tx:
        return expire.expire_turn(post.services, tx, game, row["seat"], row["since"])


@pytest.mark.parametrize("name", ["bob", "ann"])
def test_rate11_a_seat_has_its_time_once_more_in_one_turn_of_a_game_however_often_notices_come_back(post, name):
    """Bob, and ann, who is the host and is not told of herself."""
    game, other = post.begins("ann", "bob"), post.begins("ann", "bob")
    post.sends()
    notices = post.notices(kind="your-turn", recipient=post.ids[name])
    assert post.bounces(notices[0])
    assert post.bounces(notices[1])
    assert not lets_pass(post, game, name)
    told = post.notices(kind="undeliverable")
    assert [row["state"] for row in told] == ["queued" if name == "bob" else "superseded"]
    for seat in (0, 1):
        post.plays(game, seat, "hide 1")
    (caller,) = post.head(game).rules.decider.awaiting(post.head(game).table.game)
    post.plays(game, caller, "take")
    post.sends()
    with post.services.database.write() as tx:
        deliverability.forget_bounces(tx, post.ids[name])
    row = owes(post, game, name)
    assert not row["extended"]
    (notice,) = post.notices(kind="your-turn", recipient=post.ids[name], decision=str(row["since"]))
    assert post.bounces(notice)
    assert lets_pass(post, game, name), "not in the next turn"
    assert not lets_pass(post, other, name), "another game"


def test_rate11_a_seat_that_mail_has_stopped_to_before_still_has_its_time_once_more(small_post):
    game = small_post.begins("ann", "bob")
    small_post.sends()
    small_post.stops("bob")
    assert small_post.told()
    assert not lets_pass(small_post, game, "bob")


def test_rate12_a_soft_bounce_gives_no_time(small_post):
    game = small_post.begins("ann", "bob")
    small_post.sends()
    assert small_post.bounces(small_post.newest("bob"), hard=False)
    assert small_post.newest("bob")["state"] == "sent"
    assert lets_pass(small_post, game, "bob")


def test_rate11_a_turn_that_begins_after_mail_has_stopped_has_its_time_once(small_post):
    game = small_post.begins("ann", "bob")
    small_post.sends()
    small_post.stops("bob")
    with small_post.services.database.write() as tx:
        mine = (deliveries.c.kind == "your-turn", deliveries.c.recipient == small_post.ids["bob"])
        tx.execute(sa.update(deliveries).where(*mine).values(state="superseded"))
        found = sa.select(decisions).where(decisions.c.player_id == small_post.ids["bob"])
        row = tx.execute(found).mappings().one()
    small_post.hands.advance(days=3, minutes=10)
    with small_post.services.database.write() as tx:
        assert expire.expire_turn(small_post.services, tx, game, row["seat"], row["since"])
    assert e.TurnExpired in [type(event) for event in all_events(small_post, game)]


def all_events(post: Post, game: str) -> list[Any]:
    with post.services.database.read() as connection:
        head = post.services.streams.head(connection, game)
        return list(post.services.streams.facts_seen(connection, game, head.rules, None, after=0, upto=head.version))


# Mail again


def lifts(post: Post, way: str) -> None:
    bob = post.ids["bob"]
    if way == "signs in":
        with post.services.database.write() as tx:
            sign_in.ask(post.services, tx, "bob@people.example")
        sign_in.post_codes(post.services)
    with post.services.database.write() as tx:
        if way == "asks":
            people.change_profile(tx, bob, {"mail": True})
        elif way == "signs in":
            row = tx.execute(sa.select(outbox).where(outbox.c.kind == "code")).mappings().one()
            code = post.services.sealer.open("codes", f"code|{row['decision']}", row["secret"]).decode()
            assert sign_in.confirm(post.services, tx, "bob@people.example", "wrong")[0] is None
            assert deliverability.is_suppressed(tx, "bob@people.example"), "a wrong code proves nothing"
            assert sign_in.confirm(post.services, tx, "bob@people.example", code)[0]
        elif way == "writes":
            assert deliverability.forget_bounces(tx, bob)


@pytest.mark.parametrize("way", ["asks", "signs in", "writes"])
def test_rate11_a_player_who_shows_up_gets_mail_again_with_a_clean_slate(post, way):
    post.begins("ann", "bob")
    post.sends()
    post.stops("bob")
    assert post.is_stopped("bob")
    lifts(post, way)
    assert not post.is_stopped("bob")
    assert post.mail_of("bob") == ("ok", "")
    assert post.bounces(post.reminds("bob"))
    assert not post.is_stopped("bob"), "a probe first, as ever"
    assert post.probes()[post.ids["bob"]] == 2


def test_a_mail_from_a_player_does_not_take_a_complaint_back(small_post):
    small_post.begins("ann", "bob")
    small_post.sends()
    small_post.complains(small_post.newest("bob"))
    with small_post.services.database.write() as tx:
        assert not deliverability.forget_bounces(tx, small_post.ids["bob"])
        assert not deliverability.forget_bounces(tx, small_post.ids["ann"])
    assert small_post.is_stopped("bob")
    lifts(small_post, "asks")
    assert not small_post.is_stopped("bob")


@pytest.mark.parametrize("changes", [{"name": "Bob"}, {"mail": False}, {}])
def test_other_changes_of_a_profile_leave_a_stop_alone(small_post, changes):
    small_post.begins("ann", "bob")
    small_post.sends()
    small_post.stops("bob")
    with small_post.services.database.write() as tx:
        people.change_profile(tx, small_post.ids["bob"], changes)
    assert small_post.is_stopped("bob")


# What the host sees


def test_out17_rate11_seats_without_mail_are_known(post):
    game = post.begins("ann", "bob", "cyd", "dan", bots=1, kind="tammany-hall")
    other = post.begins("ann", "cyd")
    post.sends()
    with post.services.database.write() as tx:
        assert deliverability.without_mail(tx, game) == {}
        unsubscribes.mute(post.services.database, tx, post.ids["bob"], game)
        unsubscribes.mute(post.services.database, tx, post.ids["bob"], game)
        people.change_profile(tx, post.ids["cyd"], {"mail": False})
    post.complains(post.reminds("dan"))
    with post.services.database.write() as tx:
        assert deliverability.without_mail(tx, game) == {1: "off", 2: "off", 3: "undeliverable"}
        assert deliverability.without_mail(tx, other) == {1: "off"}
        assert unsubscribes.unmute(tx, post.ids["bob"], game)
        assert not unsubscribes.unmute(tx, post.ids["bob"], game)
        assert deliverability.without_mail(tx, game) == {2: "off", 3: "undeliverable"}


# Nothing grows for ever


def test_what_is_known_of_a_mailbox_is_forgotten_when_it_matters_no_more(post):
    assert KEPT > MEMORY
    post.begins("ann", "bob")
    post.begins("cyd", "dan")
    post.sends()
    post.stops("bob")
    post.bounces(post.newest("cyd"))
    post.hands.advance(seconds=KEPT // SECOND)
    post.bounces(post.reminds("dan"), hard=False)
    post.hands.advance(days=1)

    def forgets() -> int:
        with post.services.database.write() as tx:
            return deliverability.forget(tx, post.hands.at)

    assert forgets() == 1, "cyd's; dan's is new, and bob's is stopped"
    with post.services.database.read() as connection:
        left = set(connection.execute(sa.select(mailboxes.c.address)).scalars())
    assert left == {"bob@people.example", "dan@people.example"}
    assert forgets() == 0
