"""Mail comes in by SMTP or LMTP, behind a mail server or on this machine: `python -m workers.mail_in.listener`."""

import asyncio
import contextvars
import logging
import os
import signal
import socket
import threading
from typing import Any, Final

import click
import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from config.logging import configure
from config.readers import Listener
from config.settings import BadSetting, Settings, load
from service.commands.terminal.exits import Failure, LongRunning, ends_with
from service.container import Services, assemble
from service.mail import inbox
from service.store.structure.schema import require_or_exit
from workers.mail_in.port import CONNECTIONS, CannotListen, bind, shown
from workers.mail_in.smtp_handler import LONGEST_LINE, Desk, in_our_words

log = structlog.get_logger("wardroom.listener")
COMMAND_TIMEOUT: Final = 60
"""Seconds for a command; for a whole message after DATA."""
ENDING: Final = 10
"""Seconds that sessions under way have when the listener ends."""
SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
FULL: Final = "421 4.3.2 Too many connections: try again later."
UNREADABLE: Final = "501 5.5.2 That could not be read."


class Door:
    """One connection, on top of aiosmtpd's protocol: replies in our words, and no line without end."""

    line_length_limit = LONGEST_LINE

    def __init__(self, listener: "MailListener", **options: Any) -> None:
        self.listener = listener
        self.unended = 0
        super().__init__(listener.desk, **options)  # type: ignore[call-arg]

    async def push(self, status: Any) -> None:
        """Send one line of a reply."""
        await super().push(in_our_words(status) if isinstance(status, str) else status)  # type: ignore[misc]

    async def handle_exception(self, error: Exception) -> str:
        """What aiosmtpd cannot read. What may be the rest of a message is not read on as commands (T-54)."""
        log.info("not understood", error=type(error).__name__)
        if self.envelope.rcpt_tos:  # type: ignore[attr-defined]
            self.transport.abort()  # type: ignore[attr-defined]
        return UNREADABLE

    def data_received(self, data: bytes) -> None:
        """Pass it on, but aiosmtpd keeps a line until it ends: one that never does is cut off."""
        end = data.rfind(b"\r\n")
        self.unended = self.unended + len(data) if end < 0 else len(data) - end
        if self.unended > 2 * inbox.LARGEST:
            log.warning("connection cut", why="a line without end")
            self.transport.abort()  # type: ignore[attr-defined]
            return
        super().data_received(data)  # type: ignore[misc]

    def connection_lost(self, error: Exception | None) -> None:
        """One fewer."""
        self.listener.doors.discard(self)
        super().connection_lost(error)  # type: ignore[misc]


class SmtpDoor(Door, SMTP):
    """A connection that speaks SMTP (RFC 5321)."""


class LmtpDoor(Door, LMTP):
    """A connection that speaks LMTP (RFC 2033)."""


class Full(asyncio.Protocol):
    """Says that there is no room, and hangs up."""

    def connection_made(self, transport: Any) -> None:
        """Say it."""
        transport.write(f"{FULL}\r\n".encode())
        transport.close()


class MailListener:
    """The listener, in a thread of its own. Make it in the process that answers; `bind` before, where it is known."""

    def __init__(self, services: Services, listener: Listener, bound: socket.socket) -> None:
        logging.getLogger("mail.log").setLevel(logging.ERROR)  # below it aiosmtpd writes addresses, which are keys
        self.door = LmtpDoor if listener.lmtp else SmtpDoor
        self.desk = Desk(services, "lmtp" if listener.lmtp else "smtp")
        self.bound = bound
        self.doors: set[Door] = set()
        self.loop = asyncio.new_event_loop()
        self.ended = asyncio.Event()
        run = contextvars.copy_context().run
        self.thread = threading.Thread(target=run, args=[self._run], name="mail-in", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self.thread.start()

    def stop(self) -> None:
        """Take no more connections, finish the mails under way, then end."""
        if self.thread.is_alive():
            self.loop.call_soon_threadsafe(self.ended.set)
            self.thread.join(2 * ENDING)

    def _run(self) -> None:
        self.loop.set_exception_handler(_note)
        try:
            self.loop.run_until_complete(self._serve())
        except Exception as error:
            log.exception("the mail listener ended", error=type(error).__name__)
        finally:
            self.loop.close()

    async def _serve(self) -> None:
        server = await self.loop.create_server(self._enter, sock=self.bound)
        await self.ended.wait()
        server.close()
        await asyncio.to_thread(self.desk.pool.shutdown)
        for door in list(self.doors):
            door.transport.close()  # type: ignore[attr-defined]
        if sessions := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(sessions, timeout=ENDING)
        await self.loop.shutdown_default_executor()

    def _enter(self) -> asyncio.BaseProtocol:
        if len(self.doors) >= CONNECTIONS:
            log.warning("connection refused", why="too many", count=len(self.doors))
            return Full()
        door = self.door(
            self,
            data_size_limit=inbox.LARGEST,
            enable_SMTPUTF8=True,
            hostname=self.desk.services.settings.mail_domain,
            ident="Wardroom",
            timeout=COMMAND_TIMEOUT,
            loop=self.loop,
        )
        self.doors.add(door)
        return door


def listen(settings: Settings, listener: Listener) -> None:
    """Listen until a signal ends it. Raises CannotListen."""
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # no thread is interrupted: this one waits for them
    services = assemble(settings)
    require_or_exit(services.database)
    bound = bind(listener)
    mail_in = MailListener(services, listener, bound)
    mail_in.start()
    services.begin("mail")
    log.info("mail comes in", where=shown(listener))
    while signal.sigtimedwait(SIGNALS, 1) is None:
        if not mail_in.thread.is_alive():
            raise CannotListen("The mail listener ended by itself: its log says why.")
    mail_in.stop()
    services.end()
    services.database.close()


def _note(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A connection that broke is worth no traceback."""
    log.info("connection ended", error=type(context.get("exception")).__name__, said=context["message"])


@click.command(cls=LongRunning, help="Take mail by SMTP or LMTP, as WARDROOM_MAIL_IN says.")
def main() -> None:
    """The process `mail` of the Procfile."""
    try:
        settings = load()
    except BadSetting as bad:
        raise Failure(os.EX_CONFIG, str(bad)) from bad
    configure(settings)
    if settings.mail_in is None:
        ends_with(os.EX_CONFIG, "WARDROOM_MAIL_IN is off: there is nothing to listen for.")
    try:
        listen(settings, settings.mail_in)
    except CannotListen as cannot:
        raise Failure(os.EX_UNAVAILABLE, str(cannot)) from cannot


if __name__ == "__main__":
    main()
