"""Hearing by PostgreSQL that games have moved. Loads the driver alone, for a process that must stay small."""

from collections.abc import AsyncIterator
from typing import Final

CHANNEL: Final = "wardroom_news"
PATIENCE: Final = 5.0
"""Seconds of silence after which the connection is tried."""


async def listen(url: str) -> AsyncIterator[str]:
    """Hints as they come, "" first, when all that is told from now on will be heard. Raises psycopg.Error when the
    database is away."""
    import psycopg  # not where the database is SQLite: it takes 7 MB

    driver_url = url.replace("postgresql+psycopg://", "postgresql://", 1)
    async with await psycopg.AsyncConnection.connect(driver_url, autocommit=True, connect_timeout=5) as connection:
        await connection.execute(f"LISTEN {CHANNEL}")
        yield ""
        while True:
            async for heard in connection.notifies(timeout=PATIENCE, stop_after=1):
                yield heard.payload
            await connection.execute("SELECT 1")
