"""Ids of traces and spans: by chance, but for the first span of a request, whose ids are made from the request's."""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Final

from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

_fixed: Final[ContextVar[tuple[int, int] | None]] = ContextVar("fixed", default=None)


@contextlib.contextmanager
def fixed(trace: int, span: int) -> Iterator[None]:
    """The next span has these."""
    token = _fixed.set((trace, span))
    try:
        yield
    finally:
        _fixed.reset(token)


class FixedIds(RandomIdGenerator):
    """Chance, unless ids are fixed."""

    def generate_trace_id(self) -> int:
        """16 bytes."""
        given = _fixed.get()
        return super().generate_trace_id() if given is None else given[0]

    def generate_span_id(self) -> int:
        """8 bytes."""
        given = _fixed.get()
        return super().generate_span_id() if given is None else given[1]
