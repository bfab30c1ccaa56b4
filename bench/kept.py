"""The ratios of the last release, kept beside this file, and how those of a run differ from them."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from service.store.releases import CURRENT

FILE: Final = Path(__file__).with_name("kept.json")
MARGIN: Final = 0.1
"""Less is not told from a busy machine."""

Ratios = dict[str, dict[str, float]]
"""By the title of a table, by the name of its row."""


@dataclass(slots=True)
class Comparison:
    """What was kept, what this run measured, and the rows that became worse by more than MARGIN."""

    kept: Ratios
    measured: Ratios = field(default_factory=dict)
    worse: list[str] = field(default_factory=list)

    def note(self, title: str, row: str, ratio: float, unit: str) -> str:
        """The change since the last release as a column of the table; "" for a row that is new.

        More is better of what is counted by the second, less of everything else.
        """
        self.measured.setdefault(title, {})[row] = round(ratio, 4)
        before = self.kept.get(title, {}).get(row)
        if not before:
            return ""
        change = ratio / before - 1
        gain = change if unit.endswith("/s") else -change
        if gain < -MARGIN:
            self.worse.append(f"{title}: {row}")
        return f"{change:+.0%}" + "  WORSE" * (gain < -MARGIN)

    def keep(self, path: Path = FILE) -> None:
        """Write this run's ratios over those of the same rows; the others stay."""
        ratios = {title: self.kept.get(title, {}) | self.measured.get(title, {}) for title in self.kept | self.measured}
        document = {"release": CURRENT.version, "ratios": ratios}
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")


def read(path: Path = FILE) -> Comparison:
    """What was kept; nothing where there is no file yet."""
    return Comparison(json.loads(path.read_text("utf-8"))["ratios"] if path.exists() else {})


SINCE_RELEASE: Final = read()
"""The comparison of this run, which every table notes its rows in."""
