"""The verifier of audit bundles, against bundles made by hand from the same page (maker.py)."""

import ast
import copy
import functools
import json
import os
import random
import subprocess
import sys

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.audit import maker
from tests.audit.programs import AUDIT, program

PROGRAM = AUDIT / "verify_bundle.py"
VECTORS = ("finished", "running", "rewound")
LINES = 400  # besides blank ones: more than that nobody reads before trusting it
OURS = {"config", "domain", "service", "workers"}


@pytest.fixture(scope="module")
def verifier():
    """The verifier as a module; each signature is checked once and then remembered, for speed."""
    module = program("verify_bundle")
    module.real_distrust, known = module.distrust, {}

    def distrust(keys, signed, purpose, message, where=""):
        asked = (keys[signed["key"]], signed["key"], signed["signature"], purpose, message)
        if asked not in known:
            known[asked] = module.real_distrust(keys, signed, purpose, message)
        return known[asked] and where + known[asked]

    module.distrust = distrust
    return module


@functools.cache
def vector(name):
    """The bytes of a vector."""
    return (maker.VECTORS / f"{name}.zip").read_bytes()


@functools.cache
def made(name):
    """The files of a vector, and how it is sealed."""
    return maker.bundles()[name]


def events_of(contents):
    """The events of a bundle, and the line after them."""
    *events, end = map(json.loads, contents["events.ndjson"].splitlines())
    return events, end


def lines_of(events, end):
    """A file of events."""
    return b"".join(maker.canonical(line) + b"\n" for line in [*events, end])


def broken(check):
    """What a check found broken."""
    found = [line.partition(" ")[2].strip() for line in check.lines if line.startswith("broken ")]
    assert check.sound == (found == [])
    return found


def spoilt(name, change, **how):
    """A vector changed and sealed again by the host: `change` gets its files, and its events to be chained anew."""
    contents, sealing = copy.deepcopy(made(name))
    events, _ = events_of(contents)
    change(contents, events)
    maker.chain(events)
    points = contents["checkpoints.json"]["checkpoints"]
    if points and points[0].get("honest", True):
        keys = {key.id: key for key in (maker.OLD, maker.NEW)}
        points[:] = [maker.checkpoint(events[p["version"] - 1], keys[p["key"]]) for p in points]
    end = {"end": {"hash": events[-1]["hash"], "version": len(events)}}
    return maker.seal({**contents, "events.ndjson": lines_of(events, end)}, **{**sealing, **how})


def resealed(name, file, change):
    """A vector with one file changed in place and all sealed again; the history stays as it was."""
    contents, sealing = copy.deepcopy(made(name))
    changed = change(contents[file])
    contents[file] = changed if type(changed) is bytes else contents[file]
    return maker.seal(contents, **sealing)


# -- the vectors


@pytest.mark.parametrize("name", VECTORS)
def test_s41_vectors_verify(verifier, name):
    check = verifier.Check(vector(name))
    assert broken(check) == []
    states = {line.split()[0] for line in check.lines}
    assert states == ({"verified", "open", "unchecked"} if name == "running" else {"verified", "unchecked"})


def test_s41_what_the_operator_of_the_service_did_is_an_event_as_any_other(verifier):
    def operated(contents, events):
        events[-1] |= {"actor": {"operator": True}}

    assert broken(verifier.Check(spoilt("running", operated))) == []


def test_vectors_are_what_the_maker_makes():
    assert {name: maker.seal(contents, **how) for name, (contents, how) in maker.bundles().items()} == {
        name: vector(name) for name in VECTORS
    }
    assert json.loads((maker.VECTORS / "vectors.json").read_text()) == json.loads(json.dumps(maker.primitives()))


def test_s43_the_verifier_computes_the_primitive_vectors(verifier):
    told = json.loads((maker.VECTORS / "vectors.json").read_text())
    for case in told["canonical"]:
        assert verifier.canonical(case["value"]).decode() == case["json"]
    for case in told["leaf"]:
        leaf = case["leaf"]
        assert verifier.digest("leaf", leaf["data"], bytes.fromhex(leaf["salt"])) == case["commitment"]
    for case in told["receipt"]:
        head = case["head"]
        event = {**{field: head[field] for field in ("game", "hash", "version")}, "at": head["time"]}
        assert f"{head['version']}-{verifier.head_of(event)['receipt']}" == case["receipt"].replace("-", "").replace(
            str(head["version"]), f"{head['version']}-", 1
        )
    nonces, seed = told["draw-key"]["nonces"], told["draw-key"]["seed"]
    for case in told["sample"]:
        assert verifier.sample(seed, nonces, case) == case["drawn"]
    for case in told["below"]:
        words = maker.words(bytes.fromhex(told["draw-key"]["key"]), "land", case["index"], 64)
        most = 2**64 - 2**64 % case["n"]
        assert next(word for word in words if word < most) % case["n"] == case["below"]


def test_s43_samples_are_even(verifier):
    """Chi-square over 24 orders of four, 12000 draws: 23 degrees of freedom, 60 is beyond one in 20000."""
    orders = {}
    for index in range(12000):
        draw = {"label": "land", "index": index, "items": [0, 1, 2, 3], "take": 4}
        order = tuple(verifier.sample(maker.SEED, ["a"], draw))
        orders[order] = orders.get(order, 0) + 1
    assert len(orders) == 24
    assert sum((count - 500) ** 2 / 500 for count in orders.values()) < 60


# -- signatures


def signed(word, message):
    """A key and its signature of a message under the purpose `checkpoint`."""
    key = Ed25519PrivateKey.from_private_bytes(maker.hashlib.sha256(word.encode()).digest())
    signature = key.sign(b"wardroom-checkpoint-v1\n" + message)
    return {"k": key.public_key().public_bytes_raw().hex()}, {"key": "k", "signature": signature.hex()}


def refused(verifier, keys, told, purpose, message):
    """Whether a signature proves nothing, as it does not hold or its key is none."""
    try:
        return bool(verifier.real_distrust(keys, told, purpose, message))
    except ValueError:
        return True


def test_signatures_of_another_program_hold_and_no_other_bits(verifier):
    dice = random.Random(7)
    for n in range(12):
        message = dice.randbytes(n * 11)
        keys, told = signed(f"key {n}", message)
        assert verifier.real_distrust(keys, told, "checkpoint", message) == ""
        assert verifier.real_distrust(keys, told, "bundle", message)
        assert verifier.real_distrust(keys, told, "checkpoint", message + b"x")
        for place, object_, field in ((dice.randrange(512), told, "signature"), (dice.randrange(256), keys, "k")):
            bits = int(object_[field], 16) ^ 1 << place
            changed = {**object_, field: f"{bits:0{len(object_[field])}x}"}
            pair = (keys, changed) if object_ is told else (changed, told)
            assert refused(verifier, *pair, "checkpoint", message)


def test_a_signature_has_one_encoding_and_a_key_of_small_order_signs_nothing(verifier):
    keys, told = signed("key", b"m")
    r, s = bytes.fromhex(told["signature"])[:32], int.from_bytes(bytes.fromhex(told["signature"])[32:], "little")
    again = {"key": "k", "signature": (r + (s + verifier.L).to_bytes(32, "little")).hex()}
    assert verifier.real_distrust(keys, again, "checkpoint", b"m")
    neutral = (1).to_bytes(32, "little")
    for point in (neutral, bytes(32), (verifier.P - 1).to_bytes(32, "little"), (verifier.P + 1).to_bytes(32, "little")):
        for bit in (0, 128):
            small = {"k": (point[:31] + bytes([point[31] | bit])).hex()}
            assert refused(verifier, small, {"key": "k", "signature": (neutral + bytes(32)).hex()}, "checkpoint", b"m")
    for text in (told["signature"].upper(), told["signature"] + "00", " " + told["signature"], told["signature"][:-2]):
        assert refused(verifier, keys, {**told, "signature": text}, "checkpoint", b"m")
    with pytest.raises(KeyError):
        verifier.real_distrust({}, told, "checkpoint", b"m")


# -- whatever is changed in an event is found, and the event named


def paths(value, path=()):
    """The paths of all that stands in a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield (*path, key)
        yield from paths(one, (*path, key))


def other(value):
    """Another value of the same kind."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("1" if value.endswith("0") else "0")
    return [*value, 0] if isinstance(value, list) else {**value, "more": 0}


def changed_at(event, path):
    """A copy of an event with another value at a path."""
    event = copy.deepcopy(event)
    *way, field = path
    inner = functools.reduce(lambda value, key: value[key], way, event)
    inner[field] = other(inner[field])
    return event


@pytest.mark.slow
@pytest.mark.parametrize("name", VECTORS)
def test_s41_a_change_of_any_field_is_found_and_the_event_named(verifier, name):
    """Every field by the check of the history; of each event two by the whole check, with the digests fit or not."""
    contents, how = made(name)
    events, end = events_of(contents)
    whole = verifier.Check(vector(name))
    for n, event in enumerate(events):
        for i, path in enumerate(paths(event)):
            lines = lines_of([*events[:n], changed_at(event, path), *events[n + 1 :]], end)
            check = copy.copy(whole)
            check.files, check.events, check.lines = {**whole.files, "events.ndjson": lines}, {}, []
            check.judge("history", check.history)
            assert any(line.startswith(f"broken     history: event {n + 1}: ") for line in check.lines), path
            if i in (0, 7):
                unfit = broken(verifier.Check(maker.pack(check.files)))
                assert "manifest: events.ndjson is not as it must be" in unfit
                fit = broken(verifier.Check(maker.seal({**contents, "events.ndjson": lines}, **how)))
                assert "manifest: events.ndjson is not as it must be" not in fit
                named = f"history: event {n + 1}: "
                assert all(any(line.startswith(named) for line in found) for found in (fit, unfit)), path


@pytest.mark.parametrize("first, second", [(6, 7), (7, 6), (3, 12)])
def test_s41_no_fault_hides_that_of_another_event(verifier, first, second):
    """One event is unreadable, another only differs; a receipt beside them still tells."""
    contents, how = made("finished")
    events, end = events_of(contents)
    lines = lines_of(events, end).split(b"\n")
    lines[first - 1] = b"{}"
    lines[second - 1] = maker.canonical({**events[second - 1], "cause": "another"})
    told = [("mine", verifier.tellings(maker.receipt({**events[16], "cause": "x", "hash": "0" * 64}))[0])]
    for raw in (
        maker.seal({**contents, "events.ndjson": b"\n".join(lines)}, **how),
        maker.pack({**verifier.Check(vector("finished")).files, "events.ndjson": b"\n".join(lines)}),
    ):
        found = broken(verifier.Check(raw, told))
        assert f"history: event {first}: a field is missing, too much or of another form" in found
        assert f"history: event {second}: its hash is not as it must be" in found
        assert any(line.startswith("receipt mine: event 17 was rewritten") for line in found)


@pytest.mark.parametrize("name", VECTORS)
def test_s41_a_history_written_anew_differs_from_every_receipt_of_what_was_changed(verifier, name):
    events, _ = events_of(made(name)[0])
    for n, event in enumerate(events):
        rewritten = spoilt(name, lambda _, new, n=n: new[n].update(cause="another"))
        told = [("mine", verifier.tellings(maker.receipt(e))[0]) for e in (event, events[-1])]
        told += [("early", verifier.tellings(maker.receipt(e))[0]) for e in events[max(0, n - 1) : n]]
        found = broken(verifier.Check(rewritten, told))
        assert any(line.startswith(f"receipt mine: event {n + 1} was rewritten, or ") for line in found), found
        assert len(found) == 2, found


@pytest.mark.slow
def test_s40_every_part_of_the_archive_counts(verifier):
    class Split(verifier.Check):
        def judge(self, *_):
            """Nothing is checked but what the test asks for."""

    raw = min(map(vector, VECTORS), key=len)
    names = list(verifier.NAMES)
    for place in range(0, len(raw), 3):
        changed = bytearray(raw)
        changed[place] ^= 1 << place % 8
        assert list(Split(bytes(changed)).archive()), place
        if place % 63 == 0:
            found = broken(verifier.Check(bytes(changed)))
            within = [name for name in names if raw.find(b"\0\0" + name.encode()) - 28 <= place][-1]
            within = within if place < raw.find(b"PK\1\2") else "the end"
            assert any(line.startswith(f"archive: {within}: byte ") for line in found), (within, found)


def test_s40_what_follows_or_is_left_off_is_found(verifier):
    raw = vector("running")
    for changed in (raw + b"\0", b"\0" + raw, raw[:-1], raw + raw, *(raw[: len(raw) * n // 20] for n in range(20))):
        assert broken(verifier.Check(changed))


# -- what an event must be, in a history that its host has chained and signed anew


def event_with(**fields):
    """A change of event 6 of a history."""
    return lambda _, events: events[5].update(fields)


EVENT_FAULTS = {
    "a field too many": (event_with(more=1), "event 6: a field is missing, too much or of another form"),
    "two actors": (
        event_with(actor={"seat": 1, "clock": True}),
        "event 6: a field is missing, too much or of another form",
    ),
    "no actor": (event_with(actor={}), "event 6: a field is missing, too much or of another form"),
    "a clock that is not": (
        event_with(actor={"clock": False}),
        "event 6: a field is missing, too much or of another form",
    ),
    "a true seat": (event_with(actor={"seat": True}), "event 6: a field is missing, too much or of another form"),
    "a schema below 0": (event_with(schema=-1), "event 6: a field is missing, too much or of another form"),
    "an empty cause": (event_with(cause=""), "event 6: a field is missing, too much or of another form"),
    "another game": (event_with(game="other"), "event 6: its game"),
    "an earlier time": (event_with(at=maker.clock(1)), "event 6: its at"),
    "a time of another form": (
        event_with(at="2026-11-20T18:19:41Z"),
        "event 6: a field is missing, too much or of another form",
    ),
    "a 13th month": (
        event_with(at="2026-13-20T18:19:41.123456Z"),
        "event 6: a field is missing, too much or of another form",
    ),
    "data that is a list": (event_with(data=[]), "event 6: a field is missing, too much or of another form"),
    "a leaf for nobody else": (
        event_with(sealed=[{**maker.leaf(1, {}, "x"), "for": "all"}]),
        "event 6: a field is missing, too much or of another form",
    ),
    "a leaf with its data only": (
        lambda _, events: events[0]["sealed"][0].pop("salt"),
        "event 1: a field is missing, too much or of another form",
    ),
    "a shut leaf at the end": (
        event_with(sealed=[{"commitment": "0" * 64, "for": 1}]),
        "event 6: a leaf is shut",
    ),
    "a leaf of other data": (
        event_with(sealed=[{**maker.leaf(1, {}, "x"), "data": {"a": 1}}]),
        "event 6: what a leaf says",
    ),
    "a seed of another commitment": (lambda _, e: e[-1]["data"].update(seed="1" * 64), "event 19: its seed is not"),
    "a nonce nobody gave": (lambda _, e: e[2]["data"].update(nonce="other"), "draws: nonces is not"),
    "a seat as text": (
        lambda _, e: e[2]["data"].update(seat="1"),
        "table: event 3: a field is missing, too much or of another form",
    ),
    "an order of seats": (lambda _, e: e[4]["data"].update(seats=[0, 2, 1]), "draws: nonces is not"),
    "a result": (lambda _, e: e[5]["data"].update(result=7), "event 6: of its draw result"),
    "a true result": (lambda _, e: e[5]["data"].update(result=True), "event 6: of its draw result"),
    "a draw without result": (
        lambda _, e: e[5]["data"].pop("result"),
        "draws: it cannot be checked: KeyError('result')",
    ),
    "a draw of another label": (lambda _, e: e[5]["data"]["draw"].update(label="land"), "event 6: of its draw draw"),
    "a draw of no label": (lambda _, e: e[5]["data"]["draw"].update(label="dice"), "event 6: of its draw draw"),
    "a draw out of turn": (lambda _, e: e[6]["data"]["draw"].update(index=2), "event 7: of its draw draw"),
    "a draw nobody lists": (lambda c, _: c["draws.json"]["draws"].pop(), "event 15: its draw is not in"),
    "a bottom of another length": (
        lambda _, e: e[13]["sealed"][0].update(maker.leaf(1, {**e[13]["sealed"][0]["data"], "bottom": 3}, "z")),
        "event 14: of its draw result",
    ),
    "a draw of another form": (
        lambda _, e: e[13]["sealed"][0].update(maker.leaf(1, {"draw": 1}, "z")),
        "draws: it cannot be checked: TypeError",
    ),
}


@pytest.mark.parametrize("what", EVENT_FAULTS)
def test_s40_events_that_are_not_as_they_must_be(verifier, what):
    change, sentence = EVENT_FAULTS[what]
    found = broken(verifier.Check(spoilt("finished", change)))
    assert any(sentence in line for line in found), found


@pytest.mark.parametrize("label", sorted({draw["label"] for draw in maker.finished_game().draws}))
def test_s43_each_label_has_the_result_its_draw_gives(verifier, label):
    """Another order of the items, and another result, are found for every label."""
    version = next(draw["version"] for draw in maker.finished_game().draws if draw["label"] == label)

    def said(event):
        return event["sealed"][0]["data"] if event["sealed"] else event["data"]

    def other_result(contents, events):
        holder = said(events[version - 1])
        value = holder["result"]
        holder["result"] = (
            dict.fromkeys(value, "none") if isinstance(value, dict) else value[::-1] if isinstance(value, list) else "x"
        )
        if events[version - 1]["sealed"]:
            events[version - 1]["sealed"] = [maker.leaf(1, holder, "again")]

    found = broken(verifier.Check(spoilt("finished", other_result)))
    assert found == [line for line in found if line.startswith(f"draws: event {version}: ")], found
    assert found

    def fewer(contents, _):
        draw = next(d for d in contents["draws.json"]["draws"] if d["version"] == version)
        result = said(maker.finished_game().events[version - 1])["result"]
        draw["items"] = [item for item in draw["items"] if item != result][draw["take"] > 1 :]

    found = broken(verifier.Check(spoilt("finished", fewer)))
    assert any(line.startswith((f"draws: event {version}: ", "draws: it cannot be checked")) for line in found), found


def test_s40_an_event_that_follows_another_one_than_that_before_it(verifier):
    def change(events):
        events[5]["previous"] = events[3]["hash"]
        events[5]["hash"] = maker.event_hash(events[5])
        for n in range(6, len(events)):
            maker.follow(events[n], events[n - 1])

    contents, how = copy.deepcopy(made("finished"))
    events, _ = events_of(contents)
    change(events)
    end = {"end": {"hash": events[-1]["hash"], "version": len(events)}}
    found = broken(verifier.Check(maker.seal({**contents, "events.ndjson": lines_of(events, end)}, **how)))
    assert "history: event 6: its previous is not as it must be" in found


def test_s40_a_chair_that_was_left_has_no_nonce(verifier):
    game = maker.History("left", ["one", "three"])
    for seat in (3, 1, 2):
        game.take(seat, {1: "one", 2: "two", 3: "three"}[seat])
    game.add("table.seat-left", {"seat": 2, "host": "p_1"})
    assert broken(verifier.Check(maker.seal(maker.files(game, over=False), over=False))) == []
    game.nonces = ["one", "two", "three"]
    found = broken(verifier.Check(maker.seal(maker.files(game, over=False), over=False)))
    assert found == ["draws: nonces is not as it must be"]


def test_s41_a_shut_leaf_is_named_and_is_a_fault_when_the_game_is_over(verifier):
    def shut(_, events):
        for n in (0, 13, 15):
            events[n]["sealed"] = [{f: leaf[f] for f in ("commitment", "for")} for leaf in events[n]["sealed"]]

    found = broken(verifier.Check(spoilt("finished", shut)))
    assert [line for line in found if "leaf" in line] == [f"history: event {n}: a leaf is shut" for n in (1, 14, 16)]
    lines = verifier.Check(vector("running")).lines
    named = [line for line in lines if line.startswith("open       history: ")]
    assert named == [f"open       history: event {n}: a leaf is shut" for n in (1, 9, 11, 12)]


def test_s41_a_host_that_does_not_reveal_the_seed_is_found(verifier):
    """With the leaf of event 1 open, too: draws that nobody can check are a fault when the game is over."""

    def kept(contents, events):
        del events[-1]
        contents["draws.json"].update(seed=None, draws=[])
        contents["notices.json"]["notices"].pop()
        contents["checkpoints.json"]["checkpoints"][-1]["version"] = len(events)

    found = broken(verifier.Check(spoilt("finished", kept)))
    assert found == ["draws: no draw can be checked before the seed is revealed"]


@pytest.mark.parametrize("said", [None, "ab" * 32])
def test_s41_the_leaf_of_event_1_says_the_seed_that_was_revealed(verifier, said):
    def otherwise(contents, events):
        leaf = events[0]["sealed"][0]
        leaf["data"] = {"seed": said}
        leaf["commitment"] = verifier.digest("leaf", leaf["data"], bytes.fromhex(leaf["salt"]))

    for name in VECTORS:
        if name != "running":
            assert any("event 1: of its leaf seed" in one for one in broken(verifier.Check(spoilt(name, otherwise))))


def test_s41_leaves_are_open_to_others_once_they_were_opened_to_all_and_not_before(verifier):
    bids = [maker.leaf(seat, {"chips": {"irish": seat}, "text": f"bid {seat}"}, f"bid {seat}") for seat in (0, 1, 2)]

    def changed(opens, says):
        def change(contents, events):
            for event, bid in zip(events[8:11], bids, strict=True):
                event["sealed"] = [bid if bid["for"] == 1 or opens else {n: bid[n] for n in ("commitment", "for")}]
            events[11].update(type="tammany-hall.bids-revealed" if opens == "all" else "city-hall.bids-opened")
            events[11].update(data={"bids": says}, sealed=[])
            contents["rules.json"]["schemas"][events[11]["type"]] = 1

        return broken(verifier.Check(spoilt("running", change)))

    said = {"0": {}, "1": {"english": 0, "irish": 1}, "2": {"irish": 2}}
    assert changed("all", said) == changed("", said) == []
    early = [f"leaves: event {n}: a leaf is open, and should not be so" for n in (9, 11)]
    assert changed("another type", said) == early
    assert changed("all", {**said, "2": {"irish": 3}}) == ["leaves: event 12: it does not open what event 11 sealed"]


# -- the other files


def rows(file, kind, n, **fields):
    """A change of one row of a file."""
    return file, lambda value: value[kind][n].update(fields)


FILE_FAULTS = [
    (*rows("checkpoints.json", "checkpoints", 1, hash="0" * 64), "checkpoint of event 7: hash"),
    (*rows("checkpoints.json", "checkpoints", 1, time=maker.clock(1)), "checkpoint of event 7: time"),
    (*rows("checkpoints.json", "checkpoints", 1, game="other"), "checkpoint of event 7: game"),
    (*rows("checkpoints.json", "checkpoints", 1, version=1), "checkpoint of event 1: hash"),
    (*rows("checkpoints.json", "checkpoints", 1, version=20), "checkpoints: it cannot be checked: KeyError(20)"),
    (*rows("checkpoints.json", "checkpoints", 1, signature="0" * 128), "checkpoint of event 7: the signature"),
    (*rows("checkpoints.json", "checkpoints", 1, signature="0"), "checkpoints: it cannot be checked"),
    (*rows("checkpoints.json", "checkpoints", 1, key="0" * 16), "checkpoints: it cannot be checked: KeyError('0000"),
    ("checkpoints.json", lambda value: value["checkpoints"].pop(), "none is of the last event"),
    ("checkpoints.json", lambda value: value["checkpoints"].clear(), "none is of the last event"),
    ("checkpoints.json", lambda value: value["checkpoints"].reverse(), "checkpoints: out of order"),
    ("checkpoints.json", lambda value: value["checkpoints"].append(value["checkpoints"][2]), "out of order"),
    (*rows("keys.json", "keys", 0, id="0" * 16), "key 0000000000000000: none that you know vouches for it"),
    (*rows("keys.json", "keys", 0, public="ab"), f"key {maker.OLD.id}: none that"),
    (*rows("keys.json", "keys", 0, public=[]), "keys: it cannot be checked"),
    (*rows("keys.json", "keys", 0, endorsement=maker.OLD.sign(b"")), "keys: it cannot be checked: KeyError"),
    ("keys.json", lambda value: value["keys"].append({**maker.NEW.row, "id": maker.OLD.id}), f"key {maker.OLD.id}: "),
    ("keys.json", lambda value: value["keys"].insert(0, maker.NEW.row), "keys: it cannot be checked: KeyError"),
    ("keys.json", lambda value: value["keys"].clear(), "manifest: it cannot be checked: KeyError"),
    ("keys.json", lambda value: value.clear(), "manifest: it cannot be checked: KeyError('keys')"),
    ("draws.json", lambda value: value.update(seed=None), "draws: event 19: its seed is not"),
    ("draws.json", lambda value: value.update(seed=None), "draws: no draw can be checked"),
    ("draws.json", lambda value: value.update(seed="0" * 64), "draws: event 19: its seed is not"),
    ("draws.json", lambda value: value.update(seed="0" * 64), "draws: seed_commitment"),
    ("draws.json", lambda value: value.update(seed=maker.SEED.upper()), "draws: event 19: its seed is not"),
    ("draws.json", lambda value: value.update(seed_commitment="0" * 64), "draws: seed_commitment"),
    ("draws.json", lambda value: value["nonces"].reverse(), "draws: nonces"),
    ("draws.json", lambda value: value["draws"].reverse(), "event 15: of its draw index"),
    ("draws.json", lambda value: value["draws"].pop(3), "event 9: its draw is not in draws.json"),
    ("draws.json", lambda value: value["draws"].pop(), "event 15: its draw is not in draws.json"),
    ("draws.json", lambda value: value["draws"].clear(), "event 6: its draw is not in draws.json"),
    ("draws.json", lambda value: value["draws"].append(value["draws"][9]), "draws: it cannot be checked: KeyError(15)"),
    ("draws.json", lambda value: value["draws"].append({**value["draws"][9], "version": 1}), "draws: it cannot be"),
    (*rows("draws.json", "draws", 0, items=[1, 0, 2]), "event 6: of its draw result"),
    (*rows("draws.json", "draws", 0, items=7), "draws: it cannot be checked"),
    (*rows("draws.json", "draws", 5, items=[{}]), "draws: it cannot be checked"),
    (*rows("draws.json", "draws", 5, take=21), "draws: it cannot be checked"),
    (*rows("draws.json", "draws", 5, take=2**53 - 1), "draws: it cannot be checked"),
    (*rows("draws.json", "draws", 5, take=3), "event 11: of its draw result"),
    (*rows("draws.json", "draws", 5, take=-1), "event 11: of its draw result"),
    (*rows("draws.json", "draws", 5, index=6), "event 11: of its draw index"),
    (*rows("draws.json", "draws", 5, label="permits"), "event 11: of its draw draw"),
    (*rows("draws.json", "draws", 5, version=12), "event 12: of its draw"),
]


@pytest.mark.parametrize("file, change, sentence", FILE_FAULTS)
def test_s41_a_file_that_is_not_as_it_must_be(verifier, file, change, sentence):
    found = broken(verifier.Check(resealed("finished", file, change)))
    assert any(sentence in line for line in found), found


def test_s43_what_a_negative_take_leaves_is_not_drawn(verifier):
    """Nor is what is said to lie below by no more than its number."""

    def free(contents, events):
        contents["draws.json"]["draws"][9].update(items=["permit-2", "permit-0", "permit-1", ""], take=-1)
        events[14]["data"]["result"] = ["permit-2", "permit-0", "permit-1"]

    found = broken(verifier.Check(spoilt("finished", free)))
    assert "draws: event 15: of its draw result is not as it must be" in found
    assert "draws: event 15: no such draw is made" in found


def test_s43_a_draw_of_no_permits_holds(verifier):
    game = maker.History("none", ["a"])
    game.take(0, "a")
    game.draw("city-hall.permits-shuffled", "permits", [], 0, bottom=2)
    game.draw("city-hall.permits-shuffled", "permits", ["x"], 0)
    game.end()
    assert broken(verifier.Check(maker.seal(maker.files(game, over=True), over=True))) == []


def test_s43_an_event_with_two_draws_is_not_checked_by_one_of_them(verifier):
    def twice(_, events):
        events[13]["data"] = {"draw": {"index": 8, "label": "permits"}, "result": ["what", "the", "host", "wants"]}

    found = broken(verifier.Check(spoilt("finished", twice)))
    assert "draws: it cannot be checked: ValueError('too many values to unpack (expected 1)')" in found


@pytest.mark.parametrize("field", ["at", "game", "hash", "version"])
def test_s41_a_manifest_that_says_other_than_the_history(verifier, field):
    contents, how = made("finished")
    raw = maker.seal(contents, **how, manifest={field: {"version": 1}.get(field, "other")})
    assert f"history: manifest.json: its {field} is not as it must be" in broken(verifier.Check(raw))


def test_s41_every_digest_is_checked(verifier):
    files = verifier.Check(vector("finished")).files
    for name in verifier.NAMES:
        changed = {**files, name: files[name].replace(b"1", b"2", 1) if b"1" in files[name] else files[name] + b" "}
        found = broken(verifier.Check(maker.pack(changed)))
        other = name in ("manifest.json", "signature.json")
        assert any(line.startswith("manifest: " if other else f"manifest: {name} is not") for line in found), (
            name,
            found,
        )


@pytest.mark.parametrize(
    "change",
    [
        lambda value: maker.canonical(value),
        lambda value: maker.canonical(value) + b" ",
        lambda value: maker.canonical(value) + b"\n\n",
        lambda value: maker.canonical({**value, "more": 1}) + b"\n",
        lambda value: maker.canonical({**value, "signature": value["signature"].upper()}) + b"\n",
        lambda value: maker.canonical({**value, "signature": value["signature"] + "00"}) + b"\n",
    ],
)
def test_s40_the_signature_that_no_digest_covers_has_one_form(verifier, change):
    files = verifier.Check(vector("finished")).files
    changed = change(json.loads(files["signature.json"]))
    found = broken(verifier.Check(maker.pack({**files, "signature.json": changed})))
    assert any(line.startswith("manifest: ") for line in found), found


# -- keys


def test_s41_keys_lead_back_to_one_that_is_known(verifier):
    def found(known):
        return broken(verifier.Check(vector("rewound"), (), {key.id: key.public.hex() for key in known}))

    old, new = (f"keys: key {key.id}: none that you know vouches for it" for key in (maker.OLD, maker.NEW))
    assert found([maker.OLD, maker.NEW]) == found([maker.OLD]) == []
    assert found([maker.NEW]) == [old, f"keys: it cannot be checked: KeyError('{maker.OLD.id}')"]
    assert found([])[0] == old
    assert new not in found([maker.OLD])


def test_s41_an_endorsement_must_hold(verifier):
    raw = resealed("rewound", *rows("keys.json", "keys", 1, since=maker.clock(31)))
    found = broken(verifier.Check(raw, (), {maker.OLD.id: maker.OLD.public.hex()}))
    assert found == [f"keys: key {maker.NEW.id}: the signature by key {maker.OLD.id} does not hold"]


@pytest.mark.parametrize("place", [0, 1])
def test_s41_a_key_under_the_id_of_a_known_one_is_not_known(verifier, place):
    """Whoever has another key signs with it all over, and lists it beside the one that is known."""
    thief = maker.Key("a thief", maker.clock(0))
    thief.id = maker.OLD.id
    thief.row = {**thief.row, "id": thief.id}
    contents, how = copy.deepcopy(made("finished"))
    events, _ = events_of(contents)
    contents["checkpoints.json"]["checkpoints"] = [maker.checkpoint(events[-1], thief)]
    contents["keys.json"]["keys"].insert(place, thief.row)
    raw = maker.seal(contents, **{**how, "key": thief})
    for known in (None, {maker.OLD.id: maker.OLD.public.hex()}):
        found = broken(verifier.Check(raw, (), known))
        assert f"keys: key {thief.id}: none that you know vouches for it" in found


# -- receipts and mails


def told_by(verifier, text):
    return [("mine", telling) for telling in verifier.tellings(str(text))]


def test_s41_receipts_are_read_as_people_type_them(verifier):
    code = maker.receipt(maker.finished_game().events[16])
    typed = code.lower().replace("0", "o").replace("1", "l").replace("-", " ")
    around = (f"*{code}*", f"“{code}”.", f"Receipt: {code}", code.replace("-", "\u2013"), code.replace("-", "\u200b-"))
    number, _, letters = code.partition("-")
    joined = f"{number}-{letters.replace('-', '')}"
    for text in (code, code.lower(), joined, code.replace("1", "I"), typed, f" {code} ", *around):
        check = verifier.Check(vector("finished"), told_by(verifier, text))
        assert broken(check) == []
        assert any(line.startswith("verified   receipt mine: ") for line in check.lines)


def test_s41_a_receipt_of_which_a_letter_is_missing_is_none_of_another_event(verifier):
    code = maker.receipt(maker.finished_game().events[16])
    for text in (code.replace("-", ""), code.replace("-", "")[:-1], code[:-1], code + "0"):
        with pytest.raises((OSError, ValueError)):
            verifier.tellings(text)


def test_s41_the_check_letter_of_a_receipt_is_one_and_finds_each_letter_that_was_mistyped(verifier):
    code = maker.receipt(maker.finished_game().events[16])

    def mistyped(text):
        try:
            return not verifier.tellings(text)
        except ValueError as error:
            return "was mistyped" in str(error)

    (letter,) = [letter for letter in maker.ALPHABET if not mistyped(f"{code}-{letter}")]
    whole = f"{code}-{letter}"
    for place in (place for place, sign in enumerate(whole) if sign != "-"):
        digits = "123456789" if place < whole.index("-") else maker.ALPHABET
        for other in (digits[n] for n in range(0, len(digits), 5) if digits[n] != whole[place]):
            assert mistyped(whole[:place] + other + whole[place + 1 :]), (place, other)


def test_s41_a_receipt_beyond_the_end_shows_the_cut(verifier):
    def cut(contents, events):
        del events[12:]
        contents["checkpoints.json"]["checkpoints"][2:] = []

    told = told_by(verifier, maker.receipt(maker.rewound_game().events[14]))
    raw = spoilt("rewound", lambda contents, events: cut(contents, events))
    found = broken(verifier.Check(raw, told))
    assert "receipt mine: event 15 is gone: the history was cut after event 12" in found


def test_s41_saved_mails_are_checked_header_by_header(verifier, tmp_path):
    events = maker.finished_game().events
    other_game = maker.checkpoint({**events[3], "game": "another"})
    path = tmp_path / "saved.eml"
    path.write_bytes(maker.mail(maker.checkpoint(events[3]), other_game, maker.checkpoint(events[-1])))
    check = verifier.Check(vector("finished"), told_by(verifier, path))
    assert broken(check) == []
    assert [line.split()[0] for line in check.lines if "receipt mine: " in line] == [
        "verified",
        "unchecked",
        "verified",
    ]
    rewritten = maker.follow({**events[3], "cause": "other"}, events[2])
    path.write_bytes(maker.mail(maker.checkpoint(events[5]), maker.checkpoint(rewritten)))
    assert broken(verifier.Check(vector("finished"), told_by(verifier, path))) == [
        "receipt mine: event 4 was rewritten, or what came before it: it is not the one that was told of"
    ]


def test_s41_a_mail_of_another_game_by_another_host_proves_nothing(verifier, tmp_path):
    other_game = maker.checkpoint({**maker.finished_game().events[3], "game": "another"}, maker.NEW)
    (tmp_path / "saved.eml").write_bytes(maker.mail(other_game))
    check = verifier.Check(vector("finished"), told_by(verifier, tmp_path / "saved.eml"))
    assert broken(check) == []
    assert "unchecked  receipt mine: it is of another game, another" in check.lines


@pytest.mark.parametrize("change", ["signature=0", "key=f", "version=1", "time=2", "time=x; time=2", "version=0; x="])
def test_s41_a_header_that_is_not_as_signed_is_no_witness(verifier, tmp_path, change):
    path = tmp_path / "saved.eml"
    field = change.split("=")[0]
    raw = maker.mail(maker.checkpoint(maker.finished_game().events[3]))
    path.write_bytes(raw.replace(f"{field}=".encode(), change.encode(), 1))
    if change != "version=1":  # that is a header, but not the one that was signed
        with pytest.raises(ValueError, match="was changed or cut"):
            told_by(verifier, path)
        return
    check = verifier.Check(vector("finished"), told_by(verifier, path))
    (line,) = [line for line in check.lines if "  receipt mine: " in line]
    assert line.startswith("unchecked")


def test_s41_a_header_has_each_field_once_in_any_order_and_also_in_a_mail_that_was_forwarded(verifier, tmp_path):
    path, point = tmp_path / "saved.eml", maker.checkpoint(maker.finished_game().events[3])
    raw = maker.mail(point)
    head = raw[raw.index(b"v=1") : raw.index(b"\r\n\r\n")]
    for other in (b"; ".join(reversed(head.split(b";"))), head):
        path.write_bytes(raw.replace(head, other))
        assert broken(verifier.Check(vector("finished"), told_by(verifier, path))) == []
    for other in (head + b"; v=1", head + b"; x=1", head.replace(b"v=1", b"v=2"), head.replace(b"-11-", b"-13-")):
        path.write_bytes(raw.replace(head, other))
        with pytest.raises(ValueError, match="was changed or cut"):
            told_by(verifier, path)
    path.write_bytes(b"Content-Type: message/rfc822\r\n\r\n" + raw)
    assert broken(verifier.Check(vector("finished"), told_by(verifier, path))) == []


def test_s45_what_a_mail_is_worth_is_known_before_what_it_tells(verifier, tmp_path):
    events, path = maker.finished_game().events, tmp_path / "saved.eml"
    known = {key["id"]: key["public"] for key in made("finished")[0]["keys.json"]["keys"]}
    rewritten = maker.follow({**events[3], "cause": "other"}, events[2])
    beyond = {**events[-1], "version": 900}
    elsewhere = {**events[3], "game": "another"}

    def verdict(point, keys=None):
        path.write_bytes(maker.mail(point))
        (line,) = [
            one for one in verifier.Check(vector("finished"), told_by(verifier, path), keys).lines if "mine:" in one
        ]
        return line.split()[0]

    for event in (rewritten, beyond, elsewhere):
        signed = maker.checkpoint(event)
        forged = {**signed, "signature": maker.checkpoint(events[3])["signature"]}
        assert [verdict(signed), verdict(signed, known)] == ["broken", "broken"]
        assert [verdict(forged), verdict(forged, known)] == ["unchecked", "unchecked"]
        strange = {**signed, "key": "0" * 16}
        assert verdict(strange, known) == "unchecked"
        assert verdict(strange) == ("unchecked" if event is elsewhere else "broken"), "a key may have been left out"
    assert verdict({**maker.checkpoint(events[3]), "key": "0" * 16}) == "unchecked"


def test_s41_a_mail_without_header_is_no_witness(verifier, tmp_path):
    for text in (b"", b"Subject: x\r\n\r\nhello", b"Wardroom-Checkpoint: \xff\xfe;;=\r\n\r\n", b"\0" * 100):
        (tmp_path / "saved.eml").write_bytes(text)
        with pytest.raises((ValueError, LookupError)):
            verifier.tellings(str(tmp_path / "saved.eml"))


# -- hostile input


NOT_CANONICAL = {
    "blank": b'{"a": 1}',
    "order": b'{"b":1,"a":1}',
    "twice": b'{"a":1,"a":1}',
    "float": b'{"a":1.0}',
    "exponent": b'{"a":1e3}',
    "minus zero": b'{"a":-0}',
    "big": b'{"a":9007199254740992}',
    "huge": b'{"a":' + b"9" * 10**6 + b"}",
    "key": '{"ä":1}'.encode(),
    "escape": b'{"a":"\\u0041"}',
    "slash": b'{"a":"\\/"}',
    "surrogate": b'{"a":"\\ud800"}',
    "utf-8": b'{"a":"\xff"}',
    "utf-8 surrogate": b'{"a":"\xed\xa0\x80"}',
    "mark": b'\xef\xbb\xbf{"a":1}',
    "nan": b'{"a":NaN}',
    "infinity": b'{"a":-Infinity}',
    "deep": b'{"a":' * 10**5,
    "deep list": b'{"a":' + b"[" * 10**5 + b"]" * 10**5 + b"}",
    "rest": b'{"a":1}x',
    "line": b'{"a":1}\r',
    "nothing": b"",
    "list": b"[]",
    "null": b"null",
}


@pytest.mark.parametrize("what", NOT_CANONICAL)
def test_s40_only_canonical_json_is_read(verifier, what):
    text = NOT_CANONICAL[what]
    board = verifier.canonical({**made("finished")[0]["rules.json"], "board": 0}) + b"\n"
    inside = [text + b"\n"] if what not in ("list", "null") else []
    for raw in (*inside, board.replace(b'"board":0', b'"board":' + text) if what not in ("list", "null") else b"{}"):
        found = broken(verifier.Check(resealed("finished", "rules.json", lambda _, raw=raw: raw)))
        assert any(line.startswith("manifest: rules.json: ") for line in found), found
    files = verifier.Check(vector("finished")).files
    lines = files["events.ndjson"].split(b"\n")
    raw = maker.pack({**files, "events.ndjson": b"\n".join([*lines[:3], text, *lines[4:]])})
    assert any(line.startswith("history: event 4: ") for line in broken(verifier.Check(raw)))


def test_s40_no_bytes_make_it_fail(verifier):
    dice = random.Random(11)
    whole = vector("finished")
    for raw in (b"", b"PK", b"PK\3\4" * 50, b"PK\3\4" + b"\xff" * 99, whole[:29], dice.randbytes(5000)):
        assert broken(verifier.Check(raw, [("mine", {"version": 1, "receipt": "0" * 25})]))
    for file in maker.NAMES[1:]:
        for text in (b"", b"\n", b"{}\n", b"{}", b"[]\n", b"\n\n\n", b"null\n", b'{"end":{}}\n'):
            changed = maker.pack({**verifier.Check(whole).files, file: text})
            assert broken(verifier.Check(changed, [("mine", {"version": 1, "receipt": ""})]))
            if file not in ("README.txt", "events.ndjson", "rules.json", "notices.json"):
                assert broken(verifier.Check(resealed("finished", file, lambda _, text=text: text))), (file, text)


def test_s40_what_a_bundle_says_cannot_steer_a_terminal(verifier):
    evil = "\x1b[2J\n\u202e"
    raw = resealed("finished", *rows("checkpoints.json", "checkpoints", 1, version=evil))
    told = [(evil, {"version": 1, "receipt": "", "game": evil, "signature": ""})]
    check = verifier.Check(raw, told)
    assert broken(check)
    assert all(line.isascii() and line.isprintable() and len(line) <= 400 for line in check.lines)


# -- the program


def run(folder, *arguments):
    """Run the program alone in an empty directory."""
    command = [sys.executable, "-I", "-S", str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def test_s41_the_program_runs_alone_and_answers_by_its_exit_code(tmp_path):
    bundle, keys = maker.VECTORS / "rewound.zip", tmp_path / "keys.json"
    keys.write_text(json.dumps({"keys": [maker.OLD.row]}, indent=2))
    code = maker.receipt(maker.rewound_game().events[6])
    done = run(tmp_path, bundle, "--receipt", code, "--keys", keys)
    assert (done.returncode, done.stderr) == (0, "")
    states = [line[:9].strip() for line in done.stdout.splitlines()]
    assert set(states[:-1]) == {"verified", "unchecked"}
    assert (states[-5:-1], states[-1]) == (["unchecked"] * 4, "It holds.")
    done = run(tmp_path, bundle, "--receipt", maker.receipt(maker.finished_game().events[6]))
    assert (done.returncode, done.stderr) == (1, "")
    assert "event 7 was rewritten" in done.stdout
    assert done.stdout.splitlines()[-1] == "It is BROKEN."
    keys.write_text('{"keys": []}')
    done = run(tmp_path, bundle, "--keys", keys)
    assert (done.returncode, done.stderr) == (1, "")
    assert "none that you know vouches for it" in done.stdout
    for wrong in ((), ("none.zip",), (bundle, "--keys", bundle), (bundle, "--receipt", "17-ABC"), (tmp_path,)):
        done = run(tmp_path, *wrong)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr
    for text in (
        b"",
        b"[]",
        b"{}",
        b"5",
        b'{"keys":5}',
        b'{"keys":[5]}',
        b'{"keys":[{"id":[],"public":1}]}',
        b"[" * 10**5,
    ):
        keys.write_bytes(text)
        done = run(tmp_path, bundle, "--keys", keys)
        assert (done.returncode, done.stdout) == (2, ""), text
        assert "Traceback" not in done.stderr
    for name in ("saved.eml", "none.eml"):
        (tmp_path / "saved.eml").write_bytes(b"Subject: x\r\n\r\nhello")
        done = run(tmp_path, bundle, "--receipt", name)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("length", [0, 1, 40, 700, 5000, -1])
def test_s40_a_truncated_bundle_is_broken_and_no_more(tmp_path, length):
    (tmp_path / "cut.zip").write_bytes(vector("finished")[:length])
    done = run(tmp_path, "cut.zip", "--receipt", maker.receipt(maker.finished_game().events[6]))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[-1] == "It is BROKEN."


def test_the_program_needs_the_standard_library_alone_and_names_nothing_of_ours():
    tree = ast.parse(PROGRAM.read_text(), feature_version=(3, 9))
    imports = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imports |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in imports} <= sys.stdlib_module_names
    assert not imports & {"socket", "urllib", "http", "subprocess"}
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not OURS & (imports | names)
    assert sum(map(bool, PROGRAM.read_text().splitlines())) <= LINES
    assert "fmt: " not in PROGRAM.read_text()
    described = (ast.FunctionDef, ast.ClassDef, ast.Module)
    assert all(ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, described))


@pytest.mark.slow
def test_s41_a_long_game_is_checked_in_seconds(tmp_path):
    game = maker.History("long", ["a", "b"])
    for seat, nonce in enumerate(game.nonces):
        game.take(seat, nonce)
    game.add("table.game-started", {"seats": [0, 1]})
    for n in range(894):
        if n % 9:
            game.add("city-hall.bid-made", {"text": "bid"}, {"seat": n % 2}, [maker.leaf(0, {"n": n}, str(n))])
        else:
            game.draw("city-hall.permits-shuffled", "permits", [f"permit-{i}" for i in range(60)], 60)
    game.end()
    heads = [(n, maker.OLD) for n in range(1, len(game.events), 2) if n > 2] + [(len(game.events), maker.OLD)]
    for n, event in enumerate(game.events):
        assert event["version"] == n + 1
    bundle = tmp_path / "long.zip"
    bundle.write_bytes(maker.seal(maker.files(game, over=True, heads=heads), over=True))
    begun = os.times().children_user
    done = run(tmp_path, bundle)
    assert done.returncode == 0, done.stdout
    assert os.times().children_user - begun < 6
