"""People: signing up, one-time codes by mail, tokens for the API, profiles.

Whether an address is known is told to nobody but its owner, by mail (S-22).
"""

import hmac
from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import Connection, RowMapping

from service.accounts.names import email_key
from service.container import Services
from service.deadlines import remind
from service.kernel.clock import SECOND
from service.kernel.ids import digest, new_code, new_player_id, new_token
from service.kernel.zones import zone
from service.mail import deliverability
from service.notify import digests
from service.store import outbox
from service.store.database import upsert
from service.store.players import holder, players, tokens
from service.store.rows import CodeRow

codes: Final = CodeRow.__table__  # type: ignore[attr-defined]

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
    _create(services, tx, profile, now)
    send_code(services, tx, profile["email"])


def send_code(services: Services, tx: Connection, email: str) -> None:
    """Mail a one-time code to a player's address; nothing where there is none or it had enough this hour (S-29)."""
    now = services.database.clock.now(tx)
    player = _by_email(tx, email)
    if player is None:
        return
    recent = sa.select(sa.func.count()).where(codes.c.player_id == player["id"], codes.c.created_at > now - HOUR)
    if services.settings.rate_limits and tx.execute(recent).scalar_one() >= CODES_AN_HOUR:
        return
    code = new_code()
    kept = sa.insert(codes).values(
        player_id=player["id"], digest=digest(code), created_at=now, expires_at=now + CODE_LIFE, tries=0, used=False
    )
    number = tx.execute(kept.returning(codes.c.id)).scalar_one()
    outbox.put(
        tx,
        [
            {
                "recipient": player["id"],
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
    player = _by_email(tx, email)
    if player is None:
        return None, ""
    if not spend_code(tx, str(player["id"]), code, now):
        return None, ""
    tx.execute(sa.update(players).where(players.c.id == player["id"]).values(verified_at=now))
    deliverability.lift(tx, str(player["id"]))
    return make_token(tx, str(player["id"]), "sign-in", now), str(player["id"])


def spend_code(tx: Connection, player: str, code: str, now: int) -> bool:
    """Use up a code that was mailed to a player. Whether it is one; a wrong one counts as a try: commit in any case."""
    valid = (
        sa.select(codes)
        .where(codes.c.player_id == player, codes.c.expires_at > now, codes.c.used.is_(False))
        .where(codes.c.tries < CODE_TRIES)
        .order_by(codes.c.id.desc())
    )
    given = digest(code.strip().lower())
    rows = tx.execute(valid.with_for_update()).mappings().all()
    fits = any(hmac.compare_digest(row["digest"], given) for row in rows)
    change: dict[str, Any] = {"used": True} if fits else {"tries": codes.c.tries + 1}
    tx.execute(sa.update(codes).where(codes.c.player_id == player).values(**change))
    return fits


def make_token(tx: Connection, player: str, label: str, now: int) -> str:
    """A new token; the oldest goes where there are too many. Only its digest is kept."""
    token = new_token()
    old = sa.select(tokens.c.digest).where(tokens.c.player_id == player).order_by(tokens.c.created_at.desc())
    surplus = [row[0] for row in tx.execute(old.offset(MOST_TOKENS - 1))]
    if surplus:
        tx.execute(sa.delete(tokens).where(tokens.c.digest.in_(surplus)))
    tx.execute(
        sa.insert(tokens).values(
            digest=digest(token), id="t_" + new_player_id()[2:], player_id=player, label=label, created_at=now
        )
    )
    return token


def token_for(services: Services, tx: Connection, email: str, name: str | None) -> str:
    """A token for an address, its player made if needed: for the host's command line alone."""
    now = services.database.clock.now(tx)
    profile = {"name": name or email.partition("@")[0], "email": email, "timezone": "UTC", "language": "en"}
    identity = _create(services, tx, profile, now)
    tx.execute(sa.update(players).where(players.c.id == identity).values(verified_at=now))
    return make_token(tx, identity, "command line", now)


def welcome(services: Services, tx: Connection, email: str, name: str) -> str:
    """The player of an address that answered mail we sent there: its id, made if needed."""
    now = services.database.clock.now(tx)
    identity = _create(services, tx, {"name": name, "email": email, "timezone": "UTC", "language": "en"}, now)
    tx.execute(sa.update(players).where(players.c.id == identity).values(verified_at=now))
    return identity


def who(services: Services, connection: Connection, token: str) -> tuple[str, str] | None:
    """The player and the id of the token, or None for a token that is not valid."""
    row = holder(connection, digest=digest(token)).fetchone()
    return None if row is None else (row[0], row[1])


def touch_token(tx: Connection, token_id: str, now: int) -> None:
    """Note that a token was used."""
    tx.execute(sa.update(tokens).where(tokens.c.id == token_id).values(last_used_at=now))


def profile(connection: Connection, player: str) -> RowMapping:
    """Everything kept about one player."""
    return connection.execute(sa.select(players).where(players.c.id == player)).mappings().one()


def change_profile(tx: Connection, player: str, changes: Mapping[str, Any]) -> None:
    """Change name, time zone, language or what mail is wanted; to want mail is to have it tried again."""
    other_nights = bool(changes.keys() & {"timezone", "wakes_at"})
    if other_nights:
        remind.replan(tx, player)  # decisions before people: a mail that plays and announces leave locks them so
    if changes:
        tx.execute(sa.update(players).where(players.c.id == player).values(**changes))
    if changes.get("mail"):
        deliverability.lift(tx, player)
    if "digest" in changes:
        digests.choose(tx, player, changes["digest"])
    if other_nights:
        digests.replan(tx, player)


def player_tokens(connection: Connection, player: str) -> list[RowMapping]:
    """The tokens of a player, newest first; never the tokens themselves."""
    found = sa.select(tokens).where(tokens.c.player_id == player).order_by(tokens.c.created_at.desc())
    return list(connection.execute(found).mappings())


def end_tokens(tx: Connection, player: str, token_id: str | None = None) -> int:
    """End one token of a player, or all of them. How many ended."""
    ended = sa.delete(tokens).where(tokens.c.player_id == player)
    if token_id is not None:
        ended = ended.where(tokens.c.id == token_id)
    return tx.execute(ended).rowcount


def is_timezone(name: str) -> bool:
    """Whether it is an IANA zone: Europe/Paris."""
    try:
        zone(name)
    except ValueError:
        return False
    return True


def _by_email(connection: Connection, email: str) -> RowMapping | None:
    return connection.execute(sa.select(players).where(players.c.email_key == email_key(email))).mappings().first()


def _create(services: Services, tx: Connection, profile: Mapping[str, str], now: int) -> str:
    """The player of this address, made of the profile if there is none yet; two at once make one."""
    key = email_key(profile["email"])
    wishes = {"mail": True, "secret_free": False, "new_subjects": False, "calendar": False}
    row = upsert(services.database, players).values(
        id=new_player_id(), email_key=key, created_at=now, **wishes, **profile
    )
    tx.execute(row.on_conflict_do_nothing(index_elements=["email_key"]))
    return str(tx.execute(sa.select(players.c.id).where(players.c.email_key == key)).scalar_one())
