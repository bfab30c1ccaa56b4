"""What our mail is signed with (DKIM): the public key, and what may be wrong with it."""

from collections.abc import Iterator
from typing import Final

from service.mail.finding import Finding, broken, note, well
from service.mail.records import zone
from service.mail.records.dkim_key import NoKey, from_record
from service.mail.records.hints import add, doubled
from service.mail.records.plan import Plan
from service.mail.records.resolver import Resolver
from service.mail.records.tags import tags

SHORT: Final = 1024
"""Bits of a key below which nobody may believe it (RFC 8301 3.2)."""
USUAL: Final = 2048


def check_dkim(plan: Plan, resolver: Resolver) -> Iterator[Finding]:
    """RFC 6376 3.6.1, RFC 8301."""
    name, wanted = zone.dkim_name(plan), zone.dkim_record(plan)
    texts = resolver.txt(name).values
    if not texts:
        yield broken("DKIM", f"There is no key at {name}.", _no_key(plan, resolver, wanted))
        return
    if len(texts) > 1:
        yield broken("DKIM", f"There are {len(texts)} texts at {name}, and then none counts.", "Leave one.")
        return
    try:
        key = from_record(texts[0])
    except NoKey as error:
        yield broken("DKIM", f"At {name}: {error}", add(wanted) if plan.key else "Enter it again.")
        return
    if plan.key is not None and plan.key.encoded != key.encoded:
        yield broken("DKIM", f"The key at {name} is not the one in your file.", add(wanted) + " instead of it.")
    elif key.kind == "rsa" and key.bits < SHORT:
        yield broken("DKIM", f"The key at {name} has {key.bits} bits: nobody believes it.", _longer(plan))
    elif key.kind == "rsa" and key.bits < USUAL:
        yield note("DKIM", f"The key at {name} has {key.bits} bits, which is little today.", _longer(plan))
    else:
        yield well("DKIM", f"{name} has a key of {key.bits} bits ({key.kind}).")
    if "y" in (tags(texts[0]) or {}).get("t", "").split(":"):
        yield note("DKIM", "It says that you are only trying (`t=y`).", "Take that out once mail arrives.")


def _no_key(plan: Plan, resolver: Resolver, wanted: zone.Record) -> str:
    for wrong in (f"{plan.selector}.domainkey.{plan.from_domain}", f"{plan.selector}.{plan.from_domain}"):
        if resolver.txt(wrong).values:
            return f"There is one at {wrong}: its name must be {wanted.name}, with `_domainkey`."
    twice = resolver.txt(f"{wanted.name}.{plan.organization}").values
    if not twice and plan.by_provider:
        return f"Let {plan.by_provider} sign for {plan.from_domain}: its pages say which record; give its --selector."
    if not twice and plan.key is None:
        return "Make a key as docs/hosting.md says, then give its .txt file as --key; or another --selector."
    return doubled(twice, wanted, plan)


def _longer(plan: Plan) -> str:
    return f"opendkim-genkey -b {USUAL} -s {plan.selector} -d {plan.from_domain}"
