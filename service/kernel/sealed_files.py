"""Files that save doing work again: sealed, shared by the processes of a machine, for a while, as far as there is room.

Whoever asks must be able to do the work: a file may be missing, too old, damaged or impossible to write at any time.
"""

import contextlib
import os
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from service.kernel import private_files
from service.kernel.encryption import Sealer, Unreadable

MOST_BYTES: Final = 64 * 1024 * 1024
SECONDS: Final = 3600
"""How long a file is good: what was erased elsewhere is in none for longer."""
EVERY: Final = 32
"""Files that a process writes before it looks whether there are too many."""
SAFE: Final = re.compile(r"[0-9A-Za-z_-]{1,80}")
"""Names that are the same on any disk and lead nowhere else."""


@dataclass(slots=True)
class SealedFiles:
    """A folder of such files. Each belongs to a scope, a game, whose key it is sealed with, and has a name there."""

    folder: Path
    sealer: Sealer
    most_bytes: int = MOST_BYTES
    seconds: int = SECONDS
    written: int = field(default=0, init=False)

    def get(self, scope: str, name: str) -> bytes | None:
        """What is kept under a name; None where nothing is that can be used."""
        path = self._path(scope, name)
        try:
            if self._is_over(path.stat().st_mtime):
                return None
            return self.sealer.open(scope, name, path.read_bytes())
        except OSError:
            return None
        except Unreadable:
            _remove(path)
            return None

    def put(self, scope: str, name: str, plain: bytes) -> None:
        """Keep this under a name. On a disk that takes nothing, nothing is kept."""
        path = self._path(scope, name)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            for folder in (self.folder.parent, self.folder):  # of parents made on the way the mode would be another
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(draft, "wb", opener=private_files.opener) as file:
                file.write(self.sealer.seal(scope, name, plain))
            draft.replace(path)
        self.written += 1
        if self.written % EVERY == 0:
            self.make_room()

    def make_room(self) -> None:
        """Remove what is too old, and of the rest the oldest, as far as there is too much."""
        left = self.most_bytes
        for made_at, size, path in sorted(self._files(), reverse=True):
            left -= size
            if left < 0 or self._is_over(made_at):
                _remove(path)

    def clear(self) -> None:
        """Remove everything."""
        for _, _, path in self._files():
            _remove(path)

    def _is_over(self, made_at: float) -> bool:
        """Whether a file is too old, or its time is one that a clock gave which was wrong."""
        return abs(time.time() - made_at) > self.seconds

    def _path(self, scope: str, name: str) -> Path:
        if not (SAFE.fullmatch(scope) and SAFE.fullmatch(name)):
            raise ValueError("a file has a name of letters and digits")
        return self.folder / f"{scope}.{name}"

    def _files(self) -> list[tuple[float, int, Path]]:
        """When each file was written, its size, and where it lies."""
        found = []
        with contextlib.suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):  # another process has removed it meanwhile
                    about = entry.stat(follow_symlinks=False)
                    found.append((about.st_mtime, about.st_size, Path(entry.path)))
        return found


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
