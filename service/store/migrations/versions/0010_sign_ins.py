"""Requests for codes, known by a secret of whoever asked; a profile counts once its address is confirmed.

Codes on their way are forgotten: whoever waits for one asks again. So are profiles that nobody ever confirmed, which
could be anybody's words about the owner of the address; with them go their mails. Going back forgets requests.
"""

import sqlalchemy as sa
from alembic import op

from service.store.database import APP_ROLE

revision = "0010"
down_revision = "0009"

LOSES = (("SELECT count(*) FROM sign_ins", "requests for a code: whoever waits for one asks again"),)

BIG_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
NEVER_CONFIRMED = (
    "verified_at IS NULL AND id NOT IN (SELECT player_id FROM tokens)"
    " AND id NOT IN (SELECT player_id FROM seats WHERE player_id IS NOT NULL) AND id NOT IN (SELECT host FROM games)"
)
THEIRS = f"recipient IN (SELECT id FROM players WHERE {NEVER_CONFIRMED})"  # noqa: S608 - ours
FORGOTTEN = [
    f"DELETE FROM {rows}"  # noqa: S608 - ours
    for rows in (f"deliveries WHERE {THEIRS}", f"notices WHERE {THEIRS}", f"players WHERE {NEVER_CONFIRMED}")
]


def upgrade() -> None:
    op.create_table(
        "sign_ins",
        sa.Column("id", BIG_ID, nullable=False),
        sa.Column("email_key", sa.String(), nullable=False),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("caller", sa.LargeBinary(), nullable=False),
        sa.Column("profile", sa.Text(), nullable=True),
        sa.Column("code", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("posted_at", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("guesses", sa.Text(), nullable=False),
        sa.Column("used", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sign_ins"),
        sa.UniqueConstraint("request", name="uq_sign_ins_request"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_sign_ins_email_key", "sign_ins", ["email_key"])
    waiting = sa.text("posted_at IS NULL")
    op.create_index("ix_sign_ins_unposted", "sign_ins", ["id"], sqlite_where=waiting, postgresql_where=waiting)
    op.drop_index("ix_codes_player_id", "codes")
    op.drop_table("codes")
    grant("sign_ins")
    for statement in FORGOTTEN:
        op.execute(sa.text(statement))


def downgrade() -> None:
    op.create_table(
        "codes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.String(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("used", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_codes"),
    )
    op.create_index("ix_codes_player_id", "codes", ["player_id"])
    op.drop_index("ix_sign_ins_unposted", "sign_ins")
    op.drop_index("ix_sign_ins_email_key", "sign_ins")
    op.drop_table("sign_ins")
    grant("codes")


def grant(table: str) -> None:
    if op.get_bind().dialect.name != "sqlite":
        op.execute(sa.text(GRANT.format(table=table)))


GRANT = f"""
    DO $$ DECLARE here text := quote_ident(current_schema()); BEGIN
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{APP_ROLE}') THEN
            EXECUTE 'GRANT SELECT, INSERT, UPDATE, DELETE ON ' || here || '.{{table}} TO {APP_ROLE}';
            EXECUTE 'GRANT USAGE ON ALL SEQUENCES IN SCHEMA ' || here || ' TO {APP_ROLE}';
        END IF;
    END $$
"""  # noqa: S608 - the names in it are ours
