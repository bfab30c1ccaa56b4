"""Actions as JSON, in the types of a ruleset."""

from collections.abc import Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from domain.engine.game import Action
from domain.engine.refusals import OrderNotUnderstood
from domain.rulesets import ruleset
from domain.table.evolve import Rules


def read_action(rules: Rules, given: Mapping[str, Any], place: int = 0) -> Action:
    """One action from its JSON form.

    Raises OrderNotUnderstood: by the rule that lists the words, where a word is none of them, as a line of notation
    would; else "bad-action".
    """
    try:
        action: Action = msgspec.convert(given, _any_action(rules.kind))
    except msgspec.ValidationError as error:
        for kind, word in _words(_kind_of(rules, given.get("type")), given):
            if word not in get_args(kind) and kind in rules.notation.terms:
                rules.notation.terms[kind](str(word))
        message = f"Action {place + 1} cannot be read: {error}. Its schema is at /api/v1/rulesets/{rules.kind}."
        raise OrderNotUnderstood("bad-action", "DESIGN-8", "", message) from error
    return action


@cache
def _any_action(kind: str) -> Any:
    """The union of a ruleset's actions."""
    return Union[ruleset(kind).decider.actions]  # noqa: UP007 - the members are data


def _kind_of(rules: Rules, tag: object) -> Any:
    """The action with this tag, None for no such action."""
    return next((action for action in rules.decider.actions if action.__struct_config__.tag == tag), None)


def _words(kind: Any, given: Any) -> Iterator[tuple[Any, str | int]]:
    """Each word or number in a value of this type that must be one of a list (a Literal), with that list."""
    origin = get_origin(kind)
    if origin is Literal and isinstance(given, str | int):
        yield kind, given
    elif origin is Annotated:
        yield from _words(get_args(kind)[0], given)
    elif origin in (Union, UnionType):
        for each in get_args(kind):
            yield from _words(each, given)
    elif origin is list and isinstance(given, list):
        for item in given:
            yield from _words(get_args(kind)[0], item)
    elif origin is dict and isinstance(given, dict):
        for pair in given.items():
            for each, part in zip(get_args(kind), pair, strict=True):
                yield from _words(each, part)
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(given, Mapping):
        for name, hint in get_type_hints(kind, include_extras=True).items():
            if name in given:
                yield from _words(hint, given[name])
