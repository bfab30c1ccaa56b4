"""Proxies as text, one line each, in the words of the notation (CH-16.1), and back."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from domain.city_hall.proxy.proxies import (
    OTHERS,
    SEVERAL,
    Bidding,
    BidExactly,
    BidUpTo,
    KeepUpTo,
    Named,
    PassOn,
    Proxies,
)
from domain.city_hall.rules.pieces import PAWNS
from domain.city_hall.text.notation import GameLine
from domain.engine.game import Seat
from domain.engine.notation import lines_of
from domain.engine.sentences import say

PROXY_FORMS: Final[dict[str, tuple[str, ...]]] = {
    "bid": ("bid OFFICE up to NUMBER", "bid OFFICE NUMBER"),
    "pass": ("pass OFFICE",),
    "others": ("others bid up to NUMBER", "others bid NUMBER", "others pass"),
    "keep": ("keep OFFICE up to NUMBER", "keep others up to NUMBER"),
    "accept": ("accept PLAYER", "accept PLAYER PLAYER"),
    "every": ("every round",),
    "round": ("round NUMBER",),
}
"""The forms of each line, by its first word."""
EVERY: Final = 0
"""Stands for every round."""
PROXIES_HELP: Final = say("""\
Proxies bid for you, and keep your Offices or not, as soon as that is asked.

  bid tax up to 4       for a rival's Tax Assessor: 1 more than the high bid,
                        or as much; at most 4 and what you have; else pass
  bid tax 4             exactly 4; pass where the high bid is above 4
  pass tax              do not bid for it
  others bid up to 2    for Offices without a line; or others bid 2
  others pass           do not bid for them
  keep tax up to 5      your own Tax Assessor: where the high bid is at most 5
                        and you have as much, keep it; else accept a high bid
  keep others up to 3   your own Offices without a line
  accept yellow red     whom to accept of several high bidders, the first one
                        first; where it names none of them you are asked
  every round           for all rounds, until you replace these orders
  round 4               for round 4 alone

Without one of the last two lines they are for this round, or for the next
where this one asks nothing more of the kind. What no line is about, you are
asked. Where you have less than an exact bid, the orders are dropped and you
are asked.

Offices: tax, surveyor, campaign, lobbyist, zoning, health, deputy.
""")


def parse_proxies(text: str, names: Sequence[str]) -> Proxies:
    """The proxies of a text, one line each; `names` are those of the seats that play. Blank lines say nothing.

    Raises OrderNotUnderstood for the first line that is none, by the order of checks of CH-17.1.
    """
    lines = [ProxyLine(line, names) for line in lines_of(text)]
    read = [line.order() for line in lines]
    rounds = [(order, line) for order, line in zip(read, lines, strict=True) if isinstance(order, int)]
    for number, line in rounds:
        if number != rounds[0][0]:
            line.refuse("several-rounds", "CH-16.1", SEVERAL)
    return Proxies(
        bids=[order for order in read if isinstance(order, BidExactly | BidUpTo | PassOn)],
        keep=[order for order in read if isinstance(order, KeepUpTo)],
        accept=[seat for order in read if isinstance(order, list) for seat in order],
        every_round=EVERY in read,
        round=max((number for number, _ in rounds), default=0),
    )


class ProxyLine(GameLine):
    """One line of proxies being read."""

    forms: ClassVar[Mapping[str, tuple[str, ...]]] = PROXY_FORMS

    def order(self) -> Bidding | KeepUpTo | list[Seat] | int:
        """What this line orders: about an Office, whom to accept, or the round, 0 for every one."""
        words = self.words
        if words[0] == OTHERS and words[1:2] != ["accept"]:
            words = [*words[1:2], OTHERS, *words[2:]]
        match words:
            case ["bid", office, "up", "to", count] | ["bid", office, "up", count]:
                return BidUpTo(self.named(office), self.count(count))
            case ["bid", office, count]:
                return BidExactly(self.named(office), self.count(count))
            case ["pass", office]:
                return PassOn(self.named(office))
            case ["keep", office, "up", "to", count] | ["keep", office, "up", count]:
                return KeepUpTo(self.named(office), self.count(count))
            case ["accept", first, *others]:
                return [self.player(word) for word in (first, *others)]
            case ["every", "round"]:
                return EVERY
            case ["round", count]:
                return self.count(count, 1)
            case _:
                self.unfit()

    def named(self, word: str) -> Named:
        """An Office by its word, or all others."""
        return OTHERS if word == OTHERS else self.office(word)


def write_proxies(orders: Proxies) -> str:
    """Proxies in the notation, with pawns for players: bids, Offices to keep, whom to accept, the round."""
    lines = [_about(order, "pass" if isinstance(order, PassOn) else "bid") for order in orders.bids]
    lines += [_about(order, "keep") for order in orders.keep]
    if orders.accept:
        lines.append(" ".join(["accept", *(PAWNS[seat] for seat in orders.accept)]))
    if orders.every_round:
        lines.append("every round")
    elif orders.round:
        lines.append(f"round {orders.round}")
    return "\n".join(lines)


def _about(line: Bidding | KeepUpTo, verb: str) -> str:
    words = [OTHERS, verb] if line.office == OTHERS and verb != "keep" else [verb, line.office]
    match line:
        case BidExactly(influence=influence):
            words.append(f"{influence}")
        case BidUpTo(influence=influence) | KeepUpTo(influence=influence):
            words.append(f"up to {influence}")
    return " ".join(words)
