"""Table talk: a line to the table or to one seat, apart from the history, so that it can be taken back and erased.

No line ever enters an event (Q-5). A line waits before others see it, and until then only its author does and can take
it back: what was said by mistake, or came along in an answered mail, does no harm. Lines are shown in the order in
which they were said. What was said to a seat or by it is the seat's, like its hand: whoever takes it over reads it.
"""

import contextlib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection, RowMapping

from domain.engine.game import Seat
from domain.engine.refusals import sentence
from domain.engine.sentences import Sentence
from service.container import Services
from service.games.commit import notice, seats
from service.games.play import NotSeated, look, seated_at
from service.kernel.clock import SECOND, micros
from service.kernel.encryption import KEY_ID_BYTES, Unreadable, pad, unpad
from service.kernel.ids import new_line_id
from service.mail.reply_tokens import AFTER_THE_END
from service.store.outbox import outbox, put
from service.store.players import players
from service.store.rows import MessageRow
from service.store.streams import GameOrHead, Head, games

messages_table: Final = MessageRow.__table__  # type: ignore[attr-defined]
_m: Final = messages_table.c
KIND: Final = "talk"
LONGEST: Final = 500
MOST_AN_HOUR: Final = 20
HOUR: Final = 3600 * SECOND
TOGETHER: Final = 180 * SECOND
"""Lines shown within so long go out in one mail (RATE-05)."""
NO_TEXT: Final = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
EMOJI: Final = ("\U0001f000", "\U0001faff")
"""Where new ones are still to come: a sign there is one, also if this Python does not know it yet."""


class NotSaid(ValueError):
    """A line that cannot be said, found or taken back. `message` is safe to show, `wait` how many seconds help."""

    def __init__(self, code: str, message: Sentence, *, wait: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.wait = wait


def refuse(broken: object, code: str, template: str, /, *, wait: int = 0, **values: Any) -> None:
    """Raise NotSaid with a sentence of this template and these values where a rule is broken."""
    if broken:
        raise NotSaid(code, sentence(template, values), wait=wait)


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody said, and when others see it."""

    id: int
    seat: Seat
    player: str
    name: str
    to: Seat | None  # None for the whole table
    text: str
    shown_at: int


@dataclass(frozen=True, slots=True)
class Talk:
    """What a seat may read: lines in the order they were shown, and its player's own that wait."""

    lines: list[Line]
    waiting: list[Line]
    after: int | None  # what the next page begins after, None on the last


class Told(NamedTuple):
    """A line as a mail tells it: who said it, whether to all, what, and when it was shown."""

    name: str
    to_all: bool
    text: str
    at: int


def clean(text: str) -> str:
    """A line as it is kept: NFC, single blanks, no format or bidi characters (IN-11, T-5A). Raises NotSaid."""
    seen = "".join(letter for letter in text.replace("\t", " ") if unicodedata.category(letter) != "Cf")
    signs = any(unicodedata.category(letter) in NO_TEXT and not EMOJI[0] <= letter <= EMOJI[1] for letter in seen)
    refuse(signs, "bad-text", "Say one line, without line breaks and control characters.")
    line = " ".join(unicodedata.normalize("NFC", seen).split())
    refuse(not 1 <= len(line) <= LONGEST, "bad-text", "A line has 1 to {most} characters.", most=LONGEST)
    return line


def say(services: Services, tx: Connection, game: GameOrHead, player: str, text: str, *, to: Seat | None) -> int:
    """Say a line to the table or to one seat, and mail it to who hears it. Its id.

    Raises NotSaid, NoSuchGame, NotSeated.
    """
    line = clean(text)
    head, seat = _seated(services, tx, game, player)
    game, now = head.game, services.database.clock.now(tx)
    _require_time(head, now)
    hearers = _hearers(head, seat, to)
    if services.settings.rate_limits:
        _require_few(tx, game, player, now)
    number, shown = new_line_id(), _shown_at(services, tx, game, now)
    kept = sa.insert(messages_table).values(
        id=number,
        game_id=game,
        seat=seat,
        player_id=player,
        to_seat=to,
        body=services.sealer.seal(game, f"talk|{number}", pad(line.encode())),
        created_at=now,
        shown_at=shown,
    )
    tx.execute(kept)
    when = {"created_at": now, "not_before": mailed_at(now, shown)}
    put(tx, [notice(head, head.table.chairs[one].player, KIND, str(number), one) | when for one in hearers])
    return number


def unsay(services: Services, tx: Connection, game: GameOrHead, player: str, number: int | None) -> str:
    """Take back a line that waits, the last one for None. What it said, which only the mail it came in, if any, still
    holds, for up to 30 days (IN-31).

    Raises NotSaid where the player has no such line or others have seen it, NoSuchGame and NotSeated.
    """
    now = services.database.clock.now(tx)
    mine = _standing(game if isinstance(game, str) else game.game).where(_m.player_id == player)
    mine = mine.where(_m.shown_at > now) if number is None else mine.where(_m.id == number)
    row = tx.execute(mine.order_by(_m.shown_at.desc()).limit(1)).mappings().first()
    if row is None:
        _seated(services, tx, game, player)
    refuse(row is None, "no-such-message", "You have no such line that waits, so none was taken back.")
    assert row is not None
    shown = row["shown_at"] <= now
    refuse(shown, "already-shown", "The others have seen it already: it cannot be taken back.")
    tx.execute(sa.update(messages_table).where(_m.id == row["id"]).values(cancelled_at=now, body=b""))
    return text_of(services, row)


def messages(
    services: Services, connection: Connection, head: Head, seat: Seat, *, after: int = 0, limit: int = 50
) -> Talk:
    """What a seat may read of the talk at its table, at most `limit` lines after the line with the id `after`.

    Raises NotSaid where the seat has read no such line.
    """
    now = services.database.clock.now(connection)
    standing = _standing(head.game)
    found = standing.where(_m.shown_at <= now, _readable(seat))
    if after:
        last = connection.execute(found.where(_m.id == after)).mappings().first()
        refuse(last is None, "no-such-message", "There is no such line to go on from: begin again.")
        assert last is not None
        found = found.where(_m.shown_at > last["shown_at"])
    rows = connection.execute(found.order_by(_m.shown_at).limit(limit + 1)).mappings().all()
    own = standing.where(_m.shown_at > now, _m.player_id == head.table.chairs[seat].player)
    waiting = connection.execute(own.order_by(_m.shown_at)).mappings()
    lines = [_line(services, row) for row in rows[:limit]]
    return Talk(lines, [_line(services, row) for row in waiting], lines[-1].id if len(rows) > limit else None)


def line(services: Services, connection: Connection, game: str, number: int) -> Line:
    """A line, to its author."""
    return _line(services, connection.execute(_standing(game).where(_m.id == number)).mappings().one())


def check(services: Services, connection: Connection, row: Mapping[str, Any]) -> str | None:
    """Why a notice of talk must not be sent any more, None where it must be."""
    together = _mailed_with(connection, row)
    if row["decision"] not in [str(one["id"]) for one in together]:
        return "the line was taken back"
    if row["decision"] != str(together[0]["id"]):
        return "told in an earlier mail"
    sits = sa.select(seats.c.seat).where(
        seats.c.game_id == row["game_id"], seats.c.seat == row["seat"], seats.c.player_id == row["recipient"]
    )
    return None if connection.execute(sits).first() else "the seat has another player"


def told_by(services: Services, connection: Connection, row: Mapping[str, Any]) -> list[Told]:
    """The lines a notice tells its reader, the same at every attempt: they cannot be taken back any more (T-51)."""
    return [
        Told(one["name"], one["to_seat"] is None, text_of(services, one), one["shown_at"])
        for one in _mailed_with(connection, row)
    ]


def shown(game: str, now: int) -> sa.Select[Any]:
    """The ids, as notices have them, of the lines of a game that others see."""
    return sa.select(sa.cast(_m.id, sa.String)).where(_m.game_id == game, _m.cancelled_at.is_(None), _m.shown_at <= now)


def mailed_at(created: int, shown: int) -> int:
    """When a line goes out by mail: with all that are shown within the same few minutes, or at once if none waits."""
    span = min(TOGETHER, (shown - created) // SECOND * SECOND)
    return -(-shown // span) * span if span else shown


def forget(tx: Connection, player: str) -> int:
    """Delete every line of a player (S-50). How many."""
    return tx.execute(sa.delete(messages_table).where(_m.player_id == player)).rowcount


def seal_again(services: Services, tx: Connection, most: int) -> int:
    """Seal up to `most` lines again that are under an older key. How many (S-30)."""
    key = sa.func.substr(_m.body, 1, KEY_ID_BYTES, type_=sa.LargeBinary)
    earlier = [one for one in services.sealer.masters if one != services.sealer.current]
    old = sa.select(messages_table).where(_m.cancelled_at.is_(None), key.in_(earlier)).limit(most)
    done = 0
    for row in tx.execute(old.with_for_update()).mappings().all():
        place = (row["game_id"], f"talk|{row['id']}")
        with contextlib.suppress(Unreadable):  # one that was changed must not keep the others from it
            again = services.sealer.seal(*place, services.sealer.open(*place, row["body"]))
            done += tx.execute(sa.update(messages_table).where(_m.id == row["id"]).values(body=again)).rowcount
    return done


def _seated(services: Services, tx: Connection, game: GameOrHead, player: str) -> tuple[Head, Seat]:
    """A player's seat at a game whose lock is held, so that lines keep their order; people talk in halted games, too.

    Raises NoSuchGame, NotSeated.
    """
    if isinstance(game, Head):
        return game, seated_at(game, player)
    tx.execute(sa.select(games.c.id).where(games.c.id == game).with_for_update())
    head, seat = look(services, tx, game, player)
    if seat is None:
        raise NotSeated
    return head, seat


def _require_time(head: Head, now: int) -> None:
    over = head.table.status in ("finished", "abandoned") and now > head.last_at + AFTER_THE_END
    refuse(over, "talk-over", "This game has been over for more than a month, and so is its talk.")


def _hearers(head: Head, seat: Seat, to: Seat | None) -> list[Seat]:
    """The seats that hear a line. Before the start seats change hands too easily for secrets."""
    chairs = head.table.chairs
    if to is None:
        return [one for one, chair in enumerate(chairs) if chair.player is not None and one != seat]
    refuse(not 0 <= to < len(chairs), "no-such-seat", "There is no such seat at this table.")
    refuse(to == seat, "own-seat", "That is your own seat: say it to another seat, or to the table.")
    refuse(chairs[to].bot, "bot-seat", "A bot sits there, and bots do not listen.")
    refuse(chairs[to].player is None, "empty-seat", "Nobody sits there.")
    refuse(head.table.status == "open", "not-started", "Before the start you can talk to the whole table only.")
    return [to]


def _require_few(tx: Connection, game: str, player: str, now: int) -> None:
    """At most so many lines of a player in a game and hour, those taken back too (RATE-09)."""
    recent = sa.select(_m.created_at).where(_m.player_id == player, _m.game_id == game, _m.created_at > now - HOUR)
    oldest = tx.execute(recent.order_by(_m.created_at.desc()).offset(MOST_AN_HOUR - 1).limit(1)).scalar()
    wait = 0 if oldest is None else -(-(oldest + HOUR - now) // SECOND)
    refuse(
        wait, "too-many-lines", "You said {most} lines within the hour: wait a little before the next.",
        most=MOST_AN_HOUR, wait=wait,
    )  # fmt: skip


def _shown_at(services: Services, tx: Connection, game: str, now: int) -> int:
    """When others see a line said now: after the delay, and after every line that was said before it."""
    last = sa.select(sa.func.max(_m.shown_at)).where(_m.game_id == game, _m.cancelled_at.is_(None))
    return int(max(now + micros(services.settings.talk_delay), (tx.execute(last).scalar() or 0) + 1))


def _standing(game: str) -> sa.Select[Any]:
    """The lines of a game that were not taken back, with the names of their authors."""
    named = sa.select(messages_table, players.c.name).join(players, players.c.id == _m.player_id)
    return named.where(_m.game_id == game, _m.cancelled_at.is_(None))


def _readable(seat: Seat) -> sa.ColumnElement[bool]:
    return sa.or_(_m.to_seat.is_(None), _m.to_seat == seat, _m.seat == seat)


def _mailed_with(connection: Connection, row: Mapping[str, Any]) -> list[RowMapping]:
    """The lines that go out to a notice's reader at the same time as its own; none where that was taken back.

    Nothing of this depends on the moment or on what became of other notices.
    """
    standing = _standing(row["game_id"])
    own = connection.execute(standing.where(_m.id == int(row["decision"]))).mappings().first()
    if own is None:
        return []
    to_reader = sa.and_(
        outbox.c.recipient == row["recipient"],
        outbox.c.game_id == row["game_id"],
        outbox.c.kind == KIND,
        outbox.c.decision == sa.cast(_m.id, sa.String),
    )
    near = _m.shown_at.between(own["shown_at"] - TOGETHER, own["shown_at"] + TOGETHER)
    found = connection.execute(standing.join(outbox, to_reader).where(near).order_by(_m.shown_at)).mappings()
    when = mailed_at(own["created_at"], own["shown_at"])
    return [one for one in found if mailed_at(one["created_at"], one["shown_at"]) == when]


def _line(services: Services, row: RowMapping) -> Line:
    return Line(
        row["id"], row["seat"], row["player_id"], row["name"], row["to_seat"], text_of(services, row), row["shown_at"]
    )


def text_of(services: Services, row: Mapping[str, Any] | RowMapping) -> str:
    """What a line says."""
    return unpad(services.sealer.open(row["game_id"], f"talk|{row['id']}", row["body"])).decode()
