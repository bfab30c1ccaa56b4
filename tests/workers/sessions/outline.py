"""A session in outline: what became of each mail, which commands were understood, and what each letter says first."""

import re
import textwrap
from collections.abc import Iterable
from typing import Any

import msgspec

from tests.letters import text_of
from tests.tables import Tables
from tests.workers.sessions.mails import opened
from tests.workers.sessions.record import Page, Session
from workers.mail_out.letter import Letter

MARKER = re.compile("— .+ · [0-9a-z]{4} —")
"""The line above which an answer is written, in any language."""
STANDING = (
    "Answer with one of these", "Write it at the top", "What you are asked next", "You have standing orders",
    "What you can do", "Deadline:",
)  # fmt: skip
"""The beginnings of parts that whole sessions keep: what can be typed, the deadline."""
END = ("The game:", "Das Spiel:", "La partie")
"""The beginning of the part that has the link, after which comes the position."""
ANSWERS = ("answer", "confirm")
"""The letters in which the session itself shows; of the others the first line and the latest news are kept."""
SHOWN = ("plain", "html")
DROPPED = ("since", "due", "before")
"""Fields of an outcome that say no more than the version after it and the game's own deadlines."""
MOST_LINES = 20
WIDTH = 116
INDENT = "    "


class Outline(Page):
    """The record of a session by its results, without headers, signatures and positions."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.lines = [f"# {session.name}: {session.title}"]

    def heading(self, text: str) -> None:
        self.lines.append(f"* {text}")

    def came(self, mail_tables: Tables, raw: bytes, recipient: str, sender: str, source: str) -> None:
        """A mail comes in; what it says stands in the table of sessions."""

    def became(self, row: dict[str, Any], outcome: Any) -> None:
        super().became(row, None)
        if outcome is not None:
            fields = msgspec.to_builtins(outcome).items()
            known = {name: value for name, value in fields if name not in DROPPED and value not in (None, [], {})}
            known |= {"shows": [text.partition("\n")[0] for text in known["shows"]]} if "shows" in known else {}
            self.shows(", ".join(f"{name} {value!r}" for name, value in known.items()))

    def left(self, letter: Letter) -> None:
        kind = letter.message_id.strip("<").partition(".")[0]
        self.heading(f"{kind} to {letter.to}")
        lines = list(first_lines(text_of(letter)))
        for line in lines if kind in ANSWERS else [*lines[:1], *lines[1:][-3:]]:
            self.shows(line)
        for part in opened(letter).walk():
            if part.get_content_maintype() not in ("multipart", "image") and part.get_content_subtype() not in SHOWN:
                self.shows(f"with {part.get_content_type()}")

    def nothing(self) -> None:
        self.heading("no letter")

    def shows(self, text: str) -> None:
        self.lines += textwrap.wrap(
            text, WIDTH, initial_indent="    ", subsequent_indent="    ", break_long_words=False
        )


def first_lines(text: str) -> Iterable[str]:
    """The lines of a letter up to its link, without the parts that many letters share."""
    count, is_standing = 0, False
    for block in text.split("\n\n"):
        if count and block.startswith(END):
            return
        is_standing = block.startswith(STANDING) or (is_standing and block.lstrip().startswith("type: "))
        if not count or not is_standing:
            for line in block.strip("\n").split("\n"):
                if line.strip() and not MARKER.fullmatch(line.rstrip()) and count < MOST_LINES:
                    count += 1
                    yield " ".join(line.split())
