"""What a device is told: the subject of a mail and its first sentence, and nothing that mail leaves out for secrecy.

It is found true again whenever it is sent, and waits for the morning as mail does.
"""

import hmac
from typing import Final

import msgspec

from domain.engine.sentences import say
from service.accounts.people import reader_name
from service.clocks.hours import DAY, HOUR
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.vapid import to_text
from service.languages import words as speaker
from service.notify.kind import KINDS, MAIL, Urgency
from service.notify.notice_log import HELD
from service.notify.quiet_hours import three_quarters
from service.notify.waits import NIGHTS
from service.notify.wishes import told_by
from service.store.clocks import decisions
from service.store.database import Connection
from service.store.outgoing import devices
from service.store.outgoing.deliveries import Delivery
from service.store.outgoing.routes import PING
from service.store.people.players import Player
from workers.kinds.registry import KINDS as LETTERS
from workers.letters.content import GameContent
from workers.letters.letter_data import Asked, Superseded
from workers.letters.letter_view import LetterRequest
from workers.letters.reader import called_player, reader_of

ASKS: Final = frozenset({"your-turn", "reminder", "deadline-passed", "game-over"})
"""What is said of a decision: of these a device shows the newest of a game alone, and none when the game is over."""
LONGEST: Final = 28 * DAY
"""How long a push service may keep a message: the longest that those in use do."""
UNDATED: Final = {Urgency.URGENT: 7 * DAY, Urgency.NORMAL: 7 * DAY, Urgency.NEWS: DAY}
"""How long where no deadline says so."""
LEAST: Final = HOUR
URGENCIES: Final = {Urgency.URGENT: "high", Urgency.NORMAL: "normal", Urgency.NEWS: "low", Urgency.UNCOUNTED: "high"}
"""RFC 8030, 5.3: what a device that saves its battery is woken for."""
MOST_SHOWN: Final = 600
"""Characters of a text: no name at a table is long enough for more."""


class Held(Exception):
    """A message that waits until `until`."""

    def __init__(self, until: int, why: str) -> None:
        super().__init__(why)
        self.until = until


class Message(msgspec.Struct, frozen=True):
    """What is shown on a device, and where it leads. Encrypted, it is all that a push service gets to carry."""

    title: str
    body: str
    path: str
    tag: str  # of two with the same a device shows the later one
    lang: str
    asks: bool  # whether it is untrue once nothing is asked of the reader there
    game: str | None
    version: int
    waiting: int  # decisions of the reader, in all games
    at: int  # milliseconds since 1970, when it was made
    reader: str  # whose it is, as pages tell the worker: it shows nothing of it to anybody else in the same browser


class Call(msgspec.Struct, frozen=True):
    """A message, and what its push service is told of it."""

    message: Message
    topic: str  # 32 characters that say nothing: of two that wait the later one replaces the other (RFC 8030, 5.4)
    urgency: str
    ttl: int  # seconds


def compose(services: Services, connection: Connection, delivery: Delivery) -> Call:
    """The call of a notice that is still true and wanted. Raises Superseded, or Held for what waits."""
    message, asked = (
        _test(services, connection, delivery) if delivery.kind == PING else _of_a_game(services, connection, delivery)
    )
    said = f"topic|{delivery.target}|{message.tag}".encode()
    topic = hmac.digest(services.settings.secret_key.encode(), said, "sha256")[:24]
    urgency, now = KINDS[delivery.kind].urgency, services.database.clock.now(connection)
    return Call(message, to_text(topic), URGENCIES[urgency], _life(urgency, asked, now) // SECOND)


def _of_a_game(services: Services, connection: Connection, delivery: Delivery) -> tuple[Message, Asked | None]:
    notice, kind, now = delivery.notice(), LETTERS[delivery.kind], services.database.clock.now(connection)
    player = called_player(connection, notice)
    _require_wanted(services, connection, delivery, player, now)
    asked = kind.still_true(services, connection, notice)
    request = LetterRequest(services, connection, notice, reader_of(notice, player), asked)
    _wait_for_morning(request, now)
    content = kind.content(request)
    assert isinstance(content, GameContent), "devices are called about games alone"
    view = content.view
    asks = notice.kind in ASKS
    message = Message(
        title=f"{view.title}: {view.players}"[:MOST_SHOWN],
        body=content.in_short[:MOST_SHOWN],
        path=f"/g/{notice.game_id}",
        tag=f"{notice.game_id}.{'turn' if asks else notice.kind}",
        lang=player.language,
        asks=asks and asked is not None,
        game=notice.game_id,
        version=view.head.version,
        waiting=decisions.count_of_player(connection, player.id),
        at=_milliseconds(notice.created_at),
        reader=reader_name(services, player.id),
    )
    return message, asked


def _test(services: Services, connection: Connection, delivery: Delivery) -> tuple[Message, None]:
    player = called_player(connection, delivery.notice())
    waiting = decisions.count_of_player(connection, player.id)
    speak = speaker(player.language)
    at = _milliseconds(delivery.created_at)
    title, body = (
        speak(say("Wardroom can call you here")),
        speak(say("You are told on this device when you are asked.")),
    )
    mine = reader_name(services, player.id)
    return Message(title, body, "/me/mail", "test", player.language, False, None, 0, waiting, at, mine), None


def _require_wanted(services: Services, connection: Connection, delivery: Delivery, player: Player, now: int) -> None:
    """Raise Superseded where somebody wants it by mail, or was called often enough for one day."""
    if told_by(player, delivery.kind) == MAIL:
        raise Superseded("the player wants it by mail")
    most = services.settings.mails_a_day
    if not services.settings.rate_limits or KINDS[delivery.kind].urgency is Urgency.URGENT:
        return
    if devices.count_sent(connection, delivery.target, now - DAY) >= most:
        raise Superseded(f"{HELD}: this device was called {most} times in 24 hours")


def _wait_for_morning(request: LetterRequest, now: int) -> None:
    """Raise Held where a mail would wait for the morning, but for a decision of which a quarter of the time is left."""
    asked = request.asked
    latest = three_quarters(asked.began, asked.due) if asked is not None and asked.due is not None else None
    for wait in LETTERS[request.notice.kind].waits(request, now):
        until = min(wait.until, latest) if latest is not None and wait.may_end_early else wait.until
        if wait.why in NIGHTS and until > now:
            raise Held(until, wait.why)


def _life(urgency: Urgency, asked: Asked | None, now: int) -> int:
    """How long a message may wait for its device: until the deadline, for later it would not be true."""
    if asked is None or asked.due is None:
        return UNDATED.get(urgency, LEAST)
    return max(LEAST, min(asked.due - now, LONGEST))


def _milliseconds(at: int) -> int:
    return at * 1000 // SECOND
