"""Letters: what a player reads, rendered from its content. The same notice makes the same bytes (RATE-02)."""

import re
from collections.abc import Sequence
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from domain.engine.sentences import Words, say
from domain.engine.sentences import say as formed
from service.container import Services
from service.deadlines.calendar import Deadline, calendar_file
from service.languages import UNIVERSAL, shown
from service.languages import words as speaker
from service.mail import addresses, reply_tokens
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from service.store.running.heartbeats import RESTORED, last_beat
from workers.kinds.registry import kind_of
from workers.letters.content import AccountContent, DigestContent, GameContent
from workers.letters.letter_view import LetterRequest, LetterView
from workers.letters.notes import note_held_back, note_unanswered
from workers.letters.sections import Board, Paragraph, Section
from workers.mail_out.envelopes import address, digest_envelope, digest_stop_link, game_envelope, thread_of
from workers.mail_out.letter import Grant, Letter
from workers.mail_out.mime_message import Envelope, build
from workers.mail_out.mime_parts import Attached
from workers.parsing.new_text import marker_line

NOT_OFFERED: Final = frozenset(
    {"yes", "no", "join", "leave", "resign", "stop", "pass", "agree", "refuse", "pause", "resume", "extend"}
)
"""Universal words that a letter does not list: they fit certain letters only."""
CODE: Final = re.compile(r"`([^`\n]+)`")


def compose(services: Services, connection: Connection, notice: Notice) -> Letter:
    """The letter of a notice. Raises Superseded where its claim is not true any more."""
    return render(check(services, connection, notice))


def check(services: Services, connection: Connection, notice: Notice) -> LetterRequest:
    """A notice, who it is for, and the decision it asks for. Raises Superseded where it is not true any more."""
    kind = kind_of(notice)
    reader = kind.reader(services, connection, notice)
    return LetterRequest(services, connection, notice, reader, kind.still_true(services, connection, notice))


def render(request: LetterRequest) -> Letter:
    """The letter of a notice that was checked. Raises Superseded for a digest with nothing to tell."""
    kind = kind_of(request.notice)
    match kind.content(request):
        case GameContent() as content:
            return _about_game(content, kind.sender)
        case AccountContent() as content:
            return _about_account(request, content)
        case DigestContent() as content:
            return _digest(request, content, kind.sender)


def grant(services: Services, tx: Connection, notice: Notice, letter: Letter) -> None:
    """Make the addresses in a letter good, before it leaves."""
    for purpose, rights in letter.grants:
        reply_tokens.issue(services.settings, services.database, services.sealer, tx, purpose, notice, **rights)


def _about_game(content: GameContent, sender: str) -> Letter:
    view, reply = content.view, content.reply
    thread = thread_of(view.request)
    answer_to = None if reply is None else address(view.request, reply.purpose)
    sections = _shown_sections(content)
    code, invitation = reply_tokens.mark_of(view.services.settings, view.notice.id), say("reply above this line")
    marker = marker_line(code, view.words(invitation)) if answer_to else ""
    words = _words(view.request, view.words, view.head.rules.kind) | {
        "headline": view.words(content.headline),
        "lead": view.words(content.lead) if content.lead else "",
        "sections": sections,
        "place": view.words(content.place) if content.place else "",
        "strip": view.words(content.place or (sender if content.inviter else view.place)),
        "game_title": view.title,
        "tables": [section.text for section in sections if isinstance(section, Board) and section.text],
        "both": view.both,
        "shown": view.shown,
        "canonical": view.canonical,
        "universal": ", ".join(view.shown(word) for word in UNIVERSAL if word not in NOT_OFFERED),
        "reply": answer_to,
        "marker": marker,
        "first_of_volume": thread.begins_anew,
        "notes": _notes(view),
        "link": view.link,
        "api_link": view.api_link,
        "head": view.head,
        "signed": view.signed,
    }
    envelope = game_envelope(content, thread, sender, answer_to)
    words["subject"] = envelope.subject
    return _letter(view.request, envelope, words, "game", _attached(content, sections), _grants(content))


def _shown_sections(content: GameContent) -> Sequence[Section]:
    """The sections for the reader, without secrets where they want none (OUT-36)."""
    if content.without_secrets is None or not content.view.reader.secret_free:
        return content.sections
    nothing_more = say(
        "You asked for mails without secrets, so this one says nothing more. The position: {link}",
        link=content.view.link,
    )
    return [*content.without_secrets, Paragraph([nothing_more])]


def _notes(view: LetterView) -> list[str]:
    connection, notice = view.connection, view.notice
    notes = (*note_unanswered(connection, notice), *note_held_back(connection, notice))
    return [view.words(note) for note in notes]


def _grants(content: GameContent) -> tuple[Grant, ...]:
    """What the addresses of this letter may do: one decision of one seat, or confirm one mail (OUT-25)."""
    view, reply = content.view, content.reply
    if reply is None:
        return ()
    rights: dict[str, Any] = {"player": view.reader.player}
    if reply.held is not None:
        answer = rights | {"held": reply.held}
    else:
        decision = view.asked.decision if view.asked else reply.decision
        numbers = {option.number: option.text for option in view.options if option.number is not None}
        answer = rights | {"decision": decision, "options": numbers}
    return ((reply.purpose, answer), (addresses.UNSUBSCRIBE, rights))


def _attached(content: GameContent, sections: Sequence[Section]) -> list[Attached]:
    """The board as a picture, and the deadline as a file for calendars where it is wanted (OUT-19)."""
    pictures = [section.picture for section in sections if isinstance(section, Board)]
    files = [
        Attached("image", "png", picture.png, "board.png", content_id="board") for picture in pictures if picture
    ]  # fmt: skip
    asked = content.view.asked
    if content.calendar and asked is not None and asked.due is not None:
        files.append(Attached("text", "calendar", _calendar(content.view, asked.due, asked.since), "deadline.ics"))
    return files


def _calendar(view: LetterView, due: int, since: int) -> bytes:
    """Return the deadline as a file for calendars; the same event whenever it is sent again."""
    assert view.seat is not None, "who has a deadline has a seat"
    summary = f"{view.title}: your answer is due"  # English in every language, as it always was
    deadline = Deadline(
        view.head.game, view.seat, since, due, view.notice.created_at, view.notice.id, summary, view.link
    )  # fmt: skip
    return calendar_file(view.services.settings.mail_domain, [deadline])


def _about_account(request: LetterRequest, content: AccountContent) -> Letter:
    speak, reader = speaker(request.reader.language), request.reader
    headline = speak(content.headline)
    words = _words(request, speak) | {"headline": headline, "sections": content.sections}
    envelope = Envelope(to=reader.email, name=reader.name, sender="Wardroom", subject=headline)
    return _letter(request, envelope, words, "account", [], ())


def _digest(request: LetterRequest, content: DigestContent, sender: str) -> Letter:
    digest, speak = content.digest, speaker(request.reader.language)
    words = _words(request, speak) | {
        "headline": speak(digest.headline),
        "digest": digest,
        "notes": [speak(note) for note in note_held_back(request.connection, request.notice)],
        "stop_link": digest_stop_link(request, digest),
    }
    grants = ((addresses.UNSUBSCRIBE, {"player": request.notice.recipient}),)
    return _letter(request, digest_envelope(request, digest, sender), words, "digest", [], grants)


def _words(request: LetterRequest, speak: Words, ruleset: str = "") -> dict[str, Any]:
    """What every template can say."""
    return {
        "_": lambda template, **values: speak(formed(template, **values)),
        "speak": speak,
        "shown": lambda line: shown(line, request.reader.language, ruleset),
        "reader": request.reader,
        "base": request.services.settings.base_url,
    }


def _letter(
    request: LetterRequest,
    envelope: Envelope,
    words: dict[str, Any],
    template: str,
    attached: list[Attached],
    grants: tuple[Grant, ...],
) -> Letter:
    text = _ENVIRONMENT.get_template(f"{template}.txt").render(words)
    html = _ENVIRONMENT.get_template(f"{template}.html").render(words)
    restored_at = last_beat(request.connection, RESTORED)
    message_id, data = build(request.services, request.notice, envelope, text, html, attached, restored_at)
    path = addresses.return_path(request.services.settings, request.notice.id)
    return Letter(envelope.to, path, message_id, data, grants)


def _with_code(text: str) -> Markup:
    """A text for HTML, what stands between `backticks` in it as something to type."""
    pieces = enumerate(CODE.split(text))
    return Markup("").join(Markup("<code>{}</code>").format(piece) if place % 2 else piece for place, piece in pieces)


_ENVIRONMENT: Final = Environment(
    loader=PackageLoader("workers"),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters["with_code"] = _with_code
_ENVIRONMENT.filters["block"] = lambda text: text.strip("\n")
