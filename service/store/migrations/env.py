"""Alembic's door: migrates the connection it is given by `service.store.structure.migrate`."""

from alembic import context
from sqlmodel import SQLModel

import service.store.rows  # noqa: F401 - its tables are the target

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=SQLModel.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
