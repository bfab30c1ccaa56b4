"""`wardroom doctor --mail`: the DNS records that mail needs, and a mail that goes out and comes back."""

import ipaddress
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

if TYPE_CHECKING:
    from service.container import Services
    from service.mail.finding import Finding
    from service.mail.probe.stranger import Door
    from service.mail.records.dkim_key import PublicKey
    from service.mail.records.plan import Plan
    from service.mail.records.resolver import Resolver

SMTP_PORT: Final = 25
DNS_PORT: Final = 53


@dataclass(frozen=True, slots=True)
class MailOptions:
    """What a host says besides the settings."""

    host: str | None
    addresses: tuple[str, ...]
    selector: str | None
    key: TextIO | None
    resolver: tuple[str, int] | None
    mx: tuple[str, int] | None
    wait: int | None
    no_probe: bool
    as_json: bool


class Place(click.ParamType[tuple[str, int]]):
    """A host and perhaps a port: 192.0.2.1, mail.games.example:2525, [::1]:53."""

    name = "host[:port]"

    def __init__(self, port: int) -> None:
        self.port = port

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        """Read it."""
        found = re.fullmatch(r"\[([0-9A-Fa-f:]+)\](?::([0-9]{1,5}))?|([^\s:\[\]]+)(?::([0-9]{1,5}))?", str(value))
        if found is None:
            self.fail("give HOST or HOST:PORT, an IPv6 address in brackets.", param, ctx)
        return found[1] or found[3], int(found[2] or found[4] or self.port)


def mail_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of `doctor` that go with --mail."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def _is_address(_ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Raises BadParameter for what is no IP address."""
    for each in value:
        try:
            ipaddress.ip_address(each)
        except ValueError:
            raise click.BadParameter(f"{each} is no IP address.", param=param) from None
    return value


def _is_resolver(ctx: click.Context, param: click.Parameter, value: tuple[str, int] | None) -> tuple[str, int] | None:
    """The same for the host of a resolver."""
    if value is not None:
        _is_address(ctx, param, (value[0],))
    return value


OPTIONS: Final = (
    click.option("--host", metavar="NAME", help="With --mail: name of your mail server, where the MX leads."),
    click.option("--address", "addresses", multiple=True, metavar="IP", callback=_is_address,
                 help="With --mail: its public address; may be repeated."),
    click.option("--selector", metavar="NAME", help="With --mail: selector of the DKIM key.  [default: wardroom]"),
    click.option(
        "--key", type=click.File(encoding="utf-8", errors="replace"), metavar="FILE",
        help="With --mail: its public key, the .txt that opendkim-genkey writes or a .pem; - for standard input.",
    ),
    click.option("--resolver", type=Place(DNS_PORT), callback=_is_resolver,
                 help="With --mail: ask this one, not that of the machine."),
    click.option("--mx", type=Place(SMTP_PORT), help="With --mail: where others bring mail, unless by the MX."),
    click.option(
        "--wait", type=click.IntRange(1, 3600), metavar="SECONDS", help="With --mail: how long to wait.  [default: 180]"
    ),
    click.option("--no-probe", is_flag=True, help="With --mail: look at the records alone, and send nothing."),
)  # fmt: skip


def examine_mail(services: "Services", options: MailOptions) -> bool:
    """Say which records there must be, look at them, send the probe. Whether nothing is broken."""
    report = Report(as_json=options.as_json)
    report.run(services, options)
    return report.is_well


class Report:
    """What is said while it is found out, or as one JSON object in the end."""

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json
        self.findings: list[Finding] = []
        self.records: list[dict[str, str]] = []
        self.seconds: float | None = None

    @property
    def is_well(self) -> bool:
        """Whether nothing is broken."""
        return all(finding.mark != "broken" for finding in self.findings)

    def run(self, services: "Services", options: MailOptions) -> None:
        """All of it."""
        from service.mail.finding import broken

        if services.settings.mail_domain == "localhost":
            remedy = "Give mail a domain of its own, such as in.games.example, and run this again."
            self._add(broken("settings", "WARDROOM_MAIL_DOMAIN is localhost: no mail finds its way here.", remedy))
        else:
            plan, resolver = self._looked_up(services, options)
            self._probe(services, options, plan, resolver)
        if self.as_json:
            document = {
                "records": self.records,
                "findings": [finding.document() for finding in self.findings],
                "seconds": None if self.seconds is None else round(self.seconds, 1),
            }
            click.echo(json.dumps(document, indent=2))

    def _looked_up(self, services: "Services", options: MailOptions) -> "tuple[Plan, Resolver | None]":
        """Show the records, and look whether they are there."""
        from service.mail.finding import broken, note
        from service.mail.records.plan import SELECTOR, make_plan
        from service.mail.records.record_checks import check_records
        from service.mail.records.resolver import Resolver, ResolverAway

        given: dict[str, Any] = {"host": options.host or "", "addresses": options.addresses}
        given |= {"selector": options.selector or SELECTOR, "key": _key(options.key)}
        if services.settings.mail_prefix:
            domain = services.settings.mail_domain
            self._add(note("DNS", f"{domain} is your provider's, and its records are no matter of yours."))
            return make_plan(services.settings, None, **given), None
        try:
            resolver = Resolver(options.resolver)
            plan = make_plan(services.settings, resolver, **given)
            found = check_records(plan, resolver)
        except ResolverAway as away:
            plan = make_plan(services.settings, None, **given)
            self._show(plan)
            self._add(broken("DNS", f"{away} No record was looked at.", "Give another one: --resolver ADDRESS."))
            return plan, None
        self._show(plan)
        self._add(*found)
        return plan, resolver

    def _show(self, plan: "Plan") -> None:
        from service.mail.records.zone import zone

        records = zone(plan)
        self.records = [record.document() for record in records]
        if self.as_json:
            return
        click.echo("These records must be in the DNS: paste them into the zone, or enter them one by one.\n")
        for record in records:
            click.echo(record.line())
        if not plan.by_provider:
            click.echo(f"\nAnd where you rent the machine: its reverse DNS (PTR) must be {plan.host}.")
        click.echo("")

    def _probe(self, services: "Services", options: MailOptions, plan: "Plan", resolver: "Resolver | None") -> None:
        from service.mail.finding import note
        from service.mail.probe.self_test import SelfTest

        server = services.settings.smtp_url
        if options.no_probe:
            return
        if server is None:
            told = "All mail stays in the development mailbox, so none was sent."
            self._add(note("mail out", told, "Set WARDROOM_SMTP_URL to your mail server, then run this again."))
            return
        test = SelfTest(services, server, plan, _doors(options, plan, resolver), options.wait or 180, _tell)
        for finding in test.run():
            self._add(finding)
        self.seconds = test.seconds

    def _add(self, *findings: "Finding") -> None:
        self.findings += findings
        if not self.as_json:
            for finding in findings:
                click.echo(finding.line())


def _key(file: TextIO | None) -> "PublicKey | None":
    from service.mail.records.dkim_key import NoKey, read_file

    if file is None:
        return None
    try:
        return read_file(file.read())
    except NoKey as error:
        raise click.BadParameter(str(error), param_hint="--key") from error


def _doors(options: MailOptions, plan: "Plan", resolver: "Resolver | None") -> "list[Door]":
    """Where strangers bring mail for us: as the MX leads, unless the host says it."""
    from service.mail.probe.stranger import Door

    if options.mx is not None:
        return [Door(*options.mx)]
    if plan.by_provider or resolver is None:
        return []
    return [Door(address, SMTP_PORT) for address in _addresses(plan, resolver)]


def _addresses(plan: "Plan", resolver: "Resolver") -> Iterator[str]:
    from service.mail.records.resolver import NoAnswer

    try:
        for server in resolver.mx(plan.mail_domain).values:
            yield from resolver.addresses(server) if server != "." else ()
    except NoAnswer:
        return


def _tell(sentence: str) -> None:
    """Say how far it is, to whoever waits."""
    from service.mail.finding import printable

    click.echo(printable(sentence), err=True)
