"""Who sees what of me, and whom I mute and block."""

from typing import Any, Final

from flask import Response, make_response, redirect, render_template, request
from marshmallow import ValidationError

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import Sentence, say
from service.api.people import ShownSchema
from service.people import choices
from service.people.languages import MOST, SPOKEN
from service.store.people import avoided, profiles
from service.store.people.profiles import PARTS, Audience
from service.web.http.faults import faults_of
from service.web.http.forms import Pages
from service.web.http.session import member, members_only, services

bp = Pages("me_people", __name__)
TITLES: Final[dict[str, Sentence]] = {
    "games": say("My games and results"),
    "together": say("What they and I have played"),
    "opponents": say("With whom else I play"),
    "reliability": say("How reliably I answer"),
    "joined": say("Since when I am here"),
    "languages": say("Languages I speak"),
}
AUDIENCES: Final[dict[Audience, Sentence]] = {
    "nobody": say("nobody but me"),
    "companions": say("people I share a game with"),
    "members": say("everybody who is signed in"),
    "everybody": say("everybody"),
}


@bp.get("/me/people")
@members_only
def page() -> Response:
    """What others see of me."""
    with services().database.read() as connection:
        shown = profiles.of_player(connection, member().id)
    return _page({part: getattr(shown, part) for part in PARTS}, shown.speaks.split(), {})


@bp.post("/me/people")
@members_only
def change() -> Response:
    """Change it, as `PATCH /api/v1/me/profile` does."""
    filled = {part: request.form.get(part, "") for part in PARTS}
    speaks = request.form.getlist("speaks")
    try:
        wanted: dict[str, Any] = ShownSchema().load(filled | {"speaks": speaks})
        with services().database.write() as tx:
            choices.choose(services(), tx, member().id, filled, wanted["speaks"])
    except ValidationError as error:
        return _page(filled, speaks, faults_of(error), 422)
    except RuleViolation as error:
        return _page(filled, speaks, {"speaks": error.message}, 422)
    return redirect("/me/people?saved=1", 303)  # type: ignore[return-value]


def _page(filled: dict[str, str], speaks: list[str], faults: dict[str, Any], status: int = 200) -> Response:
    with services().database.read() as connection:
        others = avoided.of_player(connection, member().id)
    return make_response(
        render_template(
            "people/mine.html",
            filled=filled,
            speaks=speaks,
            faults=faults,
            titles=TITLES,
            audiences=AUDIENCES,
            spoken=SPOKEN,
            most=MOST,
            others=others,
            mine=member(),
        ),
        status,
    )
