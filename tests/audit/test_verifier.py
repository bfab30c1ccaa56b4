"""The program that verifies audit bundles: its primitives, signatures, receipts and exit codes.

Its verdicts on spoiled bundles are in test_vectors.py.
"""

import ast
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
LINES = 506  # besides blank ones: more than that nobody reads before trusting it
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


def broken(check):
    """What a check found broken."""
    found = [line.partition(" ")[2].strip() for line in check.lines if line.startswith("broken ")]
    assert check.sound == (found == [])
    return found


# -- the vectors


def test_vectors_are_what_the_maker_makes():
    for name, (contents, how) in maker.bundles().items():
        assert maker.seal(contents, **how) == vector(name)
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


def test_s41_a_mail_without_header_is_no_witness(verifier, tmp_path):
    for text in (b"", b"Subject: x\r\n\r\nhello", b"Wardroom-Checkpoint: \xff\xfe;;=\r\n\r\n", b"\0" * 100):
        (tmp_path / "saved.eml").write_bytes(text)
        with pytest.raises((ValueError, LookupError)):
            verifier.tellings(str(tmp_path / "saved.eml"))


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


@pytest.mark.parametrize("length", [0, 700])
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
