"""What a process asks of the others that it needs: whether Redis answers, and whether the news process does."""

import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Final

from config.settings import ANYWHERE, Settings

PATIENCE: Final = 0.5
"""Seconds that each may take."""
_STREAMS: Final = re.compile(r"(\d{1,9}) streams")
DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""A proxy for the way out leads to no process of ours."""


@dataclass(frozen=True, slots=True)
class NewsHealth:
    """How the news process is: whether it hears of moves, how many pages it tells, and in words what is wrong."""

    well: bool
    streams: int = 0
    why: str = ""


def reached_by(listens: tuple[str, int]) -> str:
    """The host and port by which this machine reaches what listens there."""
    host, port = ANYWHERE.get(listens[0], listens[0]), listens[1]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def redis_answers(settings: Settings) -> bool:
    """Whether Redis is there."""
    import redis

    client = redis.Redis.from_url(
        settings.redis_url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=None
    )
    try:
        with client:
            return bool(client.ping())
    except redis.RedisError:
        return False


def news_health(settings: Settings) -> NewsHealth:
    """What the news process says of itself."""
    assert settings.news is not None
    try:
        with DIRECT.open(f"http://{reached_by(settings.news)}/news/health", timeout=PATIENCE) as answer:
            told = answer.read(200).decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        with error:
            return NewsHealth(False, why=error.read(200).decode("utf-8", "replace").strip())
    except OSError as error:
        return NewsHealth(False, why=f"It does not answer ({type(error).__name__}).")
    found = _STREAMS.match(told)
    return NewsHealth(True, int(found[1])) if found else NewsHealth(False, why="It is another program that answers.")
