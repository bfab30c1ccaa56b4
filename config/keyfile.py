"""The master key that is made once and kept in a file of its owner alone."""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

MIN_KEY_LENGTH: Final = 32


def read_or_make_key(path: Path) -> str:
    """Return the key in `path`, made there first if missing; processes that start together agree on one.

    Raises OSError, or ValueError for a file that is no key.
    """
    if not path.exists():
        _make(path)
    key = path.read_text(encoding="utf-8", errors="replace").strip()
    if len(key) < MIN_KEY_LENGTH:
        raise ValueError(f"it holds fewer than {MIN_KEY_LENGTH} characters")
    return key


def _make(path: Path) -> None:
    """Write the whole key beside `path`, then link it there: nobody ever reads half a key or replaces another's."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(secrets.token_hex(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
