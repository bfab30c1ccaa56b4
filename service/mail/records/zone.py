"""The DNS records that a host's mail needs, as a zone file writes them."""

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from service.mail.records.plan import SAMPLE, Plan

PART: Final = 255
"""Bytes of one text of a TXT record (RFC 1035 3.3)."""
NO_KEY: Final = "v=DKIM1; k=rsa; p=THE-PUBLIC-KEY-OF-YOUR-MAIL-SERVER"


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its whole name, type and value, and why it is wanted."""

    name: str
    kind: str
    value: str
    why: str

    def line(self) -> str:
        """For a zone file."""
        return f"{self.name + '.':<44} 3600 IN {self.kind:<4} {self._data()}"

    def document(self) -> dict[str, str]:
        """For programs."""
        return {"name": self.name, "type": self.kind, "value": self.value, "why": self.why}

    def _data(self) -> str:
        if self.kind != "TXT":
            return self.value
        return " ".join(f'"{self.value[at : at + PART]}"' for at in range(0, len(self.value), PART))


def spf_text(plan: Plan) -> str:
    """Who may send for a domain: the one mail server, or what a provider says."""
    return f"v=spf1 include:THE-NAME-THAT-{_shout(plan.by_provider)}-TELLS-YOU -all" if plan.by_provider else (
        f"v=spf1 a:{plan.host} -all"
    )  # fmt: skip


def dkim_name(plan: Plan) -> str:
    """Where the public key is looked for."""
    return f"{plan.selector}._domainkey.{plan.from_domain}"


def dkim_record(plan: Plan) -> Record:
    """The public key; a provider makes its own."""
    value = plan.key.record() if plan.key is not None else NO_KEY
    return Record(dkim_name(plan), "TXT", value, "DKIM: what our mail is signed with")


def dmarc_record(plan: Plan) -> Record:
    """What others do with mail that only pretends to be ours."""
    value = "v=DMARC1; p=quarantine"
    return Record(f"_dmarc.{plan.from_domain}", "TXT", value, "DMARC: what others do with forged mail")


def mx_record(plan: Plan) -> Record:
    """Where answers are brought."""
    host = "WHAT-YOUR-PROVIDER-TELLS-YOU" if plan.from_mailbox else plan.host
    return Record(plan.mail_domain, "MX", f"10 {host}.", "MX: where answers are brought")


def spf_record(plan: Plan) -> Record:
    """Who may send: others look for it at the domain that bounces go to, not at that of From."""
    return Record(plan.mail_domain, "TXT", spf_text(plan), "SPF: who may send for this domain")


def host_records(plan: Plan) -> Iterator[Record]:
    """The addresses of the mail server."""
    for address in plan.addresses or (SAMPLE,):
        kind = "A" if ipaddress.ip_address(address).version == 4 else "AAAA"
        yield Record(plan.host, kind, address, "the mail server")


def zone(plan: Plan) -> list[Record]:
    """All of them, in the order in which they are explained."""
    hosts = [] if plan.by_provider and plan.from_mailbox else list(host_records(plan))
    return [*hosts, mx_record(plan), spf_record(plan), dkim_record(plan), dmarc_record(plan)]


def _shout(host: str) -> str:
    return re.sub("[^A-Z0-9]+", "-", host.upper()).strip("-")
