"""Who sat where, of seats that bots take and leave: in stories, past positions and bundles."""

from typing import Any

import msgspec
import pytest

from domain.engine.bots import Bot
from domain.table.evolve import fold
from domain.table.state import Table
from service.games import bots, game_story
from service.integrity.export_bundle import _sittings
from tests.tables import Tables

PATIENT = Bot(2, "patient")


@pytest.fixture
def tables(migrated_sqlite: str, open_services: Any) -> Tables:
    return Tables(open_services(migrated_sqlite))


@pytest.fixture
def game(tables: Tables) -> str:
    """Bob lets his deadline pass; a bot comes, is replaced and sent away; cyd sits down."""
    made = tables.begin("ann", "bob", clock={"per_move": "P3D", "strikes": 1}, options={"rounds": "3"})
    tables.expire(made, 1)
    for bot in (PATIENT, Bot(3)):
        with tables.services.database.write() as tx:
            bots.seat_bot(tables.services, tx, made, tables.ids["ann"], 1, bot)
    tables.move(made, "ann", "hide 3")
    tables.move(made, "ann", "take")
    with tables.services.database.write() as tx:
        bots.send_bot_away(tables.services, tx, made, tables.ids["ann"], 1)
    return tables.sit(made, "cyd")


def test_a_story_calls_each_seat_by_who_sat_there_then(tables: Tables, game: str) -> None:
    with tables.services.database.read() as connection:
        head = tables.services.streams.head(connection, game)
        lines = game_story.lines(tables.services, connection, head, None, after=0, upto=head.version)
    told = [line.text for line in lines if line.text]
    pawn = head.rules.notation.pawns[1].capitalize()
    expected = [
        "bob let the deadline pass.",
        "The seat of bob is vacant: anyone may take it over.",
        f"The host calls {pawn} (bot 2, patient) to the table.",
        f"The host calls {pawn} (bot 3) to the table.",
        f"The seat of {pawn} (bot 3) is vacant: anyone may take it over.",
        f"The caretaker plays for the empty seat of {pawn}.",
        "cyd is back.",
    ]
    assert [sentence for sentence in told if sentence in expected] == expected


def test_who_sat_where_after_any_event_is_told_from_few_of_them(tables: Tables, game: str) -> None:
    with tables.services.database.read() as connection:
        head = tables.services.streams.head(connection, game)
        facts = list(tables.services.streams.facts_seen(connection, game, head.rules, None, after=0, upto=head.version))
        for version in range(1, head.version + 1):
            chairs = tables.services.streams.chairs(connection, game, head.rules, version)
            right = fold(Table(), head.rules, facts[:version]).chairs
            assert [(c.player, c.bot, c.vacant) for c in chairs] == [(c.player, c.bot, c.vacant) for c in right]


def test_a_bundle_tells_of_nobody_s_mail_from_a_seat_that_a_bot_has(tables: Tables, game: str) -> None:
    entries = [msgspec.json.decode(line) for line in tables.export(game)[:-1]]
    came = next(entry["version"] for entry in entries if entry["type"] == "table.seat-taken-by-bot")
    sittings = _sittings(entries)
    ann, bob, cyd = (tables.ids[name] for name in ("ann", "bob", "cyd"))
    assert sittings[came - 1] == {ann: 0, bob: 1}
    assert sittings[came] == {ann: 0}
    assert sittings[-1] == {ann: 0, cyd: 1}
