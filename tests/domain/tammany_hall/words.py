"""The words positions are written in, and the public summary (TH-16.3) read back in the same words.

A table of colours is "2 irish 1 english" or four numbers in colour order, "2 1 0 0". A ward is
"CUBES | PAWNS | locked"; its cubes may be "...", what layout A gives it.
"""

from typing import Any

from domain.tammany_hall.lessons.words import LAYOUT_A, table, ward
from domain.tammany_hall.rules.state import Ward

COLOURS = ("irish", "english", "german", "italian")
PAWNS = ("red", "yellow", "black", "purple", "brown")
ELECTION_ORDER = (1, 2, 4, 7, 6, 14, 9, 15, 8, 5, 3, 17, 11, 13, 10)
ZONES = {1: ELECTION_ORDER[:6], 2: ELECTION_ORDER[6:11], 3: ELECTION_ORDER[11:]}
DEAL_A = {f"zone_{zone}": " ".join(LAYOUT_A[ward][2:] for ward in wards if ward != 14) for zone, wards in ZONES.items()}
"""The draws that deal layout A; the irish cube of ward 14 is not drawn (TH-3.7)."""


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
