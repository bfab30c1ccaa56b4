"""Where tokens are kept: the environment, or a file that only its owner can read."""

import os
from pathlib import Path
from typing import Any

import msgspec

from wardroom_client._sync.client import Wardroom
from wardroom_client.cursors import write_whole
from wardroom_client.problems import WardroomError


class NotSignedIn(WardroomError):
    """There is no token, neither in the environment nor in the file."""


def config_file() -> Path:
    """Where the file is (XDG Base Directory)."""
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "wardroom" / "login.json"


def save(base: str, token: str) -> Path:
    """Keep a token, mode 0600; the file."""
    place = config_file()
    write_whole(place, msgspec.json.encode({"base": base, "token": token}))
    return place


def saved() -> tuple[str, str]:
    """The server and the token: WARDROOM_BASE and WARDROOM_TOKEN before what is in the file. Raises NotSignedIn."""
    place = config_file()
    found: dict[str, str] = msgspec.json.decode(place.read_bytes()) if place.exists() else {}
    base = os.environ.get("WARDROOM_BASE") or found.get("base")
    token = os.environ.get("WARDROOM_TOKEN") or found.get("token")
    if not base or not token:
        raise NotSignedIn("set WARDROOM_BASE and WARDROOM_TOKEN, or run: wr login https://your.server")
    return base, token


def saved_client(**more: Any) -> Wardroom:
    """A client of the server and the token that are kept. Raises NotSignedIn."""
    base, token = saved()
    return Wardroom(base, token, **more)
