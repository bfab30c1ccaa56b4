"""The one process of the embedded mode that serves: the web application, the scheduler, and mail that comes in."""

import socket
from typing import IO

from flask import Flask

from config.settings import Settings
from service.app import create_app
from service.container import assemble
from service.store.structure import schema
from workers.mail_in.imap import poller
from workers.mail_in.listener import MailListener
from workers.mail_out.transport import transport
from workers.processes.scheduler import Scheduler, void_leases


class Serving:
    """It is made where it serves: connections and threads belong to one process."""

    def __init__(self, settings: Settings, door: socket.socket | None) -> None:
        self.services = assemble(settings)
        self.door = door
        self.mail_in: MailListener | None = None
        self.lives: IO[str] | None = None

    def begin(self) -> Flask:
        """Begin to work, and return what answers requests. No thread starts before all games are loaded."""
        services = self.services
        schema.require_or_exit(services.database)
        app = create_app(services)
        services.begin("embedded")
        self.lives = void_leases(services)
        Scheduler(services, transport(services.settings)).start()
        poller(services).start()
        if services.settings.mail_in is not None and self.door is not None:
            self.mail_in = MailListener(services, services.settings.mail_in, self.door)
            self.mail_in.start()
        return app

    def end(self) -> None:
        """Take no more mail, and say that it ends."""
        if self.mail_in is not None:
            self.mail_in.stop()
        self.services.end()
