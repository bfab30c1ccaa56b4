"""Every rule of the rules document, CH-1.1 to CH-22.9 and the examples CH-E1 to CH-E36, is cited by a test."""

import re
from functools import cache
from pathlib import Path

HIGHEST = {
    1: 7, 2: 9, 3: 9, 4: 6, 5: 3, 6: 3, 7: 11, 8: 26, 9: 5, 10: 5, 11: 4, 12: 6, 13: 5, 14: 7, 15: 7, 16: 7, 17: 3,
    18: 4, 19: 3, 20: 5, 22: 9,
}  # fmt: skip
"""The last rule of each chapter; CH-21 holds the examples."""
EXAMPLES = 36

WHY_NOT = {
    "CH-1.3": "It is a promise about the numbers of the document; this file holds the list of them.",
    "CH-19.2": "It lists misprints of the source that decide nothing.",
}


@cache
def cited() -> set[str]:
    """The rules named in the tests of this directory, this file apart; "CH-3.1 to CH-3.4" names four."""
    found: set[str] = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        if file.name == Path(__file__).name:
            continue
        text = file.read_text(encoding="utf-8")
        found.update(re.findall(r"\bCH-(?:E\d+|\d+\.\d+)", text))
        for chapter, first, again, last in re.findall(r"\bCH-(\d+)\.(\d+) to CH-(\d+)\.(\d+)", text):
            if chapter == again:
                found.update(f"CH-{chapter}.{rule}" for rule in range(int(first), int(last) + 1))
    return found


def rules() -> list[str]:
    return [f"CH-{chapter}.{rule}" for chapter, last in HIGHEST.items() for rule in range(1, last + 1)]


def test_every_rule_is_cited_or_there_is_a_reason_why_not():
    """A rule without a test and without a reason is a gap."""
    assert [rule for rule in rules() if rule not in cited() and not WHY_NOT.get(rule, "").strip()] == []


def test_every_example_is_a_test():
    """CH-21: each is to become one, and says so in its name."""
    text = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    named = {int(number) for number in re.findall(r"^def test_ch_e(\d+)", text, re.MULTILINE)}
    assert named == set(range(1, EXAMPLES + 1))
    assert {f"CH-E{number}" for number in named} <= cited()


def test_only_rules_there_are_are_cited():
    """No citation leads nowhere, and no reason is kept for a rule that has a test."""
    known = {*rules(), *(f"CH-E{number}" for number in range(1, EXAMPLES + 1))}
    assert cited() <= known
    assert WHY_NOT.keys() <= set(rules()) - cited()
