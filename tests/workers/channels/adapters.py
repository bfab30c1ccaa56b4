"""The channels that the laws are proved for: a toy, mail to an SMTP server, webhooks, and push."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from aiosmtpd.smtp import SMTP, Envelope, Session

from config.readers import smtp_server
from service.container import Services
from service.notify.endpoints import Endpoint
from service.store.outgoing.deliveries import Delivery
from service.store.outgoing.routes import ROUTES, Route
from tests.manual_clock import ManualClock
from tests.smtp_sink import SmtpSink, accept, close_after_data, defer_data, refuse_data
from tests.tables import Tables
from tests.workers.channels.harness import Harness, Reply
from tests.workers.channels.toy_channel import Toy
from tests.workers.push.push_tables import PushTables
from tests.workers.webhooks.webhook_tables import WebhookTables
from workers.channels.channel import Channel
from workers.channels.http_client import Answer, NotAnswered
from workers.mail_out.channel import Mail
from workers.mail_out.transport import Smtp
from workers.push.channel import Push
from workers.webhooks.channel import Webhooks


class ToyHarness(Harness):
    """The toy: nothing but the loop and a destination."""

    name = Toy.name
    pauses, spread, attempts, given_up = (60,), (1, 1), 5, "it is busy"

    def __init__(self, services: Services, clock: ManualClock) -> None:
        super().__init__(Tables(services, clock))
        ROUTES[Toy.name] = Route(kinds=frozenset({"your-turn"}))

    def enter(self, name: str) -> None:
        """Everybody hears it."""

    def close(self) -> None:
        del ROUTES[Toy.name]

    def sender(self) -> Channel:
        return Toy(self.tables.services, self.squeak)

    def squeak(self, delivery: Delivery) -> str:
        reply = self.receive(delivery.game_id, str(delivery.id), f"{delivery.decision} {delivery.created_at}".encode())
        return reply.name


class MailHarness(Harness):
    """Mail over a real SMTP connection, each sender with one of its own."""

    name = Mail.name
    not_made = "it could not be composed"
    pauses = (15, 30, 60, 120, 240, 480, 960, 1920, 3600)
    attempts, given_up = 60, "given up after 60 attempts: 451 4.3.0 Try again later"

    def __init__(self, services: Services, clock: ManualClock) -> None:
        super().__init__(Tables(services, clock))
        self.server = MailServer(self)
        self.server.__enter__()
        self.ways: list[Smtp] = []

    def enter(self, name: str) -> None:
        """Everybody has an address."""

    def sender(self) -> Channel:
        server = smtp_server(self.server.url)
        assert server is not None
        self.ways.append(Smtp(server, self.tables.services.settings))
        return Mail(self.tables.services, self.ways[-1])

    def close(self) -> None:
        for way in self.ways:
            way.close()
        self.server.__exit__()


class MailServer(SmtpSink):
    """A mail server that answers as its harness says. A mail is known by its return path, which tells its notice."""

    STEPS: Final = {
        Reply.TAKEN: accept, Reply.PUT_OFF: defer_data, Reply.REFUSED: refuse_data, Reply.BROKEN: close_after_data,
    }  # fmt: skip

    def __init__(self, harness: MailHarness) -> None:
        super().__init__()
        self.harness = harness

    async def handle_MAIL(self, server: SMTP, session: Session, envelope: Envelope, address: str, options: Any) -> str:
        if self.harness.reply is Reply.AWAY:
            await asyncio.to_thread(self.harness.receive, "", address, b"")
            return "451 4.3.2 System not accepting network messages"
        return await super().handle_MAIL(server, session, envelope, address, options)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = bytes(envelope.content or b"")
        game = content.partition(b"List-Id: <game-")[2].partition(b".")[0].decode()
        reply = await asyncio.to_thread(self.harness.receive, game, envelope.mail_from or "", content)
        envelope.step = self.STEPS[reply]
        return await super().handle_DATA(server, session, envelope)


class HttpHarness(Harness):
    """A channel that posts; `post` stands for the client, which has tests of its own."""

    statuses: ClassVar[Mapping[Reply, int]]

    def close(self) -> None:
        """Nothing is kept open."""

    def answer(self, game: str, id: str, content: bytes) -> Answer:
        reply = self.receive(game, id, content)
        if reply is Reply.AWAY:
            raise NotAnswered("the connection was refused")
        return Answer(self.statuses[reply], None)


class WebhookHarness(HttpHarness):
    """Webhooks, one for each person; each is a destination of its own."""

    name = Webhooks.name
    leases = ("deliveries", "webhooks")
    statuses: ClassVar = {Reply.TAKEN: 204, Reply.PUT_OFF: 400, Reply.REFUSED: 410, Reply.BROKEN: 500}
    probes_at_once, probe_pauses, slow_probe, lost_probe = 1, (5, 10, 15, 15, 15), 300, 15
    pauses = (5, 300, 1800, 7200, 18_000, 36_000, 36_000)
    spread, attempts, given_up = (1, 1.2), 8, "it answered 400"

    def __init__(self, services: Services, clock: ManualClock) -> None:
        super().__init__(WebhookTables(services, clock))

    def enter(self, name: str) -> None:
        if name not in self.tables.ids:
            self.tables.add_webhook(name, f"https://{name}.example/")

    def sender(self) -> Channel:
        return Webhooks(self.tables.services, self.post)

    def post(self, _: Endpoint, headers: Mapping[str, str], body: bytes) -> Answer:
        return self.answer(json.loads(body)["data"]["game"], headers["webhook-id"], body)


class PushHarness(HttpHarness):
    """Push to devices, all at one push service; two encryptions of a message differ, so it is compared as read."""

    name = Push.name
    statuses: ClassVar = {Reply.TAKEN: 201, Reply.PUT_OFF: 429, Reply.REFUSED: 410, Reply.BROKEN: 500}
    slow_probe = 60
    pauses = (15, 60, 300, 900, 3600)
    attempts, given_up = 12, "given up after 12 attempts: its push service answered 429"

    def __init__(self, services: Services, clock: ManualClock) -> None:
        super().__init__(PushTables(services, clock))

    def enter(self, name: str) -> None:
        if name not in self.tables.ids:
            self.tables.add_device(name)

    def sender(self) -> Channel:
        return Push(self.tables.services, self.post)

    def post(self, endpoint: Endpoint, headers: Mapping[str, str], body: bytes) -> Answer:
        message = self.tables.keys[f"https://{endpoint.authority}{endpoint.target}"].decrypt(body)
        return self.answer(json.loads(message)["game"], headers["Topic"], message)


HARNESSES: Final[dict[str, Callable[[Services, ManualClock], Harness]]] = {
    "toy": ToyHarness, "mail": MailHarness, "webhook": WebhookHarness, "push": PushHarness,
}  # fmt: skip
