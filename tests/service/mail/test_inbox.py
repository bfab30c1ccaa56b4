"""Mail that comes in: what is taken and kept of it, for how long, and what a list of it reads."""

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy import event as engine_event

from service.container import Services
from service.kernel.clock import SECOND
from service.mail import addresses, inbox, quarantine, reply_tokens
from service.mail.inbox import DAY, KEPT, MOST_A_DAY, InboundMail, NotAccepted
from service.mail.reply_tokens import AFTER_THE_END, MARGIN
from service.store.inbox import inbound
from service.store.notice import Notice
from service.store.reply_tokens import reply_tokens as kept_tokens
from tests.workers.office import Hands, Office, hands

__all__ = ["hands"]

NOON = 1_930_392_000 * SECOND
RAW = b"From: Ann <ann@people.example>\r\n\r\nhide 2\r\n"


def issue_address(
    office: Office, number: int = 1, game: str = "k7x2m9qd4t", options: Mapping[int, str] | None = None
) -> str:
    """The address of a notice to Ann, given out."""
    ann = office.person("ann")
    notice = Notice(id=number, recipient=ann, game_id=game, seat=0, kind="your-turn", decision="1", created_at=NOON)
    with office.services.database.write() as tx:
        reply_tokens.issue(
            office.services.settings,
            office.services.database,
            office.services.sealer,
            tx,
            addresses.ANSWER,
            notice,
            player=ann,
            options=options,
        )
    return addresses.full(
        office.services.settings, reply_tokens.local_part(office.services.settings, addresses.ANSWER, notice)
    )


def find_address(office: Office, recipient: str) -> reply_tokens.ReplyToken | None:
    with office.services.database.read() as connection:
        return reply_tokens.find(
            office.services.database, office.services.sealer, connection, addresses.token(recipient.partition("@")[0])
        )


def accept(office: Office, recipient: str, raw: bytes = RAW) -> int:
    return inbox.accept(office.services, InboundMail(raw, recipient, "ann@people.example", "smtp"))


def settle(office: Office, number: int, state: str = "applied", outcome: object = None) -> None:
    with office.services.database.write() as tx:
        (row,) = inbox.claim(office.services, tx, "lease", office.hands.at + DAY, 1)
        assert row.id == number
        assert inbox.settle(office.services, tx, row, state, outcome=outcome)


def reduce_old(office: Office, most: int = 100) -> int:
    with office.services.database.write() as tx:
        return inbox.reduce(office.services.sealer, tx, office.hands.at, most)


def kept_mails(office: Office) -> list[dict[str, Any]]:
    with office.services.database.read() as connection:
        found = connection.execute(sa.select(inbound).order_by(inbound.c.id)).mappings()
        return [dict(row) for row in found]


def outcome_of(office: Office, number: int) -> Any:
    with office.services.database.read() as connection:
        row = inbox.by_id(connection, number)
    assert row is not None
    return inbox.outcome(office.services, row)


def fill(office: Office, recipient: str, count: int) -> None:
    """As if so many mails had come to this address just now."""
    kept = kept_mails(office)[-1]
    del kept["id"]
    with office.services.database.write() as tx:
        tx.execute(sa.insert(inbound), [kept] * count)


@pytest.fixture
def office(url: str, open_services: Callable[..., Services], hands: Hands) -> Office:
    """On both databases, with limits."""
    return Office(open_services(url, clock=hands, RATE_LIMITS="on"), hands)


@pytest.fixture
def small_office(migrated_sqlite: str, open_services: Callable[..., Services], hands: Hands) -> Office:
    """On SQLite, for what does not depend on the database."""
    return Office(open_services(migrated_sqlite, clock=hands, RATE_LIMITS="on"), hands)


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
def test_mail_that_nobody_reads_is_counted_and_not_kept(small_office: Office, local: str) -> None:
    accept(small_office, f"{local}@localhost", RAW * 1000)
    (row,) = kept_mails(small_office)
    assert (row["raw"], row["state"], row["reason"]) == (None, "ignored", inbox.NOBODY_READS)
    assert row["done_at"] == NOON
    with small_office.services.database.write() as tx:
        assert inbox.claim(small_office.services, tx, "lease", NOON + DAY, 9) == []


def test_rate_09_an_address_takes_two_hundred_mails_a_day_and_says_try_again(office: Office) -> None:
    to, other = issue_address(office, 1), issue_address(office, 2)
    accept(office, to)
    fill(office, to, MOST_A_DAY - 2)
    accept(office, to)
    with pytest.raises(NotAccepted) as refused:
        accept(office, to)
    assert (refused.value.code, refused.value.enhanced) == (452, "4.7.1")
    with office.services.database.read() as connection, pytest.raises(NotAccepted, match=r"4\.7\.1"):
        inbox.check_recipient(office.services, connection, to)
    assert accept(office, other), "other addresses are as open as before"
    assert accept(office, "postmaster@localhost")
    office.hands.at += DAY - 1
    with pytest.raises(NotAccepted):
        accept(office, to)
    office.hands.at += 1
    assert accept(office, to)


@pytest.mark.parametrize("which", ["bounce", "sink"])
def test_rate_09_addresses_without_a_token_have_enough_as_well(small_office: Office, which: str) -> None:
    full, free = {
        "bounce": (
            addresses.return_path(small_office.services.settings, 7),
            addresses.return_path(small_office.services.settings, 8),
        ),
        "sink": ("postmaster@localhost", addresses.return_path(small_office.services.settings, 7)),
    }[which]
    accept(small_office, full)
    fill(small_office, full, MOST_A_DAY - 1)
    with pytest.raises(NotAccepted, match=r"452 4\.7\.1"):
        accept(small_office, full)
    assert accept(small_office, free)


def test_an_address_is_looked_up_once(small_office: Office) -> None:
    to = issue_address(small_office)
    with statements(small_office.services) as sent:
        accept(small_office, to)
    assert len([one for one in sent if "FROM reply_tokens" in one]) == 1


# What a list reads


def test_lists_do_not_read_what_mails_said(small_office: Office) -> None:
    number = accept(small_office, issue_address(small_office))
    with statements(small_office.services) as sent, small_office.services.database.read() as connection:
        listed = [
            *inbox.mails_of(connection, small_office.ids["ann"], before=None, limit=9),
            *quarantine.latest(connection),
            inbox.by_id(connection, number),
        ]
    assert [row.id for row in listed if row] == [number] * 3
    assert not [one for one in sent if "inbound.raw" in one]
    (whole,) = kept_mails(small_office)
    assert all({**msgspec.structs.asdict(row), "raw": whole["raw"]} == whole for row in listed if row), (
        "all but what it said is there"
    )


def test_the_mail_that_was_claimed_has_its_bytes(office: Office) -> None:
    accept(office, issue_address(office))
    with office.services.database.write() as tx:
        (row,) = inbox.claim(office.services, tx, "lease", office.hands.at + DAY, 1)
    assert inbox.raw_of(office.services, row.digest, row.raw) == RAW


def test_a_mail_that_was_put_aside_is_read_again_while_it_is_kept(office: Office) -> None:
    number = accept(office, issue_address(office))
    for kept in (True, False):
        settle(office, number, "quarantined")
        if kept:
            with office.services.database.write() as tx:
                quarantine.retry(office.services, tx, number)
            assert kept_mails(office)[0]["state"] == "received"
    office.hands.at += KEPT + 1
    reduce_old(office)
    with office.services.database.write() as tx, pytest.raises(quarantine.NoRetry, match="not kept any more"):
        quarantine.retry(office.services, tx, number)


# What is kept, and for how long


WHOLE = {
    "result": "applied", "commands": ["hide 2"], "answers": "hide:1", "before": 4, "version": 5,
    "lines": [{"number": 1, "text": "hide 2, and greet my aunt"}], "shows": ["board"], "why": "x", "ignored": ["y"],
}  # fmt: skip


def test_in_31_after_thirty_days_a_mail_is_reduced_to_what_must_be_known(office: Office) -> None:
    number = accept(office, issue_address(office))
    settle(office, number, outcome=WHOLE)
    (before,) = kept_mails(office)
    office.hands.at += KEPT
    assert reduce_old(office) == 0
    assert kept_mails(office) == [before]
    office.hands.at += 1
    assert reduce_old(office) == 1
    (row,) = kept_mails(office)
    assert (row["raw"], row["sender"]) == (None, "")
    facts = {name: WHOLE[name] for name in ("result", "commands", "answers", "before", "version")}
    assert outcome_of(office, number) == facts
    gone = {"raw", "sender", "outcome"}
    assert {name: it for name, it in row.items() if name not in gone} == {
        name: it for name, it in before.items() if name not in gone
    }
    assert reduce_old(office) == 0, "once"


def test_in_02_a_mail_that_was_not_read_yet_is_kept_however_long_that_takes(small_office: Office) -> None:
    accept(small_office, issue_address(small_office))
    small_office.hands.at += 3 * KEPT
    assert reduce_old(small_office) == 0
    assert kept_mails(small_office)[0]["raw"]


def test_an_outcome_that_no_key_opens_is_none_and_left_as_it_is(small_office: Office) -> None:
    number = accept(small_office, issue_address(small_office))
    settle(small_office, number, outcome=WHOLE)
    with small_office.services.database.write() as tx:
        tx.execute(sa.update(inbound).values(outcome=b"elsewhere" * 9))
    small_office.hands.at += KEPT + 1
    assert reduce_old(small_office) == 1
    (row,) = kept_mails(small_office)
    assert outcome_of(small_office, number) is None
    assert row["outcome"] == b"elsewhere" * 9


def test_old_mails_are_reduced_a_batch_at_a_time_and_those_of_nobody_deleted(office: Office) -> None:
    to = issue_address(office)
    for _ in range(3):
        settle(office, accept(office, to))
    accept(office, "abuse@localhost")
    office.hands.at += KEPT
    accept(office, "abuse@localhost")
    office.hands.at += 1
    assert [reduce_old(office, 2), reduce_old(office, 2), reduce_old(office, 2)] == [2, 1, 0]
    assert [(row["id"], row["raw"]) for row in kept_mails(office)] == [(1, None), (2, None), (3, None), (5, None)]


def test_looking_for_old_mails_reads_no_others(small_office: Office) -> None:
    with statements(small_office.services) as sent:
        reduce_old(small_office)
    (query,) = [one for one in sent if one.startswith("SELECT inbound.id, inbound.outcome")]
    with small_office.services.database.read() as connection:
        plan = str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", (1, "received", 9, 0)).all())
    assert "USING INDEX ix_inbound_received_at (received_at<?)" in plan


# Addresses


def test_out_26_addresses_about_a_game_that_is_long_over_are_deleted(office: Office) -> None:
    over, running = office.begins("ann", "bob"), office.begins("ann", "bob")
    first, second, third = (
        issue_address(office, 1, over),
        issue_address(office, 2, over),
        issue_address(office, 3, running),
    )
    office.wanders(over, 1)
    at = office.head(over).last_at + AFTER_THE_END + MARGIN

    def forgets(now: int) -> int:
        with office.services.database.write() as tx:
            return reply_tokens.forget(tx, now, 1)

    assert [forgets(at), forgets(at + 1), forgets(at + 1), forgets(at + 1)] == [0, 1, 1, 0]
    assert [find_address(office, one) is not None for one in (first, second, third)] == [False, False, True]


def test_out_31_numbers_of_mails_sent_before_numbers_were_amounts_mean_what_they_meant(small_office: Office) -> None:
    to = issue_address(small_office, 7, options={0: "hide 0"})
    kept = small_office.services.sealer.seal("k7x2m9qd4t", "options|7", b'["hide 0","hide 1"]')
    with small_office.services.database.write() as tx:
        tx.execute(sa.update(kept_tokens).values(options=kept))
    found = find_address(small_office, to)
    assert found
    assert found.options == {1: "hide 0", 2: "hide 1"}


def test_options_that_no_key_opens_are_none(small_office: Office) -> None:
    to = issue_address(small_office, 1, options={0: "hide 0", 2: "hide 2"})
    found = find_address(small_office, to)
    assert found
    assert found.options == {0: "hide 0", 2: "hide 2"}
    with small_office.services.database.write() as tx:
        tx.execute(sa.update(kept_tokens).values(options=b"elsewhere" * 9))
    found = find_address(small_office, to)
    assert found, "the address is good all the same"
    assert found.options == {}
