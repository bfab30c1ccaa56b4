"""The host's public keys: what a new one is vouched for with, and which can be trusted (format.md, section 9)."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from domain.engine.canonical import canonical

Genuine = Callable[[str, bytes, str], bool]
"""Whether a signature (hex) of a message is that of a public key (hex)."""


def key_id(public: str) -> str:
    """The id of a public key: 16 hex digits."""
    return hashlib.sha256(bytes.fromhex(public)).hexdigest()[:16]


def endorsement_message(key: Mapping[str, Any]) -> bytes:
    """What an earlier key signs to vouch for this one."""
    return b"wardroom-key-v1\n" + canonical({name: key[name] for name in ("id", "public", "since")})


def endorsed(key: Mapping[str, Any], publics: Mapping[str, str], genuine: Genuine) -> bool:
    """Whether one of these keys, public ones by id, vouches for a key."""
    by = key["endorsement"]
    return (
        by is not None
        and by["key"] in publics
        and genuine(publics[by["key"]], endorsement_message(key), by["signature"])
    )


def trusted(noted: Iterable[Mapping[str, Any]], keys: Sequence[Mapping[str, Any]], genuine: Genuine) -> dict[str, str]:
    """Those of `keys` that were noted before, or that one trusted vouches for; public keys by id."""
    found = {key["id"]: key["public"] for key in noted}
    for key in keys:
        if key["id"] not in found and endorsed(key, found, genuine):
            found[key["id"]] = key["public"]
    return found
