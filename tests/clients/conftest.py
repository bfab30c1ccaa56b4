"""The service that the clients speak to."""

from tests.service.api.conftest import sqlite_api, sqlite_copy

__all__ = ["sqlite_api", "sqlite_copy"]
