"""Tables through the services: people, games, moves and passing deadlines, and the check of all that was stored."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from config.settings import load
from domain.audit.verify_history import audit
from domain.engine.canonical import canonical
from domain.engine.game import Seat
from domain.history.codec import history, unseal
from domain.history.envelope import GENESIS, event_hash
from domain.rulesets import RULESETS
from domain.table import events as e
from domain.table.evolve import apply, copy, fold
from domain.table.state import Table
from service.container import Services, assemble
from service.games import history_queries
from service.kernel.clock import EPOCH
from service.store.event_store import checkpoints
from tests.domain.table.pennies import PENNIES
from tests.tables import Tables

# Checks that trust nothing but the log


def check(services: Services, game: str) -> Table:
    """I-02 to I-05 for one game: versions, chain, leaves, state, seats, decisions, outbox. The table it all says."""
    with services.database.read() as connection:
        row = _row(connection, "SELECT ruleset, version, hash, status, last_at FROM games WHERE id = :id", game)
        stored = _rows(connection, "SELECT version, type, body, hash FROM events WHERE game_id = :id", game)
        kept = services.streams.head(connection, game)
        whole = list(services.streams._typed(connection, game, kept.rules, 0, kept.version, lambda *_: True))
        seats = _rows(connection, "SELECT seat, player_id, bot, vacant, strikes FROM seats WHERE game_id = :id", game)
        owed = _rows(connection, "SELECT seat, decision, since, player_id FROM decisions WHERE game_id = :id", game)
    assert [one[0] for one in stored] == list(range(1, len(stored) + 1)), "versions without gaps (I-02)"
    previous = GENESIS
    for _, name, body, hash_ in stored:
        document = msgspec.json.decode(body)
        assert (document["previous"], document["type"], document["game"]) == (previous, name, game)
        assert hash_ == event_hash(body.encode()), "the bytes stored are the bytes hashed (I-03)"
        previous = hash_
    assert row[1:3] == (len(stored), previous), "the head is the end of the chain"
    tables = list(_tables(kept.rules, whole))
    table = tables[-1]
    assert copy(kept.table, kept.rules) == table, "the state is the fold of the log (I-04)"
    assert row[3] == table.status
    chairs = enumerate(table.chairs)
    assert seats == [(n, it.player, bool(it.bot), bool(it.vacant), it.strikes) for n, it in chairs]
    notices, since = expected(whole, stored, tables, kept.rules)
    assert owed == [
        (seat, decision, version, table.chairs[seat].player) for seat, (decision, version) in sorted(since.items())
    ]
    with services.database.read() as connection:
        columns = "kind, decision, seat, recipient, version, created_at"
        of_events = "game_id = :id AND kind NOT IN ('invitation', 'operator-act')"
        told = _rows(connection, f"SELECT {columns} FROM notices WHERE {of_events}", game)
    assert sorted(told, key=str) == sorted(notices, key=str), "the outbox is complete and exact (I-05)"
    with services.database.read() as connection:
        signed = [one.checkpoint for one in checkpoints.of_game(connection, game, len(stored))]
    ends = {msgspec.json.decode(body)["cause"]: (version, hash_) for version, _, body, hash_ in stored}
    assert [(one.version, one.hash) for one in signed] == list(ends.values()), "every append was signed (S-44)"
    for seat in (None, 0):
        with services.database.read() as connection:
            report = audit(history_queries.export(services, connection, kept, seat))
        broken = [(what, told) for what, verdict, told in report.checks if verdict == "broken"]
        assert all(what == "clock" and "expired before" in told for what, told in broken), report  # as tests make it
    return table


def expected(whole: list[Any], stored: list[Any], tables: list[Table], rules: Any) -> tuple[list[Any], dict[Any, Any]]:
    """The notices and the decisions a log calls for, worked out from the log alone: what each request changed."""
    documents = [msgspec.json.decode(body) for _, _, body, _ in stored]
    notices: list[Any] = []
    since: dict[Seat, tuple[str, int]] = {}
    before = 0
    for last in range(1, len(documents) + 1):
        if last < len(documents) and documents[last]["cause"] == documents[before]["cause"]:
            continue
        table, at, actor = tables[last - 1], micros(documents[last - 1]["at"]), documents[before]["actor"]
        for version in range(before + 1, last + 1):
            for kind, seats, decision in told(whole[version - 1], tables[before - 1], table, actor, rules, version):
                for seat in seats:
                    if table.chairs[seat].player is not None:
                        notices.append((kind, decision, seat, table.chairs[seat].player, last, at))
            if lapsed := replaced(whole[version - 1], tables[before - 1] if before else Table(), table):
                notices.append(("seat-taken", str(version), None, lapsed, last, at))
        now = asked(table, rules)
        for seat in sorted(now):
            if seat not in since or since[seat][0] != now[seat]:
                since[seat] = (now[seat], last)
                notices.append(("your-turn", str(last), seat, table.chairs[seat].player, last, at))
        since = {seat: owed for seat, owed in since.items() if seat in now}
        before = last
    return notices, since


def asked(table: Table, rules: Any) -> dict[Seat, str]:
    """Which people are asked what."""
    if table.status != "running":
        return {}
    seats = [seat for seat in rules.decider.awaiting(table.game) if seat < 0 or not table.chairs[seat].thinks]
    return dict.fromkeys(seats, rules.decider.decision(table.game))


def replaced(event: Any, was: Table, table: Table) -> str | None:
    """The player who had lapsed, and whose seat another or a bot takes."""
    if not isinstance(event, e.SeatTakenOver | e.SeatTakenByBot):
        return None
    chair = was.chairs[event.seat]
    lapsed = chair.vacant and chair.player not in was.resigned and table.seat_of(chair.player) is None
    return chair.player if lapsed else None


def told(
    event: Any, was: Table, table: Table, actor: dict[str, Any], rules: Any, version: int
) -> list[tuple[str, list[Seat], str]]:
    """Of what an event is told by mail, and to whom, written down a second time."""
    everybody = list(range(len(table.chairs)))
    old, new = asked(was, rules), asked(table, rules)
    knows = {
        actor.get("seat"),
        *(n for n, it in enumerate(table.chairs) if it.player and it.player == actor.get("host")),
    }
    knows |= {seat for seat in new if new[seat] != old.get(seat)}
    ended = {seat for seat in old if new.get(seat) != old[seat]}
    if actor == {"operator": True} and not isinstance(event, e.GameAbandoned):
        return []
    match event:
        case e.TurnExpired():
            return [("deadline-passed", [event.seat], str(version))]
        case e.GameFinished() | e.GameAbandoned():
            return [("game-over", everybody, "end")]
        case e.SeatVacated(reason="resigned"):
            return [("vacant", sorted({*everybody} - {event.seat} - knows) if new else [], str(version))]
        case e.SeatVacated():
            host = next((n for n, it in enumerate(table.chairs) if it.player == table.host), event.seat)
            return [("vacant", [host] if host != event.seat else [], str(version))]
        case e.SeatTakenOver():
            open_one = table.proposal
            waits = open_one is not None and event.seat in {*open_one.asked} - {*open_one.agreed}
            again = [("proposal", [event.seat], f"{open_one.version}.{version}")] if open_one and waits else []
            return [("brief", [event.seat], str(version)), *again]
        case e.OrdersDropped():
            return [("orders-dropped", [event.seat] if event.reason == "unfit" else [], str(version))]
        case e.RewindProposed() | e.ClockProposed():
            return [("proposal", event.asked, str(version))]
        case e.ProposalDropped():
            open_one, mine = was.proposal, {event.seat} if event.reason != "withdrawn" else set()
            return [("proposal", sorted(mine - knows), f"{open_one.version}.{version}" if open_one else "")]
        case e.Rewound():
            return [("taken-back", sorted({event.seat, *event.agreed, *ended} - knows), str(version))]
        case e.ClockPaused() | e.ClockResumed() | e.TimeExtended():
            late = event.seat if isinstance(event, e.ClockPaused) else was.late
            acted = isinstance(event, e.ClockResumed) and event.reason == "acted"
            mine = new if acted else everybody
            stays = {late} if acted or isinstance(event, e.ClockPaused) else set()
            return [("clock-news", sorted({*mine} - stays - knows), str(version))]
    return []


def micros(text: str) -> int:
    """The time of an event as it stands in the columns."""
    from datetime import datetime, timedelta

    return (datetime.fromisoformat(text) - EPOCH) // timedelta(microseconds=1)


def _tables(rules: Any, whole: list[Any]) -> Iterator[Table]:
    table = Table()
    for number, event in enumerate(whole):
        table = fold(table, rules, [])
        apply(table, rules, event, whole[:number])
        yield table


def _rows(connection: sa.Connection, query: str, game: str) -> list[tuple[Any, ...]]:
    found = [tuple(row) for row in connection.execute(sa.text(query), {"id": game})]
    return sorted(found, key=lambda row: (isinstance(row[0], str), row[0]))


def _row(connection: sa.Connection, query: str, game: str) -> tuple[Any, ...]:
    (row,) = _rows(connection, query, game)
    return row


def snapshot(services: Services) -> dict[str, list[Any]]:
    """Everything in the database."""
    with services.database.read() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(sa.select(table))), key=str)
            for table in SQLModel.metadata.sorted_tables
        }


def leaf_free(lines: list[bytes]) -> list[bytes]:
    """The canonical bytes of an export without what its leaves say."""
    events = [msgspec.json.decode(line) for line in lines]
    for event in events:
        for leaf in event.get("sealed", ()):
            leaf.pop("data", None)
            leaf.pop("salt", None)
    return [canonical(event) for event in events]


def unsealed(kind: str, name: str, body: str, data: dict[str, Any]) -> Any:
    """A stored event with what its leaf says."""
    return unseal(history(kind).read(name, body), data)


# Fixtures


@pytest.fixture
def services(url: str, open_services: Callable[..., Services]) -> Services:
    return open_services(url)


@pytest.fixture
def tables(services: Services) -> Tables:
    return Tables(services)


@pytest.fixture
def sqlite_room(migrated_sqlite: str, open_services: Callable[..., Services]) -> Services:
    return open_services(migrated_sqlite)


def room_of_a_script(url: str, data: str) -> Services:
    """The Wardroom of a child process, with Pennies among its games."""
    RULESETS[PENNIES.kind] = PENNIES  # type: ignore[index]
    settings = {"DATABASE_URL": url, "DATA_DIR": data, "SECRET_KEY": "k" * 32, "RATE_LIMITS": "off"}
    return assemble(load({f"WARDROOM_{name}": value for name, value in settings.items()}))
