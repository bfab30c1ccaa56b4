"""The state document (CH-18), what it keeps secret (CH-14), and that facts and states survive being stored."""

import json
import random
from functools import cache

import msgspec
import pytest

from domain.city_hall import CITY_HALL
from domain.city_hall.rules import actions as order
from domain.city_hall.rules import events as fact
from domain.city_hall.rules.state import State
from domain.city_hall.rules.view import document
from domain.engine.canonical import check
from domain.engine.game import CHANCE, Event
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.history.codec import owners
from tests.domain.city_hall.playouts import VARIANTS, choose, playouts, spelled_out
from tests.domain.city_hall.scenario import Dice, Record, given, opened, position
from tests.domain.city_hall.words import NAMES, OFFICES, PERMITS, RATINGS, SPACES

pytestmark = pytest.mark.slow  # seconds together

GAMES = range(len(VARIANTS))
HANDS = {"ann": "tower factory", "ben": "park", "cat": "housing"}
LANDS = {"B2": "ann", "B3": "ann tower", "Q1": "$5"}
RICH = {"money": [11, 22, 33], "influence": [7, 8, 9], "hands": HANDS, "lands": LANDS}
LAST = {"final": True, "used": "tax surveyor campaign lobbyist zoning health"}
PHASES = {
    "draft": lambda: opened(3),
    "build": lambda: given(position(phase="build", lands={"Q1": "ann", "Q2": "ben", "Q3": "cat"})),
    "activate": lambda: given(position(**RICH)),
    "bid": lambda: given(position(**RICH)).when("Ann", "activate zoning").when("Ben", "bid 8"),
    "decide": lambda: given(position(**RICH)).when("Ann", "activate tax").when("Ben", "bid 8").when("Cat", "pass"),
    "resolve": lambda: given(position(**RICH)).takes("Ann", "zoning"),
    "over": lambda: given(position(**LAST, **RICH)).takes("Ann", "deputy"),
}
"""A position in each phase, built when a test asks for it."""


@cache
def in_phase(phase: str) -> Record:
    """The position of a phase. Records never change, so one serves every test."""
    return PHASES[phase]()


MEMBERS = """format players round phase active final turn_order schedule turn office controller bidding deputy
    star_token seats offices lands land_deck permit_deck land_deck_count permit_deck_count revealed result"""
SEAT = "name money influence hand hand_count approval rating population stars"


def whole(state: State) -> dict:
    """The document of CH-18.2, put together from what each seat sees of itself; the decks are left out."""
    seen = CITY_HALL.decider.view(state, None)
    for seat in range(seen["players"]):
        seen["seats"][seat] = CITY_HALL.decider.view(state, seat)["seats"][seat]
    return seen


@pytest.mark.parametrize("phase", PHASES)
def test_ch_18_2_members_and_types(phase):
    """CH-18.2, CH-18.3, CH-14.1: these members and no others for a player and for a spectator, of these types."""
    game = in_phase(phase)
    for seen in (game.document, game.view(), *(game.view(name) for name in game.names)):
        assert list(seen) == MEMBERS.split()
        assert (seen["format"], seen["phase"]) == ("city-hall-state/1", phase)
        assert (seen["players"], len(seen["seats"])) == (3, 3)
        assert len(seen["active"]) == (phase != "over")
        assert seen["round"] == (0 if phase in ("draft", "build") else 1)
        assert type(seen["final"]) is bool
        assert sorted(seen["turn_order"]) == [0, 1, 2]
        assert (seen["schedule"] == []) == (seen["round"] == 0)
        assert (seen["office"] is not None) == (phase in ("bid", "decide", "resolve"))
        assert (seen["controller"] is not None) == (phase == "resolve")
        assert (seen["bidding"] is not None) == (phase in ("bid", "decide"))
        assert (seen["result"] is not None) == (phase == "over")
        assert seen["deputy"] in (None, 0, 1, 2)
        assert 1 <= seen["star_token"] <= 10
        for it in seen["seats"]:
            assert list(it) == SEAT.split()
            assert it["hand"] is None or tuple(it["hand"]) == PERMITS
            assert it["rating"] == RATINGS[it["approval"] - 1]
        assert tuple(seen["offices"]) == OFFICES
        assert all(list(it) == ["influence", "staffer"] for it in seen["offices"].values())
        assert tuple(seen["lands"]) == SPACES
        for it in seen["lands"].values():
            assert list(it) == ["state", "money", "owner", "permit", "stars"]
            assert (it["owner"] is not None) == (it["state"] == "owned")
            assert (it["stars"] is not None) == (it["permit"] not in (None, "park"))
        assert json.loads(json.dumps(seen)) == seen
        check(seen)


def test_ch_18_2_what_the_members_say():
    """CH-18.2: bids in the order made, null for a pass; the activators and how many turns are over."""
    seen = in_phase("bid").view("Cat")
    assert seen["bidding"] == {"bids": [[1, 8]], "high": 8, "waiting": [2]}
    assert (seen["office"], seen["active"], seen["turn"], seen["schedule"]) == ("zoning", [2], 0, [0, 1, 2])
    seen = in_phase("decide").view()
    assert seen["bidding"] == {"bids": [[1, 8], [2, None]], "high": 8, "waiting": []}
    seen = in_phase("resolve").view()
    assert (seen["office"], seen["controller"], len(seen["revealed"])) == ("zoning", 0, 3)
    seen = given(position(used="deputy", deputy="ann")).view()
    assert (seen["deputy"], seen["offices"]["deputy"]["staffer"], seen["turn"]) == (0, 0, 1)
    assert seen["lands"]["B3"] == {"state": "deck", "money": 0, "owner": None, "permit": None, "stars": None}
    result = in_phase("over").view()["result"]
    assert list(result) == ["base_votes", "endorsements", "votes", "mayor"]


@pytest.mark.parametrize("number", GAMES)
def test_ch_18_3_a_view_is_the_document_without_what_is_secret(number):
    """CH-18.3, CH-14.2, CH-14.3: null for money, Influence and hands of others and for both decks; nothing else."""
    played = playouts()[number]
    is_open = played.options.get("holdings") == "open"
    for step in played.steps[::3]:
        seen = document(step.before)
        for reader in (None, *range(played.players)):
            expected = json.loads(json.dumps(seen))
            expected |= {"land_deck": None, "permit_deck": None}
            for seat, it in enumerate(expected["seats"]):
                if seat != reader:
                    it |= {"hand": None} if is_open else {"hand": None, "money": None, "influence": None}
            assert CITY_HALL.decider.view(step.before, reader) == expected
        assert {**whole(step.before), "land_deck": seen["land_deck"], "permit_deck": seen["permit_deck"]} == seen
        assert len(seen["land_deck"]) == seen["land_deck_count"]
        assert len(seen["permit_deck"]) == seen["permit_deck_count"]
        assert all(sum(it["hand"].values()) == it["hand_count"] for it in seen["seats"])
    for reader in (None, *range(played.players)):
        assert CITY_HALL.decider.view(played.end, reader) == document(played.end)
        assert CITY_HALL.decider.view(CITY_HALL.decider.blind(played.end, reader), reader) == document(played.end)


def test_ch_14_6_game_over_shows_everything():
    """CH-14.6, CH-18.3: money, Influence, hands, decks, votes."""
    seen = in_phase("over").view()
    assert all(None not in (it["money"], it["influence"], it["hand"]) for it in seen["seats"])
    assert None not in (seen["land_deck"], seen["permit_deck"])
    assert seen["active"] == []
    assert seen == in_phase("over").view("Ann") == document(in_phase("over").state)


@pytest.mark.parametrize("number", GAMES)
def test_ch_18_1_the_states(number):
    """CH-18.1: always in one of seven, one seat must act, with the actions of that state and Office."""
    actions = {
        "draft": (order.Draft,), "build": (order.Build,), "activate": (order.Activate,),
        "bid": (order.Bid, order.Pass), "decide": (order.Keep, order.Accept), "tax": (order.Tax,),
        "campaign": (order.Campaign,), "surveyor": (order.Buy,), "lobbyist": (order.Lobby,),
        "zoning": (order.Zone,), "health": (order.Health,),
    }  # fmt: skip
    for state, seat in playouts()[number].decisions():
        seen = CITY_HALL.decider.view(state, None)
        assert seen["active"] == [seat]
        legal = CITY_HALL.decider.legal_actions(state, seat).actions
        asked = seen["office"] if seen["phase"] == "resolve" else seen["phase"]
        assert all(isinstance(it, actions[asked]) for it in legal)
        asked_seat = {
            "activate": seen["schedule"][seen["turn"]] if seen["schedule"] else None,
            "bid": seen["bidding"]["waiting"][0] if seen["phase"] == "bid" else None,
            "decide": seen["schedule"][seen["turn"]] if seen["schedule"] else None,
            "resolve": seen["controller"],
        }.get(seen["phase"], seat)
        assert asked_seat == seat


def test_ch_18_4_after_the_last_action_of_a_round_comes_the_next():
    """CH-18.4: the document shows it after CH-6.2."""
    game = given(position(used="tax zoning")).takes("Cat", "deputy")
    game.see(round=2, turn=0, active="cat", influence=4, staffers={}, deputy=None, phase="activate")
    game.see(turn_order="cat ann ben", schedule="cat ann ben")


# CH-E34


def second(seed: int, returned: str) -> Record:
    """One of the two games of CH-E34: the decks lie as the seed has it beyond the first eight lands."""
    game = opened(3, seed=seed, lands="Q1 Q2 Q3 Q4 Q5 Q6 Q7 Q8")
    for number in range(6):
        game = game.when(NAMES[number % 3], f"draft Q{number + 1}")
    return game.when("Ann", f"build housing Q1 return {returned}")


def test_ch_e34_views():
    """CH-E34: Ben, Cat and a spectator see the same in both games; Ann does not."""
    one, other = second(1, "tower"), second(2, "factory")
    one.see(money=[20, 25, 30], influence=[3, 3, 4])
    for reader in ("Ben", "Cat", None):
        assert json.dumps(one.view(reader)) == json.dumps(other.view(reader))
    assert one.view("Ann") != other.view("Ann")
    seats = one.view("Ben")["seats"]
    assert [it["money"] for it in seats] == [None, 25, None]
    assert [it["influence"] for it in seats] == [None, 3, None]
    assert [it["hand"] is None for it in seats] == [True, False, True]
    assert [it["hand_count"] for it in seats] == [1, 3, 3]
    assert (one.view("Ben")["land_deck_count"], one.view("Ben")["permit_deck_count"]) == (14, 20)


# CH-14: secrets


def redacted(it: Event, reader: int | None) -> Event:
    """A fact as this reader gets it: what is sealed for others is missing."""
    hidden = {name: None for owner, names in owners(it).items() if owner != reader for name in names}
    return msgspec.structs.replace(it, **hidden) if hidden else it


def test_ch_14_4_the_history_is_public_with_two_exceptions():
    """CH-14.4: the returned Permit and the `under` order are sealed for their player, and nothing else ever is."""
    sealed = {name: dict(kind.SEALED) for name, kind in CITY_HALL.decider.events.items() if kind.SEALED}
    assert sealed == {"permit-returned": {"permit": "seat"}, "zoning-chosen": {"under": "seat"}}


def test_ch_14_4_what_is_public_when_it_happens():
    """CH-14.4, CH-14.5: payments are in what others get of the history, so totals can be reckoned up from it."""
    said = [redacted(it, None) for played in playouts() for it in played.facts]
    kinds = {type(it) for it in said}
    assert kinds == set(CITY_HALL.decider.events.values())
    told = {type(it): msgspec.to_builtins(it).keys() for it in said}
    for kind, members in (
        (fact.LandDrafted, "seat land money"),
        (fact.OfficeActivated, "seat office influence"),
        (fact.LandSearched, "seat land"),
        (fact.BidMade, "seat influence"),
        (fact.BidPassed, "seat"),
        (fact.OfficeKept, "seat influence"),
        (fact.BidAccepted, "seat bidder influence"),
        (fact.TaxesCollected, "seat times income money"),
        (fact.CampaignRun, "seat money"),
        (fact.LandBought, "seat land paid received"),
        (fact.InfluenceLobbied, "seat taken bought sold"),
        (fact.ZoningChosen, "seat taken"),
        (fact.PermitBuilt, "seat permit land"),
        (fact.StarsCounted, "bonus totals gains"),
    ):
        assert set(members.split()) <= told[kind]


@pytest.mark.parametrize("number", GAMES)
def test_ch_14_3_a_reader_without_the_sealed_fields_sees_the_same_game(number):
    """CH-14.3, CH-14.7: the facts as a reader gets them, folded from the start, give the reader's view every time."""
    played = playouts()[number]
    for reader in (None, *range(played.players)):
        state = CITY_HALL.decider.initial(played.players, played.options)
        for step in played.steps:
            state = CITY_HALL.decider.fold(state, [redacted(it, reader) for it in step.facts])
            assert CITY_HALL.decider.view(state, reader) == CITY_HALL.decider.view(step.after, reader)
            assert CITY_HALL.decider.awaiting(state) == CITY_HALL.decider.awaiting(step.after)
            assert CITY_HALL.decider.decision(state) == CITY_HALL.decider.decision(step.after)
            assert CITY_HALL.decider.blind(state, reader) == CITY_HALL.decider.blind(step.after, reader)


@pytest.mark.parametrize("number", GAMES)
def test_ch_14_3_a_blind_state_is_enough_for_its_seat(number):
    """CH-14.3: what a seat sees, may do and is told is found without knowing what it may not."""
    for state, seat in playouts()[number].decisions(every=2):
        for reader in (None, *range(len(state.players))):
            blind = CITY_HALL.decider.blind(state, reader)
            assert CITY_HALL.decider.view(blind, reader) == CITY_HALL.decider.view(state, reader)
            assert CITY_HALL.decider.awaiting(blind) == CITY_HALL.decider.awaiting(state)
            assert CITY_HALL.decider.decision(blind) == CITY_HALL.decider.decision(state)
        blind = CITY_HALL.decider.blind(state, seat)
        assert blind != state
        assert CITY_HALL.decider.legal_actions(blind, seat) == CITY_HALL.decider.legal_actions(state, seat)
        assert CITY_HALL.decider.caretaker(blind, seat) == CITY_HALL.decider.caretaker(state, seat)
        assert CITY_HALL.presentation.guide(blind, seat) == CITY_HALL.presentation.guide(state, seat)


@pytest.mark.parametrize("number", GAMES)
def test_ch_14_3_the_rules_go_on_with_a_blind_state_or_say_nothing(number):
    """CH-14.3: what follows by rule follows from a blind state, too, but for the election."""
    for step in playouts()[number].steps:
        for reader in (None, *range(playouts()[number].players)):
            blind = CITY_HALL.decider.blind(step.before, reader)
            if step.seat is None:
                election = any(isinstance(it, fact.MayorElected) for it in step.facts)
                assert CITY_HALL.decider.proceed(blind) == ([] if election else step.facts)
            else:
                assert CITY_HALL.decider.proceed(blind) == []


def test_ch_14_3_cards_somebody_laid_below_the_deck_are_not_drawn_from_a_blind_state():
    """CH-14.3, CH-8.20: it does not know them; who laid them there does."""
    start = position(permits="housing tower park", lands={"B2": "ann", "B3": "ann"}, hands={"ann": "factory factory"})
    game = given(start).takes("Ann", "zoning", "zone build factory B2 factory B3").idle(2)
    state = CITY_HALL.decider.fold(game.state, CITY_HALL.decider.decide(game.state, 0, order.Activate("zoning")))
    assert CITY_HALL.decider.awaiting(state) == {CHANCE}
    assert CITY_HALL.decider.chance(CITY_HALL.decider.blind(state, 0), Dice()) == CITY_HALL.decider.chance(
        state, Dice()
    )
    for reader in (1, 2, None):
        with pytest.raises(ValueError, match="blind"):
            CITY_HALL.decider.chance(CITY_HALL.decider.blind(state, reader), Dice())


def test_ch_14_3_legal_actions_are_for_who_must_act():
    """CH-14.3: nobody else is offered, guided or helped."""
    for played in playouts():
        for state, awaited in played.decisions(every=11):
            for seat in set(range(played.players)) - {awaited}:
                assert CITY_HALL.decider.legal_actions(state, seat).actions == []
                assert CITY_HALL.presentation.guide(state, seat) == []


def test_ch_14_6_while_a_decision_is_waited_for_nobody_learns_whether_keep_is_possible():
    """CH-14.6: rich or poor, Ann's decision looks the same to Ben."""
    views = {
        json.dumps(given(position(influence={"ann": have})).when("Ann", "activate tax").when("Ben", "bid 3")
                   .when("Cat", "pass").view("Ben"))
        for have in (0, 3, 50)
    }  # fmt: skip
    assert len(views) == 1


TWIN_PLAYERS = [(2, {}), (3, {}), (4, {}), (3, {"zoning-build": "one-or-two", "holdings": "open"})]


@pytest.mark.parametrize("players, options", TWIN_PLAYERS)
@pytest.mark.parametrize("seed", range(2))
def test_ch_14_7_non_interference(players, options, seed):
    """CH-14.7, CH-22.9: two games that differ in Ann's returned Permit and in every order she puts below the deck are
    the same for everybody else, byte for byte, until a card from there comes up; so is what is told of them."""
    chooser, dice, twin_dice = random.Random(seed), Dice(seed=seed), Dice(seed=seed)
    one = twin = CITY_HALL.decider.initial(players, options)
    differences = 0
    names = [name.title() for name in NAMES[:players]]
    while sum(one.unknown) >= 3 or one.round == 0:
        facts, twin_facts = CITY_HALL.decider.proceed(one), CITY_HALL.decider.proceed(twin)
        if not facts:
            (seat,) = CITY_HALL.decider.awaiting(one)
            if seat == CHANCE:
                action, twin_action = CITY_HALL.decider.chance(one, dice), CITY_HALL.decider.chance(twin, twin_dice)
                dice.index, twin_dice.index = dice.index + 1, twin_dice.index + 1
            elif one.phase == "build" and seat == 0 and players > 2:
                land = next(land for land, it in one.lands.items() if it.owner == 0)
                action, twin_action = order.Build("housing", land, "tower"), order.Build("housing", land, "factory")
            else:
                action = twin_action = common(chooser, one, twin, seat)
                if isinstance(action, order.Zone) and seat == 0:
                    action = spelled_out(chooser, one, action)
                    reverse = None if action.under is None else action.under[::-1]
                    twin_action = msgspec.structs.replace(action, under=reverse)
            facts, twin_facts = (
                CITY_HALL.decider.decide(one, seat, action),
                CITY_HALL.decider.decide(twin, seat, twin_action),
            )
        if any(isinstance(it, fact.MayorElected) for it in facts):
            break
        differences += facts != twin_facts
        assert [redacted(it, 1) for it in facts] == [redacted(it, 1) for it in twin_facts]
        for it, twin_it in zip(facts, twin_facts, strict=True):
            assert CITY_HALL.presentation.tell(redacted(it, 1), names) == CITY_HALL.presentation.tell(
                redacted(twin_it, 1), names
            )
        one, twin = CITY_HALL.decider.fold(one, facts), CITY_HALL.decider.fold(twin, twin_facts)
        for reader in (None, *range(1, players)):
            seen, twin_seen = CITY_HALL.decider.view(one, reader), CITY_HALL.decider.view(twin, reader)
            assert json.dumps(seen) == json.dumps(twin_seen)
            assert CITY_HALL.presentation.board(seen) == CITY_HALL.presentation.board(twin_seen)
            blind, twin_blind = CITY_HALL.decider.blind(one, reader), CITY_HALL.decider.blind(twin, reader)
            assert msgspec.json.encode(blind) == msgspec.json.encode(twin_blind)
    assert differences
    assert one != twin


def common(chooser: random.Random, one: State, twin: State, seat: int):
    """An action at random that both twins offer; where the seat is not Ann's they offer the same."""
    offered = CITY_HALL.decider.legal_actions(one, seat).actions
    twin_offered = CITY_HALL.decider.legal_actions(twin, seat).actions
    assert seat == 0 or offered == twin_offered
    for _ in range(200):
        action = choose(chooser, one, seat)
        plain = msgspec.structs.replace(action, under=None) if isinstance(action, order.Zone) else action
        if plain in twin_offered or isinstance(action, order.Lobby):
            return action if seat else plain
    return next(it for it in offered if it in twin_offered)


@pytest.mark.parametrize(
    "name, line",
    [("Ben", "zone take park park"), ("Cat", "bid 1"), ("Ben", "keep"), ("Cat", "bid x"), ("Cat", "activate tax")],
)
def test_ch_14_3_a_refusal_tells_nothing_of_others(name, line):
    """CH-14.3: it is the same whatever the others hold."""
    texts = set()
    for have in (1, 2, 40):
        game = given(position(influence={"ann": have}, money={"ann": have})).when("Ann", "activate tax")
        with pytest.raises((RuleViolation, OrderNotUnderstood)) as refused:
            game.decided(name, line)
        texts.add((refused.value.code, refused.value.rule, refused.value.message))
    assert len(texts) == 1


def test_ch_14_3_the_bottom_of_the_deck_is_known_to_who_laid_it():
    """CH-14.3: to nobody else, and to that player only at the time in any document; the view shows counts."""
    game = second(1, "tower")
    assert game.state.bottom[0].permit == "tower"
    assert CITY_HALL.decider.blind(game.state, 0).bottom[0].permit == "tower"
    for reader in (1, 2, None):
        assert CITY_HALL.decider.blind(game.state, reader).bottom[0].permit is None
    assert game.view("Ann")["permit_deck"] is None


def test_a_view_is_the_readers_own():
    """Whoever changes a view changes nothing else."""
    game = in_phase("bid")
    before = json.dumps(game.view("Ann"))
    seen = game.view("Ann")
    seen["lands"]["Q1"]["money"] = 99
    seen["seats"][0]["hand"]["park"] = 99
    seen["bidding"]["bids"][0][1] = 99
    for name in ("active", "turn_order", "schedule", "revealed"):
        seen[name].append(9)
    seen["bidding"]["waiting"].clear()
    seen["offices"].clear()
    assert json.dumps(game.view("Ann")) == before


# Storage


def test_every_fact_has_a_handler_and_a_name():
    """One handler for each, and a stored name that says what happened."""
    assert set(CITY_HALL.decider.evolve) == set(CITY_HALL.decider.events.values())
    for name, kind in CITY_HALL.decider.events.items():
        assert name == "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


@pytest.mark.parametrize("codec", [msgspec.json, msgspec.msgpack], ids=["json", "msgpack"])
def test_every_fact_survives_being_stored(codec):
    """All facts of whole games, whole and without what is sealed; strings, whole numbers, no floats."""
    for played in playouts():
        for it in played.facts:
            for version in (it, redacted(it, None)):
                assert codec.decode(codec.encode(version), type=type(it)) == version
                check(msgspec.to_builtins(version))


@pytest.mark.parametrize("codec", [msgspec.json, msgspec.msgpack], ids=["json", "msgpack"])
def test_every_state_survives_being_stored(codec):
    """And goes on from there: the facts after it fold over it as over the original."""
    decoder = codec.Decoder(CITY_HALL.decider.state)
    for played in playouts():
        for step in played.steps[::2]:
            restored = decoder.decode(codec.encode(step.before))
            assert restored == step.before
            assert CITY_HALL.decider.fold(restored, step.facts) == step.after


@pytest.mark.parametrize("codec", [msgspec.json, msgspec.msgpack], ids=["json", "msgpack"])
def test_every_action_survives_being_stored(codec):
    """Those of players as one tagged union; an unknown member or tag is refused."""
    union = CITY_HALL.decider.actions[0]
    for kind in CITY_HALL.decider.actions[1:]:
        union = union | kind
    decoder = codec.Decoder(msgspec.defstruct("Orders", [("orders", list[union])]))
    actions = [step.action for played in playouts() for step in played.steps if isinstance(step.action, union)]
    assert decoder.decode(codec.encode({"orders": actions})).orders == actions
    assert {type(it) for it in actions} == set(CITY_HALL.decider.actions)
    for wrong in (
        {"type": "surrender"}, {"type": "pass", "seat": 1}, {"type": "draft", "land": "M6"}, {"type": "bid"},
        {"type": "campaign", "pay": 20}, {"type": "tax", "times": "half"}, {"type": "zone", "take": ["a", "b"]},
        {"type": "lobby", "steps": [{"buy": 0}]}, {"type": "lobby", "steps": [{"steal": 1}]}, {"type": "health"},
    ):  # fmt: skip
        with pytest.raises(msgspec.ValidationError):
            decoder.decode(codec.encode({"orders": [wrong]}))
