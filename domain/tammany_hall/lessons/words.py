"""The words positions are written in.

A table of colours is "2 irish 1 english" or four numbers in colour order, "2 1 0 0". A ward is
"CUBES | PAWNS | locked"; its cubes may be "...", what layout A gives it.
"""

from typing import Final

from domain.tammany_hall.rules.board import COLOURS, PAWNS
from domain.tammany_hall.rules.state import Ward

HOMES: Final = {"irish": (6, 14, 9, 15, 17, 11), "english": (1, 2, 8, 5, 13), "german": (4, 7, 3, 10)}
LAYOUT_A: Final = {ward: f"1 {colour}" for colour, wards in HOMES.items() for ward in wards}
"""The dealing of the setup boxes that the worked examples begin with."""


def table(text: str) -> list[int]:
    """Numbers by colour. Raises ValueError."""
    words = text.split()
    if words and all(word.isdigit() for word in words):
        if len(words) != len(COLOURS):
            raise ValueError(f"{text!r} is not one number for each colour")
        return [int(word) for word in words]
    counts = dict(zip(words[1::2], words[::2], strict=True))
    _require_known(counts, COLOURS, text)
    return [int(counts.get(colour, 0)) for colour in COLOURS]


def ward(text: str, number: int, players: int) -> Ward:
    """A ward from its words. Raises ValueError."""
    cubes, *rest = (part.strip() for part in text.split("|"))
    words = " ".join(part for part in rest if part != "locked").split()
    pawns = dict(zip(words[::2], words[1::2], strict=True))
    _require_known(pawns, PAWNS[:players], text)
    bosses = [int(pawns.get(pawn, 0)) for pawn in PAWNS[:players]]
    return Ward(table(LAYOUT_A[number] if cubes == "..." else cubes), bosses, "locked" in rest)


def _require_known(named: dict[str, str], known: tuple[str, ...], text: str) -> None:
    if not named.keys() <= set(known):
        raise ValueError(f"{text!r} names something other than {', '.join(known)}")
