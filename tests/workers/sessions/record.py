"""A session as a record: what is done in it, and a page of all that came in and went out."""

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec

from service.kernel import clock
from service.mail.inbox import NotAccepted
from tests.letters import html_of, text_of
from tests.tables import Tables
from tests.workers.sessions.mails import answered_at, opened, raw_mail
from tests.workers.sessions.scene import certain
from workers.mail_out.letter import Letter


@dataclass(frozen=True)
class Session:
    """What it shows and of which requirements, the game it begins with, and what happens."""

    name: str
    title: str
    given: Callable[[Tables], str]
    steps: Sequence["Step"]
    html: bool = False
    """Whether the HTML of letters stands in the record; else its digest does."""


@dataclass
class Scene:
    """The session while it is played."""

    mail_tables: Tables
    game: str
    page: "Page"
    letters: dict[str, Letter] = field(default_factory=dict)
    kept: list[tuple[bytes, str, str]] = field(default_factory=list)


class Step(Protocol):
    def __call__(self, scene: Scene) -> None: ...


class Page:
    """The record, line by line."""

    def __init__(self, session: Session) -> None:
        self.html = session.html
        self.lines = [f"# {session.name}", f"# {session.title}", f"# Given: {session.given.__doc__}"]

    def heading(self, text: str) -> None:
        self.lines += ["", f"==== {text}"]

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def came(self, mail_tables: Tables, raw: bytes, recipient: str, sender: str, source: str) -> None:
        at = clock.text(mail_tables.clock.now())
        self.heading(f"{at[:19]}Z: a mail to {recipient}, from <{sender}>, by {source}")
        self.lines += raw.decode("utf-8", "backslashreplace").replace("\r\n", "\n").rstrip("\n").split("\n")

    def became(self, row: dict[str, Any], outcome: Any) -> None:
        told = f": {row['reason']}" if row["reason"] else ""
        self.heading(f"mail {row['id']} is {row['state']}{told}")
        if outcome is not None:
            self.lines += msgspec.json.format(msgspec.json.encode(outcome), indent=1).decode().split("\n")

    def left(self, letter: Letter) -> None:
        self.heading(f"a letter to {letter.to}, return path {letter.return_path}")
        head = letter.data.partition(b"\r\n\r\n")[0].decode()
        self.lines += [*head.split("\r\n"), "", *text_of(letter).rstrip("\n").split("\n"), ""]
        for part in opened(letter).walk():
            kind = part.get_content_type()
            if kind == "text/html" and self.html:
                self.lines += ["---- text/html", *html_of(letter).rstrip("\n").split("\n")]
            elif kind == "text/html":
                self.lines.append(f"---- text/html, {digest(html_of(letter).encode())}")
            elif kind == "text/calendar":
                self.lines += ["---- text/calendar", *str(part.get_content()).replace("\r\n", "\n").split("\n")]
            elif kind.startswith("image/"):
                self.lines.append(f"---- {kind}, a picture")
        self.lines.append(f"---- all of it: {digest(letter.data)}")

    def nothing(self) -> None:
        self.lines += ["", "(no letter)"]


def digest(data: bytes) -> str:
    return f"{len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}"


# What can happen


@dataclass(frozen=True)
class Mail:
    """Somebody answers a letter: their newest one, or the one that was kept under a name. `more` is for `raw_mail`."""

    who: str = "ann"
    text: str = ""
    letter: str = ""
    envelope: str | None = None
    recipient: Callable[[Scene, Letter], str] | None = None
    source: str = "lmtp"
    waits: bool = False
    """Whether it is left unread for now."""
    more: dict[str, Any] = field(default_factory=dict)

    def __call__(self, scene: Scene) -> None:
        mail_tables = scene.mail_tables
        letter = scene.letters[self.letter] if self.letter else mail_tables.newest_letter(self.who)
        mail_tables.sent += 1
        more = {
            name: value(scene) if callable(value) and name != "body" else value for name, value in self.more.items()
        }
        raw = raw_mail(mail_tables, letter, self.text, **{"who": self.who, **more})
        sender = f"{self.who}@people.example" if self.envelope is None else self.envelope
        recipient = self.recipient(scene, letter) if self.recipient else answered_at(letter)
        send(scene, raw, recipient, sender, self.source, waits=self.waits)


def send(scene: Scene, raw: bytes, recipient: str, sender: str, source: str = "lmtp", *, waits: bool = False) -> None:
    scene.kept.append((raw, recipient, sender))
    scene.page.came(scene.mail_tables, raw, recipient, sender, source)
    try:
        scene.mail_tables.accept_mail(raw, recipient, sender=sender, source=source)
    except NotAccepted as refused:
        scene.page.heading(f"refused: {refused}")
        return
    if not waits:
        work(scene)


def work(scene: Scene) -> None:
    """What waits is read, done and answered."""
    mail_tables = scene.mail_tables
    waiting = [row["id"] for row in mail_tables.mails(state="received")]
    mail_tables.read_inbox()
    for number in waiting:
        row = mail_tables.mails(id=number)[0]
        scene.page.became(row, mail_tables.outcome(number) if row["outcome"] is not None else None)
    delivered(scene)


def delivered(scene: Scene) -> None:
    """The letters that are due leave."""
    before = len(scene.mail_tables.carrier.letters)
    scene.mail_tables.deliver()
    letters = scene.mail_tables.carrier.letters[before:]
    for letter in letters:
        scene.page.left(letter)
    if not letters:
        scene.page.nothing()


@dataclass(frozen=True)
class Again:
    """The same bytes once more."""

    which: int = -1

    def __call__(self, scene: Scene) -> None:
        raw, recipient, sender = scene.kept[self.which]
        send(scene, raw, recipient, sender)


@dataclass(frozen=True)
class Keep:
    """The newest letter of somebody gets a name, to be answered later."""

    name: str
    who: str = "ann"
    which: int = -1

    def __call__(self, scene: Scene) -> None:
        scene.letters[self.name] = scene.mail_tables.letters_to(self.who)[self.which]


@dataclass(frozen=True)
class Passes:
    """Time passes; the clock's work is done, and its letters leave."""

    span: dict[str, float]
    sweeps: bool = True

    def __call__(self, scene: Scene) -> None:
        scene.mail_tables.advance(**self.span)
        at = clock.text(scene.mail_tables.clock.now())
        scene.page.heading(f"{at[:19]}Z: time has passed")
        if self.sweeps:
            scene.page.lines.append(f"{scene.mail_tables.sweep()} deadlines or reminders")
            delivered(scene)


@dataclass(frozen=True)
class Plays:
    """Somebody plays over the API."""

    seat: int
    text: str

    def __call__(self, scene: Scene) -> None:
        scene.page.heading(f"seat {self.seat} plays over the API: {self.text!r}")
        scene.mail_tables.move(scene.game, self.seat, self.text)
        delivered(scene)


@dataclass(frozen=True)
class Works:
    """What was left unread is read."""

    def __call__(self, scene: Scene) -> None:
        scene.page.heading("what waited is read")
        work(scene)


@dataclass(frozen=True)
class Stands:
    """How the game stands, for the record."""

    def __call__(self, scene: Scene) -> None:
        head = scene.mail_tables.head(scene.game)
        scene.page.heading(f"the game is {head.table.status} at version {head.version}")
        with scene.mail_tables.services.database.read() as connection:
            owed = connection.exec_driver_sql(
                "SELECT seat, decision, due_at, acts_at, graced FROM decisions ORDER BY game_id, seat"
            ).all()
        scene.page.lines += [
            f"seat {seat} owes {decision}, due {clock.text(due)[:19]}Z, the caretaker acts {clock.text(acts)[:19]}Z"
            + (", time was given" if graced else "")
            for seat, decision, due, acts, graced in owed
        ]


# The given games are made once and copied

Snapshot = tuple[bytes, str, list[Letter], dict[str, str], int, int]
_made: dict[Any, Snapshot] = {}


def play(session: Session, fresh: Callable[[bytes | None], Tables], page: type[Page] = Page) -> str:
    """Play a session; its record on such a page. `fresh` makes Tables, on this database if one is given."""
    key = session.given
    if key not in _made:
        mail_tables = fresh(None)
        with certain():
            game = session.given(mail_tables)
        _made[key] = (
            dump(mail_tables),
            game,
            list(mail_tables.carrier.letters),
            dict(mail_tables.ids),
            mail_tables.clock.at,
            mail_tables.sent,
        )
    data, game, letters, ids, at, sent = _made[key]
    mail_tables = fresh(data)
    mail_tables.carrier.letters[:] = letters
    mail_tables.ids.update(ids)
    mail_tables.clock.at, mail_tables.sent = at, sent
    scene = Scene(mail_tables, game, page(session))
    with certain(11):
        for step in session.steps:
            step(scene)
    return scene.page.text()


def dump(mail_tables: Tables) -> bytes:
    """The whole database of Tables on SQLite."""
    path = mail_tables.services.settings.database_url.removeprefix("sqlite:///")
    source, target = sqlite3.connect(path), sqlite3.connect(":memory:")
    try:
        source.backup(target)
        return target.serialize()
    finally:
        source.close()
        target.close()
