"""People: signing up, one-time codes by mail, tokens for the API, profiles.

Whether an address is known is told to nobody but its owner, by mail (S-22).
"""

import hmac
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from service.accounts.names import email_key
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.ids import digest, new_code, new_player_id, new_token
from service.kernel.zones import zone
from service.mail import deliverability
from service.store import codes, decisions, outbox, players, tokens
from service.store.database import Connection, Database
from service.store.errors import DatabaseError
from service.store.players import Player
from service.store.tokens import Bearer, Token

CODE_LIFE: Final = 600 * SECOND
CODE_TRIES: Final = 5
CODES_AN_HOUR: Final = 5
HOUR: Final = 3600 * SECOND
MOST_TOKENS: Final = 50


class BadCode(Exception):
    """The address and code do not belong together, or the code is used up; which, nobody is told."""


def sign_up(services: Services, tx: Connection, profile: Mapping[str, str]) -> None:
    """Make a player of this profile, unless the address has one, and mail a code to the address."""
    now = services.database.clock.now(tx)
    _create(services.database, tx, profile, now)
    send_code(services, tx, profile["email"])


def send_code(services: Services, tx: Connection, email: str) -> None:
    """Mail a one-time code to a player's address; nothing where there is none or it had enough this hour (S-29)."""
    now = services.database.clock.now(tx)
    player = players.by_email_key(tx, email_key(email))
    if player is None:
        return
    if services.settings.rate_limits and codes.made_since(tx, player.id, now - HOUR) >= CODES_AN_HOUR:
        return
    code = new_code()
    number = codes.add(tx, player.id, digest(code), now, now + CODE_LIFE)
    outbox.put(
        tx,
        [
            {
                "recipient": player.id,
                "kind": "code",
                "decision": str(number),
                "created_at": now,
                "secret": services.sealer.seal("codes", f"code|{number}", code.encode()),
            }
        ],
    )


def redeem(services: Services, tx: Connection, email: str, code: str) -> tuple[str | None, str]:
    """Exchange a code for a token: (token, player id). The token is None for a wrong code, which counts as a try.

    The caller commits in either case, then raises BadCode where there is no token.
    """
    now = services.database.clock.now(tx)
    player = players.by_email_key(tx, email_key(email))
    if player is None or not spend_code(tx, player.id, code, now):
        return None, ""
    players.change(tx, player.id, {"verified_at": now})
    deliverability.lift(tx, player.id)
    return make_token(tx, player.id, "sign-in", now), player.id


def spend_code(tx: Connection, player: str, code: str, now: int) -> bool:
    """Use up a code that was mailed to a player. Whether it is one; a wrong one counts as a try: commit in any case."""
    given = digest(code.strip().lower())
    fits = any(hmac.compare_digest(valid.digest, given) for valid in codes.lock_valid(tx, player, now, CODE_TRIES))
    if fits:
        codes.use_up(tx, player)
    else:
        codes.count_try(tx, player)
    return fits


def make_token(tx: Connection, player: str, label: str, now: int) -> str:
    """A new token; the oldest goes where there are too many. Only its digest is kept."""
    token = new_token()
    tokens.drop_oldest(tx, player, keep=MOST_TOKENS - 1)
    tokens.add(tx, player, "t_" + new_player_id()[2:], digest(token), label, now)
    return token


def token_for(services: Services, tx: Connection, email: str, name: str | None) -> str:
    """A token for an address, its player made if needed: for the host's command line alone."""
    now = services.database.clock.now(tx)
    return make_token(
        tx, _make_verified(services.database, tx, email, name or email.partition("@")[0]), "command line", now
    )


def welcome(services: Services, tx: Connection, email: str, name: str) -> str:
    """The player of an address that answered mail we sent there: its id, made if needed."""
    return _make_verified(services.database, tx, email, name)


def who(connection: Connection, token: str) -> Bearer | None:
    """Who bears a token, or None for one that is not valid."""
    return tokens.holder(connection, digest(token))


def note_use(database: Database, bearer: Bearer) -> None:
    """Note that a token is used, once an hour: its owner sees which of theirs is in use (S-21).

    A database that cannot write it now keeps nobody out.
    """
    now = database.clock.now()
    if bearer.used_at is None or now - bearer.used_at >= HOUR:
        with suppress(DatabaseError), database.write() as tx:
            tokens.touch(tx, bearer.token, now)


def profile(connection: Connection, player: str) -> Player:
    """Everything kept about one player, who must be there."""
    found = players.by_id(connection, player)
    if found is None:
        raise LookupError("there is no such player")
    return found


def change_profile(tx: Connection, player: str, changes: Mapping[str, Any]) -> None:
    """Change name, time zone, language or what mail is wanted; to want mail is to have it tried again."""
    other_nights = bool(changes.keys() & {"timezone", "wakes_at"})
    if other_nights:
        decisions.remind_anew(tx, player)  # before people: a mail that plays and announces leave locks them so
    if changes:
        players.change(tx, player, changes)
    if changes.get("mail"):
        deliverability.lift(tx, player)
    if "digest" in changes:
        players.choose_digest(tx, player, changes["digest"])
    if other_nights:
        players.plan_digest_anew(tx, player)


def player_tokens(connection: Connection, player: str) -> Sequence[Token]:
    """The tokens of a player, newest first; never the tokens themselves."""
    return tokens.of_player(connection, player)


def end_tokens(tx: Connection, player: str, token_id: str | None = None) -> int:
    """End one token of a player, or all of them. How many ended."""
    return tokens.end(tx, player, token_id)


def is_timezone(name: str) -> bool:
    """Whether it is an IANA zone: Europe/Paris."""
    try:
        zone(name)
    except ValueError:
        return False
    return True


def _create(database: Database, tx: Connection, profile: Mapping[str, str], now: int) -> str:
    """The player of this address, made of the profile if there is none yet; two at once make one."""
    wishes = {"mail": True, "secret_free": False, "new_subjects": False, "calendar": False}
    key = email_key(profile["email"])
    return players.add_once(database, tx, id=new_player_id(), email_key=key, created_at=now, **wishes, **profile)


def _make_verified(database: Database, tx: Connection, email: str, name: str) -> str:
    """The player of an address that is known to be read, made if needed."""
    now = database.clock.now(tx)
    player = _create(database, tx, {"name": name, "email": email, "timezone": "UTC", "language": "en"}, now)
    players.change(tx, player, {"verified_at": now})
    return player
