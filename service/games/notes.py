"""Notes to oneself on a game: for whoever may see it, read by nobody else, apart from everything that others get."""

import unicodedata
from dataclasses import dataclass
from typing import Final

from domain.engine.refusals import require
from service.container import Services
from service.games.play import require_known
from service.kernel.encryption import pad, unpad
from service.store.database import Connection
from service.store.games import notes
from service.store.games.notes import SealedNote

LONGEST: Final = 4000
MOST: Final = 1000
"""Games on which one player may have notes."""
NO_TEXT: Final = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class Note:
    """What a player wrote, and when, in microseconds; "" and None where there is no note."""

    text: str = ""
    written_at: int | None = None


def place(game: str, player: str) -> tuple[str, str]:
    """The scope and context that a note is sealed for."""
    return game, f"note|{player}"


def clean(text: str) -> str:
    """A note as it is kept: NFC, lines ended by LF, no blanks around it. Raises RuleViolation."""
    lines = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    signs = any(unicodedata.category(letter) in NO_TEXT and letter not in "\n\t" for letter in lines)
    require(not signs, "bad-note", "DESIGN-8", "A note has no control characters but ends of lines: write it anew.")
    require(
        len(lines) <= LONGEST,
        "bad-note", "DESIGN-8", "A note has at most {most} characters: shorten it.",
        most=LONGEST,
    )  # fmt: skip
    return lines


def read(services: Services, connection: Connection, game: str, player: str) -> Note:
    """A player's own note. Raises NoSuchGame for a game that is not theirs to see."""
    require_known(connection, game, player)
    kept = notes.find(connection, game, player)
    return Note() if kept is None else Note(text_of(services, game, player, kept.body), kept.written_at)


def write(services: Services, tx: Connection, game: str, player: str, text: str) -> Note:
    """Keep a note in the place of the one before; an empty one is none. Raises NoSuchGame, RuleViolation."""
    require_known(tx, game, player)
    lines = clean(text)
    if not lines:
        notes.delete(tx, game, player)
        return Note()
    few = notes.find(tx, game, player) is not None or notes.count(tx, player) < MOST
    require(few, "too-many-notes", "DESIGN-8", "You have notes on {most} games: delete some of them.", most=MOST)
    now = services.database.clock.now(tx)
    body = services.sealer.seal(*place(game, player), pad(lines.encode()))
    notes.put(services.database, tx, game, player, SealedNote(body, now))
    return Note(lines, now)


def text_of(services: Services, game: str, player: str, body: bytes) -> str:
    """The text of a note, from its sealed form."""
    return unpad(services.sealer.open(*place(game, player), body)).decode()
