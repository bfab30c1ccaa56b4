"""A game as one reader sees it: for its page, letters, devices, feeds, previews and the API's story."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from domain.audit.checkpoints import Signed
from domain.engine.game import CHANCE, Event, Seat
from domain.engine.sentences import Sentence, Words
from domain.table.clock import open_decisions
from domain.table.evolve import blind
from domain.table.state import Table
from domain.table.undo import Past
from service.accounts.names import handles
from service.container import Services
from service.games import analyses, event_text, game_story, history_queries
from service.games.drafts import Draft, Kept, draft, kept
from service.games.game_story import Line, Part
from service.games.play import Orders
from service.games.seat_names import bot_name, called, names_at, title_and_table
from service.games.views import state_document
from service.languages import ENGLISH, shown, words
from service.languages.commands import folded, typed_forms
from service.languages.time_text import ReaderLocale
from service.store.clocks.decisions import Owed, owed
from service.store.database import Connection
from service.store.event_store.checkpoints import checkpoint
from service.store.event_store.streams import Head
from service.store.games.game_rows import pause_end

AUCTION: Final = 16
"""The most events of one auction."""
LATELY: Final = 80
"""The latest events, which a spectator is told."""


def is_sealed(event: Event) -> bool:
    """Return whether an event holds what is opened later, such as a bid."""
    return bool(event.SEALED) and not event.LASTS


@dataclass(frozen=True, slots=True)
class Told:
    """The text of an event for the reader; what they sealed with it stands apart, for screens that others see."""

    version: int
    text: str
    sealed: str
    line: Line


@dataclass(frozen=True)
class ReaderView:
    """A game, its reader, and the seat they see it from; what costs anything is looked up when it is asked for."""

    services: Services
    connection: Connection
    now: Head
    """The game as it stands; people are called as they are here."""
    seat: Seat | None  # None for a spectator
    language: str = ENGLISH
    player: str | None = None  # None for somebody who is not signed in, and so a spectator
    timezone: str = "UTC"
    is_guest: bool = False
    """Whether the reader has no account: talk, a stopped clock, bots and analysis take one."""
    version: int | None = None
    """The event after which the game is shown; None for the game as it stands."""

    @cached_property
    def head(self) -> Head:
        """The game as it is shown; its table may hold more than the seat sees."""
        if self.version is None:
            return self.now
        return history_queries.past(self.services, self.connection, self.now, self.seat, self.version) or self.now

    # -- names and words

    @property
    def kind(self) -> str:
        return self.now.rules.kind

    @property
    def title(self) -> str:
        return self.now.rules.presentation.title

    @property
    def called(self) -> Sentence:
        """The title and the name of the table, as in headlines."""
        return title_and_table(self.now)

    @property
    def address(self) -> str:
        return f"/g/{self.now.game}"

    @property
    def link(self) -> str:
        """The whole address of the page; it carries no power, so readers sign in first."""
        return self.services.settings.base_url + self.address

    @cached_property
    def words(self) -> Words:
        """The function that says a text in the reader's language."""
        return words(self.language, self.kind)

    @cached_property
    def words_with_names(self) -> Words:
        """The same for sentences about people in which nothing is to be typed."""
        named = zip(self.now.rules.notation.pawns, self.display_names, strict=False)
        return words(self.language, self.kind, {pawn: name for pawn, name in named if name})

    @cached_property
    def bidding_words(self) -> str:
        """The words that begin a bid, which a device must not keep even where none is asked for yet (S-06)."""
        written = [word for word, _, english in typed_forms(self.language, self.kind) if english == "bid"]
        return " ".join(sorted({"bid", *written, *(folded(word) for word in written)}))

    @cached_property
    def locale(self) -> ReaderLocale:
        return ReaderLocale(self.timezone, self.language, self.words)

    @cached_property
    def display_names(self) -> list[str | None]:
        """The players' names by seat; None for a bot, an empty seat, or a former player."""
        return names_at(self.connection, self.now.table)

    @cached_property
    def names(self) -> list[str]:
        """The names of the seats in sentences."""
        rules, chairs = self.now.rules, enumerate(self.now.table.chairs)
        return [self.words(called(rules, seat, chair, self.display_names[seat])) for seat, chair in chairs]

    @property
    def listed_names(self) -> list[str]:
        """The same in a list: a bot with its temper, too."""
        named = enumerate(zip(self.now.table.chairs, self.names, strict=True))
        return [
            name if chair.bot is None else self.words(bot_name(self.now.rules, seat, chair.bot))
            for seat, (chair, name) in named
        ]

    @cached_property
    def notation_names(self) -> list[str]:
        """The word to type for each seat."""
        return handles(self.display_names, self.now.rules)

    def shown(self, line: str) -> str:
        """Return a command in the reader's words, with those for the people at the table."""
        return shown(line, self.language, self.kind, self.handles)

    @cached_property
    def handles(self) -> dict[str, str]:
        """The word to type for each player, by the pawn of the seat."""
        named = zip(self.now.rules.notation.pawns, self.notation_names, self.display_names, strict=False)
        return {pawn: handle for pawn, handle, name in named if name}

    @cached_property
    def board_names(self) -> list[str | None]:
        """The names of the seats on the board; None for a seat that is called by its pawn."""
        named = zip(self.now.table.chairs, self.display_names, self.names, strict=True)
        return [name if chair.bot is None else shown for chair, name, shown in named]

    @property
    def people(self) -> list[tuple[str, str]]:
        """The players' ids and names, to look them up; without bots and former players."""
        named = zip(self.now.table.chairs, self.display_names, strict=True)
        return [(chair.player, name) for chair, name in named if chair.player and name]

    # -- the position

    @cached_property
    def table(self) -> Table:
        """The table as the seat may see it."""
        return blind(self.head.table, self.head.rules, self.seat)

    @cached_property
    def document(self) -> dict[str, Any] | None:
        """The position as the seat may see it; None if there is none."""
        return self.document_of(self.table)

    def document_of(self, table: Table) -> dict[str, Any] | None:
        """Return the position at this table or, after a draft, at another one of the same game."""
        return state_document(table, self.head, self.seat, self.board_names, typed=False)

    def document_then(self, version: int) -> dict[str, Any] | None:
        """Return the position after an event, as the seat may see it today; None if there was none."""
        then = history_queries.past(self.services, self.connection, self.head, self.seat, version)
        return None if then is None else self.document_of(then.table)

    @property
    def board(self) -> str:
        """The position in words, "" for none."""
        return self.head.rules.presentation.board(self.document, self.words) if self.document else ""

    @property
    def stage(self) -> Sentence | None:
        """How far the game is while it is played; None if that is not told."""
        from service.pictures import stage_text  # what draws is large: a process that never draws starts without it

        return None if self.document is None or self.is_over else stage_text(self.kind, self.document)

    def draft(self, orders: Orders) -> Draft:
        """Return what these orders of the reader would do."""
        assert self.player is not None, "who has a draft has a seat"
        return draft(self.services, self.connection, self.head.game, self.player, orders)

    def receipt(self, version: int) -> Signed:
        """Return the signed receipt of a version."""
        return checkpoint(self.connection, self.services.streams, self.services.signer, self.head.game, version)

    # -- what is asked, and of whom

    @property
    def adds_end(self) -> bool:
        """Return whether *Play* also ends a turn if only its end is left (IN-10c)."""
        return True

    @cached_property
    def awaited(self) -> list[Seat]:
        """The seats that owe an answer."""
        return sorted(seat for seat in open_decisions(self.head.table, self.head.rules) if seat != CHANCE)

    @property
    def is_asked(self) -> bool:
        """Return whether the reader owes an answer and may give it."""
        return self.seat in self.awaited and not self.is_vacant

    @property
    def is_host(self) -> bool:
        """Return whether the reader opened the table, and seats bots."""
        return self.head.table.host == self.player

    @property
    def is_vacant(self) -> bool:
        """Return whether the caretaker plays the reader's seat."""
        return self.seat is not None and self.head.table.chairs[self.seat].vacant

    @property
    def has_resigned(self) -> bool:
        """Return whether the reader has resigned from this game."""
        return self.player is not None and self.player in self.head.table.resigned

    @property
    def may_order(self) -> bool:
        """Return whether the reader sits at a game under way and plays their own seat."""
        return self.seat is not None and not self.is_vacant and self.head.table.status == "running"

    @property
    def is_over(self) -> bool:
        return self.head.table.status in ("finished", "abandoned")

    @property
    def is_counted(self) -> bool:
        """Return whether there are numbers of it once it is over."""
        return self.head.rules.presentation.statistics is not None and self.head.table.game is not None

    @property
    def can_be_analysed(self) -> bool:
        """Return whether an analysis can say what else could have been done."""
        return analyses.can_be_analysed(self.head)

    @cached_property
    def owed(self) -> list[Owed]:
        """The answers that are owed now, with their deadlines."""
        return owed(self.connection, self.head.game)

    @cached_property
    def own_owed(self) -> Owed | None:
        """The answer that the reader owes and may give."""
        return next((entry for entry in self.owed if entry.seat == self.seat), None) if self.is_asked else None

    @property
    def paused_until(self) -> int | None:
        """The moment at which a stopped clock runs again by itself."""
        return pause_end(self.connection, self.head.game)

    @cached_property
    def kept(self) -> Kept:
        """The draft that the reader left."""
        if self.own_owed is None or self.player is None:
            return Kept()
        return kept(self.services, self.head.game, self.player, self.own_owed)

    # -- what happened

    @cached_property
    def past(self) -> list[Past]:
        """The history, for who did what: no reader sees its events from here."""
        head = self.head
        return self.services.streams.history(self.connection, head.game, head.rules, head.version)

    def events(self, after: int = 0, upto: int | None = None) -> list[Event]:
        """Return the events after one, as the seat may see them; only these are read."""
        head, upto = self.head, self.head.version if upto is None else upto
        streams = self.services.streams
        return list(streams.facts_seen(self.connection, head.game, head.rules, self.seat, after=after, upto=upto))

    def sentences(self, events: Sequence[Event], upto: int | None = None, *, gifts: bool = False) -> list[str]:
        """Return a sentence on each of these events, the last ones up to one; what was taken back is marked.

        With `gifts` the reader is told what an office that they got lets them do.
        """
        head, upto = self.head, self.head.version if upto is None else upto
        rewinds = self.services.streams.rewinds(self.connection, head.game, upto)
        told = event_text.story(
            head.rules, events, upto - len(events) + 1, rewinds, self.names, self.seat if gifts else None
        )
        return [self.words(sentence) for sentence in told]

    def describe(self, versions: Sequence[int]) -> list[str]:
        """Return a sentence on each of the events of these versions that tells anything."""
        first, last = min(versions, default=1), max(versions, default=0)
        facts = dict(enumerate(self.events(first - 1, last), first))
        told = [event_text.tell(self.head.rules, facts[version], self.names) for version in versions]
        return [self.words(sentence) for sentence in told if sentence]

    def lines(self, after: int = 0, upto: int | None = None, *, revealed: bool = False) -> list[Line]:
        """Return what the events after one tell the reader; only these are read.

        `revealed` adds all that has been opened since.
        """
        head, upto = self.head, self.head.version if upto is None else upto
        return game_story.lines(
            self.services, self.connection, head, self.seat, after=after, upto=upto, revealed=revealed
        )  # fmt: skip

    @property
    def story(self) -> list[Part]:
        """The whole story, part by part."""
        return game_story.parts(self.head.rules, self.lines())

    def tell(self, line: Line) -> Told:
        """Tell a line in the reader's language."""
        text = self.words(line.text)
        if not text or not is_sealed(line.event) or self.is_over or self.past[line.version - 1].actor != self.actor:
            return Told(line.version, text, "", line)
        return Told(line.version, self.words(event_text.tell(self.head.rules, line.event, self.names)), text, line)

    @cached_property
    def news_after(self) -> int:
        """The event after which the page tells: the reader's last decision; for a spectator one a while back."""
        return self.last_move if self.seat is not None else max(0, self.head.version - LATELY)

    @cached_property
    def news(self) -> list[Line]:
        """Lines of the events since then, and of 16 events before: the bids of an auction may lie there."""
        return self.lines(max(0, self.news_after - AUCTION))

    @property
    def actor(self) -> dict[str, Any]:
        """The reader as the history names them."""
        return {"seat": self.seat}

    @property
    def has_moved(self) -> bool:
        """Return whether the reader has done anything in the game yet, besides sitting down."""
        return self.seat is not None and any(entry.action and entry.actor == self.actor for entry in self.past)

    def acted_at(self, upto: int | None = None) -> int:
        """Return the last event, up to one, in which the reader's seat was played by hand; 0 if there is none.

        For a spectator it is the event after which the game is shown.
        """
        if self.seat is None:
            return self.head.version
        upto = self.head.version if upto is None else upto
        return self.services.streams.last_move(self.connection, self.head.game, self.seat, upto)

    @cached_property
    def last_move(self) -> int:
        """The last event in which the reader decided something by hand, or 0: what followed from it is news."""
        found = 0 if self.seat is None else self.acted_at()
        if not found:
            return 0
        request = [entry for entry in self.past[:found] if entry.cause == self.past[found - 1].cause]
        return max((entry.version for entry in request if entry.action and entry.actor == self.actor), default=found)
