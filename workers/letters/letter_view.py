"""A game as the reader of a letter may see it, at the version the notice is about (OUT-30)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from domain.audit.checkpoints import Signed
from domain.engine.game import Event, Seat
from domain.engine.presentation import EXAMPLE
from domain.engine.sentences import Sentence, Words, row
from domain.table.evolve import blind
from domain.table.state import Table
from service.container import Services
from service.games.history_queries import past
from service.games.seat_names import (
    display_names,
    handles_by_pawn,
    names_by_pawn,
    shown_names,
    table_name,
    title_and_table,
)
from service.games.views import state_document
from service.languages import ENGLISH, shown
from service.languages import words as speaker
from service.languages.time_text import ReaderLocale, due_words
from service.mail import unsubscribes
from service.mail.invitations import ANYBODY
from service.pictures import stage_text
from service.store.database import Connection
from service.store.event_store.checkpoints import checkpoint
from service.store.event_store.streams import Head
from service.store.games.game_rows import pause_end
from service.store.outgoing.notice import Notice
from workers.letters.letter_data import Asked, Reader
from workers.letters.numbered_options import Option, numbered
from workers.letters.sections import Form


@dataclass(frozen=True)
class LetterRequest:
    """A notice that was found true, the reader it is for, and the decision it asks for."""

    services: Services
    connection: Connection
    notice: Notice
    reader: Reader
    asked: Asked | None = None


@dataclass(frozen=True)
class LetterView:
    """One game for one letter; what costs anything is looked up when a kind of notice asks for it."""

    request: LetterRequest
    seat: Seat | None  # None for who may see what a spectator sees
    now: Head
    head: Head  # at the version of the notice; its table may hold more than the seat sees

    @classmethod
    def of(cls, request: LetterRequest, seat: Seat | None) -> "LetterView":
        """The game of a notice as its reader may see it, from a seat if that is theirs still."""
        services, connection, notice = request.services, request.connection, request.notice
        now = services.streams.head(connection, notice.game_id)
        head = past(services, connection, now, seat, notice.version or now.version) or now
        if seat is not None and head.table.chairs[seat].player != request.reader.player:
            seat, head = None, past(services, connection, now, None, head.version) or now
        return cls(request, seat, now, head)

    @property
    def services(self) -> Services:
        return self.request.services

    @property
    def connection(self) -> Connection:
        return self.request.connection

    @property
    def notice(self) -> Notice:
        return self.request.notice

    @property
    def reader(self) -> Reader:
        return self.request.reader

    @property
    def asked(self) -> Asked | None:
        return self.request.asked

    @property
    def title(self) -> str:
        return self.head.rules.presentation.title

    @property
    def called(self) -> Sentence:
        """Return the title and the name of the table, as in headlines."""
        return title_and_table(self.now)

    @property
    def place(self) -> Sentence:
        """Return the name of the table, and how far the game is while it is played."""
        playing = self.document is not None and self.table.status == "running"
        stage = stage_text(self.head.rules.kind, self.document) if self.document and playing else None
        return row([table_name(self.now), *([stage] if stage else [])], " · ")

    @property
    def question(self) -> Sentence | None:
        """Return what the reader is asked, with their name; None if that is nothing."""
        if self.seat is None or not self._is_open or self.document is None:
            return None
        return self.head.rules.presentation.question(self.document, self.names[self.seat])

    @property
    def link(self) -> str:
        """The page of the game: whoever follows it signs in first, for it carries no power."""
        return f"{self.services.settings.base_url}/g/{self.head.game}"

    @property
    def api_link(self) -> str:
        """The same game for programs."""
        return f"{self.services.settings.base_url}/api/v1/games/{self.head.game}"

    @cached_property
    def words(self) -> Words:
        """Says a text in the reader's language."""
        return speaker(self.reader.language, self.head.rules.kind)

    @cached_property
    def locale(self) -> ReaderLocale:
        return ReaderLocale(self.reader.timezone, self.reader.language, self.words)

    def shown(self, line: str) -> str:
        """A command in the reader's words, with those for the people at the table."""
        return shown(line, self.reader.language, self.head.rules.kind, self._called)

    @cached_property
    def _called(self) -> dict[str, str]:
        return handles_by_pawn(self.connection, self.now)

    def both(self, line: str) -> str:
        """A command in the reader's words, and in the canonical ones beside them where those differ (OUT-31)."""
        own, canonical = self.shown(line), self.canonical(line)
        return own if own == canonical else f"{own}  ({canonical})"

    def canonical(self, line: str) -> str:
        """A command in the words that are understood in every language."""
        return shown(line, ENGLISH, self.head.rules.kind, self._called)

    @property
    def stop_link(self) -> str:
        """Where mail about this game is stopped, or all invitations to a guest (OUT-15)."""
        guest = self.reader.player is None
        stopped = (self.notice.recipient, ANYBODY if guest else self.notice.game_id)
        return f"{self.services.settings.base_url}/u/{unsubscribes.token(self.services, *stopped)}"

    @cached_property
    def names(self) -> list[str]:
        """What to call each seat."""
        return [self.words(name) for name in shown_names(self.connection, self.now)]

    @cached_property
    def table(self) -> Table:
        """The table as the seat may see it."""
        return blind(self.head.table, self.head.rules, self.seat)

    @cached_property
    def signed(self) -> Signed:
        """The receipt of this version."""
        return checkpoint(
            self.connection, self.services.streams, self.services.signer, self.head.game, self.head.version
        )

    @cached_property
    def document(self) -> dict[str, Any] | None:
        """The position; None for somebody who may not watch, and before the game begins."""
        if self.seat is None and not self.table.public and self.table.host != self.reader.player:
            return None
        return state_document(self.table, self.head, self.seat, display_names(self.connection, self.now), typed=False)

    @property
    def board(self) -> str:
        """The position in words, "" for none."""
        return self.head.rules.presentation.board(self.document, self.words) if self.document else ""

    @cached_property
    def options(self) -> list[Option]:
        """Actions that can be answered with a number, or with words beside those."""
        if self.seat is None or not self._is_open:
            return []
        return numbered(self.head.rules, self.table.game, self.seat)

    @property
    def guide(self) -> list[Form]:
        """Return what to type, in the reader's own words, and what it does."""
        forms: list[Form] = []
        for form, effect in self._guide if self._is_open else ():
            if effect is EXAMPLE:
                forms[-1] = replace(forms[-1], example=self.shown(form).splitlines())
            else:
                written = self.shown(form)
                example = [] if isinstance(form, Sentence) else [written]
                forms.append(Form(written, self._words_with_names(effect), example))
        return forms

    @cached_property
    def _words_with_names(self) -> Words:
        return speaker(self.reader.language, self.head.rules.kind, names_by_pawn(self.connection, self.now))

    @property
    def guide_verbs(self) -> list[str]:
        """The first word of each form of the guide, in the notation."""
        return [str(form).split()[0] for form, _ in self._guide]

    @cached_property
    def _guide(self) -> list[tuple[str, str]]:
        return [] if self.seat is None else list(self.head.rules.presentation.guide(self.table.game, self.seat))

    @property
    def _is_open(self) -> bool:
        """Whether the reader is asked anything that can be answered."""
        return self.asked is not None and self.table.status == "running"

    @property
    def due(self) -> str:
        """Until when the reader is to answer, "" for no deadline."""
        return "" if self.asked is None or self.asked.due is None else self.when(self.asked.due)

    @property
    def bank_ahead(self) -> int | None:
        """When the time of the move ends and the bank begins to be used, where that is still to come."""
        asked = self.asked
        if asked is None or asked.due is None or asked.bank_from is None:
            return None
        return asked.bank_from if self.notice.created_at < asked.bank_from < asked.due else None

    @property
    def paused_until(self) -> int | None:
        """When a clock that stands runs on by itself."""
        return pause_end(self.connection, self.head.game)

    def when(self, at: int) -> str:
        """A moment as the reader reads it."""
        return due_words(at, self.reader.timezone, self.reader.language)

    def last_move(self, upto: int | None = None) -> int:
        """The last event up to `upto`, by default that of the notice, at which somebody played the reader's seat."""
        if self.seat is None:
            return self.head.version
        upto = self.head.version if upto is None else upto
        return self.services.streams.last_move(self.connection, self.head.game, self.seat, upto)

    def events_after(self, version: int) -> tuple[Event, ...]:
        """The events after one, as the seat may see them; none for a spectator and before the start."""
        if self.seat is None or self.table.status == "open":
            return ()
        head = self.head
        return tuple(
            self.services.streams.facts_seen(
                self.connection, head.game, head.rules, self.seat, after=version, upto=head.version
            )
        )
