"""What waits for me, and what else goes on: `/turns`."""

from flask import render_template

from service.games.overviews import desk
from service.web.http.forms import Pages
from service.web.http.session import member, members_only, services
from service.web.pages.play_now import buttons

bp = Pages("turns", __name__)


@bp.get("/turns")
@members_only
def page() -> str:
    """The decisions that wait for me by deadline, then my games, tables, invitations, and what ended lately."""
    with services().database.read() as connection:
        mine = desk(services(), connection, member().id)
    return render_template("turns.html", desk=mine, **buttons())
