"""A history folded and nothing else: read by the installed code, each event applied; hashes stand as they are told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from domain.engine.game import Event
from domain.history.codec import UnknownSchema, history, unseal
from domain.history.envelope import BrokenHistory
from domain.table.evolve import fold
from domain.table.state import Table


class _Told(msgspec.Struct):
    game: str
    version: int
    type: str
    hash: str
    data: dict[str, Any]
    sealed: list[dict[str, Any]]


class _End(msgspec.Struct):
    version: int
    hash: str


class _Last(msgspec.Struct):
    end: _End


_told: Final = msgspec.json.Decoder(_Told).decode
_last: Final = msgspec.json.Decoder(_Last).decode


@dataclass(frozen=True, slots=True)
class Folded:
    """A history that could be folded: its game, its ruleset, the hash of every event as it is told, its table."""

    game: str
    ruleset: str
    hashes: Sequence[str]
    table: Table


def fold_history(lines: Sequence[bytes]) -> Folded:
    """Fold an export with its leaves open, as far as they are. Raises BrokenHistory, UnknownSchema."""
    version, events, hashes = 0, [], []
    try:
        first = _told(lines[0])
        kept = history(first.data["ruleset"])
        for version, line in enumerate(lines[:-1], 1):
            told = _told(line)
            if (told.game, told.version) != (first.game, version):
                raise BrokenHistory(version, "it is of another game, or out of order")
            events.append(_opened(kept.read(told.type, line), told))
            hashes.append(told.hash)
        end = _last(lines[-1]).end
        if (end.version, end.hash) != (len(hashes), hashes[-1]):
            raise BrokenHistory(None, "it does not close with the end line of its last event")
        return Folded(first.game, kept.rules.kind, hashes, fold(Table(), kept.rules, events))
    except (BrokenHistory, UnknownSchema):
        raise
    except Exception as error:  # a forged history may make the rules stumble over anything
        raise BrokenHistory(version or None, f"it cannot be folded ({type(error).__name__})") from error


def _opened(event: Event, told: _Told) -> Event:
    """The event with what its open leaves say."""
    for leaf in told.sealed:
        if "data" in leaf:
            event = unseal(event, {name: value for name, value in leaf["data"].items() if name != "text"})
    return event
