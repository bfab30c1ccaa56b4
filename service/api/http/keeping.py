"""Keeping of past positions: a past version is told again as it was told, byte for byte, whatever is opened later.

But people are called what they are called now, so nothing is kept for ever; and each seat sees another game, so only
its own browser or program may keep it.
"""

from typing import Final

from flask import Response, request

from service.store.event_store.streams import Head

VARY: Final = "Authorization, Accept, Cookie, Accept-Encoding"
"""What answers depend on besides their address."""
NOW: Final = "public, max-age=5"
"""How a public game stands, for whoever is not signed in: many who watch are one reader to a cache in front."""
OF_A_RELEASE: Final = "public, max-age=300"
WHILE_PLAYED: Final = "private, max-age=600"
ONCE_OVER: Final = "private, max-age=86400, immutable"


def kept(head: Head, version: int | None) -> dict[str, str]:
    """For how long an answer about a version may be kept, as a header; none for the present one, named or not."""
    if version is None or version >= head.version:
        return {}
    return {"Cache-Control": ONCE_OVER if head.table.status in ("finished", "abandoned") else WHILE_PLAYED}


def kept_picture(head: Head, version: int | None) -> dict[str, str]:
    """For how long anybody may keep a picture of a public game at a version, within which nothing of it changes."""
    if version is None:
        return {"Cache-Control": NOW}
    over = head.table.status in ("finished", "abandoned")
    return {"Cache-Control": (ONCE_OVER if over else WHILE_PLAYED).replace("private", "public")}


def kept_by_anybody(response: Response) -> Response:
    """An answer that is the same for everybody who is not signed in: any cache may keep it, for as long as a seat may
    keep its own; else for a few seconds."""
    if response.status_code in (200, 304):
        keeps = response.headers.get("Cache-Control")
        response.headers["Cache-Control"] = NOW if keeps is None else keeps.replace("private", "public")
    return response


def same_for_all(response: Response) -> Response:
    """Let any cache keep an answer that only a new release changes, and answer 304 to a client that has it."""
    response.headers.update({"Cache-Control": OF_A_RELEASE, "Vary": "Accept-Encoding"})
    response.add_etag(weak=True)
    response.make_conditional(request)
    return response
