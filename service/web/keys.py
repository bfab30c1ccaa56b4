"""What this host tells anybody who checks it: its public keys, and its log of games."""

from datetime import timedelta
from typing import Final

from flask import Blueprint, Response, current_app, request

from service.api.http.answers import answer
from service.api.http.problems import problem
from service.container import Services
from service.integrity import house_log
from service.kernel.clock import moment
from service.store.event_store import checkpoints

bp = Blueprint("keys", __name__)
VALID_DAYS: Final = 180
"""Days for which the address in security.txt is promised: less than a year, as RFC 9116 asks."""
KEPT: Final = "public, max-age=300"
KEPT_LOG: Final = "public, max-age=10"
MOST_DIGITS: Final = 15
MOST_HASHES: Final = 2
ASK: Final = (
    "Ask for entries with “game” and once or twice “hash”: the hash of its first event, of its last, or both. "
    "Its checkpoints have them, in mails the header Wardroom-Checkpoint."
)


@bp.get("/.well-known/wardroom-keys")
def keys() -> Response:
    """The keys, oldest first, as docs/audit/format.md describes them in section 9."""
    services: Services = current_app.extensions["wardroom"]
    return answer({"keys": checkpoints.published(services.database, services.signer)}, headers={"Cache-Control": KEPT})


@bp.get("/.well-known/security.txt")
def security() -> Response:
    """Name the address for reports of security faults (RFC 9116). Without WARDROOM_CONTACT it is 404."""
    services: Services = current_app.extensions["wardroom"]
    contact = services.settings.contact
    if not contact or contact.startswith("http://"):
        return problem(404, "not-found", "The host of this service has named no address for reports.")
    expires = moment(services.database.clock.now()) + timedelta(days=VALID_DAYS)
    lines = {
        "Contact": contact if contact.startswith("https://") else f"mailto:{contact}",
        "Expires": f"{expires:%Y-%m-%dT00:00:00Z}",
        "Preferred-Languages": "en, fr, de",
        "Canonical": f"{services.settings.base_url}/.well-known/security.txt",
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return Response(text, content_type="text/plain; charset=utf-8", headers={"Cache-Control": KEPT})


@bp.get("/.well-known/wardroom-log")
def log() -> Response:
    """The head of the house log; with `from`, the proof that it has grown since it had so many entries; with `game` and
    `hash`, the entries of a game and the proofs that they are in it (docs/audit/log.md).

    Who asks for entries shows that they know the game, by the hashes of its events: to others there is no such game
    (S-11).
    """
    services: Services = current_app.extensions["wardroom"]
    first, game, hashes = request.args.get("from"), request.args.get("game"), request.args.getlist("hash")
    if first is not None and not (first.isascii() and first.isdigit() and len(first) <= MOST_DIGITS):
        return problem(400, "bad-request", "“from” is the size of a head you kept: a number from 1.")
    if (game is None) != (not hashes) or len(hashes) > MOST_HASHES:
        return problem(400, "bad-request", ASK)
    with services.database.read() as connection:
        try:
            found = house_log.document(connection, None if first is None else int(first), game, hashes)
        except LookupError:
            told = f"The log never had {first} entries: compare the head you kept with who gave it to you."
            return problem(404, "no-such-log", told)
    return answer(found, headers={"Cache-Control": KEPT_LOG} if game is None else {})
