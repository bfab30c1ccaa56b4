"""The rows of a ballot: what to bid in each ward, and how turns end (TH-9, TH-4.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from domain.engine.game import Seat
from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import say
from domain.tammany_hall.ballot.ballot import OTHERS, Ballot, UpTo
from domain.tammany_hall.rules.board import COLOURS, ELECTION_ORDER
from domain.tammany_hall.rules.words import PEOPLE
from service.store.event_store.streams import Head

TEMPLATE: Final = "orders/ballot.html"
CONDITIONS: Final = {"contested": "if contested", "winnable": "while winnable"}
INCOMPLETE: Final = say("Fill in how many chips at most, and which first.")
SWITCHES: Final = {"pass_slander": "pass slander", "end_when_placed": "end when placed"}


@dataclass(frozen=True, slots=True)
class Row:
    """A ward, or all others: the name of its fields, and who has how many bosses there, by name."""

    name: str
    ward: int | None
    active: bool
    bosses: tuple[tuple[str, int], ...]


def rows(head: Head, seat: Seat, names: Sequence[str]) -> dict[str, Any]:
    """The wards in the order of their elections, what chips the seat holds, and the words for colours."""
    view = head.rules.decider.view(head.table.game, seat)
    wards = [_row(view["wards"][str(number)], number, names) for number in ELECTION_ORDER]
    return {
        "rows": [row for row in wards if row.active] + [Row(OTHERS, None, True, ())],
        "closed": [row for row in wards if not row.active],
        "chips": view["seats"][seat]["chips"],
        "colours": PEOPLE,
        "switches": SWITCHES,
    }


def fields(orders: Ballot) -> tuple[dict[str, str], Ballot]:
    """A ballot as fields of the form; what is left of it are reserves, bonuses and the assignment."""
    found: dict[str, str] = {}
    for vote in orders.bids:
        name = f"{vote.ward}"
        for condition, attribute in (("contested", vote.if_contested), ("winnable", vote.while_winnable)):
            if attribute:
                found[f"{name}.{condition}"] = "on"
        if isinstance(vote, UpTo):
            found |= {f"{name}.how": "up-to", f"{name}.most": str(vote.chips)}
            found |= {f"{name}.colour{place}": colour for place, colour in enumerate(vote.colours)}
        else:
            found[f"{name}.how"] = "exactly" if vote.chips else "none"
            found |= {f"{name}.{colour}": str(count) for colour, count in vote.chips.items()}
    found |= {name: "on" for name in SWITCHES if getattr(orders, name)}
    return found, msgspec.structs.replace(orders, bids=[], pass_slander=False, end_when_placed=False)


def lines(given: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """The lines that the fields of a form come to. What makes no sense comes as it is, for the notation to refuse.

    Raises OrderNotUnderstood where fields that were chosen are left empty: the notation would answer with its words.
    """
    wards = [*map(str, ELECTION_ORDER), OTHERS]
    found = [line for name in wards if (line := _line(name, given))]
    return [*found, *(line for name, line in SWITCHES.items() if given.get(name))]


def _row(ward: Mapping[str, Any], number: int, names: Sequence[str]) -> Row:
    bosses = tuple((name, count) for name, count in zip(names, ward["bosses"], strict=True) if count)
    return Row(str(number), number, ward["active"], bosses)


def _line(name: str, given: Mapping[str, str]) -> str:
    ward = OTHERS if name == OTHERS else f"ward {name}"
    ends = [words for condition, words in CONDITIONS.items() if given.get(f"{name}.{condition}")]
    match given.get(f"{name}.how", ""):
        case "none":
            return f"{ward} bid none"
        case "exactly":
            chips = [f"{colour} {count}" for colour in COLOURS if (count := _count(given.get(f"{name}.{colour}")))]
            return " ".join([ward, "bid", *(chips or ["none"]), *ends])
        case "up-to":
            colours = [colour for place in range(len(COLOURS)) if (colour := given.get(f"{name}.colour{place}"))]
            line = [ward, "up to", given.get(f"{name}.most", "").strip(), *dict.fromkeys(colours), *ends]
            if not colours or not line[2]:
                raise OrderNotUnderstood("bad-syntax", "TH-15.1", " ".join(filter(None, line)), INCOMPLETE)
            return " ".join(line)
        case _:
            return ""


def _count(text: str | None) -> str:
    """A number of chips as it was typed; "" for none."""
    stripped = (text or "").strip()
    return "" if stripped in ("", "0") else stripped
