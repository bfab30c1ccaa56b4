"""The boards as pictures: all that a seat may see is in them, nothing else is, and everybody can read them."""

import math
import re
import time
from collections import defaultdict
from xml.etree import ElementTree

import pytest
from hypothesis import Phase, given, settings

from domain.city_hall.rules.board import BOARD
from domain.city_hall.rules.pieces import LANDS
from domain.engine.sentences import Sentence
from domain.rulesets import RULESETS
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.board import BORDERS, COLOURS, ELECTION_ORDER
from domain.tammany_hall.rules.board import TAMMANY_HALL as TAMMANY
from service.languages import words
from service.pictures import alt_text, board_svg, captions_of, font, has_drawing, svg, unstarted_svg
from service.pictures.city_hall import map as city_hall_map
from service.pictures.people import drawn_people, marks
from service.pictures.sheet import MARGIN, WIDTH, counted, label, token
from service.pictures.tammany_hall import map as island
from service.pictures.tammany_hall.wards import PRIZES, arranged, cube
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


@pytest.mark.parametrize("number", GAMES)
def test_every_position_is_drawn_with_everybody_and_the_title_in_it(number):
    for kind, view in views(number):
        found = texts(drawn(kind, view))
        assert TITLE in found
        assert set(NAMES[: len(view["seats"])]) <= set(found)


@pytest.mark.parametrize("number", WARD_GAMES)
def test_every_ward_is_drawn_with_its_immigrants_and_bosses(number):
    """TH-3.1: all fifteen, each with as many pieces as kinds of immigrants and of bosses in it."""
    for kind, view in views(number):
        picture = drawn(kind, view)
        found = texts(picture)
        assert all(str(ward) in found for ward in ELECTION_ORDER)
        wards = [ward for ward in view["wards"].values() if ward["active"]]
        for seat, name in enumerate(NAMES[: len(view["seats"])]):
            stands_in = sum(1 for ward in wards if ward["bosses"][seat])
            assert found.count(name[0].upper()) > stands_in
        kinds = sum(1 for ward in wards for colour in COLOURS if ward["cubes"][colour])
        assert sum(found.count(letter) for letter in "IEGT") >= kinds + 4
        chains = [line for line in picture.iter(f"{SVG}polyline") if line.get("stroke-dasharray")]
        assert len(chains) == 2 * sum(ward["locked"] for ward in view["wards"].values()), "links, and what is in them"


@pytest.mark.parametrize("number", CITY_GAMES)
def test_every_space_is_drawn_with_its_money_or_its_stars(number):
    """CH-2.1: all 22, those available with their price (CH-4.3, CH-8.11)."""
    for kind, view in views(number):
        found = texts(drawn(kind, view))
        assert all(land in found for land in LANDS)
        offered = [land for land in view["lands"].values() if land["state"] == "available"]
        assert sum(found.count(caption) for caption in ("you get", "costs", "not taken")) == len(offered)
        for land in offered:
            price = land["money"] - (0 if view["phase"] in ("draft", "over") else 20)
            assert f"+${price}" in found if price > 0 and view["phase"] != "over" else f"${abs(price)}" in found


def test_the_ward_that_is_elected_stands_out():
    """The ward of a bid is drawn last and with a thick border, no other so."""
    view = ward_view("bid")
    thick = [one for one in drawn("tammany-hall", view).iter(f"{SVG}polygon") if one.get("stroke-width") == "4"]
    assert len(thick) == 1
    ring = " ".join(f"{x:.1f},{y:.1f}".replace(".0", "") for x, y in island.inner_ring(view["ward"], 2))
    assert thick[0].get("points") == ring
    for other in (ward_view("turn"), ward_view("over")):
        assert not [one for one in drawn("tammany-hall", other).iter() if one.get("stroke-width") == "4"]


def test_bids_show_who_owes_one_and_the_readers_own():
    """TH-9.5, TH-14.1."""
    state = next(it for it in game(2)[1] if it.phase == "bid" and it.bids)
    (bidder, *_) = state.bids
    own, other = seen(TAMMANY_HALL, state, bidder), seen(TAMMANY_HALL, state, None)
    assert "Your sealed bid:" in texts(drawn("tammany-hall", own))
    found = texts(drawn("tammany-hall", other))
    assert "Your sealed bid:" not in found
    assert found.count("has to bid") == len(other["bidding"]["owes"])
    assert found.count("has bid") == len(other["bidding"]["handed_in"])


def test_ch_7_5_an_auction_shows_every_bid_and_who_is_still_to_answer():
    shown = [view for kind, view in views(5) if view["bidding"]]
    assert shown
    for view in shown:
        found = texts(drawn("city-hall", view))
        assert found.count("to answer") == len(view["bidding"]["waiting"])
        assert found.count("passes") == sum(1 for _, amount in view["bidding"]["bids"] if amount is None)
        assert found.count("activated it") == 1


def test_zones_that_are_closed_say_when_they_open():
    """TH-3.6: three players begin with zone I alone."""
    found = texts(drawn("tammany-hall", ward_view(players=3, year=1)))
    assert found.count("from year 5") == 5
    assert found.count("from year 9") == 4


@pytest.mark.parametrize("kind, seat, words", [("tammany-hall", 2, "Final scores"), ("city-hall", 5, "Votes:")])
def test_the_end_shows_who_won_and_why(kind, seat, words):
    rules, found = game(seat)
    view = seen(rules, found[-1], None)
    assert view["phase"] == "over"
    assert any(text.startswith(words) for text in texts(drawn(kind, view)))
    assert any(text.startswith("The game is over: ") for text in texts(drawn(kind, view)))


def test_a_game_without_a_position_says_so():
    picture = ElementTree.fromstring(unstarted_svg(TITLE))
    assert texts(picture) == [TITLE, "", "The game has not started"]


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
    assert " ".join("".join(texts(picture)[2:]).split()).startswith("{'seats': ")
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


@pytest.mark.parametrize("ward", ELECTION_ORDER)
def test_a_ward_holds_all_that_can_be_in_it(ward):
    """Four peoples, bosses of five players, a lock and a bonus, in its place and no smaller than can be read."""
    people = drawn_people({"seats": [{"name": f"W{letter}"} for letter in "mwqgo"]}, TAMMANY_HALL.notation.pawns)
    head = [label(str(ward), 20, bold=True), label("locked", 12, bold=True)]
    head += [label(str(PRIZES[ward]), 12)] if ward in PRIZES else []
    _, _, room, height = island.PLACES[ward]
    cubes = [counted(cube(colour), 9) for colour in COLOURS]
    bosses = [counted(token(person), 9) for person in people]
    rows, scale = arranged(head, cubes, bosses, room, height)
    assert sum(map(len, rows)) == len(head) + 9
    assert len(rows) * 25 * scale <= height
    assert scale >= (0.9 if ward == TAMMANY else 0.7), "the ward most fought over is drawn as large as any"
    assert all(sum(piece.width for piece in row) * scale <= room for row in rows)


def test_ch_2_3_spaces_of_a_borough_touch_as_their_grid_says():
    """And no space covers another; all are on the sheet."""
    places = city_hall_map.places(BOARD)
    for name, one in places.items():
        assert one.x >= MARGIN
        assert one.x + one.wide <= WIDTH - MARGIN + 1
        near = {
            other
            for other, it in places.items()
            if other != name
            and max(one.x, it.x) - min(one.x + one.wide, it.x + it.wide) < 8
            and max(one.y, it.y) - min(one.y + one.high, it.y + it.high) < 8
        }
        assert near == {other for other in BOARD.neighbours[name] if other[0] == name[0]}


def test_ch_2_4_a_bridge_crosses_the_river_straight():
    places = city_hall_map.places(BOARD)
    for one, other in BOARD.bridges:
        (x1, y1), (x2, y2) = city_hall_map.bridge(places[one], places[other])
        assert x1 == x2 or y1 == y2
        crossed = ((x1 + x2) / 2, (y1 + y2) / 2)
        assert not any(
            it.x < crossed[0] < it.x + it.wide and it.y < crossed[1] < it.y + it.high for it in places.values()
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
    """T-51, S-27: every name stays what it is, and the picture has no element that is not ours."""
    for kind, view in views(number, WILD):
        picture = ElementTree.fromstring(board_svg(kind, view, 'A <i>"game"</i> & more'))
        found = texts(picture)
        assert 'A <i>"game"</i> & more' in found
        assert set(NAMES_AS_DRAWN[: len(view["seats"])]) <= set(found)
        assert {one.tag.removeprefix(SVG) for one in picture.iter()} <= SHAPES


NAMES_AS_DRAWN = [" ".join(name.split()) for name in WILD]
SHAPES = {"svg", "g", "rect", "circle", "polygon", "polyline", "path", "text"}


@pytest.mark.parametrize("name", ["李小龍", "محمد", "שלום", "🙂🙂", "ann\u0301\u0336", "\ud800", "  ", ""])
def test_a_name_the_font_cannot_draw_gives_way_to_the_pawn(name):
    found = texts(drawn("tammany-hall", seen(TAMMANY_HALL, game(0)[1][-1], None, [name, "bob", "cyd"])))
    assert "red" in found
    assert "yellow" not in found


@pytest.mark.parametrize("name", ["Ωλήν", "Борис", "Łukasz", "Zoë", "Ștefan", "ŉou", "ßa"])
def test_names_in_greek_cyrillic_and_all_of_latin_are_drawn(name):
    found = texts(drawn("tammany-hall", seen(TAMMANY_HALL, game(0)[1][-1], None, [name, "bob", "cyd"])))
    assert name in found


@pytest.mark.parametrize("number", [2, 5])
def test_long_names_are_cut_with_an_ellipsis_and_nothing_leaves_the_sheet(number):
    for kind, view in views(number, [f"{letter}{LONG}" for letter in "abcde"]):
        found = texts(drawn(kind, view))
        for letter in "abcde"[: len(view["seats"])]:
            assert any(text.startswith(f"{letter}Barth") and text.endswith("…") for text in found)
        assert not any(LONG in text for text in found)


def test_marks_tell_seats_apart():
    pawns = ("red", "yellow", "black")
    assert marks(["ann", "bob", "cyd"], pawns) == ["A", "B", "C"]
    assert marks(["ann", "alice", "bob"], pawns) == ["An", "Al", "Bo"]
    assert marks(["anna", "anne", "bob"], pawns) == ["Re", "Ye", "Bl"]
    assert marks(["ßa", "ssb", "x"], pawns)[2] == "X"


# Words


@pytest.mark.parametrize("number", GAMES)
def test_out_37_every_label_is_said_by_the_speaker(number):
    """Whatever is no name, number or letter of a piece comes out as the speaker says it."""
    left = {TITLE, *NAMES, *LANDS}

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


@pytest.mark.parametrize("number", [2, 5])
def test_labels_three_times_as_long_stay_on_the_sheet(number):
    """A cut label is a nuisance, one beyond the edge is lost: nothing is written there."""
    for kind, view in views(number):
        for text, x, anchor, size, bold in placed(drawn(kind, view, words=lambda label: f"{label} {label} {label}")):
            wide = font.width(text, size, bold=bold)
            left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
            assert left >= 0, text
            assert left + wide <= WIDTH, text


def placed(picture, x=0.0, scale=1.0):
    """Every text with its place from the left, its anchor, size and weight, all moves counted in."""
    for one in picture:
        if one.tag == f"{SVG}g":
            moved = re.match(r"translate\((\S+) \S+\)(?: scale\((\S+)\))?", one.get("transform"))
            yield from placed(one, x + scale * float(moved[1]), scale * float(moved[2] or 1))
        elif one.tag == f"{SVG}text":
            size, anchor = scale * float(one.get("font-size")), one.get("text-anchor", "start")
            yield one.text or "", x + scale * float(one.get("x")), anchor, size, one.get("font-weight") == "700"


@pytest.mark.parametrize("number", GAMES)
def test_everything_can_be_read_on_a_telephone(number):
    """At 600 pixels no letter is smaller than 10.5, and nothing in English leaves the sheet or is cut."""
    for kind, view in views(number):
        for text, x, anchor, size, bold in placed(drawn(kind, view)):
            wide = font.width(text, size, bold=bold)
            left = x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
            assert size >= 10.5 or not text, text
            assert left >= 0, text
            assert left + wide <= WIDTH, text
            assert not text.endswith("…"), f"{text} is cut"


@pytest.mark.parametrize("language", ["fr", "de"])
@pytest.mark.parametrize("number", GAMES)
def test_out_37_no_label_is_cut_in_any_language(number, language):
    """„Stellvertretende…“ is no office; only a name may be too long. Money stands as the language writes it."""
    for kind, view in views(number):
        found = texts(drawn(kind, view, words=words(language, kind)))
        assert not [text for text in found if text.endswith("…")]
        assert not [text for text in found if "$" in text and not re.fullmatch(r"\+?\d+[ \xa0]\$", text)]


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
        assert not re.search(r"(?i)\b(href|src|id|class|style|on\w+)=|url\(|<script|<image|<style|<!|<\?|@", source)
        assert len(source) < 60_000


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
