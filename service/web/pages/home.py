"""What this is, for strangers: a board, the games, how play by correspondence goes."""

from flask import Response, make_response, redirect, render_template

from domain.rulesets import RULESETS
from service.web.http.forms import Pages
from service.web.http.language import say
from service.web.http.session import services, viewer
from service.web.sample import sample_board

bp = Pages("home", __name__)
SHOWN = "tammany-hall"


@bp.get("/")
def page() -> Response:
    """What this is and where to go; whoever is signed in is led to what waits for them."""
    if viewer() is not None:
        return redirect("/turns", 303)  # type: ignore[return-value]
    return make_response(
        render_template(
            "home.html",
            mailbox=services().settings.smtp_url is None,
            rulesets=RULESETS.values(),
            board=sample_board(SHOWN, lambda text: say(text, SHOWN)),
        )
    )
