"""Refusals: every reason of CH-17.3, and the order in which reasons are looked for (CH-17.1, CH-17.2).

A ladder starts from a situation in which all the reasons of an action apply at once. The first is given; once it is
put right the next is given, and so on, until the line is accepted.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules.actions import Accept, Bid
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from tests.domain.city_hall.scenario import Record, given, opened, position

BOARD = {"B2": "ann", "B3": "ann", "B1": "ben", "Q1": "$0"}


def drafting() -> Record:
    return opened(3, lands="Q1 M3 B5 Q6")


def building(players: int = 3) -> Record:
    lands = {"Q1": "ann", "Q2": "ben", "Q3": "cat" if players > 2 else "ann", "Q4": "ann", "Q5": "ben"}
    return given(position(players, phase="build", lands=lands))


def activating(**more: Any) -> Record:
    return given(position(**{"lands": BOARD, **more}))


def bidding(**more: Any) -> Record:
    return activating(**more).when("Ann", "activate tax")


def deciding(**more: Any) -> Record:
    return bidding(**more).when("Ben", "bid 2").when("Cat", "pass" if more else "bid 3")


def resolving(office: str, permits: str = "housing park tower", lands: str = "M1", **more: Any) -> Record:
    start = position(**{"lands": BOARD, "hands": {"ann": "factory tower"}, **more})
    return given(start, permits=permits, lands=lands).takes("Ann", office)


def over() -> Record:
    used = "tax surveyor campaign lobbyist zoning health"
    return given(position(final=True, used=used)).takes("Ann", "deputy").see(phase="over")


STATES: dict[str, Callable[[], Record]] = {
    "draft": drafting,
    "build": building,
    "activate": activating,
    "bid": bidding,
    "decide": lambda: bidding().when("Ben", "bid 2").when("Cat", "bid 2"),
    "tax": lambda: resolving("tax"),
    "surveyor": lambda: resolving("surveyor"),
    "campaign": lambda: resolving("campaign"),
    "lobbyist": lambda: resolving("lobbyist"),
    "zoning": lambda: resolving("zoning"),
    "health": lambda: resolving("health"),
}
"""One of each state of CH-18.1, by its name or the Office that is resolved; Ann must act, in "bid" Ben."""
ACTIONS = {
    "draft": ["draft Q1", "draft M5"],
    "build": ["build housing Q1 return tower", "build park M5 return park"],
    "activate": ["activate tax", "activate tax search M5"],
    "bid": ["bid 0", "bid 9999", "pass"],
    "decide": ["keep", "accept ben", "accept cat"],
    "tax": ["tax", "tax triple", "tax double"],
    "surveyor": ["buy none", "buy Q1", "buy M5"],
    "campaign": ["campaign 0", "campaign 30", "campaign none"],
    "lobbyist": ["lobby", "lobby buy 9999", "lobby sell 1 buy 1"],
    "zoning": ["zone none", "zone take housing", "zone take park tower", "zone build park M5 park M5 under park"],
    "health": ["health none", "health double", "health plus3"],
}

REFUSED: list[tuple[str, str, Callable[[], Record], str, str]] = [
    # reason, the rules it may cite, situation, who, line
    ("bad-syntax", "CH-16.1", bidding, "Ben", "bid"),
    ("bad-syntax", "CH-16.1", STATES["lobbyist"], "Ann", "lobby buy"),
    ("bad-syntax", "CH-16.1", STATES["zoning"], "Ann", "zone take"),
    ("unknown-land", "CH-2.1", drafting, "Ann", "draft M6"),
    ("unknown-permit", "CH-1.5", building, "Ann", "build house Q3 return tower"),
    ("unknown-office", "CH-1.5", activating, "Ann", "activate mayor"),
    ("unknown-player", "CH-16.1", STATES["decide"], "Ann", "accept bob"),
    *[("bad-count", "CH-16.1", bidding, "Ben", line) for line in ("bid -1", "bid 01", "bid 1.5", "lobby buy 0")],
    ("bad-choice", "CH-8.4", STATES["campaign"], "Ann", "campaign 20"),
    ("bad-choice", "CH-8.3", STATES["tax"], "Ann", "tax plain"),
    ("bad-choice", "CH-8.22", STATES["health"], "Ann", "health triple"),
    ("game-over", "CH-12.6", over, "Ann", "tax"),
    ("wrong-phase", "CH-18.1", bidding, "Ann", "keep"),
    ("wrong-phase", "CH-18.1", STATES["lobbyist"], "Ann", "buy Q4"),
    ("not-your-turn", "CH-7.1", activating, "Ben", "activate tax"),
    ("not-your-turn", "CH-7.5", bidding, "Cat", "bid 1"),
    ("not-your-turn", "CH-7.9 CH-7.10", STATES["decide"], "Ben", "keep"),
    ("not-your-turn", "CH-7.10", STATES["tax"], "Ben", "tax"),
    ("not-your-turn", "CH-4.2 CH-4.3", drafting, "Ben", "draft Q1"),
    ("not-your-turn", "CH-5.1", building, "Ben", "build housing Q2 return tower"),
    ("land-not-available", "CH-4.3", drafting, "Ann", "draft M5"),
    ("land-not-available", "CH-8.11", STATES["surveyor"], "Ann", "buy B1"),
    ("not-a-building", "CH-5.1", building, "Ann", "build park Q1 return tower"),
    ("not-in-hand", "CH-5.1", building, "Ann", "build housing Q1 return park"),
    ("not-in-hand", "CH-5.1", building, "Ann", "build housing Q1 return housing"),
    ("not-in-hand", "CH-8.17", STATES["zoning"], "Ann", "zone build factory B2 park B3"),
    ("land-not-owned", "CH-5.1", building, "Ann", "build housing Q2 return tower"),
    ("land-not-owned", "CH-8.15", STATES["zoning"], "Ann", "zone build factory B1 tower B2"),
    ("land-not-empty", "CH-8.15", STATES["zoning"], "Ann", "zone build factory B2 tower B2"),
    ("return-required", "CH-5.1", building, "Ann", "build housing Q1"),
    ("return-forbidden", "CH-13.2", lambda: building(2), "Ann", "build housing Q1 return tower"),
    ("office-taken", "CH-7.2", lambda: activating(used="health"), "Ben", "activate health"),
    ("search-forbidden", "CH-8.9", activating, "Ann", "activate tax search B5"),
    ("land-not-in-deck", "CH-8.9", activating, "Ann", "activate surveyor search B1"),
    ("land-not-in-deck", "CH-8.9 CH-8.10", lambda: activating(deck=""), "Ann", "activate surveyor search B5"),
    ("not-enough-influence", "CH-7.6", bidding, "Ben", "bid 4"),
    ("not-enough-influence", "CH-7.9", lambda: deciding(influence={"ann": 1}), "Ann", "keep"),
    ("not-enough-influence", "CH-8.7", STATES["lobbyist"], "Ann", "lobby sell 5"),
    ("not-enough-influence", "CH-8.9", lambda: activating(influence=0), "Ann", "activate surveyor search B5"),
    ("not-enough-money", "CH-8.4", STATES["campaign"], "Ann", "campaign 30"),
    ("not-enough-money", "CH-8.7", STATES["lobbyist"], "Ann", "lobby buy 2"),
    ("not-enough-money", "CH-8.11", STATES["surveyor"], "Ann", "buy M1"),
    ("bid-too-low", "CH-7.6", lambda: bidding().when("Ben", "bid 2"), "Cat", "bid 1"),
    ("not-a-high-bidder", "CH-7.9", deciding, "Ann", "accept ben"),
    ("triple-not-allowed", "CH-8.3", STATES["tax"], "Ann", "tax triple"),
    ("double-not-allowed", "CH-8.3", lambda: resolving("tax", approval=2), "Ann", "tax double"),
    ("campaign-mandatory", "CH-8.4", STATES["campaign"], "Ann", "campaign none"),
    ("bad-zoning-choice", "CH-8.17", STATES["zoning"], "Ann", "zone take housing"),
    ("bad-zoning-choice", "CH-8.17", STATES["zoning"], "Ann", "zone none"),
    ("permit-not-revealed", "CH-8.17", STATES["zoning"], "Ann", "zone take factory park"),
    ("permit-not-revealed", "CH-8.17", STATES["zoning"], "Ann", "zone take park park"),
    ("bad-under", "CH-8.20", STATES["zoning"], "Ann", "zone take housing park under park"),
    ("bonus-mandatory", "CH-8.22 CH-19.3", lambda: resolving("health", health_bonus="mandatory"), "Ann", "health none"),
]


def reason(game: Record, name: str, line: Any) -> RuleViolation | OrderNotUnderstood:
    with pytest.raises((RuleViolation, OrderNotUnderstood)) as refused:
        game.decided(name, line)
    return refused.value


@pytest.mark.parametrize("number", range(len(REFUSED)), ids=lambda number: f"{REFUSED[number][0]}-{number}")
def test_ch_17_3_a_refusal_names_its_reason_and_rule_in_a_sentence(number):
    """CH-17.3, CH-1.1: the reason of the table, the rule it stands for, and a sentence for the player."""
    code, rules, situation, name, line = REFUSED[number]
    error = reason(situation().refused(name, line, code), name, line)
    assert error.rule in rules.split()
    assert error.message.endswith(".")
    assert error.message[0].isupper() or error.message[0] == '"'
    assert "None" not in error.message
    assert "\n" not in error.message
    if isinstance(error, OrderNotUnderstood):
        assert error.line == line


def test_ch_8_9_a_refused_search_says_what_can_be_searched_for():
    """CH-8.9, CH-8.10: the cards of the Land deck, or that there are none."""
    line = "activate surveyor search B1"
    assert reason(activating(deck="M1 M2"), "Ann", line).message == "B1 is not in the Land deck; it holds M1 M2."
    assert reason(activating(deck=""), "Ann", line).message == "B1 is not in the Land deck; it is empty."


def test_every_reason_of_the_rules_has_a_test():
    """CH-17.3: the reasons of the table, all of them."""
    table = """
        bad-syntax unknown-land unknown-permit unknown-office unknown-player bad-count bad-choice game-over wrong-phase
        not-your-turn land-not-available not-a-building not-in-hand land-not-owned land-not-empty return-required
        return-forbidden office-taken search-forbidden land-not-in-deck not-enough-influence not-enough-money
        bid-too-low not-a-high-bidder triple-not-allowed double-not-allowed campaign-mandatory bad-zoning-choice
        permit-not-revealed bad-under bonus-mandatory
    """
    assert {code for code, *_ in REFUSED} == set(table.split())


@pytest.mark.slow
@pytest.mark.parametrize("line", ["bid x", "draft M6", "build house Q1 return tower", "activate mayor", "accept bob",
                                  "campaign 20", "bid"])  # fmt: skip
def test_ch_17_1_words_come_before_the_end_of_the_game(line):
    """CH-17.1, 1 to 3: what cannot be read is not asked whether the game is over; what can be read is."""
    assert isinstance(reason(over(), "Ann", line), OrderNotUnderstood)
    for lines in ACTIONS.values():
        for it in lines:
            over().refused("Ben", it, "game-over")


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_ch_17_1_wrong_phase_comes_before_whose_turn_it_is(state):
    """CH-17.1, 4 and CH-18.1: an action of another state or Office, whoever sends it and whatever else is wrong."""
    game = STATES[state]()
    for other, lines in ACTIONS.items():
        for line in lines if other != state else ():
            for name in ("Ann", "Ben", "Cat"):
                game.refused(name, line, "wrong-phase")


@pytest.mark.parametrize("state", STATES)
def test_ch_17_1_whose_turn_it_is_comes_before_the_checks_of_the_action(state):
    """CH-17.1, 5: whatever else is wrong with it, another player's action is out of turn."""
    game = STATES[state]()
    (seat,) = game.document["active"]
    for line in ACTIONS[state]:
        for name in {"ann", "ben", "cat"} - {game.names[seat]}:
            game.refused(name, line, "not-your-turn")


def ladder(*rungs: tuple[str, Record, str]) -> None:
    """Each reason is given until it is put right; the last rung, without a reason, is accepted. All for Ann."""
    *refused, (nothing, game, line) = rungs
    assert not nothing
    for code, worse, attempt in refused:
        worse.refused("Ann", attempt, code)
    game.when("Ann", line)


def test_ch_17_2_draft():
    """CH-17.2: a space on the board that nobody drafted."""
    ladder(("land-not-available", drafting(), "draft Q2"), ("", drafting(), "draft Q1"))


def test_ch_17_2_build():
    """CH-17.2: the kind, the hand, the owner, the space, the return, the returned one."""
    lands = {"Q1": "ann", "Q2": "ben", "Q3": "cat"}
    full = given(position(phase="build", lands={**lands, "Q1": "ann housing"}))
    poor = given(position(phase="build", lands=lands, hands={"ann": "tower housing"}))
    game = given(position(phase="build", lands=lands))
    ladder(
        ("not-a-building", poor, "build park Q2"),
        ("not-in-hand", poor, "build factory Q2"),
        ("land-not-owned", full, "build housing Q2"),
        ("land-not-owned", full, "build housing Q8"),
        ("land-not-empty", full, "build housing Q1"),
        ("return-required", game, "build housing Q1"),
        ("not-in-hand", game, "build housing Q1 return park"),
        ("not-in-hand", game, "build housing Q1 return housing"),
        ("", game, "build housing Q1 return factory"),
    )


def test_ch_17_2_build_with_two_players():
    """CH-17.2: a return is looked at last, and then forbidden whatever it is."""
    game, full = building(2), given(position(2, phase="build", lands={"Q1": "ann tower", "Q2": "ben"}))
    ladder(
        ("not-a-building", game, "build park Q2 return park"),
        ("land-not-owned", game, "build tower Q2 return park"),
        ("land-not-empty", full, "build tower Q1 return park"),
        ("return-forbidden", game, "build tower Q1 return park"),
        ("", game, "build tower Q1"),
    )


def test_ch_17_2_activate():
    """CH-17.2: the Office, whether it can search, the card, the Influence (the Office's own counts)."""
    broke = activating(influence=0)
    taken = given(position(2, used="surveyor", influence=0))
    taken.refused("Ann", "activate surveyor search Q1", "office-taken")
    given(position(2, used="tax", influence=0)).refused("Ann", "activate tax search Q1", "office-taken")
    ladder(
        ("search-forbidden", broke, "activate health search Q1"),
        ("land-not-in-deck", broke, "activate surveyor search Q1"),
        ("land-not-in-deck", broke, "activate surveyor search B2"),
        ("not-enough-influence", broke, "activate surveyor search B5"),
        ("", activating(influence=0, offices={"surveyor": 1}), "activate surveyor search B5"),
    )


def test_ch_17_2_bid():
    """CH-17.2: too low is said before too much."""
    game = bidding(influence={"cat": 0}).when("Ben", "bid 2")
    game.refused("Cat", "bid 1", "bid-too-low").refused("Cat", "bid 2", "not-enough-influence").when("Cat", "pass")


def test_ch_17_2_tax_and_campaign():
    """CH-17.2: one check after the other."""
    resolving("campaign", money=0).refused("Ann", "campaign none", "campaign-mandatory")
    resolving("campaign", money=9).refused("Ann", "campaign 10", "not-enough-money").when("Ann", "campaign 0")


def test_ch_17_2_buy():
    """CH-17.2: a space that is there, then the money."""
    game = resolving("surveyor", money=0)
    ladder(
        ("land-not-available", game, "buy B2"),
        ("land-not-available", game, "buy B9"),
        ("not-enough-money", game, "buy Q1"),
        ("", resolving("surveyor", money=20), "buy Q1"),
    )


def test_ch_17_2_lobby():
    """CH-17.2, CH-16.3: the first clause that cannot be paid gives the reason."""
    game = resolving("lobbyist")  # 4 Influence with the rating, and $10
    ladder(
        ("not-enough-money", game, "lobby buy 2 sell 9"),
        ("not-enough-influence", game, "lobby sell 9 buy 9"),
        ("not-enough-influence", game, "lobby buy 1 sell 6 buy 9"),
        ("not-enough-money", game, "lobby buy 1 buy 1 sell 9"),
        ("", game, "lobby buy 1 sell 5 buy 3"),
    )
    game.when("Ann", "lobby buy 1 sell 5 buy 3").see(influence={"ann": 3}, money={"ann": 5})


def test_ch_17_2_zone():
    """CH-17.2: the choice, each Permit taken, for each placed one the hand, the owner, the space; then the order."""
    game = resolving("zoning", lands="M1")
    full = resolving("zoning", lands="", hands={"ann": "factory tower"}, permits="housing park tower")
    ladder(
        ("bad-zoning-choice", game, "zone take factory build park Q1 park Q1 under park"),
        ("bad-zoning-choice", game, "zone build park Q1 under park"),
        ("bad-zoning-choice", game, "zone take factory factory build park Q1 under park"),
        ("permit-not-revealed", game, "zone take factory build park Q1 under park"),
        ("not-in-hand", game, "zone take housing build park Q1 under park"),
        ("land-not-owned", game, "zone take park build park Q1 under park"),
        ("land-not-owned", game, "zone take park build park B1 under park"),
        ("bad-under", game, "zone take park build park B2 under park"),
        ("", game, "zone take park build park B2 under tower housing"),
    )
    ladder(
        ("not-in-hand", full, "zone build park B1 park B1 under park"),
        ("land-not-owned", full, "zone build tower B1 park B1 under park"),
        ("not-in-hand", full, "zone build tower B2 park B2 under park"),
        ("not-in-hand", full, "zone build tower B2 tower B2 under park"),
        ("land-not-owned", full, "zone build tower B2 factory B1 under park"),
        ("land-not-empty", full, "zone build tower B2 factory B2 under park"),
        ("bad-under", full, "zone build tower B2 factory B3 under park"),
        ("bad-under", full, "zone build tower B2 factory B3 under park park tower"),
        ("", full, "zone build tower B2 factory B3 under tower park housing"),
    )


def test_ch_17_2_zone_take_twice_what_is_revealed_once():
    """CH-17.2, CH-8.17: each taken Permit is looked for among those left."""
    game = resolving("zoning", permits="housing housing park")
    game.refused("Ann", "zone take park park", "permit-not-revealed").when("Ann", "zone take housing housing")
    game.refused("Ann", "zone take housing housing under housing", "bad-under")


def test_ch_17_2_zone_with_fewer_revealed():
    """CH-17.2, CH-8.18: with one Permit revealed A takes one; with none `zone none` is A; B needs one."""
    start = {"lands": BOARD, "hands": {"ann": "factory"}}
    one = given(position(**start, permits="housing")).takes("Ann", "zoning")
    one.refused("Ann", "zone none", "bad-zoning-choice").refused("Ann", "zone take housing park", "bad-zoning-choice")
    one.refused("Ann", "zone take park", "permit-not-revealed").when("Ann", "zone take housing")
    none = given(position(**start, permits="")).takes("Ann", "zoning")
    none.refused("Ann", "zone take housing", "bad-zoning-choice").when("Ann", "zone none")


def test_actions_that_were_never_text():
    """CH-17.1, 2: a seat nobody sits on is unknown there, too; numbers out of range are no action."""
    game = STATES["decide"]()
    game.refused("Ann", Accept(3), "unknown-player")
    over().refused("Ann", Accept(3), "unknown-player")
    for influence in (-1, 10000, 1.5, "3", True):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"type": "bid", "influence": influence}, Bid)
    for body in ({"type": "bid"}, {"type": "bid", "influence": 1, "seat": 0}, {"type": "accept", "seat": 9}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(body, Bid if body["type"] == "bid" else Accept)


def test_ch_1_1_a_seat_nobody_sits_on_cannot_act():
    """CH-1.1: nor can a spectator."""
    for seat in (-2, 3, 99):
        with pytest.raises(RuleViolation) as refused:
            CITY_HALL.decider.decide(activating().state, seat, *CITY_HALL.notation.parse("activate tax", ()))
        assert refused.value.code == "not-your-turn"
