"""All vectors, judged by `wardroom verify`, by the program of one file and by the modules of the browser.

The requirements: S-40, S-41, S-43, S-44, S-45, S-01, F-52, F-55, T-4B, G-09, Q-12.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import pytest

from domain.audit.bundle.verify import check
from domain.audit.checkpoints import Checkpoint, Signed
from domain.audit.receipts import Witness
from domain.audit.verify_history import MOST_TOLD
from tests.audit.bundles import genuine
from tests.audit.programs import quick_program
from tests.audit.vectors import GROUPS
from tests.audit.vectors.operations import Spoiling, Verdict
from tests.browser.check_modules import Case, Modules, modules

pytestmark = pytest.mark.slow
JUDGES: Final = ("wardroom verify", "verify_bundle.py", "the browser")
PAGE_ALONE: Final = set(JUDGES[1:])
KNOWN: Final[dict[tuple[str, str], set[str]]] = {
    # Both read the result as it is used: null and false count as nothing, "1" and true as 1.
    ("`bottom` is None", "permits"): {JUDGES[2]},
    ("`bottom` is False", "permits"): PAGE_ALONE,
    ("a count of cubes is True", "running"): PAGE_ALONE,
    ("a count of cubes is '1'", "running"): PAGE_ALONE,
    ("no chips are written False", "over"): PAGE_ALONE,
    ("no chips are written None", "over"): PAGE_ALONE,
    ("no chips are written ''", "over"): PAGE_ALONE,
    ("no chips are written []", "over"): PAGE_ALONE,
    # A draw is looked at closely only once the seed is revealed.
    ("a draw with index true", "running"): PAGE_ALONE,
    ("a draw without label", "running"): PAGE_ALONE,
    ("a draw of no label", "running"): PAGE_ALONE,
    ("a draw that says more", "running"): set(JUDGES),
    # Fields that no ruleset knows are passed over, and the browser alone has a limit for depth.
    ("an event that says more", "running"): {JUDGES[0]},
    ("data nested 899 deep", "running"): set(JUDGES[:2]),
}
"""Vectors, by words and base, and the verifiers that misjudge them until format.md decides (issue 39)."""
OWN_WORDS: Final = re.compile(
    r"((?:it cannot be checked: )"
    r"|(?:broken +(?:manifest: [a-z.]+json|history: event \d+): )(?!a field is missing|entry|its )).*"
)
"""Reasons that the program and the browser give in the words of their own language."""
KEY_ID: Final = re.compile(r"keys: key [^:]*:")
"""The id of a key, which each writes in its own way if it is no text."""


@dataclass(frozen=True)
class Judges:
    """The three verifiers."""

    program: Any
    browser: Modules

    def lines(self, vectors: list[Spoiling], bundles: list[bytes]) -> list[tuple[list[str], list[str], list[str]]]:
        """The lines of each verifier about each bundle."""
        cases = [self._case(vector, data) for vector, data in zip(vectors, bundles, strict=True)]
        ours = [_lines_of_ours(vector, data) for vector, data in zip(vectors, bundles, strict=True)]
        of_program = [self.program.Check(*case).lines for case in cases]
        return list(zip(ours, of_program, self.browser.reports(cases), strict=True))

    def _case(self, vector: Spoiling, data: bytes) -> Case:
        """A bundle, what somebody kept of it (the name of a receipt is its text), and keys that were noted."""
        kept = [
            (item, self.program.tellings(item)[0]) if isinstance(item, str) else ("mail", item) for item in vector.kept
        ]
        return data, kept, None if vector.noted is None else {key["id"]: key["public"] for key in vector.noted}


@pytest.fixture(scope="module")
def judges(chromium) -> Iterator[Judges]:
    with modules(chromium) as browser:
        yield Judges(quick_program(), browser)


@pytest.mark.parametrize("kind", GROUPS)
def test_s41_every_verifier_gives_the_verdict_that_follows_from_how_a_bundle_was_spoiled(kind, judges):
    vectors = list(GROUPS[kind]())
    bundles = [vector.bundle() for vector in vectors]
    wrong: list[str] = []
    for vector, told in zip(vectors, judges.lines(vectors, bundles), strict=True):
        wrong += [f"{vector.base}, {vector.stage}: {vector.words}: {fault}" for fault in _faults(vector, told)]
    assert not wrong, f"{len(wrong)} faults in {len(vectors)} vectors:\n" + "\n".join(wrong)


def test_500_bundles_are_spoiled_and_each_that_is_known_to_be_misjudged_is_one_of_them():
    vectors = [vector for spoilings in GROUPS.values() for vector in spoilings()]
    assert sum(vector.verdict is not Verdict.HOLDS for vector in vectors) >= 500
    names = Counter((vector.words, vector.base) for vector in vectors)
    assert {names[known] for known in KNOWN} == {1}


def _faults(vector: Spoiling, told: tuple[list[str], ...]) -> Iterator[str]:
    """What is wrong with the verdicts, or with the lines of the two that know no rules."""
    faults = {
        judge: fault for judge, lines in zip(JUDGES, told, strict=True) if (fault := _fault(vector, judge, lines))
    }
    known = KNOWN.get((vector.words, vector.base), set())
    yield from (f"{judge} {fault}" for judge, fault in faults.items() if judge not in known)
    yield from (f"{judge} judges well what it is known to misjudge" for judge in known - faults.keys())
    if any(not line.isascii() or not line.isprintable() or len(line) > 400 for line in told[1] + told[2]):
        yield "a line could steer a terminal, or fill it"
    if not known and (differences := {*alike(told[1])} ^ {*alike(told[2])}):
        yield f"{' and '.join(JUDGES[1:])} differ: {sorted(differences)}"
    if len(blamed := {_blamed(lines) for lines in told if not any("must be mended" in line for line in lines)}) > 1:
        yield f"they differ about the clock: {blamed}"


def _blamed(lines: list[str]) -> frozenset[str]:
    """Return the first events that a verifier blames for the clock, or that it cannot check it."""
    found = (re.match(r"broken +clock: (event \d+|it cannot be checked)", line, re.I) for line in lines)
    return frozenset(match[1].lower() for match in islice(filter(None, found), MOST_TOLD))


def _fault(vector: Spoiling, judge: str, lines: list[str]) -> str:
    """What is wrong with the verdict of a verifier; empty if nothing is."""
    broken = [line for line in lines if line.startswith("broken")]
    due = vector.verdict is Verdict.BROKEN or (vector.verdict is Verdict.RULES and judge == JUDGES[0])
    if bool(broken) is not due:
        return f"says {broken[:2]}" if broken else "finds nothing"
    named = vector.named.replace(".json", "") if due else ""
    return "" if re.search(named, "\n".join(broken)) else f"does not name {named!r}: {broken[:3]}"


def _lines_of_ours(vector: Spoiling, data: bytes) -> list[str]:
    """The lines of `wardroom verify`, in the form of the others."""
    witnesses = [
        Witness.of_receipt(item) if isinstance(item, str) else Witness.of_mail("mail", _signed(item))
        for item in vector.kept
    ]
    report = check(data, genuine, witnesses=witnesses, noted=vector.noted)
    assert report.ok is not any(verdict == "broken" for _, verdict, _ in report.checks)
    assert all(sentence.endswith(".") for _, _, sentence in report.checks)
    return [f"{verdict} {what}: {sentence}" for what, verdict, sentence in report.checks]


def _signed(item: Any) -> Signed:
    point = Checkpoint(item["game"], item["version"], item["hash"], item["time"])
    return Signed(point, item["key"], item["signature"])


def alike(lines: list[str]) -> list[str]:
    """Leave out what each verifier says in its own words."""
    return [OWN_WORDS.sub(r"\1", KEY_ID.sub("keys: key:", line)) for line in lines]
