"""The rest of the world for the drills of mail: a DNS server, and a mail server that keeps mail to people.example.

python -m tests.mail_world ZONE.json FOLDER     # in the world of a `tests.debian_box`
"""

import json
import sys
import threading
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.debian_box import NAME_SERVER, WORLD
from tests.dns_server import DnsServer


class Keeper:
    """Keeps each mail as a file, in the order in which they come."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        self.count += 1
        draft = self.folder / f"{self.count:04}.new"
        draft.write_bytes(bytes(envelope.original_content or b""))
        draft.rename(draft.with_suffix(".eml"))
        return "250 2.0.0 Kept."


def main(zone: str, folder: str) -> None:
    """Serve until killed; the zone is a list of name, type and values."""
    records = {(name, kind): values for name, kind, values in json.loads(Path(zone).read_text())}
    keeper = Controller(Keeper(Path(folder)), hostname=WORLD, port=25)
    with DnsServer(records, NAME_SERVER, 53):
        keeper.start()
        (Path(folder) / "ready").touch()
        threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
