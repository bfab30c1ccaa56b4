"""What is wrong with a form, a sentence beside each field: as the API refuses, in the reader's language."""

from typing import Any

from marshmallow import ValidationError

from domain.engine.sentences import say

MISSING = say("Please fill this in.")
_OF_MARSHMALLOW = {"Missing data for required field.": MISSING, "Field may not be null.": MISSING}


def faults_of(error: ValidationError) -> dict[str, Any]:
    """The first sentence about each field."""
    messages = error.messages if isinstance(error.messages, dict) else {"form": error.messages}
    return {name: _first(inner) for name, inner in messages.items()}


def _first(messages: Any) -> Any:
    while isinstance(messages, dict | list):
        messages = next(iter(messages.values() if isinstance(messages, dict) else messages))
    return _OF_MARSHMALLOW.get(messages, messages)
