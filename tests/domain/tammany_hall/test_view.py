"""The public summary (TH-16.3), what it keeps secret (TH-14), and that facts and states survive being stored."""

import json
from functools import cache

import msgspec
import pytest

from domain.engine.canonical import check
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules.events import BidSealed
from tests.domain.tammany_hall.playouts import playouts
from tests.domain.tammany_hall.scenario import Record, given, position
from tests.domain.tammany_hall.words import COLOURS, ELECTION_ORDER, PAWNS

WARDS = {6: "1 irish 1 english | red 2 yellow 3"}
CHIPS = {"red": "2 irish 2 english", "yellow": "2 english 3 italian"}
PHASES = {
    "turn": lambda: given(
        position(3, year=5, turn="red", offices={"red": "police", "black": "mayor"}, slandered="yellow")
    ),
    "bid": lambda: given(position(3, year=4, phase="election", wards=WARDS, chips=CHIPS)),
    "bonus": lambda: given(position(4, year=8, phase="election", wards={2: "... | yellow 1", 3: "... | locked"})),
    "assign": lambda: given(position(5, year=4, phase="election", wards={6: "... | yellow 1"})),
    "over": lambda: given(position(3, year=16, phase="election", wards={6: "... | yellow 1"})),
}
"""A position in each phase, built when a test asks for it."""


@cache
def in_phase(phase: str) -> Record:
    """The position of a phase. Records never change, so one serves every test."""
    return PHASES[phase]()


MEMBERS = """players year term phase active first mayor ward turn locks_left wards seats leaders garden bag chip_supply
    boxes winners"""
BESIDES = "bidding bonus assignment scoring"
"""What this program says besides: the announcement of TH-9.5, what is chosen between, the final lines (TH-14.1)."""


def is_table(value) -> bool:
    return tuple(value) == COLOURS and all(type(count) is int and count >= 0 for count in value.values())


@pytest.mark.parametrize("phase", PHASES)
def test_th_16_3_members_and_types(phase):
    """TH-16.3: the members of the summary, no fewer, and of the types listed."""
    game = in_phase(phase)
    view, seats = game.view, range(len(game.state.players))
    assert view.keys() == {*MEMBERS.split(), *BESIDES.split()}
    assert view["phase"] == phase
    assert all(type(view[name]) is int for name in ("players", "year", "term", "locks_left"))
    assert view["players"] == len(view["seats"])
    assert all(seat in seats for seat in view["active"])
    assert view["active"] == sorted(view["active"])
    assert view["first"] in seats
    assert view["mayor"] in (None, *seats)
    assert view["ward"] in (None, *ELECTION_ORDER)
    assert [*map(int, view["wards"])] == list(ELECTION_ORDER)
    for ward in view["wards"].values():
        assert ward.keys() == {"zone", "active", "cubes", "bosses", "locked"}
        assert ward["zone"] in (1, 2, 3)
        assert is_table(ward["cubes"])
        assert ward["active"] is any(ward["cubes"].values())
        assert len(ward["bosses"]) == view["players"]
        assert type(ward["locked"]) is bool
    for seat in view["seats"]:
        assert seat.keys() == {"name", "pawn", "chips", "slander", "slandered", "vp", "office", "bosses_left"}
        assert is_table(seat["chips"])
        assert all(type(seat[name]) is int for name in ("slander", "vp", "bosses_left"))
        assert type(seat["slandered"]) is bool
        assert seat["office"] in (None, "mayor", "deputy", "council", "police", "precinct")
    assert [seat["pawn"] for seat in view["seats"]] == list(PAWNS[: view["players"]])
    assert tuple(view["leaders"]) == COLOURS
    assert all(leading == sorted(leading) for leading in view["leaders"].values())
    assert all(is_table(view[name]) for name in ("garden", "bag", "chip_supply"))
    assert list(view["boxes"]) == ["1", "2", "3"]
    assert all(map(is_table, view["boxes"].values()))
    assert json.loads(json.dumps(view)) == view


def test_th_16_3_in_a_turn():
    """TH-16.3: whose turn it is and what is done in it; nothing of an election."""
    game = in_phase("turn").see(active="red", ward=None, winners="", mayor="black", first="red")
    game.see(turn={"seat": 0, "placed": False, "office_used": False}, slandered={"red": False, "yellow": True})
    game.when("red", "place 1 1").see(turn={"seat": 0, "placed": True, "office_used": False})
    game.see(office={"red": "police", "yellow": None, "black": "mayor"}, inactive={17, 11, 13, 10})


def test_th_16_3_and_th_14_1_while_bids_are_awaited():
    """TH-16.3, TH-14.1: the ward, who still owes a bid, and the announcement of TH-9.5."""
    game = in_phase("bid").see(active="red yellow", ward=6, turn=None)
    red = {"seat": 0, "bosses": 2, "usable": dict(zip(COLOURS, (2, 2, 0, 0), strict=True))}
    yellow = {"seat": 1, "bosses": 3, "usable": dict(zip(COLOURS, (0, 2, 0, 0), strict=True))}
    asked = {"ward": 6, "candidates": [red, yellow], "owes": [0, 1], "handed_in": [], "own": None}
    game.see(bidding=asked, bonus=None, assignment=None)
    game = game.when("red", "bid irish 1").see(active="yellow", bidding=asked | {"owes": [1], "handed_in": [0]})
    own = TAMMANY_HALL.decider.view(game.state, 0)["bidding"]["own"]
    assert own == dict(zip(COLOURS, (1, 0, 0, 0), strict=True))


def test_th_16_3_while_a_bonus_is_awaited():
    """TH-16.3, TH-14.1: who has to choose, between what."""
    in_phase("bonus").see(
        active="yellow", ward=2, turn=None, bonus={"ward": 2, "kind": "cube", "seat": 1}, locks_left=1
    )
    chip = given(position(4, year=8, phase="election", wards={7: "... | black 1"}))
    chip.see(active="black", bonus={"ward": 7, "kind": "favor", "seat": 2}, bidding=None, assignment=None)


def test_th_16_3_while_the_mayor_is_asked():
    """TH-16.3: the ward elections are over; the leaders are known."""
    game = in_phase("assign").see(active="yellow", ward=None, turn=None, mayor="yellow", leaders={"irish": "yellow"})
    game.see(assignment={"mayor": 1, "others": [0, 2, 3, 4]}, bidding=None, bonus=None)


def test_th_16_3_and_th_14_1_when_the_game_is_over():
    """TH-16.3, TH-14.1: the winners, and the final scores line by line."""
    game = in_phase("over").see(active="", ward=None, turn=None, winners="yellow", year=16, term=4)
    lines = game.view["scoring"]
    assert {"seat": 1, "for": "elections", "vp": 4} in lines
    for seat, summary in enumerate(game.view["seats"]):
        assert sum(line["vp"] for line in lines if line["seat"] == seat) == summary["vp"]
    assert all(in_phase(phase).view["scoring"] == [] for phase in PHASES if phase != "over")


def test_th_16_1_who_has_to_move():
    """TH-16.1: one seat, every seat that owes a bid, the winner, the mayor, nobody."""
    asked = {phase: TAMMANY_HALL.decider.awaiting(in_phase(phase).state) for phase in PHASES}
    assert asked == {"turn": {0}, "bid": {0, 1}, "bonus": {1}, "assign": {1}, "over": set()}


def test_th_16_1_the_game_is_always_in_one_of_five_states():
    """TH-16.1, TH-16.2: in whole games, whenever a seat must act; and in a turn until it is ended."""
    for played in playouts():
        for state, seat in played.decisions():
            view = TAMMANY_HALL.decider.view(state, None)
            assert view["phase"] in PHASES
            assert seat in view["active"]
            assert (view["turn"] is not None) == (view["phase"] == "turn")
            assert (view["ward"] is not None) == (view["phase"] in ("bid", "bonus"))
        for step in played.steps:
            if step.before.phase == "turn":
                ended = type(step.action).__name__ == "End"
                assert (TAMMANY_HALL.decider.awaiting(step.after) == {step.seat}) is not ended


# TH-14


def sealed_pair():
    """One position reached by different bids of red."""
    return [in_phase("bid").when("red", line).state for line in ("bid irish 2 english 1", "bid none")]


def test_th_14_1_a_sealed_bid_changes_nothing_for_others():
    """TH-14.1, TH-14.2: neither the view, nor what is offered, nor the blind state, for a rival or a spectator."""
    one, other = sealed_pair()
    assert one != other
    for reader in (1, 2, None):
        assert TAMMANY_HALL.decider.view(one, reader) == TAMMANY_HALL.decider.view(other, reader)
        assert TAMMANY_HALL.decider.blind(one, reader) == TAMMANY_HALL.decider.blind(other, reader)
        assert msgspec.json.encode(TAMMANY_HALL.decider.blind(one, reader)) == msgspec.json.encode(
            TAMMANY_HALL.decider.blind(other, reader)
        )
    assert TAMMANY_HALL.presentation.board(TAMMANY_HALL.decider.view(one, 1)) == TAMMANY_HALL.presentation.board(
        TAMMANY_HALL.decider.view(other, 1)
    )
    assert TAMMANY_HALL.decider.decision(one) == TAMMANY_HALL.decider.decision(other)
    assert TAMMANY_HALL.decider.awaiting(one) == TAMMANY_HALL.decider.awaiting(other)


def test_th_14_1_the_bidder_sees_the_own_bid():
    """TH-14.1: from everybody but its bidder."""
    one, other = sealed_pair()
    assert TAMMANY_HALL.decider.view(one, 0) != TAMMANY_HALL.decider.view(other, 0)
    assert TAMMANY_HALL.decider.blind(one, 0).bids == {0: [2, 1, 0, 0]}
    assert TAMMANY_HALL.decider.blind(one, 1).bids == {0: None}
    assert one.bids == {0: [2, 1, 0, 0]}, "blind gives a copy"


@pytest.mark.parametrize(
    "pawn, line",
    [
        ("yellow", "bid irish 1"),
        ("yellow", "bid english 3"),
        ("yellow", "bid ward 14 none"),
        ("yellow", "bid greek 1"),
        ("yellow", "place 1 1"),
        ("black", "bid none"),
        ("black", "end"),
    ],
)
def test_th_14_2_a_refusal_tells_nothing_secret(pawn, line):
    """TH-14.2: it is the same whatever the others have bid."""
    texts = set()
    for state in sealed_pair():
        with pytest.raises((RuleViolation, OrderNotUnderstood)) as refused:
            given(state).decided(pawn, line)
        texts.add((refused.value.code, refused.value.rule, refused.value.message))
    assert len(texts) == 1


def test_th_14_1_the_bag_is_public_and_its_order_is_not_kept():
    """TH-14.1: how many cubes of each colour, and no more: there is no order to know."""
    state = given(TAMMANY_HALL.decider.initial(3, {})).state
    assert TAMMANY_HALL.decider.view(state, None)["bag"] == dict(zip(COLOURS, state.bag, strict=True))
    assert TAMMANY_HALL.decider.view(state, 0) == TAMMANY_HALL.decider.view(state, None)


def test_th_14_1_only_bids_are_ever_kept_from_anybody():
    """TH-14.1, TH-14.2: in whole games every seat sees what a spectator sees, the own bid apart."""
    for played in playouts():
        for state, _ in played.decisions(every=11):
            public = TAMMANY_HALL.decider.view(state, None)
            for seat in range(played.players):
                seen = TAMMANY_HALL.decider.view(state, seat)
                if seen["bidding"]:
                    seen["bidding"]["own"] = None
                assert seen == public
    sealed = {name: kind.SEALED for name, kind in TAMMANY_HALL.decider.events.items() if kind.SEALED}
    assert sealed == {"bid-sealed": {"chips": "seat"}}
    assert [name for name, kind in TAMMANY_HALL.decider.events.items() if kind.OPENS] == ["bids-revealed"]


def test_a_view_is_the_readers_own():
    """Whoever changes a view changes nothing else."""
    game = in_phase("bid")
    before = json.dumps(game.view)
    view = game.view
    view["wards"]["6"]["bosses"][0] = 99
    view["seats"][0]["chips"]["irish"] = 99
    view["active"].append(9)
    view["leaders"]["irish"].append(9)
    view["garden"].clear()
    assert json.dumps(game.view) == before


# Storage


def test_every_fact_has_a_handler_and_a_name():
    """One handler for each, and a stored name that says what happened."""
    assert set(TAMMANY_HALL.decider.evolve) == set(TAMMANY_HALL.decider.events.values())
    for name, kind in TAMMANY_HALL.decider.events.items():
        assert name == "".join(f"-{c.lower()}" if c.isupper() else c for c in kind.__name__).lstrip("-")


@pytest.mark.parametrize("codec", [msgspec.json, msgspec.msgpack], ids=["json", "msgpack"])
def test_every_fact_survives_being_stored(codec):
    """All facts of whole games, byte by byte the same again."""
    for played in playouts():
        for fact in played.facts:
            stored = codec.encode(fact)
            assert codec.decode(stored, type=type(fact)) == fact
    assert codec.decode(codec.encode(BidSealed(0, 6)), type=BidSealed) == BidSealed(0, 6, None)


@pytest.mark.slow
@pytest.mark.parametrize("codec", [msgspec.json, msgspec.msgpack], ids=["json", "msgpack"])
def test_every_state_survives_being_stored(codec):
    """And goes on from there: the facts after it fold over it as over the original."""
    decoder = codec.Decoder(TAMMANY_HALL.decider.state)
    for played in playouts():
        for step in played.steps:
            restored = decoder.decode(codec.encode(step.before))
            assert restored == step.before
            assert TAMMANY_HALL.decider.fold(restored, step.facts) == step.after


@pytest.mark.parametrize("codec", [msgspec.json, msgspec.msgpack], ids=["json", "msgpack"])
def test_every_action_survives_being_stored(codec):
    """Those of players as one tagged union; an unknown member or tag is refused."""
    union = codec.Decoder(msgspec.defstruct("Orders", [("orders", list[_union()])]))
    actions = [step.action for played in playouts() for step in played.steps if isinstance(step.action, _union())]
    assert union.decode(codec.encode({"orders": actions})).orders == actions
    for wrong in ({"type": "surrender"}, {"type": "end", "seat": 1}, {"type": "place", "wards": [12]}):
        with pytest.raises(msgspec.ValidationError):
            union.decode(codec.encode({"orders": [wrong]}))


def _union():
    first, *rest = TAMMANY_HALL.decider.actions
    union = first
    for kind in rest:
        union = union | kind
    return union


def test_facts_hold_what_json_holds_for_everybody():
    """Strings as keys, whole numbers, no floats: the canonical form is the same for every reader."""
    for played in playouts():
        for fact in played.facts:
            check(msgspec.to_builtins(fact))
