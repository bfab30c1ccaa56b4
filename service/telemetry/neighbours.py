"""Checks of the other processes that a process needs: Redis, and the news process."""

import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Final

from config.settings import ANYWHERE, Settings

PATIENCE: Final = 0.5
"""Seconds that each may take."""
_STREAMS: Final = re.compile(r"(\d{1,9}) streams")
PROBE: Final = "wardroom:probe"
"""The key and the channel by which Redis is asked to write and to publish."""
CAUSES: Final = {
    "ReadOnly|READONLY": "It is a read-only replica: use the address of the primary.",
    "OutOfMemory|OOM": "It is out of memory and refuses writes: raise maxmemory, or remove what else is in it.",
    "MISCONF": "It cannot save to its disk and refuses writes: make room there, and see the log of Redis.",
    "NOREPLICAS|MasterDown|MASTERDOWN": "Its replicas or its primary are away: see the log of Redis.",
    "Cluster|CLUSTER|MovedError|AskError|SlotNot": "It is a cluster, which is not supported: use a single server.",
    "NoPermission|NOPERM": "Its access list forbids what Wardroom needs: docs/operations.md has the rule.",
    "Authentication|Authorization|NOAUTH|WRONGPASS": "It refuses the user or the password of WARDROOM_REDIS_URL.",
    "BusyLoading|LOADING": "It is loading its data: wait.",
    "MaxClients|max number of clients": "It takes no more connections: raise maxclients.",
    "DENIED": "It is in protected mode: give it a password, and WARDROOM_REDIS_URL the same.",
    "(?i)certificate|ssl|tls": "Its TLS certificate cannot be verified: docs/operations.md says how to name the CA.",
    "ConnectionError|TimeoutError": "It does not answer.",
}
"""Reasons by which Redis is of no use, as words of its errors; the first that is found counts."""
UNKNOWN_CAUSE: Final = "It answers and refuses writes."
DIRECT: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""A proxy for the way out leads to no process of ours."""


@dataclass(frozen=True, slots=True)
class NewsHealth:
    """How the news process is: whether it hears of moves, how many pages it tells, and in words what is wrong."""

    well: bool
    streams: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class RedisTrouble:
    """The reason why Redis cannot be used: a sentence that anybody may read, and the words of Redis, for the host."""

    sentence: str
    said: str


def reached_by(listens: tuple[str, int]) -> str:
    """The host and port by which this machine reaches what listens there."""
    host, port = ANYWHERE.get(listens[0], listens[0]), listens[1]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def redis_trouble(settings: Settings, *, patience: float = PATIENCE) -> RedisTrouble | None:
    """Ask Redis to write and to publish. Returns None if it does, else why it does not."""
    import redis

    client = redis.Redis.from_url(
        settings.redis_url, socket_timeout=patience, socket_connect_timeout=patience, retry=None
    )
    try:
        with client:
            client.set(PROBE, b"1", ex=10)
            client.publish(PROBE, b"1")
    except redis.RedisError as error:
        return RedisTrouble(_cause(f"{type(error).__name__} {error}"), f"{error}")
    return None


def _cause(said: str) -> str:
    """Return the sentence for an error of Redis."""
    return next((sentence for words, sentence in CAUSES.items() if re.search(words, said)), UNKNOWN_CAUSE)


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
