"""The modules of the browser beside the vectors: primitives, keys that no browser knows, and whatever is changed.

Their verdicts on spoiled bundles are in tests/audit/test_vectors.py.
"""

import functools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.audit import maker
from tests.audit.programs import quick_program
from tests.audit.spoiling import other, paths
from tests.audit.test_vectors import alike
from tests.audit.vectors.operations import HISTORY, puts, remade
from tests.browser.check_modules import Modules, modules

VECTORS = ("closed", "order", "running")


@pytest.fixture(scope="module")
def verifier(chromium) -> Iterator[Modules]:
    with modules(chromium) as found:
        yield found


@pytest.fixture(scope="module")
def other_verifier() -> Any:
    return quick_program()


def differences(verifier: Modules, other_verifier: Any, named: dict[str, bytes]) -> dict[str, Any]:
    """The bundles of which the two verifiers say different things, with what each says alone."""
    found = dict(zip(named, verifier.reports([(data, (), None) for data in named.values()]), strict=True))
    theirs = {name: other_verifier.Check(data).lines for name, data in named.items()}
    return {
        name: sorted({*alike(found[name])} ^ {*alike(theirs[name])})
        for name in named
        if alike(found[name]) != alike(theirs[name])
    }


PUT = (None, 0, 1, -1, 2, 17, 2**53 - 1, "", "x", "0" * 64, "irish", "__proto__", "constructor", [], [0], {}, {"a": 1})


def mutated(chance: random.Random) -> bytes | None:
    """A bundle with something changed in an event or a file, made again around it; None where none comes of it."""
    base = chance.choice(VECTORS)
    files = ("rules.json", "draws.json", "notices.json", "checkpoints.json", "keys.json", "manifest.json")
    stage = chance.choice([*files, *[HISTORY] * 6])
    try:
        if stage == HISTORY:
            return remade(base, {HISTORY: lambda events: meddle(chance, chance.choice(events))})
        return remade(base, {stage: functools.partial(meddle, chance)})
    except (KeyError, TypeError, IndexError, AttributeError, ValueError):
        return None


def meddle(chance: random.Random, value: Any) -> None:
    """Put something else into one place of a value."""
    path = chance.choice(list(paths(value)))
    inside = functools.reduce(lambda outer, step: outer[step], path[:-1], value)
    if isinstance(inside, dict) and chance.random() < 0.1:
        del inside[path[-1]]
    else:
        inside[path[-1]] = chance.choice(PUT) if chance.random() < 0.7 else other(inside[path[-1]])


def test_s41_both_verifiers_say_the_same_of_whatever_is_changed(verifier, other_verifier, request):
    chance = random.Random(41)
    wanted = 1500 if request.config.getoption("--long") else 60
    named = {}
    while len(named) < wanted:
        data = mutated(chance)
        if data is not None:
            named[str(len(named))] = data
    assert differences(verifier, other_verifier, named) == {}


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


def test_signatures_are_checked_by_the_curve_where_a_browser_knows_none(verifier, other_verifier):
    """The same verdicts, true and false ones, and keys that are none."""
    small = {"id": maker.OLD.id, "public": "01" + "00" * 31, "since": maker.clock(1), "endorsement": None}
    whole = {
        "whole": remade("closed", {}),
        "false": remade("closed", {"checkpoints.json": puts("checkpoints", 0, signature="0" * 128)}),
        "small order": remade("closed", {"keys.json": lambda value: value["keys"].append(small)}),
    }
    other_page = verifier.page.context.new_page()
    other_page.goto(verifier.page.url)
    other_page.evaluate("async () => { (await import('/check/format/signatures.js')).way.isOwn = false; }")
    assert differences(Modules(other_page), other_verifier, whole) == {}
    other_page.close()
    assert differences(verifier, other_verifier, whole) == {}
