"""The worked examples of turns and Offices: CH-E9 to CH-E21."""

import pytest

from tests.domain.city_hall.scenario import given, position

CITY = ("michael", "mark", "eve", "carol")


def bidding(michael):
    """The bids of CH-E9, with so much Influence for Michael before he collects."""
    start = position(4, names=CITY, influence=[michael, 4, 6, 7], offices={"surveyor": 3})
    game = given(start, CITY).when("Michael", "activate surveyor")
    game = game.see(influence={"michael": michael + 3}, offices={"surveyor": 0}, active="mark")
    game = game.when("Mark", "bid 3").when("Eve", "bid 5").when("Carol", "bid 5")
    return game.see(phase="decide", active="michael", bids=[("mark", 3), ("eve", 5), ("carol", 5)])


def test_ch_e9_legal_decisions():
    """CH-E9: keep, or one of the two high bidders; nobody else, and nobody who does not play."""
    game = bidding(2).offers("Michael", "keep", "accept eve", "accept carol")
    for line in ("accept mark", "accept michael"):
        game.refused("Michael", line, "not-a-high-bidder")
    game.refused("Michael", "accept bob", "unknown-player")


@pytest.mark.parametrize(
    "line, controller, influence",
    [
        ("keep", "michael", [0, 4, 6, 7]),
        ("accept eve", "eve", [10, 4, 1, 7]),
        ("accept carol", "carol", [10, 4, 6, 2]),
    ],
)
def test_ch_e9_what_is_paid(line, controller, influence):
    """CH-E9: to whom the high bid goes; Michael's Staffer stays, the controller acts, then it is Mark's turn."""
    game = bidding(2).when("Michael", line).see(influence=influence, controller=controller, active=controller)
    game.see(staffers={"surveyor": "michael"}, phase="resolve", office="surveyor")
    game.when(controller, "buy none").see(staffers={"surveyor": "michael"}, active="mark", phase="activate")


def test_ch_e10_must_accept():
    """CH-E10: with 4 after collecting Michael cannot keep."""
    game = bidding(1).see(influence={"michael": 4}).refused("Michael", "keep", "not-enough-influence")
    game.offers("Michael", "accept eve", "accept carol")


def test_ch_e11_all_pass():
    """CH-E11: Ann controls at once, and nobody pays."""
    game = given(position()).when("Ann", "activate tax").when("Ben", "pass").when("Cat", "pass")
    game.see(phase="resolve", controller="ann", active="ann", influence=3)


def test_ch_e11_a_bid_of_nothing():
    """CH-E11: Ann must choose, and either choice costs nothing."""
    game = given(position()).when("Ann", "activate tax").when("Ben", "bid 0").when("Cat", "pass")
    game.see(phase="decide", active="ann").offers("Ann", "keep", "accept ben")
    game.refused("Ann", "accept cat", "not-a-high-bidder")
    game.when("Ann", "keep").see(controller="ann", influence=3)
    game.when("Ann", "accept ben").see(controller="ben", influence=3)


def test_ch_e12_clockwise():
    """CH-E12: the track is Dan, Ben, Ann, Cat; in Ben's turn Cat, Dan, Ann answer."""
    game = given(position(4, order="dan ben ann cat", used="health")).see(active="ben").when("Ben", "activate tax")
    for name in ("cat", "dan", "ann"):
        game = game.see(active=name, phase="bid").when(name, "pass")
    game.see(phase="resolve", active="ben")


def test_ch_e13_bids_refused():
    """CH-E13: out of turn, more than one has, too low, no number; no decision yet; a match."""
    game = given(position()).when("Ann", "activate tax")
    game.refused("Cat", "bid 1", "not-your-turn").refused("Ben", "bid 4", "not-enough-influence")
    game = game.when("Ben", "bid 2").refused("Cat", "bid 1", "bid-too-low").refused("Cat", "bid -1", "bad-count")
    game = game.refused("Ann", "keep", "wrong-phase").when("Cat", "bid 2")
    game.offers("Ann", "keep", "accept ben", "accept cat")


def taxed(space):
    lands = {"B1": "ann tower", "B3": "ann tower", "B9": "ann factory", "B7": "ben tower"}
    hands = {"ann": "tower factory"}
    start = position(lands=lands, hands=hands, population={"ann": 9}, money={"ann": 4}, approval={"ann": space})
    return given(start).takes("Ann", "tax")


def test_ch_e14_taxes_on_space_4():
    """CH-E14: 9 + 6 + 7 = 22; plain and triple; no double."""
    taxed(4).when("Ann", "tax").see(money={"ann": 26}, approval={"ann": 4})
    taxed(4).when("Ann", "tax triple").see(money={"ann": 70}, approval={"ann": 3})
    taxed(4).refused("Ann", "tax double", "double-not-allowed")


def test_ch_e14_taxes_on_space_1():
    """CH-E14: no triple; double."""
    taxed(1).refused("Ann", "tax triple", "triple-not-allowed")
    taxed(1).when("Ann", "tax double").see(money={"ann": 48}, approval={"ann": 1})


def test_ch_e15_campaign():
    """CH-E15: with $29 on space 3."""
    game = given(position(money={"ann": 29}, approval={"ann": 3})).takes("Ann", "campaign")
    game.refused("Ann", "campaign 30", "not-enough-money").refused("Ann", "campaign 20", "bad-choice")
    game.when("Ann", "campaign 0").see(approval={"ann": 4}, rating={"ann": 3}, money={"ann": 29})
    game.when("Ann", "campaign 10").see(approval={"ann": 5}, rating={"ann": 3}, money={"ann": 19})


def test_ch_e15_campaign_beyond_the_end():
    """CH-E15: with $30 on space 9: space 10, $0."""
    game = given(position(money={"ann": 30}, approval={"ann": 9})).takes("Ann", "campaign", "campaign 30")
    game.see(approval={"ann": 10}, rating={"ann": 5}, money={"ann": 0})


def surveyed(money, b1=15):
    start = position(lands={"B1": f"${b1}", "Q8": "$5"}, money={"ann": money})
    return given(start, lands="M2").takes("Ann", "surveyor").see(available={"B1": b1, "Q8": 5, "M2": 0})


def test_ch_e16_buying_land_with_12():
    """CH-E16: M2 is too dear, Q1 is not there, B1 costs 5; $5 on what is left."""
    game = surveyed(12).refused("Ann", "buy M2", "not-enough-money").refused("Ann", "buy Q1", "land-not-available")
    game.when("Ann", "buy B1").see(money={"ann": 7}, available={"Q8": 10, "M2": 5}, lands={"B1": "ann"})


def test_ch_e16_buying_land_with_4():
    """CH-E16: too little for B1; nothing bought, $5 on all three."""
    game = surveyed(4).refused("Ann", "buy B1", "not-enough-money")
    game.when("Ann", "buy none").see(available={"B1": 20, "Q8": 10, "M2": 5}, money={"ann": 4})


def test_ch_e16_buying_land_with_nothing():
    """CH-E16: $25 on B1: Ann gets it, and $5."""
    game = surveyed(0, b1=25).when("Ann", "buy B1")
    game.see(money={"ann": 5}, available={"Q8": 10, "M2": 5}, lands={"B1": "ann"})


def test_ch_e17_search_without_influence():
    """CH-E17: none in hand, none on the Office; and no search at another Office."""
    game = given(position(influence={"ann": 0}))
    game.refused("Ann", "activate surveyor search B5", "not-enough-influence")
    game.refused("Ann", "activate tax search B5", "search-forbidden")


def test_ch_e17_search():
    """CH-E17: 2 on the Surveyor, Q1 available, the other 21 in the deck."""
    start = position(influence={"ann": 0}, offices={"surveyor": 2}, lands={"Q1": "$0"})
    game = given(start).see(land_deck=21).refused("Ann", "activate surveyor search Q1", "land-not-in-deck")
    game = game.when("Ann", "activate surveyor search B5")
    game.see(influence={"ann": 1}, available={"Q1": 0, "B5": 0}, land_deck=20, offices={"surveyor": 0})
    for card in ("Q2", "M5"):  # whatever is on top of the deck in its new order, it is drawn next
        later = game.draws(lands=card).when("Ben", "pass").when("Cat", "pass").when("Ann", "buy none").idle(2)
        assert "B5" in later.when("Ann", "activate surveyor").see(land_deck=19).document["lands"]
        later.when("Ann", "activate surveyor").see(lands={card: "$0"})


def test_ch_e18_lobbyist():
    """CH-E18: rating 3, 2 Influence, $23; clauses one after the other."""
    game = given(position(approval={"ann": 5}, influence={"ann": 2}, money={"ann": 23})).takes("Ann", "lobbyist")
    for line, influence, money in (
        ("lobby", 5, 23),
        ("lobby buy 2 sell 1", 6, 10),
        ("lobby sell 1 buy 3", 7, 0),
        ("lobby sell 5", 0, 58),
    ):
        game.when("Ann", line).see(influence={"ann": influence}, money={"ann": money})
    game.refused("Ann", "lobby buy 3 sell 1", "not-enough-money")
    game.refused("Ann", "lobby sell 6", "not-enough-influence")
    game.refused("Ann", "lobby buy 0", "bad-count")


def zoned(star=2):
    lands = {"B2": "ann", "B3": "ann", "B1": "ben"}
    start = position(star=star, lands=lands, hands={"ann": "factory tower"})
    game = given(start, permits="housing park tower factory housing").takes("Ann", "zoning")
    return game.see(revealed="housing park tower", star_token=star)


@pytest.mark.parametrize(
    "line, code",
    [
        ("zone take housing", "bad-zoning-choice"),
        ("zone none", "bad-zoning-choice"),
        ("zone build factory B2", "bad-zoning-choice"),
        ("zone take housing factory", "permit-not-revealed"),
        ("zone build factory B2 tower B2", "land-not-empty"),
        ("zone build factory B2 housing B3", "not-in-hand"),
        ("zone take park build factory B1", "land-not-owned"),
        ("zone take housing park under housing", "bad-under"),
    ],
)
def test_ch_e19_zoning_board_refused(line, code):
    """CH-E19: none of the three choices, or one with something wrong in it."""
    zoned().refused("Ann", line, code)


def test_ch_e19_zoning_board():
    """CH-E19: A; B with the order spelled out; B with the Permit just taken; C."""
    game = zoned()
    game.when("Ann", "zone take housing park").see(
        hands={"ann": "factory housing park tower"}, bottom="tower", star_token=2
    )
    game.when("Ann", "zone take tower build factory B2 under park housing").see(
        hands={"ann": "tower tower"}, lands={"B2": "ann factory"}, bottom="park housing", star_token=3
    )
    game.when("Ann", "zone take housing build housing B3").see(
        hands={"ann": "factory tower"}, lands={"B3": "ann housing"}, bottom="park tower", star_token=3
    )
    game.when("Ann", "zone build factory B2 tower B3").see(
        hands={"ann": ""}, stars={"B2": 1, "B3": 0}, bottom="housing park tower", star_token=4
    )


def test_ch_e19_the_star_token_stops_at_10():
    """CH-E19: from 9 the last line moves it to 10, and the round goes on as usual."""
    game = zoned(star=9).when("Ann", "zone build factory B2 tower B3").see(star_token=10)
    game.see(round=1, final=False, phase="activate", active="ben")


@pytest.mark.parametrize("line, space", [("zone build park B3 housing B2", 2), ("zone build housing B2 park B3", 1)])
def test_ch_e20_order_of_two_permits(line, space):
    """CH-E20: the Park first, and the Housing is a new Building; the Housing first, and half of one is nothing."""
    start = position(star=2, lands={"B2": "ann", "B3": "ann"}, hands={"ann": "housing park"})
    game = given(start).takes("Ann", "zoning", line)
    game.see(approval={"ann": space}, stars={"B2": 1, "B3": None}, star_token=4)


@pytest.mark.slow
def test_ch_e21_parks():
    """CH-E21: half of the Buildings around; one for each new one, whoever builds it; two if it touches both Parks."""
    lands = {"B1": "ann tower", "B2": "ben tower", "B3": "ben tower", "B4": "cat tower", "B6": "cat tower"}
    lands |= {"B5": "ann", "B8": "ann", "B7": "ben", "B9": "cat"}
    start = position(star=1, lands=lands, hands={"ann": "park park", "ben": "factory", "cat": "housing"})
    game = given(start, permits="housing factory tower " * 3 + "housing factory factory")
    game = game.takes("Ann", "zoning", "zone take housing build park B5").see(approval=[3, 1, 1]).idle(2, "Ben")
    game = game.takes("Ben", "zoning", "zone take housing build factory B7").see(approval=[4, 1, 1]).idle(3, "Ann")
    game = game.takes("Ann", "zoning", "zone take housing build park B8").see(approval=[5, 1, 1]).idle(4, "Cat")
    game = game.takes("Cat", "zoning", "zone take housing build housing B9")
    game.see(approval=[7, 1, 1])


def two_parks(ann):
    """Another game of CH-E21: Ann's Park on B5, Ben's on B1, and Cat about to build."""
    lands = {"B5": "ann", "B1": "ben park", "B2": "cat", "B6": "cat"}
    start = position(star=1, lands=lands, approval={"ann": ann}, hands={"ann": "park", "cat": "tower"})
    game = given(start, permits="housing factory tower " * 2).takes("Ann", "zoning", "zone take tower build park B5")
    return game.see(approval=[ann, 1, 1]).idle(2, "Cat")


def test_ch_e21_parks_of_two_players():
    """CH-E21: a Park moves nobody for a Park; a Tower beside both moves both owners."""
    game = two_parks(1).takes("Cat", "zoning", "zone take tower build tower B2")
    game.see(approval=[2, 2, 1])


def test_ch_e21_the_end_of_the_track():
    """CH-E21: with Ann on space 10 she stays on 10."""
    lands = {"B5": "ann park", "B1": "ben park", "B6": "cat"}
    start = position(star=1, lands=lands, approval={"ann": 10}, hands={"cat": "tower"}, used="tax surveyor")
    given(start).takes("Cat", "zoning", "zone take housing build tower B6").see(approval={"ann": 10, "ben": 1})
