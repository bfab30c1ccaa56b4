"""The first tables, the triggers that make events append-only, and the role the service works as."""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0001"
down_revision = None

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=null)


def number(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=null)


def time(name: str, *, null: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=null)


def flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def blob(name: str, *, null: bool = False) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=null)


def upgrade() -> None:
    op.create_table(
        "players",
        text("id"), text("name"), text("email"), text("email_key"), text("timezone"), text("language"),
        flag("mail"), time("created_at"), time("verified_at", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("email_key", name="uq_players_email_key"),
    )  # fmt: skip
    op.create_table(
        "tokens",
        blob("digest"), text("id"), text("player_id"), text("label"), time("created_at"),
        time("last_used_at", null=True),
        sa.PrimaryKeyConstraint("digest", name="pk_tokens"),
        sa.UniqueConstraint("id", name="uq_tokens_id"),
    )  # fmt: skip
    op.create_index("ix_tokens_player_id", "tokens", ["player_id"])
    op.create_table(
        "codes",
        number("id"), text("player_id"), blob("digest"), time("created_at"), time("expires_at"), number("tries"),
        flag("used"),
        sa.PrimaryKeyConstraint("id", name="pk_codes"),
    )  # fmt: skip
    op.create_index("ix_codes_player_id", "codes", ["player_id"])
    op.create_table(
        "games",
        text("id"), text("ruleset"), text("status"), number("version"), text("hash"), time("last_at"), blob("state"),
        flag("public"), text("host"), time("created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )  # fmt: skip
    op.create_index("ix_games_lobby", "games", ["status", "created_at", "id"])
    op.create_table(
        "events",
        text("game_id"), number("version"), text("type"), sa.Column("body", sa.Text(), nullable=False), text("hash"),
        sa.PrimaryKeyConstraint("game_id", "version", name="pk_events"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_table(
        "leaves",
        text("game_id"), number("version"), number("number"), number("owner", null=True), blob("sealed"),
        number("opened", null=True),
        sa.PrimaryKeyConstraint("game_id", "version", "number", name="pk_leaves"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_table(
        "seats",
        text("game_id"), number("seat"), text("player_id", null=True), flag("bot"), flag("vacant"), number("strikes"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_seats"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_index("ix_seats_player_id", "seats", ["player_id"])
    op.create_table(
        "invitations",
        text("game_id"), text("email_key"),
        sa.PrimaryKeyConstraint("game_id", "email_key", name="pk_invitations"),
    )  # fmt: skip
    op.create_index("ix_invitations_email_key", "invitations", ["email_key"])
    op.create_table(
        "decisions",
        text("game_id"), number("seat"), text("decision"), number("since"), text("player_id", null=True),
        time("began_at"), time("due_at", null=True), time("acts_at", null=True), flag("extended"),
        time("remind_at", null=True), time("lease_until"),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_decisions"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_index("ix_decisions_player_id", "decisions", ["player_id"])
    partial_index("ix_decisions_acts", "decisions", ["acts_at"], "acts_at IS NOT NULL")
    partial_index("ix_decisions_remind", "decisions", ["remind_at"], "remind_at IS NOT NULL")
    op.create_table(
        "outbox",
        sa.Column("id", BIG_ID, nullable=False), text("recipient"), text("game_id"), text("kind"), text("decision"),
        number("seat", null=True), number("version"), text("state"), time("not_before"), text("lease", null=True),
        time("lease_until"), number("attempts"), time("created_at"), time("done_at", null=True),
        text("message_id", null=True), text("reason", null=True), blob("secret", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("recipient", "game_id", "kind", "decision", name="uq_outbox_recipient"),
        sqlite_autoincrement=True,
    )  # fmt: skip
    partial_index("ix_outbox_due", "outbox", ["not_before", "id"], "state = 'queued'")
    op.create_table(
        "mutes",
        text("game_id"), text("player_id"), time("at"),
        sa.PrimaryKeyConstraint("game_id", "player_id", name="pk_mutes"),
    )  # fmt: skip
    op.create_table(
        "idempotency",
        text("player_id"), text("key"), text("fingerprint"), time("created_at"), number("status", null=True),
        blob("answer", null=True),
        sa.PrimaryKeyConstraint("player_id", "key", name="pk_idempotency"),
    )  # fmt: skip
    op.create_table("heartbeats", text("name"), time("at"), sa.PrimaryKeyConstraint("name", name="pk_heartbeats"))
    for line in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(sa.text(line))


def partial_index(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def downgrade() -> None:
    for table in (
        "heartbeats", "idempotency", "mutes", "outbox", "decisions", "invitations", "seats", "leaves", "events",
        "games", "codes", "tokens", "players",
    ):  # fmt: skip
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(sa.text("DROP FUNCTION wardroom_forbid_change()"))


SQLITE = [
    f"CREATE TRIGGER events_no_{verb} BEFORE {verb} ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END"
    for verb in ("update", "delete")
] + [
    "CREATE TRIGGER events_no_replace BEFORE INSERT ON events"
    " WHEN EXISTS (SELECT 1 FROM events WHERE game_id = NEW.game_id AND version = NEW.version)"
    " BEGIN SELECT RAISE(ABORT, 'events is append-only'); END"
]
POSTGRESQL = [
    "CREATE FUNCTION wardroom_forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " RAISE EXCEPTION 'events is append-only' USING ERRCODE = 'restrict_violation'; END $$",
    "CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE ON events"
    " FOR EACH ROW EXECUTE FUNCTION wardroom_forbid_change()",
    "CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events"
    " FOR EACH STATEMENT EXECUTE FUNCTION wardroom_forbid_change()",
    # the role is the cluster's: another database may have made it already, and we may not be allowed to
    f"""
    DO $$ BEGIN
        CREATE ROLE {APP_ROLE} NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN NULL;
    END $$
    """,
    f"""
    DO $$ DECLARE here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT USAGE ON SCHEMA ' || here || ' TO {APP_ROLE}';
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ' || here || ' TO {APP_ROLE}';
            EXECUTE 'GRANT USAGE ON ALL SEQUENCES IN SCHEMA ' || here || ' TO {APP_ROLE}';
            REVOKE UPDATE, DELETE, TRUNCATE ON events FROM {APP_ROLE};
        END IF;
    END $$
    """,  # noqa: S608 - the one name in it is ours
]
