"""A child process that does as it is told."""

import os
import time
from typing import Any

import msgspec

from service.kernel.child_process import answer_requests


def handle(line: bytes) -> Any:
    """Answer a request: {"double": 2}, {"wait": seconds}, {"die": status}, {"environment": NAME}."""
    match msgspec.json.decode(line):
        case {"double": number}:
            return number * 2
        case {"wait": seconds}:
            time.sleep(seconds)
        case {"die": status}:
            os._exit(status)
        case {"environment": name}:
            return os.environ.get(name)
        case _:
            raise LookupError("nobody knows how")
    return None


if __name__ == "__main__":
    answer_requests(handle)
