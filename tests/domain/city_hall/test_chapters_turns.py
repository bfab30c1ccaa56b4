"""Turns, Offices, Star Values and Parks: what CH-7 to CH-10 say beyond the worked examples."""

import itertools

import pytest

from domain.city_hall.rules import events as fact
from tests.domain.city_hall.scenario import given, position
from tests.domain.city_hall.words import NEIGHBOURS, OFFICES, RATINGS, SPACES, star_value

# CH-7


@pytest.mark.parametrize("players", [2, 3, 4])
def test_ch_7_1_a_round(players):
    """CH-7.1, CH-13.3: one turn each in turn order, with two players two each; then the next round."""
    order = ["ben", "ann", "dan", "cat"] if players == 4 else ["cat", "ann", "ben"] if players == 3 else ["ben", "ann"]
    turns = order if players > 2 else ["ben", "ben", "ann", "ann"]
    game = given(position(players, order=" ".join(order))).see(schedule=" ".join(turns))
    for number, name in enumerate(turns):
        game = game.see(active=name, turn=number, round=1).takes(name, OFFICES[number + 2]).idle_turn()
    game.see(round=2, turn=0)


def test_ch_7_2_no_office_twice():
    """CH-7.2: what anybody used this round is taken, and free again in the next."""
    game = given(position(used="health")).refused("Ben", "activate health", "office-taken")
    offered = {line.split()[1] for line in game.legal("Ben")}
    assert offered == set(OFFICES) - {"health"}
    game.idle(2).when("Ann", "activate health")


def test_ch_7_3_the_influence_on_it_is_the_activators():
    """CH-7.3: whoever controls it then; it can be spent at once on a search (CH-7.4)."""
    start = position(offices={"tax": 4, "surveyor": 1}, influence=0)
    game = given(start).when("Ann", "activate tax").see(influence=[4, 0, 0], offices={"tax": 0})
    game = game.when("Ben", "bid 0").when("Cat", "pass").when("Ann", "accept ben").see(influence=[4, 0, 0])
    given(start).when("Ann", "activate surveyor search M5").see(influence=0, available={"M5": 0}, active="ben")


def test_ch_7_4_what_is_revealed_is_revealed_before_the_bids():
    """CH-7.4, CH-8.14: the first opponent sees the space or the Permits."""
    given(position(), lands="B7").when("Ann", "activate surveyor").see(phase="bid", active="ben", available={"B7": 0})
    game = given(position(), permits="park tower park").when("Ann", "activate zoning")
    game.see(phase="bid", active="ben", revealed="park tower park", permit_deck=25)
    assert game.view("Ben")["revealed"] == game.view()["revealed"] == ["park", "tower", "park"]


def test_ch_7_5_each_opponent_once():
    """CH-7.5: clockwise; who passed or bid is not asked again."""
    game = given(position(4, used="tax", order="cat dan ann ben")).see(active="dan").when("Dan", "activate health")
    game = game.see(waiting="ann ben cat", active="ann").when("Ann", "pass").see(waiting="ben cat", active="ben")
    game = game.when("Ben", "bid 1").see(waiting="cat").refused("Ann", "bid 3", "not-your-turn")
    game.when("Cat", "bid 3").see(phase="decide", active="dan")


def test_ch_7_6_bids():
    """CH-7.6: pass, or match, or raise; 0 is a bid; all one holds and no more."""
    game = given(position(influence=[3, 2, 5])).when("Ann", "activate tax")
    game = game.offers("Ben", "pass", "bid 0", "bid 1", "bid 2").when("Ben", "bid 2")
    game.offers("Cat", "pass", "bid 2", "bid 3", "bid 4", "bid 5").when("Cat", "bid 5").see(phase="decide")
    assert game.document["bidding"]["high"] == 2
    given(position(influence=0)).when("Ann", "activate tax").offers("Ben", "pass", "bid 0")


def test_ch_7_7_a_bid_is_still_its_bidders():
    """CH-7.7: until the activator has decided nothing is paid."""
    game = given(position()).when("Ann", "activate tax").when("Ben", "bid 3").see(influence=3)
    game.when("Cat", "bid 3").see(influence=3, phase="decide")


def test_ch_7_8_where_all_pass_the_activator_is_asked_nothing():
    """CH-7.8, CH-15.2: and pays nothing, whatever was paid for the Office before."""
    game = given(position(influence=[0, 3, 3])).when("Ann", "activate campaign").when("Ben", "pass")
    game = game.when("Cat", "pass").see(phase="resolve", controller="ann", influence=[0, 3, 3])
    game.refused("Ann", "keep", "wrong-phase").when("Ann", "campaign 0")


def test_ch_16_5_campaign_none_belongs_to_a_variant():
    """CH-16.5, CH-8.4: by default it is refused, also for who can pay nothing."""
    game = given(position(money=0)).takes("Ann", "campaign").refused("Ann", "campaign none", "campaign-mandatory")
    game.offers("Ann", "campaign 0")


def test_ch_7_9_the_bids_that_are_not_taken_return():
    """CH-7.9: keep pays the bank, accept the activator; everybody else has what they had."""
    game = given(position(4, influence=[3, 1, 2, 3])).when("Ann", "activate tax")
    game = game.when("Ben", "bid 1").when("Cat", "bid 2").when("Dan", "bid 3")
    game.when("Ann", "keep").see(influence=[0, 1, 2, 3], controller="ann")
    game.when("Ann", "accept dan").see(influence=[6, 1, 2, 0], controller="dan")
    game.refused("Ann", "accept cat", "not-a-high-bidder").refused("Ann", "accept ann", "not-a-high-bidder")


def test_ch_7_9_an_equal_bid_is_high_too_and_a_passed_one_is_none():
    """CH-7.9: with a high bid of 0 who passed cannot be accepted."""
    game = given(position(4)).when("Ann", "activate tax").when("Ben", "bid 0").when("Cat", "pass").when("Dan", "bid 0")
    game.offers("Ann", "keep", "accept ben", "accept dan").refused("Ann", "accept cat", "not-a-high-bidder")


def test_ch_7_10_the_controller_acts_before_anything_else():
    """CH-7.10: nobody else, and no next turn."""
    game = given(position()).when("Ann", "activate tax").when("Ben", "bid 1").when("Cat", "pass")
    game = game.when("Ann", "accept ben").see(active="ben", phase="resolve", office="tax")
    game.refused("Ann", "tax", "not-your-turn").refused("Cat", "tax", "not-your-turn")
    game.refused("Ben", "activate health", "wrong-phase").when("Ben", "tax").see(active="ben", phase="activate")


def test_ch_7_11_the_staffer_stays_and_one_may_control_any_number():
    """CH-7.11: Ben gets Ann's Office and Cat's and has a turn of his own."""
    game = given(position(influence=[3, 3, 3])).when("Ann", "activate tax").when("Ben", "bid 1").when("Cat", "pass")
    game = game.when("Ann", "accept ben").when("Ben", "tax").takes("Ben", "health", "health none")
    game = game.when("Cat", "activate campaign").when("Ann", "pass").when("Ben", "bid 2").when("Cat", "accept ben")
    game = game.see(staffers={"tax": "ann", "health": "ben", "campaign": "cat"}, controller="ben")
    game.when("Ben", "campaign 0").see(round=2, staffers={}, approval=[1, 2, 1])


# CH-8


def test_ch_8_1_what_must_be_done_and_what_may():
    """CH-8.1: income must be taken, a line chosen; a space need not be bought, nor anything at the Lobbyist."""
    given(position()).takes("Ann", "tax").offers("Ann", "tax", "tax double")
    given(position(approval=2)).takes("Ann", "tax").offers("Ann", "tax", "tax triple")
    given(position(), lands="Q1").takes("Ann", "surveyor").offers("Ann", "buy none")
    given(position(money=0)).takes("Ann", "lobbyist", "lobby").see(money=[0, 0, 0])


def test_ch_8_2_income():
    """CH-8.2: $1 a person, $3 a Tower, $7 a Factory, of one's own and on the board."""
    lands = {"Q1": "ann tower", "Q2": "ann housing", "Q3": "ann park", "Q4": "ann factory", "B1": "ben factory"}
    start = position(lands=lands, population={"ann": 5}, money=0, hands={"ann": "factory factory"})
    given(start).takes("Ann", "tax", "tax").see(money=[15, 0, 0])
    given(position(lands=lands, population={"ann": 5}, money=0, used="health")).takes("Ben", "tax", "tax").see(
        money=[0, 8, 0]
    )


@pytest.mark.parametrize("space", range(1, 11))
def test_ch_8_3_three_ways(space):
    """CH-8.3: triple from space 2 on, one space down; double on space 1 alone, and the Staffer stays."""
    game = given(position(approval={"ann": space}, population={"ann": 2}, money=0)).takes("Ann", "tax")
    game.when("Ann", "tax").see(money={"ann": 2}, approval={"ann": space})
    if space == 1:
        game.when("Ann", "tax double").see(money={"ann": 4}, approval={"ann": 1})
        game.refused("Ann", "tax triple", "triple-not-allowed")
    else:
        game.when("Ann", "tax triple").see(money={"ann": 6}, approval={"ann": space - 1})
        game.refused("Ann", "tax double", "double-not-allowed")


@pytest.mark.slow
@pytest.mark.parametrize("line, cost, advance", [("0", 0, 1), ("10", 10, 2), ("30", 30, 3)])
def test_ch_8_4_campaign(line, cost, advance):
    """CH-8.4, CH-8.5, CH-2.6: what a line costs and brings, from every space; beyond 10 it is lost and still paid."""
    for space in range(1, 11):
        game = given(position(approval={"ann": space}, money={"ann": 30})).takes("Ann", "campaign")
        game.when("Ann", f"campaign {line}").see(approval={"ann": min(space + advance, 10)}, money={"ann": 30 - cost})
    if cost:
        poor = given(position(money={"ann": cost - 1})).takes("Ann", "campaign")
        poor.refused("Ann", f"campaign {line}", "not-enough-money")


@pytest.mark.parametrize("space, rating", list(enumerate(RATINGS, 1)))
def test_ch_8_6_the_lobbyist_pays_by_the_rating(space, rating):
    """CH-8.6: the printed number, not the space; first, so it can be sold at once (CH-8.7)."""
    game = given(position(approval={"ann": space}, influence={"ann": 0}, money={"ann": 0})).takes("Ann", "lobbyist")
    game.when("Ann", "lobby").see(influence={"ann": rating})
    game.when("Ann", f"lobby sell {rating}").see(influence={"ann": 0}, money={"ann": 7 * rating})
    game.refused("Ann", f"lobby sell {rating + 1}", "not-enough-influence")


def test_ch_8_7_each_step_must_be_payable():
    """CH-8.7: any number of times, in any order; each card must be paid when it is bought."""
    game = given(position(money={"ann": 6}, influence={"ann": 1})).takes("Ann", "lobbyist")
    game.when("Ann", "lobby sell 1 buy 1").see(money={"ann": 3}, influence={"ann": 2})
    game.when("Ann", "lobby sell 2 buy 2").see(money={"ann": 0}, influence={"ann": 2})
    game.refused("Ann", "lobby buy 1 sell 2", "not-enough-money")
    game.refused("Ann", "lobby sell 2 buy 3", "not-enough-money")
    game.when("Ann", "lobby sell 1 buy 1 sell 1").see(money={"ann": 10}, influence={"ann": 1})


def test_ch_8_8_spaces_and_money_carry_over():
    """CH-8.8, CH-8.13: from round to round, $5 more with every Surveyor, and none without."""
    game = given(position(lands={"Q1": "$0"}), lands="Q2 Q3").takes("Ann", "surveyor", "buy none")
    game = game.see(available={"Q1": 5, "Q2": 5}).takes("Ben", "health", "health none").takes("Cat", "deputy")
    game = game.see(round=2, available={"Q1": 5, "Q2": 5}).takes("Cat", "surveyor", "buy none")
    game.see(available={"Q1": 10, "Q2": 10, "Q3": 5})


def test_ch_8_9_the_activator_reveals_and_pays():
    """CH-8.9: whoever buys; the search costs the activator 1, the draw nothing; only at the Surveyor."""
    game = given(position()).when("Ann", "activate surveyor search B5").see(influence=[2, 3, 3], available={"B5": 0})
    assert game.dice.asked == []
    game = game.when("Ben", "bid 1").when("Cat", "pass").when("Ann", "accept ben").see(influence=[3, 2, 3])
    game.refused("Ben", "buy B5", "not-enough-money").when("Ben", "buy none").see(available={"B5": 5})
    drawn = given(position(deck="B1 B2"), lands="B2").when("Ann", "activate surveyor").see(influence=3)
    drawn.see(available={"B2": 0}, land_deck=1)
    assert drawn.dice.asked == [("land", 2)]


def test_ch_8_9_any_card_of_the_deck_may_be_searched():
    """CH-8.9: everybody can know which are there (CH-14.2)."""
    game = given(position(deck="Q1 B2 M3"))
    searches = [line for line in game.legal("Ann") if "search" in line]
    assert searches == [f"activate surveyor search {land}" for land in ("B2", "M3", "Q1")]


PRICES = [(0, 20, 0), (5, 15, 0), (15, 12, 7), (20, 0, 0), (25, 0, 5), (45, 3, 28)]


@pytest.mark.parametrize("on_it, have, left", PRICES)
def test_ch_8_11_the_price(on_it, have, left):
    """CH-8.11, CH-8.12: $20, the money on the space first; what is over is the buyer's."""
    game = given(position(lands={"Q1": f"${on_it}"}, deck="", money={"ann": have})).takes("Ann", "surveyor")
    game.when("Ann", "buy Q1").see(money={"ann": left}, lands={"Q1": "ann"})
    if on_it < 20:
        poor = given(position(lands={"Q1": f"${on_it}"}, deck="", money={"ann": 19 - on_it})).takes("Ann", "surveyor")
        poor.refused("Ann", "buy Q1", "not-enough-money")


def test_ch_8_11_the_space_just_revealed_may_be_bought():
    """CH-8.11: newly revealed or not."""
    game = given(position(lands={"Q1": "$5"}, money={"ann": 20}), lands="M5").takes("Ann", "surveyor")
    game.offers("Ann", "buy none", "buy Q1", "buy M5")
    game.when("Ann", "buy M5").see(lands={"M5": "ann"}, available={"Q1": 10}, money={"ann": 0})


OWNER = {"lands": {"B2": "ann", "B3": "ann", "Q1": "ben", "M1": "ann tower", "Q8": "$0"}, "star": 2}


@pytest.mark.slow
def test_ch_8_15_empty_own_space():
    """CH-8.15: owned by the controller, with no Permit on it."""
    game = given(position(**OWNER, hands={"ann": "housing"}), permits="park park tower").takes("Ann", "zoning")
    for land in SPACES:
        if land not in ("B2", "B3"):
            code = "land-not-empty" if land == "M1" else "land-not-owned"
            game.refused("Ann", f"zone take park build housing {land}", code)
    game.when("Ann", "zone take park build housing B2").when("Ben", "activate tax")


def test_ch_8_17_the_three_choices():
    """CH-8.17, CH-8.18: everything A, B and C allow, and nothing else; equal Permits are one choice."""
    game = given(position(**OWNER, hands={"ann": "housing tower"}), permits="park park tower").takes("Ann", "zoning")
    a = {"zone take park park", "zone take park tower"}
    b = {
        f"zone take {taken} build {built} {land}"
        for taken in ("park", "tower")
        for built in {"housing", "tower", taken}
        for land in ("B2", "B3")
    }
    c = {
        f"zone build {first} {here} {second} {there}"
        for first, second in itertools.permutations(("housing", "tower"))
        for here, there in itertools.permutations(("B2", "B3"))
    }
    plain = {line.split(" under")[0] for line in game.legal("Ann")}
    assert {" ".join(sorted_take(line)) for line in plain} == {" ".join(sorted_take(line)) for line in a | b | c}


def sorted_take(line):
    words = line.split()
    return words[:2] + sorted(words[2:]) if words[1] == "take" and len(words) == 4 else words


@pytest.mark.parametrize("revealed", range(4))
def test_ch_16_4_how_many_are_taken_and_placed_says_which_choice_it_is(revealed):
    """CH-16.4: two and none, one and one, none and two; with one revealed one and none, with none `zone none`."""
    deck = " ".join(["park"] * revealed)
    game = given(position(**OWNER, hands={"ann": "housing housing"}, permits=deck)).takes("Ann", "zoning")
    for taken, placed in itertools.product(range(3), repeat=2):
        take = ["take", *["park"] * taken] if taken else []
        build = ["build", *["housing B2", "housing B3"][:placed]] if placed else []
        line = " ".join(["zone", *(take + build or ["none"])])
        if (taken, placed) in {(min(revealed, 2), 0), (0, 2)} or (taken, placed, bool(revealed)) == (1, 1, True):
            game.when("Ann", line)
        else:
            code = "permit-not-revealed" if (taken, placed) == (1, 1) else "bad-zoning-choice"
            game.refused("Ann", line, code)


def test_ch_8_18_what_b_and_c_need():
    """CH-8.18: A is always possible; B needs an empty own space; C two of them and two Permits in hand."""
    revealed = "park park park"
    homeless = given(position(hands={"ann": "housing tower"}), permits=revealed).takes("Ann", "zoning")
    homeless.offers("Ann", "zone take park park").refused("Ann", "zone take park build park B2", "land-not-owned")
    one = given(position(lands={"B2": "ann"}, hands={"ann": "housing tower"}), permits=revealed).takes("Ann", "zoning")
    one.refused("Ann", "zone build housing B2 tower B2", "land-not-empty").when("Ann", "zone take park build park B2")
    bare = given(position(**OWNER), permits=revealed).takes("Ann", "zoning")
    bare.refused("Ann", "zone build park B2 park B3", "not-in-hand").when("Ann", "zone take park build park B3")


def test_ch_8_17_who_controls_takes_and_places():
    """CH-8.17: the controller's hand and spaces, not the activator's."""
    start = position(**OWNER, hands={"ann": "housing tower", "ben": "factory"})
    game = given(start, permits="park tower tower").when("Ann", "activate zoning").when("Ben", "bid 1")
    game = game.when("Cat", "pass").when("Ann", "accept ben")
    game.refused("Ben", "zone take park build factory B2", "land-not-owned")
    game.when("Ben", "zone take park build factory Q1").see(lands={"Q1": "ben factory"}, hands={"ben": "park"})


def test_ch_8_19_each_permit_is_settled_before_the_next():
    """CH-8.19: one fact each: Star Values, approval through Parks, the Star Token."""
    lands = {"B2": "ann", "B3": "ann", "B5": "ben park"}
    game = given(position(lands=lands, hands={"ann": "housing tower"}, star=9)).takes("Ann", "zoning")
    game = game.when("Ann", "zone build housing B2 tower B3").see(star_token=10, approval=[1, 3, 1])
    first, second = (it for it in game.last if isinstance(it, fact.PermitBuilt))
    assert (first.stars, first.approval, first.star_token) == ({"B2": 1}, {"1": 2}, 10)
    assert (second.stars, second.approval, second.star_token) == ({"B2": 2, "B3": 2}, {"1": 3}, 10)


def test_ch_8_20_below_the_deck():
    """CH-8.20: in the order chosen; else as revealed; they come up again in that order, when all above are gone."""
    start = position(permits="housing housing housing tower park")
    game = given(start, permits="park tower housing").takes("Ann", "zoning", "zone take tower park")
    game = game.see(bottom="housing", permit_deck=3).idle(2).draws(permits="housing housing")
    game = game.takes("Ann", "zoning").see(revealed="housing housing housing", permit_deck=0)
    mixed = given(position(**OWNER, hands={"ann": "factory factory"}, permits="housing tower park"))
    mixed = mixed.draws(permits="park tower housing").takes("Ann", "zoning")
    for under, order in (("", "park tower housing"), (" under housing park tower", "housing park tower")):
        below = mixed.when("Ann", f"zone build factory B2 factory B3{under}").see(bottom=order, permit_deck=3)
        below.idle(2).takes("Ann", "zoning").see(revealed=order, permit_deck=0)


def test_ch_8_20_later_ones_go_below_earlier_ones():
    """CH-8.20, CH-5.3: the deck is a queue."""
    start = position(permits="housing housing housing tower tower tower park")
    game = given(start, permits="park tower housing tower tower housing housing").takes("Ann", "zoning")
    game = game.when("Ann", "zone take tower housing").idle(2).takes("Ann", "zoning", "zone take tower tower")
    game.see(bottom="park housing", permit_deck=3).idle(3).takes("Ann", "zoning").see(revealed="housing park housing")


def test_ch_8_21_totals_are_of_ones_own_buildings():
    """CH-8.21, CH-9.4: a Park has no star; a neighbour's Building counts for the neighbour."""
    lands = {"B1": "ann housing", "B2": "ben housing", "B5": "ben park", "M3": "cat tower"}
    given(position(lands=lands)).see(totals=[3, 3, 1], stars={"B1": 3, "B2": 3, "B5": None, "M3": 1})


def test_ch_8_22_the_bonus_is_the_controllers():
    """CH-8.22: neither the activator's nor anybody else's; no star moves."""
    lands = {"M1": "ann factory", "M3": "ben factory", "M5": "cat factory"}
    game = given(position(lands=lands)).when("Ann", "activate health").when("Ben", "bid 0").when("Cat", "pass")
    game = game.when("Ann", "accept ben").offers("Ben", "health none", "health plus3", "health double")
    for line in ("health plus3", "health double"):
        game.when("Ben", line).see(population=[3, 5, 3], totals=[1, 1, 1])
    game.when("Ben", "health none").see(population=[5, 5, 5])


def test_ch_8_26_nothing_happens_now():
    """CH-8.26: no action and no choice; a controller by keeping counts as well."""
    game = given(position()).when("Ann", "activate deputy").when("Ben", "bid 1").when("Cat", "pass")
    game = game.when("Ann", "keep").see(deputy="ann", active="ben", turn_order="ann ben cat", influence=[2, 3, 3])
    kept = given(position(order="cat ann ben", used="tax")).takes("Ann", "deputy").idle(2)
    kept.see(turn_order="ann cat ben")
    assert game.view("Cat")["deputy"] == 0


# CH-9


@pytest.mark.parametrize("kind", ["housing", "tower", "factory"])
@pytest.mark.parametrize("other", ["housing", "tower", "factory", "park"])
@pytest.mark.parametrize("where", ["B5", "M4"])
def test_ch_9_1_each_modifier(kind, other, where):
    """CH-9.1, CH-9.2, CH-9.5: one neighbour after another, by play, whoever owns it."""
    near = NEIGHBOURS[where][:2]
    lands = {where: f"ben {kind}", near[0]: "ann", near[1]: "ann"}
    game = given(position(lands=lands, hands={"ann": f"{other} {other}"}, star=1))
    built = {where: kind}
    game.see(stars={where: star_value(where, built)})
    game = game.takes("Ann", "zoning", f"zone build {other} {near[0]} {other} {near[1]}")
    built |= dict.fromkeys(near, other)
    game.see(stars={it: star_value(it, built) for it in built})


def test_ch_9_3_the_order_of_building_does_not_matter():
    """CH-9.3: only the final sum is cut."""
    lands = {"B5": "ben housing", **dict.fromkeys(("B1", "B2"), "ann"), "B3": "ann factory", "B6": "ann factory"}
    game = given(position(lands=lands, hands={"ann": "housing factory"}, star=1)).takes("Ann", "zoning")
    for line in ("zone build housing B1 factory B2", "zone build factory B2 housing B1"):
        game.when("Ann", line).see(stars={"B5": 0, "B1": 1})


# CH-10


def test_ch_10_1_half_of_the_buildings_rounded_down():
    """CH-10.1, CH-10.3: whoever owns them; Parks are not counted."""
    around = NEIGHBOURS["B5"]
    for count in range(9):
        lands = {where: f"{'ann ben cat'.split()[n % 3]} tower" for n, where in enumerate(around[:count])}
        lands |= dict.fromkeys(around[count : count + 2], "ann park") | {"B5": "ann"}
        start = position(lands=lands, hands={"ann": "park"}, star=1, permits="housing housing housing")
        game = given(start).takes("Ann", "zoning", "zone take housing build park B5")
        game.see(approval=[1 + count // 2, 1, 1], stars={"B5": None})


def test_ch_10_2_every_new_building_beside_a_park():
    """CH-10.2: the owner's own included; two Parks of one owner, two spaces."""
    lands = {"B1": "ann park", "B3": "ann park", "B5": "ben park", "B2": "ann", "B9": "ann"}
    start = position(lands=lands, hands={"ann": "tower"}, star=1)
    game = given(start, permits="tower park tower").takes("Ann", "zoning")
    game.when("Ann", "zone take park build tower B2").see(approval=[3, 2, 1])
    game.when("Ann", "zone take park build tower B9").see(approval=[1, 2, 1])
    game.when("Ann", "zone take park build park B2").see(approval=[1, 1, 1])


def test_ch_10_4_nothing_takes_it_back_and_beyond_10_it_is_lost():
    """CH-10.4: from 9, two Parks bring one space."""
    lands = {"B1": "ann park", "B3": "ann park", "B2": "ben"}
    start = position(lands=lands, hands={"ben": "tower"}, star=1, approval={"ann": 9}, used="tax")
    game = given(start, permits="tower park tower").takes("Ben", "zoning", "zone take park build tower B2")
    game.see(approval={"ann": 10}).idle(2).see(approval={"ann": 10}, final=True)
