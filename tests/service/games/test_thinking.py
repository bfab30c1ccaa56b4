"""What bots are asked, and what comes of their answers: blind, seeded, played as any move, dropped where too late."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from domain.engine.bots import Bot
from domain.engine.draws import draw_key, thought_seed
from domain.engine.game import Seat
from domain.engine.refusals import RuleViolation
from domain.rulesets import ruleset
from domain.search.position import Position
from service.games import bots, takeback, thinking
from service.games.questions import Question, pack_actions, pack_state, unpack_actions, unpack_state
from service.kernel.clock import SECOND
from service.store.games import thoughts
from service.store.games.thoughts import Thought
from tests.domain.table.pennies import Hide, Nod, Take
from tests.service.store.service_tables import check
from tests.tables import Tables
from tests.thinking import any_move, think_all
from workers.bots import mind_process

BOT = Bot(2, "patient")
LATER = 10**18


class BotTables(Tables):
    """Tables at which the test answers for the bots, a step at a time."""

    def claim(self) -> Thought:
        with self.services.database.write() as tx:
            found = thoughts.claim(tx, "worker", LATER, LATER + SECOND)
        assert found is not None
        return found

    def thoughts(self, game: str) -> Sequence[Thought]:
        with self.services.database.read() as connection:
            return thoughts.of_game(connection, game)

    def ask(self, thought: Thought) -> Question:
        with self.services.database.read() as connection:
            return thinking.ask(self.services, connection, thought)

    def answer(self, thought: Thought, *actions: Any) -> bool:
        with self.services.database.write() as tx:
            return thinking.answer(self.services, tx, thought, actions)

    def stand_in(self, thought: Thought) -> bool:
        with self.services.database.write() as tx:
            return thinking.stand_in(self.services, tx, thought)


@pytest.fixture
def tables(url: str, open_services: Any) -> BotTables:
    """On each database."""
    return BotTables(open_services(url))


@pytest.fixture
def on_sqlite(migrated_sqlite: str, open_services: Any) -> BotTables:
    return BotTables(open_services(migrated_sqlite))


# What is asked


def test_a_question_tells_the_blind_state_the_bot_and_a_seed_of_its_own(on_sqlite):
    game = on_sqlite.begin("ann", "bob", bots=[BOT])
    thought, table = on_sqlite.claim(), on_sqlite.head(game).table
    asked = on_sqlite.ask(thought)
    key = draw_key(bytes.fromhex(table.seed), [chair.nonce for chair in table.chairs])
    assert asked == Question("pennies", asked.state, 2, BOT, thought_seed(key, 2, thought.since), 0)
    assert unpack_state("pennies", asked.state) == ruleset("pennies").decider.blind(table.game, 2)
    assert table.seed not in str(asked)
    assert table.seed.encode() not in msgspec.json.encode(asked)


@pytest.mark.slow
def test_s08_what_a_bot_cannot_see_changes_neither_its_question_nor_its_move(on_sqlite):
    """The twin law: the same game but for the hands of others, which are shut."""
    game = on_sqlite.begin("ann", "bob", bots=[Bot(3)])
    thought, head = on_sqlite.claim(), on_sqlite.head(game)
    asked = []
    for hand in ("hide 0", "hide 3 a note"):
        on_sqlite.move(game, "ann", hand)
        asked.append(on_sqlite.ask(thought))
    assert on_sqlite.head(game).version == head.version + 2
    assert asked[0] == asked[1]
    first, second = map(mind_process.think, asked)
    assert first == second


def test_s08_twins_ask_the_same_in_every_election_of_a_game():
    """Whatever the others' sealed answers are, the blind state that crosses the pipe is the same bytes."""
    rng = random.Random(4)
    position, met = Position.new("tammany-hall", 4, rng=rng), 0
    decider = position.rules.decider
    for _ in range(400):
        if not position.awaiting:
            break
        seat = rng.choice(sorted(position.awaiting))
        if len(position.awaiting) > 1 and (others := sorted(position.awaiting - {seat})):
            twin, other = position.copy(), rng.choice(others)
            sealed = [sealed_answer(each, other, rng) for each in (position, twin)]
            if sealed[0] != sealed[1] and seat in position.awaiting & twin.awaiting:
                met += 1
                assert len({pack_state(decider.blind(each.state, seat)) for each in (position, twin)}) == 1
            continue
        position.push(position.sample_action(rng, seat), seat)
    assert met > 3


def sealed_answer(position: Position, seat: Seat, rng: random.Random) -> Any:
    action = position.sample_action(rng, seat)
    position.push(action, seat)
    return action


@pytest.mark.parametrize("kind, seats", [("tammany-hall", 5), ("city-hall", 4), ("tammany-hall", 3), ("city-hall", 2)])
def test_blind_states_and_moves_survive_the_pipe(kind, seats):
    rng = random.Random(seats)
    position = Position.new(kind, seats, rng=rng)
    decider = position.rules.decider
    for step in range(600):
        if not position.awaiting:
            break
        seat = rng.choice(sorted(position.awaiting))
        blind, action = decider.blind(position.state, seat), position.sample_action(rng, seat)
        if step % 3 == 0:
            told = unpack_state(kind, pack_state(blind))
            assert told == blind
            assert decider.caretaker(told, seat) == decider.caretaker(blind, seat)
            assert unpack_actions(kind, pack_actions([action])) == [action]
        position.push(action, seat)


def test_a_bot_is_asked_of_the_game_as_it_stood_when_it_was_first_asked(on_sqlite):
    """So whoever thinks again later needs to know no more than the event since which it was asked."""
    game = on_sqlite.begin("ann", "bob", bots=[BOT])
    thought = on_sqlite.claim()
    before = on_sqlite.ask(thought)
    on_sqlite.move(game, "ann", "hide 2")
    assert on_sqlite.head(game).version > thought.since
    assert on_sqlite.ask(thought) == before


def test_a_question_tells_how_many_answers_bots_gave_since_a_persons_last(on_sqlite):
    game = on_sqlite.begin("ann", bots=[BOT, BOT, BOT])
    first, *_ = on_sqlite.thoughts(game)
    assert on_sqlite.ask(first).answered == 0
    on_sqlite.move(game, "ann", "hide 0")
    for _ in range(2):
        on_sqlite.answer(on_sqlite.claim(), Hide(1))
    on_sqlite.answer(on_sqlite.claim(), Hide(3))
    (takes,) = on_sqlite.thoughts(game)
    assert on_sqlite.ask(takes).answered == 3
    on_sqlite.answer(on_sqlite.claim(), Nod())
    (takes,) = on_sqlite.thoughts(game)
    assert on_sqlite.ask(takes).answered == 4
    on_sqlite.answer(on_sqlite.claim(), Take())
    on_sqlite.move(game, "ann", "hide 1")
    assert on_sqlite.ask(on_sqlite.claim()).answered == 5, "they were asked before she moved"


# What comes of an answer


def test_an_answer_is_played_as_any_move_and_the_next_is_asked(tables):
    game = tables.begin("ann", bots=[BOT, Bot(1)])
    tables.move(game, "ann", "hide 0")
    assert tables.answer(tables.claim(), Hide(1))
    assert tables.answer(tables.claim(), Hide(3))
    (takes,) = tables.thoughts(game)
    assert (takes.decision, takes.bot) == ("take-1", Bot(1))
    assert tables.answer(tables.claim(), Take())
    check(tables.services, game)


def test_an_answer_that_the_rules_forbid_changes_nothing_and_the_thought_stays(on_sqlite):
    game = on_sqlite.begin("ann", bots=[BOT])
    thought, version = on_sqlite.claim(), on_sqlite.head(game).version
    with pytest.raises(RuleViolation):
        on_sqlite.answer(thought, Take())
    assert on_sqlite.head(game).version == version
    assert on_sqlite.answer(thought, Hide(1))


def test_an_answer_comes_too_late_when_the_game_went_back(on_sqlite):
    game = on_sqlite.begin("ann", "bob", bots=[BOT])
    thought, ann = on_sqlite.claim(), on_sqlite.player("ann")
    on_sqlite.move(game, "ann", "hide 3")
    with on_sqlite.services.database.write() as tx:
        takeback.go_back(on_sqlite.services, tx, game, ann)
    version = on_sqlite.head(game).version
    assert not on_sqlite.answer(thought, Hide(1))
    assert not on_sqlite.stand_in(thought)
    assert on_sqlite.head(game).version == version


def test_an_answer_comes_too_late_when_the_bot_was_sent_away_or_replaced(on_sqlite):
    game = on_sqlite.begin("ann", bots=[BOT])
    ann = on_sqlite.ids["ann"]
    thought = on_sqlite.claim()
    with on_sqlite.services.database.write() as tx:
        bots.seat_bot(on_sqlite.services, tx, game, ann, 1, Bot(3))
    assert not on_sqlite.answer(thought, Hide(1))
    thought = on_sqlite.claim()
    with on_sqlite.services.database.write() as tx:
        bots.send_bot_away(on_sqlite.services, tx, game, ann, 1)
    assert not on_sqlite.answer(thought, Hide(1))


def test_an_answer_of_another_holder_is_dropped(on_sqlite):
    on_sqlite.begin("ann", bots=[BOT])
    thought = on_sqlite.claim()
    stranger = msgspec.structs.replace(thought, lease_by="somebody")
    assert not on_sqlite.answer(stranger, Hide(1))
    assert on_sqlite.answer(thought, Hide(1))


def test_the_caretaker_stands_in_for_one_decision_and_the_history_verifies(tables):
    game = tables.begin("ann", bots=[BOT])
    tables.move(game, "ann", "hide 0")
    assert tables.stand_in(tables.claim())
    assert tables.head(game).table.game.hands == {0: 0, 1: 0}
    check(tables.services, game)


def test_where_the_caretaker_stands_in_nobody_goes_back_any_more(on_sqlite):
    """As where the bot had moved itself: the history is decided again as if it had."""
    game = on_sqlite.begin("ann", "bob", bots=[BOT])
    thought, before = on_sqlite.claim(), on_sqlite.head(game).version
    on_sqlite.move(game, "ann", "hide 1")
    on_sqlite.move(game, "bob", "hide 1")
    with on_sqlite.services.database.write() as tx:
        takeback.go_back(on_sqlite.services, tx, game, on_sqlite.ids["ann"], to=before + 1)
    assert on_sqlite.head(game).table.proposal is not None
    assert on_sqlite.stand_in(thought)
    assert on_sqlite.head(game).table.proposal is None
    check(on_sqlite.services, game)


@pytest.mark.parametrize("kind, seats", [("tammany-hall", 3), ("city-hall", 2), ("pennies", 4)])
@pytest.mark.slow
def test_a_whole_game_against_bots_verifies(on_sqlite, kind, seats):
    game = on_sqlite.begin("ann", bots=[BOT, Bot(1), Bot(3)][: seats - 1], kind=kind)
    rng = random.Random(kind)
    for _ in range(600):
        think_all(on_sqlite.services, any_move)
        head = on_sqlite.head(game)
        if head.table.status != "running":
            break
        rules, blind = head.rules, head.rules.decider.blind(head.table.game, 0)
        on_sqlite.move(game, "ann", rules.notation.write(rules.decider.sample(blind, 0, rng)))
    assert on_sqlite.head(game).table.status == "finished"
    check(on_sqlite.services, game)
