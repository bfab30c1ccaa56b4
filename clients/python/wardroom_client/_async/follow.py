"""Turns as they come: each decision once, none lost, whatever becomes of connections."""

from collections.abc import AsyncIterator

from wardroom_client import models
from wardroom_client._async.news import AsyncNews, AsyncPolledNews, AsyncStreamedNews
from wardroom_client._async.session import AsyncSession
from wardroom_client.cursors import Cursor
from wardroom_client.pauses import async_pause
from wardroom_client.problems import TooMany, Unavailable, Unreachable


async def follow(session: AsyncSession, cursor: Cursor, news: AsyncNews | None = None) -> AsyncIterator[models.Turn]:
    """The decisions that wait, and those to come, without an end.

    What waits is always what /me/turns lists; news only say when to look. A decision counts as handled, and stands in
    the cursor, when the next one is asked for: whoever dies in between is asked again, if it still waits. Raises
    Problem where it is final, such as SignedOut.
    """
    given = news is not None
    current: AsyncNews = news or AsyncStreamedNews(session)
    failed = 0
    try:
        while True:
            try:
                turns: models.Turns = await session.get("/me/turns")
                failed = 0
            except (Unreachable, Unavailable, TooMany):
                failed += 1
                await async_pause(session.retries.pause(min(failed, session.retries.attempts - 1)) or 0)
                continue
            for turn in turns["items"]:
                if not cursor.has(turn):
                    yield turn
                    cursor.add(turn)
            try:
                if not await current.wait() and not given:
                    current = AsyncPolledNews(session)
            except (Unreachable, Unavailable, TooMany):
                continue
    finally:
        await current.close()
