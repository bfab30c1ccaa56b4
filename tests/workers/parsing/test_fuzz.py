"""Whatever the bytes are: no exception but Poison, and no command that was not written as a line of its own."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.workers.parsing.desk import CODES, CORPUS, DOMAIN, Tammany
from workers.parsing.command_block import agreed, find, find_in
from workers.parsing.limits import Poison
from workers.parsing.new_text import Line, new_text
from workers.parsing.normalise import normal
from workers.parsing.quotes import is_quoted, marker_line
from workers.parsing.read_mail import Reading, read

MAILS = [path.read_bytes() for path in sorted(CORPUS.glob("*.eml"))]
SCRAPS = [
    b"\r\n",
    b"\n\n",
    b"\r",
    b"\0",
    b"=",
    b"--b\r\n",
    b"Content-Type: multipart/mixed; boundary=b\r\n",
    b"Content-Type: text/html; charset=utf-7\r\n",
    b"Content-Transfer-Encoding: base64\r\n",
    b"; filename*0*=''%00",
    b"=?utf-8?q?",
    b"<div style='color:",
    b"<blockquote>",
    b"\xff\xfe",
    b"\x1b$B",
    b'"',
    b"(",
    b"<",
    b"> ",
    b"bid 30\r\n",
]


@st.composite
def damaged(draw):
    """A mail of the corpus with pieces taken out, doubled, exchanged and put in."""
    raw = draw(st.sampled_from(MAILS))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(raw)))
        end = start + draw(st.integers(0, 400))
        scrap = draw(st.sampled_from(SCRAPS) | st.binary(max_size=20) | st.just(raw[start:end] * 2))
        raw = raw[:start] + scrap + raw[draw(st.sampled_from([start, end])) :]
    return raw


def reading_of(raw):
    """The reading, or None for a mail over a limit; nothing else may happen."""
    over, found = None, None
    try:
        found = read(raw, DOMAIN)
    except Poison as poison:
        over = poison
    assert over is None or over.limit not in ("crash", "memory", "time"), over.detail
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(found), type=Reading | None) == found
    return found


def check_commands(text):
    """Every command is a whole line of the text that is not quoted, and nothing is taken while anything is refused."""
    block = find_in(new_text(text, CODES), Tammany())
    lines = {line.strip() for line in text.split("\n") if not is_quoted(line)}
    for each in block.commands:
        assert each.original in lines
        assert normal(each.original) == each.text
        assert Tammany().problem(each.text) is None
    return block


@given(st.binary(max_size=2000))
def test_in_04_no_bytes_raise_anything_but_poison(raw):
    reading_of(raw)


@given(damaged())
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_in_04_no_damage_to_a_mail_raises_anything_but_poison(raw):
    found = reading_of(raw)
    if found:
        agreed(check_commands(found.text), check_commands(found.html_text))


@pytest.mark.slow
@given(damaged())
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_in_04_much_damage_raises_nothing_but_poison(raw):
    test_in_04_no_damage_to_a_mail_raises_anything_but_poison.hypothesis.inner_test(raw)


LINES = st.sampled_from(
    [
        "",
        "",
        "bid 30",
        "place 3",
        "end",
        "3",
        "paas",
        "Hello",
        "I would happily",
        "cheers",
        "thanks",
        "stop",
        "-- ",
        "> bid 20",
        "> quoted",
        ">",
        "| bid 20",
        marker_line("k7x2"),
        "> " + marker_line("k7x2"),
        "On Fri, 20 Nov 2026, Wardroom wrote:",
        "-----Original Message-----",
        "From: Wardroom",
        "To: Ann",
        "Subject: x",
        "Sent from my iPhone",
        "# bid 10",
        "type: bid 10",
        "👍",
    ]
)


@given(st.lists(LINES, max_size=16))
@settings(max_examples=500)
def test_in_08_no_command_is_a_quoted_line_or_stands_below_old_text(lines):
    block = check_commands("\n".join(lines))
    old = [place for place, line in enumerate(lines) if line.startswith(("—", "-----", "On Fri"))]
    above = lines[: old[0]] if old else lines
    marked = any(line.startswith((">", "|")) for line in lines)
    if not marked:
        assert len(block.commands) <= sum(Tammany().problem(normal(line)) is None for line in above)


@given(st.lists(LINES, max_size=16))
@settings(max_examples=500)
def test_in_09_commands_are_one_run_below_an_empty_line(lines):
    numbered = [Line(number, line) for number, line in enumerate(lines)]
    block = find(numbered, Tammany())
    if block.refused or not block.commands:
        return
    first, last = block.commands[0].number, block.commands[-1].number
    between = [lines[number] for number in range(first, last + 1)]
    assert all(line and (Tammany().problem(normal(line)) is None or line.startswith("#")) for line in between)
    before = [line for line in lines[:first] if not line.startswith("#")]
    assert not before or before[-1] == ""
    assert sum(bool(line) for line in before) <= 3
    hard = next((number for number, line in enumerate(lines) if line in ("stop", "-- ")), len(lines))
    assert sum(Tammany().problem(normal(line)) is None for line in lines[:hard]) == len(block.commands)


@given(st.text(max_size=400))
def test_no_text_makes_the_search_raise(text):
    check_commands(text)
