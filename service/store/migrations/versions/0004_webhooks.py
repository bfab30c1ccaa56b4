"""Webhooks, and what is told to each."""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0004"
down_revision = "0003"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=null)


def number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=null)


def time(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def upgrade() -> None:
    op.create_table(
        "webhooks",
        text("id"), text("player_id"), sa.Column("sealed", sa.LargeBinary(), nullable=False),
        time("old_until", null=True), text("state"), text("reason"), time("created_at"), number("failures"),
        time("failing_since", null=True), time("not_before"), text("lease", null=True), time("lease_until"),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
    )  # fmt: skip
    op.create_index("ix_webhooks_player_id", "webhooks", ["player_id"])
    op.create_table(
        "hook_deliveries",
        sa.Column("id", BIG_ID, nullable=False), text("hook_id"), text("player_id"), text("game_id"), text("kind"),
        text("decision"), number("seat", null=True), number("version"), text("state"), time("not_before"),
        number("attempts"), time("created_at"), time("done_at", null=True), text("reason", null=True),
        sa.Column("body", sa.Text(), nullable=True), sa.Column("log", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_hook_deliveries"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    queued = sa.text("state = 'queued'")
    op.create_index(
        "ix_hook_deliveries_due", "hook_deliveries", ["hook_id", "not_before"],
        sqlite_where=queued, postgresql_where=queued,
    )  # fmt: skip
    op.create_index("ix_hook_deliveries_hook_id", "hook_deliveries", ["hook_id", "id"])
    op.create_index("ix_hook_deliveries_created_at", "hook_deliveries", ["created_at"])
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    op.drop_table("hook_deliveries")
    op.drop_table("webhooks")


GRANTS = f"""
    DO $$ DECLARE one text; here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            FOREACH one IN ARRAY ARRAY['webhooks', 'hook_deliveries'] LOOP
                EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || here || '.' || one || ' TO {APP_ROLE}';
            END LOOP;
            EXECUTE 'GRANT USAGE ON ALL SEQUENCES IN SCHEMA ' || here || ' TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
