"""The player's own words in a mail: what is new, without quotations and signature (IN-08, IN-26).

A state machine over lines. It would rather find nothing than take a quotation for new text: `unsure` says why nothing
was found to the player, who then puts the move at the top.
"""

from collections.abc import Collection, Sequence
from typing import Final, Literal

import msgspec

from domain.engine.sentences import say
from workers.parsing import limits, quotes
from workers.parsing.quotes import MARKER, is_blank, is_quoted, marker_line
from workers.parsing.signatures import is_appended, is_delimiter

__all__ = ["MARKER", "Extract", "Line", "Position", "marker_line", "new_text"]

Position = Literal["top", "bottom", "inline"]
UNSURE: Final = say(
    "We could not tell your own words from the mail you quoted, so nothing was read. Put your move at the top."
)
TOO_LONG: Final = limits.REASONS["lines"]
MAX_CODES: Final = 50
TURNING: Final = dict.fromkeys(map(ord, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"))
"""Bidi controls."""


class Line(msgspec.Struct, frozen=True):
    """One line of the new text, by its number as the player counts: the first line that is not empty is 1.

    Of a command `text` is the normalised text and `original` what was written; of others `original` is empty.
    """

    number: int
    text: str
    original: str = ""


class Extract(msgspec.Struct, frozen=True):
    """The new text of a mail.

    `cut` lines of signature were left out, from the line `cut_from` on. `below` are paragraphs of the player between
    or under quoted lines although there is text on top: they are not read, but must not hold commands either.
    A sentence in `unsure` means that nothing may be executed.
    """

    lines: list[Line]
    position: Position = "top"
    cut: int = 0
    cut_from: str = ""
    unsure: str = ""
    below: list[Line] = []


class Cut(msgspec.Struct, frozen=True):
    """Lines without their signature."""

    lines: list[Line]
    cut: int
    cut_from: str


class Boundary(msgspec.Struct, frozen=True):
    """Where old text begins: the first of its lines, and the first line after what only introduces it.

    It is `open` if what follows need not be marked as quoted line by line.
    """

    start: int
    end: int
    open: bool


def new_text(text: str, marks: Collection[str]) -> Extract:
    """The new text of a body; `marks` are the codes of the marker lines we sent to this player."""
    lines = text.split("\n")
    if len(lines) > limits.LINES or len(text) > limits.TEXT:
        return Extract([], unsure=TOO_LONG)
    codes = [code.casefold() for code in list(marks)[:MAX_CODES] if code]
    boundary = _boundary(lines, 0, codes)
    if boundary is None:
        return _extract(_numbered(lines), "top")
    top = _without_signature(_numbered(lines[: boundary.start]))
    if any(not is_blank(line.text) for line in top.lines):
        below = [] if boundary.open or not _is_marked(lines, boundary.end) else _below(lines, boundary, codes)
        return Extract(top.lines, "top", top.cut, top.cut_from, below=below)
    if boundary.open or not _is_marked(lines, boundary.end):
        return Extract([], unsure=UNSURE)
    return _under_quotation(lines, boundary, codes)


def _boundary(lines: Sequence[str], start: int, codes: Collection[str]) -> Boundary | None:
    """The first place from `start` on where old text begins."""
    for place in range(start, len(lines)):
        line = lines[place]
        if is_blank(line):
            continue
        quoted = is_quoted(line)
        if count := quotes.marker(lines, place, codes):
            first = max(start, place - count + 1)
            return Boundary(first, place + (0 if quoted else 1), open=not quoted)
        if quoted:
            return Boundary(place, place, open=False)
        if count := quotes.introduction(lines, place):
            return Boundary(place, place + count, open=False)
        if quotes.divider(line) or quotes.header_block(lines, place):
            return Boundary(place, place, open=True)
        if quotes.attribution(lines, place):
            return Boundary(place, place + 1, open=False)
    return None


def _is_marked(lines: Sequence[str], start: int) -> bool:
    """Whether the old text is quoted line by line: its first line is."""
    first = next((line for line in lines[start:] if not is_blank(line)), "")
    return is_quoted(first)


def _under_quotation(lines: Sequence[str], boundary: Boundary, codes: Collection[str]) -> Extract:
    """What was written between or under quoted lines, where nothing stands on top."""
    end = _end_of_marked(lines, boundary.end, codes)
    quoted = [place for place in range(boundary.end, end) if is_quoted(lines[place])]
    own = [place for place in range(quoted[0], end) if not is_quoted(lines[place])]
    written = [place for place in own if not is_blank(lines[place])]
    if not written:
        return Extract([])
    position: Position = "inline" if written[0] < quoted[-1] else "bottom"
    if position == "bottom":
        own = [place for place in own if place > quoted[-1]]
    return _extract(_numbered([lines[place] for place in own]), position)


def _below(lines: Sequence[str], boundary: Boundary, codes: Collection[str]) -> list[Line]:
    """Paragraphs of the player's under quoted lines. What hangs on a quoted line is the rest of it, wrapped."""
    end = _end_of_marked(lines, boundary.end, codes)
    found: list[Line] = []
    hanging = True
    for place in range(boundary.end, end):
        line = lines[place]
        if is_quoted(line):
            hanging = True
        elif is_blank(line):
            hanging = False
        elif not hanging:
            found.append(Line(place + 1, _upright(line)))
    return _without_signature(found).lines


def _end_of_marked(lines: Sequence[str], start: int, codes: Collection[str]) -> int:
    """Where text that is quoted line by line ends: at old text that is not, or at the end of the mail."""
    for place in range(start, len(lines)):
        if is_blank(lines[place]) or is_quoted(lines[place]):
            continue
        if quotes.divider(lines[place]) or quotes.header_block(lines, place) or quotes.marker(lines, place, codes):
            return place
        if is_delimiter(lines[place]):
            return place
    return len(lines)


def _extract(lines: list[Line], position: Position) -> Extract:
    left = _without_signature(lines)
    return Extract(left.lines, position, left.cut, left.cut_from)


def _numbered(lines: Sequence[str]) -> list[Line]:
    """Lines as a player counts them: without the empty ones before the first and after the last."""
    said = [place for place, line in enumerate(lines) if not is_blank(line)]
    if not said:
        return []
    return [Line(number, _upright(line).rstrip()) for number, line in enumerate(lines[said[0] : said[-1] + 1], 1)]


def _upright(line: str) -> str:
    """A line without the signs that turn what follows them around: nothing shown of it reads otherwise than it is."""
    return line.translate(TURNING)


def _without_signature(lines: Sequence[Line]) -> Cut:
    """Lines up to a signature. A line some program appended ends them too, unless nothing was written above it."""
    kept: list[Line] = []
    for place, line in enumerate(lines):
        appended = is_appended(line.text)
        if is_delimiter(line.text) or (appended and any(not is_blank(each.text) for each in kept)):
            rest = [each for each in lines[place:] if not is_blank(each.text)]
            return Cut(kept, len(rest), line.text.strip())
        kept.append(Line(line.number, "") if appended else line)
    return Cut(kept, 0, "")
