"""The streams of open pages: which games each hears of, how many there may be, and what is still to be told to it.

Of each game only its last version is kept for a stream, so a reader who is slow costs no memory; one who takes nothing
for a while is dropped. All of it runs in one event loop.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

MOST: Final = 5_000
MOST_OF_A_NETWORK: Final = 200
"""A school or an office looks like one network."""
HEARTBEAT: Final = 20.0
"""Seconds of silence after which a comment is sent, so that proxies and pages know that the stream lives."""
PATIENCE: Final = 15.0
"""Seconds that a reader may take for what it is sent."""
ROUND: Final = 1.0
COMMENT: Final = b":\n\n"
Send = Callable[[bytes], Awaitable[None]]


class TooMany(Exception):
    """There is no room for another stream, at all or from this network."""


class Stream:
    """One page that hears of its games until the moment its ticket ends, by the loop's clock."""

    __slots__ = (
        "_began", "_busy_since", "_last", "_send", "_sending", "_task", "_waiting", "games", "network", "until",
    )  # fmt: skip

    def __init__(self, games: Iterable[str], network: str, until: float, send: Send) -> None:
        self.games = tuple(games)
        self.network = network
        self.until = until
        self._send = send
        self._task = asyncio.current_task()
        self._waiting: dict[str, int] = {}
        self._sending: asyncio.Task[None] | None = None
        self._busy_since = 0.0
        self._last = time.monotonic()
        self._began = False

    def begin(self) -> None:
        """The answer has begun: tell what came meanwhile, and from now on all at once."""
        self._began = True
        if self._waiting:
            self._begin()

    def tell(self, game: str, version: int) -> None:
        """Send that a game has moved, once what is under way is sent."""
        self._waiting[game] = version
        self._begin()

    def look(self, now: float) -> None:
        """End it where its time is over or its reader takes nothing; let it hear a heartbeat after a silence."""
        if now >= self.until or (self._sending is not None and now - self._busy_since > PATIENCE):
            self.end()
        elif self._sending is None and now - self._last > HEARTBEAT:
            self._begin()

    def end(self) -> None:
        """End the wait of the task that holds it open."""
        if self._task is not None:
            self._task.cancel()

    def close(self) -> None:
        """Send nothing more."""
        if self._sending is not None:
            self._sending.cancel()

    def _begin(self) -> None:
        if self._began and self._sending is None:
            self._busy_since = time.monotonic()
            self._sending = asyncio.ensure_future(self._flush())

    async def _flush(self) -> None:
        try:
            while True:
                told, self._waiting = self._waiting, {}
                await self._send(b"".join(map(_event, told.items())) or COMMENT)
                self._last = self._busy_since = time.monotonic()
                if not self._waiting:
                    break
        except OSError:  # its reader is gone, which the task that holds it is told as well
            pass
        finally:
            self._sending = None


class Streams:
    """All streams of a process. While nothing feeds them there are none: a page that waits in vain asks by itself."""

    def __init__(self, most: int = MOST, most_of_a_network: int = MOST_OF_A_NETWORK) -> None:
        self.most, self.most_of_a_network = most, most_of_a_network
        self.is_fed = False
        self.open: set[Stream] = set()
        self._by_game: dict[str, set[Stream]] = {}
        self._networks: Counter[str] = Counter()

    def add(self, stream: Stream) -> None:
        """Let a stream hear from now on. Raises TooMany."""
        if len(self.open) >= self.most or self._networks[stream.network] >= self.most_of_a_network:
            raise TooMany
        self.open.add(stream)
        self._networks[stream.network] += 1
        for game in stream.games:
            self._by_game.setdefault(game, set()).add(stream)

    def remove(self, stream: Stream) -> None:
        """Let it hear no more."""
        stream.close()
        self.open.discard(stream)
        self._networks -= Counter([stream.network])
        for game in stream.games:
            of_game = self._by_game.get(game, set())
            of_game.discard(stream)
            if not of_game:
                self._by_game.pop(game, None)

    def tell(self, game: str, version: int) -> None:
        """A game has moved."""
        for stream in self._by_game.get(game, ()):
            stream.tell(game, version)

    def feed(self, is_fed: bool) -> None:
        """Note whether all moves are heard of; where they are not, every stream ends."""
        self.is_fed = is_fed
        if not is_fed:
            self.end()

    def end(self) -> None:
        """End all streams."""
        for stream in tuple(self.open):
            stream.end()

    async def look_after(self) -> None:
        """Heartbeats, ends, and readers who take nothing, for ever."""
        while True:
            await asyncio.sleep(ROUND)
            now = time.monotonic()
            for stream in tuple(self.open):
                stream.look(now)


def _event(moved: tuple[str, int]) -> bytes:
    """A message of a stream (HTML, 9.2.6)."""
    game, version = moved
    return b"data: " + json.dumps({"game": game, "version": version}, separators=(",", ":")).encode() + b"\n\n"
