"""How often people are asked, and how often the table waits, with and without standing orders.

The same seeded choices are entered live and ordered ahead; both games must come out the same. Run it with
`python3 dev.py bench roundtrips`.
"""

import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from domain.engine.game import Action, Seat
from domain.engine.refusals import RuleViolation
from domain.rulesets import ruleset
from domain.table.events import OrdersFiled, OrdersFollowed
from domain.table.play import play, settle
from domain.table.record import Record, seat_actor
from domain.table.seating import Nonce, Terms, open_table, sit
from domain.table.standing_orders import file_orders
from domain.table.state import Table

AHEAD: Final[Mapping[str, str]] = {
    "tammany-hall": "others up to 2 irish english german italian\nbonus others pass",
    "city-hall": "others bid up to 2\nkeep others up to 2\naccept {others}\nevery round",
}
CLOCK: Final = {"per_move": "P3D", "grace": "PT10M", "reminders": [], "on_timeout": "caretaker", "strikes": 2}


@dataclass(slots=True)
class Count:
    """Questions to people and waits of the table in one game, and where it came out."""

    asked: int = 0
    waits: int = 0
    result: Any = None
    facts: int = 0


def game(kind: str, seats: int, seed: int, ahead: bool) -> Count:
    """One game; with `ahead` the orders are filed and followed, else what they say is entered when it is asked."""
    rules, chance, count = ruleset(kind), random.Random(seed), Count()
    record = Record(Table(), rules)
    open_table(record, "p0", Terms(seats, {}, CLOCK, public=True), seed.to_bytes(32, "big"))
    for seat in range(seats):
        sit(record, f"p{seat}", Nonce(f"the-nonce-of-seat-{seat}", by_player=True))
    settle(record, seat_actor(0))
    while record.table.status == "running":
        table = record.table
        waits = sorted(rules.decider.awaiting(table.game))
        if ahead and _files(record, kind, seats):
            settle(record, seat_actor(waits[0]))
            continue
        count.waits += 1
        for seat in waits:  # who is asked at the same time is waited for once
            count.asked += 1
            _answers(record, kind, seats, seat, chance)
        settle(record, seat_actor(waits[0]))
    count.result = rules.decider.result(record.table.game)
    count.facts = sum(not isinstance(fact.event, OrdersFiled | OrdersFollowed) for fact in record.facts)
    return count


def _answers(record: Record, kind: str, seats: int, seat: Seat, chance: random.Random) -> None:
    """What a seat answers: what it would order ahead, else anything legal; a turn of several acts is one answer."""
    rules = record.rules
    decision = rules.decider.decision(record.table.game)
    while seat in rules.decider.awaiting(record.table.game) and rules.decider.decision(record.table.game) == decision:
        seen = rules.decider.blind(record.table.game, seat)
        action = _ordered(record, kind, seats, seat)
        if action is None:
            legal = rules.decider.legal_actions(seen, seat).actions
            finals = [one for one in legal if rules.notation.write(one) == "end"]
            action = finals[0] if finals else chance.choice(legal)
        play(record, seat, [action])
        if rules.decider.proceed(record.table.game):
            return


def _ordered(record: Record, kind: str, seats: int, seat: Seat) -> Action | None:
    rules = record.rules
    ahead = rules.standing_orders
    assert ahead is not None
    seen = rules.decider.blind(record.table.game, seat)
    orders = ahead.parse(_text(record, kind, seats, seat), rules.notation.pawns)
    try:
        return ahead.follow(seen, seat, ahead.check(seen, seat, orders))
    except RuleViolation:  # nothing of it can still be asked
        return None


def _files(record: Record, kind: str, seats: int) -> bool:
    """Let every seat file what it has not yet: a ballot each term, proxies once. Whether anybody did."""
    rules, filed = record.rules, False
    assert rules.standing_orders is not None
    for seat in range(seats):
        if _stands(record, seat):
            continue
        before = len(record.facts)
        with suppress(RuleViolation):  # nothing of it can still be asked
            file_orders(
                record, seat, rules.standing_orders.parse(_text(record, kind, seats, seat), rules.notation.pawns)
            )
        filed |= len(record.facts) > before
    return filed


def _stands(record: Record, seat: Seat) -> bool:
    """Whether anything a seat has ordered can still come to pass."""
    rules, standing = record.rules, record.table.orders.get(seat)
    if standing is None or standing.orders is None or rules.standing_orders is None:
        return False
    orders = msgspec.convert(standing.orders, rules.standing_orders.form)
    return rules.standing_orders.live(rules.decider.blind(record.table.game, seat), seat, orders) is not None


def _text(record: Record, kind: str, seats: int, seat: Seat) -> str:
    others = [record.rules.notation.pawns[other] for other in range(seats) if other != seat]
    text = AHEAD[kind].format(others=" ".join(others))
    if kind == "tammany-hall" and record.table.game.year <= 12:
        titles = ("deputy", "council", "police", "precinct")
        text += "\nassign " + " ".join(f"{title} {name}" for title, name in zip(titles, others, strict=False))
    return text


def main(games: int, most_sizes: int = 3) -> None:
    """Print the table of so many games of each kind and size, and stop where both ways do not come out the same."""
    print("| game | players | questions a player, live | ahead | waits of the table, live | ahead |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for kind, sizes in (("tammany-hall", (3, 4, 5)), ("city-hall", (2, 3, 4))):
        for seats in sizes[:most_sizes]:
            live = [game(kind, seats, seed, ahead=False) for seed in range(games)]
            ahead = [game(kind, seats, seed, ahead=True) for seed in range(games)]
            if [(count.result, count.facts) for count in live] != [(count.result, count.facts) for count in ahead]:
                raise SystemExit(f"{kind} with {seats} players does not come out the same")
            cells = [
                _mean(live, "asked", seats),
                _mean(ahead, "asked", seats),
                _mean(live, "waits", 1),
                _mean(ahead, "waits", 1),
            ]
            print(f"| {ruleset(kind).presentation.title} | {seats} | " + " | ".join(cells) + " |")


def _mean(counts: list[Count], what: str, seats: int) -> str:
    return f"{sum(getattr(count, what) for count in counts) / len(counts) / seats:.1f}"
