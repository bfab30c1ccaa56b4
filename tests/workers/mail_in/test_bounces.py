"""What comes to a return path or an unsubscribe address: read, counted, never answered (RATE-10 to RATE-12)."""

from typing import Any

import pytest
import sqlalchemy as sa
import structlog

from service.mail import addresses, deliverability, inbox, reply_tokens, unsubscribes
from service.mail.inbox import InboundMail
from service.store.outgoing.deliveries import deliveries
from service.store.outgoing.mailboxes import mailboxes
from service.store.outgoing.outbox import outbox
from tests.notices import mail_in, notice_in
from tests.tables import Tables
from tests.workers import returned
from workers.mail_in import unsubscribe
from workers.mail_in.inbox_worker import Postroom
from workers.mail_out import bounces, smtp_verdicts
from workers.mail_out.bounces import Handled
from workers.parsing.read_mail import read


def sends(tables: Tables) -> None:
    """All mail that waits leaves, each under a Message-ID of its own; a second goes by."""
    with tables.services.database.write() as tx:
        for row in tx.execute(sa.select(outbox).where(outbox.c.state == "queued")).mappings().all():
            gone = {"state": "sent", "done_at": tables.clock.at, "message_id": f"<n{row['id']}@play.example>"}
            tx.execute(sa.update(deliveries).where(deliveries.c.notice_id == row["id"]).values(**gone))
    tables.advance(seconds=1)


def newest(tables: Tables, name: str, kind: str = "your-turn") -> dict[str, Any]:
    return tables.notices(recipient=tables.ids.get(name, name), kind=kind)[-1]


def comes(
    tables: Tables, template: str, notice: dict[str, Any], *, path: str = "", sender: str = "", **values: str
) -> Handled:
    """A mail to the return path of a notice comes in by the door and is handled."""
    path = path or addresses.return_path(tables.services.settings, notice["id"])
    raw = returned.text(template, **{"path": path, "to": "bob@people.example", "id": notice["message_id"]} | values)
    number = inbox.accept(tables.services, InboundMail(raw, path, sender, "smtp"))
    with tables.services.database.write() as tx:
        row = inbox.by_id(tx, number)
        assert row is not None
        assert row.purpose == addresses.BOUNCE
        return bounces.handle(tables.services, tx, row, read(raw, tables.services.settings.mail_domain))


def mail_of(tables: Tables, name: str) -> str:
    with tables.services.database.read() as connection:
        return deliverability.state_of(connection, tables.ids[name], tables.clock.at)[0]


def score_of(tables: Tables, name: str) -> int:
    with tables.services.database.read() as connection:
        found = sa.select(mailboxes.c.score).where(mailboxes.c.address == f"{name}@people.example")
        return connection.execute(found).scalar() or 0


@pytest.fixture
def told(sqlite_tables: Tables) -> Tables:
    """Bob's turn in a game of ann's, and the mail that says so sent."""
    sqlite_tables.begin("ann", "bob")
    sends(sqlite_tables)
    return sqlite_tables


# Reports, as servers write them

BACK = {
    # name: (text, state, reason, the notice then, probes, soft score)
    "Postfix, unknown user": (returned.POSTFIX_UNKNOWN, "bounce", "hard", "bounced", 1, 0),
    "Postfix, still trying": (returned.POSTFIX_DELAYED, "ignored", "a report of a mail delayed", "sent", 0, 0),
    "Postfix, given up": (returned.POSTFIX_EXPIRED, "bounce", "soft", "sent", 0, 1),
    "Exchange, unknown user": (returned.EXCHANGE_UNKNOWN, "bounce", "hard", "bounced", 1, 0),
    "Exchange, at its edge": (returned.EXCHANGE_EDGE, "bounce", "hard", "bounced", 1, 0),
    "Gmail, unknown user": (returned.GMAIL_UNKNOWN, "bounce", "hard", "bounced", 1, 0),
    "Gmail, full": (returned.GMAIL_FULL, "bounce", "soft", "sent", 0, 1),
    "GMX, unknown user": (returned.GMX_UNKNOWN, "bounce", "hard", "bounced", 1, 0),
    "GMX, full": (returned.GMX_FULL, "bounce", "soft", "sent", 0, 1),
    "taken for spam": (returned.SPAM, "bounce", "soft", "sent", 0, 1),
    "delivered": (returned.DELIVERED, "ignored", "a report of a mail relayed", "sent", 0, 0),
    "without our mail": (returned.WITHOUT_OUR_MAIL, "bounce", "soft", "sent", 0, 1),
    "qmail, in prose": (returned.QMAIL, "bounce", "soft", "sent", 0, 1),
    "qmail, without our mail": (returned.QMAIL_WITHOUT_OUR_MAIL, "shelved", "automatic", "sent", 0, 0),
    "a read receipt": (returned.RECEIPT, "ignored", "a receipt", "sent", 0, 0),
    "a vacation": (returned.VACATION, "shelved", "automatic", "sent", 0, 0),
    "a complaint without our mail": (
        returned.COMPLAINT_WITHOUT_OUR_MAIL, "ignored", "no complaint that counts", "sent", 0, 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BACK)
def test_rate10_what_servers_report_is_weighed_by_what_it_says_of_the_mailbox(told, name):
    text, state, reason, notice_state, probes, score = BACK[name]
    notice = newest(told, "bob")
    handled = comes(told, text, notice)
    assert (handled.state, handled.reason) == (state, reason)
    assert newest(told, "bob")["state"] == notice_state
    assert len(told.notices(kind="probe")) == probes
    assert score_of(told, "bob") == score
    assert mail_of(told, "bob") == ("bouncing" if state == "bounce" else "ok")
    assert len(told.notices()) == 2 + probes, "nothing is ever answered"


def test_rate10_a_complaint_stops_mail_at_once(told):
    handled = comes(told, returned.COMPLAINT, newest(told, "bob"), sender="complaints@fbl.example")
    assert (handled.state, handled.reason) == ("bounce", "complaint")
    assert mail_of(told, "bob") == "stopped"
    assert [row["recipient"] for row in told.notices(kind="undeliverable")] == [told.ids["ann"]]


def test_in21_a_player_sees_what_came_back_of_their_mail_and_what_was_put_aside(told):
    notice = newest(told, "bob")
    mine = {"player_id": told.ids["bob"], "game_id": notice["game_id"], "seat": 1}
    assert comes(told, returned.VACATION, notice).whose == mine
    assert comes(told, returned.POSTFIX_DELAYED, notice).whose == {}
    assert comes(told, returned.POSTFIX_UNKNOWN, notice).whose == mine
    kept = told.notices(id=notice["id"])[0]["reason"]
    assert kept.startswith("5.1.1 550 5.1.1 <bob@people.example>: Recipient address rejected: User unknown")


def test_what_a_person_writes_to_a_return_path_moves_nothing(told):
    game = newest(told, "bob")["game_id"]
    before = told.head(game).version
    handled = comes(told, returned.BY_HAND, newest(told, "bob"), sender="bob@people.example")
    assert (handled.state, handled.reason) == ("shelved", "to a return path")
    assert told.head(game).version == before


def test_rate10_the_probe_s_own_bounce_stops_mail_through_the_door(tables):
    tables.begin("ann", "bob")
    sends(tables)
    comes(tables, returned.POSTFIX_UNKNOWN, newest(tables, "bob"))
    sends(tables)
    assert mail_of(tables, "bob") == "bouncing"
    probe = newest(tables, "bob", "probe")
    handled = comes(tables, returned.GMX_UNKNOWN, probe)
    assert handled == Handled("bounce", "hard", {"player_id": tables.ids["bob"], "game_id": "", "seat": None})
    assert mail_of(tables, "bob") == "stopped"


@pytest.mark.slow
def test_rate10_in21_the_postroom_counts_a_bounce_and_shelves_an_automatic_answer(told):
    notice = newest(told, "bob")
    path = addresses.return_path(told.services.settings, notice["id"])
    for template in (returned.POSTFIX_UNKNOWN, returned.VACATION):
        raw = returned.text(template, path=path, to="bob@people.example", id=notice["message_id"])
        inbox.accept(told.services, InboundMail(raw, path, "", "smtp"))
    postroom = Postroom(told.services)
    try:
        assert postroom.work() == 2
    finally:
        postroom.close()
    with told.services.database.read() as connection:
        rows = inbox.mails_of(connection, told.ids["bob"], before=None, limit=9)
    assert [(row.state, row.reason) for row in rows] == [("shelved", "automatic"), ("bounce", "hard")]
    assert [row["recipient"] for row in told.notices(kind="probe")] == [told.ids["bob"]]


def test_a_bounce_of_an_invitation_is_in_nobody_s_list(sqlite_tables):
    sqlite_tables.open("ann", invite=["eve@people.example"])
    sends(sqlite_tables)
    handled = comes(sqlite_tables, returned.POSTFIX_UNKNOWN, newest(sqlite_tables, "eve@people.example", "invitation"))
    assert handled == Handled("bounce", "hard")


# Forged ones


def test_rate12_a_report_about_another_mail_counts_nothing(told):
    before = told.notices()
    for text in (returned.POSTFIX_UNKNOWN, returned.COMPLAINT, returned.POSTFIX_EXPIRED):
        handled = comes(told, text, newest(told, "bob"), id=newest(told, "ann")["message_id"])
        assert handled == Handled("ignored", "about no mail of ours")
    assert told.notices() == before


def test_rate12_a_soft_report_in_front_does_not_hide_the_hard_one(told):
    notice = newest(told, "bob")
    reports = (returned.WITHOUT_OUR_MAIL, returned.GMX_FULL, returned.POSTFIX_UNKNOWN, returned.WITHOUT_OUR_MAIL)
    reasons = [comes(told, text, notice).reason for text in reports]
    assert reasons == ["soft", "counted already, or too old", "hard", "counted already, or too old"]
    assert newest(told, "bob")["state"] == "bounced"


@pytest.mark.parametrize("spoil", ["{n}-000000000000", "{n}", "x{n}-{mac}", "{other}-{mac}"])
def test_rate12_an_address_that_is_not_ours_is_refused_at_the_door(told, spoil):
    notice = newest(told, "bob")
    path = addresses.return_path(told.services.settings, notice["id"])
    mac = path.rpartition("@")[0].rpartition("-")[2]
    forged = "b-" + spoil.format(n=notice["id"], mac=mac, other=notice["id"] + 1) + "@" + path.rpartition("@")[2]
    with pytest.raises(inbox.NotAccepted):
        comes(told, returned.POSTFIX_UNKNOWN, notice, path=forged)


def test_rate12_whoever_has_seen_mails_can_cause_a_probe_and_no_more(sqlite_tables):
    """Every mail that left before the probe, with its Message-ID and return path, is in the forger's hands."""
    for _ in range(6):
        sqlite_tables.begin("ann", "bob")
    sends(sqlite_tables)
    seen = sqlite_tables.notices(recipient=sqlite_tables.ids["bob"], kind="your-turn")
    assert len(seen) == 6
    for notice in seen:
        assert comes(sqlite_tables, returned.POSTFIX_UNKNOWN, notice).state == "bounce"
        assert comes(sqlite_tables, returned.POSTFIX_UNKNOWN, notice).reason == "counted already, or too old"
    sends(sqlite_tables)
    assert comes(sqlite_tables, returned.WITHOUT_OUR_MAIL, newest(sqlite_tables, "bob", "probe")).reason == "soft"
    assert mail_of(sqlite_tables, "bob") == "bouncing"
    assert len(sqlite_tables.notices(kind="probe")) == 1


def test_rate12_four_reports_that_do_not_name_our_mail_are_no_hard_bounce(sqlite_tables):
    for _ in range(3):
        sqlite_tables.begin("ann", "bob")
    sends(sqlite_tables)
    for notice in sqlite_tables.notices(recipient=sqlite_tables.ids["bob"], kind="your-turn"):
        assert comes(sqlite_tables, returned.WITHOUT_OUR_MAIL, notice).reason == "soft"
    assert not sqlite_tables.notices(kind="probe")


def test_a_report_about_a_notice_that_is_gone_is_ignored(told):
    notice = newest(told, "bob")
    told.execute("DELETE FROM deliveries WHERE notice_id = :id", id=notice["id"])
    told.execute("DELETE FROM notices WHERE id = :id", id=notice["id"])
    assert comes(told, returned.POSTFIX_UNKNOWN, notice) == Handled("ignored", "about no mail of ours")


@pytest.mark.parametrize("sender", ["MAILER-DAEMON@old.example", ""])
@pytest.mark.parametrize("who", ["MAILER-DAEMON@old.example", "bob@people.example"])
def test_rate12_a_bounce_in_prose_comes_from_nobody_and_from_a_mail_server(told, sender, who):
    text = returned.QMAIL.replace("From: MAILER-DAEMON@old.example", f"From: {who}")
    handled = comes(told, text, newest(told, "bob"), sender=sender)
    assert (handled.state == "bounce") == (sender == "" and who.startswith("MAILER"))


def test_t50_what_a_server_says_is_kept_in_one_short_line(told):
    text = returned.POSTFIX_UNKNOWN.replace("smtp; 550 5.1.1", "smtp; 550 5.1.1 \x1b[31m" + "a" * 900)
    comes(told, text, newest(told, "bob"))
    with told.services.database.write() as tx:
        bounces.count_refusal(
            told.services, tx, mail_in(tx, newest(told, "ann")), "550 5.1.1 \x1b[31m\r\n gone" + "a" * 900
        )
        found = [deliverability.state_of(tx, told.ids[name], told.clock.at) for name in ("ann", "bob")]
    for state, said in found:
        assert state == "bouncing"
        assert said.isprintable()
        assert "  " not in said
        assert 100 < len(said) <= 200


# Refused in the session


@pytest.mark.parametrize(
    "said, verdict",
    [
        ("550 5.1.1 <bob@people.example> no such user", "hard"),
        ("550 5.1.2 bad destination system", "hard"),
        ("556 5.1.10 recipient address has null MX", "hard"),
        ("550 5.2.1 mailbox disabled", "hard"),
        ("550 No such user here", "hard"),
        ("553 sorry, that domain isn't known", "hard"),
        ("552 5.2.2 mailbox full", "soft"),
        ("550 5.2.0 cannot deliver now", "soft"),
        ("554 5.7.1 relay access denied", "ours"),
        ("550 relaying denied", "ours"),
        ("550 message blocked as spam", "ours"),
        ("550 5.1.8 sender address rejected", "ours"),
        ("550 5.7.26 this mail is unauthenticated", "ours"),
        ("552 5.3.4 message too big", "ours"),
        ("554 transaction failed", "ours"),
        ("530 5.5.1 authentication required", "ours"),
        ("nonsense", "ours"),
        ("", "ours"),
    ],
)
def test_rate03_a_refusal_counts_only_where_it_is_about_the_mailbox(told, said, verdict):
    assert smtp_verdicts.judge_refusal(said) == verdict
    notice = newest(told, "bob")
    with told.services.database.write() as tx:
        bounces.count_refusal(told.services, tx, mail_in(tx, notice), said)
    assert mail_of(told, "bob") == ("ok" if verdict == "ours" else "bouncing")
    assert len(told.notices(kind="probe")) == (verdict == "hard")


@pytest.mark.parametrize(
    "status, diagnostic, hard",
    [
        ("5.1.1", "", True),
        ("5.1.1", "smtp; 552 quota", True),
        ("5.0.0", "", True),
        ("5.0.0", "smtp; 550 5.2.2 over quota", False),
        ("5.0.0", "smtp; 550 5.1.1 unknown", True),
        ("5.0.0", "smtp; 554 delivery error: dd This user doesn't have a yahoo.example account", True),
        ("5.0.0", "smtp; 554 Message rejected: spam", False),
        ("5.5.0", "smtp; 550 5.5.0 Requested action not taken: mailbox unavailable", True),
        ("5.4.310", "DNS domain people.example does not exist", True),
        ("5.4.6", "routing loop", False),
        ("5.7.1", "550 5.1.1 said somebody else", False),
        ("5.1.7", "bad sender", False),
        ("5.3.4", "too big", False),
        ("4.1.1", "try later", False),
        ("4.0.0", "550 unknown", False),
        ("4.0.0", "550 5.1.1 unknown", True),
        ("", "smtp; 550 5.1.1 unknown", True),
        ("", "550 unknown", True),
        ("", "451 try later", False),
        ("", "X-Unix; unknown user", False),
        ("", "host 198.5.1.1 said: 451 try later", False),
        ("", "5.1.1.7", False),
        ("", "", False),
        ("x" * 10_000, "9" * 10_000, False),
    ],
)
def test_rfc3463_the_code_says_whether_a_mailbox_is_gone(status, diagnostic, hard):
    assert smtp_verdicts.is_hard(status, diagnostic) == hard


@pytest.mark.parametrize(
    "action, status, failure",
    [
        ("failed", "5.1.1", True),
        ("Failed ", "4.4.1", True),
        ("", "5.1.1", True),
        ("", "4.4.1", False),
        ("", "", False),
        ("delayed", "5.1.1", False),
        ("delivered", "2.0.0", False),
        ("expanded", "2.1.5", False),
    ],
)
def test_rfc3464_only_a_failure_is_a_bounce(action, status, failure):
    assert smtp_verdicts.is_failure(action, status) == failure


# Unsubscribing by mail

WISH = "From: {who}\r\nTo: {path}\r\nSubject: unsubscribe\r\nMessage-ID: <u1@gmail.example>\r\n{more}\r\n{body}\r\n"


def leaves(tables: Tables, raw: bytes, *, player: str | None = "bob", sender: str = "bob@people.example") -> str:
    """A mail to the unsubscribe address in bob's first mail comes in by the door. The state of its row."""
    notice = tables.notices(recipient=tables.ids["bob"], kind="your-turn")[0]
    with tables.services.database.write() as tx:
        identity = tables.ids[player] if player else None
        reply_tokens.issue(
            tables.services.settings,
            tables.services.database,
            tables.services.sealer,
            tx,
            addresses.UNSUBSCRIBE,
            notice_in(notice),
            player=identity,
        )
    local = reply_tokens.local_part(tables.services.settings, addresses.UNSUBSCRIBE, notice_in(notice))
    mail = InboundMail(raw, addresses.full(tables.services.settings, local), sender, "smtp")
    number = inbox.accept(tables.services, mail)
    with tables.services.database.write() as tx:
        row = inbox.by_id(tx, number)
        assert row is not None
        grant = reply_tokens.find(tables.services.database, tables.services.sealer, tx, row.token)
        assert grant is not None
        return unsubscribe.unsubscribe(tables.services, tx, grant, row, read(raw, tables.services.settings.mail_domain))


def is_muted(tables: Tables, name: str, game: str) -> bool:
    with tables.services.database.read() as connection:
        return unsubscribes.is_muted(connection, tables.ids[name], game)


@pytest.mark.parametrize(
    "who, more, body",
    [
        ("bob@people.example", "", ""),
        ("bob@people.example", "", "whatever he says, also: resign"),
        ("robert@elsewhere.example", "", "stop"),
        ("bob@people.example", "Auto-Submitted: auto-generated\r\nPrecedence: bulk\r\n", "sent for you by your mail"),
    ],
)
def test_out15_out17_any_mail_to_the_address_stops_mail_about_the_game_and_nothing_else(told, who, more, body):
    game = newest(told, "bob")["game_id"]
    other = told.begin("ann", "bob")
    before = told.head(game).version
    notices = told.notices()
    assert leaves(told, WISH.format(who=who, path="u", more=more, body=body).encode()) == "applied"
    assert leaves(told, WISH.format(who=who, path="u", more=more, body=body).encode()) == "applied", "twice is once"
    assert is_muted(told, "bob", game)
    assert not is_muted(told, "bob", other)
    assert not is_muted(told, "ann", game)
    assert told.head(game).version == before
    assert told.head(game).table.seat_of(told.ids["bob"]) == 1, "nobody resigned"
    assert [row for row in told.notices() if row["game_id"] != other] == [
        row for row in notices if row["game_id"] != other
    ], "and no notice of it is sent"


def test_out17_a_report_to_the_address_is_no_wish(told):
    game = newest(told, "bob")["game_id"]
    values = {"path": "u", "to": "bob@people.example", "id": "<x@play.example>"}
    for text in (returned.POSTFIX_UNKNOWN, returned.POSTFIX_DELAYED, returned.RECEIPT):
        assert leaves(told, returned.text(text, **values), sender="somebody@people.example") == "ignored"
    wish = WISH.format(who="bob@people.example", path="u", more="", body="").encode()
    assert leaves(told, wish, sender="") == "ignored"
    assert not is_muted(told, "bob", game)
    assert leaves(told, returned.text(returned.COMPLAINT, **values), sender="complaints@fbl.example") == "applied"
    assert is_muted(told, "bob", game), "but a complaint is one"


def test_a_guest_who_has_no_account_is_invited_no_more(told):
    wish = WISH.format(who="bob@people.example", path="u", more="", body="").encode()
    assert leaves(told, wish, player=None) == "applied"


def test_f62_whatever_comes_to_a_return_path_no_mail_is_written_to_its_sender(told):
    texts = [value for name, value in vars(returned).items() if name.isupper()]
    assert len(texts) >= 18
    with structlog.testing.capture_logs() as logs:
        for text in texts:
            comes(told, text, newest(told, "ann"), to="ann@people.example")
    people = {row["recipient"] for row in told.notices()}
    assert people == {told.ids["ann"], told.ids["bob"]}
    assert not logs
