"""Requests to the web application by HTTP/1.1, each on a connection of its own, and their answers as they come."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import h11

Headers = Sequence[tuple[bytes, bytes]]
"""Names in small letters."""
LARGEST_HEAD: Final = 65536
CONNECTED: Final = 2.0
"""Seconds that a connection may take."""
HOP_BY_HOP: Final = frozenset(
    {
        b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te",
        b"trailer", b"transfer-encoding", b"upgrade",
    }
)  # fmt: skip
"""Headers that are about one connection (RFC 9110 7.6.1)."""
OF_BODIES: Final = frozenset({b"content-length", b"expect"})


class Away(Exception):
    """The web application does not answer, or not in time."""


class Answer:
    """An answer whose head has come; its body is read by whoever wants it."""

    def __init__(self, exchange: "_Exchange", head: h11.Response) -> None:
        self._exchange = exchange
        self.status: int = head.status_code
        self.headers: Headers = [(name, value) for name, value in head.headers if name not in HOP_BY_HOP]

    def header(self, name: str) -> bytes | None:
        """The value of a header."""
        wanted = name.lower().encode()
        return next((value for name, value in self.headers if name == wanted), None)

    async def parts(self) -> AsyncIterator[bytes]:
        """The body as it comes. Raises Away."""
        while isinstance(event := await self._exchange.event(), h11.Data):
            yield bytes(event.data)

    async def body(self) -> bytes:
        """The whole of it. Raises Away."""
        return b"".join([part async for part in self.parts()])


class _Exchange:
    """One request and its answer on a connection. `patience`: seconds without a byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, patience: float) -> None:
        self.reader, self.writer, self.patience = reader, writer, patience
        self.state = h11.Connection(h11.CLIENT, LARGEST_HEAD)

    async def send(self, method: str, target: bytes, headers: Headers) -> None:
        for event in (h11.Request(method=method, target=target, headers=list(headers)), h11.EndOfMessage()):
            self.writer.write(self.state.send(event) or b"")
        await self.writer.drain()

    async def event(self) -> Any:
        """The next event. Raises Away."""
        try:
            while (event := self.state.next_event()) is h11.NEED_DATA:
                async with asyncio.timeout(self.patience):
                    self.state.receive_data(await self.reader.read(65536))
        except (OSError, h11.RemoteProtocolError) as error:  # TimeoutError is an OSError
            raise Away(type(error).__name__) from error
        return event


@contextlib.asynccontextmanager
async def asked(
    address: tuple[str, int], method: str, target: bytes, headers: Headers, patience: float
) -> AsyncIterator[Answer]:
    """Ask without a body; the connection ends with the block. Raises Away."""
    try:
        async with asyncio.timeout(CONNECTED):
            reader, writer = await asyncio.open_connection(*address)
    except OSError as error:
        raise Away(type(error).__name__) from error
    try:
        exchange = _Exchange(reader, writer, patience)
        with contextlib.suppress(OSError):  # it may have answered all the same; if not, that is found out now
            await exchange.send(method, target, headers)
        while isinstance(head := await exchange.event(), h11.InformationalResponse):
            pass
        if not isinstance(head, h11.Response):
            raise Away("no answer")
        yield Answer(exchange, head)
    finally:
        writer.close()


def passed_on(headers: Headers, *, besides: Sequence[str] = ()) -> list[tuple[bytes, bytes]]:
    """The headers of a request that go on with it: those of one connection, of a body and `besides` do not."""
    named = {part.strip().lower() for name, value in headers if name == b"connection" for part in value.split(b",")}
    left_out = HOP_BY_HOP | OF_BODIES | named | {name.lower().encode() for name in besides}
    found = [(name, value) for name, value in headers if name not in left_out]
    named_host = any(name == b"host" for name, _ in found)
    return [*found, *([] if named_host else [(b"host", b"localhost")]), (b"connection", b"close")]
