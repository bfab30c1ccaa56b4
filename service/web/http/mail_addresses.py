"""Mail addresses that somebody typed into one field, as people do: by lines, commas, or out of a mail program."""

import re
from typing import Final

from domain.engine.sentences import Sentence, say
from service.accounts.names import normalise_email

MOST: Final = 4_000
"""Characters: room for many times as many people as may be invited."""
_BETWEEN: Final = re.compile(r"[\s,;]+")
_NAMED: Final = re.compile(r"[^,;<>\n]*<([^<>\s]*)>")


class BadAddresses(Exception):
    """Something among the addresses is none; `message` names it."""

    def __init__(self, message: Sentence) -> None:
        super().__init__(message)
        self.message = message


def addresses_in(typed: str) -> list[str]:
    """The addresses in a text, each once; “Bob <bob@example.org>” is bob's. Raises BadAddresses."""
    if len(typed) > MOST:
        raise BadAddresses(say("That is too much: write mail addresses alone, one a line."))
    words = _BETWEEN.split(_NAMED.sub(r" \1 ", typed))
    return list(dict.fromkeys(_address(word) for word in words if word))


def _address(word: str) -> str:
    try:
        return normalise_email(word)
    except ValueError:
        shown = word if len(word) <= 60 else f"{word[:60]}…"
        message = say("“{address}” is no mail address: write it as name@example.org.", address=shown)
        raise BadAddresses(message) from None
