"""Styles and modules: under an address that holds a hash of them all, so that a browser asks for each just once."""

import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import rcssmin
import rjsmin
from flask import Blueprint, Response, abort, request, send_from_directory
from markupsafe import Markup

FOLDER: Final = Path(__file__).parents[1] / "static"
FOR_EVER: Final = "public, max-age=31536000, immutable"
bp: Final = Blueprint("assets", __name__)


@cache
def edition() -> str:
    """A hash of all that is in the folder: modules import each other by their plain names, so they change together."""
    told = hashlib.sha256()
    for path in sorted(path for path in FOLDER.rglob("*") if path.is_file()):
        told.update(path.relative_to(FOLDER).as_posix().encode() + b"\0" + path.read_bytes())
    return told.hexdigest()[:12]


def styles(*names: str) -> Markup:
    """The link to style sheets of these names, which come as one: each request counts on a phone."""
    return Markup('<link rel="stylesheet" href="{}">').format(styles_address(*names))


def styles_address(*names: str) -> str:
    """The address of these style sheets as one."""
    return asset(f"{'+'.join(names)}.css")


def asset(name: str) -> str:
    """The address of a file of that folder."""
    return f"/assets/{edition()}/{name}"


@bp.get("/assets/<string:hash_>/<path:name>")
def send(hash_: str, name: str) -> Response:
    """Send a style, a module or an icon; an edition that is no more is answered by today's, and not kept."""
    response = _small(name) if name.endswith((".css", ".js")) else send_from_directory(FOLDER, name)
    response.headers["Cache-Control"] = FOR_EVER if hash_ == edition() else "no-cache"
    return response


def _small(name: str) -> Response:
    """Answer with a module, or with style sheets one after the other, without comments and blanks."""
    stem, _, suffix = name.rpartition(".")
    wanted = tuple(FOLDER / f"{each}.{suffix}" for each in stem.split("+"))
    if not set(wanted) <= _sources():
        abort(404)
    response = Response(_smaller(wanted), mimetype="text/css" if suffix == "css" else "text/javascript")
    response.add_etag()
    response.make_conditional(request)
    return response


@lru_cache(100)
def _smaller(paths: tuple[Path, ...]) -> str:
    """Return these files as one, without what only their authors need."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return str(rcssmin.cssmin(text) if paths[0].suffix == ".css" else rjsmin.jsmin(text))


@cache
def _sources() -> frozenset[Path]:
    return frozenset(path for path in FOLDER.rglob("*") if path.suffix in (".css", ".js"))
