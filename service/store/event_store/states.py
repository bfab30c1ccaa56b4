"""Folded states as bytes and back."""

from collections.abc import Callable
from dataclasses import field, make_dataclass
from functools import cache
from typing import Any, Final

import msgspec

from domain.engine.bots import Bot
from domain.history.codec import history
from domain.table.evolve import Rules
from domain.table.state import Table


def encode_state(table: Table) -> bytes:
    """A table as bytes."""
    return _encode(table)


def decode_state(rules: Rules, plain: bytes) -> Table:
    """The table `encode_state` was given, now or when a bot was one by a flag."""
    decode, state = _decoder(rules.kind)
    try:
        return decode(plain)
    except msgspec.ValidationError:
        return msgspec.convert(_with_bots(msgspec.msgpack.decode(plain)), state)


_encode: Final[Callable[[Any], bytes]] = msgspec.msgpack.Encoder().encode


@cache
def _decoder(kind: str) -> tuple[Callable[[bytes], Table], type[Table]]:
    """A decoder that knows the type of this ruleset's state, and the type."""
    state = history(kind).rules.decider.state
    typed = make_dataclass("TypedTable", [("game", state | None, field(default=None))], bases=(Table,))
    decode: Callable[[bytes], Table] = msgspec.msgpack.Decoder(typed).decode
    return decode, typed


def _with_bots(table: dict[str, Any]) -> dict[str, Any]:
    """A table as it was kept when every bot was the caretaker. Raises ValidationError for what is no such table."""
    try:
        chairs = [chair | {"bot": Bot(0) if chair["bot"] is True else None} for chair in table["chairs"]]
    except (KeyError, TypeError) as error:
        raise msgspec.ValidationError(str(error)) from error
    return table | {"chairs": chairs}
