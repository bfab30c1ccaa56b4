"""Folded states as bytes and back."""

from collections.abc import Callable
from dataclasses import field, make_dataclass
from functools import cache
from typing import Any, Final

import msgspec

from domain.history.codec import history
from domain.table.evolve import Rules
from domain.table.state import Table


def encode_state(table: Table) -> bytes:
    """A table as bytes."""
    return _encode(table)


def decode_state(rules: Rules, plain: bytes) -> Table:
    """Return the table that `encode_state` was given."""
    return _decoder(rules.kind)(plain)


_encode: Final[Callable[[Any], bytes]] = msgspec.msgpack.Encoder().encode


@cache
def _decoder(kind: str) -> Callable[[bytes], Table]:
    """Return a decoder that knows the type of this ruleset's state."""
    state = history(kind).rules.decider.state
    typed = make_dataclass("TypedTable", [("game", state | None, field(default=None))], bases=(Table,))
    decode: Callable[[bytes], Table] = msgspec.msgpack.Decoder(typed).decode
    return decode
