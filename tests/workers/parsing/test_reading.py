"""Facts read from a mail: senders, ids, reports, authentication, attachments (IN-03 to IN-07, IN-21 to IN-28)."""

import base64

import msgspec
import pytest

from domain.engine.sentences import said
from tests.workers.parsing.bombs import BOMBS
from tests.workers.parsing.desk import CODES, DOMAIN, Tammany, corpus, outcome
from workers.parsing import read_mail as reading_module
from workers.parsing.command_block import agreed, find_in
from workers.parsing.limits import REASONS, Poison
from workers.parsing.new_text import new_text
from workers.parsing.read_mail import Reading, read
from workers.parsing.reports import Report

RETURNED = "<turn.g1234.12.a1b2@wardroom.example>"
RETURNED_2 = "<turn.g1234.12.c3d4@wardroom.example>"
UNKNOWN_USER = "550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown"
FULL = "554 5.2.2 mailbox full; STOREDRV.Deliver"
NO_CONNECTION = "The recipient server did not accept our requests to connect."


def mail(body=b"bid 30\r\n", **headers):
    """A mail with these headers, in this order; underscores are hyphens."""
    head = {"from": b"ann@example.org", **headers}
    lines = [
        name.replace("_", "-").encode() + b": " + each
        for name, value in head.items()
        for each in (value if isinstance(value, list) else [value])
    ]
    return read(b"\r\n".join(lines) + b"\r\n\r\n" + body, DOMAIN)


def parts(kind, *bodies):
    """A multipart body and its headers."""
    body = b"".join(b"--b\r\n" + each + b"\r\n" for each in bodies) + b"--b--\r\n"
    return {"content_type": b"multipart/" + kind + b"; boundary=b", "body": body}


def signed_data(octets):
    """Signed data (RFC 5652) of indefinite lengths around an element that holds what was signed."""
    data = b"\x30\x80\x06\x09" + bytes.fromhex("2a864886f70d010701") + b"\xa0\x80" + octets + b"\0\0\0\0"
    signed = b"\x30\x80\x02\x01\x01\x31\x00" + data + b"\0\0"
    return b"\x30\x80\x06\x09" + bytes.fromhex("2a864886f70d010702") + b"\xa0\x80" + signed + b"\0\0\0\0"


PLAIN = b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
HTML = b"Content-Type: text/html; charset=utf-8\r\n\r\n"


# Headers


@pytest.mark.parametrize(
    "value, expected",
    [
        (b"ann@example.org", ["ann@example.org"]),
        (b"Ann <Ann+tag@Example.org>", ["Ann+tag@Example.org"]),
        (b"ann@example.org (Ann)", ["ann@example.org"]),
        (b"(bob@evil.example) ann@example.org", ["ann@example.org"]),
        (b'"bob@evil.example" <ann@example.org>', ["ann@example.org"]),
        (b"bob@evil.example <ann@example.org>", ["ann@example.org", "bob@evil.example"]),
        (b"ann@example.org <ann@example.org>", ["ann@example.org"]),
        (b"Ann <ann@example.org> <bob@evil.example>", ["ann@example.org", "bob@evil.example"]),
        (b"ann@example.org, bob@example.org", ["ann@example.org", "bob@example.org"]),
        (b"Ames, Ann <ann@example.org>", ["ann@example.org"]),
        (b'"Ames, Ann" <ann@example.org>', ["ann@example.org"]),
        (b'"ann"@example.org', ['"ann"@example.org']),
        (b"=?utf-8?q?bob=40evil.example?= <ann@example.org>", ["ann@example.org"]),
        (b"<@relay.example:ann@example.org>", []),
        (b"Friends: ann@example.org;", []),
        (b"Friends:;, ann@example.org", []),
        ("jörg@exämple.org".encode(), ["jörg@exämple.org"]),
        (b"", []),
        (b"nobody", []),
        (b"<>", []),
        (b"ann @example.org", []),
    ],
)
def test_in_28_every_address_of_from_is_read_as_written(value, expected):
    assert mail(**{"from": value}).from_addresses == expected


def test_in_28_from_headers_are_counted_and_all_are_read():
    found = mail(**{"from": [b"ann@example.org", b"bob@example.org"]})
    assert (found.from_headers, found.from_addresses) == (2, ["ann@example.org", "bob@example.org"])


@pytest.mark.parametrize(
    "raw",
    [
        b"From: ann@example.org\r\nX-A: b\rFrom: bob@evil.example\r\n\r\nx",
        b"From: ann@example.org\r\nno field at all\r\nFrom : bob@evil.example\r\n\r\nx",
        b"From: ann@example.org\rSubject: x\r\rFrom: bob@evil.example\r\n\r\nx",
    ],
)
def test_in_28_a_second_from_cannot_hide_behind_odd_line_ends(raw):
    assert read(raw, DOMAIN).from_headers == 2


def test_in_28_the_sender_header_is_told():
    assert mail(sender=b"Secretary <sec@other.example>").sender == "sec@other.example"
    assert mail().sender == ""


def test_recipients_are_those_of_to_and_cc():
    found = mail(to=b"Game <mv-x@in.wardroom.example>", cc=b"bob@example.org, undisclosed:;")
    assert found.recipients == ["mv-x@in.wardroom.example", "bob@example.org"]


def test_in_03_the_envelope_is_told_by_the_surest_header_first():
    found = mail(
        delivered_to=b"box@in.wardroom.example", envelope_to=b"c@x.example", x_original_to=b"mv-x@in.wardroom.example"
    )
    assert found.delivered_to == ["mv-x@in.wardroom.example", "box@in.wardroom.example", "c@x.example"]


@pytest.mark.parametrize(
    "value, expected",
    [
        (b"<a@b>", "<a@b>"),
        (b" <a@b> (x)", "<a@b>"),
        (b"a@b", ""),
        (b"<a b@c>", ""),
        (b"<>", ""),
        (b"<" + b"a" * 300 + b">", ""),
    ],
)
def test_in_04_a_message_id_is_taken_only_if_it_can_be_used(value, expected):
    assert mail(message_id=value).message_id == expected


def test_references_are_those_of_both_headers_each_once():
    assert mail(references=b"<a@b>\r\n <c@d>", in_reply_to=b"<c@d> <e@f>").references == ["<a@b>", "<c@d>", "<e@f>"]


@pytest.mark.parametrize(
    "value, expected",
    [
        (b"Re: x", "Re: x"),
        (b"=?UTF-8?B?R3LDvMOfZQ==?= an =?iso-8859-1?q?K=F6ln?=", "Grüße an Köln"),
        (b"=?utf-8?B?R3LD?= =?utf-8?B?vMOfZQ==?=", "Grüße"),
        (b"=?utf-8*en?q?a_b?= =?utf-8?q?c?=", "a bc"),
        (b"=?x-none?q?a=FCb?=", "aüb"),
        (b"a =?utf-8?q?=0D=0ABcc:_x=00=E2=80=AE?= b", "a Bcc: x b"),
        ("Grüße".encode(), "Grüße"),
        ("Grüße".encode("cp1252"), "Grüße"),
        (b"x" * 500, "x" * 200),
    ],
)
def test_the_subject_is_decoded_onto_one_line(value, expected):
    assert mail(subject=value).subject == expected


# Bodies


def test_in_06_the_first_plain_part_that_says_something_is_read():
    found = mail(**parts(b"mixed", PLAIN + b" ", PLAIN + b"bid 30", PLAIN + b"bid 40"))
    assert found.text == "bid 30"


def test_in_06_html_that_stands_apart_is_read_for_comparison():
    found = mail(**parts(b"mixed", PLAIN + b"bid 30", HTML + b"<p>bid 40"))
    assert (found.text, found.html_text) == ("bid 30", "bid 40")


def test_in_06_a_footer_in_plain_text_does_not_stand_for_an_html_mail():
    found = mail(**parts(b"mixed", HTML + b"<p>bid 30", PLAIN + b"bid 40"))
    assert (found.text, found.html_text, found.body) == ("", "bid 30", "bid 30")


def test_in_06_of_two_html_alternatives_the_last_is_the_richest():
    found = mail(**parts(b"alternative", HTML + b"<p>pass", HTML + b"<p>bid 30"))
    assert found.html_text == "bid 30"


def test_a_body_that_is_attached_is_no_text():
    assert mail(content_disposition=b"attachment; filename=a.txt").text == ""


@pytest.mark.parametrize(
    "body, declared, expected",
    [
        ("Grüße".encode(), b"utf-8", "Grüße"),
        ("Grüße".encode(), b"iso-8859-7", "GrĂΌĂŸe"),
        ("“Grüße”".encode("cp1252"), b"iso-8859-1", "“Grüße”"),
        ("Grüße".encode("cp1252"), b"utf-8", "Grüße"),
        (b"\x81\xfcx", b"utf-8", "�üx"),
        ("Zł".encode("iso-8859-2"), b'"ISO-8859-2"', "Zł"),
        ("朱镕基".encode("gb18030"), b"gb2312", "朱镕基"),
        ("똠".encode("cp949"), b"ks_c_5601-1987", "똠"),
        ("①髙".encode("cp932"), b"shift_jis", "①髙"),
        (b"\x1b$B-!\x1b(B", b"iso-2022-jp", "①"),
        (b"\x1b(I1\x1b(B", b"iso-2022-jp", "ｱ"),
        ("a".encode("utf-16"), b"", "a"),
        ("ä".encode("utf-16-be"), b"utf-16be", "ä"),
        ("ä".encode("utf-8-sig"), b"us-ascii", "ä"),
        (b"+2AA-x", b"utf-7", "x"),
        (b"a\x00b", b"", "ab"),
        (b"a-b", b"punycode", "a-b"),
        (b"a\\u0041", b"unicode_escape", "a\\u0041"),
        ("a\u2028b\x0bc\x85d".encode(), b"utf-8", "a\nb\nc\nd"),
    ],
)
def test_in_05_charsets_are_tried_in_order(body, declared, expected):
    found = mail(body, content_type=b"text/plain; charset=" + declared if declared else b"text/plain")
    assert found.text == (expected if expected != "GrĂΌĂŸe" else "Grüße".encode().decode("iso-8859-7"))


def test_in_05_iso_2022_jp_holds_every_character_it_held():
    rows = [bytes([row, cell]) for row in [*range(0x23, 0x29), *range(0x30, 0x75)] for cell in range(0x21, 0x7F)]
    known = [each for each in rows if decoded(each)]
    body = b"\x1b$B" + b"".join(known) + b"\x1b(B"
    assert len(known) > 6000
    assert mail(body, content_type=b"text/plain; charset=iso-2022-jp").text == "".join(map(decoded, known))


def decoded(pair):
    """The character of a pair in plain ISO-2022-JP, "" where there is none."""
    return (b"\x1b$B" + pair + b"\x1b(B").decode("iso2022_jp", "ignore")


@pytest.mark.parametrize(
    "body, expected",
    [
        (b"a \r\nb\r\n", "a b"),
        (b"> a \r\n> b\r\nc", "> a b\nc"),
        (b"> a \r\n>> b", "> a \n>> b"),
        (b" > not quoted\r\n  two", "> not quoted\n two"),
        (b"a \r\n-- \r\nb", "a \n-- \nb"),
        (b"a ", "a"),
    ],
)
def test_in_07_flowed_text_is_unfolded(body, expected):
    assert mail(body, content_type=b"text/plain; format=flowed").text == expected


def test_in_07_delsp_takes_the_blank_away():
    assert mail(b"pl \r\nace\r\n", content_type=b"text/plain; format=Flowed; delsp=Yes").text == "place"


@pytest.mark.parametrize("end", [b"\r\n", b"\n", b"\r"])
def test_in_07_any_line_end_ends_a_line(end):
    raw = end.join([b"From: ann@example.org", b"Subject: x", b"", b"a", b"b"])
    found = read(raw, DOMAIN)
    assert (found.subject, found.text) == ("x", "a\nb")


def test_in_25_attachments_are_named_and_never_read():
    found = read(corpus("attached_text"), DOMAIN)
    assert found.attachments == ["move.txt", "message/rfc822", "pass wd.zip"]
    assert found.text == "see attached"
    assert read(corpus("apple_mail_picture"), DOMAIN).attachments == ["photo.jpg"]


@pytest.mark.parametrize(
    "value, expected",
    [
        (b"attachment; filename=a.pdf", "a.pdf"),
        (b'attachment; filename="=?utf-8?q?Pl=C3=A4ne.pdf?="', "Pläne.pdf"),
        (b"attachment; filename*0*=utf-8''Pl%C3%A4; filename*1=ne.pdf", "Pläne.pdf"),
        (b'attachment; filename="..\\\\..\\\\etc/passwd"', "passwd"),
        (b'attachment; filename="a;b\\"c.txt"', 'a;b"c.txt'),
        (b"attachment", "application/x-y"),
        (b"attachment; filename=" + b"a" * 300, "a" * 80),
    ],
)
def test_in_25_names_are_cleaned(value, expected):
    part = b"Content-Type: application/x-y\r\nContent-Disposition: " + value + b"\r\n\r\n..."
    assert mail(**parts(b"mixed", PLAIN + b"x", part)).attachments == [expected]


def test_in_25_pictures_within_the_text_are_not_attachments():
    picture = b"Content-Type: image/png; name=image001.png\r\nContent-ID: <i@x>\r\n\r\n..."
    assert mail(**parts(b"related", HTML + b"<p>x", picture)).attachments == []


@pytest.mark.parametrize("name", ["pgp_clearsigned", "pgp_mime_signed", "smime_signed", "smime_opaque"])
def test_in_27_the_signed_text_is_read_and_the_signature_is_no_attachment(name):
    found = read(corpus(name), DOMAIN)
    assert (found.signed, found.encrypted, found.attachments) == (True, False, [])
    assert found.text.split("\n")[0] == "bid 30"


def test_in_27_what_stands_around_a_cleartext_signature_is_read_too():
    signed = b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- -- a\n-----BEGIN PGP SIGNATURE-----\nx\n"
    found = mail(b"above\n" + signed + b"-----END PGP SIGNATURE-----\nbelow\nmore")
    assert found.text == "above\n-- a\nbelow\nmore"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x30\x03\x02\x01\x00",
        signed_data(b"\x02\x04\x04\x02hi"),
        signed_data(b"\x24\x80" * 9 + b"\x04\x01x" + b"\0\0" * 9),
    ],
)
def test_in_27_a_signature_that_cannot_be_opened_is_as_good_as_encrypted(data):
    found = mail(
        base64.b64encode(data),
        content_type=b"application/pkcs7-mime; smime-type=signed-data",
        content_transfer_encoding=b"base64",
    )
    assert found.encrypted
    assert found.text == ""


def test_in_27_segments_of_an_opaque_signature_are_put_together():
    inner = b"Content-Type: text/plain\r\n\r\nbid 30\r\n"
    pieces = b"".join(bytes([4, len(each)]) + each for each in (inner[:9], inner[9:]))
    octets = b"\x24\x80" + pieces + b"\0\0"
    found = mail(
        base64.b64encode(signed_data(octets)),
        content_type=b"application/pkcs7-mime; smime-type=signed-data",
        content_transfer_encoding=b"base64",
    )
    assert (found.text, found.signed) == ("bid 30", True)


# Automatic mail


@pytest.mark.parametrize(
    "headers, expected",
    [
        ({"auto_submitted": b"auto-replied"}, "auto-submitted"),
        ({"auto_submitted": b"auto-generated; type=x"}, "auto-submitted"),
        ({"auto_submitted": b"No (really)"}, ""),
        ({"precedence": b"Bulk"}, "precedence"),
        ({"precedence": b"auto_reply"}, "precedence"),
        ({"precedence": b"first-class"}, ""),
        ({"list_id": b"Club <club.lists.example.org>"}, "list"),
        ({"list_id": b"Game <game-1.wardroom.example>"}, ""),
        ({"list_id": b"<notwardroom.example>"}, "list"),
        ({"x_autoreply": b"yes"}, "auto-reply"),
        ({"x_autorespond": b""}, "auto-reply"),
        ({"x_loop": b"somebody@example.net"}, "loop"),
        ({"x_loop": b"game@wardroom.example"}, "own"),
        ({"return_path": b"<>"}, "null-sender"),
        ({"return_path": b"<ann@example.org>"}, ""),
        ({"from": b"MAILER-DAEMON@mx.example.org"}, "robot"),
        ({"from": b"Shop <no-reply@shop.example>"}, "robot"),
        ({"from": b"game@wardroom.example"}, "own"),
        ({"from": b"game@in.wardroom.example"}, "own"),
        ({"from": b"ann@notwardroom.example"}, ""),
        ({"message_id": b"<x@wardroom.example>"}, "own"),
        ({"message_id": b"<x@example.org>"}, ""),
        ({"x_auto_response_suppress": b"All"}, ""),
        ({"content_type": b"multipart/report; boundary=b"}, "report"),
    ],
)
def test_in_21_to_in_23_automatic_mail_is_known_by_its_headers(headers, expected):
    assert mail(**headers).automatic == expected


@pytest.mark.parametrize("method, expected", [(b"REPLY", "calendar"), (b"COUNTER", "calendar"), (b"REQUEST", "")])
def test_in_24_answers_of_calendars_are_automatic(method, expected):
    named = b"Content-Type: text/calendar; method=" + method + b"\r\n\r\nBEGIN:VCALENDAR"
    inside = b"Content-Type: text/calendar\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:" + method
    assert mail(**parts(b"alternative", PLAIN + b"yes", named)).automatic == expected
    assert mail(**parts(b"alternative", PLAIN + b"yes", inside)).automatic == expected


@pytest.mark.parametrize(
    "body, expected",
    [
        ("Liked “your turn”", "reaction"),
        ("Gefällt „dein Zug“", "reaction"),
        ("Reacted 😂 to “your turn”", "reaction"),
        ("Liked “your turn”\n\nbid 30", ""),
        ("Liked it", ""),
        ("bid 30", ""),
    ],
)
def test_in_13_the_text_of_a_reaction_is_known(body, expected):
    assert mail(body.encode()).automatic == expected


@pytest.mark.parametrize(
    "subject",
    [
        "Out of Office Re: [Tammany #1]",
        "Automatic reply: x",
        "Abwesenheitsnotiz: x",
        "Automatische Antwort: x",
        "Réponse automatique : x",
        "Respuesta automática: x",
        "Risposta automatica: x",
        "Automatisch antwoord: x",
        "Autosvar: x",
    ],
)
def test_in_21_an_away_subject_is_only_a_hint(subject):
    found = mail(subject=subject.encode())
    assert found.away_hint
    assert found.automatic == ""


def test_an_ordinary_subject_hints_at_nothing():
    assert not mail(subject=b"Re: [Tammany #1234] Ann, Boris, Carol").away_hint


# Reports


@pytest.mark.parametrize(
    "name, expected",
    [
        ("dsn_postfix", Report("dsn", "failed", "5.1.1", UNKNOWN_USER, RETURNED, "ann@example.org")),
        ("dsn_exchange", Report("dsn", "failed", "5.2.2", FULL, RETURNED_2, "bob@example.com")),
        ("dsn_gmail_delayed", Report("dsn", "delayed", "4.4.1", NO_CONNECTION, RETURNED, "ann@example.org")),
        ("mdn_read_receipt", Report("mdn", "displayed", "", "", RETURNED, "ann@example.org")),
        ("arf_complaint", Report("arf", "abuse", "", "", RETURNED, "ann@example.org")),
    ],
)
def test_rate_10_reports_are_read(name, expected):
    assert read(corpus(name), DOMAIN).report == expected


def test_rate_10_of_several_recipients_the_one_worst_off_counts():
    status = (
        b"Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n"
        b"Final-Recipient: rfc822; a@b.example\r\nAction: delivered\r\nStatus: 2.0.0\r\n\r\n"
        b"Final-Recipient: rfc822; c@d.example\r\nAction: Failed (gone)\r\nStatus: 5.1.2 (bad host)"
    )
    found = mail(**parts(b"report; report-type=delivery-status", PLAIN + b"x", status)).report
    assert found is not None
    assert (found.recipient, found.action, found.status, found.original_message_id) == (
        "c@d.example",
        "failed",
        "5.1.2",
        "",
    )


def test_a_report_that_says_nothing_is_none_and_stays_automatic():
    found = mail(**parts(b"report", PLAIN + b"x"))
    assert (found.report, found.automatic) == (None, "report")


def test_an_ordinary_mail_with_an_attached_bounce_is_no_report():
    status = b"Content-Type: message/delivery-status\r\n\r\nAction: failed"
    assert mail(**parts(b"mixed", PLAIN + b"x", status)).report is None


# Authentication-Results


@pytest.mark.parametrize(
    "value, server, results",
    [
        (b"mx.example.org; none", "mx.example.org", []),
        (
            b"MX.example.org 1; spf=pass smtp.mailfrom=ann@example.org; dkim=pass (2048-bit; ok) header.d=example.org"
            b" header.s=s1;\r\n\tdmarc=Pass (p=REJECT dis=NONE) header.from=example.org",
            "mx.example.org",
            [
                ("spf", "pass", {"smtp.mailfrom": "ann@example.org"}),
                ("dkim", "pass", {"header.d": "example.org", "header.s": "s1"}),
                ("dmarc", "pass", {"header.from": "example.org"}),
            ],
        ),
        (b'mx; dmarc=fail reason="a; dmarc=pass" header.from=b.example', "mx",
         [("dmarc", "fail", {"reason": "a; dmarc=pass", "header.from": "b.example"})]),
        (b"mx; dkim/1 = pass header.b=ab=c", "mx", [("dkim", "pass", {"header.b": "ab=c"})]),
        (b"mx (a; dmarc=pass); spf=none", "mx", [("spf", "none", {})]),
        (b"mx (\\); dmarc=pass); spf=none", "mx", [("spf", "none", {})]),
        (b"mx; dmarc=pass header.from=a.example header.from=b.example", "mx", []),
        (b"mx; dmarc=pass nonsense; spf=pass", "mx", [("spf", "pass", {})]),
        (b'mx; dmarc=pass header.from="a.example', "", []),
        (b"mx; dmarc=pass (p=none", "", []),
        (b"mx); dmarc=pass", "", []),
        (b"", "", []),
    ],
)  # fmt: skip
def test_results_of_authentication_are_read_and_what_is_malformed_proves_nothing(value, server, results):
    found = mail(authentication_results=value).authentication
    assert [(each.authserv_id, each.results) for each in found] == [(server, results)]


def test_results_of_authentication_keep_their_order():
    found = mail(authentication_results=[b"ours; spf=pass", b"theirs; spf=fail"]).authentication
    assert [each.authserv_id for each in found] == ["ours", "theirs"]


# Limits and failures


@pytest.mark.parametrize("limit", ["size", "headers", "parts", "depth", "recipients", "text", "lines"])
def test_in_01_each_limit_is_told_to_the_player_in_a_sentence(limit):
    raw = next(build() for build, outcome in BOMBS.values() if outcome == f"poison {limit}")
    with pytest.raises(Poison) as caught:
        read(raw, DOMAIN)
    assert caught.value.reason == REASONS[limit]
    assert any(char.isdigit() for char in caught.value.reason)


def test_reasons_can_be_said_in_another_language():
    class German:
        def gettext(self, message):
            return message.replace("Your mail has more than {limit} parts", "Ihre Mail hat mehr als {limit} Teile")

    assert said(REASONS["parts"], German()).startswith("Ihre Mail hat mehr als 64 Teile")


def test_in_21_a_poison_tells_that_its_mail_is_automatic():
    with pytest.raises(Poison) as caught:
        mail(b"x\n" * 1001, auto_submitted=b"auto-replied")
    assert caught.value.automatic == "auto-submitted"


@pytest.mark.parametrize(
    "error, limit", [(ValueError("secret"), "crash"), (RecursionError(), "crash"), (MemoryError(), "memory")]
)
def test_in_04_no_other_exception_escapes(monkeypatch, error, limit):
    def fail(raw):
        raise error

    monkeypatch.setattr(reading_module.mime, "parse", fail)
    with pytest.raises(Poison) as caught:
        read(b"Precedence: bulk\n\nx", DOMAIN)
    assert (caught.value.limit, caught.value.automatic) == (limit, "precedence")
    assert "secret" not in caught.value.detail
    assert ("test_reading.py" in caught.value.detail) == (limit == "crash")


def test_a_reading_crosses_a_process_boundary():
    found = read(corpus("dsn_postfix"), DOMAIN)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(found), type=Reading) == found
    assert found.size == len(corpus("dsn_postfix"))


TEXT = "Content-Type: text/plain; charset=utf-8"
QUOTED = "\nContent-Transfer-Encoding: quoted-printable"
ALTERNATIVE = "--b\n{plain}\n\n{text}\n--b\nContent-Type: text/html; charset=utf-8\n\n{html}\n--b--\n"
SPOILED = {
    "padding after a soft break": (f"{TEXT}{QUOTED}", "place 14= \n 14\nend", ""),
    "padding is a tab": (f"{TEXT}{QUOTED}", "pla=\t\nce 14 14\nend", ""),
    "padding at the end": (f"{TEXT}{QUOTED}", "place 14 14\nend= ", ""),
    "flowed joins the lines": (f"{TEXT}; format=flowed", "place 14 14 \nend ", "<p>place 14 14</p><p>end</p>"),
    "one long line": (TEXT, "place 14 14 end", "<div>place 14 14</div><div>end</div>"),
    "parted within a line": (TEXT, "place 14\n14\nend", "<p>place 14 14<br>end</p>"),
    "placeholder": (TEXT, "This mail contains HTML. Please view it as HTML.", "place 14 14<br>end"),
    "German placeholder": (TEXT, "Diese Nachricht ist im HTML-Format.", "<div>place 14 14</div><div>end</div>"),
    "picture": (TEXT, "[image: logo.png]", "<p>place 14 14<br>end</p>"),
    "unknown attribution": (TEXT, "place 14 14\nend\n\nWardroom <game@wardroom.example> skribis:\n> Your turn", ""),
    "attribution without a name": (TEXT, "place 14 14\nend\n\nLe 4 de marto Wardroom:\n\n> type: bid 3", ""),
}  # fmt: skip
"""The head of the plain part, its text, and the HTML beside it, "" for none."""


def test_in_06_in_07_orders_survive_what_programs_do_to_plain_text():
    faults = []
    for name, (plain, text, html) in SPOILED.items():
        kind = 'Content-Type: multipart/alternative; boundary="b"' if html else plain
        body = ALTERNATIVE.format(plain=plain, text=text, html=html) if html else text
        head = f"From: ann@people.example\nMIME-Version: 1.0\n{kind}\n\n"
        if (found := outcome(f"{head}{body}".encode())) != "place 14 14; end":
            faults.append(f"{name}: {found}")
    assert not faults, "\n".join(faults)


def test_in_06_html_with_other_words_is_offered_and_not_played():
    grammar = Tammany()
    plain, html = (find_in(new_text(text, CODES), grammar) for text in ("place one and other", "place 14 14\nend"))
    block = agreed(plain, html)
    assert block.refused
    assert [line.text for line in block.copies[0]] == ["place 14 14", "end"]
