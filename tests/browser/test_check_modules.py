"""The verifier in the browser, against all that the others are held against: it says the same, line by line."""

import copy
import functools
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.audit import maker
from tests.audit.bundles import genuine
from tests.audit.drafts import BASES, remade
from tests.audit.faults import FOUND, HISTORY
from tests.audit.programs import program
from tests.audit.spoiling import other, paths
from tests.audit.test_verifier import EVENT_FAULTS, FILE_FAULTS, NOT_CANONICAL, VECTORS, made, resealed, spoilt, vector
from tests.browser.check_modules import Modules, modules

OWN_WORDS = re.compile(r"(it cannot be checked: ).*")
"""Why a check fell over is said in the words of its language."""
UNREADABLE = re.compile(r"(broken +(?:manifest: [a-z.]+json|history: event \d+): )(?!a field is missing|entry|its ).*")
"""And so is why something is no canonical JSON."""


@pytest.fixture(scope="module")
def verifier(chromium) -> Iterator[Modules]:
    with modules(chromium) as found:
        yield found


@pytest.fixture(scope="module")
def program_lines() -> Any:
    """The lines of `verify_bundle.py`, with quick signatures: its own are checked elsewhere."""
    module = program("verify_bundle")

    @functools.cache
    def holds(public: str, signature: str, message: bytes) -> bool:
        module.negative(bytes.fromhex(public))
        return signature == signature.lower() and genuine(public, message, signature)

    def distrust(keys: Any, signed: Any, purpose: str, message: bytes, where: str = "") -> str:
        public, signature = keys[signed["key"]], signed["signature"]
        good = (
            holds(public, signature, f"wardroom-{purpose}-v1\n".encode() + message)
            if bytes.fromhex(signature)
            else False
        )
        return "" if good else f"{where}the signature by key {signed['key']} does not hold"

    module.distrust = distrust
    return lambda data, told=(), known=None: module.Check(data, told, known).lines


def alike(lines: list[str]) -> list[str]:
    """Lines without what each verifier says in its own words."""
    return [UNREADABLE.sub(r"\1", OWN_WORDS.sub(r"\1", line)) for line in lines]


def differences(verifier: Modules, program_lines: Any, named: dict[str, bytes], *more: Any) -> dict[str, Any]:
    """The bundles of which the two verifiers say different things, with what each says alone."""
    found = dict(zip(named, verifier.reports(list(named.values()), *more), strict=True))
    theirs = {name: program_lines(data, *more) for name, data in named.items()}
    return {
        name: sorted({*alike(found[name])} ^ {*alike(theirs[name])})
        for name in named
        if alike(found[name]) != alike(theirs[name])
    }


@pytest.mark.parametrize("name", VECTORS)
def test_s41_vectors_verify_in_the_browser_as_everywhere(verifier, program_lines, name):
    lines = verifier.lines(vector(name))
    assert lines == program_lines(vector(name))
    assert {line.split()[0] for line in lines} <= {"verified", "open", "unchecked"}


def test_s41_every_broken_sentence_of_the_page_is_found_in_the_browser_and_named_alike(
    verifier, program_lines, request
):
    """All that is spoilt is named; every fifth is compared line by line, with `--long` each."""
    every = 1 if request.config.getoption("--long") else 5
    spoiled = [remade(BASES[fault.base], fault.stage, fault.change) for fault in FOUND]
    for fault, lines in zip(FOUND, verifier.reports(spoiled), strict=True):
        broken = [line for line in lines if line.startswith("broken")]
        assert broken, fault.words
        assert re.search(fault.named.replace(".json", ""), "\n".join(broken)), (fault.words, broken)
    some = {f"{n} {FOUND[n].words}": spoiled[n] for n in range(0, len(FOUND), every)}
    assert differences(verifier, program_lines, some) == {}


def test_s40_events_and_files_that_are_not_as_they_must_be_are_named_alike(verifier, program_lines):
    named = {what: spoilt("finished", change) for what, (change, _) in EVENT_FAULTS.items()}
    for file, change, sentence in FILE_FAULTS:
        named[f"{file} {sentence}"] = resealed("finished", file, change)
    for base in BASES:
        named[base] = remade(BASES[base], HISTORY, lambda events: None)
    assert differences(verifier, program_lines, named) == {}


def test_s41_a_table_goes_back_to_what_stands_alone_in_the_browser_too(verifier, program_lines):
    """A second going back, into the branch that the first has undone."""

    def again(events: list[Any]) -> None:
        events.append(events[39] | {"version": 81, "at": events[-1]["at"], "data": events[39]["data"] | {"to": 30}})

    data = remade(BASES["running"], HISTORY, again)
    assert "broken     table: event 81: its to is no event before it that stands" in verifier.lines(data)
    assert differences(verifier, program_lines, {"it": data}) == {}


def test_s40_only_canonical_json_is_read_in_the_browser_either(verifier, program_lines):
    """A key twice, 1.0, 1e3, -0, 2^53, half a pair of surrogates, a mark of byte order, depth without end."""
    board = maker.canonical({**made("finished")[0]["rules.json"], "board": 0}) + b"\n"
    files = {name: maker.canonical(value) + b"\n" if type(value) is dict else value
             for name, value in made("finished")[0].items()}  # fmt: skip
    events = files["events.ndjson"].split(b"\n")
    named = {}
    for what, text in NOT_CANONICAL.items():
        inside = board.replace(b'"board":0', b'"board":' + text)
        if what not in ("list", "null"):
            named[f"{what} in a file"] = resealed("finished", "rules.json", lambda _, raw=inside: raw)
        lines = b"\n".join([*events[:3], text, *events[4:]])
        named[f"{what} as an event"] = maker.seal({**made("finished")[0], "events.ndjson": lines}, over=True)
    assert differences(verifier, program_lines, named) == {}
    for lines in verifier.reports(list(named.values())):
        assert any(
            line.startswith(("broken     manifest: rules.json: ", "broken     history: event 4: ")) for line in lines
        )


def test_s40_no_bytes_make_it_fall_over(verifier, program_lines):
    chance, whole = random.Random(11), vector("finished")
    files = {name: maker.canonical(value) + b"\n" if type(value) is dict else value
             for name, value in made("finished")[0].items()}  # fmt: skip
    named = {"nothing": b"", "two letters": b"PK", "heads": b"PK\3\4" * 50, "noise": chance.randbytes(5000)}
    named |= {f"{size} bytes": whole[:size] for size in (1, 29, 30, 700, 5000, len(whole) - 1)}
    named |= {"a byte more": whole + b"\0", "a byte before": b"\0" + whole, "twice": whole + whole}
    for file in maker.NAMES:
        for text in (b"", b"\n", b"{}\n", b"[]\n", b"null\n", b'{"end":{}}\n', b"7\n", b'"x"\n'):
            about = {"manifest.json": b"{}\n", "signature.json": b"{}\n"}
            named[f"{file} {text!r}"] = maker.pack({**about, **files, file: text})
    assert differences(verifier, program_lines, named) == {}


PUT = (None, 0, 1, -1, 2, 17, 2**53 - 1, "", "x", "0" * 64, "irish", "__proto__", "constructor", [], [0], {}, {"a": 1})


def mutated(chance: random.Random) -> bytes | None:
    """A vector with something changed in an event or a file, made again around it; None where no bundle comes of it."""
    name = chance.choice(VECTORS)
    contents, how = copy.deepcopy(made(name))
    file = chance.choice([*(file for file in contents if file.endswith(".json")), *["events"] * 6])
    try:
        if file == "events":
            return spoilt(name, lambda _, events: [meddle(chance, chance.choice(events)) for _ in "ab"])
        meddle(chance, contents[file])
        return maker.seal(contents, **how)
    except (KeyError, TypeError, IndexError, AttributeError, ValueError):
        return None


def meddle(chance: random.Random, value: Any) -> None:
    """Put something else into one place of a value; commitments of open leaves are made to fit."""
    path = chance.choice(list(paths(value)))
    inside = functools.reduce(lambda outer, step: outer[step], path[:-1], value)
    if isinstance(inside, dict) and chance.random() < 0.1:
        del inside[path[-1]]
    else:
        inside[path[-1]] = chance.choice(PUT) if chance.random() < 0.7 else other(inside[path[-1]])
    for leaf in value.get("sealed", ()):
        again = maker.leaf(leaf["for"], leaf["data"], "any") if "data" in leaf else {}
        leaf.update({"commitment": again["commitment"], "salt": again["salt"]} if again else {})


def test_s41_both_verifiers_say_the_same_of_whatever_is_changed(verifier, program_lines, request):
    chance = random.Random(41)
    wanted = 1500 if request.config.getoption("--long") else 90
    named = {}
    while len(named) < wanted:
        data = mutated(chance)
        if data is not None:
            named[str(len(named))] = data
    assert differences(verifier, program_lines, named) == {}


def test_s41_no_flipped_bit_goes_unseen_in_the_browser(verifier, program_lines):
    chance, whole = random.Random(9), vector("running")
    named = {}
    for place in chance.sample(range(len(whole)), 60):
        changed = bytes([whole[place] ^ 1 << chance.randrange(8)])
        named[f"byte {place}"] = whole[:place] + changed + whole[place + 1 :]
    assert differences(verifier, program_lines, named) == {}
    for lines in verifier.reports(list(named.values())):
        assert any(line.startswith("broken     archive: ") for line in lines)


def test_s43_the_browser_computes_the_primitive_vectors(verifier):
    told = json.loads((maker.VECTORS / "vectors.json").read_text())
    for case in told["canonical"]:
        assert verifier.call("format/canonical.js", "canonicalText", case["value"]) == case["json"]
    for case in told["receipt"]:
        head = case["head"]
        event = {"game": head["game"], "hash": head["hash"], "version": head["version"], "at": head["time"]}
        code = verifier.call("parts/state.js", "headOf", event)["receipt"]
        assert f"{head['version']}-{code}" == case["receipt"].replace("-", "").replace(
            f"{head['version']}", f"{head['version']}-", 1
        )
    nonces, seed = told["draw-key"]["nonces"], told["draw-key"]["seed"]
    for case in told["sample"]:
        assert verifier.call("parts/draws.js", "sample", seed, nonces, case) == case["drawn"]
    below = """async ([key, label, index, n]) => {
      const { below, wordsOf } = await import("/check/parts/draws.js");
      const { fromHex } = await import("/check/format/bytes.js");
      return String(await below(wordsOf(fromHex(key), label, index), BigInt(n)));
    }"""
    for case in told["below"]:
        given = [told["draw-key"]["key"], case["label"], case["index"], str(case["n"])]
        assert verifier.page.evaluate(below, given) == str(case["below"])


def test_s45_receipts_and_headers_are_worth_the_same_in_the_browser(verifier, program_lines):
    """The table of the page, row by row, with keys noted and without."""
    events = maker.finished_game().events
    known = {maker.OLD.id: maker.OLD.public.hex()}
    rewritten = maker.follow({**events[3], "cause": "other"}, events[2])
    for event in (events[3], rewritten, {**events[-1], "version": 900}, {**events[3], "game": "another"}):
        signed = maker.checkpoint(event)
        forged = {**signed, "signature": maker.checkpoint(events[5])["signature"]}
        receipt = {"version": event["version"], "receipt": maker.receipt(event).partition("-")[2].replace("-", "")}
        for telling in (signed, forged, {**signed, "key": "0" * 16}, receipt):
            for noted in (None, {}, known):
                kept = [("mine", telling), ("mine", maker.checkpoint(events[1]))]
                assert differences(verifier, program_lines, {"it": vector("finished")}, kept[:1], noted) == {}
                assert differences(verifier, program_lines, {"it": vector("finished")}, kept, noted) == {}


def test_s41_keys_lead_back_to_one_that_is_known_in_the_browser(verifier, program_lines):
    for noted in ([maker.OLD, maker.NEW], [maker.OLD], [maker.NEW], []):
        known = {key.id: key.public.hex() for key in noted}
        assert differences(verifier, program_lines, {"it": vector("rewound")}, (), known) == {}


def test_signatures_are_checked_by_the_curve_where_a_browser_knows_none(verifier, program_lines):
    """The same verdicts, true and false ones, and keys that are none."""
    changed = resealed(
        "finished", "checkpoints.json", lambda value: value["checkpoints"][1].update(signature="0" * 128)
    )
    small = {"id": maker.OLD.id, "public": "01" + "00" * 31, "since": maker.clock(1), "endorsement": None}
    keyless = resealed("finished", "keys.json", lambda value: value["keys"].append(small))
    whole = {"whole": vector("rewound"), "false": changed, "small order": keyless}
    other_page = verifier.page.context.new_page()
    other_page.goto(verifier.page.url)
    other_page.evaluate("async () => { (await import('/check/format/signatures.js')).way.isOwn = false; }")
    assert differences(Modules(other_page), program_lines, whole) == {}
    other_page.close()
    assert differences(verifier, program_lines, whole) == {}
