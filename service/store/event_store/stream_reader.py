"""Reading streams: events, states and leaves as they are in the log, for whoever may see them."""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from hashlib import sha256
from typing import Any, Final, NamedTuple

import msgspec

from domain.engine.game import Event, Seat
from domain.history.codec import history, unseal
from domain.history.envelope import EVENT_PREFIX, GENESIS, BrokenHistory, event_hash
from domain.table.evolve import Rules, fold
from domain.table.state import Chair, Table
from domain.table.undo import Past
from service.kernel import clock
from service.kernel.encryption import Sealer, Unreadable, unpad
from service.store.connection import Connection
from service.store.event_store import stream_rows
from service.store.event_store.stream_rows import LATEST

BACK: Final = 100
"""Events that are looked at together, from the last one back."""


class _Text(msgspec.Struct):
    text: str = ""
    due: dict[str, str | None] | None = None
    to: Any = None
    """Where a game went back to; other events use the word for other things."""


class Link(NamedTuple):
    """An event in its chain: its hash, and when it was recorded as it says itself."""

    hash: str
    at: str


class _Told(msgspec.Struct):
    """What an envelope says of its event besides the event."""

    actor: dict[str, Any]
    cause: str
    at: str
    data: _Text


class _Link(msgspec.Struct):
    previous: str
    at: str


class _Following(msgspec.Struct, gc=False):
    previous: str


class _Numbered(msgspec.Struct):
    version: int


_follows: Final = msgspec.json.Decoder(_Following).decode


class StreamReader:
    """The streams of one database as they were written."""

    def __init__(self, sealer: Sealer) -> None:
        self.sealer = sealer

    def require_chain(self, connection: Connection, game: str, version: int, head: str) -> None:
        """Raise BrokenHistory unless the events up to `version` are a chain without a gap that ends in this hash."""
        self._chain(connection, game, version, head)

    def _chain(self, connection: Connection, game: str, version: int, head: str) -> list[tuple[str, Any, str]]:
        """Types, bodies and hashes of the events up to `version`, proved to be a chain that ends in this hash.

        The stored bytes are hashed as they are, and of each event nothing is read but which one it says it follows.
        """
        previous, digest = GENESIS, sha256
        read = stream_rows.read_chain[connection.dialect.name]
        rows: list[tuple[str, Any, str]] = read(connection, game=game, after=0, upto=version).fetchall()
        for number, (_, body, hash_) in enumerate(rows, 1):
            raw = body.encode() if body.__class__ is str else body
            if hash_ != digest(EVENT_PREFIX + raw).hexdigest():  # `event_hash`, without a call for each event
                raise BrokenHistory(number, "its hash is not the hash of what it says")
            if _follows(raw).previous != previous:
                is_there = msgspec.json.decode(raw, type=_Numbered).version == number
                told = "it does not follow the hash of the event before it" if is_there else "it is missing"
                raise BrokenHistory(number, told)
            previous = hash_
        if (len(rows), previous) != (version, head):
            raise BrokenHistory(version, "the head is not the last event")
        return rows

    def table_at(self, connection: Connection, game: str, rules: Rules, version: int) -> Table:
        """The whole state after event `version`, secrets included, from the log alone."""
        return fold(Table(), rules, self._typed(connection, game, rules, 0, version, _all))

    def table_proved(self, connection: Connection, game: str, rules: Rules, version: int, head: str) -> Table:
        """The same of a log that is read once and is a chain that ends in this hash. Raises BrokenHistory."""
        rows = self._chain(connection, game, version, head)
        return fold(Table(), rules, self._typed(connection, game, rules, 0, version, _all, rows))

    def table_seen(self, connection: Connection, game: str, rules: Rules, version: int, seat: Seat | None) -> Table:
        """The state after event `version` as a seat could know it then, from the log alone (S-01)."""
        return fold(Table(), rules, self.facts_seen(connection, game, rules, seat, after=0, upto=version))

    def facts_seen(
        self, connection: Connection, game: str, rules: Rules, seat: Seat | None, *, after: int, upto: int
    ) -> Iterator[Event]:
        """The events after `after` up to `upto`, as a seat could know them then."""
        return self._typed(connection, game, rules, after, upto, partial(_visible, seat, upto))

    def table_revealed(self, connection: Connection, game: str, rules: Rules, version: int) -> Table:
        """The state after event `version` with all that was opened to everybody since, from the log alone."""
        return fold(Table(), rules, self.facts_revealed(connection, game, rules, after=0, upto=version))

    def facts_revealed(
        self, connection: Connection, game: str, rules: Rules, *, after: int, upto: int
    ) -> Iterator[Event]:
        """The events after `after` up to `upto` with all that was opened to everybody since, which is not all before
        the game is over."""
        return self._typed(connection, game, rules, after, upto, lambda owner, opened: opened is not None)

    def history(self, connection: Connection, game: str, rules: Rules, upto: int, after: int = 0) -> list[Past]:
        """Return the events after `after` up to `upto`, with who made each and the request that did.

        Sealed parts stay sealed.
        """
        read, told = history(rules.kind).read, msgspec.json.Decoder(_Told)
        past: list[Past] = []
        rows = stream_rows.read_bodies(connection, game=game, after=after, upto=upto).fetchall()
        for version, (name, body) in enumerate(rows, after + 1):
            envelope, event = told.decode(body), read(name, body)
            text = envelope.data.text or ""
            is_action = bool(text or event.SEALED)
            past.append(
                Past(version, envelope.actor, envelope.cause, event, is_action, text, envelope.at, envelope.data.due)
            )
        return past

    def rewinds(self, connection: Connection, game: str, upto: int, after: int = 0) -> list[tuple[int, int]]:
        """Where the game went back up to event `upto`: the event that says so, and the one it went back to.

        Those after event `after` are all that can undo what comes after it.
        """
        rows = stream_rows.read_rewinds(connection, game=game, after=after, upto=upto).fetchall()
        return [(version, msgspec.json.decode(body)["data"]["to"]) for version, body in rows]

    def undone_by(self, connection: Connection, game: str, version: int, upto: int) -> int | None:
        """The event up to `upto` with which the game went back to before this one; None while it stands."""
        return undone_by(self.rewinds(connection, game, upto, after=version), version)

    def chairs(self, connection: Connection, game: str, rules: Rules, upto: int) -> list[Chair]:
        """Who sat where after event `upto`."""
        read = history(rules.kind).read
        return fold(
            Table(),
            rules,
            [read(*row) for row in stream_rows.read_seating(connection, game=game, upto=upto).fetchall()],
        ).chairs

    def time_of(self, connection: Connection, game: str, version: int) -> int:
        """When an event was recorded."""
        rows = stream_rows.read_bodies(connection, game=game, after=version - 1, upto=version).fetchall()
        return clock.from_text(msgspec.json.decode(rows[0][1], type=_Told).at)

    def version_at(self, connection: Connection, game: str, at: int, upto: int) -> int:
        """The last event up to `upto` that was recorded by this time; 0 for none."""
        while upto > 0:
            first = max(0, upto - BACK)
            rows = stream_rows.read_bodies(connection, game=game, after=first, upto=upto).fetchall()
            for _, body in reversed(rows):
                if clock.from_text(msgspec.json.decode(body, type=_Link).at) <= at:
                    return upto
                upto -= 1
        return 0

    def mark_of(self, connection: Connection, game: str, version: int) -> tuple[str, str]:
        """The hash of an event, and when it was recorded as it says itself."""
        rows = stream_rows.read_events(connection, game=game, after=version - 1, upto=version).fetchall()
        return rows[0][2], msgspec.json.decode(rows[0][1], type=_Told).at

    def marks(self, connection: Connection, game: str) -> list[Link]:
        """What each event is hashed as, and its time as it says itself, unchecked."""
        rows = stream_rows.read_events(connection, game=game, after=0, upto=LATEST).fetchall()
        return [Link(hash_, msgspec.json.decode(body, type=_Link).at) for _, body, hash_ in rows]

    def links(self, connection: Connection, game: str, version: int, upto: int) -> list[Link]:
        """The events from one to another, as far as each is what it was hashed as and follows the one before."""
        found: list[Link] = []
        for number, body, hash_ in stream_rows.read_events(
            connection, game=game, after=version - 1, upto=upto
        ).fetchall():
            said = msgspec.json.decode(body, type=_Link)
            follows = not found or said.previous == found[-1].hash
            if not follows or number != version + len(found) or hash_ != event_hash(body.encode()):
                break
            found.append(Link(hash_, said.at))
        return found

    def last_act(self, connection: Connection, game: str, seat: Seat, upto: int) -> int:
        """Return the last event up to `upto` that this seat caused by playing or by its orders, or 0."""
        row = stream_rows.last_by(connection, game=game, upto=upto, actor=f'{{"actor":{{"seat":{seat}}},%').fetchone()
        return (row[0] if row else 0) or 0

    def last_move(self, connection: Connection, game: str, seat: Seat, upto: int) -> int:
        """Return the last version up to `upto` that a seat's player has seen by moving, or 0.

        Left out are standing orders followed in requests of others, openings of bids with the events after them, and
        moves that were taken back.
        """
        told = msgspec.json.Decoder(_Told)
        cause, found, own = "", 0, False
        stands = upto  # later events were taken back
        while upto > 0:
            rows = stream_rows.read_bodies(connection, game=game, after=max(0, upto - BACK), upto=upto).fetchall()
            for name, body in reversed(rows):
                envelope = told.decode(body)
                if envelope.cause != cause:
                    if found and own:
                        return found
                    cause, found, own = envelope.cause, 0, False
                if name == stream_rows.REWOUND:
                    stands = min(stands, envelope.data.to)
                elif _opens(name):
                    found = 0
                elif name not in stream_rows.NO_MOVES and upto <= stands:
                    mine = envelope.actor == {"seat": seat} and name != stream_rows.FOLLOWED
                    found = found or (upto if mine else 0)
                    own = mine or name == stream_rows.OPENED  # who opens a table sits down with it
                upto -= 1
        return found if own else 0

    def requests(self, connection: Connection, game: str, after: int, upto: int) -> list[dict[str, Any]]:
        """Who made each of the requests that these events come from, the first one first."""
        told, last = msgspec.json.Decoder(_Told), ""
        actors = []
        for _, body in stream_rows.read_bodies(connection, game=game, after=after, upto=upto).fetchall():
            envelope = told.decode(body)
            if envelope.cause != last:
                actors.append(envelope.actor)
            last = envelope.cause
        return actors

    def _typed(
        self,
        connection: Connection,
        game: str,
        rules: Rules,
        after: int,
        upto: int,
        may_see: Callable[[Seat | None, int | None], bool],
        rows: Iterable[tuple[Any, ...]] | None = None,
    ) -> Iterator[Event]:
        """Events with those of their leaves that `may_see(owner, opened)` lets through; `rows` begin with type and
        body, where they are read already."""
        known = history(rules.kind)
        decoders = known.decoders
        sealed: dict[int, list[tuple[int, bytes]]] = {}
        for number, place, owner, opened, content in stream_rows.read_leaves(
            connection, game=game, after=after, upto=upto
        ):
            if may_see(owner, opened):
                sealed.setdefault(number, []).append((place, content))
        if rows is None:
            rows = stream_rows.read_bodies(connection, game=game, after=after, upto=upto).fetchall()
        for number, row in enumerate(rows, after + 1):
            try:
                event: Event = decoders[row[0]](row[1]).data
            except msgspec.ValidationError as error:
                event = known.read_older(row[0], row[1], error)
            if number in sealed:
                for place, content in sealed[number]:
                    event = unseal(event, self.open_leaf(game, number, place, content)["data"])
            yield event

    def seen(
        self,
        connection: Connection,
        game: str,
        seat: Seat | None,
        *,
        after: int,
        upto: int,
        leave_shut: bool = False,
    ) -> list[dict[str, Any]]:
        """The events after `after` up to `upto` as a seat (None: a spectator) may see them at `upto`, in export form.

        Leaves that are neither the seat's own nor opened by then stay shut: they are not even decrypted (S-01). Raises
        Unreadable for one that cannot be opened, unless told to `leave_shut`.
        """
        # read to the end before anything can fail: a cursor that is left half read keeps SQLite locked
        stored = stream_rows.read_events(connection, game=game, after=after, upto=upto).fetchall()
        kept = stream_rows.read_leaves(connection, game=game, after=after, upto=upto).fetchall()
        shown: dict[int, list[dict[str, Any]]] = {}
        for version, number, owner, opened, sealed in kept:
            leaf: dict[str, Any] = {}
            if _visible(seat, upto, owner, opened):
                with contextlib.suppress(*[Unreadable] * leave_shut):
                    leaf = self.open_leaf(game, version, number, sealed)
            shown.setdefault(version, []).append(leaf)
        return [self._exported(body, hash_, shown.get(version, [])) for version, body, hash_ in stored]

    @staticmethod
    def _exported(body: str, hash_: str, shown: Iterable[dict[str, Any]]) -> dict[str, Any]:
        event: dict[str, Any] = msgspec.json.decode(body)
        event["sealed"] = [{**leaf, **opened} for leaf, opened in zip(event["sealed"], shown, strict=True)]
        event["hash"] = hash_
        return event

    def open_leaf(self, game: str, version: int, number: int, sealed: bytes) -> dict[str, Any]:
        """The data and salt of a leaf: {"data": …, "salt": hex}."""
        plain: dict[str, Any] = msgspec.json.decode(unpad(self.sealer.open(game, f"{game}|{version}|{number}", sealed)))
        return plain


def _opens(name: str) -> bool:
    """Return whether events of this stored name open what was sealed."""
    kind = name.partition(".")[0]
    return kind != "table" and history(kind).types[name].OPENS


def undone_by(rewinds: Iterable[tuple[int, int]], version: int) -> int | None:
    """Which of the events that went back, in their order, undid this one; None while it stands."""
    return next((back for back, to in rewinds if to < version < back), None)


def _all(owner: Seat | None, opened: int | None) -> bool:
    return True


def _visible(seat: Seat | None, at: int, owner: Seat | None, opened: int | None) -> bool:
    """Whether a leaf is a seat's own, or was opened to everybody by event `at`."""
    return (owner is not None and owner == seat) or (opened is not None and opened <= at)
