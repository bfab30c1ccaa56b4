"""A game as the reader of a letter may see it, at the version the notice is about (OUT-30)."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from domain.audit.checkpoints import Signed
from domain.engine.game import Event, Seat
from domain.engine.presentation import EXAMPLE
from domain.engine.sentences import Sentence, row, say
from service.container import Services
from service.games.reader_view import ReaderView
from service.games.seat_names import table_name
from service.languages import ENGLISH, shown
from service.mail import unsubscribes
from service.mail.invitations import ANYBODY
from service.store.database import Connection
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


@dataclass(frozen=True, kw_only=True)
class LetterView(ReaderView):
    """One game for one letter: what its reader sees, the notice, and what can be answered."""

    request: LetterRequest

    @classmethod
    def of(cls, request: LetterRequest, seat: Seat | None) -> "LetterView":
        """Return the game of a notice as its reader may see it, from a seat if that is theirs still."""
        services, connection, notice, reader = request.services, request.connection, request.notice, request.reader
        now = services.streams.head(connection, notice.game_id)
        view = cls(
            services, connection, now, seat, reader.language, reader.player, reader.timezone,
            version=notice.version or None, request=request,
        )  # fmt: skip
        is_theirs = seat is None or view.head.table.chairs[seat].player == reader.player
        return view if is_theirs else replace(view, seat=None)

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
    def place(self) -> Sentence:
        """The name of the table, and how far the game is while it is played."""
        return row([table_name(self.now), *([self.stage] if self.stage else [])], " · ")

    @property
    def players(self) -> str:
        """The people at the table, as subjects name them."""
        return ", ".join(self.names) if self.table.game is not None else self.words(say("a new table"))

    @property
    def question(self) -> Sentence | None:
        """What the reader is asked, with their name; None if that is nothing."""
        if self.seat is None or not self._is_open or self.document is None:
            return None
        return self.head.rules.presentation.question(self.document, self.names[self.seat])

    @property
    def api_link(self) -> str:
        """The address of the same game for programs."""
        return f"{self.services.settings.base_url}/api/v1/games/{self.head.game}"

    def both(self, line: str) -> str:
        """Return a command in the reader's words, and in the canonical ones beside them if those differ (OUT-31)."""
        own, canonical = self.shown(line), self.canonical(line)
        return own if own == canonical else f"{own}  ({canonical})"

    def canonical(self, line: str) -> str:
        """Return a command in the words that are understood in every language."""
        return shown(line, ENGLISH, self.kind, self.handles)

    @property
    def stop_link(self) -> str:
        """The address that stops mail about this game, or all invitations to a guest (OUT-15)."""
        guest = self.player is None
        stopped = (self.notice.recipient, ANYBODY if guest else self.notice.game_id)
        return f"{self.services.settings.base_url}/u/{unsubscribes.token(self.services, *stopped)}"

    @cached_property
    def signed(self) -> Signed:
        """The receipt of this version."""
        return self.receipt(self.head.version)

    @cached_property
    def board_names(self) -> list[str | None]:
        """The players' names: letters call a bot by its pawn."""
        return self.display_names

    @cached_property
    def document(self) -> dict[str, Any] | None:
        """The position; None for somebody who may not watch, and before the game begins."""
        if self.seat is None and not self.table.public and not self.is_host:
            return None
        return self.document_of(self.table)

    @cached_property
    def options(self) -> list[Option]:
        """Actions that can be answered with a number, or with words beside those."""
        if self.seat is None or not self._is_open:
            return []
        return numbered(self.head.rules, self.table.game, self.seat)

    @property
    def guide(self) -> list[Form]:
        """The forms to type, in the reader's own words, and what each does."""
        forms: list[Form] = []
        for form, effect in self._guide if self._is_open else ():
            if effect is EXAMPLE:
                forms[-1] = replace(forms[-1], example=self.shown(form).splitlines())
            else:
                written = self.shown(form)
                example = [] if isinstance(form, Sentence) else [written]
                forms.append(Form(written, self.words_with_names(effect), example))
        return forms

    @property
    def guide_verbs(self) -> list[str]:
        """The first word of each form of the guide, in the notation."""
        return [str(form).split()[0] for form, _ in self._guide]

    @cached_property
    def _guide(self) -> list[tuple[str, str]]:
        return [] if self.seat is None else list(self.head.rules.presentation.guide(self.table.game, self.seat))

    @property
    def _is_open(self) -> bool:
        """Return whether the reader is asked anything that can be answered."""
        return self.asked is not None and self.table.status == "running"

    @property
    def due(self) -> str:
        """The reader's deadline, "" for none."""
        return "" if self.asked is None or self.asked.due is None else self.locale.when(self.asked.due)

    @property
    def bank_ahead(self) -> int | None:
        """The moment at which the time of the move ends and the bank begins to be used, if it is still to come."""
        asked = self.asked
        if asked is None or asked.due is None or asked.bank_from is None:
            return None
        return asked.bank_from if self.notice.created_at < asked.bank_from < asked.due else None

    def events_after(self, version: int) -> list[Event]:
        """Return the events to tell after one, as the seat may see them; none for a spectator and before the start."""
        return [] if self.seat is None or self.table.status == "open" else self.events(version)
