"""The notation (TH-15.1, TH-15.2), read and written; and bids that come as a document."""

import contextlib
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.engine.refusals import OrderNotUnderstood
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.actions import (
    Assign,
    Bid,
    BonusCube,
    BonusFavor,
    BonusPass,
    End,
    OfficeFavor,
    OfficeLock,
    OfficeMove,
    OfficePolice,
    Place,
    Settle,
    Slander,
)
from tests.domain.tammany_hall.words import COLOURS, ELECTION_ORDER, PAWNS

parse, write = TAMMANY_HALL.notation.parse, TAMMANY_HALL.notation.write
NAMES = ("ann", "bob", "cy", "dee", "Eve_2")

LINES = [
    ("place 3 3", Place([3, 3])),
    ("place 3 14", Place([3, 14])),
    ("settle boss 5 cube irish 7", Settle(boss=5, cube="irish", ward=7)),
    ("slander yellow 8 german", Slander(target=1, ward=8, favor="german")),
    ("slander yellow 8 german then 14", Slander(target=1, ward=8, favor="german", then=14)),
    ("office favor german", OfficeFavor("german")),
    ("office lock 9", OfficeLock(9)),
    ("office police 4 english", OfficePolice(ward=4, cube="english")),
    ("office move irish 6 5", OfficeMove(cube="irish", origin=6, to=5)),
    ("end", End()),
    ("bid irish 2 german 1", Bid({"irish": 2, "german": 1})),
    ("bid ward 6 irish 2", Bid({"irish": 2}, ward=6)),
    ("bid none", Bid()),
    ("bonus cube italian 10", BonusCube("italian", 10)),
    ("bonus favor irish", BonusFavor("irish")),
    ("bonus pass", BonusPass()),
    ("place 3", Place([3])),
    ("bid ward 6 none", Bid(ward=6)),
    ("assign deputy red police yellow", Assign({"deputy": 0, "police": 1})),
    (
        "assign deputy red council black police yellow precinct brown",
        Assign({"deputy": 0, "council": 2, "police": 1, "precinct": 4}),
    ),
]


def test_favour_may_be_spelt_as_all_prose_spells_it():
    assert parse("bonus favour irish\nOFFICE Favour german", []) == [BonusFavor("irish"), OfficeFavor("german")]


@pytest.mark.parametrize("line, action", LINES, ids=[line for line, _ in LINES])
def test_th_15_2_every_line_both_ways(line, action):
    """TH-15.2: each example is read as the action it means, in any letter case, and written as it stands."""
    assert parse(line, PAWNS) == [action]
    assert parse(line.upper(), PAWNS) == [action]
    assert parse(f"  {line.title().replace(' ', '   ')}\t", PAWNS) == [action]
    assert write(action) == line


@pytest.mark.parametrize(
    "line, action",
    [
        ("bid 0", Bid()),
        ("bid ward 6 0", Bid(ward=6)),
        ("bid irish 0", Bid()),
        ("bid irish 00 german 07", Bid({"german": 7})),
        ("bid german 1 irish 2", Bid({"irish": 2, "german": 1})),
        ("assign deputy ann police bob", Assign({"deputy": 0, "police": 1})),
        (
            "assign deputy ann police bob council yellow precinct brown",
            Assign({"deputy": 0, "police": 1, "council": 1, "precinct": 4}),
        ),
        ("slander BOB 8 german", Slander(target=1, ward=8, favor="german")),
        ("slander eve_2 8 german", Slander(target=4, ward=8, favor="german")),
        ("slander brown 8 german", Slander(target=4, ward=8, favor="german")),
    ],
)
def test_th_15_2_other_ways_to_say_it(line, action):
    """TH-15.2: nothing bid in other words; players by name or by pawn, in any letter case."""
    assert parse(line, NAMES) == [action]


def test_th_15_1_the_order_of_words_is_all_that_counts():
    """TH-15.1: two texts for one bid or one assignment are written alike."""
    assert write(*parse("bid italian 1 irish 2", PAWNS)) == "bid irish 2 italian 1"
    assert write(*parse("assign police ann deputy bob", NAMES)) == "assign deputy yellow police red"


def test_th_15_5_a_text_may_hold_several_commands():
    """TH-15.5: one command a line, whatever the line ends look like; blank lines say nothing."""
    text = "OFFICE favor irish\r\n\n  place 3 3  \rslander yellow 8 irish\n \nend\n"
    expected = [OfficeFavor("irish"), Place([3, 3]), Slander(1, 8, "irish"), End()]
    assert parse(text, PAWNS) == expected
    assert parse("", PAWNS) == parse(" \n\t\n", PAWNS) == []
    assert parse("\n".join(write(action) for action in expected), PAWNS) == expected


def refused(text, names=PAWNS):
    with pytest.raises(OrderNotUnderstood) as error:
        parse(text, names)
    assert error.value.message.endswith(".")
    return error.value


UNFIT = """
    place
    place 3 3 3
    place 3 and 3
    places 3 3
    settle 5 7 irish
    settle boss 5 cube irish
    settle boss 5 irish 7
    settle boss 5 cube irish in 7
    slander yellow 8
    slander yellow 8 german then
    slander yellow 8 german 14
    slander yellow 8 german and 14
    slander yellow 8 german then 14 then 15
    office
    office favor
    office bribe irish
    office lock 9 14
    office police english
    office move irish 6
    office favor irish german
    end turn
    bid
    bid irish
    bid 1
    bid irish 1 irish 1
    bid irish 1 IRISH 2
    bid ward 6
    bid ward 6 irish
    bid ward
    bid irish 1 german
    bonus
    bonus cube
    bonus cube irish
    bonus favor
    bonus pass 10
    bonus favor irish 10
    assign
    assign deputy
    assign deputy red police
    red place 3 3
    surrender
    place, 3 3
    """


@pytest.mark.parametrize("line", [line.strip() for line in UNFIT.strip().splitlines()])
def test_th_15_3_words_that_fit_no_line(line):
    """TH-15.3, 1: bad-syntax, from keywords and the number of words alone; the line comes back as it was given."""
    error = refused(line)
    assert (error.code, error.rule, error.line) == ("bad-syntax", "TH-15.1", line)


@pytest.mark.parametrize("word", ["0", "03", "12", "16", "18", "-3", "3.", "three", "３", "٣", "3a", "iii", "+3"])
def test_th_3_1_only_the_fifteen_numbers_are_wards(word):
    """TH-3.1: there is no ward 12, and a ward has one spelling."""
    error = refused(f"place 3 {word}")
    assert (error.code, error.rule) == ("unknown-ward", "TH-3.1")


def test_th_3_1_all_fifteen_numbers_are_wards():
    """TH-3.1: every ward on the board can be named."""
    for number in ELECTION_ORDER:
        assert parse(f"office lock {number}", PAWNS) == [OfficeLock(number)]


@pytest.mark.parametrize("word", ["greek", "green", "iris", "irish,", "ırish", "i"])
def test_th_1_4_only_four_words_are_colours(word):
    """TH-1.4: the four peoples, and no look-alike."""
    error = refused(f"office favor {word}")
    assert (error.code, error.rule) == ("unknown-colour", "TH-1.4")
    assert refused("bid none irish").code == refused("bid 0 irish").code == "unknown-colour"
    assert [parse(f"office favor {colour}", PAWNS) for colour in COLOURS] == [[OfficeFavor(c)] for c in COLOURS]


@pytest.mark.parametrize("word", ["-1", "two", "100", "1.0", "+1", "１", "٣", "1e1", "none"])
def test_th_15_1_a_count_has_one_digit_or_two(word):
    """TH-15.1: anything else is a bad count."""
    error = refused(f"bid irish {word}")
    assert (error.code, error.rule) == ("bad-count", "TH-15.1")
    assert parse("bid irish 99", PAWNS) == [Bid({"irish": 99})]


def test_th_1_5_a_player_is_a_seat_that_plays():
    """TH-1.5: pawns go by seat; the fourth pawn is nobody among three, and a name is known only where it sits."""
    for seat, pawn in enumerate(PAWNS):
        assert parse(f"slander {pawn} 8 german", PAWNS) == [Slander(seat, 8, "german")]
        assert parse(f"slander {NAMES[seat]} 8 german", NAMES) == [Slander(seat, 8, "german")]
    for word in ("purple", "brown", "dee", "ann's", "1"):
        error = refused(f"slander {word} 8 german", NAMES[:3])
        assert (error.code, error.rule) == ("unknown-player", "TH-1.5")


def test_th_15_1_offices_that_can_be_given():
    """TH-15.1: four titles; the mayor's is not given."""
    error = refused("assign mayor ann police bob", NAMES)
    assert (error.code, error.rule) == ("unknown-office", "TH-12.1")
    for word in ("mayor", "tammany", "red"):
        assert refused(f"assign {word} red police yellow").code == "unknown-office"


def test_th_15_1_no_word_of_the_notation_is_a_name():
    """TH-15.1: the quoted words of the grammar are reserved, and no other."""
    quoted = """place settle boss cube slander then office favor lock police move end bid ward none bonus pass assign
        irish english german italian deputy council precinct red yellow black purple brown"""
    assert TAMMANY_HALL.notation.reserved == set(quoted.split())


def test_the_help_shows_lines_that_work():
    """TH-15.2: whatever the help shows as a line of the game can be read."""
    shown = [line.strip() for line in TAMMANY_HALL.notation.help.splitlines() if line.startswith("  ")]
    assert len(shown) >= len(TAMMANY_HALL.decider.actions)
    kinds = {type(action) for line in shown for action in parse(line.split("   ")[0], NAMES)}
    assert kinds == set(TAMMANY_HALL.decider.actions)


COMMANDS = "place settle boss cube slander then office favor lock police move end bid ward none bonus pass assign"
words = st.sampled_from([*PAWNS, *COLOURS, *COMMANDS.split(), "deputy", "council", "precinct", "3", "12", "0", ""])


@pytest.mark.slow
@given(st.one_of(st.text(), st.lists(words, max_size=8).map(" ".join), st.text(string.printable)))
@example("\x00")
@example("bid \N{KELVIN SIGN} 1")
@example("place 3\u20283")
def test_th_15_3_any_text_is_read_or_refused_with_a_reason(text):
    """TH-15.3: no text does anything else, and what was read is written so that it is read again."""
    reasons = "bad-syntax unknown-ward unknown-colour unknown-player unknown-office bad-count".split()
    refusal, actions = None, []
    try:
        actions = parse(text, PAWNS)
    except OrderNotUnderstood as error:
        refusal = error
    assert refusal is None or (refusal.code in reasons and refusal.message.endswith("."))
    assert [parse(write(action), PAWNS) for action in actions] == [[action] for action in actions]


# Bids as documents


@pytest.mark.parametrize(
    "body, bid",
    [
        ({"ward": 6, "chips": {"irish": 2}}, Bid({"irish": 2}, 6)),
        ({"chips": {"german": 1, "irish": 2}}, Bid({"irish": 2, "german": 1})),
        ({"chips": {}}, Bid()),
        ({"chips": {"irish": 0}, "ward": None}, Bid()),
        ({"type": "bid", "chips": {"irish": 1}, "ward": None}, Bid({"irish": 1})),
    ],
)
def test_a_bid_is_read_from_a_document(body, bid):
    """TH-9.8: a number for each colour, of a ward that may be named."""
    assert TAMMANY_HALL.notation.read_bid(body) == bid


@pytest.mark.parametrize(
    "body, code",
    [
        ({}, "bad-syntax"),
        ({"ward": 6}, "bad-syntax"),
        ({"type": "bid"}, "bad-syntax"),
        ({"type": "place", "chips": {}}, "bad-syntax"),
        ({"chips": {"irish": 1}, "seat": 0}, "bad-syntax"),
        ({"chips": [["irish", 1]]}, "bad-syntax"),
        ({"chips": None}, "bad-syntax"),
        ({"ward": 12, "chips": {}}, "unknown-ward"),
        ({"ward": "6", "chips": {}}, "unknown-ward"),
        ({"ward": True, "chips": {}}, "unknown-ward"),
        ({"ward": [6], "chips": {}}, "unknown-ward"),
        ({"chips": {"greek": 1}}, "unknown-colour"),
        ({"chips": {"irish": -1}}, "bad-count"),
        ({"chips": {"irish": 100}}, "bad-count"),
        ({"chips": {"irish": "1"}}, "bad-count"),
        ({"chips": {"irish": 1.0}}, "bad-count"),
        ({"chips": {"irish": True}}, "bad-count"),
    ],
)
def test_a_document_that_is_no_bid_is_refused(body, code):
    """TH-15.3: the same reasons as for a line."""
    with pytest.raises(OrderNotUnderstood) as error:
        TAMMANY_HALL.notation.read_bid(body)
    assert error.value.code == code


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
values = st.recursive(leaves, lambda it: st.lists(it) | st.dictionaries(st.text(max_size=5), it), max_leaves=3)


@pytest.mark.slow
@given(
    st.fixed_dictionaries({}, optional={"type": values, "ward": values, "chips": values, "x": values})
    | st.dictionaries(st.just("chips"), st.dictionaries(st.sampled_from(COLOURS) | st.text(max_size=5), values))
)
def test_any_document_is_a_bid_or_refused(body):
    """TH-15.3: nothing else comes of any JSON object."""
    with contextlib.suppress(OrderNotUnderstood):
        assert isinstance(TAMMANY_HALL.notation.read_bid(body), Bid)
