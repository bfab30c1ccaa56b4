"""Where the numbered rule is read that a refusal follows: one address for pages, mails and programs."""

from collections.abc import Mapping
from typing import Final

PREFIXES: Final[Mapping[str, str]] = {"TH": "tammany-hall", "CH": "city-hall"}
"""The game whose rules a number is of, by its prefix."""


def rule_link(rule: str) -> str:
    """Where the text of a rule is, as a path: "/rules/tammany-hall#TH-8.3"; "" for one that is of no game."""
    kind = PREFIXES.get(rule.partition("-")[0])
    return f"/rules/{kind}#{rule}" if kind else ""


def rule_url(base: str, rule: str) -> dict[str, str]:
    """The member of a document with the whole address of a rule, at a service with this address; none for one that is
    of no game."""
    link = rule_link(rule)
    return {"rule_url": f"{base}{link}"} if link else {}
