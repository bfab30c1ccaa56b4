"""Explain the clock of a game: each deadline fact by fact, missed ones, banks and leave (DESIGN 7).

Zone, mails and wake time are shown to the player of a seat alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import takewhile
from typing import Any, Final

from config.durations import format_duration
from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, say
from domain.table import events as e
from domain.table.clock import Missed, Question, fold_clock
from domain.table.proposals import persons
from domain.table.undo import Past
from service.clocks import leave_days, seat_clocks
from service.clocks.hours import HOUR
from service.clocks.policy import policy
from service.container import Services
from service.deadlines.facts import Clock, Step, steps
from service.deadlines.policy_text import terms
from service.games import play, seat_names
from service.games.event_text import tell
from service.games.seat_names import handles_by_pawn
from service.kernel.clock import SECOND, from_text, text
from service.languages import shown, words
from service.languages.catalogues import ENGLISH
from service.languages.time_text import ReaderLocale, days_words, exact_words
from service.notify import notice_log
from service.notify.notice_log import Notice
from service.store.clocks import decisions, outages
from service.store.clocks.decisions import Decision
from service.store.database import Connection
from service.store.event_store.streams import LATEST
from service.store.games import game_rows
from service.store.incoming import replies
from service.store.outgoing.deliveries import PUSH
from service.store.people import readers

Document = dict[str, Any]
MOST_MISSED: Final = 50
MOST_EVENTS: Final = 60
MOST_MAILS: Final = 20
MOST_NOTICES: Final = 400
SOON: Final = 300 * SECOND
"""A deadline decided later than this after its time needs a word."""
ABOUT_A_TURN: Final = ("your-turn", "reminder")
ANOTHER: Final = (e.CaretakerActed, e.SeatVacated, e.ProposalDropped, e.BankChanged, e.OrdersFollowed)
"""What follows the caretaker's own move."""


def reader_locale(connection: Connection, player: str | None, kind: str, language: str = ENGLISH) -> ReaderLocale:
    """Return the zone and language of a player; of a stranger UTC and `language`."""
    if player is None:
        return ReaderLocale("UTC", language, words(language, kind))
    language = readers.language_of(connection, player)
    return ReaderLocale(leave_days.home_of(connection, player)[0], language, words(language, kind))


class Page:
    """The clock of one game as one reader sees it; for a stranger in `language`. `past` is the history, if at hand.

    Raises NoSuchGame for a game that is not for these eyes.
    """

    def __init__(
        self, services: Services, connection: Connection, game: str, player: str | None, language: str = ENGLISH,
        past: Sequence[Past] | None = None,
    ) -> None:  # fmt: skip
        self.services, self.connection, self.player = services, connection, player
        self.head, self.seat = play.look(services, connection, game, player)
        self.table, self.now = self.head.table, self.head.now
        self.policy, self.terms = policy(self.table.clock), self.table.clock
        self.locale = reader_locale(connection, player, self.head.rules.kind, language)
        if self.policy.per_move < HOUR:
            self.locale = replace(self.locale, seconds=True)
        self.names = seat_names.shown_names(connection, self.head)
        self.until = game_rows.pause_end(connection, game)
        if past is None:
            past = services.streams.history(connection, game, self.head.rules, self.head.version)
        self.clock = fold_clock(self.head.rules, past)
        self.outages = {outage.number: outage for outage in outages.every(connection)}
        self.owed = decisions.of_game_by_due(connection, game)
        self.told = _notices_by_event(connection, game, player, self.now) if player and self.seat is not None else {}

    def document(self) -> Document:
        """Return all of it."""
        asked = {(question.seat, question.since): question for question in self.clock.asked.values()}
        owed = [(row, asked.get((row.seat, row.since))) for row in self.owed]  # a row may be newer than the head
        due = [self._due(row, question) for row, question in owed if question is not None]
        missed = [self._missed(lapse) for lapse in reversed(self.clock.missed[-MOST_MISSED:])]
        banks, leave = self._banks(), self._leave()
        paragraphs = [
            self._opening(), *(story for _, story in due), *(story for _, story in missed),
            [line for _, line in banks], [line for _, lines in leave for line in lines],
        ]  # fmt: skip
        said = ["\n".join(map(self.locale.words, lines)) for lines in paragraphs if lines]
        return {
            "game": self.head.game,
            "version": self.head.version,
            "hash": self.head.hash,
            "policy": self.terms,
            "now": text(self.now),
            "paused": self.table.paused,
            "paused_until": None if self.until is None else text(self.until),
            "deadlines": [document for document, _ in due],
            "missed": [document for document, _ in missed],
            "banks": [document for document, _ in banks],
            "leave": [document for document, _ in leave],
            "text": "\n\n".join(said) + "\n",
        }

    def _opening(self) -> Sequence[str]:
        """Return the terms, and whether the clock runs."""
        title = self.head.rules.presentation.title
        which = {"title": title, "game": self.head.game, "now": self.locale.when(self.now)}
        named = say("The clock of {title}, game {game}, as it is on {now}.", **which)
        lines = [named, *terms(self.terms)]
        if self.table.status != "running":
            lines.append(NOT_RUNNING[self.table.status])
        elif self.table.paused and self.table.late is not None:
            lines.append(say("The clock is stopped: the game waits for {name}.", name=self.names[self.table.late]))
        elif self.table.paused:
            lines.append(say("The clock is stopped."))
        return lines

    def _clock(self, question: Question, row: Decision | None) -> Clock:
        seat = question.seat
        own = seat == self.seat and question.player == self.player
        return Clock(
            question, row, self.policy, self.names[seat], self.locale, own, self.terms, self.now, self.outages,
            self.table.chairs[seat].strikes, self.until,
        )  # fmt: skip

    def _due(self, row: Decision, question: Question) -> tuple[Document, Sequence[str]]:
        clock = self._clock(question, row)
        told = self.told.get(row.since, []) if clock.own else []
        found = _ordered([*steps(clock), *_notice_steps(clock, told)])
        due = say("no deadline while the clock is stopped") if clock.due is None else self.locale.when(clock.due)
        heading = say("{name} has to answer: {due}.", name=clock.name, due=due)
        more = {
            "bank_left": None if not self.policy.bank else iso(self._bank_left(question.seat)),
            "standing": seat_clocks.stands(row, self.now) if clock.tells_hours else row.due_at is None,
        }
        return self._common(clock, found, told) | more, [heading, *(step.text for step in found)]

    def _missed(self, lapse: Missed) -> tuple[Document, Sequence[str]]:
        question = lapse.question
        before = [told for told in question.told if told.version < lapse.version]
        clock = self._clock(replace(question, told=before), None)
        told = self.told.get(question.since, []) if clock.own else []
        came = list(self._mail_steps(clock, lapse)) if clock.own else []
        played, story = self._by_the_caretaker(lapse)
        undone = self._undone_at(lapse.version)
        found = [
            *_ordered([*steps(clock), *_notice_steps(clock, told), *came]),
            *self._steps_after(clock, lapse, played, story, undone),
        ]
        heading = say("{name} missed the deadline of {due}.", name=clock.name, due=clock.when(lapse.due or lapse.at))
        more = {
            "decided": lapse.at,
            "outcome": "paused" if lapse.waits else "caretaker",
            "vacant": lapse.vacant,
            "played": [shown(order, ENGLISH, self.head.rules.kind, handles_by_pawn(self.connection, self.head))
                       for order in played],
            "undone": None if undone is None else text(undone),
        }  # fmt: skip
        return self._common(clock, found, told) | more, [heading, *(step.text for step in found)]

    def _by_the_caretaker(self, lapse: Missed) -> tuple[list[str], list[str]]:
        """Return what the caretaker played for who was late, in notation and as sentences, as this reader sees it."""
        upto = min(self.head.version, lapse.version + MOST_EVENTS)
        envelopes = self.services.streams.seen(
            self.connection, self.head.game, self.seat, after=lapse.version - 1, upto=upto
        )
        together = list(takewhile(lambda envelope: envelope["cause"] == envelopes[0]["cause"], envelopes))
        facts = self.services.streams.facts_seen(
            self.connection, self.head.game, self.head.rules, self.seat, after=lapse.version - 1,
            upto=lapse.version - 1 + len(together),
        )  # fmt: skip
        pairs = list(zip(facts, together, strict=True))
        begins = next((n for n, (fact, _) in enumerate(pairs) if isinstance(fact, e.CaretakerActed)), len(pairs))
        own = list(takewhile(lambda pair: not _is_another(*pair), pairs[begins + 1 :]))
        played = [order for _, envelope in own if (order := _notation(envelope))]
        return played, [told for fact, _ in own if (told := tell(self.head.rules, fact, self.names))]

    def _undone_at(self, version: int) -> int | None:
        """Return when the table went back to before an event; None if it never did."""
        streams, game = self.services.streams, self.head.game
        back = streams.undone_by(self.connection, game, version, LATEST)
        return None if back is None else streams.time_of(self.connection, game, back)

    def _mail_steps(self, clock: Clock, lapse: Missed) -> Iterator[Step]:
        """Yield the mails of its player while it was owed, each with its fate; or that none came."""
        question = lapse.question
        span = (from_text(question.began), from_text(lapse.at))
        mails = replies.arrivals(self.connection, self.head.game, question.seat, question.player, *span, MOST_MAILS)
        for at, state in mails:
            which = {"at": clock.when(at), "name": clock.name, "what": BECAME.get(state, BECAME["received"])}
            yield Step(at, "mail", say("On {at} a mail of {name} came in: {what}.", **which))
        if not mails:
            yield Step(span[1], "mail", say("No mail of {name} came in in that time.", name=clock.name))

    def _steps_after(
        self, clock: Clock, lapse: Missed, played: Sequence[str], story: Sequence[str], undone: int | None
    ) -> Iterator[Step]:
        """Yield the facts of the moment at which the time was over."""
        at, which = from_text(lapse.at), {"at": clock.when(lapse.at), "name": clock.name}
        if lapse.waits:
            came = say("On {at} no answer had come, and the clock was stopped to wait for {name}.", **which)
        else:
            came = say("On {at} no answer had come, and the caretaker played for {name}.", **which)
        yield Step(at, "decided", came)
        if clock.acts is not None and at > clock.acts + SOON:
            yield Step(at, "waited", _waited(at - clock.acts))
        if played:
            orders = "; ".join(shown(order, clock.locale.language, self.head.rules.kind) for order in played)
            yield Step(at, "played", say("It played: {orders}.", orders=orders))
        for told in story:
            yield Step(at, "played", told)
        yield Step(at, "strikes", _strikes(clock, lapse, self.table.status != "running"))
        if undone is not None:
            yield Step(undone, "undone", say("On {at} this was undone.", at=clock.when(undone)))

    def _common(self, clock: Clock, found: list[Step], told: list[Notice]) -> Document:
        """Return the fields that running and missed deadlines share."""
        question, speak = clock.question, self.locale.words
        bank_from = clock.row.bank_from if clock.row is not None and clock.tells_hours else None
        times = {"due": clock.due, "acts": clock.acts, "bank_from": bank_from}
        return {
            "seat": question.seat,
            "name": clock.name,
            "decision": question.decision,
            "since": question.since,
            "began": question.began,
            **{name: None if at is None else text(at) for name, at in times.items()},
            "steps": [{"at": text(at), "code": code, "text": speak(sentence)} for at, code, sentence in found],
            "told": [
                {
                    "at": None if notice.sent_at is None else text(notice.sent_at),
                    "kind": notice.kind,
                    "state": notice.state,
                    "text": speak(_notice_text(clock, notice)),
                }
                for notice in told
            ],
        }

    def _banks(self) -> Sequence[tuple[Document, str]]:
        if not self.policy.bank or self.table.status != "running":
            return []
        found: list[tuple[Document, str]] = []
        for seat in persons(self.table):
            seconds = self._bank_left(seat)
            said = say("{name} has {left} in the bank.", name=self.names[seat], left=exact_words(seconds))
            found.append(({"seat": seat, "name": self.names[seat], "left": iso(seconds)}, said))
        return found

    def _bank_left(self, seat: Seat) -> int:
        """Return the seconds in a bank as the policy measures them.

        A bank is used only while its player is awake. With such hours others see what was in it at the last answer.
        """
        left = seat_clocks.bank_of(self.table, seat, self.policy)
        row = next((row for row in self.owed if row.seat == seat), None)
        if row is not None and (self.policy.plain or seat == self.seat):
            left = min(left, seat_clocks.left_of(row, self.now).bank)
        return seat_clocks.policy_seconds(left, self.policy)

    def _leave(self) -> list[tuple[Document, Sequence[str]]]:
        if not self.policy.leave_days or self.table.status == "finished":
            return []
        return [self._leave_of(seat) for seat in persons(self.table)]

    def _leave_of(self, seat: Seat) -> tuple[Document, Sequence[str]]:
        player, name = str(self.table.chairs[seat].player), self.names[seat]
        passed = [day for row in self.owed if row.seat == seat for day in seat_clocks.passed_over(row)]
        most, home = self.policy.leave_days, leave_days.home_of(self.connection, player)[0]
        counted = leave_days.count(
            self.connection, player, self.head.game, most, home, passed, skips_weekends=self.policy.skips_weekends
        )
        found, lines = [], []
        for leave in leave_days.to_come(self.connection, player, self.now):
            days = leave_days.days_of(leave)
            counting = sum(day in counted.days for day in days)
            found.append({"from": leave.first_day, "to": leave.last_day, "days": len(days), "counting": counting})
            which = {"first": self.locale.day(days[0]), "last": self.locale.day(days[-1]), "name": name}
            which["days"] = days_words(counting)
            lines.append(say("{name} is away from {first} to {last}; of that {days} do not count here.", **which))
        left = days_words(counted.left)
        lines.append(say("{name} has {left} of leave left in this game, of {most}.", name=name, left=left, most=most))
        return {"seat": seat, "name": name, "days_left": counted.left, "of": most, "away": found}, lines


def _ordered(found: list[Step]) -> list[Step]:
    """Sort steps by time; those of one moment stay as they were told."""
    return sorted(found, key=lambda step: (step.at, step.code == "stopped"))


def _is_another(fact: Event, envelope: dict[str, Any]) -> bool:
    return isinstance(fact, ANOTHER) or fact.OPENS or envelope["actor"] != {"clock": True}


def _notation(envelope: dict[str, Any]) -> str:
    data = [envelope["data"], *(leaf["data"] for leaf in envelope["sealed"] if "data" in leaf)]
    return str(next((payload["text"] for payload in data if "text" in payload), ""))


def _waited(late: int) -> Sentence:
    return say(
        "That was {late} late: nothing is decided until all mail that came in earlier has been read.",
        late=exact_words(late // SECOND),
    )


def _strikes(clock: Clock, lapse: Missed, ended: bool) -> Sentence:
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


def _notices_by_event(connection: Connection, game: str, player: str, now: int) -> dict[int, list[Notice]]:
    """Return the notices of each turn to a player, by the event that asked, the earliest first."""
    found: dict[int, list[Notice]] = {}
    for notice in notice_log.of_game(connection, game, player, now, before=None, limit=MOST_NOTICES):
        if notice.kind in ABOUT_A_TURN:
            found.setdefault(notice.about["event"], []).insert(0, notice)
    return found


def _notice_steps(clock: Clock, told: Sequence[Notice]) -> Iterator[Step]:
    """Yield the notices and reminders to its player."""
    for notice in told:
        at = notice.sent_at if notice.sent_at is not None else notice.created_at
        yield Step(at, "notice" if notice.kind == "your-turn" else "reminder", _notice_text(clock, notice))


def _notice_text(clock: Clock, one: Notice) -> Sentence:
    """Say when a notice went out, or what became of it."""
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


def iso(seconds: int) -> str:
    """Seconds as an ISO 8601 duration."""
    return format_duration(timedelta(seconds=seconds))


NOT_RUNNING: Final = {
    "open": say("The game has not begun: nobody has to answer."),
    "finished": say("The game is over: nobody has to answer."),
    "abandoned": say("The game was abandoned: nobody has to answer."),
}

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
