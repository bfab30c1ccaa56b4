"""Good bundles of archived games, and the recipe that makes them.

`python -m tests.audit.vectors.bases` writes `good/` anew, byte for byte the same each time.
"""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from domain.audit.bundle.write import Beside, bundle
from tests.audit.bundles import HOST, Host

GAMES: Final = Path(__file__).parents[2] / "archive" / "games"
GOOD: Final = Path(__file__).parent / "good"
OPENING: Final = "tammany-hall.bids-revealed"
LASTING: Final = ("table.orders-filed", "table.orders-dropped")


@dataclass(frozen=True)
class Base:
    """A bundle of an archived game, up to an event if it runs on, for a reader."""

    file: str
    upto: int | None = None
    reader: int | None = None
    rotated: bool = False
    """Whether the first checkpoint is signed by the host's earlier key."""

    def all_events(self) -> list[dict[str, Any]]:
        """The events with every leaf open."""
        lines = lzma.decompress((GAMES / f"{self.file}.ndjson.xz").read_bytes()).splitlines()[:-1]
        return [json.loads(line) for line in lines[: self.upto]]

    def events(self) -> list[dict[str, Any]]:
        """The events as the reader has them."""
        return self.all_events() if self.upto is None else list(redacted(self.all_events(), self.reader))

    def make(self) -> bytes:
        """Make the bundle; two events are signed and up to three are announced."""
        events = self.events()
        ends = sorted({min(5, len(events)), len(events)})
        told = [events[number] for number in sorted({min(6, len(events) - 1), len(events) - 2, len(events) - 1})]
        is_told = self.upto is None or self.reader is not None
        points = [self._host(end, len(events)).checkpoint(events[end - 1]) for end in ends]
        notices = [_notice(event, self.reader or 0) for event in told] if is_told else []
        beside = Beside(notices=notices, checkpoints=points, keys=HOST.keys())
        return bundle(events, self.reader, beside, HOST.id, HOST.sign)

    def _host(self, end: int, last: int) -> Host:
        return HOST.earlier if self.rotated and end < last and HOST.earlier else HOST


@dataclass(frozen=True)
class Timed(Base):
    """A bundle for a spectator of a game that was played through the service, and runs on."""

    upto: int | None = 0

    def events(self) -> list[dict[str, Any]]:
        """Play it."""
        from tests.audit.vectors import timed

        return timed.play(self.file)


BASES: Final = {
    "over": Base("tammany-hall-troubled-3"),
    "order": Base("city-hall-deserted-3"),
    "bots": Base("city-hall-bots-0"),
    "running": Base("tammany-hall-troubled-9", 80, 1),
    "watched": Base("tammany-hall-troubled-9", 80, None),
    "closed": Base("city-hall-closed-0", rotated=True),
    "deserted": Base("tammany-hall-deserted-2"),
    "permits": Base("city-hall-votes-0"),
    "rewound": Base("tammany-hall-troubled-18"),
    "zoning": Base("city-hall-troubled-3", 70, 0),
    "zoning-watched": Base("city-hall-troubled-3", 70, None),
    "clock": Timed("clock"),
    "hours": Timed("hours"),
    "lobby": Base("tammany-hall-troubled-9", 3, 1),
    **{
        f"{name}-{reader}": Base(f"tammany-hall-{name}", 190, reader)
        for name in ("troubled-6", "troubled-18", "replaced-4")
        for reader in (None, 0, 2)
    },
}


@cache
def stored(name: str) -> bytes:
    """The bundle of a base as it was stored."""
    return lzma.decompress((GOOD / f"{name}.zip.xz").read_bytes())


def redacted(events: list[dict[str, Any]], reader: int | None) -> Iterator[dict[str, Any]]:
    """The events of a running game as a reader has them, by the page."""
    last: dict[int, int] = {}
    stood, opened = {0: last}, set()
    for event in events:
        if event["type"] not in LASTING:
            last = last | {leaf["for"]: event["version"] for leaf in event["sealed"] if leaf["for"] != "nobody"}
        if event["type"] == OPENING:
            opened, last = opened | set(last.values()), {}
        last = stood[event["version"]] = stood[event["data"]["to"]] if event["type"] == "table.rewound" else last
    for event in events:
        sealed = [
            leaf if leaf["for"] == reader or event["version"] in opened else {n: leaf[n] for n in ("commitment", "for")}
            for leaf in event["sealed"]
        ]
        yield event | {"sealed": sealed}


def _notice(event: dict[str, Any], seat: int) -> dict[str, Any]:
    at, version = event["at"], event["version"]
    return {"kind": "your-turn", "queued": at, "seat": seat, "sent": at, "state": "sent", "version": version}


def main() -> None:
    """Write the good bundles."""
    GOOD.mkdir(exist_ok=True)
    for name, base in BASES.items():
        (GOOD / f"{name}.zip.xz").write_bytes(lzma.compress(base.make(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
