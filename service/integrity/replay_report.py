"""The report of a replay, by ruleset and rule, as JSON and for people."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from domain.audit.verify_history import Report


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is otherwise: what was checked, the rule and the type of event, where there is one, and how."""

    check: str
    sentence: str
    version: int | None = None
    rule: str = ""
    type: str = ""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of replaying one game, or of one export of it (`source` is its file)."""

    game: str
    ruleset: str = ""
    events: int = 0
    source: str = ""
    stored: bool = True
    faults: tuple[Fault, ...] = ()


def faults_of(report: Report, *, telling: bool) -> list[Fault]:
    """The faults that an audit found; `telling` what each says, or only where it is, while secrets are secret."""
    found = [
        Fault(
            "draws" if wrong.draw else "rules",
            _sentence(wrong.sentence, telling),
            wrong.version,
            wrong.rule,
            wrong.type,
        )
        for wrong in report.differences
    ]
    checks = {fault.check for fault in found}
    for check, verdict, sentence in report.checks:
        if verdict == "broken" and check not in checks:
            found.append(Fault(check, sentence, report.version))
    return found


def _sentence(text: str, telling: bool) -> str:
    return f"{text[:1].upper()}{text[1:]}." if telling else "What it says is told when the game is over."


@dataclass(slots=True)
class Group:
    """All faults of a ruleset against one rule: how many, in which games, and the first of them."""

    check: str
    rule: str
    type: str
    count: int = 0
    games: set[str] = field(default_factory=set)
    example: str = ""


@dataclass(slots=True)
class Summary:
    """All that was replayed, by ruleset and rule."""

    games: dict[str, int] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)
    groups: dict[str, list[Group]] = field(default_factory=dict)
    exports: int = 0
    missing: int = 0

    @property
    def ok(self) -> bool:
        """Nothing is otherwise than it should be."""
        return not self.groups

    def add(self, done: Replayed, *, may_miss: bool = True) -> None:
        """Count one result; an export of a game that is not in the database is a fault unless it may miss."""
        faults = list(done.faults)
        if done.source:
            self.exports += 1
            if not done.stored and done.game:
                self.missing += 1
                if not may_miss:
                    faults.append(Fault("export", "The database does not have this game.", 1))
        self.games[done.ruleset] = self.games.get(done.ruleset, 0) + 1
        self.events[done.ruleset] = self.events.get(done.ruleset, 0) + done.events
        for fault in faults:
            self._group(done, fault)

    def _group(self, done: Replayed, fault: Fault) -> None:
        groups = self.groups.setdefault(done.ruleset, [])
        key = (fault.check, fault.rule, fault.type)
        group = next((known for known in groups if (known.check, known.rule, known.type) == key), None)
        if group is None:
            where = (
                f"event {fault.version}: " if fault.version and f"event {fault.version}:" not in fault.sentence else ""
            )
            what = " ".join(part for part in (done.game, done.source and f"({done.source})") if part)
            group = Group(*key, example=f"{what}, {where}{fault.sentence}")
            groups.append(group)
        group.count += 1
        group.games.add(done.game or done.source)

    def document(self) -> dict[str, Any]:
        """All of it as JSON."""
        kinds = sorted({*self.games, *self.groups})
        return {
            "ok": self.ok,
            "exports": self.exports,
            "missing": self.missing,
            "rulesets": {
                kind: {
                    "games": self.games.get(kind, 0),
                    "events": self.events.get(kind, 0),
                    "differences": [{**asdict(group), "games": sorted(group.games)} for group in self._sort(kind)],
                }
                for kind in kinds
            },
        }

    def lines(self) -> Iterator[str]:
        """All of it for people."""
        for kind in sorted({*self.games, *self.groups}):
            verdict = "differs" if kind in self.groups else "verified"
            title = kind or "what cannot be told"
            yield f"{verdict:9} {title}: {self.games.get(kind, 0)} histories, {self.events.get(kind, 0)} events."
            for group in self._sort(kind):
                about = " ".join(part for part in (group.rule, group.type) if part)
                times = f"{group.count} in {len(group.games)} games" if group.count > 1 else "once"
                yield f"  {group.check}{': ' + about if about else ''}, {times}; first in {group.example}"

    def _sort(self, kind: str) -> list[Group]:
        return sorted(self.groups.get(kind, ()), key=lambda group: (-group.count, group.rule, group.check))
