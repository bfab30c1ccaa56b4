"""What a token may be used for (OAuth 2.0 scopes, RFC 6749 3.3): a few words, kept and shown with one blank between."""

from collections.abc import Iterable
from typing import Final

READ: Final = "read"
PLAY: Final = "play"
TALK: Final = "talk"
ACCOUNT: Final = "account"
SCOPES: Final = (READ, PLAY, TALK, ACCOUNT)
"""All there are: to see what its player may see; to act in games; to speak there; and all that is about the person."""


def write_scopes(chosen: Iterable[str]) -> str:
    """Scopes as they are kept, each once, in the order of SCOPES."""
    wanted = set(chosen)
    return " ".join(scope for scope in SCOPES if scope in wanted)


EVERY_SCOPE: Final = write_scopes(SCOPES)
"""What a token may be used for that was made by signing in."""
