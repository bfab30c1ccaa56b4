"""Checking a whole history without trusting whoever kept it: structure, chain, leaves, draws, rules.

Needs no server: what `wardroom verify` and the API's audit answer.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from domain.canonical import canonical
from domain.decider import CHANCE, Event
from domain.draws import Dice, commitment, draw_key
from domain.envelope import BrokenHistory, read_export
from domain.history import History, history, owners, unseal
from domain.table import events as e
from domain.table.evolve import apply
from domain.table.state import Table
from domain.table.undo import Past, present_line, undone_since

ENDS: Final = frozenset({"table.game-finished", "table.game-abandoned", "table.seed-revealed"})
"""What ends a game: in a history that holds one of these, every leaf must be open (S-41)."""
HEX: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(slots=True)
class Report:
    """What an audit found: `checks` are (what, verdict, sentence), verdicts "verified", "open" or "broken";
    `version` is the first bad event."""

    game: str = ""
    events: int = 0
    hash: str = ""
    checks: list[tuple[str, str, str]] = field(default_factory=list)
    version: int | None = None

    @property
    def ok(self) -> bool:
        """Nothing is broken."""
        return all(verdict != "broken" for _, verdict, _ in self.checks)

    def add(self, what: str, verdict: str, sentence: str) -> None:
        """Add one check."""
        self.checks.append((what, verdict, sentence))


def audit(lines: Iterable[str | bytes]) -> Report:
    """Check an export, complete or redacted. Never raises for what is in it: the report says what is broken."""
    report = Report()
    try:
        entries = read_export(lines)
    except BrokenHistory as broken:
        report.version = broken.version
        report.add("chain", "broken", f"{broken}.")
        return report
    report.game, report.events, report.hash = entries[-1]["game"], len(entries), entries[-1]["hash"]
    report.add("chain", "verified", f"{len(entries)} events follow one another without a gap.")
    _leaves(report, entries)
    if report.ok:
        _replay(report, entries)
    return report


def read_game(lines: Iterable[str | bytes]) -> tuple[str, list[Event], bool]:
    """The ruleset of an export, its events as far as their leaves are open, and whether the game is over.

    Raises BrokenHistory where the chain does not hold or an event is none of its ruleset.
    """
    entries = read_export(lines)
    version = 1
    try:
        kept = history(entries[0]["data"]["ruleset"])
        typed: list[Event] = []
        for version in range(1, len(entries) + 1):
            typed.append(_typed(kept, entries[version - 1]))
    except BrokenHistory:
        raise
    except Exception as error:  # a forged history may hold anything
        raise BrokenHistory(version, f"it cannot be read ({type(error).__name__})") from error
    return kept.rules.kind, typed, any(entry["type"] in ENDS for entry in entries)


def _leaves(report: Report, entries: list[dict[str, Any]]) -> None:
    leaves = [(entry["version"], leaf) for entry in entries for leaf in entry["sealed"]]
    shut = [version for version, leaf in leaves if "salt" not in leaf]
    over = any(entry["type"] in ENDS for entry in entries)
    opened = len(leaves) - len(shut)
    if not shut:
        report.add("leaves", "verified", f"All {opened} sealed leaves are open and fit their commitments.")
    elif over:
        report.version = shut[0]
        report.add("leaves", "broken", f"event {shut[0]}: the game is over and a leaf is still shut.")
    else:
        report.add(
            "leaves", "open", f"{opened} leaves fit their commitments; {len(shut)} are sealed until the game ends."
        )


def _replay(report: Report, entries: list[dict[str, Any]]) -> None:
    """Fold the history again; with the seed, make every draw again and compare."""
    version = 0
    try:
        kept = history(entries[0]["data"]["ruleset"])
        typed: list[Event] = []
        for version in range(1, len(entries) + 1):
            typed.append(_typed(kept, entries[version - 1]))
        version = 1
        first = typed[0]
        if not isinstance(first, e.GameOpened) or first.seats not in kept.rules.seats:
            raise BrokenHistory(1, "it does not open a game of this ruleset")
        revealed, seed = _seed(typed, first)
        table = Table()
        draws = 0
        for version, event in enumerate(typed, 1):
            if "draw" in type(event).__struct_fields__:
                draws += 1
                if seed is not None:
                    _check_draw(kept, table, event, seed, version)
            if isinstance(event, e.Rewound):
                _check_rewind(entries, typed, event, version)
            apply(table, kept.rules, event, typed)
        if table.status not in ("open", "running") and not revealed:
            raise BrokenHistory(version, "the game is over and its seed was not revealed")
    except BrokenHistory as broken:
        report.version = broken.version
        report.add("draws", "broken", f"{broken}.")
    except Exception as error:  # a forged history may make the rules stumble over anything
        report.version = version or None
        where = f"event {version}: " if version else ""
        report.add("rules", "broken", f"{where}the history cannot be replayed ({type(error).__name__}).")
    else:
        report.add("rules", "verified", f"Every event is one of {kept.rules.title} and follows on the state before it.")
        if seed is None:
            report.add("draws", "open", f"{draws} draws can be checked once the seed is revealed, when the game ends.")
        else:
            report.add("draws", "verified", f"All {draws} draws follow from the seed and the players' nonces.")
            report.add("fairness", "verified", _fairness(typed))


def _seed(typed: list[Event], first: e.GameOpened) -> tuple[int, bytes | None]:
    """The version that revealed the seed, and the seed; 0 and None before that."""
    for version, event in enumerate(typed, 1):
        if isinstance(event, e.SeedRevealed):
            seed = bytes.fromhex(event.seed) if HEX.fullmatch(event.seed) else b""
            if commitment(seed) != first.seed_commitment or first.seed not in (None, event.seed):
                raise BrokenHistory(version, "the seed revealed is not the seed that was committed to")
            return version, seed
    return 0, None


def _check_draw(kept: History, table: Table, event: Event, seed: bytes, version: int) -> None:
    if CHANCE not in kept.rules.awaiting(table.game):
        raise BrokenHistory(version, "it is a draw that no rule calls for")
    key = draw_key(seed, [chair.nonce for chair in table.chairs])
    action = kept.rules.chance(table.game, Dice(key, table.draws))
    if kept.rules.decide(table.game, CHANCE, action) != [event]:
        raise BrokenHistory(version, "its result is not what the seed and the nonces give")


def _check_rewind(entries: list[dict[str, Any]], typed: list[Event], event: e.Rewound, version: int) -> None:
    """Q-12: the game goes back to where it stood in what still stands, and never across an opening."""
    past = [
        Past(entry["version"], entry["actor"], entry["cause"], one)
        for entry, one in zip(entries[: version - 1], typed[: version - 1], strict=True)
    ]
    line = present_line(past)
    if event.to not in {one.version for one in line}:
        raise BrokenHistory(version, "it goes back to what was undone, or never was")
    if any(one.event.OPENS for one in undone_since(line, event.to)):
        raise BrokenHistory(version, "it goes back across the opening of what was sealed")


def _fairness(typed: list[Event]) -> str:
    """Who could have chosen the draws (S-42)."""
    if any(isinstance(event, e.SeatTaken) and event.nonce_by == "player" for event in typed):
        return "A player brought a nonce: the draws are fair unless the host colluded with the last to sit down."
    return "No player brought a nonce: that the draws are fair rests on the host's word."


def _typed(kept: History, entry: dict[str, Any]) -> Event:
    event = kept.read(entry["type"], canonical(entry))
    fields = owners(event)
    if [leaf["for"] for leaf in entry["sealed"]] != list(fields):
        raise BrokenHistory(entry["version"], "its leaves are not those of such an event")
    for leaf, names in zip(entry["sealed"], fields.values(), strict=True):
        if "salt" in leaf:
            if set(leaf["data"]) - {"text"} != set(names):
                raise BrokenHistory(entry["version"], "a leaf does not say what such an event seals")
            event = unseal(event, leaf["data"])
    return event
