"""Compression of answers for who accepts gzip (RFC 9110 8.4.1, 12.5.3): a tenth of the bytes of a position or a tree.

A compressed answer is another representation, with another strong tag: the tag of a game's answer is made after it, of
the bytes that are sent (decision 0051).
"""

import gzip
import hashlib
import re
from typing import Final

from flask import Request, Response, request

LEAST: Final = 1024
"""Bytes below which it is not worth it: they fit into a packet as they are."""
LEVEL: Final = 5
TEXTS: Final = frozenset(
    {
        "application/json", "application/problem+json", "application/x-ndjson", "application/manifest+json",
        "application/atom+xml", "image/svg+xml", "text/html", "text/plain", "text/css", "text/csv", "text/javascript",
        "text/calendar",
    }
)  # fmt: skip
"""Types that compress, and are not streams: text/event-stream is not one of them."""
_WHOLE: Final = re.compile(r"([0-9]+)\.([0-9a-f]{64})")


def compress(asked: Request, response: Response) -> Response:
    """An answer as it is sent to who asks: compressed where they accept that and it is worth it."""
    if not is_wanted(asked) or not _is_compressible(response) or _reflects(asked):
        return response
    body = _content(response)
    if len(body) < LEAST:
        return response
    response.set_data(gzip.compress(body, LEVEL, mtime=0))  # the same bytes each time, so that a tag stands for them
    response.headers["Content-Encoding"] = "gzip"
    _change_tag(response)
    return response


def _content(response: Response) -> bytes:
    """All of an answer; of one that is a file, with the file closed."""
    source = response.response
    response.direct_passthrough = False
    body = response.get_data()
    if hasattr(source, "close"):
        source.close()
    return body


def _is_compressible(response: Response) -> bool:
    """Whether an answer is a whole text, and all of it."""
    whole = response.status_code != 206 and (response.direct_passthrough or not response.is_streamed)
    return whole and response.mimetype in TEXTS and "Content-Encoding" not in response.headers


def is_wanted(asked: Request) -> bool:
    """Whether the client would rather have it compressed: of what it likes as much, compressed comes first."""
    return "HTTP_ACCEPT_ENCODING" in asked.environ and asked.accept_encodings.best_match(["gzip", "identity"]) == "gzip"


def _reflects(asked: Request) -> bool:
    """Whether a page may repeat words of its address: beside them its size would tell of its secrets (BREACH).

    Forms come from our own pages alone, and the API is asked with a token that no other site can send.
    """
    return not asked.path.startswith("/api/") and not all(map(str.isdigit, asked.args.values()))


def _change_tag(response: Response) -> None:
    """Another tag for other bytes (RFC 9110 8.8.3.3). A version alone gets its digest later; one not ours is weak."""
    tag, weak = response.get_etag()
    if tag is not None and not weak and not tag.isdigit():
        response.set_etag(compressed_tag(tag), weak=not _WHOLE.fullmatch(tag))


def compressed_tag(tag: str) -> str:
    """The tag of the compressed form of an answer whose tag was not made of its bytes."""
    whole = _WHOLE.fullmatch(tag)
    if whole is None:
        return tag
    return f"{whole[1]}.{hashlib.sha256(f'gzip {whole[2]}'.encode()).hexdigest()}"


def known_tag(tag: str) -> str | None:
    """The tag of the form of an answer that a client has, compressed or not, where it need not be made anew."""
    return next((form for form in (tag, compressed_tag(tag)) if request.if_none_match.contains_weak(form)), None)
