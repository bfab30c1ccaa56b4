"""What bots think about: the question to the process that thinks, and its answer, played as any move is.

Between the two no transaction is open. An answer that comes too late, since the game went back, or ended, or the seat
is somebody else's, finds another thought in the table or none, and is dropped.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from domain.engine.draws import draw_key, thought_seed
from domain.engine.game import Action
from domain.table.play import acted, caretake, play
from domain.table.record import Record, seat_actor
from domain.table.state import Table
from service.container import Services
from service.games.commit import lock
from service.games.play import conclude
from service.games.questions import Question, pack_state
from service.store.database import Connection
from service.store.games import thoughts
from service.store.games.thoughts import Thought

STOOD_IN: Final = "caretaker-for-bot"
"""Of the sign of life that tells when the caretaker last decided for a bot."""


class NoGuidance(LookupError):
    """Nothing is known of playing a ruleset well: no bot can think about it."""


LOOKED_BACK: Final = 400
"""Events among which a person's last answer is looked for."""


def ask(services: Services, connection: Connection, thought: Thought) -> Question:
    """What a bot is asked, of the game as it stood when it was first asked: the same whoever answers, and when.

    It is folded from the history, as whoever thinks it again will do: in the state beside the head, what was given in
    no order may stand in another one, and a search takes moves as they come. Raises NoGuidance.
    """
    game, since = thought.game_id, thought.since
    rules = services.streams.head(connection, game).rules
    if rules.guidance is None:
        raise NoGuidance(rules.kind)
    table = services.streams.table_at(connection, game, rules, since)
    state = rules.decider.blind(table.game, thought.seat)
    answered = _answered_by_bots(services, connection, game, table, since)
    return Question(rules.kind, pack_state(state), thought.seat, thought.bot, seed_of(table, thought), answered)


def seed_of(table: Table, thought: Thought) -> bytes:
    """The seed of a thought: the draws' key, which makes it, is revealed when the game is over."""
    assert table.seed is not None
    key = draw_key(bytes.fromhex(table.seed), [chair.nonce for chair in table.chairs])
    return thought_seed(key, thought.seat, thought.since)


def answer(services: Services, tx: Connection, thought: Thought, actions: Sequence[Action]) -> bool:
    """Play what a bot has thought of. False where it is not asked that any more.

    Raises RuleViolation where the rules forbid it (nothing recorded).
    """
    head = lock(services, tx, thought.game_id)
    if not thoughts.hold(tx, thought):
        return False
    record = Record(head.table, head.rules)
    play(record, thought.seat, actions)
    conclude(services, tx, head, record, seat_actor(thought.seat))
    return True


def stand_in(services: Services, tx: Connection, thought: Thought) -> bool:
    """Let the caretaker make one decision of a bot. False where it is not asked that any more."""
    head = lock(services, tx, thought.game_id)
    if not thoughts.hold(tx, thought):
        return False
    record, actor = Record(head.table, head.rules), seat_actor(thought.seat)
    caretake(record, thought.seat, actor)
    acted(record, thought.seat)
    conclude(services, tx, head, record, actor)
    return True


def _answered_by_bots(services: Services, connection: Connection, game: str, table: Table, since: int) -> int:
    """How many answers in a row were given by bots that think, up to this event."""
    actors = services.streams.requests(connection, game, max(0, since - LOOKED_BACK), since)
    seats = (actor.get("seat") for actor in reversed(actors))
    return sum(1 for _ in takewhile(lambda seat: seat is not None and table.chairs[seat].thinks, seats))
