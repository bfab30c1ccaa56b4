"""Notes at the end of a letter: mails that were held back, and the reader's own that were not answered."""

from typing import Final

from domain.engine.sentences import Sentence, say_n
from service.notify import notice_log
from service.notify.kind import KINDS
from service.store.database import Connection
from service.store.incoming.inbox import count_unanswered
from service.store.outgoing.notice import Notice
from service.store.outgoing.sent_mails import last_made_before, last_made_of_all_games
from workers.commands import reply_limits

TELL_HELD: Final = frozenset(kind.name for kind in KINDS.values() if kind.tells_held)
SCHEDULED: Final = frozenset(kind.name for kind in KINDS.values() if kind.scheduled)


def note_held_back(connection: Connection, notice: Notice) -> list[Sentence]:
    """How many mails were held back since the last mail, as of this notice (RATE-09)."""
    if not KINDS[notice.kind].tells_held:
        return []
    since = last_made_of_all_games(connection, notice, TELL_HELD)
    count = notice_log.held(connection, notice.recipient, since, notice.created_at)
    if not count:
        return []
    return [
        say_n(
            "{count} mail to you was held back before this one because you had so many: check your games.",
            "{count} mails to you were held back before this one because you had so many: check your games.",
            count,
        )
    ]


def note_unanswered(connection: Connection, notice: Notice) -> list[Sentence]:
    """How many mails of the reader were not answered since the last scheduled mail, as of this notice (decision 9)."""
    if notice.is_to_address or not notice.game_id or not KINDS[notice.kind].tells_held:
        return []
    since = last_made_before(connection, notice, SCHEDULED)
    where = (notice.recipient, notice.game_id, reply_limits.UNANSWERED)
    count = count_unanswered(connection, *where, after=since, upto=notice.created_at)
    if not count:
        return []
    return [
        say_n(
            "{count} mail to your reply addresses was not answered (it looked automatic, came too often, or "
            "came from elsewhere); `GET /me/mails` lists it.",
            "{count} mails to your reply addresses were not answered (they looked automatic, came too often, "
            "or came from elsewhere); `GET /me/mails` lists them.",
            count,
        )
    ]
