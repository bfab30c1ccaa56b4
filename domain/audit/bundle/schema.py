"""What the files of an audit bundle look like (docs/audit/format.md): exact fields, and what may stand in each."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.audit.signing_keys import key_id
from domain.engine.canonical import NotCanonical, read_json
from domain.history.envelope import is_number, is_text, is_time

HEX16: Final = re.compile(r"[0-9a-f]{16}")
HEX64: Final = re.compile(r"[0-9a-f]{64}")
HEX128: Final = re.compile(r"[0-9a-f]{128}")
KINDS: Final = (
    "your-turn", "reminder", "deadline-passed", "game-over", "undeliverable", "orders-dropped", "brief", "proposal",
    "taken-back", "clock-news", "vacant",
)  # fmt: skip
"""The kinds of notices that a bundle may tell of."""
STATES: Final = ("queued", "sent", "bounced", "failed", "superseded")
GONE_OUT: Final = ("sent", "bounced")

Form = Callable[[Any], bool]


def is_version(value: Any) -> bool:
    return type(value) is int and value >= 1


def _matching(form: re.Pattern[str]) -> Form:
    return lambda value: isinstance(value, str) and form.fullmatch(value) is not None


def _or_null(form: Form) -> Form:
    return lambda value: value is None or form(value)


def is_table(value: Any) -> bool:
    return isinstance(value, dict)


def is_list(value: Any) -> bool:
    return isinstance(value, list)


MANIFEST: Final[Mapping[str, Form]] = {
    "at": is_time, "files": is_table, "format": is_text, "game": is_text, "hash": _matching(HEX64),
    "over": lambda value: isinstance(value, bool), "reader": _or_null(is_number), "ruleset": is_text,
    "version": is_version,
}  # fmt: skip
SIGNATURE: Final[Mapping[str, Form]] = {"key": _matching(HEX16), "signature": _matching(HEX128)}
RULES: Final[Mapping[str, Form]] = {
    "board": is_table, "edition": is_text, "options": is_table, "ruleset": is_text,
    "schemas": lambda value: isinstance(value, dict) and all(map(is_number, value.values())),
}  # fmt: skip
DRAWS: Final[Mapping[str, Form]] = {
    "draws": is_list,
    "nonces": lambda value: isinstance(value, list) and all(isinstance(nonce, str) for nonce in value),
    "seed": _or_null(_matching(HEX64)), "seed_commitment": _matching(HEX64),
}  # fmt: skip
DRAW: Final[Mapping[str, Form]] = {
    "index": is_number, "items": is_list, "label": is_text, "take": is_number, "version": is_version,
}  # fmt: skip
NOTICE: Final[Mapping[str, Form]] = {
    "kind": lambda value: value in KINDS, "queued": is_time, "seat": is_number, "sent": _or_null(is_time),
    "state": lambda value: value in STATES, "version": is_version,
}  # fmt: skip
CHECKPOINT: Final[Mapping[str, Form]] = {
    "game": is_text, "hash": _matching(HEX64), "key": _matching(HEX16), "signature": _matching(HEX128), "time": is_time,
    "version": is_version,
}  # fmt: skip
KEY: Final[Mapping[str, Form]] = {
    "endorsement": lambda value: value is None or not misfit(value, SIGNATURE),
    "id": _matching(HEX16), "public": _matching(HEX64), "since": is_time,
}  # fmt: skip


def misfit(value: Any, form: Mapping[str, Form]) -> str:
    """What is wrong with the form of an object, "" for nothing."""
    if not isinstance(value, dict):
        return "it is no object"
    if value.keys() != form.keys():
        return "it does not have exactly the fields it must have"
    return next((f"its “{name}” has the wrong form" for name, fits in form.items() if not fits(value[name])), "")


def is_own(key: Mapping[str, Any]) -> bool:
    return key_id(key["public"]) == str(key["id"])


def read_keys(content: bytes) -> list[dict[str, Any]]:
    """The keys of a saved /.well-known/wardroom-keys. Raises ValueError with a sentence."""
    try:
        document = read_json(content)
    except NotCanonical as error:
        raise ValueError(f"These are no keys of a host: {error}.") from error
    keys = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(keys, list) or any(misfit(key, KEY) or not is_own(key) for key in keys):
        raise ValueError("These are no keys of a host: save /.well-known/wardroom-keys as it is.")
    return keys
