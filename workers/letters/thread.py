"""The thread of a reader's letters about a game: its root, the letter before, and when a new one begins (OUT-09)."""

from dataclasses import dataclass
from typing import Final

from service.mail import addresses
from service.store.outgoing.sent_mails import count_before, previous_message_id
from workers.letters.letter_view import LetterRequest

A_VOLUME: Final = 90
"""Mails of one thread before a new one begins: mail programs split it at a hundred."""


@dataclass(frozen=True, slots=True)
class Thread:
    """Where a letter stands among those before it."""

    root: str
    previous: str | None  # the Message-ID of the mail before it: the same one at every attempt (T-51)
    begins_anew: bool = False


def thread_of(request: LetterRequest) -> Thread:
    """The thread of a letter, of the mails that were out when its notice was made."""
    notice, services = request.notice, request.services
    before = count_before(request.connection, notice)
    begins, volume = before % A_VOLUME == 0, before // A_VOLUME
    number = f".{volume}" if volume else ""
    mac = addresses.short_mac(services.settings, notice.recipient)
    return Thread(
        root=f"<g.{notice.game_id}{number}.{mac}@{services.settings.mail_domain}>",
        previous=None if begins else previous_message_id(request.connection, notice),
        begins_anew=begins and before > 0,
    )
