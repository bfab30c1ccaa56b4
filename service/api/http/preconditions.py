"""Entity tags of games (RFC 9110): `"17.<digest>"`, version 17 and the SHA-256 of this very answer.

Whether an answer has changed is told by the whole tag, for leave, names and deadlines change between two versions, and
each seat sees another answer. What a command asks with If-Match is whether anybody has moved: there the version counts.
"""

import hashlib
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Final

from flask import Request, Response, current_app, g, request

from service.api.http.application import asked_now
from service.api.http.compression import is_wanted
from service.api.http.reading import refuse
from service.kernel.foreign_dates import read_date
from service.store.event_store.streams import Seen

IF_MATCH: Final = {
    "in": "header",
    "name": "If-Match",
    "schema": {
        "type": "string",
        "pattern": r'^([*]|"[0-9]{1,9}([.][0-9a-f]{64})?"(, *"[0-9]{1,9}([.][0-9a-f]{64})?")*)$',
    },
    "description": 'the version seen, "17", or a strong ETag of an answer about the game, or several of them',
}
KEPT: Final = ("Cache-Control", "Vary", "Retry-After")
"""What a 304 says of caching as the 200 would (RFC 9110 15.4.5), and when to ask again."""
_TAG: Final = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
_LIST: Final = re.compile(rf"[ \t]*,?[ \t]*{_TAG}(?:[ \t]*,[ \t]*(?:{_TAG})?)*[ \t]*")
_OURS: Final = re.compile(r'(?<!/)"([0-9]{1,9})(?:\.[0-9a-f]{64})?"')
_DATED: Final = ("HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_IF_RANGE")
_BARE: Final = re.compile(r'"[0-9]+"')


def version_tag(version: int) -> dict[str, str]:
    """The ETag of an answer about a game at a version; `tagged` adds the digest to what can be asked for again."""
    return {"ETag": f'"{version}"'}


def drop_unreadable_dates(asked: Request) -> None:
    """Take conditions with a date that cannot be read for absent (RFC 9110, 13.1.3). werkzeug raises OverflowError.

    Without its If-Range a Range is not followed either.
    """
    environ = asked.environ
    for name in _DATED:
        given = environ.get(name)
        if given is not None and '"' not in given and read_date(given) is None:
            del environ[name]
            if name == "HTTP_IF_RANGE":
                environ.pop("HTTP_RANGE", None)


class KnownAnswers:
    """The tags of answers that this process has given, by all that they were made of: the last ones."""

    MOST: Final = 4096

    def __init__(self) -> None:
        self._tags: OrderedDict[bytes, str] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, made_of: object, tag: str) -> None:
        """An answer made of this has this tag."""
        key = _digest(made_of)
        with self._lock:
            self._tags[key] = tag
            self._tags.move_to_end(key)
            if len(self._tags) > self.MOST:
                self._tags.popitem(last=False)

    def of(self, made_of: object) -> str | None:
        """The tag of the answer made of this, if it is known."""
        with self._lock:
            return self._tags.get(_digest(made_of))


def _digest(made_of: object) -> bytes:
    """So that nobody's name is kept in memory after it was erased, and each entry is as small as the others."""
    return hashlib.sha256(repr(made_of).encode()).digest()


def unchanged(made_of: object) -> Response | None:
    """304 where the client has the answer that would be made of this; asked before it is made.

    `made_of` is all that the answer depends on, plain values alone. None where that is not known: the answer is to be
    made then, and what it was made of said by `note_made_of`.
    """
    if "If-None-Match" not in request.headers:
        return None
    asked = asked_now()
    tag = _known().of((made_of, is_wanted(asked)))
    if tag is None or not asked.if_none_match.contains_weak(tag):
        return None
    return _not_modified(tag, {})


def note_made_of(made_of: object) -> None:
    """Say what the answer to this request is made of: of the same, it is the same to the byte."""
    g.made_of = (made_of, is_wanted(asked_now()))


def _known() -> KnownAnswers:
    known: KnownAnswers = current_app.extensions.setdefault("wardroom-known-answers", KnownAnswers())
    return known


def _not_modified(tag: str, headers: Mapping[str, str]) -> Response:
    response = Response(status=304, headers=headers, content_type="application/json")  # no page; not sent
    response.set_etag(tag)
    return response


def tagged(asked: Request, response: Response) -> Response:
    """An answer to GET whose ETag is a version, with the digest of its body; 304 where the client has this very one."""
    if asked.method not in ("GET", "HEAD") or response.status_code != 200:
        return response
    tag = response.headers.get("ETag", "")
    if not _BARE.fullmatch(tag):
        return response
    opaque = f"{tag[1:-1]}.{hashlib.sha256(response.get_data()).hexdigest()}"
    if "made_of" in g:
        _known().keep(g.made_of, opaque)
    if asked.if_none_match.contains_weak(opaque):
        return _not_modified(opaque, {name: response.headers[name] for name in KEPT if name in response.headers})
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
