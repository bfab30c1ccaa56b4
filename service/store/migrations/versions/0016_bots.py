"""Bots of a strength and a temper: which sits on a seat, and what those that think have to think about.

Every bot there was played what the caretaker plays: strength 0. Going back forgets what is being thought about; an
older Wardroom cannot read the games that were opened since.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0016"
down_revision = "0015"

LOSES = (("SELECT count(*) FROM seats WHERE strength > 0", "bots that think: the caretaker plays for them"),)


def upgrade() -> None:
    op.add_column("seats", sa.Column("strength", sa.Integer(), nullable=True))
    op.add_column("seats", sa.Column("temper", sa.String(), nullable=True))
    op.execute(sa.text("UPDATE seats SET strength = 0, temper = 'even' WHERE bot"))
    op.create_table(
        "thoughts",
        sa.Column("game_id", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("decision", sa.String(), nullable=False),
        sa.Column("strength", sa.Integer(), nullable=False),
        sa.Column("temper", sa.String(), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("turn_at", sa.BigInteger(), nullable=False),
        sa.Column("not_before", sa.BigInteger(), nullable=False),
        sa.Column("lease_until", sa.BigInteger(), nullable=False),
        sa.Column("lease_by", sa.String(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_thoughts"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_thoughts_turn_at", "thoughts", ["turn_at"])
    if op.get_bind().dialect.name != "sqlite":
        op.execute(sa.text(GRANTS))


def downgrade() -> None:
    op.drop_index("ix_thoughts_turn_at", "thoughts")
    op.drop_table("thoughts")
    op.drop_column("seats", "temper")
    op.drop_column("seats", "strength")


GRANTS = f"""
    DO $$ BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON '
                || quote_ident(current_schema()) || '.thoughts TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
