"""The news process: `python -m service.news`, behind the proxy's paths (docs/operations.md)."""

import asyncio
import contextlib
import resource
import signal
import socket
from collections.abc import Iterator
from typing import Any, Final

import uvicorn

from config.exposure import end_misconfigured, load_or_exit
from config.logging import configure
from config.settings import Settings
from service.news.api_front import ApiFront
from service.news.app import News
from service.news.holding import ask_key
from service.news.sources import feed
from service.news.streams import MOST, Streams
from service.news.tickets import ticket_key

OFF: Final = "WARDROOM_NEWS is off: set it to the HOST:PORT where this process is to listen."
NO_SOURCE: Final = "The news process hears of moves through Redis or PostgreSQL: set WARDROOM_REDIS_URL."
NO_ROOM: Final = "News cannot be told on {}:{} ({why}): give another HOST:PORT in WARDROOM_NEWS."
LARGEST_HEAD: Final = 24_576
"""Bytes of the head of a request: a place in all of somebody's games may take a third of it."""
SEND_BUFFER: Final = 8192
"""Bytes that the kernel keeps for one reader; hints are short."""
STALLED: Final = 30_000
"""Milliseconds after which the kernel ends a connection whose reader takes nothing (Linux)."""
SPARE: Final = 100
"""Connections beside those of streams."""


class Server(uvicorn.Server):
    """uvicorn that ends the streams before itself: it would wait for them."""

    def __init__(self, config: uvicorn.Config, streams: Streams) -> None:
        super().__init__(config)
        self.streams = streams

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End at a signal, and well: uvicorn would raise it once more when all is done."""
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self.handle_exit, number, None)
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then all else."""
        self.streams.end()
        await super().shutdown(sockets)


def main() -> None:
    """Serve until a signal ends it; with one sentence where it cannot."""
    settings = load_or_exit()
    if settings.news is None:
        end_misconfigured(OFF)
    if not settings.streams_news:
        end_misconfigured(NO_SOURCE)
    configure(settings)
    _allow_many_files()
    try:
        listening = listener(settings.news)
    except OSError as error:
        raise SystemExit(NO_ROOM.format(*settings.news, why=error.strerror)) from None
    with listening:
        asyncio.run(serve(settings, listening))


async def serve(settings: Settings, listening: socket.socket) -> None:
    """Serve streams on a socket, and feed them."""
    streams = Streams()
    api = ApiFront(streams, settings.web_address, ask_key(settings.secret_key))
    app: Any = News(streams, ticket_key(settings.secret_key), settings.trusted_proxies, api)
    config = uvicorn.Config(
        app, http="h11", loop="asyncio", ws="none", lifespan="off", interface="asgi3", access_log=False,
        log_config=None, proxy_headers=False, server_header=False, limit_concurrency=MOST + SPARE,
        h11_max_incomplete_event_size=LARGEST_HEAD, timeout_graceful_shutdown=5,
    )  # fmt: skip
    beside = [asyncio.create_task(feed(streams, settings)), asyncio.create_task(streams.look_after())]
    try:
        await Server(config, streams).serve([listening])
    finally:
        for task in beside:
            task.cancel()


def listener(address: tuple[str, int]) -> socket.socket:
    """A socket that listens there, whose connections keep little for a reader who is slow."""
    host, port = address
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=2048)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED)
    return listening


def _allow_many_files() -> None:
    """As many connections as the system lets this process have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    main()
