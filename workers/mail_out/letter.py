"""A letter that is ready to go."""

from dataclasses import dataclass, field
from typing import Any

Grant = tuple[str, dict[str, Any]]
"""What an address in a letter may do: its purpose, and the rest."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message ready to go: where to, from which return path, its bytes, and what its addresses may do."""

    to: str
    return_path: str
    message_id: str
    data: bytes
    grants: tuple[Grant, ...] = field(default=(), compare=False)
