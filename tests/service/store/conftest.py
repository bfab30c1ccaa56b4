"""A migrated database on each engine, and a house to play in."""

from tests.service.store.house import (
    house,
    migrated_postgres,
    migrated_sqlite,
    open_services,
    postgres_template,
    services,
    sqlite_room,
    sqlite_template,
    url,
)

__all__ = [
    "house",
    "migrated_postgres",
    "migrated_sqlite",
    "postgres_template",
    "services",
    "open_services",
    "sqlite_room",
    "sqlite_template",
    "url",
]
