"""The postroom: mails that came in are claimed, read in a bounded child, and done with, each in one transaction.

It may be killed at any line: a mail is leased, never locked, and settled in the transaction of what it did. A mail that
kills its reader is counted before it is read, and set aside after a few tries; the next one goes on (I-08, F-46).
"""

import time
from collections.abc import Callable
from typing import Final

import structlog

from service.container import Services
from service.integrity.alarm import suspect
from service.kernel import request_ids
from service.kernel.clock import SECOND
from service.kernel.fault_points import reach
from service.kernel.ids import new_lease
from service.kernel.log import note
from service.mail import addresses, inbox, reply_tokens
from service.store.database import Connection
from service.store.errors import DriverError
from service.store.incoming.inbox import LeasedMail
from service.telemetry import tracing
from workers.commands.handle_reply import handle, unreadable
from workers.mail_in import unsubscribe
from workers.mail_in.sources import HEADERS_ONLY
from workers.mail_out import bounces
from workers.parsing.limits import REASONS, Poison, poison
from workers.parsing.read_mail import Reading, automatic_by_headers
from workers.parsing.reader_process import BoundedReader

log = structlog.get_logger("wardroom.mail")
BATCH: Final = 1
"""A mail is claimed by itself: one that kills its reader must not count as a try of others."""
LEASE: Final = 35 * SECOND
"""Longer than a child has for one mail, twice (`PATIENCE`, `ATTEMPTS`)."""
MOST_ATTEMPTS: Final = 3
PAUSE: Final = 5 * SECOND
HALTED_PAUSE: Final = 600 * SECOND
"""How soon a mail about a game that is stopped is looked at again."""


class Postroom:
    """Works off the mails that came in. `read` reads one: unless given, a child of this process does, within limits."""

    def __init__(self, services: Services, read: Callable[[bytes, str], Reading] | None = None) -> None:
        self.services = services
        self.child = BoundedReader()
        self.read = read or self.child.read

    def close(self) -> None:
        """End the child."""
        self.child.close()

    def work(self, *, seconds: float = 40.0) -> int:
        """Do what has come in until nothing is left or the time is over. How many mails were done with."""
        end = time.monotonic() + seconds
        done = 0
        while time.monotonic() < end:
            with self.services.database.write() as tx:
                until = self.services.database.clock.now(tx) + LEASE
                batch = inbox.claim(self.services, tx, new_lease(self.services.entropy), until, BATCH)
            reach("claimed")
            if not batch:
                break
            for row in batch:
                done += self._work_off(row)
        return done

    def _work_off(self, row: LeasedMail) -> bool:
        try:
            with request_ids.under(self.services.entropy) as id, tracing.request("mail", id):
                return self._try(row)
        except DriverError as error:  # also while setting a mail aside: its lease runs out, and it comes again
            log.warning("mail waits for the database", mail=row.id, error=type(error).__name__)
            return False

    def _try(self, row: LeasedMail) -> bool:
        try:
            if row.attempts > MOST_ATTEMPTS:
                self._set_aside(row, "it could not be done with in three tries", reason=REASONS["crash"])
                return True
            reading = self._read(row)
            reach("read")
            with self.services.database.write() as tx:
                if inbox.holds(tx, row):
                    self._do(tx, row, reading)
                reach("done")
            reach("settled")
            note("wardroom.mail", "mail done", mail=row.id, source=row.source)
            self.services.wakeup.wake()  # after the commit: an answer may wait to go out
        except Poison as poison:
            self._set_aside(row, f"{poison.reason}", reason=None if poison.automatic else poison.reason)
        except DriverError as error:
            log.warning("mail waits for the database", mail=row.id, error=type(error).__name__)
            self._later(row, "the database was in trouble", spare=True)
            return False
        except Exception as error:  # one mail that cannot be done with must not stop the others
            if self._is_about_a_halted_game(row, error):
                self._later(row, "the game is stopped", spare=True, pause=HALTED_PAUSE)
                return False
            log.exception("mail not understood", mail=row.id, error=type(error).__name__)
            self._later(row, type(error).__name__)
            return False
        return True

    def _read(self, row: LeasedMail) -> Reading | None:
        raw = inbox.raw_of(self.services, row.digest, row.raw)
        if raw is None or row.purpose == addresses.NOWHERE:
            return None
        if row.source == HEADERS_ONLY:
            raise poison("size", automatic_by_headers(raw, self.services.settings.mail_domain))
        return self.read(raw, self.services.settings.mail_domain)

    def _do(self, tx: Connection, row: LeasedMail, reading: Reading | None) -> None:
        if reading is None:
            inbox.settle(self.services, tx, row, "ignored", reason="nobody reads mail to this address")
        elif row.purpose == addresses.BOUNCE:
            found = bounces.handle(self.services, tx, row, reading)
            inbox.settle(self.services, tx, row, found.state, reason=found.reason, **found.whose)
        elif row.purpose == addresses.UNSUBSCRIBE:
            token = reply_tokens.find(self.services.database, self.services.sealer, tx, row.token)
            state = unsubscribe.unsubscribe(self.services, tx, token, row, reading) if token else "refused"
            stopped = "mail about this game stopped" if token and token.game else "digests stopped"
            reason = stopped if state == "applied" else "no wish to unsubscribe"
            inbox.settle(self.services, tx, row, state, reason=reason)
        else:
            handle(self.services, tx, row, reading)

    def _set_aside(self, row: LeasedMail, why: str, *, reason: str | None = None) -> None:
        """Quarantine: kept for the operator, answered with the `reason` if any, never in the way of the next."""
        with self.services.database.write() as tx:
            if not inbox.holds(tx, row):
                return
            log.warning("mail set aside", mail=row.id, why=why)
            token = reply_tokens.find(self.services.database, self.services.sealer, tx, row.token)
            if reason is not None and token is not None and token.purpose == addresses.ANSWER:
                unreadable(self.services, tx, row, token, why, reason)
            else:
                inbox.settle(self.services, tx, row, "quarantined", reason=why[:200])

    def _later(self, row: LeasedMail, why: str, *, spare: bool = False, pause: int = PAUSE) -> None:
        """Try again soon; `spare`: it is not the mail's fault, so this was no try (F-46 counts those)."""
        with self.services.database.write() as tx:
            inbox.postpone(tx, row, self.services.database.clock.now(tx) + pause, why, spare=spare)

    def _is_about_a_halted_game(self, row: LeasedMail, error: Exception) -> bool:
        with self.services.database.read() as connection:
            token = reply_tokens.find(self.services.database, self.services.sealer, connection, row.token)
        return suspect(self.services, token.game if token is not None else None, error) is not None
