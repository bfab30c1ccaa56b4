"""Addresses that somebody handed us, to lead a browser to: paths of our own pages and nothing else (CWE-601)."""

from typing import Final
from urllib.parse import unquote

LONGEST: Final = 2_000
HOME: Final = "/"
NEVER: Final = ("/sign-in", "/sign-out", "/api/")
"""Nobody comes back to these."""


def own_path(given: str) -> str:
    """The address of a page of ours, or HOME for any other.

    Browsers take "//evil" and "/\\evil" for other hosts, leave out tabs and line breaks before they look, and resolve
    dots; whoever sits between may decode once more. So none of that is in it, however it is written.
    """
    return given if _is_own(given) else HOME


def _is_own(given: str) -> bool:
    if not given.startswith("/") or len(given) > LONGEST or not given.isprintable() or not given.isascii():
        return False
    path, again = unquote(given.partition("?")[0].partition("#")[0]), ""
    while path != again:
        if any(sign in path for sign in ("//", "\\", "/./", "/../")) or not path.isprintable():
            return False
        path, again = unquote(path), path
    return not path.endswith(("/.", "/..")) and not path.startswith(NEVER)
