"""Every rule of the rules document, TH-1.1 to TH-17.3 and the examples TH-E1 to TH-E35, is cited by a test."""

import re
from pathlib import Path

import pytest

HIGHEST = {
    1: 7, 2: 8, 3: 9, 4: 9, 5: 5, 6: 10, 7: 14, 8: 7, 9: 16, 10: 7, 11: 7, 12: 6, 13: 8, 14: 3, 15: 6, 16: 3, 17: 3,
}  # fmt: skip
"""The last rule of each chapter."""
EXAMPLES = 35

WHY_NOT = {
    "TH-1.2": "It names the sources and their rank; the rulings that follow from them are rules of their own.",
    "TH-1.3": "It is a promise about the numbers of the document; this file holds the list of them.",
    "TH-1.6": "It fixes the words of the document: pawn, cube, chip.",
    "TH-17.2": "It says that no other conflict was found in the sources.",
}


def cited() -> set[str]:
    """The rules named in the tests of this directory, this file apart."""
    files = [file for file in Path(__file__).parent.glob("test_*.py") if file.name != Path(__file__).name]
    return {rule for file in files for rule in re.findall(r"\bTH-(?:E\d+|\d+\.\d+)", file.read_text(encoding="utf-8"))}


def rules() -> list[str]:
    return [f"TH-{chapter}.{rule}" for chapter, last in HIGHEST.items() for rule in range(1, last + 1)]


@pytest.mark.slow
def test_every_rule_is_cited_or_there_is_a_reason_why_not():
    """A rule without a test and without a reason is a gap."""
    assert [rule for rule in rules() if rule not in cited() and not WHY_NOT.get(rule, "").strip()] == []


def test_every_example_is_a_test():
    """TH-18: each is to become one, and says so in its name."""
    files = Path(__file__).parent.glob("test_examples_*.py")
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    named = {int(number) for number in re.findall(r"^def test_th_e(\d+)", text, re.MULTILINE)}
    assert named == set(range(1, EXAMPLES + 1))
    assert {f"TH-E{number}" for number in named} <= cited()


def test_only_rules_there_are_are_cited():
    """No citation leads nowhere, and no reason is kept for a rule that has a test."""
    known = {*rules(), *(f"TH-E{number}" for number in range(1, EXAMPLES + 1))}
    assert cited() <= known
    assert WHY_NOT.keys() <= set(rules()) - cited()
