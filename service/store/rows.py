"""The tables. Times are microseconds since 1970 UTC; ids are opaque text; secrets are ciphertext."""

from typing import Any, Final

import sqlalchemy as sa
from sqlmodel import Field, Index, SQLModel, UniqueConstraint

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
}


BY_KEY: Any = {"sqlite_with_rowid": False}
"""SQLite keeps the table in its primary key's tree: one page less to write for every row."""
BIG_ID: Any = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def micros(**more: Any) -> Any:
    """A column of times."""
    return Field(sa_type=sa.BigInteger, **more)


UNREDUCED: Final = "raw IS NOT NULL OR sender <> ''"
"""Holds for mails of which more is kept than must be known for good (IN-31)."""


def partial_index(name: str, *columns: str, where: str) -> Index:
    """An index over the rows a condition holds for."""
    return Index(name, *columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


class Row(SQLModel):
    """A table. Nothing is validated by it, so no validator is built."""

    model_config = {"defer_build": True}


class PlayerRow(Row, table=True):
    """A person. Everything that names them is here and nowhere in a history."""

    __tablename__ = "players"
    __table_args__ = (
        partial_index("ix_players_digest", "digest_at", where="digest_at IS NOT NULL"),
        partial_index("ix_players_guests", "created_at", where="verified_at IS NULL"),
    )
    id: str = Field(primary_key=True)
    name: str
    email: str  # "" for a guest
    email_key: str = Field(unique=True)  # folded, for comparing; a guest's own id
    timezone: str
    language: str
    mail: bool = True
    secret_free: bool = False  # mails without hand, bids or board (OUT-36)
    new_subjects: bool = False  # a subject of its own for every turn (OUT-08)
    calendar: bool = False  # the deadline as a calendar file with every turn (OUT-19)
    wakes_at: int = 480  # minutes after local midnight at which the fourteen waking hours begin
    digest: str = "off"  # off, daily, weekly
    digest_at: int | None = micros(default=None)  # when the next one is made; 0: to be planned
    digest_since: int | None = micros(default=None)  # since when they want it
    receipts: bool = True  # an answer to every mail that was done as it says
    quiet_turns: bool = False  # no mail at night that it is their turn, either
    tell_urgent: str = "both"  # by mail, push or both, where a device can be called: turns, deadlines that passed
    tell_normal: str = "both"  # the same of reminders and the like
    tell_news: str = "mail"  # and of what asks for nothing
    created_at: int = micros()
    verified_at: int | None = micros(default=None)  # when they showed that they read their mail; None for a guest


class TokenRow(Row, table=True):
    """A key to the API or to the pages; only its SHA-256 is kept."""

    __tablename__ = "tokens"
    __table_args__ = (
        Index("ix_tokens_kind", "kind", "last_used_at", "created_at"),
        partial_index("ix_tokens_expires_at", "expires_at", where="expires_at IS NOT NULL"),
    )
    digest: bytes = Field(primary_key=True)
    id: str = Field(unique=True)
    player_id: str = Field(index=True)
    kind: str = "api"  # or "session": the cookie of a browser; or "feed": in the address of feeds
    label: str = ""  # what it is for; of a session the browser, as "Firefox on Android"
    created_at: int = micros()
    last_used_at: int | None = micros(default=None)
    scopes: str = "read play talk account"  # what it may be used for, where it is a key to the API
    expires_at: int | None = micros(default=None)  # None: never


class PasskeyRow(Row, table=True):
    """A key in somebody's device that signs them in (WebAuthn): its public half."""

    __tablename__ = "passkeys"
    id: str = Field(primary_key=True)
    player_id: str = Field(index=True)
    credential: bytes = Field(unique=True)  # what the device knows it by
    public_key: bytes  # COSE
    uses: int = Field(default=0, sa_type=sa.BigInteger)  # as the device counts them; 0 where it does not
    label: str = ""  # the browser it was made in
    created_at: int = micros()
    last_used_at: int | None = micros(default=None)


class SpentChallengeRow(Row, table=True):
    """A challenge that was answered, kept until it is too old to be answered again."""

    __tablename__ = "spent_challenges"
    digest: bytes = Field(primary_key=True)
    expires_at: int = micros()


class SignInRow(Row, table=True):
    """Somebody who asked for a code to be mailed to an address, whether or not it is a player's (S-20, S-22)."""

    __tablename__ = "sign_ins"
    __table_args__ = (
        partial_index("ix_sign_ins_unposted", "id", where="posted_at IS NULL"),
        {"sqlite_autoincrement": True},
    )
    id: int | None = Field(default=None, primary_key=True, sa_type=BIG_ID)
    email_key: str = Field(index=True)  # the address, folded
    request: bytes = Field(unique=True)  # SHA-256 of the secret that the asker was handed
    caller: bytes  # a keyed digest of where they asked from
    profile: str | None = Field(default=None, sa_type=sa.Text)  # who they say they are, where they sign up: JSON
    code: bytes | None = None  # SHA-256 of the code, once it is mailed
    link: bytes | None = Field(default=None, unique=True, index=True)  # SHA-256 of the secret in the link beside it
    created_at: int = micros()
    expires_at: int = micros()
    posted_at: int | None = micros(default=None)  # when it was found out whether a code is to be mailed
    tries: int = 0  # wrong codes from whoever has the secret
    guesses: str = Field(default="{}", sa_type=sa.Text)  # wrong codes from others, by their digests: JSON
    used: bool = False


class GameRow(Row, table=True):
    """The head of a game's stream, and the folded state beside it: a cache, sealed like the leaves."""

    __tablename__ = "games"
    __table_args__ = (
        Index("ix_games_lobby", "status", "created_at", "id"),
        Index("ix_games_created_at", "created_at", "id"),
        Index("ix_games_ruleset", "ruleset", "created_at", "id"),
        Index("ix_games_gallery", "status", "public", "created_at", "id", "ruleset"),
        partial_index("ix_games_paused", "paused_until", where="paused_until IS NOT NULL"),
        partial_index("ix_games_halted", "halted_at", where="halted_at IS NOT NULL"),
    )
    id: str = Field(primary_key=True)
    ruleset: str
    status: str
    version: int
    hash: str
    last_at: int = micros()
    clock_at: int = micros(default=0)  # of the last event that moved deadlines and was no news, as `last_at` of others
    state: bytes
    public: bool
    host: str
    created_at: int = micros()
    paused_until: int | None = micros(default=None)  # when a clock that was stopped runs again by itself
    halted_at: int | None = micros(default=None)  # since when it is stopped, as it does not verify
    halted: str | None = None  # why
    audited_at: int = micros(default=0, index=True)  # when its rows were last looked at, or when it was opened
    guest: bool = Field(default=False, sa_column_kwargs={"server_default": sa.false()})  # opened by one, and not kept
    name: str | None = None  # of the table, chosen by its host: free text, so no part of the history


class EventRow(Row, table=True):
    """One recorded fact. Append-only: no update, no delete."""

    __tablename__ = "events"
    __table_args__ = (
        partial_index("ix_events_rewound", "game_id", "type", "version", where="type = 'table.rewound'"),
        BY_KEY,
    )
    game_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)  # 1, 2, 3 … within the game, no gaps
    type: str
    body: str = Field(sa_type=sa.Text)  # canonical JSON, exactly the bytes that were hashed
    hash: str


class LeafRow(Row, table=True):
    """What an event keeps sealed, for one owner. The ciphertext may be sealed again, never its contents."""

    __tablename__ = "leaves"
    __table_args__ = (BY_KEY,)
    game_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)
    number: int = Field(primary_key=True)
    owner: int | None  # a seat; None for nobody
    sealed: bytes
    opened: int | None = None  # the version that opened it to everybody


class SeatRow(Row, table=True):
    """Who sits where: a projection of the table's events, for lists and look-ups."""

    __tablename__ = "seats"
    __table_args__ = (partial_index("ix_seats_bot", "game_id", where="bot"), BY_KEY)
    game_id: str = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    player_id: str | None = Field(default=None, index=True)
    bot: bool = False
    strength: int | None = None  # of the bot, if one sits there
    temper: str | None = None
    vacant: bool = False
    strikes: int = 0


class InvitationRow(Row, table=True):
    """An address that may sit at a private table."""

    __tablename__ = "invitations"
    game_id: str = Field(primary_key=True)
    email_key: str = Field(primary_key=True, index=True)
    known_by: str = ""  # what its host knows: "address" or "name"; "" for neither


class DecisionRow(Row, table=True):
    """A seat that owes an answer: since which event, until when, and when to remind it next."""

    __tablename__ = "decisions"
    __table_args__ = (
        partial_index("ix_decisions_acts", "acts_at", "since", where="acts_at IS NOT NULL"),
        partial_index("ix_decisions_remind", "remind_at", where="remind_at IS NOT NULL"),
        BY_KEY,
    )
    game_id: str = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    decision: str
    since: int  # the event at which it began to be owed
    player_id: str | None = Field(default=None, index=True)
    began_at: int = micros()
    due_at: int | None = micros(default=None)  # what players are told
    acts_at: int | None = micros(default=None)  # when the caretaker acts: due_at and the grace
    extended: bool = False  # once, because the notice could not be delivered
    remind_at: int | None = micros(default=None)
    graced: bool = False  # once, because a mail that was in time could not be read (IN-35)
    bank_from: int | None = micros(default=None)  # when the time of a move is used up and the bank begins to be
    hours: str | None = None  # the hours its clock runs, where not all do: they never change what is told (T-44)
    stopped_at: int | None = micros(default=None)  # while the clock stands: since when
    left: int | None = micros(default=None)  # and the charged time of the move that is left
    left_bank: int | None = micros(default=None)  # and of the bank
    outage: int = 0  # the last outage whose time it was given back, by number
    reasons: str = ""  # what moved it for its player's sake, by event: "17 leave 23 undelivered"
    draft: bytes | None = None  # the draft of the answer, sealed for its player; gone with the row


class DeadlineLeaseRow(Row, table=True):
    """A deadline that has passed and that somebody decides, or that is looked at again only then (decision 0105)."""

    __tablename__ = "deadline_leases"
    __table_args__ = (BY_KEY,)
    game_id: str = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    since: int = Field(primary_key=True)
    acts_at: int = micros(primary_key=True)
    lease_until: int = micros(index=True)


class ThoughtRow(Row, table=True):
    """A bot that is asked, and thinks about it: since which event, and who is at it until when."""

    __tablename__ = "thoughts"
    __table_args__ = (BY_KEY,)
    game_id: str = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    since: int  # the event at which it was asked
    decision: str
    strength: int
    temper: str
    began_at: int = micros()
    turn_at: int = micros(index=True)  # its place in the queue
    not_before: int = micros(default=0)
    lease_until: int = micros(default=0)
    lease_by: str | None = None
    attempts: int = 0
    request_id: str | None = None  # of what asked the bot, for the log


class AnalysisRow(Row, table=True):
    """What the teacher finds in a game that is over, at one strength: how far it is, and what was found so far."""

    __tablename__ = "analyses"
    game_id: str = Field(primary_key=True)
    strength: int = Field(primary_key=True)
    player_id: str = Field(default="", index=True)  # who asked for it; "" a day after it ended
    state: str  # queued, running, done, cancelled, failed
    edition: int  # of the findings
    requested_at: int = micros()
    done: int = 0  # questions
    total: int = 0  # of them; 0 until they were counted
    findings: bytes = b""  # compressed
    reason: str = ""  # why it failed
    attempts: int = 0  # without any progress
    lease_until: int = micros(default=0)
    lease_by: str | None = None


class AbsenceRow(Row, table=True):
    """Leave a player has announced, in whole days of the player's own zone, both ends included."""

    __tablename__ = "absences"
    __table_args__ = (
        Index("ix_absences_player_id", "player_id", "first_day"),
        Index("ix_absences_announced_at", "announced_at"),
        {"sqlite_autoincrement": True},
    )
    id: int | None = Field(default=None, sa_type=BIG_ID, primary_key=True)
    player_id: str
    first_day: str  # 2026-12-24
    last_day: str  # before the first where it was taken back before it began
    announced_last: str = ""  # the last day as it was announced, where it was taken back or cut short
    announced_at: int = micros()
    ended_at: int | None = micros(default=None)  # when it was taken back or cut short; days gone by stay
    spent: bool = False  # taken back when a deadline had passed it over: no leave any more, but used up


class NoticeRow(Row, table=True):
    """Something to tell somebody: written with the event that caused it, checked again when it is sent."""

    __tablename__ = "notices"
    __table_args__ = (
        UniqueConstraint("recipient", "game_id", "kind", "decision"),
        Index("ix_notices_game_id", "game_id"),
        {"sqlite_autoincrement": True},
    )
    id: int | None = Field(default=None, sa_type=BIG_ID, primary_key=True)
    recipient: str  # a player's id, or an address that is invited
    game_id: str = ""  # "" for mail about no game
    kind: str
    decision: str  # what tells it from others of its kind: the event it is about, a reminder's rung
    seat: int | None = None
    version: int = 0  # the event that caused it
    created_at: int = micros()
    secret: bytes | None = None  # sealed contents, wiped when its mail is done
    request_id: str | None = None  # of what caused it, for the log


class DeliveryRow(Row, table=True):
    """One notice on one channel, to one target there (RATE-01 … RATE-04)."""

    __tablename__ = "deliveries"
    __table_args__ = (
        Index("ix_deliveries_notice_id", "notice_id"),
        Index("ix_deliveries_game_id", "game_id"),
        partial_index("ix_deliveries_due", "channel", "target", "not_before", "id", where="state = 'queued'"),
        partial_index("ix_deliveries_done", "recipient", "channel", "done_at", where="done_at IS NOT NULL"),
        partial_index("ix_deliveries_target", "target", "id", where="target <> ''"),
        partial_index("ix_deliveries_created_at", "created_at", where="target <> ''"),
        {"sqlite_autoincrement": True},
    )
    id: int | None = Field(default=None, sa_type=BIG_ID, primary_key=True)
    notice_id: int = Field(sa_type=BIG_ID)
    channel: str  # mail, webhook, feed, push
    target: str = ""  # the id of a webhook or device; "" for mail
    recipient: str  # of the notice, as are the game and the kind: claims and limits look at nothing else
    game_id: str = ""
    kind: str
    version: int = 0  # of the notice as it was when this was queued: it may be made once more
    created_at: int = micros()
    state: str = "queued"  # queued, sent, superseded, failed, bounced
    not_before: int = micros()
    lease: str | None = None
    lease_until: int = micros(default=0)
    attempts: int = 0
    interrupted: int = 0  # how often in a row its sender died, or its destination failed, with it in hand
    put_off: int | None = micros(default=None)  # since when it waits as it was tried in vain
    due_at: int | None = micros(default=None)  # since when it was due, where that was put off; else `not_before`
    done_at: int | None = micros(default=None)
    message_id: str | None = None  # of the mail
    reason: str | None = None  # why it failed or was superseded
    told_in: int | None = Field(default=None, sa_type=BIG_ID)  # the mail whose answer told it
    body: str | None = Field(default=None, sa_type=sa.Text)  # the bytes that are sent, the same at every attempt
    log: str = Field(default="[]", sa_type=sa.Text)  # what came of each attempt, as JSON
    replayed_at: int | None = micros(default=None)  # when its receiver last asked for it again


class DestinationRow(Row, table=True):
    """Where deliveries go, while it is in trouble: a mail server, the host of webhooks. One that is well has no row."""

    __tablename__ = "destinations"
    channel: str = Field(primary_key=True)
    name: str = Field(primary_key=True)  # the mail server's host and port; of a webhook's a digest of them
    since: int = micros()  # the first failure in a row
    down_since: int | None = micros(default=None)  # since when nothing is tried there but probes
    failures: int = 0  # in a row
    probe_at: int = micros()  # when the next probe may go; while one is under way, when its lease is over
    lease: str | None = None  # of the delivery that probes it
    reason: str = ""


class ReplyTokenRow(Row, table=True):
    """What an address we gave out may do; only its SHA-256 is kept (OUT-22 … OUT-27)."""

    __tablename__ = "reply_tokens"
    __table_args__ = (
        Index("ix_reply_tokens_player_id", "player_id", "game_id"),
        Index("ix_reply_tokens_game_id", "game_id"),
    )
    digest: bytes = Field(primary_key=True)
    purpose: str  # mv answer, cf confirm, u- unsubscribe
    recipient: str  # a player's id, or an address that is invited
    player_id: str | None = None
    game_id: str
    seat: int | None = None
    decision: str = ""  # the one decision it answers, as the ruleset names it; "" for none (OUT-25)
    outbox_id: int = Field(sa_type=BIG_ID)  # the mail that carried it
    mark: str = ""  # the code in that mail's marker line
    options: bytes | None = None  # what its numbers stand for, sealed (OUT-31)
    held: int | None = Field(default=None, sa_type=BIG_ID)  # the mail a confirmation is about
    issued_at: int = micros()
    revoked_at: int | None = micros(default=None)


class InboundRow(Row, table=True):
    """A mail that came in: stored before it is answered for, kept until all is done about it (IN-02, I-08)."""

    __tablename__ = "inbound"
    __table_args__ = (
        partial_index("ix_inbound_due", "not_before", "id", where="state = 'received'"),
        Index("ix_inbound_seat", "game_id", "seat", "state"),
        Index("ix_inbound_player_id", "player_id", "id"),
        Index("ix_inbound_token", "token", "done_at"),
        Index("ix_inbound_address", "token", "purpose", "about", "received_at"),
        partial_index("ix_inbound_received_at", "received_at", where=UNREDUCED),
        {"sqlite_autoincrement": True},
    )
    id: int | None = Field(default=None, sa_type=BIG_ID, primary_key=True)
    received_at: int = micros()  # when it was safe with us: no clock of the sender's counts (IN-19)
    source: str  # lmtp, smtp, stdin, imap, mailbox
    sender: str  # of the envelope; "" for none, and once its time is over (IN-31)
    recipient: str  # of the envelope, what could be used masked
    token: bytes | None = None  # the digest of the address it came to
    purpose: str  # mv, cf, u-, b-, none
    about: int = Field(default=0, sa_type=BIG_ID)  # the notice a bounce is about
    trusted: str = ""  # the verdict of whoever handed it over: pass, or "" where its headers must tell
    digest: bytes  # SHA-256 of the raw bytes
    raw: bytes | None  # sealed; None once its time is over (IN-31), and of mail that nobody reads
    state: str = "received"
    # then applied, answered, rejected, stale, late, held (then confirmed or refused), shelved, duplicate, ignored,
    # bounce or quarantined
    reason: str = ""  # one word or a few, for the lists
    not_before: int = micros(default=0)
    lease: str | None = None
    lease_until: int = micros(default=0)
    attempts: int = 0
    player_id: str | None = None
    game_id: str = ""
    seat: int | None = None
    message_id: str = ""
    written: bytes | None = None  # SHA-256 of its new text
    outcome: bytes | None = None  # what was understood and what came of it, sealed
    done_at: int | None = micros(default=None)


class MailboxRow(Row, table=True):
    """How mail to one address fares (RATE-10)."""

    __tablename__ = "mailboxes"
    __table_args__ = (
        partial_index("ix_mailboxes_scored_at", "scored_at", where="suppressed_at IS NULL"),
        partial_index("ix_mailboxes_suppressed_at", "suppressed_at", where="suppressed_at IS NOT NULL"),
    )
    address: str = Field(primary_key=True)  # folded
    score: int = 0  # of soft bounces
    scored_at: int = micros(default=0)
    probed_at: int | None = micros(default=None)  # after a hard bounce: one more mail to make sure
    probe: int | None = Field(default=None, sa_type=BIG_ID)
    suppressed_at: int | None = micros(default=None)
    reason: str = ""


class MessageRow(Row, table=True):
    """Table talk: one line, apart from the history, so that it can be erased."""

    __tablename__ = "messages"
    __table_args__ = (Index("ix_messages_game_id", "game_id", "id"), {"sqlite_autoincrement": True})
    id: int | None = Field(default=None, sa_type=BIG_ID, primary_key=True)
    game_id: str
    seat: int
    player_id: str = Field(index=True)
    to_seat: int | None = None  # None for the whole table
    body: bytes  # sealed
    created_at: int = micros()
    shown_at: int = micros()  # until then its author can take it back
    cancelled_at: int | None = micros(default=None)
    hidden_by: int | None = Field(default=None, sa_type=sa.BigInteger)  # the operator's act, whose reason is shown


class MuteRow(Row, table=True):
    """A player who wants no more mail about one game (OUT-17).

    Or an address that wants no invitations: of the player in place of the game, of nobody at all for "".
    """

    __tablename__ = "mutes"
    game_id: str = Field(primary_key=True)
    player_id: str = Field(primary_key=True)
    at: int = micros()


class ProfileRow(Row, table=True):
    """To whom a player shows which part of their profile: nobody, companions, members or everybody. Who has chosen
    nothing has no row."""

    __tablename__ = "profiles"
    player_id: str = Field(primary_key=True)
    games: str
    together: str
    opponents: str
    reliability: str
    joined: str
    languages: str
    speaks: str = ""  # languages, by their codes


class AvoidedRow(Row, table=True):
    """Somebody whom a player has muted or blocked: who is blocked is muted, too."""

    __tablename__ = "avoided"
    player_id: str = Field(primary_key=True)
    other: str = Field(primary_key=True, index=True)  # the opaque id of whom
    how: str  # mute or block
    at: int = micros()


class NoteRow(Row, table=True):
    """A player's note to themselves on a game."""

    __tablename__ = "notes"
    game_id: str = Field(primary_key=True)
    player_id: str = Field(primary_key=True, index=True)
    body: bytes  # sealed
    written_at: int = micros()


class IdempotencyRow(Row, table=True):
    """What was answered to a request with an Idempotency-Key: the same again gets the same answer."""

    __tablename__ = "idempotency"
    player_id: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    fingerprint: str
    created_at: int = micros(index=True)
    status: int | None = None
    answer: bytes | None = None  # headers and body, sealed


class HeartbeatRow(Row, table=True):
    """When something last gave a sign of life: beat, the sweep, a worker."""

    __tablename__ = "heartbeats"
    name: str = Field(primary_key=True)
    at: int = micros()


class MeasurementRow(Row, table=True):
    """A counter, or a part of a histogram, summed over all processes that there were (decision 0102)."""

    __tablename__ = "measurements"
    __table_args__ = (BY_KEY,)
    name: str = Field(primary_key=True)
    labels: str = Field(primary_key=True)  # their values, as JSON
    part: str = Field(primary_key=True)  # of a histogram: "sum", or the upper bound of a bucket
    value: int = micros()  # what is counted, or microseconds


class ProcessRow(Row, table=True):
    """What a process last said of itself."""

    __tablename__ = "processes"
    id: str = Field(primary_key=True)  # random, made when it started
    role: str  # as the Procfile calls it
    at: int = micros()
    report: str = Field(sa_type=sa.Text)  # JSON


class SchemaReleaseRow(Row, table=True):
    """Which release brought a migration: an earlier release that meets the database tells its host."""

    __tablename__ = "schema_releases"
    revision: str = Field(primary_key=True)
    release: str
    at: int = micros()


class ClockJumpRow(Row, table=True):
    """The clock of record was ahead for a while, and was set right: times in between are none that ever were (T-41)."""

    __tablename__ = "clock_jumps"
    healed_at: int = micros(primary_key=True)  # when it was found right again
    first: int = micros()  # the first time that never was
    last: int = micros()  # and the last one


class OutageRow(Row, table=True):
    """A time during which nobody could play, an outage or a jump of the clock. Each game gives it back (Q-9)."""

    __tablename__ = "outages"
    number: int = Field(primary_key=True)  # 1, 2, 3 ...
    began_at: int = micros()
    ended_at: int = micros()


class WebhookRow(Row, table=True):
    """An address of a program that is told what its player's mails tell (S-35)."""

    __tablename__ = "webhooks"
    __table_args__ = (partial_index("ix_webhooks_old_until", "old_until", where="old_until IS NOT NULL"),)
    id: str = Field(primary_key=True)
    player_id: str = Field(index=True)
    sealed: bytes  # the address and the signing secrets
    old_until: int | None = micros(default=None)  # how long the secret before this one signs, too
    state: str = "on"  # or off
    reason: str = ""  # why the last attempt failed, or why it is off; "" after a success
    created_at: int = micros()
    failures: int = 0  # in a row
    failing_since: int | None = micros(default=None)
    not_before: int = micros(default=0)  # nothing is tried there before
    lease: str | None = None
    lease_until: int = micros(default=0)  # where nobody holds it, when it was last served
    kinds: str | None = None  # the kinds of notices it is told, between blanks; None for all


class DeviceRow(Row, table=True):
    """A browser that is called by Web Push (RFC 8030)."""

    __tablename__ = "devices"
    id: str = Field(primary_key=True)
    player_id: str = Field(index=True)
    token_id: str  # the session, or the key to the API, that entered it: when that ends nobody is called there
    digest: bytes = Field(unique=True)  # of its address: whoever uses a browser now is called there, and nobody else
    service: str  # a digest of the host of its push service
    sealed: bytes  # the address and the keys
    label: str = ""  # "Firefox on Android"
    created_at: int = micros()
    called_at: int | None = micros(default=None)  # when its push service took a call last
    reason: str = ""  # why it did not take the last one; "" after a success


class CheckpointRow(Row, table=True):
    """The head as it was after one append, signed. Append-only."""

    __tablename__ = "checkpoints"
    __table_args__ = (BY_KEY,)
    game_id: str = Field(primary_key=True)
    version: int = Field(primary_key=True)  # of the last event of an append
    at: int = micros()
    hash: str
    key: str
    signature: str


class ProofRow(Row, table=True):
    """An audit or a bundle of a game that is over, so that it is made once; of the rows whose digest it has."""

    __tablename__ = "proofs"
    game_id: str = Field(primary_key=True)
    what: str = Field(primary_key=True)  # audit or bundle
    digest: str
    content: bytes  # compressed


class SigningKeyRow(Row, table=True):
    """A public key that this service has signed with. Append-only."""

    __tablename__ = "signing_keys"
    id: str = Field(primary_key=True)
    public: str
    since: int = micros()
    endorser: str | None = None  # an earlier key
    endorsement: str | None = None  # its signature


class LogEntryRow(Row, table=True):
    """A game that was opened or ended, in the house log. Append-only."""

    __tablename__ = "log_entries"
    __table_args__ = (UniqueConstraint("game_id", "what"),)
    number: int = Field(primary_key=True, sa_type=sa.BigInteger)  # 0, 1, 2 ... without a gap
    what: str  # opened or ended
    game_id: str
    version: int  # of the event
    hash: str  # of the event
    at: int = micros()  # of the event
    leaf: bytes  # its hash in the tree


class UnloggedRow(Row, table=True):
    """A game that was opened or ended, and of which the house log does not tell yet."""

    __tablename__ = "unlogged"
    __table_args__ = (BY_KEY,)
    game_id: str = Field(primary_key=True)
    what: str = Field(primary_key=True)  # opened or ended


class LogHeadRow(Row, table=True):
    """The house log at a size it had, signed. Append-only."""

    __tablename__ = "log_heads"
    size: int = Field(primary_key=True, sa_type=sa.BigInteger)
    at: int = micros()
    root: str
    key: str
    signature: str
    peaks: bytes  # the roots of its complete subtrees, largest first: what the next entry is appended to


class OperatorActRow(Row, table=True):
    """What the operator of the service did by command: a line of the journal. Append-only."""

    __tablename__ = "operator_acts"
    number: int = Field(primary_key=True, sa_type=sa.BigInteger)  # 1, 2, 3 ... without a gap
    at: int = micros()
    operator: str  # who: a user of the system, or what they call themselves
    what: str
    game_id: str | None = Field(default=None, index=True)
    version: int | None = None  # of the game after it
    seat: int | None = None
    player_id: str | None = Field(default=None, index=True)
    outcome: str = Field(sa_type=sa.Text)  # canonical JSON, without texts of anybody's
    commitment: str  # to its reason


class OperatorReasonRow(Row, table=True):
    """Why the operator did something: apart from the line, for it may name somebody who is erased."""

    __tablename__ = "operator_reasons"
    number: int = Field(primary_key=True, sa_type=sa.BigInteger)
    game_id: str | None = Field(default=None, index=True)
    player_id: str | None = Field(default=None, index=True)
    salt: bytes
    why: str = Field(sa_type=sa.Text)


class SuspensionRow(Row, table=True):
    """A player whom the operator keeps out, until a time or for good; their seats and all else stay."""

    __tablename__ = "suspensions"
    player_id: str = Field(primary_key=True)
    act: int = Field(sa_type=sa.BigInteger)  # the number in the operator's journal, which has the reason
    since: int = micros()
    until: int | None = micros(default=None)


class ErasureRow(Row, table=True):
    """Somebody who wants all that is kept about them gone: asked for, looked at until it is done. It names nobody."""

    __tablename__ = "erasures"
    __table_args__ = (partial_index("ix_erasures_look_at", "look_at", where="look_at IS NOT NULL"),)
    player_id: str = Field(primary_key=True)
    asked_at: int = micros()
    look_at: int | None = micros(default=None)  # when the next look is due; None once all is done
    done_at: int | None = micros(default=None)
    stage: int = 0  # how far the second look has come: answers of others struck, their mails reduced
    mails: str = ""  # numbers of mails of others that came from the address and were not worked off yet
