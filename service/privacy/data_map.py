"""Where what is kept about a person lies: each table, which of its rows are theirs, and which columns they are shown.

Access and erasure both go by this page, so that nothing can be given out and forgotten, or erased and shown. A table or
a column that is not on it fails a test.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import sqlalchemy as sa

from service.store import rows


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, by their id and their address as it is compared; "" for an address that is not known any more."""

    id: str
    address: str


Mine = Callable[[Person], sa.ColumnElement[bool]]


@dataclass(frozen=True, slots=True)
class Belonging:
    """What one table holds about people."""

    section: str  # of the export
    what: str  # it is, in a sentence
    table: sa.Table
    mine: Mine
    shown: Sequence[str]  # columns of the export
    hidden: Mapping[str, str] = field(default_factory=dict)  # columns that are not shown, and why
    kept: str = ""  # why its rows outlive their person; "" for those that are deleted


def _table(row: Any) -> sa.Table:
    found: sa.Table = row.__table__
    return found


def of_player(table: sa.Table) -> Mine:
    """The rows of a player, by their id."""
    return lambda person: table.c.player_id == person.id


def at_address(column: sa.ColumnElement[Any]) -> Mine:
    """The rows that name an address. Those without one are nobody's."""
    return lambda person: sa.and_(column == person.address, column != "")


PLAYERS: Final = _table(rows.PlayerRow)
TOKENS: Final = _table(rows.TokenRow)
CODES: Final = _table(rows.CodeRow)
GAMES: Final = _table(rows.GameRow)
SEATS: Final = _table(rows.SeatRow)
INVITATIONS: Final = _table(rows.InvitationRow)
DECISIONS: Final = _table(rows.DecisionRow)
MISSED: Final = _table(rows.MissedRow)
ABSENCES: Final = _table(rows.AbsenceRow)
OUTBOX: Final = _table(rows.OutboxRow)
REPLY_TOKENS: Final = _table(rows.ReplyTokenRow)
INBOUND: Final = _table(rows.InboundRow)
MAILBOXES: Final = _table(rows.MailboxRow)
MESSAGES: Final = _table(rows.MessageRow)
MUTES: Final = _table(rows.MuteRow)
IDEMPOTENCY: Final = _table(rows.IdempotencyRow)
WEBHOOKS: Final = _table(rows.WebhookRow)
DELIVERIES: Final = _table(rows.HookDeliveryRow)
ERASURES: Final = _table(rows.ErasureRow)

IN_A_HISTORY: Final = "histories hold the player's opaque id for ever, and so may what is projected from them"
LEASE: Final = dict.fromkeys(("lease", "lease_until"), "how our workers share their work")
DIGEST: Final = "a digest that only we can use"
COUNTER: Final = "a number that counts the rows of everybody, and so tells how many others have had meanwhile"


def _told(person: Person) -> sa.ColumnElement[bool]:
    """Notices to a player, and to their address before they were one."""
    return sa.or_(OUTBOX.c.recipient == person.id, at_address(OUTBOX.c.recipient)(person))


def _came(person: Person) -> sa.ColumnElement[bool]:
    """Mails of a player, those of their address that are nobody else's, and what came back of mails to them."""
    about = sa.select(OUTBOX.c.id).where(_told(person))
    nobodys = sa.or_(at_address(sa.func.lower(INBOUND.c.sender))(person), INBOUND.c.about.in_(about))
    return sa.or_(INBOUND.c.player_id == person.id, sa.and_(INBOUND.c.player_id.is_(None), nobodys))


def _answered_there(person: Person) -> sa.ColumnElement[bool]:
    mine = sa.or_(REPLY_TOKENS.c.player_id == person.id, REPLY_TOKENS.c.recipient == person.id)
    return sa.or_(mine, at_address(REPLY_TOKENS.c.recipient)(person))


def _unwanted(person: Person) -> sa.ColumnElement[bool]:
    return sa.or_(MUTES.c.player_id == person.id, at_address(MUTES.c.player_id)(person))


BELONGINGS: Final[Sequence[Belonging]] = (
    Belonging(
        "mails_received", "mail that came from you; `raw` is the whole mail in base64, for 30 days", INBOUND, _came,
        "received_at source sender recipient purpose trusted digest raw state reason not_before attempts player_id "
        "game_id seat message_id outcome done_at".split(),
        {**LEASE, "token": DIGEST, "written": DIGEST, "id": COUNTER, "about": COUNTER},
    ),
    Belonging(
        "notices", "mails to you: when and why each was made, and what became of it", OUTBOX, _told,
        "recipient game_id kind seat version state not_before attempts created_at done_at reason".split(),
        {**LEASE, "secret": "a one-time code on its way, which only the mailbox it is for must show", "id": COUNTER,
         "decision": COUNTER, "message_id": "it stands in the mail"},
        kept="part of what was announced in a game, without reasons, which may quote addresses",
    ),
    Belonging(
        "webhook_messages", "what was told to your webhooks", DELIVERIES, of_player(DELIVERIES),
        "hook_id player_id game_id kind seat version state not_before attempts created_at done_at reason body "
        "log".split(),
        {"id": COUNTER, "decision": COUNTER},
    ),
    Belonging(
        "webhooks", "addresses of your programs", WEBHOOKS, of_player(WEBHOOKS),
        "id player_id old_until state reason created_at failures failing_since not_before".split(),
        {**LEASE, "sealed": "the secrets that sign; the address is shown as `url`"},
    ),
    Belonging(
        "talk", "lines you said; those you took back have no text any more", MESSAGES, of_player(MESSAGES),
        "game_id seat player_id to_seat created_at shown_at cancelled_at".split(),
        {"body": "sealed; the line is shown as `text`", "id": COUNTER},
    ),
    Belonging(
        "leave", "days of leave you announced", ABSENCES, of_player(ABSENCES),
        "player_id first_day last_day announced_last announced_at ended_at spent".split(), {"id": COUNTER},
    ),
    Belonging("muted", "games, or hosts of games, of which you want no mail", MUTES, _unwanted,
              "game_id player_id at".split()),
    Belonging(
        "answering_addresses", "addresses of ours that take your answers", REPLY_TOKENS, _answered_there,
        "purpose recipient player_id game_id seat decision mark issued_at revoked_at".split(),
        {"digest": DIGEST, "options": "a copy of what the mail with the address says", "outbox_id": COUNTER,
         "held": COUNTER},
    ),
    Belonging(
        "kept_answers", "requests of yours that are done once, however often they are sent", IDEMPOTENCY,
        of_player(IDEMPOTENCY), "player_id key created_at status".split(),
        {"answer": "a copy of what you were answered", "fingerprint": DIGEST},
    ),
    Belonging(
        "missed_deadlines", "deadlines you let pass, and what they were computed from", MISSED, of_player(MISSED),
        "game_id seat since decided_at decision player_id began_at due_at acts_at bank_from hours changes".split(),
    ),
    Belonging(
        "waiting", "what you owe an answer to", DECISIONS, of_player(DECISIONS),
        "game_id seat decision since player_id began_at due_at acts_at extended remind_at graced bank_from hours left "
        "left_bank changes".split(),
        {"lease_until": LEASE["lease_until"]},
        kept="it follows from the game; a seat that was given up owes nothing",
    ),
    Belonging("seats", "where you sit; see `history` for all that was played", SEATS, of_player(SEATS),
              "game_id seat player_id bot vacant strikes".split(), kept=IN_A_HISTORY),
    Belonging(
        "tables", "tables that you opened, or that were passed on to you", GAMES,
        lambda person: GAMES.c.host == person.id,
        "id ruleset status version hash last_at public host created_at paused_until halted_at halted".split(),
        {"state": "the position, sealed: see `history`", "audited_at": "when this server last checked its own rows"},
        kept=IN_A_HISTORY,
    ),
    Belonging("invitations", "private tables your address is invited to", INVITATIONS,
              at_address(INVITATIONS.c.email_key), "game_id email_key".split()),
    Belonging("mailbox", "how mail to your address fares", MAILBOXES, at_address(MAILBOXES.c.address),
              "address score scored_at probed_at suppressed_at reason".split(), {"probe": COUNTER}),
    Belonging("codes", "one-time codes that were mailed to you", CODES, of_player(CODES),
              "player_id created_at expires_at tries used".split(), {"digest": DIGEST, "id": COUNTER}),
    Belonging("tokens", "keys to the API, without the keys themselves", TOKENS, of_player(TOKENS),
              "id player_id label created_at last_used_at".split(), {"digest": DIGEST}),
    Belonging("erasure", "whether you asked for all this to be erased", ERASURES, of_player(ERASURES),
              "player_id asked_at look_at done_at".split(),
              {"stage": "how far our workers have come", "mails": COUNTER},
              kept="it says of an opaque id that nothing is kept about it"),
    Belonging(
        "profile", "who you are, and what mail you want", PLAYERS, lambda person: PLAYERS.c.id == person.id,
        "id name email email_key timezone language mail secret_free new_subjects calendar wakes_at digest digest_at "
        "digest_since receipts quiet_turns created_at verified_at".split(),
    ),
)  # fmt: skip
"""In the order in which they are erased: what others may hold while they wait for the person comes first."""
NOBODYS: Final[Mapping[str, str]] = {
    "events": "histories name players by opaque ids and hold no text of anybody's; GET /games/ID/events gives them out",
    "leaves": "bids and seeds, part of histories",
    "checkpoints": "hashes of histories",
    "signing_keys": "this server's own",
    "heartbeats": "this server's own",
}
"""Tables that are about nobody, and why; what a history holds of the player's is linked to in the export."""
