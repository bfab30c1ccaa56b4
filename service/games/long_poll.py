"""Long polls: wait for news of a game without holding a database connection (Q-13)."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from service.container import Services
from service.store.games import game_rows

PAUSE: Final = 0.5
MOST_OF_A_PLAYER: Final = 2
AGAIN: Final = 5
"""Seconds after which to ask again where there was no room to wait."""
STRANGER: Final = "address:"
"""How those are called who wait without being signed in: by the network they come from."""
_lock: Final = threading.Lock()
_waiting: Final[dict[str, list["Wait"]]] = {}
"""Those of each player, the oldest first."""


@dataclass(slots=True, eq=False)
class Wait:
    """Somebody's wait, until another takes its place."""

    replaced: bool = False


class TooManyWaiting(Exception):
    """This player already waits elsewhere, as often as one may."""


class NoRoom(Exception):
    """No thread of this process is left for a stream."""


def for_news(
    services: Services,
    player: str,
    game: str,
    after: int,
    seconds: int,
    *,
    in_place: bool = False,
    gone: Callable[[], bool] = lambda: False,
) -> bool:
    """Wait until the game has moved past version `after`, or the time is over, and return True.

    Returns False at once if this process has no room to wait. Returns False as well if another wait takes the place
    of this one, if the client is `gone`, and if the process is to end.
    Raises TooManyWaiting. If a wait may stand `in_place` of the player's oldest, that one ends instead.
    """
    wait = Wait()
    with _lock:
        mine = _waiting.get(player, [])
        if len(mine) >= MOST_OF_A_PLAYER and not in_place:
            raise TooManyWaiting
        if _waits() >= max(1, services.settings.threads // 2):
            return False
        if player.startswith(STRANGER) and _waits(STRANGER) >= services.settings.threads // 4:
            return False  # the rest is for those who play
        for oldest in mine[: len(mine) - MOST_OF_A_PLAYER + 1]:
            oldest.replaced = True
        _waiting.setdefault(player, []).append(wait)
    try:
        return _watch(services, game, after, time.monotonic() + seconds, wait, gone)
    finally:
        with _lock:
            _waiting[player].remove(wait)
            if not _waiting[player]:
                del _waiting[player]


@contextmanager
def held(services: Services, player: str) -> Iterator[None]:
    """Take a place among those who wait in this process, for a stream. Raises NoRoom and TooManyWaiting."""
    stream = Wait()
    with _lock:
        if len(_waiting.get(player, [])) >= MOST_OF_A_PLAYER:
            raise TooManyWaiting
        if _waits() >= max(1, services.settings.threads // 2):
            raise NoRoom
        if player.startswith(STRANGER) and _waits(STRANGER) >= services.settings.threads // 4:
            raise NoRoom
        _waiting.setdefault(player, []).append(stream)
    try:
        yield
    finally:
        with _lock:
            _waiting[player].remove(stream)
            if not _waiting[player]:
                del _waiting[player]


def _waits(of: str = "") -> int:
    """How many wait in this process, of those whose name begins so."""
    return sum(len(waits) for name, waits in _waiting.items() if name.startswith(of))


def _watch(services: Services, game: str, after: int, end: float, wait: Wait, gone: Callable[[], bool]) -> bool:
    while (left := end - time.monotonic()) > 0:
        with services.database.read() as connection:
            version = game_rows.version(connection, game)
        if version is None or version > after:
            return True
        if wait.replaced or gone() or not services.serves():
            return False
        time.sleep(min(PAUSE, left))
    return True
