"""A thread of its own for webhooks: receivers may be slow, and neither mail nor the clock waits for one."""

import threading

import structlog

from service.container import Services
from workers.webhooks import http_client
from workers.webhooks.channel import deliver

log = structlog.get_logger("wardroom.webhooks")


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
