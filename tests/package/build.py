"""The package, built by the command that a release is built with."""

import sys
from pathlib import Path
from typing import Final

import pytest

import dev

PACKAGES: Final = ("config", "domain", "service", "workers")


def build(folder: Path, *words: str) -> Path:
    """The folder, with the wheel, its sources and the lock, or what else the words ask for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dev, "ensure_venv", lambda: None)
        patch.setattr(dev, "BIN", Path(sys.executable).parent)
        dev.package([*words, "-d", str(folder)])
    return folder
