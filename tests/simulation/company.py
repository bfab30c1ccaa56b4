"""The processes: players and workers, forked from the conductor, killed and forked again."""

import ctypes
import multiprocessing
import os
import random
import signal
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any, Final, NoReturn

from tests.simulation.sink import note_of

PR_SET_PDEATHSIG: Final = 1
FORKS: Final = multiprocessing.get_context("fork")


def _die_with_parent() -> None:
    """Nobody outlives the conductor, however it ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Hand:
    """One process, and the line to it."""

    def __init__(self, number: int, run: Callable[[int, Pipe], None], log: Path) -> None:
        self.number = number
        self.run = run
        self.log = log
        self.frozen = False
        self.pipe: Pipe
        self.start()

    def start(self) -> None:
        """Fork it."""
        self.pipe, theirs = FORKS.Pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self._be(theirs)
        theirs.close()
        self.alive, self.frozen = True, False

    def _be(self, pipe: Pipe) -> None:
        """What the child does, to its end."""
        try:
            _die_with_parent()
            out = os.open(self.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.dup2(out, 1)
            os.dup2(out, 2)
            self.pipe.close()
            self.run(self.number, pipe)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(1)

    def tell(self, message: Any) -> "Hand":
        """Send it something to do."""
        try:
            self.pipe.send(message)
        except BrokenPipeError:
            self._gone()
        return self

    def hear(self) -> Any:
        """What it has to say."""
        try:
            return self.pipe.recv()
        except EOFError:
            self._gone()

    def _gone(self) -> NoReturn:
        said = self.log.read_text(errors="replace")[-4000:]
        raise SystemExit(f"{self.log.stem} ended by itself; it said: {said}")


class Company:
    """Everybody who acts."""

    def __init__(
        self,
        players: int,
        workers: int,
        play: Callable[[int, Pipe], None],
        work: Callable[[int, Pipe], None],
        folder: Path,
    ) -> None:
        self.sink = folder / "sink.ndjson"
        self.players = [Hand(number, play, folder / f"player-{number}.log") for number in range(players)]
        self.workers = [Hand(number, work, folder / f"worker-{number}.log") for number in range(workers)]

    def free(self) -> list[Hand]:
        """The workers that can take a task."""
        return [hand for hand in self.workers if hand.alive and not hand.frozen]

    def kill(self, hand: Hand, at: int) -> None:
        """kill -9."""
        os.kill(hand.pid, signal.SIGKILL)
        os.waitpid(hand.pid, 0)
        hand.alive = False
        hand.pipe.close()
        note_of(self.sink, {"worker": hand.number, "pid": hand.pid, "what": "killed", "at": at})

    def revive(self, chance: random.Random) -> None:
        """Most of the dead are started again a moment later; there is always one to work."""
        for hand in self.workers:
            if not hand.alive and (chance.random() < 0.6 or not self.free()):
                hand.start()

    def end(self) -> None:
        """Everybody goes."""
        for hand in [*self.players, *self.workers]:
            if hand.alive:
                os.kill(hand.pid, signal.SIGKILL)
                os.waitpid(hand.pid, 0)
                hand.alive = False
