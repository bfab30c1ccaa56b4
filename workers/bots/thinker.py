"""The worker of bots: leases a thought, lets a process think, plays the move, and goes on to the next.

It may be killed at any line: a thought is leased, never locked; its lease is renewed while its holder lives, and the
move is played by whoever still holds it, in one transaction. A chain of bots is a chain of rows: nothing recurses.
"""

import time
from typing import Any, Final, NamedTuple

import structlog

from domain.engine.game import Seat
from domain.engine.refusals import RuleViolation
from service.container import Services
from service.games import thinking
from service.games.thinking import STOOD_IN, NoGuidance
from service.integrity.alarm import suspect
from service.kernel import request_ids
from service.kernel.child_process import ChildFailed
from service.kernel.clock import SECOND
from service.kernel.fault_points import reach
from service.kernel.ids import new_lease
from service.kernel.log import note
from service.store.database import Connection
from service.store.errors import DriverError
from service.store.games import thoughts
from service.store.games.thoughts import Thought
from service.store.running.heartbeats import beat
from service.telemetry import tracing
from workers.bots.mind import Mind, by_process, mind_process
from workers.channels.keeper import Keeper

log = structlog.get_logger("wardroom.bots")
MOST_ATTEMPTS: Final = 3
"""A thought that came to nothing so often is not thought again: the caretaker makes this one decision."""
PAUSE: Final = 1 * SECOND
"""Before a thought that failed is thought again."""
LONG_PAUSE: Final = 60 * SECOND
"""Before a game is looked at again that not even the caretaker can play."""


class Held(NamedTuple):
    """A thought in hand, by the seat it is for."""

    id: tuple[str, Seat]
    thought: Thought


class Thinker:
    """Works off what bots have to think about. `mind` finds the moves: unless given, a process of its own."""

    name = "bots"

    def __init__(self, services: Services, mind: Mind | None = None) -> None:
        self.services = services
        self.lease_seconds = services.settings.lease_seconds
        self.process = mind_process()
        self.mind = mind or by_process(self.process, services.settings.bot_seconds)

    def close(self) -> None:
        """End the process, in the midst of a thought: another will think it again."""
        self.process.close()

    def work(self, *, seconds: float = 40.0) -> int:
        """Think and play until nothing is left to think about or the time is over. How many thoughts were done with."""
        end, done = time.monotonic() + seconds, 0
        with Keeper(self.services, self) as keeper:
            while time.monotonic() < end and (thought := self._claim()) is not None:
                held = Held((thought.game_id, thought.seat), thought)
                keeper.hold(held)
                try:
                    done += self._work_off(thought)
                finally:
                    keeper.let_go(held)
        return done

    def renew(self, tx: Connection, held: Held, now: int, until: int) -> bool:
        """Hold a lease until then. False where it was lost."""
        return thoughts.renew(tx, held.thought, until)

    def _claim(self) -> Thought | None:
        """The next thought; looked for before anything is locked, since mostly there is none."""
        database = self.services.database
        with database.read() as connection:
            if not thoughts.is_due(connection, database.clock.now(connection)):
                return None
        with database.write() as tx:
            now = database.clock.now(tx)
            thought = thoughts.claim(tx, new_lease(self.services.entropy), now, now + self.lease_seconds * SECOND)
        reach("claimed")
        return thought

    def _work_off(self, thought: Thought) -> bool:
        """Let a bot think and play, or note that it could not. Whether the thought is done with."""
        with request_ids.under(self.services.entropy, thought.request_id), tracing.work("thought", thought.request_id):
            return self._work_under(thought)

    def _work_under(self, thought: Thought) -> bool:
        try:
            if thought.attempts > MOST_ATTEMPTS:
                return self._stand_in(thought, "nobody who began it came to its end")
            return self._think(thought)
        except NoGuidance:
            return self._stand_in(thought, "nothing is known of playing this game well")
        except DriverError as error:  # the lease runs out, and it comes again
            log.warning("a bot waits for the database", **_of(thought), error=type(error).__name__)
            return False
        except Exception as error:  # a thought that cannot be thought must not stop the others
            return self._failed(thought, error)

    def _think(self, thought: Thought) -> bool:
        with self.services.database.read() as connection:
            question = thinking.ask(self.services, connection, thought)
        reach("asked")
        actions = self.mind(question)
        reach("thought")
        with self.services.database.write() as tx:
            in_time = thinking.answer(self.services, tx, thought, actions)
            reach("played")
        if in_time:
            note("wardroom.bots", "a bot has played", **_of(thought))
        else:
            log.info("an answer came too late", **_of(thought))
        self.services.wakeup.wake()  # after the commit: somebody may be told
        return True

    def _failed(self, thought: Thought, error: Exception) -> bool:
        """Note an attempt in vain; after the last the caretaker decides."""
        log.warning("a thought failed", **_of(thought), error=type(error).__name__, why=_why(error))
        halted = suspect(self.services, thought.game_id, error) is not None
        if thought.attempts >= MOST_ATTEMPTS and not halted:
            return self._stand_in(thought, type(error).__name__)
        self._give_back(thought, PAUSE)
        return False

    def _stand_in(self, thought: Thought, why: str) -> bool:
        """Let the caretaker decide, so that the game goes on; whoever runs the service hears of it."""
        log.error("the caretaker plays for a bot", **_of(thought), strength=thought.strength, why=why)
        try:
            with self.services.database.write() as tx:
                thinking.stand_in(self.services, tx, thought)
            with self.services.database.write() as tx:  # apart: who holds the signs of life may want games
                beat(self.services.database, tx, STOOD_IN)
        except Exception as error:  # it may be the game that is at fault, and no other must wait for it
            log.error("nobody can play for a bot", **_of(thought), error=type(error).__name__, why=_why(error))
            suspect(self.services, thought.game_id, error)
            self._give_back(thought, LONG_PAUSE)
            return False
        self.services.wakeup.wake()
        return True

    def _give_back(self, thought: Thought, pause: int) -> None:
        with self.services.database.write() as tx:
            thoughts.release(tx, thought, self.services.database.clock.now(tx) + pause)


def _of(thought: Thought) -> dict[str, Any]:
    """Which thought it is, for the log."""
    return {"game": thought.game_id, "seat": thought.seat, "since": thought.since, "attempt": thought.attempts}


def _why(error: Exception) -> str:
    """The rule that was broken, or the kind of error in the process; never its words, which may tell a secret."""
    match error:
        case ChildFailed():
            return str(error).partition(":")[0]
        case RuleViolation(code=code):
            return code
    return ""
