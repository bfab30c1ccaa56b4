"""Named points in what must survive a death at any line: tests of crashes stop there, and nothing else does."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_fault: Final[ContextVar[Callable[[str], None] | None]] = ContextVar("fault", default=None)


def reach(point: str) -> None:
    """The work has come to a named point."""
    fault = _fault.get()
    if fault is not None:
        fault(point)


@contextmanager
def faults(fault: Callable[[str], None]) -> Iterator[None]:
    """Within the block, call `fault` with the name of every point that is reached in this context."""
    token = _fault.set(fault)
    try:
        yield
    finally:
        _fault.reset(token)
