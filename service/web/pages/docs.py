"""What authors of programs read: first steps, guides, and the reference with a form to try each operation."""

import json
from typing import Final

from flask import Response, render_template

from domain.rulesets import RULESETS
from service.web.http.forms import Pages
from service.web.http.session import services

bp = Pages("docs", __name__)
REFERENCE: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; "
    "base-uri 'none'",
}
"""The renderer writes styles of its own (decision 0108); scripts, fonts and requests are from here alone."""
CONFIGURATION: Final = {
    "agent": {"disabled": True},
    "authentication": {"preferredSecurityScheme": "bearer"},
    "defaultOpenAllTags": False,
    "documentDownloadType": "json",
    "hideClientButton": True,
    "hideDarkModeToggle": True,
    "mcp": {"disabled": True},
    "persistAuth": False,
    "showDeveloperTools": "never",
    "telemetry": False,
    "withDefaultFonts": False,
}


@bp.get("/docs")
def page() -> str:
    """How a program signs in, opens a table and plays."""
    settings = services().settings
    return render_template(
        "docs.html", base=settings.base_url, mailbox=settings.smtp_url is None, rulesets=RULESETS.values()
    )


@bp.get("/docs/reference")
def reference() -> Response:
    """The description of the API, rendered; requests can be tried with a token, which the page does not keep."""
    shown = render_template("api_reference.html", configuration=json.dumps(CONFIGURATION))
    return Response(shown, content_type="text/html; charset=utf-8", headers=REFERENCE)
