"""Who I am to others, and when my day begins."""

from typing import Any, Final

from flask import Response, make_response, redirect, render_template, request
from marshmallow import ValidationError

from domain.engine.refusals import RuleViolation
from service.accounts import people
from service.api.players import ProfileChangeSchema
from service.kernel.zones import names
from service.web.http.faults import faults_of
from service.web.http.forms import Pages
from service.web.http.session import member, members_only, services

bp = Pages("me", __name__)
FIELDS: Final = ("name", "timezone", "language", "wakes_at")
NO_PLACES: Final = ("Etc", "US", "Canada", "Brazil", "Chile", "Mexico", "SystemV")
"""Parts of the list of zones that only repeat others."""


@bp.get("/me")
@members_only
def page() -> Response:
    """Name, language, zone, waking hours."""
    mine = member()
    wakes_at = f"{mine.wakes_at // 60:02d}:{mine.wakes_at % 60:02d}"
    return _page({"name": mine.name, "timezone": mine.timezone, "language": mine.language, "wakes_at": wakes_at}, {})


@bp.post("/me")
@members_only
def change() -> Response:
    """Change them, as `PATCH /api/v1/me` does."""
    filled = {name: request.form.get(name, "") for name in FIELDS}
    faults = save(filled)
    return _page(filled, faults, 422) if faults else redirect("/me?saved=1", 303)  # type: ignore[return-value]


def save(filled: dict[str, Any]) -> dict[str, Any]:
    """Change a profile to what was filled in; what is wrong with it, by field."""
    try:
        changes = ProfileChangeSchema().load(filled)
        with services().database.write() as tx:
            people.change_profile(tx, member().id, changes)
    except ValidationError as error:
        return faults_of(error)
    except RuleViolation as error:
        return {"name": error.message}
    services().wakeup.wake()
    return {}


def zones(chosen: str) -> dict[str, list[str]]:
    """The zones to choose from, by their part of the world; the one that is chosen is always among them."""
    found: dict[str, list[str]] = {"": ["UTC"]}
    for zone in sorted({*names(), chosen}):
        area, _, place = zone.partition("/")
        if zone == chosen or (place and area not in NO_PLACES):
            found.setdefault(area if place else "", []).append(zone)
    found[""] = sorted(set(found[""]))
    return found


def _page(filled: dict[str, str], faults: dict[str, Any], status: int = 200) -> Response:
    shown = {"filled": filled, "faults": faults, "email": member().email, "zones": zones(filled["timezone"])}
    return make_response(render_template("me/profile.html", **shown), status)
