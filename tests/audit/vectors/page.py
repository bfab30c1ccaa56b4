"""The page docs/audit/format.md broken sentence by sentence: what is changed, and which words of the page forbid it.

The host makes everything fit again around each change, so that only the sentence that was broken can tell.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from domain.audit.bundle.archive import CHECKPOINTS, DRAWS, EVENTS, KEYS, MANIFEST, NOTICES, README, RULES, SIGNATURE
from tests.audit.bundles import HOST
from tests.audit.vectors.operations import (
    HISTORY,
    THIEF,
    Spoiling,
    appends,
    at,
    becomes,
    clears,
    cuts,
    data,
    drops,
    ends_before,
    leaf,
    of,
    of_type,
    pops,
    puts,
    repeats,
    replaces,
    resigns,
    reverses,
    rewrites,
    shuts,
    twice,
)

OfFile = partial(Spoiling, base="order")
"""A spoiling of a file beside the history: that of a short game."""
EVEN = {"strength": 1, "temper": "even"}


def times(stage: str, base: str, *path: Any) -> Iterator[Spoiling]:
    """A time at a path that is none."""
    words = "a day of the calendar in the years 0001 to 9999, an hour to 23, a minute and a second to 59"
    for wrong in ("2026-02-31", "2026-13-01", "0000-01-01", "2025-02-29", "2026-11-00"):
        yield Spoiling(words, stage, puts(*path[:-1], **{path[-1]: f"{wrong}T18:19:41.123456Z"}), base=base)
    for wrong in ("24:00:00", "18:60:00", "23:59:60"):
        yield Spoiling(words, stage, puts(*path[:-1], **{path[-1]: f"2026-11-30T{wrong}.000000Z"}), base=base)
    for wrong in ("2026-11-20T18:19:41Z", "2026-11-20T18:19:41.123Z", "2026-11-20T18:19:41.123456+00:00", 7):
        yield Spoiling("always six digits", stage, puts(*path[:-1], **{path[-1]: wrong}), base=base)


LONG = "0" * 64
OTHER = "1" * 64
LAST = 113
NONE_SUCH = "A reader refuses what is not canonical, and unknown or missing fields"
FOUND = (
    # 1
    *(
        OfFile(NONE_SUCH, file, rewrites(old, new), file)
        for file in (MANIFEST, SIGNATURE, RULES, DRAWS, NOTICES, CHECKPOINTS, KEYS)
        for old, new in ((b'":', b'": '), (b"{", b'{"":1.0,'), (b"}\n", b',"zz":1}\n'), (b"{", b"[{"))
    ),
    *(
        OfFile("and unknown or missing fields", file, change, file)
        for file, rows in ((DRAWS, "draws"), (NOTICES, "notices"), (CHECKPOINTS, "checkpoints"), (KEYS, "keys"))
        for change in (puts(rows, 0, more=1), appends([], rows), puts(**{rows: {}}))
    ),
    OfFile("and unknown or missing fields", RULES, drops("edition"), RULES),
    Spoiling("and unknown or missing fields", DRAWS, drops("nonces"), DRAWS),
    OfFile("and unknown or missing fields", NOTICES, drops("notices", 0, "kind"), NOTICES),
    OfFile("and unknown or missing fields", CHECKPOINTS, drops("checkpoints", 0, "time"), CHECKPOINTS),
    OfFile("and unknown or missing fields", KEYS, drops("keys", 0, "since"), KEYS),
    Spoiling("objects with ASCII keys", HISTORY, data(9, ä=1), "event 9"),
    Spoiling("no floats", EVENTS, replaces(b'"version":9}', b'"version":9.0}'), "event 9"),
    OfFile("integers within ±(2^53 - 1)", RULES, puts("board", big=2**53), RULES),
    OfFile("*hex*: lower case", KEYS, puts("keys", 0, public=HOST.keys()[0]["public"].upper()), "key"),
    Spoiling("*hash*: 64 hex", DRAWS, puts(seed_commitment="0" * 63), DRAWS),
    OfFile("*number*: an integer from 0", NOTICES, puts("notices", 0, seat=-1), NOTICES),
    OfFile("*number*: an integer from 0", NOTICES, puts("notices", 0, seat=True), NOTICES),
    *times(HISTORY, "over", LAST - 1, "at"),
    *times(NOTICES, "order", "notices", 0, "queued"),
    *times(NOTICES, "order", "notices", 0, "sent"),
    *times(KEYS, "order", "keys", 0, "since"),
    *times(CHECKPOINTS, "order", "checkpoints", 0, "time"),
    *times(MANIFEST, "order", "at"),
    OfFile("the *key id* is the first 16 hex", KEYS, puts("keys", 0, id="0" * 16), "key"),
    OfFile("whose y is not below 2^255 - 19, signs nothing", KEYS, puts("keys", 1, public="f" * 64), "key"),
    OfFile("the history holds `table.game-finished`", MANIFEST, puts(over=False), MANIFEST),
    Spoiling("`over` says whether the history is over", MANIFEST, puts(over=True), MANIFEST, "running"),
    # 2
    OfFile("for people (UTF-8 text)", README, becomes(b"\xff\xfe"), README),
    *(
        OfFile("one canonical JSON object and a line feed", file, rewrites(b"}\n", b"}"), file)
        for file in (MANIFEST, SIGNATURE, RULES, DRAWS, NOTICES, CHECKPOINTS, KEYS)
    ),
    # 3
    OfFile("Exactly these nine fields", MANIFEST, puts(more=1), MANIFEST),
    OfFile("Exactly these nine fields", MANIFEST, drops("reader"), MANIFEST),
    OfFile("time of the last event", MANIFEST, puts(at="2026-11-20T18:00:00.000000Z"), MANIFEST),
    OfFile("number of the last event", MANIFEST, puts(version=7), MANIFEST),
    OfFile('"hash": hash of the last event', MANIFEST, puts(hash=LONG), MANIFEST),
    OfFile('"game": id', MANIFEST, puts(game="another"), MANIFEST),
    *(
        OfFile('"format": "wardroom-bundle-1"', MANIFEST, puts(format=other), MANIFEST)
        for other in ("wardroom-bundle-2", "", 1)
    ),
    OfFile("`files` names all files but", MANIFEST, drops("files", KEYS), "keys.json|manifest"),
    OfFile("and no others", MANIFEST, puts("files", x={"bytes": 0, "sha256": LONG}), MANIFEST),
    OfFile("and no others", MANIFEST, puts("files", KEYS, bytes=1), "keys.json|manifest"),
    OfFile("null in every bundle of a game that is over", MANIFEST, puts(reader=1), "reader|one reader"),
    Spoiling("a seat of the table", MANIFEST, puts(reader=3), "reader", "watched"),
    Spoiling("a seat of the table", MANIFEST, puts(reader=-1), MANIFEST, "watched"),
    Spoiling("a seat of the table", MANIFEST, puts(reader="1"), MANIFEST, "running"),
    OfFile("`ruleset` is the `data.ruleset` of event 1", MANIFEST, puts(ruleset="tammany-hall"), "ruleset"),
    OfFile("The signature is over `wardroom-bundle-v1", SIGNATURE, puts(signature="0" * 128), "signature"),
    OfFile("The key is one of `keys.json`", SIGNATURE, puts(key=THIEF.id), "signature|manifest"),
    OfFile("The key is one of `keys.json`", SIGNATURE, puts(more=1), "signature"),
    # 4
    Spoiling(
        "One event a line, canonical JSON and a line feed", EVENTS, replaces(b'"actor":', b'"actor": '), "event 1"
    ),
    Spoiling("One event a line, canonical JSON and a line feed", EVENTS, cuts(-1), "event"),
    Spoiling("versions 1, 2, 3 … without a gap", HISTORY, of(9, version=10), "event 9"),
    Spoiling("versions 1, 2, 3 … without a gap", HISTORY, drops(8), "event 9"),
    Spoiling('then one line `{"end"', EVENTS, lambda raw: raw[: raw.index(b'{"end"')], "event"),
    Spoiling('then one line `{"end"', EVENTS, replaces(b'{"end":{"hash":"', b'{"end":{"hash":"0'), "event"),
    Spoiling("Exactly these eleven fields", HISTORY, of(9, more=1), "event 9"),
    Spoiling("Exactly these eleven fields", HISTORY, drops(8, "cause"), "event 9"),
    Spoiling("`schema` is a number", HISTORY, of(9, schema=-1), "event 9"),
    Spoiling("`schema` is a number", HISTORY, of(9, schema="1"), "event 9"),
    Spoiling("`cause`, `game` and `type` are not empty", HISTORY, of(9, cause=""), "event 9"),
    Spoiling("`cause`, `game` and `type` are not empty", HISTORY, of(9, type=""), "event 9"),
    *(
        Spoiling("`actor` has one field", HISTORY, of(9, actor=actor), "event 9")
        for actor in ({}, {"seat": 1, "clock": True}, {"player": 1}, [])
    ),
    *(
        Spoiling(
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
    Spoiling("`hash` = SHA-256 of `wardroom-event-v1", EVENTS, replaces(b'"seat":1', b'"seat":2'), "event"),
    Spoiling(
        "the hash of the event before, 64 zeros in event 1", EVENTS, replaces(LONG.encode(), OTHER.encode()), "event 1"
    ),
    Spoiling("`game` is the same in all", HISTORY, of(9, game="another"), "event 9"),
    Spoiling("`at` never decreases", HISTORY, of(9, at="2026-01-01T00:00:00.000000Z"), "event 9"),
    Spoiling("`commitment` = SHA-256 of `wardroom-leaf-v1", EVENTS, replaces(b'"salt":"', b'"salt":"0'), "event 1"),
    Spoiling("and the canonical JSON of `data`, an object", HISTORY, puts(62, "sealed", 0, data=[]), "event 63"),
    Spoiling("It has both `data` and `salt`", EVENTS, replaces(b'"salt"', b'"sand"'), "event 1"),
    Spoiling(
        "what is said in secret for a seat, or for nobody", HISTORY, puts(62, "sealed", 0, **{"for": "all"}), "event 63"
    ),
    Spoiling("In an open leaf no field says null", HISTORY, leaf(63, chips=None), "event 63"),
    Spoiling("In an open leaf no field says null", HISTORY, leaf(63, text=None), "event 63"),
    Spoiling("In an open leaf no field says null", HISTORY, leaf(80, chips=None), "event 80", "running"),
    Spoiling("Those for seat *n* are open in a bundle for reader *n*", HISTORY, shuts(80), "event 80", "running"),
    Spoiling("if an event has opened them to everybody, else shut", HISTORY, shuts(65), "event 65", "running"),
    Spoiling("if an event has opened them to everybody, else shut", HISTORY, shuts(65), "event 65", "watched"),
    Spoiling("repeats in `data.bids`", HISTORY, data(64, bids={}), "event 64|leaves"),
    Spoiling("repeats in `data.bids`", HISTORY, leaf(63, chips={"irish": 9}), "event 6[34]"),
    Spoiling("When the game is over every leaf is open", HISTORY, shuts(63), "event 63"),
    Spoiling("When the game is over every leaf is open", HISTORY, shuts(1), "event 1:"),
    Spoiling(
        "Event 1 is `table.game-opened`, and no other event is", HISTORY, of(1, type="table.seat-left"), "event 1|rules"
    ),
    Spoiling("Event 1 is `table.game-opened`, and no other event is", HISTORY, twice(1), "event 2"),
    *(
        Spoiling("`data` has `ruleset`, `seats` (from 1), `options`", HISTORY, change, "event 1|rules|draws|cannot be")
        for name in ("ruleset", "seats", "options", "clock", "public", "host", "seed_commitment")
        for change in (drops(0, "data", name), data(1, **{name: None}))
    ),
    Spoiling("`seats` (from 1)", HISTORY, data(1, seats=0), "event 1|rules"),
    Spoiling('its only leaf, for nobody, is `{"seed": 64 hex}`', HISTORY, leaf(1, seed="ab"), "event 1"),
    Spoiling('its only leaf, for nobody, is `{"seed": 64 hex}`', HISTORY, leaf(1, more="ab"), "event 1"),
    Spoiling("its only leaf, for nobody", HISTORY, puts(0, "sealed", 0, **{"for": 1}), "event 1"),
    Spoiling("its only leaf, for nobody", HISTORY, puts(0, sealed=[]), "event 1|draws"),
    Spoiling("its only leaf, for nobody", HISTORY, repeats(0, 1, 0, "sealed"), "event 1"),
    Spoiling(
        "its only leaf, for nobody",
        HISTORY,
        at((0, "sealed"), lambda sealed: sealed.append(sealed[0] | {"for": 1, "data": {"x": 1}})),
        "event 1",
    ),
    *(
        Spoiling("`table.seat-taken`: `data` has", HISTORY, change, "event 2|draws")
        for name in ("seat", "player", "nonce", "nonce_by", "bot")
        for change in (drops(1, "data", name), data(2, **{name: ["x"]}))
    ),
    Spoiling("(`player` or `server`)", HISTORY, data(2, nonce_by="host"), "event 2"),
    *(
        Spoiling(words, HISTORY, data(2, bot=bot), "event 2")
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
    Spoiling("`seat` and `bot`, a bot", HISTORY, of_type("table.seat-taken-by-bot", bot=True), "event", "bots"),
    Spoiling(
        "with exactly these fields", HISTORY, of_type("table.seat-taken-by-bot", bot={"temper": "even"}), "", "bots"
    ),
    Spoiling("`seat` and `bot`, a bot", HISTORY, of_type("table.seat-taken-by-bot", seat=None), "event", "bots"),
    *(
        Spoiling("`seat` and `bot`, a bot", HISTORY, of(6, type="table.seat-taken-by-bot", data=said), "event 6|draws")
        for said in ({"seat": 0}, {"bot": EVEN}, {"seat": 0, "bot": None}, {"seat": 0, "bot": {"strength": 1}})
    ),
    Spoiling("`table.seat-left`: `seat`, `host`", HISTORY, of(4, type="table.seat-left"), "event 4|draws|rules"),
    *(
        Spoiling("the chairs that are taken, each once", HISTORY, data(5, seats=seats), "event 5|draws")
        for seats in ([0, 1], [0, 1, 1], [0, 1, 3], [0, 1, 2, 3], ["0", "1", "2"], 3, None)
    ),
    *(
        Spoiling("the number of an event before it, from 1", HISTORY, data(40, to=to), "event 40", base)
        for to in (0, 40, 41, 10**6, -1, "27", None)
        for base in ("running", "watched")
    ),
    Spoiling("once", HISTORY, drops(39, "data", "to"), "event 40", "running"),
    Spoiling("that of the leaf of event 1", HISTORY, data(LAST, seed=OTHER), f"event {LAST}"),
    Spoiling("of which `seed_commitment` is the SHA-256", HISTORY, data(1, seed_commitment=OTHER), "seed"),
    Spoiling("It comes once", HISTORY, twice(LAST), f"event {LAST + 1}"),
    Spoiling("no game is over without it", HISTORY, ends_before(LAST), "seed"),
    Spoiling("no game is over without it", HISTORY, data(LAST, seed=None), "seed|event|cannot be"),
    # 5
    Spoiling("`nonces` are those of the chairs in seat order", DRAWS, reverses("nonces"), "nonces"),
    Spoiling("`nonces` are those of the chairs in seat order", DRAWS, pops("nonces"), "nonces"),
    Spoiling("`nonces` are those of the chairs in seat order", DRAWS, puts(nonces=[1, 2, 3]), DRAWS),
    Spoiling("the last `table.seat-taken` of each chair", HISTORY, data(2, nonce="n" * 16), "nonces|draws"),
    Spoiling("`seed` and `draws` are there when the seed was revealed", DRAWS, puts(seed=None), "seed"),
    Spoiling("`seed` and `draws` are there when the seed was revealed", DRAWS, puts(draws=[]), "draw"),
    Spoiling("before that `seed` is null", DRAWS, puts(seed=OTHER), "seed", "running"),
    Spoiling(
        "and `draws` is empty",
        DRAWS,
        puts(draws=[{"index": 0, "items": [0], "label": "land", "take": 1, "version": 6}]),
        "draw",
        "running",
    ),
    Spoiling("There is one entry for each event whose `data`", DRAWS, pops("draws"), "event"),
    Spoiling("There is one entry for each event whose `data`", DRAWS, repeats(0, 99, "draws"), "draw"),
    Spoiling(
        "Indices count 0, 1, 2 … over the whole history",
        HISTORY,
        data(8, draw={"index": 7, "label": "zone-1"}),
        "event 8|draws",
    ),
    Spoiling(
        "Indices count 0, 1, 2 … over the whole history",
        HISTORY,
        data(8, draw={"index": 7, "label": "zone-1"}),
        "event 8|draws",
        "running",
    ),
    Spoiling(
        "Indices count 0, 1, 2 … over the whole history",
        HISTORY,
        data(10, draw={"index": 6, "label": "garden"}),
        "event 10|draws",
        "running",
    ),
    Spoiling("Entries stand in that order", DRAWS, reverses("draws"), "draw"),
    *(
        Spoiling(
            "`take`, a number, is how many of them, and never more than there are",
            DRAWS,
            puts("draws", place, take=take),
            "event|draws",
        )
        for place in (0, 1, 2)
        for take in (-1, 0, 4, 99, "1")
    ),
    Spoiling(
        "L is one of those in the table below", HISTORY, data(6, draw={"index": 0, "label": "dice"}), "event 6|draws"
    ),
    Spoiling("items are the seats 0, 1, 2", DRAWS, puts("draws", 0, items=[1, 0, 2]), "event 6"),
    Spoiling("items are the seats 0, 1, 2", DRAWS, puts("draws", 0, items=[0, 1]), "event 6"),
    Spoiling("items[below(length)]", HISTORY, data(6, result=7), "event 6"),
    Spoiling("items[below(length)]; take 1 | that card", HISTORY, data(7, result="none"), "event 7", "order"),
    Spoiling("items[below(length)]; take 1 | that card", DRAWS, puts("draws", 1, take=2), "event|draws", "order"),
    Spoiling("sample of all, one for each ward", DRAWS, pops("draws", 1, "items"), "event 8"),
    Spoiling("sample of all, one for each ward", HISTORY, data(8, result={"14": "irish"}), "event 8"),
    Spoiling(
        "in zone 1 ward 14 is `irish` besides",
        HISTORY,
        puts(7, "data", "result", **{"14": "german"}),
        "event 8",
    ),
    Spoiling("how many of each colour", HISTORY, puts(9, "data", "result", irish=9), "event 10"),
    Spoiling(
        "sample of all; items are the seats, in any order | those seats",
        DRAWS,
        puts("draws", 0, items=[2, 3]),
        "event",
        "order",
    ),
    Spoiling("those seats |", HISTORY, reverses(5, "data", "result"), "event 6", "order"),
    Spoiling("`result` stands beside `draw`", HISTORY, drops(5, "data", "result"), "event 6|draws"),
    # 6
    OfFile("Exactly these five fields; `ruleset` is that of event 1", RULES, puts(ruleset="tammany-hall"), "ruleset"),
    OfFile("Exactly these five fields", RULES, drops("board"), RULES),
    OfFile("`edition`, not empty", RULES, puts(edition=""), RULES),
    OfFile("`options` are those of event 1", RULES, puts("options", more="1"), "options"),
    OfFile("the newest schema, a number, of every type", RULES, puts("schemas", **{"table.rewound": -1}), RULES),
    OfFile("the newest schema, a number, of every type", RULES, puts("schemas", **{"table.rewound": True}), RULES),
    OfFile("Every event's type is in `schemas`", RULES, drops("schemas", "table.game-started"), "event 4"),
    OfFile("and its `schema` is at most that", RULES, puts("schemas", **{"table.game-started": 0}), "event 4"),
    # 7
    OfFile("ordered by `queued`, `version`, `seat`, `kind`", NOTICES, reverses("notices"), NOTICES),
    OfFile("`seat` is below the `seats` of event 1", NOTICES, puts("notices", 0, seat=3), "event 7"),
    OfFile("`kind` is one of", NOTICES, puts("notices", 0, kind="talk"), NOTICES),
    OfFile("`kind` is one of", NOTICES, puts("notices", 0, kind=""), NOTICES),
    OfFile("`state` is `queued`, `sent`, `bounced`", NOTICES, puts("notices", 0, state="lost"), NOTICES),
    OfFile("`sent` is a time for `sent` and `bounced`, else null", NOTICES, puts("notices", 0, sent=None), "event 7"),
    OfFile(
        "`sent` is a time for `sent` and `bounced`, else null", NOTICES, puts("notices", 0, state="queued"), "event 7"
    ),
    Spoiling("While the game runs the reader's own only", NOTICES, puts("notices", 0, seat=0), "event 7", "running"),
    Spoiling(
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
    OfFile("`version` is an event", NOTICES, puts("notices", 2, version=34), "event 34"),
    OfFile("`version` is an event", NOTICES, puts("notices", 0, version=0), NOTICES),
    OfFile(
        "`queued` is never before its `at`",
        NOTICES,
        puts("notices", 0, queued="2020-01-01T00:00:00.000000Z"),
        "event 7",
    ),
    OfFile("nor `sent` before `queued`", NOTICES, puts("notices", 0, sent="2020-01-01T00:00:00.000000Z"), "event 7"),
    # 8
    OfFile("Exactly these fields. By version", CHECKPOINTS, puts("checkpoints", 0, more=1), CHECKPOINTS),
    OfFile("By version, each once", CHECKPOINTS, reverses("checkpoints"), CHECKPOINTS),
    OfFile("By version, each once", CHECKPOINTS, repeats(0, 0, "checkpoints"), CHECKPOINTS),
    OfFile("the last one is of the last event", CHECKPOINTS, pops("checkpoints"), CHECKPOINTS),
    OfFile("the last one is of the last event", CHECKPOINTS, clears("checkpoints"), CHECKPOINTS),
    *(
        OfFile(
            "`hash` and `time` are the `hash` and `at` of that event",
            CHECKPOINTS,
            resigns(0, **{field: value}),
            "event 5",
        )
        for field, value in (("hash", LONG), ("time", "2026-11-21T00:00:00.000000Z"), ("game", "another"))
    ),
    OfFile(
        "The signature is over `wardroom-checkpoint-v1",
        CHECKPOINTS,
        puts("checkpoints", 0, signature="0" * 128),
        "event 5",
    ),
    OfFile(
        "The signature is over `wardroom-checkpoint-v1",
        CHECKPOINTS,
        puts("checkpoints", 0, key=THIEF.id),
        "checkpoints",
    ),
    # 9
    OfFile("oldest first by `since`", KEYS, puts("keys", 0, since="2027-01-01T00:00:00.000000Z"), "key"),
    OfFile("each once, and each under its key id", KEYS, repeats(1, 99, "keys"), "key"),
    OfFile(
        "An endorsement is the signature by an earlier key",
        KEYS,
        puts("keys", 1, "endorsement", signature="0" * 128),
        "key",
    ),
    OfFile(
        "An endorsement is the signature by an earlier key", KEYS, puts("keys", 1, "endorsement", key=THIEF.id), "key"
    ),
    OfFile("An endorsement is the signature by an earlier key", KEYS, puts("keys", 1, endorsement={}), KEYS),
    OfFile("An endorsement is the signature by an earlier key", KEYS, reverses("keys"), "key"),
)
