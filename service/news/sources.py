"""Where hints that games have moved come from: Redis, or PostgreSQL where there is none."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from config.settings import Settings
from service.kernel.log import log
from service.kernel.wakeup import NEWS
from service.news.streams import Streams

PAUSE: Final = 2.0
"""Seconds after which a source that failed is tried again."""
PATIENCE: Final = 5.0
"""Seconds of silence after which Redis is asked whether it is there."""


async def feed(streams: Streams, settings: Settings) -> None:
    """Tell the streams what is heard, for ever; while nothing can be heard there are none."""
    while True:
        try:
            async for hint in _hints(settings):
                if not streams.is_fed:
                    log("wardroom.news", "info", "moves are heard of")
                    streams.feed(True)
                if hint:
                    game, _, version = hint.partition(" ")
                    streams.tell(game, int(version))
        except Exception as error:  # whatever it is, pages must not wait in vain
            log("wardroom.news", "warning", "moves are not heard of", error=type(error).__name__)
        streams.feed(False)
        await asyncio.sleep(PAUSE)


def _hints(settings: Settings) -> AsyncIterator[str]:
    """Hints as they come, "" where there is none: the first when all that is told from now on will be heard."""
    if not settings.embedded:
        return _of_redis(settings.redis_url)
    from service.store.listening import listen

    return listen(settings.database_url)


async def _of_redis(url: str) -> AsyncIterator[str]:
    from redis.asyncio import Redis

    client = Redis.from_url(url, socket_connect_timeout=PATIENCE, decode_responses=True)
    async with client, client.pubsub() as heard:
        await heard.subscribe(NEWS)
        while True:
            message = await heard.get_message(timeout=PATIENCE)
            if message is None:
                await asyncio.wait_for(heard.ping(), PATIENCE)
                message = await heard.get_message(timeout=PATIENCE)
            if message is None:
                raise TimeoutError("Redis does not answer")
            yield message["data"] if message["type"] == "message" else ""
