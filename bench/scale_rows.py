"""Rows of very many games, made of a few that were played through the service: each copy is a game of its own.

A copy has its own id and players, its own chain of hashes, its leaves and state sealed under its own key, and its last
checkpoint signed. Its moves, times and earlier signatures are those of the game it is a copy of.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import SQLModel

from bench.games import PLAYERS, SEATS, whole_game
from domain.audit.checkpoints import Checkpoint
from domain.history.envelope import GENESIS, event_hash
from domain.rulesets import ruleset
from domain.table.play import abandon
from domain.table.record import OPERATOR, Record
from domain.table.seating import Nonce, Terms, open_table, sit
from domain.table.state import Table
from domain.tammany_hall.rules.events import TurnBegan
from service.clocks.policy import DEFAULTS
from service.container import Services
from service.games.commit import commit
from service.kernel.clock import text
from service.store.database import Connection

TABLES: Final = ("games", "events", "leaves", "seats", "decisions", "checkpoints", "notices", "deliveries")
"""What is copied, in this order."""
FIRST_YEARS: Final = 12
"""Running games stand at turns of the first years, so that each can be moved many times more."""
ACTIVE: Final = 10
"""One game of so many runs."""
OPEN: Final = 200
"""One of so many is a table that waits for players."""
BUSY: Final = 100
"""In one game of so many, which are over, the first player has the first seat."""
NOTICES: Final = 1 << 20
"""Numbers of copied notices and deliveries begin above those of the games that were played."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A game that was played through the service, and its rows by table."""

    game: str
    players: tuple[str, ...]
    rows: Mapping[str, Sequence[Mapping[str, Any]]]
    state: bytes
    leaves: Sequence[bytes]


def play_models(services: Services, events: int) -> dict[str, list[Copied]]:
    """Games by what they are: running at turns of the first years, over after so many events, open."""
    rules, played = ruleset("tammany-hall"), whole_game()
    turns = [version for version, fact in enumerate(played.facts, 1) if isinstance(fact.event, TurnBegan)]
    running = [_put(services, f"model-run-{n:02}", version) for n, version in enumerate(turns[:FIRST_YEARS])]
    over = _put(services, "model-over-00", min(events - 2, len(played.facts)) if events > 20 else 20, ends=True)
    with services.database.write() as tx:
        record = Record(Table(), rules)
        open_table(record, PLAYERS[0], Terms(SEATS, {}, {**DEFAULTS}, public=True), hashlib.sha256(b"open").digest())
        sit(record, PLAYERS[0], Nonce("nonce-of-the-host", by_player=True))
        commit(services, tx, services.streams.create(tx, "model-open-00", rules.kind, _now(services, tx)), record)
    return {
        "running": [_copied(services, game) for game in running],
        "over": [_copied(services, over)],
        "open": [_copied(services, "model-open-00")],
    }


def _put(services: Services, game: str, version: int, *, ends: bool = False) -> str:
    """Play a game up to this event, a commit for the facts of each actor in a row, as moves are."""
    played = whole_game()
    chunks: list[list[Any]] = []
    for fact in played.facts[:version]:
        if chunks and (chunks[-1][-1].actor == fact.actor or fact.actor.keys() == {"system"}):
            chunks[-1].append(fact)
        else:
            chunks.append([fact])
    with services.database.write() as tx:
        head = services.streams.create(tx, game, played.rules.kind, _now(services, tx))
        for chunk in chunks:
            record = Record(head.table, played.rules)
            for fact in chunk:
                record.add(fact.actor, fact.event, text=fact.text)
            commit(services, tx, head, record)
        if ends and head.table.status == "running":
            record = Record(head.table, played.rules)
            abandon(record, OPERATOR, "operator")
            commit(services, tx, head, record)
    return game


def _now(services: Services, tx: Connection) -> int:
    return services.database.clock.now(tx)


def _copied(services: Services, game: str) -> Copied:
    with services.database.read() as connection:
        rows = {}
        for name in TABLES:
            table = SQLModel.metadata.tables[name]
            own = table.c.id if name == "games" else table.c.game_id
            order = [table.c[key.name] for key in table.primary_key]
            found = connection.execute(sa.select(table).where(own == game).order_by(*order))
            rows[name] = [dict(row) for row in found.mappings()]
    sealer, (head,) = services.sealer, rows["games"]
    places = [(f"{game}|{leaf['version']}|{leaf['number']}", leaf["sealed"]) for leaf in rows["leaves"]]
    leaves = [sealer.open(game, place, sealed) for place, sealed in places]
    return Copied(game, PLAYERS, rows, sealer.open(game, f"{game}|state", head["state"]), leaves)


class Copies:
    """Makes the rows of copies, one game after the other."""

    def __init__(self, services: Services, models: Mapping[str, Sequence[Copied]], games: int) -> None:
        self.services, self.models, self.games = services, models, games
        self.people = [f"p_{number:012}" for number in range(max(SEATS, games // 4))]
        self.notices = NOTICES

    def __iter__(self) -> Iterator[tuple[str, list[tuple[str, list[tuple[Any, ...]]]]]]:
        """Games by id, with their rows by table, each in the order of the table's columns."""
        for number in range(self.games):
            model = self._model(number)
            yield self.copy(f"s{number:015}", model, self._players(number))

    def _model(self, number: int) -> Copied:
        kind = "open" if number % OPEN == 0 else "running" if number % ACTIVE == 1 else "over"
        models = self.models[kind]
        return models[number // ACTIVE % len(models)]

    def _players(self, number: int) -> dict[bytes, bytes]:
        chosen = [self.people[(number * SEATS + seat) % len(self.people)] for seat in range(SEATS)]
        if number % BUSY == 3:
            chosen = [self.people[0], *(name for name in chosen if name != self.people[0])][:SEATS]
        return {old.encode(): new.encode() for old, new in zip(PLAYERS, chosen, strict=True)}

    def copy(self, game: str, model: Copied, players: Mapping[bytes, bytes]) -> Any:
        """The rows of one copy."""
        named = {old.decode(): new.decode() for old, new in players.items()}
        hashes = list(self._events(game, model, players))
        last = hashes[-1][4]
        rows: dict[str, list[tuple[Any, ...]]] = {"events": hashes}
        sealer = self.services.sealer
        (head,) = model.rows["games"]
        state = _renamed(model.state, players)
        rows["games"] = [
            tuple(
                (head | {"id": game, "hash": last, "host": named.get(head["host"], head["host"]),
                         "state": sealer.seal(game, f"{game}|state", state)}).values()
            )
        ]  # fmt: skip
        rows["leaves"] = [
            tuple(
                (leaf | {"game_id": game, "sealed": sealer.seal(
                    game, f"{game}|{leaf['version']}|{leaf['number']}", plain)}).values()
            )
            for leaf, plain in zip(model.rows["leaves"], model.leaves, strict=True)
        ]  # fmt: skip
        for name in ("seats", "decisions"):
            rows[name] = [
                tuple((row | {"game_id": game, "player_id": named.get(row["player_id"])}).values())
                for row in model.rows[name]
            ]
        rows["checkpoints"] = list(self._checkpoints(game, model, hashes))
        self._tell(rows, game, model, named)
        return game, [(name, rows[name]) for name in TABLES]

    def _events(self, game: str, model: Copied, players: Mapping[bytes, bytes]) -> Iterator[tuple[Any, ...]]:
        old, new = f'"game":"{model.game}"'.encode(), f'"game":"{game}"'.encode()
        before, previous = GENESIS, GENESIS
        for row in model.rows["events"]:
            body = row["body"].encode().replace(old, new, 1).replace(before.encode(), previous.encode(), 1)
            if b'"p_' in body:
                body = _renamed(body, players)
            before, previous = row["hash"], event_hash(body)
            yield game, row["version"], row["type"], body.decode(), previous

    def _checkpoints(self, game: str, model: Copied, events: Sequence[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        last = model.rows["checkpoints"][-1]["version"]
        for row in model.rows["checkpoints"]:
            own = row | {"game_id": game, "hash": events[row["version"] - 1][4]}
            if row["version"] == last:
                told = Checkpoint(game, last, own["hash"], text(row["at"]))
                own["signature"] = self.services.signer.sign_checkpoint(told).signature
            yield tuple(own.values())

    def _tell(self, rows: dict[str, Any], game: str, model: Copied, named: Mapping[str, str]) -> None:
        """Notices and deliveries under numbers of their own; those that were to be sent are sent."""
        numbers = {row["id"]: self.notices + place for place, row in enumerate(model.rows["notices"])}
        self.notices += len(numbers)
        rows["notices"] = [
            tuple((row | {"id": numbers[row["id"]], "game_id": game, "recipient": named[row["recipient"]]}).values())
            for row in model.rows["notices"]
        ]
        done = {"state": "sent", "lease": None, "lease_until": 0, "game_id": game}
        rows["deliveries"] = [
            tuple(
                (row | done | {"id": numbers[row["notice_id"]], "notice_id": numbers[row["notice_id"]],
                               "recipient": named[row["recipient"]], "done_at": row["created_at"]}).values()
            )
            for row in model.rows["deliveries"]
        ]  # fmt: skip


def _renamed(text: bytes, players: Mapping[bytes, bytes]) -> bytes:
    for old, new in players.items():
        text = text.replace(old, new)
    return text
