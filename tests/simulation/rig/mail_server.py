"""A mail server that keeps what it takes in a file, hangs, drops and puts off: python -m … PORT FILE SEED.

It runs in a process of its own, so that it can be killed and frozen. What is in the file was taken, whatever was answered.
"""

import asyncio
import hashlib
import json
import os
import random
import sys
import time
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any, Final

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

FATES: Final = (("drop before", 0.02), ("drop after", 0.02), ("put off", 0.02), ("hang", 0.04))
"""Shares of the messages that fare so, once faults are on."""
LONGEST_HANG: Final = 6.0
CALM: Final = "calm"
"""While a file of this name lies beside the other, all goes well."""


class MailServer:
    """The handler of aiosmtpd."""

    def __init__(self, file: Path, seed: str) -> None:
        self.file = file
        self.chance = random.Random(f"{seed} {os.getpid()}")

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:
        """Keep a message, or not, and answer, or not."""
        fate = self._fate()
        if fate == "put off":
            return "451 4.3.0 Try again later"
        if fate != "drop before":
            self._keep(envelope)
        if fate == "hang":
            await asyncio.sleep(self.chance.random() * LONGEST_HANG)
        if fate.startswith("drop") and server.transport:
            server.transport.abort()
        return "250 OK"

    def _fate(self) -> str:
        lot = self.chance.random()
        for fate, share in () if self.file.with_name(CALM).exists() else FATES:
            if lot < share:
                return fate
            lot -= share
        return "taken"

    def _keep(self, envelope: Envelope) -> None:
        data = bytes(envelope.content or b"")
        message: Any = message_from_bytes(data, policy=policy.default)
        kept = {"at": time.time(), "to": envelope.rcpt_tos[0], "id": str(message["Message-ID"])}
        text = str(message.get_body(("plain",)).get_content()) if "<code." in kept["id"] else ""
        line = kept | {"digest": hashlib.sha256(data).hexdigest(), "text": text}
        opened = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(opened, json.dumps(line).encode() + b"\n")
        os.close(opened)


def main(port: str, file: str, seed: str) -> None:
    """Take mail until killed."""
    Controller(MailServer(Path(file), seed), hostname="127.0.0.1", port=int(port)).start()
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    main(*sys.argv[1:])
