"""Keeping of past positions: a past version is told again as it was told, byte for byte, whatever is opened later.

But people are called what they are called now, so nothing is kept for ever; and each seat sees another game, so only
its own browser or program may keep it.
"""

from typing import Final

from service.store.event_store.streams import Head

WHILE_PLAYED: Final = "private, max-age=600"
ONCE_OVER: Final = "private, max-age=86400, immutable"


def kept(head: Head, version: int | None) -> dict[str, str]:
    """For how long an answer about a version may be kept, as a header; none for the present one, named or not."""
    if version is None or version >= head.version:
        return {}
    return {"Cache-Control": ONCE_OVER if head.table.status in ("finished", "abandoned") else WHILE_PLAYED}
