"""One game as one person looks at it, for all parts of its page."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from domain.engine.game import CHANCE, Event, Seat
from domain.engine.sentences import Words
from domain.table.evolve import blind
from domain.table.state import Table
from domain.table.undo import Past
from service.container import Services
from service.games import analyses, game_story
from service.games.drafts import Draft, Kept, draft, kept
from service.games.event_text import tell
from service.games.game_story import Line
from service.games.history_queries import past
from service.games.play import Orders
from service.games.seat_names import display_names, names_by_pawn, notation_names, shown_names
from service.games.views import state_document
from service.languages import words
from service.languages.commands import folded, typed_forms
from service.languages.time_text import ReaderLocale
from service.store.clocks.decisions import Owed, open_decisions, owed
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.people.players import Player

AUCTION: Final = 16
"""The most events of one auction."""
LATELY: Final = 80
"""The latest events, which a spectator is told."""


def is_sealed(event: Event) -> bool:
    """Whether an event holds what is to be opened later, such as a bid."""
    return bool(event.SEALED) and not event.LASTS


@dataclass(frozen=True, slots=True)
class Told:
    """What an event tells the reader; what they sealed with it stands apart, for screens that others see."""

    version: int
    text: str
    sealed: str
    line: Line


@dataclass(frozen=True)
class ReaderView:
    """A game, who looks at it, and from which seat; what costs anything is looked up when a part asks for it."""

    services: Services
    connection: Connection
    head: Head
    seat: Seat | None  # None for a spectator
    player: Player | None  # None for somebody who is not signed in, and so a spectator
    language: str

    @property
    def adds_end(self) -> bool:
        """Return whether *Play* also ends a turn if only its end is left (IN-10c)."""
        return True

    @property
    def kind(self) -> str:
        return self.head.rules.kind

    @property
    def title(self) -> str:
        return self.words(self.head.rules.presentation.title)

    @property
    def address(self) -> str:
        return f"/g/{self.head.game}"

    @cached_property
    def words(self) -> Words:
        """Says a text in the reader's language."""
        return words(self.language, self.kind)

    @cached_property
    def words_with_names(self) -> Words:
        """The same of sentences about people in which nothing is to be typed."""
        return words(self.language, self.kind, names_by_pawn(self.connection, self.head))

    @cached_property
    def bidding_words(self) -> str:
        """The words that begin a bid, which a device must not keep even where none is asked for yet (S-06)."""
        written = [word for word, _, english in typed_forms(self.language, self.kind) if english == "bid"]
        return " ".join(sorted({"bid", *written, *(folded(word) for word in written)}))

    @cached_property
    def locale(self) -> ReaderLocale:
        return ReaderLocale("UTC" if self.player is None else self.player.timezone, self.language, self.words)

    @property
    def reader(self) -> str | None:
        """The id of whoever looks; None for somebody who is not signed in."""
        return None if self.player is None else self.player.id

    @cached_property
    def names(self) -> list[str]:
        """What to call each seat."""
        return [self.words(name) for name in shown_names(self.connection, self.head)]

    @cached_property
    def notation_names(self) -> list[str]:
        """What to type for each seat."""
        return notation_names(self.connection, self.head)

    @cached_property
    def people(self) -> list[tuple[str, str]]:
        """Those who sit here, by id and name, to look them up; former players and bots are nobody to see."""
        named = zip(self.head.table.chairs, display_names(self.connection, self.head), strict=True)
        return [(chair.player, name) for chair, name in named if chair.player and name]

    @cached_property
    def table(self) -> Table:
        """The table as the seat may see it."""
        return blind(self.head.table, self.head.rules, self.seat)

    @cached_property
    def document(self) -> dict[str, Any] | None:
        """The position as the seat may see it; None where there is none."""
        return self.document_of(self.table)

    def document_of(self, table: Table) -> dict[str, Any] | None:
        """The position at this table or, after a draft, at another one of the same game."""
        named = zip(display_names(self.connection, self.head), self.names, self.head.table.chairs, strict=True)
        shown = [name if chair.bot is None else called for name, called, chair in named]
        return state_document(table, self.head, self.seat, shown, typed=False)

    def document_then(self, version: int) -> dict[str, Any] | None:
        """The position after one of the events, as the seat may see it today; None where there was none."""
        then = past(self.services, self.connection, self.head, self.seat, version)
        return None if then is None else self.document_of(then.table)

    def draft(self, orders: Orders) -> Draft:
        """What these orders of the reader would do."""
        assert self.reader is not None, "who has a draft has a seat"
        return draft(self.services, self.connection, self.head.game, self.reader, orders)

    @cached_property
    def awaited(self) -> list[Seat]:
        """The seats that owe an answer."""
        return sorted(seat for seat in open_decisions(self.head.table, self.head.rules) if seat != CHANCE)

    @property
    def is_asked(self) -> bool:
        """Whether the reader owes an answer and may give it."""
        return self.seat in self.awaited and not self.is_vacant

    @property
    def is_host(self) -> bool:
        """Whether the reader opened the table, and seats bots."""
        return self.head.table.host == self.reader

    @property
    def is_guest(self) -> bool:
        """Return whether the reader has no account: talk, a stopped clock, bots and analysis take one."""
        return self.player is not None and self.player.is_guest

    @property
    def is_vacant(self) -> bool:
        """Whether the caretaker plays the reader's seat."""
        return self.seat is not None and self.head.table.chairs[self.seat].vacant

    @property
    def has_resigned(self) -> bool:
        """Return whether the reader has resigned from this game."""
        return self.reader is not None and self.reader in self.head.table.resigned

    @property
    def may_order(self) -> bool:
        """Whether the reader sits at a game under way and plays their own seat."""
        return self.seat is not None and not self.is_vacant and self.head.table.status == "running"

    @property
    def is_over(self) -> bool:
        return self.head.table.status in ("finished", "abandoned")

    @property
    def is_counted(self) -> bool:
        """Whether there are numbers of it once it is over."""
        return self.head.rules.presentation.statistics is not None and self.head.table.game is not None

    @property
    def can_be_analysed(self) -> bool:
        """Whether it can be told what else could have been done."""
        return analyses.can_be_analysed(self.head)

    @cached_property
    def owed(self) -> list[Owed]:
        """Who owes what until when."""
        return owed(self.connection, self.head.game)

    @cached_property
    def own_owed(self) -> Owed | None:
        """What the reader owes and may answer."""
        return next((entry for entry in self.owed if entry.seat == self.seat), None) if self.is_asked else None

    @cached_property
    def kept(self) -> Kept:
        """Draft that the reader left."""
        if self.own_owed is None or self.reader is None:
            return Kept()
        return kept(self.services, self.head.game, self.reader, self.own_owed)

    @cached_property
    def past(self) -> list[Past]:
        """The history, for who did what: no reader sees its events from here."""
        head = self.head
        return self.services.streams.history(self.connection, head.game, head.rules, head.version)

    @cached_property
    def lines(self) -> list[Line]:
        """Lines of every event so far: for the whole story."""
        return self.lines_after(0)

    @cached_property
    def news_after(self) -> int:
        """The event after which the page tells: the reader's last decision; for a spectator one a while back."""
        return self.last_move if self.seat is not None else max(0, self.head.version - LATELY)

    @cached_property
    def news(self) -> list[Line]:
        """Lines of the events since then, and of 16 events before: the bids of an auction may lie there."""
        return self.lines_after(max(0, self.news_after - AUCTION))

    def lines_after(self, after: int, upto: int | None = None) -> list[Line]:
        """Return what the events after one tell the reader; only these are read."""
        head, upto = self.head, self.head.version if upto is None else upto
        return game_story.lines(self.services, self.connection, head, self.seat, after=after, upto=upto)

    def tell(self, line: Line) -> Told:
        """Tell a line in the reader's language."""
        text = self.words(line.text)
        if not text or not is_sealed(line.event) or self.is_over or self.past[line.version - 1].actor != self.actor:
            return Told(line.version, text, "", line)
        return Told(line.version, self.words(tell(self.head.rules, line.event, self.names)), text, line)

    @property
    def actor(self) -> dict[str, Any]:
        """Who the reader is in the history."""
        return {"seat": self.seat}

    @property
    def has_moved(self) -> bool:
        """Whether the reader has done anything in the game yet, besides sitting down."""
        return self.seat is not None and any(entry.action and entry.actor == self.actor for entry in self.past)

    @cached_property
    def last_move(self) -> int:
        """Return the last event in which the reader decided something by hand, or 0: what followed from it is news."""
        if self.seat is None:
            return 0
        found = self.services.streams.last_move(self.connection, self.head.game, self.seat, self.head.version)
        if not found:
            return 0
        request = [entry for entry in self.past[:found] if entry.cause == self.past[found - 1].cause]
        return max((entry.version for entry in request if entry.action and entry.actor == self.actor), default=found)
