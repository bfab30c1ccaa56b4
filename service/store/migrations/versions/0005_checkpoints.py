"""Signed checkpoints of every append, and the keys they were signed with: both only ever added to."""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0005"
down_revision = "0004"

TABLES = {"checkpoints": ("game_id", "version"), "signing_keys": ("id",)}


def text(name: str, *, null: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=null)


def time(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def upgrade() -> None:
    op.create_table(
        "checkpoints",
        text("game_id"), sa.Column("version", sa.Integer(), nullable=False), time("at"), text("hash"), text("key"),
        text("signature"), sa.Column("deadlines", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "version", name="pk_checkpoints"),
        sqlite_with_rowid=False,
    )  # fmt: skip
    op.create_table(
        "signing_keys",
        text("id"), text("public"), time("since"), text("endorser", null=True), text("endorsement", null=True),
        sa.PrimaryKeyConstraint("id", name="pk_signing_keys"),
    )  # fmt: skip
    sqlite = op.get_bind().dialect.name == "sqlite"
    for line in [*_on_sqlite()] if sqlite else [FORBID, *_on_postgresql(), GRANTS]:
        op.execute(sa.text(line))


def downgrade() -> None:
    for table in TABLES:
        if op.get_bind().execute(sa.text(f"SELECT 1 FROM {table} LIMIT 1")).first():  # noqa: S608 - the names are ours
            raise RuntimeError(f"{table} holds what was signed and cannot be made again: restore a backup instead.")
    for table in TABLES:
        op.drop_table(table)


def _on_sqlite() -> list[str]:
    lines = []
    for table, keys in TABLES.items():
        stop = f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
        same = " AND ".join(f"{key} = NEW.{key}" for key in keys)
        lines += [f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} {stop}" for verb in ("update", "delete")]
        there = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608 - the names in it are ours
        lines.append(f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} {there} {stop}")
    return lines


FORBID = (
    "CREATE OR REPLACE FUNCTION wardroom_forbid_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation'; END $$"
)
"""It named the events whatever the table was."""


def _on_postgresql() -> list[str]:
    lines = []
    for table in TABLES:
        stop = "EXECUTE FUNCTION wardroom_forbid_change()"
        lines += [
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW {stop}",
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} FOR EACH STATEMENT {stop}",
        ]
    return lines


GRANTS = f"""
    DO $$ DECLARE one text; here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            FOREACH one IN ARRAY ARRAY['checkpoints', 'signing_keys'] LOOP
                EXECUTE 'GRANT SELECT, INSERT ON ' || here || '.' || one || ' TO {APP_ROLE}';
            END LOOP;
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
