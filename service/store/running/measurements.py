"""Measurements of all processes: counters that only grow, and what each process last said of itself.

Each process adds what it has counted, so the sums outlive it; whoever reads them reads those of all (decision 0102).
"""

from collections.abc import Mapping
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy import bindparam

from service.kernel.measures import Sample
from service.store.connection import Connection
from service.store.database import Database
from service.store.rows import MeasurementRow, ProcessRow
from service.store.statements import Statement

measurements: Final = MeasurementRow.__table__  # type: ignore[attr-defined]
processes: Final = ProcessRow.__table__  # type: ignore[attr-defined]
_ALL: Final = sa.select(*(measurements.c[name] for name in ("name", "labels", "part", "value")))
_PROCESSES: Final = sa.select(*(processes.c[name] for name in ("role", "at", "report")))
_add: Final = Statement(
    sa.text(
        "INSERT INTO measurements (name, labels, part, value) VALUES (:name, :labels, :part, :value) "
        "ON CONFLICT (name, labels, part) DO UPDATE SET value = measurements.value + excluded.value"
    ).bindparams(
        bindparam("name", type_=sa.String),
        bindparam("labels", type_=sa.String),
        bindparam("part", type_=sa.String),
        bindparam("value", type_=sa.BigInteger),
    )
)


class Report(msgspec.Struct, frozen=True):
    """What a process says of itself."""

    resident: int  # bytes of memory
    open_files: int
    started_at: float  # seconds since 1970 UTC
    connections: int  # how many it may have to the database at once
    in_use: int
    idle: int
    overflow: int  # beyond those that are kept


class Process(msgspec.Struct, frozen=True):
    """A process that reports: its role in the Procfile, and when it last did, in microseconds since 1970 UTC."""

    role: str
    at: int
    report: Report


def add(database: Database, tx: Connection, samples: Mapping[Sample, int]) -> None:
    """Add what a process has counted. In one order everywhere, so that two that do it never wait for each other."""
    rows = [
        {"name": name, "labels": msgspec.json.encode(labels).decode(), "part": part, "value": value}
        for (name, labels, part), value in sorted(samples.items())
    ]
    with database.together(tx):
        _add.each(tx, rows)


def samples(connection: Connection) -> dict[Sample, int]:
    """All that was counted."""
    read = msgspec.json.decode
    return {
        (name, tuple(read(labels, type=list[str])), part): value
        for name, labels, part, value in connection.execute(_ALL)
    }


def report(tx: Connection, process: str, role: str, said: Report, now: int) -> None:
    """Keep what a process says of itself now."""
    row = {"process": process, "role": role, "now": now, "report": msgspec.json.encode(said).decode()}
    tx.execute(_REPORT, row)


def reports(connection: Connection) -> list[Process]:
    """What processes said of themselves, those that are gone included."""
    return [
        Process(role, at, msgspec.json.decode(text, type=Report)) for role, at, text in connection.execute(_PROCESSES)
    ]


def forget(tx: Connection, process: str) -> None:
    """Forget a process that ends."""
    tx.execute(sa.delete(processes).where(processes.c.id == process))


def forget_silent(tx: Connection, since: int) -> None:
    """Forget the processes that have said nothing since."""
    tx.execute(sa.delete(processes).where(processes.c.at < since))


_REPORT: Final = sa.text(
    "INSERT INTO processes (id, role, at, report) VALUES (:process, :role, :now, :report) "
    "ON CONFLICT (id) DO UPDATE SET at = excluded.at, report = excluded.report"
)
