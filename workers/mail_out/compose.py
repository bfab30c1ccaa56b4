"""Letters: what a player reads, composed from facts. The same notice makes the same bytes (RATE-02)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from sqlalchemy import Connection

from domain.engine.sentences import Sentence, Words, say
from domain.engine.sentences import say as formed
from service.container import Services
from service.languages import UNIVERSAL, shown
from service.languages import words as speaker
from service.languages.time_text import ReaderLocale
from service.mail import addresses, deliverability, reply_tokens, unsubscribes
from service.mail.invitations import ANYBODY
from service.notify import digests
from service.notify.notice import Notice
from service.privacy import final_mail
from workers.commands import outcomes
from workers.commands.block_text import unfolded
from workers.commands.command import Command
from workers.letters.deadline_text import due_words, left_words
from workers.letters.former import clock_text, orders_summary
from workers.letters.former.board_picture import picture_of
from workers.letters.former.calendar_file import deadline_file
from workers.letters.former.digest_text import told
from workers.letters.former.facts import Facts, Row, check_claim, departing, facts_of, held_notes, reader_of
from workers.letters.former.invitation_text import invited
from workers.letters.letter_data import Asked, Reader
from workers.mail_out.mime_message import Attached, Envelope, build
from workers.parsing.new_text import marker_line

GAME_KINDS: Final[Mapping[str, Sentence]] = {
    "your-turn": say("your turn"),
    "reminder": say("reminder"),
    "deadline-passed": say("your deadline passed"),
    "game-over": say("the game is over"),
    "invitation": say("an invitation"),
    "undeliverable": say("a player cannot be reached"),
    "answer": say("your mail"),
    "fresh": say("new answering address"),
    "confirm": say("please confirm"),
    "talk": say("table talk"),
    "orders-dropped": say("your standing orders"),
    "brief": say("your seat"),
    "proposal": say("a proposal"),
    "taken-back": say("taken back"),
    "clock-news": say("the clock"),
    "vacant": say("a vacant seat"),
}
"""The kinds of letters about games, and what the sender's display name adds (OUT-10)."""
NOT_OFFERED: Final = frozenset(
    {"yes", "no", "join", "leave", "stop", "pass", "agree", "refuse", "pause", "resume", "extend"}
)
"""Universal words that a letter does not list: they fit certain letters only."""
WITHOUT_PICTURE: Final = frozenset({"invitation", "undeliverable", "confirm", "talk"})
USABLE_ID: Final = re.compile(r"<[!-;=?-~]{1,190}>")
NOT_ANSWERED: Final = frozenset({"undeliverable"})


@dataclass(frozen=True, slots=True)
class Letter:
    """A message ready to go: where to, from which return path, its bytes, and what its addresses may do."""

    to: str
    return_path: str
    message_id: str
    data: bytes
    grants: tuple[tuple[str, dict[str, Any]], ...] = field(default=(), compare=False)


def compose(services: Services, connection: Connection, row: Row) -> Letter:
    """The letter of a notice. Raises Superseded where its claim is not true any more."""
    return written(services, connection, row, *checked(services, connection, row))


def checked(services: Services, connection: Connection, row: Row) -> tuple[Reader, Asked | None]:
    """Who a notice is for, and the decision it is about. Raises Superseded where its claim is not true any more."""
    reader = departing(services, row) if row["kind"] == final_mail.KIND else reader_of(connection, row)
    return reader, check_claim(services, connection, row)


def written(services: Services, connection: Connection, row: Row, reader: Reader, asked: Asked | None) -> Letter:
    """The letter of a notice that was checked. Raises Superseded for a digest with nothing to tell."""
    if row["kind"] == digests.KIND:
        return _digest(services, connection, row, reader)
    if row["kind"] in ACCOUNT:
        return ACCOUNT[row["kind"]](services, row, reader)
    facts = facts_of(services, connection, row, reader, asked)
    return _about_game(services, row, reader, facts)


def grant(services: Services, tx: Connection, row: Row, letter: Letter) -> None:
    """Make the addresses in a letter good, before it leaves."""
    for purpose, more in letter.grants:
        reply_tokens.issue(services, tx, purpose, row, **more)


def _about_game(services: Services, row: Row, reader: Reader, facts: Facts) -> Letter:
    head = facts.head
    speak = speaker(reader.language, head.rules.kind)
    title = head.rules.presentation.title
    grants = _grants(row, reader, facts)
    reply = addresses.full(services, reply_tokens.local_part(services, grants[0][0], row)) if _answerable(row) else None
    words = _words(services, row, reader, facts, speak) | {
        "reply": reply,
        "marker": speak(marker_line(reply_tokens.mark_of(services, row["id"]))) if reply else "",
        "title": title,
        "link": f"{services.settings.base_url}/api/v1/games/{head.game}",
        "stop_link": _stop_link(services, row, reader),
        "guest": reader.player is None,
        "invited": invited(facts, speak) if row["kind"] == "invitation" else {},
    }
    words["headline"] = speak(HEADLINES[row["kind"]](words))
    shows = row["kind"] not in WITHOUT_PICTURE and not reader.secret_free
    picture = picture_of(head.rules.kind, facts, title, speak) if shows else None
    words["picture"] = picture
    envelope = _envelope(services, row, reader, facts, title, speak, reply)
    attached = [*([_picture(picture, row)] if picture else []), *_calendar(services, row, reader, facts, words)]
    return _letter(services, row, envelope, words, "game", attached, tuple(grants))


def _words(services: Services, row: Row, reader: Reader, facts: Facts, speak: Words) -> dict[str, Any]:
    due, left = "", ""
    if facts.asked is not None and facts.asked.due is not None:
        due = due_words(facts.asked.due, reader.timezone, reader.language)
        left = speak(left_words(facts.asked.due - row["created_at"]))
    kind, language = facts.head.rules.kind, reader.language
    return {
        "_": lambda template, **values: speak(formed(template, **values)),
        "shown": lambda line: shown(line, language, kind),
        "both": lambda line: _both(line, language, kind),
        "universal": ", ".join(shown(word, language, kind) for word in UNIVERSAL if word not in NOT_OFFERED),
        "row": row,
        "reader": reader,
        "facts": facts,
        "outcome": facts.outcome,
        "ordered": [] if facts.outcome is None else _ordered(facts.outcome, row),
        "ahead": speak(orders_summary.told(facts.standing)),
        "base": services.settings.base_url,
        "due": due,
        "clock": [speak(line) for line in clock_text.told(facts, row, ReaderLocale(reader.timezone, language, speak))],
        "bank_ahead": ""
        if (at := clock_text.bank_ahead(facts, row)) is None
        else due_words(at, reader.timezone, language),
        "left": left,
        "bare": reader.secret_free,
        "stopped": row["kind"] == "undeliverable" and deliverability.tells_of_a_stop(row),
        "result": speak(outcomes.HEADLINES[facts.outcome.result]) if facts.outcome else "",
        "received": due_words(facts.mail["received_at"], reader.timezone, reader.language) if facts.mail else "",
    }


def _ordered(outcome: outcomes.Outcome, row: Row) -> list[str]:
    """What a mail orders, line by line; in an answer without what it orders ahead, for that is shown as it stands."""
    commands = map(Command.of, outcome.commands)
    return unfolded([it.text for it in commands if row["kind"] == "confirm" or not it.files])


def _both(line: str, language: str, kind: str) -> str:
    """A command in the reader's words, and in the canonical ones beside them where those differ (OUT-31, OUT-37)."""
    own = shown(line, language, kind)
    return line if own == line else f"{own}  ({line})"


def _answerable(row: Row) -> bool:
    return row["kind"] not in NOT_ANSWERED


def _grants(row: Row, reader: Reader, facts: Facts) -> list[tuple[str, dict[str, Any]]]:
    """What the addresses of this letter may do: one decision of one seat, or confirm one mail (OUT-25)."""
    if not _answerable(row):
        return []
    if row["kind"] == "confirm" and facts.mail is not None:
        answer = (addresses.CONFIRM, {"player": reader.player, "held": facts.mail["id"]})
    else:
        decision = facts.asked.decision if facts.asked else facts.outcome.answers if facts.outcome else ""
        answer = (addresses.ANSWER, {"player": reader.player, "decision": decision, "options": facts.options})
    return [answer, (addresses.UNSUBSCRIBE, {"player": reader.player})]


def _envelope(
    services: Services, row: Row, reader: Reader, facts: Facts, title: str, speak: Words, reply: str | None
) -> Envelope:
    settings, game = services.settings, facts.head.game
    mac = addresses.short_mac(services, row["recipient"])
    volume = f".{facts.volume}" if facts.volume else ""
    root = f"<g.{game}{volume}.{mac}@{settings.mail_domain}>"
    own = _usable_id(facts.mail["message_id"]) if facts.mail is not None else ""
    people = ", ".join(facts.players) if facts.head.table.game is not None else speak(say("a new table"))
    subject = f"[{title} #{game}] {people}"
    if reader.new_subjects and facts.head.version:
        subject = f"{subject} ({facts.head.version})"
    stop_mail = None
    if reply is not None:
        stop_mail = addresses.full(services, reply_tokens.local_part(services, addresses.UNSUBSCRIBE, row))
    return Envelope(
        to=reader.email,
        name=reader.name,
        sender=f"{title} – {speak(GAME_KINDS[row['kind']])}",
        subject=subject,
        reply_to=None if reply is None else (speak(say("Reply with your move")), reply),
        references=[root, *([facts.previous] if facts.previous else [])],
        in_reply_to=own or facts.previous or root,
        automatic="auto-replied" if facts.mail is not None else "auto-generated",
        list_id=f"<game-{game}.{settings.mail_domain}>",
        unsubscribe=_stop_link(services, row, reader),
        unsubscribe_mail=stop_mail,
        checkpoints=[facts.signed],
    )


def _stop_link(services: Services, row: Row, reader: Reader) -> str:
    """Where mail about this game is stopped, or all invitations to a guest (OUT-15)."""
    stopped = (row["recipient"], ANYBODY) if reader.player is None else (reader.player, row["game_id"])
    return f"{services.settings.base_url}/u/{unsubscribes.token(services, *stopped)}"


def _usable_id(message_id: str) -> str:
    """A Message-ID of the player's that can stand in a header of ours; "" for one that could do harm there (T-50)."""
    return message_id if USABLE_ID.fullmatch(message_id) and "=?" not in message_id else ""


def _picture(picture: Any, row: Row) -> Attached:
    return Attached("image", "png", picture.png, "board.png", content_id="board")


def _calendar(services: Services, row: Row, reader: Reader, facts: Facts, words: dict[str, Any]) -> list[Attached]:
    """The deadline as a file for calendars, for who asked for it (OUT-19)."""
    wanted = reader.calendar and row["kind"] in ("your-turn", "reminder")
    asked_now = facts.outcome is not None and facts.outcome.calendar
    if facts.asked is None or facts.asked.due is None or not (wanted or asked_now):
        return []
    return [Attached("text", "calendar", deadline_file(services, row, facts, words), "deadline.ics")]


def _code(services: Services, row: Row, reader: Reader) -> Letter:
    code = services.sealer.open("codes", f"code|{row['decision']}", row["secret"]).decode()
    return _about_account(services, row, reader, "code", say("Your code for Wardroom"), code=code)


def _probe(services: Services, row: Row, reader: Reader) -> Letter:
    return _about_account(services, row, reader, "probe", say("Does mail from Wardroom reach you?"))


def _farewell(services: Services, row: Row, reader: Reader) -> Letter:
    return _about_account(services, row, reader, final_mail.KIND, say("What Wardroom knew about you is erased"))


def _digest(services: Services, connection: Connection, row: Row, reader: Reader) -> Letter:
    settings, speak, digest = services.settings, speaker(reader.language), told(services, connection, row, reader)
    stop = f"{settings.base_url}/u/{unsubscribes.token(services, row['recipient'], digests.about(digest.frequency))}"
    words = {
        "_": lambda text, **values: speak(formed(text, **values)),
        "reader": reader,
        "base": settings.base_url,
        "headline": speak(digest.headline),
        "digest": digest,
        "notes": [speak(note) for note in held_notes(connection, row)],
        "stop_link": stop,
    }
    envelope = Envelope(
        to=reader.email,
        name=reader.name,
        sender=f"Wardroom – {speak(say('digest'))}",
        subject=speak(say("Your games at Wardroom")),
        list_id=f"<digest.{settings.mail_domain}>",
        unsubscribe=stop,
        unsubscribe_mail=addresses.full(services, reply_tokens.local_part(services, addresses.UNSUBSCRIBE, row)),
        checkpoints=[one.signed for one in digest.news],
    )
    return _letter(
        services, row, envelope, words, "digest", [], ((addresses.UNSUBSCRIBE, {"player": row["recipient"]}),)
    )


def _about_account(
    services: Services, row: Row, reader: Reader, template: str, headline: Sentence, **more: Any
) -> Letter:
    speak = speaker(reader.language)
    words = {
        "_": lambda text, **values: speak(formed(text, **values)),
        "row": row,
        "reader": reader,
        "base": services.settings.base_url,
        "headline": speak(headline),
        **more,
    }
    envelope = Envelope(to=reader.email, name=reader.name, sender="Wardroom", subject=speak(headline))
    return _letter(services, row, envelope, words, template, [], ())


ACCOUNT: Final[dict[str, Callable[[Services, Row, Reader], Letter]]] = {
    "code": _code,
    "probe": _probe,
    final_mail.KIND: _farewell,
}


def _letter(
    services: Services,
    row: Row,
    envelope: Envelope,
    words: dict[str, Any],
    template: str,
    attached: list[Attached],
    grants: tuple[tuple[str, dict[str, Any]], ...],
) -> Letter:
    text = _ENVIRONMENT.get_template(f"{template}.txt").render(words)
    html = _ENVIRONMENT.get_template(f"{template}.html").render(words)
    message_id, data = build(services, Notice.of(row), envelope, text, html, attached)
    return Letter(envelope.to, addresses.return_path(services, row["id"]), message_id, data, grants)


def _your_turn(words: dict[str, Any]) -> Sentence:
    if words["due"]:
        return say("Your turn in {title} – answer by {due}.", title=words["title"], due=words["due"])
    return say("Your turn in {title}.", title=words["title"])


def _reminder(words: dict[str, Any]) -> Sentence:
    if words["bank_ahead"]:
        return say(
            "Reminder: your time for this move in {title} ends {at}; then your bank is used.",
            title=words["title"], at=words["bank_ahead"],
        )  # fmt: skip
    return say(
        "Reminder: your answer in {title} is due in {left}, by {due}.",
        title=words["title"], left=words["left"], due=words["due"],
    )  # fmt: skip


def _answer(words: dict[str, Any]) -> Sentence:
    moved = words["outcome"].result == outcomes.APPLIED and words["outcome"].since > words["outcome"].before
    if words["due"] and moved:
        return say("{result} It is your turn again: answer by {due}.", result=words["result"], due=words["due"])
    if words["due"]:
        return say("{result} Your answer is due by {due}.", result=words["result"], due=words["due"])
    return say("{result}", result=words["result"])


def _deadline_passed(words: dict[str, Any]) -> Sentence:
    if words["facts"].head.table.late == words["facts"].seat:
        return say("Your deadline in {title} passed: the clock stands until you answer.", title=words["title"])
    return say("Your deadline in {title} passed: the caretaker played for you.", title=words["title"])


def _undeliverable(words: dict[str, Any]) -> Sentence:
    player = words["facts"].players[words["row"]["seat"]]
    if words["stopped"]:
        return say("Mail to {player} in {title} has stopped.", player=player, title=words["title"])
    return say("{player} could not be told that it is their turn in {title}.", player=player, title=words["title"])


HEADLINES: Final[dict[str, Callable[[dict[str, Any]], Sentence]]] = {
    "your-turn": _your_turn,
    "reminder": _reminder,
    "deadline-passed": _deadline_passed,
    "game-over": lambda words: say("Your game of {title} is over.", title=words["title"]),
    "invitation": lambda words: say(
        "{host} invites you to a game of {title}.", host=words["facts"].players[0], title=words["title"]
    ),
    "undeliverable": _undeliverable,
    "answer": _answer,
    "confirm": lambda words: say("Did you send this mail about {title}? Answer yes or no.", title=words["title"]),
    "talk": lambda words: say("Table talk in {title}.", title=words["title"]),
    "orders-dropped": lambda words: say("Your standing orders in {title} were dropped.", title=words["title"]),
    **dict.fromkeys(("proposal", "taken-back", "clock-news", "vacant"), lambda words: words["facts"].news.headline),
    "brief": lambda words: say("You have a seat in {title}.", title=words["title"]),
    "fresh": lambda words: say(
        "Your answering address in {title} has changed: use the one of this mail.", title=words["title"]
    ),
}  # fmt: skip
_ENVIRONMENT: Final = Environment(
    loader=PackageLoader("workers"),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
