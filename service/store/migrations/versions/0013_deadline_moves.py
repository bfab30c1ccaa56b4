"""Deadlines that moved while nothing was recorded, so that what was told of a version at any moment can be told again.

What moved before is not known any more. Going back forgets those that are kept; nothing else rests on them.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0013"
down_revision = "0012"

LOSES = (
    (
        "SELECT count(*) FROM deadline_moves",
        "deadlines that moved: what was said of them meanwhile cannot be told again",
    ),
)

TABLE = "deadline_moves"
KEYS = ("game_id", "seat", "since", "at", "due")


def upgrade() -> None:
    op.create_table(
        TABLE,
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("was", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(*KEYS, name=f"pk_{TABLE}"),
        sqlite_with_rowid=False,
    )
    sqlite = op.get_bind().dialect.name == "sqlite"
    for line in _on_sqlite() if sqlite else _on_postgresql():
        op.execute(sa.text(line))


def downgrade() -> None:
    op.drop_table(TABLE)


def _on_sqlite() -> list[str]:
    stop = f"BEGIN SELECT RAISE(ABORT, '{TABLE} is append-only'); END"
    same = " AND ".join(f"{key} = NEW.{key}" for key in KEYS)
    there = f"WHEN EXISTS (SELECT 1 FROM {TABLE} WHERE {same})"  # noqa: S608 - the names are ours
    return [
        *(f"CREATE TRIGGER {TABLE}_no_{verb} BEFORE {verb} ON {TABLE} {stop}" for verb in ("update", "delete")),
        f"CREATE TRIGGER {TABLE}_no_replace BEFORE INSERT ON {TABLE} {there} {stop}",
    ]


def _on_postgresql() -> list[str]:
    stop = "EXECUTE FUNCTION wardroom_forbid_change()"
    return [
        f"CREATE TRIGGER {TABLE}_append_only BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW {stop}",
        f"CREATE TRIGGER {TABLE}_no_truncate BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT {stop}",
        f"""
        DO $$ BEGIN
            IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
                EXECUTE 'GRANT SELECT, INSERT ON ' || quote_ident(current_schema()) || '.{TABLE} TO {APP_ROLE}';
            END IF;
        END $$
        """,  # noqa: S608 - the names in it are ours
    ]
