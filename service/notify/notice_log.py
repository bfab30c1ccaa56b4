"""What a player was told about a game, when, and what became of it; and what was held back as too much (RATE-09)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.engine.sentences import Sentence, say, say_n
from service.clocks.hours import DAY
from service.notify import subscriptions
from service.notify.kind import KINDS
from service.store import talk_lines
from service.store.deliveries import MAIL, WEBHOOK, deliveries, notices
from service.store.players import players

HELD: Final = "held back"
"""Begins the reason of a notice that is not sent, or not yet, because its player had so many."""
PLACES: Final = {WEBHOOK: 0, MAIL: 1}
"""Which of two that were made at one moment comes first: mails stand before webhooks, for the newest stand first."""
GONE_OUT: Final = ("sent", "bounced")

Row = Mapping[str, Any]
Place = tuple[int, int, int]
"""Where a page ends: when the last notice was made, whether it is a mail, its number."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing that was, or was to be, told to a player."""

    place: Place
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
    """Up to `limit` notices of a player about a game, mails and webhooks, newest first, from before that place on."""
    channel = sa.case(PLACES, value=deliveries.c.channel)
    place = sa.tuple_(deliveries.c.created_at, channel, deliveries.c.id)
    found = _told(game, player, now).order_by(deliveries.c.created_at.desc(), channel.desc(), deliveries.c.id.desc())
    if before is not None:
        found = found.where(place < sa.tuple_(*before))
    return [_notice(row, game, now) for row in map(dict, connection.execute(found.limit(limit)).mappings())]


def held(connection: Connection, player: str, after: int, upto: int) -> int:
    """How many notices of a player were held back for good after that moment up to the other."""
    found = sa.select(sa.func.count()).where(
        deliveries.c.recipient == player,
        deliveries.c.channel == MAIL,
        deliveries.c.state == "superseded",
        deliveries.c.reason.startswith(HELD),
        deliveries.c.done_at > after,
        deliveries.c.done_at <= upto,
    )
    return int(connection.execute(found).scalar_one())


def held_today(connection: Connection, player: str, now: int) -> Sentence | str:
    """What to tell a player of the notices that were held back in the last 24 hours; "" for none."""
    if not (count := held(connection, player, now - DAY, now)):
        return ""
    return say_n(
        "{count} mail to you was held back in the last 24 hours, for you had so many: "
        "GET /api/v1/games/GAME/notices shows what it was.",
        "{count} mails to you were held back in the last 24 hours, for you had so many: "
        "GET /api/v1/games/GAME/notices shows what they were.",
        count,
    )


def _told(game: str, player: str, now: int) -> sa.Select[Any]:
    """What was told to a player, and mailed to their address before they sat down; of talk, only of lines that they
    may see."""
    address = sa.select(players.c.email_key).where(players.c.id == player).scalar_subquery()
    unseen = sa.and_(notices.c.kind == talk_lines.KIND, notices.c.decision.not_in(talk_lines.shown_ids(game, now)))
    names = "id channel target kind created_at not_before done_at state reason attempts message_id".split()
    columns = [deliveries.c[name] for name in names]
    found = sa.select(*columns, notices.c.decision).join(notices, notices.c.id == deliveries.c.notice_id)
    found = found.where(deliveries.c.channel.in_(PLACES))
    return found.where(notices.c.game_id == game, notices.c.recipient.in_((player, address)), ~unseen)


def _notice(row: Row, game: str, now: int) -> Notice:
    return Notice(
        place=(row["created_at"], PLACES[row["channel"]], row["id"]),
        kind=row["kind"],
        about=_about(row["kind"], row["decision"]),
        created_at=row["created_at"],
        due_at=row["not_before"],
        sent_at=row["done_at"] if row["state"] in GONE_OUT else None,
        state=row["state"],
        reason=_reason(row, now),
        message_id=row["message_id"],
        webhook_id=_webhook_id(row, game) if row["channel"] == WEBHOOK else None,
        attempts=row["attempts"],
    )


def _webhook_id(row: Row, game: str) -> str:
    return subscriptions.message_id(row["target"], game, row["kind"], row["decision"], row["created_at"])


def _about(kind: str, key: str) -> dict[str, int]:
    """What a notice is about: an event, and of a reminder the rung; or a mail, or a line of talk."""
    first, _, rest = key.partition(".")
    subject = KINDS[kind].subject
    if not subject or not first.isdecimal():
        return {}
    if kind == "reminder":
        return {"event": int(first), "rung": int(rest)}
    return {subject: int(first)} if int(first) else {}


def _reason(row: Row, now: int) -> Sentence:
    """What became of a notice, in words."""
    why = (row["reason"] or "").rstrip(".")
    match row["state"]:
        case "queued":
            return _waits(row, why, now)
        case "sent" if why:
            return say("Your mail server took it, and reported later: {why}.", why=why)
        case "sent" if row["channel"] == WEBHOOK:
            return say("Your program took it.")
        case "sent":
            return say("Your mail server took it.")
        case "bounced":
            return say("It came back: {why}.", why=why or say("no reason was given"))
        case "superseded":
            return say("It was not sent: {why}.", why=why or say("you know it already"))
        case _:
            return say("It could not be delivered: {why}.", why=why or say("no reason was given"))


def _waits(row: Row, why: str, now: int) -> Sentence:
    if row["attempts"] and why:
        return say("It could not be delivered yet, and is tried again: {why}.", why=why)
    if row["not_before"] <= now:
        return say("It is about to be sent.")
    return say("It waits: {why}.", why=why or say("it is not due yet"))
