"""The text of ballots and their documents: read, written, refused with a reason."""

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.engine.refusals import OrderNotUnderstood
from domain.tammany_hall import ORDERS
from domain.tammany_hall.ballot.ballot import Ballot, Choice, Exactly, Reserve, UpTo
from domain.tammany_hall.rules.actions import Assign, BonusCube, BonusFavor, BonusPass
from tests.domain.tammany_hall.polls import colours, named, takes, votes, wards
from tests.domain.tammany_hall.words import PAWNS

NAMES = ("ann", "bob", "cy", "dee", "Eve_2")

LINES = [
    ("ward 1 bid irish 2", Ballot(bids=[Exactly(1, chips={"irish": 2})])),
    ("ward 1 bid irish 2 german 1", Ballot(bids=[Exactly(1, chips={"irish": 2, "german": 1})])),
    ("ward 2 bid none", Ballot(bids=[Exactly(2, chips={})])),
    ("ward 6 up to 3 irish english", Ballot(bids=[UpTo(6, chips=3, colours=["irish", "english"])])),
    ("ward 6 up to 3 italian irish", Ballot(bids=[UpTo(6, chips=3, colours=["italian", "irish"])])),
    ("ward 6 bid irish 2 if contested", Ballot(bids=[Exactly(6, chips={"irish": 2}, if_contested=True)])),
    ("ward 6 bid irish 2 while winnable", Ballot(bids=[Exactly(6, chips={"irish": 2}, while_winnable=True)])),
    (
        "ward 6 up to 3 irish if contested while winnable",
        Ballot(bids=[UpTo(6, chips=3, colours=["irish"], if_contested=True, while_winnable=True)]),
    ),
    ("others bid none", Ballot(bids=[Exactly("others", chips={})])),
    ("others up to 2 irish if contested", Ballot(bids=[UpTo("others", chips=2, colours=["irish"], if_contested=True)])),
    ("keep 2 irish for ward 14", Ballot(keep=[Reserve(2, "irish", 14)])),
    ("bonus 1 cube italian 10", Ballot(bonuses=[Choice(1, BonusCube("italian", 10))])),
    ("bonus 4 favor irish", Ballot(bonuses=[Choice(4, BonusFavor("irish"))])),
    ("bonus 2 pass", Ballot(bonuses=[Choice(2, BonusPass())])),
    ("bonus others pass", Ballot(bonuses=[Choice("others", BonusPass())])),
    ("assign deputy red police yellow", Ballot(assign=Assign({"deputy": 0, "police": 1}))),
    ("term 3", Ballot(term=3)),
    ("pass slander", Ballot(pass_slander=True)),
    ("end when placed", Ballot(end_when_placed=True)),
]


@pytest.mark.parametrize("line, ballot", LINES, ids=[line for line, _ in LINES])
def test_every_line_both_ways(line, ballot):
    """TH-15.1: read in any letter case and with any blanks, and written as it stands."""
    assert ORDERS.parse(line, PAWNS) == ballot
    assert ORDERS.parse(f"\r\n {line.upper().replace(' ', '   ')}\t\r", PAWNS) == ballot
    assert ORDERS.write(ballot) == line


@pytest.mark.parametrize(
    "line, written",
    [
        ("ward 2 bid 0", "ward 2 bid none"),
        ("ward 2 bid irish 0", "ward 2 bid none"),
        ("ward 1 bid german 1 irish 02", "ward 1 bid irish 2 german 1"),
        ("ward 6 up 3 irish", "ward 6 up to 3 irish"),
        ("ward others bid none", "others bid none"),
        ("ward 6 bid irish 2 while winnable if contested", "ward 6 bid irish 2 if contested while winnable"),
        ("assign police BOB deputy eve_2", "assign deputy brown police yellow"),
        ("end when placed\nend when placed", "end when placed"),
        ("term 2\nterm 2", "term 2"),
        ("end when placed\nward 2 bid none\n\nterm 1\nward 1 bid none",
         "term 1\nward 2 bid none\nward 1 bid none\nend when placed"),
    ],
)  # fmt: skip
def test_other_ways_to_say_it(line, written):
    """TH-15.1: the order of words that does not matter, players by name, and lines of one kind together."""
    assert ORDERS.write(ORDERS.parse(line, NAMES)) == written


UNFIT = """
    ward
    ward 6
    ward 6 bid
    ward 6 bid irish
    ward 6 bid irish 1 irish 1
    ward 6 bid irish 2 if
    ward 6 bid irish 2 if winnable
    ward 6 bid irish 2 if contested if contested
    ward 6 bid irish 2 contested
    ward 6 up to 3
    ward 6 up to irish
    ward 6 up to 3 irish irish
    ward 6 up to to 3 irish
    ward if contested
    others
    others 6 bid none
    others bid
    keep 2 irish
    keep 2 irish for 14
    keep 2 irish for ward
    keep 2 irish german for ward 14
    bonus 1
    bonus 1 cube italian
    bonus 4 favor
    bonus 4 favor irish 10
    bonus pass
    bonus cube italian 10
    assign
    assign deputy
    pass
    pass slander now
    end
    end when
    term
    term 1 2
    bid ward 6 irish 2
    place 3 3
    if contested
    """


@pytest.mark.parametrize("line", [line.strip() for line in UNFIT.strip().splitlines()])
def test_words_that_fit_no_line(line):
    """TH-15.3: bad-syntax, with the line as it was given and a form that fits."""
    with pytest.raises(OrderNotUnderstood) as error:
        ORDERS.parse(f"ward 1 bid none\n{line}", PAWNS)
    assert (error.value.code, error.value.rule, error.value.line) == ("bad-syntax", "TH-15.1", line)
    assert error.value.message.endswith(".")
    first = line.split()[0]
    assert f"{first} " in error.value.message if first in ORDERS.verbs else "others, keep" in error.value.message


@pytest.mark.parametrize(
    "line, code, rule",
    [
        ("ward 12 bid greek 2", "unknown-ward", "TH-3.1"),
        ("ward 03 bid none", "unknown-ward", "TH-3.1"),
        ("ward 16 up to many greek", "unknown-ward", "TH-3.1"),
        ("ward 6 up to many greek", "bad-count", "TH-15.1"),
        ("ward 6 up to 0 irish", "bad-count", "TH-15.1"),
        ("ward 6 up to 100 irish", "bad-count", "TH-15.1"),
        ("ward 6 up to ３ irish", "bad-count", "TH-15.1"),
        ("ward 6 up to 3 greek", "unknown-colour", "TH-1.4"),
        ("ward 6 bid irish -1", "bad-count", "TH-15.1"),
        ("ward 6 bid greek 1", "unknown-colour", "TH-1.4"),
        ("keep 0 irish for ward 14", "bad-count", "TH-15.1"),
        ("keep 2 greek for ward 12", "unknown-colour", "TH-1.4"),
        ("keep 2 irish for ward 12", "unknown-ward", "TH-3.1"),
        ("keep 2 irish for ward others", "unknown-ward", "TH-3.1"),
        ("bonus 12 pass", "unknown-ward", "TH-3.1"),
        ("bonus 1 cube greek 12", "unknown-colour", "TH-1.4"),
        ("bonus 1 cube irish others", "unknown-ward", "TH-3.1"),
        ("assign mayor zoe", "unknown-office", "TH-12.1"),
        ("assign deputy zoe", "unknown-player", "TH-1.5"),
        ("assign deputy purple police red", "unknown-player", "TH-1.5"),
        ("term 5", "unknown-term", "TH-4.1"),
        ("term 0", "unknown-term", "TH-4.1"),
        ("term 1\nterm 2", "line-twice", "TH-15.1"),
        ("assign deputy ann police bob\nassign deputy bob police ann", "line-twice", "TH-15.1"),
    ],
)
def test_a_word_that_is_not_allowed_in_its_place(line, code, rule):
    """TH-15.3: from left to right, with the reasons of the notation."""
    with pytest.raises(OrderNotUnderstood) as error:
        ORDERS.parse(line, NAMES[:3])
    assert (error.value.code, error.value.rule, error.value.line) == (code, rule, line.splitlines()[-1])
    assert error.value.message.endswith(".")


def test_the_help_shows_lines_that_work():
    """TH-15.2: all that can be ordered, in few lines of a mail."""
    shown = [line for line in ORDERS.help.splitlines() if line.startswith("  ")]
    read = [ORDERS.parse(line.strip().split("   ")[0], NAMES) for line in shown]
    assert {field for ballot in read for field in msgspec.to_builtins(ballot)} == set(Ballot.__struct_fields__)
    assert {line.split()[0] for line in shown} == ORDERS.verbs
    assert len(ORDERS.help.splitlines()) <= 25
    assert max(map(len, ORDERS.help.splitlines())) <= 78


titles = st.sampled_from(("deputy", "council", "police", "precinct"))
ballots = st.builds(
    Ballot,
    term=st.none() | st.integers(1, 4),
    bids=st.lists(votes(most=99), max_size=20),
    keep=st.lists(st.builds(Reserve, st.integers(1, 99), colours, wards), max_size=20),
    bonuses=st.lists(st.builds(Choice, named, takes), max_size=20),
    assign=st.none() | st.builds(Assign, st.dictionaries(titles, st.integers(0, 4), min_size=1)),
    pass_slander=st.booleans(),
    end_when_placed=st.booleans(),
)


@pytest.mark.slow
@given(ballots)
def test_what_is_written_is_read_back(ballot):
    """TH-15.1: any orders, sensible or not, as text and as document."""
    text = ORDERS.write(ballot)
    assert ORDERS.parse(text, PAWNS) == ballot
    assert text == text.lower()
    document = msgspec.json.encode(ballot)
    assert document.isascii()
    assert msgspec.json.decode(document, type=ORDERS.form) == ballot


vocabulary = st.sampled_from([*" ".join(line for line, _ in LINES).split(), "12", "0", "to", "winnable", ""])


@pytest.mark.slow
@given(st.one_of(st.text(), st.lists(vocabulary, max_size=9).map(" ".join)))
@example("\x00")
@example("ward 6 bid \N{KELVIN SIGN} 1")
def test_any_text_is_read_or_refused_with_a_reason(text):
    """TH-15.3: nothing else comes of it, and what was read is written so that it is read again."""
    refusal, ballot = None, Ballot()
    try:
        ballot = ORDERS.parse(text, PAWNS)
    except OrderNotUnderstood as error:
        refusal = error
    assert refusal is None or (refusal.line and refusal.message.endswith("."))
    assert ORDERS.parse(ORDERS.write(ballot), PAWNS) == ballot


@pytest.mark.parametrize(
    "document",
    [
        {"ballot": []},
        {"term": 5},
        {"bids": [{"ward": 6, "chips": {}}]},
        {"bids": [{"type": "exactly", "ward": 12, "chips": {}}]},
        {"bids": [{"type": "exactly", "ward": 6, "chips": {"irish": 0}}]},
        {"bids": [{"type": "exactly", "ward": 6, "chips": {"irish": 1}, "colours": ["irish"]}]},
        {"bids": [{"type": "exactly", "ward": 6, "chips": 3}]},
        {"bids": [{"type": "up-to", "ward": 6, "chips": 3, "colours": []}]},
        {"bids": [{"type": "up-to", "ward": 6, "chips": 0, "colours": ["irish"]}]},
        {"keep": [{"chips": 1, "colour": "irish", "ward": "others"}]},
        {"bonuses": [{"ward": 1, "take": {"type": "bid"}}]},
        {"bonuses": [{"ward": 1, "take": {"type": "bonus-pass"}}] * 21},
        {"pass_slander": 1},
    ],
)
def test_a_document_that_is_no_ballot_is_not_read(document):
    """TH-15.3: no field that is not known, no number that cannot be bid, no ward that is not there."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(document, ORDERS.form)
    assert msgspec.json.schema(ORDERS.form)
