"""What a player was told about a game, when, and what became of it; and what was held back as too much (RATE-09)."""

from dataclasses import dataclass
from typing import Final

from domain.engine.sentences import Sentence, say, say_n
from service.clocks.hours import DAY
from service.notify import subscriptions
from service.notify.kind import KINDS
from service.notify.waits import WAITS
from service.store.across import mail_history
from service.store.across.mail_history import Place
from service.store.database import Connection
from service.store.outgoing.deliveries import PUSH, WEBHOOK, Delivery

HELD: Final = "held back"
"""Begins the reason of a notice that is not sent, or not yet, because its player had so many."""
GONE_OUT: Final = ("sent", "bounced")


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that was, or was to be, told to a player."""

    place: Place
    channel: str
    kind: str
    about: dict[str, int]
    created_at: int
    due_at: int
    sent_at: int | None
    state: str
    reason: Sentence
    message_id: str | None
    webhook_id: str | None
    attempts: int


def of_game(
    connection: Connection, game: str, player: str, now: int, *, before: Place | None, limit: int
) -> list[Notice]:
    """Up to `limit` notices of a player about a game, on all channels, newest first, from before that place on."""
    found = mail_history.told_about(connection, game, player, now, before, limit)
    return [_notice(delivery, now) for delivery in found]


def held(connection: Connection, player: str, after: int, upto: int) -> int:
    """How many notices of a player were held back for good after that moment up to the other."""
    return mail_history.count_superseded(connection, player, HELD, after, upto)


def held_today(connection: Connection, player: str, now: int) -> Sentence | str:
    """What to tell a player of the notices that were held back in the last 24 hours; "" for none."""
    if not (count := held(connection, player, now - DAY, now)):
        return ""
    return say_n(
        "{count} mail to you was held back in the last 24 hours because you had so many: GET "
        "/api/v1/games/GAME/notices shows what it was.",
        "{count} mails to you were held back in the last 24 hours because you had so many: GET "
        "/api/v1/games/GAME/notices shows what they were.",
        count,
    )


def _notice(delivery: Delivery, now: int) -> Notice:
    return Notice(
        place=mail_history.place_of(delivery),
        channel=delivery.channel,
        kind=delivery.kind,
        about=_about(delivery.kind, delivery.decision),
        created_at=delivery.created_at,
        due_at=delivery.not_before,
        sent_at=delivery.done_at if delivery.state in GONE_OUT else None,
        state=delivery.state,
        reason=_reason(delivery, now),
        message_id=delivery.message_id,
        webhook_id=subscriptions.id_of(delivery) if delivery.channel == WEBHOOK else None,
        attempts=delivery.attempts,
    )


def _about(kind: str, key: str) -> dict[str, int]:
    """What a notice is about: an event, and of a reminder the rung; or a mail, or a line of talk."""
    first, _, rest = key.partition(".")
    subject = KINDS[kind].subject
    if not subject or not first.isdecimal():
        return {}
    if kind == "reminder":
        return {"event": int(first), "rung": int(rest)}
    return {subject: int(first)} if int(first) else {}


def _reason(delivery: Delivery, now: int) -> Sentence:
    """What became of a notice, in words."""
    why = (delivery.reason or "").rstrip(".")
    match delivery.state:
        case "queued":
            return _waits(delivery, why, now)
        case "sent" if why:
            return say("Your mail server took it, and reported later: {why}.", why=why)
        case "sent" if delivery.channel == WEBHOOK:
            return say("Your program took it.")
        case "sent" if delivery.channel == PUSH:
            return say("The push service of your device took it.")
        case "sent":
            return say("Your mail server took it.")
        case "bounced":
            return say("It came back: {why}.", why=why or say("no reason was given"))
        case "superseded":
            return say("It was not sent: {why}.", why=why or say("you know it already"))
        case _:
            return say("It could not be delivered: {why}.", why=why or say("no reason was given"))


def _waits(delivery: Delivery, why: str, now: int) -> Sentence:
    if delivery.attempts and why:
        return say("It could not be delivered yet, and is tried again: {why}.", why=why)
    if delivery.not_before <= now:
        return say("It will be sent in a moment.")
    return say("It is on hold: {why}.", why=WAITS.get(why, why) or say("it is not due yet"))
