"""The bundled font, read for what drawing has to know: which characters it has and how wide they are.

A renderer drops what its font lacks without a word, so whoever draws text asks here first.
"""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FAMILY: Final = "DejaVu Sans"
FOLDER: Final = Path(__file__).parent / "fonts"
ELLIPSIS: Final = "…"


@dataclass(frozen=True, slots=True)
class Face:
    """One weight of the font: its file, and the advance width of each character it has, in ems."""

    path: Path
    widths: Mapping[str, float]


def covers(text: str) -> bool:
    """Every character of the text can be drawn."""
    return all(letter in PLAIN.widths for letter in text)


def drawable(text: str) -> str:
    """The text without what cannot be drawn."""
    return " ".join("".join(letter for letter in text if letter in PLAIN.widths).split())


def width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is drawn, in pixels, at a font size in pixels; what cannot be drawn takes no room."""
    widths = (BOLD if bold else PLAIN).widths
    return size * sum(widths.get(letter, 0) for letter in text)


def fitted(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """The text, or as much of its beginning as fits into the room with an ellipsis behind it."""
    if width(text, size, bold=bold) <= room:
        return text
    while text and width(text + ELLIPSIS, size, bold=bold) > room:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def wrapped(text: str, room: float, size: float, *, bold: bool = False) -> list[str]:
    """The text in lines that fit into the room, broken at blanks; a word wider than the room is cut."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size, bold=bold) <= room:
            lines[-1] = longer
        else:
            lines.append(fitted(word, room, size, bold=bold))
    return lines


def _read(path: Path) -> Face:
    font = path.read_bytes()
    tables = {name: font[start : start + size] for name, start, size in _directory(font)}
    (units,) = struct.unpack_from(">H", tables["head"], 18)
    (measured,) = struct.unpack_from(">H", tables["hhea"], 34)
    advances = [struct.unpack_from(">H", tables["hmtx"], 4 * glyph)[0] for glyph in range(measured)]
    return Face(
        path,
        {chr(code): advances[min(glyph, measured - 1)] / units for code, glyph in _glyphs(tables["cmap"]) if glyph},
    )


def _directory(font: bytes) -> Iterator[tuple[str, int, int]]:
    """The tables of a TrueType file: name, offset, length (OpenType specification, table directory)."""
    (count,) = struct.unpack_from(">H", font, 4)
    for row in range(count):
        name, _, start, size = struct.unpack_from(">4sLLL", font, 12 + 16 * row)
        yield name.decode("ascii"), start, size


def _glyphs(cmap: bytes) -> Iterator[tuple[int, int]]:
    """Character codes with their glyphs, from a table of format 4 (OpenType specification, cmap)."""
    (start,) = struct.unpack_from(">L", cmap, 8)
    table = cmap[start:]
    kind, _, _, twice = struct.unpack_from(">4H", table)
    assert kind == 4, "the bundled fonts are made with a cmap of format 4"
    count = twice // 2
    ends, starts, deltas, offsets = (
        struct.unpack_from(f">{count}H", table, where) for where in (14, 16 + twice, 16 + 2 * twice, 16 + 3 * twice)
    )
    for segment in range(count):
        for code in range(starts[segment], min(ends[segment], 0xFFFE) + 1):
            glyph = code
            if offsets[segment]:
                at = 16 + 3 * twice + 2 * segment + offsets[segment] + 2 * (code - starts[segment])
                (glyph,) = struct.unpack_from(">H", table, at)
            yield code, (glyph + deltas[segment]) & 0xFFFF if glyph else 0


PLAIN: Final = _read(FOLDER / "DejaVuSans.ttf")
BOLD: Final = _read(FOLDER / "DejaVuSans-Bold.ttf")
