"""What a notice is about: its claim, checked against the game as it is now, and the facts its letter needs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.audit.checkpoints import Signed
from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, Words, say, say_n
from domain.table.evolve import blind
from domain.table.state import Table
from service.container import Services
from service.deadlines import remind
from service.games import chat
from service.games.event_text import story
from service.games.history_queries import past
from service.games.play import display_names, shown_names
from service.games.views import state_document
from service.languages import shown
from service.languages import words as speaker
from service.languages.time_text import ReaderLocale
from service.mail import deliverability, inbox
from service.mail.invitations import declined_by
from service.mail.unsubscribes import is_muted
from service.notify import digests, notice_log
from service.notify.kind import KINDS
from service.privacy import final_mail
from service.store import codes, invitations
from service.store.checkpoints import checkpoint
from service.store.decisions import Decision, decisions
from service.store.inbox import inbound
from service.store.outbox import outbox
from service.store.players import players
from service.store.streams import Head, games
from workers.commands import outcomes, reply_limits
from workers.commands.outcomes import Outcome
from workers.letters.deadline_text import due_words
from workers.letters.former import orders_summary, table_letters
from workers.letters.former.orders_summary import Dropped
from workers.letters.former.seat_summary import before_them, brief, takes_over
from workers.letters.former.table_letters import News
from workers.letters.letter_data import Asked, Reader, Superseded
from workers.letters.numbered_options import numbered

Row = Mapping[str, Any]
HIDDEN_FROM_THE_SPECTATOR: Final = frozenset({"undeliverable"})
ANSWERS: Final = frozenset({"answer", "confirm"})
WITHOUT_NOTES: Final = frozenset(kind.name for kind in KINDS.values() if not kind.tells_held)
SCHEDULED: Final = tuple(kind.name for kind in KINDS.values() if kind.scheduled)
WITHOUT_STORY: Final = frozenset({"talk", "proposal", "taken-back", "clock-news", "vacant"})
A_VOLUME: Final = 90
"""Mails of one thread before a new one begins: mail programs split it at a hundred (OUT-09)."""


@dataclass(frozen=True, slots=True)
class Said:
    """A line of table talk: who said it to whom and when, and the line."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What a letter about a game tells, as its reader's seat may see it at the version the notice is about."""

    head: Head  # whose table is what the seat may know
    signed: Signed
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
    standing: int | None = None  # lines of what the player has ordered ahead; None where nothing can be
    dropped: Dropped | None = None
    brief: list[str] = field(default_factory=list)
    news: News | None = None
    notes: list[str] = field(default_factory=list)
    volume: int = 0  # of its thread (OUT-09)
    first_of_volume: bool = False
    until: int | None = None  # when a clock that stands runs on by itself


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


def departing(services: Services, row: Row) -> Reader:
    """Who a last mail goes to, after all that named them is gone."""
    to = final_mail.recipient(services.sealer, row)
    return Reader(to["email"], "", "UTC", None, to["language"])


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
        player["secret_free"], player["new_subjects"], player["calendar"], player["wakes_at"], player["quiet_turns"],
    )  # fmt: skip


def check_claim(services: Services, connection: Connection, row: Row) -> Asked | None:
    """The decision a notice is about, if it is about one. Raises Superseded where its claim is not true (RATE-04)."""
    return CLAIMS[row["kind"]](services, connection, row)


def _owed(services: Services, connection: Connection, row: Row) -> Asked:
    return _asked(_decision(connection, row))


def _decision(connection: Connection, row: Row) -> Row:
    """What is owed, if it is still what a notice is about."""
    since = int(row["decision"].partition(".")[0])
    found = sa.select(decisions).where(decisions.c.game_id == row["game_id"], decisions.c.seat == row["seat"])
    decision = connection.execute(found).mappings().first()
    if decision is None or decision["since"] != since:
        raise Superseded("the answer was given")
    if row["kind"] != "undeliverable" and decision["player_id"] != row["recipient"]:
        raise Superseded("the seat has another player")
    return dict(decision)


def _asked(decision: Row, send_at: int = 0) -> Asked:
    at = (decision["due_at"], decision["began_at"], send_at, decision["bank_from"])
    return Asked(decision["decision"], decision["since"], *at)


def _undeliverable(services: Services, connection: Connection, row: Row) -> Asked | None:
    """A player could not be told of a decision; or, of none, that mail to them has stopped (RATE-11)."""
    if not deliverability.tells_of_a_stop(row):
        return _owed(services, connection, row)
    if (why := deliverability.check(connection, row)) is not None:
        raise Superseded(why)
    return None


def _reminder(services: Services, connection: Connection, row: Row) -> Asked:
    decision = _decision(connection, row)
    at = remind.sent_at(services, connection, row, Decision(**decision), services.database.clock.now(connection))
    if isinstance(at, str):
        raise Superseded(at)
    return _asked(decision, at)


def _deadline_passed(services: Services, connection: Connection, row: Row) -> Asked | None:
    """What is still asked where the clock waits for it; else the caretaker has answered."""
    head = services.streams.head(connection, row["game_id"])
    undone = services.streams.undone_by(connection, head.game, int(row["decision"]), head.version)
    if undone and not head.table.chairs[row["seat"]].vacant:  # a seat that fell vacant stays so: that is to be told
        raise Superseded("the game went back to before it")
    if not table_letters.waited(services, connection, head, row):
        return None
    if head.table.late != row["seat"]:
        raise Superseded("the answer was given, or the clock runs again")
    return _still_asked(connection, row)


def _code(services: Services, connection: Connection, row: Row) -> None:
    code = codes.by_id(connection, int(row["decision"]))
    if code is None or code.used or code.expires_at <= services.database.clock.now(connection):
        raise Superseded("the code is used or too old")


def _invitation(services: Services, connection: Connection, row: Row) -> None:
    table = services.streams.head(connection, row["game_id"]).table
    if table.status != "open" or all(chair.taken for chair in table.chairs):
        raise Superseded("no seat is free any more")
    if not invitations.is_invited(connection, row["game_id"], row["recipient"]):
        raise Superseded("the invitation was taken back")
    if declined_by(connection, table.host, [row["recipient"]]):
        raise Superseded("the guest wants no such invitations")
    guest = connection.execute(sa.select(players.c.id).where(players.c.email_key == row["recipient"])).scalar()
    if guest is not None and table.seat_of(guest) is not None:
        raise Superseded("the guest sits there already")


def _confirm(services: Services, connection: Connection, row: Row) -> None:
    held = inbox.by_id(connection, int(row["decision"]))
    if held is None or held["state"] != outcomes.HELD:
        raise Superseded("the mail was confirmed or thrown away")


def _talk(services: Services, connection: Connection, row: Row) -> None:
    if (why := chat.check(services, connection, row)) is not None:
        raise Superseded(why)


def _fresh(services: Services, connection: Connection, row: Row) -> None:
    table = services.streams.head(connection, row["game_id"]).table
    if table.status not in ("open", "running"):
        raise Superseded("the game is over")
    if table.chairs[row["seat"]].player != row["recipient"]:
        raise Superseded("the seat has another player")


def _probe(services: Services, connection: Connection, row: Row) -> None:
    if not deliverability.waits_for(connection, row["id"]):
        raise Superseded("mail reaches the player again")


def _digest(services: Services, connection: Connection, row: Row) -> None:
    if (why := digests.check(connection, row)) is not None:
        raise Superseded(why)


def _orders_dropped(services: Services, connection: Connection, row: Row) -> Asked | None:
    if (why := orders_summary.check(services, connection, row)) is not None:
        raise Superseded(why)
    return _still_asked(connection, row)


def _brief(services: Services, connection: Connection, row: Row) -> Asked | None:
    table = services.streams.head(connection, row["game_id"]).table
    if table.status != "running":
        raise Superseded("the game is over")
    if table.chairs[row["seat"]].player != row["recipient"]:
        raise Superseded("the seat has another player")
    return _still_asked(connection, row)


def _of_the_table(services: Services, connection: Connection, row: Row) -> Asked | None:
    if (why := table_letters.why_not(services, connection, row)) is not None:
        raise Superseded(why)
    return _still_asked(connection, row)


def _still_asked(connection: Connection, row: Row) -> Asked | None:
    """What was asked of the seat when the notice was made, if it is still."""
    found = sa.select(decisions).where(decisions.c.game_id == row["game_id"], decisions.c.seat == row["seat"])
    decision = connection.execute(found.where(decisions.c.since <= row["version"])).mappings().first()
    return None if decision is None else _asked(dict(decision))


def _owed_since(connection: Connection, row: Row, since: int) -> Row | None:
    """The answer that a seat owed since then, if it still does."""
    mine = (decisions.c.game_id == row["game_id"], decisions.c.seat == row["seat"], decisions.c.since == since)
    found = connection.execute(sa.select(decisions).where(*mine)).mappings().first()
    return None if found is None else dict(found)


def _always(services: Services, connection: Connection, row: Row) -> None:
    """What has happened stays true."""


CLAIMS: Final[dict[str, Callable[[Services, Connection, Row], Asked | None]]] = {
    "your-turn": _owed,
    "reminder": _reminder,
    "undeliverable": _undeliverable,
    "code": _code,
    "probe": _probe,
    final_mail.KIND: _always,
    "digest": _digest,
    "invitation": _invitation,
    "deadline-passed": _deadline_passed,
    "game-over": _always,
    "answer": _always,
    "fresh": _fresh,
    "confirm": _confirm,
    "talk": _talk,
    "orders-dropped": _orders_dropped,
    "brief": _brief,
    "proposal": _of_the_table,
    "taken-back": _of_the_table,
    "clock-news": _of_the_table,
    "vacant": _of_the_table,
}


def facts_of(services: Services, connection: Connection, row: Row, reader: Reader, asked: Asked | None) -> Facts:
    """The facts a letter about a game needs, from the view of its reader's seat alone (OUT-30)."""
    mail, outcome = outcomes.of_answer(services, connection, row) if row["kind"] in ANSWERS else (None, None)
    now = services.streams.head(connection, row["game_id"])
    seat = row["seat"] if row["kind"] not in HIDDEN_FROM_THE_SPECTATOR else None
    head = past(services, connection, now, seat, row["version"] or now.version) or now
    if seat is not None and head.table.chairs[seat].player != reader.player:
        seat, head = None, past(services, connection, now, None, head.version) or now  # it is somebody else's by now
    words = speaker(reader.language, head.rules.kind)
    seen: Table = blind(head.table, head.rules, seat)
    named = display_names(connection, now)
    names = [words(name) for name in shown_names(connection, now)]
    events: tuple[Event, ...] = ()
    if seat is not None and seen.status != "open":
        after = _last_seen(services, connection, row, seat, head.version, outcome)
        events = tuple(
            services.streams.facts_seen(connection, head.game, head.rules, seat, after=after, upto=head.version)
        )
    first, rewinds = head.version - len(events) + 1, services.streams.rewinds(connection, head.game, head.version)
    locale = ReaderLocale(reader.timezone, reader.language, words)
    joined = row["kind"] == "brief" or (outcome is not None and outcome.result == outcomes.JOINED)
    briefed = joined and seat is not None and takes_over(events, seat)
    former = before_them(services, connection, head, seat, events) if briefed and seat is not None else 0
    watches = seat is not None or seen.public or seen.host == reader.player
    document = state_document(seen, head, seat, named) if watches else None
    owed = _owed_since(connection, row, outcome.since) if outcome is not None and outcome.decision else None
    if outcome is not None and owed is not None:
        bank_from = owed["bank_from"] if owed["due_at"] == outcome.due else None
        asked = Asked(outcome.decision, outcome.since, outcome.due or None, bank_from=bank_from)
    sent = _sent(connection, row)
    open_now = seat is not None and asked is not None and seen.status == "running"
    return Facts(
        head=Head(head.game, head.version, head.hash, head.last_at, head.now, seen, head.history),
        signed=checkpoint(connection, services.streams, services.signer, head.game, head.version),
        seat=seat,
        players=names,
        story=[
            *_story(head, events[:former], first, rewinds, _without(names, seat, head), words),
            *_story(head, events[former:], first + former, rewinds, names, words),
        ],
        document=document,
        board=head.rules.presentation.board(document, words) if document else "",
        guide=_guide(head, seen, seat, reader, words) if open_now and seat is not None else [],
        options=numbered(head.rules, seen.game, seat) if open_now and seat is not None else [],
        asked=asked,
        previous=None if sent and sent % A_VOLUME == 0 else _previous(connection, row),
        until=connection.execute(sa.select(games.c.paused_until).where(games.c.id == head.game)).scalar(),
        volume=sent // A_VOLUME,
        first_of_volume=bool(sent) and sent % A_VOLUME == 0,
        mail=mail,
        outcome=outcome,
        talk=_talk_of(services, connection, row, reader, words) if row["kind"] == "talk" else [],
        standing=None if seat is None else orders_summary.standing_lines(head, seat),
        dropped=None if seat is None else orders_summary.dropped(services, connection, head, seat, events, words),
        news=table_letters.news_of(services, connection, row, head, names, locale) if seat is not None else None,
        brief=brief(connection, head, seat, events, names, locale) if briefed and seat is not None else [],
        notes=[words(note) for note in (*_notes(connection, row), *held_notes(connection, row))],
    )


def _story(
    head: Head,
    events: Sequence[Event],
    first: int,
    rewinds: Sequence[tuple[int, int]],
    names: Sequence[str],
    words: Words,
) -> list[str]:
    return [words(sentence) for sentence in story(head.rules, events, first, rewinds, names)]


def _without(names: Sequence[str], seat: Seat | None, head: Head) -> list[str]:
    """The names with the pawn in place of who sits there now."""
    return [
        head.rules.notation.pawns[place].capitalize() if place == seat else name for place, name in enumerate(names)
    ]


def _guide(head: Head, seen: Table, seat: Seat, reader: Reader, words: Words) -> list[tuple[str, str]]:
    """What to type, in the reader's own words, and what it does."""
    kind = head.rules.kind
    return [
        (shown(form, reader.language, kind), words(does))
        for form, does in head.rules.presentation.guide(seen.game, seat)
    ]


def _talk_of(services: Services, connection: Connection, row: Row, reader: Reader, words: Words) -> list[Said]:
    return [
        Said(
            words(
                say("{name}, to the table, {at}:", name=name, at=when)
                if to_all
                else say("{name}, to you alone, {at}:", name=name, at=when)
            ),
            text,
        )
        for name, to_all, text, at in chat.told_by(services, connection, row)
        if (when := due_words(at, reader.timezone, reader.language))
    ]


def _last_seen(
    services: Services, connection: Connection, row: Row, seat: Seat, upto: int, outcome: Outcome | None
) -> int:
    """The last event this seat knew of: its own last move, or what came before the mail or deadline this is about; to
    who takes it over, the last move somebody made there."""
    if row["kind"] == "deadline-passed":
        return max(0, int(row["decision"]) - 1)
    if row["kind"] == "brief":
        upto = int(row["decision"]) - 1
    elif outcome is not None and outcome.result == outcomes.JOINED:  # nobody has sat there before, or somebody has
        return services.streams.last_move(connection, row["game_id"], seat, outcome.before) or outcome.before
    elif outcome is not None:
        return outcome.before if outcome.result == outcomes.APPLIED else upto
    if row["kind"] in WITHOUT_STORY:
        return upto
    return services.streams.last_move(connection, row["game_id"], seat, upto)


def _previous(connection: Connection, row: Row) -> str | None:
    """The mail before it that was out when this notice was made: the same one at every attempt (T-51)."""
    if not row["game_id"]:
        return None
    found = _sent_before(row).with_only_columns(outbox.c.message_id).order_by(outbox.c.id.desc()).limit(1)
    return connection.execute(found).scalar()


def _sent(connection: Connection, row: Row) -> int:
    """How many mails this thread had before."""
    return int(connection.execute(_sent_before(row).with_only_columns(sa.func.count())).scalar_one())


def held_notes(connection: Connection, row: Row) -> list[Sentence]:
    """How many mails were held back since the last mail, as of this notice (RATE-09)."""
    last = sa.select(sa.func.max(outbox.c.created_at)).where(
        outbox.c.recipient == row["recipient"],
        outbox.c.state.in_(("sent", "bounced")),
        outbox.c.kind.not_in(WITHOUT_NOTES),
        outbox.c.id < row["id"],
        outbox.c.done_at <= row["created_at"],
    )
    since = connection.execute(last).scalar() or 0
    count = notice_log.held(connection, row["recipient"], since, row["created_at"])
    if row["kind"] in WITHOUT_NOTES or not count:
        return []
    return [
        say_n(
            "{count} mail to you was held back before this one, for you had so many: look into your games.",
            "{count} mails to you were held back before this one, for you had so many: look into your games.",
            count,
        )
    ]


def _notes(connection: Connection, row: Row) -> list[str]:
    """What became of mails that were not answered: since the last scheduled mail, as of this notice (decision 9)."""
    if "@" in row["recipient"] or row["kind"] in ANSWERS or not row["game_id"]:
        return []
    last = _sent_before(row).with_only_columns(sa.func.max(outbox.c.created_at)).where(outbox.c.kind.in_(SCHEDULED))
    since = connection.execute(last).scalar() or 0
    mails = inbound
    found = sa.select(sa.func.count()).where(
        mails.c.player_id == row["recipient"],
        mails.c.game_id == row["game_id"],
        sa.or_(
            mails.c.state.in_(("shelved", "ignored")),
            mails.c.reason.like(f"%{reply_limits.UNANSWERED}"),
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
            "{count} mail to your addresses for answers was not answered (it looked automatic, came too often, or came "
            "from elsewhere); `GET /me/mails` lists it.",
            "{count} mails to your addresses for answers were not answered (they looked automatic, came too often, or "
            "came from elsewhere); `GET /me/mails` lists them.",
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
