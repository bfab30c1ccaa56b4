"""Going back as game records: what is free, what needs consent, what nobody may, and the laws of histories that do."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.audit.verify_history import audit
from domain.engine.game import CHANCE
from domain.engine.refusals import RuleViolation
from domain.rulesets import RULESETS
from domain.table import events as e
from domain.table.evolve import blind, fold
from domain.table.play import settle
from domain.table.record import seat_actor
from domain.table.standing_orders import file_orders
from domain.table.state import Table
from domain.table.undo import MOST_IN_A_ROW, present_line
from tests.domain.city_hall.test_laws import check as city_hall_adds_up
from tests.domain.table.gamebook import CLOCK_POLICY, Game, begin
from tests.domain.table.pennies import PENNIES, HandsOpened, PennyHidden, PotDrawn, PotTaken
from tests.domain.tammany_hall.test_laws import check as tammany_hall_adds_up

pytestmark = pytest.mark.usefixtures("pennies")
ADDS_UP = {"tammany-hall": tammany_hall_adds_up, "city-hall": city_hall_adds_up}
THREE_ROUNDS = {"rounds": "3"}


def to_take(**terms):
    """The hands are open: bob is to take the pot."""
    return begin(**terms).move(0, "hide 1").move(1, "hide 3").move(2, "hide 2")


def taken():
    """Bob nodded and took the pot; the next pot was drawn."""
    return to_take().move(1, "nod").move(1, "take")


def same(game, version):
    """The game stands where it stood after an event."""
    return game.table.game == game.at(version).game


def files(game, seat, text):
    def both(record):
        file_orders(record, seat, PENNIES.standing_orders.parse(text, PENNIES.notation.pawns))
        settle(record, seat_actor(seat))

    return game.step(both)


# Free


def test_q12_what_nobody_has_answered_is_taken_back_at_once():
    game = to_take()
    before = game.table.version
    game = game.move(1, "nod").undo(1).then(e.Rewound(before, 1, "slip", []))
    assert game.last[0].actor == {"seat": 1}
    assert same(game, before)
    game.move(1, "take").recorded("PotTaken", "RoundEnded", "PotDrawn")


def test_q12_a_request_is_taken_back_as_a_whole_or_in_part():
    game = to_take()
    before = game.table.version
    game = game.move(1, "nod", "nod", "nod")
    assert game.meaning(1).to == before
    assert same(game.undo(1), before)
    assert game.undo(1, before + 2).table.game.nods == 2


def test_q12_a_sealed_act_is_taken_back_while_it_is_shut():
    game = begin().move(1, "hide 2").undo(1).see(unopened={})
    assert game.table.game.hands == {}
    assert sorted(PENNIES.decider.awaiting(game.table.game)) == [0, 1, 2]


def test_q12_taking_back_what_replaced_a_sealed_act_brings_the_first_one_back():
    game = begin("ann", "bob").move(0, "hide 1 first")
    first = game.table.version
    game = game.move(0, "hide 3 second").undo(0).see(unopened={0: first})
    game = game.move(1, "hide 0")
    assert game.last[1].event == HandsOpened({"0": 1, "1": 0}, 0)
    assert game.opened_by()[first] == game.table.version
    assert first + 1 not in game.opened_by(), "what was taken back stays shut"


def test_q12_one_after_the_other_is_taken_back():
    game = to_take()
    start = game.table.version
    game = game.move(1, "nod").move(1, "nod")
    game = game.undo(1)
    assert game.table.game.nods == 1
    assert same(game.undo(1), start)


def test_q12_a_seat_goes_back_freely_three_times_before_another_acts():
    game = to_take(options=THREE_ROUNDS)
    for _ in range(MOST_IN_A_ROW):
        game = game.move(1, "nod").undo(1)
    game = game.move(1, "nod")
    game.refused("needs-consent", lambda it: it.undo(1))
    assert game.meaning(1).touched == {0, 2}
    back = game.propose_undo(1).agree(0, 2)
    assert same(back, game.meaning(1).to)
    after = back.move(1, "nod")
    assert after.meaning(1).free, "consent is no going back of one's own accord"


def test_q12_when_another_has_acted_it_is_free_again():
    game = begin()
    for _ in range(MOST_IN_A_ROW):
        game = game.move(0, "hide 1").undo(0)
    game = game.move(1, "hide 2").move(0, "hide 1")
    assert game.meaning(0).free


# Not free


def test_q12_when_another_has_acted_the_others_are_asked():
    game = begin().move(0, "hide 1").move(1, "hide 2")
    meant = game.meaning(0)
    assert (meant.free, meant.touched) == (False, {1})
    game.refused("needs-consent", lambda it: it.undo(0))


def test_q12_a_draw_touches_everybody():
    meant = taken().meaning(1)
    assert (meant.free, meant.touched) == (False, {0, 2})


def test_q12_a_deadline_that_passed_touches_everybody():
    game = to_take().move(1, "nod").expire(1)
    meant = game.meaning(1)
    assert (meant.free, meant.touched) == (False, {0, 2})


def test_q12_what_the_caretaker_did_for_another_touches_everybody():
    game = begin().move(0, "hide 1").expire(1)
    assert {tuple(fact.actor) for fact in game.last} == {("clock",)}
    meant = game.meaning(0)
    assert (meant.free, meant.touched) == (False, {1, 2})


def test_q12_nobody_goes_back_across_an_opening():
    game = to_take()
    for seat in (0, 1, 2):
        game.refused("seal-opened", lambda it, seat=seat: it.undo(seat, ask=True))
    game.refused("seal-opened", lambda it: it.undo(1, 7, ask=True))


def test_q12_the_past_before_an_opening_stays_shut_after_going_back_behind_it():
    game = taken()
    game = game.undo(1, ask=True).agree(0, 2)
    game.refused("seal-opened", lambda it: it.undo(0, ask=True))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_nothing_is_taken_back_by_who_has_done_nothing(seat):
    """Sitting down last, and so beginning the game, is no act of the game."""
    begin().refused("nothing-to-undo", lambda it: it.undo(seat, ask=True))


def test_a_game_that_is_over_stays_over():
    game = to_take(options={"rounds": "1"}).move(1, "take").see(status="finished")
    game.refused("game-over", lambda it: it.undo(1, ask=True))


def test_a_game_that_has_not_begun_has_nothing_to_go_back_to():
    Game(PENNIES).open().sit("ann").refused("nothing-to-undo", lambda it: it.undo(0))


@pytest.mark.parametrize("to", [-1, 0, 1, 4, 99])
def test_there_is_nothing_to_go_back_to_before_the_beginning_or_in_the_future(to):
    begin().move(0, "hide 1").refused("bad-version", lambda it: it.undo(0, to))


def test_q12_the_present_is_no_place_to_go_back_to():
    game = begin().move(0, "hide 1")
    game.refused("bad-version", lambda it: it.undo(0, game.table.version))


def test_q12_a_branch_that_was_undone_cannot_be_entered():
    game = to_take()
    start = game.table.version
    game = game.move(1, "nod").move(1, "nod").move(1, "nod").undo(1, start + 1)
    for undone in (start + 2, start + 3):
        game.refused("bad-version", lambda it, to=undone: it.undo(1, to, ask=True))
    assert same(game.undo(1, start), start)


def test_q12_nor_by_what_was_agreed_about_the_clock_in_it():
    game = to_take()
    start = game.table.version
    game = game.move(1, "nod").propose_clock(1, "extend", 7200).agree(0, 2)
    inside = game.table.version
    game = game.undo(1, start)
    game.refused("bad-version", lambda it: it.undo(1, inside, ask=True))


@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_q12_nobody_goes_back_into_the_midst_of_an_act(rules):
    """Else what an act brings could be kept, and what it costs not be paid."""
    game = wander_back(begin("ann", "bob", "cyd", rules=rules), random.Random("midst"), back=0, most=40)
    several = 0
    for number, end in enumerate(game.ends[:-1]):
        start = game.ends[number - 1] if number else 0
        texts = [bool(fact.text) for fact in game.facts[start:end]]
        for version in range(start + 1, end):
            if version > game.ends[2] and not texts[version - start]:
                several += 1
                game.refused("bad-version", lambda it, to=version: it.undo(0, to, ask=True))
    assert several > 5


@pytest.mark.slow
@pytest.mark.parametrize("rules", [PENNIES, *RULESETS.values()], ids=lambda rules: rules.kind)
def test_q12_what_an_action_seals_is_in_its_first_fact(rules):
    """So a sealed fact of the game begins an act, also for who may not read its notation."""
    game = wander_back(begin("ann", "bob", "cyd", rules=rules), random.Random("seals"), back=0, most=120)
    sealed = [fact for fact in game.facts if fact.event.SEALED and not fact.event.LASTS]
    assert all(fact.text or "nobody" in fact.event.SEALED.values() for fact in sealed)


# What follows


def test_q12_a_draw_that_comes_again_is_another_draw():
    game = taken()
    back = game.propose_undo(1).agree(0, 2)
    again = back.move(1, "take")
    first, second = (it.facts[-1].event.draw for it in (game, again))
    assert (first.index, second.index) == (1, 2)
    assert isinstance(again.facts[-1].event, PotDrawn)


def test_q12_a_draw_is_made_anew_at_once_where_the_game_goes_back_to_it():
    game = begin("ann", "bob")
    began = next(number for number, fact in enumerate(game.facts, 1) if isinstance(fact.event, e.GameStarted))
    game = game.move(0, "hide 1")
    with pytest.raises(RuleViolation):  # the draw followed from the start: it is in the midst of that
        game.undo(0, began, ask=True)
    assert game.meaning(0).to == began + 1


def test_a_draw_that_follows_the_start_of_a_game_is_no_act_of_who_sat_down_last():
    game = begin("ann", "bob").move(1, "hide 1")
    assert game.meaning(1).to == game.table.version - 1


def test_who_goes_back_has_no_standing_orders_any_more():
    """They would do the same again."""
    game = files(begin("ann", "bob", "cyd"), 0, "hide 2")
    assert [type(fact.event).__name__ for fact in game.last] == ["OrdersFiled", "OrdersFollowed", "PennyHidden"]
    game = game.undo(0).recorded("OrdersDropped", "Rewound").see(orders={})
    assert game.last[0].event == e.OrdersDropped(0, "taken-back")
    assert game.table.game.hands == {}


def test_the_orders_of_others_act_again_after_going_back():
    game = begin("ann", "bob", "cyd").move(0, "hide 1")
    game = files(game, 1, "hide 3")
    game = game.propose_undo(0).agree(1)
    assert [type(fact.event).__name__ for fact in game.last] == [
        "RewindAnswered", "Rewound", "OrdersFollowed", "PennyHidden",
    ]  # fmt: skip
    assert game.table.game.hands == {1: 3}


def made(game, *events):
    """These facts come about."""

    def all_of_them(record):
        for event in events:
            if isinstance(event, e.Rewound):
                record.go_back(seat_actor(event.seat), event, game.at(event.to))
            else:
                record.add(seat_actor(event.seat), event)

    return game.step(all_of_them)


def dropped():
    """Bob hid pennies, and ann's orders were dropped; the event before that."""
    game = files(begin("ann", "bob", "cyd"), 0, "take pot of 3").move(1, "hide 1")
    to = game.table.version - 1
    return made(game, e.OrdersDropped(0, "unfit", "small-pot", "P-4")), to


def test_orders_that_did_not_fit_what_is_undone_stand_again():
    game, to = dropped()
    filed = game.at(to).orders
    assert game.table.orders == {}
    back = made(game, e.Rewound(to, 1, "slip", []))
    back.see(orders=filed, unfit={})
    assert [*back.tables()][-1] == back.table == back.at(back.table.version), "replay is the live table"
    assert made(back, e.Rewound(to, 2, "agreed", [])).table.orders == filed, "once"


def test_orders_that_did_not_fit_before_it_stay_dropped():
    game, _ = dropped()
    made(game, e.Rewound(game.table.version, 1, "slip", [])).see(orders={})


def test_who_goes_back_gets_no_orders_again_that_did_not_fit():
    game, to = dropped()
    made(game, e.Rewound(to, 0, "slip", [])).see(orders={}, unfit={})


def test_orders_filed_since_are_those_that_stand():
    game, to = dropped()
    game = files(game, 0, "take pot of 1")
    made(game, e.Rewound(to, 1, "slip", [])).see(orders=game.table.orders)
    withdrawn = made(game, e.OrdersDropped(0, "withdrawn"))
    made(withdrawn, e.Rewound(to, 1, "slip", [])).see(orders={})


@pytest.mark.parametrize("player, stands", [("dan", False), ("ann", True)])
def test_a_newcomer_has_no_orders_of_the_player_before_them_again(player, stands):
    game, to = dropped()
    owner = game.table.chairs[0].player
    back = made(game, e.SeatTakenOver(0, owner if player == "ann" else player), e.Rewound(to, 1, "slip", []))
    assert bool(back.table.orders) is stands


def test_s08_nobody_else_knows_what_was_dropped_or_stands_again():
    game, to = dropped()
    for one in (game, made(game, e.Rewound(to, 1, "slip", []))):
        for seat in (None, 1, 2):
            known = fold(Table(), one.rules, one.known(seat, one.table.version))
            seen = blind(one.table, one.rules, seat)
            assert blind(known, one.rules, seat) == seen
            told = [filed.orders for filed in (*seen.orders.values(), *(it[1] for it in seen.unfit.values()))]
            assert told == [None]


def test_what_orders_did_in_the_request_of_another_is_taken_back_alone():
    game = files(begin("ann", "bob", "cyd"), 1, "take")
    game = game.move(0, "hide 1").move(2, "hide 0").move(1, "hide 3")
    game.recorded(
        "PennyHidden", "HandsOpened", "OrdersFollowed", "PotTaken", "RoundEnded", "PotDrawn",
    )  # fmt: skip
    meant = game.meaning(1)
    assert isinstance(game.facts[meant.to].event, e.OrdersFollowed)
    back = game.propose_undo(1).agree(0, 2)
    assert (back.table.game.phase, back.table.orders) == ("take", {})


def test_an_opening_opens_the_leaves_that_were_shut_where_the_game_went_back_to():
    game = begin("ann", "bob", "cyd").move(0, "hide 1")
    kept = game.table.version
    game = game.move(1, "hide 2").move(0, "hide 3").undo(0)
    game = game.move(2, "hide 0")
    assert {version for version, opened in game.opened_by().items() if opened == game.table.version} == {
        kept, kept + 1, game.table.version - 1,
    }  # fmt: skip
    assert game.last[-1].event == HandsOpened({"0": 1, "1": 2, "2": 0}, 1)


def test_a_clock_that_stands_for_an_answer_runs_again_when_nobody_owes_it_any_more():
    game = to_take(clock={**CLOCK_POLICY, "on_timeout": "pause"}).move(1, "take")
    before = game.ends[-2]
    game = game.move(0, "hide 1").expire(2).see(paused=True, late=2)
    game = game.undo(0, before, ask=True).agree(1, 2).see(paused=False, late=None)
    game.recorded("RewindAnswered", "Rewound", "ClockResumed")


def test_a_clock_that_stands_for_an_answer_stands_while_it_is_owed():
    game = begin(clock={**CLOCK_POLICY, "on_timeout": "pause"}).expire(2)
    game = game.move(0, "hide 1").undo(0).see(paused=True, late=2)
    game.move(2, "hide 1").see(paused=False)


def test_a_deadline_that_passed_is_gone_back_behind_by_consent():
    game = begin()
    before = game.table.version
    game = game.expire(1).propose_undo(1, before, reason="lapse").agree(0, 2)
    assert same(game, before)
    assert game.table.chairs[1].strikes == 1, "the table has agreed to the move, not to the delay"


# The audit


def test_q12_a_history_that_went_back_verifies_complete_and_redacted():
    game = taken().propose_undo(1).agree(0, 2).move(1, "take")
    game = game.move(0, "hide 1").undo(0).move(0, "hide 2").move(1, "hide 0").move(2, "hide 0").move(0, "take")
    game.see(status="finished")
    for seat in (None, 0, 1):
        report = audit(game.export(seat))
        assert report.ok, report.checks
        assert ("draws", "verified", "All 3 draws follow from the seed and the players' nonces.") in report.checks
    for at in range(1, len(game.facts)):
        report = audit(game.export(None, at))
        ended = any(isinstance(fact.event, e.GameFinished) for fact in game.facts[:at])
        assert report.ok or ended, (at, report.checks)


def test_q12_an_audit_finds_a_history_that_went_back_across_an_opening():
    game = to_take()
    forged = game.step(lambda record: record.go_back({"seat": 1}, e.Rewound(7, 1, "slip", []), game.at(7)))
    report = audit(forged.export())
    assert (report.ok, report.version) == (False, forged.table.version)
    told = {what: sentence for what, verdict, sentence in report.checks if verdict == "broken"}
    assert "(seal-opened)" in told["rules"]


@pytest.mark.parametrize("ahead", [-1, 0, 5])
def test_q12_an_audit_finds_a_history_that_went_where_it_could_not(ahead):
    game = to_take().move(1, "nod").move(1, "nod").undo(1).undo(1)
    to = {-1: game.table.version - 3, 0: 0, 5: game.table.version + 5}[ahead]
    forged = game.step(lambda record: record.go_back({"seat": 1}, e.Rewound(to, 1, "slip", []), game.table))
    report = audit(forged.export())
    assert (report.ok, report.version) == (False, forged.table.version)


# Laws


def wander_back(game, chance, back=0.25, most=400):
    """Play on at random, and go back at random: at once, by consent, or not after all."""
    for _ in range(most):
        table = game.table
        if table.status != "running":
            break
        present = [seat for seat, chair in enumerate(table.chairs) if chair.taken and not chair.automatic]
        proposal = table.proposal
        waits = [seat for seat in proposal.asked if seat not in proposal.agreed] if proposal else []
        if proposal and waits and chance.random() < 0.7:
            game = game.agree(waits[0]) if chance.random() < 0.8 else game.disagree(waits[0])
        elif not proposal and chance.random() < back:
            seat = chance.choice(present)
            to = chance.choice([None, None, chance.randrange(table.version)])
            try:
                game = game.undo(seat, to, ask=chance.random() < 0.8)
            except RuleViolation:
                continue
        elif not proposal and chance.random() < back / 10:
            what = "resume" if table.paused else chance.choice(["pause", "extend"])
            game = game.propose_clock(chance.choice(present), what, 7200)
        else:
            game = step(game, chance)
    return game


def step(game, chance):
    rules, table = game.rules, game.table
    seat = chance.choice(sorted(rules.decider.awaiting(table.game)))
    if chance.random() < 0.05:
        return game.expire(seat)
    legal = rules.decider.legal_actions(rules.decider.blind(table.game, seat), seat).actions
    return game.move(seat, rules.notation.write(chance.choice(legal)))


def went_back(game):
    return [version for version, fact in enumerate(game.facts, 1) if isinstance(fact.event, e.Rewound)]


def obeys_the_laws(game, every):
    """All that holds of a history that went back."""
    tables = [Table(), *game.tables()]
    assert tables[-1] == game.table, "replay one by one is the live table"
    assert fold(Table(), game.rules, [fact.event for fact in game.facts]) == game.table, "and so is replay in one go"
    draws = [fact.event.draw.index for fact in game.facts if "draw" in type(fact.event).__struct_fields__]
    assert draws == list(range(len(draws))), "draws never repeat a number"
    for version in went_back(game):
        to = game.facts[version - 1].event.to
        assert tables[version].game == tables[to].game, "the game is what it was"
        assert tables[version].unopened == tables[to].unopened
        assert [chair.player for chair in tables[version].chairs] == [chair.player for chair in tables[-1].chairs]
    line = {one.version for one in present_line(game.past())}
    assert all(one in line for one, fact in enumerate(game.facts, 1) if fact.event.OPENS), "no opening is undone"
    looked_at = {*range(1, len(game.facts) + 1, every), *went_back(game), len(game.facts)}
    over = next((number for number, fact in enumerate(game.facts, 1) if isinstance(fact.event, e.GameFinished)), 0)
    for seat in (None, 0, len(game.table.chairs) - 1):
        for version in looked_at - {over}:
            seen = blind(fold(Table(), game.rules, game.known(seat, version)), game.rules, seat)
            assert seen == blind(tables[version], game.rules, seat), f"S-01: seat {seat} at {version}"
        report = audit(game.export(seat))
        assert report.ok, report.checks
    for table in tables:
        if table.game is not None and CHANCE not in game.rules.decider.awaiting(table.game):
            ADDS_UP.get(game.rules.kind, lambda state: None)(table.game)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from([2, 3, 5]))
def test_q12_s01_pennies_that_go_back_replay_and_reveal_nothing(seed, seats):
    chance = random.Random(seed)
    game = begin(*(f"player{number}" for number in range(seats)), options=THREE_ROUNDS)
    obeys_the_laws(wander_back(game, chance, back=0.4), every=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("rules", RULESETS.values(), ids=list(RULESETS))
def test_q12_s01_whole_games_that_go_back_replay_and_reveal_nothing(rules, seed):
    chance = random.Random(f"back {seed}")
    game = wander_back(begin("ann", "bob", "cyd", rules=rules), chance, most=260)
    assert len(went_back(game)) > 5
    obeys_the_laws(game, every=40)


def test_replay_looks_at_no_event_twice_however_often_the_game_went_back():
    game = to_take(options=THREE_ROUNDS)
    for _ in range(40):
        game = game.move(1, "nod").move(1, "nod").undo(1, ask=True)
        if game.table.proposal is not None:
            game = game.agree(0, 2)
    seen = []
    counting = {kind: lambda state, event: seen.append(event) for kind in PENNIES.decider.evolve}
    fold(
        Table(),
        replace(PENNIES, decider=replace(PENNIES.decider, evolve=counting, copy=lambda state: state)),
        [fact.event for fact in game.facts],
    )
    assert len(seen) == len(set(map(id, seen))) < len(game.facts)


def test_s10_what_was_taken_back_stays_shut_until_the_game_is_over():
    game = begin("ann", "bob", options={"rounds": "1"}).move(0, "hide 3 canary")
    hidden = game.table.version
    game = game.undo(0).move(0, "hide 1").move(1, "hide 0")
    for seat in (None, 1):
        assert b"canary" not in b"".join(game.export(seat))
    assert b"canary" in b"".join(game.export(0))
    assert hidden in game.shown(0, game.table.version)
    assert b"canary" in b"".join(game.move(0, "take").export(None))


def test_the_facts_of_these_tests_are_the_ones_they_seem():
    assert {type(fact.event) for fact in taken().facts} >= {PennyHidden, HandsOpened, PotTaken, PotDrawn}
