"""Waiting, for each of the two clients."""

import asyncio
import time


async def async_pause(seconds: float) -> None:
    """Let others run meanwhile."""
    await asyncio.sleep(seconds)


def pause(seconds: float) -> None:
    """Do nothing meanwhile."""
    time.sleep(seconds)
