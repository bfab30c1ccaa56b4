"""A mail server that is away is probed by one mail; what waits for it waits no longer than it is away (G-05, F-21)."""

import pytest
from structlog.testing import capture_logs

from service.app import create_app
from service.commands.health.diagnosis import examine
from service.mail import outgoing
from service.store.outgoing import destinations
from service.store.outgoing.destinations import Trouble
from tests.letters import Carrier
from tests.tables import Tables
from workers.channels.destination import PAUSES
from workers.mail_out.letter import Letter
from workers.mail_out.transport import Away, BrokeOff, Deferred, Refused


class Server(Carrier):
    """A mail server that may be away, or mind some people; every try is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.mishap: Exception | None = None
        self.minds: dict[str, Exception] = {}
        self.tries: list[str] = []

    def send(self, letter: Letter) -> None:
        name = letter.to.partition("@")[0]
        self.tries.append(name)
        if mishap := self.mishap or self.minds.get(name):
            raise mishap
        super().send(letter)


@pytest.fixture
def server() -> Server:
    return Server()


def trouble(tables: Tables) -> Trouble | None:
    with tables.services.database.read() as connection:
        return destinations.of(connection, "mail", "carrier")


def waits_for_the_probe(tables: Tables, server: Server) -> int:
    """Seconds until a mail is tried again."""
    before = len(server.tries)
    for second in range(3700):
        tables.deliver(server)
        if len(server.tries) > before:
            return second
        tables.advance(seconds=1)
    raise AssertionError("nothing was tried for an hour")


def test_f22_a_server_that_puts_everybody_off_is_away_and_its_4xx_are_no_attempts_then(sqlite_tables, server):
    tables = sqlite_tables
    for _ in range(3):
        tables.begin()
    server.mishap = Deferred("451 4.3.0 queue file write error")
    tables.deliver(server)
    assert len(server.tries) == 4
    assert waits_for_the_probe(tables, server) == 2
    server.mishap = None
    tables.advance(seconds=5)
    assert tables.deliver(server) == 9, "the first three, too, whose own pauses of 15 seconds are not over"
    assert sorted(row["attempts"] for row in tables.notices()) == [1] * 6 + [2] * 3


def test_f22_f26_recipients_who_are_minded_hold_up_nobody_else(sqlite_tables, server):
    tables = sqlite_tables
    for name in ("ann", "bob", "cyd", "dan", "eve"):
        tables.begin(name, "fay")
    server.minds = {name: Deferred("452 4.2.2 mailbox full") for name in ("ann", "bob")}
    server.minds["cyd"] = Refused("550 5.1.1 no such mailbox")
    tables.deliver(server)
    assert trouble(tables) is None
    assert {row["recipient"] for row in tables.notices(state="queued")} == {tables.ids["ann"], tables.ids["bob"]}
    assert tables.deliver(server) == 0, "they wait for pauses of their own"


def test_f26_a_refusal_for_good_is_a_sign_of_life(sqlite_tables, server):
    tables = sqlite_tables
    tables.begin("ann", "bob")
    server.mishap = Away("it cannot be reached")
    tables.deliver(server)
    server.mishap = Refused("550 5.1.1 no such mailbox")
    tables.advance(seconds=2)
    tables.deliver(server)
    assert trouble(tables) is None


def test_a_mail_alone_is_tried_until_the_server_takes_it_and_has_no_pause_of_its_own(sqlite_tables, server):
    tables = sqlite_tables
    tables.request_code("ann")
    server.mishap = BrokeOff("the mail server broke off")
    waits = [waits_for_the_probe(tables, server) for _ in range(12)]
    assert max(waits) == PAUSES[-1]
    assert tables.notices()[0]["attempts"] == 0


def test_what_began_before_an_outage_and_ends_well_ends_the_outage(sqlite_tables, server):
    tables = sqlite_tables
    tables.begin("ann", "bob", "cyd")
    other = Server()
    other.mishap = Away("it cannot be reached")

    def meanwhile(point: str) -> None:
        if point == "composed" and not other.tries:
            tables.deliver(other)
            assert trouble(tables) is not None

    assert tables.deliver(server, fault=meanwhile) == 1
    assert trouble(tables) is None
    tables.advance(microseconds=1)
    assert tables.deliver(server) == 2


def test_another_mail_server_is_another_destination(sqlite_tables, server):
    tables = sqlite_tables
    tables.begin()
    server.mishap = Away("it cannot be reached")
    tables.deliver(server)
    other = Server()
    other.name = "new.example:25"
    tables.advance(microseconds=1)
    assert tables.deliver(other) == 3


def test_two_senders_may_find_it_away_at_the_same_moment(tables):
    known = Trouble("mail", "carrier", 1, None, 0, 1, None, "")
    for _ in range(2):
        with tables.services.database.write() as tx:
            destinations.put(tx, known)
    assert trouble(tables) == known


def test_the_log_tells_once_that_it_is_away_and_that_it_is_back(sqlite_tables, server):
    tables = sqlite_tables
    tables.begin()
    server.mishap = Away("it cannot be reached")
    with capture_logs() as logged:
        for _ in range(4):
            waits_for_the_probe(tables, server)
        server.mishap = None
        waits_for_the_probe(tables, server)
    told = [line["event"] for line in logged if line.get("destination") == "carrier"]
    assert told == ["it does not answer", "it answers again"]


# What operators see and do


@pytest.fixture
def posted(migrated_sqlite, open_services, manual_clock) -> Tables:
    """An office with a mail server in its settings, by the name the tests' server has."""
    return Tables(open_services(migrated_sqlite, clock=manual_clock, SMTP_URL="smtp://mx.example:25"), manual_clock)


@pytest.fixture
def far(server) -> Server:
    server.name = "mx.example:25"
    return server


def status_of(tables: Tables) -> outgoing.Status:
    with tables.services.database.read() as connection:
        return outgoing.status(tables.services, connection)


def test_f21_operators_see_since_when_the_mail_server_takes_nothing_and_what_waits(posted, far):
    posted.begin()
    assert outgoing.line(status_of(posted)) is None
    far.mishap = Away("it cannot be reached")
    for _ in range(6):
        waits_for_the_probe(posted, far)
    posted.advance(minutes=6)
    waits_for_the_probe(posted, far)
    posted.advance(microseconds=1)
    status = status_of(posted)
    assert (status.due, status.oldest) == (3, 397), "as old as the outage, however often it was probed"
    line = outgoing.line(status)
    assert line is not None
    assert "mx.example:25 takes nothing since 2031-03-04T12:00:00Z (it cannot be reached): 3 mails wait." in line
    broken = [finding for finding in examine(posted.services) if finding.what == "mail that waits"]
    assert [(finding.mark, finding.sentence) for finding in broken] == [("broken", line)]
    browser = create_app(posted.services).test_client()
    (mail,) = [check for check in browser.get("/readyz").json["checks"] if check["what"] == "mail"]
    assert not mail["ok"]
    assert "does not take any" in mail["detail"]
    assert "mx.example" not in mail["detail"]
    metrics = browser.get("/metrics").text
    assert 'wardroom_destinations_down{channel="mail"} 1.0' in metrics
    assert "wardroom_outbox_oldest_seconds 397.0" in metrics


def test_mail_flush_lets_all_go_that_waits_for_the_server_or_was_put_off_by_it(posted, far):
    posted.begin("ann", "bob")
    posted.begin("cyd", "dan")
    far.minds = {"ann": Deferred("451 4.7.1 greylisted")}
    posted.deliver(far)
    far.mishap = Away("it cannot be reached")
    posted.begin("eve", "fay")
    posted.deliver(far)
    far.mishap, far.minds = None, {}
    posted.advance(microseconds=1)
    assert posted.deliver(far) == 0
    with posted.services.database.write() as tx:
        assert outgoing.flush(posted.services, tx) == 3
    assert posted.deliver(far) == 3


def test_mail_flush_wakes_nobody_at_night(posted, far):
    posted.begin("ann", "bob")
    later = posted.clock.at + 3600 * 1_000_000
    posted.execute("UPDATE deliveries SET not_before = :later, reason = 'it is night there'", later=later)
    with posted.services.database.write() as tx:
        assert outgoing.flush(posted.services, tx) == 0
    assert posted.deliver(far) == 0
