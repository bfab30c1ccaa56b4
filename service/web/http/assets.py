"""Styles and modules: under an address that holds a hash of them all, so that a browser asks for each just once."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort, send_from_directory
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
    """A style, a module, an icon; an edition that is no more is answered by today's, and not kept."""
    response = _joined(name) if "+" in name else send_from_directory(FOLDER, name)
    response.headers["Cache-Control"] = FOR_EVER if hash_ == edition() else "no-cache"
    return response


def _joined(name: str) -> Response:
    """Several style sheets, one after the other."""
    sheets = [FOLDER / f"{stem}.css" for stem in name.removesuffix(".css").split("+")]
    if not set(sheets) <= set(FOLDER.glob("*.css")):
        abort(404)
    return Response("\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets), mimetype="text/css")
