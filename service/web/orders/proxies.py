"""The rows of proxies: for each Office what to bid for it, and for how much to keep it (CH-7.6, CH-7.9)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.city_hall.proxy.proxies import OTHERS, BidExactly, BidUpTo, Proxies
from domain.city_hall.rules.pieces import OFFICES
from domain.city_hall.rules.words import TITLES
from domain.engine.game import Seat
from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import say
from service.store.event_store.streams import Head

TEMPLATE: Final = "orders/proxies.html"
INCOMPLETE: Final = say("Fill in how much Influence.")


def rows(head: Head, seat: Seat, names: Sequence[str]) -> dict[str, Any]:
    """The Offices with their titles, the other seats to accept, the seat's Influence and the round."""
    view = head.rules.decider.view(head.table.game, seat)
    here = [office for office in OFFICES if office in view["offices"]]
    return {
        "offices": [(office, TITLES[office]) for office in here] + [(OTHERS, None)],
        "others": [(other, name) for other, name in enumerate(names) if other != seat],
        "influence": view["seats"][seat]["influence"],
        "round": view["round"],
    }


def fields(orders: Proxies) -> tuple[dict[str, str], Proxies]:
    """Proxies as fields of the form, which hold all of them."""
    found: dict[str, str] = {}
    for bid in orders.bids:
        how = "exactly" if isinstance(bid, BidExactly) else "up-to" if isinstance(bid, BidUpTo) else "pass"
        found[f"{bid.office}.how"] = how
        if how != "pass":
            found[f"{bid.office}.influence"] = str(bid.influence)  # type: ignore[union-attr]
    found |= {f"{keep.office}.keep": str(keep.influence) for keep in orders.keep}
    found |= {f"accept{place}": str(other) for place, other in enumerate(orders.accept)}
    found["when"] = "every" if orders.every_round else "round"
    found["round"] = str(orders.round or "")
    return found, msgspec.structs.replace(orders, bids=[], keep=[], accept=[], every_round=False, round=0)


def lines(given: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """The lines that the fields of a form come to. What makes no sense comes as it is, for the notation to refuse.

    Raises OrderNotUnderstood where a bid is chosen and its amount left empty: that is no bid of 0.
    """
    offices = [*OFFICES, OTHERS]
    found = [line for name in offices if (line := _bid(name, given))]
    found += [f"keep {name} up to {most}" for name in offices if (most := given.get(f"{name}.keep", "").strip())]
    by_seat = {str(seat): name for seat, name in enumerate(names)}
    accepted = [by_seat[seat] for place in range(3) if (seat := given.get(f"accept{place}", "")) in by_seat]
    found += [" ".join(["accept", *dict.fromkeys(accepted)])] if accepted else []
    if not found:
        return []
    number = given.get("round", "").strip()
    return [*found, *(["every round"] if given.get("when") == "every" else [f"round {number}"] if number else [])]


def _bid(name: str, given: Mapping[str, str]) -> str:
    how, amount = given.get(f"{name}.how", ""), given.get(f"{name}.influence", "").strip()
    about = [OTHERS, "bid"] if name == OTHERS else ["bid", name]
    if how in ("exactly", "up-to") and not amount:
        raise OrderNotUnderstood("bad-syntax", "CH-16.1", " ".join(about), INCOMPLETE)
    match how:
        case "pass":
            return f"{OTHERS} pass" if name == OTHERS else f"pass {name}"
        case "exactly":
            return " ".join([*about, amount])
        case "up-to":
            return " ".join([*about, "up to", amount])
        case _:
            return ""
