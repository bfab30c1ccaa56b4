"""A thread that does one thing again and again: the embedded scheduler, the ticker beside a pool, the IMAP poller."""

import threading
from collections.abc import Callable

import structlog

log = structlog.get_logger("wardroom.loop")


class Loop:
    """A daemon thread that calls `act` every `interval` seconds and whenever it is woken, until stopped.

    The first call is made at once, unless told to wait for it as for any other.
    What `act` raises is logged and survived: the next call comes after `pause` seconds where that is longer. `stop`
    waits up to `patience` seconds for a call under way; `at_end` is called last. Nothing starts unless `enabled`.
    """

    def __init__(
        self,
        name: str,
        act: Callable[[], object],
        interval: float,
        *,
        woken: threading.Event | None = None,
        pause: float = 0,
        patience: float = 0,
        at_end: Callable[[], object] = lambda: None,
        enabled: bool = True,
        at_once: bool = True,
    ) -> None:
        self.act, self.interval, self.pause, self.patience = act, interval, pause, patience
        self.at_end, self.enabled, self.at_once = at_end, enabled, at_once
        self.woken = threading.Event() if woken is None else woken
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        if self.enabled:
            self.thread.start()

    def wake(self) -> None:
        """Call `act` soon, and once more if a call is under way."""
        self.woken.set()

    def stop(self) -> None:
        """End after the call under way."""
        self.stopped.set()
        self.woken.set()
        if self.thread.is_alive():
            self.thread.join(self.patience)

    def _run(self) -> None:
        if not self.at_once:
            self._wait(self.interval)
        while not self.stopped.is_set():
            wait = self.interval
            try:
                self.act()
            except Exception as error:  # the thread must outlive whatever is away just now
                log.exception("a round failed", loop=self.thread.name, error=type(error).__name__)
                wait = max(wait, self.pause)
            self._wait(wait)
        self.at_end()

    def _wait(self, seconds: float) -> None:
        self.woken.wait(seconds)
        self.woken.clear()
