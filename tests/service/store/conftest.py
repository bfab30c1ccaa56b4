"""A migrated database on each engine, and a house to play in."""

from tests.service.store.house import house, services, sqlite_room

__all__ = ["house", "services", "sqlite_room"]
