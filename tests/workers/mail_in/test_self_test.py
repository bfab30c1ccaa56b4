"""The self-test of mail: a real probe by real connections into our own listener, past mail servers of every sort."""

from collections.abc import Callable, Iterator

import pytest
import sqlalchemy as sa

from config.settings import Settings
from service.container import Services
from service.mail.finding import Finding
from service.mail.probe import arrival, handover
from service.mail.probe.self_test import SelfTest
from service.mail.probe.stranger import Door, default_door
from tests.imap_server import ImapMailbox
from tests.mail_relay import MailRelay, judged
from tests.ports import free_port
from tests.workers.letterbox import Letterbox, letterbox, told
from workers.mail_in.imap import look

__all__ = ["letterbox", "told"]
MX = "mail.games.example"
IN, FROM = "in.games.example", "games.example"
PASSED = f"{MX}; dmarc=pass header.from={FROM}; spf=pass smtp.mailfrom={IN}; dkim=pass header.d={FROM}"
HEADERS = "from:to:subject:list-unsubscribe:list-unsubscribe-post:wardroom-checkpoint:wardroom-log"
SIGNED = f"v=1; a=rsa-sha256; d={FROM}; s=wardroom; h={HEADERS}; bh=x; b=y"
NO_SPF_NO_DKIM = ["verdict of SPF", "verdict of DKIM"]
Check = Callable[..., list[Finding]]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here is slow: what comes twice comes at once."""
    monkeypatch.setattr(arrival, "EVERY", 0.02)
    monkeypatch.setattr(arrival, "SETTLED", 0.0)
    monkeypatch.setattr(handover, "PAUSES", (0.01,))


@pytest.fixture
def services(migrated_sqlite: str, open_services: Callable[..., Services]) -> Callable[..., Services]:
    def make(**settings: str) -> Services:
        given = {"MAIL_DOMAIN": IN, "MAIL_FROM": f"game@{FROM}", "AUTHSERV_ID": MX, "SMTP_URL": "smtp://127.0.0.1:9"}
        return open_services(migrated_sqlite, **{**given, **settings})

    return make


@pytest.fixture
def relay(services: Callable[..., Services], letterbox: Callable[..., Letterbox]) -> Iterator[MailRelay]:
    """A mail server before our listener, which judges and signs as it should."""
    box = letterbox(services(), lmtp=True)
    with MailRelay(box.port) as running:
        running.domain = f"@{IN}"
        running.unknown = "550 5.1.1 No such address"
        running.change = judged(PASSED, signed=SIGNED)
        yield running


@pytest.fixture
def check(services: Callable[..., Services], relay: MailRelay) -> Check:
    """Run the test by the relay, and what is found; afterwards nothing of it is left."""

    def run(door: Door | None = None, patience: float = 20, **settings: str) -> list[Finding]:
        given = {"SMTP_URL": relay.url, "MAIL_IN": f"lmtp://127.0.0.1:{relay.port}", **settings}
        made = services(**given)
        assert made.settings.smtp_url is not None
        test = SelfTest(made, made.settings.smtp_url, door, patience, lambda _: None)
        before = rows(made)
        found = list(test.run())
        assert rows(made) == before, "no trace is left: no mail, and no player, game or move was made of it"
        return found

    return run


def rows(services: Services) -> dict[str, int]:
    """How many rows each table has."""
    with services.database.read() as connection:
        tables = sa.inspect(connection.core).get_table_names()
        return {name: connection.execute(sa.text(f'SELECT count(*) FROM "{name}"')).scalar_one() for name in tables}


def said(found: list[Finding], what: str) -> list[str]:
    return [f"{one.mark}: {one.sentence}" for one in found if one.what == what]


def wrong(found: list[Finding]) -> list[str]:
    assert all(one.remedy for one in found if one.mark == "broken"), found
    return [one.what for one in found if one.mark != "well"]


def test_a_probe_that_is_judged_signed_and_unchanged_is_well(check: Check) -> None:
    found = check()
    assert wrong(found) == []
    assert said(found, "mail in")[0].startswith("well: The probe came back by lmtp after ")
    assert said(found, "verdict of DMARC") == ["well: pass (header.from=games.example)"]
    assert "counts at once" in said(found, "moves by mail")[0]
    assert "List-Unsubscribe, List-Unsubscribe-Post, Wardroom-Checkpoint" in said(found, "signature")[1]


# Verdicts


def test_a_forged_verdict_that_is_left_in_is_broken_wherever_it_stands(check: Check, relay: MailRelay) -> None:
    relay.change = judged(PASSED, removes=False, signed=SIGNED)
    found = check()
    assert wrong(found) == ["forged verdicts"], "what our mail server says is on top, and still it is wrong"
    relay.change = judged("", removes=False, signed=SIGNED)
    found = check()
    assert wrong(found) == ["forged verdicts", "verdicts"], "our own claim is believed by nobody"


@pytest.mark.parametrize(
    "results, what",
    [
        (f"{MX}; dmarc=fail header.from={FROM}", [*NO_SPF_NO_DKIM, "verdict of DMARC", "moves by mail"]),
        (f"{MX}; dmarc=pass; spf=pass smtp.mailfrom={IN}; dkim=pass header.d={FROM}", ["moves by mail"]),
        (f"{MX}; spf=pass smtp.mailfrom={IN}; dkim=pass header.d={FROM}", ["verdict of DMARC"]),
        (f"{MX}; spf=softfail smtp.mailfrom={IN}; dkim=pass header.d={FROM}", ["verdict of SPF", "verdict of DMARC"]),
        (f"mx.other.example; dmarc=pass header.from={FROM}", ["verdicts"]),
        (f"{MX}; none", ["verdicts"]),
    ],
    ids=["fails", "of nobody", "no dmarc", "spf fails", "another's name", "nothing looked at"],
)  # fmt: skip
def test_each_verdict_is_told(check: Check, relay: MailRelay, results: str, what: list[str]) -> None:
    relay.change = judged(results, signed=SIGNED)
    assert wrong(check()) == what


def test_the_name_that_another_server_uses_is_proposed(check: Check, relay: MailRelay) -> None:
    relay.change = judged(f"mx.other.example; dmarc=pass header.from={FROM}", signed=SIGNED)
    (finding,) = [one for one in check() if one.mark == "broken"]
    assert finding.remedy.endswith("WARDROOM_AUTHSERV_ID=mx.other.example")


def test_verdicts_of_a_server_that_the_settings_do_not_name_count_for_nothing(check: Check, relay: MailRelay) -> None:
    named, *_ = [one for one in check(AUTHSERV_ID="") if one.mark == "broken"]
    assert named.remedy.endswith(f"WARDROOM_AUTHSERV_ID={MX}")
    relay.change = judged(PASSED.replace(MX, IN), signed=SIGNED)
    found = check(AUTHSERV_ID="")
    assert wrong(found) == ["moves by mail"]
    (finding,) = [one for one in found if one.what == "moves by mail"]
    assert "no verdict counts" in finding.sentence
    assert finding.remedy.endswith(f"WARDROOM_AUTHSERV_ID={IN}")


# Signatures and bodies


@pytest.mark.parametrize(
    "signature, sentence",
    [
        ("", "It is not signed."),
        (SIGNED.replace(f"d={FROM}", "d=provider.example"), "It is signed by provider.example only."),
        (SIGNED.replace("list-unsubscribe-post:", ""), "It does not cover List-Unsubscribe-Post."),
        (SIGNED.replace(":wardroom-checkpoint", ""), "It does not cover Wardroom-Checkpoint."),
        (SIGNED + "; l=100", "It covers only a part of the body"),
    ],
)
def test_what_is_wrong_with_a_signature_is_told(check: Check, relay: MailRelay, signature: str, sentence: str) -> None:
    relay.change = judged(PASSED, signed=signature)
    found = check()
    assert wrong(found) == ["signature"]
    assert sentence in "".join(said(found, "signature"))


@pytest.mark.parametrize(
    "change, sentence",
    [
        (lambda raw: raw + b"--\r\nSent by Freemail\r\n", "Something was added below it."),
        (lambda raw: raw[:-400], "came changed"),
        (lambda raw: raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n", "Line 1 came changed"),
        (lambda raw: raw.replace(b"\r\nFrom here", b"\r\n>From here"), "came changed"),
        (lambda raw: raw.replace(b"=20\r\n", b" \r\n").replace(b"=09\r\n", b"\t\r\n"), "came changed"),
    ],
    ids=["footer", "cut", "empty", "mbox", "blanks"],
)
def test_a_body_that_was_changed_is_told(
    check: Check, relay: MailRelay, change: Callable[[bytes], bytes], sentence: str
) -> None:
    before = judged(PASSED, signed=SIGNED)
    relay.change = lambda raw: [change(each) for each in before(raw)]
    found = check()
    assert wrong(found) == ["body"]
    assert sentence in said(found, "body")[0]


# Ways that go wrong


def test_a_probe_that_is_put_off_is_brought_again_and_that_is_told(check: Check, relay: MailRelay) -> None:
    relay.defers = 2
    found = check()
    assert wrong(found) == ["mail out"]
    assert "put the probe off at first: 451 4.7.1 Greylisted" in said(found, "mail out")[0]
    relay.defers = 10**6
    assert "until the time was over: 451" in said(check(patience=0.1), "mail out")[0]


def test_a_mail_server_that_refuses_or_is_away_is_told(check: Check, relay: MailRelay) -> None:
    relay.refuses = "554 5.7.1 Go away"
    assert said(check(), "mail out") == ["broken: The mail server refuses the probe: 554 5.7.1 Go away"]
    away = check(SMTP_URL=f"smtp://127.0.0.1:{free_port()}")
    assert said(away, "mail out")[0].startswith("broken: The mail server cannot be reached (Connection refused")


def test_a_probe_that_comes_twice_is_told(check: Check, relay: MailRelay) -> None:
    once = judged(PASSED, signed=SIGNED)
    relay.change = lambda raw: once(raw) * 2
    found = check()
    assert wrong(found) == ["mail in"]
    assert "note: It came 2 times (lmtp)." in said(found, "mail in")


def test_a_bounce_in_its_place_is_told_with_its_reason(check: Check, relay: MailRelay) -> None:
    report = b"Subject: Failed\r\n\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1\r\n    No \x1b[2Jsuch user\r\n"
    relay.envelope = lambda sender, _: ("", sender)
    relay.change = lambda _: [report]
    found = check()
    assert said(found, "mail in") == ["broken: The probe bounced: 5.1.1 smtp; 550 5.1.1 No \x1b[2Jsuch user"]
    assert wrong(found) == ["mail in"]
    assert "\x1b" not in "".join(one.line() for one in found), "what a stranger says moves no cursor"


def test_an_envelope_that_a_forwarder_rewrote_is_told(check: Check, relay: MailRelay) -> None:
    relay.envelope = lambda sender, to: (f"SRS0=a1b2=QX={IN}={sender.partition('@')[0]}@forward.example", to)
    found = check()
    assert wrong(found) == ["mail in"]
    assert "@forward.example: a forwarder stands between" in said(found, "mail in")[-1]


def test_a_probe_that_is_lost_is_waited_for_no_longer_than_is_said(check: Check, relay: MailRelay) -> None:
    relay.change = lambda _: []
    assert said(check(patience=0.2), "mail in") == ["broken: The probe did not come back within 0.2 s."]


# The intake


def test_an_intake_that_is_stopped_is_told_before_the_probe(check: Check, relay: MailRelay) -> None:
    relay.change = lambda _: []
    found = check(patience=0.1, MAIL_IN=f"lmtp://127.0.0.1:{free_port()}")
    assert said(found, "intake")[0].startswith("broken: Nothing answers by LMTP on 127.0.0.1:")
    assert "process `mail`" in found[0].remedy


def test_an_intake_that_is_another_program_is_told(check: Check, relay: MailRelay) -> None:
    with MailRelay(relay.port) as other:
        other.relays = True
        found = check(MAIL_IN=f"smtp://127.0.0.1:{other.host_port[1]}")
        assert said(found, "intake")[1].startswith("broken: What listens by SMTP")
        assert "open relay" in said(found, "intake")[1]
        other.relays, other.domain = False, "@elsewhere.example"
        found = check(MAIL_IN=f"smtp://127.0.0.1:{other.host_port[1]}")
        assert "does not know our addresses (554)" in said(found, "intake")[0]


def test_without_any_way_in_that_is_said(check: Check) -> None:
    assert "wardroom mail ingest" in said(check(MAIL_IN="off"), "intake")[0]
    nobody = check(MAIL_IN="off", IMAP_URL="imap://u:p@127.0.0.1:1")
    assert said(nobody, "intake") == ["broken: Nobody has looked into the IMAP mailbox yet."]


def test_a_mailbox_of_a_provider_that_takes_games_and_anything_will_do(
    services: Callable[..., Services], relay: MailRelay
) -> None:
    with ImapMailbox() as mailbox:
        settings = {"SMTP_URL": relay.url, "MAIL_IN": "off", "IMAP_URL": mailbox.url, "MAIL_DOMAIN": FROM}
        made = services(**settings, MAIL_PREFIX="games+")
        server, source = made.settings.smtp_url, made.settings.imap_url
        assert server is not None
        assert source is not None
        look(made, source)
        relay.domain, before = f"@{FROM}", rows(made)

        def deliver(sender: str, _recipient: str, raw: bytes) -> None:
            mailbox.receives(f"Return-Path: <{sender}>\r\nDelivered-To: games@{FROM}\r\n".encode() + raw)
            assert look(made, source) == 1

        relay.bring = deliver
        found = list(SelfTest(made, server, None, 20, lambda _: None).run())
        assert wrong(found) == []
        assert said(found, "mail in")[0].startswith("well: The probe came back by imap after ")
        assert said(found, "intake") == ["well: The IMAP mailbox was looked into 0 s ago."]
        assert rows(made) == before


# Once more, as a stranger


@pytest.fixture
def local(relay: MailRelay) -> Iterator[MailRelay]:
    """The same mail server as this machine sees it: it signs, hands over at once, and judges nothing."""
    with MailRelay(relay.port) as running:
        running.relays = True
        running.change = judged("", removes=False, signed=SIGNED)
        yield running


def test_what_a_mail_server_does_not_judge_is_brought_again_as_a_stranger_would(
    check: Check, relay: MailRelay, local: MailRelay
) -> None:
    found = check(Door(*relay.host_port), SMTP_URL=local.url)
    assert [one.sentence for one in found if one.mark != "well"] == [
        "It offers no STARTTLS: mail comes in as if on postcards."
    ]
    assert (local.taken, relay.taken) == (1, 1)
    assert "It takes no mail for others' domains." in "".join(said(found, "mail server"))
    assert "counts at once" in said(found, "moves by mail")[0]


def test_what_a_stranger_may_do_and_should_not_is_told(check: Check, relay: MailRelay, local: MailRelay) -> None:
    relay.relays, relay.unknown = True, ""
    relay.change = judged(PASSED, removes=False)
    found = check(Door(*relay.host_port), SMTP_URL=local.url)
    assert wrong(found) == ["mail server"] * 3 + ["forged verdicts"]
    assert "takes mail for others' domains" in "".join(said(found, "mail server"))
    assert "that nobody has" in "".join(said(found, "mail server"))


def test_a_door_that_is_shut_or_leads_nowhere_is_told(check: Check, relay: MailRelay, local: MailRelay) -> None:
    found = check(Door("127.0.0.1", free_port()), SMTP_URL=local.url)
    assert "cannot be reached from here, so nobody judged" in said(found, "verdicts")[0]
    assert wrong(found) == ["forged verdicts", "verdicts"]
    relay.refuses = "550 5.7.1 Never"
    assert (
        "The mail server refuses the probe: 550 5.7.1"
        in said(check(Door(*relay.host_port), SMTP_URL=local.url), "mail server")[-1]
    )
    relay.refuses, relay.change = "", lambda _: []
    lost = check(Door(*relay.host_port), SMTP_URL=local.url, patience=0.3)
    assert said(lost, "mail server")[-1].endswith("took did not come in.")


def test_a_mail_that_never_left_this_machine_is_unchecked(check: Check, local: MailRelay) -> None:
    local.change = judged("", signed=SIGNED)
    found = check(Door(*local.host_port), SMTP_URL=local.url)
    assert wrong(found) == ["verdicts"]
    (finding,) = [one for one in found if one.what == "verdicts"]
    assert finding.sentence == "Unchecked: {}:{} is this very machine, so nobody judged the probe.".format(
        *local.host_port
    )
    assert finding.remedy.startswith("Send a mail from elsewhere")
    assert finding.remedy.endswith("or give --mx HOST[:PORT].")
    assert not said(found, "mail server"), "it allows more to its own machine"


@pytest.mark.parametrize(
    "settings, door",
    [
        ({}, Door(MX, 25)),
        ({"SMTP_URL": "smtp://postfix:25"}, Door(MX, 25)),
        ({"SMTP_URL": "smtp://10.0.0.5:25"}, Door(MX, 25)),
        ({"SMTP_URL": f"smtp://{MX}:587"}, Door(MX, 25)),
        ({"AUTHSERV_ID": "games"}, Door(IN, 25)),
        ({"AUTHSERV_ID": ""}, Door(IN, 25)),
        ({"SMTP_URL": "smtps://u:p@8.8.8.8:465"}, None),
    ],
)
def test_strangers_bring_mail_to_the_mail_server_of_the_settings(
    settings_with: Callable[..., Settings], settings: dict[str, str], door: Door | None
) -> None:
    given = {"MAIL_DOMAIN": IN, "MAIL_FROM": f"game@{FROM}", "AUTHSERV_ID": MX, "SMTP_URL": "smtp://127.0.0.1:25"}
    made = settings_with(**{**given, **settings})
    assert made.smtp_url is not None
    assert default_door(made, made.smtp_url) == door
