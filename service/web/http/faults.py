"""What is wrong with a form, a sentence beside each field: as the API refuses, in the reader's language."""

from typing import Any

from marshmallow import ValidationError

from domain.engine.sentences import say

MISSING = say("Please fill this in.")
CHOOSE = say("Please choose one of these.")
_OF_API = {
    sentence: sentence
    for sentence in (
        say("That is no time zone: use a name such as Europe/Paris."),
        say("Write a time of day in hours and minutes: 08:00."),
        say("Write a day as year, month and day: 2026-12-24."),
        say("No control characters, please: letters, digits, blanks and punctuation."),
        say("A mail address with “=?” in it cannot be written to."),
    )
}
"""What the API says in English alone, for people to read in their language."""


def faults_of(error: ValidationError) -> dict[str, Any]:
    """The first sentence about each field."""
    messages = error.messages if isinstance(error.messages, dict) else {"form": error.messages}
    return {name: _first(inner) for name, inner in messages.items()}


def _first(messages: Any) -> Any:
    while isinstance(messages, dict | list):
        messages = next(iter(messages.values() if isinstance(messages, dict) else messages))
    if messages == "Missing data for required field.":
        return MISSING
    return CHOOSE if messages.startswith("Must be one of") else _OF_API.get(messages, messages)
