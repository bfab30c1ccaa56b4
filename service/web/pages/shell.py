"""What makes an app of the pages: the worker, the manifest, icons, and a page for when there is no network."""

import re
from typing import Final

from flask import Response, abort, g, render_template

from service.api.http.answers import answer
from service.languages import LANGUAGES
from service.store.clocks import decisions
from service.web.http.forms import Pages
from service.web.http.language import language, say
from service.web.http.session import reader, services, viewer
from service.web.shell import icons
from service.web.shell.manifest import manifest
from service.web.shell.worker import KEPT, OFFLINE, script

bp = Pages("shell", __name__)
A_DAY: Final = "public, max-age=86400"
WORKER_POLICY: Final = "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
"""A worker goes by the policy it comes with: it may ask this server, and nobody else."""
HOME: Final = re.compile(r"(maskable-)?([0-9]{3})\.png")
TAB: Final = re.compile(r"tab-([0-9]{1,4})\.svg")


@bp.get("/sw.js")
def worker() -> Response:
    """The worker of all pages, for it comes from their root; looked at again whenever a browser may want a new one."""
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": WORKER_POLICY}
    return Response(script(), headers=headers, content_type="text/javascript; charset=utf-8")


@bp.get("/manifest.webmanifest")
def show_manifest() -> Response:
    """Name, icons and shortcuts of the installed app."""
    document = answer(manifest(language(), say))
    document.content_type = "application/manifest+json"
    document.headers["Cache-Control"] = "no-cache"
    return document


@bp.get("/icons/<string:name>")
def icon(name: str) -> Response:
    """An icon of a tab, with how many decisions wait, or of a home screen."""
    if found := TAB.fullmatch(name):
        return Response(icons.tab_svg(int(found[1])), content_type="image/svg+xml", headers={"Cache-Control": A_DAY})
    found = HOME.fullmatch(name)
    if found is None or int(found[2]) not in icons.SIZES:
        abort(404)
    drawn = icons.home_png(int(found[2]), maskable=bool(found[1]))
    return Response(drawn, content_type="image/png", headers={"Cache-Control": A_DAY})


@bp.get(f"{OFFLINE}/<any({', '.join(LANGUAGES)}):chosen>")
def offline(chosen: str) -> str:
    """What a browser shows of pages it has not kept; nobody's, for it is kept itself."""
    g.language, g.viewer, g.session, g.is_nobodys = chosen, None, None, True
    return render_template("offline.html", kept=KEPT)


@bp.get("/turns/asked")
def asked() -> Response:
    """In which games something is asked of me, and who I am to this browser, for the worker and pages that are open;
    401 for nobody."""
    who = viewer()
    if who is None:
        return answer({"games": [], "waiting": 0}, 401)
    with services().database.read() as connection:
        waiting = decisions.of_player(connection, who.id)
    games = sorted({decision.game_id for decision in waiting})
    return answer({"games": games, "waiting": len(waiting), "reader": reader()})
