"""What a digest tells: of each game what happened, who is to answer by when, and where to look (RATE-06).

Each game is told from the view of its reader's seat, up to the moment the digest was made; who is to answer, as it is
when the digest is sent. It asks for nothing itself: a mail has one Reply-To, and that answers one decision.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sa
import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from domain.audit.checkpoints import Signed
from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, say, say_n
from domain.table.events import SeatTakenOver
from service.container import Services
from service.games import event_text
from service.games.play import shown_names
from service.languages import words as speaker
from service.languages.time_text import ReaderLocale
from service.notify import digests
from service.store.checkpoints import checkpoint
from service.store.decisions import decisions
from service.store.halted import why_halted
from service.store.players import players
from service.store.streams import Head
from workers.letters.former.facts import Row
from workers.letters.letter_data import Reader, Superseded

log = structlog.get_logger("wardroom.mail")

MOST_TOLD: Final = 5
"""Sentences about one game."""
MOST_GAMES: Final = 40
NEVER: Final = 10**18


@dataclass(frozen=True, slots=True)
class News:
    """One game in a digest, in its reader's words."""

    game: str
    title: str
    players: str
    due: int | None  # when the reader's own answer is due, NEVER where the clock stands; None: none is owed
    asks: str  # the same in words
    story: list[str]
    more: str  # how much happened before that, "" for nothing
    waits: list[str]  # whose answers are owed, and by when
    signed: Signed


@dataclass(frozen=True, slots=True)
class Digest:
    """All games of a reader, those that wait for them first; `left_out` are more than fit."""

    frequency: str
    news: list[News]
    left_out: int

    @property
    def headline(self) -> Sentence:
        """Its first line."""
        turns = sum(one.due is not None for one in self.news)
        if turns:
            return say_n("It is your turn in {count} game.", "It is your turn in {count} games.", turns)
        return say("What happened in your games.")


def told(services: Services, connection: Connection, row: Row, reader: Reader) -> Digest:
    """What a digest tells. Raises Superseded where nothing happened."""
    wanted = sa.select(players.c.digest).where(players.c.id == row["recipient"])
    frequency, made = str(connection.execute(wanted).scalar()), row["created_at"]
    since = digests.told_until(connection, row["recipient"], made)
    found = digests.games_of(connection, row["recipient"], since)
    all_of_them = [_news_if_any(services, connection, game, seat, since, made, reader) for game, seat in found]
    news = [one for one in all_of_them if one is not None]
    if not any(one.story for one in news):
        raise Superseded("nothing happened")
    news.sort(key=lambda one: (one.due is None, one.due or 0, not one.story, one.game))
    return Digest(frequency, news[:MOST_GAMES], len(news[MOST_GAMES:]))


def _news_if_any(
    services: Services, connection: Connection, game: str, seat: Seat, since: int, made: int, reader: Reader
) -> News | None:
    """The news of one game; None also of one that is stopped or cannot be read: the others are told."""
    if why_halted(connection, game) is not None:
        return None
    try:
        return _news(services, connection, game, seat, since, made, reader)
    except DBAPIError:
        raise
    except Exception as error:
        log.exception("a digest goes without a game", game=game, error=type(error).__name__)
        return None


def _news(
    services: Services, connection: Connection, game: str, seat: Seat, since: int, made: int, reader: Reader
) -> News | None:
    now = services.streams.head(connection, game)
    locale = ReaderLocale(reader.timezone, reader.language, speaker(reader.language, now.rules.kind))
    names = [locale.words(name) for name in shown_names(connection, now)]
    after, upto = (_version_at(services, connection, now, at) for at in (since, made))
    if not upto:
        return None
    events = services.streams.facts_seen(connection, game, now.rules, seat, after=after, upto=upto)
    told_of = _since_they_sit(list(events), seat)
    rewinds = services.streams.rewinds(connection, game, upto)
    sentences = event_text.story(now.rules, told_of, upto - len(told_of) + 1, rewinds, names)
    story = [locale.words(sentence) for sentence in sentences]
    owed = _owed(connection, game)
    mine = [due for one, due in owed if one == seat]
    return News(
        game=game,
        title=now.rules.presentation.title,
        players=", ".join(names),
        due=next((due or NEVER for due in mine), None),
        asks="".join(_asks(due, locale) for due in mine),
        story=_shown(story, reader, locale),
        more="" if reader.secret_free else _more(len(story) - MOST_TOLD, locale),
        waits=[_waits(names[one], due, locale) for one, due in owed if one != seat],
        signed=checkpoint(connection, services.streams, services.signer, game, upto),
    )


def _since_they_sit(events: Sequence[Event], seat: Seat) -> Sequence[Event]:
    """What happened since a player took a seat over, if they did: what was before, their first letter told."""
    taken = [place for place, event in enumerate(events) if isinstance(event, SeatTakenOver) and event.seat == seat]
    return events[taken[-1] :] if taken else events


def _shown(story: Sequence[str], reader: Reader, locale: ReaderLocale) -> list[str]:
    """The last of what happened; to who wants no secrets in mails, only how much it was (OUT-36)."""
    if reader.secret_free and story:
        return [locale.words(say_n("{count} thing happened.", "{count} things happened.", len(story)))]
    return list(story[-MOST_TOLD:])


def _more(count: int, locale: ReaderLocale) -> str:
    if count <= 0:
        return ""
    return locale.words(say_n("And {count} thing more before that.", "And {count} things more before that.", count))


def _owed(connection: Connection, game: str) -> list[tuple[Seat, int | None]]:
    found = sa.select(decisions.c.seat, decisions.c.due_at).where(decisions.c.game_id == game)
    return [(row[0], row[1]) for row in connection.execute(found.order_by(decisions.c.seat))]


def _asks(due: int | None, locale: ReaderLocale) -> str:
    if due is None:
        return locale.words(say("It is your turn; the clock stands."))
    return locale.words(say("It is your turn: answer by {due}.", due=locale.when(due)))


def _waits(player: str, due: int | None, locale: ReaderLocale) -> str:
    if due is None:
        return locale.words(say("{player} is to answer; the clock stands.", player=player))
    return locale.words(say("{player} is to answer by {due}.", player=player, due=locale.when(due)))


def _version_at(services: Services, connection: Connection, head: Head, at: int) -> int:
    """The last event of a game that was recorded up to a moment; 0 for none."""
    if head.last_at <= at:
        return head.version
    versions = range(1, head.version + 1)
    return bisect_right(versions, at, key=lambda version: services.streams.time_of(connection, head.game, version))
