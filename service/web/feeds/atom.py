"""A feed as Atom (RFC 4287), and the answer to whoever fetches one again and again (RFC 9110 13)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flask import Response, current_app, request
from markupsafe import Markup

ATOM: Final = "application/atom+xml; charset=utf-8"
CALENDAR: Final = "text/calendar; charset=utf-8"
OURS: Final = "private, no-cache"
"""How an answer may be kept that is for one reader: by them alone, asked for again each time."""
NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML document may hold (XML 1.0, 2.2)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry: its id never changes, its time is in microseconds, its text a sentence a line."""

    id: str
    title: str
    at: int
    link: str
    told: Sequence[str] = ()

    @property
    def html(self) -> str:
        """Its text as a reader shows it."""
        return str(Markup("").join(Markup("<p>{}</p>").format(line) for line in self.told))


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed, newest entries first. `itself` is its own address (RFC 4287, 4.1.1), also if that is a secret.

    A program that has the feed has fetched it there, and validators want the link. Some need it to subscribe.
    """

    id: str
    title: str
    language: str
    at: int
    page: str
    entries: Sequence[Entry]
    itself: str


def tag(domain: str, *parts: str) -> str:
    """A name for good (RFC 4151), whatever the service's address will be."""
    return f"tag:{domain},2026:{'/'.join(parts)}"


def write(feed: Feed) -> bytes:
    """A feed as an XML document."""
    text: str = current_app.jinja_env.get_template("feeds/atom.xml").render(feed=feed)
    return NO_XML.sub("", text).encode()


def answer(body: bytes, content_type: str, keep: str = OURS, vary: str = "Accept-Encoding") -> Response:
    """A feed for whoever asks; 304 to those who have it."""
    response = Response(body, content_type=content_type)
    response.headers.update({"Cache-Control": keep, "Vary": vary, "X-Robots-Tag": "noindex"})
    response.add_etag()
    response.make_conditional(request)
    return response
