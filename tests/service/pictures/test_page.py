"""The boards on a page: every place has an id and a name that reads it completely, and nothing covers anything else."""

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.lessons.position import position
from domain.city_hall.rules import events as city
from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.pieces import LANDS
from domain.engine.sentences import Sentence
from domain.tammany_hall.rules import events as tammany
from domain.tammany_hall.rules.board import ELECTION_ORDER, NEIGHBOURS
from service.pictures import page
from service.pictures.page import Marks, changed_places, last_movers, page_board, page_document, page_people
from tests.service.pictures.positions import SVG, game, seen, views

pytestmark = pytest.mark.slow  # whole games drawn, position by position

GAMES = range(6)
PHONE = 320
"""Pixels across the map on the smallest phone; the map is 600 units wide."""
NAMED = re.compile(r"var\(--([a-z-]+)\)")
STYLE = Path(page.__file__).parents[1] / "web" / "static" / "board.css"


def shown(kind, view, **more):
    people = page_people(kind, view)
    return ElementTree.fromstring(page_board(kind, view, people, **more))


@cache
def positions(number):
    """Positions of a game with their pictures."""
    return [(kind, view, shown(kind, view)) for kind, view in views(number)]


def places(picture):
    return {place.get("id"): place for place in picture if place.get("id")}


def name(place):
    return place.find(f"{SVG}title").text


def ward_view(**about):
    found = [it for it in game(2)[1] if all(getattr(it, key) == value for key, value in about.items())]
    return seen(game(2)[0], found[-1], 0, ("Ann", "Bob", "Cyd", "Dan", "Eve"))


@pytest.mark.parametrize("number", GAMES)
def test_every_place_is_there_once_with_its_id(number):
    """TH-3.1: fifteen wards; CH-2.1: twenty-two spaces."""
    wanted = {f"ward-{ward}" for ward in ELECTION_ORDER} if number < 3 else {f"land-{land}" for land in LANDS}
    for _, view, picture in positions(number):
        named = [element.get("id") for element in picture.iter() if element.get("id")]
        ids = [name for name in named if not name.startswith("s-")]
        assert len(ids) == len(set(ids))
        waiting = {f"garden-{colour}" for colour, count in view.get("garden", {}).items() if count}
        assert set(ids) == wanted | waiting | ({"garden"} if number < 3 else set())


@pytest.mark.parametrize("number", range(3))
def test_the_name_of_a_ward_reads_it_completely(number):
    for _, view, picture in positions(number):
        found = places(picture)
        for ward in ELECTION_ORDER:
            read, state = name(found[f"ward-{ward}"]), view["wards"][str(ward)]
            assert re.match(rf"Ward {ward}\b", read)
            assert read.endswith("; neighbours " + ", ".join(map(str, sorted(NEIGHBOURS[ward]))))
            assert ("; locked;" in read) == state["locked"]
            assert ("; elected now;" in read) == (view["ward"] == ward)
            if not state["active"]:
                assert "; from year " in read
                continue
            cubes = re.search(r"; cubes: ([^;]*);", read)[1]
            assert sum(map(int, re.findall(r"\d+", cubes))) == sum(state["cubes"].values())
            bosses = re.search(r"; bosses: ([^;]*);", read)[1]
            standing = [
                f"{seat['name']} {count}" for seat, count in zip(view["seats"], state["bosses"], strict=True) if count
            ]
            assert bosses == (", ".join(standing) or "none")


@pytest.mark.parametrize("number", range(3, 6))
def test_the_name_of_a_space_reads_it_completely(number):
    for _, view, picture in positions(number):
        found = places(picture)
        for land, state in view["lands"].items():
            read = name(found[f"land-{land}"])
            assert read.startswith(f"{land} in ")
            assert read.endswith("; beside " + ", ".join(BOARD.neighbours[land]))
            assert ("; its card is in the Land deck;" in read) == (state["state"] == "deck")
            if state["state"] == "available":
                assert re.search(r"; (available: (you get|costs) |not taken, )", read)
            if state["owner"] is not None:
                assert f"; owned by {view['seats'][state['owner']]['name']}; " in read
            if state["stars"] is not None:
                assert re.search(rf"; {state['stars']} stars?;", read)


PRICES = (
    ("draft", 15, "available: you get 15 dollars", "$15"),
    ("draft", 1, "available: you get 1 dollar", "$1"),
    ("draft", 0, "available: costs nothing", "$0"),
    ("build", 5, "available: costs 15 dollars", "$15"),
    ("activate", 15, "available: costs 5 dollars", "$5"),
    ("activate", 19, "available: costs 1 dollar", "$1"),
    ("activate", 20, "available: costs nothing", "$0"),
    ("resolve", 25, "available: you get 5 dollars", "$5"),
    ("resolve", 0, "available: costs 20 dollars", "$20"),
    ("over", 5, "not taken, 5 dollars on it", ""),
)


def test_the_money_on_a_space_reads_as_what_it_brings_or_costs():
    """CH-4.3 gives it in the draft; CH-8.11 takes it off the price of $20; no space is "for sale" for it."""
    view = seen(CITY_HALL, position(lands={"B1": "$15"}), None)
    for phase, money, words_of_it, drawn in PRICES:
        view["phase"], view["lands"]["B1"]["money"] = phase, money
        place = places(shown("city-hall", view))["land-B1"]
        assert f"; {words_of_it};" in name(place), (phase, money, name(place))
        sign = "+" if "you get" in words_of_it else ""
        written = {text.text for text in place.iter(f"{SVG}text")}
        assert sign + drawn in written if drawn else not [text for text in written if "$" in text], (phase, money)


def test_a_ward_reads_as_a_person_would_say_it():
    view = ward_view(phase="bid")
    view["wards"]["14"] |= {"cubes": {"irish": 2, "english": 0, "german": 1, "italian": 0}, "bosses": [1, 2, 0, 0, 0]}
    view["ward"] = 13
    read = "Ward 14, worth 2; cubes: 2 Irish, 1 German; bosses: Ann 1, Bob 2; open; neighbours 6, 8, 10, 15, 17"
    assert name(places(shown("tammany-hall", view))["ward-14"]) == read


@pytest.mark.parametrize("number", GAMES)
def test_whatever_is_drawn_is_hidden_from_those_who_hear_the_page(number):
    """They hear the title of each place, and nothing twice. The map is a group: it holds what may become buttons."""
    for _, _, picture in positions(number):
        assert picture.get("role") == "group"
        assert picture.get("aria-label")
        hidden = [
            text for part in picture.iter() if part.get("aria-hidden") == "true" for text in part.iter(f"{SVG}text")
        ]
        assert hidden == list(picture.iter(f"{SVG}text"))
        assert all(place.get("role") == "img" and name(place) for place in places(picture).values())


@pytest.mark.parametrize("number", GAMES)
def test_a_pages_picture_brings_no_style_and_loads_nothing(number):
    """It stands in a page with style-src 'self'; its colours are names of the palette."""
    for kind, view in views(number):
        source = page_board(kind, view, page_people(kind, view))
        assert source.count("http") == 1, "the name space, and no other address"
        own = re.sub(r'href="#s-[a-z-]+"|url\(#s-[a-z]+\)|"#[0-9a-f]{3,8}"', "", source)
        assert not re.search(r"(?i)\b(href|src|style|on\w+)=|url\(|<script|<image|<style|<!|<\?|@|#", own)
        assert {f"--{name}" for name in NAMED.findall(source)} <= set(re.findall(r"--[a-z-]+(?=:)", STYLE.read_text()))
        assert len(source) < 75_000


@pytest.mark.parametrize("number", GAMES)
def test_wcag_2_5_8_every_place_can_be_hit_with_a_finger_on_a_phone(number):
    """24 pixels each way where the map is 320 wide."""
    for _, _, picture in positions(number):
        for place in places(picture).values():
            (edge,) = (part for part in place if part.get("class") == "edge")
            assert all(min(_size(shape)) * PHONE / float(picture.get("viewBox").split()[2]) >= 24 for shape in edge)


def _size(shape):
    if points := shape.get("points"):
        xs, ys = zip(*(map(float, corner.split(",")) for corner in points.split()), strict=True)
        return max(xs) - min(xs), max(ys) - min(ys)
    if r := shape.get("r"):
        return 2 * float(r), 2 * float(r)
    return float(shape.get("width")), float(shape.get("height"))


@pytest.mark.parametrize("number", GAMES)
def test_every_place_says_where_its_middle_is(number):
    """For arrow keys that go to the neighbour in that direction: no two places have one middle."""
    for _, _, picture in positions(number):
        found = [(place.get("data-x"), place.get("data-y")) for place in places(picture).values()]
        assert len(found) == len(set(found))
        assert all(0 <= int(x) <= 640 for x, _ in found)


def test_th_3_2_ch_2_3_every_place_names_those_beside_it():
    """So that a page can light them: whom slander may reach next, what a Building stands beside."""
    wards, lands = (places(positions(number)[0][2]) for number in (0, 3))
    assert wards["ward-14"].get("data-near") == "ward-6 ward-8 ward-10 ward-15 ward-17"
    assert wards["garden"].get("data-near") == ""
    for found in (wards, lands):
        for key, place in found.items():
            assert all(key in found[other].get("data-near").split() for other in place.get("data-near").split())


def test_places_are_marked_and_a_name_is_no_class():
    view = ward_view(phase="bid")
    marks = Marks(
        drafted=frozenset({"ward-3"}), recent=frozenset({"ward-3", "ward-9"}), lit=frozenset({"ward-1", "seat-1"})
    )
    classes = {key: place.get("class") for key, place in places(shown("tammany-hall", view, marks=marks)).items()}
    assert classes["ward-3"] == "place drafted recent"
    assert classes["ward-9"] == "place recent"
    assert classes["ward-1"] == "place lit"
    assert classes["ward-2"] == "place"
    assert places(shown("tammany-hall", view))["ward-1"].get("data-place") == "1"


def test_a_changed_place_says_by_colour_letter_and_name_who_changed_it():
    """So that colour is never alone: the letter in the dot is seen, the name is heard."""
    view = ward_view(phase="bid")
    bob = page_people("tammany-hall", view)[1]
    marks = Marks(recent=frozenset({"ward-3", "ward-9"}), movers={"ward-3": bob, "ward-4": bob}, is_explained=True)
    picture = shown("tammany-hall", view, marks=marks)
    found = places(picture)
    dots = {
        key: [
            ("".join(dot.itertext()), dot.get("class"))
            for dot in place.iter(f"{SVG}g")
            if "trace" in dot.get("class", "")
        ]
        for key, place in found.items()
    }
    assert dots["ward-3"] == [(bob.mark, f"trace {dress} p-{bob.pawn}") for dress in ("wide", "narrow")]
    assert dots["ward-9"] == dots["ward-4"] == [("", "trace wide"), ("", "trace narrow")]
    for drawn, boxes in ((picture, 2), (shown("tammany-hall", view), 1)):
        legends = [group for group in drawn.iter(f"{SVG}g") if group.get("class") == "legend"]
        assert len(legends) == boxes, "one for the pieces, and one for the dots if there are any"
    assert name(found["ward-3"]).endswith(f"; changed by {bob.name}")
    assert "changed by" not in name(found["ward-9"]) + name(found["ward-4"])


def test_a_place_was_changed_by_who_acted_there_last_or_won_it():
    for kind, event, wanted in (
        ("tammany-hall", tammany.BossesPlaced(2, [3, 14]), {"ward-3": 2, "ward-14": 2}),
        ("tammany-hall", tammany.ImmigrantSettled(0, 5, "irish", 6, 1), {"ward-5": 0, "ward-6": 0}),
        ("tammany-hall", tammany.WardResolved(3, {"1": 2}, 1, {}, None), {"ward-3": 1}),
        ("tammany-hall", tammany.WardResolved(3, {}, None, {}, None), {}),
        ("city-hall", city.LandDrafted(1, "Q3", 15, 0, last=False), {"land-Q3": 1}),
        ("city-hall", city.BuildingFounded(2, "park", "M1", {"M2": 1}, last=False), {"land-M1": 2, "land-M2": 2}),
    ):
        assert last_movers(kind, [event]) == wanted, event
    first, then = tammany.BossesPlaced(2, [3, 14]), tammany.WardResolved(3, {}, None, {}, None)
    assert last_movers("tammany-hall", [first, then]) == {"ward-14": 2}


def test_places_that_differ_between_two_positions_are_found():
    rules, found = game(2)
    before = seen(rules, next(it for it in found if it.phase == "turn"), 0)
    after = seen(rules, next(it for it in found if it.phase == "turn"), 0)
    people = page_people(rules.kind, before)
    assert changed_places(rules.kind, before, after, people) == frozenset()
    for kind, view in (*views(2), *views(5)):
        seated = page_people(kind, view)
        names = page._places(kind).place_names(view, seated)
        assert names == {place.id: place.name for place in page.map_of(kind, view, seated).places}
    after["wards"]["5"]["bosses"][0] += 1
    after["wards"]["7"]["locked"] = True
    after["garden"]["irish"] += 1
    assert changed_places(rules.kind, before, after, people) == {"ward-5", "ward-7", "garden", "garden-irish"}


@pytest.mark.parametrize("number", GAMES)
def test_out_37_every_name_is_said_by_the_speaker(number):
    def speaker(label):
        assert isinstance(label, Sentence), label
        return "Ω"

    for kind, view in views(number):
        picture = shown(kind, view, words=speaker)
        assert {name(place) for place in places(picture).values()} == {"Ω"}


WILD = ("<b>&amp;\"'", "]]><script>", "<!--", "&lt;", "李小龍")


@pytest.mark.parametrize("number", [2, 5])
def test_t_51_markup_in_names_is_text_and_no_letter_is_lost_in_a_title(number):
    for kind, view in views(number, WILD):
        found = places(shown(kind, view))
        assert not any("<b>" in place.get("id") for place in found.values())
        standing = {seat["name"] for seat in view["seats"]}
        read = " ".join(map(name, found.values()))
        assert all(person in read for person in standing) or view["phase"] in ("turn", "draft", "build", "activate")


@pytest.mark.parametrize("number", [2, 5])
def test_the_same_picture_is_a_document_with_a_style_of_its_own(number):
    for kind, view in views(number):
        people = page_people(kind, view)
        document = ElementTree.fromstring(page_document(kind, view, people))
        style = document.find(f"{SVG}style")
        assert "--ink: #1f1d1a" in style.text
        assert ".place.lit" in style.text
        document.remove(style)
        alone = ElementTree.fromstring(page_board(kind, view, people))
        assert ElementTree.tostring(document).strip() == ElementTree.tostring(alone).strip()


@pytest.mark.parametrize("number", GAMES)
def test_out_30_secrets_are_in_no_picture_of_a_page(number):
    """TH-14.1, CH-14: the map shows what lies open, so it is the same for everybody."""
    rules, found = game(number)
    for state in found[::23]:
        seats = (None, *range(len(state.players)))
        alike = {ElementTree.tostring(shown(rules.kind, seen(rules, state, seat))) for seat in seats}
        assert len(alike) == 1
