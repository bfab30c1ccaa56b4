"""Telling webhooks: lease, check, compose, post, settle. It may be killed at any line.

What is told is checked as mails are, so nothing false is sent. A message keeps its id and its bytes at every attempt
(at least once, told apart by `webhook-id`), and a lease that was lost settles nothing (Q-11). Receivers may be slow:
this has threads of its own, and neither mail nor the clock waits for it.
"""

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final

import structlog

from domain.engine.refusals import RuleViolation
from service.container import Services
from service.integrity.alarm import suspect
from service.kernel.clock import SECOND
from service.kernel.encryption import Unreadable
from service.notify import webhook_targets, webhooks
from service.notify.webhook_targets import Endpoint
from service.notify.webhooks import Kept
from service.store import webhooks as store
from workers.letters.letter_data import Superseded
from workers.webhooks import http_client, retries
from workers.webhooks.http_client import Answer, NotAnswered
from workers.webhooks.message import compose, headers
from workers.webhooks.retries import Attempt, Leased

log = structlog.get_logger("wardroom.hooks")
LEASE: Final = 60
"""Seconds: many times what an attempt may take."""
LANES: Final = 8
"""Attempts under way at the same time, each to another webhook."""
LOST_KEY: Final = "its address and secret cannot be opened any more: register it again"

Post = Callable[[Endpoint, Mapping[str, str], bytes], Answer]


def deliver(
    services: Services,
    post: Post = http_client.post,
    *,
    seconds: float = 40.0,
    lanes: int = LANES,
    fault: Callable[[str], None] = lambda _: None,
) -> int:
    """Tell webhooks what is due until nothing is left or the time is over. How many messages were taken there.

    `fault` is called at named points, for tests that stop there.
    """
    last = time.monotonic() + seconds
    taken = 0
    under_way: set[Future[bool]] = set()
    with ThreadPoolExecutor(lanes, "hooks") as pool:
        while True:
            leased = _lease(services) if len(under_way) < lanes and time.monotonic() < last else None
            if leased is not None:
                fault("claimed")
                under_way.add(pool.submit(_tell, services, post, leased, fault))
            elif under_way:
                done, under_way = wait(under_way, timeout=1, return_when=FIRST_COMPLETED)
                taken += sum(one.result() for one in done)
            else:
                return taken


class Messenger:
    """A thread that tells webhooks what is due, when it is woken and every few seconds."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.woken = threading.Event()
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, name="messenger", daemon=True)

    def start(self) -> None:
        """Begin, unless this server sends no webhooks."""
        if self.services.settings.webhooks:
            self.thread.start()

    def wake(self) -> None:
        """There may be something to tell."""
        self.woken.set()

    def stop(self) -> None:
        """End when the attempts under way have ended."""
        self.stopped.set()
        self.woken.set()
        if self.thread.is_alive():
            self.thread.join(2 * http_client.SECONDS)

    def _run(self) -> None:
        while True:
            self.woken.wait(self.services.settings.sweep_seconds)
            if self.stopped.is_set():
                return
            self.woken.clear()
            try:
                deliver(self.services)
            except Exception as error:  # the thread must outlive whatever is away just now
                log.warning("webhooks not told", error=type(error).__name__)


def _lease(services: Services) -> Leased | None:
    with services.database.write() as tx:
        now = services.database.clock.now(tx)
        found = store.take(tx, secrets.token_hex(8), now, now + LEASE * SECOND)
        return None if found is None else Leased(*found)


def _tell(services: Services, post: Post, leased: Leased, fault: Callable[[str], None]) -> bool:
    """One attempt. Whether the message was taken."""
    try:
        kept = webhooks.open_kept(services, leased.hook.id, leased.hook.sealed)
    except Unreadable:
        retries.switch_off(services, leased, LOST_KEY)
        return False
    try:
        with services.database.read() as connection:
            body = compose(services, connection, leased.message)
        fault("composed")
        if not _keep(services, leased, body):
            return False
        attempt, retry_after = _attempt(services, post, leased, kept, body)
        fault("sent")
    except Superseded as untrue:
        retries.end(services, leased, str(untrue))
        return False
    except Exception as error:  # one message that cannot be made must not stop the others; its text may hold a secret
        log.error("webhook message not made", message=leased.message.id, error=type(error).__name__)
        suspect(services, leased.message.game_id, error)
        retries.put_off(services, leased, f"it could not be made ({type(error).__name__})")
        return False
    retries.settle(services, leased, attempt, retry_after)
    fault("settled")
    return attempt.error is None


def _keep(services: Services, leased: Leased, body: bytes) -> bool:
    """Keep a body before it is first sent: every attempt sends the same. False where the lease was lost."""
    if leased.message.body is not None:
        return True
    with services.database.write() as tx:
        if store.hold(tx, leased.hook.id, leased.hook.lease) is None:
            return False
        store.settle(tx, leased.message.id, body=body.decode())
        return True


def _attempt(services: Services, post: Post, leased: Leased, kept: Kept, body: bytes) -> tuple[Attempt, int]:
    """Post it once. What came of it, and how many seconds the receiver asks us to wait."""
    with services.database.read() as connection:
        at = services.database.clock.now(connection)
    sent = headers(leased.hook, kept, leased.message, body, at)
    began = time.monotonic()
    status, retry_after = None, 0
    try:
        answer = post(webhook_targets.read(kept.url, services.settings.webhook_hosts), sent, body)
        status, retry_after, error = answer.status, answer.retry_after or 0, _wrong(answer.status)
    except (NotAnswered, RuleViolation) as why:
        error = str(why)
    return Attempt(at, status, error, int((time.monotonic() - began) * 1000)), retry_after


def _wrong(status: int) -> str | None:
    """What is wrong with an answer; None for nothing."""
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        return f"it answered {status}, and redirects are not followed: register the address it leads to"
    return f"it answered {status}"
