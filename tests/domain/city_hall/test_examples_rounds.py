"""The worked examples of the Health Commissioner, of rounds and of the end: CH-E22 to CH-E33."""

import pytest

from tests.domain.city_hall.scenario import given, position
from tests.domain.city_hall.words import NAMES, OFFICES

CITY = ("michael", "mark", "eve", "carol")


def owning(names, *spaces):
    """Who owns what: a Factory on each space of Manhattan, Housing elsewhere."""
    return {
        space: f"{name} {'factory' if space.startswith('M') else 'housing'}"
        for name, text in zip(names, spaces, strict=True)
        for space in text.split()
    }


def gains(names, totals, *spaces):
    """What everybody gains where these spaces give these totals and nobody uses a bonus."""
    start = given(position(len(names), names=names, lands=owning(names, *spaces)), names).see(totals=totals)
    game = start.takes(names[0], "health", "health none").see(totals=totals)
    return [it["population"] - 1 for it in game.document["seats"]]


def test_ch_e22_health_commissioner():
    """CH-E22: totals Eve 10, Mark 10, Carol 8, Michael 7: gains 4, 4, 1, 0."""
    michael, mark, eve, carol = "B6 M4 M5", "B3 B4", "B1 B2", "B5 M1 M2 M3"
    assert gains(CITY, [7, 10, 10, 8], michael, mark, eve, carol) == [0, 4, 4, 1]


@pytest.mark.parametrize(
    "totals, expected, spaces",
    [
        ([5, 5, 5, 2], [4, 4, 4, 0], ["B1 M1", "B2 M2", "B5 M3", "M4 M5"]),
        ([6, 4, 4, 1], [4, 2, 2, 0], ["B1 M1 M2", "B2", "B5", "M3"]),
        ([6, 4, 1, 1], [4, 2, 1, 1], ["B8 B7", "B9 M1 M2", "M3", "M4"]),
        ([0, 0, 0, 0], [4, 4, 4, 4], ["", "", "", ""]),
        ([9, 8, 7, 6], [4, 2, 1, 0], ["B1 B2 M3", "B5 Q4", "Q7 Q1 M4", "Q8 Q5"]),
        ([9, 8, 7], [4, 2, 1], ["B1 B2 M1", "B5 Q3", "Q2 Q4 M2 M3 M4"]),
        ([3, 0], [4, 2], ["M1 M2 M3", ""]),
        ([1, 1], [4, 4], ["M1", "M2"]),
    ],
)
def test_ch_e23_ranks(totals, expected, spaces):
    """CH-E23, CH-8.24, CH-8.25: totals and gains; a total of 0 is ranked like any other."""
    assert gains(NAMES[: len(totals)], totals, *spaces) == expected


@pytest.mark.parametrize(
    "line, counted, gained",
    [
        ("health plus3", [8, 8, 0], [4, 4, 1]),
        ("health double", [10, 8, 0], [4, 2, 1]),
        ("health none", [5, 8, 0], [2, 4, 1]),
    ],
)
def test_ch_e23_bonus(line, counted, gained):
    """CH-E23: Ann's bonus counts once: 8, 8, 0 or 10, 8, 0 or 5, 8, 0; her total is 5 again afterwards."""
    lands = {"M1": "ann factory", "Q3": "ann housing", "Q4": "ben housing", "Q7": "ben housing"}
    game = given(position(lands=lands)).see(stars={"M1": 1, "Q3": 4, "Q4": 4, "Q7": 4}, totals=[5, 8, 0])
    game = game.takes("Ann", "health", line).see(population=[1 + it for it in gained], totals=[5, 8, 0])
    assert (game.last[0].totals, game.last[0].gains) == (counted, gained)
    game.see(stars={"M1": 1, "Q3": 4, "Q4": 4, "Q7": 4})


def test_ch_e24_population_stops():
    """CH-E24: 39, 38, 37 become 40, 40, 39."""
    game = given(position(population=[39, 38, 37])).takes("Ann", "health", "health plus3")
    game.see(population=[40, 40, 39])


def first_round():
    """Round 1 of CH-E25."""
    game = given(position(4)).takes("Ann", "tax", "tax").when("Ben", "activate deputy").when("Cat", "bid 0")
    game = game.when("Dan", "pass").when("Ann", "pass").when("Ben", "accept cat")
    game = game.takes("Cat", "health", "health plus3").see(round=1, turn_order="ann ben cat dan", deputy="cat")
    return game.takes("Dan", "zoning", "zone take " + " ".join(game.takes("Dan", "zoning").document["revealed"][:2]))


def test_ch_e25_round_2():
    """CH-E25: Cat is first; 4 Influence each; 1 on the Offices nobody used."""
    game = first_round().see(round=2, turn_order="cat ann ben dan", influence=4, active="cat", phase="activate")
    unused = ("surveyor", "campaign", "lobbyist")
    game.see(offices={office: int(office in unused) for office in OFFICES}, staffers={}, deputy=None)


def test_ch_e25_round_3():
    """CH-E25: tax, surveyor, lobbyist and health are used; the same turn order."""
    game = first_round().takes("Cat", "tax", "tax").takes("Ann", "surveyor", "buy none")
    game = game.takes("Ben", "lobbyist", "lobby").takes("Dan", "health", "health plus3").see(round=3)
    offices = dict.fromkeys(OFFICES, 0) | {"campaign": 2, "zoning": 1, "deputy": 1}
    game.see(offices=offices, turn_order="cat ann ben dan", active="cat")


def test_ch_e26_deputy_mayor_by_bid():
    """CH-E26: Ben pays Cat 2, nothing more is chosen, and he is first in the next round."""
    game = given(position(order="cat ann ben")).when("Cat", "activate deputy").when("Ann", "pass").when("Ben", "bid 2")
    game = game.when("Cat", "accept ben").see(influence=[3, 1, 5], active="ann", phase="activate", deputy="ben")
    game.idle(2).see(turn_order="ben cat ann", active="ben")


@pytest.mark.parametrize("position_", [{"approval": {"ben": 10}}, {"star": 10}], ids=["Ben", "Star Token"])
def test_ch_e27_final_round(position_):
    """CH-E27: Ben on space 10, or the Star Token, at the start of the next round."""
    given(position(**position_)).see(final=False).idle(2).see(final=True)


def test_ch_e27_no_final_round():
    """CH-E27: Ann goes from 9 to 10 and later in the round down to 9."""
    game = given(position(approval={"ann": 9}, star=2)).takes("Ann", "campaign", "campaign 0").see(approval={"ann": 10})
    game = game.when("Ben", "activate tax").when("Cat", "pass").when("Ann", "bid 0").when("Ben", "accept ann")
    game = game.when("Ann", "tax triple").see(approval={"ann": 9}).takes("Cat", "health", "health none")
    game.see(round=2, final=False, star_token=2)


def activators(game):
    """Who activates in this round, found by playing it."""
    found, round_ = [], game.document["round"]
    while (seen := game.document)["round"] == round_ and seen["phase"] != "over":
        (seat,) = seen["active"]
        if seen["phase"] == "activate":
            found.append(game.names[seat])
            assert len(found) - 1 == seen["turn"]
            assert game.names[seen["schedule"][seen["turn"]]] == found[-1]
        line = next(iter(game.legal(game.names[seat])))
        if seen["phase"] == "bid":
            line = "pass"
        game = game.when(game.names[seat], line)
    return found


@pytest.mark.parametrize(
    "players, order, expected",
    [
        (4, "dan ben ann cat", "dan ben ann cat dan ben ann"),
        (3, "cat ann ben", "cat ann ben cat ann ben cat"),
    ],
)
def test_ch_e28_final_round(players, order, expected):
    """CH-E28: who activates."""
    game = given(position(players, order=order, final=True)).see(schedule=expected)
    assert activators(game) == expected.split()


FINAL = {"final": True, "used": "tax surveyor campaign lobbyist zoning deputy", "deputy": "ann"}
"""A final round with the Health Commissioner left; the first on the track activates it."""


@pytest.mark.slow
def test_ch_e28_the_health_commissioner_once_more():
    """CH-E28: gains 2, 4, 1, and 2, 4, 1 again; then any action is refused."""
    lands = {"M1": "ann factory", "M3": "ben factory", "M5": "ben factory"}
    game = given(position(lands=lands, **FINAL)).see(totals=[1, 2, 0])
    game = game.takes("Ann", "health", "health none").see(population=[5, 9, 3], phase="over", active="")
    lines = """draft Q1; build housing Q1; activate tax; activate surveyor search B5; bid 0; pass; keep; accept ben;
        tax; campaign 0; campaign none; buy none; buy Q1; lobby; lobby buy 1; zone none; zone take tower tower;
        health none"""
    for line in lines.split(";"):
        for name in ("Ann", "Ben", "Cat"):
            game.refused(name, line, "game-over")


def test_ch_e29_two_players():
    """CH-E29: blocks of two, in a final round too."""
    game = given(position(2, order="ben ann")).see(schedule="ben ben ann ann")
    assert activators(game) == ["ben", "ben", "ann", "ann"]
    final = given(position(2, order="ben ann", final=True)).see(schedule="ben ben ann ann ben ben ann")
    assert activators(final) == "ben ben ann ann ben ben ann".split()


def test_ch_e29_the_second_turn_of_a_block():
    """CH-E29: Ann gets the Deputy Mayor; Ben is still to act, at another Office; next round Ann begins."""
    game = given(position(2, order="ben ann")).when("Ben", "activate deputy").when("Ann", "bid 0")
    game = game.when("Ben", "accept ann").see(active="ben", phase="activate")
    game.refused("Ben", "activate deputy", "office-taken")
    game.idle(2).see(schedule="ann ann ben ben", turn_order="ann ben")


ELECTION = {"final": True, "used": "tax surveyor campaign lobbyist zoning health", "zero_stars": "ignored"}
"""A final round with the Deputy Mayor left; who has no star gains nothing more, so that Population stays as given."""


def test_ch_e30_votes():
    """CH-E30: 4 × 12 + 30 = 78, and 2 × 10 = 20."""
    start = position(
        2, order="ben ann", approval=[8, 2], population=[12, 10], money=[30, 20], influence=[5, 2],
        lands={"Q1": "ann"}, **ELECTION,
    )  # fmt: skip
    game = given(start).see(rating=[4, 2], active="ann").takes("Ann", "deputy").see(phase="over", population=[12, 10])
    game.see(endorsements={"wall-street": "ann", "party-machine": "ann", "queens": "ann"})
    game.see(base_votes=[48, 20], votes=[78, 20], mayor="ann")


def test_ch_e31_endorsement_ties():
    """CH-E31: what nobody has most of, nobody gets; what is in a hand or on the board's spaces does not count."""
    lands = {"B1": "cat", "B2": "cat", "B3": "ben housing", "M1": "ben", "Q1": "$50"}
    start = position(money=[20, 20, 5], influence=[3, 2, 2], hands={"ann": "tower tower"}, lands=lands, **ELECTION)
    game = given(start).takes("Ann", "deputy").see(phase="over", approval=1, population=1)
    game.see(endorsements={"party-machine": "ann", "tenants": "ben", "brooklyn": "cat", "manhattan": "ben"})
    game.see(votes=[11, 21, 11], base_votes=[1, 1, 1], mayor="ben")


def tied():
    start = position(order="cat ben ann", approval=[4, 2, 1], population=[8, 12, 5], **ELECTION)
    return given(start).see(active="cat").when("Cat", "activate deputy")


def test_ch_e32_tie_for_mayor():
    """CH-E32: 3 × 8 = 2 × 12 = 24; Ben stands before Ann on the track."""
    game = tied().when("Ann", "pass").when("Ben", "pass").see(phase="over", turn_order="cat ben ann")
    game.see(endorsements={}, votes=[24, 24, 5], base_votes=[24, 24, 5], mayor="ben")


def test_ch_e32_tie_for_mayor_and_the_deputy_mayor():
    """CH-E32: Ann controlled the Deputy Mayor: Ann, Cat, Ben, and Ann wins."""
    game = tied().when("Ann", "bid 0").when("Ben", "pass").when("Cat", "accept ann").see(phase="over")
    game.see(turn_order="ann cat ben", votes=[24, 24, 5], mayor="ann")


ZONE = {"lands": {"B2": "ann", "B3": "ann"}}


def test_ch_e33_one_permit():
    """CH-E33: it is revealed; it may be taken, or taken and one be placed."""
    game = given(position(**ZONE, hands={"ann": "tower"}, permits="housing")).takes("Ann", "zoning")
    game = game.see(revealed="housing", permit_deck=0)
    builds = [f"zone take housing build {kind} {land}" for kind in ("housing", "tower") for land in ("B2", "B3")]
    game.offers("Ann", "zone take housing", *builds)


def test_ch_e33_no_permit():
    """CH-E33: nothing is revealed; A has no effect, and there are four ways of C."""
    game = given(position(**ZONE, hands={"ann": "tower park"}, permits="")).takes("Ann", "zoning").see(revealed="")
    builds = [
        "zone build tower B2 park B3", "zone build tower B3 park B2",
        "zone build park B2 tower B3", "zone build park B3 tower B2",
    ]  # fmt: skip
    game.offers("Ann", "zone none", *builds)
    game.refused("Ann", "zone take housing build tower B2", "permit-not-revealed")
    game.when("Ann", "zone none").see(hands={"ann": "tower park"}, permit_deck=0)


def test_ch_e33_no_land():
    """CH-E33: no search; nothing is revealed; nothing can be bought."""
    game = given(position(deck="")).see(land_deck=0).refused("Ann", "activate surveyor search B5", "land-not-in-deck")
    game = game.takes("Ann", "surveyor").see(available={}).offers("Ann", "buy none")
    game.when("Ann", "buy none").see(active="ben")


def test_ch_e33_one_land():
    """CH-E33: B5 alone: a search costs 1 and works."""
    game = given(position(deck="B5")).see(land_deck=1).when("Ann", "activate surveyor search B5")
    game.see(influence={"ann": 2}, available={"B5": 0}, land_deck=0)
