"""What holds in every game (CH-22), over whole games played at random."""

import itertools

import msgspec
import pytest
from hypothesis import given as for_any
from hypothesis import settings
from hypothesis import strategies as st

from domain.city_hall import CITY_HALL
from domain.city_hall.rules import actions as order
from domain.city_hall.rules.actions import DrawLand, DrawPermits, DrawTurnOrder
from domain.city_hall.rules.state import State
from domain.city_hall.rules.view import document
from domain.engine.game import CHANCE, Draw
from domain.engine.refusals import RuleViolation
from tests.domain.city_hall.playouts import VARIANTS, Move, playout, playouts
from tests.domain.city_hall.scenario import Dice, given, position
from tests.domain.city_hall.words import (
    ACTIVATIONS,
    COUNTS,
    OFFICES,
    PAWNS,
    PERMITS,
    RATINGS,
    SPACES,
    all_permits,
    permits_on,
    star_value,
)

GAMES = range(len(VARIANTS))


def check(state: State) -> None:
    """What must hold of every position."""
    seen = document(state)
    for it in seen["lands"].values():
        assert it["state"] in ("deck", "available", "owned"), "CH-22.1"
        assert (it["owner"] is not None) == (it["state"] == "owned"), "CH-22.1"
        assert it["money"] == 0 or it["state"] == "available", "CH-22.1"
        assert it["permit"] is None or it["state"] == "owned", "CH-22.1"
    if state.board:
        assert all_permits(seen) == COUNTS, "CH-22.2"
    numbers = [it["money"] for it in seen["lands"].values()] + [it["influence"] for it in seen["offices"].values()]
    for it in seen["seats"]:
        numbers += [it["money"], it["influence"], it["hand_count"], *it["hand"].values()]
        assert 1 <= it["approval"] <= 10, "CH-22.5"
        assert 1 <= it["population"] <= 40, "CH-22.5"
    assert min(numbers) >= 0, "CH-22.5"
    assert 1 <= seen["star_token"] <= 10, "CH-22.5"
    permits = permits_on(seen)
    stars = {where: star_value(where, permits) for where in SPACES}
    assert {where: it["stars"] for where, it in seen["lands"].items()} == stars, "CH-22.6"
    for seat, it in enumerate(seen["seats"]):
        owned = [stars[where] or 0 for where, land in seen["lands"].items() if land["owner"] == seat]
        assert it["stars"] == sum(owned), "CH-8.21"


def test_the_games_played_have_everything_in_them():
    """Every kind of fact and of action happened somewhere, so that the laws have something to hold for."""
    assert {type(it) for game in playouts() for it in game.facts} == set(CITY_HALL.decider.events.values())
    lines = {CITY_HALL.notation.write(move.action) for game in playouts() for move in game.moves()}
    for start in ("tax triple", "tax double", "campaign 30", "campaign none", "buy none", "keep", "accept", "bid 0",
                  "health none", "health double", "activate surveyor search", "lobby sell 1 buy 1"):  # fmt: skip
        assert any(line.startswith(start) for line in lines), start
    zones = [line.split() for line in lines if line.startswith("zone")]
    assert any("under" in words and "build" in words and "take" in words for words in zones)
    assert any("under" in words and "take" not in words for words in zones)
    assert any(len(words) == 4 and words[1] == "build" for words in zones)
    assert any(it.approval for game in playouts() for it in game.facts if type(it).__name__ == "PermitBuilt")


@pytest.mark.parametrize("number", GAMES)
def test_ch_22_1_22_2_22_5_and_22_6_hold_after_every_move(number):
    """CH-22.1, CH-22.2, CH-22.5, CH-22.6: spaces, Permits, numbers, and Star Values from scratch."""
    check(playouts()[number].start)
    for move in playouts()[number].moves():
        check(move.after)


@pytest.mark.parametrize("number", GAMES)
def test_ch_22_3_influence(number):
    """CH-22.3: it changes by a search, by keeping, at the Lobbyist, at the start of a round, and not otherwise."""
    for move in playouts()[number].moves():
        before, after = document(move.before), document(move.after)
        expected = 0
        match move.action:
            case order.Activate(search=land) if land:
                expected = -1
            case order.Keep():
                expected = -before["bidding"]["high"]
            case order.Lobby(steps=steps):
                clauses = [clause for step in steps for clause in step.items()]
                expected = RATINGS[before["seats"][move.seat]["approval"] - 1]
                expected += sum(count if verb == "buy" else -count for verb, count in clauses)
        if after["round"] > before["round"] > 0:
            expected += before["players"] + 7 - ACTIVATIONS[before["players"]]
        assert influence(after) - influence(before) == expected, move.action


def influence(seen) -> int:
    return sum(it["influence"] for it in [*seen["seats"], *seen["offices"].values()])


def money(seen) -> int:
    return sum(it["money"] for it in [*seen["seats"], *seen["lands"].values()])


@pytest.mark.parametrize("number", GAMES)
def test_ch_22_4_money(number):
    """CH-22.4: it changes by the draft, by taxes, by campaigns, at the Lobbyist and the Surveyor, and not otherwise."""
    for move in playouts()[number].moves():
        before, after = document(move.before), document(move.after)
        left = sum(it["state"] == "available" for it in after["lands"].values())
        expected = 0
        match move.action:
            case order.Draft():
                expected = 10
            case order.Tax(times=times):
                expected = {"plain": 1, "double": 2, "triple": 3}[times] * income(before, move.seat)
            case order.Campaign(pay=int(pay)):
                expected = -pay
            case order.Lobby(steps=steps):
                clauses = [clause for step in steps for clause in step.items()]
                expected = sum(-10 * count if verb == "buy" else 7 * count for verb, count in clauses)
            case order.Buy(land=land):
                expected = 5 * left - (20 if land else 0)
        assert money(after) - money(before) == expected, move.action


def income(seen, seat) -> int:
    """CH-8.2."""
    built = [it["permit"] for it in seen["lands"].values() if it["owner"] == seat]
    return seen["seats"][seat]["population"] + 3 * built.count("tower") + 7 * built.count("factory")


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_ch_22_7_who_must_act_can_and_every_offer_is_accepted(number):
    """CH-22.7, CH-15.3: written as text it is read as the same action; what comes of it is a sound position."""
    for state, seat in playouts()[number].decisions():
        offer = CITY_HALL.decider.legal_actions(state, seat).actions
        assert offer
        lines = [CITY_HALL.notation.write(action) for action in offer]
        assert len(set(lines)) == len(lines)
        assert CITY_HALL.notation.parse("\n".join(lines), PAWNS[: len(state.players)]) == offer
        for number_, action in enumerate(offer):
            facts = CITY_HALL.decider.decide(state, seat, action)
            if number_ % 9 == 0:
                check(CITY_HALL.decider.fold(state, facts))


def everything(state: State):
    """Every action one could send, sensible or not; at the Zoning Board without an order of the rest."""
    yield from map(order.Draft, SPACES)
    yield from itertools.starmap(order.Build, itertools.product(PERMITS, SPACES, [None, *PERMITS]))
    yield from itertools.starmap(order.Activate, itertools.product(OFFICES, [None, *SPACES]))
    yield from map(order.Bid, range(200))
    yield from [order.Pass(), order.Keep(), order.Buy(None)]
    yield from map(order.Accept, range(4))
    yield from map(order.Buy, SPACES)
    yield from map(order.Tax, ("plain", "double", "triple"))
    yield from map(order.Campaign, (0, 10, 30, "none"))
    yield from map(order.Health, ("none", "plus3", "double"))
    yield order.Zone()
    placements = [order.Placement(permit, land) for permit in PERMITS for land in (*owned(state), "M1", "Q8")]
    takes = [[kind] for kind in PERMITS] + list(map(list, itertools.combinations_with_replacement(PERMITS, 2)))
    yield from map(order.Zone, takes)
    yield from (order.Zone(take, [it]) for take in [[], *takes] for it in placements)
    yield from (order.Zone([], list(two)) for two in itertools.product(placements, repeat=2))


def owned(state: State) -> list[str]:
    """Some spaces of whoever acts."""
    (seat,) = CITY_HALL.decider.awaiting(state)
    return [land for land, it in state.lands.items() if it.owner == seat][:6]


def accepts(state: State, seat: int, action) -> bool:
    try:
        return bool(CITY_HALL.decider.decide(state, seat, action))
    except RuleViolation:
        return False


def key(action) -> str:
    """One word for one choice: what is taken has no order."""
    if isinstance(action, order.Zone):
        action = msgspec.structs.replace(action, take=sorted(action.take))
    return CITY_HALL.notation.write(action)


@pytest.mark.slow
@pytest.mark.parametrize("number", GAMES)
def test_ch_22_7_every_action_accepted_is_offered(number):
    """CH-18.1, CH-14.3: the offer has every choice once, but for the Lobbyist and orders below the deck."""
    for state, seat in playouts()[number].decisions(every=17):
        if state.phase == "resolve" and state.office == "lobbyist":
            continue
        mine = set(owned(state)) | {"M1", "Q8"}
        offer = {key(it) for it in CITY_HALL.decider.legal_actions(state, seat).actions if places(it) <= mine}
        assert {key(it) for it in everything(state) if accepts(state, seat, it)} == offer


def places(action) -> set[str]:
    return {it.land for it in action.build} if isinstance(action, order.Zone) else set()


@pytest.mark.slow
def test_the_offer_says_where_it_is_a_sample():
    """CH-8.7, CH-8.20: at the Lobbyist, where an order below the deck can be chosen, for the very rich; else not."""
    for played in playouts():
        for state, seat in played.decisions(every=3):
            offer = CITY_HALL.decider.legal_actions(state, seat)
            rest = state.phase == "resolve" and state.office in ("lobbyist", "zoning")
            assert offer.complete or rest or len(offer.actions) > 100
    rich = given(position(influence=9000)).when("Ann", "activate tax")
    offer = CITY_HALL.decider.legal_actions(rich.state, 1)
    assert len(offer.actions) <= 1000
    assert not offer.complete
    assert {order.Bid(0), order.Pass()} <= set(offer.actions)


@pytest.mark.parametrize("number", GAMES)
def test_ch_22_8_what_never_goes_down(number):
    """CH-22.8, CH-2.2, CH-2.7: Population, the Star Token; what is owned stays, and what is built."""
    fate = ("deck", "available", "owned")
    for move in playouts()[number].moves():
        before, after = document(move.before), document(move.after)
        assert after["star_token"] >= before["star_token"]
        for was, now in zip(before["seats"], after["seats"], strict=True):
            assert now["population"] >= was["population"]
            taxed = isinstance(move.action, order.Tax) and move.action.times == "triple"
            assert now["approval"] >= was["approval"] - taxed
        for where, was in before["lands"].items():
            now = after["lands"][where]
            assert fate.index(now["state"]) >= fate.index(was["state"])
            if was["state"] == "owned":
                assert now["owner"] == was["owner"]
                assert was["permit"] in (None, now["permit"])


@pytest.mark.parametrize("number", GAMES)
def test_ch_22_8_activations(number):
    """CH-22.8, CH-7.1, CH-11.2: 4, 3, 4 different Offices in a round, all seven in the final one, along the track."""
    played, by_round = playouts()[number], {}
    for move in played.moves():
        if isinstance(move.action, order.Activate):
            seen = document(move.before)
            turn = (move.seat, move.action.office, seen["turn_order"], seen["final"])
            by_round.setdefault(seen["round"], []).append(turn)
    last = max(by_round)
    assert list(by_round) == list(range(1, last + 1))
    for number_, turns in by_round.items():
        seats, offices, orders, final = (list(it) for it in zip(*turns, strict=True))
        assert final == [number_ == last] * len(turns)
        assert len(set(offices)) == len(offices) == (7 if number_ == last else ACTIVATIONS[played.players])
        around = [seat for seat in orders[0] for _ in range(2 if played.players == 2 else 1)]
        assert seats == (around * 7)[: len(seats)]
        assert all(it == orders[0] for it in orders)


@pytest.mark.parametrize("number", GAMES)
def test_ch_6_2_the_final_round_begins_when_somebody_stands_on_10(number):
    """CH-6.2, CH-6.3: the round after, if and only if it is so at its start."""
    moves = list(playouts()[number].moves())
    for move in moves:
        before, after = document(move.before), document(move.after)
        if after["round"] > before["round"] > 0:
            at_10 = 10 in [after["star_token"], *(it["approval"] for it in after["seats"])]
            assert after["final"] == at_10
            assert not before["final"]


@pytest.mark.parametrize("number", GAMES)
def test_ch_8_23_gains_from_scratch(number):
    """CH-8.21 to CH-8.24, CH-11.3: Population grows by rank, and by nothing else."""
    played = playouts()[number]
    for move in played.moves():
        before, after = document(move.before), document(move.after)
        population = [it["population"] for it in before["seats"]]
        totals = [it["stars"] for it in before["seats"]]
        if isinstance(move.action, order.Health):
            bonus = list(totals)
            own = totals[move.seat]
            bonus[move.seat] = {"none": own, "plus3": own + 3, "double": 2 * own}[move.action.bonus]
            population = grown(population, bonus, played.options)
        if after["phase"] == "over":
            population = grown(population, [it["stars"] for it in after["seats"]], played.options)
        assert [it["population"] for it in after["seats"]] == population


def grown(population, totals, options):
    """CH-8.23, CH-8.24 and the variants of it."""
    ranks = [1 + sum(other > total for other in totals) for total in totals]
    if options.get("health-ties") == "next-only":
        ranks, rank = [0] * len(totals), 1
        for total in sorted(set(totals), reverse=True):
            tied = [seat for seat, it in enumerate(totals) if it == total]
            for seat in tied:
                ranks[seat] = rank
            rank += 1 + (len(tied) > 1)
    gains = [(0, 4, 2, 1, 0)[min(rank, 4)] for rank in ranks]
    if options.get("zero-stars") == "ignored":
        gains = [gain if total else 0 for gain, total in zip(gains, totals, strict=True)]
    return [min(40, was + gain) for was, gain in zip(population, gains, strict=True)]


@pytest.mark.parametrize("number", GAMES)
def test_ch_12_1_votes_from_scratch(number):
    """CH-12.1 to CH-12.6: rating × Population, nine Endorsements to the strictly highest, the track for a tie."""
    seen = document(playouts()[number].end)
    seats, result = seen["seats"], seen["result"]
    base = [RATINGS[it["approval"] - 1] * it["population"] for it in seats]

    def owned_in(letter, seat):
        return sum(it["owner"] == seat for where, it in seen["lands"].items() if where[0] == letter)

    def built(kind, seat):
        return sum(it["owner"] == seat and it["permit"] == kind for it in seen["lands"].values())

    players = range(len(seats))
    counts = {"wall-street": [it["money"] for it in seats], "party-machine": [it["influence"] for it in seats]}
    names = zip(("tenants", "commerce", "labor", "parks"), PERMITS, strict=True)
    counts |= {name: [built(kind, seat) for seat in players] for name, kind in names}
    boroughs = ("queens", "brooklyn", "manhattan")
    counts |= {name: [owned_in(name[0].upper(), seat) for seat in players] for name in boroughs}
    awarded = {name: most.index(max(most)) if most.count(max(most)) == 1 else None for name, most in counts.items()}
    votes = [base[seat] + 10 * list(awarded.values()).count(seat) for seat in players]
    mayor = next(seat for seat in seen["turn_order"] if votes[seat] == max(votes))
    assert result == {"base_votes": base, "endorsements": awarded, "votes": votes, "mayor": mayor}
    assert CITY_HALL.decider.result(playouts()[number].end) == {"winners": [mayor], "scores": votes}


@pytest.mark.parametrize("number", GAMES)
def test_every_game_ends(number):
    """CH-12.6: with one Mayor and nobody left to act; CH-15.6 promises it only of players who campaign."""
    played = playouts()[number]
    assert CITY_HALL.decider.awaiting(played.end) == frozenset()
    assert CITY_HALL.decider.proceed(played.end) == []
    assert all(CITY_HALL.decider.result(step.before) is None for step in played.steps)
    for seat in range(played.players):
        assert CITY_HALL.decider.legal_actions(played.end, seat).actions == []
        assert CITY_HALL.presentation.guide(played.end, seat) == []


@pytest.mark.parametrize("number", GAMES)
def test_ch_15_7_the_caretaker_is_always_legal(number):
    """CH-15.7: in every position somebody may be absent."""
    for state, seat in playouts()[number].decisions():
        action = CITY_HALL.decider.caretaker(CITY_HALL.decider.blind(state, seat), seat)
        assert CITY_HALL.decider.decide(state, seat, action)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_of_caretakers_goes_on(players):
    """CH-15.7, CH-15.6: where all are absent the caretakers' campaigns end it."""
    game = given(position(players, star=1))
    ended = game.idle(60)
    assert ended.document["phase"] == "over" or ended.document["round"] == 60
    check(ended.state)


@pytest.mark.parametrize("number", GAMES)
def test_ch_22_9_the_facts_alone_give_the_state(number):
    """CH-22.9: folding all facts over the first state meets every state again; none was changed afterwards."""
    played = playouts()[number]
    state = CITY_HALL.decider.initial(played.players, played.options)
    for step in played.steps:
        assert step.before == state
        for it in step.facts:
            state = CITY_HALL.decider.fold(state, [it])
        assert state == step.after
    assert state == played.end


@pytest.mark.parametrize("number", GAMES)
def test_a_decision_has_one_name(number):
    """CH-18.1: the token of what is asked is another for every decision, and never comes back."""
    tokens = [CITY_HALL.decider.decision(state) for state, _ in playouts()[number].decisions()]
    assert len(set(tokens)) == len(tokens)
    assert all(token.isascii() and 0 < len(token) <= 32 for token in tokens)


@pytest.mark.parametrize("number", GAMES)
def test_ch_1_1_any_action_is_decided_or_refused(number):
    """CH-1.1: nothing but a refusal with a reason comes of an illegal one, in any position, for any seat."""
    actions = [order.Draft("Q1"), order.Build("park", "M1", "park"), order.Activate("tax", "B5"), order.Bid(9999),
               order.Pass(), order.Keep(), order.Accept(1), order.Tax("triple"), order.Campaign(30), order.Buy("Q8"),
               order.Lobby([{"buy": 9999}]), order.Zone(["park"]), order.Health("none"), order.Campaign("none"),
               order.Zone([], [order.Placement("park", "Q1")] * 2, ["park"]), order.Buy(None)]  # fmt: skip
    for state, awaited in playouts()[number].decisions(every=5):
        for seat, action in itertools.product((*range(len(state.players)), 7), actions):
            if accepts(state, seat, action):
                assert seat == awaited
                check(CITY_HALL.decider.fold(state, CITY_HALL.decider.decide(state, seat, action)))


@pytest.mark.slow
@settings(max_examples=5)
@for_any(st.integers(10, 10**6), st.integers(2, 4), st.fixed_dictionaries({}, optional={
    name: st.sampled_from(values) for name, values in CITY_HALL.options.items()}))  # fmt: skip
def test_other_games_end_too(seed, players, options):
    """CH-22.1, CH-22.2, CH-22.5, CH-22.6, CH-12.6: whatever the variants."""
    played = playout(players, options, seed)
    assert CITY_HALL.decider.result(played.end)["winners"]
    for move in itertools.islice(played.moves(), 0, None, 3):
        check(move.after)


# Chance


def drawn():
    """Every draw of the games, with the state that awaited it."""
    return [(step.before, step.action) for game in playouts() for step in game.steps if step.seat == CHANCE]


def refused(state: State, seat: int, action, code: str = "bad-draw") -> None:
    with pytest.raises(RuleViolation) as error:
        CITY_HALL.decider.decide(state, seat, action)
    assert error.value.code == code


def test_ch_15_1_a_draw_is_made_by_chance_alone():
    """CH-15.1: no seat can choose it, and it is made only when it is due."""
    for state, action in drawn():
        for seat in range(len(state.players)):
            refused(state, seat, action, "not-your-turn")
        assert CITY_HALL.decider.awaiting(state) == {CHANCE}
        assert CITY_HALL.decider.proceed(state) == []
        other = {"land": "permits", "permits": "turn-order", "turn-order": "land"}[action.draw.label]
        refused(state, CHANCE, type(action)(Draw(other, action.draw.index), action.result))
    assert {type(action) for _, action in drawn()} == {DrawLand, DrawPermits, DrawTurnOrder}
    for state, seat in playouts()[0].decisions(every=20):
        assert seat != CHANCE
        refused(state, CHANCE, DrawLand(Draw("land", 0), "Q1"))
        with pytest.raises(ValueError, match="nothing"):
            CITY_HALL.decider.chance(state, None)
    refused(playouts()[0].end, CHANCE, DrawLand(Draw("land", 0), "Q1"), "game-over")


def test_ch_15_1_another_result_than_there_can_be_is_refused():
    """CH-15.1, CH-3.7, CH-8.16: a card that is not there; too many, too few; a track without a seat."""
    for state, action in drawn():
        draw, right = action.draw, action.result
        if isinstance(action, DrawLand):
            for land in SPACES:
                if document(state)["lands"][land]["state"] != "deck":
                    refused(state, CHANCE, DrawLand(draw, land))
        elif isinstance(action, DrawTurnOrder):
            for wrong in ([], right[1:], right + right[:1], [right[0]] * len(right), [*right[1:], 3 + len(right)]):
                refused(state, CHANCE, DrawTurnOrder(draw, wrong))
        else:
            for wrong in ([], right[1:], [*right, "housing"], ["park"] * 5):
                refused(state, CHANCE, DrawPermits(draw, wrong))
            if sum(state.unknown) >= len(right) > state.unknown[3]:
                refused(state, CHANCE, DrawPermits(draw, ["park"] * len(right)))


def test_ch_14_3_a_position_does_not_know_its_draws():
    """CH-14.3: other dice bring something else out of the same position."""
    for state, action in drawn()[:8]:
        outcomes = {str(CITY_HALL.decider.chance(state, Dice(seed=seed)).result) for seed in range(30)}
        assert len(outcomes) > 1, action


def test_ch_8_16_below_the_deck_nothing_is_left_to_chance():
    """CH-8.16, CH-8.20: where the cards of known order come up, they come up in that order."""
    start = position(permits="tower park", lands={"B2": "ann"})
    game = given(start).takes("Ann", "zoning", "zone take tower park").idle(2)
    game.takes("Ann", "zoning").see(revealed="", permit_deck=0)
    start = position(permits="housing factory park")
    game = given(start, permits="park housing factory").takes("Ann", "zoning", "zone take housing park").idle(2)
    state = CITY_HALL.decider.fold(game.state, CITY_HALL.decider.decide(game.state, 0, order.Activate("zoning")))
    assert CITY_HALL.decider.awaiting(state) == {CHANCE}
    refused(state, CHANCE, DrawPermits(Draw("permits", 9), ["park"]))
    CITY_HALL.decider.decide(state, CHANCE, DrawPermits(Draw("permits", 9), ["factory"]))


def test_moves_are_whole():
    """Of these tests: a move ends where the next begins."""
    for played in playouts():
        moves: list[Move] = list(played.moves())
        assert all(move.after == following.before for move, following in itertools.pairwise(moves))
        assert moves[-1].after == played.end
