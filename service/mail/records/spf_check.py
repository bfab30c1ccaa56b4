"""Who may send (SPF): the record of the domain that bounces go to."""

from collections.abc import Iterator
from typing import Final

from service.mail.alignment import is_aligned
from service.mail.finding import Finding, broken, note, well
from service.mail.records import spf, zone
from service.mail.records.hints import doubled
from service.mail.records.plan import Plan
from service.mail.records.resolver import Resolver

SOMEBODY: Final = "192.0.2.1"
"""An address that is nobody's (RFC 5737)."""


def check_spf(plan: Plan, resolver: Resolver) -> Iterator[Finding]:
    domain, wanted = plan.mail_domain, zone.spf_record(plan)
    try:
        if (record := spf.only_record(resolver.txt(domain))) is None:
            twice = resolver.txt(f"{domain}.{plan.organization}").values
            yield broken("SPF", f"{domain} has none.", doubled(twice, wanted, plan))
            return
        every = spf.Spf(resolver, None)
        every.check(domain)
        if every.lookups > spf.MOST_LOOKUPS:
            asks = (
                f"The record of {domain} asks the DNS {every.lookups} times, and after {spf.MOST_LOOKUPS} it is void."
            )
            yield broken("SPF", asks, "Take out what you do not send by; write `ip4:` in place of `a:` and `mx`.")
            return
        yield from _senders(plan, resolver, record)
    except spf.BadRecord as bad:
        yield broken("SPF", str(bad), f"One record, of terms like these: {wanted.value}")
    if not is_aligned(domain, plan.from_domain):
        apart = f"{domain}, where bounces go, and {plan.from_domain}, in From, are of two owners."
        yield note("SPF", f"{apart} SPF proves nothing for DMARC then: all rests on DKIM.")


def _senders(plan: Plan, resolver: Resolver, record: str) -> Iterator[Finding]:
    """Whether our mail server may send, and others may not."""
    domain = plan.mail_domain
    others = spf.Spf(resolver, SOMEBODY).check(domain)
    if others == "pass":
        yield broken("SPF", f"The record of {domain} lets everybody send: {record}", "End it with -all or ~all.")
    elif others in ("neutral", "none"):
        yield note("SPF", f"The record of {domain} says nothing about others: {record}", "End it with -all or ~all.")
    if plan.by_provider or not plan.addresses:
        yield well("SPF", f"{domain} has a record: {record}")
        return
    for address in plan.addresses:
        evaluation = spf.Spf(resolver, address)
        result = evaluation.check(domain)
        if result == "pass":
            yield well("SPF", f"{address} may send for {domain}: {record}")
        elif evaluation.unsure:
            yield note("SPF", f"Whether {address} may send by {evaluation.unsure[0]} shows with a real mail only.")
        else:
            told = f"By the record of {domain}, {address} may not send ({result}): {record}"
            yield broken("SPF", told, f"Put `a:{plan.host}` before its `all`.")
