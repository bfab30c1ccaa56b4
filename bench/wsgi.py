"""The service as gunicorn serves it, but SQLite as the floors have it where BENCH_SYNCHRONOUS names a level."""

import os

from bench import ground

if level := os.environ.get("BENCH_SYNCHRONOUS"):
    ground.in_wal_mode()

from service.wsgi import app, services

if level and services.database.is_sqlite:
    ground.set_synchronous(services.database.engine, level)

__all__ = ["app"]
