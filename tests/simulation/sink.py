"""Where the mail of the simulation goes: a sink that keeps every letter, loses some answers and refuses some letters.

It keeps with each what the checker needs: the game's version and the time before the claim was looked at, and when the
letter was handed over. What is written is written: the file outlives whoever is killed.
"""

import hashlib
import json
import os
import random
from pathlib import Path
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection, bindparam

from service.container import Services
from service.kernel.clock import SECOND
from service.store.event_store.streams import games
from service.store.outgoing.deliveries import Delivery
from service.store.outgoing.notice import Notice
from service.store.statements import Statement
from tests.simulation.faults import Faults
from workers.channels.channel import Outcome
from workers.letters.letter_view import LetterRequest
from workers.mail_out import channel
from workers.mail_out.letter import Letter
from workers.mail_out.transport import BrokeOff, Deferred, Refused

Row = dict[str, Any]
WHOLE: Final = 40
"""One letter of so many is composed in full; the others are as short as a letter can be, after the same checks."""
LATER, LOST, REFUSED, FULL = 0.03, 0.01, 0.001, 0.005
"""Shares of letters: put off by 4xx, kept without an answer that they are, refused by 5xx; and of readers whose
mailbox is full for an hour."""
HOUR: Final = 3600 * SECOND
_version: Final = Statement(sa.select(games.c.version).where(games.c.id == bindparam("game", type_=sa.String)))


def note_of(file: Path, line: Row) -> None:
    """Add a line in one write: nobody's line is torn apart."""
    opened = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(opened, json.dumps(line, separators=(",", ":")).encode() + b"\n")
    os.close(opened)


class Sink:
    """A transport. `standing` is what was known before the claim of the letter under way was checked."""

    name = "sink"

    def __init__(self, services: Services, file: Path, number: int, faults: Faults) -> None:
        self.services = services
        self.file = file
        self.chance = random.Random(f"sink {number} {os.getpid()}")
        self.number = number
        self.faults = faults
        self.standing: Row = {}
        self.attempts = 0

    def watch(self) -> None:
        """Look on while this process delivers."""
        check, render, send = channel.check, channel.render, channel.Mail.send

        def under_way(mail: channel.Mail, delivery: Delivery) -> Outcome:
            self.attempts = delivery.attempts
            return send(mail, delivery)

        def looked(services: Services, connection: Connection, notice: Notice) -> LetterRequest:
            self.standing = self._stand(connection, msgspec.structs.asdict(notice) | {"attempts": self.attempts})
            return check(services, connection, notice)

        def brief(request: LetterRequest) -> Letter:
            notice, asked = request.notice, request.asked
            self.standing |= {"due": None if asked is None else asked.due, "kind": notice.kind}
            if notice.id % WHOLE == 0 or not notice.game_id:
                return render(request)
            text = json.dumps([notice.kind, notice.game_id, notice.decision, notice.seat, self.standing["due"]])
            name = f"<{notice.kind}.{notice.id}@localhost>"
            return Letter(request.reader.email, "bounce@localhost", name, text.encode())

        channel.Mail.send = under_way  # type: ignore[method-assign]
        channel.check, channel.render = looked, brief

    def send(self, letter: Letter) -> None:
        """Keep it, and answer as mail servers do."""
        fate = self._fate(letter)
        self._keep(letter, fate)
        if fate == "refused":
            raise Refused("554 5.6.0 not in this form")
        if fate == "later":
            raise Deferred("451 4.3.0 try again later")
        if fate != "taken":
            raise BrokeOff("the mail server broke off")

    def close(self) -> None:
        """Nothing is open but the file."""

    def note(self, what: str) -> None:
        """Something befell this process."""
        note_of(self.file, {"worker": self.number, "pid": os.getpid(), "what": what, "at": self._now()})

    def _stand(self, connection: Connection, row: Row) -> Row:
        kept = {name: row[name] for name in ("id", "game_id", "kind", "decision", "seat", "recipient", "attempts")}
        found = _version(connection, game=row["game_id"]).fetchone() if row["game_id"] else None
        return kept | {"before": found[0] if found else 0, "checked": self._now()}

    def _keep(self, letter: Letter, fate: str) -> None:
        with self.services.database.read() as connection:
            now = self._now()
            found = _version(connection, game=self.standing["game_id"]).fetchone()
        more = {"worker": self.number, "pid": os.getpid(), "fate": fate, "version": found[0] if found else 0, "at": now}
        digest = hashlib.sha256(letter.data).hexdigest()[:16]
        note_of(self.file, self.standing | more | {"message": letter.message_id, "digest": digest})

    def _now(self) -> int:
        """The time of record, whatever this process's clock says."""
        return int(self.services.database.clock.moment.record)

    def _fate(self, letter: Letter) -> str:
        if not self.faults.on:
            return "taken"
        mailbox = random.Random(f"{letter.to} {self._now() // HOUR}").random()
        if mailbox < FULL * self.faults.rough:
            return "later"
        lot = self.chance.random()
        for fate, share in (("later", LATER), ("lost", LOST), ("refused", REFUSED)):
            if lot < share:
                return fate
            lot -= share
        return "taken"
