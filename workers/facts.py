"""What a notice is about: its claim, checked against the game as it is now, and the facts its letter needs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.decider import Event, Seat
from domain.sentences import Words, say, say_n
from domain.table.evolve import blind
from domain.table.state import Table
from service import deliverability, inbound, talk
from service.chronicle import past
from service.games import display_names
from service.invitations import declined_by, invitations
from service.languages import shown
from service.languages import words as speaker
from service.mutes import is_muted
from service.players import codes
from service.positions import state_document
from service.store.decisions import decisions
from service.store.outbox import outbox
from service.store.players import players
from service.store.streams import Head
from service.tales import tell
from service.wardroom import Wardroom
from workers import caps, outcomes
from workers.options import numbered
from workers.outcomes import Outcome
from workers.times import due_words

Row = Mapping[str, Any]
HIDDEN_FROM_THE_SPECTATOR: Final = frozenset({"undeliverable"})
ANSWERS: Final = frozenset({"answer", "confirm"})
A_VOLUME: Final = 90
"""Mails of one thread before a new one begins: mail programs split it at a hundred (OUT-09)."""


class Superseded(Exception):
    """The claim of a notice is not true any more, or its reader wants no mail: it is not sent."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who a letter goes to, and how they want it."""

    email: str
    name: str
    timezone: str
    player: str | None
    language: str = "en"
    secret_free: bool = False
    new_subjects: bool = False
    calendar: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision that a letter asks for."""

    decision: str
    since: int
    due: int | None


@dataclass(frozen=True, slots=True)
class Said:
    """A line of table talk: who said it to whom and when, and the line."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What a letter about a game tells, as its reader's seat may see it at the version the notice is about."""

    head: Head  # whose table is what the seat may know
    seat: Seat | None
    players: list[str]  # who sits there, for the subject
    story: list[str]
    document: dict[str, Any] | None  # the position, for the picture
    board: str
    guide: list[tuple[str, str]]
    options: list[str]
    asked: Asked | None
    previous: str | None  # the Message-ID of the mail before it in this thread
    mail: Row | None = None  # the mail it answers
    outcome: Outcome | None = None
    talk: list[Said] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    volume: int = 0  # of its thread (OUT-09)
    first_of_volume: bool = False


def reader_of(connection: Connection, row: Row) -> Reader:
    """Who a notice is for. Raises Superseded for who is gone, cannot be reached, or wants no mail."""
    if "@" in row["recipient"]:
        if deliverability.is_suppressed(connection, row["recipient"]):
            raise Superseded("mail to this address does not arrive")
        return _guest(connection, row)
    player = connection.execute(sa.select(players).where(players.c.id == row["recipient"])).mappings().first()
    if player is None:
        raise Superseded("the player is gone")
    if row["kind"] in ("code", "probe"):  # asked for just now, or to find out
        return _reader(dict(player))
    if deliverability.is_suppressed(connection, player["email_key"]):
        raise Superseded("mail to this player does not arrive")
    if row["kind"] not in ANSWERS:
        if not player["mail"]:
            raise Superseded("the player wants no mail")
        if row["game_id"] and is_muted(connection, player["id"], row["game_id"]):
            raise Superseded("the player wants no mail about this game")
    return _reader(dict(player))


def _guest(connection: Connection, row: Row) -> Reader:
    """Who is written to as a guest; where the address is a player's, as that player wants it (OUT-37)."""
    player = connection.execute(sa.select(players).where(players.c.email_key == row["recipient"])).mappings().first()
    if player is None:
        return Reader(row["recipient"], "", "UTC", None)
    if row["kind"] not in ANSWERS and not player["mail"]:
        raise Superseded("the player wants no mail")
    return replace(_reader(dict(player)), player=None)


def _reader(player: Row) -> Reader:
    return Reader(
        player["email"], player["name"], player["timezone"], player["id"], player["language"],
        player["secret_free"], player["new_subjects"], player["calendar"],
    )  # fmt: skip


def check_claim(room: Wardroom, connection: Connection, row: Row) -> Asked | None:
    """The decision a notice is about, if it is about one. Raises Superseded where its claim is not true (RATE-04)."""
    return CLAIMS[row["kind"]](room, connection, row)


def _owed(room: Wardroom, connection: Connection, row: Row) -> Asked:
    since = int(row["decision"].partition(".")[0])
    found = sa.select(decisions).where(decisions.c.game_id == row["game_id"], decisions.c.seat == row["seat"])
    decision = connection.execute(found).mappings().first()
    if decision is None or decision["since"] != since:
        raise Superseded("the answer was given")
    if row["kind"] != "undeliverable" and decision["player_id"] != row["recipient"]:
        raise Superseded("the seat has another player")
    return Asked(decision["decision"], since, decision["due_at"])


def _undeliverable(room: Wardroom, connection: Connection, row: Row) -> Asked | None:
    """A player could not be told of a decision; or, of none, that mail to them has stopped (RATE-11)."""
    if not deliverability.tells_of_a_stop(row):
        return _owed(room, connection, row)
    if (why := deliverability.check(connection, row)) is not None:
        raise Superseded(why)
    return None


def _reminder(room: Wardroom, connection: Connection, row: Row) -> Asked:
    asked = _owed(room, connection, row)
    if asked.due is None or asked.due <= room.database.clock.now(connection):
        raise Superseded("the deadline has passed")
    return asked


def _code(room: Wardroom, connection: Connection, row: Row) -> None:
    code = connection.execute(sa.select(codes).where(codes.c.id == int(row["decision"]))).mappings().first()
    if code is None or code["used"] or code["expires_at"] <= room.database.clock.now(connection):
        raise Superseded("the code is used or too old")


def _invitation(room: Wardroom, connection: Connection, row: Row) -> None:
    table = room.streams.head(connection, row["game_id"]).table
    if table.status != "open" or all(chair.taken for chair in table.chairs):
        raise Superseded("no seat is free any more")
    invited = sa.select(invitations.c.game_id).where(
        invitations.c.game_id == row["game_id"], invitations.c.email_key == row["recipient"]
    )
    if connection.execute(invited).first() is None:
        raise Superseded("the invitation was taken back")
    if declined_by(connection, table.host, [row["recipient"]]):
        raise Superseded("the guest wants no such invitations")
    guest = connection.execute(sa.select(players.c.id).where(players.c.email_key == row["recipient"])).scalar()
    if guest is not None and table.seat_of(guest) is not None:
        raise Superseded("the guest sits there already")


def _confirm(room: Wardroom, connection: Connection, row: Row) -> None:
    held = inbound.by_id(connection, int(row["decision"]))
    if held is None or held["state"] != outcomes.HELD:
        raise Superseded("the mail was confirmed or thrown away")


def _talk(room: Wardroom, connection: Connection, row: Row) -> None:
    if (why := talk.check(room, connection, row)) is not None:
        raise Superseded(why)


def _always(room: Wardroom, connection: Connection, row: Row) -> None:
    """What has happened stays true."""


CLAIMS: Final[dict[str, Callable[[Wardroom, Connection, Row], Asked | None]]] = {
    "your-turn": _owed,
    "reminder": _reminder,
    "undeliverable": _undeliverable,
    "code": _code,
    "probe": _always,
    "invitation": _invitation,
    "deadline-passed": _always,
    "game-over": _always,
    "answer": _always,
    "fresh": _always,
    "confirm": _confirm,
    "talk": _talk,
}


def facts_of(room: Wardroom, connection: Connection, row: Row, reader: Reader, asked: Asked | None) -> Facts:
    """The facts a letter about a game needs, from the view of its reader's seat alone (OUT-30)."""
    mail, outcome = outcomes.of_answer(room, connection, row) if row["kind"] in ANSWERS else (None, None)
    now = room.streams.head(connection, row["game_id"])
    seat = row["seat"] if row["kind"] not in HIDDEN_FROM_THE_SPECTATOR else None
    head = past(room, connection, now, seat, row["version"] or now.version) or now
    if seat is not None and head.table.chairs[seat].player != reader.player:
        seat, head = None, past(room, connection, now, None, head.version) or now  # it is somebody else's by now
    words = speaker(reader.language, head.rules.kind)
    seen: Table = blind(head.table, head.rules, seat)
    named = display_names(connection, now)
    names = [name or head.rules.pawns[place].capitalize() for place, name in enumerate(named)]
    events: Iterable[Event] = ()
    if seat is not None and seen.status != "open":
        after = _last_seen(room, connection, row, seat, head.version, outcome)
        events = tuple(room.streams.facts_seen(connection, head.game, head.rules, seat, after=after, upto=head.version))
    watches = seat is not None or seen.public or seen.host == reader.player
    document = state_document(seen, head, seat, named) if watches else None
    if outcome is not None and outcome.decision:
        asked = Asked(outcome.decision, outcome.since, outcome.due or None)
    sent = _sent(connection, row)
    open_now = seat is not None and asked is not None and seen.status == "running"
    return Facts(
        head=Head(head.game, head.version, head.hash, head.last_at, head.now, seen, head.history),
        seat=seat,
        players=names,
        story=[words(sentence) for event in events if (sentence := tell(head.rules, event, names))],
        document=document,
        board=head.rules.board(document, words) if document else "",
        guide=_guide(head, seen, seat, reader, words) if open_now and seat is not None else [],
        options=numbered(head.rules, seen.game, seat) if open_now and seat is not None else [],
        asked=asked,
        previous=None if sent and sent % A_VOLUME == 0 else _previous(connection, row),
        volume=sent // A_VOLUME,
        first_of_volume=bool(sent) and sent % A_VOLUME == 0,
        mail=mail,
        outcome=outcome,
        talk=_talk_of(room, connection, row, reader, words) if row["kind"] == "talk" else [],
        notes=[words(note) for note in _notes(connection, row)],
    )


def _guide(head: Head, seen: Table, seat: Seat, reader: Reader, words: Words) -> list[tuple[str, str]]:
    """What to type, in the reader's own words, and what it does."""
    kind = head.rules.kind
    return [(shown(form, reader.language, kind), words(does)) for form, does in head.rules.guide(seen.game, seat)]


def _talk_of(room: Wardroom, connection: Connection, row: Row, reader: Reader, words: Words) -> list[Said]:
    return [
        Said(
            words(
                say("{name}, to the table, {at}:", name=name, at=when)
                if to_all
                else say("{name}, to you alone, {at}:", name=name, at=when)
            ),
            text,
        )
        for name, to_all, text, at in talk.told_by(room, connection, row)
        if (when := due_words(at, reader.timezone, reader.language))
    ]


def _last_seen(room: Wardroom, connection: Connection, row: Row, seat: Seat, upto: int, outcome: Outcome | None) -> int:
    """The last event this seat knew of: its own last act, or what came before the mail or deadline this is about."""
    if row["kind"] == "deadline-passed":
        return max(0, int(row["decision"]) - 1)
    if outcome is not None:
        return outcome.before if outcome.result in (outcomes.APPLIED, outcomes.JOINED) else upto
    if row["kind"] == "talk":
        return upto
    return room.streams.last_act(connection, row["game_id"], seat, upto)


def _previous(connection: Connection, row: Row) -> str | None:
    """The mail before it that was out when this notice was made: the same one at every attempt (T-51)."""
    if not row["game_id"]:
        return None
    found = _sent_before(row).with_only_columns(outbox.c.message_id).order_by(outbox.c.id.desc()).limit(1)
    return connection.execute(found).scalar()


def _sent(connection: Connection, row: Row) -> int:
    """How many mails this thread had before."""
    return int(connection.execute(_sent_before(row).with_only_columns(sa.func.count())).scalar_one())


def _notes(connection: Connection, row: Row) -> list[str]:
    """What became of mails that were not answered: since the last scheduled mail, as of this notice (decision 9)."""
    if "@" in row["recipient"] or row["kind"] in ANSWERS or not row["game_id"]:
        return []
    kinds = ("your-turn", "reminder", "deadline-passed", "game-over")
    last = _sent_before(row).with_only_columns(sa.func.max(outbox.c.created_at)).where(outbox.c.kind.in_(kinds))
    since = connection.execute(last).scalar() or 0
    mails = inbound.inbound
    found = sa.select(sa.func.count()).where(
        mails.c.player_id == row["recipient"],
        mails.c.game_id == row["game_id"],
        sa.or_(
            mails.c.state.in_(("shelved", "ignored")),
            mails.c.reason.like(f"%{caps.UNANSWERED}"),
            mails.c.reason == "not confirmed",
        ),
        mails.c.done_at > since,
        mails.c.done_at <= row["created_at"],
    )
    count = connection.execute(found).scalar_one()
    if not count:
        return []
    return [
        say_n(
            "{count} mail from your address looked automatic or came too often, so it was not answered; "
            "`GET /me/mails` lists it.",
            "{count} mails from your address looked automatic or came too often, so they were not answered; "
            "`GET /me/mails` lists them.",
            count,
        )
    ]


def _sent_before(row: Row) -> sa.Select[Any]:
    return sa.select(outbox.c.id).where(
        outbox.c.recipient == row["recipient"],
        outbox.c.game_id == row["game_id"],
        outbox.c.state.in_(("sent", "bounced")),
        outbox.c.id < row["id"],
        outbox.c.done_at <= row["created_at"],
    )
