"""A migrated database on each engine, and tables to play at."""

from tests.service.store.service_tables import services, sqlite_room, tables

__all__ = ["tables", "services", "sqlite_room"]
