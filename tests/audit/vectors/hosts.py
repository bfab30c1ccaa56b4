"""What a host can make of its own games and sign: what harms nobody, what the rules forbid, what is not decided."""

import functools
import hashlib
import random
from collections.abc import Iterator
from typing import Any, Final

from domain.audit.bundle.archive import CHECKPOINTS, DRAWS, KEYS, MANIFEST, NOTICES, README, RULES
from domain.audit.bundle.schema import KINDS
from tests.audit import maker
from tests.audit.bundles import HOST, Host
from tests.audit.vectors.bases import BASES
from tests.audit.vectors.operations import (
    ARCHIVE,
    HISTORY,
    Change,
    Spoiling,
    Verdict,
    appends,
    at,
    becomes,
    both,
    causes_from,
    clears,
    data,
    drops,
    ends_before,
    events_of,
    files_of,
    inserts,
    leaf,
    leaves_out,
    moves,
    nothing,
    of,
    puts,
    reverses,
    shuts,
    twice,
)

Holds = functools.partial(Spoiling, verdict=Verdict.HOLDS)
ByRules = functools.partial(Spoiling, verdict=Verdict.RULES)
LATER: Final = "2027-01-01T00:00:00.000000Z"


def good() -> Iterator[Spoiling]:
    """The bundles as they were stored, as they are made today, and as their host makes them again."""
    for base in BASES:
        yield Holds("as stored", ARCHIVE, lambda raw: raw, base=base)
    for base in ("order", "running", "watched", "closed", "lobby"):
        yield Holds("as made today", ARCHIVE, lambda raw, made=BASES[base]: made.make(), base=base)


def harmless() -> Iterator[Spoiling]:
    """Changes that no sentence of the page and no rule forbids, made by the host."""
    for base in ("over", "order", "running", "zoning"):
        yield Holds("nothing", HISTORY, nothing, base=base)
        yield Holds("other causes", HISTORY, causes_from(1), base=base)
    for base, first in (("running", 73), ("watched", 73), ("zoning", 6), ("zoning-watched", 6), ("clock", 9)):
        last = len(events_of(base))
        for number in sorted({*range(first, last + 1, max(1, (last - first) // 6))}):
            yield Holds(f"as it was before event {number}", HISTORY, ends_before(number), base=base)
    yield Holds("another text", README, becomes("Größe – 好\n".encode()))
    yield Holds("another edition", RULES, puts(edition="2", board={"other": 1}))
    yield Holds("a type that no event has", RULES, puts("schemas", **{"table.elephant": 0}))
    yield Holds("newer schemas", RULES, lambda value: value.update(schemas=dict.fromkeys(value["schemas"], 9)))
    yield Holds("no notices", NOTICES, clears("notices"))
    for kind in sorted(KINDS):
        yield Holds(f"a notice of kind {kind}", NOTICES, puts("notices", 0, kind=kind))
    for state in ("queued", "failed", "superseded"):
        yield Holds(f"a notice that is {state}", NOTICES, puts("notices", 0, state=state, sent=None))
    yield Holds("a notice that bounced", NOTICES, puts("notices", 0, state="bounced"))
    yield Holds("a notice sent later", NOTICES, puts("notices", 2, sent=LATER))
    yield Holds("the last checkpoint alone", CHECKPOINTS, drops("checkpoints", 0))
    points = [HOST.checkpoint(event) for event in events_of("closed")]
    yield Holds("a checkpoint of every event", CHECKPOINTS, puts(checkpoints=points), base="closed")
    yield Holds("a newer key", KEYS, appends(Host("new", earlier=HOST).keys()[-1], "keys"))
    yield Holds("a key that nobody vouches for", KEYS, puts("keys", 1, endorsement=None))


def against_the_rules() -> Iterator[Spoiling]:
    """Changes that fit together in all that the page says, and that no rule would make.

    Those of a running game come before its first shut leaf: what follows cannot be told before the leaf is opened.
    """
    chance = random.Random(52)
    for base, most in (("over", 4), ("order", 4), ("running", 8), ("zoning", 8), ("permits", 3)):
        said = [event["version"] for event in events_of(base) if "text" in event["data"]]
        for number in chance.sample(said, min(most, len(said))):
            yield ByRules(f"event {number} says another action", HISTORY, data(number, text="elephant"), base=base)
    for base in ("watched", "zoning-watched"):
        events = events_of(base)
        plain = [
            event["version"]
            for event in events[10:34]
            if not event["type"].startswith("table.") and not event["sealed"] and "draw" not in event["data"]
            and event["type"] != events[event["version"]]["type"] and "draw" not in events[event["version"]]["data"]
            and not event["type"].endswith("bids-revealed") and not events[event["version"]]["sealed"]
        ]  # fmt: skip
        for number in chance.sample(plain, 4):
            actor = {"seat": (events[number - 1]["actor"].get("seat", 0) + 1) % 3}
            yield ByRules(f"event {number} by another seat", HISTORY, of(number, actor=actor), f"event {number}:", base)
            yield ByRules(f"event {number} says nothing", HISTORY, of(number, data={}), f"event {number}:", base)
            yield ByRules(f"no event {number}", HISTORY, leaves_out(number), "event", base)
            yield ByRules(f"event {number} twice", HISTORY, twice(number), "event", base)
            yield ByRules(f"event {number} after the next", HISTORY, moves(number, number + 1), "event", base)
    yield ByRules("an act of the operator", HISTORY, puts(-1, actor={"operator": True}), "event 3:", "lobby")
    yield ByRules("another winner", HISTORY, data(73, winner=0), "event 73:", "running")
    yield ByRules("other votes", HISTORY, data(75, votes={"0": 2}), "event 75:", "running")
    yield ByRules("a seat that nobody has", HISTORY, data(12, seat=99), "event 12:", "watched")
    yield ByRules("another type", HISTORY, of(12, type="tammany-hall.bonus-declined"), "event 12:", "watched")
    yield ByRules("a leaf that says another action", HISTORY, leaf(63, text="elephant"), "event 63:")
    yield ByRules("a leaf that says more", HISTORY, leaf(63, more=1), "event 63:")
    yield ByRules("another ward's bid", HISTORY, data(63, ward=13), "event 63:")
    yield ByRules("no leaf where one is due", HISTORY, of(79, sealed=[]), "event 79:", "watched")
    yield Spoiling("a leaf for another seat", HISTORY, _for(2), "event 63:|leaves")
    yield ByRules("a leaf for nobody", HISTORY, _for("nobody"), "event 63:")
    yield ByRules("a leaf that says less", HISTORY, puts(62, "sealed", 0, data={"chips": {}}), "event 63:")
    yield ByRules("seats without end", HISTORY, data(1, seats=2**52), "event 1:", "watched")
    chess = [(RULES, puts(ruleset="chess")), (MANIFEST, puts(ruleset="chess"))]
    yield ByRules("rules that nobody knows", HISTORY, data(1, ruleset="chess"), base="watched", also=chess)
    yield ByRules("the board is another", RULES, puts("board", more=1), "rules")
    yield ByRules("cards that are not left to be drawn", HISTORY, _other_card, "event 7:", "order", also=[_OTHER_ITEMS])
    for name, (contents, how) in maker.bundles().items():
        yield ByRules(f"{name}: a game that was made up", ARCHIVE, becomes(maker.seal(contents, **how)))


def _for(seat: int | str) -> Change:
    """Address the leaf of the first bid to somebody else."""
    return puts(62, "sealed", 0, **{"for": seat})


def _land() -> tuple[list[Any], int]:
    """The cards of the first land draw of a game, and the place of the one that was drawn."""
    draw = maker.json.loads(files_of("order")[DRAWS])["draws"][1]
    return draw["items"], draw["items"].index(events_of("order")[6]["data"]["result"])


def _other_card(events: Any) -> None:
    """Draw the neighbour of the card that was drawn."""
    items, place = _land()
    events[6]["data"]["result"] = items[place - 1]


def _other_items(value: Any) -> None:
    """Exchange both cards among those to be drawn from, so that the seed gives the neighbour."""
    items, place = _land()
    items[place], items[place - 1] = items[place - 1], items[place]
    value["draws"][1]["items"] = items


_OTHER_ITEMS: Final = (DRAWS, _other_items)


def cheating() -> Iterator[Spoiling]:
    """Histories that a host could want: other draws, another seed, secrets kept or told."""
    other = hashlib.sha256(b"another").digest()
    committed = hashlib.sha256(other).hexdigest()
    seed = both(data(1, seed_commitment=committed), leaf(1, seed=other.hex()), data(33, seed=other.hex()))
    in_draws = (DRAWS, puts(seed=other.hex(), seed_commitment=committed))
    yield Spoiling("another seed with its commitment", HISTORY, seed, "event 6", "order", also=[in_draws])
    for event in events_of("order"):
        if event["type"].endswith("land-drawn"):
            items, number = _land()[0], event["version"]
            card = next(card for card in items if card != event["data"]["result"])
            yield Spoiling("another card", HISTORY, data(number, result=card), f"event {number}", "order")
    for event in events_of("over"):
        if event["type"].endswith("garden-filled"):
            counts = {**event["data"]["result"], "irish": event["data"]["result"]["irish"] + 1}
            number = event["version"]
            yield Spoiling("one more cube", HISTORY, data(number, result=counts), f"event {number}")
    revealed = [event for event in events_of("permits") if event["type"].endswith("permits-revealed")]
    for event in [event for event in revealed if not event["data"]["bottom"]][::3]:
        number = event["version"]
        yield Spoiling(
            "permits in another order", HISTORY, reverses(number - 1, "data", "result"), f"event {number}", "permits"
        )
        more = at((number - 1, "data", "result"), lambda cards: cards.append("x"))
        yield Spoiling("a permit more", HISTORY, more, f"event {number}", "permits")
    yield Spoiling("a card more of known order", HISTORY, data(237, bottom=3), "event 237", "permits")
    none, free = data(10, result={"irish": 0}), [(DRAWS, puts("draws", 2, take=-1))]
    yield Spoiling("a garden of less than nothing", HISTORY, none, "event 10", also=free)
    kept_seed = ends_before(113)
    unknown = [(DRAWS, puts(seed=None, draws=[]))]
    yield Spoiling("the seed is never told", HISTORY, kept_seed, "seed", also=unknown)
    for number, label in ((8, "land"), (10, "zone-1")):
        wrong = {**events_of("over")[number - 1]["data"]["draw"], "label": label}
        yield Spoiling("a draw by another name", HISTORY, data(number, draw=wrong), f"event {number}")
    extra = {**events_of("order")[6], "data": {"draw": {"index": 8, "label": "land"}, "result": "x"}}
    yield Spoiling("a draw that no rule calls for", HISTORY, inserts(32, extra), "event", "order")
    for base, number in (("running", 1), ("running", 44), ("running", 79), ("watched", 80), ("watched", 44)):
        opened = BASES[base].all_events()[number - 1]["sealed"]
        yield Spoiling("a leaf opened too early", HISTORY, of(number, sealed=opened), f"event {number}:", base)
    for base, number in (("running", 69), ("running", 80), ("watched", 70)):
        if any("salt" in one for one in events_of(base)[number - 1]["sealed"]):
            yield Spoiling("a leaf shut too long", HISTORY, shuts(number), f"event {number}", base)
    shut = both(shuts(1), shuts(63))
    yield Spoiling("leaves shut at the end", HISTORY, shut, "event 1:")
    again = {**events_of("running")[39], "data": {**events_of("running")[39]["data"], "to": 30}}
    yield Spoiling("`to` must itself stand", HISTORY, inserts(80, again), "event 81:", "running")
    for field in ("nonce", "nonce_by"):
        value = {"nonce": "x" * 16, "nonce_by": "host"}[field]
        yield Spoiling(f"another {field}", HISTORY, data(3, **{field: value}), "event|nonces|draws", "order")
    yield Spoiling("another chair was left", HISTORY, data(5, seat=3), "event|nonces|draws|rules", "closed")
    drawn = {"commitment": "", "data": {"draw": {"index": 9, "label": "land"}}, "for": 1, "salt": "11" * 32}
    yield Spoiling("no event has two", HISTORY, of(8, sealed=[drawn]), "draws|event 8")
    for value, words in ((None, "unknown"), ("ab" * 32, "another")):
        yield Spoiling(
            f"the leaf of event 1 says that the seed is {words}", HISTORY, leaf(1, seed=value), "event 1|seed"
        )
    yield Spoiling("a type that nobody knows", HISTORY, of(9, type="tammany-hall.elephant"), "event 9:")
    yield Spoiling("a type of another game", HISTORY, of(9, type="city-hall.land-drawn"), "event 9:")
    yield Spoiling("a schema that is not made yet", HISTORY, of(9, schema=9), "event 9:")
    yield Spoiling("a nonce of a chair that was left", DRAWS, puts(nonces=["x"]), "nonces", "closed")
    unreadable = both(data(9, ä=1), of(20, at="2026-01-01T00:00:00.000000Z"))
    yield Spoiling("two events that are none", HISTORY, unreadable, "event 20:")


def undecided() -> Iterator[Spoiling]:
    """Values in another form than the one there is, on which format.md has yet to decide (issue 39)."""
    for value in (None, False):
        yield Spoiling(f"`bottom` is {value}", HISTORY, data(38, bottom=value), base="permits")
    for base in ("running", "over"):
        for value in (True, "1"):
            count = puts(9, "data", "result", irish=value)
            yield Spoiling(f"a count of cubes is {value!r}", HISTORY, count, base=base)
    for value in (False, None, "", []):
        told = at((63, "data", "bids"), lambda bids, value=value: next(iter(bids.values())).update(english=value))
        yield Spoiling(f"no chips are written {value!r}", HISTORY, told)
    zone = {"index": 1, "label": "zone-1"}
    for words, draw in {
        "a draw with index true": zone | {"index": True},
        "a draw with index -1": zone | {"index": -1},
        "a draw without label": {"index": 1},
        "a draw without index": {"label": "zone-1"},
        "a draw of no label": zone | {"label": "dice"},
        "a draw that says more": zone | {"more": 1},
    }.items():
        yield Spoiling(words, HISTORY, data(8, draw=draw), base="running")
    yield ByRules("an event that says more", HISTORY, data(12, more=1), base="running")
    deep = functools.reduce(lambda inner, _: {"a": inner}, range(899), {})
    yield Spoiling("data nested 899 deep", HISTORY, data(12, more=deep), base="running")
