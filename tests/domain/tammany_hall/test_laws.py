"""What holds in every game, over whole games played at random."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.engine.game import CHANCE, Draw
from domain.engine.refusals import RuleViolation
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules import actions as order
from domain.tammany_hall.rules import events as fact
from domain.tammany_hall.rules.actions import DealZone, DrawFirstPlayer, FillGarden
from domain.tammany_hall.rules.state import State
from tests.domain.tammany_hall.playouts import VARIANTS, playout, playouts
from tests.domain.tammany_hall.scenario import Dice, position
from tests.domain.tammany_hall.scenario import given as game
from tests.domain.tammany_hall.words import COLOURS, ELECTION_ORDER, LAYOUT_A, PAWNS, ZONES

GAMES = range(len(VARIANTS))


def check(state: State) -> None:
    """What must hold of every position."""
    cubes = [state.bag, state.garden, *state.boxes.values(), *(ward.cubes for ward in state.wards.values())]
    chips = [state.supply, *(player.chips for player in state.players)]
    counts = [*itertools.chain(*cubes, *chips), *(n for ward in state.wards.values() for n in ward.bosses)]
    assert [sum(counts) for counts in zip(*cubes, strict=True)] == [25] * 4, "TH-2.2"
    assert [sum(counts) for counts in zip(*chips, strict=True)] == [int(state.options["chip-supply"])] * 4, "TH-2.3"
    assert min(counts) >= 0
    for seat in TAMMANY_HALL.decider.view(state, None)["seats"]:
        on_wards = sum(ward.bosses[PAWNS.index(seat["pawn"])] for ward in state.wards.values())
        assert seat["bosses_left"] + on_wards + 1 + (seat["office"] is not None) == 20, "TH-2.5"
        assert seat["bosses_left"] >= 0, "TH-2.5"
    locked = [ward for ward in state.wards.values() if ward.locked]
    assert len(locked) + state.locks_left == 2
    assert all(any(ward.cubes) for ward in locked)
    assert not any(any(ward.bosses) for ward in state.wards.values() if not any(ward.cubes)), "TH-4.3"


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_th_2_2_and_2_3_nothing_is_lost_in_any_event(number):
    """TH-2.2, TH-2.3, TH-2.5: after every single fact cubes, chips, pawns and locks add up."""
    state = TAMMANY_HALL.decider.copy(playouts()[number].start)
    check(state)
    for it in playouts()[number].facts:
        state = TAMMANY_HALL.decider.fold(state, [it])
        check(state)


@pytest.mark.slow
def test_the_games_played_have_everything_in_them():
    """Every kind of fact and of action happened somewhere, so that the laws have something to hold for."""
    assert {type(it) for game in playouts() for it in game.facts} == set(TAMMANY_HALL.decider.events.values())
    played = {type(step.action) for game in playouts() for step in game.steps}
    assert played >= set(TAMMANY_HALL.decider.actions)
    assert {it.reason for game in playouts() for it in game.facts if isinstance(it, fact.MayorElected)} >= {
        "wards", "tie-break",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_every_game_ends(number):
    """TH-13.1: after 16 years, with winners who have the most points, and nobody left to act."""
    end = playouts()[number].end
    result = TAMMANY_HALL.decider.result(end)
    assert (end.phase, end.year) == ("over", 16)
    assert TAMMANY_HALL.decider.awaiting(end) == frozenset()
    assert TAMMANY_HALL.decider.proceed(end) == []
    assert result["winners"]
    assert all(result["scores"][seat] == max(result["scores"]) for seat in result["winners"])
    assert all(TAMMANY_HALL.decider.result(step.before) is None for step in playouts()[number].steps)
    for seat in range(len(end.players)):
        assert TAMMANY_HALL.decider.legal_actions(end, seat).actions == []
        assert TAMMANY_HALL.presentation.guide(end, seat) == []


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_every_offered_action_is_accepted(number):
    """TH-16.2: and what comes of it is a sound position; written as text it is read as the same action."""
    for state, seat in playouts()[number].decisions(every=9):
        for action in TAMMANY_HALL.decider.legal_actions(state, seat).actions:
            check(TAMMANY_HALL.decider.fold(state, TAMMANY_HALL.decider.decide(state, seat, action)))
            assert TAMMANY_HALL.notation.parse(TAMMANY_HALL.notation.write(action), PAWNS[: len(state.players)]) == [
                action
            ]


def everything(state: State):
    """Every action one could send in a turn, sensible or not."""
    wards, seats = ELECTION_ORDER, range(len(state.players))
    yield from (order.Place([ward]) for ward in wards)
    yield from (order.Place(list(two)) for two in itertools.combinations_with_replacement(wards, 2))
    yield from itertools.starmap(order.Settle, itertools.product(wards, COLOURS, wards))
    yield from itertools.starmap(order.Slander, itertools.product(seats, wards, COLOURS, [None, *wards]))
    yield from map(order.OfficeFavor, COLOURS)
    yield from map(order.OfficeLock, wards)
    yield from itertools.starmap(order.OfficePolice, itertools.product(wards, COLOURS))
    yield from itertools.starmap(order.OfficeMove, itertools.product(COLOURS, wards, wards))
    yield from [order.End(), order.Bid(), order.BonusPass(), order.Assign({"deputy": 0})]
    yield from itertools.starmap(order.BonusCube, itertools.product(COLOURS, wards))
    yield from map(order.BonusFavor, COLOURS)


def accepts(state: State, seat: int, action) -> bool:
    try:
        return bool(TAMMANY_HALL.decider.decide(state, seat, action))
    except RuleViolation:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_every_action_accepted_is_offered(number):
    """TH-16.1: in a turn and for a bonus the offer is complete, each action once."""
    for state, seat in playouts()[number].decisions(every=23):
        if state.phase in ("turn", "bonus"):
            offer = TAMMANY_HALL.decider.legal_actions(state, seat)
            accepted = {TAMMANY_HALL.notation.write(it) for it in everything(state) if accepts(state, seat, it)}
            assert offer.complete
            assert {TAMMANY_HALL.notation.write(it) for it in offer.actions} == accepted
            assert len(offer.actions) == len(accepted)


@pytest.mark.parametrize("number", GAMES)
def test_offers_of_bids_are_all_or_a_sample_that_says_so(number):
    """TH-9.8: every bid once where they are few; a legal sample from none to all where they are many."""
    for state, seat in playouts()[number].decisions():
        if state.phase == "bid":
            held, cubes = state.players[seat].chips, state.wards[state.ward].cubes
            usable = tuple(count if there else 0 for count, there in zip(held, cubes, strict=True))
            every = set(itertools.product(*(range(count + 1) for count in usable)))
            offer = TAMMANY_HALL.decider.legal_actions(state, seat)
            offered = [tuple(it.chips.get(colour, 0) for colour in COLOURS) for it in offer.actions]
            assert len(set(offered)) == len(offered)
            assert {(0, 0, 0, 0), usable} <= set(offered) <= every
            assert offer.complete == (set(offered) == every)


def test_a_seat_with_many_chips_is_offered_a_sample():
    """TH-9.8: of some thousand bids a few hundred, the least and the most among them, and the offer says so."""
    rich = position(
        year=4,
        phase="election",
        wards={6: "1 1 1 1 | red 1 yellow 1"},
        chips={"red": "9 9 9 9", "yellow": "2 0 0 0"},
    )
    state = game(rich).state
    offer = TAMMANY_HALL.decider.legal_actions(state, 0)
    assert not offer.complete
    assert len(offer.actions) == len({TAMMANY_HALL.notation.write(it) for it in offer.actions}) <= 1000
    assert order.Bid() in offer.actions
    assert order.Bid(dict.fromkeys(COLOURS, 9)) in offer.actions
    assert all(accepts(state, 0, it) for it in offer.actions)
    assert TAMMANY_HALL.decider.legal_actions(state, 1).complete


@pytest.mark.parametrize("chips, bids", [("19 19 0 0", 400), ("20 19 0 0", 420), ("7 7 6 0", 448), ("0 0 1 0", 2)])
def test_an_offer_is_complete_if_and_only_if_every_bid_is_in_it(chips, bids):
    """TH-9.8: also where the number of bids is just what is still listed."""
    rich = position(year=4, phase="election", wards={6: "1 1 1 1 | red 1 yellow 1"}, chips={"red": chips})
    offer = TAMMANY_HALL.decider.legal_actions(game(rich).state, 0)
    assert offer.complete == (len(offer.actions) == bids)


@pytest.mark.parametrize("number", GAMES)
def test_nobody_else_is_offered_anything(number):
    """TH-16.1: only who must act has legal actions, or who may still replace a bid."""
    playout = playouts()[number]
    for state, _ in playout.decisions(every=15):
        idle = set(range(playout.players)) - TAMMANY_HALL.decider.awaiting(state) - set(state.bids)
        assert all(TAMMANY_HALL.decider.legal_actions(state, seat).actions == [] for seat in idle)


@pytest.mark.parametrize("number", GAMES)
def test_the_caretaker_is_always_legal(number):
    """TH-16.1: and plays no office, no slander, no settling, no chip."""
    harmless = order.Place | order.End | order.Bid | order.BonusPass | order.Assign
    mandatory = playouts()[number].options.get("ward-bonus") == "mandatory"
    for state, seat in playouts()[number].decisions():
        action = TAMMANY_HALL.decider.caretaker(TAMMANY_HALL.decider.blind(state, seat), seat)
        assert TAMMANY_HALL.decider.decide(state, seat, action)
        assert isinstance(action, harmless) or (mandatory and isinstance(action, order.BonusCube | order.BonusFavor))
        assert not isinstance(action, order.Bid) or not any(action.chips.values())


@pytest.mark.parametrize(
    "wards, ward",
    [
        ({3: "... | red 1 yellow 1", 5: "... | red 2 yellow 1", 8: "... | yellow 1"}, 5),
        ({3: "... | red 1 yellow 2", 5: "... | red 2 yellow 5"}, 3),
        ({3: "... | red 1 yellow 1", 5: "... | red 3 yellow 4"}, 3),
        ({3: "... | red 1 yellow 5"}, 3),
        ({3: "... | red 3 | locked", 5: "... | red 1 yellow 1"}, 5),
    ],
)
def test_the_caretaker_reinforces_where_its_seat_stands_best(wards, ward):
    """TH-6.2: both bosses into the open ward of its own where rivals outnumber it least, be there empty ones."""
    state = game(position(turn="red", wards=wards)).state
    assert TAMMANY_HALL.decider.caretaker(state, 0) == order.Place([ward, ward])


@pytest.mark.slow
@pytest.mark.parametrize("players, options", VARIANTS)
def test_a_game_of_caretakers_ends(players, options):
    """TH-13.1: players who never come back hold nothing up."""
    ended = game(TAMMANY_HALL.decider.initial(players, options)).idle(year=99)
    assert TAMMANY_HALL.decider.result(ended.state) is not None
    check(ended.state)


@pytest.mark.parametrize("number", GAMES)
def test_the_facts_alone_give_the_state(number):
    """Folding all facts over the first state gives the last, and each step's facts its state."""
    playout = playouts()[number]
    assert (
        TAMMANY_HALL.decider.fold(TAMMANY_HALL.decider.initial(playout.players, playout.options), playout.facts)
        == playout.end
    )
    for step in playout.steps:
        assert TAMMANY_HALL.decider.fold(step.before, step.facts) == step.after


@pytest.mark.parametrize("number", GAMES)
def test_steps_are_never_changed_by_what_came_after(number):
    """A state that was handed out stays as it was: folding all over again meets every one of them."""
    playout = playouts()[number]
    state = TAMMANY_HALL.decider.initial(playout.players, playout.options)
    for step in playout.steps:
        assert step.before == state
        state = TAMMANY_HALL.decider.fold(state, step.facts)


@pytest.mark.parametrize("number", GAMES)
def test_th_6_8_pawns_are_never_taken_back_or_moved(number):
    """TH-6.8, TH-4.3, TH-2.8: pawns leave only by slander or election; a ward in play stays so; no point is lost."""
    leave = fact.BossSlandered | fact.WardResolved | fact.BidsRevealed
    for step in playouts()[number].steps:
        state = step.before
        for it in step.facts:
            after = TAMMANY_HALL.decider.fold(state, [it])
            for ward in state.wards:
                pawns = zip(state.wards[ward].bosses, after.wards[ward].bosses, strict=True)
                assert isinstance(it, leave) or all(now >= before for before, now in pawns)
                assert any(after.wards[ward].cubes) or not any(state.wards[ward].cubes)
            assert all(now.vp >= before.vp for before, now in zip(state.players, after.players, strict=True))
            state = after


@pytest.mark.parametrize("number", GAMES)
def test_th_2_5_after_the_wards_an_office_pawn_can_be_found(number):
    """TH-2.5: right after the ward elections a player has at most 15 pawns on wards."""
    for step in playouts()[number].steps:
        if any(isinstance(it, fact.LeadersAwarded) for it in step.facts):
            bosses = [ward.bosses for ward in step.after.wards.values()]
            assert max(map(sum, zip(*bosses, strict=True))) <= 15


@pytest.mark.parametrize("number", GAMES)
def test_a_decision_has_one_name(number):
    """TH-16.1: the token of what is asked stays while it is asked and never comes back."""
    tokens = [TAMMANY_HALL.decider.decision(step.before) for step in playouts()[number].steps]
    runs = [token for token, _ in itertools.groupby(tokens)]
    assert len(set(runs)) == len(runs)
    assert all(token.isascii() and len(token) <= 32 for token in runs)
    for step in playouts()[number].steps:
        asked = {
            TAMMANY_HALL.decider.decision(it): TAMMANY_HALL.decider.view(it, None)["ward"]
            for it in (step.before, step.after)
        }
        if isinstance(step.action, order.Bid):
            assert len(asked) == 1  # bids come one by one for the same decision
        if isinstance(step.action, order.End | order.BonusCube | order.BonusFavor | order.BonusPass | order.Assign):
            assert len(asked) == 2


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_a_blind_state_is_enough_for_its_seat(number):
    """TH-14.1: what a seat may do is found without knowing what it may not; nothing is revealed from it."""
    for state, seat in playouts()[number].decisions(every=7):
        blind = TAMMANY_HALL.decider.blind(state, seat)
        assert TAMMANY_HALL.decider.legal_actions(blind, seat) == TAMMANY_HALL.decider.legal_actions(state, seat)
        assert TAMMANY_HALL.decider.caretaker(blind, seat) == TAMMANY_HALL.decider.caretaker(state, seat)
        assert TAMMANY_HALL.presentation.guide(blind, seat) == TAMMANY_HALL.presentation.guide(state, seat)
        assert TAMMANY_HALL.decider.view(blind, seat) == TAMMANY_HALL.decider.view(state, seat)
        assert TAMMANY_HALL.decider.awaiting(blind) == TAMMANY_HALL.decider.awaiting(state)
        assert TAMMANY_HALL.decider.decision(blind) == TAMMANY_HALL.decider.decision(state)


@pytest.mark.parametrize("reader", [None, 0, 2])
def test_th_14_1_a_reader_without_the_sealed_chips_sees_the_same_game(reader):
    """TH-14.1: folding facts as a reader gets them, other seats' sealed chips missing, gives the blind state."""
    playout = playouts()[2]
    state = TAMMANY_HALL.decider.initial(playout.players, playout.options)
    for step in playout.steps:
        if isinstance(step.facts[0], fact.BidsRevealed):
            assert TAMMANY_HALL.decider.proceed(TAMMANY_HALL.decider.blind(step.before, None)) == []
        told = [
            fact.BidSealed(it.seat, it.ward) if isinstance(it, fact.BidSealed) and it.seat != reader else it
            for it in step.facts
        ]
        state = TAMMANY_HALL.decider.fold(state, told)
        assert state == TAMMANY_HALL.decider.blind(step.after, reader)
    assert state == playout.end


@pytest.mark.slow
@settings(max_examples=4)
@given(st.integers(10, 10**6), st.integers(3, 5), st.fixed_dictionaries({}, optional={
    name: st.sampled_from(values) for name, values in TAMMANY_HALL.options.items()}))  # fmt: skip
def test_other_games_end_too(seed, players, options):
    """TH-13.1, TH-2.2: whatever the variants."""
    played = playout(players, options, seed)
    assert TAMMANY_HALL.decider.result(played.end)["winners"]
    for step in played.steps:
        check(step.after)


# Text

wards = st.sampled_from(ELECTION_ORDER)
colours = st.sampled_from(COLOURS)
seats = st.integers(0, 4)
titles = st.sampled_from(("deputy", "council", "police", "precinct"))
actions = st.one_of(
    st.builds(order.Place, st.lists(wards, min_size=1, max_size=2)),
    st.builds(order.Settle, wards, colours, wards),
    st.builds(order.Slander, seats, wards, colours, st.none() | wards),
    st.builds(order.OfficeFavor, colours),
    st.builds(order.OfficeLock, wards),
    st.builds(order.OfficePolice, wards, colours),
    st.builds(order.OfficeMove, colours, wards, wards),
    st.builds(order.End),
    st.builds(order.Bid, st.dictionaries(colours, st.integers(1, 99)), st.none() | wards),
    st.builds(order.BonusCube, colours, wards),
    st.builds(order.BonusFavor, colours),
    st.builds(order.BonusPass),
    st.builds(order.Assign, st.dictionaries(titles, seats, min_size=1)),
)


@pytest.mark.slow
@given(st.lists(actions, max_size=4))
def test_th_15_1_what_is_written_is_read_back(written):
    """TH-15.1: any action, legal or not, alone or among others, in lower case and on one line."""
    lines = [TAMMANY_HALL.notation.write(action) for action in written]
    assert all(line == line.lower() and "\n" not in line for line in lines)
    assert TAMMANY_HALL.notation.parse("\n".join(lines), PAWNS) == written


@pytest.mark.slow
@given(st.data())
def test_th_15_4_any_action_is_decided_or_refused(data):
    """TH-15.4, TH-1.1: nothing but a refusal with a reason comes of an illegal one, in any position, for any seat."""
    step = data.draw(st.sampled_from([step for played in playouts() for step in played.steps[::17]]))
    seat, action = data.draw(seats), data.draw(actions)
    try:
        facts = TAMMANY_HALL.decider.decide(step.before, seat, action)
    except RuleViolation:
        facts = []
    check(TAMMANY_HALL.decider.fold(step.before, facts))


# Chance


def drawn():
    """Every draw of the games, with the state that awaited it."""
    return [(step.before, step.action) for game in playouts() for step in game.steps if step.seat == CHANCE]


def refused(state: State, seat: int, action, code: str = "bad-draw") -> None:
    with pytest.raises(RuleViolation) as error:
        TAMMANY_HALL.decider.decide(state, seat, action)
    assert error.value.code == code


def test_a_draw_is_made_by_chance_alone():
    """TH-14.3: no seat can choose it, and it is made only when it is due."""
    for state, action in drawn():
        for seat in range(len(state.players)):
            refused(state, seat, action, "not-your-turn")
        assert TAMMANY_HALL.decider.awaiting(state) == {CHANCE}
        assert TAMMANY_HALL.decider.proceed(state) == []
        refused(TAMMANY_HALL.decider.fold(state, TAMMANY_HALL.decider.decide(state, CHANCE, action)), CHANCE, action)


def test_another_draw_than_the_one_due_is_refused():
    """TH-14.3: by its label, its kind, or its zone."""
    kinds = {type(action): action for _, action in drawn()}
    assert kinds.keys() == {DrawFirstPlayer, DealZone, FillGarden}
    for state, action in drawn():
        index = action.draw.index
        for kind, other in kinds.items():
            if kind is not type(action):
                refused(state, CHANCE, other)
                refused(state, CHANCE, type(other)(*[Draw(action.draw.label, index), *fields(other)[1:]]))
        for label in ("garden", "zone-1", "zone-2", "zone-3", "first-player", ""):
            if label != action.draw.label:
                refused(state, CHANCE, type(action)(*[Draw(label, index), *fields(action)[1:]]))


def fields(action):
    return [getattr(action, name) for name in action.__struct_fields__]


def test_a_wrong_first_player_is_refused():
    """TH-3.8: a seat nobody sits on."""
    for state, action in drawn():
        if isinstance(action, DrawFirstPlayer):
            for seat in (-1, len(state.players), 99):
                refused(state, CHANCE, DrawFirstPlayer(action.draw, seat))


def test_a_garden_with_other_cubes_is_refused():
    """TH-5.1: too many, too few, more of a colour than the bag has, fewer than none, a colour missing."""
    for state, action in drawn():
        if not isinstance(action, FillGarden):
            continue
        right = action.result
        bag = dict(zip(COLOURS, state.bag, strict=True))
        for colour, other in itertools.permutations(COLOURS, 2):
            refused(state, CHANCE, FillGarden(action.draw, right | {colour: right[colour] + 1}))
            greedy = right | {colour: bag[colour] + 1}
            refused(state, CHANCE, FillGarden(action.draw, greedy))
            balance = sum(right.values()) - bag[colour] - 1
            rest = dict.fromkeys(COLOURS, 0) | {colour: bag[colour] + 1, other: balance}
            refused(state, CHANCE, FillGarden(action.draw, rest))
            if right[colour]:
                refused(state, CHANCE, FillGarden(action.draw, right | {colour: right[colour] - 1}))
            refused(state, CHANCE, FillGarden(action.draw, {it: n for it, n in right.items() if it != colour}))
        refused(state, CHANCE, FillGarden(action.draw, {}))
        refused(state, CHANCE, FillGarden(action.draw, right | {"greek": 0}))


def test_a_zone_dealt_otherwise_is_refused():
    """TH-3.7: other cubes than the box holds, another ward, a ward left out, ward 14 without its irish cube."""
    for state, action in drawn():
        if not isinstance(action, DealZone):
            continue
        right, zone = action.result, action.zone
        (first, colour), *_ = right.items()
        wrong = [
            {},
            right | {first: "italian"},
            {ward: cube for ward, cube in right.items() if ward != first},
            right | {"12": colour},
            {ward: cube for ward, cube in right.items() if ward != first} | {"12": colour},
            dict.fromkeys(right, colour),
        ]
        if zone == 1:
            other = next(ward for ward, cube in right.items() if cube != "irish")
            wrong.append(right | {"14": right[other], other: "irish"})
        for result in wrong:
            refused(state, CHANCE, DealZone(action.draw, zone, result))
        other = zone % 3 + 1
        refused(state, CHANCE, DealZone(action.draw, other, {str(it): LAYOUT_A[it][2:] for it in ZONES[other]}))


def test_nothing_is_drawn_where_somebody_must_act():
    """TH-5.2, TH-14.3: a draw that is not due is refused, and cannot be made."""
    garden = next(action for _, action in drawn() if isinstance(action, FillGarden))
    for state, _ in itertools.islice(playouts()[0].decisions(every=10), 20):
        refused(state, CHANCE, garden)
        with pytest.raises(ValueError, match="nothing"):
            TAMMANY_HALL.decider.chance(state, None)
    refused(playouts()[0].end, CHANCE, garden, "game-over")


def test_th_14_3_a_position_does_not_know_its_draws():
    """TH-14.3: other dice bring something else out of the same position."""
    for state, action in drawn()[:6]:
        outcomes = {str(TAMMANY_HALL.decider.chance(replace(state), Dice(seed=seed)).result) for seed in range(30)}
        assert len(outcomes) > 1, action
