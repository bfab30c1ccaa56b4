"""A view as plain text, for a player who has only this: lines of at most 78 characters."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

from domain.decider import View
from domain.tammany_hall.board import CHIP_WARDS, COLOURS, CUBE_WARDS, NEIGHBOURS, TAMMANY_HALL, ZONE_YEARS, ZONES
from domain.tammany_hall.position import one_of

WIDTH: Final = 78
ROMAN: Final = {1: "I", 2: "II", 3: "III"}
PRIZES: Final = dict.fromkeys(CUBE_WARDS, "cube") | dict.fromkeys(CHIP_WARDS, "chip") | {TAMMANY_HALL: "2 VP"}
COLUMN: Final = 4
HEADS: Final = "".join(f"{colour[:3]:>{COLUMN}}" for colour in COLOURS)


def board(view: View) -> str:
    """The whole position: wards in election order, seats, supplies, and what is asked."""
    blocks = [_title(view), _wards(view), _seats(view), _supplies(view), _asked(view)]
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in map(list, blocks)) + "\n"


def _title(view: View) -> Iterator[str]:
    first = "" if view["first"] is None else f"   First player: {_name(view, view['first'])}"
    yield f"TAMMANY HALL   Year {view['year']} of 16, term {view['term']} of 4{first}"[:WIDTH]


def _wards(view: View) -> Iterator[str]:
    pawns = "".join(f"{seat['pawn'][:3]:>{COLUMN}}" for seat in view["seats"])
    yield f"{'':9}{'immigrants':<{COLUMN * len(COLOURS) + 1}}bosses"
    yield f"  ward{HEADS}  {pawns}   {'borders on':<15}winner gets"
    for zone, wards in ZONES.items():
        yield f"zone {ROMAN[zone]}{_zone_note(view, zone)}"
        for number in wards:
            yield _ward(number, view["wards"][str(number)], view["ward"] == number)
    yield "Ward elections run from top to bottom; each ward is 1 VP, ward 14 is 2."


def _zone_note(view: View, zone: int) -> str:
    if any(view["wards"][str(number)]["active"] for number in ZONES[zone]):
        return ""
    return f": not before year {ZONE_YEARS[view['players']][zone]}; will get {_colours(view['boxes'][str(zone)])}"


def _ward(number: int, ward: Mapping[str, Any], elected: bool) -> str:
    cubes = "".join(f"{_count(ward['cubes'][colour]):>{COLUMN}}" for colour in COLOURS)
    bosses = "".join(f"{_count(count):>{COLUMN}}" for count in ward["bosses"])
    borders = " ".join(map(str, sorted(NEIGHBOURS[number])))
    note = f"{PRIZES.get(number, ''):<6}{'LOCKED' if ward['locked'] else ''}"
    return f"{'>' if elected else ' '} {number:>4}{cubes}  {bosses}   {borders:<15}{note}"


def _count(count: int) -> str:
    return str(count) if count else "."


def _seats(view: View) -> Iterator[str]:
    yield f"  player           pawn    VP {HEADS}  slander  bosses  office"
    for number, seat in enumerate(view["seats"]):
        held = "".join(f"{_count(seat['chips'][colour]):>{COLUMN}}" for colour in COLOURS)
        mark = ">" if number in view["active"] else " "
        slander = f"{seat['slander']}{' used' if seat['slandered'] else ''}"
        office = seat["office"] or "-"
        yield (
            f"{mark} {seat['name'][:16]:<16} {seat['pawn']:<6}{seat['vp']:>4} {held}  {slander:<7}"
            f"{seat['bosses_left']:>8}  {office}"
        )
    yield "Colours: favor chips. Slander: chips left, and whether one was used this term."
    yield "Bosses: left to place."


def _supplies(view: View) -> Iterator[str]:
    yield f"Castle Garden: {_colours(view['garden'])}"
    yield f"Bag:           {_colours(view['bag'])}"
    yield f"Chip supply:   {_colours(view['chip_supply'])}"
    leaders = [f"{colour} {_names(view, seats)}" for colour, seats in view["leaders"].items() if seats]
    if leaders:
        yield from _wrapped("Leaders:       " + "; ".join(leaders))
    if view["locks_left"] < 2:
        yield f"Lock tokens left this term: {view['locks_left']}"


def _asked(view: View) -> Iterator[str]:
    match view["phase"]:
        case "over":
            yield from _scoring(view)
        case "bid" if view["bidding"]:
            yield from _bidding(view)
        case "bonus":
            bonus = view["bonus"]
            offer = "place a cube from the bag" if bonus["kind"] == "cube" else "take a favor chip"
            yield from _wrapped(f"{_name(view, bonus['seat'])} won ward {bonus['ward']} and may {offer}.")
        case "assign" if view["assignment"]:
            assignment = view["assignment"]
            to = _names(view, assignment["others"])
            yield from _wrapped(f"{_name(view, assignment['mayor'])} is mayor and gives offices to {to}.")
        case "turn" if view["turn"]:
            yield from _wrapped(_turn(view))
        case _:
            yield "The game goes on by itself: a draw is made."


def _turn(view: View) -> str:
    seat = view["seats"][view["turn"]["seat"]]
    still = ["the placement" if seat["bosses_left"] else ""] if not view["turn"]["placed"] else []
    if seat["office"] not in (None, "mayor") and not view["turn"]["office_used"]:
        still.append("the office")
    if view["term"] > 1 and not seat["slandered"]:
        still.append("slander")
    todo = one_of([what for what in still if what])
    return f"{seat['name']} is to move. Still open this turn: {todo if todo != 'none' else 'nothing'}; then end."


def _bidding(view: View) -> Iterator[str]:
    bidding = view["bidding"]
    yield f"Sealed bids for ward {bidding['ward']}:"
    for candidate in bidding["candidates"]:
        seat = candidate["seat"]
        said = "owes a bid" if seat in bidding["owes"] else "handed in"
        said = said if any(candidate["usable"].values()) else "is not asked"
        bosses = f"{candidate['bosses']} boss{'es' if candidate['bosses'] > 1 else ''}"
        can = f"usable chips: {_colours(candidate['usable'])}"
        yield from _wrapped(f"  {_name(view, seat)}: {bosses}; {can}; {said}", indent="    ")
    if bidding["own"] is not None:
        yield f"Your bid: {_colours(bidding['own'])}. Until all are in you may replace it."


def _scoring(view: View) -> Iterator[str]:
    """The final scores line by line, best first."""
    yield "The game is over. Final scores:"
    places = sorted(range(view["players"]), key=lambda seat: -int(view["seats"][seat]["vp"]))
    for seat in places:
        lines = [f"{line['for']} {line['vp']}" for line in view["scoring"] if line["seat"] == seat]
        yield from _wrapped(f"  {_name(view, seat)}: {view['seats'][seat]['vp']} ({', '.join(lines)})", indent="    ")
    verb = "wins." if len(view["winners"]) == 1 else "share the victory."
    yield from _wrapped(f"{_names(view, view['winners'])} {verb}")


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent)


def _colours(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{counts[colour]} {colour}" for colour in COLOURS if counts[colour]) or "none"


def _name(view: View, seat: int) -> str:
    return str(view["seats"][seat]["name"])


def _names(view: View, seats: list[int]) -> str:
    return one_of([_name(view, seat) for seat in seats])
