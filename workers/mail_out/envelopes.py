"""Envelopes: what the headers of a letter say, by the frame of its content."""

import re
from dataclasses import dataclass
from typing import Final

from domain.engine.sentences import say
from service.languages import words as speaker
from service.mail import addresses, reply_tokens, unsubscribes
from service.notify import digests
from service.store.event_store import house_log
from service.store.outgoing.sent_mails import count_before, previous_message_id
from workers.letters.content import GameContent
from workers.letters.digest import Digest
from workers.letters.letter_view import LetterRequest
from workers.mail_out.mime_message import Envelope

USABLE_ID: Final = re.compile(r"<[!-;=?-~]{1,190}>")
A_VOLUME: Final = 90
"""Mails of one thread before a new one begins: mail programs split it at a hundred."""


@dataclass(frozen=True, slots=True)
class Thread:
    """The place of a letter among those about the same game (OUT-09)."""

    root: str
    previous: str | None  # the Message-ID of the mail before it: the same one at every attempt (T-51)
    begins_anew: bool = False


def thread_of(request: LetterRequest) -> Thread:
    """Return the thread of a letter, of the mails that were out when its notice was made."""
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


def game_envelope(content: GameContent, thread: Thread, sender: str, reply: str | None) -> Envelope:
    """The envelope of a letter about a game; `reply` is its answering address."""
    view = content.view
    services, reader = view.services, view.reader
    own = _usable_id(content.in_answer_to or "")
    before = [] if thread.previous is None else [thread.previous]
    return Envelope(
        to=reader.email,
        name=reader.name,
        sender=_sender(content, sender),
        subject=_subject(content),
        reply_to=None if reply is None else (view.words(say("Reply with your move")), reply),
        references=[thread.root, *before],
        in_reply_to=own or thread.previous or thread.root,
        automatic="auto-generated" if content.in_answer_to is None else "auto-replied",
        list_id=f"<game-{view.head.game}.{services.settings.mail_domain}>",
        unsubscribe=view.stop_link,
        unsubscribe_mail=None if reply is None else address(view.request, addresses.UNSUBSCRIBE),
        checkpoints=[view.signed],
        log_head=house_log.latest(view.request.connection),
    )


def _sender(content: GameContent, kind: str) -> str:
    view = content.view
    return f"{content.inviter} (Wardroom)" if content.inviter else f"{_capitalized(view.words(kind))} – {view.title}"


def _capitalized(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def digest_envelope(request: LetterRequest, digest: Digest, sender: str) -> Envelope:
    """The envelope of a digest: nobody reads an answer to it."""
    speak = speaker(request.reader.language)
    return Envelope(
        to=request.reader.email,
        name=request.reader.name,
        sender=f"{_capitalized(speak(sender))} – Wardroom",
        subject=speak(say("Your games at Wardroom")),
        list_id=f"<digest.{request.services.settings.mail_domain}>",
        unsubscribe=digest_stop_link(request, digest),
        unsubscribe_mail=address(request, addresses.UNSUBSCRIBE),
        checkpoints=[game.signed for game in digest.news],
        log_head=house_log.latest(request.connection) if digest.news else None,
    )


def digest_stop_link(request: LetterRequest, digest: Digest) -> str:
    """Where digests are switched off."""
    matter = digests.about(digest.frequency)
    token = unsubscribes.token(request.services, request.notice.recipient, matter)
    return f"{request.services.settings.base_url}/u/{token}"


def address(request: LetterRequest, purpose: str) -> str:
    """The address of a letter for a purpose."""
    local = reply_tokens.local_part(request.services.settings, purpose, request.notice)
    return addresses.full(request.services.settings, local)


def _subject(content: GameContent) -> str:
    view = content.view
    if content.subject:
        return view.words(content.subject)
    subject = f"[{view.title} #{view.head.game}] {view.players}"
    version = f" ({view.head.version})" if view.reader.new_subjects and view.head.version else ""
    return subject + version


def _usable_id(message_id: str) -> str:
    """A Message-ID of the player's that can stand in a header of ours; "" for one that could do harm there (T-50)."""
    return message_id if USABLE_ID.fullmatch(message_id) and "=?" not in message_id else ""
