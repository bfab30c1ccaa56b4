"""Free ports for the servers the tests start."""

import socket


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
