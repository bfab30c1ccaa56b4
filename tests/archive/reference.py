"""The reference of the archive: positions, texts and winners at every version, as short digests.

It was written from the games of before the clean beginning. `tests/archive/test_reference.py` compares the archive
with it. `python -m tests.archive.reference` writes it anew, for games that were made with other rules.
"""

import hashlib
import json
import lzma
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from domain.audit.verify_history import read_game
from domain.engine.canonical import canonical
from domain.engine.game import NOBODY, Event, Seat
from domain.rulesets import RULESETS
from domain.table import events as e
from domain.table.evolve import Rules, apply
from domain.table.state import Table
from service.games.event_text import tell

GAMES: Final = Path(__file__).parent / "games"
KEPT: Final = Path(__file__).parent / "reference.json.xz"
SHORT: Final = 4
"""Hexadecimal digits of a digest: enough to name a version, as the whole game has a full one."""


def games() -> list[str]:
    """Return the names of the archived games."""
    return [game["file"].removesuffix(".ndjson.xz") for game in json.loads((GAMES / "index.json").read_text())]


def describe(name: str) -> dict[str, Any]:
    """Return what a game shows: its winners, and by version digests of positions and of sentences."""
    kind, events, _ = read_game(lzma.decompress((GAMES / f"{name}.ndjson.xz").read_bytes()).splitlines())
    rules = RULESETS[kind]
    positions, sentences = Digests(), Digests()
    winners: list[Seat] | None = None
    for position, told, event in _versions(rules, events):
        positions.add(position)
        sentences.add(told)
        winners = event.winners if isinstance(event, e.GameFinished) else winners
    return {"winners": winners, "positions": positions.document(), "sentences": sentences.document()}


class Digests:
    """A short digest of each value in turn, and one of all."""

    def __init__(self) -> None:
        self.short: list[str] = []
        self.whole = hashlib.sha256()

    def add(self, value: bytes) -> None:
        """Add the next value."""
        digest = hashlib.sha256(value)
        self.short.append(digest.hexdigest()[:SHORT])
        self.whole.update(digest.digest())

    def document(self) -> dict[str, str]:
        """Return both as text."""
        return {"each": "".join(self.short), "all": self.whole.hexdigest()}


def _versions(rules: Rules, events: list[Event]) -> Iterator[tuple[bytes, bytes, Event]]:
    table, views = Table(), b""
    names = [pawn.capitalize() for pawn in rules.notation.pawns]
    for number, event in enumerate(events):
        apply(table, rules, event, events[:number] if isinstance(event, e.Rewound) else ())
        if isinstance(event, e.GameStarted | e.Rewound) or type(event) in rules.decider.evolve:
            views = _views(rules, table)
        yield views + canonical(_around(table)), _sentences(rules, event, names, range(len(table.chairs))), event


def _views(rules: Rules, table: Table) -> bytes:
    """Return the position as the spectator and each seat see it."""
    if table.game is None:
        return b""
    readers = (None, *range(len(table.chairs)))
    return b"".join(canonical(rules.decider.view(table.game, reader)) for reader in readers)


def _around(table: Table) -> dict[str, Any]:
    """Return what everybody sees of the table."""
    chairs = [
        (chair.player, msgspec.to_builtins(chair.bot), chair.vacant, chair.strikes, chair.bank)
        for chair in table.chairs
    ]
    return {"status": table.status, "host": table.host, "chairs": chairs, "paused": table.paused is not None}


def _sentences(rules: Rules, event: Event, names: list[str], seats: range) -> bytes:
    """Return the sentences that the spectator and each seat are told of an event."""
    sealed = type(event).SEALED
    shut = msgspec.structs.replace(event, **dict.fromkeys(sealed)) if sealed else event
    told: Callable[[Event], str] = partial(_sentence, rules, names=names)
    everybody = told(shut)
    owned = {getattr(event, owner): told(event) for owner in {*sealed.values()} - {NOBODY}}
    return canonical([everybody, *(owned.get(seat, everybody) for seat in seats)])


def _sentence(rules: Rules, event: Event, names: list[str]) -> str:
    if type(event) in rules.decider.evolve:
        return str(rules.presentation.narrative.tell_with_sealed(event, names) or rules.presentation.tell(event, names))
    return str(tell(rules, event, names))


def main() -> None:
    """Write the reference of the games that are there."""
    content = canonical({name: describe(name) for name in games()})
    KEPT.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
