"""Checkpoints and receipts as docs/audit/format.md has them, section 8."""

import base64
import hashlib
import textwrap
from dataclasses import replace

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.audit.checkpoints import CROCKFORD, Checkpoint, Receipt, Signed, check_letter, read_header, read_receipt

HASH = hashlib.sha256(b"the event").hexdigest()
ONE = Checkpoint("k7x2m9qd4t", 17, HASH, "2026-11-20T18:19:41.123456Z")
SIGNED = Signed(ONE, "0123456789abcdef", "5e" * 64)
CHECKPOINTS = st.builds(
    Checkpoint,
    game=st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=1, max_size=12),
    version=st.integers(1, 10**9),
    hash=st.binary(min_size=32, max_size=32).map(bytes.hex),
    time=st.datetimes().map(lambda at: f"{at:%Y-%m-%dT%H:%M:%S.%f}Z".rjust(27, "0")),
)
NOISE = st.lists(st.sampled_from(["", "", "", " ", "-", "\n", "\u2013", "\u2011", "\u00a0", "\u200b"]), min_size=80)
RFC_4648 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def test_what_is_signed_is_a_line_of_purpose_and_canonical_json():
    said = {"version": 17, "time": ONE.time, "hash": HASH, "game": "k7x2m9qd4t"}
    assert ONE.message() == b"wardroom-checkpoint-v1\n" + rfc8785.dumps(said)


@pytest.mark.slow
@given(CHECKPOINTS)
def test_a_receipt_is_the_version_and_125_bits_in_crockfords_base_32(one):
    said = {"version": one.version, "time": one.time, "hash": one.hash, "game": one.game}
    digest = hashlib.sha256(b"wardroom-receipt-v1\n" + rfc8785.dumps(said)).digest()
    code = base64.b32encode(digest).decode()[:25].translate(str.maketrans(RFC_4648, CROCKFORD))
    old = f"{one.version}-{code[:5]}-{code[5:10]}-{code[10:15]}-{code[15:20]}-{code[20:]}"
    assert one.receipt() == f"{old}-{check_letter(f'{one.version}{code}')}"
    assert read_receipt(old) == Receipt(one.version, one.receipt(), checked=False), "as mails of before have it"


@pytest.mark.slow
@given(CHECKPOINTS, st.data())
def test_a_receipt_with_a_letter_mistyped_is_said_to_be_mistyped(one, data):
    digits = "".join(one.receipt().split("-"))
    place = data.draw(st.integers(0, len(digits) - 1))
    version = len(str(one.version))
    signs = ("123456789" if place == 0 else "0123456789") if place < version else CROCKFORD
    other = data.draw(st.sampled_from([sign for sign in signs if sign != digits[place]]))
    wrong = digits[:place] + other + digits[place + 1 :]
    with pytest.raises(ValueError, match=r"^This receipt was mistyped: its last letter does not fit the others\."):
        read_receipt(f"{wrong[:version]}-{wrong[version:]}")


def test_the_check_letter_of_the_page():
    assert check_letter("17K7X2M9QD4T8W3PZA1B2CD3E4F") == "K"


@pytest.mark.slow
@given(CHECKPOINTS, NOISE, st.lists(st.sampled_from("01OoIiLl"), min_size=80), st.booleans())
def test_reading_a_receipt_undoes_writing_it_whatever_was_done_to_it_on_the_way(one, noise, alike, small):
    misread = {"0": "0Oo", "1": "1IiLl"}
    kept = [next((like for like in alike[n:] if like in misread.get(c, "")), c) for n, c in enumerate(one.receipt())]
    version = len(str(one.version))
    code = "".join(letter + blank for letter, blank in zip(kept[version:], noise, strict=False))
    text = "".join(kept[:version]) + code
    read = read_receipt(text.lower() if small else text)
    assert read == Receipt(one.version, one.receipt())


@pytest.mark.parametrize(
    "around",
    ["Receipt: {}", "  {}\n", "\tReçu\u00a0: {}", "0{}", "{}\r\n", "{}.", "*{}*", "“{}”,", "`{}`", "({})"],
)
def test_a_receipt_is_read_as_the_mail_has_it(around):
    assert read_receipt(around.format(ONE.receipt())).text == ONE.receipt()


@pytest.mark.parametrize(
    "text",
    [
        "", "17", "-", "17-", ONE.receipt()[3:], ONE.receipt()[:-3], ONE.receipt() + "7x" * 20,
        ONE.receipt().replace("-", ""), "1 " + ONE.receipt(), "0-" + ONE.receipt()[3:],
        "x7-" + ONE.receipt()[3:], ONE.receipt()[:-1] + "U", ONE.receipt().replace("-", "+"), "17-é" + "0" * 24,
        "٣-" + ONE.receipt()[3:], "9" * 17 + "-" + ONE.receipt()[3:], HASH,
    ],
)  # fmt: skip
def test_what_is_no_receipt_is_refused_with_one_that_is(text):
    with pytest.raises(ValueError, match=r"^A receipt is .* 17-K7X2M-9QD4T-8W3PZ-A1B2C-D3E4F-K: copy it whole .*\.$"):
        read_receipt(text)


@pytest.mark.slow
@given(CHECKPOINTS, CHECKPOINTS)
def test_whatever_is_changed_changes_the_receipt_and_what_is_signed(one, other):
    for name in ("game", "version", "hash", "time"):
        changed = replace(one, **{name: getattr(other, name)})
        assert (changed.receipt() == one.receipt()) == (changed == one) == (changed.message() == one.message())


def test_a_header_says_what_the_document_says():
    assert SIGNED.document() == {
        "game": "k7x2m9qd4t", "hash": HASH, "key": "0123456789abcdef", "signature": "5e" * 64, "time": ONE.time,
        "version": 17,
    }  # fmt: skip
    assert SIGNED.header() == (
        "v=1; game=k7x2m9qd4t; version=17; time=2026-11-20T18:19:41.123456Z; "
        f"hash={HASH}; key=0123456789abcdef; signature={'5e' * 64}"
    )


@given(st.integers(4, 100), st.sampled_from(["\r\n ", "\n\t", " "]))
def test_a_header_is_read_however_it_was_folded(width, fold):
    assert read_header(fold.join(textwrap.wrap(SIGNED.header(), width))) == SIGNED
    assert read_header(SIGNED.header().replace(" ", "")) == SIGNED


@pytest.mark.parametrize(
    "old, new, named",
    [
        ("v=1", "v=2", "v=2"), ("; version=17", "", "version is missing"), ("version=17", "version=017", "version=017"),
        ("version=17", "version=17; version=17", "version=17"), ("key=", "kay=", "kay="),
        ("5e5e", "5E5e", "signature="),
        ("hash=", "hash=0", "hash=0"), ("Z;", "+00:00;", "time="), ("game=k7x2m9qd4t", "game=", "game="),
    ],
)  # fmt: skip
def test_a_header_that_was_changed_or_cut_is_refused(old, new, named):
    with pytest.raises(ValueError, match=named) as refused:
        read_header(SIGNED.header().replace(old, new, 1))
    assert str(refused.value).startswith("The header Wardroom-Checkpoint of this mail was c")
