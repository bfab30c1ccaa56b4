"""Mail that comes in, the addresses it comes to, how mail fares on its way out, and table talk."""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0002"
down_revision = "0001"

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=null)


def number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=null)


def big(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, BIG_ID, nullable=null)


def time(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def blob(name: str, *, null: bool = False) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=null)


def upgrade() -> None:
    for table, name in (
        ("players", "secret_free"),
        ("players", "new_subjects"),
        ("players", "calendar"),
        ("decisions", "graced"),
    ):
        op.add_column(table, sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "reply_tokens",
        blob("digest"), text("purpose"), text("recipient"), text("player_id", null=True), text("game_id"),
        number("seat", null=True), text("decision"), big("outbox_id"), text("mark"), blob("options", null=True),
        big("held", null=True), time("issued_at"), time("revoked_at", null=True),
        sa.PrimaryKeyConstraint("digest", name="pk_reply_tokens"),
    )  # fmt: skip
    op.create_index("ix_reply_tokens_player_id", "reply_tokens", ["player_id", "game_id"])
    op.create_index("ix_reply_tokens_game_id", "reply_tokens", ["game_id"])
    op.create_table(
        "inbound",
        big("id"), time("received_at"), text("source"), text("sender"), text("recipient"), blob("token", null=True),
        text("purpose"), big("about"), text("trusted"), blob("digest"), blob("raw", null=True), text("state"),
        text("reason"), time("not_before"), text("lease", null=True), time("lease_until"), number("attempts"),
        text("player_id", null=True), text("game_id"), number("seat", null=True), text("message_id"),
        blob("written", null=True), blob("outcome", null=True), time("done_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_inbound"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    op.create_index(
        "ix_inbound_due", "inbound", ["not_before", "id"],
        sqlite_where=sa.text("state = 'received'"), postgresql_where=sa.text("state = 'received'"),
    )  # fmt: skip
    op.create_index("ix_inbound_seat", "inbound", ["game_id", "seat", "state"])
    op.create_index("ix_inbound_player_id", "inbound", ["player_id", "id"])
    op.create_index("ix_inbound_token", "inbound", ["token", "done_at"])
    op.create_index("ix_inbound_address", "inbound", ["token", "purpose", "about", "received_at"])
    unreduced = sa.text("raw IS NOT NULL OR sender <> ''")
    op.create_index(
        "ix_inbound_received_at", "inbound", ["received_at"], sqlite_where=unreduced, postgresql_where=unreduced
    )
    op.create_table(
        "mailboxes",
        text("address"), number("score"), time("scored_at"), time("probed_at", null=True), big("probe", null=True),
        time("suppressed_at", null=True), text("reason"),
        sa.PrimaryKeyConstraint("address", name="pk_mailboxes"),
    )  # fmt: skip
    op.create_table(
        "messages",
        big("id"), text("game_id"), number("seat"), text("player_id"), number("to_seat", null=True), blob("body"),
        time("created_at"), time("shown_at"), time("cancelled_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    op.create_index("ix_messages_game_id", "messages", ["game_id", "id"])
    op.create_index("ix_messages_player_id", "messages", ["player_id"])
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    for table in ("messages", "mailboxes", "inbound", "reply_tokens"):
        op.drop_table(table)
    op.drop_column("decisions", "graced")
    for name in ("calendar", "new_subjects", "secret_free"):
        op.drop_column("players", name)


GRANTS = f"""
    DO $$ DECLARE one text; here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            FOREACH one IN ARRAY ARRAY['reply_tokens', 'inbound', 'mailboxes', 'messages'] LOOP
                EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || here || '.' || one || ' TO {APP_ROLE}';
            END LOOP;
            EXECUTE 'GRANT USAGE ON ALL SEQUENCES IN SCHEMA ' || here || ' TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
