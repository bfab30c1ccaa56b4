"""Table talk: a line to the table or to one seat, apart from the history, so that it can be taken back and erased.

No line ever enters an event (Q-5). A line waits before others see it, and until then only its author does and can take
it back: what was said by mistake, or came along in an answered mail, does no harm. Lines are shown in the order in
which they were said. What was said to a seat or by it is the seat's, like its hand: whoever takes it over reads it.
"""

import contextlib
import unicodedata
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from domain.engine.game import Seat
from domain.engine.refusals import sentence
from domain.engine.sentences import Sentence
from service.container import Services
from service.games.commit import notice
from service.games.hidden_lines import mark_of
from service.games.outcomes import NotSaid
from service.games.play import look, seated_at
from service.kernel.clock import SECOND, micros
from service.kernel.encryption import Unreadable, pad, unpad
from service.kernel.ids import new_line_id
from service.mail.reply_tokens import AFTER_THE_END
from service.store.database import Connection
from service.store.event_store.streams import GameOrHead, Head
from service.store.games import game_rows, seats, talk_lines
from service.store.games.talk_lines import KIND as KIND
from service.store.games.talk_lines import TalkLine
from service.store.outgoing.notice import Notice
from service.store.outgoing.outbox import put
from service.store.people import avoided

LONGEST: Final = 500
MOST_AN_HOUR: Final = 20
HOUR: Final = 3600 * SECOND
TOGETHER: Final = 180 * SECOND
"""Lines shown within so long go out in one mail (RATE-05)."""
NO_TEXT: Final = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
EMOJI: Final = ("\U0001f000", "\U0001faff")
"""Where new ones are still to come: a sign there is one, also if this Python does not know it yet."""


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
    muted: bool = False  # by whoever reads it
    hidden: Sentence | None = None  # by the operator: what stands in the place of the text, which is "" then


@dataclass(frozen=True, slots=True)
class Talk:
    """What a seat may read: lines in the order they were shown, and its player's own that wait."""

    lines: list[Line]
    waiting: list[Line]
    after: int | None  # what the next page begins after, None on the last


class Told(NamedTuple):
    """A line as a mail tells it: who said it, whether to all, what, and when it was shown. A Sentence is no text of
    theirs, but stands in the place of one that was hidden."""

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
    """Say a line to the table or to one seat, and mail it to those who hear it and have not muted the player. Its id.

    Raises NotSaid, NoSuchGame, NotSeated.
    """
    line = clean(text)
    head, seat = _hold_seat(services, tx, game, player)
    game, now = head.game, services.database.clock.now(tx)
    _require_time(head, now)
    hearers = _hearers(head, seat, to)
    if services.settings.rate_limits:
        _require_few(tx, game, player, now)
    number, shown = new_line_id(services.entropy), _shown_at(services, tx, game, now)
    talk_lines.add(
        tx,
        id=number,
        game_id=game,
        seat=seat,
        player_id=player,
        to_seat=to,
        body=services.sealer.seal(game, f"talk|{number}", pad(line.encode())),
        created_at=now,
        shown_at=shown,
    )
    when = {"created_at": now, "not_before": mailed_at(now, shown)}
    listeners = {hearer: chair.player for hearer in hearers if (chair := head.table.chairs[hearer]).player}
    deaf = avoided.muting(tx, player, [*filter(None, listeners.values())])
    put(tx, [notice(head, who, KIND, str(number), seat) | when for seat, who in listeners.items() if who not in deaf])
    services.hint(tx, [player, *listeners.values()])
    return number


def unsay(services: Services, tx: Connection, game: GameOrHead, player: str, number: int | None) -> str:
    """Take back a line that waits, the last one for None. What it said, which only the mail it came in, if any, still
    holds, for up to 30 days (IN-31).

    Raises NotSaid where the player has no such line or others have seen it, NoSuchGame and NotSeated.
    """
    now = services.database.clock.now(tx)
    which = game if isinstance(game, str) else game.game
    if number is None:
        line = talk_lines.last_waiting(tx, which, player, now)
    else:
        line = talk_lines.own(tx, which, player, number)
    if line is None:
        _hold_seat(services, tx, game, player)
    refuse(line is None, "no-such-message", "You have no line waiting to be sent, so nothing was withdrawn.")
    assert line is not None
    shown = line.shown_at <= now
    refuse(shown, "already-shown", "The others have already seen it: it cannot be withdrawn.")
    talk_lines.cancel(tx, line.id, now)
    return text_of(services, line.game_id, line.id, line.body)


def messages(
    services: Services, connection: Connection, head: Head, seat: Seat, *, after: int = 0, limit: int = 50
) -> Talk:
    """What a seat may read of the talk at its table, at most `limit` lines after the line with the id `after`.

    Raises NotSaid where the seat has read no such line.
    """
    now = services.database.clock.now(connection)
    last = talk_lines.one_shown_to(connection, head.game, seat, now, after) if after else None
    refuse(after and last is None, "no-such-message", "There is no such line to continue from: start again.")
    since = last.shown_at if last is not None else -1
    found = talk_lines.shown_to(connection, head.game, seat, now, since, limit + 1)
    reader = head.table.chairs[seat].player
    waiting = talk_lines.waiting(connection, head.game, reader, now)
    muted = avoided.muted_by(connection, reader or "")
    lines = [replace(_line(services, line), muted=line.player_id in muted) for line in found[:limit]]
    return Talk(lines, [_line(services, line) for line in waiting], lines[-1].id if len(found) > limit else None)


def lines_after(
    services: Services, connection: Connection, head: Head, seat: Seat, shown: int, most: int
) -> list[Line]:
    """Up to `most` lines that a seat may read and that were shown after this time, in their order."""
    now = services.database.clock.now(connection)
    found = talk_lines.shown_to(connection, head.game, seat, now, shown, most)
    muted = avoided.muted_by(connection, head.table.chairs[seat].player or "")
    return [replace(_line(services, line), muted=line.player_id in muted) for line in found]


def line(services: Services, connection: Connection, game: str, number: int) -> Line:
    """A line, to its author."""
    found = talk_lines.by_id(connection, game, number)
    assert found is not None
    return _line(services, found)


def check(services: Services, connection: Connection, notice: Notice) -> str | None:
    """Why a notice of talk must not be sent any more, None where it must be."""
    together = _mailed_with(connection, notice)
    if notice.decision not in [str(line.id) for line in together]:
        back = talk_lines.by_id(connection, notice.game_id, notice.number) is None
        return "the line was taken back" if back else "its reader has muted who said it"
    if notice.decision != str(together[0].id):
        return "told in an earlier mail"
    seat = notice.seat
    sits = seat is not None and seats.is_sat_by(connection, notice.game_id, seat, notice.recipient)
    if not sits:
        return "the seat has another player"
    return "all of it was hidden" if all(line.hidden_by is not None for line in together) else None


def lines_of(services: Services, connection: Connection, notice: Notice) -> list[Told]:
    """The lines a notice tells its reader, the same at every attempt: they cannot be taken back any more (T-51)."""
    return [
        Told(line.name, line.to is None, line.hidden or line.text, line.shown_at)
        for line in (_line(services, row) for row in _mailed_with(connection, notice))
    ]


def mailed_at(created: int, shown: int) -> int:
    """When a line goes out by mail: with all that are shown within the same few minutes, or at once if none waits."""
    span = min(TOGETHER, (shown - created) // SECOND * SECOND)
    return -(-shown // span) * span if span else shown


def forget(tx: Connection, player: str) -> int:
    """Delete every line of a player (S-50). How many."""
    return talk_lines.delete_of(tx, player)


def seal_again(services: Services, tx: Connection, most: int) -> int:
    """Seal up to `most` lines again that are under an older key. How many (S-30)."""
    earlier = [key for key in services.sealer.masters if key != services.sealer.current]
    done = 0
    for game, number, body in talk_lines.hold_sealed_under(tx, earlier, most):
        place = (game, f"talk|{number}")
        with contextlib.suppress(Unreadable):  # one that was changed must not keep the others from it
            done += talk_lines.set_body(tx, number, services.sealer.seal(*place, services.sealer.open(*place, body)))
    return done


def _hold_seat(services: Services, tx: Connection, game: GameOrHead, player: str) -> tuple[Head, Seat]:
    """A player's seat at a game whose lock is held, so that lines keep their order; people talk in halted games, too.

    Raises NoSuchGame, NotSeated.
    """
    if isinstance(game, Head):
        return game, seated_at(game, player)
    game_rows.hold(tx, game)
    head, _ = look(services, tx, game, player)
    seat = seated_at(head, player)
    return head, seat


def _require_time(head: Head, now: int) -> None:
    over = head.table.status in ("finished", "abandoned") and now > head.last_at + AFTER_THE_END
    refuse(over, "talk-over", "This game has been over for more than a month, and so is its talk.")


def _hearers(head: Head, seat: Seat, to: Seat | None) -> list[Seat]:
    """The seats that hear a line. Before the start seats change hands too easily for secrets."""
    chairs = head.table.chairs
    if to is None:
        return [hearer for hearer, chair in enumerate(chairs) if chair.player is not None and hearer != seat]
    refuse(not 0 <= to < len(chairs), "no-such-seat", "There is no such seat at this table.")
    refuse(to == seat, "own-seat", "That is your own seat: say it to another seat, or to the table.")
    refuse(chairs[to].bot is not None, "bot-seat", "A bot sits there, and bots do not listen.")
    refuse(chairs[to].player is None, "empty-seat", "Nobody sits there.")
    refuse(head.table.status == "open", "not-started", "Before the start you can talk to the whole table only.")
    return [to]


def _require_few(tx: Connection, game: str, player: str, now: int) -> None:
    """At most so many lines of a player in a game and hour, those taken back too (RATE-09)."""
    oldest = talk_lines.said_at(tx, game, player, now - HOUR, MOST_AN_HOUR - 1)
    wait = 0 if oldest is None else -(-(oldest + HOUR - now) // SECOND)
    refuse(
        wait, "too-many-lines", "You said {most} lines within the hour: wait a little before the next.",
        most=MOST_AN_HOUR, wait=wait,
    )  # fmt: skip


def _shown_at(services: Services, tx: Connection, game: str, now: int) -> int:
    """When others see a line said now: after the delay, and after every line that was said before it."""
    return int(max(now + micros(services.settings.talk_delay), talk_lines.last_shown(tx, game) + 1))


def _mailed_with(connection: Connection, notice: Notice) -> list[TalkLine]:
    """The lines that go out to a notice's reader at the same time as its own; none where that was taken back, and none
    of those whom the reader has muted since.

    Nothing else of this depends on the moment, and nothing on what became of other notices.
    """
    own = talk_lines.by_id(connection, notice.game_id, notice.number)
    if own is None:
        return []
    span = (own.shown_at - TOGETHER, own.shown_at + TOGETHER)
    when = mailed_at(own.created_at, own.shown_at)
    near = talk_lines.told_near(connection, notice.game_id, notice.recipient, *span)
    muted = avoided.muted_by(connection, notice.recipient)
    return [line for line in near if mailed_at(line.created_at, line.shown_at) == when and line.player_id not in muted]


def _line(services: Services, line: TalkLine) -> Line:
    mark = mark_of(line)
    text = text_of(services, line.game_id, line.id, line.body) if mark is None else ""
    return Line(line.id, line.seat, line.player_id, line.name, line.to_seat, text, line.shown_at, hidden=mark)


def text_of(services: Services, game: str, number: int, body: bytes) -> str:
    """The text of the line with this number, from its sealed form."""
    return unpad(services.sealer.open(game, f"talk|{number}", body)).decode()
