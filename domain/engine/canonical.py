"""The canonical form of JSON that is hashed: RFC 8785, for the values events are made of.

Objects with ASCII keys, arrays, strings, integers within 2^53, true, false and null. For these msgspec's sorted
encoding is RFC 8785 to the byte (a test holds it against the reference implementation).
"""

import json
from typing import Any, Final, NoReturn

import msgspec

LARGEST: Final = 2**53 - 1
canonical = msgspec.json.Encoder(order="sorted").encode
"""The canonical bytes of a value that `check` accepts."""


class NotCanonical(ValueError):
    """A value, or a text, that has no place in an event."""


def check(value: Any, path: str = "$") -> None:
    """Raise NotCanonical, naming the place, unless `value` may stand in an event (T-46, T-47, T-49)."""
    match value:
        case None | bool():
            return
        case int():
            if abs(value) > LARGEST:
                raise NotCanonical(f"{path}: an integer beyond 2^53")
        case str():
            if any("\ud800" <= c <= "\udfff" for c in value):
                raise NotCanonical(f"{path}: a lone surrogate")
        case list() | tuple():
            for index, item in enumerate(value):
                check(item, f"{path}[{index}]")
        case dict():
            for key, item in value.items():
                if not isinstance(key, str) or not key.isascii():
                    raise NotCanonical(f"{path}: a key that is not ASCII text")
                check(item, f"{path}.{key}")
        case _:
            raise NotCanonical(f"{path}: {type(value).__name__} has no canonical form")


def _no_float(text: str) -> NoReturn:
    raise NotCanonical(f"the number {text[:20]} is not an integer")


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise NotCanonical("a key stands twice in one object")
    return table


def read_json(text: str | bytes) -> Any:
    """Parse JSON that may be hashed. Raises NotCanonical for anything two readers could read differently
    (floats, NaN, duplicate keys, surrogates, huge integers; T-46, T-48) and for what is no JSON."""
    try:
        text = text.decode() if isinstance(text, bytes) else text  # json itself would guess at UTF-16 and UTF-32
        value = json.loads(text, parse_float=_no_float, parse_constant=_no_float, object_pairs_hook=_no_twins)
        check(value)
    except NotCanonical:
        raise
    except (ValueError, RecursionError) as error:
        raise NotCanonical("not JSON") from error
    return value
