"""The canonical form: RFC 8785 to the byte, and nothing two readers could read differently (T-46 to T-49)."""

import json

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.canonical import LARGEST, NotCanonical, canonical, check, read_json

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
KEYS = st.text(st.characters(codec="ascii"))
SCALARS = st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | TEXT
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20)


@given(VALUES)
@pytest.mark.slow
def test_t46_t47_our_canonical_form_is_that_of_the_reference_implementation(value):
    check(value)
    assert canonical(value) == rfc8785.dumps(value)


@given(VALUES)
@pytest.mark.slow
def test_t46_what_is_canonical_is_read_back_and_written_alike(value):
    assert read_json(canonical(value)) == value
    assert canonical(read_json(canonical(value))) == canonical(value)


@pytest.mark.parametrize("point", [*range(0x20), 0x22, 0x2F, 0x5C, 0x7F, 0x80, 0x2028, 0x2029, 0xFEFF, 0xFFFF, 0x1F3B2])
def test_t46_every_character_with_an_escape_of_its_own_is_written_as_the_reference_does(point):
    value = {"a": f"x{chr(point)}y"}
    assert canonical(value) == rfc8785.dumps(value)


@pytest.mark.slow
@given(VALUES, st.randoms(use_true_random=False))
def test_t47_the_order_in_which_keys_were_set_does_not_matter(value, chance):
    def shuffled(part):
        if isinstance(part, list):
            return [shuffled(one) for one in part]
        if isinstance(part, dict):
            return {key: shuffled(part[key]) for key in chance.sample(sorted(part), len(part))}
        return part

    assert canonical(shuffled(value)) == canonical(value)


@pytest.mark.parametrize(
    "value, place",
    [
        (1.0, "$"),
        ({"a": [1, 0.5]}, "$.a[1]"),
        ([float("nan")], "$[0]"),
        ({"a": float("inf")}, "$.a"),
        (LARGEST + 1, "$"),
        ([-LARGEST - 1], "$[0]"),
        ({"n": 10**400}, "$.n"),
        ("\ud800", "$"),
        (["a\udfffb"], "$[0]"),
        ({"ключ": 1}, "$"),
        ({"é": 1}, "$"),
        ({1: 2}, "$"),
        (b"bytes", "$"),
        ({1, 2}, "$"),
    ],
)  # fmt: skip
def test_t46_t49_what_has_no_one_canonical_form_is_refused_and_its_place_named(value, place):
    with pytest.raises(NotCanonical) as refused:
        check({"v": value})
    assert str(refused.value).startswith(place.replace("$", "$.v") + ":")


UNREADABLE = {
    "a float (T-46)": '{"a": 1.5}',
    "a whole float (T-46)": '{"a": 1.0}',
    "an exponent (T-46)": '{"a": 1e2}',
    "minus nought point nought (T-46)": "[-0.0]",
    "NaN (T-46)": '{"a": NaN}',
    "Infinity (T-46)": "[Infinity]",
    "minus Infinity (T-46)": "[-Infinity]",
    "an integer beyond 2^53 (T-46)": '{"a": 9007199254740992}',
    "an integer of 5000 digits (F-47)": f'{{"a": {"9" * 5000}}}',
    "a duplicate key (T-48)": '{"a": 1, "a": 2}',
    "a duplicate key, spelt otherwise (T-48)": '{"a": 1, "\\u0061": 1}',
    "a duplicate key far down (T-48)": '[{"b": {"a": 1, "a": 1}}]',
    "a lone surrogate (T-49)": '{"a": "\\ud800"}',
    "a lone surrogate as a key (T-49)": '{"\\udc00": 1}',
    "a key beyond ASCII (T-47)": '{"\\u00e9": 1}',
    "nothing": "",
    "half an object": '{"a": 1',
    "two values": "1 2",
    "a trailing comma": "[1,]",
    "a comment": "[1] // one",
    "depth without end (T-60)": "[" * 100_000,
    "depth without end, closed (T-60)": "[" * 5_000 + "]" * 5_000,
    "bytes that are no UTF-8": b'{"a": "\xff"}',
    "UTF-16, which json would guess (T-48)": '{"a": 1}'.encode("utf-16"),
    "UTF-16 without a mark (T-48)": '{"a": 1}'.encode("utf-16-le"),
    "a byte order mark": '\ufeff{"a": 1}'.encode(),
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_t46_to_t49_read_json_refuses(text):
    with pytest.raises(NotCanonical):
        read_json(text)


@pytest.mark.slow
@given(st.text())
def test_t48_read_json_raises_nothing_else_whatever_the_text(text):
    try:
        value = read_json(text)
    except NotCanonical:
        return
    assert value == json.loads(text)


@given(st.binary())
def test_t48_read_json_raises_nothing_else_whatever_the_bytes(data):
    try:
        read_json(data)
    except NotCanonical:
        return


def test_t49_composed_and_decomposed_letters_stay_what_they_were():
    assert canonical("é") != canonical("e\u0301")
    assert read_json(canonical("e\u0301")) == "e\u0301"


def test_t46_the_largest_integers_are_exact():
    assert canonical([LARGEST, -LARGEST]) == b"[9007199254740991,-9007199254740991]"
    assert read_json(b"[9007199254740991,-9007199254740991]") == [LARGEST, -LARGEST]
