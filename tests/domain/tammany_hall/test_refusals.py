"""Refusals: every reason of TH-15.6, and the order in which reasons are looked for (TH-15.3, TH-15.4).

A ladder starts from a situation in which all the reasons of a command apply at once. The first is given; once it is
put right the next is given, and so on, until the line is accepted.
"""

from typing import Any

import pytest

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.actions import Assign, Slander
from tests.domain.tammany_hall.scenario import given, position

OVER = {"year": 16, "phase": "over"}
BIDDING = {"phase": "election", "year": 4, "wards": {6: "... | red 1 yellow 1"}, "chips": {"red": "1 irish"}}
GARDEN = {"turn": "red", "garden": "1 irish"}
FRIENDS = {8: "1 english 1 german | red 1 yellow 1"}
SCANDAL = {"year": 5, "turn": "red", "wards": FRIENDS, "chips": {"red": "1 german"}}

REFUSED: list[tuple[str, str, dict[str, Any], str, str]] = [
    # reason, the rules it may cite, situation, who, line
    ("bad-syntax", "TH-15.1", {"turn": "red"}, "red", "place"),
    ("bad-syntax", "TH-15.1", {"turn": "red"}, "red", "settle 5 7 irish"),
    ("bad-syntax", "TH-15.1", BIDDING, "red", "bid irish"),
    ("bad-syntax", "TH-15.1", BIDDING, "red", "bid irish 1 irish 1"),
    ("unknown-ward", "TH-3.1", {"turn": "red"}, "red", "place 12 3"),
    ("unknown-ward", "TH-3.1", {"turn": "red"}, "red", "office lock 16"),
    ("unknown-ward", "TH-3.1", {"turn": "red"}, "red", "place 03 3"),
    ("unknown-colour", "TH-1.4", {"turn": "red"}, "red", "office favor greek"),
    ("unknown-player", "TH-1.5", {"players": 3, "turn": "red"}, "red", "slander purple 8 german"),
    ("unknown-office", "TH-12.1", {"turn": "red"}, "red", "assign mayor red police yellow"),
    ("bad-count", "TH-15.1", BIDDING, "red", "bid irish -1"),
    ("bad-count", "TH-15.1", BIDDING, "red", "bid irish two"),
    ("bad-count", "TH-15.1", BIDDING, "red", "bid irish 100"),
    *[("game-over", "TH-13.1", OVER, "red", line) for line in ("place 3 3", "end", "bid none", "bonus pass")],
    ("wrong-phase", "TH-16.1", BIDDING, "red", "place 3 3"),
    ("not-your-turn", "TH-4.2", {"turn": "red"}, "yellow", "place 3 3"),
    ("not-your-turn", "TH-9.13", {"phase": "election", "wards": {1: "... | red 1"}}, "yellow", "bonus pass"),
    ("not-your-turn", "TH-12.1", {"phase": "assign", "mayor": "red"}, "yellow", "assign deputy red"),
    ("already-placed", "TH-6.1", {**GARDEN, "placed": True}, "red", "place 3 3"),
    ("already-placed", "TH-6.1", {**GARDEN, "placed": True}, "red", "settle boss 3 cube irish 3"),
    ("no-boss-left", "TH-6.7", {**GARDEN, "wards": {3: "... | red 19"}}, "red", "place 3"),
    ("no-boss-left", "TH-6.7", {**GARDEN, "wards": {3: "... | red 19"}}, "red", "settle boss 3 cube irish 3"),
    ("must-place-two", "TH-6.7", {"turn": "red"}, "red", "place 3"),
    ("must-place-first", "TH-6.6", {"turn": "red"}, "red", "end"),
    ("cube-not-in-garden", "TH-6.4", GARDEN, "red", "settle boss 3 cube german 3"),
    ("inactive-ward", "TH-4.3", {"players": 3, "turn": "red"}, "red", "place 9 9"),
    ("locked-ward", "TH-7.11", {"turn": "red", "wards": {3: "... | locked"}}, "red", "place 3 3"),
    (
        "locked-ward",
        "TH-7.13",
        {"phase": "election", "year": 8, "wards": {1: "... | red 1", 3: "... | locked"}},
        "red",
        "bonus cube irish 3",
    ),
    ("office-not-held", "TH-7.1", {"turn": "red"}, "red", "office favor irish"),
    ("office-not-held", "TH-7.1", {"turn": "red", "year": 5, "offices": {"red": "mayor"}}, "red", "office lock 3"),
    ("cube-not-in-ward", "TH-7.6", {"turn": "red", "offices": {"red": "police"}}, "red", "office police 3 irish"),
    ("cube-not-in-ward", "TH-7.7", {"turn": "red", "offices": {"red": "precinct"}}, "red", "office move irish 3 6"),
    ("last-cube", "TH-7.8", {"turn": "red", "offices": {"red": "police"}}, "red", "office police 3 german"),
    ("last-cube", "TH-7.8", {"turn": "red", "offices": {"red": "precinct"}}, "red", "office move german 3 6"),
    ("not-adjacent", "TH-3.2", {"turn": "red", "offices": {"red": "precinct"}}, "red", "office move irish 6 7"),
    ("not-adjacent", "TH-3.2", SCANDAL, "red", "slander yellow 8 german then 10"),
    ("slander-too-early", "TH-8.1", {**SCANDAL, "year": 4}, "red", "slander yellow 8 german"),
    ("slander-used", "TH-8.2", {**SCANDAL, "slandered": "red"}, "red", "slander yellow 8 german"),
    ("slander-self", "TH-8.3", SCANDAL, "red", "slander red 8 german"),
    ("no-own-boss", "TH-8.3", {**SCANDAL, "wards": {8: "... | yellow 1"}}, "red", "slander yellow 8 english"),
    ("no-own-boss", "TH-8.4", SCANDAL, "red", "slander yellow 8 german then 5"),
    ("no-target-boss", "TH-8.3", SCANDAL, "red", "slander black 8 german"),
    (
        "no-target-boss",
        "TH-8.4",
        {**SCANDAL, "wards": FRIENDS | {5: "... | red 1"}},
        "red",
        "slander yellow 8 german then 5",
    ),
    ("colour-not-in-ward", "TH-8.3", SCANDAL, "red", "slander yellow 8 irish"),
    (
        "colour-not-in-ward",
        "TH-8.4",
        {**SCANDAL, "wards": FRIENDS | {5: "... | red 1 yellow 1"}},
        "red",
        "slander yellow 8 german then 5",
    ),
    ("colour-not-in-ward", "TH-9.8", BIDDING, "red", "bid german 1"),
    ("not-enough-chips", "TH-8.3", {**SCANDAL, "chips": {}}, "red", "slander yellow 8 german"),
    (
        "not-enough-chips",
        "TH-8.4",
        {**SCANDAL, "wards": FRIENDS | {5: "1 german | red 1 yellow 1"}},
        "red",
        "slander yellow 8 german then 5",
    ),
    ("not-enough-chips", "TH-9.8", BIDDING, "red", "bid irish 2"),
    ("no-bid-due", "TH-9.3 TH-9.7", BIDDING, "black", "bid none"),
    ("no-bid-due", "TH-9.3 TH-9.7", BIDDING, "yellow", "bid none"),
    ("wrong-ward", "TH-9.2", BIDDING, "red", "bid ward 14 irish 1"),
    (
        "chip-supply-empty",
        "TH-2.4 TH-7.5",
        {"turn": "red", "offices": {"red": "deputy"}, "supply": "0 35 35 35"},
        "red",
        "office favor irish",
    ),
    (
        "chip-supply-empty",
        "TH-2.4 TH-9.15",
        {"phase": "election", "wards": {4: "... | red 1"}, "supply": "0 35 35 35"},
        "red",
        "bonus favor irish",
    ),
    ("wrong-bonus", "TH-9.14 TH-9.15", {"phase": "election", "wards": {1: "... | red 1"}}, "red", "bonus favor irish"),
    ("wrong-bonus", "TH-9.14 TH-9.15", {"phase": "election", "wards": {4: "... | red 1"}}, "red", "bonus cube irish 4"),
    (
        "cube-not-in-bag",
        "TH-9.14",
        {"phase": "election", "wards": {1: "... | red 1"}, "bag": "0 1 0 0"},
        "red",
        "bonus cube irish 4",
    ),
    (
        "bonus-mandatory",
        "TH-17.1 TH-17.3",
        {"phase": "election", "wards": {1: "... | red 1"}, "ward_bonus": "mandatory"},
        "red",
        "bonus pass",
    ),
    *[
        (code, "TH-12.1", {"players": 3, "phase": "assign", "mayor": "red"}, "red", line)
        for code, line in (
            ("assign-duplicate", "assign deputy yellow deputy black"),
            ("assign-duplicate", "assign deputy yellow police yellow"),
            ("assign-self", "assign deputy yellow police red"),
            ("assign-incomplete", "assign deputy yellow"),
        )
    ],
]


@pytest.mark.parametrize("code, rules, situation, pawn, line", REFUSED, ids=[it[0] for it in REFUSED])
def test_th_15_6_a_refusal_names_its_reason_and_rule_in_a_sentence(code, rules, situation, pawn, line):
    """TH-15.6, TH-1.1: the reason of the table, the rule it stands for, and a sentence for the player."""
    game = given(position(**situation)).refused(pawn, line, code)
    with pytest.raises((RuleViolation, OrderNotUnderstood)) as refused:
        game.decided(pawn, line)
    assert refused.value.rule in rules.split()
    assert refused.value.message.endswith(".")
    assert "None" not in refused.value.message
    assert "\n" not in refused.value.message
    if isinstance(refused.value, OrderNotUnderstood):
        assert refused.value.line == line


@pytest.mark.parametrize(
    "situation, line, words",
    [
        ({"wards": {3: "... | red 19"}}, "place 3", "no ward boss left"),
        ({"wards": {3: "... | red 18"}}, "place 3 3", "one ward boss left"),
        ({**SCANDAL, "chips": {}}, "slander yellow 8 german", "1 German favor chip; you have 0"),
        (
            {**SCANDAL, "wards": FRIENDS | {5: "1 german | red 1 yellow 1"}},
            "slander yellow 8 german then 5",
            "3 German favor chips; you have 1",
        ),
        ({"garden": "1 irish 3 italian"}, "settle boss 3 cube german 3", "holds 1 Irish, 3 Italian."),
        ({"garden": "", "bag": "0 0 0 0"}, "settle boss 3 cube german 3", "holds none."),
        (
            {**SCANDAL, "wards": {9: "... | red 1 yellow 1"}, "chips": {"red": "1 irish"}},
            "slander yellow 9 irish then 3",
            "are 8 and 15.",
        ),
        ({"turn": "black"}, "end", "black is taking a turn"),
        (BIDDING, "end", "sealed bids are made for ward 6"),
    ],
)
def test_th_15_6_a_refusal_says_how_things_stand(situation, line, words):
    """TH-15.6: none left is not one left, one chip is not several; what is there, who is awaited."""
    situation = situation if "phase" in situation else {"turn": "red", **situation}
    with pytest.raises(RuleViolation) as refused:
        given(position(**situation)).decided("red", line)
    assert words in refused.value.message


def test_office_used_lock_limit_and_already_locked():
    """TH-7.2, TH-7.9, TH-7.10: a second benefit in a turn, a third lock in a term, a ward that is locked."""
    council = {"turn": "red", "year": 5, "offices": {"red": "council"}}
    game = given(position(**council)).when("red", "office lock 3").refused("red", "office lock 4", "office-used")
    game.idle(6, "red").refused("red", "office lock 3", "already-locked")
    wards = {3: "... | locked", 4: "... | locked"}
    given(position(**council, wards=wards)).refused("red", "office lock 5", "lock-limit")


def test_already_bid():
    """TH-17.3: in the variant a bid that was made cannot be replaced."""
    wards = {6: "... | red 1 yellow 1"}
    chips = {"red": "1 irish", "yellow": "1 irish"}
    start = position(year=4, phase="election", wards=wards, chips=chips, sealed_bid="final")
    given(start).when("red", "bid none").refused("red", "bid none", "already-bid")


def test_every_reason_of_the_rules_has_a_test():
    """TH-15.6: the reasons of the table, all of them."""
    table = """
        bad-syntax unknown-ward unknown-colour unknown-player unknown-office bad-count game-over wrong-phase
        not-your-turn already-placed no-boss-left must-place-two must-place-first cube-not-in-garden inactive-ward
        locked-ward office-not-held office-used lock-limit already-locked cube-not-in-ward last-cube not-adjacent
        chip-supply-empty slander-too-early slander-used slander-self no-own-boss no-target-boss colour-not-in-ward
        not-enough-chips no-bid-due wrong-ward already-bid wrong-bonus cube-not-in-bag bonus-mandatory
        assign-duplicate assign-self assign-incomplete
    """
    apart = {"office-used", "lock-limit", "already-locked", "already-bid"}
    assert {code for code, *_ in REFUSED} | apart == set(table.split())


def ladder(pawn: str, line: str, situation: dict[str, Any], *rungs: tuple[str, dict[str, Any]]) -> None:
    """Each reason is given until it is put right; then the line is accepted. A rung may also change the line."""
    situation = dict(situation)
    for code, repair in rungs:
        given(position(**situation)).refused(pawn, line, code)
        line = repair.get("line", line)
        situation |= {name: value for name, value in repair.items() if name != "line"}
    given(position(**situation)).when(pawn, line)


def test_th_15_3_words_are_judged_before_the_game():
    """TH-15.3, 1 to 3: the form of a line, then its words from left to right, then whether the game is over."""
    over = given(position(3, **OVER))
    for line, code in (
        ("slander nobody 12 greek and 16", "bad-syntax"),
        ("slander nobody 12 greek then 16", "unknown-player"),
        ("slander red 12 greek then 16", "unknown-ward"),
        ("slander red 8 greek then 16", "unknown-colour"),
        ("slander red 8 irish then 16", "unknown-ward"),
        ("slander red 8 irish then 9", "game-over"),
        ("settle boss 12 cube greek 16", "unknown-ward"),
        ("settle boss 1 cube greek 16", "unknown-colour"),
        ("settle boss 1 cube irish 16", "unknown-ward"),
        ("office police 12 greek", "unknown-ward"),
        ("office move greek 12 16", "unknown-colour"),
        ("bonus cube greek 12", "unknown-colour"),
        ("assign mayor nobody", "unknown-office"),
        ("assign deputy nobody mayor red", "unknown-player"),
        ("assign deputy purple", "unknown-player"),
        ("assign deputy", "bad-syntax"),
        ("bid ward 12 greek x", "unknown-ward"),
        ("bid ward 6 greek x", "unknown-colour"),
        ("bid ward 6 irish x greek 1", "bad-count"),
        ("bid irish 1 greek x", "unknown-colour"),
        ("bid ward 12 greek x greek 1", "bad-syntax"),
        ("bid ward 12 irish", "bad-syntax"),
    ):
        over.refused("red", line, code)


def test_th_15_3_a_seat_nobody_sits_on_is_unknown_before_the_game_is_over():
    """TH-15.3, 2: the same for actions that were never text."""
    over = given(position(3, **OVER))
    over.refused("red", Slander(target=3, ward=8, favor="irish"), "unknown-player")
    over.refused("red", Assign({"deputy": 4}), "unknown-player")
    over.refused("red", Slander(target=2, ward=8, favor="irish"), "game-over")


PHASES = {
    "turn": {"turn": "red"},
    "bid": BIDDING,
    "bonus": {"phase": "election", "wards": {1: "... | red 1"}},
    "assign": {"phase": "assign", "mayor": "red"},
}
COMMANDS = {
    "turn": [
        "place 1", "settle boss 1 cube irish 1", "slander red 1 irish", "end",
        "office favor irish", "office lock 1", "office police 1 irish", "office move irish 1 2",
    ],
    "bid": ["bid ward 1 german 9"],
    "bonus": ["bonus cube irish 1", "bonus favor irish", "bonus pass"],
    "assign": ["assign deputy red police red"],
}  # fmt: skip


@pytest.mark.parametrize("phase", PHASES)
def test_th_15_3_wrong_phase_comes_before_whose_turn_it_is(phase):
    """TH-15.3, 4 and TH-16.1: a command of another state is in the wrong phase, whoever sends it."""
    game = given(position(**PHASES[phase]))
    for other, lines in COMMANDS.items():
        for line in lines if other != phase else ():
            game.refused("red", line, "wrong-phase").refused("black", line, "wrong-phase")


@pytest.mark.parametrize("phase", ["turn", "bonus", "assign"])
def test_th_15_3_whose_turn_it_is_comes_before_the_checks_of_the_command(phase):
    """TH-15.3, 5: whatever else is wrong with it, another player's command is out of turn."""
    game = given(position(**PHASES[phase]))
    for line in COMMANDS[phase]:
        game.refused("black", line, "not-your-turn")


def test_th_15_4_place():
    """TH-15.4: already placed; no boss left; two to place; then each ward as written, inactive before locked."""
    nowhere = {9: "| locked", 15: "| locked"}
    ladder(
        "red",
        "place 9 15",
        {"players": 3, "turn": "red", "placed": True, "wards": {1: "... | red 18", **nowhere}},
        ("already-placed", {"placed": False}),
        ("no-boss-left", {"wards": nowhere, "line": "place 9"}),
        ("must-place-two", {"line": "place 9 15"}),
        ("inactive-ward", {"wards": {9: "... | locked", 15: "| locked"}}),
        ("locked-ward", {"wards": {9: "...", 15: "| locked"}}),
        ("inactive-ward", {"wards": {9: "...", 15: "... | locked"}}),
        ("locked-ward", {"wards": {9: "...", 15: "..."}}),
    )
    given(position(turn="red", placed=True, wards={1: "... | red 19"})).refused("red", "place 1", "already-placed")
    given(position(3, turn="red", wards={1: "... | red 19"})).refused("red", "place 9", "no-boss-left")


def test_th_15_4_settle():
    """TH-15.4: already placed; no boss left; the cube; the boss's ward; the cube's ward."""
    nowhere = {9: "| locked", 15: "| locked"}
    ladder(
        "red",
        "settle boss 9 cube irish 15",
        {"players": 3, "turn": "red", "garden": "1 german", "placed": True, "wards": {1: "... | red 19", **nowhere}},
        ("already-placed", {"placed": False}),
        ("no-boss-left", {"wards": nowhere}),
        ("cube-not-in-garden", {"garden": "1 irish"}),
        ("inactive-ward", {"wards": {9: "... | locked", 15: "| locked"}}),
        ("locked-ward", {"wards": {9: "...", 15: "| locked"}}),
        ("inactive-ward", {"wards": {9: "...", 15: "... | locked"}}),
        ("locked-ward", {"wards": {9: "...", 15: "..."}}),
    )


def test_th_15_4_slander():
    """TH-15.4: the time, the slanderer, the target; six checks of the first ward, the border, six of the second."""

    def wards(first: str, second: str = "| locked") -> dict[str, Any]:
        return {"wards": {17: first, 10: second}}

    done = "1 german | red 1 yellow 1"
    ladder(
        "red",
        "slander red 17 german then 9",
        {"players": 3, "year": 4, "turn": "red", "slandered": "red", **wards("| locked")},
        ("slander-too-early", {"year": 5}),
        ("slander-used", {"slandered": ""}),
        ("slander-self", {"line": "slander yellow 17 german then 9"}),
        ("inactive-ward", wards("1 irish | locked")),
        ("locked-ward", wards("1 irish")),
        ("no-own-boss", wards("1 irish | red 1")),
        ("no-target-boss", wards("1 irish | red 1 yellow 1")),
        ("colour-not-in-ward", wards(done)),
        ("not-enough-chips", {"chips": {"red": "1 german"}}),
        ("not-adjacent", {"line": "slander yellow 17 german then 10"}),
        ("inactive-ward", wards(done, "1 irish | locked")),
        ("locked-ward", wards(done, "1 irish")),
        ("no-own-boss", wards(done, "1 irish | red 1")),
        ("no-target-boss", wards(done, "1 irish | red 1 yellow 1")),
        ("colour-not-in-ward", wards(done, done)),
        ("not-enough-chips", {"chips": {"red": "2 german"}}),
        ("not-enough-chips", {"chips": {"red": "3 german"}}),
    )


def test_th_15_4_office_favor():
    """TH-15.4: the office, then its use, then the supply."""
    barren = {"turn": "red", "year": 5, "supply": "0 1 1 1"}
    given(position(**barren)).refused("red", "office favor irish", "office-not-held")
    game = given(position(**barren, offices={"red": "deputy"}))
    game.when("red", "office favor german").refused("red", "office favor irish", "office-used")
    game.when("red", "office favor german").refused("red", "office lock 17", "office-not-held")
    game.refused("red", "office favor irish", "chip-supply-empty")


def test_th_15_4_office_lock():
    """TH-15.4: the office, its use, the tokens, then the ward: inactive before locked."""
    ladder(
        "red",
        "office lock 17",
        {"players": 3, "turn": "red", "year": 5, "wards": {17: "| locked", 1: "... | locked"}},
        ("office-not-held", {"offices": {"red": "council"}}),
        ("lock-limit", {"wards": {17: "| locked"}}),
        ("inactive-ward", {"wards": {17: "... | locked"}}),
        ("already-locked", {"wards": {17: "..."}}),
    )
    one_left = position(3, turn="red", year=5, offices={"red": "council"}, wards={1: "... | locked"})
    given(one_left).when("red", "office lock 2").refused("red", "office lock 17", "office-used")


def test_th_15_4_office_police():
    """TH-15.4: the office, its use, the ward, the colour, the last cube."""
    ladder(
        "red",
        "office police 17 german",
        {"players": 3, "turn": "red", "year": 5, "wards": {17: "| locked"}},
        ("office-not-held", {"offices": {"red": "police"}}),
        ("inactive-ward", {"wards": {17: "1 irish | locked"}}),
        ("locked-ward", {"wards": {17: "1 irish"}}),
        ("cube-not-in-ward", {"wards": {17: "1 german"}}),
        ("last-cube", {"wards": {17: "1 irish 1 german"}}),
    )
    used = given(position(3, turn="red", year=5, offices={"red": "police"}, wards={1: "2 irish"}))
    used.when("red", "office police 1 irish").refused("red", "office police 17 german", "office-used")


def test_th_15_4_office_move():
    """TH-15.4: the ward it leaves, the border, the ward it goes to, then the cube."""

    def wards(origin: str, to: str = "| locked") -> dict[str, Any]:
        return {"wards": {17: origin, 10: to}}

    ladder(
        "red",
        "office move german 17 9",
        {"players": 3, "turn": "red", "year": 5, **wards("| locked")},
        ("office-not-held", {"offices": {"red": "precinct"}}),
        ("inactive-ward", wards("1 irish | locked")),
        ("locked-ward", wards("1 irish")),
        ("not-adjacent", {"line": "office move german 17 10"}),
        ("inactive-ward", wards("1 irish", "1 irish | locked")),
        ("locked-ward", wards("1 irish", "1 irish")),
        ("cube-not-in-ward", wards("1 german", "1 irish")),
        ("last-cube", wards("1 german 1 irish", "1 irish")),
    )
    used = given(position(3, turn="red", year=5, offices={"red": "precinct"}, wards={1: "2 irish"}))
    used.when("red", "office move irish 1 2").refused("red", "office move german 17 9", "office-used")


def test_th_15_4_bid():
    """TH-15.3 and TH-15.4: the ward, whether a bid is due, then colour by colour: in the ward, and enough of it."""
    chips = {"red": "1 irish 1 english", "yellow": "1 irish"}
    wards = {6: "1 irish 1 german | red 1 yellow 1"}
    start = {"year": 4, "phase": "election", "wards": wards, "chips": chips}
    game = given(position(**start))
    game.refused("black", "bid ward 14 english 9", "wrong-ward").refused("black", "bid ward 6 english 9", "no-bid-due")
    game.refused("red", "bid english 9", "colour-not-in-ward").refused("red", "bid irish 9", "not-enough-chips")
    game.refused("red", "bid english 1 irish 2", "not-enough-chips")
    game.refused("red", "bid german 1 english 1", "colour-not-in-ward")
    game.refused("red", "bid german 1 irish 1", "not-enough-chips")
    game.when("red", "bid english 0 irish 1")
    final = given(position(**start, sealed_bid="final")).when("red", "bid none")
    final.refused("red", "bid ward 14 english 1", "wrong-ward").refused("red", "bid english 1", "already-bid")
    final.refused("black", "bid none", "no-bid-due")


def test_th_15_4_bonus_cube():
    """TH-15.4: the right bonus, the bag, the ward: inactive before locked."""
    ladder(
        "red",
        "bonus cube german 9",
        {"players": 3, "year": 4, "phase": "election", "bag": "1 0 0 0", "wards": {4: "... | red 1", 9: "| locked"}},
        ("wrong-bonus", {"wards": {1: "... | red 1", 9: "| locked"}}),
        ("cube-not-in-bag", {"bag": "1 0 1 0"}),
        ("inactive-ward", {"wards": {1: "... | red 1", 9: "... | locked"}}),
        ("locked-ward", {"wards": {1: "... | red 1", 9: "..."}}),
    )


def test_th_15_4_bonus_favor():
    """TH-15.4: the right bonus, then the supply."""
    ladder(
        "red",
        "bonus favor irish",
        {"year": 4, "phase": "election", "supply": "0 5 5 5", "wards": {1: "... | red 1"}},
        ("wrong-bonus", {"wards": {4: "... | red 1"}}),
        ("chip-supply-empty", {"supply": "1 5 5 5"}),
    )


def test_th_15_4_assign():
    """TH-15.4: twice the same, then oneself, then somebody left out."""
    game = given(position(4, year=4, phase="assign", mayor="red"))
    game.refused("red", "assign deputy red deputy yellow", "assign-duplicate")
    game.refused("red", "assign deputy red police red", "assign-duplicate")
    game.refused("red", "assign deputy yellow deputy yellow", "assign-duplicate")
    game.refused("red", "assign deputy red police yellow", "assign-self")
    game.refused("red", "assign deputy yellow police black", "assign-incomplete")
    game.when("red", "assign deputy yellow police black council purple").see(office={"purple": "council"})


def test_th_15_5_each_line_is_judged_in_the_state_the_one_before_left():
    """TH-15.5: a settle pays for the slander after it; the other way round it is refused."""
    game = given(position(year=5, turn="red", wards={8: "1 german | yellow 1"}, garden="1 german"))
    orders = TAMMANY_HALL.notation.parse("settle boss 8 cube german 8\nslander yellow 8 german\nend", ["red", "yellow"])
    game.refused("red", orders[1], "no-own-boss")
    game.when("red", *orders).see(active="yellow", wards={8: "2 german | red 1"})
