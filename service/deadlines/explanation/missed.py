"""Deadlines that were missed: what was told before, what came in, what the caretaker did, and whether it was undone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, say
from domain.table import events as e
from service.container import Services
from service.deadlines.explanation.steps import Clock, Step
from service.games.event_text import tell
from service.games.seat_names import handles_by_pawn
from service.kernel.clock import SECOND
from service.languages import ENGLISH, shown
from service.languages.time_text import exact_words
from service.notify import notice_log
from service.notify.notice_log import Notice
from service.store.clocks.missed import Missed
from service.store.database import Connection
from service.store.event_store.streams import LATEST, Head, Streams
from service.store.incoming import replies
from service.store.outgoing import notice_queries
from service.store.outgoing.deliveries import PUSH

MOST_EVENTS: Final = 60
MOST_MAILS: Final = 20
MOST_NOTICES: Final = 400
SOON: Final = 300 * SECOND
"""A deadline decided later than this after its time needs a word."""
ABOUT_A_TURN: Final = ("your-turn", "reminder")
ANOTHER: Final = (e.CaretakerActed, e.SeatVacated, e.ProposalDropped, e.BankChanged, e.OrdersFollowed)
"""What follows the caretaker's own move."""


@dataclass(frozen=True, slots=True)
class Lapse:
    """What happened when a deadline passed: the event, and all that the same cause made true, as the reader sees it."""

    version: int
    strikes: int
    vacant: bool
    waits: bool  # the clock was stopped, and nobody played
    played: list[str]  # by the caretaker, in the notation of this table; without what is sealed for the reader
    story: list[str]


def lapse_of(
    services: Services, connection: Connection, head: Head, seat: Seat | None, missed: Missed, names: Sequence[str]
) -> Lapse | None:
    """What came of a missed deadline; None where nothing of it is found any more."""
    passed = notice_queries.passed_since(connection, missed.player_id, missed.game_id, missed.seat, missed.decided_at)
    if passed is None:
        return None
    version = passed.version
    last = min(head.version, version + MOST_EVENTS)
    told = services.streams.seen(connection, head.game, seat, after=version - 1, upto=last)
    cause = told[0]["cause"]
    together = list(takewhile(lambda envelope: envelope["cause"] == cause, told))
    upto = version - 1 + len(together)
    facts = list(services.streams.facts_seen(connection, head.game, head.rules, seat, after=version - 1, upto=upto))
    own = _by_the_caretaker(facts, together)
    called = handles_by_pawn(connection, head)
    expired = facts[0]
    return Lapse(
        version=version,
        strikes=expired.strikes if isinstance(expired, e.TurnExpired) else 0,
        vacant=any(isinstance(fact, e.SeatVacated) and fact.seat == missed.seat for fact in facts),
        waits=any(isinstance(fact, e.ClockPaused) for fact in facts),
        played=[shown(text, ENGLISH, head.rules.kind, called) for _, envelope in own if (text := _notation(envelope))],
        story=[sentence for fact, _ in own if (sentence := tell(head.rules, fact, names))],
    )


def _by_the_caretaker(facts: Sequence[Event], told: Sequence[dict[str, Any]]) -> list[tuple[Event, dict[str, Any]]]:
    """What it did itself, up to what others do, what chance does, and what is opened."""
    begins = next((n for n, fact in enumerate(facts) if isinstance(fact, e.CaretakerActed)), len(facts))
    pairs = list(zip(facts, told, strict=True))[begins + 1 :]
    return list(takewhile(lambda pair: not _is_another(*pair), pairs))


def _is_another(fact: Event, envelope: dict[str, Any]) -> bool:
    return isinstance(fact, ANOTHER) or fact.OPENS or envelope["actor"] != {"clock": True}


def _notation(envelope: dict[str, Any]) -> str:
    data = [envelope["data"], *(leaf["data"] for leaf in envelope["sealed"] if "data" in leaf)]
    return str(next((payload["text"] for payload in data if "text" in payload), ""))


def undone_at(streams: Streams, connection: Connection, game: str, version: int) -> int | None:
    """When the table went back to before an event, None where it never did."""
    back = streams.undone_by(connection, game, version, LATEST)
    return None if back is None else streams.time_of(connection, game, back)


def steps_after(
    clock: Clock, missed: Missed, lapse: Lapse | None, undone: int | None, ended: bool = False
) -> Iterator[Step]:
    """What happened when the time was over; the game itself may have `ended` since."""
    at, name = missed.decided_at, clock.name
    which = {"at": clock.locale.when(at), "name": name}
    if lapse is not None and lapse.waits:
        came = say("On {at} no answer had come, and the clock was stopped to wait for {name}.", **which)
    else:
        came = say("On {at} no answer had come, and the caretaker played for {name}.", **which)
    yield Step(at, "decided", came)
    if at > missed.acts_at + SOON:
        yield Step(at, "waited", _waited(at - missed.acts_at))
    if lapse is None:
        return
    if lapse.played:
        orders = "; ".join(shown(text, clock.locale.language, clock.kind) for text in lapse.played)
        yield Step(at, "played", say("It played: {orders}.", orders=orders))
    for told in lapse.story:
        yield Step(at, "played", told)
    yield Step(at, "strikes", _strikes(clock, lapse, ended))
    if undone is not None:
        back = say("On {at} this was undone.", at=clock.locale.when(undone))
        yield Step(undone, "undone", back)


def _waited(late: int) -> Sentence:
    return say(
        "That was {late} late: nothing is decided until all mail that came in earlier has been read.",
        late=exact_words(late // SECOND),
    )


def _strikes(clock: Clock, lapse: Lapse, ended: bool) -> Sentence:
    which = {"name": clock.name, "number": lapse.strikes, "most": clock.terms.get("strikes", 2)}
    if lapse.vacant and ended:
        return say("That was deadline number {number} in a row, so the seat fell vacant.", **which)
    if lapse.vacant:
        return say(
            "That was deadline number {number} in a row, so the seat is vacant: the caretaker plays it until {name} "
            "takes it back, or somebody else takes it over.",
            **which,
        )
    return say("That was deadline number {number} in a row; with number {most} the seat falls vacant.", **which)


def notices_by_event(connection: Connection, game: str, player: str, now: int) -> dict[int, list[Notice]]:
    """What a player was told of each turn, by the event since which it was owed, the earliest first."""
    found: dict[int, list[Notice]] = {}
    for notice in notice_log.of_game(connection, game, player, now, before=None, limit=MOST_NOTICES):
        if notice.kind in ABOUT_A_TURN:
            found.setdefault(notice.about["event"], []).insert(0, notice)
    return found


def notice_steps(clock: Clock, told: Sequence[Notice]) -> Iterator[Step]:
    """When its player was told, and reminded."""
    for notice in told:
        at = notice.sent_at if notice.sent_at is not None else notice.created_at
        yield Step(at, "notice" if notice.kind == "your-turn" else "reminder", notice_text(clock, notice))


def notice_text(clock: Clock, one: Notice) -> Sentence:
    """One notice: when it went out, or what became of it."""
    turn = one.kind == "your-turn"
    if one.sent_at is None or one.state != "sent":
        which = {"at": clock.locale.when(one.created_at), "reason": one.reason}
        if one.webhook_id is not None and turn:
            return say("A notice of it for your program was made on {at}. {reason}", **which)
        if one.channel == PUSH and turn:
            return say("A call on your device about it was made on {at}. {reason}", **which)
        if one.channel == PUSH:
            return say("A call on your device to remind of it was made on {at}. {reason}", **which)
        if one.webhook_id is not None:
            return say("A reminder for your program was made on {at}. {reason}", **which)
        if turn:
            return say("A mail about it was made on {at}. {reason}", **which)
        return say("A mail to remind of it was made on {at}. {reason}", **which)
    at = clock.locale.when(one.sent_at)
    if one.channel == PUSH:
        return (
            say("Your device was called on {at}.", at=at)
            if turn
            else say("Your device was called again on {at}.", at=at)
        )
    if one.webhook_id is not None:
        return (
            say("Your program was told on {at}.", at=at) if turn else say("Your program was reminded on {at}.", at=at)
        )
    return say("The mail about it went out on {at}.", at=at) if turn else say("A reminder went out on {at}.", at=at)


def mail_steps(connection: Connection, clock: Clock, missed: Missed) -> Iterator[Step]:
    """What came from its player by mail while it was owed, and what became of that; or that nothing came."""
    span = (missed.began_at, missed.decided_at)
    mails = replies.arrivals(connection, missed.game_id, missed.seat, missed.player_id, *span, MOST_MAILS)
    for at, state in mails:
        which = {"at": clock.locale.when(at), "name": clock.name, "what": BECAME.get(state, BECAME["received"])}
        yield Step(at, "mail", say("On {at} a mail of {name} came in: {what}.", **which))
    if not mails:
        yield Step(missed.decided_at, "mail", say("No mail of {name} came in in that time.", name=clock.name))


BECAME: Final = {
    "applied": say("what it said was done"),
    "answered": say("it only asked to see something"),
    "rejected": say("it could not be used"),
    "late": say("it came after the deadline"),
    "stale": say("it answered a question that was no longer open"),
    "duplicate": say("it said again what was known"),
    "held": say("it was not certain whose it was, and nobody confirmed it"),
    "confirmed": say("it was confirmed"),
    "refused": say("it was not certain whose it was, and nobody confirmed it"),
    "shelved": say("it looked automatic"),
    "ignored": say("there were too many"),
    "quarantined": say("it could not be read"),
    "received": say("it waits to be read"),
}
"""States of a mail, for its player."""
