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
from service.store.decisions import decisions
from service.store.heartbeats import beat
from tests.notices import notice_in
from tests.workers.office import Hands, Office
from workers.sweep import sweep_deadlines

WAIT = timedelta(microseconds=LONGEST_WAIT)
STEP = timedelta(microseconds=OUTAGE)
RAW = b"From: Bob <bob@people.example>\r\nMessage-ID: <1@people.example>\r\n\r\nhide 1\r\n"


def address(office: Office, name: str) -> str:
    """Where the newest turn of somebody is answered."""
    notice = office.notices(recipient=office.ids[name], kind="your-turn")[-1]
    with office.services.database.write() as tx:
        reply_tokens.issue(
            office.services.settings,
            office.services.database,
            office.services.sealer,
            tx,
            addresses.ANSWER,
            notice_in(notice),
            player=office.ids[name],
        )
    return addresses.full(
        office.services.settings, reply_tokens.local_part(office.services.settings, addresses.ANSWER, notice_in(notice))
    )


def writes(office: Office, to: str) -> int:
    return inbox.accept(office.services, InboundMail(RAW, to, "bob@people.example", "smtp"))


def begins(office: Office) -> tuple[str, int]:
    """A game where bob alone owes an answer and everybody was told, and when the caretaker would act."""
    game = office.begins("ann", "bob")
    office.executes("UPDATE deliveries SET state = 'sent', done_at = created_at")
    office.moves(game, "ann", "hide 1")
    with office.services.database.read() as connection:
        return game, connection.execute(sa.select(decisions.c.acts_at)).scalar_one()


def runs(office: Office, span: timedelta) -> int:
    """Sweep again and again for so long. How many deadlines were decided."""
    acted, end = 0, office.hands.at + span // timedelta(microseconds=1)
    while office.hands.at < end:
        office.hands.at = min(end, office.hands.at + OUTAGE)
        acted += sweep_deadlines(office.services)
    return acted


@pytest.fixture
def polled(migrated_sqlite: str, open_services: Callable[..., Services], hands: Hands) -> Office:
    """An office that looks into a mailbox."""
    services = open_services(migrated_sqlite, clock=hands, IMAP_URL="imap://wardroom:secret@127.0.0.1:1143/INBOX")
    return Office(services, hands)


def looks(office: Office, began: int) -> None:
    with office.services.database.write() as tx:
        beat(office.services.database, tx, "imap", began)


def test_in20_a_mail_that_waits_holds_a_deadline_for_six_hours_and_no_longer(office):
    _, acts_at = begins(office)
    writes(office, address(office, "bob"))
    office.hands.at = acts_at
    assert sweep_deadlines(office.services) == 0
    assert runs(office, WAIT) == 0
    assert runs(office, STEP) == 1


def test_in20_an_outage_is_no_waiting_however_long(office):
    """The mail came in before the outage and is read after it."""
    _, acts_at = begins(office)
    number = writes(office, address(office, "bob"))
    office.hands.at = acts_at
    assert sweep_deadlines(office.services) == 0
    assert runs(office, WAIT - STEP) == 0
    office.hands.at += 86_400 * SECOND
    assert sweep_deadlines(office.services) == 0
    assert runs(office, WAIT) == 0, "the six hours begin again"
    office.executes("UPDATE inbound SET state = 'rejected' WHERE id = :number", number=number)
    assert runs(office, STEP) == 1


def test_in20_a_service_that_never_swept_before_decides_nothing_in_front_of_mail(office):
    _, acts_at = begins(office)
    writes(office, address(office, "bob"))
    office.hands.at = acts_at + 3 * LONGEST_WAIT
    assert sweep_deadlines(office.services) == 0
    assert runs(office, WAIT) == 0
    assert runs(office, STEP) == 1


def test_in20_after_an_outage_a_deadline_waits_for_a_look_into_the_mailbox(polled):
    _, acts_at = begins(polled)
    polled.hands.at = acts_at - 60 * SECOND
    sweep_deadlines(polled.services)
    looks(polled, acts_at - 1)
    polled.hands.at = acts_at + 2 * LONGEST_WAIT
    assert sweep_deadlines(polled.services) == 0, "it has the time of the outage as well (Q-9)"
    acts_at += 2 * LONGEST_WAIT + 60 * SECOND
    polled.hands.advance(seconds=60)
    assert sweep_deadlines(polled.services) == 0
    assert runs(polled, STEP) == 0
    looks(polled, acts_at)
    assert runs(polled, STEP) == 1


def test_in20_a_mailbox_that_cannot_be_read_stops_no_game(polled):
    _, acts_at = begins(polled)
    polled.hands.at = acts_at
    assert runs(polled, WAIT) == 0
    assert runs(polled, STEP) + runs(polled, STEP) == 1


def test_in20_a_mail_that_came_in_after_the_deadline_holds_nothing(office):
    _, acts_at = begins(office)
    office.hands.at = acts_at + 1
    writes(office, address(office, "bob"))
    assert sweep_deadlines(office.services) == 1


@pytest.mark.postgres
def test_in02_in20_a_deadline_waits_for_a_mail_whose_commit_is_under_way(
    migrated_postgres, open_services, hands, monkeypatch
):
    """The time of arrival is read, others cannot see the row yet: a commit may wait for the standby."""
    office = Office(open_services(migrated_postgres, clock=hands), hands)
    _, acts_at = begins(office)
    to = address(office, "bob")
    decided = []
    seal = office.services.sealer.seal

    def slowly(*given: object) -> bytes:
        hands.at = acts_at + 2
        decided.append(sweep_deadlines(office.services))
        return seal(*given)  # type: ignore[arg-type]

    hands.at = acts_at
    with monkeypatch.context() as patch:
        patch.setattr(type(office.services.sealer), "seal", lambda _, *given: slowly(*given))
        number = writes(office, to)
    with office.services.database.read() as connection:
        row = inbox.by_id(connection, number)
    assert row is not None
    assert row.received_at == acts_at
    assert decided == [0]
    hands.advance(minutes=2)
    assert sweep_deadlines(office.services) == 0
    office.executes("UPDATE inbound SET state = 'rejected'")
    hands.advance(minutes=2)
    assert sweep_deadlines(office.services) == 1


@pytest.mark.postgres
def test_in20_a_mail_for_another_game_under_way_holds_no_deadline(migrated_postgres, open_services, hands):
    office = Office(open_services(migrated_postgres, clock=hands), hands)
    game, acts_at = begins(office)
    with office.services.database.write() as one, office.services.database.write() as two:
        inbox.note_arrival(one, "another")
        assert not inbox.waiting(two, game, 1, acts_at)
        assert inbox.waiting(two, "another", 1, acts_at)
