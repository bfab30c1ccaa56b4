"""Check a whole history without trusting its keeper: structure, chain, leaves, draws, rules, clock.

It needs no server. `wardroom verify` and the audit of the API both answer from it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from domain.audit.bundle.schema import HEX64
from domain.audit.clock import check_clock
from domain.audit.comparison import Entry
from domain.audit.differences import Difference, is_draw
from domain.audit.redecide import Retraced, retrace
from domain.engine.canonical import canonical
from domain.engine.draws import commitment
from domain.engine.game import Event
from domain.history.codec import History, UnknownSchema, history, owners, unseal
from domain.history.envelope import BrokenHistory, read_export
from domain.history.upcasts import upcast_leaf
from domain.table import events as e
from domain.table.clock import fold_clock
from domain.table.state import Table
from domain.table.undo import Past

ENDS: Final = frozenset({"table.game-finished", "table.game-abandoned", "table.seed-revealed"})
"""What ends a game: in a history that holds one of these, every leaf must be open (S-41)."""
MAY_SAY_NOTHING: Final = frozenset({e.OrdersDropped})
"""What seals nothing at times: of orders that fitted there is no refusal to tell. Of all others null stands for a leaf
that is shut, and an open one that says so would be a secret kept for ever."""
MOST_TOLD: Final = 5
"""Differences that a check names one by one."""


@dataclass(slots=True)
class Report:
    """The findings of an audit: `checks` are (what, verdict, sentence), and `version` is the first bad event.

    Verdicts are "verified", "open", "broken" or "unchecked".
    """

    game: str = ""
    events: int = 0
    hash: str = ""
    checks: list[tuple[str, str, str]] = field(default_factory=list)
    version: int | None = None
    ruleset: str = ""
    table: Table | None = None
    differences: list[Difference] = field(default_factory=list)
    revealed: bool = False

    @property
    def ok(self) -> bool:
        """Return whether nothing is broken."""
        return all(verdict != "broken" for _, verdict, _ in self.checks)

    @property
    def is_over(self) -> bool:
        """The game is over, and told its seed, which nobody could have forged: nothing in it is secret any more."""
        return self.revealed and self.table is not None and self.table.status not in ("open", "running")

    def add(self, what: str, verdict: str, sentence: str) -> None:
        """Add one check."""
        self.checks.append((what, verdict, sentence))

    def blame(self, what: str, version: int, sentence: str, file: str = "") -> None:
        """Add a fault of an event, or of what a file says about it."""
        self.version = version if self.version is None else min(self.version, version)
        self.add(what, "broken", f"{file}{': ' if file else ''}event {version}: {sentence}")


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
    clock = list(islice(check_clock(entries), MOST_TOLD))
    if report.ok:
        _replay(report, entries, is_timed=any(verdict == "verified" for verdict, _, _ in clock))
    for verdict, version, sentence in clock:
        if version is None:
            report.add("clock", verdict, sentence)
        else:
            report.blame("clock", version, sentence)
    return report


def is_over(entries: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether a history says that its game is over."""
    return any(entry["type"] in ENDS for entry in entries)


def read_game(lines: Iterable[str | bytes]) -> tuple[str, list[Event], bool]:
    """The ruleset of an export, its events as far as their leaves are open, and whether the game is over.

    Raises BrokenHistory where the chain does not hold, or an event is none of its ruleset or cannot be read yet.
    """
    kept, entries, over = read_entries(lines)
    return kept.rules.kind, [entry.event for entry in entries], over


def read_entries(lines: Iterable[str | bytes]) -> tuple[History, list[Entry], bool]:
    """The same with all that is known of each event. Raises BrokenHistory."""
    entries = read_export(lines)
    version = 1
    try:
        kept = history(entries[0]["data"]["ruleset"])
        typed: list[Entry] = []
        for version in range(1, len(entries) + 1):
            typed.append(_typed(kept, entries[version - 1]))
    except BrokenHistory:
        raise
    except UnknownSchema as unknown:
        raise BrokenHistory(unknown.version, unknown.reason) from unknown
    except Exception as error:  # a forged history may hold anything
        raise BrokenHistory(version, f"it cannot be read ({type(error).__name__})") from error
    return kept, typed, is_over(entries)


def _leaves(report: Report, entries: list[dict[str, Any]]) -> None:
    leaves = [(entry["version"], leaf) for entry in entries for leaf in entry["sealed"]]
    shut = [version for version, leaf in leaves if "salt" not in leaf]
    over = is_over(entries)
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


def _replay(report: Report, entries: list[dict[str, Any]], *, is_timed: bool) -> None:
    """Decide the history again, draws included where the seed is revealed, and compare.

    `is_timed` says that it tells deadlines, and that nothing is wrong with them.
    """
    version = 1
    try:
        kept = history(entries[0]["data"]["ruleset"])
        known: list[Entry] = []
        for version in range(1, len(entries) + 1):
            known.append(_typed(kept, entries[version - 1]))
        first = known[0].event
        if not isinstance(first, e.GameOpened) or first.seats not in kept.rules.seats:
            raise BrokenHistory(1, "it does not open a game of this ruleset")
        typed = [entry.event for entry in known]
        version, seed = _seed(typed, first)
        report.revealed = seed is not None
        found = retrace(kept, known)
        report.ruleset, report.table, report.differences = kept.rules.kind, found.table, found.differences
        if found.whole and found.table.status not in ("open", "running") and not version:
            raise BrokenHistory(len(known), "the game is over and its seed was not revealed")
    except UnknownSchema as unknown:
        report.version = unknown.version
        report.add("rules", "broken", f"event {unknown.version}: {unknown.reason}.")
    except BrokenHistory as broken:
        report.version = broken.version
        report.add("draws", "broken", f"{broken}.")
    except Exception as error:  # a forged history may hold anything
        report.version = version
        report.add("rules", "broken", f"event {version}: it cannot be read ({type(error).__name__}).")
    else:
        _rules(report, kept, found, shut=any(entry.shut for entry in known))
        if is_timed and report.ok:
            _untold(report, kept, known, entries)
        _draws(report, typed, found, revealed=report.revealed)


def _rules(report: Report, kept: History, found: Retraced, *, shut: bool) -> None:
    """The level "rules" (S-41): which events are none that the rules would have made."""
    wrong = [difference for difference in found.differences if not difference.draw]
    if wrong:
        report.version = wrong[0].version
        report.add("rules", "broken", _told(wrong))
    elif not found.whole:
        report.add("rules", "broken", "The history cannot be followed beyond a draw that is wrong.")
    elif found.unchecked and not shut:
        report.add("rules", "broken", f"Nothing is sealed, and {found.unchecked} events cannot be told.")
    elif found.unchecked:
        sealed = f"{found.unchecked} events cannot be told before what is sealed is opened"
        report.add(
            "rules", "open", f"The other events are what the rules of {kept.rules.presentation.title} make: {sealed}."
        )
    else:
        report.add("rules", "verified", f"Every event is what the rules of {kept.rules.presentation.title} make here.")


def _untold(report: Report, kept: History, known: list[Entry], entries: list[dict[str, Any]]) -> None:
    """Blame each question without a deadline. Only the rules say who is asked."""
    clock = fold_clock(
        kept.rules,
        (
            Past(entry.version, entry.actor, entry.cause, entry.event, at=told["at"], due=told["data"].get("due"))
            for entry, told in zip(known, entries, strict=True)
        ),
    )
    for question in [*clock.over, *clock.asked.values()]:
        is_told = [told.version for told in question.told[:1]] == [question.since]
        if not is_told and question.since < len(entries):  # what ends in the midst of a request may lack it
            report.blame("rules", question.since, f"seat {question.seat} is asked, and no deadline was told.")


def _draws(report: Report, typed: list[Event], found: Retraced, *, revealed: bool) -> None:
    wrong = [difference for difference in found.differences if difference.draw]
    draws = sum(is_draw(event) for event in typed)
    if wrong:
        report.version = min(wrong[0].version, report.version or wrong[0].version)
        report.add("draws", "broken", _told(wrong))
    elif not revealed:
        report.add("draws", "open", f"{draws} draws can be checked once the seed is revealed, when the game ends.")
    elif report.ok:
        report.add("draws", "verified", f"All {draws} draws follow from the seed and the players' nonces.")
        report.add("fairness", "verified", _fairness(typed))


def _told(wrong: list[Difference]) -> str:
    """The first differences, with their types and rules; the others as a number."""
    told = [
        f"event {difference.version}: {difference.sentence} ({difference.type}, {difference.rule})"
        for difference in wrong[:MOST_TOLD]
    ]
    more = [f"and {len(wrong) - MOST_TOLD} more"] if len(wrong) > MOST_TOLD else []
    return "; ".join((*told, *more)) + "."


def _seed(typed: list[Event], first: e.GameOpened) -> tuple[int, bytes | None]:
    """The version that revealed the seed, and the seed; 0 and None before that."""
    for version, event in enumerate(typed, 1):
        if isinstance(event, e.SeedRevealed):
            seed = bytes.fromhex(event.seed) if HEX64.fullmatch(event.seed) else b""
            if commitment(seed) != first.seed_commitment or first.seed != event.seed:
                raise BrokenHistory(version, "the seed revealed is not the seed that was committed to")
            return version, seed
    return 0, None


def _fairness(typed: list[Event]) -> str:
    """Who could have chosen the draws (S-42)."""
    if any(isinstance(event, e.SeatTaken) and event.nonce_by == "player" for event in typed):
        return "A player brought a nonce: the draws are fair unless the host colluded with the last to sit down."
    return "No player brought a nonce: that the draws are fair rests on the host's word."


def _typed(kept: History, entry: dict[str, Any]) -> Entry:
    event = kept.read(entry["type"], canonical(entry))
    fields = owners(event)
    if [leaf["for"] for leaf in entry["sealed"]] != list(fields):
        raise BrokenHistory(entry["version"], "its leaves are not those of such an event")
    text, shut = entry["data"].get("text", ""), False
    for leaf, names in zip(entry["sealed"], fields.values(), strict=True):
        if "salt" not in leaf:
            shut = True
            continue
        data = upcast_leaf(type(event), leaf["data"])
        if set(data) - {"text"} != set(names) or not isinstance(data.get("text", ""), str):
            raise BrokenHistory(entry["version"], "a leaf does not say what such an event seals")
        event, text = unseal(event, data), data.get("text", text)
        if type(event) not in MAY_SAY_NOTHING and any(getattr(event, name) is None for name in names):
            raise BrokenHistory(entry["version"], "a leaf is open and does not say what such an event seals")
    return Entry(entry["version"], entry["actor"], entry["cause"], event, str(text), shut)
