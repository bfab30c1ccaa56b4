"""The bytes of letters are those the standard library would write, without its tree of messages."""

import email
import email.policy
from email.headerregistry import Address
from email.message import EmailMessage

import pytest

from workers.mail_out import header_lines, mime_message, mime_parts
from workers.mail_out.mime_message import UnsafeMessage
from workers.mail_out.mime_parts import Attached

BOARD = Attached("image", "png", b"\x89PNG\r\n" * 30, "board.png", content_id="board")
DEADLINE = Attached("text", "calendar", "BEGIN:VCALENDAR\r\nSUMMARY:Zoë\r\n".encode(), "deadline.ics")
TEXTS = (
    "", "\n", "One line", "Two lines\n\nand a blank at the end \n", "long " * 30, "x" * 200 + "\r\n.\r\nFrom = a",
    "Zoë – “wards” = 14, 日本語 🙂\n" * 4, "\t\x0c \u2028\x85 y\n",
)  # fmt: skip
NAMES = (
    "Anna", "J. R. “Bob” Hall", 'a "quoted" name, <and> (more); @: [x] \\', "Zoë – your turn", "é" * 90,
    "日本語 " * 20 + "x", "a" * 150, "Tammany Hall 🙂 " * 9,
)  # fmt: skip


def as_the_library_writes(text, html, attached, seed):
    """The same letter made by the standard library."""
    message = EmailMessage(policy=email.policy.SMTP.clone(cte_type="7bit"))
    message.set_content(text, cte="quoted-printable")
    message.add_alternative(html, subtype="html", cte="quoted-printable")
    for part in attached:
        if part.content_id:
            inner = message.get_body(("html",))
            inner.add_related(
                part.data, part.maintype, part.subtype, cid="<board>", disposition="inline", filename=part.filename
            )
        else:
            message.add_attachment(
                part.data.decode(), subtype=part.subtype, filename=part.filename, cte="base64"
            )  # fmt: skip
    boundaries = mime_parts.boundaries(seed)
    for part in message.walk():
        if part.is_multipart():
            part.set_boundary(next(boundaries))
    return message.as_bytes()


@pytest.mark.parametrize(
    "attached",
    [
        pytest.param([], id="text alone"),
        pytest.param([BOARD], id="a picture"),
        pytest.param([DEADLINE], id="a file"),
        pytest.param([BOARD, DEADLINE], id="both"),
    ],
)
def test_a_letter_is_written_as_the_library_writes_it(attached):
    """Byte for byte, so that a letter tried again after an update is the same (RATE-02)."""
    for text, html in zip(TEXTS, reversed(TEXTS), strict=True):
        expected = as_the_library_writes(text, html, attached, "a seed")
        found = mime_parts.write(text, html, attached, "a seed")
        assert sorted(found.split(b"\r\n")) == sorted(expected.split(b"\r\n"))
        assert found.partition(b"\r\n\r\n")[2] == expected.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("words", NAMES)
def test_t_50_a_reader_has_the_subject_and_the_names_that_were_written(words):
    """Whatever is in them; no line is longer than mail programs take."""
    headers = [("From", Address(words, "game", "wardroom.example")), ("Subject", words)]
    written = mime_message.assemble(headers, "", "", [], "a seed")
    read = email.message_from_bytes(written, policy=email.policy.default)
    assert read["Subject"].split() == words.split()
    (sender,) = read["From"].addresses
    assert sender.display_name.replace(" ", "") == words.replace(" ", "")  # this reader adds blanks of its own
    assert sender.addr_spec == "game@wardroom.example"
    if not words.isascii():
        assert max(map(len, written.partition(b"\r\n\r\n")[0].split(b"\r\n"))) <= header_lines.LONGEST


@pytest.mark.parametrize("value", ["a\r\nBcc: eve@people.example", "a\nb", "a\x00b", "=?utf-8?q?a?="])
def test_t_50_a_header_that_could_become_two_is_not_sent(value):
    with pytest.raises(UnsafeMessage):
        mime_message.assemble([("Subject", value)], "", "", [], "a seed")


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param("Subject: a\r\nBcc: eve\r\n", id="one more"),
        pytest.param("Subject: a\r\n\r\n", id="ends early"),
        pytest.param("Subject: a\nBcc: eve\r\n", id="a bare end of line"),
        pytest.param("Subject: a\r\n \r\n", id="a blank line goes on"),
        pytest.param("", id="none"),
    ],
)
def test_t_50_headers_are_read_again_before_they_are_sent(monkeypatch, lines):
    """Should what writes them ever err."""
    monkeypatch.setattr(header_lines, "write", lambda name, value: lines)
    with pytest.raises(UnsafeMessage):
        mime_message.assemble([("Subject", "a")], "", "", [], "a seed")
