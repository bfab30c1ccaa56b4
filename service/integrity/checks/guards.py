"""Whether all that keeps rows from being changed is in place, and nothing besides (`store/guards.py` has the texts)."""

from collections.abc import Iterator
from typing import Final

from service.integrity.checks.findings import Finding
from service.store.database import APP_ROLE, Connection
from service.store.structure.guards import faulty, foreign_grants, foreign_rules, foreign_triggers

AGAIN: Final = "`wardroom migrate` makes {} again."


def findings(connection: Connection) -> Iterator[Finding]:
    """The guards that are missing, were changed, or are there besides."""
    missing, changed = faulty(connection)
    if missing:
        names, several = ", ".join(missing), len(missing) > 1
        told = f"The triggers {names} are missing" if several else f"The trigger {names} is missing"
        yield _of(names, f"{told}: rows can be changed. {AGAIN.format('them' if several else 'it')}")
    if changed:
        names, several = ", ".join(changed), len(changed) > 1
        told = f"triggers {names} do not do what they should, or are" if several else (
            f"trigger {names} does not do what it should, or is"
        )  # fmt: skip
        yield _of(names, f"The {told} off. {AGAIN.format('them' if several else 'it')}")
    for name in foreign_triggers(connection):
        yield _of(name, f"Nobody here has made the trigger {name}: see what it does, and drop it.")
    for table, privilege in foreign_grants(connection):
        yield _of(APP_ROLE, f"The role {APP_ROLE} has {privilege} on {table}: revoke it.")
    for name, table in foreign_rules(connection):
        yield _of(name, f"The rule {name} changes what is written to {table}: drop it.")


def _of(name: str, sentence: str) -> Finding:
    return Finding("guard", "", "", name, "", sentence)
