"""A letter that is ready to go."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Grant = tuple[str, dict[str, Any]]
"""What an address in a letter may do: its purpose, and the rest."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A message ready to go: where to, from which return path, its bytes, and what its addresses may do.

    Whoever sends it asks once more whether it is `still_true`, when a mail server waits for its bytes: composing takes
    its time, and so may a server. That raises Superseded.
    """

    to: str
    return_path: str
    message_id: str
    data: bytes
    grants: tuple[Grant, ...] = field(default=(), compare=False)
    still_true: Callable[[], object] = field(default=lambda: None, compare=False)
