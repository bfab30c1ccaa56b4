"""The worker of analyses: leases one, lets a process study a slice of it, writes down what was found, and goes on.

It may be killed at any line: another goes on from the last slice when the lease is over. Bots that think go first.
"""

import time
from collections.abc import Callable
from typing import Final

import msgspec
import structlog

from service.container import Services
from service.games import history_queries
from service.integrity.alarm import suspect
from service.kernel.child_process import ChildFailed, ChildProcess
from service.kernel.clock import SECOND
from service.kernel.fault_points import reach
from service.kernel.ids import new_lease
from service.store.errors import DriverError
from service.store.event_store.streams import NoSuchGame
from service.store.games import analyses, thoughts
from service.store.games.analyses import Analysis
from workers.loop import Loop
from workers.teacher.study_process import Slice, Studied

log = structlog.get_logger("wardroom.teacher")
NICENESS: Final = 19
SLICE: Final = 3.0
"""Seconds after which what was found is written down."""
PATIENCE: Final = 120.0
"""Seconds for a slice on the clock: the last question of it may be a long one, and the machine busy."""
LEASE: Final = 180
"""Seconds: more than a slice may take."""
LONGEST_WAIT: Final = 30.0
"""Seconds that bots may hold up a slice."""
MOST_ATTEMPTS: Final = 3
"""An analysis that came no further so often is given up."""
Study = Callable[[Slice], Studied]
"""Raises ChildGone, ChildFailed."""


class Teacher:
    """Works off the analyses that people wait for. `study` studies a slice: unless given, a process of its own does."""

    def __init__(self, services: Services, study: Study | None = None) -> None:
        self.services = services
        self.waits_since: float | None = None
        self.process = ChildProcess("workers.teacher.study_process", NICENESS)
        self.study = study or (lambda asked: self.process.ask(asked, Studied, PATIENCE))

    def close(self) -> None:
        """End the process, in the midst of a slice: another will study it."""
        self.process.close()

    def work(self, *, seconds: float = 40.0) -> int:
        """Study slice by slice until nothing is left, the time is over or a bot waits. How many slices were studied."""
        end, slices = time.monotonic() + seconds, 0
        analysis = self._claim()
        while analysis is not None:
            analysis = self._go_on(analysis)
            slices += 1
            if analysis is not None and (time.monotonic() > end or self._must_wait()):
                with self.services.database.write() as tx:
                    analyses.release(tx, analysis)
                return slices
            analysis = analysis or self._claim()
        return slices

    def _claim(self) -> Analysis | None:
        """The next analysis; looked for before anything is locked, since mostly there is none."""
        database = self.services.database
        with database.read() as connection:
            if not analyses.is_due(connection, database.clock.now(connection)):
                return None
        if self._must_wait():
            return None
        with database.write() as tx:
            now = database.clock.now(tx)
            return analyses.take(tx, new_lease(self.services.entropy), now, now + LEASE * SECOND)

    def _must_wait(self) -> bool:
        """Whether a bot thinks, or is to: somebody waits for that at a table. Where some always do, for a while."""
        database, now = self.services.database, time.monotonic()
        with database.read() as connection:
            queue = thoughts.count(connection, database.clock.now(connection))
        if not queue.waiting and not queue.under_way:
            self.waits_since = None
            return False
        if self.waits_since is not None and now - self.waits_since > LONGEST_WAIT:
            self.waits_since = None
            return False
        self.waits_since = self.waits_since or now
        return True

    def _go_on(self, analysis: Analysis) -> Analysis | None:
        """One slice more. The analysis with it; None where it is done, was cancelled or lost, or came no further."""
        reach("claimed")
        if analysis.attempts > MOST_ATTEMPTS:
            self._give_up(analysis, "nobody who began it came further")
            return None
        try:
            studied = self._slice(analysis)
        except DriverError:  # the lease runs out, and it comes again
            raise
        except Exception as error:  # what cannot be studied must not stop the others
            self._failed(analysis, error)
            return None
        reach("studied")
        with self.services.database.write() as tx:
            until = self.services.database.clock.now(tx) + LEASE * SECOND
            kept = analyses.add(tx, analysis, studied.findings, studied.done, studied.total, until)
        reach("written")
        if not kept or studied.done >= studied.total:
            return None
        return msgspec.structs.replace(analysis, done=studied.done, total=studied.total, attempts=0)

    def _slice(self, analysis: Analysis) -> Studied:
        """The next questions, studied; the process is told the history where it does not know it."""
        with self.services.database.read() as connection:
            head = self.services.streams.head(connection, analysis.game_id)
        asked = Slice(f"{head.game}.{head.hash}", analysis.strength, analysis.done, SLICE)
        studied = self.study(asked)
        if not studied.unknown:
            return studied
        with self.services.database.read() as connection:
            lines = [line.decode() for line in history_queries.export(self.services, connection, head, None)]
        return self.study(msgspec.structs.replace(asked, lines=lines))

    def _failed(self, analysis: Analysis, error: Exception) -> None:
        """Give up what fails whenever it is tried, and anything after its last attempt; else let it be tried again."""
        reason = str(error).partition(":")[0] if isinstance(error, ChildFailed) else type(error).__name__
        is_hopeless = isinstance(error, (ChildFailed, NoSuchGame)) or analysis.attempts >= MOST_ATTEMPTS
        if is_hopeless or suspect(self.services, analysis.game_id, error) is not None:
            self._give_up(analysis, reason)
            return
        log.warning("a slice of an analysis was lost", game=analysis.game_id, attempt=analysis.attempts, error=reason)
        with self.services.database.write() as tx:
            analyses.release(tx, analysis)

    def _give_up(self, analysis: Analysis, reason: str) -> None:
        """Note that it cannot be made; the reason names the error and quotes nothing."""
        log.error("an analysis failed", game=analysis.game_id, strength=analysis.strength, error=reason)
        with self.services.database.write() as tx:
            analyses.fail(tx, analysis, reason)


def teacher(services: Services) -> Loop:
    """The thread that waits for the process: it looks for analyses as often as a sweep, and when it is woken."""
    works = Teacher(services)
    return Loop("teacher", works.work, services.settings.sweep_seconds, at_end=works.close)
