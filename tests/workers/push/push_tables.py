"""Tables, people with devices, and a push service that reads what it is given as their browsers would."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa

from service.accounts import people
from service.kernel.clock import SECOND
from service.kernel.fault_points import faults
from service.notify import devices as called
from service.notify.endpoints import Endpoint
from service.store.outgoing.devices import calls
from tests.tables import Tables
from tests.workers.push.browser_keys import BrowserKeys, authorized, b64
from workers.channels.http_client import Answer
from workers.push.channel import deliver

HOST = "push.example"


class PushService:
    """A push service, and the browsers behind it: it keeps what they are shown, and answers as told."""

    def __init__(self, tables: "PushTables", *answers: int | Answer | Exception) -> None:
        self.tables = tables
        self.answers = list(answers)
        self.by_host: dict[str, int | Answer | Exception] = {}
        self.heard: list[tuple[str, dict[str, str], dict[str, Any]]] = []

    def __call__(self, endpoint: Endpoint, headers: Mapping[str, str], body: bytes) -> Answer:
        url = f"https://{endpoint.authority}{endpoint.target}"
        authorized(headers["Authorization"], f"https://{endpoint.authority}", self.tables.clock.at // SECOND)
        self.heard.append((url, dict(headers), json.loads(self.tables.keys[url].decrypt(body))))
        answer = self.answers.pop(0) if self.answers else self.by_host.get(endpoint.host, 201)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Answer) else Answer(answer, None)

    def shown(self) -> list[dict[str, Any]]:
        """The messages, oldest first."""
        return [message for _, _, message in self.heard]

    def texts(self) -> list[str]:
        return [message["body"] for message in self.shown()]

    def headers(self, name: str) -> list[str]:
        return [headers[name] for _, headers, _ in self.heard]


class PushTables(Tables):
    """Tables, and people with devices."""

    keys: dict[str, BrowserKeys]

    def add_device(self, name: str, number: int = 1, host: str = HOST) -> str:
        """A browser that somebody is called on, signed in by a token of its own; its keys are kept for the test."""
        player, keys, url = self.player(name), BrowserKeys(), f"https://{host}/p/{name}-{number}"
        self.keys = {**getattr(self, "keys", {}), url: keys}
        with self.services.database.write() as tx:
            secret = people.make_token(self.services, tx, player, "browser", self.clock.at, kind="session")
            session = people.whose_session(self.services.database, tx, secret)
            assert session is not None
            said = (url, b64(keys.public), b64(keys.auth), "Firefox on Android")
            return called.register(self.services, tx, player, session.token, *said).id

    def push(self, service: Any, fault: Callable[[str], None] = lambda _: None, **more: Any) -> int:
        with faults(fault):
            return deliver(self.services, service, **{"lanes": 1, **more})

    def calls(self, **where: Any) -> list[dict[str, Any]]:
        found = sa.select(calls).where(*(calls.c[name] == value for name, value in where.items()))
        with self.services.database.read() as connection:
            return [dict(row) for row in connection.execute(found.order_by(calls.c.id)).mappings()]

    def became(self) -> list[tuple[str, str | None]]:
        """State and reason of each call."""
        return [(row["state"], row["reason"]) for row in self.calls()]

    def devices(self, name: str = "ann") -> list[called.CalledDevice]:
        with self.services.database.read() as connection:
            return called.list_devices(self.services, connection, self.ids[name])

    def sign_out(self, name: str) -> None:
        """From afar: every browser."""
        with self.services.database.write() as tx:
            people.end_tokens(tx, self.ids[name])
