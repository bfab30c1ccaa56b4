"""A view as plain text, for a player who has only this: lines of at most 78 characters.

The map is drawn after the printed board; what is adjacent in a game that was started on another one, its guide says.
"""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

from domain.city_hall.board import BOARD, Endorsement
from domain.city_hall.words import PAWNS, TITLES, listed, one_of
from domain.decider import View

WIDTH: Final = 78
CELL: Final = 15
SHORT: Final = {"housing": "hou", "tower": "tow", "factory": "fac", "park": "park"}


def board(view: View) -> str:
    """The whole position: the map, Offices, seats, decks, and what is asked."""
    blocks = [_title(view), _map(view), _offices(view), _seats(view), _decks(view), _asked(view)]
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in map(list, blocks)) + "\n"


def _title(view: View) -> Iterator[str]:
    when = f"Round {view['round']}" if view["round"] else "Setup"
    final = ", the final round" if view["final"] and view["phase"] != "over" else ""
    yield f"CITY HALL   {when}{final}"
    if view["turn_order"]:
        yield from _wrapped(f"Turn order: {', '.join(_name(view, seat) for seat in view['turn_order'])}")


def _map(view: View) -> Iterator[str]:
    for name, borough in BOARD.boroughs.items():
        yield f"{name.capitalize()}{_bonus(borough.star_bonus)}"
        rows = list(borough.grid)
        if all(len(row) == 1 for row in rows):
            rows = [tuple(cell for row in rows for cell in row)]
        for row in rows:
            yield "  " + "".join(f"{_space(view, land):<{CELL}}" for land in row)
    yield from _wrapped(f"Bridges: {', '.join(f'{one}-{other}' for one, other in BOARD.bridges)}.")
    yield "Sides and corners touch; Manhattan is one column. Owner's pawn, Permit and"
    yield "Star Value; $: available, with the money on it; a dot: in the Land deck."


def _bonus(stars: int) -> str:
    return f" (+{stars} star for each Building)" if stars else ""


def _space(view: View, land: str) -> str:
    if not land:
        return ""
    space: Mapping[str, Any] = view["lands"][land]
    match space["state"]:
        case "deck":
            return f"{land} ."
        case "available":
            return f"{land} ${space['money']}"
        case _:
            stars = "" if space["stars"] is None else f" {space['stars']}*"
            return f"{land} {PAWNS[space['owner']][:3]} {SHORT.get(space['permit'], '-')}{stars}"


def _offices(view: View) -> Iterator[str]:
    yield "Office                 word       Influence on it   Staffer"
    for office, chair in view["offices"].items():
        who = "-" if chair["staffer"] is None else _name(view, chair["staffer"])
        mark = ">" if office == view["office"] else " "
        yield f"{mark} {TITLES[office]:<21}{office:<11}{_count(chair['influence']):>9}         {who[:24]}"


def _count(count: int) -> str:
    return str(count) if count else "."


def _seats(view: View) -> Iterator[str]:
    yield "  player           pawn    money Infl. hand approval rating population stars"
    for seat, it in enumerate(view["seats"]):
        mark = ">" if seat in view["active"] else " "
        money = "?" if it["money"] is None else f"${it['money']}"
        influence = "?" if it["influence"] is None else it["influence"]
        yield (
            f"{mark} {it['name'][:16]:<16} {PAWNS[seat]:<7}{money:>6}{influence:>6}{it['hand_count']:>5}"
            f"{it['approval']:>9}{it['rating']:>7}{it['population']:>11}{it['stars']:>6}"
        )
    for it in view["seats"]:
        if it["hand"] is not None and view["phase"] == "over":
            yield from _wrapped(f"{it['name']} has in hand: {listed(it['hand'])}.")
        elif it["hand"] is not None:
            holds = f"${it['money']}, {it['influence']} Influence; in hand: {listed(it['hand'])}"
            yield from _wrapped(f"You, {it['name']}, have {holds}.")
    if view["phase"] != "over":
        yield "Hand: number of Permits. Approval: space of 10. A ? is not for your eyes."


def _decks(view: View) -> Iterator[str]:
    yield f"Star Token on space {view['star_token']} of 10."
    if not view["final"]:
        yield "A round that begins with it or any Staffer on space 10 is the final one."
    yield f"Land deck: {_cards(view['land_deck_count'])}. Permit deck: {_cards(view['permit_deck_count'])}."
    if view["deputy"] is not None:
        yield f"{_name(view, view['deputy'])} controls the Deputy Mayor."
    if view["revealed"]:
        yield f"Revealed Permits: {one_of(view['revealed'])}."
    if view["phase"] != "over":
        yield from _wrapped(f"Endorsements, votes for who has most: {', '.join(map(_sought, BOARD.endorsements))}.")


def _sought(endorsement: Endorsement) -> str:
    """What an Endorsement counts, and its votes."""
    name, _, part = endorsement.metric.partition(":")
    if name == "permit":
        return f"{part} {endorsement.votes}"
    name = {"land": "spaces", "built": "Permits", "hand": "Permits in hand", "influence": "Influence"}.get(name, name)
    return f"{name}{f' in {part.capitalize()}' if part else ''} {endorsement.votes}"


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _asked(view: View) -> Iterator[str]:
    if view["phase"] == "over":
        yield from _votes(view)
        return
    if view["bidding"]:
        yield from _auction(view)
    elif view["controller"] is not None:
        yield from _wrapped(f"{_name(view, view['controller'])} controls the {TITLES[view['office']]}.")
    for seat in view["active"]:
        yield from _wrapped(f"{_name(view, seat)} {_task(view)}.")
    if not view["active"]:
        yield "The game goes on by itself."
    rest = [_name(view, seat) for seat in view["schedule"][view["turn"] + 1 :]]
    if rest:
        yield from _wrapped(f"Then to activate an Office this round: {', '.join(rest)}.")


def _auction(view: View) -> Iterator[str]:
    """Who activated what, and the bids so far."""
    office, bidding = view["office"], view["bidding"]
    activator = view["offices"][office]["staffer"]
    yield from _wrapped(f"{_name(view, activator)} has put a Staffer on the {TITLES[office]}.")
    bids = [
        f"{_name(view, seat)} {'passes' if amount is None else f'bids {amount}'}" for seat, amount in bidding["bids"]
    ]
    yield from _wrapped(f"Bids so far: {'; '.join(bids) if bids else 'none'}. High bid: {bidding['high']}.")
    if bidding["waiting"]:
        waiting = one_of([_name(view, seat) for seat in bidding["waiting"]])
        yield from _wrapped(f"Still to answer: {waiting}.")


def _task(view: View) -> str:
    match view["phase"]:
        case "draft":
            return "is to draft a space"
        case "build":
            return "is to place an initial Building"
        case "activate":
            return "is to put a Staffer on an Office"
        case "bid":
            return "is to bid or pass"
        case "decide":
            return "is to keep the Office or accept a bid"
        case _:
            return "is to carry out its action"


def _votes(view: View) -> Iterator[str]:
    """The votes line by line, best first."""
    result = view["result"]
    yield "The game is over. Votes: Approval Rating x Population, and Endorsements."
    names = {endorsement.id: f"{endorsement.name}" for endorsement in BOARD.endorsements}
    for seat in sorted(range(view["players"]), key=lambda seat: -int(result["votes"][seat])):
        it = view["seats"][seat]
        won = [names.get(card, card) for card, winner in result["endorsements"].items() if winner == seat]
        cards = f"; {', '.join(won)}" if won else "; no Endorsement"
        sum_ = f"{it['rating']} x {it['population']} = {result['base_votes'][seat]}{cards}"
        yield from _wrapped(f"  {it['name']}: {result['votes'][seat]} ({sum_})", indent="    ")
    nobody = [names.get(card, card) for card, winner in result["endorsements"].items() if winner is None]
    if nobody:
        yield from _wrapped(f"Won by nobody: {', '.join(nobody)}.")
    yield from _wrapped(f"{_name(view, result['mayor'])} is Mayor.")


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent)


def _name(view: View, seat: int) -> str:
    return str(view["seats"][seat]["name"])
