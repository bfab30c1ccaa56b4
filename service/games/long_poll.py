"""Long polls: wait for news of a game without holding a database connection (Q-13)."""

import threading
import time
from collections import Counter
from typing import Final

from service.container import Services
from service.store import game_rows

PAUSE: Final = 0.5
MOST_OF_A_PLAYER: Final = 2
AGAIN: Final = 5
"""Seconds after which to ask again where there was no room to wait."""
_waiting: Counter[str] = Counter()
_lock: Final = threading.Lock()


class TooManyWaiting(Exception):
    """This player already waits elsewhere, as often as one may."""


def for_news(services: Services, player: str, game: str, after: int, seconds: int) -> bool:
    """Return when the game has moved past version `after`, or the time is over: True. False at once where this process
    has no room to wait.

    Raises TooManyWaiting.
    """
    with _lock:
        if _waiting[player] >= MOST_OF_A_PLAYER:
            raise TooManyWaiting
        if _waiting.total() >= max(1, services.settings.threads // 2):
            return False
        _waiting[player] += 1
    try:
        _watch(services, game, after, time.monotonic() + seconds)
    finally:
        with _lock:
            _waiting[player] -= 1
            if not _waiting[player]:
                del _waiting[player]
    return True


def _watch(services: Services, game: str, after: int, end: float) -> None:
    while (left := end - time.monotonic()) > 0:
        with services.database.read() as connection:
            version = game_rows.version(connection, game)
        if version is None or version > after:
            return
        time.sleep(min(PAUSE, left))
