"""The feed of a public game: its story as anybody may read it, newest first."""

from typing import Final

from service.container import Services
from service.games import game_story
from service.games.seat_names import names_by_pawn, shown_names, table_name
from service.kernel import clock
from service.languages import words
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.web.feeds.atom import Entry, Feed, tag

MOST: Final = 50
LOOKED_AT: Final = 150
"""Events of which these are told: many tell nothing."""


def game_feed(services: Services, connection: Connection, head: Head, language: str) -> Feed:
    """The last sentences of a game's story. Each names its event for good; what is opened later may say more."""
    settings, first = services.settings, max(0, head.version - LOOKED_AT)
    page = f"{settings.base_url}/g/{head.game}"
    lines = game_story.lines(services, connection, head, None, after=first, upto=head.version)
    times = [
        clock.from_text(link.at) for link in services.streams.links(connection, head.game, first + 1, head.version)
    ]
    speak = words(language, head.rules.kind, names_by_pawn(connection, head))
    passing = head.rules.presentation.narrative.passing
    entries = [
        Entry(
            id=tag(settings.mail_domain, "game", head.game, str(line.version)),
            title=speak(line.text),
            at=at,
            link=f"{page}?v={line.version}",
        )
        for line, at in zip(lines, times, strict=False)
        if line.text and type(line.event) not in passing
    ]
    people = ", ".join(speak(name) for name in shown_names(connection, head))
    return Feed(
        id=tag(settings.mail_domain, "game", head.game),
        title=f"{speak(head.rules.presentation.title)}, {table_name(head)} – {people}",
        language=language,
        at=head.last_at,
        page=page,
        entries=entries[: -MOST - 1 : -1],
        itself=f"{page}/feed.atom",
    )
