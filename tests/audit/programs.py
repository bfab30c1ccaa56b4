"""The programs beside the pages of docs/audit, written from those pages alone, as modules that tests can call."""

import importlib.util
import sys
from pathlib import Path
from typing import Any, Final

AUDIT: Final = Path(__file__).parents[2] / "docs" / "audit"


def program(name: str) -> Any:
    """A program, loaded anew: who replaces a part of it replaces it for themselves."""
    spec = importlib.util.spec_from_file_location(name, AUDIT / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(AUDIT))  # as when it is run: one imports the other
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(AUDIT))
    return module
