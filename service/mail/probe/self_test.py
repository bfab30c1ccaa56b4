"""The self-test: a probe goes out and comes back, and every step of it is told."""

import re
import smtplib
import time
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from config.readers import SmtpServer
from service.container import Services
from service.mail import addresses, inbox, smtp_session
from service.mail.finding import Finding, broken, note, well
from service.mail.outgoing import server_name
from service.mail.probe import stranger
from service.mail.probe.arrival import Arrival, Arrivals, token_of, wait_for
from service.mail.probe.handover import NotTaken, Tell, hand_over
from service.mail.probe.intake import check_intake
from service.mail.probe.judgement import judge, verdicts
from service.mail.probe.message import Probe, make_message
from service.mail.probe.stranger import Door
from service.mail.records.plan import Plan

LONGEST: Final = 300
"""Characters of a bounce that are shown."""
Came = Generator[Finding, None, Arrival | None]
"""Findings, and the probe that came in the end."""
_WHY: Final = re.compile(rb"^(?:Diagnostic-Code|Status):[ \t]*(.+(?:\r?\n[ \t].+)*)", re.IGNORECASE | re.MULTILINE)


@dataclass(slots=True)
class SelfTest:
    """One run: by `server` out, back within `patience` seconds. `doors` are tried where it must be brought again."""

    services: Services
    server: SmtpServer
    plan: Plan
    doors: list[Door]
    patience: float
    tell: Tell
    seconds: float | None = None  # how long the probe took
    _used: list[bytes] = field(default_factory=list)

    def run(self) -> Iterator[Finding]:
        """Send, wait, judge; whatever came of it is deleted again."""
        try:
            yield from check_intake(self.services)
            yield from self._run()
        finally:
            with self.services.database.write() as tx:
                inbox.forget_probes(tx, self._used)

    @property
    def _authserv_id(self) -> str:
        return self.services.settings.authserv_id or self.plan.host

    def _run(self) -> Iterator[Finding]:
        settings = self.services.settings
        probe = make_message(settings, self.services.entropy, self._address(), self._address(), self._authserv_id)
        first = yield from self._send(probe)
        if first is None:
            return
        found = verdicts(probe, first.raw, self._authserv_id)
        if found.is_judged or not self.doors:
            yield from self._judge(probe, first.raw)
            return
        self.tell("Your mail server takes this machine for its own and judges nothing: once more, as a stranger.")
        yield from self._as_a_stranger(probe, first)

    def _send(self, probe: Probe) -> Came:
        """Hand the probe over and wait for it; the first of it that came, None where nothing did."""
        settings, end = self.services.settings, time.monotonic() + self.patience
        self.tell(f"A probe goes to {server_name(settings)}, and should come back.")
        try:
            taken = hand_over(partial(smtp_session.connect, self.server, settings), probe, end, self.tell)
        except NotTaken as refused:
            yield broken("mail out", str(refused), "Its log says why; check WARDROOM_SMTP_URL.")
            return None
        if taken.put_off:
            told = f"{server_name(settings)} put the probe off at first: {taken.put_off}"
            yield note("mail out", told, "If it does so with every mail, let it know this machine.")
        yield well("mail out", f"{server_name(settings)} took the probe.")
        arrivals = wait_for(self.services, probe.recipient, probe.sender, end, self.tell)
        return (yield from self._came(probe, arrivals, taken.at))

    def _came(self, probe: Probe, arrivals: Arrivals, since: float) -> Came:
        for bounce in arrivals.bounces:
            yield broken("mail in", f"The probe bounced: {_reason(bounce.raw)}", "See the log of the mail server.")
        if not arrivals.probes:
            if not arrivals.bounces:
                yield broken("mail in", f"The probe did not come back within {self.patience:g} s.", self._searching())
            return None
        first = arrivals.probes[0]
        self.seconds = max(0.0, first.seen - since)
        yield well("mail in", f"The probe came back by {first.source} after {self.seconds:.1f} s.")
        if len(arrivals.probes) > 1:
            ways = ", ".join(sorted({arrival.source for arrival in arrivals.probes}))
            told = f"It came {len(arrivals.probes)} times ({ways})."
            yield note("mail in", told, "Leave one way in: listener or mailbox, and no alias beside the catch-all.")
        if first.sender.casefold() != probe.sender.casefold():
            masked = addresses.mask(first.sender)
            told = f"The sender of its envelope was rewritten to {masked}: a forwarder stands between."
            yield note("mail in", told, "Let an MX lead to this machine: after a forwarder SPF says nothing.")
        return first

    def _as_a_stranger(self, probe: Probe, first: Arrival) -> Iterator[Finding]:
        settings, end = self.services.settings, time.monotonic() + self.patience
        door = next(filter(self._answers, self.doors), None)
        if door is None:
            yield from self._judge(probe, first.raw, closed=True)
            told = f"{', '.join(map(str, self.doors))} cannot be reached from here, so nobody judged the probe."
            yield note("verdicts", told, "Send a mail from elsewhere to see them, or give --mx HOST:PORT.")
            return
        second = stranger.again(probe, first.raw, self._address(), self._address(), self._authserv_id)
        connect = partial(stranger.connect, door, self.plan, settings)
        with suppress(OSError, smtplib.SMTPException), connect() as connection:
            yield from stranger.check_door(connection, settings)
        try:
            hand_over(connect, second, end, self.tell)
        except NotTaken as refused:
            yield broken("mail server", f"At {door}: {refused}", "Others' mail is refused there, too: see its log.")
            return
        arrivals = wait_for(self.services, second.recipient, second.sender, end, self.tell)
        for bounce in arrivals.bounces:
            yield broken("mail server", f"What came by {door} bounced: {_reason(bounce.raw)}", "See its log.")
        if not arrivals.probes:
            yield broken("mail server", f"What {door} took did not come in.", self._searching())
            return
        yield from self._judge(probe, arrivals.probes[0].raw)

    def _judge(self, probe: Probe, raw: bytes, *, closed: bool = False) -> Iterator[Finding]:
        """What a probe that came back tells; `closed` where the way on which it would be judged is closed to us."""
        found, name = verdicts(probe, raw, self._authserv_id), self._authserv_id
        yield from judge(self.plan, probe, raw, found, name, believes=bool(self.services.settings.authserv_id))
        if not found.is_judged and not closed:
            yield self._unjudged(found.others)

    def _answers(self, door: Door) -> bool:
        try:
            stranger.connect(door, self.plan, self.services.settings).quit()
        except (OSError, smtplib.SMTPException) as error:
            self.tell(f"{door} does not answer ({type(error).__name__}).")
            return False
        return True

    def _unjudged(self, others: list[str]) -> Finding:
        if others:
            told = f"Nothing is said by {self._authserv_id}, but by {', '.join(others)}."
            return broken("verdicts", told, f"If that is your mail server: WARDROOM_AUTHSERV_ID={others[0]}")
        told = f"No Authentication-Results of {self._authserv_id}: each move by mail is confirmed by a second mail."
        return broken("verdicts", told, "Let your mail server check SPF, DKIM and DMARC: docs/hosting.md says how.")

    def _searching(self) -> str:
        settings = self.services.settings
        return (
            f"See the log of the mail server for {settings.mail_domain}: it must hand that domain's mail to "
            f"{'the mailbox' if settings.mail_in is None else 'WARDROOM_MAIL_IN'}. Slow ways want --wait."
        )

    def _address(self) -> str:
        """A new one-time address."""
        with self.services.database.read() as connection:
            now = self.services.database.clock.now(connection)
        settings, entropy = self.services.settings, self.services.entropy
        made = addresses.full(settings, addresses.make_probe(settings, entropy, now))
        self._used.append(token_of(self.services, made))
        return made


def _reason(raw: bytes) -> str:
    """What a bounce says went wrong."""
    found = [" ".join(value.decode("utf-8", "replace").split()) for value in _WHY.findall(raw)]
    return " ".join(found)[:LONGEST] or "it does not say why."
