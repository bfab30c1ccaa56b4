"""Requests for a one-time code by mail: of the asker's secret and of the code only digests are kept (S-20)."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from service.store import records
from service.store.connection import Connection
from service.store.rows import SignInRow

sign_ins: Final = SignInRow.__table__  # type: ignore[attr-defined]


class SignIn(msgspec.Struct, frozen=True):
    """A request for a code (SignInRow explains the fields)."""

    id: int
    email_key: str
    caller: bytes
    profile: str | None
    code: bytes | None
    expires_at: int
    tries: int
    guesses: str
    used: bool


_ALL: Final = sa.select(*records.columns(SignIn, sign_ins))


def made_since(connection: Connection, address: str, since: int) -> Sequence[SignIn]:
    """The requests for a code for a folded address that were made after this time, newest first."""
    recent = _ALL.where(sign_ins.c.email_key == address, sign_ins.c.created_at > since)
    return records.every(connection, SignIn, recent.order_by(sign_ins.c.id.desc()))


def add(
    tx: Connection, address: str, request: bytes, caller: bytes, profile: str | None, now: int, expires_at: int
) -> int:
    """Keep a request; its code is still to be mailed. Its number."""
    asked = {"email_key": address, "request": request, "caller": caller, "profile": profile}
    fresh = {"tries": 0, "guesses": "{}", "used": False}
    made = tx.execute(sa.insert(sign_ins).values(**asked, **fresh, created_at=now, expires_at=expires_at))
    return int(made.inserted_primary_key[0])  # type: ignore[index]


def by_id(connection: Connection, number: int) -> SignIn | None:
    """One request; None for one that is not kept any more."""
    return records.first(connection, SignIn, _ALL.where(sign_ins.c.id == number))


def any_unposted(connection: Connection) -> bool:
    """Whether a code may have to be mailed."""
    waiting = sa.select(sign_ins.c.id).where(sign_ins.c.posted_at.is_(None))
    return connection.execute(waiting.limit(1)).first() is not None


def lock_unposted(tx: Connection, most: int) -> Sequence[SignIn]:
    """The oldest requests whose code was not mailed yet, locked; those that somebody else holds are passed over."""
    waiting = _ALL.where(sign_ins.c.posted_at.is_(None)).order_by(sign_ins.c.id).limit(most)
    return records.every(tx, SignIn, waiting.with_for_update(skip_locked=True))


def post(tx: Connection, number: int, code: bytes | None, link: bytes | None, now: int) -> None:
    """Note the code and the link that are mailed for a request; None where nobody is to get any."""
    tx.execute(sa.update(sign_ins).where(sign_ins.c.id == number).values(code=code, link=link, posted_at=now))


def by_link(connection: Connection, link: bytes, now: int) -> SignIn | None:
    """The request whose mail has this link, if that may still be used."""
    return records.first(connection, SignIn, _valid_by_link(link, now))


def lock_by_link(tx: Connection, link: bytes, now: int) -> SignIn | None:
    """The same, locked."""
    return records.first(tx, SignIn, _valid_by_link(link, now).with_for_update())


def _valid_by_link(link: bytes, now: int) -> sa.Select[Any]:
    return _ALL.where(sign_ins.c.link == link, sign_ins.c.expires_at > now, sign_ins.c.used.is_(False))


def lock_valid(tx: Connection, address: str, now: int, request: bytes | None) -> Sequence[SignIn]:
    """The requests for a folded address that may still be used, newest first, locked; with `request` that one alone."""
    valid = _ALL.where(sign_ins.c.email_key == address, sign_ins.c.expires_at > now, sign_ins.c.used.is_(False))
    if request is not None:
        valid = valid.where(sign_ins.c.request == request)
    return records.every(tx, SignIn, valid.order_by(sign_ins.c.id.desc()).with_for_update())


def use_up(tx: Connection, address: str) -> None:
    """Mark every request for a folded address as used."""
    tx.execute(sa.update(sign_ins).where(sign_ins.c.email_key == address).values(used=True))


def count_tries(tx: Connection, number: int, tries: int, guesses: str) -> None:
    """Keep how often a wrong code was given."""
    tx.execute(sa.update(sign_ins).where(sign_ins.c.id == number).values(tries=tries, guesses=guesses))


def drop_expired(tx: Connection, before: int) -> None:
    """Delete the requests that expired before this time."""
    tx.execute(sa.delete(sign_ins).where(sign_ins.c.expires_at < before))
