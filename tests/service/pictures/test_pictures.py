"""The boards as pictures: all that a seat may see is in them, nothing else is, and everybody can read them."""

import math
import re
import time
from collections import defaultdict
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import Phase, given, settings

from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.pieces import LANDS
from domain.engine.sentences import Sentence
from domain.rulesets import RULESETS
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.board import BORDERS, COLOURS, ELECTION_ORDER
from service.languages import words
from service.pictures import WIDTH, alt_text, board_svg, captions_of, font, has_drawing, svg, unstarted_svg
from service.pictures.city_hall import page_map as city_hall
from service.pictures.city_hall.page_map import LOTS
from service.pictures.page import map_of
from service.pictures.people import drawn_people, marks
from service.pictures.still import still_map
from service.pictures.tammany_hall import map as island
from tests.domain.table.pennies import PENNIES
from tests.domain.twins import GAMES as SECRETS
from tests.domain.twins import Twins, positions
from tests.service.pictures.positions import NAMES, SVG, TITLE, drawn, game, seen, texts, views

pytestmark = pytest.mark.slow  # whole games drawn, position by position

GAMES = range(6)
WARD_GAMES = range(3)
CITY_GAMES = range(3, 6)
LONG = "Bartholomew-the-Unbearably-Long-Winded-3"


def ward_view(phase="turn", players=5, **about):
    """A position of Tammany Hall in that phase."""
    found = next(
        it
        for it in game(players - 3)[1]
        if it.phase == phase and all(getattr(it, name) == value for name, value in about.items())
    )
    return seen(TAMMANY_HALL, found, 0)


# What is in a picture


@pytest.mark.parametrize("number", WARD_GAMES)
def test_every_ward_is_drawn_with_its_immigrants_and_bosses(number):
    """TH-3.1: all fifteen, each with as many pieces as kinds of immigrants and of bosses in it."""
    for kind, view in views(number):
        picture = drawn(kind, view)
        found, pieces = texts(picture), [part.get("data-piece") for part in picture.iter() if part.get("data-piece")]
        assert all(str(ward) in found for ward in ELECTION_ORDER)
        wards = [ward for ward in view["wards"].values() if ward["active"]]
        for seat, name in enumerate(NAMES[: len(view["seats"])]):
            stands_in = sum(1 for ward in wards if ward["bosses"][seat])
            assert found.count(name[0].upper()) >= stands_in
        kinds = sum(1 for ward in wards for colour in COLOURS if ward["cubes"][colour])
        assert pieces.count("cube") >= kinds + len(COLOURS), "and one of each in the legend"
        locked = sum(ward["locked"] for ward in view["wards"].values())
        assert pieces.count("lock") == locked
        chains = [line for line in picture.iter(f"{SVG}polyline") if line.get("stroke-dasharray")]
        assert len(chains) == 2 * locked, "links, and what is in them"


@pytest.mark.parametrize("number", CITY_GAMES)
def test_every_space_is_drawn_with_its_money_or_its_stars(number):
    """CH-2.1: all 22, those available with their price (CH-4.3, CH-8.11)."""
    for kind, view in views(number):
        found = texts(drawn(kind, view))
        assert all(land in found for land in LANDS)
        offered = [land for land in view["lands"].values() if land["state"] == "available" and view["phase"] != "over"]
        assert sum(found.count(caption) for caption in ("you get", "costs")) == len(offered)
        for land in offered:
            price = land["money"] - (0 if view["phase"] == "draft" else 20)
            assert f"+${price}" in found if price > 0 else f"${abs(price)}" in found


def test_the_ward_that_is_elected_stands_out():
    """It has an amber frame, and all others lie under a veil."""
    view = ward_view("bid")
    parts = list(drawn("tammany-hall", view).iter(f"{SVG}polygon"))
    frames = [part for part in parts if part.get("stroke") == "#f2b63c"]
    assert [part.get("points") for part in frames] == [svg.points(island.ring(view["ward"]))]
    veiled = {part.get("points") for part in parts if part.get("fill-opacity") == "0.38"}
    assert veiled == {svg.points(island.ring(ward)) for ward in ELECTION_ORDER if ward != view["ward"]}
    for other in (ward_view("turn"), ward_view("over")):
        assert not [part for part in drawn("tammany-hall", other).iter() if part.get("stroke") == "#f2b63c"]


def test_zones_that_are_closed_say_when_they_open():
    """TH-3.6: three players begin with zone I alone."""
    found = texts(drawn("tammany-hall", ward_view(players=3, year=1)))
    assert found.count("year 5") == 5
    assert found.count("year 9") == 4


def test_a_game_without_a_position_says_so():
    picture = ElementTree.fromstring(unstarted_svg(TITLE))
    assert texts(picture) == [TITLE, "The game has not started"]


def test_every_game_there_is_has_a_drawing():
    ours = [kind for kind, rules in RULESETS.items() if rules.decider.state.__module__.startswith("domain.")]
    assert len(ours) > 1
    assert all(map(has_drawing, ours))


def test_a_game_without_a_drawing_is_shown_as_text(monkeypatch):
    """A ruleset needs no line outside its package: the toy game has none here."""
    monkeypatch.setitem(RULESETS, PENNIES.kind, PENNIES)
    view = PENNIES.decider.view(PENNIES.decider.initial(2, {"rounds": "1"}), None)
    picture = drawn(PENNIES.kind, view)
    assert not has_drawing(PENNIES.kind)
    assert texts(picture)[0] == TITLE
    assert " ".join("".join(texts(picture)[1:]).split()).startswith("{'seats': ")
    assert alt_text(PENNIES.kind, view).startswith("{'seats': ")


# The maps


def test_th_3_2_wards_share_a_border_line_if_and_only_if_they_are_neighbours():
    sides = defaultdict(set)
    for ward, ring in island.RINGS.items():
        for one, other in zip(ring, (*ring[1:], ring[0]), strict=True):
            sides[frozenset((one, other))].add(ward)
    assert {tuple(sorted(wards)) for wards in sides.values() if len(wards) == 2} == set(BORDERS)
    assert all(len(wards) <= 2 for wards in sides.values())
    for side, wards in sides.items():
        assert len(wards) == 1 or math.dist(*(island.POINTS[name] for name in side)) > 30, "too short to be seen"


def inside(point, ring):
    """A point lies within a ring (an odd number of sides is to the right of it)."""
    x, y = point
    crossed = [
        (x1 + (y - y1) * (x2 - x1) / (y2 - y1)) > x
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True)
        if (y1 > y) != (y2 > y)
    ]
    return sum(crossed) % 2 == 1


def test_th_3_2_wards_do_not_overlap_and_their_pieces_stand_in_them():
    for ward, (x, y, room, height) in island.PLACES.items():
        for point in ((x, y + 4), (x + room * 0.6, y + 8), (x + 10, y + height - 12)):
            homes = [other for other in ELECTION_ORDER if inside(point, island.ring(other))]
            assert homes == [ward], (ward, point)


def test_a_ward_holds_all_that_can_be_in_it():
    """Four peoples, bosses of five players, a lock and a prize, in its place and no smaller than can be read."""
    view = ward_view(year=13)
    for ward in view["wards"].values():
        ward |= {"cubes": dict.fromkeys(COLOURS, 9), "bosses": [9] * 5, "locked": True}
    board = map_of("tammany-hall", view, drawn_people(view, TAMMANY_HALL.notation.pawns))
    for place in board.places[: len(ELECTION_ORDER)]:
        x, y, room, height = island.PLACES[int(place.id.partition("-")[2])]
        only = ElementTree.fromstring(
            svg.document(600, 680, "", "#ffffff", still_map("tammany-hall", replace(board, ground="", places=[place])))
        )
        for text, left, anchor, size, bold, base in placed(only):
            wide = font.width(text, size, bold=bold)
            left -= {"start": 0, "middle": wide / 2, "end": wide}[anchor]
            assert x - 2 <= left <= left + wide <= x + room + 14, (place.id, text)
            assert y <= base <= y + height + 8, (place.id, text)
            assert size >= 9, (place.id, text)


def test_ch_2_3_spaces_of_a_borough_touch_as_their_grid_says():
    """And no space covers another. All are on the map."""
    for name, one in LOTS.items():
        assert one.x >= 0
        assert one.x + one.wide <= city_hall.WIDTH
        near = {
            other
            for other, it in LOTS.items()
            if other != name
            and max(one.x, it.x) - min(one.x + one.wide, it.x + it.wide) < 9
            and max(one.y, it.y) - min(one.y + one.high, it.y + it.high) < 9
        }
        assert near == {other for other in BOARD.neighbours[name] if other[0] == name[0]}


def test_ch_2_4_a_bridge_crosses_the_river_straight():
    roads = [
        way.get("d")
        for way in drawn("city-hall", next(views(3))[1]).iter(f"{SVG}path")
        if way.get("stroke-width") == "12"
    ]
    assert len(roads) == len(BOARD.bridges)
    for road in roads:
        x1, y1, x2, y2 = map(float, re.findall(r"[0-9.]+", road))
        assert x1 == x2 or y1 == y2
        crossed = ((x1 + x2) / 2, (y1 + y2) / 2)
        assert not any(
            it.x < crossed[0] < it.x + it.wide and it.y < crossed[1] < it.y + it.high for it in LOTS.values()
        )


# Secrets


@pytest.mark.parametrize("number", range(len(SECRETS)), ids=[secrets.rules.kind for secrets in SECRETS])
def test_out_30_games_that_differ_in_what_is_hidden_are_drawn_alike(number):
    """TH-14.1, CH-14: sealed bids, money, Influence and hands are in no picture for anybody else."""
    rules = SECRETS[number].rules

    @settings(max_examples=20, phases=[Phase.generate])
    @given(twins=positions(number))
    def law(twins: Twins) -> None:
        one, other = (seen(rules, state, twins.reader) for state in twins[:2])
        assert board_svg(rules.kind, one, TITLE) == board_svg(rules.kind, other, TITLE)
        assert alt_text(rules.kind, one) == alt_text(rules.kind, other)
        assert captions_of(rules.kind).points(one) == captions_of(rules.kind).points(other)

    law()


@pytest.mark.parametrize("number", GAMES)
def test_a_picture_is_the_same_every_time_and_leaves_the_view_alone(number):
    for kind, view in views(number):
        before = repr(view)
        assert board_svg(kind, view, TITLE) == board_svg(kind, view, TITLE)
        assert repr(view) == before


# People and their names


WILD = ("<b>&amp;\"'", "]]><script>", "<!--", "&lt;", "a\u00a0b")


@pytest.mark.parametrize("number", [2, 5])
def test_markup_in_names_and_titles_is_text(number):
    """T-51, S-27: a name stays what it is, and the picture has no element that is not ours."""
    for kind, view in views(number, WILD):
        title = 'A <i>"game"</i> & more'
        picture = ElementTree.fromstring(board_svg(kind, view, title))
        assert picture.get("aria-label").startswith(f"{title}. ")
        assert {one.tag.removeprefix(SVG) for one in picture.iter()} <= SHAPES


SHAPES = {"svg", "defs", "pattern", "g", "rect", "circle", "ellipse", "polygon", "polyline", "path", "text"}


def test_a_name_the_font_cannot_draw_gives_way_to_the_pawn():
    for name in ("李小龍", "محمد", "שלום", "🙂🙂", "ann\u0301\u0336", "\ud800", "  ", ""):
        seated = drawn_people({"seats": [{"name": name}, {"name": "bob"}]}, ("red", "yellow"))
        assert [person.name for person in seated] == ["red", "bob"], name
    for name in ("Ωλήν", "Борис", "Łukasz", "Zoë", "Ștefan", "ŉou", "ßa"):
        assert drawn_people({"seats": [{"name": name}]}, ("red",))[0].name == name


def test_marks_tell_seats_apart():
    pawns = ("red", "yellow", "black")
    assert marks(["ann", "bob", "cyd"], pawns) == ["A", "B", "C"]
    assert marks(["ann", "alice", "bob"], pawns) == ["An", "Al", "Bo"]
    assert marks(["anna", "anne", "bob"], pawns) == ["Re", "Ye", "Bl"]
    assert marks(["ßa", "ssb", "x"], pawns)[2] == "X"


# Words


@pytest.mark.parametrize("number", GAMES)
def test_out_37_every_label_is_said_by_the_speaker(number):
    """Whatever is not a number, a space or the letter of a piece comes out as the speaker says it."""
    left = set(LANDS)

    def speaker(label):
        assert isinstance(label, Sentence), label
        return "Ω"

    for kind, view in views(number):
        found = texts(drawn(kind, view, words=speaker))
        assert {text for text in found if re.search("[A-Za-z]{3}", text)} <= left
        assert "Ω" in found


def test_a_language_the_font_cannot_draw_leaves_the_label_english():
    found = texts(drawn("tammany-hall", ward_view(), words=lambda label: "市政厅"))
    assert "Castle Garden" in found
    assert not any("市" in text for text in found)


def placed(picture, x=0.0, y=0.0, scale=1.0):
    """Every text with its place from the left, its anchor, size, weight and base line, all moves counted in."""
    for one in picture:
        if one.tag == f"{SVG}g":
            moved = re.match(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?", one.get("transform"))
            right, down = x + scale * float(moved[1]), y + scale * float(moved[2])
            yield from placed(one, right, down, scale * float(moved[3] or 1))
        elif one.tag == f"{SVG}svg":
            yield from placed(one, x, y, scale)
        elif one.tag == f"{SVG}text":
            size, anchor = scale * float(one.get("font-size")), one.get("text-anchor", "start")
            bold = one.get("font-weight", "400") >= "600"
            yield one.text or "", x + scale * float(one.get("x")), anchor, size, bold, y + scale * float(one.get("y"))


@pytest.mark.parametrize("number", GAMES)
def test_out_37_everything_can_be_read_on_a_telephone_in_every_language(number):
    """At 360 pixels no letter is smaller than 8.5. Nothing leaves the map or is cut. Money stands as it is written."""
    for language in ("en", "fr", "de"):
        for kind, view in views(number):
            for text, x, anchor, size, bold, _ in placed(drawn(kind, view, words=words(language, kind))):
                wide = font.width(text, size, bold=bold)
                left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
                assert 0.6 * size >= 8.5 or not text, (language, text)
                assert 0 <= left <= left + wide <= WIDTH, (language, text)
                assert not text.endswith("…"), (language, text)
                money = r"\+?\$\d+" if language == "en" else r"\+?\d+[ \xa0]\$"
                assert "$" not in text or re.fullmatch(money, text), (language, text)


# In place of a picture


@pytest.mark.parametrize("number", GAMES)
def test_out_04_the_alternative_states_the_position(number):
    for kind, view in views(number, [f"{letter}{LONG}" for letter in "abcde"]):
        text = alt_text(kind, view)
        assert 20 < len(text) <= 400
        assert text.endswith(".")
        assert "\n" not in text
        for seat in view["active"][:1]:
            assert f"{'abcde'[seat]}Barth" in text


def test_out_04_the_alternative_says_who_leads_who_is_asked_and_how_far_it_is():
    state = next(it for it in game(0)[1] if it.phase == "turn" and it.year == 9)
    text = alt_text("tammany-hall", seen(TAMMANY_HALL, state, 0))
    points = [player.vp for player in state.players]
    assert f"{NAMES[state.seat]} is to move. Year 9 of 16 · Term 3 of 4." in text
    assert f"lead{'s' if points.count(max(points)) == 1 else ''} with {max(points)} VP." in text


def test_ch_12_2_who_leads_in_city_hall_has_most_votes_of_rating_and_population():
    for kind, view in views(5):
        votes = {name: seat["rating"] * seat["population"] for name, seat in zip(NAMES, view["seats"], strict=False)}
        best = [name for name in votes if votes[name] == max(votes.values())]
        if view["phase"] != "over":
            standing = f"{best[0]} leads" if len(best) == 1 else f" and {best[-1]} lead"
            assert f"{standing} with {max(votes.values())} votes before Endorsements." in alt_text(kind, view)


def test_an_alternative_that_is_too_long_is_cut_between_words():
    text = alt_text("tammany-hall", ward_view(), lambda label: f"{label} " * 20)
    assert 380 < len(text) <= 400
    assert text.endswith(" …")


def test_the_alternative_is_said_in_the_readers_words_and_keeps_every_script():
    view = seen(TAMMANY_HALL, game(0)[1][-1], None, ["李小龍", "Борис", "محمد"])
    winner = view["seats"][view["winners"][0]]["name"]
    assert winner in alt_text("tammany-hall", view)
    assert alt_text("tammany-hall", view, lambda label: "Ω") == "Ω. Ω."


# What a picture is made of


@pytest.mark.parametrize("number", GAMES)
def test_s_27_pictures_refer_to_nothing_and_run_nothing(number):
    for kind, view in views(number):
        source = board_svg(kind, view, TITLE)
        assert source.count("http") == 1, "the name space, and no other address"
        own = re.sub(r' id="s-[a-z]+"|url\(#s-[a-z]+\)', "", source)
        assert not re.search(
            r"(?i)\b(href|src|id|class|style|on\w+)=|(?:url|var)\(|<script|<image|<style|<!|<\?|@", own
        )
        assert len(source) < 75_000


@pytest.mark.parametrize("number", GAMES)
def test_out_04_the_ground_is_opaque(number):
    for kind, view in views(number):
        picture = drawn(kind, view)
        ground = picture[0]
        assert ground.tag == f"{SVG}rect"
        assert (ground.get("width"), ground.get("height")) == (picture.get("width"), picture.get("height"))
        assert re.fullmatch("#[0-9a-f]{6}", ground.get("fill"))


def test_a_picture_takes_milliseconds():
    view = ward_view("bid")
    best = min(_time_of(lambda: board_svg("tammany-hall", view, TITLE)) for _ in range(5))
    assert best < 0.05


def _time_of(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def test_text_without_what_cannot_be_drawn():
    assert svg.text(1, 2, "a\x00b\ud800 ☃ <") == '<text x="1" y="2" font-size="13">ab &lt;</text>'
