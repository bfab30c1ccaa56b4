"""People: tokens for the API, profiles. How they sign in is told in `sign_in`."""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from domain.engine.refusals import require
from service.accounts.lookalikes import look_alike
from service.accounts.names import email_key
from service.accounts.scopes import EVERY_SCOPE
from service.container import Services
from service.kernel.clock import SECOND
from service.kernel.ids import digest, new_player_id, new_token
from service.kernel.zones import zone
from service.mail import deliverability
from service.store.clocks import decisions
from service.store.database import Connection, Database
from service.store.errors import DatabaseError
from service.store.games import seats
from service.store.people import players, readers, tokens
from service.store.people.players import Player
from service.store.people.tokens import API, SESSION, Bearer, Token

HOUR: Final = 3600 * SECOND
MOST_TOKENS: Final = 50
"""Of each kind."""
SESSION_LIFE: Final = 400 * 24 * HOUR
"""How long a session lasts without use: as long as browsers keep any cookie (RFC 6265bis)."""
LONGEST_LABEL: Final = 40
MOST_DAYS: Final = 3650
"""A token that ends, ends within ten years."""
FOR_EVER: Final = -1


def make_token(
    services: Services,
    tx: Connection,
    player: str,
    label: str,
    now: int,
    *,
    kind: str = API,
    scopes: str = EVERY_SCOPE,
    expires_at: int | None = None,
) -> str:
    """A new token; the oldest of its kind goes where there are too many. Only its digest is kept."""
    token = new_token(services.entropy)
    tokens.drop_oldest(tx, player, kind, keep=MOST_TOKENS - 1)
    identity = "t_" + new_player_id(services.entropy)[2:]
    tokens.add(tx, player, identity, digest(token), kind, label, now, scopes=scopes, expires_at=expires_at)
    return token


def end_after(now: int, days: int | None) -> int | None:
    """When a token ends that is made now for so many days; None for one that does not."""
    return None if days is None else now + days * 24 * HOUR


def token_for(services: Services, tx: Connection, email: str, name: str | None) -> str:
    """A token for an address, its player made if needed: for the host's command line alone."""
    player = make_verified(services, tx, _of_name(email, name or email.partition("@")[0]))
    return make_token(services, tx, player, "command line", services.database.clock.now(tx))


def welcome(services: Services, tx: Connection, email: str, name: str) -> str:
    """The player of an address that answered mail we sent there: its id, made if needed."""
    return make_verified(services, tx, _of_name(email, name))


def who(connection: Connection, token: str, now: int = FOR_EVER) -> Bearer | None:
    """Who bears a token of the API, or None for one that is not valid, or not any more now."""
    found = tokens.holder(connection, digest(token), API, FOR_EVER)
    is_over = found is not None and found.expires_at is not None and found.expires_at <= now
    return None if is_over else found


def whose_session(database: Database, connection: Connection, secret: str) -> Bearer | None:
    """Whose session a browser is in, or None for one that ended, be it by itself."""
    return tokens.holder(connection, digest(secret), SESSION, database.clock.now(connection) - SESSION_LIFE)


def reader_name(services: Services, player: str) -> str:
    """A name for a player between us and their browser, for whose it is that is kept or shown there; it tells no id."""
    return hmac.digest(services.settings.secret_key.encode(), f"reader|{player}".encode(), "sha256").hex()[:16]


def end_old_sessions(tx: Connection, now: int) -> None:
    """End the sessions that nobody used for too long, and forget tokens whose time is over."""
    tokens.drop_unused(tx, SESSION, now - SESSION_LIFE)
    tokens.drop_expired(tx, now)


def note_use(database: Database, bearer: Bearer) -> bool:
    """Note that a token is used, once an hour: its owner sees which of theirs is in use (S-21). Whether it was noted.

    A database that cannot write it now keeps nobody out.
    """
    now = database.clock.now()
    due = bearer.used_at is None or now - bearer.used_at >= HOUR
    if due:
        with suppress(DatabaseError), database.write() as tx:
            tokens.touch(tx, bearer.token, now)
    return due


def profile(connection: Connection, player: str) -> Player:
    """Everything kept about one player, who must be there."""
    found = players.by_id(connection, player)
    if found is None:
        raise LookupError("there is no such player")
    return found


def require_own_name(tx: Connection, others: Iterable[str], player: str, name: str | None = None) -> None:
    """Refuse with RuleViolation a player whose name, or the one they want, looks like that of one of these (T-5A)."""
    known = readers.names_of(tx, {player, *others})
    own = known.pop(player, None) if name is None else name
    known.pop(player, None)
    alike = next((other for other in known.values() if own is not None and look_alike(own, other)), None)
    require(
        alike is None,
        "name-looks-alike", "T-5A",
        "At this table “{name}” looks like your name: choose another one, by PATCH /api/v1/me or, as a "
        "guest, by “join NAME”.",
        name=alike or "",
    )  # fmt: skip


def change_profile(tx: Connection, player: str, changes: Mapping[str, Any]) -> None:
    """Change name, time zone, language or what mail is wanted; to want mail is to have it tried again.

    Raises RuleViolation for a name that looks like that of somebody they play with.
    """
    if "name" in changes:
        require_own_name(tx, seats.companions(tx, player), player, changes["name"])
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
    """The tokens of a player, sessions too, newest first; never the tokens themselves."""
    return tokens.of_player(connection, player)


def end_tokens(tx: Connection, player: str, token_id: str | None = None) -> int:
    """End one token of a player, or all of them, sessions too. How many ended."""
    return tokens.end(tx, player, token_id)


def end_other_sessions(tx: Connection, player: str, but: str) -> int:
    """End all sessions of a player but the one with this id. How many ended."""
    return tokens.end(tx, player, kind=SESSION, but=but)


def is_timezone(name: str) -> bool:
    """Whether it is an IANA zone: Europe/Paris."""
    try:
        zone(name)
    except ValueError:
        return False
    return True


def make_verified(services: Services, tx: Connection, profile: Mapping[str, str]) -> str:
    """The player of an address that is known to be read, made of the profile if there is none; two at once make one."""
    now = services.database.clock.now(tx)
    wishes = {"mail": True, "secret_free": False, "new_subjects": False, "calendar": False}
    identity, address = new_player_id(services.entropy), email_key(profile["email"])
    made = {"id": identity, "email_key": address, "created_at": now, "verified_at": now}
    return players.add_once(services.database, tx, **made, **wishes, **profile)


def _of_name(email: str, name: str) -> Mapping[str, str]:
    return {"name": name, "email": email, "timezone": "UTC", "language": "en"}
