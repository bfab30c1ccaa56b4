"""Replaying a game: `/g/ID?v=17`, a part of it, `/g/ID?v=12-30`, and single steps as the page's script asks them."""

from typing import Any, Final

from flask import Response, make_response, redirect, render_template, request

from service.api.http.problems import problem
from service.games import play
from service.games.reader_view import ReaderView
from service.games.replay import is_over
from service.web.game.access import watched
from service.web.game.forms import whole_number
from service.web.game.page import view_of
from service.web.http.forms import Pages
from service.web.http.session import services, viewer_id
from service.web.replay.looking import Looking
from service.web.replay.page import replay_page, step_fragment
from service.web.replay.spot import OWN, Spot, spot_of

bp = Pages("game_replay", __name__)
KEPT: Final = "max-age=86400, immutable"
"""A step never changes under its address, which names its epoch; but who is erased is not shown for ever."""
ENDS: Final = {"first": 0, "last": -1}
"""Words for the ends of a game in `v`, and which of the steps they are."""
MINE: Final = "mine"
"""What stands in the address of a step for one's own eyes."""


@bp.get("/g/<string:game>/steps/<string:whose>/<string:epoch>")
@watched
def step(game: str, whose: str, epoch: str) -> Response:
    """The parts of the page that change from version `from` to version `v`, and what is told there after `after`.

    409 where the page that asks is of another epoch: the game was ended or taken back since, or somebody renamed.
    """
    wanted, shown, after = (whole_number(request.args.get(name)) for name in ("v", "from", "after"))
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, viewer_id())
        view = view_of(connection, head, seat)
        looking = Looking(view, OWN if whose == MINE else whose)
        if not looking.is_allowed or looking.epoch != epoch:
            return problem(409, "another-epoch", "The game has changed since this page was made: open it anew.")
        if wanted is None or shown is None or after is None or not after < wanted <= head.version >= shown > 0:
            return problem(404, "no-such-version", f"The game has versions 1 to {head.version}.")
        answer = make_response(step_fragment(view, looking.whose, wanted, shown, after))
    answer.headers["Cache-Control"] = f"{'public' if view.player is None else 'private'}, {KEPT}"
    return answer


def replayed(view: ReaderView) -> Response:
    """The page at the version that the request names; a page that says so where the game has none such."""
    if request.args["v"] in ENDS:
        step_ = Looking(view, OWN).steps[ENDS[request.args["v"]]]
        return redirect(Spot(view.head.game, step_.last).address, 303)  # type: ignore[return-value]
    spot = spot_of(view.head.game, request.args)
    nearest = (spot or Spot(view.head.game, view.head.version)).nearest(view.head.version)
    looking = Looking(view, nearest.whose)
    if not looking.is_allowed:
        own = nearest.seen_by(OWN)
        return _nothing(view, own, why="eyes" if is_over(view.head.table) else "running")
    if spot is None or spot != nearest:
        return _nothing(view, nearest.address, why="version")
    if "to" in request.args:
        return redirect(spot.address, 303)  # type: ignore[return-value]
    return make_response(replay_page(view, spot))


def _nothing(view: ReaderView, nearest: str, **more: Any) -> Response:
    return make_response(render_template("replay/nothing.html", view=view, nearest=nearest, **more), 404)
