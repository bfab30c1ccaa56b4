"""`wardroom stats`: what the service does, in numbers."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from service.commands.terminal import facts
from service.commands.terminal.opening import open_services

if TYPE_CHECKING:
    from service.container import Services
    from service.store.database import Connection

SECOND: Final = 1_000_000
WEEKS: Final = 8
DAYS: Final = 14


@click.command()
@facts.document_option
def stats(as_json: bool) -> None:
    """Say how many play, which games there are, how many moves a day, how late mail is, and how large
    the tables are. It only reads.

    Moves are requests that moved a game. A player has a turn in a week if an answer began to be asked of them. Mail is
    as late as it went out after its cause, nights and pauses that its reader asked for included; a deadline, as it was
    decided after its time. Of PostgreSQL's tables the rows are its own estimate.

    Example: wardroom stats (docs/operations.md)
    """
    with open_services() as services, services.database.read() as connection:
        found = document(services, connection)
    facts.show(found, lines(found), as_json=as_json)


def document(services: "Services", connection: "Connection") -> dict[str, Any]:
    """All numbers as one document."""
    from service.store.across import figures, gauges

    now = services.database.clock.now(connection)
    there, week, month = figures.players(connection, now)
    games = figures.games(connection)
    due, since = gauges.due(connection, now)
    return {
        "at": facts.time_of(now),
        "players": {"all": there, "seen_within_7_days": week, "seen_within_28_days": month},
        "weeks": [
            {"weeks_ago": ago, "players_with_turns": people, "turns": turns}
            for ago, people, turns in figures.turns_by_week(connection, now, WEEKS)
        ],
        "games": [{"ruleset": kind, "status": status, "games": count} for kind, status, count in games],
        "days": [{"days_ago": ago, "moves": count} for ago, count in figures.moves_by_day(connection, now, DAYS)],
        "mail": _times(figures.mail_times(connection, now - figures.DAY))
        | {"due": due, "oldest_due": facts.time_of(since)},
        "tables": [
            {"table": name, "rows": rows, "bytes": size} for name, rows, size in figures.table_sizes(connection)
        ],
        "database_bytes": figures.database_size(connection),
    }


def _times(found: Sequence[int]) -> dict[str, Any]:
    """How many there were, and how late half and nineteen of twenty of them were at most, in seconds."""
    ordered = sorted(found)
    at = {name: math.ceil(len(ordered) * share) - 1 for name, share in (("median", 0.5), ("most", 0.95))}
    return {"count": len(ordered)} | {
        f"{name}_seconds": round(ordered[place] / SECOND, 1) if ordered else None for name, place in at.items()
    }


def lines(found: dict[str, Any]) -> Iterator[str]:
    """The same for people."""
    people = found["players"]
    yield (
        f"Players: {people['all']}; {people['seen_within_7_days']} were here within 7 days, "
        f"{people['seen_within_28_days']} within 28."
    )
    for name, rows in (("weeks", found["weeks"]), ("games", found["games"]), ("days", found["days"])):
        yield ""
        yield from facts.table([list(rows[0]), *(list(row.values()) for row in rows)]) if rows else [f"No {name} yet."]
    yield ""
    mail = found["mail"]
    since = f", the first since {mail['oldest_due']}" if mail["oldest_due"] else ""
    yield f"Mail of the last 24 hours: {_lateness(mail, 'sent')}. {mail['due']} are due{since}."
    yield ""
    large = [row for row in found["tables"] if row["rows"]]
    yield from facts.table([["table", "rows", "bytes"], *([*row.values()] for row in large)])
    yield f"The database has {found['database_bytes'] / 1e6:.1f} MB."


def _lateness(times: dict[str, Any], done: str) -> str:
    if not times["count"]:
        return f"none {done}"
    return (
        f"{times['count']} {done}, half of them within {times['median_seconds']} s and 95 % within "
        f"{times['most_seconds']} s"
    )
