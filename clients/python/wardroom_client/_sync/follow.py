"""Turns as they come: each decision once, none lost, whatever becomes of connections."""

from collections.abc import Iterator

from wardroom_client import models
from wardroom_client._sync.news import News, PolledNews, StreamedNews
from wardroom_client._sync.session import Session
from wardroom_client.cursors import Cursor
from wardroom_client.pauses import pause
from wardroom_client.problems import TooMany, Unavailable, Unreachable


def follow(session: Session, cursor: Cursor, news: News | None = None) -> Iterator[models.Turn]:
    """The decisions that wait, and those to come, without an end.

    What waits is always what /me/turns lists; news only say when to look. A decision counts as handled, and stands in
    the cursor, when the next one is asked for: whoever dies in between is asked again, if it still waits. Raises
    Problem where it is final, such as SignedOut.
    """
    given = news is not None
    current: News = news or StreamedNews(session)
    failed = 0
    try:
        while True:
            try:
                turns: models.Turns = session.get("/me/turns")
                failed = 0
            except (Unreachable, Unavailable, TooMany):
                failed += 1
                pause(session.retries.pause(min(failed, session.retries.attempts - 1)) or 0)
                continue
            for turn in turns["items"]:
                if not cursor.has(turn):
                    yield turn
                    cursor.add(turn)
            try:
                if not current.wait() and not given:
                    current = PolledNews(session)
            except (Unreachable, Unavailable, TooMany):
                continue
    finally:
        current.close()
