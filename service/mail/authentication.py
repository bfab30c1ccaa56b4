"""Authentication-Results (RFC 8601): what a mail server says it found. Whom to believe is the caller's question."""

import re
from typing import Final

import msgspec

LONGEST: Final = 4000
"""Characters of a header that are looked at."""
PIECE: Final = re.compile(r'\\.|"(?:[^"\\]++|\\.)*+"?|[^"();\\]++|[();\\]', re.DOTALL)
METHOD: Final = re.compile(r"\s*([A-Za-z0-9-]+)\s*(?:/\s*\d+\s*)?=\s*([A-Za-z0-9-]+)(?=\s|$)")
PROPERTY: Final = re.compile(r'\s+([A-Za-z0-9._-]++)\s*+=\s*+("(?:[^"\\]++|\\.)*+"|[^\s"]++)')


class AuthenticationResult(msgspec.Struct, frozen=True):
    """One header: who says so, and (method, result, properties) in the order of the header, all names in lower case."""

    authserv_id: str
    results: list[tuple[str, str, dict[str, str]]] = []


def authentication_result(value: str) -> AuthenticationResult:
    """One header read. A result that is not well formed is left out: what cannot be read proves nothing."""
    pieces = _pieces(value) if len(value) <= LONGEST else None
    if pieces is None:
        return AuthenticationResult("")
    server = pieces[0].split()
    results = [read for read in map(_result, pieces[1:]) if read]
    return AuthenticationResult(server[0].strip('"').lower() if server else "", results)


def _pieces(value: str) -> list[str] | None:
    """What stands between semicolons, without comments; None where a quote or a comment is never closed."""
    pieces = [""]
    depth = 0
    for piece in PIECE.findall(value):
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth -= 1
        elif depth > 0:
            continue
        elif piece.startswith('"') and (len(piece) < 2 or not piece.endswith('"')):
            return None
        elif piece == ";":
            pieces.append("")
        else:
            pieces[-1] += piece
        if depth < 0:
            return None
        if piece == ")":
            pieces[-1] += " "
    return pieces if depth == 0 else None


def _result(piece: str) -> tuple[str, str, dict[str, str]] | None:
    """`dkim=pass header.d=example.org`; None if it is not all of that form, or says one thing twice."""
    method = METHOD.match(piece)
    if not method:
        return None
    properties: dict[str, str] = {}
    place = method.end()
    while match := PROPERTY.match(piece, place):
        name, value = match[1].lower(), match[2]
        value = re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value
        if properties.setdefault(name, value) != value:
            return None
        place = match.end()
    return None if piece[place:].strip() else (method[1].lower(), method[2].lower(), properties)
