"""The printed tables of the rules, and the words positions are written in and state documents are read back in.

A space is "deck", "$5" (available with so much on it), "ann" (owned, empty) or "ann tower". Permits are a list of
kinds in any order, "factory tower". What belongs to seats is one value for all, a list by seat, or a table by name.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

NAMES = ("ann", "ben", "cat", "dan")
PAWNS = ("red", "blue", "green", "yellow")
PERMITS = ("housing", "tower", "factory", "park")
OFFICES = ("tax", "surveyor", "campaign", "lobbyist", "zoning", "health", "deputy")
COUNTS = {"housing": 8, "tower": 8, "factory": 8, "park": 4}
RATINGS = (1, 2, 2, 3, 3, 3, 4, 4, 4, 5)
"""By approval space, from 1 (CH-2.6)."""
STAR_START = {2: 3, 3: 2, 4: 1}
ACTIVATIONS = {2: 4, 3: 3, 4: 4}
"""Of a round that is not the final one, by players."""

NEIGHBOURS = {
    line.split()[0]: tuple(line.split()[1:])
    for line in """
        Q1 Q2 Q5 Q6 M1
        Q2 Q1 Q3 Q5 Q6 Q7
        Q3 Q2 Q4 Q6 Q7 Q8
        Q4 Q3 Q7 Q8
        Q5 Q1 Q2 Q6 M2
        Q6 Q1 Q2 Q3 Q5 Q7 B1
        Q7 Q2 Q3 Q4 Q6 Q8
        Q8 Q3 Q4 Q7 B3
        B1 B2 B4 B5 Q6
        B2 B1 B3 B4 B5 B6
        B3 B2 B5 B6 Q8
        B4 B1 B2 B5 B7 B8 M4
        B5 B1 B2 B3 B4 B6 B7 B8 B9
        B6 B2 B3 B5 B8 B9
        B7 B4 B5 B8 M5
        B8 B4 B5 B6 B7 B9
        B9 B5 B6 B8
        M1 M2 Q1
        M2 M1 M3 Q5
        M3 M2 M4
        M4 M3 M5 B4
        M5 M4 B7
    """.strip().splitlines()
}
"""The table of CH-2.5."""
SPACES = tuple(NEIGHBOURS)
MODIFIERS = {
    "housing": {"housing": 2, "tower": 1, "factory": -1, "park": 1},
    "tower": {"housing": 1, "tower": 1, "factory": 0, "park": 1},
    "factory": {"housing": 0, "tower": 1, "factory": 0, "park": 1},
}
MAXIMUM = {"housing": 5, "tower": 3, "factory": 1}


def star_value(space: str, permits: Mapping[str, str]) -> int | None:
    """The Star Value of what stands on a space, from the table of CH-9.1; None where no Building does."""
    kind = permits.get(space)
    if kind is None or kind == "park":
        return None
    near = sum(MODIFIERS[kind][permits[other]] for other in NEIGHBOURS[space] if other in permits)
    return max(0, min(near + space.startswith("M"), MAXIMUM[kind]))


def by_seat(value: Any, names: Sequence[str], default: Any = None) -> list[Any]:
    """A value for each seat: one for all, a list, or a table by name with a default for the others."""
    if isinstance(value, Mapping):
        assert value.keys() <= set(names), value
        return [value.get(name, default) for name in names]
    return list(value) if isinstance(value, list) else [value] * len(names)


def table(text: str) -> dict[str, int]:
    """How many Permits of each kind a list of kinds has."""
    assert set(text.split()) <= set(PERMITS), text
    return {kind: text.split().count(kind) for kind in PERMITS}


def space(text: str, names: Sequence[str]) -> dict[str, Any]:
    """A space from its words, as a document has it, without stars."""
    if text.startswith("$"):
        return {"state": "available", "money": int(text[1:]), "owner": None, "permit": None}
    if text == "deck":
        return {"state": "deck", "money": 0, "owner": None, "permit": None}
    owner, *kind = text.split()
    return {"state": "owned", "money": 0, "owner": names.index(owner), "permit": kind[0] if kind else None}


def permits_on(document: Mapping[str, Any]) -> dict[str, str]:
    """The Permits on the board, by space."""
    return {where: it["permit"] for where, it in document["lands"].items() if it["permit"]}


def available(document: Mapping[str, Any]) -> dict[str, int]:
    """The money on each available space."""
    return {where: it["money"] for where, it in document["lands"].items() if it["state"] == "available"}


def in_deck(document: Mapping[str, Any]) -> list[str]:
    """The Land cards still in the deck, in board order."""
    return [where for where in SPACES if document["lands"][where]["state"] == "deck"]


def all_permits(document: Mapping[str, Any]) -> Counter[str]:
    """All Permits of a whole document, wherever they are."""
    held = Counter[str]()
    for it in document["seats"]:
        held.update(it["hand"])
    return held + Counter(document["permit_deck"] + document["revealed"] + list(permits_on(document).values()))


def compared(document: dict[str, Any], names: Sequence[str], name: str, value: Any) -> tuple[Any, Any]:
    """What `Record.see` expects under one name, and what the document says."""
    seats = dict(zip(names, document["seats"], strict=True))
    match name:
        case "money" | "influence" | "approval" | "rating" | "population" | "totals" | "hand_count":
            member = "stars" if name == "totals" else name
            told = value if isinstance(value, Mapping) else dict(zip(names, by_seat(value, names), strict=True))
            return dict(told), {who: seats[who][member] for who in told}
        case "hands":
            return {who: table(text) for who, text in value.items()}, {who: seats[who]["hand"] for who in value}
        case "lands":
            shown = {where: {**document["lands"][where]} for where in value}
            for it in shown.values():
                it.pop("stars")
            return {where: space(text, names) for where, text in value.items()}, shown
        case "stars":
            return value, {where: document["lands"][where]["stars"] for where in value}
        case "available":
            return value, available(document)
        case "offices":
            return value, {office: document["offices"][office]["influence"] for office in value}
        case "staffers":
            standing = {office: it["staffer"] for office, it in document["offices"].items()}
            return value, {office: names[seat] for office, seat in standing.items() if seat is not None}
        case "turn_order" | "schedule" | "active":
            return value.split(), [names[seat] for seat in document[name]]
        case "waiting":
            return value.split(), [names[seat] for seat in document["bidding"]["waiting"]]
        case "bids":
            return value, [(names[seat], bid) for seat, bid in document["bidding"]["bids"]]
        case "controller" | "deputy":
            return value, None if document[name] is None else names[document[name]]
        case "mayor":
            return value, names[document["result"]["mayor"]]
        case "votes" | "base_votes":
            return value, document["result"][name]
        case "endorsements":
            awarded = {key: seat for key, seat in document["result"]["endorsements"].items() if seat is not None}
            return value, {key: names[seat] for key, seat in awarded.items()}
        case "revealed":
            return value.split(), document["revealed"]
        case "bottom":
            return value.split(), document["permit_deck"][-len(value.split()) :]
        case "land_deck" | "permit_deck":
            return value, document[f"{name}_count"]
        case _:
            return value, document[name]
