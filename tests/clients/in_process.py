"""The client against the application in this process: no socket, no wait."""

import httpx
from flask import Flask
from wardroom_client import AsyncWardroom, Retries, Wardroom

from tests.service.api.table import Api, Player

BASE = "http://wardroom.test"
AT_ONCE = Retries(first=0, longest=0)


class AsyncApplication(httpx.AsyncBaseTransport):
    """The application for a client with `async`."""

    def __init__(self, app: Flask) -> None:
        self.inner = httpx.WSGITransport(app=app)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        sent = httpx.Request(request.method, request.url, headers=request.headers, content=await request.aread())
        answer = self.inner.handle_request(sent)
        body = b"".join(answer.stream)  # type: ignore[arg-type]
        return httpx.Response(answer.status_code, headers=answer.headers, stream=httpx.ByteStream(body))


def client_of(api: Api, player: Player | None) -> Wardroom:
    """The client of a player."""
    token = player.token if player else None
    return Wardroom(BASE, token, retries=AT_ONCE, transport=httpx.WSGITransport(app=api.app))


def async_client_of(api: Api, player: Player) -> AsyncWardroom:
    """The same with `async`."""
    return AsyncWardroom(BASE, player.token, retries=AT_ONCE, transport=AsyncApplication(api.app))
