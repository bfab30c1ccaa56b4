"""What becomes of mail that only pretends to be ours (DMARC)."""

from collections.abc import Iterator

from service.mail.finding import Finding, broken, note, well
from service.mail.records import zone
from service.mail.records.hints import doubled
from service.mail.records.plan import Plan
from service.mail.records.resolver import Resolver
from service.mail.records.tags import tags


def check_dmarc(plan: Plan, resolver: Resolver) -> Iterator[Finding]:
    """RFC 7489 6.6.3: the record of the domain, else that of the organization above it."""
    wanted = zone.dmarc_record(plan)
    for domain in dict.fromkeys((plan.from_domain, plan.organization)):
        name = f"_dmarc.{domain}"
        found = [text for text in resolver.txt(name).values if text.lower().startswith("v=dmarc1")]
        if len(found) > 1:
            yield broken("DMARC", f"There are {len(found)} records at {name}, and then none counts.", "Leave one.")
            return
        if found:
            yield from _policy(plan, name, found[0], inherited=domain != plan.from_domain)
            return
    for wrong in (f"dmarc.{plan.from_domain}", plan.from_domain):
        if any(text.lower().startswith("v=dmarc1") for text in resolver.txt(wrong).values):
            told = f"The record stands at {wrong}, where nobody looks for it."
            yield broken("DMARC", told, f"Its name must be {wanted.name}, with the underscore.")
            return
    twice = resolver.txt(f"{wanted.name}.{plan.organization}").values
    yield broken(
        "DMARC", f"{plan.from_domain} has none: large providers refuse its mail.", doubled(twice, wanted, plan)
    )


def _policy(plan: Plan, name: str, text: str, *, inherited: bool) -> Iterator[Finding]:
    found = tags(text)
    policy = (found or {}).get("sp" if inherited and "sp" in (found or {}) else "p", "").lower()
    if found is None or policy not in ("none", "quarantine", "reject"):
        remedy = f"Write it like this: {zone.dmarc_record(plan).value}"
        yield broken("DMARC", f"The record at {name} cannot be read: {text}", remedy)
        return
    if policy == "none":
        told = f"The record at {name} only asks for reports: anybody can write in the name of {plan.from_domain}."
        yield note("DMARC", told, "Once this self-test is well, make it p=quarantine.")
    else:
        yield well("DMARC", f"Mail that only pretends to be of {plan.from_domain} is not delivered ({policy}).")
    if found.get("aspf") == "s" and plan.mail_domain != plan.from_domain:
        told = f"It wants SPF of {plan.from_domain} itself (aspf=s), and bounces go to {plan.mail_domain}."
        yield note("DMARC", told, "Take `aspf=s` out, or all rests on DKIM.")
