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


@pytest.mark.parametrize("kind, chapter, rows", [("tammany-hall", "TH-17", 34), ("city-hall", "CH-19", 48)])
def test_every_ruling_shows_what_the_sources_say_and_why_it_is_so(kind, chapter, rows):
    """TH-17.1, CH-19.1: a player sees where a ruling is ours."""
    text = next(part.text for part in chapters(kind) if part.number == chapter)
    table = text[text.index('<th class="number">no.</th>') :].partition("</table>")[0]
    shown = [
        [re.sub("<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in table.split("</tr>")[:-1]
    ]
    assert [name.rstrip("s") for name in shown[0][3:]] == ["default", "why", "variant"]
    assert re.fullmatch("sources? says?", shown[0][2])
    assert [row[0] for row in shown[1:]] == [str(number) for number in range(1, rows + 1)]
    for row in shown[1:]:
        assert all(row), row
    offered = RULESETS[kind].options
    named = {word.partition("=")[0] for row in shown[1:] for word in row[5].split() if "=" in word}
    assert named == set(offered)


def test_th17_1_rulings_against_the_printed_words_offer_these_as_a_variant():
    """TH-7.11, TH-11.5, TH-13.7, CH-10.5: the printed wording can be chosen."""
    for kind, option, rule in (
        ("tammany-hall", "lock-scope", "TH-7.11"), ("tammany-hall", "holdover-vp", "TH-11.5"),
        ("tammany-hall", "final-tie", "TH-13.7"), ("city-hall", "park-approval", "CH-10.5"),
    ):  # fmt: skip
        assert RULESETS[kind].presentation.variants[option].rule == rule
        assert rule in numbers(kind)


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
