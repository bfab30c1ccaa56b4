"""The self-test of mail behind `wardroom doctor --mail`: it sends a mail to itself and judges it when it returns."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from service.container import Services
    from service.mail.finding import Finding

SMTP_PORT: Final = 25
LAST_PORT: Final = 65535


@dataclass(frozen=True, slots=True)
class MailOptions:
    """The options of the command that go with --mail."""

    mx: tuple[str, int] | None
    wait: int | None
    as_json: bool


class Place(click.ParamType[tuple[str, int]]):
    """A host and an optional port: 192.0.2.1, mail.games.example:2525, [::1]:25."""

    name = "host[:port]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        """Read a host and its port."""
        found = re.fullmatch(r"\[([0-9A-Fa-f:]+)\](?::([0-9]{1,5}))?|([^\s:\[\]]+)(?::([0-9]{1,5}))?", str(value))
        if found is None:
            self.fail("give HOST or HOST:PORT, an IPv6 address in brackets.", param, ctx)
        port = int(found[2] or found[4] or SMTP_PORT)
        if not 0 < port <= LAST_PORT:
            self.fail(f"a port is a number from 1 to {LAST_PORT}.", param, ctx)
        return found[1] or found[3], port


def mail_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `doctor` that go with --mail."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


OPTIONS: Final = (
    click.option(
        "--mx", type=Place(),
        help="With --mail: where others bring mail.  [default: WARDROOM_AUTHSERV_ID or WARDROOM_MAIL_DOMAIN, port 25]",
    ),
    click.option(
        "--wait", type=click.IntRange(1, 3600), metavar="SECONDS", help="With --mail: how long to wait.  [default: 180]"
    ),
)  # fmt: skip


def examine_mail(services: "Services", options: MailOptions) -> bool:
    """Send the probe and print what is found. Returns whether nothing is broken."""
    report = Report(as_json=options.as_json)
    report.run(services, options)
    return report.is_well


class Report:
    """The findings, printed one by one, or as one JSON object at the end."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self.findings: list[Finding] = []
        self.seconds: float | None = None

    @property
    def is_well(self) -> bool:
        """Return whether nothing is broken."""
        return all(finding.mark != "broken" for finding in self.findings)

    def run(self, services: "Services", options: MailOptions) -> None:
        """Run the self-test and print the report."""
        self._probe(services, options)
        if self.as_json:
            document = {
                "findings": [finding.document() for finding in self.findings],
                "seconds": None if self.seconds is None else round(self.seconds, 1),
            }
            click.echo(json.dumps(document, indent=2))

    def _probe(self, services: "Services", options: MailOptions) -> None:
        """Send the probe, unless the settings have no domain or no mail server."""
        from service.mail.finding import broken, note
        from service.mail.probe.self_test import SelfTest
        from service.mail.probe.stranger import Door, default_door

        server = services.settings.smtp_url
        if services.settings.mail_domain == "localhost":
            remedy = "Give mail a domain of its own, such as in.games.example, and run this again."
            self._add(broken("settings", "WARDROOM_MAIL_DOMAIN is localhost: no mail finds its way here.", remedy))
            return
        if server is None:
            said = "Unchecked: all mail stays in the development mailbox, so none was sent."
            self._add(note("mail out", said, "Set WARDROOM_SMTP_URL to your mail server, then run this again."))
            return
        door = Door(*options.mx) if options.mx is not None else default_door(services.settings, server)
        test = SelfTest(services, server, door, options.wait or 180, _tell)
        for finding in test.run():
            self._add(finding)
        self.seconds = test.seconds

    def _add(self, finding: "Finding") -> None:
        self.findings.append(finding)
        if not self.as_json:
            click.echo(finding.line())


def _tell(sentence: str) -> None:
    """Print progress to standard error."""
    from service.mail.finding import printable

    click.echo(printable(sentence), err=True)
