"""A migrated database, and a post office on it."""

from tests.service.store.house import migrated_sqlite, open_services, sqlite_template

__all__ = ["migrated_sqlite", "open_services", "sqlite_template"]
