"""The checks of `wardroom doctor` on the news process, and on the metrics as a monitor would read them."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Final

from config.exposure import is_loopback
from config.settings import Settings
from service.commands.health.diagnosis import Finding
from service.telemetry.neighbours import DIRECT, news_health, reached_by

PATIENCE: Final = 5.0
"""Seconds: a reading of a large database takes some."""
OFF: Final = "No news process is set: open pages ask by themselves."
NO_SOURCE: Final = "It hears of moves through Redis or PostgreSQL, and there is neither: unset WARDROOM_NEWS."
AWAY: Final = "At {where}: {why} Start the news process, or see its log; pages ask by themselves meanwhile."
OPEN: Final = "Whoever reaches {where} reads them: let no stranger through to it, or set WARDROOM_METRICS_TOKEN."
ANOTHER: Final = "Another program answers at {url}: give Wardroom another port."


def examine(settings: Settings) -> list[Finding]:
    """Look at the news process and at the metrics."""
    return [_news(settings), *_metrics(settings)]


def _news(settings: Settings) -> Finding:
    if settings.news is None:
        return Finding("well", "news", OFF)
    if not settings.streams_news:
        return Finding("note", "news", NO_SOURCE)
    health = news_health(settings)
    if health.well:
        return Finding("well", "news", f"The news process hears of moves, and tells {health.streams} open pages.")
    return Finding("broken", "news", AWAY.format(where=reached_by(settings.news), why=health.why))


def _metrics(settings: Settings) -> Iterator[Finding]:
    listens, token = settings.metrics_listen, settings.metrics_token
    if listens is not None and not token and not is_loopback(listens[0]):
        yield Finding("note", "metrics", OPEN.format(where=reached_by(listens)))
    yield _reading(f"http://{reached_by(listens or (settings.host, settings.port))}/metrics", token)


def _reading(url: str, token: str) -> Finding:
    """What a monitor reads there."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    asked = urllib.request.Request(url, headers=headers)  # noqa: S310 - it is our own address
    try:
        with DIRECT.open(asked, timeout=PATIENCE) as answer:
            told = answer.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        error.close()
        return Finding("note", "metrics", f"{url} answers {error.code}: restart the web process, if settings changed.")
    except OSError as error:
        why = type(getattr(error, "reason", error)).__name__
        return Finding("note", "metrics", f"{url} does not answer ({why}): start the web process to see them.")
    if "\nwardroom_database_up " not in told:
        return Finding("note", "metrics", ANOTHER.format(url=url))
    series = sum(not line.startswith("#") for line in told.splitlines())
    return Finding("well", "metrics", f"A monitor reads {series} series at {url}{', with the token' if token else ''}.")
