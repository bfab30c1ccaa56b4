"""What a link to a public game says of it: its players, how it stands, its picture; of nobody's view."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from urllib.parse import urlencode

from domain.engine.sentences import Sentence, Words, say, say_n
from service.container import Services
from service.games import history_queries
from service.games.reader_view import ReaderView
from service.games.views import state_document
from service.languages.catalogues import ENGLISH
from service.pictures import alt_text
from service.pictures.preview import HEIGHT, WIDTH, preview_svg, waiting_svg
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.games.seats import may_know

NO_RESULT: Final = say("The game ended without a result")


@dataclass(frozen=True)
class Preview:
    """A public game after one of its events, as anybody may know it; addresses are whole, for others to use."""

    view: ReaderView
    """The game as a spectator sees it."""
    names: Sequence[str]
    """What to call each seat, "" for a free one."""
    position: dict[str, Any] | None
    """What a spectator sees; None where there is no position."""
    is_present: bool
    """Whether it is how the game stands now, whatever the address says."""
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def head(self) -> Head:
        return self.view.head

    @property
    def words(self) -> Words:
        return self.view.words

    @property
    def kind(self) -> str:
        return self.view.kind

    @cached_property
    def title(self) -> str:
        """Which game, and who plays it."""
        players = ", ".join(name for name in self.names if name)
        return f"{self.view.title}: {players}" if players else self.view.title

    @cached_property
    def sentence(self) -> str:
        """How it stands, in two or three sentences; names are in it."""
        if self.position is not None:
            return alt_text(self.kind, self.position, self.words)
        return self.words(self._waits if self.head.table.status == "open" else NO_RESULT) + "."

    @property
    def _waits(self) -> Sentence:
        free = sum(not chair.taken for chair in self.head.table.chairs)
        return say_n("{count} seat is free", "{count} seats are free", free, count=free)

    @cached_property
    def svg(self) -> str:
        """The picture."""
        if self.position is not None:
            return preview_svg(self.kind, self.position, self.view.title, self.words)
        taken = [name for name in self.names if name]
        return waiting_svg(self.kind, self.view.title, taken, self.sentence.removesuffix("."))

    @property
    def path(self) -> str:
        """Where the game is shown, at this version where it is an earlier one."""
        return self.view.address + ("" if self.is_present else f"?v={self.head.version}")

    @property
    def address(self) -> str:
        return self.view.services.settings.base_url + self.path

    @property
    def picture(self) -> str:
        """The address of the picture: another one for each version, so that no preview goes stale."""
        spoken = {} if self.view.language == ENGLISH else {"language": self.view.language}
        return f"{self.view.link}/preview.png?{urlencode({'v': self.head.version, **spoken})}"


def preview_of(
    services: Services, connection: Connection, head: Head, language: str, version: int | None = None
) -> Preview | None:
    """Return the preview of a game as it stands, or after an event; None for a private game or without that event."""
    shown = history_queries.past(services, connection, head, None, head.version if version is None else version)
    if not head.table.public or shown is None:
        return None
    view = ReaderView(services, connection, shown, None, language)
    names = [name if chair.taken else "" for name, chair in zip(view.names, shown.table.chairs, strict=True)]
    position = state_document(view.table, shown, None, [name or None for name in names], typed=False)
    return Preview(view, names, position, shown.version == head.version)


def public_preview(
    services: Services, connection: Connection, game: str, language: str, version: int | None = None
) -> Preview | None:
    """The same by the id of a game; None, too, for a game that is not there."""
    if not may_know(connection, game, None):
        return None
    return preview_of(services, connection, services.streams.head(connection, game), language, version)
