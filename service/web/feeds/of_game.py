"""The feed of a public game: its story as anybody may read it, newest first."""

from typing import Final

from service.container import Services
from service.games.reader_view import ReaderView
from service.games.seat_names import table_name
from service.kernel import clock
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.web.feeds.atom import Entry, Feed, tag

MOST: Final = 50
LOOKED_AT: Final = 150
"""Events of which these are told: many tell nothing."""


def game_feed(services: Services, connection: Connection, head: Head, language: str) -> Feed:
    """The last sentences of a game's story. Each names its event for good; what is opened later may say more."""
    domain, first = services.settings.mail_domain, max(0, head.version - LOOKED_AT)
    view = ReaderView(services, connection, head, None, language)
    times = [
        clock.from_text(link.at) for link in services.streams.links(connection, head.game, first + 1, head.version)
    ]
    passing = head.rules.presentation.narrative.passing
    entries = [
        Entry(
            id=tag(domain, "game", head.game, str(line.version)),
            title=view.words_with_names(line.text),
            at=at,
            link=f"{view.link}?v={line.version}",
        )
        for line, at in zip(view.lines(first), times, strict=False)
        if line.text and type(line.event) not in passing
    ]
    return Feed(
        id=tag(domain, "game", head.game),
        title=f"{view.title}, {table_name(head)} – {', '.join(view.names)}",
        language=language,
        at=head.news_at,
        page=view.link,
        entries=entries[: -MOST - 1 : -1],
        itself=f"{view.link}/feed.atom",
    )
