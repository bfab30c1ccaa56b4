"""The self-test of mail: it sends a probe, waits until it comes back, and reports each step."""

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
from service.mail.alignment import domain_of
from service.mail.finding import Finding, broken, note, well
from service.mail.outgoing import server_name
from service.mail.probe import stranger
from service.mail.probe.arrival import Arrival, Arrivals, token_of, wait_for
from service.mail.probe.handover import NotTaken, Tell, hand_over
from service.mail.probe.intake import check_intake
from service.mail.probe.judgement import judge, verdicts
from service.mail.probe.message import Probe, make_message
from service.mail.probe.stranger import Door

LONGEST: Final = 300
"""Characters of a bounce that are shown."""
ELSEWHERE: Final = (
    "Send a mail from elsewhere and read its Authentication-Results headers (docs/hosting.md, section 7), "
    "or give --mx HOST[:PORT]."
)
Came = Generator[Finding, None, Arrival | None]
"""Findings, and the probe that came in the end."""
_WHY: Final = re.compile(rb"^(?:Diagnostic-Code|Status):[ \t]*(.+(?:\r?\n[ \t].+)*)", re.IGNORECASE | re.MULTILINE)


@dataclass(slots=True)
class SelfTest:
    """One run: out through `server`, back within `patience` seconds, and once more through `door` if need be."""

    services: Services
    server: SmtpServer
    door: Door | None
    patience: float
    tell: Tell
    seconds: float | None = None  # how long the probe took
    _used: list[bytes] = field(default_factory=list)

    def run(self) -> Iterator[Finding]:
        """Send, wait and judge; then delete everything that came in."""
        try:
            yield from check_intake(self.services)
            yield from self._run()
        finally:
            with self.services.database.write() as tx:
                inbox.forget_probes(tx, self._used)

    @property
    def _authserv_id(self) -> str:
        return self.services.settings.authserv_id or stranger.mail_server_name(self.services.settings)

    def _run(self) -> Iterator[Finding]:
        settings = self.services.settings
        probe = make_message(settings, self.services.entropy, self._address(), self._address(), self._authserv_id)
        first = yield from self._send(probe)
        if first is None:
            return
        found = verdicts(probe, first.raw, self._authserv_id)
        if found.is_judged or self.door is None:
            yield from self._judge(probe, first.raw)
            return
        self.tell("Your mail server takes this machine for its own and judges nothing: once more, as a stranger.")
        yield from self._as_a_stranger(probe, first, self.door)

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

    def _as_a_stranger(self, probe: Probe, first: Arrival, door: Door) -> Iterator[Finding]:
        """Check `door`, bring the probe there and judge what comes in."""
        settings = self.services.settings
        try:
            connection = stranger.connect(door, settings)
            is_here = stranger.is_this_machine(connection)
        except (OSError, smtplib.SMTPException) as error:
            self.tell(f"{door} does not answer ({type(error).__name__}).")
            yield from self._judge(probe, first.raw, unchecked=f"{door} cannot be reached from here")
            return
        looked: list[Finding] = []
        with suppress(OSError, smtplib.SMTPException), connection:
            looked.extend(stranger.check_door(connection, settings))
        yield from self._bring_again(probe, first, door, looked, is_here=is_here)

    def _bring_again(
        self, probe: Probe, first: Arrival, door: Door, looked: list[Finding], *, is_here: bool
    ) -> Iterator[Finding]:
        """Bring the probe to `door`, where `looked` was found, and judge what comes in."""
        end = time.monotonic() + self.patience
        second = stranger.again(probe, first.raw, self._address(), self._address(), self._authserv_id)
        try:
            hand_over(partial(stranger.connect, door, self.services.settings), second, end, self.tell)
        except NotTaken as refused:
            yield from looked
            yield broken("mail server", f"At {door}: {refused}", "Others' mail is refused there, too: see its log.")
            return
        arrivals = wait_for(self.services, second.recipient, second.sender, end, self.tell)
        raw = arrivals.probes[0].raw if arrivals.probes else b""
        if not is_here or verdicts(probe, raw, self._authserv_id).is_judged:
            yield from looked  # a mail server allows more to its own machine
        for bounce in arrivals.bounces:
            yield broken("mail server", f"What came by {door} bounced: {_reason(bounce.raw)}", "See its log.")
        if not raw:
            yield broken("mail server", f"What {door} took did not come in.", self._searching())
            return
        yield from self._judge(probe, raw, unchecked=f"{door} is this very machine" if is_here else "")

    def _judge(self, probe: Probe, raw: bytes, *, unchecked: str = "") -> Iterator[Finding]:
        """Judge a probe that came back; `unchecked` says why no verdict can be expected."""
        settings, name = self.services.settings, self._authserv_id
        found, from_domain = verdicts(probe, raw, name), domain_of(settings.mail_from)
        yield from judge(from_domain, probe, raw, found, name, believes=bool(settings.authserv_id))
        if found.is_judged:
            return
        if unchecked and not found.others:
            yield note("verdicts", f"Unchecked: {unchecked}, so nobody judged the probe.", ELSEWHERE)
        else:
            yield self._unjudged(found.others)

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
