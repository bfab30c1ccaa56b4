"""One bit of one value is changed in the database: the audit names the table and the column (issue 6, F-52)."""

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from domain.engine.bots import Bot
from domain.rulesets import RULESETS
from service.container import Services
from service.integrity.audit import audit_game, audit_house
from service.store.clocks.decisions import decisions
from service.store.event_store.checkpoints import checkpoints, signing_keys
from service.store.event_store.streams import events, games, leaves
from service.store.games.thoughts import thoughts
from service.store.outgoing.deliveries import deliveries, notices
from service.store.people.players import seats
from tests.service.integrity.test_audit import unguarded
from tests.tables import Tables

pytestmark = pytest.mark.slow
BIG = 1 << 52
"""A bit of a time that is years: what the sweep works with has bounds, and no more."""
TELLS_NOTHING = {
    ("games", "halted_at"), ("games", "halted"),  # the audit itself keeps these
    ("games", "audited_at"), ("games", "guest"),  # whether it is kept, which is no part of the history
    ("games", "name"),  # free text of its host, and no part of the history
    ("notices", "id"), ("notices", "secret"),  # by what its mail refers to, which is named
    ("deliveries", "id"), ("deliveries", "lease"), ("deliveries", "attempts"),  # of a delivery, nothing else tells
    ("decisions", "extended"), ("decisions", "graced"), ("decisions", "outage"), ("decisions", "reasons"),  # a person's
    ("thoughts", "attempts"), ("thoughts", "lease_by"),
    ("notices", "request_id"), ("thoughts", "request_id"),  # which lines of the log belong to it
    ("deliveries", "interrupted"), ("deliveries", "message_id"), ("deliveries", "reason"), ("deliveries", "log"),
}  # fmt: skip
WHOLE = ""
ELSEWHERE = {
    ("leaves", "version"): WHOLE, ("leaves", "number"): WHOLE, ("games", "id"): WHOLE, ("seats", "seat"): WHOLE,
    ("decisions", "seat"): WHOLE, ("thoughts", "seat"): WHOLE, ("notices", "kind"): WHOLE,
    ("notices", "seat"): "decision",
    ("deliveries", "channel"): WHOLE, ("deliveries", "notice_id"): WHOLE,
    ("checkpoints", "version"): "signature", ("checkpoints", "at"): "signature", ("checkpoints", "hash"): "signature",
    ("signing_keys", "id"): "public",
}  # fmt: skip
"""Where the audit names another column than the one that was changed: a row that is missing, or what was signed."""
WORK = {"lease_until", "remind_at", "not_before", "done_at", "turn_at", "acts_at", "bank_from"}
UPWARD = {("signing_keys", "since")}
"""Nothing is signed about the first key, but it is older than what it has signed."""
TABLES = (events, leaves, checkpoints, signing_keys, games, seats, decisions, notices, deliveries, thoughts)


def flipped(table: sa.Table, name: str, value: Any) -> Any:
    """A value with one bit changed."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        far = name in WORK or (table.name, name) in UPWARD
        return value ^ (BIG if far else 1 << 20 if table.c[name].primary_key else 1)
    if isinstance(value, bytes):
        return value[: len(value) // 2] + bytes([value[len(value) // 2] ^ 4]) + value[len(value) // 2 + 1 :]
    place = len(value) // 2
    return value[:place] + chr(ord(value[place]) ^ 1) + value[place + 1 :]


def table_of(tables: Tables) -> dict[str, str]:
    """Running and finished games of both rulesets, by what they are."""
    made = {}
    for kind in ("tammany-hall", "city-hall"):
        rules = RULESETS[kind]
        names = ("ann", "bob", "cyd")[: max(2, min(rules.seats))]
        clock = {"per_move": "P3D", "grace": "PT10M", "strikes": 2, "bank": "P1D", "reminders": ["P1D"]}
        made[f"{kind} running"] = tables.begin(*names, kind=kind, clock=clock)
        tables.play_out(made[f"{kind} running"], 3, late=0.05, most=30)
    made["thinking"] = tables.begin("ann", bots=[Bot(2, "patient")])
    made["over"] = tables.begin("ann", "bob")
    tables.play_out(made["over"], 2)
    return made


@pytest.mark.parametrize("base", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_f52_one_bit_of_any_value_is_named(
    base: str, request: pytest.FixtureRequest, open_services: Callable[..., Services]
) -> None:
    tables = Tables(open_services(request.getfixturevalue(f"migrated_{base}")))
    made = table_of(tables)
    owner = tables.services.database.owner_engine()
    missed, tried = [], 0
    try:
        with tables.services.database.read() as connection:
            kept = {
                table.name: [dict(row) for row in connection.execute(sa.select(table)).mappings()] for table in TABLES
            }
        owed = {(row["game_id"], str(row["since"])) for row in kept["decisions"]}
        kept["notices"] = [
            row for row in kept["notices"] if row["kind"] == "your-turn" and (row["game_id"], row["decision"]) in owed
        ]  # of what else was told, mails and players know
        told = {row["id"] for row in kept["notices"]}
        kept["deliveries"] = [row for row in kept["deliveries"] if row["notice_id"] in told]
        for table in TABLES:
            for column in table.c:
                if (table.name, column.name) in TELLS_NOTHING:
                    continue
                row = next((one for one in reversed(kept[table.name]) if one[column.name] not in (None, "", b"")), None)
                if row is None:
                    continue
                tried += 1
                changed = flipped(table, column.name, row[column.name])
                this = [key == row[key.name] for key in table.primary_key.columns]
                then = [key == (changed if key is column else row[key.name]) for key in table.primary_key.columns]
                with owner.begin() as connection, unguarded(connection):
                    connection.execute(sa.update(table).where(*this).values({column.name: changed}))
                game = row.get("game_id") or row.get("id")
                found = []
                if table is not signing_keys:
                    found = audit_game(tables.services, str(game), mend=False).findings
                with tables.services.database.read() as connection:
                    found = [*found, *audit_house(connection, tables.services)]
                named = ELSEWHERE.get((table.name, column.name), column.name)
                if (table.name, named) not in {(one.table, one.column) for one in found}:
                    missed.append(f"{table.name}.{column.name}: {[one.line() for one in found]}")
                with owner.begin() as connection, unguarded(connection):
                    connection.execute(sa.update(table).where(*then).values({column.name: row[column.name]}))
    finally:
        owner.dispose()
    assert not missed, "\n".join(missed)
    assert tried > 45
    for game in made.values():
        assert audit_game(tables.services, game, mend=False).findings == []


def test_f52_text_that_is_no_utf_8_any_more_is_named(
    migrated_sqlite: str, open_services: Callable[..., Services]
) -> None:
    tables = Tables(open_services(migrated_sqlite))
    game = tables.begin()
    owner = tables.services.database.owner_engine()
    with owner.begin() as connection, unguarded(connection):
        body = connection.execute(
            sa.text("SELECT CAST(body AS BLOB) FROM events WHERE game_id = :game AND version = 3"), {"game": game}
        ).scalar_one()
        spoiled = body[:40] + bytes([body[40] ^ 128]) + body[41:]
        update = sa.text("UPDATE events SET body = CAST(:body AS TEXT) WHERE game_id = :game AND version = 3")
        connection.execute(update, {"body": spoiled, "game": game})
    owner.dispose()
    (found,) = audit_game(tables.services, game).findings
    assert (found.table, found.column, found.version) == ("events", "body", 3)
