"""The clock of a game, explained: every deadline step by step, those that were missed, banks and leave (DESIGN 7).

Nothing in it is more than everybody may know, but for the reader's own seat: nobody else's zone, mails or wake time.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from config.durations import format_duration
from domain.engine.game import Seat
from domain.engine.sentences import say
from domain.table.proposals import persons
from service.clocks import leave_days, seat_clocks
from service.clocks.hours import HOUR
from service.clocks.policy import policy
from service.container import Services
from service.deadlines.explanation import missed as lapses
from service.deadlines.explanation.policy_text import terms
from service.deadlines.explanation.steps import Clock, Step, steps
from service.games import play, seat_names
from service.kernel.clock import text
from service.languages import words
from service.languages.catalogues import ENGLISH
from service.languages.time_text import ReaderLocale, days_words, exact_words
from service.notify.notice_log import Notice
from service.store.clocks import decisions
from service.store.clocks import missed as missed_rows
from service.store.clocks.decisions import Decision
from service.store.clocks.missed import Missed
from service.store.database import Connection
from service.store.games import game_rows
from service.store.people import readers

Document = dict[str, Any]
MOST_MISSED: Final = 50


def reader_locale(connection: Connection, player: str | None, kind: str, language: str = ENGLISH) -> ReaderLocale:
    """How a player reads: their zone, their language; nobody reads this `language`, in UTC."""
    if player is None:
        return ReaderLocale("UTC", language, words(language, kind))
    language = readers.language_of(connection, player)
    return ReaderLocale(leave_days.home_of(connection, player)[0], language, words(language, kind))


class Page:
    """The clock of one game as one reader sees it, or somebody unknown who reads a language. Raises NoSuchGame for one
    that is not for these eyes."""

    def __init__(
        self, services: Services, connection: Connection, game: str, player: str | None, language: str = ENGLISH
    ) -> None:
        self.services, self.connection, self.player = services, connection, player
        self.head, self.seat = play.look(services, connection, game, player)
        self.table, self.now = self.head.table, self.head.now
        self.policy, self.terms = policy(self.table.clock), self.table.clock
        self.locale = reader_locale(connection, player, self.head.rules.kind, language)
        if self.policy.per_move < HOUR:
            self.locale = replace(self.locale, seconds=True)
        self.names = seat_names.shown_names(connection, self.head)
        self.until = game_rows.pause_end(connection, game)
        self.owed = decisions.of_game_by_due(connection, game)
        self.told = (
            lapses.notices_by_event(connection, game, player, self.now) if player and self.seat is not None else {}
        )

    def document(self) -> Document:
        """Return all of it."""
        due = [self._due(row) for row in self.owed]
        missed = [self._missed(row) for row in missed_rows.of_game(self.connection, self.head.game, MOST_MISSED)]
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
        """The terms, and whether the clock runs."""
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

    def _clock(self, row: Decision | Missed) -> Clock:
        seat = row.seat
        own = seat == self.seat and row.player_id == self.player
        return Clock(
            row, self.policy, self.names[seat], self.locale, self.head.rules.kind, own, self.terms,
            self.now, self.table.chairs[seat].strikes, self.until,
        )  # fmt: skip

    def _due(self, row: Decision) -> tuple[Document, Sequence[str]]:
        clock = self._clock(row)
        told = self.told.get(row.since, []) if clock.own else []
        found = ordered([*steps(clock), *lapses.notice_steps(clock, told)])
        due = say("no deadline while the clock is stopped") if clock.due is None else self.locale.when(clock.due)
        heading = say("{name} has to answer: {due}.", name=clock.name, due=due)
        more = {
            "bank_left": None if not self.policy.bank else iso(self._bank_left(row)),
            "standing": seat_clocks.stands(row, self.now),
        }
        return self._common(clock, found, told) | more, [heading, *(step.text for step in found)]

    def _missed(self, row: Missed) -> tuple[Document, Sequence[str]]:
        clock = self._clock(row)
        lapse = lapses.lapse_of(self.services, self.connection, self.head, self.seat, row, self.names)
        undone = (
            None
            if lapse is None
            else lapses.undone_at(self.services.streams, self.connection, self.head.game, lapse.version)
        )
        told = self.told.get(row.since, []) if clock.own else []
        came = list(lapses.mail_steps(self.connection, clock, row)) if clock.own else []
        before = ordered([*steps(clock), *lapses.notice_steps(clock, told), *came])
        found = [*before, *lapses.steps_after(clock, row, lapse, undone, self.table.status != "running")]
        heading = say("{name} missed the deadline of {due}.", name=clock.name, due=self.locale.when(row.due_at))
        more = {
            "decided": text(row.decided_at),
            "outcome": "unknown" if lapse is None else "paused" if lapse.waits else "caretaker",
            "vacant": lapse is not None and lapse.vacant,
            "played": [] if lapse is None else lapse.played,
            "undone": None if undone is None else text(undone),
        }
        return self._common(clock, found, told) | more, [heading, *(step.text for step in found)]

    def _common(self, clock: Clock, found: list[Step], told: list[Notice]) -> Document:
        """What deadlines that run and those that passed have in common."""
        row, words = clock.row, self.locale.words
        return {
            "seat": row.seat,
            "name": clock.name,
            "decision": row.decision,
            "since": row.since,
            "began": text(row.began_at),
            **{name: None if at is None else text(at) for name, at in _times(row).items()},
            "steps": [{"at": text(at), "code": code, "text": words(sentence)} for at, code, sentence in found],
            "told": [
                {
                    "at": None if notice.sent_at is None else text(notice.sent_at),
                    "kind": notice.kind,
                    "state": notice.state,
                    "text": words(lapses.notice_text(clock, notice)),
                }
                for notice in told
            ],
        }

    def _banks(self) -> Sequence[tuple[Document, str]]:
        if not self.policy.bank or self.table.status != "running":
            return []
        owed = {row.seat: row for row in self.owed}
        found: list[tuple[Document, str]] = []
        for seat in persons(self.table):
            left = seat_clocks.bank_of(self.table, seat, self.policy)
            seconds = self._bank_left(owed[seat]) if seat in owed else seat_clocks.policy_seconds(left, self.policy)
            said = say("{name} has {left} in the bank.", name=self.names[seat], left=exact_words(seconds))
            found.append(({"seat": seat, "name": self.names[seat], "left": iso(seconds)}, said))
        return found

    def _bank_left(self, row: Decision) -> int:
        """Seconds of the policy's measure that are in the bank of who owes this."""
        return seat_clocks.policy_seconds(seat_clocks.left_of(row, self.now).bank, self.policy)

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


def ordered(found: list[Step]) -> list[Step]:
    """Steps as they come about; those of one moment as they were told."""
    return sorted(found, key=lambda step: (step.at, step.code == "stopped"))


def _times(row: Decision | Missed) -> dict[str, int | None]:
    return {"due": row.due_at, "acts": row.acts_at, "bank_from": row.bank_from}


def iso(seconds: int) -> str:
    """Seconds as an ISO 8601 duration."""
    return format_duration(timedelta(seconds=seconds))


NOT_RUNNING: Final = {
    "open": say("The game has not begun: nobody has to answer."),
    "finished": say("The game is over: nobody has to answer."),
    "abandoned": say("The game was abandoned: nobody has to answer."),
}
