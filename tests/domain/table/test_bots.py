"""Bots at a table: called and sent away by the host, awaited as people are where they think, and owing no deadline."""

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from domain.audit.redecide import retrace
from domain.engine.bots import Bot
from domain.history.codec import history
from domain.rulesets import RULESETS
from domain.table import events as e
from domain.table.play import settle
from domain.table.record import Record, seat_actor
from domain.table.seating import Nonce, Terms, open_table, sit, sit_bot
from domain.table.standing_orders import file_orders
from tests.archive.tables import Story
from tests.domain.table.gamebook import CARETAKER, CLOCK_POLICY, SEED, Game, begin, nonce
from tests.domain.table.pennies import PENNIES, PennyHidden

QUICK = Bot(1)
PATIENT = Bot(2, "patient")
ONE_STRIKE = {"clock": {**CLOCK_POLICY, "strikes": 1}, "options": {"rounds": "3"}}


def alone(bot: Bot = PATIENT) -> Game:
    """Ann on seat 0 and a bot on seat 1."""
    return Game(PENNIES).open(seats=2, options={"rounds": "3"}).sit("ann").sit_bot(bot)


def vacated() -> Game:
    """Ann and cyd play on, and bob, on seat 1, has let his last deadline pass."""
    return begin(**ONE_STRIKE).expire(1)


# At the start


def test_a_bot_that_thinks_is_awaited_as_a_person_is():
    game = alone().recorded("SeatTaken", "GameStarted", "PotDrawn")
    assert PENNIES.decider.awaiting(game.table.game) == {0, 1}
    game = game.move(1, "hide 2").then(PennyHidden(1, 2, ""))
    assert game.last[0].actor == {"seat": 1}


def test_a_bot_of_strength_0_plays_at_once_as_the_caretaker_does():
    alone(Bot(0, "vindictive")).recorded("SeatTaken", "GameStarted", "PotDrawn", "PennyHidden")


def test_the_host_calls_a_bot_to_any_free_seat_and_the_game_starts_when_the_table_is_full():
    game = Game(PENNIES).open(seats=3).sit("ann").put_bot(1, PATIENT)
    game.then(e.SeatTaken(1, None, "c" * 32, "server", PATIENT))
    assert game.last[0].actor == {"host": "ann"}
    game.sit("bob").recorded("SeatTaken", "GameStarted", "PotDrawn")
    game.put_bot(2, QUICK).recorded("SeatTaken", "GameStarted", "PotDrawn")


def test_the_host_sends_a_bot_away_before_the_start_and_its_seat_is_free():
    game = Game(PENNIES).open(seats=3).sit("ann").put_bot(1, PATIENT).remove_bot(1).then(e.SeatLeft(1, "ann"))
    assert not game.table.chairs[1].taken
    game.sit("bob").then(e.SeatTaken(1, "bob", nonce("bob").text, "player"))


def test_another_bot_takes_the_place_of_one_before_the_start():
    game = Game(PENNIES).open(seats=3).sit("ann").put_bot(1, PATIENT).put_bot(1, QUICK)
    game.then(e.SeatLeft(1, "ann"), e.SeatTaken(1, None, "c" * 32, "server", QUICK))


def test_a_ruleset_without_guidance_refuses_bots_that_think():
    """DESIGN-8: no caretaker is seated under the name of a bot; a bot of strength 0 says what it is."""
    unguided = replace(PENNIES, guidance=None)
    table, running = Game(unguided).open(seats=3).sit("ann"), begin(rules=unguided, **ONE_STRIKE).expire(1)
    for bot in (QUICK, PATIENT, Bot(3), Bot(1, "cautious"), Bot(2, "vindictive")):
        table.refused("bad-bots", lambda game, bot=bot: game.sit_bot(bot))
        table.refused("bad-bots", lambda game, bot=bot: game.put_bot(1, bot))
        running.refused("bad-bots", lambda game, bot=bot: game.put_bot(1, bot))
        table.put_bot(1, Bot(0)).refused("bad-bots", lambda game, bot=bot: game.put_bot(1, bot))
    assert running.put_bot(1, Bot(0)).table.chairs[1].bot == Bot(0)


# In a game under way


def test_a_bot_takes_a_vacant_seat_which_is_nobodys_from_then_on():
    game = vacated().put_bot(1, PATIENT).then(e.SeatTakenByBot(1, PATIENT))
    assert game.last[0].actor == {"host": "ann"}
    chair = game.table.chairs[1]
    assert (chair.player, chair.bot, chair.vacant, chair.strikes) == (None, PATIENT, False, 0)
    assert chair.nonce == nonce("bob").text, "the draws rest on the nonces of the start"
    game.refused("table-full", lambda it: it.sit("bob"))
    game = game.move(0, "hide 3").move(2, "hide 0").move(0, "take")
    assert 1 in PENNIES.decider.awaiting(game.table.game)


def test_what_the_player_had_ordered_ahead_goes_with_the_player():
    orders = PENNIES.standing_orders.parse("take", PENNIES.notation.pawns)
    game = begin(**ONE_STRIKE).step(file_orders, 1, orders).expire(1).put_bot(1, PATIENT)
    game.then(e.SeatTakenByBot(1, PATIENT), e.OrdersDropped(1, "taken-over"))
    assert game.table.orders == {}


def test_the_host_sends_a_bot_away_and_the_caretaker_plays_until_somebody_sits_down():
    game = vacated().put_bot(1, PATIENT).remove_bot(1).then(e.SeatVacated(1))
    game = game.move(0, "hide 3").move(2, "hide 0").move(0, "take")
    assert [fact.event for fact in game.last[-2:]] == [e.CaretakerActed(1, "vacant"), PennyHidden(1, 0, "")]
    chair = game.table.chairs[1]
    assert (chair.taken, chair.vacant, chair.bot, chair.player) == (True, True, None, None)
    game = game.sit("dan").then(e.SeatTakenOver(1, "dan"))
    game.move(0, "hide 1").move(1, "hide 2")


def test_a_bot_that_came_with_the_table_is_sent_away_like_any_other():
    game = begin("ann", "bob", bots=1).remove_bot(2).then(e.SeatVacated(2)).sit("dan")
    assert game.table.chairs[2].player == "dan"


def test_another_bot_takes_the_place_of_one_and_the_same_again_is_nothing():
    game = vacated().put_bot(1, PATIENT)
    game.put_bot(1, QUICK).then(e.SeatTakenByBot(1, QUICK))
    game.put_bot(1, PATIENT).then()


def test_where_the_caretaker_takes_the_place_of_a_bot_that_thinks_it_plays_at_once():
    game = alone().put_bot(1, CARETAKER).then(e.SeatTakenByBot(1, CARETAKER), PennyHidden(1, 0, ""))
    assert game.last[-1].actor == {"seat": 1}


def test_a_bot_that_is_asked_answers_before_it_goes_where_other_people_play():
    game = with_bob().move(0, "hide 1").move(1, "hide 1")
    for bot in (CARETAKER, QUICK, Bot(2, "vindictive")):
        game.refused("bot-thinks", lambda it, bot=bot: it.put_bot(2, bot))
    game.refused("bot-thinks", lambda it: it.remove_bot(2))
    game.put_bot(2, PATIENT).then()
    game = with_bob().move(2, "hide 0")
    game.put_bot(2, QUICK).then(e.SeatTakenByBot(2, QUICK))
    game.remove_bot(2).then(e.SeatVacated(2))


def test_alone_with_bots_the_host_exchanges_them_as_they_like():
    assert PENNIES.decider.awaiting(alone().table.game) == {0, 1}
    alone().put_bot(1, QUICK).then(e.SeatTakenByBot(1, QUICK))
    alone().remove_bot(1).recorded("SeatVacated", "CaretakerActed", "PennyHidden")
    left = Game(PENNIES).open(seats=3, **ONE_STRIKE).sit("ann").sit_bot(PATIENT).sit("bob").expire(1)
    assert 2 in PENNIES.decider.awaiting(left.table.game)
    left = left.remove_bot(2).then(e.SeatVacated(2), e.CaretakerActed(2, "vacant"), PennyHidden(2, 0, ""))
    assert [fact.actor for fact in left.last] == [{"host": "ann"}, {"clock": True}, {"clock": True}]


@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("not-host", lambda it: it.put_bot(1, PATIENT, player="cyd")),
        ("not-host", lambda it: it.remove_bot(1, player="cyd")),
        ("seat-taken", lambda it: it.put_bot(2, PATIENT)),
        ("no-bot", lambda it: it.remove_bot(2)),
        ("no-bot", lambda it: it.remove_bot(1)),
        ("no-such-seat", lambda it: it.put_bot(3, PATIENT)),
        ("no-such-seat", lambda it: it.put_bot(-1, PATIENT)),
        ("no-such-seat", lambda it: it.remove_bot(3)),
    ],
)
def test_what_cannot_be_is_refused(code, what):
    vacated().refused(code, what)


def test_at_a_table_that_stands_open_a_person_is_not_sent_away_nor_a_free_seat():
    game = Game(PENNIES).open(seats=3).sit("ann", "bob")
    game.refused("seat-taken", lambda it: it.put_bot(1, PATIENT))
    game.refused("no-bot", lambda it: it.remove_bot(1))
    game.refused("no-bot", lambda it: it.remove_bot(2))


def test_in_a_game_that_is_over_no_bot_comes_or_goes():
    game = begin("ann", "bob", bots=1, **ONE_STRIKE).expire(0).expire(1).see(status="abandoned")
    game.refused("game-over", lambda it: it.put_bot(1, PATIENT))
    game.refused("game-over", lambda it: it.remove_bot(2))


# Deadlines, the end


def test_a_bot_owes_no_deadline():
    alone().refused("not-your-turn", lambda it: it.expire(1))


def test_a_game_that_only_bots_are_left_to_play_is_abandoned_while_one_thinks():
    game = Game(PENNIES).open(seats=2, **ONE_STRIKE).sit("ann").sit_bot(PATIENT).expire(0)
    game.recorded("TurnExpired", "CaretakerActed", "PennyHidden", "SeatVacated", "GameAbandoned", "SeedRevealed")
    assert game.last[-2].event == e.GameAbandoned("nobody-left")


def test_a_table_closes_when_nobody_but_bots_is_left():
    Game(PENNIES).open(seats=3).sit("ann").put_bot(1, PATIENT).leave("ann").see(status="abandoned")


# What needs the agreement of others


def with_bob() -> Game:
    """Ann and bob, and a bot on seat 2 that thinks."""
    return Game(PENNIES).open(seats=3, options={"rounds": "3"}).sit("ann").sit_bot(PATIENT).sit("bob")


def test_a_bot_is_not_asked():
    game = with_bob().propose_clock(0, "pause", 7200)
    assert game.table.proposal is not None
    assert game.table.proposal.asked == [1]
    assert alone().propose_clock(0, "extend", 7200).last[-1].event == e.TimeExtended(7200)


def test_going_back_beyond_what_a_bot_did_needs_the_others_though_it_touched_only_the_bot():
    game = with_bob().move(0, "hide 1").move(2, "hide 2")
    assert game.meaning(0, game.ends[-3]).touched == {1, 2}
    game = game.propose_undo(0, game.ends[-3])
    assert game.table.proposal is not None
    assert game.table.proposal.asked == [1]


@pytest.mark.parametrize("exchange", [
    lambda it: it.put_bot(2, CARETAKER),
    lambda it: it.put_bot(2, QUICK),
    lambda it: it.remove_bot(2),
    lambda it: it.remove_bot(2).sit("dan"),
])  # fmt: skip
def test_going_back_beyond_what_a_bot_did_needs_the_others_whoever_plays_there_by_now(exchange):
    game = with_bob().move(0, "hide 1").move(2, "hide 2")
    to = game.ends[-3]
    game = exchange(game)
    assert game.meaning(0, to).touched == {1, 2}
    game = game.propose_undo(0, to)
    assert game.table.proposal is not None
    assert game.table.proposal.asked[0] == 1


def test_who_sits_down_in_the_place_of_a_bot_does_not_take_back_freely_what_the_bot_did():
    game = with_bob().move(0, "hide 1").move(2, "hide 2").remove_bot(2).sit("dan")
    meant = game.meaning(2)
    assert (meant.free, meant.touched) == (False, {0, 1})


def test_where_nobody_else_could_be_asked_it_is_free():
    game = Game(PENNIES).open(seats=3, options={"rounds": "3"}).sit("ann").sit_bot(PATIENT).sit_bot(QUICK)
    game = game.move(0, "hide 1").move(1, "hide 0")
    assert game.undo(0, game.ends[-3]).see(proposal=None).table.game.hands == {}


def test_a_bot_that_plays_on_ends_a_proposal_to_go_back():
    game = with_bob().move(0, "hide 1").move(1, "hide 1")
    assert PENNIES.decider.awaiting(game.table.game) == {2}
    game = game.propose_undo(0, game.ends[-3]).move(2, "hide 0")
    assert e.ProposalDropped(0, "played-on") in [fact.event for fact in game.last]
    assert game.table.proposal is None


def test_a_bot_that_comes_or_goes_ends_a_proposal_to_go_back():
    game = with_bob().move(0, "hide 1").move(2, "hide 1")
    game = game.propose_undo(0, game.ends[-3])
    assert game.remove_bot(2).last[1].event == e.ProposalDropped(0, "played-on")
    assert game.put_bot(2, CARETAKER).last[1].event == e.ProposalDropped(0, "played-on")


# What an audit makes of it


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULESETS, PENNIES.kind, PENNIES)  # type: ignore[arg-type]


def opened_with(*bots: Bot) -> Story:
    """A table that is opened, filled with bots and begun by one request."""

    def opening(record: Record) -> None:
        open_table(record, "p_anna", Terms(1 + len(bots), {"rounds": "3"}, CLOCK_POLICY, public=True), SEED)
        sit(record, "p_anna", Nonce("n" * 16, by_player=True))
        for number, bot in enumerate(bots):
            sit_bot(record, bot, f"{number}" * 16)
        settle(record, seat_actor(0))

    story = Story(PENNIES, random.Random(1))
    assert story.step(opening)
    return story


def differences(story: Story, **forged: Any) -> list[int]:
    """The events that an audit finds wrong; with `forged`, where the first bot that sat down did so otherwise."""
    entries = story.entries()
    place = next(n for n, entry in enumerate(entries) if isinstance(entry.event, e.SeatTaken) and entry.event.bot)
    entries[place] = replace(entries[place], event=msgspec.structs.replace(entries[place].event, **forged))
    return [difference.version for difference in retrace(history("pennies"), entries).differences]


def test_s41_a_table_that_was_opened_with_bots_is_what_the_rules_make():
    story = opened_with(PATIENT, CARETAKER, QUICK)
    assert story.table.status == "running"
    assert differences(story) == []
    assert differences(story, seat=2)[0] == 3, "the first bot takes the last seat"


def test_s41_orders_that_a_bot_filed_are_found():
    story = opened_with(PATIENT)
    assert story.file_orders(1, "take")
    assert differences(story)


def test_orders_that_did_not_fit_are_none_of_the_bot_s_when_the_game_goes_back():
    orders = PENNIES.standing_orders.parse("take pot of 5", PENNIES.notation.pawns)
    game = begin(**ONE_STRIKE).step(file_orders, 1, orders).move(1, "hide 3").move(0, "hide 0").move(2, "hide 0")
    assert game.expire(1).table.unfit.keys() == {1}
    assert game.expire(1).put_bot(1, PATIENT).table.unfit == {}


def test_going_back_leaves_the_bots_as_they_are():
    game = begin(**ONE_STRIKE).expire(1).move(0, "hide 3").put_bot(1, PATIENT)
    came = game.table.version
    meant = game.meaning(0)
    assert came not in meant.undone
    assert meant.free
    assert game.undo(0).table.chairs[1].bot == PATIENT
