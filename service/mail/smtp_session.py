"""A connection to the mail server of the settings: as letters take it, and the self-test with them."""

import smtplib
from collections.abc import Callable

from config.readers import SmtpServer
from config.settings import Settings


def connect(server: SmtpServer, settings: Settings) -> smtplib.SMTP:
    """A connection that has said hello, with TLS where it is offered, and logged in. Raises what smtplib raises."""
    make: Callable[..., smtplib.SMTP] = smtplib.SMTP_SSL if server.tls else smtplib.SMTP
    connection = make(server.host, server.port, timeout=settings.smtp_connect_timeout)
    try:
        connection.ehlo_or_helo_if_needed()  # within the time for a connection: whoever is well says hello at once
        set_timeout(connection, settings.smtp_timeout)
        if not server.tls and connection.has_extn("starttls"):
            connection.starttls()
            connection.ehlo()
        if server.user is not None:
            connection.login(server.user, server.password or "")
    except BaseException:  # a time limit strikes anywhere
        connection.close()
        raise
    return connection


def set_timeout(connection: smtplib.SMTP, seconds: int) -> None:
    """How long to wait for the next answers."""
    if connection.sock is not None:
        connection.sock.settimeout(seconds)
