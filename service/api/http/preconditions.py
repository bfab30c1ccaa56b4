"""Entity tags of games (RFC 9110): `"17.<digest>"`, version 17 and the SHA-256 of this very answer.

Whether an answer has changed is told by the whole tag, for leave, names and deadlines change between two versions, and
each seat sees another answer. What a command asks with If-Match is whether anybody has moved: there the version counts.
"""

import hashlib
import re
from typing import Final

from flask import Request, Response, request

from service.api.http.reading import refuse
from service.store.event_store.streams import Seen

IF_MATCH: Final = {
    "in": "header",
    "name": "If-Match",
    "schema": {
        "type": "string",
        "pattern": r'^([*]|"[0-9]{1,9}([.][0-9a-f]{64})?"(, *"[0-9]{1,9}([.][0-9a-f]{64})?")*)$',
    },
    "description": 'the version seen, "17", or the ETag of any answer about the game, or several of them',
}
KEPT: Final = ("Cache-Control", "Vary", "Retry-After")
"""What a 304 says of caching as the 200 would (RFC 9110 15.4.5), and when to ask again."""
_TAG: Final = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
_LIST: Final = re.compile(rf"[ \t]*,?[ \t]*{_TAG}(?:[ \t]*,[ \t]*(?:{_TAG})?)*[ \t]*")
_OURS: Final = re.compile(r'(?<!/)"([0-9]{1,9})(?:\.[0-9a-f]{64})?"')
_BARE: Final = re.compile(r'"[0-9]+"')


def version_tag(version: int) -> dict[str, str]:
    """The ETag of an answer about a game at a version; `tagged` adds the digest to what can be asked for again."""
    return {"ETag": f'"{version}"'}


def tagged(response: Response) -> Response:
    """An answer to GET whose ETag is a version, with the digest of its body; 304 where the client has this very one."""
    tag = response.headers.get("ETag", "")
    if request.method not in ("GET", "HEAD") or response.status_code != 200 or not _BARE.fullmatch(tag):
        return response
    opaque = f"{tag[1:-1]}.{hashlib.sha256(response.get_data()).hexdigest()}"
    if request.if_none_match.contains_weak(opaque):
        kept = {name: response.headers[name] for name in KEPT if name in response.headers}
        response = Response(status=304, headers=kept)
    response.set_etag(opaque)
    return response


def if_match(request_: Request = request) -> Seen | None:
    """The versions in If-Match; None without one, or for any. Aborts with 400 where none of its tags is of a game."""
    header = request_.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    versions = frozenset(map(int, _OURS.findall(header))) if _LIST.fullmatch(header) else None
    if not versions:
        refuse('If-Match takes the ETag of the game or its version in quotes: "17".', "bad-if-match")
    return versions
