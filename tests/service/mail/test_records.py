"""The DNS records of a host's mail, asked of a server that answers as the worst hosts have set it up."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from config.settings import Settings
from service.mail.finding import Finding
from service.mail.records import resolver as resolvers
from service.mail.records.dkim_key import NoKey, PublicKey, from_record, read_file
from service.mail.records.plan import Plan, make_plan
from service.mail.records.record_checks import check_records
from service.mail.records.resolver import NoAnswer, Resolver, ResolverAway
from service.mail.records.spf import Spf
from service.mail.records.zone import zone
from tests.dns_server import FAILING, SILENT, DnsServer
from tests.ports import free_port

KEY_512 = "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBALYHQ2m2d99nEUdBSnpMpMxGxzAiQGUADJ5HdqxZ86+bfwScPwM2aezMchmW6f/OFV3ED6/SNsUzqd9rvRxdQO0CAwEAAQ=="  # noqa: E501
KEY_1024 = "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDPzygIR+IOKtdSmoq9TKkwlfw50lrS87v6bWY+ehxiNFoUKGfbms5uVOVIPz4d6qKjTxpGDKv7sDjv/TZAVmwvLF86fbYaigG4W4elmVwRrmiSLKObb63LjRMphfooCzinOXr5Khoh8qMqkOcPDLgJ/I0Fbovw8/6ZnCHPa+9/rQIDAQAB"  # noqa: E501
KEY = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA4ZuaLHwLlPLzfKUNXTqvbCs1JQoupTalMTlEvyZ8LJkr8Mm2+Mj1kM2xkU+gnBE7kcXC5LJFzxSBa3YjNxmERUOhyyppo5ZmjlS03B41yc22dykvZXtUAnzI2y1gpFDq3cCtVJWmtnoRLpZdEhSMhPOLaS16Y0GzWqhwQYqWYKIgjTh/YIAjLNxmHomMec6S938CgXvI1E5kgZapl4oJgxl/VT+cu/Dx6sJv0T5B16JOA3+r8ex8AWT/WdTY/Z4LsShycL99etcBwb3OkPW5arFeaR8FHTlIsJqAhoO6J2sIxVAOoFuEtVPiU4gW6/dki57U1h1PBxTvMA+KVL1wEwIDAQAB"  # noqa: E501
ADDRESS = "93.184.215.14"
IN, FROM, MX = "in.games.example", "games.example", "mail.games.example"
DKIM = "wardroom._domainkey.games.example"
GOOD: dict[tuple[str, str], Any] = {
    (MX, "A"): [ADDRESS],
    (IN, "MX"): [f"10 {MX}."],
    (IN, "TXT"): [f"v=spf1 a:{MX} -all"],
    (DKIM, "TXT"): [f"v=DKIM1; k=rsa; p={KEY}"],
    (f"_dmarc.{FROM}", "TXT"): ["v=DMARC1; p=quarantine"],
    ("14.215.184.93.in-addr.arpa", "PTR"): [f"{MX}."],
}
Look = Callable[..., list[Finding]]


@pytest.fixture
def dns() -> Iterator[DnsServer]:
    with DnsServer(GOOD) as server:
        yield server


@pytest.fixture
def settings(settings_with: Callable[..., Settings]) -> Settings:
    return settings_with(
        MAIL_DOMAIN=IN, MAIL_FROM=f"game@{FROM}", AUTHSERV_ID=MX, SMTP_URL="smtp://127.0.0.1:25", MAIL_IN="off"
    )


@pytest.fixture
def look(dns: DnsServer, settings: Settings) -> Look:
    """What is found with these records besides the good ones; None takes one away."""

    def run(changes: dict[tuple[str, str], Any] | None = None, of: Settings = settings, **given: Any) -> list[Finding]:
        for key, value in (changes or {}).items():
            dns.records.pop(key, None) if value is None else dns.records.__setitem__(key, value)
        resolver = Resolver(dns.address, lifetime=1)
        return check_records(make_plan(of, resolver, **given), resolver)

    return run


def marks(found: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.mark, finding.what) for finding in found]


def test_records_that_are_as_they_must_be_are_all_well(look: Look) -> None:
    assert marks(look()) == [("well", what) for what in ("MX", "SPF", "DKIM", "DMARC", "PTR")]


def test_the_zone_that_is_printed_is_the_zone_that_is_well(dns: DnsServer, settings: Settings) -> None:
    key = PublicKey("rsa", KEY, 2048)
    dns.records = {}
    plan = make_plan(settings, Resolver(dns.address), addresses=(ADDRESS, "2606:2800:21f::1"), key=key)
    records = zone(plan)
    assert [record.kind for record in records] == ["A", "AAAA", "MX", "TXT", "TXT", "TXT"]
    for record in records:
        dns.records.setdefault((record.name, record.kind), []).append(record.value)
    for address in plan.addresses:
        pointer = resolvers.dns.reversename.from_address(address).to_text(omit_final_dot=True)
        dns.records[pointer, "PTR"] = [f"{MX}."]
    found = check_records(plan, Resolver(dns.address))
    assert {finding.mark for finding in found} == {"well"}, found
    lines = [record.line() for record in records]
    assert lines[0].split() == [f"{MX}.", "3600", "IN", "A", ADDRESS]
    quoted = lines[4].split(" IN TXT ")[1].strip().split('" "')
    assert all(len(part.strip('"')) <= 255 for part in quoted), "one text holds 255 bytes"
    assert len(quoted) == 2


TABLE: list[tuple[str, dict[tuple[str, str], Any], str, str]] = [
    # what is wrong, the records, the finding, and what it tells to do
    ("no MX", {(IN, "MX"): None}, "broken MX: in.games.example has none", "3600 IN MX 10 mail.games.example."),
    ("no such name", {(IN, "MX"): None, (IN, "TXT"): None}, "broken MX: in.games.example has none", "Add this record"),
    ("null MX", {(IN, "MX"): ["0 ."]}, "broken MX: in.games.example says that it takes no mail", "instead of it"),
    ("MX to nowhere", {(MX, "A"): None}, "broken MX: mail.games.example has no address", "IN A 203.0.113.5"),
    (
        "MX to an alias",
        {(MX, "A"): None, (MX, "CNAME"): ["x.example."], ("x.example", "A"): [ADDRESS]},
        "broken MX: mail.games.example is an alias",
        "A record",
    ),
    ("MX to an address", {(IN, "MX"): ["10 93.184.215.14."]}, "broken MX: 93.184.215.14 is an address", "MX 10 mail"),
    ("MX into a house", {(MX, "A"): ["10.0.0.5"]}, "broken MX: mail.games.example is 10.0.0.5, where nobody", "public"),
    (
        "another's MX",
        {(IN, "MX"): ["10 mx.other.example."], ("mx.other.example", "A"): ["8.8.8.8"]},
        "note MX: in.games.example leads to mx.other.example",
        "--host",
    ),
    (
        "a doubled name",
        {(IN, "MX"): None, (f"{IN}.{FROM}", "MX"): [f"10 {MX}."]},
        "broken MX",
        "the form adds games.example by itself, so enter in only",
    ),
    ("an unanswered name", {(IN, "MX"): FAILING}, "broken MX: MX of in.games.example could not be found", "whoever"),
    ("no SPF", {(IN, "TXT"): ["hello"]}, "broken SPF: in.games.example has none", '"v=spf1 a:mail.games.example -all"'),
    ("two SPF records", {(IN, "TXT"): ["v=spf1 -all", "v=spf1 a -all"]}, "broken SPF: There are 2 SPF", "One record"),
    (
        "SPF of others",
        {(IN, "TXT"): ["v=spf1 mx:other.example -all"]},
        "broken SPF: By the record",
        "Put `a:mail.games",
    ),
    ("SPF for all", {(IN, "TXT"): ["v=spf1 +all"]}, "broken SPF: The record of in.games.example lets", "-all or ~all"),
    ("SPF without end", {(IN, "TXT"): [f"v=spf1 ip4:{ADDRESS}"]}, "note SPF: The record of in.games", "-all or ~all"),
    ("SPF misspelt", {(IN, "TXT"): ["v=spf1 ipv4:1.2.3.4 -all"]}, "broken SPF: `ipv4:1.2.3.4` in", "One record"),
    (
        "SPF with no network",
        {(IN, "TXT"): ["v=spf1 ip4:1.2.3 -all"]},
        "broken SPF: `1.2.3` is no network",
        "One record",
    ),
    ("SPF of itself", {(IN, "TXT"): [f"v=spf1 include:{IN} -all"]}, "broken SPF: in.games.example includes itself", ""),
    ("SPF to nowhere", {(IN, "TXT"): ["v=spf1 include:x.example -all"]}, "broken SPF: `include:x.example` leads", ""),
    ("SPF by macros", {(IN, "TXT"): ["v=spf1 exists:%{i}.x.example -all"]}, "note SPF: Whether 93.184.215.14 may", ""),
    (
        "SPF that asks too often",
        {(IN, "TXT"): ["v=spf1 " + " ".join(f"a:h{n}.example" for n in range(11)) + f" ip4:{ADDRESS} -all"]},
        "broken SPF: The record of in.games.example asks the DNS 11 times",
        "`ip4:`",
    ),
    ("no key", {(DKIM, "TXT"): None}, "broken DKIM: There is no key at wardroom._domainkey", "--key"),
    (
        "no underscore",
        {(DKIM, "TXT"): None, ("wardroom.domainkey.games.example", "TXT"): [f"v=DKIM1; p={KEY}"]},
        "broken DKIM: There is no key",
        "its name must be wardroom._domainkey.games.example, with `_domainkey`",
    ),
    ("a revoked key", {(DKIM, "TXT"): ["v=DKIM1; p="]}, "broken DKIM: At wardroom", "Enter it again"),
    ("a key cut off", {(DKIM, "TXT"): [f"v=DKIM1; p={KEY[:240]}"]}, "broken DKIM: At wardroom", "Enter it again"),
    ("a tiny key", {(DKIM, "TXT"): [f"v=DKIM1; p={KEY_512}"]}, "broken DKIM: The key at wardroom", "-b 2048"),
    ("a small key", {(DKIM, "TXT"): [f"v=DKIM1; p={KEY_1024}"]}, "note DKIM: The key at wardroom", "-b 2048"),
    ("two keys", {(DKIM, "TXT"): [f"v=DKIM1; p={KEY}", "x"]}, "broken DKIM: There are 2 texts", "Leave one"),
    ("a key that tries", {(DKIM, "TXT"): [f"v=DKIM1; t=y; p={KEY}"]}, "note DKIM: It says that you are only", "out"),
    ("no DMARC", {(f"_dmarc.{FROM}", "TXT"): None}, "broken DMARC: games.example has none", '"v=DMARC1; p=quarantine'),
    (
        "p=none",
        {(f"_dmarc.{FROM}", "TXT"): ["v=DMARC1; p=none"]},
        "note DMARC: The record at",
        "quarantine",
    ),
    ("two of them", {(f"_dmarc.{FROM}", "TXT"): ["v=DMARC1; p=none"] * 2 + ["v=DMARC1; p=reject"]}, "broken DMARC", ""),
    (
        "a bad policy",
        {(f"_dmarc.{FROM}", "TXT"): ["v=DMARC1; p=strict"]},
        "broken DMARC: The record at",
        "p=quarantine",
    ),
    (
        "strict SPF",
        {(f"_dmarc.{FROM}", "TXT"): ["v=DMARC1; p=reject; aspf=s"]},
        "note DMARC: It wants SPF of games",
        "",
    ),
    (
        "DMARC without underscore",
        {(f"_dmarc.{FROM}", "TXT"): None, (f"dmarc.{FROM}", "TXT"): ["v=DMARC1; p=none"]},
        "broken DMARC: The record stands at dmarc.games.example",
        "with the underscore",
    ),
    (
        "DMARC at the domain",
        {(f"_dmarc.{FROM}", "TXT"): None, (FROM, "TXT"): ["v=DMARC1; p=none"]},
        "broken DMARC: The record stands at games.example",
        "_dmarc.games.example",
    ),
    (
        "no name",
        {("14.215.184.93.in-addr.arpa", "PTR"): None},
        "broken PTR: 93.184.215.14 has no name",
        "to mail.games",
    ),
    (
        "a name that does not lead back",
        {("14.215.184.93.in-addr.arpa", "PTR"): ["host.rented.example."]},
        "broken PTR: 93.184.215.14 has no name",
        "reverse DNS",
    ),
    (
        "another name",
        {("14.215.184.93.in-addr.arpa", "PTR"): ["v1.rent.example."], ("v1.rent.example", "A"): [ADDRESS]},
        "note PTR: 93.184.215.14 is called v1.rent.example",
        "reverse DNS",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("changes, said, remedy", [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_each_way_to_be_wrong_is_said_with_what_to_do(
    look: Look, changes: dict[tuple[str, str], Any], said: str, remedy: str
) -> None:
    found = look(changes)
    fitting = [one for one in found if f"{one.mark} {one.what}: {one.sentence}".startswith(said)]
    assert fitting, found
    assert remedy in fitting[0].remedy
    assert all(one.remedy for one in found if one.mark == "broken"), "nothing is broken without a word what to do"


def test_the_policy_above_serves_a_domain_without_one(look: Look, settings_with: Callable[..., Settings]) -> None:
    below = settings_with(MAIL_DOMAIN=IN, MAIL_FROM=f"game@{IN}", AUTHSERV_ID=MX, SMTP_URL="smtp://127.0.0.1:25")
    changes = {(f"wardroom._domainkey.{IN}", "TXT"): [f"v=DKIM1; p={KEY}"]}
    assert ("well", "DMARC") in marks(look(changes, below))
    changes = {(f"_dmarc.{FROM}", "TXT"): ["v=DMARC1; p=reject; sp=none"]}
    assert ("note", "DMARC") in marks(look(changes, below)), "`sp` is for the domains below"


def test_spf_proves_nothing_for_the_domain_of_another(look: Look, settings_with: Callable[..., Settings]) -> None:
    other = settings_with(
        MAIL_DOMAIN=IN, MAIL_FROM="club@other.example", AUTHSERV_ID=MX, SMTP_URL="smtp://127.0.0.1:25"
    )
    assert "all rests on DKIM" in "".join(one.sentence for one in look(None, other) if one.what == "SPF")


def test_a_provider_signs_and_its_addresses_are_not_ours(look: Look, settings_with: Callable[..., Settings]) -> None:
    by_provider = settings_with(
        MAIL_DOMAIN=IN, MAIL_FROM=f"game@{FROM}", SMTP_URL="smtps://u:p@smtp.provider.example:465", MAIL_IN="off"
    )
    spf = {(IN, "TXT"): ["v=spf1 include:spf.provider.example -all"], ("spf.provider.example", "TXT"): ["v=spf1 ip4:1.2.3.4 -all"]}  # fmt: skip  # noqa: E501
    found = look({**spf, (DKIM, "TXT"): None, ("14.215.184.93.in-addr.arpa", "PTR"): None}, by_provider)
    assert marks(found) == [("well", "MX"), ("well", "SPF"), ("broken", "DKIM"), ("well", "DMARC")]
    assert "Let smtp.provider.example sign" in found[2].remedy


# Whom SPF lets send


@pytest.mark.parametrize(
    "record, address, result",
    [
        ("v=spf1 ip4:93.184.215.0/24 -all", ADDRESS, "pass"),
        ("v=spf1 ip4:93.184.215.0/29 ~all", ADDRESS, "softfail"),
        ("v=spf1 ip6:2001:db8::/32 -all", "2001:db8::9", "pass"),
        ("v=spf1 ip6:2001:db8::/32 -all", ADDRESS, "fail"),
        (f"v=spf1 a:{MX}/24//64 -all", "93.184.215.200", "pass"),
        ("v=spf1 mx -all", ADDRESS, "pass"),
        ("v=spf1 -ip4:93.184.215.14 +all", ADDRESS, "fail"),
        ("v=spf1 ?all", ADDRESS, "neutral"),
        ("v=spf1 include:strict.example -all", ADDRESS, "fail"),
        ("v=spf1 redirect=open.example", ADDRESS, "pass"),
        ("v=spf1 redirect=open.example -all", ADDRESS, "fail"),
        ("V=SPF1 A:mail.games.example -ALL", ADDRESS, "pass"),
    ],
)
def test_an_address_may_send_or_not(dns: DnsServer, record: str, address: str, result: str) -> None:
    others = {("strict.example", "TXT"): ["v=spf1 -all"], ("open.example", "TXT"): ["v=spf1 +all"]}
    dns.records |= {(IN, "TXT"): [record], **others}
    assert Spf(Resolver(dns.address), address).check(IN) == result


# Keys in files


@pytest.mark.parametrize(
    "text",
    [
        f"-----BEGIN PUBLIC KEY-----\n{KEY[:64]}\n{KEY[64:]}\n-----END PUBLIC KEY-----\n",
        f'wardroom._domainkey IN TXT ( "v=DKIM1; k=rsa; "\n\t"p={KEY[:250]}"\n\t  "{KEY[250:]}" ) ; --- DKIM\n',
        f"v=DKIM1; k=rsa; p={KEY}",
        f'"v=DKIM1\\; k=rsa\\; p={KEY}"',
    ],
    ids=["openssl", "opendkim-genkey", "record", "escaped"],
)  # fmt: skip
def test_a_public_key_is_read_however_it_was_written(text: str) -> None:
    assert read_file(text) == PublicKey("rsa", KEY, 2048)


def test_a_short_key_of_the_other_kind_is_read() -> None:
    assert from_record(f"v=DKIM1; k=ed25519; p={'A' * 43}=").bits == 256


@pytest.mark.parametrize(
    "text, said",
    [
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE", "a private key"),
        ("-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----", "is it whole"),
        ("hello", "no `p=`"),
        ("v=DKIM1; p=", "revoked"),
        ("v=DKIM1; p=AAAA", "cut off"),
    ],
)
def test_what_is_no_public_key_is_said(text: str, said: str) -> None:
    with pytest.raises(NoKey, match=said):
        read_file(text)


# Resolvers


@pytest.mark.slow
def test_a_resolver_that_is_away_is_said_at_once() -> None:
    with pytest.raises(ResolverAway, match=r"127\.0\.0\.1"):
        Resolver(("127.0.0.1", free_port()), lifetime=0.3).mx(IN)


@pytest.mark.slow
def test_a_name_that_nobody_answers_for_is_told_from_a_resolver_that_is_away(dns: DnsServer) -> None:
    dns.records[IN, "TXT"] = SILENT
    resolver = Resolver(dns.address, lifetime=0.3)
    assert resolver.mx(IN).values == (MX,)
    with pytest.raises(NoAnswer, match="not answered within"):
        resolver.txt(IN)


def test_long_answers_come_by_tcp_and_names_in_any_case(dns: DnsServer) -> None:
    dns.records[IN, "TXT"] = ["x" * 3000]
    assert Resolver(dns.address).txt(IN.upper()).values == ("x" * 3000,)


def test_what_cannot_be_a_name_is_no_crash(dns: DnsServer) -> None:
    with pytest.raises(NoAnswer, match="cannot be asked for"):
        Resolver(dns.address).txt("x" * 70 + ".example")


def test_the_plan_takes_the_mail_server_from_the_dns_where_nothing_else_says_it(
    dns: DnsServer, settings_with: Callable[..., Settings]
) -> None:
    bare = settings_with(MAIL_DOMAIN=IN, MAIL_FROM=f"game@{FROM}", SMTP_URL="smtp://postfix:25")
    plan: Plan = make_plan(bare, Resolver(dns.address))
    assert (plan.host, plan.addresses, plan.by_provider) == (MX, (ADDRESS,), "")
    dns.records = {}
    assert make_plan(bare, Resolver(dns.address)).host == "mx.games.example"
    assert make_plan(bare, Resolver(dns.address), host="MX.Other.example").host == "mx.other.example"
