"""What this is and where to go."""

from flask import render_template

from domain.rulesets import RULESETS
from service.web.http.forms import Pages
from service.web.http.session import services

bp = Pages("home", __name__)


@bp.get("/")
def page() -> str:
    """What this is and where to go."""
    return render_template("home.html", mailbox=services().settings.smtp_url is None, rulesets=RULESETS.values())
