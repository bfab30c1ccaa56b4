"""Rows of games that are not there: a game whose row was taken away, or rows that were moved elsewhere."""

from collections.abc import Iterator, Mapping
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.integrity.checks.findings import Finding, Weight
from service.integrity.checks.rows import as_it_is
from service.store.checkpoints import checkpoints
from service.store.decisions import decisions
from service.store.outbox import outbox
from service.store.players import seats
from service.store.streams import events, games, leaves
from service.store.webhooks import deliveries

OWNED: Final[Mapping[sa.Table, Weight]] = {
    events: "history",
    leaves: "history",
    checkpoints: "history",
    seats: "projection",
    decisions: "projection",
    outbox: "witness",
    deliveries: "witness",
}


def findings(connection: Connection) -> Iterator[Finding]:
    """One for each table and each game that is not there."""
    with as_it_is(connection):
        for table, weight in OWNED.items():
            mine = sa.select(table.c.game_id, sa.func.count(), sa.func.max(_number(table))).group_by(table.c.game_id)
            known = sa.select(games.c.id)
            for game, count, last in connection.execute(
                mine.where(table.c.game_id.not_in(known), table.c.game_id != "")
            ):
                rows = "1 row" if count == 1 else f"{count} rows"
                told = f"{rows}, the last of event {last}, and" if "version" in table.c else f"{rows}, and"
                version = last if "version" in table.c else None
                yield Finding(
                    weight, game, table.name, "", "game_id", f"There are {told} there is no such game.", version
                )


def _number(table: sa.Table) -> sa.ColumnElement[int]:
    column: sa.ColumnElement[int] = table.c.version if "version" in table.c else table.c.game_id
    return column
