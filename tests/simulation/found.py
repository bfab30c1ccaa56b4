"""What came of checking."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field


@dataclass(slots=True)
class Found:
    """What came of checking."""

    wrong: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    counts: Counter[str] = field(default_factory=Counter)
    late: list[int] = field(default_factory=list)

    def add(self, what: str, where: str) -> None:
        """Something is wrong."""
        self.wrong[what] += 1
        if len(self.examples[what]) < 5:
            self.examples[what].append(where)

    def merge(self, other: "Found") -> None:
        """Add what somebody else found."""
        self.wrong += other.wrong
        self.counts += other.counts
        self.late += other.late
        for what, where in other.examples.items():
            self.examples[what] = (self.examples[what] + where)[:5]
