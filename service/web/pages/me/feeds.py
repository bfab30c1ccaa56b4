"""My feeds: a secret address from which other programs read what waits for me and when it is due."""

from flask import Response, make_response, redirect, render_template

from service.accounts import feeds
from service.web.http.forms import Pages
from service.web.http.session import member, members_only, services

bp = Pages("me_feeds", __name__)


@bp.get("/me/feeds")
@members_only
def page() -> Response:
    """Whether I have feeds; never their address."""
    return _page({})


@bp.post("/me/feeds")
@members_only
def renew() -> Response:
    """Make the address, or another one in its place. It is in this answer and nowhere else."""
    with services().database.write() as tx:
        secret = feeds.renew(services(), tx, member().id)
    services().wakeup.wake()
    return _page(feeds.addresses(services(), secret))


@bp.post("/me/feeds/end")
@members_only
def end() -> Response:
    """End my feeds."""
    with services().database.write() as tx:
        feeds.end(tx, member().id)
    return redirect("/me/feeds?saved=1", 303)  # type: ignore[return-value]


def _page(made: dict[str, str]) -> Response:
    with services().database.read() as connection:
        mine = feeds.of_player(connection, member().id)
    return make_response(render_template("me/feeds.html", mine=mine, made=made))
