"""No deadline before the mail that was in time: how long it waits, and what it sees (IN-20)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import sqlalchemy as sa

from service.container import Services
from service.deadlines.unread_mail import LONGEST_WAIT
from service.kernel.clock import SECOND
from service.kernel.clock_guard import OUTAGE
from service.mail import addresses, inbox, reply_tokens
from service.mail.inbox import InboundMail
from service.store.clocks.decisions import decisions
from service.store.running.heartbeats import beat
from tests.manual_clock import ManualClock
from tests.notices import notice_in
from tests.tables import Tables
from workers.sweep import sweep_deadlines

WAIT = timedelta(microseconds=LONGEST_WAIT)
STEP = timedelta(microseconds=OUTAGE)
RAW = b"From: Bob <bob@people.example>\r\nMessage-ID: <1@people.example>\r\n\r\nhide 1\r\n"


def address(tables: Tables, name: str) -> str:
    """Where the newest turn of somebody is answered."""
    notice = tables.notices(recipient=tables.ids[name], kind="your-turn")[-1]
    with tables.services.database.write() as tx:
        reply_tokens.issue(
            tables.services.settings,
            tables.services.database,
            tables.services.sealer,
            tx,
            addresses.ANSWER,
            notice_in(notice),
            player=tables.ids[name],
        )
    return addresses.full(
        tables.services.settings, reply_tokens.local_part(tables.services.settings, addresses.ANSWER, notice_in(notice))
    )


def writes(tables: Tables, to: str) -> int:
    return inbox.accept(tables.services, InboundMail(RAW, to, "bob@people.example", "smtp"))


def begin(tables: Tables) -> tuple[str, int]:
    """A game where bob alone owes an answer and everybody was told, and when the caretaker would act."""
    game = tables.begin("ann", "bob")
    tables.execute("UPDATE deliveries SET state = 'sent', done_at = created_at")
    tables.move(game, "ann", "hide 1")
    with tables.services.database.read() as connection:
        return game, connection.execute(sa.select(decisions.c.acts_at)).scalar_one()


def runs(tables: Tables, span: timedelta) -> int:
    """Sweep again and again for so long. How many deadlines were decided."""
    acted, end = 0, tables.clock.at + span // timedelta(microseconds=1)
    while tables.clock.at < end:
        tables.clock.at = min(end, tables.clock.at + OUTAGE)
        acted += sweep_deadlines(tables.services)
    return acted


@pytest.fixture
def polled(migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """An office that looks into a mailbox."""
    services = open_services(
        migrated_sqlite, clock=manual_clock, IMAP_URL="imap://wardroom:secret@127.0.0.1:1143/INBOX"
    )
    return Tables(services, manual_clock)


def looks(tables: Tables, began: int) -> None:
    with tables.services.database.write() as tx:
        beat(tables.services.database, tx, "imap", began)


def test_in20_a_mail_that_waits_holds_a_deadline_for_six_hours_and_no_longer(tables):
    _, acts_at = begin(tables)
    writes(tables, address(tables, "bob"))
    tables.clock.at = acts_at
    assert sweep_deadlines(tables.services) == 0
    assert runs(tables, WAIT) == 0
    assert runs(tables, STEP) == 1


def test_in20_an_outage_is_no_waiting_however_long(tables):
    """The mail came in before the outage and is read after it."""
    _, acts_at = begin(tables)
    number = writes(tables, address(tables, "bob"))
    tables.clock.at = acts_at
    assert sweep_deadlines(tables.services) == 0
    assert runs(tables, WAIT - STEP) == 0
    tables.clock.at += 86_400 * SECOND
    assert sweep_deadlines(tables.services) == 0
    assert runs(tables, WAIT) == 0, "the six hours begin again"
    tables.execute("UPDATE inbound SET state = 'rejected' WHERE id = :number", number=number)
    assert runs(tables, STEP) == 1


def test_in20_a_service_that_never_swept_before_decides_nothing_in_front_of_mail(tables):
    _, acts_at = begin(tables)
    writes(tables, address(tables, "bob"))
    tables.clock.at = acts_at + 3 * LONGEST_WAIT
    assert sweep_deadlines(tables.services) == 0
    assert runs(tables, WAIT) == 0
    assert runs(tables, STEP) == 1


def test_in20_after_an_outage_a_deadline_waits_for_a_look_into_the_mailbox(polled):
    _, acts_at = begin(polled)
    polled.clock.at = acts_at - 60 * SECOND
    sweep_deadlines(polled.services)
    looks(polled, acts_at - 1)
    polled.clock.at = acts_at + 2 * LONGEST_WAIT
    assert sweep_deadlines(polled.services) == 0, "it has the time of the outage as well (Q-9)"
    acts_at += 2 * LONGEST_WAIT + 60 * SECOND
    polled.advance(seconds=60)
    assert sweep_deadlines(polled.services) == 0
    assert runs(polled, STEP) == 0
    looks(polled, acts_at)
    assert runs(polled, STEP) == 1


def test_in20_a_mailbox_that_cannot_be_read_stops_no_game(polled):
    _, acts_at = begin(polled)
    polled.clock.at = acts_at
    assert runs(polled, WAIT) == 0
    assert runs(polled, STEP) + runs(polled, STEP) == 1


def test_in20_a_mail_that_came_in_after_the_deadline_holds_nothing(tables):
    _, acts_at = begin(tables)
    tables.clock.at = acts_at + 1
    writes(tables, address(tables, "bob"))
    assert sweep_deadlines(tables.services) == 1


@pytest.mark.postgres
def test_in02_in20_a_deadline_waits_for_a_mail_whose_commit_is_under_way(
    migrated_postgres, open_services, manual_clock, monkeypatch
):
    """The time of arrival is read, others cannot see the row yet: a commit may wait for the standby."""
    tables = Tables(open_services(migrated_postgres, clock=manual_clock), manual_clock)
    beside = open_services(migrated_postgres, clock=manual_clock)
    _, acts_at = begin(tables)
    to = address(tables, "bob")
    decided = []
    seal = tables.services.sealer.seal

    def slowly(*given: object) -> bytes:
        manual_clock.at = acts_at + 2
        decided.append(sweep_deadlines(beside))
        return seal(*given)  # type: ignore[arg-type]

    manual_clock.at = acts_at
    with monkeypatch.context() as patch:
        patch.setattr(type(tables.services.sealer), "seal", lambda _, *given: slowly(*given))
        number = writes(tables, to)
    with tables.services.database.read() as connection:
        row = inbox.by_id(connection, number)
    assert row is not None
    assert row.received_at == acts_at
    assert decided == [0]
    manual_clock.advance(minutes=2)
    assert sweep_deadlines(tables.services) == 0
    tables.execute("UPDATE inbound SET state = 'rejected'")
    manual_clock.advance(minutes=2)
    assert sweep_deadlines(tables.services) == 1


@pytest.mark.postgres
def test_in20_a_mail_for_another_game_under_way_holds_no_deadline(migrated_postgres, open_services, manual_clock):
    tables = Tables(open_services(migrated_postgres, clock=manual_clock), manual_clock)
    beside = open_services(migrated_postgres, clock=manual_clock)
    game, acts_at = begin(tables)
    with tables.services.database.write() as one, beside.database.write() as two:
        inbox.note_arrival(one, "another")
        assert not inbox.waiting(two, game, 1, acts_at)
        assert inbox.waiting(two, "another", 1, acts_at)
