"""The rules on a page: every number that anybody is told has its address there."""

import re
from pathlib import Path

import pytest

from domain.rulesets import RULESETS
from service.games.rule_links import PREFIXES, rule_link
from service.web.rules_text import chapters, numbers
from tests.service.web.browser import Browser
from tests.test_docs import numbered

ROOT = Path(__file__).parents[3]
KINDS = sorted(PREFIXES.values())


@pytest.mark.parametrize("kind", KINDS)
def test_every_rule_that_is_defined_has_its_address(kind):
    assert numbered(kind) <= numbers(kind)


@pytest.mark.parametrize("prefix, kind", PREFIXES.items())
def test_every_rule_that_a_refusal_cites_has_its_address(prefix, kind):
    code = "".join(file.read_text("utf-8") for file in (ROOT / "domain" / kind.replace("-", "_")).rglob("*.py"))
    cited = set(re.findall(rf'"({prefix}-\d+(?:\.\d+)?)"', code))
    assert len(cited) > 20
    assert cited <= numbers(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_on_the_page_leads_somewhere(tables, kind):
    page = Browser(tables.services).get(f"/rules/{kind}")
    anchors = [link.removeprefix("#") for link in page.links if re.match(r"#[TC]H-", link)]
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert set(anchors) <= set(ids)
    assert not any("style" in attributes for _, attributes in page.tags)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("kind", KINDS)
def test_the_rulebooks_are_not_quoted(kind):
    text = "".join(chapter.text for chapter in chapters(kind))
    assert "sources say" not in text
    assert "source says" not in text
    assert "default" in text


def test_th17_1_a_row_keeps_its_other_columns():
    questions = next(chapter.text for chapter in chapters("tammany-hall") if chapter.number == "TH-17")
    assert "How many chips?" in questions
    assert "35, limited" in questions
    assert "140. S1" not in questions


def test_a_rule_leads_to_the_page_of_its_game():
    assert rule_link("TH-8.3") == "/rules/tammany-hall#TH-8.3"
    assert rule_link("CH-7.6") == "/rules/city-hall#CH-7.6"
    assert rule_link("DESIGN-8") == ""


def test_the_page_says_in_the_reader_s_language_that_the_rules_are_english(tables):
    page = Browser(tables.services, language="de").get("/rules/tammany-hall")
    assert ("article", {"class": "rule-text", "lang": "en"}) in page.tags
    assert "auf Englisch" in page.words


def test_all_games_with_rules_are_listed(tables):
    page = Browser(tables.services).get("/rules")
    assert [f"/rules/{kind}" for kind in RULESETS if kind in KINDS] == [
        link for link in page.links if link.startswith("/rules/")
    ]


@pytest.mark.parametrize("kind", ["pennies", "nothing", "tammany_hall"])
def test_a_game_without_rules_has_no_page(tables, kind):
    assert Browser(tables.services).get(f"/rules/{kind}").status == 404
