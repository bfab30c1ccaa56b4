"""The tables beside a map: all that lies open stands in them, in the reader's words, and nothing that is secret."""

from functools import cache
from xml.etree import ElementTree

import pytest
from hypothesis import Phase, given, settings
from jinja2 import Environment, PackageLoader, StrictUndefined

from domain.city_hall.rules.pieces import OFFICES
from domain.rulesets import RULESETS
from domain.tammany_hall.rules.board import COLOURS, TITLES
from service.languages import catalogue, words
from service.pictures import has_drawing
from service.pictures.page import Marks
from service.web.positions import position
from tests.domain.twins import GAMES as SECRETS
from tests.domain.twins import Twins, positions
from tests.service.pictures.positions import game, seen, views

pytestmark = pytest.mark.slow  # whole games drawn, position by position

GAMES = range(6)
PAGE = """
{% import "positions/" ~ position.kind ~ ".html" as tables %}
<div class="play"><div class="board-part"><div class="map">{{ position.map }}</div></div>
<div class="near">{{ tables.near(position.tables) }}</div>
<div class="beside">{{ tables.beside(position.tables) }}</div></div>"""


@cache
def environment(language="en"):
    """The templates with the functions that pages give them."""
    found = Environment(
        loader=PackageLoader("service.web"), autoescape=True, undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"], trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    texts = catalogue(language)
    found.install_gettext_callables(texts.gettext, texts.ngettext, newstyle=True, pgettext=texts.pgettext)
    return found


def html(kind, view, language="en", marks=None):
    shown = position(kind, view, words(language, kind), marks or Marks())
    return environment(language).from_string(PAGE).render(position=shown)


def page(kind, view, language="en"):
    """A position's part of a page, read as XML: whatever it is made of is closed again."""
    source = html(kind, view, language).replace("&nbsp;", " ")
    return ElementTree.fromstring(f"<main>{source}</main>")


@cache
def pages(number):
    return [(view, page(kind, view)) for kind, view in views(number, ("Ann", "Bob", "Cyd", "Dan", "Eve"))]


def text(element):
    return " ".join("".join(element.itertext()).split())


def by_id(found):
    return {element.get("id"): element for element in found.iter() if element.get("id")}


@pytest.mark.parametrize("number", GAMES)
def test_no_id_is_there_twice_and_every_target_of_a_choice_is(number):
    for view, found in pages(number):
        ids = [element.get("id") for element in found.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        wanted = {f"seat-{seat}" for seat in range(view["players"])}
        if number < 3:
            wanted |= {f"chip-{colour}" for colour in COLOURS} | {f"office-{title}" for title in TITLES} | {"garden"}
        else:
            wanted |= {f"office-{office}" for office in OFFICES}
            mine = next((seat["hand"] for seat in view["seats"] if seat["hand"]), {}) if view["phase"] != "over" else {}
            wanted |= {f"permit-{permit}" for permit, count in mine.items() if count}
        assert wanted <= set(ids)


@pytest.mark.parametrize("number", range(3))
def test_a_seat_of_tammany_hall_shows_all_that_lies_open(number):
    for view, found in pages(number):
        for place, seat in enumerate(view["seats"]):
            row = by_id(found)[f"seat-{place}"]
            name, points, chips, slander, bosses = map(text, row)
            assert seat["name"] in name
            assert points == str(seat["vp"])
            assert bosses == str(seat["bosses_left"])
            used = seat["slandered"] and view["phase"] != "over"
            assert slander == (f"{seat['slander']} used" if used else str(seat["slander"]))
            for colour, letter in zip(COLOURS, "IEGT", strict=True):
                count = seat["chips"][colour]
                assert (f"{letter}{count} " in chips) == bool(count)
            assert ("to act" in name) == (place in view["active"])
            assert ("asked" in row.get("class").split()) == (place in view["active"])


@pytest.mark.parametrize("number", range(3, 6))
def test_a_seat_of_city_hall_shows_its_holdings_or_that_they_are_hidden(number):
    for view, found in pages(number):
        for place, seat in enumerate(view["seats"]):
            row = by_id(found)[f"seat-{place}"]
            name, holdings, votes, stars = map(text, row)
            assert seat["name"] in name
            assert (f"${seat['money']} {seat['influence']} " in holdings) == (seat["money"] is not None)
            assert holdings.count("hidden from you") == 2 * (seat["money"] is None)
            assert votes.startswith(f"{seat['rating']} × {seat['population']} = ")
            assert stars == str(seat["stars"])
            assert ("to act" in name) == (place in view["active"])


@pytest.mark.parametrize("language, shown", [("de", "{} $"), ("fr", "{}\N{NO-BREAK SPACE}$")])
def test_money_is_written_as_the_reader_writes_it(language, shown):
    view, _ = pages(3)[0]
    page = html("city-hall", view, language)
    for seat in view["seats"]:
        if seat["money"] is not None:
            assert shown.format(seat["money"]) in page
            assert f"${seat['money']}" not in page


@pytest.mark.parametrize("number", range(3, 6))
def test_an_auction_shows_every_bid_next_to_the_offices(number):
    """CH-7.5; what decides it, bids, Influence on Offices and what the reader has, stands in one part of the page."""
    for view, found in pages(number):
        near = next(part for part in found.iter("div") if part.get("class") == "near")
        for office, chair in view["offices"].items():
            said = text(by_id(near)[f"office-{office}"])
            assert (f"{chair['influence']} Influence on it" in said) == bool(chair["influence"])
            assert ("in play" in said) == (office == view["office"])
        shown = text(near)
        bidding = view["bidding"] or {"bids": [], "waiting": []}
        assert shown.count("to answer") == len(bidding["waiting"])
        assert shown.count("passes") == sum(1 for _, amount in bidding["bids"] if amount is None)
        amounts = [(amount, view["seats"][seat]["name"]) for seat, amount in bidding["bids"] if amount is not None]
        highest = [text(entry) for entry in near.iter("li") if "highest" in text(entry)]
        assert len(highest) == bool(amounts)
        assert all(max(amounts)[1] in entry for entry in highest)
        assert shown.count("bids ") == sum(1 for _, amount in bidding["bids"] if amount is not None)


@pytest.mark.parametrize("number", GAMES)
def test_the_end_shows_the_best_first_and_who_has_won(number):
    """TH-13, CH-12."""
    view, found = pages(number)[-1]
    assert view["phase"] == "over"
    table = next(table for table in found.iter("table") if "scores" in table.get("class"))
    rows = list(table.find("tbody"))
    points = [int(text(row[1])) for row in rows]
    assert points == sorted(points, reverse=True)
    winners = {view["seats"][seat]["name"] for seat in view.get("winners") or [view["result"]["mayor"]]}
    won = [text(row[0]) for row in rows if row.get("class") == "won"]
    assert len(won) == len(winners)
    assert all(any(name in row for row in won) for name in winners)
    if number < 3:
        for row, total in zip(rows, points, strict=True):
            assert sum(int(part.text.split()[-1]) for part in row[2]) == total


@pytest.mark.parametrize("number", range(3, 6))
def test_the_track_shows_who_stands_where_and_the_star_token(number):
    """CH-2.6."""
    for view, found in pages(number):
        track = next(part for part in found.iter("ol") if part.get("class") == "track")
        for space, entry in enumerate(track, 1):
            here = {seat["name"] for seat in view["seats"] if seat["approval"] == space}
            assert {seat["name"] for seat in view["seats"] if seat["name"] in text(entry)} == here
            assert ("Star Token" in text(entry)) == (view["star_token"] == space)


@pytest.mark.parametrize("number", GAMES)
def test_tables_have_captions_and_heads_that_say_what_they_are_heads_of(number):
    for _, found in pages(number):
        for table in found.iter("table"):
            assert text(table.find("caption"))
            assert all(head.get("scope") in ("col", "row") for head in table.iter("th"))
            assert all(row[0].tag == "th" for body in table.iter("tbody") for row in body)
        assert all(text(section) and section.get("aria-label") for section in found.iter("section"))


@pytest.mark.parametrize("number", GAMES)
def test_letters_on_pieces_are_not_read_aloud_but_what_they_stand_for_is(number):
    for _, found in pages(number):
        for piece in found.iter("span"):
            if (piece.get("class") or "").split()[:1] in (["token"], ["cube"], ["medal"], ["card-back"]):
                assert piece.get("aria-hidden") == "true"


def test_th_14_1_the_tables_of_two_games_that_differ_in_a_sealed_bid_are_alike():
    """To everybody but the bidder, and there it lies folded."""
    rules, found = game(2)
    state = next(state for state in found if state.phase == "bid" and state.bids)
    (bidder, bid), *_ = state.bids.items()
    twin = rules.decider.copy(state)
    twin.bids[bidder] = tuple(0 if count else 1 for count in bid)
    for seat in (None, *range(len(state.players))):
        one, other = (html(rules.kind, seen(rules, truth, seat)) for truth in (state, twin))
        assert (one == other) == (seat != bidder)
        assert ("<details" in one) == (seat == bidder)


@pytest.mark.parametrize("number", range(len(SECRETS)), ids=[secrets.rules.kind for secrets in SECRETS])
def test_out_30_the_tables_of_two_games_that_differ_in_what_is_hidden_are_alike(number):
    rules = SECRETS[number].rules

    @settings(max_examples=30, phases=[Phase.generate])
    @given(twins=positions(number))
    def law(twins: Twins) -> None:
        one, other = (html(rules.kind, seen(rules, state, twins.reader)) for state in twins[:2])
        assert one == other

    law()


@pytest.mark.parametrize("language", ["fr", "de"])
@pytest.mark.parametrize("number", GAMES)
def test_out_37_every_word_is_in_the_readers_language(number, language):
    for kind, view in views(number):
        shown = text(page(kind, view, language)).split()
        assert not {"Players", "Offices", "Supplies", "open;", "neighbours", "beside", "Influence on it"} & set(shown)


@pytest.mark.parametrize("name", ["<b>&amp;\"'", "]]><script>", "李小龍", "{{ 7 * 7 }}"])
def test_t_51_names_are_text(name):
    for number in (2, 5):
        kind, view = next(views(number, (name, "Bob", "Cyd", "Dan", "Eve")))
        row = by_id(page(kind, view))["seat-0"]
        assert " ".join(name.split()) in text(row)


def test_every_game_that_is_drawn_has_its_tables():
    drawn = [kind for kind in RULESETS if has_drawing(kind)]
    assert {"city-hall", "tammany-hall"} <= set(drawn)
    for kind in drawn:
        assert environment().get_template(f"positions/{kind}.html").module.near


def test_marks_reach_the_map():
    kind, view = next(views(0))
    assert 'class="place lit"' in html(kind, view, marks=Marks(lit=frozenset({"ward-1"})))
