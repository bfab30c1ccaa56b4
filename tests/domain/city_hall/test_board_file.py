"""The data file (CH-20): what it says, where that comes from, what is refused, and that games keep their board."""

import tomllib
from importlib.resources import files

import msgspec
import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules.board import read_board, reconstructed, sources
from tests.domain.city_hall.scenario import given, opened, position
from tests.domain.city_hall.words import COUNTS, NEIGHBOURS, RATINGS, SPACES, STAR_START

FILE = (files("domain.city_hall") / "board.toml").read_text(encoding="utf-8")
BOARD = read_board(FILE)


def changed(old, new):
    """The file with one thing changed."""
    assert FILE.count(old) >= 1, old
    return FILE.replace(old, new, 1)


def section(name):
    """A table of the file, as it is written."""
    start = FILE.index(name)
    return FILE[start : FILE.find("\n\n", start)]


def test_ch_20_2_the_file():
    """CH-20.2: the boroughs, tracks, Permits and Endorsements of CH-2, CH-9 and CH-12, field by field."""
    data = tomllib.loads(FILE)
    assert data["format"] == "city-hall-board/1"
    assert data["borough"]["queens"]["grid"] == [["Q1", "Q2", "Q3", "Q4"], ["Q5", "Q6", "Q7", "Q8"]]
    assert data["borough"]["brooklyn"]["grid"] == [["B1", "B2", "B3"], ["B4", "B5", "B6"], ["B7", "B8", "B9"]]
    assert data["borough"]["manhattan"]["grid"] == [["M1"], ["M2"], ["M3"], ["M4"], ["M5"]]
    assert {name: it["star_bonus"] for name, it in data["borough"].items()} == {
        "queens": 0, "brooklyn": 0, "manhattan": 1,
    }  # fmt: skip
    bridges = [tuple(it["between"]) for it in data["bridge"]]
    assert bridges == [("Q6", "B1"), ("Q8", "B3"), ("M1", "Q1"), ("M2", "Q5"), ("M4", "B4"), ("M5", "B7")]
    assert tuple(data["approval"]["ratings"]) == RATINGS
    assert data["approval"]["start"] == 1
    assert data["approval"]["star_start"] == {str(players): space for players, space in STAR_START.items()}
    assert (data["population"]["start"], data["population"]["max"]) == (1, 40)
    assert {kind: it["count"] for kind, it in data["permit"].items()} == COUNTS
    assert [it["max_stars"] for it in data["permit"].values()] == [5, 3, 1, 0]
    assert [(it["id"], it["name"], it["metric"], it["votes"]) for it in data["endorsement"]] == [
        ("wall-street", "Wall Street", "money", 10),
        ("party-machine", "Party Machine", "influence", 10),
        ("tenants", "Tenants' League", "permit:housing", 10),
        ("commerce", "Chamber of Commerce", "permit:tower", 10),
        ("labor", "Factory Workers", "permit:factory", 10),
        ("parks", "Park Friends", "permit:park", 10),
        ("queens", "Queens Club", "land:queens", 10),
        ("brooklyn", "Brooklyn Club", "land:brooklyn", 10),
        ("manhattan", "Manhattan Club", "land:manhattan", 10),
    ]


def test_ch_20_1_every_field_has_a_source_and_what_is_made_up_is_shown():
    """CH-20.1, CH-1.2: the bridges but one, the Star Token's start, most of the Endorsements."""
    words = {"rulebook", "inferred", "third-party", "reconstructed", "owner"}
    assert set(sources(FILE).values()) <= words
    marks = {f"bridge.{number}.between" for number in range(2, 7)} | {"approval.star_start"}
    names = "party-machine tenants commerce labor parks queens brooklyn manhattan".split()
    marks |= {f"endorsement.{name}.name" for name in names} | {f"endorsement.{name}.metric" for name in names[1:]}
    assert set(reconstructed()) == marks
    assert sources(FILE)["endorsement.wall-street.metric"] == "third-party"
    assert sources(FILE)["borough.queens.grid"] == "inferred"
    assert sources(FILE)["bridge.1.between"] == "rulebook"


FAULTS = {
    # the spaces: each once, each in the grid of its borough, no others
    "a space is missing": ('["B7", "B8", "B9"]', '["B7", "B8"]'),
    "a space is there twice": ('["B7", "B8", "B9"]', '["B7", "B8", "B9", "B9"]'),
    "a space instead of another": ('["B7", "B8", "B9"]', '["B7", "B8", "B8"]'),
    "a space there is not": ('["M5"]]', '["M5"], ["M6"]]'),
    "a space in another borough's grid": ('["Q5", "Q6", "Q7", "Q8"]]', '["Q5", "Q6", "Q7", "Q8", "M1"]]'),
    "two boroughs have changed a space": (
        section("[borough.queens]") + "\n\n" + section("[borough.brooklyn]"),
        section("[borough.queens]").replace('"Q1"', '"B1"')
        + "\n\n"
        + section("[borough.brooklyn]").replace('"B1"', '"Q1"'),
    ),
    "a grid is no grid": ('grid = [["M1"], ["M2"], ["M3"], ["M4"], ["M5"]]', 'grid = "M1 M2 M3 M4 M5"'),
    "a borough is missing": (section("[borough.manhattan]"), ""),
    # the bridges
    "a bridge to a space there is not": ('between = ["Q8", "B3"]', 'between = ["Q9", "B3"]'),
    "a bridge within a borough": ('between = ["Q8", "B3"]', 'between = ["Q8", "Q1"]'),
    "a bridge with one end": ('between = ["Q8", "B3"]', 'between = ["Q8"]'),
    "a bridge with three ends": ('between = ["Q8", "B3"]', 'between = ["Q8", "B3", "M1"]'),
    "a bridge twice": ('between = ["Q8", "B3"]', 'between = ["Q6", "B1"]'),
    "a bridge twice, the other way round": ('between = ["Q8", "B3"]', 'between = ["B1", "Q6"]'),
    # the tracks
    "nine ratings": ("ratings = [1, 2, 2,", "ratings = [1, 2,"),
    "eleven ratings": ("ratings = [1, 2, 2,", "ratings = [1, 2, 2, 2,"),
    "a rating that falls": ("ratings = [1, 2, 2,", "ratings = [2, 1, 2,"),
    "a rating that is no number": ("ratings = [1, 2, 2,", 'ratings = [1, 2, "2",'),
    "a start in the middle of the track": ("start = 1\nstar_start", "start = 2\nstar_start"),
    "a Star Token below the track": ("2 = 3,", "2 = 0,"),
    "a Star Token at the end of the track": ("2 = 3,", "2 = 10,"),
    "a Star Token beyond the track": ("4 = 1 }", "4 = 11 }"),
    "no Star Token with three players": ("3 = 2,", ""),
    "a start beyond the Population Track": ("start = 1\nmax = 40", "start = 41\nmax = 40"),
    "no end of the Population Track": ("max = 40\n", ""),
    # the Permits
    "seven Housing": (section("[permit.housing]"), section("[permit.housing]").replace("count = 8", "count = 7")),
    "nine Towers": (section("[permit.tower]"), section("[permit.tower]").replace("count = 8", "count = 9")),
    "four Factories": (section("[permit.factory]"), section("[permit.factory]").replace("count = 8", "count = 4")),
    "five Parks": ("count = 4", "count = 5"),
    "a negative maximum": ("max_stars = 3", "max_stars = -1"),
    "a Permit is missing": (section("[permit.park]"), ""),
    # the Endorsements
    "an id twice": ('id = "tenants"', 'id = "labor"'),
    "a metric there is not": ('metric = "permit:tower"', 'metric = "permit:church"'),
    "a borough there is not": ('metric = "land:queens"', 'metric = "land:bronx"'),
    "a metric that has no boroughs": ('metric = "money"', 'metric = "money:queens"'),
    "a kind for what has none": ('metric = "money"', 'metric = "land:tower"'),
    "no id": ('id = "tenants"\n', ""),
    "an id that is no text": ('id = "tenants"', "id = 3"),
    "no metric": ('metric = "permit:tower"\n', ""),
    "a metric that is no text": ('metric = "permit:tower"', "metric = 3"),
    "no votes": ("votes = 10\n", ""),
    # the sources
    "a source is missing": ('source = { start = "rulebook", max = "rulebook" }', 'source = { start = "rulebook" }'),
    "there are no sources": ('source = { start = "rulebook", max = "rulebook" }', ""),
    "a source of another word": ('max = "rulebook" }', 'max = "diary" }'),
    "a bridge without a source": ('source = { between = "rulebook" }', "source = {}"),
    # the file
    "another format": ('format = "city-hall-board/1"', 'format = "city-hall-board/2"'),
    "no format": ('format = "city-hall-board/1"', ""),
    "no TOML": ("[population]", "[population"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_ch_20_4_a_file_with_a_fault_is_refused(fault):
    """CH-20.4: in a sentence."""
    with pytest.raises(ValueError, match=r"\.$") as refused:
        read_board(changed(*FAULTS[fault]))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("fault", ["a space is missing", "nine ratings", "five Parks", "a source of another word"])
def test_ch_20_4_a_refusal_names_the_field(fault):
    """CH-20.4: so that the owner of the printed game finds it."""
    names = {"a space is missing": "borough.brooklyn.grid", "nine ratings": "approval.ratings"}
    names |= {"five Parks": "permit.park.count", "a source of another word": "population"}
    with pytest.raises(ValueError, match=names[fault].replace(".", r"\.")):
        read_board(changed(*FAULTS[fault]))


MENDED = 'between = ["Q7", "B2"]\nsource = { between = "owner" }'


@pytest.mark.parametrize(
    "old, new",
    [
        ('between = ["Q8", "B3"]\nsource = { between = "reconstructed" }', MENDED),
        (section("[[bridge]]"), ""),
        ("max = 40", "max = 99"),
        ("4 = 1 }", "4 = 9 }"),
        ("votes = 10", "votes = 12"),
        ('metric = "money"', 'metric = "stars:manhattan"'),
        ("max_stars = 3", "max_stars = 0"),
        ("ratings = [1, 2, 2,", "ratings = [2, 2, 2,"),
    ],
)
def test_ch_20_4_what_an_owner_may_put_right(old, new):
    """CH-20.4, CH-1.2: anything else the file may say."""
    assert read_board(changed(old, new)) != BOARD


def test_ch_20_3_holes_and_uneven_rows():
    """CH-20.3, CH-2.3: neighbours are found by row and column."""
    rows = '[["M1", "", "M2"], [], ["", "M3"], ["M4", "M5", ""]]'
    board = read_board(changed('[["M1"], ["M2"], ["M3"], ["M4"], ["M5"]]', rows))
    found = {space: {it for it in board.neighbours[space] if it.startswith("M")} for space in SPACES if space[0] == "M"}
    assert found == {"M1": set(), "M2": set(), "M3": {"M4", "M5"}, "M4": {"M3", "M5"}, "M5": {"M3", "M4"}}


def test_ch_2_3_to_2_5_neighbours_of_the_file():
    """CH-2.3, CH-2.4, CH-2.5: grids and bridges make the table, pair by pair."""
    assert {space: set(near) for space, near in BOARD.neighbours.items()} == {
        space: set(near) for space, near in NEIGHBOURS.items()
    }


OTHER = read_board(
    FILE.replace("max = 40", "max = 12")
    .replace("ratings = [1, 2, 2, 3", "ratings = [2, 2, 2, 3")
    .replace('between = ["Q6", "B1"]', 'between = ["Q7", "B1"]')
    .replace("star_bonus = 1", "star_bonus = 2")
    .replace("max_stars = 5", "max_stars = 4")
    .replace('metric = "money"', 'metric = "population"')
    .replace("2 = 3, 3 = 2", "2 = 3, 3 = 5")
    .replace("votes = 10", "votes = 7")
)
"""A file in which much is different."""


def test_ch_20_5_a_game_keeps_the_board_it_was_started_with():
    """CH-20.5: the first fact holds the board; whatever the file says later, the rules ask that board."""
    (laid, *_) = CITY_HALL.decider.proceed(CITY_HALL.decider.initial(3, {}))
    assert laid.board == BOARD
    stored = msgspec.json.decode(msgspec.json.encode(laid), type=type(laid))
    assert stored == laid
    start = position(final=True, used="tax surveyor campaign lobbyist zoning health", population=[10, 11, 1])
    start.board = OTHER
    game = given(start).see(rating=[2, 2, 2]).takes("Ann", "deputy").see(population=[12, 12, 5], phase="over")
    game.see(votes=[24, 24, 10], endorsements={})


def test_ch_20_5_star_values_on_another_board():
    """CH-20.5: Star Values, neighbours and bridges of a running game come from its own board, too."""
    lands = {"M1": "ben housing", "B1": "ann", "Q7": "ben housing", "Q6": "ben factory", "B2": "ann"}
    start = position(lands=lands, hands={"ann": "housing tower"}, star=1)
    start.board = OTHER
    game = given(start).takes("Ann", "zoning", "zone build housing B1 tower B2")
    game.see(stars={"B1": 3, "Q7": 1, "B2": 1})
    normal = given(position(lands=lands, hands={"ann": "housing tower"}, star=1))
    normal.takes("Ann", "zoning", "zone build housing B1 tower B2").see(stars={"B1": 0, "B2": 1})


def test_ch_20_5_the_first_fact_of_a_new_game():
    """CH-20.5, CH-3: what everybody starts with is in it; a game that began with another file starts from that."""
    (laid,) = CITY_HALL.decider.proceed(CITY_HALL.decider.initial(3, {}))
    other = CITY_HALL.decider.fold(
        CITY_HALL.decider.initial(3, {}), [msgspec.structs.replace(laid, board=OTHER, star_token=5)]
    )
    assert CITY_HALL.decider.view(other, None)["star_token"] == 5
    assert opened(3).document["star_token"] == 2
