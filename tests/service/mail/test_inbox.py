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
from service.store.incoming import replies
from service.store.incoming.inbox import inbound
from service.store.incoming.reply_tokens import reply_tokens as kept_tokens
from service.store.outgoing.notice import Notice
from tests.manual_clock import ManualClock
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock

__all__ = ["manual_clock"]

NOON = 1_930_392_000 * SECOND
RAW = b"From: Ann <ann@people.example>\r\n\r\nhide 2\r\n"


def issue_address(
    tables: Tables, number: int = 1, game: str = "k7x2m9qd4t", options: Mapping[int, str] | None = None
) -> str:
    """The address of a notice to Ann, given out."""
    ann = tables.player("ann")
    notice = Notice(id=number, recipient=ann, game_id=game, seat=0, kind="your-turn", decision="1", created_at=NOON)
    with tables.services.database.write() as tx:
        reply_tokens.issue(
            tables.services.settings,
            tables.services.database,
            tables.services.sealer,
            tx,
            addresses.ANSWER,
            notice,
            player=ann,
            options=options,
        )
    return addresses.full(
        tables.services.settings, reply_tokens.local_part(tables.services.settings, addresses.ANSWER, notice)
    )


def find_address(tables: Tables, recipient: str) -> reply_tokens.ReplyToken | None:
    with tables.services.database.read() as connection:
        return reply_tokens.find(
            tables.services.database, tables.services.sealer, connection, addresses.token(recipient.partition("@")[0])
        )


def accept(tables: Tables, recipient: str, raw: bytes = RAW) -> int:
    return inbox.accept(tables.services, InboundMail(raw, recipient, "ann@people.example", "smtp"))


def settle(tables: Tables, number: int, state: str = "applied", outcome: object = None) -> None:
    with tables.services.database.write() as tx:
        (row,) = inbox.claim(tables.services, tx, "lease", tables.clock.at + DAY, 1)
        assert row.id == number
        assert inbox.settle(tables.services, tx, row, state, outcome=outcome)


def reduce_old(tables: Tables, most: int = 100) -> int:
    with tables.services.database.write() as tx:
        return inbox.reduce(tables.services.sealer, tx, tables.clock.at, most)


def kept_mails(tables: Tables) -> list[dict[str, Any]]:
    with tables.services.database.read() as connection:
        found = connection.execute(sa.select(inbound).order_by(inbound.c.id)).mappings()
        return [dict(row) for row in found]


def outcome_of(tables: Tables, number: int) -> Any:
    with tables.services.database.read() as connection:
        row = inbox.by_id(connection, number)
    assert row is not None
    return inbox.outcome(tables.services, row)


def fill(tables: Tables, recipient: str, count: int) -> None:
    """As if so many mails had come to this address just now."""
    kept = kept_mails(tables)[-1]
    del kept["id"]
    with tables.services.database.write() as tx:
        tx.execute(sa.insert(inbound), [kept] * count)


@pytest.fixture
def tables(url: str, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """On both databases, with limits."""
    return Tables(open_services(url, clock=manual_clock, RATE_LIMITS="on"), manual_clock)


@pytest.fixture
def sqlite_tables(migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """On SQLite, for what does not depend on the database."""
    return Tables(open_services(migrated_sqlite, clock=manual_clock, RATE_LIMITS="on"), manual_clock)


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
def test_mail_that_nobody_reads_is_counted_and_not_kept(sqlite_tables: Tables, local: str) -> None:
    accept(sqlite_tables, f"{local}@localhost", RAW * 1000)
    (row,) = kept_mails(sqlite_tables)
    assert (row["raw"], row["state"], row["reason"]) == (None, "ignored", inbox.NOBODY_READS)
    assert row["done_at"] == NOON
    with sqlite_tables.services.database.write() as tx:
        assert inbox.claim(sqlite_tables.services, tx, "lease", NOON + DAY, 9) == []


def test_rate_09_an_address_takes_two_hundred_mails_a_day_and_says_try_again(tables: Tables) -> None:
    to, other = issue_address(tables, 1), issue_address(tables, 2)
    accept(tables, to)
    fill(tables, to, MOST_A_DAY - 2)
    accept(tables, to)
    with pytest.raises(NotAccepted) as refused:
        accept(tables, to)
    assert (refused.value.code, refused.value.enhanced) == (452, "4.7.1")
    with tables.services.database.read() as connection, pytest.raises(NotAccepted, match=r"4\.7\.1"):
        inbox.check_recipient(tables.services, connection, to)
    assert accept(tables, other), "other addresses are as open as before"
    assert accept(tables, "postmaster@localhost")
    tables.clock.at += DAY - 1
    with pytest.raises(NotAccepted):
        accept(tables, to)
    tables.clock.at += 1
    assert accept(tables, to)


@pytest.mark.parametrize("which", ["bounce", "sink"])
def test_rate_09_addresses_without_a_token_have_enough_as_well(sqlite_tables: Tables, which: str) -> None:
    full, free = {
        "bounce": (
            addresses.return_path(sqlite_tables.services.settings, 7),
            addresses.return_path(sqlite_tables.services.settings, 8),
        ),
        "sink": ("postmaster@localhost", addresses.return_path(sqlite_tables.services.settings, 7)),
    }[which]
    accept(sqlite_tables, full)
    fill(sqlite_tables, full, MOST_A_DAY - 1)
    with pytest.raises(NotAccepted, match=r"452 4\.7\.1"):
        accept(sqlite_tables, full)
    assert accept(sqlite_tables, free)


def test_an_address_is_looked_up_once(sqlite_tables: Tables) -> None:
    to = issue_address(sqlite_tables)
    with statements(sqlite_tables.services) as sent:
        accept(sqlite_tables, to)
    assert len([one for one in sent if "FROM reply_tokens" in one]) == 1


# What a list reads


def test_lists_do_not_read_what_mails_said(sqlite_tables: Tables) -> None:
    number = accept(sqlite_tables, issue_address(sqlite_tables))
    with statements(sqlite_tables.services) as sent, sqlite_tables.services.database.read() as connection:
        listed = [
            *inbox.mails_of(connection, sqlite_tables.ids["ann"], before=None, limit=9),
            *quarantine.latest(connection),
            inbox.by_id(connection, number),
        ]
    assert [row.id for row in listed if row] == [number] * 3
    assert not [one for one in sent if "inbound.raw" in one]
    (whole,) = kept_mails(sqlite_tables)
    assert all({**msgspec.structs.asdict(row), "raw": whole["raw"]} == whole for row in listed if row), (
        "all but what it said is there"
    )


def test_the_mail_that_was_claimed_has_its_bytes(tables: Tables) -> None:
    accept(tables, issue_address(tables))
    with tables.services.database.write() as tx:
        (row,) = inbox.claim(tables.services, tx, "lease", tables.clock.at + DAY, 1)
    assert inbox.raw_of(tables.services, row.digest, row.raw) == RAW


def test_a_mail_that_was_put_aside_is_read_again_while_it_is_kept(tables: Tables) -> None:
    number = accept(tables, issue_address(tables))
    for kept in (True, False):
        settle(tables, number, "quarantined")
        if kept:
            with tables.services.database.write() as tx:
                quarantine.retry(tables.services, tx, number)
            assert kept_mails(tables)[0]["state"] == "received"
    tables.clock.at += KEPT + 1
    reduce_old(tables)
    with tables.services.database.write() as tx, pytest.raises(quarantine.NoRetry, match="not kept any more"):
        quarantine.retry(tables.services, tx, number)


def test_mails_of_a_seat_and_what_became_of_them_are_found(tables: Tables) -> None:
    ann, address = tables.player("ann"), issue_address(tables)
    numbers = [accept(tables, address) for _ in range(2)]
    first, second = kept_mails(tables)
    span = (first["received_at"], second["received_at"])
    with tables.services.database.write() as tx:
        assert not replies.has_twin(tx, numbers[1], second["token"], second["digest"])
        replies.set_state(tx, numbers[0], "refused", "too late")
        assert replies.has_twin(tx, numbers[1], second["token"], second["digest"])
        assert not replies.has_twin(tx, numbers[0], first["token"], first["digest"]), "the other was not read yet"
        assert [mail.id for mail in quarantine.latest(tx)] == numbers[::-1]
        assert [(mail.id, mail.reason) for mail in quarantine.latest(tx, state="refused")] == [(numbers[0], "too late")]
        for most, states in ((9, ["refused", "received"]), (1, ["refused"])):
            found = replies.arrivals(tx, first["game_id"], 0, ann, *span, most)
            assert [arrival.state for arrival in found] == states
        assert replies.arrivals(tx, first["game_id"], 1, ann, *span, 9) == []


# What is kept, and for how long


WHOLE = {
    "result": "applied", "commands": ["hide 2"], "answers": "hide:1", "before": 4, "version": 5,
    "lines": [{"number": 1, "text": "hide 2, and greet my aunt"}], "shows": ["board"], "why": "x", "ignored": ["y"],
}  # fmt: skip


def test_in_31_after_thirty_days_a_mail_is_reduced_to_what_must_be_known(tables: Tables) -> None:
    number = accept(tables, issue_address(tables))
    settle(tables, number, outcome=WHOLE)
    (before,) = kept_mails(tables)
    tables.clock.at += KEPT
    assert reduce_old(tables) == 0
    assert kept_mails(tables) == [before]
    tables.clock.at += 1
    assert reduce_old(tables) == 1
    (row,) = kept_mails(tables)
    assert (row["raw"], row["sender"]) == (None, "")
    facts = {name: WHOLE[name] for name in ("result", "commands", "answers", "before", "version")}
    assert outcome_of(tables, number) == facts
    gone = {"raw", "sender", "outcome"}
    assert {name: it for name, it in row.items() if name not in gone} == {
        name: it for name, it in before.items() if name not in gone
    }
    assert reduce_old(tables) == 0, "once"


def test_in_02_a_mail_that_was_not_read_yet_is_kept_however_long_that_takes(sqlite_tables: Tables) -> None:
    accept(sqlite_tables, issue_address(sqlite_tables))
    sqlite_tables.clock.at += 3 * KEPT
    assert reduce_old(sqlite_tables) == 0
    assert kept_mails(sqlite_tables)[0]["raw"]


def test_an_outcome_that_no_key_opens_is_none_and_left_as_it_is(sqlite_tables: Tables) -> None:
    number = accept(sqlite_tables, issue_address(sqlite_tables))
    settle(sqlite_tables, number, outcome=WHOLE)
    with sqlite_tables.services.database.write() as tx:
        tx.execute(sa.update(inbound).values(outcome=b"elsewhere" * 9))
    sqlite_tables.clock.at += KEPT + 1
    assert reduce_old(sqlite_tables) == 1
    (row,) = kept_mails(sqlite_tables)
    assert outcome_of(sqlite_tables, number) is None
    assert row["outcome"] == b"elsewhere" * 9


def test_old_mails_are_reduced_a_batch_at_a_time_and_those_of_nobody_deleted(tables: Tables) -> None:
    to = issue_address(tables)
    for _ in range(3):
        settle(tables, accept(tables, to))
    accept(tables, "abuse@localhost")
    tables.clock.at += KEPT
    accept(tables, "abuse@localhost")
    tables.clock.at += 1
    assert [reduce_old(tables, 2), reduce_old(tables, 2), reduce_old(tables, 2)] == [2, 1, 0]
    assert [(row["id"], row["raw"]) for row in kept_mails(tables)] == [(1, None), (2, None), (3, None), (5, None)]


def test_looking_for_old_mails_reads_no_others(sqlite_tables: Tables) -> None:
    with statements(sqlite_tables.services) as sent:
        reduce_old(sqlite_tables)
    (query,) = [one for one in sent if one.startswith("SELECT inbound.id, inbound.outcome")]
    with sqlite_tables.services.database.read() as connection:
        plan = str(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}", (1, "received", 9, 0)).all())
    assert "USING INDEX ix_inbound_received_at (received_at<?)" in plan


# A mailbox that takes games+anything


def test_every_address_may_begin_as_a_shared_mailbox_wants_it(
    migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock
) -> None:
    shared = open_services(migrated_sqlite, clock=manual_clock, MAIL_DOMAIN="provider.example", MAIL_PREFIX="Games+")
    tables = Tables(shared, manual_clock)
    to, back = issue_address(tables), addresses.return_path(shared.settings, 10**17)
    assert to.startswith("Games+mv-")
    assert back.startswith("Games+b-")
    assert max(len(each.rpartition("@")[0]) for each in (to, back)) + 26 - len("games") <= 64, (
        "with the longest beginning"
    )
    for written in (to, to.lower(), to.removeprefix("Games+"), "GAMES+POSTMASTER@provider.example", back):
        assert addresses.read(shared.settings, written) is not None
    assert addresses.read(shared.settings, "games@provider.example") is None
    assert accept(tables, to)


# Probes


def probe_address(tables: Tables) -> str:
    settings, entropy = tables.services.settings, tables.services.entropy
    return addresses.full(settings, addresses.make_probe(settings, entropy, tables.clock.at))


def test_the_address_of_a_probe_takes_mail_for_an_hour_and_is_known_by_its_mac_alone(tables: Tables) -> None:
    to = probe_address(tables)
    assert len(to.partition("@")[0]) == 36, "as long as every address we give out"
    assert to != probe_address(tables)
    accept(tables, to)
    accept(tables, to.upper())
    for junk in (
        to.replace("pb-", "mv-"),
        to.replace("@", "0@"),
        to[:-14] + ("0" if to[-14] != "0" else "1") + to[-13:],
    ):
        with pytest.raises(NotAccepted, match="550"):
            accept(tables, junk)
    tables.clock.at += addresses.PROBED + 2 * SECOND
    with pytest.raises(NotAccepted, match="550"):
        accept(tables, to)


def test_a_probe_is_read_by_nobody_and_makes_no_move(tables: Tables) -> None:
    to = probe_address(tables)
    number = accept(tables, to)
    (kept,) = kept_mails(tables)
    assert (kept["id"], kept["state"], kept["reason"]) == (number, "ignored", inbox.A_PROBE)
    assert (kept["player_id"], kept["game_id"], kept["seat"]) == (None, "", None)
    with tables.services.database.write() as tx:
        assert inbox.claim(tables.services, tx, "lease", tables.clock.at + DAY, 9) == []


def test_a_probe_is_had_whole_and_then_gone_and_nothing_else_with_it(tables: Tables) -> None:
    first, second, answer = probe_address(tables), probe_address(tables), issue_address(tables)
    for to in (first, answer, second, first):
        accept(tables, to)
    tokens = [addresses.token(to.partition("@")[0]) for to in (first, answer)]
    with tables.services.database.write() as tx:
        found = inbox.probes(tx, tokens[:1])
        assert [inbox.raw_of(tables.services, mail.digest, mail.raw) for mail in found] == [RAW, RAW]
        inbox.forget_probes(tx, tokens)
    assert [row["purpose"] for row in kept_mails(tables)] == [addresses.ANSWER, addresses.PROBE]
    tables.clock.at += addresses.PROBED
    reduce_old(tables)
    assert len(kept_mails(tables)) == 2
    tables.clock.at += 1
    reduce_old(tables)
    assert [row["purpose"] for row in kept_mails(tables)] == [addresses.ANSWER], "whoever waited for it is gone"


# Addresses


def test_out_26_addresses_about_a_game_that_is_long_over_are_deleted(tables: Tables) -> None:
    over, running = tables.begin("ann", "bob"), tables.begin("ann", "bob")
    first, second, third = (
        issue_address(tables, 1, over),
        issue_address(tables, 2, over),
        issue_address(tables, 3, running),
    )
    tables.play_out(over, 1)
    at = tables.head(over).last_at + AFTER_THE_END + MARGIN

    def forgets(now: int) -> int:
        with tables.services.database.write() as tx:
            return reply_tokens.forget(tx, now, 1)

    assert [forgets(at), forgets(at + 1), forgets(at + 1), forgets(at + 1)] == [0, 1, 1, 0]
    assert [find_address(tables, one) is not None for one in (first, second, third)] == [False, False, True]
    for name, game, revoked in (("bob", None, 0), ("ann", over, 0), ("ann", running, 1), ("ann", None, 0)):
        with tables.services.database.write() as tx:
            assert reply_tokens.revoke(tx, tables.player(name), at, game=game) == revoked, (name, game)
    assert find_address(tables, third) is None


def test_options_that_no_key_opens_are_none(sqlite_tables: Tables) -> None:
    to = issue_address(sqlite_tables, 1, options={0: "hide 0", 2: "hide 2"})
    found = find_address(sqlite_tables, to)
    assert found
    assert found.options == {0: "hide 0", 2: "hide 2"}
    with sqlite_tables.services.database.write() as tx:
        tx.execute(sa.update(kept_tokens).values(options=b"elsewhere" * 9))
    found = find_address(sqlite_tables, to)
    assert found, "the address is good all the same"
    assert found.options == {}
