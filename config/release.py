"""Which release this is, and of which commit: written beside this file when a package is built; a checkout asks git."""

import json
import subprocess
import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Final

BUILT: Final = Path(__file__).with_name("release.json")
"""What the build of the package leaves (hatch_build.py); there is none in a checkout."""
ROOT: Final = Path(__file__).resolve().parent.parent
DESCRIBE: Final = ("-c", "safe.directory=*", "describe", "--always", "--abbrev=40", "--exclude=*", "--dirty=+")
"""The commit alone, and a plus sign behind it where files differ from it; also of a folder of somebody else."""


@dataclass(frozen=True, slots=True)
class Release:
    """A version, and the commit in 40 hex digits, with "+" behind them where files differed from it; "" for unknown."""

    version: str
    commit: str

    def __str__(self) -> str:
        """One line for people."""
        if not self.commit:
            return f"wardroom {self.version}, of a commit that nobody noted"
        changed = ", with changes" if self.commit.endswith("+") else ""
        return f"wardroom {self.version}, commit {self.commit.rstrip('+')}{changed}"

    def as_json(self) -> str:
        """What is left beside this file."""
        return json.dumps(asdict(self)) + "\n"


@cache
def release() -> Release:
    """The release of the code that runs."""
    return read_release(BUILT, ROOT)


def is_checkout() -> bool:
    """Whether the code runs where it was written, not where it was installed."""
    return (ROOT / "pyproject.toml").exists()


def read_release(built: Path, root: Path) -> Release:
    """What the build noted, else what a folder of sources says of itself. Raises OSError where there is neither."""
    if built.exists():
        return Release(**json.loads(built.read_text(encoding="utf-8")))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Release(project["version"], _commit(root))


def _commit(root: Path) -> str:
    if not (root / ".git").exists():  # git would look further up, and tell of another project
        return ""
    try:
        done = subprocess.run(["git", "-C", root, *DESCRIBE], capture_output=True, text=True, timeout=10, check=True)  # noqa: S603, S607
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
