"""The ledger: its chain and signatures, and whether what it tells of is still there, as it was told."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from domain.audit.ledger import Fact, LedgerLine
from service.integrity.checks.findings import Finding
from service.kernel.signing import genuine
from service.store.across.audit_rows import Rows

LATER: Final[Mapping[str, frozenset[str]]] = {
    "sent": frozenset({"bounced"}),
    "superseded": frozenset({"queued", "sent", "failed", "bounced"}),
}
"""What can become of a mail after it was told of, by its state then: it bounces, or its notice is true again."""
UNWATCHED: Final = (
    "that a mail which is said to be sent was sent, and what mail servers said of it",
    "when a queued mail, a reminder or a deadline is looked at next, who leases it and how often it was tried",
    "deadlines that were moved without an event, once the answer is given",
    "rows of the last seconds, before the ledger and the house log tell of them",
    "the end of a ledger, if its last lines were taken away together with the marks in the rows they tell of",
    "since when the first key was listed, within the time before it signed anything",
    "profiles, tokens, codes, table talk, inbound mail, webhooks and settings: nothing signs them",
)
"""What no check of rows can tell, for whoever reads that everything holds."""


def findings(rows: Rows) -> Iterator[Finding]:
    """Lines that were changed or taken away, and rows that are not as a line tells."""
    told: dict[tuple[str, Any], Fact] = {}
    for number, line in enumerate(rows.ledger, 1):
        yield from _line(rows, line, number)
        told |= {_about(fact): fact for fact in line.facts}
    kept = {
        **{("mail", row["mail"]): row for row in rows.mail_facts},
        **{_about(row): row for row in rows.missed_facts},
        **{("checkpoint", row.version): {"checkpoint": row.version, "hash": row.hash} for row in rows.checkpoints},
    }
    for about, fact in told.items():
        yield from _fact(rows, about, fact, kept.get(about))
    for about in (*(("mail", number) for number in rows.chained), *(_about(row) for row in rows.chained_missed)):
        if about not in told:
            yield _of(rows, about, "", "It was told of in the ledger, and the ledger tells nothing of it.")


def _line(rows: Rows, line: LedgerLine, number: int) -> Iterator[Finding]:
    key = rows.keys.get(line.key)
    if line.number != number:
        yield Finding("witness", rows.game, "ledger", f"{number}", "", "It is missing: lines are numbered from 1.")
    elif line.hash() != line.kept:
        yield Finding(
            "witness", rows.game, "ledger", f"{line.number}", "hash", "It, or the one before it, was changed."
        )
    elif key is None or not genuine(key.public, line.message(), line.signature):
        yield Finding("witness", rows.game, "ledger", f"{line.number}", "signature", "It is not that of a signing key.")


def _about(fact: Fact) -> tuple[str, Any]:
    """What a fact is about: a mail by its number, an answer that was missed, a checkpoint by its event."""
    if "missed" in fact:
        return "missed", (fact["missed"], fact["since"])
    return ("mail", fact["mail"]) if "mail" in fact else ("checkpoint", fact.get("checkpoint"))


def _fact(rows: Rows, about: tuple[str, Any], told: Fact, row: Fact | None) -> Iterator[Finding]:
    if row is None and about[0] == "missed" and told["player_id"] in rows.erased:
        return
    if row is None:
        yield _of(rows, about, "", "It was told of in the ledger, and is gone.")
        return
    if about[0] == "mail" and row["state"] != told["state"]:
        if row["state"] not in LATER.get(told["state"], ()):
            yield _of(rows, about, "state", f"The ledger tells that it was {told['state']}.")
        return
    if about[0] == "missed" and row["decided_at"] > told["decided_at"]:
        return  # the same answer was waited for again, and missed again
    for name in told:
        if row.get(name) != told[name]:
            yield _of(rows, about, name, f"The ledger tells that it was {told[name]}.")


def _of(rows: Rows, about: tuple[str, Any], column: str, sentence: str) -> Finding:
    what, which = about
    table = {"mail": "deliveries", "missed": "missed", "checkpoint": "checkpoints"}[what]
    row = "/".join(map(str, which)) if isinstance(which, tuple) else f"{which}"
    return Finding("witness", rows.game, table, row, column, sentence)
