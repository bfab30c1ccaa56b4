"""What a process that thinks is told, and what it answers: bytes for its pipes, and nothing that its seat may not know.

Nothing here opens a database: the process imports it.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, Union

import msgspec

from domain.engine.bots import Bot
from domain.engine.game import Action, Seat
from domain.rulesets import ruleset


class Question(msgspec.Struct, frozen=True):
    """A seat that is awaited in its own blind `state`, the bot that plays it, and the seed of its thought (S-08)."""

    kind: str
    state: bytes
    seat: Seat
    bot: Bot
    seed: bytes
    answered: int = 0
    """How many answers bots have given since a person's last."""


def pack_state(state: Any) -> bytes:
    """A blind state as bytes."""
    return _pack(state)


def unpack_state(kind: str, packed: bytes) -> Any:
    """The state that `pack_state` was given."""
    return _states(kind)(packed)


def pack_actions(actions: Sequence[Action]) -> bytes:
    """A move as bytes."""
    return _pack(list(actions))


def unpack_actions(kind: str, packed: bytes) -> list[Action]:
    """The move that `pack_actions` was given. Raises msgspec.ValidationError for what is none of this ruleset."""
    return _moves(kind)(packed)


_pack: Final[Callable[[Any], bytes]] = msgspec.msgpack.Encoder().encode


@cache
def _states(kind: str) -> Callable[[bytes], Any]:
    decode: Callable[[bytes], Any] = msgspec.msgpack.Decoder(ruleset(kind).decider.state).decode
    return decode


@cache
def _moves(kind: str) -> Callable[[bytes], list[Action]]:
    action: Any = Union[ruleset(kind).decider.actions]  # noqa: UP007 - the members are data
    move: Any = list[action]
    decode: Callable[[bytes], list[Action]] = msgspec.msgpack.Decoder(move).decode
    return decode
