"""Tables, people with webhooks, and a receiver that answers as told."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa

from service.kernel.fault_points import faults
from service.notify import subscriptions
from service.notify.endpoints import Endpoint
from service.store.outgoing.webhooks import messages
from tests.tables import Tables
from workers.channels.http_client import Answer
from workers.webhooks.channel import deliver

URL = "https://bot.example/turns?key=c4nary"


class Bot:
    """A receiver that keeps what it is sent, and answers as told."""

    def __init__(self, *answers: int | Answer | Exception, otherwise: int = 204) -> None:
        self.answers = list(answers)
        self.otherwise = otherwise
        self.heard: list[tuple[Endpoint, dict[str, str], bytes]] = []

    def __call__(self, endpoint: Endpoint, headers: Mapping[str, str], body: bytes) -> Answer:
        self.heard.append((endpoint, dict(headers), body))
        answer = self.answers.pop(0) if self.answers else self.otherwise
        if isinstance(answer, Exception):
            raise answer
        return Answer(answer, None) if isinstance(answer, int) else answer

    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, _, body in self.heard]

    def types(self) -> list[str]:
        return [one["type"] for one in self.told()]

    def ids(self) -> list[str]:
        return [headers["webhook-id"] for _, headers, _ in self.heard]


def message_id(row: Mapping[str, Any]) -> str:
    return subscriptions.message_id(row["hook_id"], row["game_id"], row["kind"], row["decision"], row["created_at"])


class WebhookTables(Tables):
    """Tables, and people with webhooks."""

    secrets: dict[str, str]

    def add_webhook(self, name: str, url: str = URL) -> str:
        """Somebody's new webhook; its secret is kept for the test."""
        player = self.player(name)
        with self.services.database.write() as tx:
            hook, secret = subscriptions.register(self.services, tx, player, url)
        self.secrets = {**getattr(self, "secrets", {}), hook.id: secret}
        return hook.id

    def deliver_webhooks(self, bot: Any, fault: Callable[[str], None] = lambda _: None, **more: Any) -> int:
        with faults(fault):
            return deliver(self.services, bot, **{"lanes": 1, **more})

    def messages(self, **where: Any) -> list[dict[str, Any]]:
        found = sa.select(messages).where(*(messages.c[name] == value for name, value in where.items()))
        with self.services.database.read() as connection:
            return [dict(row) for row in connection.execute(found.order_by(messages.c.id)).mappings()]

    def message_states(self) -> Counter[str]:
        return Counter(row["state"] for row in self.messages())

    def webhook(self, name: str = "ann") -> subscriptions.Subscription:
        with self.services.database.read() as connection:
            return subscriptions.list_subscriptions(self.services, connection, self.ids[name])[0]

    def ping(self, name: str, hook: str) -> str:
        with self.services.database.write() as tx:
            found = subscriptions.send_ping(self.services, tx, self.ids[name], hook)
        assert found is not None
        return found

    def log(self, number: int = 0) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.messages()[number]["log"])
        return found
