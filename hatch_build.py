"""What the build of the package adds to the four packages of code: the release it is, and the files for hosts.

An archive of sources has the release in it, so the wheel built from it has the same bytes as one built here.
"""

import runpy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

RELEASE = "config/release.json"
FOR_HOSTS = ("CHANGELOG.md", "Procfile", "deploy", "docs", "requirements.lock")
"""Files and folders that an installation has in `share/wardroom/`, as far as they are here."""


class WithRelease(BuildHookInterface):
    """Notes the release, and lays what hosts copy and read where an installation has it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Say what belongs in it besides the code."""
        root = Path(self.root)
        self.noted = TemporaryDirectory()
        if version == "editable":  # runs in the checkout, which knows
            return
        note = Path(self.noted.name) / "release.json"
        note.write_text(release_of(root), encoding="utf-8")
        build_data["force_include"][str(note)] = RELEASE
        if self.target_name == "wheel":
            found = (root / name for name in FOR_HOSTS if (root / name).exists())
            build_data["shared_data"].update({str(path): f"share/wardroom/{path.name}" for path in found})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Throw away what was noted."""
        self.noted.cleanup()


def release_of(root: Path) -> str:
    """The file that says which release is built, as the code reads it: a build imports nothing of it otherwise."""
    code = runpy.run_path(str(root / "config" / "release.py"))
    text: str = code["read_release"](root / RELEASE, root).as_json()
    return text
