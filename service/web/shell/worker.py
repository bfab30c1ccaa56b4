"""The worker that a browser keeps (W3C, Service Workers): what it is given of this edition, in front of its own text.

It shows the last position of one's own games without a connection, and what one is called for. It sends nothing.
"""

from typing import Final

import msgspec

from domain.engine.sentences import say
from service.languages import LANGUAGES, words
from service.web.http.assets import FOLDER, edition, styles_address

OFFLINE: Final = "/offline"
KEPT: Final = "<!--kept-->"
"""Where the worker says how old something is, or lists what it has."""
_OPEN: Final = {"moment": "{moment}", "age": "{age}"}
TEXTS: Final = {
    "asOf": say(
        "As of {moment}, {age}. You are offline: this is the position as you saw it here last; nothing can be played.",
        **_OPEN,
    ),
    "listed": say("as of {moment}, {age}", **_OPEN),
    "kept": say("Positions that you saw here last"),
    "answered": say("Answered meanwhile: nothing is asked of you there any more."),
    "signedOut": say("Sign in to see what is asked of you."),
}
"""What it says; what stands in braces it fills in itself."""


def shell() -> list[str]:
    """The addresses that a browser keeps for when it is offline: what pages with a position look like."""
    return [
        styles_address("tokens", "page"),
        styles_address("palette", "board", "positions", "game"),
        *(f"{OFFLINE}/{language}" for language in LANGUAGES),
    ]


def script() -> str:
    """The whole worker: other bytes for every edition, so that a browser sees when there is a new one."""
    texts = {language: {name: words(language)(text) for name, text in TEXTS.items()} for language in LANGUAGES}
    given = {"edition": edition(), "shell": shell(), "texts": texts}
    text = (FOLDER / "worker.js").read_text(encoding="utf-8")
    return f"self.wardroom = {msgspec.json.encode(given).decode()};\n{text}"
