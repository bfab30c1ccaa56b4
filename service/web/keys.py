"""The public keys this host signs and has signed with, for anybody: /.well-known/wardroom-keys."""

from typing import Final

from flask import Blueprint, Response, current_app

from service.api.http.answers import answer
from service.container import Services
from service.store import checkpoints

bp = Blueprint("keys", __name__)
KEPT: Final = "public, max-age=300"


@bp.get("/.well-known/wardroom-keys")
def keys() -> Response:
    """The keys, oldest first, as docs/audit/format.md describes them in section 9."""
    services: Services = current_app.extensions["wardroom"]
    return answer({"keys": checkpoints.published(services.database, services.signer)}, headers={"Cache-Control": KEPT})
