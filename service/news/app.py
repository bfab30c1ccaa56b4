"""The application of the news process (ASGI): `/news/?ticket=…` is a stream of server-sent events, `/news/health`; and
the paths of the API that may be streams."""

import re
import time
from typing import Final
from urllib.parse import parse_qs

from service.kernel.networks import network_of
from service.news.api_front import ApiFront
from service.news.asgi import Message, Receive, Send, hold_open, part_sender
from service.news.streams import Stream, Streams, TooMany
from service.news.tickets import BadTicket, read

BEGINNING: Final = b"retry: 5000\n\n"
"""Milliseconds until a browser comes back by itself, where no page does it."""
HEADERS: Final = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"content-security-policy", b"default-src 'none'"),
]
EVENTS: Final = [*HEADERS, (b"content-type", b"text/event-stream"), (b"x-accel-buffering", b"no")]
TEXT: Final = [*HEADERS, (b"content-type", b"text/plain; charset=utf-8")]
LATER: Final = (b"retry-after", b"60")
OF_THE_API: Final = re.compile("/api/v1/(me|games/[^/]+)/events")
"""What a proxy leads here of the API."""


class News:
    """Opens streams for who has a ticket, and for programs as the web application says. It knows which games move, and
    nothing of any."""

    def __init__(self, streams: Streams, key: bytes, trusted_proxies: int = 0, api: ApiFront | None = None) -> None:
        self.streams = streams
        self.key = key
        self.trusted_proxies = trusted_proxies
        self.api = api

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"{scope['type']} is not served here, only HTTP")
        match scope["method"], scope["path"]:
            case "GET" | "HEAD", "/news/health":
                is_fed = self.streams.is_fed
                told = f"{len(self.streams.open)} streams" if is_fed else "Moves are not heard of."
                await _say(send, 200 if is_fed else 503, told)
            case "GET", "/news/":
                await self._stream(scope, receive, send)
            case _, "/news/" | "/news/health":
                await _say(send, 405, "Only GET.", (b"allow", b"GET"))
            case _, path if self.api is not None and OF_THE_API.fullmatch(path):
                await self.api.serve(scope, receive, send, self._network(scope))
            case _:
                await _say(send, 404, "There is nothing here.")

    async def _stream(self, scope: Message, receive: Receive, send: Send) -> None:
        """Hold a stream open until its reader goes, its ticket ends, or the process does."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("ticket", [""])[0]
        try:
            ticket = read(self.key, given)
        except BadTicket as bad:
            return await _say(send, 403, str(bad))
        if not self.streams.is_fed:
            return await _say(send, 503, "Moves are not heard of just now.", LATER)

        until = time.monotonic() + ticket.until - time.time()
        send_part = part_sender(send)
        stream = Stream(ticket.games, self._network(scope), until, send_part)
        try:
            self.streams.add(stream)
        except TooMany:
            return await _say(send, 503, "There are too many streams.", LATER)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": EVENTS})
            await send_part(BEGINNING)
            stream.begin()
            await hold_open(self.streams, stream, receive, send)
        finally:
            self.streams.remove(stream)

    def _network(self, scope: Message) -> str:
        """Whose stream it is: of as many proxies as are trusted, what the outermost says."""
        address: str = scope["client"][0] if scope.get("client") else ""
        if self.trusted_proxies:
            told = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
            hops = [hop.strip() for hop in ",".join(told).split(",") if hop.strip()]
            address = hops[-self.trusted_proxies] if len(hops) >= self.trusted_proxies else address
        return network_of(address)


async def _say(send: Send, status: int, text: str, *more: tuple[bytes, bytes]) -> None:
    body = text.encode() + b"\n"
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*TEXT, length, *more]})
    await send({"type": "http.response.body", "body": body})
