"""What the pages name is there: files, rules by number, commands of dev.py."""

import re
from pathlib import Path

import pytest

from tests.domain.city_hall import test_rules_cited as city_hall
from tests.domain.tammany_hall import test_rules_cited as tammany_hall

ROOT = Path(__file__).parent.parent
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "domain").rglob("*.md"),
    *(ROOT / "bench").glob("*.md"),
    *(ROOT / "clients").rglob("*.md"),
]
HISTORY = {"CHANGELOG.md"}
"""A page that tells how things were, and so names files that are gone."""


def numbered(game: str) -> set[str]:
    """The rules and examples that a page of rules defines: each number in bold where it begins."""
    text = (ROOT / "domain" / game.replace("-", "_") / "rules.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\W*\*\*((?:TH|CH)-(?:E\d+|\d+\.\d+))", text, re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_a_page_names_is_there(page):
    text = page.read_text(encoding="utf-8")
    named = set(
        re.findall(
            r"\b(?:domain|service|workers|config|tests|docs|bench|lab|clients)/[\w/.-]*\w\.(?:py|md|toml|po)\b", text
        )
    )
    gone = [name for name in sorted(named) if not (ROOT / name).exists()]
    assert page.name in HISTORY or gone == []


@pytest.mark.parametrize("game, tests", [("tammany-hall", tammany_hall), ("city-hall", city_hall)])
def test_the_pages_of_rules_have_exactly_the_rules_that_tests_must_cite(game, tests):
    prefix = "TH" if game == "tammany-hall" else "CH"
    examples = {f"{prefix}-E{number}" for number in range(1, tests.EXAMPLES + 1)}
    assert numbered(game) == {*tests.rules(), *examples}


@pytest.mark.parametrize("game, folder", [("tammany-hall", "tammany_hall"), ("city-hall", "city_hall")])
def test_every_rule_that_the_code_cites_can_be_looked_up(game, folder):
    prefix = "TH" if game == "tammany-hall" else "CH"
    known = numbered(game)
    chapters = {rule.partition(".")[0] for rule in known}
    cited = {
        (str(file.relative_to(ROOT)), rule)
        for file in (ROOT / "domain" / folder).rglob("*.py")
        for rule in re.findall(rf"\b{prefix}-(?:E\d+|\d+(?:\.\d+)?)\b", file.read_text(encoding="utf-8"))
    }
    assert cited
    assert sorted((file, rule) for file, rule in cited if rule not in known | chapters) == []


def test_no_documented_curl_retries_for_longer_than_a_minute():
    """Each pause of `--retry` is twice the one before, so 30 of them take hours, and `-s` is silent about it."""
    for page in (ROOT / "docs").rglob("*.md"):
        for line in page.read_text(encoding="utf-8").splitlines():
            assert "--retry " not in line or "--retry-max-time 60" in line, f"{page}: {line}"
