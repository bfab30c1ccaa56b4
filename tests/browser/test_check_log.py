"""The house log in the browser: proofs of RFC 9162 as the other program judges them, and what a page says of a log."""

from typing import Any

import pytest

from domain.audit.merkle import Subtree, consistency, inclusion, leaf_hash, root
from domain.engine.canonical import canonical
from tests.audit import maker
from tests.audit.programs import program
from tests.browser.check_modules import Modules, modules

EVENTS = maker.finished_game().events
KEYS = {maker.OLD.id: maker.OLD.public.hex()}
JUDGE = """async (cases) => {
  const { hasGrown, isIncluded } = await import("/check/parts/merkle.js");
  const judge = ({ row, old, now, proof }) => (row ? isIncluded(row, now) : hasGrown(old, now, proof));
  return Promise.all(cases.map((one) => judge(one).catch(() => false)));
}"""
LINES = """async ([log, heads, events, noted]) => {
  const { logLines } = await import("/check/log.js");
  const { told } = await import("/check/sentences.js");
  const bundle = { events: new Map(events.map((event) => [event.version, event])), trusted: new Map(),
                   noted: noted && new Map(Object.entries(noted)), last: () => events.length, isOver: true };
  return (await logLines(log, heads, bundle)).map(({ state, sentence }) => `${state.padEnd(9)}  ${told(sentence)}`);
}"""


def entry(number: int) -> dict[str, Any]:
    """An entry of the log: the first event of the game at place 3, its last at place 9, other games beside."""
    of_game = {3: (EVENTS[0], "opened"), 9: (EVENTS[-1], "ended")}
    if number in of_game:
        event, what = of_game[number]
        return {
            "game": event["game"],
            "hash": event["hash"],
            "time": event["at"],
            "version": event["version"],
            "what": what,
        }
    return {"game": f"g{number}", "hash": f"{number:064x}", "time": maker.clock(number), "version": 1, "what": "opened"}


ENTRIES = [entry(number) for number in range(20)]
LEAVES = [leaf_hash(canonical(row)) for row in ENTRIES]


def proved(subtrees: list[Subtree]) -> list[str]:
    return [root(LEAVES[begin:end]).hex() for begin, end in subtrees]


def head(size: int, key: maker.Key = maker.OLD) -> dict[str, Any]:
    told = {"root": root(LEAVES[:size]).hex(), "size": size, "time": maker.clock(40 + size)}
    return {**told, **key.sign(b"wardroom-log-v1\n" + canonical(told))}


def row(place: int, size: int) -> dict[str, Any]:
    return {"entry": ENTRIES[place], "inclusion": proved(inclusion(size, place)), "place": place}


def answer(first: int, size: int, *places: int) -> dict[str, Any]:
    """What the host answers about a head of the first so many entries."""
    proof = proved(consistency(size, first))
    rows = [row(place, size) for place in places]
    return {"head": head(size), "from": first, "consistency": proof, "entries": rows}


@pytest.fixture(scope="module")
def verifier(chromium):
    with modules(chromium) as found:
        yield found


def test_proofs_are_judged_as_the_other_program_judges_them(verifier: Modules) -> None:
    """Each that holds, and each with a step less, one changed, or about another size or place."""
    cases: list[dict[str, Any]] = []
    for size in range(1, 18):
        for first in range(1, size + 1):
            old, now, proof = head(first), head(size), proved(consistency(size, first))
            wrong = head(first % size + 1)
            cases += [{"old": old, "now": now, "proof": proof}, {"old": old, "now": now, "proof": proof[1:]}]
            cases += [{"old": wrong, "now": now, "proof": proof}, {"old": now, "now": old, "proof": proof}]
        for place in range(size):
            whole = row(place, size)
            cases += [{"now": head(size), "row": one} for one in (
                whole, {**whole, "place": (place + 1) % size}, {**whole, "inclusion": whole["inclusion"][1:]},
                {**whole, "entry": ENTRIES[place - 1]}, {**whole, "place": -1}, {**whole, "place": "0"},
            )]  # fmt: skip
    module = program("verify_log")

    def judged(case: dict[str, Any]) -> bool:
        if "row" in case:
            return bool(module.shown(module.holds, case["row"], case["now"]))
        return bool(module.shown(module.grew, case["old"], case["now"], case["proof"]))

    found = verifier.page.evaluate(JUDGE, cases)
    assert found == [judged(case) for case in cases]
    assert {True, False} == {*found}


def lines(verifier: Modules, log: Any, *heads: Any, noted: Any = KEYS, events: Any = EVENTS) -> list[str]:
    found: list[str] = verifier.page.evaluate(LINES, [log, heads, events, noted])
    return found


def test_a_log_that_has_grown_and_has_the_game_holds(verifier: Modules) -> None:
    found = lines(verifier, answer(7, 17, 3, 9), head(7))
    assert "verified   the first 7 of 17 entries are as they were" in found
    assert found[3:5] == ["verified   this game stands in it as opened", "verified   this game stands in it as ended"]
    assert not [line for line in found if line.startswith("broken")]
    module = program("verify_log")
    assert [line[:9] for line in module.check(answer(7, 17, 3, 9), [head(7)], KEYS)] == [line[:9] for line in found]


def test_a_log_that_was_rewritten_or_cut_or_has_another_game_does_not(verifier: Modules) -> None:
    shorter = lines(verifier, answer(5, 5), head(7))
    assert any("was not asked for with ?from=7" in line for line in shorter)
    other = {**answer(7, 17), "consistency": proved(consistency(17, 6))}
    assert "broken     the log of 7 entries was cut or rewritten, or is newer than this one" in lines(
        verifier, other, head(7)
    )
    elsewhere = [{**event, "hash": "0" * 64} for event in EVENTS]
    assert any("the log has another event 1" in line for line in lines(verifier, answer(7, 17, 3), events=elsewhere))
    moved = {**answer(7, 17), "entries": [{**row(3, 17), "place": 4}]}
    assert "broken     an entry that was shown is not in the log" in lines(verifier, moved)


def test_a_head_counts_as_far_as_its_key_was_noted(verifier: Modules) -> None:
    thief = maker.Key("a thief", maker.clock(0))
    assert any("give the keys that you noted" in line for line in lines(verifier, answer(7, 17), head(7), noted=None))
    assert any("is not signed by a key you noted" in line for line in lines(verifier, answer(7, 17), head(7, thief)))
    forged = {**head(7), "signature": head(8)["signature"]}
    assert any("the head of 7 entries is not signed" in line for line in lines(verifier, answer(7, 17), forged))
    for log in (None, {}, [], {"head": 5}, {"head": {}}):
        assert lines(verifier, log, head(7)) == ["broken     it has no head of a log"]
