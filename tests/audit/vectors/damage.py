"""Bundles damaged by those who have no key of the host's: bits, lines and fields, drawn by seed, and hostile bytes."""

import json
import random
from collections.abc import Iterator
from typing import Any, Final

from domain.audit.bundle.archive import EVENTS, FILES, MANIFEST, RULES, SIGNATURE
from tests.audit.spoiling import paths
from tests.audit.vectors.bases import stored
from tests.audit.vectors.operations import (
    ARCHIVE,
    Maker,
    Spoiling,
    appends,
    becomes,
    cuts,
    edits,
    events_of,
    files_of,
    flips,
    line,
    lines,
    puts,
    replaces,
    rewrites,
    turns,
)

FIELDS: Final = {"closed": 3, "order": 23, "over": 131, "running": 97, "watched": 197, "permits": 521, "zoning": 151}
"""One field of that number is changed in the events of a base."""


def archives() -> Iterator[Spoiling]:
    """Bits of every part of the archive, and archives cut, doubled or with something around them."""
    chance = random.Random(9)
    for base in ("closed", "running"):
        whole, start = stored(base), 0
        places = {0, 1, len(whole) - 1, len(whole) - 22}
        for name in FILES:
            head, size = 30 + len(name), len(files_of(base)[name])
            inside = (head, head + size - 1, chance.randrange(head), head + chance.randrange(size))
            places |= {start + place for place in inside}
            start += head + size
        places |= set(chance.sample(range(start, len(whole)), 4))
        for place in sorted(places):
            yield Spoiling(f"a bit of byte {place}", ARCHIVE, flips(place, chance.randrange(8)), "archive", base)
        for size in (29, *(len(whole) * part // 7 for part in range(1, 7)), len(whole) - 1):
            yield Spoiling(f"cut after {size} bytes", ARCHIVE, cuts(size), base=base)
    for words, raw in {"nothing": b"", "heads": b"PK\3\4" * 50, "noise": chance.randbytes(5000)}.items():
        yield Spoiling(words, ARCHIVE, becomes(raw))
    yield Spoiling("a byte after it", ARCHIVE, lambda raw: raw + b"\0", "archive")
    yield Spoiling("a byte before it", ARCHIVE, lambda raw: b"\0" + raw, "archive")
    yield Spoiling("twice", ARCHIVE, lambda raw: raw + raw, "archive")


def digests() -> Iterator[Spoiling]:
    """Each file changed while the digests, or the signature over them, are as they were."""
    for name in FILES:
        text = files_of("order")[name]
        changed = text.replace(b"1", b"2", 1) if b"1" in text else text + b" "
        named = "manifest|signature" if name in (MANIFEST, SIGNATURE) else f"{name}|manifest"
        yield Spoiling(f"another {name}", name, becomes(changed), named, "order", maker=Maker.NOBODY)


def other_files() -> Iterator[Spoiling]:
    """Every field of every other file changed; nobody signs it again."""
    chance = random.Random(40)
    for name in (name for name in FILES if name.endswith(".json")):
        value = json.loads(files_of("order")[name])
        found = list(paths(value))
        for path in found if len(found) < 30 else chance.sample(found, 12):
            yield Spoiling(f"another {path}", name, turns(*path), "signature|manifest", "order", maker=Maker.ANYBODY)


def event_fields() -> Iterator[Spoiling]:
    """Fields of events changed as they stand; the digests fit, the hashes do not."""
    for base, every in FIELDS.items():
        found = [(event["version"], path) for event in events_of(base) for path in paths(event)]
        for number, path in found[::every]:
            yield _line(f"event {number}: another {path}", edits(number, turns(*path)), f"event {number}:", base)


def event_lines() -> Iterator[Spoiling]:
    """Lines of events dropped, doubled, exchanged and added; the digests fit."""
    chance = random.Random(41)
    for base in ("closed", "order", "over", "running", "zoning"):
        for number in chance.sample(range(2, len(events_of(base)) - 1), 3):
            yield _line(f"no event {number}", lines(lambda texts, n=number: texts.pop(n - 1)), f"event {number}:", base)
            yield _line(
                f"event {number} twice", lines(lambda texts, n=number: texts.insert(n, texts[n - 1])), "event", base
            )
            yield _line(
                f"event {number} after the next", lines(lambda texts, n=number: texts.insert(n, texts.pop(n - 1))),
                f"event {number}:", base,
            )  # fmt: skip
        last = len(events_of(base))
        yield _line("no last event", lines(lambda texts, n=last: texts.pop(n - 1)), "event", base)
        yield _line("no end", lines(lambda texts: texts.pop(-2)), "event", base)
        yield _line("two ends", lines(lambda texts: texts.insert(-1, texts[-2])), "event", base)
        yield _line("a blank line", lines(lambda texts: texts.insert(3, b"")), "event 4:", base)


def _line(words: str, change: Any, named: str, base: str) -> Spoiling:
    return Spoiling(words, EVENTS, change, named, base, maker=Maker.ANYBODY)


NOT_CANONICAL: Final = {
    "a blank": b'{"a": 1}',
    "another order": b'{"b":1,"a":1}',
    "a key twice": b'{"a":1,"a":1}',
    "a float": b'{"a":1.0}',
    "an exponent": b'{"a":1e3}',
    "minus zero": b'{"a":-0}',
    "a big number": b'{"a":9007199254740992}',
    "a huge number": b'{"a":' + b"9" * 10**6 + b"}",
    "a key that is not ASCII": '{"ä":1}'.encode(),
    "an escape": b'{"a":"\\u0041"}',
    "an escaped slash": b'{"a":"\\/"}',
    "half a pair of surrogates": b'{"a":"\\ud800"}',
    "no UTF-8": b'{"a":"\xff"}',
    "a surrogate in UTF-8": b'{"a":"\xed\xa0\x80"}',
    "a mark of byte order": b'\xef\xbb\xbf{"a":1}',
    "no number": b'{"a":NaN}',
    "infinity": b'{"a":-Infinity}',
    "deep": b'{"a":' * 10**5,
    "a deep list": b'{"a":' + b"[" * 10**5 + b"]" * 10**5 + b"}",
    "a rest": b'{"a":1}x',
    "a carriage return": b'{"a":1}\r',
}
NO_OBJECT: Final = {"nothing": b"", "a list": b"[]", "null": b"null"}


def canonical_json() -> Iterator[Spoiling]:
    """Values that are no canonical JSON, in a file that the host signed and in place of an event."""
    for words, text in NOT_CANONICAL.items():
        change = rewrites(b'"board":{', b'"board":' + text + b',"x":{')
        yield Spoiling(f"{words} in a file", RULES, change, "rules", "order")
    for words, text in (NOT_CANONICAL | NO_OBJECT).items():
        becoming = line(4, lambda _, text=text: text)
        yield Spoiling(f"{words} as an event", EVENTS, becoming, "event 4:", "order")
    for words, change in {
        "a blank": replaces(b'":', b'": '),
        "a carriage return": lambda text: text + b"\r",
        "an escape": replaces(b"anna", b"\\u0061nna"),
        "another order": lambda text: b'{"version":2,' + text.replace(b',"version":2', b"")[1:],
    }.items():
        yield Spoiling(f"{words} in an event", EVENTS, line(2, change), "event 2:", "order")


def hostile_files() -> Iterator[Spoiling]:
    """Files that are something else altogether, signed by the host."""
    texts = (b"", b"\n", b"{}\n", b"{}", b"null\n", b'{"end":{}}\n', b'"x"\n', b"[" * 10**5)
    for name in FILES:
        for text in texts:
            if name not in ("README.txt", MANIFEST, SIGNATURE):
                yield Spoiling(f"{text[:12]!r}", name, becomes(text), base="order")
            elif name != "README.txt":
                yield Spoiling(f"{text[:12]!r}", name, becomes(text), base="order", maker=Maker.NOBODY)
    evil = puts("checkpoints", 0, game="\x1b[2J\n\u202e", version="\x1b[2J\n\u202e")
    yield Spoiling("what would steer a terminal", "checkpoints.json", evil, "checkpoint", "order")
    for name, rows in (("draws.json", "draws"), ("keys.json", "keys"), ("checkpoints.json", "checkpoints")):
        for row in (None, "x", {}):
            yield Spoiling(f"a row {row!r}", name, appends(row, rows), name, "order")
        first = json.loads(files_of("order")[name])[rows][0]
        for field, value in ((field, value) for field in first for value in (-1, "", 2**53 - 1)):
            yield Spoiling(f"{field} {value!r}", name, puts(rows, 0, **{field: value}), base="order")
