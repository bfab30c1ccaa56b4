"""What people read: the story of a game, the board as text, the guide."""

import re

import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules.events import PermitReturned, StarsCounted, ZoningChosen
from tests.domain.city_hall.playouts import VARIANTS, playouts
from tests.domain.city_hall.scenario import given, opened, position
from tests.domain.city_hall.words import OFFICES, PAWNS, SPACES

GAMES = range(len(VARIANTS))
NAMES = ("Xaver", "Yvo", "Zita", "Wim")
CLASS_NAMES = re.compile("|".join(rf"\b{kind.__name__}\b" for kind in CITY_HALL.decider.events.values()))


@pytest.mark.parametrize("number", GAMES)
def test_every_fact_is_told_in_sentences(number):
    """CH-14.4: with names, in the words of the game; or there is nothing to tell."""
    played = playouts()[number]
    names = NAMES[: played.players]
    for it in played.facts:
        told = CITY_HALL.presentation.tell(it, names)
        if told:
            assert told[0].isupper(), told
            assert told.endswith("."), told
            assert "\n" not in told
            assert "  " not in told
            assert not CLASS_NAMES.search(told), told
            assert not re.search(r"None|[{}\[\]<>_=]|\bseat\b", told), told
            assert not any(re.search(rf"\b{pawn}\b", told) for pawn in PAWNS), told
        if hasattr(it, "seat") and it.seat is not None and told:
            assert names[it.seat] in told, told


def test_ch_14_4_every_kind_of_fact_but_the_silent_is_told():
    """CH-14.4: one line for each accepted action."""
    told = {type(it) for played in playouts() for it in played.facts if CITY_HALL.presentation.tell(it, NAMES)}
    silent = {kind.__name__ for kind in set(CITY_HALL.decider.events.values()) - told}
    assert silent <= {"BoardLaid", "OfficeControlled", "ZoningDone", "TurnEnded", "MoneyLaid"}


def test_ch_14_3_a_sealed_fact_is_told_without_what_is_sealed():
    """CH-14.3: the sentence is the same for every Permit and every order, and for a reader who cannot know them."""
    assert (
        len({CITY_HALL.presentation.tell(PermitReturned(1, kind), NAMES) for kind in ("tower", "housing", None)}) == 1
    )
    rest = ["park", "tower"]
    orders = (["park", "tower"], ["tower", "park"], None)
    assert len({CITY_HALL.presentation.tell(ZoningChosen(1, ["housing"], rest, under), NAMES) for under in orders}) == 1


def said(game) -> str:
    return " ".join(CITY_HALL.presentation.tell(it, NAMES) for it in game.last)


@pytest.mark.parametrize(
    "office, line, words",
    [
        ("tax", "tax double", {"xaver", "2"}),
        ("campaign", "campaign 10", {"xaver", "10", "3"}),
        ("surveyor", "buy Q1", {"xaver", "q1", "5"}),
        ("lobbyist", "lobby sell 1", {"xaver", "1", "7"}),
        ("zoning", "zone take park build tower B2", {"xaver", "park", "tower", "b2"}),
        ("health", "health plus3", {"3", "4"}),
    ],
)
def test_numbers_are_told(office, line, words):
    """CH-14.4: amounts, spaces and Permits."""
    start = position(lands={"Q1": "$15", "B2": "ann"}, hands={"ann": "tower"})
    game = given(start, permits="park housing factory", lands="M5").takes("Ann", office, line)
    assert words <= set(re.findall(r"\w+", said(game).lower())), said(game)


def views():
    for played in playouts():
        for state, seat in played.decisions(every=4):
            yield CITY_HALL.decider.view(state, seat)
            yield CITY_HALL.decider.view(state, None)
        yield CITY_HALL.decider.view(played.end, None)


@pytest.mark.slow
def test_ch_18_3_the_board_is_a_text_of_78_columns_with_every_space():
    """CH-18.3: the whole view for a reader of mail; long names do not widen it."""
    names = ("x" * 40, "Ben", "a-very-long_name-of-somebody", "Dan")
    for view in views():
        for seat, name in zip(view["seats"], names, strict=False):
            seat["name"] = name
        text = CITY_HALL.presentation.board(view)
        lines = text.splitlines()
        assert max(map(len, lines)) <= 78, max(lines, key=len)
        assert all(line == line.rstrip() and line.isprintable() for line in lines)
        assert "None" not in text
        assert all(re.search(rf"\b{space}\b", text) for space in SPACES)


@pytest.mark.slow
def test_out_37_whatever_stands_on_the_board_can_be_said_in_another_language():
    """OUT-37: but for the words of the Offices, which are understood in all of them, and names."""
    for view in views():
        for seat, name in zip(view["seats"], NAMES, strict=False):
            seat["name"] = name.upper()
        text = CITY_HALL.presentation.board(view, lambda told: str(told).upper())
        assert set(re.findall(r"\w*[a-z]\w*", text)) <= {*OFFICES, "Queens", "Brooklyn"}


def test_ch_14_3_the_board_of_a_view_never_shows_what_others_have():
    """CH-14.3: drawn for a rival or a spectator it is the same whatever Ann holds."""
    for reader in (1, 2, None):
        drawn = {
            CITY_HALL.presentation.board(
                CITY_HALL.decider.view(
                    position(money={"ann": have}, influence={"ann": have}, hands={"ann": kind}), reader
                )
            )
            for have, kind in ((10, "park"), (777, "tower"))
        }
        assert len(drawn) == 1
    own = CITY_HALL.presentation.board(CITY_HALL.decider.view(position(money={"ann": 777}, influence={"ann": 55}), 0))
    assert "777" in own
    assert "55" in own


@pytest.mark.parametrize("number", GAMES)
def test_the_guide_shows_what_can_be_typed(number):
    """CH-16.1: forms have words in capitals; what has none is an example that is legal now."""
    played = playouts()[number]
    for state, seat in played.decisions(every=2):
        pairs = CITY_HALL.presentation.guide(CITY_HALL.decider.blind(state, seat), seat)
        lines = [text for text, _ in pairs if not re.search(r"\b[A-Z]{3,}\b", text)]
        assert lines
        for line in lines:
            (action,) = CITY_HALL.notation.parse(line, PAWNS[: played.players])
            assert CITY_HALL.decider.decide(state, seat, action)
        kinds = {type(it) for it in CITY_HALL.decider.legal_actions(state, seat).actions}
        assert {type(*CITY_HALL.notation.parse(line, PAWNS[: played.players])) for line in lines} == kinds
        assert all(meaning and "None" not in meaning and "\n" not in meaning for _, meaning in pairs)


def test_a_count_of_stars_that_moves_nobody_says_no_step_of_nothing():
    told = CITY_HALL.presentation.tell(StarsCounted(0, "none", [3, 0], [1, 0], [4, 2]), NAMES)
    assert told == "Xaver has the stars counted: Xaver 3 (Population +1, now 4); Yvo 0."


def test_a_space_is_told_with_what_it_brings_or_costs():
    """CH-4.3, CH-8.11: on the board as text, in the guide and in the choices."""
    rules = CITY_HALL.presentation
    drafting = given(opened(3, lands="M5 Q1 B1").state)
    state = drafting.when("Ann", "draft M5").state
    board = rules.board(CITY_HALL.decider.view(state, 1))
    assert "Q1 +$5" in board
    assert "you get this money" in board
    assert "Q1 (you get $5)" in " ".join(meaning for _, meaning in rules.guide(state, 1))
    surveyor = given(position(money={"ann": 12}, lands={"B1": "$15", "Q8": "$25"}), lands="M2").takes("Ann", "surveyor")
    board = rules.board(surveyor.view("ann"))
    told = " ".join(meaning for _, meaning in rules.guide(surveyor.state, 0))
    choices = rules.choices(surveyor.state, 0, NAMES)
    for land, cell, price in (("B1", "$5", "costs $5"), ("Q8", "+$5", "you get $5"), ("M2", "$20", "costs $20")):
        assert f"{land} {cell}" in board.replace("\n", " "), land
        assert f"{land} ({price})" in told, land
    assert choices.answer(("buy", "B1"))[0] == "B1 (costs $5)"


def test_reconstructed_endorsements_carry_the_mark():
    """CH-12.2, CH-1.2: seven of the nine have no source; the board says so in the game and at its end."""
    state = opened(3).state
    board = " ".join(CITY_HALL.presentation.board(CITY_HALL.decider.view(state, None)).split())
    sourced, marked = board.partition("Endorsements (votes for whoever has most): ")[2].split(".")[:2]
    assert sourced == "money 10, Influence 10"
    assert marked.startswith(" Endorsements, reconstructed (CH-12")
    end = next(played.end for played in playouts() if any(played.end.result.endorsements.values()))
    told = " ".join(CITY_HALL.presentation.board(CITY_HALL.decider.view(end, None)).split())
    for card in ("Tenants' League", "Chamber of Commerce", "Queens Club", "Park Friends"):
        assert f"{card} (reconstructed)" in told, card
    assert "Wall Street (" not in told
