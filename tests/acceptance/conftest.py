"""A migrated database, and a post office on it."""

from tests.service.store.house import migrated_sqlite, rooms, sqlite_template

__all__ = ["migrated_sqlite", "rooms", "sqlite_template"]
