"""The picture that links to a game show: its size, what it says, and that all of it stays inside."""

import io
from xml.etree import ElementTree

import pytest
from PIL import Image

from domain.rulesets import RULESETS
from service.languages import words
from service.pictures import font, png
from service.pictures.preview import HEIGHT, WIDTH, preview_svg, waiting_svg
from service.web.sample import sample_view
from tests.service.pictures.positions import NAMES, texts, views

LONG = "Wilhelmina Maximiliane von und zu Hohenstaufen-Wittelsbach"


def position(kind, *names, **more):
    view = {**sample_view(kind), **more}
    seats = [
        seat | ({"name": names[number]} if number < len(names) else {}) for number, seat in enumerate(view["seats"])
    ]
    return view | {"seats": seats}


def drawn(kind, view, language="en"):
    return preview_svg(kind, view, RULESETS[kind].presentation.title, words(language, kind))


@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_a_preview_says_which_game_how_far_it_is_and_who_has_what(kind, language):
    view = position(kind)
    said = texts(ElementTree.fromstring(drawn(kind, view, language)))
    assert RULESETS[kind].presentation.title in said
    assert {seat["name"] for seat in view["seats"]} <= set(said)
    assert "Wardroom" in said


def test_a_preview_marks_who_is_to_move_and_nobody_when_the_game_is_over():
    view = position("tammany-hall")
    assert "Dieter is to move" in drawn("tammany-hall", view)
    assert drawn("tammany-hall", view).count('stroke="#9a3324" stroke-width="3"') == 1
    over = drawn("tammany-hall", view | {"phase": "over", "winners": [0]})
    assert "Annie wins with 12 VP" in " ".join(texts(ElementTree.fromstring(over)))
    assert 'stroke="#9a3324" stroke-width="3"' not in over


@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_long_names_are_cut_so_that_all_stays_inside(kind):
    names = [LONG] * len(sample_view(kind)["seats"])
    picture = ElementTree.fromstring(drawn(kind, position(kind, *names)))
    beside = picture.findall("./{*}text") + picture.findall("./{*}g/{*}text")
    for text in beside:
        size, bold = float(text.get("font-size", 0)), text.get("font-weight") == "700"
        assert font.width(text.text or "", size, bold=bold) <= 660, text.text


def test_a_name_is_drawn_and_never_read_as_markup():
    hostile = '</text><script>alert("1")</script>'
    picture = ElementTree.fromstring(drawn("tammany-hall", position("tammany-hall", hostile)))
    assert not picture.findall(".//{*}script")
    named = {element.tag.rpartition("}")[2] for element in picture.iter() if element.get("id") or element.get("href")}
    assert named <= {"pattern"}


def test_a_table_that_waits_shows_who_sits_there():
    said = texts(ElementTree.fromstring(waiting_svg("city-hall", "City Hall", ["Ann", "Bob"], "1 seat is free")))
    assert {"City Hall", "Ann", "Bob", "1 seat is free"} <= set(said)


@pytest.mark.slow
def test_a_preview_is_of_the_size_that_previews_want():
    with Image.open(io.BytesIO(png(drawn("city-hall", position("city-hall")), WIDTH))) as image:
        assert image.size == (WIDTH, HEIGHT) == (1200, 630)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 3, 5])
def test_a_preview_can_be_made_of_every_phase_of_a_game(number):
    for kind, view in views(number):
        points = [seat["vp"] for seat in view["seats"]] if kind == "tammany-hall" else view["result"] or {}
        said = texts(ElementTree.fromstring(drawn(kind, view)))
        assert set(NAMES[: len(view["seats"])]) <= set(said)
        if kind == "tammany-hall":
            assert {f"{vp} VP" for vp in points} <= set(said)
        elif points:
            assert {f"{votes} vote{'s' * (votes != 1)}" for votes in points["votes"]} <= set(said)
