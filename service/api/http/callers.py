"""The network a request comes from, for counting, and whether its client is still there."""

import socket
from collections.abc import Callable

from flask import request

from service.kernel.networks import network_of


def caller_network() -> str:
    """The network that this request comes from."""
    return network_of(request.remote_addr or "")


def caller_is_gone() -> Callable[[], bool]:
    """Return a check whether the client of this request has closed its connection.

    The check is for answers that wait. It never holds under a server that does not show us the connection.
    """
    connection: socket.socket | None = request.environ.get("gunicorn.socket")
    return lambda: connection is not None and _is_closed(connection)


def _is_closed(connection: socket.socket) -> bool:
    try:
        return not connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
