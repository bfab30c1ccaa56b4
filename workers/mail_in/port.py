"""The port where mail comes in: taken before anything is served, by a process that loads little."""

import socket
from typing import Final

from config.readers import Listener

CONNECTIONS: Final = 50
"""How many there may be at once."""


class CannotListen(Exception):
    """The port is taken or not ours to take. The message is a sentence for whoever runs the service."""


def bind(listener: Listener) -> socket.socket:
    """A socket that listens there. Raises CannotListen."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(listener.host, listener.port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen(CONNECTIONS)
        except OSError:
            bound.close()
            raise
    except OSError as error:
        why = f"Mail cannot come in on {shown(listener)} ({error.strerror})"
        raise CannotListen(f"{why}: give another port in WARDROOM_MAIL_IN, or set it to off.") from error
    bound.setblocking(False)
    return bound


def shown(listener: Listener) -> str:
    """Where it listens and what it speaks, for people."""
    host = f"[{listener.host}]" if ":" in listener.host else listener.host
    return f"{'LMTP' if listener.lmtp else 'SMTP'} on {host}:{listener.port}"
