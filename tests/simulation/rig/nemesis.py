"""A fault every few seconds: kills, freezes, restarts of every process, by a seed."""

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from tests.simulation.rig.stacks import Kept, Stack

EVERY: Final = 4.0
SHORT, LONG = 1.0, 7.0
"""Seconds that a process is away or frozen; sometimes longer than the next fault takes to come."""


class Nemesis:
    """What befalls a stack. `befell` counts it; `heal` ends what is under way."""

    def __init__(self, stack: Stack, seed: str) -> None:
        self.stack = stack
        self.chance = random.Random(seed)
        self.befell: Counter[str] = Counter()
        self.over = threading.Event()
        self.under_way: list[threading.Thread] = []
        self.busy: set[str] = set()

    def run(self, seconds: float) -> None:
        """Do harm for so long, then let all be well."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(EVERY)
            self._strike()
        self.over.set()
        for thread in self.under_way:
            thread.join(60)

    def _strike(self) -> None:
        faults = [fault for fault in self._faults() if fault[0].partition(":")[0] not in self.busy]
        if not faults:
            return
        name, act = self.chance.choice(faults)
        victim = name.partition(":")[0]
        self.busy.add(victim)
        self.befell[name] += 1

        def strike() -> None:
            try:
                act()
            finally:
                self.busy.discard(victim)

        self.under_way.append(threading.Thread(target=strike, daemon=True))
        self.under_way[-1].start()

    def _faults(self) -> list[tuple[str, Callable[[], None]]]:
        faults: list[tuple[str, Callable[[], None]]] = []
        for name, kept in self.stack.kept.items():
            soon = name != "mail server"
            faults += [(f"{name}: killed", lambda kept=kept, soon=soon: self._kill(kept, soon=soon))]  # type: ignore[misc]
            faults += [(f"{name}: frozen", lambda kept=kept: self._freeze(kept))]  # type: ignore[misc]
            if name not in ("mail server", "beat"):
                faults += [(f"{name}: child killed", kept.kill_children)]
        if self.stack.redis is not None:
            faults += [("redis: killed", self._kill_redis), ("redis: frozen", self._freeze_redis)]
            faults += [("database: connections ended", lambda: _done(self.stack.backends()))]
        return faults

    def _pause(self) -> None:
        self.over.wait(self.chance.uniform(SHORT, LONG))

    def _kill(self, kept: Kept, *, soon: bool) -> None:
        """Kill it; a supervisor starts our programs again after a second, somebody else's server is away for longer."""
        kept.kill()
        self.over.wait(SHORT) if soon else self._pause()
        kept.start()

    def _freeze(self, kept: Kept) -> None:
        kept.send(signal.SIGSTOP)
        self._pause()
        kept.send(signal.SIGCONT)

    def _kill_redis(self) -> None:
        assert self.stack.redis is not None
        self.stack.redis.stop()
        self._pause()
        self.stack.redis.start()

    def _freeze_redis(self) -> None:
        assert self.stack.redis is not None
        self.stack.redis.process.send_signal(signal.SIGSTOP)
        self._pause()
        self.stack.redis.process.send_signal(signal.SIGCONT)


def _done(_: object) -> None:
    """What it came to is nobody's concern."""
