"""Answers: JSON by msgspec, pages with a cursor."""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import msgspec
from flask import Response, request
from werkzeug.datastructures import Headers

from domain.engine.sentences import Sentence

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


def _plain(value: object) -> str:
    """A Sentence as the English text it is: the API speaks English to everybody."""
    if isinstance(value, Sentence):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no part of an answer")


encoded = msgspec.json.Encoder(enc_hook=_plain).encode


class Document(Response):
    """An answer whose headers are right as they are: its length is known, and an address in it is one of ours."""

    def get_wsgi_headers(self, environ: "WSGIEnvironment") -> Headers:
        """They, and not a copy that is checked once more."""
        return self.headers if self.status_code in (200, 201) else super().get_wsgi_headers(environ)


def answer(document: Any, status: int = 200, *, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON document as a response."""
    return Document(encoded(document), status, headers, content_type="application/json")


def page(
    items: Sequence[Any],
    after: Any | None,
    *,
    beside: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    **keep: Any,
) -> Response:
    """One page of a list; `after` is what the next page begins after, None on the last."""
    cursor = None if after is None else write_cursor(after)
    links = {}
    if cursor is not None:
        query = urlencode({name: value for name, value in keep.items() if value is not None} | {"cursor": cursor})
        links["Link"] = f'<{request.path}?{query}>; rel="next"'
    return answer({"items": items, **(beside or {}), "next": cursor}, headers={**links, **(headers or {})})


def write_cursor(after: Any) -> str:
    """An opaque cursor."""
    return base64.urlsafe_b64encode(json.dumps(after).encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> Any:
    """The value that `write_cursor` was given. Raises ValueError."""
    try:
        return json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError("This is no cursor of ours: leave it out to begin again.") from error
