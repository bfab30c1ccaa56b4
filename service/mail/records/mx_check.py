"""Where answers are brought (MX), and what the mail server is called (PTR)."""

from collections.abc import Iterator

from service.mail.finding import Finding, broken, note, well
from service.mail.records import zone
from service.mail.records.hints import add, doubled
from service.mail.records.plan import Plan
from service.mail.records.resolver import Resolver, is_public


def check_mx(plan: Plan, resolver: Resolver) -> Iterator[Finding]:
    """RFC 5321 5.1, RFC 7505, RFC 2181 10.3."""
    domain, wanted = plan.mail_domain, zone.mx_record(plan)
    found = resolver.mx(domain)
    if found.values[:1] == (".",):
        yield broken("MX", f"{domain} says that it takes no mail (`MX 0 .`).", add(wanted) + " instead of it.")
        return
    if not found.values:
        twice = resolver.mx(f"{domain}.{plan.organization}").values
        yield broken("MX", f"{domain} has none: no answer by mail can come in.", doubled(twice, wanted, plan))
        return
    for server in found.values:
        yield _server(plan, resolver, server)


def _server(plan: Plan, resolver: Resolver, server: str) -> Finding:
    if server.replace(".", "").isdigit():
        return broken("MX", f"{server} is an address, and an MX leads to a name.", add(zone.mx_record(plan)))
    addresses = resolver.addresses(server)
    if not addresses:
        return broken("MX", f"{server} has no address.", add(next(zone.host_records(plan))))
    if resolver.is_alias(server):
        return broken("MX", f"{server} is an alias (CNAME), which an MX must not lead to.", "Give it an A record.")
    if private := [address for address in addresses if not is_public(address)]:
        return broken("MX", f"{server} is {private[0]}, where nobody outside can reach it.", "Give its public address.")
    if server != plan.host:
        return note("MX", f"{plan.mail_domain} leads to {server}, and not to {plan.host}.", "If that is right: --host.")
    if plan.addresses and not set(addresses) & set(plan.addresses):
        said = f"{server} is {', '.join(addresses)}, and not {', '.join(plan.addresses)}."
        return broken("MX", said, "Correct its A record, or what you give as --address.")
    return well("MX", f"{plan.mail_domain} leads to {server} ({', '.join(addresses)}).")


def check_ptr(plan: Plan, resolver: Resolver) -> Iterator[Finding]:
    """What receivers compare with the name in the greeting of a mail server of our own."""
    if plan.by_provider:
        return
    for address in filter(is_public, plan.addresses):
        names = [name for name in resolver.names_of(address) if address in resolver.addresses(name)]
        remedy = f"Where you rent the machine, set the reverse DNS (PTR) of {address} to {plan.host}."
        if not names:
            yield broken(
                "PTR", f"{address} has no name that leads back to it: large providers refuse its mail.", remedy
            )
        elif plan.host not in names:
            yield note("PTR", f"{address} is called {names[0]}, and your mail server says {plan.host}.", remedy)
        else:
            yield well("PTR", f"{address} is called {plan.host}, as your mail server should greet.")
