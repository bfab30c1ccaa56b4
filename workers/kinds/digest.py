"""The digest: one mail over all games of a player (RATE-06)."""

from collections.abc import Iterator
from dataclasses import dataclass

from domain.engine.sentences import say
from service.container import Services
from service.notify import digests
from service.notify.quiet_hours import waking
from service.notify.waits import MORNING
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import Wait
from workers.letters.content import DigestContent
from workers.letters.digest_text import make_digest
from workers.letters.letter_data import Reader, Superseded
from workers.letters.letter_view import LetterRequest
from workers.letters.reader import by_wish


@dataclass(frozen=True, slots=True)
class DigestKind:
    """The kind of notice that is about all games of a player."""

    name: str = digests.KIND
    sender: str = say("digest")

    def reader(self, services: Services, connection: Connection, notice: Notice, /) -> Reader:
        return by_wish(services, connection, notice)

    def still_true(self, services: Services, connection: Connection, notice: Notice, /) -> None:
        """Check that a digest is wanted still, and that no later one was made."""
        if (why := digests.check(connection, notice)) is not None:
            raise Superseded(why)

    def waits(self, request: LetterRequest, now: int, /) -> Iterator[Wait]:
        """By day (RATE-07)."""
        morning = waking(request.reader.timezone, request.reader.wakes_at).awake_from(now)
        yield Wait(morning, MORNING)

    def content(self, request: LetterRequest, /) -> DigestContent:
        return DigestContent(make_digest(request))


KIND = DigestKind()
