"""The text of a digest: of each game what happened, who is to answer by when, and where to look (RATE-06).

Each game is told from the view of its reader's seat, up to the moment the digest was made; who is to answer, as it is
when the digest is sent. It asks for nothing itself: a mail has one Reply-To, and that answers one decision.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

import structlog

from domain.engine.game import Event, Seat
from domain.engine.sentences import say, say_n
from domain.table.events import SeatTakenOver
from service.container import Services
from service.games.reader_view import ReaderView
from service.languages.time_text import ReaderLocale
from service.notify import digests
from service.store.clocks.halted import why_halted
from service.store.database import Connection, DBAPIError
from service.store.event_store.streams import Head
from service.store.people import players
from workers.letters.digest import Digest, GameNews
from workers.letters.letter_data import Reader, Superseded
from workers.letters.letter_view import LetterRequest

log = structlog.get_logger("wardroom.mail")

MOST_TOLD: Final = 5
"""Sentences about one game."""
MOST_GAMES: Final = 40
NEVER: Final = 10**18


def make_digest(request: LetterRequest) -> Digest:
    """The digest of a notice. Raises Superseded where nothing happened."""
    connection, notice = request.connection, request.notice
    player = players.by_id(connection, notice.recipient)
    since = digests.told_until(connection, notice.recipient, notice.created_at)
    found = digests.games_of(connection, notice.recipient, since)
    looked_at = [_news_if_any(request, game, seat, since) for game, seat in found]
    news = [game for game in looked_at if game is not None]
    if player is None or not any(game.story for game in news):
        raise Superseded("nothing happened")
    news.sort(key=lambda game: (game.due is None, game.due or 0, not game.story, game.game))
    return Digest(player.digest, news[:MOST_GAMES], len(news[MOST_GAMES:]))


def _news_if_any(request: LetterRequest, game: str, seat: Seat, since: int) -> GameNews | None:
    """The news of one game; None also of one that is stopped or cannot be read: the others are told."""
    if why_halted(request.connection, game) is not None:
        return None
    try:
        return _news(request, game, seat, since)
    except DBAPIError:
        raise
    except Exception as error:
        log.exception("a digest goes without a game", game=game, error=type(error).__name__)
        return None


def _news(request: LetterRequest, game: str, seat: Seat, since: int) -> GameNews | None:
    services, connection, reader = request.services, request.connection, request.reader
    now = services.streams.head(connection, game)
    after, upto = (_version_at(services, connection, now, at) for at in (since, request.notice.created_at))
    if not upto:
        return None
    view = ReaderView(services, connection, now, seat, reader.language, reader.player, reader.timezone)
    locale, names = view.locale, view.names
    story = view.sentences(_since_they_sit(view.events(after, upto), seat), upto)
    mine = [decision.due_at for decision in view.owed if decision.seat == seat]
    return GameNews(
        game=game,
        title=locale.words(view.called),
        players=", ".join(view.listed_names),
        due=next((due or NEVER for due in mine), None),
        asks="".join(_asks(due, locale) for due in mine),
        story=_shown(story, reader, locale),
        more="" if reader.secret_free else _more(len(story) - MOST_TOLD, locale),
        waits=[_waits(names[other.seat], other.due_at, locale) for other in view.owed if other.seat != seat],
        signed=view.receipt(upto),
    )


def _since_they_sit(events: Sequence[Event], seat: Seat) -> Sequence[Event]:
    """The events since a player took a seat over, if they did: what was before, their first letter told."""
    taken = [place for place, event in enumerate(events) if isinstance(event, SeatTakenOver) and event.seat == seat]
    return events[taken[-1] :] if taken else events


def _shown(story: Sequence[str], reader: Reader, locale: ReaderLocale) -> list[str]:
    """The last of what happened; only how much it was for a reader who wants no secrets in mails (OUT-36)."""
    if reader.secret_free and story:
        return [locale.words(say_n("{count} event.", "{count} events.", len(story)))]
    return list(story[-MOST_TOLD:])


def _more(count: int, locale: ReaderLocale) -> str:
    if count <= 0:
        return ""
    return locale.words(say_n("And {count} earlier event.", "And {count} earlier events.", count))


def _asks(due: int | None, locale: ReaderLocale) -> str:
    if due is None:
        return locale.words(say("It is your turn; the clock is stopped."))
    return locale.words(say("It is your turn: answer by {due}.", due=locale.when(due)))


def _waits(player: str, due: int | None, locale: ReaderLocale) -> str:
    if due is None:
        return locale.words(say("{player} has to answer; the clock is stopped.", player=player))
    return locale.words(say("{player} has to answer by {due}.", player=player, due=locale.when(due)))


def _version_at(services: Services, connection: Connection, head: Head, at: int) -> int:
    """The last event of a game that was recorded up to a moment; 0 for none."""
    if head.news_at <= at:
        return head.version
    versions = range(1, head.version + 1)
    return bisect_right(versions, at, key=lambda version: services.streams.time_of(connection, head.game, version))
