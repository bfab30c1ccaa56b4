"""A stream of the API: it goes on by short requests to the web application, which says what is new and writes it."""

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from service.kernel.log import log
from service.news.asking import Away
from service.news.holding import Hold
from service.news.streams import PATIENCE, Send

HEARTBEAT: Final = 15.0
"""Seconds of silence after which a line without anything is sent."""
LIFE: Final = (540.0, 600.0)
"""Seconds that a stream lasts: not all of them end at one moment after a restart."""
LOOK: Final = 60.0
"""Seconds after which it is asked what is new though no hint came: about so long a hint may be lost, and a token that
has ended be listened for."""
LOOK_UNFED: Final = 20.0
"""The same while hints are not heard."""
SPREAD: Final = (0.75, 1.25)
CATCHING_UP: Final = 5.0
"""Seconds over which all look once hints are heard again."""
GAP: Final = 0.1
"""Seconds between two looks of a stream that hears many hints."""
LATER: Final = (2.0, 10.0)
"""Seconds until an application that was away is asked again."""
Look = Callable[[str], Awaitable[tuple[Hold, bytes]]]
"""What is new behind a place, and how to go on. Raises Over and Away."""


class Over(Exception):
    """The application refuses to go on: its reader may hear no more, or has to come again."""


class ApiStream:
    """One stream of the API. It sends nothing before it has begun, and counts as soon as it is asked for."""

    __slots__ = (
        "_beat", "_beating", "_is_wanted", "_last", "_lock", "_look", "_look_at", "_looking", "_period", "_send",
        "_task", "_until", "_writing_since", "hears", "network", "place", "whose",
    )  # fmt: skip

    def __init__(self, network: str, send: Send) -> None:
        self.hears: Sequence[str] = ()
        self.network = network
        self.whose = ""
        self.place = ""
        self._send = send
        self._task = asyncio.current_task()
        self._look: Look | None = None
        self._lock = asyncio.Lock()  # of what is sent
        self._looking: asyncio.Task[None] | None = None
        self._beating: asyncio.Task[None] | None = None
        self._beat = b""
        self._is_wanted = False
        self._look_at = self._until = math.inf
        self._last = time.monotonic()
        self._period = LOOK
        self._writing_since: float | None = None

    def begin(self, hold: Hold, first: bytes, look: Look, beat: bytes, *, is_fed: bool) -> None:
        """Its answer has begun: what it tells first, and how it goes on; `beat` is what is sent after a silence."""
        self._look, self._beat = look, beat
        self._last = time.monotonic()
        self._until = self._last + random.uniform(*LIFE)  # noqa: S311 - no secret
        self._period = LOOK if is_fed else LOOK_UNFED
        self._go_on_from(hold)
        self._looking = asyncio.ensure_future(self._catch_up(look, first))

    def tell(self, name: str, version: int) -> None:
        """There may be something new: look."""
        self._want()

    def look(self, now: float) -> None:
        """End it where its time is over or its reader takes nothing; look after a while; break a long silence."""
        stalls = self._writing_since is not None and now - self._writing_since > PATIENCE
        if now >= self._until or stalls:
            return self.end()
        if now >= self._look_at:
            self._want()
        if self._look is not None and not self._lock.locked() and now - self._last > HEARTBEAT:
            self._beating = asyncio.ensure_future(self._write(self._beat))

    def feed(self, is_fed: bool) -> None:
        """Look more often while hints are not heard, and soon once they are heard again."""
        self._period = LOOK if is_fed else LOOK_UNFED
        soon = time.monotonic() + random.uniform(0, CATCHING_UP)  # noqa: S311 - no secret
        self._look_at = min(self._look_at, soon)

    def end(self) -> None:
        """End the wait of the task that holds it open; one that has not begun is not held, and ends by itself."""
        if self._look is not None and self._task is not None:
            self._task.cancel()

    def close(self) -> None:
        """Send nothing more."""
        for task in (self._looking, self._beating):
            if task is not None:
                task.cancel()

    def _want(self) -> None:
        self._is_wanted = True
        if self._look is not None and self._looking is None:
            self._looking = asyncio.ensure_future(self._catch_up(self._look))

    async def _catch_up(self, look: Look, first: bytes = b"") -> None:
        """Look and write as long as there is something new."""
        try:
            await self._write(first)
            while self._is_wanted:
                self._is_wanted, self._look_at = False, math.inf
                hold, body = await look(self.place)
                await self._write(body)
                self._go_on_from(hold)
                if not hold.is_behind:
                    await asyncio.sleep(GAP)
        except Away:
            self._look_at = time.monotonic() + random.uniform(*LATER)  # noqa: S311 - no secret
        except (Over, OSError):  # its reader is gone, or may hear no more
            self.end()
        except Exception as error:  # nobody must wait in vain
            log("wardroom.news", "error", "a stream of the API ends", error=type(error).__name__)
            self.end()
        finally:
            self._looking = None

    def _go_on_from(self, hold: Hold) -> None:
        self.place = hold.place
        self._is_wanted |= hold.is_behind
        wait = self._period * random.uniform(*SPREAD)  # noqa: S311 - no secret
        self._look_at = time.monotonic() + (wait if hold.due_in is None else min(wait, hold.due_in))

    async def _write(self, body: bytes) -> None:
        if not body:
            return
        async with self._lock:
            self._writing_since = time.monotonic()
            try:
                await self._send(body)
            finally:
                self._writing_since = None
            self._last = time.monotonic()
