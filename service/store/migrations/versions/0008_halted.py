"""Games that are stopped, when each was last audited; leaves that only open, games that stay, events in their order.

Going back forgets which games are stopped: they go on, and their clocks, too, without the time they stood. After an
upgrade run `wardroom doctor --audit`: it stops those again whose histories do not hold.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("games", sa.Column("halted_at", sa.BigInteger(), nullable=True))
    op.add_column("games", sa.Column("halted", sa.String(), nullable=True))
    op.add_column("games", sa.Column("audited_at", sa.BigInteger(), nullable=False, server_default="0"))
    stopped = sa.text("halted_at IS NOT NULL")
    op.create_index("ix_games_halted", "games", ["halted_at"], sqlite_where=stopped, postgresql_where=stopped)
    op.create_index("ix_games_audited_at", "games", ["audited_at"])
    for line in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(sa.text(line))


def downgrade() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    for line in SQLITE_BACK if sqlite else POSTGRESQL_BACK:
        op.execute(sa.text(line))
    op.drop_index("ix_games_audited_at", "games")
    op.drop_index("ix_games_halted", "games")
    for name in ("audited_at", "halted", "halted_at"):
        op.drop_column("games", name)


CHANGED = (
    "NEW.game_id {other} OLD.game_id OR NEW.version {other} OLD.version OR NEW.number {other} OLD.number"
    " OR NEW.owner {other} OLD.owner"
    " OR (NEW.opened {other} OLD.opened AND (OLD.opened IS NOT NULL OR NEW.opened <= OLD.version))"
)
"""What is none of: a leaf sealed again, a leaf opened by a later event."""

SQLITE = [
    f"CREATE TRIGGER leaves_no_change BEFORE UPDATE ON leaves WHEN {CHANGED.format(other='IS NOT')}"
    " BEGIN SELECT RAISE(ABORT, 'leaves is append-only'); END",
    "CREATE TRIGGER leaves_no_delete BEFORE DELETE ON leaves BEGIN SELECT RAISE(ABORT, 'leaves is append-only'); END",
    "CREATE TRIGGER leaves_no_replace BEFORE INSERT ON leaves WHEN EXISTS (SELECT 1 FROM leaves"
    " WHERE game_id = NEW.game_id AND version = NEW.version AND number = NEW.number)"
    " BEGIN SELECT RAISE(ABORT, 'leaves is append-only'); END",
    "CREATE TRIGGER games_no_delete BEFORE DELETE ON games BEGIN SELECT RAISE(ABORT, 'games are kept'); END",
    "CREATE TRIGGER games_no_replace BEFORE INSERT ON games WHEN EXISTS (SELECT 1 FROM games WHERE id = NEW.id)"
    " BEGIN SELECT RAISE(ABORT, 'games are kept'); END",
    "CREATE TRIGGER events_in_order BEFORE INSERT ON events"
    " WHEN NEW.version <> 1 + (SELECT coalesce(max(version), 0) FROM events WHERE game_id = NEW.game_id)"
    " BEGIN SELECT RAISE(ABORT, 'events come in order'); END",
]
SQLITE_BACK = [f"DROP TRIGGER {line.split()[2]}" for line in SQLITE]
POSTGRESQL = [
    "CREATE FUNCTION wardroom_keep_leaf() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    f" IF {CHANGED.format(other='IS DISTINCT FROM')} THEN"
    " RAISE EXCEPTION 'leaves is append-only' USING ERRCODE = 'restrict_violation'; END IF; RETURN NEW; END $$",
    "CREATE FUNCTION wardroom_in_order() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " IF NEW.version < 1 OR (NEW.version > 1 AND NOT EXISTS (SELECT 1 FROM events"
    " WHERE game_id = NEW.game_id AND version = NEW.version - 1)) THEN"
    " RAISE EXCEPTION 'events come in order' USING ERRCODE = 'restrict_violation'; END IF; RETURN NEW; END $$",
    "CREATE TRIGGER leaves_no_change BEFORE UPDATE ON leaves FOR EACH ROW EXECUTE FUNCTION wardroom_keep_leaf()",
    *(
        f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table}"
        " FOR EACH ROW EXECUTE FUNCTION wardroom_forbid_change()"
        for table in ("leaves", "games")
    ),
    *(
        f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table}"
        " FOR EACH STATEMENT EXECUTE FUNCTION wardroom_forbid_change()"
        for table in ("leaves", "games")
    ),
    "CREATE TRIGGER events_in_order BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION wardroom_in_order()",
    f"""
    DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            REVOKE UPDATE, DELETE, TRUNCATE ON leaves FROM {APP_ROLE};
            GRANT UPDATE (sealed, opened) ON leaves TO {APP_ROLE};
            REVOKE DELETE, TRUNCATE ON games FROM {APP_ROLE};
        END IF;
    END $$
    """,  # noqa: S608 - the name in it is ours
]
POSTGRESQL_BACK = [
    f"""
    DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            GRANT UPDATE, DELETE ON leaves TO {APP_ROLE};
            GRANT DELETE ON games TO {APP_ROLE};
        END IF;
    END $$
    """,  # noqa: S608 - the name in it is ours
    *(f"DROP TRIGGER {name} ON leaves" for name in ("leaves_no_change", "leaves_no_delete", "leaves_no_truncate")),
    *(f"DROP TRIGGER {name} ON games" for name in ("games_no_delete", "games_no_truncate")),
    "DROP TRIGGER events_in_order ON events",
    "DROP FUNCTION wardroom_keep_leaf()",
    "DROP FUNCTION wardroom_in_order()",
]
