"""The streams that are held: of what each hears, how many there may be; and, for those of open pages, what is still to
be told to it.

Of each game only its last version is kept for a page, so a reader who is slow costs no memory; one who takes nothing
for a while is dropped. All of it runs in one event loop.
"""

import asyncio
import json
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, Protocol

MOST: Final = 5_000
MOST_OF_A_NETWORK: Final = 200
"""A school or an office looks like one network."""
MOST_OF_A_PERSON: Final = 2
"""Streams of the API; pages are counted by their network alone, for their tickets name nobody."""
HEARTBEAT: Final = 20.0
"""Seconds of silence after which a comment is sent, so that proxies and pages know that the stream lives."""
PATIENCE: Final = 15.0
"""Seconds that a reader may take for what it is sent."""
ROUND: Final = 1.0
REMEMBERED: Final = 30.0
"""Seconds for which it is known what was told, for a stream that is being opened."""
COMMENT: Final = b":\n\n"
Send = Callable[[bytes], Awaitable[None]]


class TooMany(Exception):
    """There is no room for another stream, at all or from this network."""


class TooManyOfAPerson(Exception):
    """This person, or network of a stranger, holds as many streams of the API as one may."""


class Held(Protocol):
    """A stream that is held: of which games and people it hears, from which network, and for whom it counts."""

    hears: Sequence[str]
    network: str
    whose: str

    def tell(self, name: str, version: int) -> None:
        """A game has moved, or there may be something new for a person."""

    def look(self, now: float) -> None:
        """See to what is due, by the loop's clock."""

    def feed(self, is_fed: bool) -> None:
        """Moves are heard of from now on, or no longer."""

    def end(self) -> None:
        """End it."""

    def close(self) -> None:
        """Send nothing more."""


class Stream:
    """One page that hears of its games until the moment its ticket ends, by the loop's clock."""

    __slots__ = (
        "_began", "_busy_since", "_last", "_send", "_sending", "_task", "_waiting",
        "hears", "network", "until", "whose",
    )  # fmt: skip

    def __init__(self, games: Iterable[str], network: str, until: float, send: Send) -> None:
        self.hears: Sequence[str] = tuple(games)
        self.network = network
        self.whose = ""
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

    def tell(self, name: str, version: int) -> None:
        """Send that a game has moved, once what is under way is sent."""
        self._waiting[name] = version
        self._begin()

    def look(self, now: float) -> None:
        """End it where its time is over or its reader takes nothing; let it hear a heartbeat after a silence."""
        if now >= self.until or (self._sending is not None and now - self._busy_since > PATIENCE):
            self.end()
        elif self._sending is None and now - self._last > HEARTBEAT:
            self._begin()

    def feed(self, is_fed: bool) -> None:
        """End where nothing is heard: a page that waits in vain asks by itself."""
        if not is_fed:
            self.end()

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
    """All streams of a process."""

    def __init__(
        self,
        most: int = MOST,
        most_of_a_network: int = MOST_OF_A_NETWORK,
        most_of_a_person: int = MOST_OF_A_PERSON,
    ) -> None:
        self.most, self.most_of_a_network, self.most_of_a_person = most, most_of_a_network, most_of_a_person
        self.is_fed = False
        self.open: set[Held] = set()
        self._by_name: dict[str, set[Held]] = {}
        self._networks: Counter[str] = Counter()
        self._people: Counter[str] = Counter()
        self._told: dict[str, float] = {}

    def add(self, stream: Held) -> None:
        """Let a stream hear from now on. Raises TooMany."""
        if len(self.open) >= self.most or self._networks[stream.network] >= self.most_of_a_network:
            raise TooMany
        self.open.add(stream)
        self._networks[stream.network] += 1
        self._register(stream)

    def settle(self, stream: Held, whose: str, hears: str, since: float) -> None:
        """Let a stream that was added hear of a game or a person, also of what was told since then. Raises
        TooManyOfAPerson."""
        if self._people[whose] >= self.most_of_a_person:
            raise TooManyOfAPerson
        self._people[whose] += 1
        stream.whose, stream.hears = whose, (hears,)
        self._register(stream)
        if self._told.get(hears, -math.inf) >= since:
            stream.tell(hears, 0)

    def _register(self, stream: Held) -> None:
        for name in stream.hears:
            self._by_name.setdefault(name, set()).add(stream)

    def remove(self, stream: Held) -> None:
        """Let it hear no more; nothing where it was removed before."""
        if stream not in self.open:
            return
        stream.close()
        self.open.discard(stream)
        self._networks -= Counter([stream.network])
        self._people -= Counter([stream.whose])
        for name in stream.hears:
            of_name = self._by_name.get(name, set())
            of_name.discard(stream)
            if not of_name:
                self._by_name.pop(name, None)

    def tell(self, name: str, version: int) -> None:
        """A game has moved, or there may be something new for a person."""
        self._told[name] = time.monotonic()
        for stream in self._by_name.get(name, ()):
            stream.tell(name, version)

    def feed(self, is_fed: bool) -> None:
        """Note whether all moves are heard of."""
        self.is_fed = is_fed
        for stream in tuple(self.open):
            stream.feed(is_fed)

    def end(self) -> None:
        """End all streams."""
        for stream in tuple(self.open):
            stream.end()

    async def look_after(self) -> None:
        """Heartbeats, ends, and readers who take nothing, for ever."""
        while True:
            await asyncio.sleep(ROUND)
            now = time.monotonic()
            self._told = {name: at for name, at in self._told.items() if at > now - REMEMBERED}
            for stream in tuple(self.open):
                stream.look(now)


def _event(moved: tuple[str, int]) -> bytes:
    """A message of a stream (HTML, 9.2.6)."""
    game, version = moved
    return b"data: " + json.dumps({"game": game, "version": version}, separators=(",", ":")).encode() + b"\n\n"
