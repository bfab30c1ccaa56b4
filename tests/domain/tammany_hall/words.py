"""The words positions are written in, and the public summary (TH-16.3) read back in the same words.

A table of colours is "2 irish 1 english" or four numbers in colour order, "2 1 0 0". A ward is
"CUBES | PAWNS | locked"; its cubes may be "...", what layout A gives it.
"""

from typing import Any

from domain.tammany_hall.rules.state import Ward

COLOURS = ("irish", "english", "german", "italian")
PAWNS = ("red", "yellow", "black", "purple", "brown")
ELECTION_ORDER = (1, 2, 4, 7, 6, 14, 9, 15, 8, 5, 3, 17, 11, 13, 10)
ZONES = {1: ELECTION_ORDER[:6], 2: ELECTION_ORDER[6:11], 3: ELECTION_ORDER[11:]}
BOXES = {1: (2, 2, 2, 0), 2: (2, 2, 1, 0), 3: (2, 1, 1, 0)}
OPENING = {3: {1: 1, 2: 5, 3: 9}, 4: {1: 1, 2: 1, 3: 5}, 5: {1: 1, 2: 1, 3: 1}}
"""The year each zone comes into play, by players."""
HOMES = {"irish": (6, 14, 9, 15, 17, 11), "english": (1, 2, 8, 5, 13), "german": (4, 7, 3, 10)}
LAYOUT_A = {ward: f"1 {colour}" for colour, wards in HOMES.items() for ward in wards}
DEAL_A = {f"zone_{zone}": " ".join(LAYOUT_A[ward][2:] for ward in wards if ward != 14) for zone, wards in ZONES.items()}
"""The draws that deal layout A; the irish cube of ward 14 is not drawn (TH-3.7)."""


def table(text: str) -> list[int]:
    """Numbers by colour."""
    words = text.split()
    if words and all(word.isdigit() for word in words):
        assert len(words) == len(COLOURS), text
        return [int(word) for word in words]
    counts = dict(zip(words[1::2], words[::2], strict=True))
    assert counts.keys() <= set(COLOURS), text
    return [int(counts.get(colour, 0)) for colour in COLOURS]


def ward(text: str, number: int, players: int) -> Ward:
    """A ward from its words."""
    cubes, *rest = (part.strip() for part in text.split("|"))
    words = " ".join(part for part in rest if part != "locked").split()
    pawns = dict(zip(words[::2], words[1::2], strict=True))
    assert pawns.keys() <= set(PAWNS[:players]), text
    bosses = [int(pawns.get(pawn, 0)) for pawn in PAWNS[:players]]
    return Ward(table(LAYOUT_A[number] if cubes == "..." else cubes), bosses, "locked" in rest)


def compared(view: dict[str, Any], name: str, value: Any) -> tuple[Any, Any]:
    """What `Record.see` expects under one name, and what the summary says."""
    seats = dict(zip(PAWNS, view["seats"], strict=False))
    match name:
        case "wards":
            shown = {number: view["wards"][str(number)] for number in value}
            wards = {n: Ward(list(it["cubes"].values()), it["bosses"], it["locked"]) for n, it in shown.items()}
            return {number: ward(text, number, len(seats)) for number, text in value.items()}, wards
        case "inactive":
            return set(value), {int(number) for number, it in view["wards"].items() if not it["active"]}
        case "chips":
            held = {pawn: list(seats[pawn]["chips"].values()) for pawn in value}
            return {pawn: table(text) for pawn, text in value.items()}, held
        case "slander" | "slandered" | "vp" | "office" | "bosses_left":
            return value, {pawn: seats[pawn][name] for pawn in value}
        case "bag" | "supply":
            named = [colour for colour in COLOURS if colour in value] or COLOURS
            told, counts = dict(zip(COLOURS, table(value), strict=True)), view[name.replace("supply", "chip_supply")]
            return {colour: told[colour] for colour in named}, {colour: counts[colour] for colour in named}
        case "garden":
            return table(value), list(view["garden"].values())
        case "boxes":
            return {zone: table(text) for zone, text in value.items()}, {
                zone: list(view["boxes"][str(zone)].values()) for zone in value
            }
        case "leaders":
            return {c: value.get(c, "").split() for c in COLOURS}, {
                colour: [PAWNS[seat] for seat in leading] for colour, leading in view["leaders"].items()
            }
        case "active" | "winners":
            return value.split(), [PAWNS[seat] for seat in view[name]]
        case "first" | "mayor":
            return value, None if view[name] is None else PAWNS[view[name]]
        case _:
            return value, view[name]
