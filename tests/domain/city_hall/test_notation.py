"""The notation (CH-16), read and written, the order in which words are judged (CH-E35), and bids as documents."""

import contextlib
import string

import msgspec
import pytest
from hypothesis import example
from hypothesis import given as for_any
from hypothesis import strategies as st

from domain.city_hall import CITY_HALL
from domain.city_hall.rules import actions as order
from domain.engine.refusals import OrderNotUnderstood
from tests.domain.city_hall.scenario import given, opened, position
from tests.domain.city_hall.words import OFFICES, PAWNS, PERMITS, SPACES

parse, write = CITY_HALL.notation.parse, CITY_HALL.notation.write
NAMES = ("ann", "ben", "eve", "Dee_4-x")

LINES = """
    draft Q3                                                draft
    build housing Q3 return tower                           build
    build housing Q3                                        build
    activate lobbyist                                       activate
    activate surveyor                                       activate
    activate surveyor search B5                             activate
    bid 3                                                   bid
    bid 0                                                   bid
    pass                                                    pass
    keep                                                    keep
    accept green                                            accept
    tax                                                     tax
    tax triple                                              tax
    tax double                                              tax
    campaign 0                                              campaign
    campaign 10                                             campaign
    campaign 30                                             campaign
    campaign none                                           campaign
    buy Q4                                                  buy
    buy none                                                buy
    lobby                                                   lobby
    lobby buy 2 sell 1                                      lobby
    zone take housing park                                  zone
    zone take tower build factory B2                        zone
    zone build housing B2 park B3                           zone
    zone take housing park under tower                      zone
    zone build housing B2 park B3 under park tower park     zone
    zone none                                               zone
    zone take housing                                       zone
    zone build housing B2                                   zone
    zone take housing build housing B2 under tower          zone
    zone take tower tower build park M1 park M2             zone
    health plus3                                            health
    health double                                           health
    health none                                             health
"""
"""The lines of CH-16.2 and others the grammar has, with the tag of the action; a player to accept is a pawn."""
PAIRS = [tuple(map(str.strip, line.rsplit(None, 1))) for line in LINES.strip().splitlines()]


@pytest.mark.parametrize("line, kind", PAIRS, ids=[line for line, _ in PAIRS])
def test_ch_16_2_every_line_both_ways(line, kind):
    """CH-16.1, CH-16.2, CH-16.6: read in any letter case and with any blanks; written back as it stands."""
    (action,) = parse(line, PAWNS)
    assert msgspec.to_builtins(action)["type"] == kind
    assert parse(line.upper(), PAWNS) == parse(line.lower(), PAWNS) == [action]
    assert parse(f"  {line.title().replace(' ', '   ')}\t", PAWNS) == [action]
    assert write(action) == line


@pytest.mark.parametrize(
    "line, body",
    [
        ("draft Q3", {"type": "draft", "land": "Q3"}),
        ("build housing Q3 return tower", {"type": "build", "permit": "housing", "land": "Q3", "return": "tower"}),
        ("activate surveyor search B5", {"type": "activate", "office": "surveyor", "search": "B5"}),
        ("activate tax", {"type": "activate", "office": "tax"}),
        ("bid 3", {"type": "bid", "influence": 3}),
        ("pass", {"type": "pass"}),
        ("keep", {"type": "keep"}),
        ("accept eve", {"type": "accept", "seat": 2}),
        ("accept green", {"type": "accept", "seat": 2}),
        ("tax", {"type": "tax"}),
        ("tax", {"type": "tax", "times": "plain"}),
        ("tax triple", {"type": "tax", "times": "triple"}),
        ("buy Q4", {"type": "buy", "land": "Q4"}),
        ("buy none", {"type": "buy", "land": None}),
        ("health plus3", {"type": "health", "bonus": "plus3"}),
    ],
)
def test_ch_16_2_lines_as_documents(line, body):
    """CH-16.2: the same action as JSON."""
    (action,) = parse(line, NAMES)
    assert msgspec.convert(body, type(action)) == action
    assert body.items() <= {"times": "plain", "search": None, **msgspec.to_builtins(action)}.items()


@pytest.mark.parametrize(
    "line, written",
    [
        ("accept EVE", "accept green"),
        ("accept dee_4-x", "accept yellow"),
        ("accept Blue", "accept blue"),
        ("lobby sell 2 buy 1 sell 1", "lobby sell 2 buy 1 sell 1"),
        ("bid 9999", "bid 9999"),
        ("  Activate   TAX ", "activate tax"),
        ("DRAFT q3", "draft Q3"),
        ("ZONE TAKE HOUSING BUILD HOUSING b2", "zone take housing build housing B2"),
    ],
)
def test_ch_16_6_printed_back(line, written):
    """CH-16.6, CH-16.3: lower case but for land names, single blanks, clauses in their order; players by pawn."""
    assert write(*parse(line, NAMES)) == written


def test_a_text_may_hold_several_actions():
    """CH-16.1: one action a line, whatever the line ends look like; blank lines between say nothing."""
    text = "activate tax\r\n\n  tax triple  \rpass\n \nkeep\n"
    lines = ["activate tax", "tax triple", "pass", "keep"]
    assert [write(action) for action in parse(text, PAWNS)] == lines


def refused(text, names=PAWNS):
    with pytest.raises(OrderNotUnderstood) as error:
        parse(text, names)
    assert error.value.message.endswith(".")
    assert "\n" not in error.value.message
    return error.value


UNFIT = """
    tax tax tax; activate; bid; bid 1 2; lobby buy; lobby rent 2; zone; zone take; zone build tower;
    zone none under park; zone take park under; buy; pass 0; fly Q1
"""
MORE = """
    draft; draft Q1 Q2; build; build tower; build tower Q1 return; build tower Q1 keep park;
    build tower Q1 return park tower; activate surveyor search; activate surveyor find B5;
    activate tax search B5 B6; pass pass; keep 1; accept; accept ann ben;
    campaign; campaign 10 30; buy Q1 Q2; lobby 2; lobby buy 2 sell; lobby buy 2 3; lobby sell sell 1; zone none none;
    zone under park; zone take park tower park; zone build park B1 tower; zone build park B1 tower B2 park B3;
    zone take park under tower tower tower tower; zone take park under tower build park B1; health; health plus3 double;
    zone take park build; zone park; ann: pass; pass.; passe; \N{KELVIN SIGN}eep;
    ta\N{MATHEMATICAL BOLD SMALL X}; tax double triple; return tower; search B5; none; plus3
"""


@pytest.mark.parametrize("line", [it.strip() for it in f"{UNFIT.strip()};{MORE.strip()}".split(";")])
def test_ch_e35_words_that_fit_no_line(line):
    """CH-E35, CH-17.1: bad-syntax, from keywords and the number of words alone."""
    error = refused(line)
    assert (error.code, error.rule, error.line) == ("bad-syntax", "CH-16.1", line)


def test_ch_e35_an_empty_line():
    """CH-E35: alone it is no action."""
    assert refused("").code == refused("  \t ").code == refused("\n\n").code == "bad-syntax"


@pytest.mark.parametrize(
    "line, code, rule",
    [
        *[(line, "bad-count", "CH-16.1") for line in (
            "bid 01", "bid +1", "bid 1.5", "bid 10000", "lobby buy 0", "bid -1", "bid 1e1", "bid one", "bid １",
            "bid ٣", "bid 00", "lobby sell 00", "lobby buy 1 sell 0", "lobby sell -1", "bid ²", "bid 99999",
        )],
        *[(line, "bad-choice", "CH-8.3") for line in ("tax plain", "tax twice", "tax 3")],
        *[(line, "bad-choice", "CH-8.4") for line in ("campaign 5", "campaign 010", "campaign 20", "campaign 3")],
        *[(line, "bad-choice", "CH-8.22") for line in ("health triple", "health 3", "health +3", "health plus")],
        *[(f"draft {word}", "unknown-land", "CH-2.1") for word in (
            "M6", "Q0", "Q9", "B0", "3", "Q", "none", "Ｑ1", "Q01",
        )],
        *[(f"zone take {word}", "unknown-permit", "CH-1.5") for word in ("house", "housin", "parks", "land", "B2")],
        ("build house Q3 return tower", "unknown-permit", "CH-1.5"),
        *[(f"activate {word}", "unknown-office", "CH-1.5") for word in ("mayor", "zone", "taxes", "deputy-mayor")],
        *[(f"accept {word}", "unknown-player", "CH-16.1") for word in ("bob", "1", "anna", "none")],
    ],
)  # fmt: skip
def test_ch_e35_a_word_not_allowed_in_its_place(line, code, rule):
    """CH-E35, CH-17.1, CH-17.3: no look-alike, no other spelling of a number."""
    error = refused(line, NAMES)
    assert (error.code, error.rule, error.line) == (code, rule, line)


@pytest.mark.parametrize(
    "line, code",
    [
        ("activate mayor search Q9", "unknown-office"),
        ("activate tax search Q9", "unknown-land"),
        ("build house Q9 return towers", "unknown-permit"),
        ("build housing Q9 return towers", "unknown-land"),
        ("build housing Q8 return towers", "unknown-permit"),
        ("zone take house towr build fact Q9 under prk", "unknown-permit"),
        ("zone take park build park Q9 under prk", "unknown-land"),
        ("zone take park build park Q8 under prk", "unknown-permit"),
        ("zone build park Q9 tow Q8", "unknown-land"),
        ("zone build prk Q9 tow Q8", "unknown-permit"),
        ("lobby buy x rent y", "bad-syntax"),
        ("activate mayor find Q9", "bad-syntax"),
    ],
)
def test_ch_17_1_words_are_judged_from_left_to_right(line, code):
    """CH-17.1, 1 and 2: first the form of the line, then its words."""
    assert refused(line).code == code


def test_ch_e35_what_the_state_says_comes_after_the_words():
    """CH-E35: in state `activate`, Ann to act."""
    game = given(position())
    game.refused("Ben", "draft M6", "unknown-land").refused("Ann", "draft Q1", "wrong-phase")
    game.refused("Ben", "activate tax", "not-your-turn").when("Ann", "  Activate   TAX ").see(office="tax")


def test_every_word_in_its_place_is_read():
    """CH-1.5, CH-2.1, CH-16.1: four Permits, seven Offices, 22 spaces; every number of at most four digits."""
    assert [write(*parse(f"draft {space.lower()}", PAWNS)) for space in SPACES] == [f"draft {it}" for it in SPACES]
    assert [write(*parse(f"zone take {kind}", PAWNS)) for kind in PERMITS] == [f"zone take {it}" for it in PERMITS]
    assert [write(*parse(f"activate {it}", PAWNS)) for it in OFFICES] == [f"activate {it}" for it in OFFICES]
    for count in (0, 1, 9, 10, 100, 1000, 9999):
        assert write(*parse(f"bid {count}", PAWNS)) == f"bid {count}"


def test_ch_16_1_a_player_is_a_seat_that_plays():
    """CH-16.1: by name or by pawn; no pawn of a seat that is not there."""
    assert CITY_HALL.notation.pawns == PAWNS
    for seat, pawn in enumerate(PAWNS):
        assert parse(f"accept {pawn}", PAWNS) == parse(f"accept {NAMES[seat]}", NAMES) == [order.Accept(seat)]
    assert refused("accept green", NAMES[:2]).code == "unknown-player"
    assert refused("accept eve", NAMES[:2]).code == "unknown-player"


def test_no_word_of_the_notation_is_a_name():
    """CH-16.1: no player may be called so that a line could be read in two ways."""
    quoted = """draft build return activate search bid pass keep accept tax double triple campaign none buy lobby sell
        zone take under health plus3 housing tower factory park surveyor lobbyist zoning deputy"""
    assert set(quoted.split()) | set(PAWNS) | {space.lower() for space in SPACES} <= CITY_HALL.notation.reserved
    assert all(word == word.lower() for word in CITY_HALL.notation.reserved)


def test_the_help_shows_lines_that_work():
    """CH-16.2: whatever the help shows as a line of the game can be read; every kind of action is among them."""
    shown = [line.strip() for line in CITY_HALL.notation.help.splitlines() if line.startswith("  ")]
    kinds = {type(action) for line in shown for action in parse(line.split("   ")[0], ("ann", "ben", "eve"))}
    assert kinds == set(CITY_HALL.decider.actions)
    assert max(map(len, CITY_HALL.notation.help.splitlines())) <= 78


# Any text, any action

QUOTED = """draft build return activate search bid pass keep accept tax double triple campaign none buy lobby sell zone
    take under health plus3 0 10 30 3 01"""
words = st.sampled_from([*QUOTED.split(), *PERMITS, *OFFICES, *PAWNS, "Q1", "b9", "M6", ""])
REASONS = "bad-syntax unknown-land unknown-permit unknown-office unknown-player bad-count bad-choice"


@pytest.mark.slow
@for_any(st.one_of(st.text(), st.lists(words, max_size=9).map(" ".join), st.text(string.printable)))
@example("\x00")
@example("\N{KELVIN SIGN}eep")
@example("draft Q3\u20283")
def test_ch_17_1_any_text_is_read_or_refused_with_a_reason(text):
    """CH-17.1: no text does anything else, and what was read is written so that it is read again."""
    refusal, actions = None, []
    try:
        actions = parse(text, PAWNS)
    except OrderNotUnderstood as error:
        refusal = error
    assert refusal is None or (refusal.code in REASONS.split() and refusal.message.endswith("."))
    assert [parse(write(action), PAWNS) for action in actions] == [[action] for action in actions]


lands, kinds = st.sampled_from(SPACES), st.sampled_from(PERMITS)
counts = st.integers(1, 9999)
zones = st.builds(
    lambda take, build, under: " ".join(
        ["zone", *(["take", *take] if take else []), *(["build", *(f"{a} {b}" for a, b in build)] if build else []),
         *(["under", *under] if under and (take or build) else [])]
    ) if take or build else "zone none",
    st.lists(kinds, max_size=2), st.lists(st.tuples(kinds, lands), max_size=2), st.lists(kinds, max_size=3),
)  # fmt: skip
lines = st.one_of(
    lands.map("draft {}".format),
    st.builds("build {} {}{}".format, kinds, lands, st.just("") | kinds.map(" return {}".format)),
    st.builds("activate {}{}".format, st.sampled_from(OFFICES), st.just("") | lands.map(" search {}".format)),
    st.integers(0, 9999).map("bid {}".format),
    st.sampled_from("pass,keep,tax,tax double,tax triple,health none,health plus3,campaign none".split(",")),
    st.sampled_from(PAWNS).map("accept {}".format),
    lands.map("buy {}".format) | st.just("buy none"),
    st.lists(st.builds("{} {}".format, st.sampled_from(["buy", "sell"]), counts)).map(
        lambda it: " ".join(["lobby", *it])
    ),
    zones,
)


@pytest.mark.slow
@for_any(st.lists(lines, min_size=1, max_size=4))
def test_ch_16_6_what_is_read_is_written_as_it_was(written):
    """CH-16.6: any line in its printed form, alone or among others, legal or not."""
    actions = parse("\n".join(written), PAWNS)
    assert [write(action) for action in actions] == written
    assert parse("\n".join(written).swapcase(), PAWNS) == actions
    for action in actions:
        assert msgspec.json.decode(msgspec.json.encode(action), type=type(action)) == action


# Bids as documents


@pytest.mark.parametrize(
    "body, line",
    [
        ({"influence": 3}, "bid 3"),
        ({"influence": 0}, "bid 0"),
        ({"type": "bid", "influence": 3}, "bid 3"),
        ({"pass": True}, "pass"),
        ({"type": "pass"}, "pass"),
    ],
)
def test_a_bid_is_read_from_a_document(body, line):
    """CH-7.6: an amount, or a pass."""
    assert write(CITY_HALL.notation.read_bid(body)) == line


BAD_BIDS = [
    {}, {"influence": -1}, {"influence": "3"}, {"influence": 1.0}, {"influence": True}, {"influence": None},
    {"influence": 10000}, {"influence": [3]}, {"pass": False}, {"pass": None}, {"pass": 1}, {"pass": "true"},
    {"influence": 3, "pass": True}, {"influence": 3, "seat": 0}, {"amount": 3}, {"influence": 0, "pass": False},
    {"type": "bid"}, {"type": "pass", "influence": 3}, {"type": "pass", "pass": True}, {"type": "keep", "influence": 3},
]  # fmt: skip


@pytest.mark.parametrize("body", BAD_BIDS, ids=str)
def test_a_document_that_is_no_bid_is_refused(body):
    """CH-17.1: the same reasons as for a line."""
    with pytest.raises(OrderNotUnderstood) as error:
        CITY_HALL.notation.read_bid(body)
    assert error.value.code in ("bad-syntax", "bad-count")


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
anything = st.recursive(leaves, lambda it: st.lists(it) | st.dictionaries(st.text(max_size=5), it), max_leaves=3)


@pytest.mark.slow
@for_any(st.fixed_dictionaries({}, optional=dict.fromkeys(("type", "influence", "pass", "x"), anything)))
def test_any_document_is_a_bid_or_refused(body):
    """CH-17.1: nothing else comes of any JSON object."""
    with contextlib.suppress(OrderNotUnderstood):
        assert isinstance(CITY_HALL.notation.read_bid(body), order.Bid | order.Pass)


def test_a_name_is_read_where_it_is_needed_alone():
    """CH-16.1: a line that names nobody does not ask who plays."""
    assert parse("draft Q1", ()) == parse("draft Q1", NAMES)
    assert opened(2).names[0] == "ann"
