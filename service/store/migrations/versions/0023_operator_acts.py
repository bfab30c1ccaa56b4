"""The journal of what the operator did by command, append-only, and the reasons beside it, which can be erased.

Going back cannot forget them: the events that came of them stay, and an audit asks for a line for each. Both are put by
under other names, where an earlier release does not look, and taken out again on the way forward.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0023"
down_revision = "0022"

LOSES = ()

TABLE, REASONS = "operator_acts", "operator_reasons"


def upgrade() -> None:
    if sa.inspect(op.get_bind()).has_table(f"kept_{TABLE}"):
        for table in (TABLE, REASONS):
            op.rename_table(f"kept_{table}", table)
    else:
        _make_tables()
    sqlite = op.get_bind().dialect.name == "sqlite"
    for line in _on_sqlite() if sqlite else _on_postgresql():
        op.execute(sa.text(line))


def downgrade() -> None:
    if op.get_bind().execute(sa.text(f"SELECT 1 FROM {TABLE} LIMIT 1")).first():  # noqa: S608 - the name is ours
        _put_by()
    else:
        for table in (REASONS, TABLE):
            op.drop_table(table)


def _put_by() -> None:
    """Rename both, without the triggers, which an earlier release takes for strange ones."""
    sqlite = op.get_bind().dialect.name == "sqlite"
    for line in _on_sqlite() if sqlite else _on_postgresql():
        if line.startswith("CREATE TRIGGER"):
            op.execute(sa.text(f"DROP TRIGGER {line.split()[2]}" + ("" if sqlite else f" ON {TABLE}")))
    for table in (TABLE, REASONS):
        op.rename_table(table, f"kept_{table}")


def _make_tables() -> None:
    op.create_table(
        TABLE,
        sa.Column("number", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("operator", sa.String(), nullable=False),
        sa.Column("what", sa.String(), nullable=False),
        sa.Column("game_id", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.String(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=f"pk_{TABLE}"),
    )
    op.create_table(
        REASONS,
        sa.Column("number", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("game_id", sa.String(), nullable=True),
        sa.Column("player_id", sa.String(), nullable=True),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=f"pk_{REASONS}"),
    )
    for table in (TABLE, REASONS):
        for column in ("game_id", "player_id"):
            op.create_index(f"ix_{table}_{column}", table, [column])


def _on_sqlite() -> list[str]:
    stop = f"BEGIN SELECT RAISE(ABORT, '{TABLE} is append-only'); END"
    there = f"WHEN EXISTS (SELECT 1 FROM {TABLE} WHERE number = NEW.number)"  # noqa: S608 - the names are ours
    return [
        *(f"CREATE TRIGGER {TABLE}_no_{verb} BEFORE {verb} ON {TABLE} {stop}" for verb in ("update", "delete")),
        f"CREATE TRIGGER {TABLE}_no_replace BEFORE INSERT ON {TABLE} {there} {stop}",
    ]


def _on_postgresql() -> list[str]:
    stop = "EXECUTE FUNCTION wardroom_forbid_change()"
    return [
        f"CREATE TRIGGER {TABLE}_append_only BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW {stop}",
        f"CREATE TRIGGER {TABLE}_no_truncate BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT {stop}",
        GRANT.format(role=APP_ROLE, table=TABLE, may="SELECT, INSERT"),
        GRANT.format(role=APP_ROLE, table=REASONS, may="SELECT, INSERT, UPDATE, DELETE"),
    ]


GRANT = (
    "DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{role}') THEN "
    "EXECUTE 'GRANT {may} ON ' || quote_ident(current_schema()) || '.{table} TO {role}'; "
    "END IF; END $$"
)
