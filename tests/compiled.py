"""One cache of compiled statements for all engines of a process: each test has an engine, and all have the same SQL."""

from typing import Any, Final

import sqlalchemy as sa

KEPT: Final[dict[tuple[Any, ...], Any]] = {}
"""Compiled statements by what SQLAlchemy knows them by, with a class of dialects in the place of the engine's own."""


class Kept(dict[tuple[Any, ...], Any]):
    """What `KEPT` has for engines of one dialect; SQLAlchemy asks by `get`, and sets."""

    def __init__(self, dialect: type) -> None:
        self.dialect = dialect

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return KEPT.get((self.dialect, *key[1:]), default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        KEPT[self.dialect, *key[1:]] = compiled


def share() -> None:
    """Let every engine that is made from now on use it."""
    make = sa.create_engine

    def create_engine(*args: Any, **options: Any) -> sa.Engine:
        engine = make(*args, **options)
        engine.update_execution_options(compiled_cache=Kept(type(engine.dialect)))
        return engine

    sa.create_engine = create_engine
