"""Ports of 127.0.0.1 for the servers that tests start."""

import os
import random
import socket
from collections import deque
from pathlib import Path
from typing import Final

MOST: Final = 100
HELD: deque[int] = deque()
"""Marks of this process on the ports that it was given last, up to `MOST` file descriptors."""


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 nobody listens on.

    It lies below the ports that the kernel gives to connections. While this process runs, no other process of the
    tests is given the same one: the mark is a name in the kernel that ends with the process.
    """
    low = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.SystemRandom().randrange(low - 12_000, low)
        mark = socket.socket(socket.AF_UNIX)
        try:
            mark.bind(f"\0wardroom-test-port-{port}")
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            mark.close()
            continue
        HELD.append(mark.detach())
        if len(HELD) > MOST:
            os.close(HELD.popleft())
        return port
