"""A table for practice as the learner looks at it: what the parts of a game's page ask for, without any database."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from markupsafe import Markup

from domain.engine.game import Seat
from domain.engine.sentences import Words
from domain.history.codec import History
from domain.table.evolve import blind
from domain.table.state import Table
from domain.table.undo import Past
from service.container import Services
from service.games.drafts import Draft, rehearsed
from service.games.event_text import tell
from service.games.game_story import Line
from service.games.play import Orders
from service.games.reader_view import ReaderView, Told
from service.languages import words
from service.lessons.practice import Practice
from service.store.clocks.decisions import Owed
from service.store.database import Connection
from service.store.event_store.streams import Head


@dataclass(frozen=True, kw_only=True)
class PracticeView(ReaderView):
    """A table for practice, seen from a seat."""

    practice: Practice
    own_address: str
    own_fields: Markup
    """What its forms hold instead of a session's token: they change nothing here, so they need none."""
    before: Practice | None
    """The table before the last move."""
    draft_place: str
    """Under what an unsent draft is kept on the device."""

    @property
    def adds_end(self) -> bool:
        """Return False: a lesson teaches how a turn is ended."""
        return False

    @property
    def address(self) -> str:
        return self.own_address

    @cached_property
    def words_with_names(self) -> Words:
        pawns = self.head.rules.notation.pawns
        return words(self.language, self.kind, dict(zip(pawns, self.names, strict=False)))

    @cached_property
    def names(self) -> list[str]:
        return [self.words(name) for name in self.practice.names]

    @cached_property
    def notation_names(self) -> list[str]:
        return self.practice.typed_names

    def document_of(self, table: Table) -> dict[str, Any] | None:
        document: dict[str, Any] = self.head.rules.decider.view(table.game, self.seat)
        for entry, name in zip(document["seats"], self.names, strict=True):
            entry["name"] = name
        return document

    def document_then(self, version: int) -> dict[str, Any] | None:
        """The position before the last move: no other one is asked for."""
        return None if self.before is None else self.document_of(blind(self.before.table, self.head.rules, self.seat))

    def draft(self, orders: Orders) -> Draft:
        assert self.seat is not None, "who has a draft has a seat"
        return rehearsed(self.head, self.seat, orders, self.names, self.notation_names)

    @cached_property
    def owed(self) -> list[Owed]:
        return []

    @cached_property
    def past(self) -> list[Past]:
        return list(self.practice.past)

    def lines(self, after: int = 0, upto: int | None = None, *, revealed: bool = False) -> list[Line]:
        past, rules = self.past[after:upto], self.head.rules
        return [Line(entry.version, entry.event, tell(rules, entry.event, self.names), None) for entry in past]

    def tell(self, line: Line) -> Told:
        return Told(line.version, self.words(line.text), "", line)

    @cached_property
    def last_move(self) -> int:
        """Where the last move of the learner began: all since then is told."""
        return 0 if self.before is None else self.before.version


def practice_view(
    services: Services,
    practice: Practice,
    seat: Seat | None,
    language: str,
    *,
    address: str,
    fields: Sequence[tuple[str, str]],
    before: Practice | None,
    draft_place: str,
) -> PracticeView:
    """The view of a table for practice, whose forms go below this address with these hidden fields."""
    history = History(practice.rules, {}, {}, {}, {})
    head = Head("practice", practice.version, "", 0, 0, practice.table, history)
    hidden = Markup().join(
        Markup('<input type="hidden" name="{}" value="{}">').format(name, value) for name, value in fields
    )
    nowhere = cast(Connection, None)  # nothing of it lies in the database
    return PracticeView(
        services, nowhere, head, seat, language,
        practice=practice, own_address=address, own_fields=hidden, before=before, draft_place=draft_place,
    )  # fmt: skip
