"""Running an arena: what is not played yet is played and kept, and all of it counted."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from domain.search.standing import Pairing, Record, Standing, standing
from service.commands.bots.arena.record_file import NoRecords, append, code_digest, read_records
from service.commands.bots.arena.tables import Failed, Table, play_tables
from service.commands.terminal.exits import Failure, unwritable
from service.commands.terminal.progress import Progress


@dataclass(frozen=True, slots=True)
class Run:
    """What an arena has found: how each pairing stands, and whether all of its tables were played."""

    standings: dict[Pairing, Standing]
    whole: bool


def run(pairings: Mapping[Pairing, int], seed: str, jobs: int, file: Path | None) -> Run:
    """Play so many tables of each pairing, but for those in the file, until Ctrl-C, and say how each stands.

    Raises Failure where the file or a table is wrong.
    """
    wanted = _in_turn(pairings, seed)
    try:
        kept = _kept(read_records(file), wanted)
        left = [table for table in wanted if table not in kept]
        _play(left, kept, jobs, file)
    except (NoRecords, Failed) as fault:
        raise Failure(os.EX_DATAERR, str(fault)) from fault
    except OSError as error:
        raise unwritable(Path(error.filename), error) from error
    found: dict[Pairing, list[Record]] = {pairing: [] for pairing in pairings}
    for record in kept.values():
        found[record.pairing].append(record)
    standings = {pairing: standing(pairing, records) for pairing, records in found.items()}
    return Run(standings, whole=len(kept) == len(wanted))


def _play(left: Sequence[Table], kept: dict[Table, Record], jobs: int, file: Path | None) -> None:
    if kept:
        click.echo(f"{len(kept)} tables are in {file}, {len(left)} are left.", err=True)
    progress, whole = Progress(len(left), "tables"), len(left) + len(kept)
    try:
        for record in play_tables(left, jobs):
            append(file, record)
            kept[_table(record)] = record
            progress.step()
    except KeyboardInterrupt:
        told = f"All that was played is in {file}." if file else "Nothing is kept; with --resume FILE it would be."
        click.echo(f"\nInterrupted after {len(kept)} of {whole} tables. {told}", err=True)
    finally:
        progress.end()


def _in_turn(pairings: Mapping[Pairing, int], seed: str) -> list[Table]:
    """All tables, those of each pairing spread over the whole: so the time left is known, and no pairing waits."""
    codes = {pairing.game: code_digest(pairing.game) for pairing in pairings}
    places: Iterator[tuple[float, int, Table]] = (
        ((number + 0.5) / count, place, Table(pairing, seed, number, codes[pairing.game]))
        for place, (pairing, count) in enumerate(pairings.items())
        for number in range(count)
    )
    return [table for *_, table in sorted(places, key=lambda each: each[:2])]


def _kept(records: Sequence[Record], wanted: Sequence[Table]) -> dict[Table, Record]:
    """The records that count; says how many do not, because other code played them."""
    asked = set(wanted)
    kept = {_table(record): record for record in records if _table(record) in asked}
    pairings = {table.pairing for table in wanted}
    codes = {table.code for table in wanted}
    if others := sum(record.pairing in pairings and record.code not in codes for record in records):
        click.echo(f"{others} tables were played by other code, and do not count.", err=True)
    return kept


def _table(record: Record) -> Table:
    return Table(record.pairing, record.seed, record.number, record.code)
