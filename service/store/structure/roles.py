"""The roles of PostgreSQL: one owns the tables and migrates, one the service logs in as, and one says what that may do.

`wardroom_app` may read and add, and change what is no history (S-33). The service's own login is a member of it and has
no rights besides: who takes the service over cannot rewrite a game. Nothing of this concerns SQLite.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection, Engine

from service.store.database import APP_ROLE
from service.store.structure.guards import KEYS, WATCHED

ALL: Final = ("SELECT", "INSERT", "UPDATE", "DELETE")
LIMITED: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys((*KEYS, "clock_jumps", "outages"), ("SELECT", "INSERT")),
    "leaves": ("SELECT", "INSERT", "UPDATE (sealed, opened)"),
    "games": ("SELECT", "INSERT", "UPDATE"),
    "erasures": ("SELECT", "INSERT", "UPDATE"),
    "schema_releases": ("SELECT",),
}
"""What the service may do to a table, where that is not all."""
_LACKED: Final = sa.text("""
    SELECT c.relname, has_table_privilege(r.oid, c.oid, 'SELECT'), has_table_privilege(r.oid, c.oid, 'INSERT'),
           has_table_privilege(r.oid, c.oid, 'UPDATE') OR has_any_column_privilege(r.oid, c.oid, 'UPDATE')
           AND c.relname = 'leaves', has_table_privilege(r.oid, c.oid, 'DELETE')
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, pg_roles r
     WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND r.rolname = :role ORDER BY 1
""")
_SEQUENCES: Final = sa.text("""
    SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, pg_roles r
     WHERE n.nspname = current_schema() AND c.relkind = 'S' AND r.rolname = :role
       AND NOT has_sequence_privilege(r.oid, c.oid, 'USAGE')
       AND c.relname NOT IN ('log_entries_number_seq', 'log_heads_size_seq') ORDER BY 1
""")  # the house log counts by itself
_LOGIN: Final = sa.text("""
    SELECT session_user, current_user, rolsuper, rolcreaterole,
           pg_has_role(session_user, 'pg_execute_server_program', 'MEMBER')
           OR pg_has_role(session_user, 'pg_write_server_files', 'MEMBER'),
           (SELECT pg_has_role(session_user, datdba, 'MEMBER') FROM pg_database WHERE datname = current_database())
      FROM pg_roles WHERE rolname = session_user
""")
_OWNED: Final = sa.text("""
    SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND pg_has_role(session_user, c.relowner, 'MEMBER')
""")
_CHANGES: Final = sa.text("""
    SELECT DISTINCT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
           unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS privilege
     WHERE n.nspname = current_schema() AND c.relname = ANY (:tables) AND (c.relname, privilege) <> ('games', 'UPDATE')
       AND has_table_privilege(session_user, c.oid, privilege) ORDER BY 1
""")


_UNCALLABLE: Final = sa.text("""
    SELECT 1 FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace, pg_roles r
     WHERE n.nspname = current_schema() AND proname = :name AND r.rolname = :role
       AND NOT has_function_privilege(r.oid, p.oid, 'EXECUTE')
""")
DELETE_GUEST_GAME: Final = "wardroom_delete_guest_game"
"""The function that deletes a guest's game with the rights of its owner (decision 0123)."""
_PID: Final = "SELECT pg_backend_pid()"
TRIES: Final = 5


def login(connection: Connection) -> tuple[str, str]:
    """Who has logged in, and as whom it works."""
    row = connection.exec_driver_sql("SELECT session_user, current_user").one()
    return row[0], row[1]


def shares_sessions(engine: Engine) -> bool:
    """Return whether two connections get the same session, as PgBouncer's transaction and statement modes do."""
    with engine.connect() as first, engine.connect() as second:
        for connection in (first, second):
            connection.execution_options(isolation_level="AUTOCOMMIT")
        seen = [{link.exec_driver_sql(_PID).scalar_one() for _ in range(TRIES)} for link in (first, second)]
    return bool(seen[0] & seen[1])


def too_much(connection: Connection) -> Iterator[str]:
    """What the role that has logged in could do to histories, whatever role it works as: ends of a sentence."""
    _, _, superuser, makes_roles, has_machine, owns_database = connection.execute(_LOGIN).one()
    if superuser:
        yield "is a superuser"
        return
    if makes_roles:
        yield "may make roles"
    if has_machine:
        yield "may write files of the server"
    if owns_database:
        yield "owns the database"
    if owned := connection.execute(_OWNED).scalar_one():
        yield f"owns {owned} of the tables"
    elif changes := connection.execute(_CHANGES, {"tables": list(WATCHED)}).scalars().all():
        yield f"may change {', '.join(changes)}"


def lacking(connection: Connection) -> Iterator[tuple[str, str]]:
    """The rights that the service's role lacks, as (right, object) of a GRANT."""
    for table, *has in connection.execute(_LACKED, {"role": APP_ROLE}):
        wanted = LIMITED.get(table, ALL)
        held = dict(zip(ALL, has, strict=True))
        missing = [right for right in wanted if not held[right.split()[0]]]
        if missing:
            yield ", ".join(missing), f"TABLE {_name(table)}"
    for sequence in connection.execute(_SEQUENCES, {"role": APP_ROLE}).scalars():
        yield "USAGE", f"SEQUENCE {_name(sequence)}"
    if connection.execute(_UNCALLABLE, {"role": APP_ROLE, "name": DELETE_GUEST_GAME}).first():
        yield "EXECUTE", f"FUNCTION {_name(DELETE_GUEST_GAME)}(text)"


def grant_again(connection: Connection) -> list[str]:
    """Let the service's role do what it must; answers the objects it could not use, nothing on SQLite."""
    if connection.dialect.name == "sqlite":
        return []
    missing = list(lacking(connection))
    if missing:
        schema = connection.exec_driver_sql("SELECT quote_ident(current_schema())").scalar_one()
        connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {APP_ROLE}")
    for rights, thing in missing:
        connection.exec_driver_sql(f"GRANT {rights} ON {thing} TO {APP_ROLE}")
    return [thing.partition(" ")[2] for _, thing in missing]


class BadRoles(Exception):
    """The addresses of the database do not name two roles of one database. The message is a sentence."""


def script(service_url: str, owner_url: str) -> str:
    """Commands for psql, run by a superuser, that make both roles and the database of these addresses, or alter them.

    They may be run again. Passwords are in it as SCRAM verifiers. Raises BadRoles.
    """
    service, owner = sa.make_url(service_url), sa.make_url(owner_url)
    if not service.username or not owner.username or service.username == owner.username:
        raise BadRoles("WARDROOM_DATABASE_URL and WARDROOM_DATABASE_OWNER_URL must name two users, not the same one.")
    if service.database != owner.database:
        raise BadRoles("WARDROOM_DATABASE_URL and WARDROOM_DATABASE_OWNER_URL must name the same database.")
    if APP_ROLE in (service.username, owner.username):
        raise BadRoles(f"{APP_ROLE} is the role that others are members of: let nobody log in as it.")
    database = _name(service.database or "")
    return "\n".join(
        [
            "\\set ON_ERROR_STOP on",
            "SET client_min_messages = warning;",
            *_made("pg_roles", "rolname", APP_ROLE, f"CREATE ROLE {APP_ROLE} NOLOGIN"),
            *_login(owner),
            *_login(service),
            f"GRANT {APP_ROLE} TO {_name(service.username)};",
            *_made(
                "pg_database", "datname", service.database or "",
                f"CREATE DATABASE {database} OWNER {_name(owner.username)} ENCODING 'UTF8' LOCALE 'C.UTF-8' "
                "TEMPLATE template0",
            ),
            f"REVOKE ALL ON DATABASE {database} FROM PUBLIC;",
            f"GRANT CONNECT ON DATABASE {database} TO {_name(owner.username)}, {_name(service.username)};",
            f"\\connect {database}",
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC;",
            f"GRANT CREATE, USAGE ON SCHEMA public TO {_name(owner.username)};",
            "",
        ]
    )  # fmt: skip


def _login(url: sa.URL) -> Iterator[str]:
    name = url.username or ""
    yield from _made("pg_roles", "rolname", name, f"CREATE ROLE {_name(name)} LOGIN")
    if url.password:
        yield f"ALTER ROLE {_name(name)} PASSWORD {_text(_verifier(name, str(url.password)))};"


def _made(catalogue: str, column: str, name: str, command: str) -> Iterator[str]:
    """Lines of psql that run a command unless something of that name is there: \\gexec runs what a SELECT answers."""
    yield f"SELECT {_text(command)} WHERE NOT EXISTS"
    yield f"  (SELECT FROM {catalogue} WHERE {column} = {_text(name)}) \\gexec"


def _verifier(user: str, password: str) -> str:
    """A password as PostgreSQL keeps it, by libpq itself."""
    import psycopg.pq

    nowhere = psycopg.pq.PGconn.connect_start(b"host=/nonexistent")
    try:
        return nowhere.encrypt_password(password.encode(), user.encode(), b"scram-sha-256").decode()
    finally:
        nowhere.finish()


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
