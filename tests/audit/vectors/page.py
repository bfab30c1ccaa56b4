"""The page docs/audit/format.md broken sentence by sentence: what is changed, and which words of the page forbid it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from domain.audit.bundle.archive import CHECKPOINTS, DRAWS, EVENTS, KEYS, MANIFEST, NOTICES, README, RULES, SIGNATURE
from domain.engine.canonical import canonical
from tests.audit.bundles import HOST, Host
from tests.audit.drafts import Change, signed_point

HISTORY = "history"
THIEF = Host("thief")
EVEN = {"strength": 1, "temper": "even"}


@dataclass(frozen=True)
class Fault:
    """A change of one stage of a bundle (its history, or a file), the words it breaks, and what both verifiers name."""

    words: str
    stage: str
    change: Change
    named: str = ""
    base: str = "over"


def puts(*path: Any, **fields: Any) -> Change:
    """Set fields of the object at a path."""

    def change(value: Any) -> None:
        for step in path:
            value = value[step]
        value.update(fields)

    return change


def drops(*path: Any) -> Change:
    """Leave out what stands at a path."""

    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        del value[path[-1]]

    return change


def of(number: int, **fields: Any) -> Change:
    """Set fields of an event."""
    return puts(number - 1, **fields)


def both(*changes: Change) -> Change:
    """One change after the other."""

    def change(value: Any) -> None:
        for step in changes:
            step(value)

    return change


def of_type(kind: str, **fields: Any) -> Change:
    """Set fields of the data of the first event of a type."""

    def change(events: Any) -> None:
        next(event for event in events if event["type"] == kind)["data"].update(fields)

    return change


def data(number: int, **fields: Any) -> Change:
    """Set fields of the data of an event."""
    return puts(number - 1, "data", **fields)


def leaf(number: int, **fields: Any) -> Change:
    """Set fields of what a leaf says."""
    return puts(number - 1, "sealed", 0, "data", **fields)


def shuts(number: int) -> Change:
    def change(events: Any) -> None:
        for sealed in events[number - 1]["sealed"]:
            del sealed["data"], sealed["salt"]

    return change


def becomes(content: bytes) -> Change:
    return lambda value: content


def replaces(old: bytes, new: bytes) -> Change:
    """The same bytes with others in one place."""

    def change(content: bytes) -> bytes:
        assert old in content
        return content.replace(old, new, 1)

    return change


def rewrites(change: Callable[[bytes], bytes]) -> Change:
    """The bytes of a JSON file, rewritten."""
    return lambda value: change(canonical(value) + b"\n")


def moves(source: int, to: int) -> Change:
    """One event takes the place of another; all are numbered and dated anew."""

    def change(events: Any) -> None:
        times = [event["at"] for event in events]
        events.insert(to - 1, events.pop(source - 1))
        for number, (event, at) in enumerate(zip(events, times, strict=True), 1):
            event.update(version=number, at=at)

    return change


def twice(number: int) -> Change:
    """An event stands there twice."""

    def change(events: Any) -> None:
        events.insert(number, events[number - 1] | {})
        for place, event in enumerate(events, 1):
            event["version"] = place

    return change


def ends_before(number: int) -> Change:
    return lambda events: events[: number - 1]


def at_end(change: Callable[[list[Any]], Any], *path: Any) -> Change:
    """Change the list at a path."""

    def changes(value: Any) -> None:
        for step in path:
            value = value[step]
        change(value)

    return changes


def times(stage: str, base: str, *path: Any) -> Iterator[Fault]:
    """A time at a path that is none."""
    words = "a day of the calendar in the years 0001 to 9999, an hour to 23, a minute and a second to 59"
    for wrong in ("2026-02-31", "2026-13-01", "0000-01-01", "2025-02-29", "2026-11-00"):
        yield Fault(words, stage, puts(*path[:-1], **{path[-1]: f"{wrong}T18:19:41.123456Z"}), base=base)
    for wrong in ("24:00:00", "18:60:00", "23:59:60"):
        yield Fault(words, stage, puts(*path[:-1], **{path[-1]: f"2026-11-30T{wrong}.000000Z"}), base=base)
    for wrong in ("2026-11-20T18:19:41Z", "2026-11-20T18:19:41.123Z", "2026-11-20T18:19:41.123456+00:00", 7):
        yield Fault("always six digits", stage, puts(*path[:-1], **{path[-1]: wrong}), base=base)


LONG = "0" * 64
OTHER = "1" * 64
LAST = 113
NONE_SUCH = "A reader refuses what is not canonical, and unknown or missing fields"
FOUND = (
    # 1
    *(
        Fault(NONE_SUCH, file, rewrites(lambda raw, old=old, new=new: raw.replace(old, new, 1)), file)
        for file in (MANIFEST, SIGNATURE, RULES, DRAWS, NOTICES, CHECKPOINTS, KEYS)
        for old, new in ((b'":', b'": '), (b"{", b'{"":1.0,'), (b"}\n", b',"zz":1}\n'), (b"{", b"[{"))
    ),
    *(
        Fault("and unknown or missing fields", file, change, file)
        for file, rows in ((DRAWS, "draws"), (NOTICES, "notices"), (CHECKPOINTS, "checkpoints"), (KEYS, "keys"))
        for change in (puts(rows, 0, more=1), at_end(lambda rows: rows.append([]), rows), puts(**{rows: {}}))
    ),
    Fault("and unknown or missing fields", RULES, drops("edition"), RULES),
    Fault("and unknown or missing fields", DRAWS, drops("nonces"), DRAWS),
    Fault("and unknown or missing fields", NOTICES, drops("notices", 0, "kind"), NOTICES),
    Fault("and unknown or missing fields", CHECKPOINTS, drops("checkpoints", 0, "time"), CHECKPOINTS),
    Fault("and unknown or missing fields", KEYS, drops("keys", 0, "since"), KEYS),
    Fault("objects with ASCII keys", HISTORY, data(9, ä=1), "event 9"),
    Fault("no floats", EVENTS, replaces(b'"version":9}', b'"version":9.0}'), "event 9"),
    Fault("integers within ±(2^53 - 1)", RULES, puts("board", big=2**53), RULES),
    Fault("*hex*: lower case", KEYS, puts("keys", 0, public=HOST.keys()[0]["public"].upper()), "key"),
    Fault("*hash*: 64 hex", DRAWS, puts(seed_commitment="0" * 63), DRAWS),
    Fault("*number*: an integer from 0", NOTICES, puts("notices", 0, seat=-1), NOTICES),
    Fault("*number*: an integer from 0", NOTICES, puts("notices", 0, seat=True), NOTICES),
    *times(HISTORY, "over", LAST - 1, "at"),
    *times(NOTICES, "over", "notices", 0, "queued"),
    *times(NOTICES, "over", "notices", 0, "sent"),
    *times(KEYS, "over", "keys", 0, "since"),
    *times(CHECKPOINTS, "over", "checkpoints", 0, "time"),
    *times(MANIFEST, "over", "at"),
    Fault("the *key id* is the first 16 hex", KEYS, puts("keys", 0, id="0" * 16), "key"),
    Fault("whose y is not below 2^255 - 19, signs nothing", KEYS, puts("keys", 1, public="f" * 64), "key"),
    Fault("the history holds `table.game-finished`", MANIFEST, puts(over=False), MANIFEST),
    Fault("`over` says whether the history is over", MANIFEST, puts(over=True), MANIFEST, "running"),
    # 2
    Fault("for people (UTF-8 text)", README, becomes(b"\xff\xfe"), README),
    *(
        Fault("one canonical JSON object and a line feed", file, rewrites(lambda raw: raw[:-1]), file)
        for file in (MANIFEST, SIGNATURE, RULES, DRAWS, NOTICES, CHECKPOINTS, KEYS)
    ),
    # 3
    Fault("Exactly these nine fields", MANIFEST, puts(more=1), MANIFEST),
    Fault("Exactly these nine fields", MANIFEST, drops("reader"), MANIFEST),
    Fault("time of the last event", MANIFEST, puts(at="2026-11-20T18:00:00.000000Z"), MANIFEST),
    Fault("number of the last event", MANIFEST, puts(version=7), MANIFEST),
    Fault('"hash": hash of the last event', MANIFEST, puts(hash=LONG), MANIFEST),
    Fault('"game": id', MANIFEST, puts(game="another"), MANIFEST),
    *(
        Fault('"format": "wardroom-bundle-1"', MANIFEST, puts(format=other), MANIFEST)
        for other in ("wardroom-bundle-2", "", 1)
    ),
    Fault("`files` names all files but", MANIFEST, drops("files", KEYS), "keys.json|manifest"),
    Fault("and no others", MANIFEST, puts("files", x={"bytes": 0, "sha256": LONG}), MANIFEST),
    Fault("and no others", MANIFEST, puts("files", KEYS, bytes=1), "keys.json|manifest"),
    Fault("null in every bundle of a game that is over", MANIFEST, puts(reader=1), "reader|one reader"),
    Fault("a seat of the table", MANIFEST, puts(reader=3), "reader", "watched"),
    Fault("a seat of the table", MANIFEST, puts(reader=-1), MANIFEST, "watched"),
    Fault("a seat of the table", MANIFEST, puts(reader="1"), MANIFEST, "running"),
    Fault("`ruleset` is the `data.ruleset` of event 1", MANIFEST, puts(ruleset="city-hall"), "ruleset"),
    Fault("The signature is over `wardroom-bundle-v1", SIGNATURE, puts(signature="0" * 128), "signature"),
    Fault("The key is one of `keys.json`", SIGNATURE, puts(key=THIEF.id), "signature|manifest"),
    Fault("The key is one of `keys.json`", SIGNATURE, puts(more=1), "signature"),
    # 4
    Fault("One event a line, canonical JSON and a line feed", EVENTS, replaces(b'"actor":', b'"actor": '), "event 1"),
    Fault("One event a line, canonical JSON and a line feed", EVENTS, lambda raw: raw[:-1], "event"),
    Fault("versions 1, 2, 3 … without a gap", HISTORY, of(9, version=10), "event 9"),
    Fault("versions 1, 2, 3 … without a gap", HISTORY, drops(8), "event 9"),
    Fault('then one line `{"end"', EVENTS, lambda raw: raw[: raw.index(b'{"end"')], "event"),
    Fault('then one line `{"end"', EVENTS, replaces(b'{"end":{"hash":"', b'{"end":{"hash":"0'), "event"),
    Fault("Exactly these eleven fields", HISTORY, of(9, more=1), "event 9"),
    Fault("Exactly these eleven fields", HISTORY, drops(8, "cause"), "event 9"),
    Fault("`schema` is a number", HISTORY, of(9, schema=-1), "event 9"),
    Fault("`schema` is a number", HISTORY, of(9, schema="1"), "event 9"),
    Fault("`cause`, `game` and `type` are not empty", HISTORY, of(9, cause=""), "event 9"),
    Fault("`cause`, `game` and `type` are not empty", HISTORY, of(9, type=""), "event 9"),
    *(
        Fault("`actor` has one field", HISTORY, of(9, actor=actor), "event 9")
        for actor in ({}, {"seat": 1, "clock": True}, {"player": 1}, [])
    ),
    *(
        Fault(
            "`seat` and `chance` are numbers, `clock` and `operator` are true, `host` is not empty",
            HISTORY,
            of(9, actor=actor),
            "event 9",
        )
        for actor in (
            {"seat": -1},
            {"seat": True},
            {"chance": "0"},
            {"clock": 1},
            {"clock": False},
            {"host": ""},
            {"operator": "p_ann"},
            {"operator": False},
        )
    ),
    Fault("`hash` = SHA-256 of `wardroom-event-v1", EVENTS, replaces(b'"seat":1', b'"seat":2'), "event"),
    Fault(
        "the hash of the event before, 64 zeros in event 1", EVENTS, replaces(LONG.encode(), OTHER.encode()), "event 1"
    ),
    Fault("`game` is the same in all", HISTORY, of(9, game="another"), "event 9"),
    Fault("`at` never decreases", HISTORY, of(9, at="2026-01-01T00:00:00.000000Z"), "event 9"),
    Fault("`commitment` = SHA-256 of `wardroom-leaf-v1", EVENTS, replaces(b'"salt":"', b'"salt":"0'), "event 1"),
    Fault("and the canonical JSON of `data`, an object", HISTORY, puts(62, "sealed", 0, data=[]), "event 63"),
    Fault("It has both `data` and `salt`", EVENTS, replaces(b'"salt"', b'"sand"'), "event 1"),
    Fault(
        "what is said in secret for a seat, or for nobody", HISTORY, puts(62, "sealed", 0, **{"for": "all"}), "event 63"
    ),
    Fault("In an open leaf no field says null", HISTORY, leaf(63, chips=None), "event 63"),
    Fault("In an open leaf no field says null", HISTORY, leaf(63, text=None), "event 63"),
    Fault("In an open leaf no field says null", HISTORY, leaf(80, chips=None), "event 80", "running"),
    Fault("Those for seat *n* are open in a bundle for reader *n*", HISTORY, shuts(80), "event 80", "running"),
    Fault("if an event has opened them to everybody, else shut", HISTORY, shuts(65), "event 65", "running"),
    Fault("if an event has opened them to everybody, else shut", HISTORY, shuts(65), "event 65", "watched"),
    Fault("repeats in `data.bids`", HISTORY, data(64, bids={}), "event 64|leaves"),
    Fault("repeats in `data.bids`", HISTORY, leaf(63, chips={"irish": 9}), "event 6[34]"),
    Fault("When the game is over every leaf is open", HISTORY, shuts(63), "event 63"),
    Fault("When the game is over every leaf is open", HISTORY, shuts(1), "event 1:"),
    Fault(
        "Event 1 is `table.game-opened`, and no other event is", HISTORY, of(1, type="table.seat-left"), "event 1|rules"
    ),
    Fault("Event 1 is `table.game-opened`, and no other event is", HISTORY, twice(1), "event 2"),
    *(
        Fault("`data` has `ruleset`, `seats` (from 1), `options`", HISTORY, change, "event 1|rules|draws|cannot be")
        for name in ("ruleset", "seats", "options", "clock", "public", "host", "seed_commitment")
        for change in (drops(0, "data", name), data(1, **{name: None}))
    ),
    Fault("`seats` (from 1)", HISTORY, data(1, seats=0), "event 1|rules"),
    Fault('its only leaf, for nobody, is `{"seed": 64 hex}`', HISTORY, leaf(1, seed="ab"), "event 1"),
    Fault('its only leaf, for nobody, is `{"seed": 64 hex}`', HISTORY, leaf(1, more="ab"), "event 1"),
    Fault("its only leaf, for nobody", HISTORY, puts(0, "sealed", 0, **{"for": 1}), "event 1"),
    Fault("its only leaf, for nobody", HISTORY, puts(0, sealed=[]), "event 1|draws"),
    Fault(
        "its only leaf, for nobody", HISTORY, at_end(lambda sealed: sealed.append(sealed[0]), 0, "sealed"), "event 1"
    ),
    Fault(
        "its only leaf, for nobody",
        HISTORY,
        at_end(lambda sealed: sealed.append(sealed[0] | {"for": 1, "data": {"x": 1}}), 0, "sealed"),
        "event 1",
    ),
    *(
        Fault("`table.seat-taken`: `data` has", HISTORY, change, "event 2|draws")
        for name in ("seat", "player", "nonce", "nonce_by", "bot")
        for change in (drops(1, "data", name), data(2, **{name: ["x"]}))
    ),
    Fault("(`player` or `server`)", HISTORY, data(2, nonce_by="host"), "event 2"),
    *(
        Fault(words, HISTORY, data(2, bot=bot), "event 2")
        for words, bot in (
            ("a *bot* or null", 0),
            ("a *bot* or null", True),
            ("with exactly these fields", {"strength": 1}),
            ("with exactly these fields", {"temper": "even"}),
            ("with exactly these fields", {"strength": 1, "temper": "even", "seed": "ab"}),
            ("a strength from 0 to 3", {"strength": 4, "temper": "even"}),
            ("a strength from 0 to 3", {"strength": "1", "temper": "even"}),
            ("`even`, `cautious`, `patient` or `vindictive`", {"strength": 1, "temper": "angry"}),
        )
    ),
    Fault("`seat` and `bot`, a bot", HISTORY, of_type("table.seat-taken-by-bot", bot=True), "event", "bots"),
    Fault("with exactly these fields", HISTORY, of_type("table.seat-taken-by-bot", bot={"temper": "even"}), "", "bots"),
    Fault("`seat` and `bot`, a bot", HISTORY, of_type("table.seat-taken-by-bot", seat=None), "event", "bots"),
    *(
        Fault("`seat` and `bot`, a bot", HISTORY, of(6, type="table.seat-taken-by-bot", data=said), "event 6|draws")
        for said in ({"seat": 0}, {"bot": EVEN}, {"seat": 0, "bot": None}, {"seat": 0, "bot": {"strength": 1}})
    ),
    Fault("`table.seat-left`: `seat`, `host`", HISTORY, of(4, type="table.seat-left"), "event 4|draws|rules"),
    *(
        Fault("the chairs that are taken, each once", HISTORY, data(5, seats=seats), "event 5|draws")
        for seats in ([0, 1], [0, 1, 1], [0, 1, 3], [0, 1, 2, 3], ["0", "1", "2"], 3, None)
    ),
    *(
        Fault("the number of an event before it, from 1", HISTORY, data(40, to=to), "event 40", base)
        for to in (0, 40, 41, 10**6, -1, "27", None)
        for base in ("running", "watched")
    ),
    Fault("once", HISTORY, drops(39, "data", "to"), "event 40", "running"),
    Fault("that of the leaf of event 1", HISTORY, data(LAST, seed=OTHER), f"event {LAST}"),
    Fault("of which `seed_commitment` is the SHA-256", HISTORY, data(1, seed_commitment=OTHER), "seed"),
    Fault("It comes once", HISTORY, twice(LAST), f"event {LAST + 1}"),
    Fault("no game is over without it", HISTORY, ends_before(LAST), "seed"),
    Fault("no game is over without it", HISTORY, data(LAST, seed=None), "seed|event|cannot be"),
    # 5
    Fault("`nonces` are those of the chairs in seat order", DRAWS, at_end(list.reverse, "nonces"), "nonces"),
    Fault("`nonces` are those of the chairs in seat order", DRAWS, at_end(list.pop, "nonces"), "nonces"),
    Fault("`nonces` are those of the chairs in seat order", DRAWS, puts(nonces=[1, 2, 3]), DRAWS),
    Fault("the last `table.seat-taken` of each chair", HISTORY, data(2, nonce="n" * 16), "nonces|draws"),
    Fault("`seed` and `draws` are there when the seed was revealed", DRAWS, puts(seed=None), "seed"),
    Fault("`seed` and `draws` are there when the seed was revealed", DRAWS, puts(draws=[]), "draw"),
    Fault("before that `seed` is null", DRAWS, puts(seed=OTHER), "seed", "running"),
    Fault(
        "and `draws` is empty",
        DRAWS,
        puts(draws=[{"index": 0, "items": [0], "label": "land", "take": 1, "version": 6}]),
        "draw",
        "running",
    ),
    Fault("There is one entry for each event whose `data`", DRAWS, at_end(list.pop, "draws"), "event"),
    Fault("There is one entry for each event whose `data`", DRAWS, at_end(lambda d: d.append(d[0]), "draws"), "draw"),
    Fault(
        "Indices count 0, 1, 2 … over the whole history",
        HISTORY,
        data(8, draw={"index": 7, "label": "zone-1"}),
        "event 8|draws",
    ),
    Fault(
        "Indices count 0, 1, 2 … over the whole history",
        HISTORY,
        data(8, draw={"index": 7, "label": "zone-1"}),
        "event 8|draws",
        "running",
    ),
    Fault(
        "Indices count 0, 1, 2 … over the whole history",
        HISTORY,
        data(10, draw={"index": 6, "label": "garden"}),
        "event 10|draws",
        "running",
    ),
    Fault("Entries stand in that order", DRAWS, at_end(list.reverse, "draws"), "draw"),
    *(
        Fault(
            "`take`, a number, is how many of them, and never more than there are",
            DRAWS,
            puts("draws", place, take=take),
            "event|draws",
        )
        for place in (0, 1, 2)
        for take in (-1, 0, 4, 99, "1")
    ),
    Fault(
        "L is one of those in the table below", HISTORY, data(6, draw={"index": 0, "label": "dice"}), "event 6|draws"
    ),
    Fault("items are the seats 0, 1, 2", DRAWS, puts("draws", 0, items=[1, 0, 2]), "event 6"),
    Fault("items are the seats 0, 1, 2", DRAWS, puts("draws", 0, items=[0, 1]), "event 6"),
    Fault("items[below(length)]", HISTORY, data(6, result=7), "event 6"),
    Fault("items[below(length)]; take 1 | that card", HISTORY, data(7, result="none"), "event 7", "order"),
    Fault("items[below(length)]; take 1 | that card", DRAWS, puts("draws", 1, take=2), "event|draws", "order"),
    Fault("sample of all, one for each ward", DRAWS, at_end(list.pop, "draws", 1, "items"), "event 8"),
    Fault("sample of all, one for each ward", HISTORY, data(8, result={"14": "irish"}), "event 8"),
    Fault(
        "in zone 1 ward 14 is `irish` besides",
        HISTORY,
        lambda events: events[7]["data"]["result"].update({"14": "german"}),
        "event 8",
    ),
    Fault("how many of each colour", HISTORY, lambda events: events[9]["data"]["result"].update(irish=9), "event 10"),
    Fault(
        "sample of all; items are the seats, in any order | those seats",
        DRAWS,
        puts("draws", 0, items=[2, 3]),
        "event",
        "order",
    ),
    Fault("those seats |", HISTORY, lambda events: events[5]["data"]["result"].reverse(), "event 6", "order"),
    Fault("`result` stands beside `draw`", HISTORY, drops(5, "data", "result"), "event 6|draws"),
    # 6
    Fault("Exactly these five fields; `ruleset` is that of event 1", RULES, puts(ruleset="city-hall"), "ruleset"),
    Fault("Exactly these five fields", RULES, drops("board"), RULES),
    Fault("`edition`, not empty", RULES, puts(edition=""), RULES),
    Fault("`options` are those of event 1", RULES, puts("options", more="1"), "options"),
    Fault("the newest schema, a number, of every type", RULES, puts("schemas", **{"table.rewound": -1}), RULES),
    Fault("the newest schema, a number, of every type", RULES, puts("schemas", **{"table.rewound": True}), RULES),
    Fault("Every event's type is in `schemas`", RULES, drops("schemas", "table.game-started"), "event 5"),
    Fault("and its `schema` is at most that", RULES, puts("schemas", **{"table.game-started": 0}), "event 5"),
    # 7
    Fault("ordered by `queued`, `version`, `seat`, `kind`", NOTICES, at_end(list.reverse, "notices"), NOTICES),
    Fault("`seat` is below the `seats` of event 1", NOTICES, puts("notices", 0, seat=3), "event 7"),
    Fault("`kind` is one of", NOTICES, puts("notices", 0, kind="talk"), NOTICES),
    Fault("`kind` is one of", NOTICES, puts("notices", 0, kind=""), NOTICES),
    Fault("`state` is `queued`, `sent`, `bounced`", NOTICES, puts("notices", 0, state="lost"), NOTICES),
    Fault("`sent` is a time for `sent` and `bounced`, else null", NOTICES, puts("notices", 0, sent=None), "event 7"),
    Fault(
        "`sent` is a time for `sent` and `bounced`, else null", NOTICES, puts("notices", 0, state="queued"), "event 7"
    ),
    Fault("While the game runs the reader's own only", NOTICES, puts("notices", 0, seat=0), "event 7", "running"),
    Fault(
        "While the game runs the reader's own only",
        NOTICES,
        puts(
            notices=[
                {
                    "kind": "brief",
                    "queued": "2027-01-01T00:00:00.000000Z",
                    "seat": 0,
                    "sent": None,
                    "state": "queued",
                    "version": 7,
                }
            ]
        ),
        "event 7",
        "watched",
    ),
    Fault("`version` is an event", NOTICES, puts("notices", 2, version=LAST + 1), f"event {LAST + 1}"),
    Fault("`version` is an event", NOTICES, puts("notices", 0, version=0), NOTICES),
    Fault(
        "`queued` is never before its `at`",
        NOTICES,
        puts("notices", 0, queued="2020-01-01T00:00:00.000000Z"),
        "event 7",
    ),
    Fault("nor `sent` before `queued`", NOTICES, puts("notices", 0, sent="2020-01-01T00:00:00.000000Z"), "event 7"),
    # 8
    Fault("Exactly these fields. By version", CHECKPOINTS, puts("checkpoints", 0, more=1), CHECKPOINTS),
    Fault("By version, each once", CHECKPOINTS, at_end(list.reverse, "checkpoints"), CHECKPOINTS),
    Fault(
        "By version, each once", CHECKPOINTS, at_end(lambda rows: rows.insert(0, rows[0]), "checkpoints"), CHECKPOINTS
    ),
    Fault("the last one is of the last event", CHECKPOINTS, at_end(list.pop, "checkpoints"), CHECKPOINTS),
    Fault("the last one is of the last event", CHECKPOINTS, at_end(list.clear, "checkpoints"), CHECKPOINTS),
    *(
        Fault(
            "`hash` and `time` are the `hash` and `at` of that event",
            CHECKPOINTS,
            at_end(
                lambda rows, field=field, value=value: rows.insert(0, signed_point(rows.pop(0) | {field: value})),
                "checkpoints",
            ),
            "event 5",
        )
        for field, value in (("hash", LONG), ("time", "2026-11-21T00:00:00.000000Z"), ("game", "another"))
    ),
    Fault(
        "The signature is over `wardroom-checkpoint-v1",
        CHECKPOINTS,
        puts("checkpoints", 0, signature="0" * 128),
        "event 5",
    ),
    Fault(
        "The signature is over `wardroom-checkpoint-v1",
        CHECKPOINTS,
        puts("checkpoints", 0, key=THIEF.id),
        "checkpoints",
    ),
    # 9
    Fault("oldest first by `since`", KEYS, puts("keys", 0, since="2027-01-01T00:00:00.000000Z"), "key"),
    Fault("each once, and each under its key id", KEYS, at_end(lambda keys: keys.append(keys[1]), "keys"), "key"),
    Fault(
        "An endorsement is the signature by an earlier key",
        KEYS,
        puts("keys", 1, "endorsement", signature="0" * 128),
        "key",
    ),
    Fault(
        "An endorsement is the signature by an earlier key", KEYS, puts("keys", 1, "endorsement", key=THIEF.id), "key"
    ),
    Fault("An endorsement is the signature by an earlier key", KEYS, puts("keys", 1, endorsement={}), KEYS),
    Fault("An endorsement is the signature by an earlier key", KEYS, at_end(list.reverse, "keys"), "key"),
)
