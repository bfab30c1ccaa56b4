"""Making an audit bundle: the files of docs/audit/format.md, from a history and what was said and signed about it."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from domain.audit.bundle.archive import (
    CHECKPOINTS,
    DIGESTED,
    DRAWS,
    EVENTS,
    KEYS,
    MANIFEST,
    NOTICES,
    README,
    RULES,
    SIGNATURE,
)
from domain.audit.bundle.archive import archive as archive_of
from domain.audit.verify_history import is_over, read_game
from domain.engine.canonical import canonical
from domain.engine.game import Event, Seat
from domain.history.codec import history
from domain.history.envelope import GENESIS
from domain.rulesets import ruleset
from domain.table.evolve import Rules, apply
from domain.table.state import Table

FORMAT: Final = "wardroom-bundle-1"
SIGNED: Final = b"wardroom-bundle-v1\n"
"""Stands before what is signed of a bundle."""
README_TEXT: Final = """\
This archive is all that is needed to check one game of correspondence, without trusting who hosted it.

  events.ndjson     every event of the game, each chained to the one before by its hash
  rules.json        which rules and which board it was played by
  draws.json        the seed and the nonces of all draws, and what each draw was made from
  notices.json      what was announced by mail, to which seat, and when
  checkpoints.json  the hashes of events, signed as they were made
  keys.json         the public keys of the host
  manifest.json     what this archive is about, and the digests of the files above
  signature.json    the host's signature of the manifest

While a game runs the archive is for one reader, and what is secret from that reader stays sealed in it: only a
commitment is there. When the game is over everything is open, and everybody's archive is the same.

To check it with Wardroom, which plays the whole game again by its rules:

  wardroom verify FILE --receipt CODE --keys FILE

To check it without: docs/audit/verify_bundle.py, beside the description of the format in docs/audit/format.md, is one
file for Python 3.9 and needs nothing else.

CODE is the receipt at the end of any mail about the game: a history in which something up to that event was rewritten
has another. The keys are those you noted from /.well-known/wardroom-keys of the host at a time you trusted it.
"""


@dataclass(frozen=True, slots=True)
class Beside:
    """What a bundle holds besides a history: lists of documents as the page describes them."""

    notices: Sequence[Mapping[str, Any]]
    checkpoints: Sequence[Mapping[str, Any]]
    keys: Sequence[Mapping[str, Any]]


def bundle(
    entries: Sequence[Mapping[str, Any]],
    reader: Seat | None,
    beside: Beside,
    key: str,
    sign: Callable[[bytes], str],
) -> bytes:
    """The bundle of a history as one reader may see it, signed with the key of this id."""
    events = ndjson(entries)
    files = {
        README: README_TEXT.encode(),
        EVENTS: events,
        RULES: document(rules_of(entries)),
        DRAWS: document(_draws_as_told(entries, events)),
        NOTICES: document({"notices": list(beside.notices)}),
        CHECKPOINTS: document({"checkpoints": list(beside.checkpoints)}),
        KEYS: document({"keys": list(beside.keys)}),
    }
    files[MANIFEST] = document(manifest_of(entries, reader, files))
    files[SIGNATURE] = document({"key": key, "signature": sign(SIGNED + files[MANIFEST])})
    return archive_of(files)


def document(value: Mapping[str, Any]) -> bytes:
    """A file of a bundle: canonical JSON and a line feed."""
    return canonical(value) + b"\n"


def ndjson(entries: Sequence[Mapping[str, Any]]) -> bytes:
    """A history as a file: an event a line, and the end line (DESIGN 3)."""
    last = entries[-1]
    end = {"end": {"version": last["version"], "hash": last["hash"]}}
    return b"".join(document(line) for line in [*entries, end])


def manifest_of(
    entries: Sequence[Mapping[str, Any]], reader: Seat | None, files: Mapping[str, bytes]
) -> dict[str, Any]:
    """What a bundle is about, and the digests of its files."""
    last, over = entries[-1], is_over(entries)
    return {
        "at": last["at"],
        "files": {name: digest(files[name]) for name in DIGESTED},
        "format": FORMAT,
        "game": last["game"],
        "hash": last["hash"],
        "over": over,
        "reader": None if over else reader,
        "ruleset": entries[0]["data"]["ruleset"],
        "version": last["version"],
    }


def digest(content: bytes) -> dict[str, Any]:
    """What a manifest says of a file."""
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def rules_of(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """By which rules, options and board a game is played here. Raises KeyError for a ruleset there is not."""
    opened = entries[0]["data"]
    rules = ruleset(opened["ruleset"])
    return {
        "board": msgspec.json.decode(canonical(rules.presentation.printed)),
        "edition": rules.edition,
        "options": opened["options"],
        "ruleset": rules.kind,
        "schemas": schemas_of(rules.kind),
    }


def schemas_of(kind: str) -> dict[str, int]:
    """The newest schema of every type of event of a ruleset that can be read here."""
    return dict(sorted(history(kind).schemas.items()))


def draws_of(entries: Sequence[Mapping[str, Any]], events: bytes) -> dict[str, Any]:
    """Seed, nonces and draws of a history; what was drawn from only once the seed is known.

    `events` is the same history as a file. Raises BrokenHistory for one that cannot be read.
    """
    seed = next((entry["data"]["seed"] for entry in entries if entry["type"] == "table.seed-revealed"), None)
    draws: list[dict[str, Any]] = []
    if seed is not None:
        kind, typed, _ = read_game(events.split(b"\n")[:-1])
        draws = list(drawn(ruleset(kind), typed))
    return {
        "draws": draws,
        "nonces": nonces_of(entries),
        "seed": seed,
        "seed_commitment": entries[0]["data"]["seed_commitment"],
    }


def _draws_as_told(entries: Sequence[Mapping[str, Any]], events: bytes) -> dict[str, Any]:
    """The same, as far as it can be told of a history that does not verify: its bundle is evidence, and is made."""
    try:
        return draws_of(entries, events)
    except Exception:  # records that were changed may hold anything
        return {"draws": [], "nonces": [], "seed": None, "seed_commitment": GENESIS}


def nonces_of(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """The nonces of the chairs that are taken, in seat order, as the last of these events left them."""
    chairs: dict[int, str] = {}
    for entry in entries:
        data = entry["data"]
        match entry["type"]:
            case "table.seat-taken":
                chairs[data["seat"]] = data["nonce"]
            case "table.seat-left":
                chairs.pop(data["seat"], None)
            case "table.game-started":
                chairs = {new: chairs[old] for new, old in enumerate(data["seats"])}
    return [chairs[seat] for seat in sorted(chairs)]


def drawn(rules: Rules, typed: Sequence[Event]) -> Iterator[dict[str, Any]]:
    """Every draw of a history: what it was made from, in order, and how many of it were drawn."""
    table = Table()
    for version, event in enumerate(typed, 1):
        draw = getattr(event, "draw", None)
        if draw is not None:
            items, take = drawn_from(rules, table)
            yield {"index": draw.index, "items": items, "label": draw.label, "take": take, "version": version}
        apply(table, rules, event, typed)


def drawn_from(rules: Rules, table: Table) -> tuple[list[Any], int]:
    """What a table that awaits chance draws from, and how many of it."""
    dice = _Watcher(table.draws, 0)
    result = rules.decider.chance(table.game, dice).result
    if dice.many is None:
        return dice.items, dice.take
    others = (rules.decider.chance(table.game, _Watcher(table.draws, number)).result for number in range(1, dice.many))
    return [msgspec.to_builtins(outcome) for outcome in (result, *others)], 1


class _Watcher:
    """Dice that come out as told, and remember what was asked of them: of how many one, or how many of what."""

    def __init__(self, index: int, number: int) -> None:
        self.index = index
        self.number = number
        self.many: int | None = None
        self.items: list[Any] = []
        self.take = 0

    def below(self, label: str, n: int) -> int:
        self.many = n
        return self.number

    def sample(self, label: str, items: Sequence[Any], k: int) -> list[Any]:
        self.items, self.take = [msgspec.to_builtins(item) for item in items], k
        return list(items[:k])
