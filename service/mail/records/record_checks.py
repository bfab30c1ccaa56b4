"""The DNS records of a host's mail: whether each is there and says what it must, and what to do where it does not."""

from collections.abc import Callable, Iterator
from typing import Final

from service.mail.finding import Finding, broken
from service.mail.records.dkim_check import check_dkim
from service.mail.records.dmarc_check import check_dmarc
from service.mail.records.mx_check import check_mx, check_ptr
from service.mail.records.plan import Plan
from service.mail.records.resolver import NoAnswer, Resolver
from service.mail.records.spf_check import check_spf

ASK_AGAIN: Final = "Look again in a quarter of an hour; if it stays so, ask whoever runs the zone."
Check = Callable[[Plan, Resolver], Iterator[Finding]]
CHECKS: Final[dict[str, Check]] = {
    "MX": check_mx, "SPF": check_spf, "DKIM": check_dkim, "DMARC": check_dmarc, "PTR": check_ptr,
}  # fmt: skip


def check_records(plan: Plan, resolver: Resolver) -> list[Finding]:
    """Look at every record. Raises ResolverAway."""
    found = []
    for subject, check in CHECKS.items():
        try:
            found += list(check(plan, resolver))
        except NoAnswer as silence:
            found.append(broken(subject, str(silence), ASK_AGAIN))
    return found
