"""The event store: one stream a game, its head with the folded state beside it, and the leaves apart."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from domain.engine.game import NOBODY, Seat
from domain.history.codec import History, Stored, history
from domain.history.envelope import GENESIS, SALT_BYTES, BrokenHistory, Leaf
from domain.table import events as table_events
from domain.table.evolve import Rules, copy
from domain.table.record import Fact
from domain.table.state import Table
from service.kernel import clock
from service.kernel.encryption import KEY_ID_BYTES, LEAF_BLOCK, Sealer, Unreadable, pad
from service.kernel.entropy import Entropy
from service.kernel.log import log
from service.store.clocks.halted import GameHalted
from service.store.connection import Connection
from service.store.database import Database
from service.store.event_store import stream_rows
from service.store.event_store.states import decode_state, encode_state
from service.store.event_store.stream_reader import StreamReader
from service.store.event_store.stream_rows import LATEST as LATEST
from service.store.event_store.stream_rows import events as events
from service.store.event_store.stream_rows import games as games
from service.store.event_store.stream_rows import leaves as leaves

ORDERS_BLOCK: Final = 4096
"""Standing orders are one size: how much was ordered is nobody's business (S-12)."""


class NoSuchGame(LookupError):
    """There is no game with this id, or it is not for these eyes: nobody is told which (S-11)."""


Seen = Collection[int]
"""Versions of a game that a caller knows, at least one: a command is done where it is at one of them."""


class StaleTurn(Exception):
    """Somebody moved first: the game is not at the version the caller had seen."""

    def __init__(self, seen: int, version: int) -> None:
        super().__init__(f"The game has moved on from version {seen} to {version}.")
        self.seen = seen
        self.version = version


@dataclass(slots=True)
class Head:
    """The last version of a stream, and its state. `now` is the time of record when it was read.

    `locked` says that it came from `lock` or `create`: nobody else moves it until the transaction ends. `outage_ended`
    is when the last outage ended, where that was after the last event. `news_at` is when the last event was recorded
    that did more than move deadlines.
    """

    game: str
    version: int
    hash: str
    last_at: int
    now: int
    table: Table
    history: History
    locked: bool = False
    name: str | None = None  # what the host calls the table; None for the name it has of itself
    outage_ended: int | None = None
    news_at: int = 0

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return self.history.rules

    def expect(self, seen: Seen) -> None:
        """Raise StaleTurn where the stream is at none of these versions: of them, the last that it has left behind."""
        if self.version not in seen:
            behind = [version for version in seen if version < self.version]
            raise StaleTurn(max(behind) if behind else min(seen), self.version)


GameOrHead = str | Head
"""A game by its id or, from a caller who holds its lock, by its locked head: it is neither locked nor read again."""


class Streams(StreamReader):
    """The event store over one database."""

    def __init__(self, database: Database, sealer: Sealer, entropy: Entropy) -> None:
        super().__init__(sealer)
        self.database = database
        self._salt = partial(entropy.salt, SALT_BYTES)
        self._heads = stream_rows.HEADS["sqlite" if database.is_sqlite else "postgresql"]

    def head(self, connection: Connection, game: str) -> Head:
        """The head of a game, to look at. Raises NoSuchGame."""
        return self._head(connection, game, *self._timed(self._heads.look(connection, game=game)))

    def head_for(self, connection: Connection, game: str, player: str | None) -> Head:
        """The same for a player; None for somebody who is not signed in. Raises NoSuchGame also for a private table of
        which they may not know: by the same statement, so that the time tells as little as the words (S-11)."""
        return self._head(connection, game, *self._timed(self._heads.look_known(connection, game=game, player=player)))

    def lock(self, connection: Connection, game: str) -> Head:
        """The head of a game, nobody else's to move until the transaction ends.

        Raises NoSuchGame, GameHalted, and BrokenHistory where the head is not the last event.
        """
        return self._locked(connection, game, self._heads.lock(connection, game=game))

    def lock_for(self, connection: Connection, game: str, player: str) -> Head:
        """The same for a player. Raises as `lock` does; of what they may not know, nothing is locked."""
        return self._locked(connection, game, self._heads.lock_known(connection, game=game, player=player))

    def _locked(self, connection: Connection, game: str, found: Any) -> Head:
        row, now = self._timed(found)
        if row is not None and row[5] is not None:
            raise GameHalted(game, row[6] or "")
        if row is not None and row[-1] != row[2]:
            self._require_last(connection, game, row[1], row[2])
        head = self._head(connection, game, row, now)
        head.locked = True
        head.outage_ended = row[-2] if row[-2] is not None and row[-2] >= head.last_at else None
        return head

    def locked(self, connection: Connection, game: GameOrHead) -> Head:
        """The locked head of a game: locked now by its id, else the one that is handed on. Raises as `lock` does."""
        if isinstance(game, str):
            return self.lock(connection, game)
        if not game.locked:
            raise ValueError(f"The head of game {game.game} is not locked.")
        return game

    def _timed(self, found: Any) -> tuple[Any, int]:
        """The row of a head, and the time of record; PostgreSQL tells both in one statement."""
        row = found.fetchone()
        return row, self.database.clock.now() if self.database.clock.sql is None else (row[9] if row else 0)

    def _require_last(self, connection: Connection, game: str, version: int, head: str) -> None:
        """Raise BrokenHistory unless the event with this number has this hash, asked anew: PostgreSQL, which waited for
        the lock, told the head as it is now beside the event as it was before."""
        last = stream_rows.read_events(connection, game=game, after=version - 1, upto=version).fetchone()
        if last is None or last[2] != head:
            raise BrokenHistory(version, "the head is not the last event")

    def _head(self, connection: Connection, game: str, row: Any, now: int) -> Head:
        if row is None:
            raise NoSuchGame(game)
        kept = history(row[0])
        return Head(
            game,
            row[1],
            row[2],
            max(row[3], row[8]),
            now,
            self._table(connection, game, kept.rules, row),
            kept,
            name=row[7],
            news_at=row[3],
        )

    def _table(self, connection: Connection, game: str, rules: Rules, row: Any) -> Table:
        """The folded state of a head; it is a cache: where it cannot be opened, or is of another event, the log
        alone will do, if it is sound.

        Raises BrokenHistory where it is not.
        """
        if row[4]:
            try:
                table = self._open_state(game, rules, row[4])
                if table.version == row[1]:
                    return table
                wrong = "Stale"
            except (Unreadable, msgspec.DecodeError) as error:
                wrong = type(error).__name__
            log("wardroom.streams", "warning", "a state was folded again", game=game, error=wrong)
        return self.table_proved(connection, game, rules, row[1], row[2])

    def create(self, connection: Connection, game: str, ruleset: str, now: int, name: str | None = None) -> Head:
        """Return the head of a stream that is about to begin, of a table with this name."""
        return Head(game, 0, GENESIS, 0, now, Table(), history(ruleset), locked=True, name=name)

    def append(
        self,
        connection: Connection,
        head: Head,
        facts: Sequence[Fact],
        table: Table,
        cause: str,
        shut: Mapping[Seat, int] | None = None,
    ) -> list[Stored]:
        """Append facts whose fold is `table`, and move the head: events, leaves and state together.

        `head` must come from `lock` or `create` in this transaction. `shut` are the leaves that an opening among the
        facts opens besides theirs, where those are not the ones of `head`.
        """
        at = max(head.now, head.last_at)
        stored = self.enclose(head, facts, cause, at)
        last = stored[-1]
        stream_rows.insert_events(
            connection,
            [
                {"game_id": head.game, "version": s.version, "type": s.type, "body": s.body.decode(), "hash": s.hash}
                for s in stored
            ],
        )
        state = self._seal_state(head.game, table)
        is_news = not all(isinstance(fact.event, table_events.DeadlineMoved) for fact in facts)
        moved: dict[str, Any] = {"version": last.version, "hash": last.hash, "last_at" if is_news else "clock_at": at}
        listed = {"status": table.status, "host": table.host}
        if head.version == 0:
            stream_rows.insert_game(
                connection,
                id=head.game,
                ruleset=table.ruleset,
                state=state,
                public=table.public,
                created_at=at,
                audited_at=at,
                opener=table.host,
                name=head.name,
                clock_at=0,
                **moved,
                **listed,
            )
        else:
            stays = (head.table.status, head.table.host) == (table.status, table.host)
            new = {"new_" + name: value for name, value in (moved if stays else moved | listed).items()}
            quiet = stream_rows.move_head if is_news else stream_rows.move_clock
            move = quiet if stays else stream_rows.move_all
            move(connection, game=head.game, before=head.version, new_state=state, **new)
        self._keep_leaves(connection, head, facts, stored, head.table.unopened if shut is None else shut)
        head.version, head.hash, head.last_at, head.table = last.version, last.hash, at, table
        head.news_at = at if is_news else head.news_at
        return stored

    def enclose(self, head: Head, facts: Sequence[Fact], cause: str, at: int) -> list[Stored]:
        """The facts in their envelopes, each chained to the one before."""
        stored: list[Stored] = []
        previous, moment, salt = head.hash, clock.text(at), self._salt
        for number, fact in enumerate(facts, head.version + 1):
            one = head.history.store(head.game, number, fact, cause=cause, at=moment, previous=previous, salt=salt)
            stored.append(one)
            previous = one.hash
        return stored

    def _keep_leaves(
        self,
        connection: Connection,
        head: Head,
        facts: Sequence[Fact],
        stored: Sequence[Stored],
        shut: Mapping[Seat, int],
    ) -> None:
        unopened, made = dict(shut), list[dict[str, Any]]()
        for fact, entry in zip(facts, stored, strict=True):
            for number, leaf in enumerate(entry.leaves):
                owner = None if leaf.owner == NOBODY else int(leaf.owner)
                block = ORDERS_BLOCK if fact.event.LASTS else LEAF_BLOCK
                sealed = self._seal_leaf(head.game, entry.version, number, leaf, block)
                place = {"game_id": head.game, "version": entry.version, "number": number}
                made.append({**place, "owner": owner, "sealed": sealed})
                if owner is not None and not fact.event.LASTS:
                    unopened[owner] = entry.version
            if not (isinstance(fact.event, table_events.SeedRevealed) or fact.event.OPENS):
                continue
            stream_rows.insert_leaves(connection, made)  # those made by now are opened with the others
            made.clear()
            if isinstance(fact.event, table_events.SeedRevealed):
                stream_rows.open_all(connection, game=head.game, at=entry.version)
            else:
                for leaf_version in unopened.values():
                    stream_rows.open_leaves(connection, game=head.game, leaf=leaf_version, at=entry.version)
                unopened.clear()
        stream_rows.insert_leaves(connection, made)

    # -- sealing

    def _seal_state(self, game: str, table: Table) -> bytes:
        return self.sealer.seal(game, f"{game}|state", encode_state(table))

    def _open_state(self, game: str, rules: Rules, sealed: bytes) -> Table:
        return decode_state(rules, self.sealer.open(game, f"{game}|state", sealed))

    def _seal_leaf(self, game: str, version: int, number: int, leaf: Leaf, block: int = LEAF_BLOCK) -> bytes:
        plain = msgspec.json.encode({"data": leaf.data, "salt": leaf.salt.hex()})
        return self.sealer.seal(game, f"{game}|{version}|{number}", pad(plain, block))

    def rotate(self, connection: Connection, limit: int) -> int:
        """Seal up to `limit` leaves and states again that are under an older key. How many; hashes stay (S-30)."""
        columns = (leaves.c.game_id, leaves.c.version, leaves.c.number, leaves.c.sealed)
        old_leaves = sa.select(*columns).where(self._is_old(leaves.c.sealed)).limit(limit)
        done = 0
        for game, version, number, sealed in connection.execute(old_leaves).all():
            this = (leaves.c.game_id == game, leaves.c.version == version, leaves.c.number == number)
            if (again := self._again(game, f"{game}|{version}|{number}", sealed)) is not None:
                done += connection.execute(sa.update(leaves).where(*this).values(sealed=again)).rowcount
        old_states = (
            sa.select(games.c.id, games.c.state).where(self._is_old(games.c.state)).limit(limit).with_for_update()
        )
        states = list(connection.execute(old_states))
        for game, state in states:
            if (again := self._again(game, f"{game}|state", state)) is not None:
                done += connection.execute(sa.update(games).where(games.c.id == game).values(state=again)).rowcount
        return done

    def _is_old(self, sealed: Any) -> sa.ColumnElement[bool]:
        earlier = [master for master in self.sealer.masters if master != self.sealer.current]
        key: sa.ColumnElement[Any] = sa.func.substr(sealed, 1, KEY_ID_BYTES, type_=sa.LargeBinary)
        return key.in_(earlier)

    def _again(self, game: str, context: str, sealed: bytes) -> bytes | None:
        """It under the present key; None for what was changed: an audit names it, and the others are sealed again."""
        try:
            return self.sealer.seal(game, context, self.sealer.open(game, context, sealed))
        except Unreadable:
            return None

    def rebuild(self, connection: Connection, game: str) -> bool:
        """Fold the log again and put the state beside the head anew. Whether it differed, or could not be read."""
        row = self._heads.lock(connection, game=game).fetchone()
        if row is None:
            raise NoSuchGame(game)
        rules = history(row[0]).rules
        table = self.table_at(connection, game, rules, row[1])
        state = self._seal_state(game, table)
        connection.execute(sa.update(games).where(games.c.id == game).values(state=state))
        try:
            return copy(self._open_state(game, rules, row[4]), rules) != copy(table, rules)
        except (Unreadable, msgspec.DecodeError):
            return True
