"""What people read: the story of a game, the board as text, the guide."""

import re

import pytest

from domain.engine.game import CHANCE
from domain.engine.refusals import RuleViolation
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.actions import End
from domain.tammany_hall.rules.events import BidSealed
from tests.domain.tammany_hall.playouts import VARIANTS, playouts
from tests.domain.tammany_hall.scenario import given, position
from tests.domain.tammany_hall.words import ELECTION_ORDER, PAWNS

GAMES = range(len(VARIANTS))
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")
CLASS_NAMES = re.compile("|".join(rf"\b{kind.__name__}\b" for kind in TAMMANY_HALL.decider.events.values()))


def is_sentence(text: str) -> bool:
    return bool(text) and text[0].isupper() and text.endswith(".") and "\n" not in text and "  " not in text


@pytest.mark.parametrize("number", GAMES)
def test_every_fact_is_told_in_a_sentence(number):
    """TH-14.1: with names, in the words of the game."""
    played = playouts()[number]
    for fact in played.facts:
        told = TAMMANY_HALL.presentation.tell(fact, NAMES[: played.players])
        assert is_sentence(told), told
        assert not CLASS_NAMES.search(told), told
        assert not re.search(r"None|nobody's|[{}\[\]<>_=]|\bseat\b", told), told


@pytest.mark.parametrize("number", GAMES)
def test_who_acts_is_named(number):
    """A fact about a seat names its player, and no other word for the seat."""
    played = playouts()[number]
    for fact in played.facts:
        told = TAMMANY_HALL.presentation.tell(fact, NAMES[: played.players])
        if hasattr(fact, "seat"):
            assert told.startswith(NAMES[fact.seat]) or f"is {NAMES[fact.seat]}'s" in told
        assert not any(re.search(rf"\b{pawn}\b", told) for pawn in PAWNS)


def test_a_sealed_bid_is_told_without_what_it_is():
    """TH-14.2: the sentence is the same for every bid, and for a reader who cannot know it."""
    told = {TAMMANY_HALL.presentation.tell(BidSealed(1, 6, chips), NAMES) for chips in ({}, {"irish": 2}, None)}
    assert len(told) == 1
    assert "Bob" in told.pop()


def words_of(fact) -> set[str]:
    return set(re.findall(r"\w+", TAMMANY_HALL.presentation.tell(fact, NAMES)))


def test_numbers_are_told():
    """A settlement, a slander and an election name wards, colours and votes."""
    wards = {8: "1 german | red 1 yellow 1"}
    game = given(position(year=5, turn="red", garden="1 irish", wards=wards, chips={"red": "1 german"}))
    settled, slandered = game.when("red", "settle boss 5 cube irish 7"), game.when("red", "slander yellow 8 german")
    assert {"Ann", "5", "7", "Irish"} <= words_of(settled.last[0])
    assert {"Ann", "Bob", "8", "German"} <= words_of(slandered.last[0])
    wards = {6: "... | red 2 yellow 1"}
    game = given(position(year=4, phase="election", wards=wards, chips={"yellow": "3 irish"}))
    assert {"Ann", "Bob", "2", "4", "6", "Irish"} <= words_of(game.when("yellow", "bid irish 3").last[1])


def test_both_prices_of_a_slander_and_the_final_scoring_are_told():
    """TH-8.3, TH-8.4, TH-13.2, TH-13.4: wherever a player reads of a slander, and in the help."""
    wards = {8: "1 german | red 1 yellow 1", 14: "1 german | red 1 yellow 1"}
    game = given(position(year=5, turn="red", garden="1 irish", wards=wards, chips={"red": "3 german"}))
    rules = TAMMANY_HALL.presentation
    guide = [meaning for form, meaning in rules.guide(game.state, 0) if "PLAYER" in form]
    choices = rules.choices(game.state, 0, NAMES)
    labels = [choices.answer(("slander",))[0], choices.question(("slander", "yellow", "8"))[1]]
    for text in (*guide, *labels, TAMMANY_HALL.notation.help):
        assert "slander chip" in text, text
        assert re.search("favor chip", text), text
    poor = given(position(year=5, turn="red", garden="1 irish", wards=wards, chips={"red": "2 german"}))
    with pytest.raises(RuleViolation, match="a slander chip and 3 German favor chips"):
        poor.when("red", "slander yellow 8 german then 14")
    board = rules.board(TAMMANY_HALL.decider.view(game.state, 0))
    for text in (TAMMANY_HALL.notation.help, board):
        assert "2 VP" in text
        assert "1 VP" in text
    assert "1 VP at the end" in guide[0]


def ward_rows(text: str, players: int) -> dict[int, list[str]]:
    """The rows of a drawn board that belong to wards: counts of cubes and bosses, "." for none, and what follows."""
    row = re.compile(rf"[ >*]*(\d+)((?: +(?:\d+|\.)){{{4 + players}}}) (.*)")
    return {int(it[1]): [*it[2].split(), it[3]] for line in text.splitlines() if (it := row.match(line))}


def views():
    """Every position of the games in which something is asked, and their ends."""
    for played in playouts():
        for state, seat in played.decisions(every=3):
            yield TAMMANY_HALL.decider.view(state, seat)
            yield TAMMANY_HALL.decider.view(state, None)
        yield TAMMANY_HALL.decider.view(played.end, None)


@pytest.mark.slow
def test_th_16_3_the_board_is_a_text_of_78_columns_with_every_ward():
    """TH-16.3: the whole position for a reader of mail; long names do not widen it."""
    names = ("x" * 40, "Bob", "a-very-long_name-of-somebody", "Dee", "y" * 24)
    for view in views():
        for seat, name in zip(view["seats"], names, strict=False):
            seat["name"] = name
        lines = TAMMANY_HALL.presentation.board(view).splitlines()
        assert max(map(len, lines)) <= 78, max(lines, key=len)
        assert all(line == line.rstrip() and line.isprintable() for line in lines)
        assert list(ward_rows(TAMMANY_HALL.presentation.board(view), view["players"])) == list(ELECTION_ORDER)
        assert "None" not in "\n".join(lines)


def test_the_board_shows_pawns_chips_and_who_is_asked():
    """TH-14.1: what is public is on it."""
    wards = {6: "3 irish | red 7 yellow 1", 14: "... | locked"}
    state = given(position(3, year=8, phase="election", wards=wards, chips={"red": "8 irish"}, vp={"black": 41})).state
    view = TAMMANY_HALL.decider.view(state, None)
    text = TAMMANY_HALL.presentation.board(view)
    rows = ward_rows(text, 3)
    assert rows[6][:7] == ["3", ".", ".", ".", "7", "1", "."]
    assert rows[17][:7] == ["."] * 7
    (black,) = (line for line in text.splitlines() if line.lstrip("> ").startswith("black"))
    assert "41" in black
    assert "LOCK" in rows[14][-1]
    assert "LOCK" not in rows[6][-1]
    assert "8 Irish" in text


def test_the_board_never_shows_another_players_bid():
    """TH-14.2: a view of a rival's or nobody's, drawn, is the same whatever was bid."""
    wards = {6: "3 irish | red 1 yellow 1"}
    chips = {"red": "8 irish", "yellow": "1 irish"}
    bidding = given(position(3, year=8, phase="election", wards=wards, chips=chips))
    for reader in (1, 2, None):
        drawn = {
            TAMMANY_HALL.presentation.board(
                TAMMANY_HALL.decider.view(bidding.when("red", f"bid irish {count}").state, reader)
            )
            for count in (0, 5, 8)
        }
        assert len(drawn) == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_the_guide_shows_what_can_be_typed(number):
    """TH-15.1: forms have words in capitals; what has none can be typed as it stands, and is legal now."""
    played = playouts()[number]
    names = PAWNS[: played.players]
    for state, seat in played.decisions(every=2):
        pairs = TAMMANY_HALL.presentation.guide(TAMMANY_HALL.decider.blind(state, seat), seat)
        concrete = [text for text, _ in pairs if text == text.lower()]
        assert concrete
        for line in concrete:
            action, *rest = TAMMANY_HALL.notation.parse(line, names)
            assert rest in ([], [End()])
            assert TAMMANY_HALL.decider.decide(state, seat, action)
        assert all(meaning and "None" not in meaning and "\n" not in meaning for _, meaning in pairs)


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_the_guide_shows_every_kind_of_action_there_is(number):
    """TH-16.1: each kind of legal action has an example, and there is no example of another kind."""
    played = playouts()[number]
    for state, seat in played.decisions(every=5):
        legal = {type(action) for action in TAMMANY_HALL.decider.legal_actions(state, seat).actions}
        lines = [text for text, _ in TAMMANY_HALL.presentation.guide(state, seat) if text == text.lower()]
        shown = {type(TAMMANY_HALL.notation.parse(line, PAWNS[: played.players])[0]) for line in lines}
        assert shown == legal


def test_nobody_else_is_guided():
    """TH-16.1: a seat that is not asked gets no list, nor does anybody while chance draws."""
    played = playouts()[0]
    for step in played.steps:
        idle = {0, 1, 2} - TAMMANY_HALL.decider.awaiting(step.before) - set(step.before.bids)
        if step.seat == CHANCE or step.before.phase in ("turn", "bonus", "assign"):
            assert all(TAMMANY_HALL.presentation.guide(step.before, seat) == [] for seat in idle)
