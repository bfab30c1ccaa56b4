"""Signing in and up by a code or a link that is mailed: the same work and answer for every address (S-20, S-22, T-69).

Whoever asks is handed a secret. With it they have tries of their own, which no stranger can spend; without it each
caller has a few (docs/decisions/0030-a-code-belongs-to-its-request.md). Only the worker that mails the code looks
whether the address is a player's.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from service.accounts import guests, people
from service.accounts.names import email_key
from service.accounts.suspension import require_admitted
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.ids import digest, new_code, new_link, new_request
from service.mail import deliverability
from service.store.database import Connection
from service.store.outgoing import outbox
from service.store.people import players, sign_ins
from service.store.people.sign_ins import SignIn

CODE_LIFE: Final = 600 * SECOND
CODE_TRIES: Final = 5
"""Wrong codes from whoever has the secret of a request; without it, from each caller."""
MOST_GUESSES: Final = 50
"""Wrong codes without the secret from all callers together."""
CODES_AN_HOUR: Final = 5
"""Codes that one caller has mailed to an address within an hour."""
MOST_CODES_AN_HOUR: Final = 20
"""Codes that all callers together have mailed to an address within an hour."""
_NONCE: Final = 8
"""Letters of a secret that are drawn if its request is dropped; the others are computed."""
HOUR: Final = 3600 * SECOND
BATCH: Final = 20


class BadCode(Exception):
    """The address and code do not belong together, or the code is used up; which, nobody is told."""


def ask(
    services: Services, tx: Connection, email: str, *, caller: str = "", profile: Mapping[str, str] | None = None
) -> str:
    """Have a code mailed to an address, with a profile to sign up there. Returns the secret that the code works with.

    Nothing is mailed if nobody has the address and nobody signs up, or beyond the limits of an hour (S-29). The secret
    returned then works with the newest code that others have asked for, with the few tries of a network.
    If somebody signed up within the hour and asks again, they sign up again.
    """
    now, address, request = services.database.clock.now(tx), email_key(email), new_request(services.entropy)
    asker = _digest_of(services, caller)
    recent = sign_ins.made_since(tx, address, now - HOUR)
    own = [asked for asked in recent if asked.caller == asker]
    if services.settings.rate_limits and not _may_ask(own, recent, now):
        return _dropped(services, address, request)
    before = next((asked.profile for asked in own if asked.profile is not None), None)
    kept = before if profile is None else msgspec.json.encode(profile).decode()
    sign_ins.add(tx, address, digest(request), asker, kept, now, now + CODE_LIFE)
    return request


def _may_ask(own: Sequence[SignIn], recent: Sequence[SignIn], now: int) -> bool:
    """Return whether one more code may be mailed: by both limits, or because no code works any more."""
    if len(own) >= CODES_AN_HOUR:
        return False
    return len(recent) < MOST_CODES_AN_HOUR or all(asked.used or asked.expires_at <= now for asked in recent)


def _dropped(services: Services, address: str, request: str) -> str:
    """Return a secret that looks like any other, and that we know again as one whose request was dropped."""
    nonce = request[:_NONCE]
    return nonce + base64.urlsafe_b64encode(_digest_of(services, f"dropped|{address}|{nonce}")).decode()[: 22 - _NONCE]


def post_codes(services: Services) -> int:
    """Put the codes that were asked for into the outbox. How many requests were looked at."""
    with services.database.read() as connection:
        if not sign_ins.any_unposted(connection):
            return 0
    with services.database.write() as tx:
        waiting = sign_ins.lock_unposted(tx, BATCH)
        for asked in waiting:
            _post(services, tx, asked)
    return len(waiting)


def confirm(
    services: Services, tx: Connection, email: str, code: str, *, request: str | None = None, caller: str = ""
) -> tuple[str | None, str]:
    """Exchange a code for a token: (token, player id). The token is None for a wrong code, which counts as a try.

    The caller commits in either case, then raises BadCode where there is no token. Raises Suspended.
    """
    player = enter(services, tx, email, code, request=request, caller=caller)
    if player is None:
        return None, ""
    require_admitted(services, tx, player)
    return people.make_token(services, tx, player, "sign-in", services.database.clock.now(tx)), player


def enter(
    services: Services, tx: Connection, email: str, code: str, *, request: str | None = None, caller: str = ""
) -> str | None:
    """Use up a code: its player, made where somebody signs up. None for a wrong code, which counts as a try."""
    asked = spend(services, tx, email, code, request=request, caller=caller)
    return None if asked is None else _admit(services, tx, asked)


def link_for(services: Services, tx: Connection, email: str) -> str:
    """A link that signs in as the player of an address, as a mail would hold it: for the host's command line alone."""
    now, link = services.database.clock.now(tx), new_link(services.entropy)
    nobody = (digest(new_request(services.entropy)), _digest_of(services, ""))
    number = sign_ins.add(tx, email_key(email), *nobody, None, now, now + CODE_LIFE)
    sign_ins.post(tx, number, digest(new_code(services.entropy)), digest(link), now)
    return link


def find_link(services: Services, connection: Connection, link: str) -> SignIn | None:
    """The request whose mail holds this link; None for a link that is used, too old, or none of ours."""
    return sign_ins.by_link(connection, digest(link), services.database.clock.now(connection))


def name_of(connection: Connection, asked: SignIn) -> str:
    """The name under which a request signs in or up."""
    known = players.by_email_key(connection, asked.email_key)
    return known.name if known is not None else msgspec.json.decode(asked.profile or "{}", type=dict[str, str])["name"]


def enter_by_link(services: Services, tx: Connection, link: str) -> str | None:
    """Use up a link from a mail: its player, made where somebody signs up. None for one that `find_link` has not."""
    asked = sign_ins.lock_by_link(tx, digest(link), services.database.clock.now(tx))
    if asked is None:
        return None
    sign_ins.use_up(tx, asked.email_key)
    return _admit(services, tx, asked)


def spend(
    services: Services, tx: Connection, email: str, code: str, *, request: str | None = None, caller: str = ""
) -> SignIn | None:
    """Use up a code that was mailed to an address: its request. None for a wrong code, which counts as a try."""
    now, address = services.database.clock.now(tx), email_key(email)
    if request is not None and hmac.compare_digest(request.encode(), _dropped(services, address, request).encode()):
        request = None
    asker = None if request is not None else _digest_of(services, caller).hex()
    valid = sign_ins.lock_valid(tx, address, now, None if request is None else digest(request))
    given = digest(code.strip().lower())
    for asked in valid:
        guesses = msgspec.json.decode(asked.guesses, type=dict[str, int])
        if not _may_try(asked, guesses, asker):
            continue
        if hmac.compare_digest(asked.code or b"", given):
            sign_ins.use_up(tx, address)
            return asked
        if asker is not None:
            guesses[asker] = guesses.get(asker, 0) + 1
        tries = asked.tries + (asker is None)
        sign_ins.count_tries(tx, asked.id, tries, msgspec.json.encode(guesses).decode())
    return None


def _may_try(asked: SignIn, guesses: Mapping[str, int], asker: str | None) -> bool:
    """Whether one more code may be tried: with the secret, or by an asker without it."""
    if asker is None:
        return asked.tries < CODE_TRIES
    return guesses.get(asker, 0) < CODE_TRIES and sum(guesses.values()) < MOST_GUESSES


def _post(services: Services, tx: Connection, asked: SignIn) -> None:
    """Mail the code of a request to the player of its address, or to the address itself where somebody signs up."""
    now = services.database.clock.now(tx)
    player = players.by_email_key(tx, asked.email_key)
    recipient = player.id if player is not None else asked.email_key if asked.profile is not None else None
    if recipient is None or asked.expires_at <= now:
        sign_ins.post(tx, asked.id, None, None, now)
        return
    code, link = new_code(services.entropy), new_link(services.entropy)
    decision = f"{asked.id}.sign-in"
    sign_ins.post(tx, asked.id, digest(code), digest(link), now)
    sealed = services.sealer.seal("codes", f"code|{decision}", f"{code} {link}".encode())
    notice = {"recipient": recipient, "kind": "code", "decision": decision, "created_at": now, "secret": sealed}
    outbox.put(tx, [notice])


def _admit(services: Services, tx: Connection, asked: SignIn) -> str | None:
    """The player who has shown that the mails of a request reach them: mail is tried again."""
    player = _player_of(services, tx, asked)
    if player is not None:
        deliverability.lift(tx, player)
    return player


def _player_of(services: Services, tx: Connection, asked: SignIn) -> str | None:
    """Return the player of a request whose code was right, made of its profile if nobody has the address.

    A guest who asked becomes that player. Raises RuleViolation for a guest whose address has an account.
    """
    known = players.by_email_key(tx, asked.email_key)
    profile = msgspec.json.decode(asked.profile or "{}", type=dict[str, str])
    guest = profile.pop(guests.GUEST, None)
    if known is not None:
        if guest is not None:
            guests.require_new_address(tx, guest)
        return known.id
    if guest is not None and guests.keep(services, tx, guest, profile):
        return guest
    return people.make_verified(services, tx, profile) if profile else None


def _digest_of(services: Services, caller: str) -> bytes:
    """A caller, so that only we can tell whether it is the same again."""
    key = hashlib.sha256(services.settings.secret_key.encode()).digest()
    return hashlib.blake2b(caller.encode(), key=key, digest_size=16).digest()
