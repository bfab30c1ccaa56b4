"""The way of a database to another schema: its steps, and what going back takes away."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.store.database import Database
from service.store.releases import Release, unreadable_by
from service.store.structure import migrate, schema

PATIENCE: Final = 5
"""Seconds in which PostgreSQL may notice that a process which was just stopped is gone."""


class Unsaid(Exception):
    """A migration does not say what going back takes away, so it is not gone back."""


@dataclass(frozen=True, slots=True)
class Step:
    """One migration, forward or back, with what it does or, going back, what it takes away, as sentences."""

    revision: str
    back: bool
    does: str
    losses: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """For people."""
        yield f"  {'back over' if self.back else 'to'} {self.revision}: {self.does}"
        for loss in self.losses:
            yield f"    lost: {loss}"


def plan(connection: Connection, at: str | None, target: str) -> list[Step]:
    """The steps from one revision to another, in their order, and what there is to lose. Raises Unsaid."""
    known = {script.revision: script for script in migrate.scripts().walk_revisions()}
    if at is None or schema.is_before(at, target):
        done = [] if at is None else schema.upto(at)
        return [Step(each, False, known[each].doc) for each in schema.upto(target) if each not in done]
    steps = []
    for revision in reversed([each for each in schema.upto(at) if each not in schema.upto(target)]):
        loses: Sequence[tuple[str, str]] | None = getattr(known[revision].module, "LOSES", None)
        if loses is None:
            raise Unsaid(revision)
        counted = ((connection.execute(sa.text(query)).scalar_one(), thing) for query, thing in loses)
        steps.append(Step(revision, True, known[revision].doc, tuple(f"{n} {thing}" for n, thing in counted if n)))
    return steps


def unreadable(connection: Connection, release: Release) -> list[str]:
    """The games that a release cannot read, since later ones have written in them."""
    found: set[str] = set()
    for kind, body in unreadable_by(release):
        asked = sa.text("SELECT DISTINCT game_id FROM events WHERE type LIKE :kind AND body LIKE :body")
        found |= set(connection.execute(asked, {"kind": kind, "body": body}).scalars())
    return sorted(found)


def go(database: Database, at: str | None, target: str, waits: Callable[[], None] = lambda: None) -> None:
    """Take these steps, with no process beside; where there are none, only note what is there.

    Raises schema.InUse, whose text says who else is there.
    """
    with _nobody_else(database, None if at == target else at):
        if at is not None and schema.is_before(target, at):
            migrate.downgrade(database, target, waits)
        else:
            migrate.upgrade(database, target, waits)


def bring_up(database: Database) -> None:
    """Make the schema of this code where there is none, and bring an older one up.

    Raises schema.WrongSchema for one that is newer, schema.InUse where a process works on it.
    """
    at = migrate.as_owner(database, schema.known)
    if at != schema.NEWEST:
        go(database, at, schema.NEWEST)


@contextmanager
def _nobody_else(database: Database, at: str | None) -> Iterator[None]:
    """While nobody else works on a database, and, on SQLite, can begin to. Raises InUse."""
    if at is None:
        yield
        return
    if (others := _others(database)) is not None:
        raise schema.InUse(others)
    held = schema.hold_alone(database)
    try:
        yield
    finally:
        if held is not None:
            held.close()


def _others(database: Database) -> str | None:
    """Who is connected to PostgreSQL beside a migration, after some patience; None where nobody is."""
    if database.is_sqlite:
        return None
    end = time.monotonic() + PATIENCE
    while found := migrate.as_owner(database, lambda connection: list(schema.sessions(connection))):
        if time.monotonic() > end:
            return "; ".join(found)
        time.sleep(migrate.POLL)
    return None
