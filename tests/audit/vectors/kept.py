"""What others have kept of a game, held against it: receipts, signed heads of mails, and keys noted before."""

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from domain.audit.bundle.archive import KEYS
from domain.audit.checkpoints import Checkpoint
from tests.audit.bundles import HOST
from tests.audit.vectors.operations import (
    ARCHIVE,
    HISTORY,
    THIEF,
    Spoiling,
    Verdict,
    at,
    causes_from,
    ends_before,
    events_of,
    nothing,
    signed_head,
)

Holds = partial(Spoiling, verdict=Verdict.HOLDS)
OLD, NEW = HOST.keys()
ELSEWHERE: Final = {"game": "zzzzzzzzzz"}


def head(event: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """What a mail tells of an event."""
    told = {"game": event["game"], "hash": event["hash"], "time": event["at"], "version": event["version"]}
    return told | fields


def receipt(event: dict[str, Any]) -> str:
    """The receipt of an event."""
    return Checkpoint(event["game"], event["version"], event["hash"], event["at"]).receipt()


def rewritten() -> Iterator[Spoiling]:
    """Histories that their keeper wrote anew from an event on, which only those can tell who kept something of it."""
    for base in ("closed", "order", "running"):
        events = events_of(base)
        starts = [event["version"] for event in events[1:] if event["cause"] != events[event["version"] - 2]["cause"]]
        for number in starts[:: max(1, len(starts) // 3)]:
            change, early = causes_from(number), receipt(events[number - 2])
            yield Holds(f"from event {number} on, nothing kept", HISTORY, change, base=base)
            yield Holds(f"from event {number} on, the receipt before it kept", HISTORY, change, base=base, kept=[early])
            for late in sorted({number, len(events)}):
                kept = [early, receipt(events[late - 1])]
                words = f"from event {number} on, the receipt of {late} kept"
                yield Spoiling(words, HISTORY, change, f"(?i)receipt.*event {late}", base, kept=kept)
                kept = [signed_head(head(events[late - 1]))]
                words = f"from event {number} on, the mail about {late} kept"
                yield Spoiling(words, HISTORY, change, f"(?i)receipt.*event {late}", base, kept=kept, noted=HOST.keys())
    for base in ("running", "zoning"):
        events = events_of(base)
        cut = ends_before(len(events) - 1)
        yield Holds("cut, nothing kept", HISTORY, cut, base=base)
        yield Holds("cut, the receipt before it kept", HISTORY, cut, base=base, kept=[receipt(events[-3])])
        for late in (-2, -1):
            yield Spoiling("cut, a later receipt kept", HISTORY, cut, "cut", base, kept=[receipt(events[late])])


def keys() -> Iterator[Spoiling]:
    """Keys of the host's as they were noted, against those of the bundle, and against a thief's."""
    for noted in ([OLD, NEW], [OLD]):
        yield Holds(f"{len(noted)} noted", ARCHIVE, lambda raw: raw, base="order", noted=noted)
    for noted in ([NEW], [], THIEF.keys()):
        name = "|".join(key["id"] for key in (OLD, NEW))
        yield Spoiling(f"{len(noted)} others noted", ARCHIVE, lambda raw: raw, name, "order", noted=noted)
    for base in ("order", "running"):
        yield Holds("all signed by a thief", HISTORY, nothing, base=base, host=THIEF)
        yield Spoiling("all signed by a thief", HISTORY, nothing, THIEF.id, base, host=THIEF, noted=HOST.keys())
    for place in (0, 2):
        stolen = THIEF.keys()[0] | {"id": OLD["id"]}
        added = at(("keys",), lambda rows, row=stolen, place=place: rows.insert(place, row))
        for noted in (None, [OLD]):
            yield Spoiling("a thief's key under the id of a known one", KEYS, added, "key", "order", noted=noted)


def mails() -> Iterator[Spoiling]:
    """The table of the page: how far a header of a mail counts, by its signature and by what was noted."""
    fitting = head(events_of("order")[8])
    told = {
        "fits": fitting,
        "does not fit": fitting | {"hash": "1" * 64},
        "tells of another time": fitting | {"time": "2027-01-01T00:00:00.000000Z"},
        "tells of an event beyond the end": fitting | {"version": 900},
        "is about another game": fitting | ELSEWHERE,
    }
    for noted in (None, HOST.keys(), [OLD]):
        for what, about in told.items():
            signed = signed_head(about)
            forged, strange = signed | {"signature": "0" * 128}, signed_head(about, THIEF)
            signs = what == "fits"
            yield _mail(f"a mail that {what}, signed", [signed], noted, holds=signs)
            yield _mail(f"a mail that {what}, not signed by the key it names", [forged], noted, holds=True)
            unlisted = signs or noted is not None or what == "is about another game"
            yield _mail(f"a mail that {what}, by an unknown key", [strange], noted, holds=unlisted)
        both = [signed_head(fitting | ELSEWHERE), signed_head(fitting)]
        yield _mail("a digest of two games", both, noted, holds=True)
    mistyped = receipt(events_of("order")[8] | {"hash": "1" * 64})
    yield Spoiling("a receipt that does not fit", ARCHIVE, lambda raw: raw, "event 9", "order", kept=[mistyped])


def _mail(words: str, kept: list[dict[str, Any]], noted: Any, *, holds: bool) -> Spoiling:
    verdict = Verdict.HOLDS if holds else Verdict.BROKEN
    number = "" if noted is None else f", {len(noted)} keys noted"
    named = "" if holds else "receipt"
    return Spoiling(f"{words}{number}", ARCHIVE, lambda raw: raw, named, "order", verdict, kept=kept, noted=noted)
