"""The development mailbox: mail that goes nowhere but into a folder, one file a message."""

import email
import email.policy
import os
import re
import secrets
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

NAME: Final = re.compile(r"[0-9]{13}-[0-9a-f]{8}\.eml")
MOST_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class Letter:
    """A message in the mailbox."""

    name: str
    headers: list[tuple[str, str]]
    text: str
    html: str

    def header(self, name: str) -> str:
        """The first header of this name, "" without one."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the messages lie."""

    path: Path

    def deliver(self, message: bytes) -> None:
        """Keep one message: on disk before it counts as delivered."""
        self.path.mkdir(parents=True, exist_ok=True)
        name = f"{time.time_ns() // 1_000_000:013d}-{secrets.token_hex(4)}.eml"
        part = self.path / (name + ".part")
        with part.open("wb") as file:
            file.write(message)
            file.flush()
            os.fsync(file.fileno())
        part.rename(self.path / name)


def letters(folder: Folder) -> list[Letter]:
    """The newest messages, newest first."""
    if not folder.path.is_dir():
        return []
    names = sorted((path.name for path in folder.path.iterdir() if NAME.fullmatch(path.name)), reverse=True)
    return [found for name in names[:MOST_SHOWN] if (found := letter(folder, name)) is not None]


def letter(folder: Folder, name: str) -> Letter | None:
    """One message, None where there is none of this name."""
    path = folder.path / name
    if not NAME.fullmatch(name) or not path.is_file():
        return None
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    text, html = (_content(message.get_body((kind,))) for kind in ("plain", "html"))
    return Letter(name, [(key, str(value)) for key, value in message.items()], text, html)


def _content(part: Any) -> str:
    """What a part says, as far as it can be read."""
    if part is None:
        return ""
    try:
        return str(part.get_content())
    except (LookupError, ValueError):
        return bytes(part.get_payload(decode=True) or b"").decode("utf-8", "replace")
