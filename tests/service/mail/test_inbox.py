"""Mail that comes in: what is taken and kept of it, for how long, and what a list of it reads."""

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy import event as engine_event

from service.container import Services
from service.kernel.clock import SECOND, Clock
from service.mail import addresses, inbox, quarantine, reply_tokens
from service.mail.inbox import DAY, KEPT, MOST_A_DAY, InboundMail, NotAccepted
from service.mail.reply_tokens import AFTER_THE_END, MARGIN
from service.store.inbox import inbound
from service.store.notice import Notice
from service.store.reply_tokens import reply_tokens as kept_tokens
from tests.service.store.house import House

NOON = 1_930_392_000 * SECOND
RAW = b"From: Ann <ann@people.example>\r\n\r\nhide 2\r\n"


class Still(Clock):
    """A clock the test moves."""

    at = NOON

    def now(self, connection: sa.Connection | None = None) -> int:
        return self.at


class Doormat:
    """Where mail comes in."""

    def __init__(self, services: Services, clock: Still) -> None:
        self.services = services
        self.clock = clock
        self.house = House(services)

    def gives(self, number: int = 1, game: str = "k7x2m9qd4t", options: Mapping[int, str] | None = None) -> str:
        """The address of a notice to Ann, given out."""
        ann = self.house.person("ann")
        notice = Notice(id=number, recipient=ann, game_id=game, seat=0, kind="your-turn", decision="1", created_at=NOON)
        with self.services.database.write() as tx:
            reply_tokens.issue(
                self.services.settings,
                self.services.database,
                self.services.sealer,
                tx,
                addresses.ANSWER,
                notice,
                player=ann,
                options=options,
            )
        return addresses.full(
            self.services.settings, reply_tokens.local_part(self.services.settings, addresses.ANSWER, notice)
        )

    def finds(self, recipient: str) -> reply_tokens.ReplyToken | None:
        with self.services.database.read() as connection:
            return reply_tokens.find(
                self.services.database, self.services.sealer, connection, addresses.token(recipient.partition("@")[0])
            )

    def takes(self, recipient: str, raw: bytes = RAW) -> int:
        return inbox.accept(self.services, InboundMail(raw, recipient, "ann@people.example", "smtp"))

    def settles(self, number: int, state: str = "applied", outcome: object = None) -> None:
        with self.services.database.write() as tx:
            (row,) = inbox.claim(self.services, tx, "lease", self.clock.at + DAY, 1)
            assert row.id == number
            assert inbox.settle(self.services, tx, row, state, outcome=outcome)

    def reduces(self, most: int = 100) -> int:
        with self.services.database.write() as tx:
            return inbox.reduce(self.services.sealer, tx, self.clock.at, most)

    def rows(self) -> list[dict[str, Any]]:
        with self.services.database.read() as connection:
            found = connection.execute(sa.select(inbound).order_by(inbound.c.id)).mappings()
            return [dict(row) for row in found]

    def outcome(self, number: int) -> Any:
        with self.services.database.read() as connection:
            row = inbox.by_id(connection, number)
        assert row is not None
        return inbox.outcome(self.services, row)

    def fills(self, recipient: str, count: int) -> None:
        """As if so many mails had come to this address just now."""
        kept = self.rows()[-1]
        del kept["id"]
        with self.services.database.write() as tx:
            tx.execute(sa.insert(inbound), [kept] * count)


@pytest.fixture
def mat(url: str, open_services: Callable[..., Services]) -> Doormat:
    """On both databases, with limits."""
    clock = Still()
    return Doormat(open_services(url, clock=clock, RATE_LIMITS="on"), clock)


@pytest.fixture
def small(migrated_sqlite: str, open_services: Callable[..., Services]) -> Doormat:
    """On SQLite, for what does not depend on the database."""
    clock = Still()
    return Doormat(open_services(migrated_sqlite, clock=clock, RATE_LIMITS="on"), clock)


@contextmanager
def statements(services: Services) -> Any:
    """What is sent to the database meanwhile."""
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    engine_event.listen(services.database.engine, "before_cursor_execute", note)
    yield sent
    engine_event.remove(services.database.engine, "before_cursor_execute", note)


# What is taken


@pytest.mark.parametrize("local", sorted(addresses.SINKS))
def test_mail_that_nobody_reads_is_counted_and_not_kept(small: Doormat, local: str) -> None:
    small.takes(f"{local}@localhost", RAW * 1000)
    (row,) = small.rows()
    assert (row["raw"], row["state"], row["reason"]) == (None, "ignored", inbox.NOBODY_READS)
    assert row["done_at"] == NOON
    with small.services.database.write() as tx:
        assert inbox.claim(small.services, tx, "lease", NOON + DAY, 9) == []


def test_rate_09_an_address_takes_two_hundred_mails_a_day_and_says_try_again(mat: Doormat) -> None:
    to, other = mat.gives(1), mat.gives(2)
    mat.takes(to)
    mat.fills(to, MOST_A_DAY - 2)
    mat.takes(to)
    with pytest.raises(NotAccepted) as refused:
        mat.takes(to)
    assert (refused.value.code, refused.value.enhanced) == (452, "4.7.1")
    with mat.services.database.read() as connection, pytest.raises(NotAccepted, match=r"4\.7\.1"):
        inbox.check_recipient(mat.services, connection, to)
    assert mat.takes(other), "other addresses are as open as before"
    assert mat.takes("postmaster@localhost")
    mat.clock.at += DAY - 1
    with pytest.raises(NotAccepted):
        mat.takes(to)
    mat.clock.at += 1
    assert mat.takes(to)


@pytest.mark.parametrize("which", ["bounce", "sink"])
def test_rate_09_addresses_without_a_token_have_enough_as_well(small: Doormat, which: str) -> None:
    full, free = {
        "bounce": (
            addresses.return_path(small.services.settings, 7),
            addresses.return_path(small.services.settings, 8),
        ),
        "sink": ("postmaster@localhost", addresses.return_path(small.services.settings, 7)),
    }[which]
    small.takes(full)
    small.fills(full, MOST_A_DAY - 1)
    with pytest.raises(NotAccepted, match=r"452 4\.7\.1"):
        small.takes(full)
    assert small.takes(free)


def test_an_address_is_looked_up_once(small: Doormat) -> None:
    to = small.gives()
    with statements(small.services) as sent:
        small.takes(to)
    assert len([one for one in sent if "FROM reply_tokens" in one]) == 1


# What a list reads


def test_lists_do_not_read_what_mails_said(small: Doormat) -> None:
    number = small.takes(small.gives())
    with statements(small.services) as sent, small.services.database.read() as connection:
        listed = [
            *inbox.mails_of(connection, small.house.ids["ann"], before=None, limit=9),
            *quarantine.latest(connection),
            inbox.by_id(connection, number),
        ]
    assert [row.id for row in listed if row] == [number] * 3
    assert not [one for one in sent if "inbound.raw" in one]
    (whole,) = small.rows()
    assert all({**msgspec.structs.asdict(row), "raw": whole["raw"]} == whole for row in listed if row), (
        "all but what it said is there"
    )


def test_the_mail_that_was_claimed_has_its_bytes(mat: Doormat) -> None:
    mat.takes(mat.gives())
    with mat.services.database.write() as tx:
        (row,) = inbox.claim(mat.services, tx, "lease", mat.clock.at + DAY, 1)
    assert inbox.raw_of(mat.services, row.digest, row.raw) == RAW


def test_a_mail_that_was_put_aside_is_read_again_while_it_is_kept(mat: Doormat) -> None:
    number = mat.takes(mat.gives())
    for kept in (True, False):
        mat.settles(number, "quarantined")
        if kept:
            with mat.services.database.write() as tx:
                quarantine.retry(mat.services, tx, number)
            assert mat.rows()[0]["state"] == "received"
    mat.clock.at += KEPT + 1
    mat.reduces()
    with mat.services.database.write() as tx, pytest.raises(quarantine.NoRetry, match="not kept any more"):
        quarantine.retry(mat.services, tx, number)


# What is kept, and for how long


WHOLE = {
    "result": "applied", "commands": ["hide 2"], "answers": "hide:1", "before": 4, "version": 5,
    "lines": [{"number": 1, "text": "hide 2, and greet my aunt"}], "shows": ["board"], "why": "x", "ignored": ["y"],
}  # fmt: skip


def test_in_31_after_thirty_days_a_mail_is_reduced_to_what_must_be_known(mat: Doormat) -> None:
    number = mat.takes(mat.gives())
    mat.settles(number, outcome=WHOLE)
    (before,) = mat.rows()
    mat.clock.at += KEPT
    assert mat.reduces() == 0
    assert mat.rows() == [before]
    mat.clock.at += 1
    assert mat.reduces() == 1
    (row,) = mat.rows()
    assert (row["raw"], row["sender"]) == (None, "")
    facts = {name: WHOLE[name] for name in ("result", "commands", "answers", "before", "version")}
    assert mat.outcome(number) == facts
    gone = {"raw", "sender", "outcome"}
    assert {name: it for name, it in row.items() if name not in gone} == {
        name: it for name, it in before.items() if name not in gone
    }
    assert mat.reduces() == 0, "once"


def test_in_02_a_mail_that_was_not_read_yet_is_kept_however_long_that_takes(small: Doormat) -> None:
    small.takes(small.gives())
    small.clock.at += 3 * KEPT
    assert small.reduces() == 0
    assert small.rows()[0]["raw"]


def test_an_outcome_that_no_key_opens_is_none_and_left_as_it_is(small: Doormat) -> None:
    number = small.takes(small.gives())
    small.settles(number, outcome=WHOLE)
    with small.services.database.write() as tx:
        tx.execute(sa.update(inbound).values(outcome=b"elsewhere" * 9))
    small.clock.at += KEPT + 1
    assert small.reduces() == 1
    (row,) = small.rows()
    assert small.outcome(number) is None
    assert row["outcome"] == b"elsewhere" * 9


def test_old_mails_are_reduced_a_batch_at_a_time_and_those_of_nobody_deleted(mat: Doormat) -> None:
    to = mat.gives()
    for _ in range(3):
        mat.settles(mat.takes(to))
    mat.takes("abuse@localhost")
    mat.clock.at += KEPT
    mat.takes("abuse@localhost")
    mat.clock.at += 1
    assert [mat.reduces(2), mat.reduces(2), mat.reduces(2)] == [2, 1, 0]
    assert [(row["id"], row["raw"]) for row in mat.rows()] == [(1, None), (2, None), (3, None), (5, None)]


def test_looking_for_old_mails_reads_no_others(small: Doormat) -> None:
    with statements(small.services) as sent:
        small.reduces()
    (query,) = [one for one in sent if one.startswith("SELECT inbound.id, inbound.outcome")]
    with small.services.database.read() as connection:
        plan = str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", (1, "received", 9, 0)).all())
    assert "USING INDEX ix_inbound_received_at (received_at<?)" in plan


# Addresses


def test_out_26_addresses_about_a_game_that_is_long_over_are_deleted(mat: Doormat) -> None:
    over, running = mat.house.begins("ann", "bob"), mat.house.begins("ann", "bob")
    first, second, third = mat.gives(1, over), mat.gives(2, over), mat.gives(3, running)
    mat.house.wanders(over, 1)
    at = mat.house.head(over).last_at + AFTER_THE_END + MARGIN

    def forgets(now: int) -> int:
        with mat.services.database.write() as tx:
            return reply_tokens.forget(tx, now, 1)

    assert [forgets(at), forgets(at + 1), forgets(at + 1), forgets(at + 1)] == [0, 1, 1, 0]
    assert [mat.finds(one) is not None for one in (first, second, third)] == [False, False, True]


def test_out_31_numbers_of_mails_sent_before_numbers_were_amounts_mean_what_they_meant(small: Doormat) -> None:
    to = small.gives(7, options={0: "hide 0"})
    kept = small.services.sealer.seal("k7x2m9qd4t", "options|7", b'["hide 0","hide 1"]')
    with small.services.database.write() as tx:
        tx.execute(sa.update(kept_tokens).values(options=kept))
    found = small.finds(to)
    assert found
    assert found.options == {1: "hide 0", 2: "hide 1"}


def test_options_that_no_key_opens_are_none(small: Doormat) -> None:
    to = small.gives(1, options={0: "hide 0", 2: "hide 2"})
    found = small.finds(to)
    assert found
    assert found.options == {0: "hide 0", 2: "hide 2"}
    with small.services.database.write() as tx:
        tx.execute(sa.update(kept_tokens).values(options=b"elsewhere" * 9))
    found = small.finds(to)
    assert found, "the address is good all the same"
    assert found.options == {}
