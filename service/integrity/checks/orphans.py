"""Rows of games that are not there: a game whose row was taken away, or rows that were moved elsewhere."""

from collections.abc import Iterator, Mapping
from typing import Final

from service.integrity.checks.findings import Finding, Weight
from service.store.across.audit_rows import strays
from service.store.database import Connection

OWNED: Final[Mapping[str, Weight]] = {
    "events": "history",
    "leaves": "history",
    "checkpoints": "history",
    "seats": "projection",
    "decisions": "projection",
    "thoughts": "projection",
    "analyses": "projection",
    "notices": "witness",
    "deliveries": "witness",
}
"""The tables whose rows belong to games, and how grave it is where they do not."""


def findings(connection: Connection) -> Iterator[Finding]:
    """One for each table and each game that is not there."""
    for found in strays(connection, OWNED):
        rows = "1 row" if found.count == 1 else f"{found.count} rows"
        which = f"{rows}, and" if found.last is None else f"{rows}, the last of event {found.last}, and"
        sentence = f"There are {which} there is no such game."
        yield Finding(OWNED[found.table], found.game, found.table, "", "game_id", sentence, found.last)
