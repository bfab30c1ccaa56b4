"""The development mailbox: mail that goes nowhere but into a Maildir.."""

import base64
import email
import email.policy
import os
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import getaddresses, localtime
from pathlib import Path
from typing import Any, Final

from service.container import Services
from service.kernel import private_files
from service.kernel.log import log
from service.mail import inbox
from service.mail.inbox import InboundMail

NAME: Final = re.compile(r"[0-9]{13}-[0-9a-f]{8}\.eml")
MOST_SHOWN: Final = 200
PARTS: Final = ("tmp", "new", "cur")
BETWEEN: Final = re.compile(r"[\s<>(),;:\"]+")
"""The signs between addresses, also in a malformed header."""
LOG: Final = "wardroom.mailbox"


@dataclass(frozen=True, slots=True)
class Letter:
    """A message in the mailbox; pictures stand in its HTML as data."""

    name: str
    headers: list[tuple[str, str]]
    text: str
    html: str

    def header(self, name: str) -> str:
        """The first header of this name, "" without one."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")


@dataclass(frozen=True, slots=True)
class Folder:
    """Where the messages lie: a Maildir, so that any mail program can read and answer them."""

    path: Path

    def deliver(self, message: bytes) -> None:
        """Store one message with LF line ends, as in every Maildir: on disk before it counts as delivered."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        for part in PARTS:
            (self.path / part).mkdir(mode=0o700, exist_ok=True)
        name = f"{time.time_ns() // 1_000_000:013d}-{secrets.token_hex(4)}.eml"
        draft = self.path / "tmp" / name
        with open(draft, "wb", opener=private_files.opener) as file:
            file.write(message.replace(b"\r\n", b"\n"))
            file.flush()
            os.fsync(file.fileno())
        draft.rename(self.path / "new" / name)

    def files(self) -> Iterator[tuple[str, Path]]:
        """Each message by its name, without the flags that a mail program adds."""
        for part in PARTS[1:]:
            if (self.path / part).is_dir():
                for path in (self.path / part).iterdir():
                    name = path.name.partition(":")[0]
                    if NAME.fullmatch(name) and path.is_file():
                        yield name, path


def forget(folder: Folder, address: str) -> int:
    """Delete the messages to or from an address, as it is compared. How many.

    A mail program may rename one meanwhile: what has moved is looked for once more.
    """
    gone, moved = _forget(folder, address)
    return gone + _forget(folder, address)[0] if moved else gone


def _forget(folder: Folder, address: str) -> tuple[int, bool]:
    gone, moved = 0, False
    for name, path in list(folder.files()):
        try:
            if address in _addresses(path.read_bytes()):
                path.unlink()
                gone += 1
        except FileNotFoundError:
            moved = True
        except Exception as error:  # one message that cannot be read must not keep the others
            log(LOG, "warning", "a message of the mailbox was not looked at", file=name, error=type(error).__name__)
    return gone, moved


def _addresses(message: bytes) -> set[str]:
    """The sender and recipients of a message, as addresses are compared, however its headers are written."""
    headers = BytesHeaderParser(policy=email.policy.compat32).parsebytes(message)
    named = [str(value) for key in ("From", "To", "Cc", "Reply-To") for value in headers.get_all(key, ())]
    found = [address for _, address in getaddresses(named)]
    return {word.casefold() for word in (*found, *BETWEEN.split(" ".join(named)))}


def letters(folder: Folder) -> list[Letter]:
    """The newest messages, newest first."""
    files = sorted(folder.files(), reverse=True)[:MOST_SHOWN]
    return [_letter(name, path) for name, path in files]


def letter(folder: Folder, name: str) -> Letter | None:
    """One message, None where there is none of this name."""
    found = next((path for known, path in folder.files() if known == name), None)
    return None if found is None else _letter(name, found)


def answer(services: Services, letter: Letter, text: str) -> None:
    """Answer a message as its reader's mail program would. Raises inbound.NotAccepted."""
    reply, reader = (_address(letter.header(name)) for name in ("Reply-To", "To"))
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"], message["To"] = Address(addr_spec=reader), Address(addr_spec=reply)
    message["Subject"] = f"Re: {' '.join(letter.header('Subject').split())}"
    message["Date"] = localtime()
    message["Message-ID"] = f"<{services.entropy.token_bytes(12).hex()}@mailbox.invalid>"
    message["In-Reply-To"] = letter.header("Message-ID")
    quoted = "\n".join(f"> {line}".rstrip() for line in letter.text.splitlines())
    message.set_content(f"{text.strip()}\n\nOn {letter.header('Date')}, Wardroom wrote:\n{quoted}\n")
    inbox.accept(services, InboundMail(message.as_bytes(), reply, reader, "mailbox", trusted="pass"))


def _address(header: str) -> str:
    return header.rpartition("<")[2].strip().rstrip(">")


def _letter(name: str, path: Path) -> Letter:
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    text, html = (_content(message.get_body((kind,))) for kind in ("plain", "html"))
    for part in message.walk():
        if (content_id := str(part.get("Content-ID", "")).strip("<>")) and part.get_content_maintype() == "image":
            data = base64.b64encode(bytes(part.get_payload(decode=True) or b"")).decode()
            html = html.replace(f"cid:{content_id}", f"data:{part.get_content_type()};base64,{data}")
    return Letter(name, [(key, str(value)) for key, value in message.items()], text, html)


def _content(part: Any) -> str:
    """The text of a part, as far as it can be read."""
    if part is None:
        return ""
    try:
        return str(part.get_content())
    except (LookupError, ValueError):
        return bytes(part.get_payload(decode=True) or b"").decode("utf-8", "replace")
