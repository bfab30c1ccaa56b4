"""What this is, for strangers: a board, the games, how play by correspondence goes."""

from flask import Response, make_response, redirect, render_template
from markupsafe import Markup

from domain.rulesets import RULESETS
from service.pictures.page import page_board, page_people
from service.web.http.forms import Pages
from service.web.http.language import language, say
from service.web.http.session import services, viewer
from service.web.pages.play_now import buttons
from service.web.replay.trailer import trailer_of
from service.web.sample import sample_board
from service.web.share.featured import featured
from service.web.share.preview import Preview

bp = Pages("home", __name__)
SHOWN = "tammany-hall"


@bp.get("/")
def page() -> Response:
    """What this is and where to go; whoever is signed in is led to what waits for them."""
    if viewer() is not None:
        return redirect("/turns", 303)  # type: ignore[return-value]
    with services().database.read() as connection:
        live = featured(services(), connection, language())
        trailer = None if live is None else trailer_of(services(), connection, live.head, language())
    return make_response(
        render_template(
            "home.html",
            mailbox=services().settings.smtp_url is None,
            rulesets=RULESETS.values(),
            live=live,
            **buttons(),
            trailer=trailer,
            board=_board(live) if live is not None else sample_board(SHOWN, lambda text: say(text, SHOWN)),
        )
    )


def _board(live: Preview) -> Markup:
    assert live.position is not None, "a game that has begun has a position"
    people = page_people(live.kind, live.position)
    return Markup(page_board(live.kind, live.position, people, live.words))  # noqa: S704 - our own drawing
