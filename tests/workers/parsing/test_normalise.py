"""One line as the grammar reads it, and amounts nobody guesses at (IN-11, IN-12, IN-13)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.parsing.near_words import distance, nearest
from workers.parsing.normalise import is_emoji, normal, readings


@pytest.mark.parametrize(
    "line, expected",
    [
        ("Bid 30", "bid 30"),
        ("  bid \t 30  ", "bid 30"),
        ("bid\u00a030", "bid 30"),
        ("bid\u200930", "bid 30"),
        ("bid\u300030", "bid 30"),
        ("b\u200bi\u200dd\ufeff \u202e30\u202c", "bid 30"),
        ("bi\u00add 30", "bid 30"),
        ("“bid” ‘30’", "\"bid\" '30'"),
        ("a – b — c − d ‑ e", "a - b - c - d - e"),
        ("place 3 → 4 ⇒ 5", "place 3 -> 4 -> 5"),
        ("bid 30…", "bid 30"),
        ("a…b", "a...b"),
        ("ｂｉｄ ３０", "bid 30"),
        ("bid ٣٠", "bid 30"),
        ("bid ३०", "bid 30"),
        ("* bid 30", "bid 30"),
        ("- bid 30", "bid 30"),
        ("– bid 30", "bid 30"),
        ("• bid 30", "bid 30"),
        ("1. bid 30", "bid 30"),
        ("2) bid 30", "bid 30"),
        ("1. 2. 3", "2. 3"),
        ("3.", "3"),
        ("3", "3"),
        ("-3", "-3"),
        ("**bid 30**", "bid 30"),
        ("*bid* _30_", "bid 30"),
        ("`bid 30`", "bid 30"),
        ("**bid 30**.", "bid 30"),
        ("**bid 30.**", "bid 30"),
        ("~~bid 30~~", "~~bid 30~~"),
        ("bid 30!!!", "bid 30"),
        ("bid 30 .", "bid 30"),
        ("pass,", "pass"),
        ("pass?", "pass?"),
        ("PASS", "pass"),
        ("STRASSE straße", "strasse strasse"),
        ("e\u0301te\u0301", "été"),
        ("", ""),
        ("***", ""),
    ],
)
def test_in_11_a_line_is_normalised(line, expected):
    assert normal(line) == expected


@pytest.mark.parametrize("line", ["bid 3²", "bid ½", "bid ③", "bid 3₂", "bid 1⁄2"])
def test_in_12_no_digit_is_made_of_what_is_none(line):
    assert normal(line) == line


@given(st.text())
def test_in_11_normal_text_is_one_line_of_what_can_be_seen(line):
    text = normal(line)
    assert "\n" not in text
    assert text == text.strip()
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Zs") and char != " " for char in text)


@pytest.mark.parametrize(
    "word, expected",
    [
        ("3O", ("30", "3")),
        ("3o", ("30", "3")),
        ("1l", ("11", "1")),
        ("1I", ("11", "1")),
        ("1O0", ("100", "10")),
        ("1.000", ("1000", "1.000")),
        ("12,500", ("12500", "12.500")),
        ("1,5", ("1 5", "1.5")),
        ("1.5", ("1 5", "1.5")),
        ("30", None),
        ("q3", None),
        ("o3", None),
        ("plus3", None),
        ("1.2.3", None),
        ("", None),
    ],
)
def test_in_12_ambiguous_amounts_have_two_readings(word, expected):
    assert readings(word) == expected


@pytest.mark.parametrize("text", ["👍", "👍🏽", "❤️ 🎉\n", "3️⃣", "🇩🇪", "👨‍👩‍👧", "\U0001fae9"])
def test_in_13_pictures_are_known(text):
    assert is_emoji(text)


@pytest.mark.parametrize("text", ["", " ", "ok", "3", "👍 bid 30", ":-)", "!"])
def test_in_13_words_are_no_pictures(text):
    assert not is_emoji(text)


VERBS = frozenset({"bid", "pass", "place", "slander", "end"})


@pytest.mark.parametrize(
    "word, verb",
    [
        ("paas", "pass"),
        ("psas", "pass"),
        ("pas", "pass"),
        ("passs", "pass"),
        ("bdi", "bid"),
        ("plcae", "place"),
        ("plae", "place"),
        ("plaaace", "place"),
        ("slendre", "slander"),
        ("bid", "bid"),
        ("pass,", "pass"),
        ("~~bid~~", "bid"),
        ("boss", ""),
        ("bidden", ""),
        ("plaaaace", ""),
        ("hello", ""),
        ("", ""),
        ("!", ""),
        ("p" * 25, ""),
    ],
)
def test_in_10_a_slip_of_a_verb_is_near_it(word, verb):
    assert nearest(word, VERBS) == verb


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_in_10_distance_is_a_distance(one, other):
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= distance(one, other) <= max(len(one), len(other))


@pytest.mark.parametrize("line", ["“bid 3”", "‘bid 3’", '"Bid 3."', "„bid 3“.", "« bid\u00a03 »", "»bid 3«", "“bid 3"])
def test_in_11_quotes_around_a_line_go(line):
    assert normal(line) == "bid 3"
