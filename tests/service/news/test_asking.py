"""Asking the web application: what it answers as it comes, and one sentence for whatever can go wrong."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from service.news import asking
from service.news.asking import Away, asked, passed_on
from tests.loops import run
from tests.ports import free_port

Speak = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@contextlib.asynccontextmanager
async def answering(*parts: bytes, heard: list[bytes] | None = None, stays: bool = False) -> AsyncIterator[int]:
    """A server that says this to whoever asks, whatever they ask, and then ends or waits: its port."""

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        if heard is not None:
            heard.append(request)
        with contextlib.closing(writer), contextlib.suppress(ConnectionError):
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(0.01)
            if stays:
                await reader.read()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.sleep(0.05)  # whoever speaks notices


async def ask(port: int, patience: float = 5.0) -> tuple[int, bytes]:
    async with asked(("127.0.0.1", port), "GET", b"/x?y", [(b"host", b"h")], patience) as answer:
        return answer.status, await answer.body()


@pytest.mark.slow
@pytest.mark.parametrize(
    "parts",
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"2\r\nbo\r\n", b"2\r\ndy\r\n0\r\n\r\n"),
        (b"HTTP/1.0 200 OK\r\n\r\n", b"bo", b"dy"),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbo", b"dy"),
    ],
)
def test_an_answer_is_read_however_it_is_sent(parts):
    async def story() -> None:
        heard: list[bytes] = []
        async with answering(*parts, heard=heard) as port:
            assert await ask(port) == (200, b"body")
        assert heard[0].startswith(b"GET /x?y HTTP/1.1\r\nhost: h\r\n")

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize(
    "parts",
    [
        (),
        (b"220 mail.example LMTP\r\n",),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody",),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"2\r\nbo\r\n"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * asking.LARGEST_HEAD,),
    ],
    ids=["nothing", "another program", "less than was promised", "cut off", "endless"],
)
def test_whatever_is_no_whole_answer_is_that_the_application_is_away(parts):
    async def story() -> None:
        async with answering(*parts) as port:
            with pytest.raises(Away):
                await ask(port)

    run(story())


@pytest.mark.slow
def test_who_does_not_answer_in_time_or_does_not_listen_is_away():
    async def story() -> None:
        for parts in ((), (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody",)):
            async with answering(*parts, stays=True) as port:
                with pytest.raises(Away):
                    await ask(port, 0.2)
        with pytest.raises(Away):
            await ask(free_port())

    run(story())


def test_what_is_about_one_connection_or_a_body_does_not_go_on():
    kept = [(b"host", b"games.example"), (b"authorization", b"Bearer wr_x")]
    dropped = {b"connection": b"close, X-Own", b"x-own": b"1", b"te": b"trailers", b"wardroom-news": b"look"}
    of_bodies = {b"transfer-encoding": b"chunked", b"content-length": b"3"}
    given = [*kept, *dropped.items(), *of_bodies.items()]
    assert passed_on(given, besides=["Wardroom-News"]) == [*kept, (b"connection", b"close")]
    assert (b"host", b"localhost") in passed_on([])
