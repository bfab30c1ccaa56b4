"""What the mail server has taken, read from its file as it grows."""

import json
import threading
import time
from pathlib import Path
from typing import Any


class Letterbox:
    """The mails taken, oldest first; several threads may look."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.mails: list[dict[str, Any]] = []
        self._read = 0
        self._lock = threading.Lock()

    def look(self) -> list[dict[str, Any]]:
        """All mails taken up to now."""
        with self._lock:
            if self.file.exists():
                with self.file.open("rb") as lines:
                    lines.seek(self._read)
                    for line in lines:
                        if line.endswith(b"\n"):
                            self._read += len(line)
                            self.mails.append(json.loads(line))
            return list(self.mails)

    def of(self, beginning: str) -> dict[str, Any] | None:
        """The first mail whose Message-ID begins so."""
        return next((mail for mail in self.look() if mail["id"].startswith(beginning)), None)

    def waits_for(self, beginning: str, seconds: float) -> bool:
        """Whether such a mail comes within so many seconds."""
        end = time.monotonic() + seconds
        while self.of(beginning) is None:
            if time.monotonic() > end:
                return False
            time.sleep(0.2)
        return True
