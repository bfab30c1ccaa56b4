"""Databases that the first Wardroom left behind in mid-play; tests/archive/first/README.md says how."""

import json
import lzma
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
from sqlalchemy import make_url

from service.store.database import APP_ROLE

HERE: Final = Path(__file__).parents[2] / "archive" / "first"
ROLE: Final = (
    f"DO $$ BEGIN CREATE ROLE {APP_ROLE} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
)


@dataclass(frozen=True)
class Left:
    """What was known when the database was left: ids by name, what was bid, which mails had not gone out."""

    at: int
    secret_key: str
    players: dict[str, str]
    tokens: dict[str, str]
    games: dict[str, str]
    bids: dict[str, str]
    waits: int
    ballots: list[str]
    queued: dict[str, str]
    sent: int
    heads: dict[str, dict[str, Any]]
    made_by: str


def restore_first(url: str) -> Left:
    """Make an empty database what the first Wardroom left on its engine."""
    if url.startswith("sqlite"):
        Path(url.removeprefix("sqlite:///")).write_bytes(lzma.decompress((HERE / "first.sqlite.xz").read_bytes()))
        return Left(**json.loads((HERE / "sqlite.json").read_text(encoding="utf-8")))
    address = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(ROLE)
        connection.execute(lzma.decompress((HERE / "first.sql.xz").read_bytes()))  # several statements: no values
    return Left(**json.loads((HERE / "postgresql.json").read_text(encoding="utf-8")))
