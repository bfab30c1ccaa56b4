"""The room that is left where this process writes: a service that cannot write is not ready, however well it reads."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from config.settings import Settings
from service.container import Services

LEAST: Final = 16 * 1024 * 1024
"""Bytes: some minutes of a busy service, and of its journals."""
LATELY: Final = 30.0
"""Seconds for which a database that had no room counts as full, unless it has written since."""


def check(services: Services) -> dict[str, Any]:
    """Whether there is room, for /readyz."""
    full_at = services.database.full_at
    if full_at is not None and time.monotonic() - full_at < LATELY:
        return _check(False, "The database has no room left: make some on its disk.")
    for contents, path in _places(services.settings):
        left = _left(path)
        if left is not None and left < LEAST:
            return _check(False, f"{left // 1024} KB are left on the disk of {contents}: make room.")
    return _check(True, "There is room.")


def free(services: Services) -> int:
    """Bytes that may still be written where it is scarcest; 0 where nobody can say."""
    return min((left for _, path in _places(services.settings) if (left := _left(path)) is not None), default=0)


def _check(ok: bool, detail: str) -> dict[str, Any]:
    return {"what": "disk", "ok": ok, "detail": detail}


def _places(settings: Settings) -> Iterator[tuple[str, Path]]:
    """What is written to, without its paths: anybody may read the answer."""
    yield "the data folder", settings.data_dir
    if settings.sqlite:
        yield "the database", Path(settings.database_url.removeprefix("sqlite:///")).parent


def _left(path: Path) -> int | None:
    """Bytes that may still be written; None where there is no such folder."""
    try:
        room = os.statvfs(path)
    except OSError:
        return None
    return room.f_bavail * room.f_frsize
