"""Somebody as they show themselves: `/p/ID`; and what I can do about them."""

from typing import Final, get_args

from flask import Response, abort, make_response, redirect, render_template, request

from domain.engine.sentences import say
from domain.rulesets import RULESETS
from service.accounts import avoidance
from service.api.http.answers import write_cursor
from service.api.http.reading import is_id
from service.games import game_lists
from service.games.overviews import Overview, overviews
from service.people.languages import SPOKEN
from service.people.profile import Profile, profile_of
from service.people.visibility import Nearness, NoSuchPlayer, Sight, as_others, sight_of
from service.store.database import Connection
from service.store.people import avoided
from service.store.people.avoided import How
from service.store.people.profiles import PARTS
from service.web.http.cursors import place_of
from service.web.http.forms import Pages
from service.web.http.session import ask_for_sign_in, member, members_only, services, viewer, viewer_id
from service.web.pages.me.people import AUDIENCES

bp = Pages("person", __name__)
PAGE: Final = 12
PREVIEWS: Final = {
    "companion": say("somebody you play with"),
    "member": say("anybody who is signed in"),
    "stranger": say("anybody at all"),
}
"""As whom the owner of a profile can look at it."""


@bp.get("/p/<string:player>")
def page(player: str) -> Response:
    """A profile as whoever looks may see it; its owner also as others do."""
    near = request.args.get("as", "")
    with services().database.read() as connection:
        try:
            sight = _sight(connection, player, near)
        except NoSuchPlayer:
            return ask_for_sign_in() if viewer() is None else _nobody()
        profile = profile_of(services(), connection, sight)
        views, following = _games(connection, sight) if profile.games is not None else ([], None)
        how = avoided.how(connection, viewer_id() or "", player)
    answer = render_template(
        "people/person.html",
        profile=profile,
        sight=sight,
        owner=sight.owner,
        share=_share(profile),
        languages=[SPOKEN[code] for code in profile.languages or () if code in SPOKEN],
        rulesets=RULESETS,
        views=views,
        following=following,
        how=how,
        previews=PREVIEWS,
        audiences=AUDIENCES,
        shown={part: getattr(sight.shown, part) for part in PARTS},
        near=near if near in PREVIEWS else "",
        is_own=viewer_id() == player,
    )
    return make_response(answer)


@bp.post("/p/<string:player>/avoid")
@members_only
def avoid(player: str) -> Response:
    """Mute somebody, block them, or neither any more."""
    how = request.form.get("how", "")
    if how not in ("", *get_args(How)) or not is_id(player):
        abort(400)
    with services().database.write() as tx:
        if how:
            try:
                sight_of(tx, player, member().id)
            except NoSuchPlayer:
                return _nobody()
            avoidance.avoid(services(), tx, member().id, player, how)  # type: ignore[arg-type]
        else:
            avoided.remove(tx, member().id, player)
    back = request.form.get("back") == "list"
    return redirect("/me/people?saved=1#avoided" if back else f"/p/{player}#avoid", 303)  # type: ignore[return-value]


def _sight(connection: Connection, player: str, near: str) -> Sight:
    """Who is looked at, by whom; the owner's own page can be looked at as others see it. Raises NoSuchPlayer."""
    who = viewer()
    if not is_id(player):
        raise NoSuchPlayer(player)
    if who is not None and who.id == player and near in PREVIEWS:
        nearness: Nearness = near  # type: ignore[assignment]
        return as_others(connection, who, nearness)
    return sight_of(connection, player, viewer_id())


def _games(connection: Connection, sight: Sight) -> tuple[list[Overview], str | None]:
    """A page of the games there are to see, those in which something happened last first, and where the next begins."""
    items, after = game_lists.lobby(
        connection,
        sight.viewer,
        status=None,
        mine=False,
        awaiting_me=False,
        after=place_of(request.args.get("cursor", "")),
        limit=PAGE,
        beside=sight.owner.id,
        order="moved",
    )
    views = list(overviews(services(), connection, sight.viewer, [item["id"] for item in items]))
    return views, None if after is None else write_cursor(after)


def _share(profile: Profile) -> int | None:
    """The share of answers given in time, in whole percent and never rounded up to all; None for none."""
    found = profile.reliability
    return None if found is None or not found.asked else (found.asked - found.missed) * 100 // found.asked


def _nobody() -> Response:
    return make_response(render_template("people/nobody.html"), 404)
