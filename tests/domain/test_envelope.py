"""The envelope: what is hashed, the chain, sealed leaves, and what a reader of an export finds wrong (F-52 to F-55)."""

import hashlib
import json
from itertools import pairwise

import msgspec
import pytest
import rfc8785

from domain.engine.canonical import canonical
from domain.history.envelope import (
    FIELDS,
    GENESIS,
    BrokenHistory,
    Leaf,
    commitment,
    event_hash,
    hashed_part,
    read_export,
)
from tests.domain.table.gamebook import begin, finished, pennies

__all__ = ["pennies"]
pytestmark = pytest.mark.usefixtures("pennies")


def test_the_hash_is_that_of_the_contract_computed_without_our_code():
    """DESIGN 3: SHA-256 of a prefix and the RFC 8785 form of all but `hash` and the contents of leaves."""
    previous = "0" * 64
    for line in finished().export()[:-1]:
        event = json.loads(line)
        bare = {key: value for key, value in event.items() if key != "hash"}
        bare["sealed"] = [{"for": leaf["for"], "commitment": leaf["commitment"]} for leaf in event["sealed"]]
        assert event["hash"] == hashlib.sha256(b"wardroom-event-v1\n" + rfc8785.dumps(bare)).hexdigest()
        assert event["previous"] == previous
        previous = event["hash"]


def test_a_commitment_is_that_of_the_contract_computed_without_our_code():
    """DESIGN 3: SHA-256 of a prefix, 32 salt bytes and the canonical data."""
    leaves = [leaf for line in finished().export()[:-1] for leaf in json.loads(line)["sealed"]]
    assert len(leaves) > 3
    for leaf in leaves:
        salt = bytes.fromhex(leaf["salt"])
        assert len(salt) == 32
        data = rfc8785.dumps(leaf["data"])
        assert leaf["commitment"] == hashlib.sha256(b"wardroom-leaf-v1\n" + salt + data).hexdigest()


def test_an_event_and_a_leaf_can_never_be_taken_for_one_another():
    body = b"x" * 40
    assert event_hash(body) != hashlib.sha256(body).hexdigest()
    assert event_hash(b"") != commitment(b"", {})


def test_t4a_three_pennies_cannot_be_guessed_from_a_commitment():
    shut = Leaf(1, {"pennies": 3, "note": "", "text": "hide 3"}, b"\x07" * 32).commitment
    guesses = [commitment(b"", {"pennies": count, "note": "", "text": f"hide {count}"}) for count in range(4)]
    guesses += [commitment(bytes(32), {"pennies": count, "note": "", "text": f"hide {count}"}) for count in range(4)]
    assert shut not in guesses


def test_what_is_stored_is_exactly_what_is_hashed():
    for stored in finished().stored():
        assert stored.hash == event_hash(stored.body)
        assert hashed_part(msgspec.json.decode(stored.body)) == stored.body
        assert stored.body == canonical(msgspec.json.decode(stored.body))


def test_an_export_opens_with_zeros_and_closes_with_its_head():
    lines = finished().export()
    events = read_export(lines)
    assert events[0]["previous"] == GENESIS == "0" * 64
    assert [event["version"] for event in events] == list(range(1, len(lines)))
    assert set(events[0]) == FIELDS
    assert json.loads(lines[-1]) == {"end": {"version": len(events), "hash": events[-1]["hash"]}}


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_redacted_export_verifies_and_hides_what_the_seat_may_not_see(seat):
    game = begin().move(0, "hide 1 canary0").move(2, "hide 3 canary2")
    lines = game.export(seat)
    assert len(read_export(lines)) == game.table.version
    seen = [one for one in (0, 2) if f"canary{one}".encode() in b"".join(lines)]
    assert seen == ([seat] if seat in (0, 2) else [])


def test_all_redactions_of_one_history_have_one_head():
    game = begin().move(0, "hide 1").move(2, "hide 3")
    assert len({tuple(event["hash"] for event in read_export(game.export(seat))) for seat in (None, 0, 1, 2)}) == 1


# What is wrong, and where


def broken(lines):
    with pytest.raises(BrokenHistory) as found:
        read_export(lines)
    assert found.value.reason
    assert str(found.value)
    return found.value.version


def edited(line, change):
    event = json.loads(line)
    change(event)
    return canonical(event)


@pytest.fixture(scope="module")
def lines():
    with pytest.MonkeyPatch.context() as patch:
        from domain.rulesets import RULESETS
        from tests.domain.table.pennies import PENNIES

        patch.setitem(RULESETS, "pennies", PENNIES)
        return finished().export()


def others(value):
    """Values of the same and of other types."""
    match value:
        case bool():
            return [not value, int(value), None]
        case int():
            return [value + 1, -value - 1, str(value), None, [value]]
        case str():
            flipped = value[:-1] + ("0" if value[-1:] != "0" else "1")
            return [flipped, value[:-1], value + "x", value.upper() + "Z", 7, None]
        case list():
            return [[*value, 0], value[1:] if value else [{}], {}, None]
        case dict():
            return [{**value, "zz": 1}, {"a": 1}, [], None, "text"]
        case _:
            return [0, "text", {}]


@pytest.mark.slow
@pytest.mark.parametrize("field", sorted(FIELDS))
def test_f52_any_field_of_any_event_changed_is_found_and_that_event_is_named(lines, field):
    for number, line in enumerate(lines[:-1]):
        for other in others(json.loads(line)[field]):
            changed = [*lines]
            changed[number] = edited(line, lambda event, other=other: event.update({field: other}))
            assert broken(changed) == number + 1, (number + 1, field, other)


@pytest.mark.slow
@pytest.mark.parametrize("field", sorted(FIELDS))
def test_f52_a_field_missing_doubled_or_added_is_found(lines, field):
    for number, line in enumerate(lines[:-1]):
        missing = edited(line, lambda event: event.pop(field))
        doubled = line[:-1] + b"," + canonical({field: json.loads(line)[field]})[1:]
        added = edited(line, lambda event: event.update({field + "_": 1}))
        for change in (missing, doubled, added):
            assert broken([*lines[:number], change, *lines[number + 1 :]]) == number + 1


@pytest.mark.slow
def test_f52_any_part_of_any_leaf_changed_is_found(lines):
    changes = 0
    for number, line in enumerate(lines[:-1]):
        for place, leaf in enumerate(json.loads(line)["sealed"]):
            for part, value in leaf.items():
                for other in [*others(value), "…"]:
                    change = edited(line, lambda it, n=place, to=(part, other): it["sealed"][n].update([to]))
                    assert broken([*lines[:number], change, *lines[number + 1 :]]) == number + 1, (part, other)
                    changes += 1
                dropped = edited(line, lambda it, n=place, part=part: it["sealed"][n].pop(part))
                assert broken([*lines[:number], dropped, *lines[number + 1 :]]) == number + 1
    assert changes > 100


def test_f52_a_leaf_of_another_event_does_not_fit(lines):
    sealed = [number for number, line in enumerate(lines[:-1]) if json.loads(line)["sealed"]]
    for one, other in pairwise(sealed):
        leaf = json.loads(lines[other])["sealed"][0]
        contents = {"data": leaf["data"], "salt": leaf["salt"]}
        change = edited(lines[one], lambda event, contents=contents: event["sealed"][0].update(contents))
        assert broken([*lines[:one], change, *lines[one + 1 :]]) == one + 1


@pytest.mark.slow
def test_f53_a_line_removed_doubled_or_swapped_is_found_and_named(lines):
    for number in range(len(lines) - 1):
        last = number == len(lines) - 2
        removed = broken([*lines[:number], *lines[number + 1 :]])
        assert removed == (None if last else number + 1)
        assert broken([*lines[: number + 1], *lines[number:]]) == number + 2
        if not last:
            swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
            assert broken(swapped) == number + 1


def test_f53_a_line_of_another_game_is_found(lines):
    other = begin("ann", "dan", "eve").export()
    assert broken([*lines[:3], other[3], *lines[4:]]) == 4
    foreign = begin().stored("another-game")
    alien = canonical({**json.loads(foreign[3].body), "hash": foreign[3].hash})
    assert broken([*lines[:3], alien, *lines[4:]]) == 4


def test_f55_cut_at_any_line_is_found(lines):
    for number in range(len(lines)):
        assert broken(lines[:number]) is None


def test_f55_cut_at_any_of_many_bytes_is_found(lines):
    whole = b"\n".join(lines)
    for cut in {len(whole) * step // 60 for step in range(60)}:
        assert broken(whole[:cut].splitlines()) in (None, whole[:cut].count(b"\n") + 1)


def test_t4b_cut_and_closed_with_the_old_end_line_is_found(lines):
    for number in range(1, len(lines) - 1):
        assert broken([*lines[:number], lines[-1]]) is None


def test_f55_a_forged_end_line_is_found(lines):
    end = json.loads(lines[-1])["end"]
    forged = [
        None,
        True,
        {},
        [],
        {**end, "version": end["version"] - 1},
        {**end, "version": str(end["version"])},
        {**end, "version": None},
        {**end, "hash": "0" * 64},
        {**end, "hash": end["hash"].upper()},
        {**end, "more": 1},
        {"version": end["version"]},
    ]
    for one in forged:
        assert broken([*lines[:-1], canonical({"end": one})]) is None, one
    assert broken([*lines[:-1], canonical({"end": end, "more": 1})]) == len(lines)
    assert broken([*lines, lines[-1]]) is None
    assert broken([*lines, lines[-2]]) is None


def test_f55_an_end_line_of_one_event_is_no_truth_value():
    line, end = begin().export(at=1)
    assert broken([line, end.replace(b'"version":1}', b'"version":true}')]) is None


@pytest.mark.parametrize("end", [b'{"end":null}', b'{"end":{}}', b'{"end":0}'])
def test_f55_an_end_line_in_the_middle_is_found(lines, end):
    for number in range(len(lines)):
        assert broken([*lines[:number], end, *lines[number:]]) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "garbage",
    [b"", b"  ", b"null", b"0", b'"text"', b"[]", b"{}", b"{", b"\xff", b"[" * 5000, b'{"end"', b"NaN", b"9" * 5000],
    ids=lambda garbage: repr(garbage[:12]),
)
def test_f55_garbage_between_the_lines_is_found_and_never_a_traceback(lines, garbage):
    for number in range(len(lines)):
        assert broken([*lines[:number], garbage, *lines[number:]]) in (number + 1, None)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [100, 400, *range(880, 1000, 7), 2000])
def test_f55_depth_is_no_traceback(lines, depth):
    event = lines[0].replace(b'"data":{', b'"data":{"deep":' + b"[" * depth + b"]" * depth + b",", 1)
    assert broken([event, *lines[1:]]) == 1


def rehashed(lines, number, change):
    """The same history with one event changed and everything hashed again, as whoever keeps it could do."""
    events = [json.loads(line) for line in lines[:-1]]
    change(events[number])
    previous = GENESIS
    for event in events:
        event["previous"] = previous
        whole = all("commitment" in leaf for leaf in event["sealed"])
        event["hash"] = previous = event_hash(hashed_part(event)) if whole else GENESIS
    return [*map(canonical, events), canonical({"end": {"version": len(events), "hash": previous}})]


@pytest.mark.parametrize(
    "field, value",
    [
        ("at", "2026-11-20"),
        ("at", "2026-11-20T18:19:41Z"),
        ("at", "2026-11-20T18:19:41.123456+00:00"),
        ("at", 1700000000),
        ("at", None),
        ("at", "0001-01-01T00:00:00.000000Z"),
        ("game", 7),
        ("game", ""),
        ("type", None),
        ("schema", "1"),
        ("schema", True),
        ("actor", "seat"),
        ("actor", {}),
        ("actor", {"seat": 1, "clock": True}),
        ("cause", 5),
        ("data", []),
        ("data", None),
        ("sealed", [{"for": -1, "commitment": "0" * 64}]),
        ("sealed", [{"for": True, "commitment": "0" * 64}]),
        ("sealed", [{"for": "everybody", "commitment": "0" * 64}]),
        ("sealed", [{"for": 1, "commitment": "0" * 63}]),
        ("sealed", [{"for": 1, "commitment": "A" * 64}]),
        ("sealed", [{"for": 1, "commitment": 5}]),
        ("sealed", [{"for": 1}]),
        ("sealed", [{"for": 1, "commitment": "0" * 64, "data": {}}]),
    ],
)
def test_s40_a_wrong_form_is_found_also_where_everything_was_hashed_again(lines, field, value):
    assert broken(rehashed(lines, 5, lambda event: event.update({field: value}))) == 6


def test_s40_hashing_again_without_a_change_changes_nothing(lines):
    assert rehashed(lines, 5, lambda event: None) == lines
