"""The API's first steps, for authors of programs."""

from flask import render_template

from domain.rulesets import RULESETS
from service.web.http.forms import Pages
from service.web.http.session import services

bp = Pages("docs", __name__)


@bp.get("/docs")
def page() -> str:
    """How a program signs in, opens a table and plays."""
    settings = services().settings
    return render_template(
        "docs.html", base=settings.base_url, mailbox=settings.smtp_url is None, rulesets=RULESETS.values()
    )
