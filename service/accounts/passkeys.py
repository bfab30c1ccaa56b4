"""Passkeys, a second way to sign in (WebAuthn level 3; docs/decisions/0055-passkeys.md).

A challenge holds its purpose, the browser it was made for and when it ends under a MAC of ours, so nothing is kept of
the many that nobody answers; of one that was answered its digest is, and it is good no more.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec

from domain.engine.refusals import require
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.ids import digest_of_bytes, new_player_id
from service.kernel.late import late
from service.store.database import Connection
from service.store.people import passkeys
from service.store.people.passkeys import Passkey
from service.store.people.players import Player

if TYPE_CHECKING:
    import webauthn
    from webauthn import helpers
    from webauthn.helpers import structs
else:
    webauthn, helpers, structs = late("webauthn"), late("webauthn.helpers"), late("webauthn.helpers.structs")

LIFE: Final = 300 * SECOND
MOST: Final = 20
LONGEST_ANSWER: Final = 20_000
"""Signs of what a browser sends."""
NONCE: Final = 16
MAC: Final = 32
REGISTER: Final = "register"
SIGN_IN: Final = "sign-in"
RULE: Final = "S-20"


class BadPasskey(Exception):
    """What a browser sent is no answer of a passkey to a challenge of ours; why, nobody is told."""


def offered(services: Services) -> bool:
    """Whether browsers take passkeys for this address: one with a name, and https unless it is this machine's."""
    parts = urlsplit(services.settings.base_url)
    host = parts.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        return parts.scheme == "https" or host == "localhost"
    return False


def ask_to_register(services: Services, connection: Connection, player: Player, browser: str) -> str:
    """What a browser needs to make a passkey for a player: JSON."""
    known = passkeys.of_player(connection, player.id)
    require(len(known) < MOST, "too-many-passkeys", RULE, "You have {most} passkeys already: end one first.", most=MOST)
    options = webauthn.generate_registration_options(
        rp_id=_host(services),
        rp_name="Wardroom",
        user_id=player.id.encode(),
        user_name=player.email,
        user_display_name=player.name,
        challenge=_challenge(services, connection, REGISTER, browser),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=_verification(),
        ),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=passkey.credential) for passkey in known],
    )
    return webauthn.options_to_json(options)


def register(services: Services, tx: Connection, player: str, browser: str, answer: str, label: str) -> None:
    """Keep the passkey that a browser made for a player. Raises BadPasskey."""
    made = _verified(
        webauthn.verify_registration_response,
        credential=_read(answer),
        expected_challenge=_spend(services, tx, REGISTER, browser, answer),
        expected_rp_id=_host(services),
        expected_origin=_origin(services),
        require_user_verification=True,
    )
    now, identity = services.database.clock.now(tx), "k_" + new_player_id(services.entropy)[2:]
    kept = Passkey(identity, player, made.credential_id, made.credential_public_key, made.sign_count, label, now, None)
    if len(passkeys.of_player(tx, player)) >= MOST or not passkeys.add(services.database, tx, kept):
        raise BadPasskey


def of_player(connection: Connection, player: str) -> Sequence[Passkey]:
    """The passkeys of a player, newest first."""
    return passkeys.of_player(connection, player)


def end(tx: Connection, player: str, passkey: str) -> bool:
    """Let a passkey of a player sign nobody in any more. Whether there was one."""
    return passkeys.end(tx, player, passkey)


def ask_to_sign_in(services: Services, connection: Connection, browser: str) -> str:
    """What a browser needs to sign in by whichever passkey its person chooses: JSON, the same for everybody."""
    challenge = _challenge(services, connection, SIGN_IN, browser)
    options = webauthn.generate_authentication_options(
        rp_id=_host(services), challenge=challenge, user_verification=_verification()
    )
    return webauthn.options_to_json(options)


def sign_in(services: Services, tx: Connection, browser: str, answer: str) -> str:
    """The player whom the answer of a passkey signs in. Raises BadPasskey."""
    given = _verified(helpers.parse_authentication_credential_json, _read(answer))
    known = passkeys.lock(tx, given.raw_id)
    handle = given.response.user_handle
    if known is None or (handle is not None and handle != known.player_id.encode()):
        raise BadPasskey
    done = _verified(
        webauthn.verify_authentication_response,
        credential=given,
        expected_challenge=_spend(services, tx, SIGN_IN, browser, answer),
        expected_rp_id=_host(services),
        expected_origin=_origin(services),
        credential_public_key=known.public_key,
        credential_current_sign_count=known.uses,
        require_user_verification=True,
    )
    passkeys.note_use(tx, known.id, done.new_sign_count, services.database.clock.now(tx))
    return known.player_id


def _verification() -> structs.UserVerificationRequirement:
    return structs.UserVerificationRequirement.REQUIRED


def _verified(check: Any, *args: Any, **more: Any) -> Any:
    """What the library makes of something that anybody may have written. Raises BadPasskey for all it stumbles over."""
    try:
        return check(*args, **more)
    except Exception as error:  # its own, and those of the parsers under it
        raise BadPasskey from error


def _read(answer: str) -> dict[str, Any]:
    if len(answer) > LONGEST_ANSWER:
        raise BadPasskey
    try:
        read: dict[str, Any] = msgspec.json.decode(answer.encode(), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise BadPasskey from error
    return read


def _host(services: Services) -> str:
    return urlsplit(services.settings.base_url).hostname or ""


def _origin(services: Services) -> str:
    parts = urlsplit(services.settings.base_url)
    return f"{parts.scheme}://{parts.netloc}"


def _challenge(services: Services, connection: Connection, purpose: str, browser: str) -> bytes:
    until = services.database.clock.now(connection) + LIFE
    head = services.entropy.token_bytes(NONCE) + until.to_bytes(8, "big")
    return head + _mac(services, purpose, browser, head)


def _spend(services: Services, tx: Connection, purpose: str, browser: str, answer: str) -> bytes:
    """The challenge that an answer is to, if it is one of ours, for this browser, young, and not answered before."""
    data = _verified(_client_data, answer)
    head, now = data.challenge[:-MAC], services.database.clock.now(tx)
    until = int.from_bytes(head[NONCE:], "big")
    ours = hmac.compare_digest(data.challenge[-MAC:], _mac(services, purpose, browser, head))
    if not ours or len(head) != NONCE + 8 or now >= until:
        raise BadPasskey
    if not passkeys.spend(services.database, tx, digest_of_bytes(data.challenge), until):
        raise BadPasskey
    challenge: bytes = data.challenge
    return challenge


def _client_data(answer: str) -> Any:
    return helpers.parse_client_data_json(helpers.base64url_to_bytes(json.loads(answer)["response"]["clientDataJSON"]))


def _mac(services: Services, purpose: str, browser: str, head: bytes) -> bytes:
    key = hashlib.sha256(b"passkey|" + services.settings.secret_key.encode()).digest()
    return hmac.new(key, f"{purpose}|{browser}|".encode() + head, hashlib.sha256).digest()
