"""A mail server that takes everything and keeps nothing, in a process of its own: where letters of benchmarks go."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

from tests.ports import free_port


class Taker:
    """Takes every mail."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Say that it was taken."""
        return "250 OK"


@contextmanager
def sink() -> Iterator[int]:
    """Its port; it ends with the block."""
    port = free_port()
    root = Path(__file__).parent.parent
    process = subprocess.Popen([sys.executable, "-m", "bench.sink", str(port)], cwd=root)
    try:
        _wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(port: int) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("the mail server of the benchmark did not start")


def main() -> None:
    """Listen on the port that the command line names, until the process is ended."""
    Controller(Taker(), hostname="127.0.0.1", port=int(sys.argv[1])).start()
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main()
