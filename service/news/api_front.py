"""The way of a request to the API through the process of news: asked of the web application, and held where it says so.

What is no stream, and every refusal, is passed on as it comes. The process makes one answer itself: that the
application is away.
"""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from service.news.api_stream import ApiStream, Over
from service.news.asgi import Message, Receive, Send, hold_open, part_sender, until_gone
from service.news.asking import Answer, Away, Headers, asked, passed_on
from service.news.holding import ASK, FULL, HOLD, LOOK, MANY, OPEN, Hold, ask_header, read_hold
from service.news.streams import Streams, TooMany, TooManyOfAPerson

PLACE: Final = b"last-event-id"
OWN: Final = b"/api/v1/me/"
LONG: Final = 75.0
"""Seconds without a byte of an answer that is passed on: programs wait up to 60 for news of a game."""
SHORT: Final = 15.0
"""Seconds that an answer may take which does not wait."""
OPENINGS: Final = 16
"""Requests at one moment that may begin a stream: after a restart all programs come back at once."""
LOOKS: Final = 4
"""Looks at one moment for those who follow their own games, and as many for those who watch one: few beside the threads
that answer everybody else, and whoever is to move waits for no crowd."""
BEATS: Final = {b"text/event-stream": b":\n\n"}
BEAT: Final = b"\n"
AWAY: Final = (
    b'{"type":"urn:wardroom:problem:unavailable","title":"Service Unavailable","status":503,'
    b'"detail":"The service does not answer just now. Ask again.","code":"unavailable"}'
)
AWAY_HEADERS: Final = [
    (b"content-type", b"application/problem+json"), (b"retry-after", b"5"), (b"cache-control", b"no-store"),
    (b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", b"Retry-After"),
    (b"content-length", str(len(AWAY)).encode()),
]  # fmt: skip


class Request(NamedTuple):
    """What somebody asks of the API."""

    method: str
    target: bytes
    headers: Headers

    def is_anonymous(self) -> bool:
        """Whether it is asked without a token."""
        return all(name != b"authorization" for name, _ in self.headers)

    def may_stream(self) -> bool:
        """Whether it asks for what may be a stream, and so is answered without waiting."""
        accepted = b",".join(value for name, value in self.headers if name == b"accept")
        return b"event-stream" in accepted or b"ndjson" in accepted


class ApiFront:
    """Answers requests to the API by asking the web application at an address."""

    def __init__(self, streams: Streams, web: tuple[str, int], key: bytes) -> None:
        self.streams, self.web, self.key = streams, web, key
        self._openings = asyncio.Semaphore(OPENINGS)
        self._own, self._watched = asyncio.Semaphore(LOOKS), asyncio.Semaphore(LOOKS)
        self._shared: dict[object, asyncio.Task[tuple[Hold, bytes]]] = {}

    async def serve(self, scope: Message, receive: Receive, send: Send, network: str) -> None:
        """Answer one request."""
        target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        request = Request(scope["method"], target, passed_on(scope["headers"], besides=[ASK]))
        stream = ApiStream(network, part_sender(send))
        try:
            self.streams.add(stream)
            ask = OPEN
        except TooMany:
            ask = FULL
        try:
            if await self._begin(request, ask, stream, receive, send):
                await hold_open(self.streams, stream, receive, send)
        except Away:
            with contextlib.suppress(RuntimeError):  # of an answer that has begun the rest is missing, as it should
                await send({"type": "http.response.start", "status": 503, "headers": AWAY_HEADERS})
                await send({"type": "http.response.body", "body": b"" if request.method == "HEAD" else AWAY})
        finally:
            self.streams.remove(stream)

    async def _begin(self, request: Request, ask: str, stream: ApiStream, receive: Receive, send: Send) -> bool:
        """Begin a stream: True. Or pass on whatever else is answered."""
        since = time.monotonic()
        async with contextlib.AsyncExitStack() as exchange:
            async with self._openings if request.may_stream() else contextlib.nullcontext():
                answer = await exchange.enter_async_context(self._asked(request, ask, LONG))
            hold = _hold_of(answer)
            if hold is None or request.method != "GET":
                await _pass_on(answer, receive, send)
                return False
            body = await answer.body()
        try:
            self.streams.settle(stream, hold.whose, hold.hears, since)
        except TooManyOfAPerson:
            async with self._asked(request, MANY, SHORT) as answer:
                await _pass_on(answer, receive, send)
            return False
        await send(_start(answer))
        kind = (answer.header("content-type") or b"").partition(b";")[0]
        beat, look = BEATS.get(kind, BEAT), partial(self._look, request)
        stream.begin(hold, body, look, beat, is_fed=self.streams.is_fed)
        return True

    async def _look(self, request: Request, place: str) -> tuple[Hold, bytes]:
        """What is new for a stream. Strangers who are to be told the same share a look that is still to begin, so that
        it finds what they were hinted at."""
        if not request.is_anonymous():
            return await self._ask(request, place)
        key = (request.target, tuple(value for name, value in request.headers if name == b"accept"), place)
        if key not in self._shared:
            self._shared[key] = asyncio.ensure_future(self._ask(request, place, key))
            self._shared[key].add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(self._shared[key])

    async def _ask(self, request: Request, place: str, key: object = None) -> tuple[Hold, bytes]:
        headers = [(name, value) for name, value in request.headers if name != PLACE] + [(PLACE, place.encode())]
        async with self._own if request.target.startswith(OWN) else self._watched:
            self._shared.pop(key, None)
            async with self._asked(request._replace(headers=headers), LOOK, SHORT) as answer:
                if answer.status >= 500:
                    raise Away(str(answer.status))
                hold = _hold_of(answer)
                if hold is None:
                    raise Over(str(answer.status))
                return hold, await answer.body()

    def _asked(self, request: Request, ask: str, patience: float) -> contextlib.AbstractAsyncContextManager[Answer]:
        proof = (ASK.lower().encode(), ask_header(self.key, ask).encode())
        return asked(self.web, request.method, request.target, [*request.headers, proof], patience)


def _hold_of(answer: Answer) -> Hold | None:
    told = answer.header(HOLD) if answer.status == 200 else None
    return None if told is None else read_hold(told)


def _start(answer: Answer) -> Message:
    own: Sequence[bytes] = (HOLD.lower().encode(), b"date", b"server")
    headers = [(name, value) for name, value in answer.headers if name not in own]
    return {"type": "http.response.start", "status": answer.status, "headers": headers}


async def _pass_on(answer: Answer, receive: Receive, send: Send) -> None:
    """Send an answer on as it comes, as long as somebody is there."""
    gone, sending = asyncio.ensure_future(until_gone(receive)), asyncio.ensure_future(_send_on(answer, send))
    try:
        await asyncio.wait([gone, sending], return_when=asyncio.FIRST_COMPLETED)
        if sending.done():
            sending.result()
    finally:
        gone.cancel()
        sending.cancel()


async def _send_on(answer: Answer, send: Send) -> None:
    await send(_start(answer))
    part = part_sender(send)
    async for body in answer.parts():
        await part(body)
    await send({"type": "http.response.body", "body": b"", "more_body": False})
