"""The table as game records: seats, start, orders, the clock's verdicts, the end, and the laws of every history."""

import random
from collections import Counter
from dataclasses import replace

import msgspec
import pytest

from domain.engine.draws import Dice, commitment, draw_key
from domain.engine.refusals import RuleViolation
from domain.history.codec import history, unseal
from domain.rulesets import RULESETS
from domain.table import events as e
from domain.table.evolve import HANDLERS, blind, copy, fold
from domain.table.play import play
from domain.table.record import Record
from domain.table.seating import NONCE, Nonce, sit
from domain.table.state import Table
from domain.tammany_hall import TAMMANY_HALL
from tests.domain.table.gamebook import (
    CARETAKER,
    CLOCK_POLICY,
    SEED,
    Game,
    begin,
    blind_tables,
    finished,
    nonce,
    play_out,
)
from tests.domain.table.pennies import (
    PENNIES,
    Draw,
    HandsOpened,
    Nodded,
    PennyHidden,
    PotDrawn,
    PotTaken,
    RoundEnded,
)

pytestmark = pytest.mark.usefixtures("pennies")
EVERY_GAME = [PENNIES, *RULESETS.values()]
by_kind = pytest.mark.parametrize("rules", EVERY_GAME, ids=lambda rules: rules.kind)


def pots(*players, count=3):
    """The first pots of a game with these sitters, drawn as DESIGN 4 says."""
    key = draw_key(SEED, [nonce(player).text for player in players])
    return [Dice(key, index).below("pot", 6) for index in range(count)]


# Opening


def test_opening_fixes_the_terms_and_commits_to_the_seed():
    game = Game(PENNIES).open("ann", seats=4, options={"mood": "wild"}, public=False)
    game.then(
        e.GameOpened(
            ruleset="pennies",
            seats=4,
            options={"rounds": "2", "mood": "wild"},
            clock=CLOCK_POLICY,
            public=False,
            host="ann",
            seed_commitment=commitment(SEED),
            seed=SEED.hex(),
        )
    )
    game.see(status="open", host="ann", public=False, version=1, game=None, seed=SEED.hex())
    assert [chair.taken for chair in game.table.chairs] == [False] * 4
    assert game.facts[0].actor == {"host": "ann"}


@pytest.mark.parametrize("seats", [-1, 0, 1, 6, 10**9])
def test_a_table_has_as_many_seats_as_the_rules_allow(seats):
    Game(PENNIES).refused("bad-seats", lambda game: game.open(seats=seats))


@pytest.mark.parametrize(
    "options, code",
    [
        ({"colour": "red"}, "unknown-option"),
        ({"rounds": "4"}, "bad-option"),
        ({"rounds": ""}, "bad-option"),
        ({"rounds": "2", "mood": "Calm"}, "bad-option"),
    ],
)
def test_an_option_the_rules_do_not_know_is_refused(options, code):
    Game(PENNIES).refused(code, lambda game: game.open(options=options))


@by_kind
def test_every_option_of_a_ruleset_opens_a_table(rules):
    for name, values in rules.options.items():
        for value in values:
            game = Game(rules).open(seats=rules.seats[0], options={name: value})
            usual = {one: some[0] for one, some in rules.options.items() if one not in rules.later_options}
            unsaid = name in rules.later_options and value == values[0]
            assert game.table.options == usual | ({} if unsaid else {name: value})


# Sitting down


def test_players_take_the_first_free_seat_and_bring_their_nonces():
    game = Game(PENNIES).open(seats=3).sit("ann")
    game.then(e.SeatTaken(0, "ann", "ann-------------", "player"))
    assert game.last[0].actor == {"seat": 0}
    game.sit("bob", by_player=False).then(e.SeatTaken(1, "bob", "bob-------------", "server"))


def test_a_player_sits_once():
    Game(PENNIES).open().sit("ann").refused("already-seated", lambda game: game.sit("ann"))


@pytest.mark.parametrize(
    "text", ["", "a" * 15, "a" * 65, "a" * 16 + "\n", "my name is anna!", "ä" * 16, "a" * 15 + " ", "а" * 16]
)
def test_q5_a_nonce_is_no_free_text(text):
    game = Game(PENNIES).open()
    game.refused("bad-nonce", lambda it: it.step(sit, "ann", Nonce(text, by_player=True)))


@pytest.mark.parametrize("text", ["a" * 16, "Z" * 64, "0123456789-_abcDEF"])
def test_q5_a_nonce_of_letters_and_digits_is_taken(text):
    assert Game(PENNIES).open().step(sit, "ann", Nonce(text, by_player=True)).table.chairs[0].nonce == text
    assert NONCE.fullmatch(text)


def test_bots_fill_the_last_seats_and_bring_a_nonce_of_the_server():
    game = Game(PENNIES).open(seats=4).sit("ann").sit_bot()
    game.then(e.SeatTaken(3, None, "b" * 32, "server", CARETAKER))
    assert game.last[0].actor == {"host": "ann"}
    game = game.sit_bot()
    assert [(chair.player, chair.bot) for chair in game.table.chairs] == [
        ("ann", None),
        (None, None),
        (None, CARETAKER),
        (None, CARETAKER),
    ]


def test_there_are_no_more_bots_than_free_seats():
    Game(PENNIES).open(seats=2).sit("ann").sit_bot().refused("table-full", lambda game: game.sit_bot())


def test_the_table_starts_when_it_is_full():
    game = Game(PENNIES).open(seats=2).sit("ann").see(status="open").sit("bob")
    game.recorded("SeatTaken", "GameStarted", "PotDrawn").see(status="running", draws=1)
    assert game.last[1].event == e.GameStarted([0, 1])
    assert game.last[2].actor == {"chance": 0}


def test_the_table_starts_too_when_a_bot_fills_it():
    game = Game(PENNIES).open(seats=2).sit("ann").sit_bot()
    game.recorded("SeatTaken", "GameStarted", "PotDrawn", "PennyHidden").see(status="running")


def test_the_host_starts_with_fewer_seats_and_the_empty_ones_are_put_away():
    game = Game(PENNIES).open(seats=5).sit("ann", "bob", "cyd").leave("bob").sit_bot().start("ann")
    game.recorded("GameStarted", "PotDrawn", "PennyHidden")
    assert game.last[0] == type(game.last[0])({"host": "ann"}, e.GameStarted([0, 2, 4]))
    assert [chair.player for chair in game.table.chairs] == ["ann", "cyd", None]
    assert game.table.game.seats == 3
    key = draw_key(SEED, [nonce("ann").text, nonce("cyd").text, "b" * 32])
    assert game.last[1].event == PotDrawn(Draw("pot", 0), Dice(key, 0).below("pot", 6)), "empty seats add no nonce"


def test_only_the_host_starts():
    Game(PENNIES).open(seats=5).sit("ann", "bob").refused("not-host", lambda game: game.start("bob"))


def test_a_game_does_not_start_with_too_few():
    game = Game(PENNIES).open(seats=5).sit("ann")
    game.refused("too-few-players", lambda it: it.start("ann"))


# Standing up


def test_a_seat_is_free_again_when_its_player_leaves():
    game = Game(PENNIES).open(seats=4).sit("ann", "bob", "cyd").leave("bob")
    game.then(e.SeatLeft(1, "ann")).see(status="open", host="ann")
    game.sit("dan").then(e.SeatTaken(1, "dan", nonce("dan").text, "player"))


def test_a_host_who_leaves_passes_the_table_on():
    game = Game(PENNIES).open(seats=4).sit("ann", "bob", "cyd").leave("ann").then(e.SeatLeft(0, "bob"))
    game.refused("not-host", lambda it: it.start("cyd")).start("bob").see(status="running")


def test_the_last_player_to_leave_closes_the_table_and_the_seed_is_revealed():
    game = Game(PENNIES).open(seats=4).sit("ann", "bob").sit_bot().leave("ann").leave("bob")
    game.then(e.SeatLeft(1, "bob"), e.GameAbandoned("closed"), e.SeedRevealed(SEED.hex()))
    game.see(status="abandoned", seed=SEED.hex())
    game.refused("game-over", lambda it: it.sit("dan"))
    game.refused("already-started", lambda it: it.start("bob"))


def test_who_does_not_sit_cannot_leave():
    Game(PENNIES).open().sit("ann").refused("not-seated", lambda game: game.leave("bob"))


def test_nobody_leaves_or_starts_or_sits_once_the_game_has_begun():
    game = begin()
    game.refused("already-started", lambda it: it.leave("ann"))
    game.refused("already-started", lambda it: it.start("ann"))
    game.refused("already-seated", lambda it: it.sit("ann"))
    game.refused("table-full", lambda it: it.sit("dan"))


# Playing


def test_a_game_is_played_and_recorded_to_its_end():
    first, second, _ = pots("ann", "bob")
    game = begin("ann", "bob").then(
        e.SeatTaken(1, "bob", nonce("bob").text, "player"),
        e.GameStarted([0, 1]),
        PotDrawn(Draw("pot", 0), first),
    )
    game = game.move(0, "hide 2 softly").then(PennyHidden(0, 2, "softly"))
    game = game.move(1, "hide 1").then(PennyHidden(1, 1, ""), HandsOpened({"0": 2, "1": 1}, 0))
    game = game.move(0, "nod", "take").then(
        Nodded(0), PotTaken(0, first), RoundEnded(2), PotDrawn(Draw("pot", 1), second)
    )
    assert [fact.actor for fact in game.last] == [{"seat": 0}] * 3 + [{"chance": 1}]
    assert [fact.text for fact in game.last] == ["nod", "take", "", ""]
    game = game.move(0, "hide 0").move(1, "hide 3").move(1, "take")
    scores = [first, second]
    game.then(
        PotTaken(1, second),
        RoundEnded(None),
        e.GameFinished([seat for seat in (0, 1) if scores[seat] == max(scores)], scores),
        e.SeedRevealed(SEED.hex()),
    ).see(status="finished", seed=SEED.hex(), draws=2)


def test_nobody_plays_before_the_start():
    Game(PENNIES).open().sit("ann").refused("not-started", lambda game: game.move(0, "nod"))
    Game(PENNIES).open().sit("ann").refused("not-started", lambda game: game.expire(0))


def test_nobody_plays_after_the_end():
    game = finished().see(status="finished")
    game.refused("game-over", lambda it: it.move(0, "hide 1"))
    game.refused("game-over", lambda it: it.expire(0))
    game.refused("game-over", lambda it: it.sit("dan"))


def test_a_list_of_orders_is_played_whole_or_not_at_all():
    game = begin("ann", "bob").move(0, "hide 2").move(1, "hide 1")
    game.refused("wrong-phase", lambda it: it.move(0, "nod", "nod", "hide 1"))
    game.see(version=game.table.version)
    assert game.table.game.nods == 0


def test_t66_a_list_of_orders_stops_before_chance():
    game = begin("ann", "bob").move(0, "hide 2").move(1, "hide 1")
    for more in ("hide 0", "hide 3", "nod", "take"):
        game.refused("wrong-phase", lambda it, more=more: it.move(0, "take", more))


def test_t66_a_list_of_orders_stops_before_an_opening():
    game = begin("ann", "bob").move(0, "hide 2")
    for more in ("hide 0", "take", "nod"):
        game.refused("wrong-phase", lambda it, more=more: it.move(1, "hide 3", more))


def test_t66_a_refusal_after_the_unforeseeable_is_the_same_whatever_lies_ahead():
    refusals = set()
    for hidden in range(4):
        game = begin("ann", "bob").move(0, f"hide {hidden}")
        with pytest.raises(RuleViolation) as refused:
            game.move(1, "hide 1", "take")
        refusals.add((refused.value.code, refused.value.rule, refused.value.message))
    assert len(refusals) == 1


def test_s06_a_rehearsal_on_a_blind_table_draws_nothing_and_opens_nothing():
    game = begin("ann", "bob").move(0, "hide 2")
    record = Record(blind(game.table, PENNIES, 1), PENNIES)
    play(record, 1, PENNIES.notation.parse("hide 1", ()))
    assert [type(fact.event).__name__ for fact in record.facts] == ["PennyHidden"]
    game = game.move(1, "hide 1")
    record = Record(blind(game.table, PENNIES, 0), PENNIES)
    play(record, 0, PENNIES.notation.parse("take", ()))
    assert [type(fact.event).__name__ for fact in record.facts] == ["PotTaken", "RoundEnded"]


# The clock


def test_when_a_deadline_passes_the_caretaker_plays():
    game = begin().expire(1)
    game.then(e.TurnExpired(1, "hide-1", 1), e.CaretakerActed(1, "expired"), PennyHidden(1, 0, ""))
    assert [fact.actor for fact in game.last] == [{"clock": True}] * 3
    assert game.table.chairs[1].strikes == 1
    assert not game.table.chairs[1].vacant


def test_a_deadline_of_a_seat_that_owes_nothing_is_refused():
    game = begin().move(1, "hide 2")
    game.refused("not-your-turn", lambda it: it.expire(1))


def test_a_strike_is_cleared_by_playing():
    game = begin().expire(1).move(0, "hide 1").move(2, "hide 0").move(0, "take")
    game = game.move(1, "hide 3")
    game.then(PennyHidden(1, 3, ""), e.StrikesCleared(1))
    assert game.table.chairs[1].strikes == 0
    game.move(1, "hide 2").recorded("PennyHidden")


def two_strikes():
    return begin().expire(1).move(0, "hide 1").move(2, "hide 0").move(0, "take").expire(1)


def test_after_the_last_strike_in_a_row_the_seat_is_vacant():
    game = two_strikes()
    game.then(
        e.TurnExpired(1, "hide-2", 2),
        e.CaretakerActed(1, "expired"),
        PennyHidden(1, 0, ""),
        e.SeatVacated(1),
    )
    assert game.table.chairs[1].vacant
    assert game.table.chairs[1].player == "bob", "the seat stays its owner's until somebody takes it"


@pytest.mark.parametrize("strikes", [1, 2, 3])
def test_the_policy_says_how_many_strikes(strikes):
    game = begin(clock={**CLOCK_POLICY, "strikes": strikes}, options={"rounds": "3"})
    for missed in range(1, 4):
        game = game.expire(1)
        assert game.table.chairs[1].vacant == (missed == strikes)
        if missed == strikes:
            return
        game = game.move(0, "hide 1").move(2, "hide 0").move(0, "take")


def test_a_vacant_seat_is_played_at_once():
    game = begin(options={"rounds": "3"}).expire(1).move(0, "hide 1").move(2, "hide 0").move(0, "take").expire(1)
    game = game.move(0, "hide 1").move(2, "hide 0").move(0, "take")
    game.recorded("PotTaken", "RoundEnded", "PotDrawn", "CaretakerActed", "PennyHidden")
    assert game.last[3].event == e.CaretakerActed(1, "vacant")
    assert [fact.actor for fact in game.last[3:]] == [{"clock": True}] * 2


def test_a_bot_plays_at_once_and_needs_no_caretaker():
    game = begin("ann", bots=1).recorded("SeatTaken", "GameStarted", "PotDrawn", "PennyHidden")
    assert game.last[-1].actor == {"seat": 1}


def test_s08_caretaker_and_bot_decide_from_what_their_seat_may_see():
    asked = []

    def caretaker(state, seat):
        asked.append(seat)
        assert all(pennies is None for other, pennies in state.hands.items() if other != seat)
        assert all(note is None for other, note in state.notes.items() if other != seat)
        return PENNIES.decider.caretaker(state, seat)

    watched = replace(PENNIES, decider=replace(PENNIES.decider, caretaker=caretaker))
    game = begin("ann", "bob", bots=1, rules=watched, options={"rounds": "3"}, clock={**CLOCK_POLICY, "strikes": 1})
    game = game.move(0, "hide 3 secretly").expire(1).move(0, "take").move(0, "hide 1")
    assert game.table.chairs[1].vacant
    assert set(asked) == {1, 2}


def test_another_takes_over_a_vacant_seat():
    game = two_strikes().sit("dan").then(e.SeatTakenOver(1, "dan"))
    assert game.last[0].actor == {"seat": 1}
    chair = game.table.chairs[1]
    assert (chair.player, chair.vacant, chair.strikes) == ("dan", False, 0)
    assert chair.nonce == nonce("bob").text, "the draws rest on the nonces of the start"
    game.move(1, "hide 2 mine").refused("table-full", lambda it: it.sit("bob"))


def test_an_owner_takes_the_own_seat_back_before_another_vacant_one():
    game = begin(clock={**CLOCK_POLICY, "strikes": 1}, options={"rounds": "3"})
    game = game.expire(0).expire(1).sit("bob").then(e.SeatTakenOver(1, "bob"))
    game = game.sit("ann").then(e.SeatTakenOver(0, "ann"))
    game.refused("already-seated", lambda it: it.sit("ann"))


def test_when_nobody_is_left_the_game_is_abandoned_and_the_seed_revealed():
    game = begin("ann", "bob", bots=1, clock={**CLOCK_POLICY, "strikes": 1}, options={"rounds": "3"})
    game = game.expire(0).see(status="running").expire(1)
    assert [type(fact.event).__name__ for fact in game.last[-2:]] == ["GameAbandoned", "SeedRevealed"]
    assert game.last[-2].event == e.GameAbandoned("nobody-left")
    game.see(status="abandoned", seed=SEED.hex())


def test_a_game_that_is_over_keeps_its_result_though_nobody_is_left():
    game = begin("ann", "bob", clock={**CLOCK_POLICY, "strikes": 1}, options={"rounds": "1"})
    game = game.move(0, "hide 1").expire(1).expire(0)
    game.recorded(
        "TurnExpired", "CaretakerActed", "PotTaken", "RoundEnded", "SeatVacated", "GameFinished", "SeedRevealed"
    ).see(status="finished")


# Every event


def test_every_event_of_the_table_has_a_handler_and_a_name():
    assert set(HANDLERS) == set(e.EVENTS.values())
    assert len(set(e.EVENTS.values())) == len(e.EVENTS)


@by_kind
def test_every_event_of_a_ruleset_has_a_handler_and_a_name(rules):
    assert set(rules.decider.evolve) == set(rules.decider.events.values())
    kept = history(rules.kind)
    assert set(kept.names.values()) == {f"table.{name}" for name in e.EVENTS} | {
        f"{rules.kind}.{name}" for name in rules.decider.events
    }


@by_kind
def test_sealed_fields_may_be_missing_and_name_their_owner(rules):
    for event in [*e.EVENTS.values(), *rules.decider.events.values()]:
        fields = {field.name: field for field in msgspec.structs.fields(event)}
        for sealed, owner in event.SEALED.items():
            assert fields[sealed].default is None, f"{event.__name__}.{sealed}"
            assert owner == "nobody" or owner in fields


# Whole games


def whole_game(rules, seed, **terms):
    chance = random.Random(f"{rules.kind} {seed}")
    seats = chance.choice([count for count in rules.seats if count >= 2])
    bots = chance.randrange(seats - 1)
    people = [f"player{number}" for number in range(seats - bots)]
    options = {name: chance.choice(values) for name, values in rules.options.items()}
    late = chance.choice([0, 0.1])
    return play_out(begin(*people, rules=rules, bots=bots, options=options, **terms), chance, late)


@pytest.mark.slow
@by_kind
@pytest.mark.parametrize("seed", range(3))
def test_i04_whole_games_end_and_every_stored_envelope_replays_to_the_live_table(rules, seed):
    game = whole_game(rules, seed)
    assert game.table.status in ("finished", "abandoned")
    assert game.facts[-1].event == e.SeedRevealed(SEED.hex())
    kept = history(rules.kind)
    replayed = Table()
    for fact, stored, live in zip(game.facts, game.stored(), game.tables(), strict=True):
        event = kept.read(stored.type, stored.body)
        for leaf in stored.leaves:
            event = unseal(event, leaf.data)
        assert event == fact.event
        replayed = fold(replayed, rules, [event])
        assert replayed == live
    assert replayed == game.table


@pytest.mark.slow
@by_kind
def test_a_stored_event_says_nothing_of_what_it_seals(rules):
    game = whole_game(rules, 7)
    kept = history(rules.kind)
    sealed = 0
    for fact, stored in zip(game.facts, game.stored(), strict=True):
        names = set(type(fact.event).SEALED)
        sealed += bool(names)
        document = msgspec.json.decode(stored.body)
        assert names.isdisjoint(document["data"])
        assert "text" not in document["data"] or not names, "the notation of a sealed action lies in its leaf"
        bare = kept.read(stored.type, stored.body)
        assert all(getattr(bare, name) is None for name in names)
    assert sealed > 1


@pytest.mark.slow
@by_kind
@pytest.mark.parametrize("seed", [11, 12])
def test_s01_what_a_seat_folds_from_its_history_is_the_blind_live_state_at_every_version(rules, seed):
    game = whole_game(rules, seed)
    seats = [None, 0, len(game.table.chairs) - 1]
    for seat in seats:
        for version, folded, live in blind_tables(game, seat):
            assert blind(folded, rules, seat) == live, f"seat {seat} at version {version}"
            if live.game is not None and version % 5 == 0:
                assert rules.decider.view(folded.game, seat) == rules.decider.view(live.game, seat)


def test_blind_hides_the_seed_and_the_hands_of_others():
    game = begin().move(0, "hide 1 secretly").move(1, "hide 3 canary")
    seen = blind(game.table, PENNIES, 0)
    assert seen.seed is None
    assert seen.game.hands == {0: 1, 1: None}
    assert seen.game.notes == {0: "secretly", 1: None}
    watcher = blind(game.table, PENNIES, None)
    assert watcher.game.hands == {0: None, 1: None}
    assert b"canary" not in msgspec.json.encode([seen, watcher])
    assert game.table.seed == SEED.hex(), "the table itself is left as it was"


def test_blind_keeps_the_seed_of_a_game_that_is_over():
    assert blind(finished().table, PENNIES, None).seed == SEED.hex()


def test_a_copy_shares_nothing_that_changes():
    game = begin().move(0, "hide 1")
    before = msgspec.msgpack.encode(game.table)
    mine = copy(game.table, PENNIES)
    mine.chairs[0].strikes, mine.status, mine.seed = 5, "finished", None
    mine.unopened[9] = 9
    mine.game.hands[2] = 2
    mine.game.scores[0] = 99
    assert msgspec.msgpack.encode(game.table) == before


def test_the_leaf_that_an_opening_opens_is_the_last_of_each_seat():
    game = begin("ann", "bob").move(0, "hide 1").move(0, "hide 2")
    assert game.table.unopened == {0: game.table.version}
    game = game.move(1, "hide 0")
    assert game.table.unopened == {}


def test_in10c_a_turn_that_only_end_can_finish_is_ended_and_no_other() -> None:
    """At every turn of some games: after each legal order, `end` is added if it is all that is left."""
    decider, write, seen = TAMMANY_HALL.decider, TAMMANY_HALL.notation.write, Counter[bool]()
    for seed in range(8):
        game, chance = begin("ann", "bob", "cyd", rules=TAMMANY_HALL), random.Random(seed)
        while game.table.status == "running" and game.table.version < 400:
            seat = min(decider.awaiting(game.table.game))
            action = decider.sample(decider.blind(game.table.game, seat), seat, chance)
            by_hand = game.move(seat, write(action))
            if game.table.game.phase == "turn" and write(action) != "end":
                left = decider.legal_actions(by_hand.table.game, seat).actions
                is_left = [write(each) for each in left] == ["end"]
                ended = game.step(lambda record, seat=seat, action=action: play(record, seat, [action], ends=True))
                assert [fact.text for fact in ended.last if fact.text] == [write(action), *(["end"] if is_left else [])]
                seen[is_left] += 1
            game = by_hand
    assert all(seen[is_left] for is_left in (True, False))
