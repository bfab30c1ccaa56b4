"""What keeps rows from being changed: triggers, by their text and not only by name, and what the service's role may do.

Whoever has the database file can take a trigger away and put it back: what then tells of it are the hashes, the
checkpoints, and the mails that players keep.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import sqlalchemy as sa
from sqlalchemy import Connection

from service.store.database import APP_ROLE

KEYS: Final = {
    "events": ("game_id", "version"),
    "checkpoints": ("game_id", "version"),
    "signing_keys": ("id",),
    "log_entries": ("number",),
    "log_heads": ("size",),
    "operator_acts": ("number",),
}
"""The tables that are only ever added to."""
OF_A_GAME: Final = ("events", "checkpoints", "leaves")
"""The tables whose rows go only with the whole game, if that is a guest's and was not kept."""
WATCHED: Final = (*KEYS, "leaves", "games")
_LEAF: Final = (
    "NEW.game_id {other} OLD.game_id OR NEW.version {other} OLD.version OR NEW.number {other} OLD.number"
    " OR NEW.owner {other} OLD.owner"
    " OR (NEW.opened {other} OLD.opened AND (OLD.opened IS NOT NULL OR NEW.opened <= OLD.version))"
)
_GAME: Final = "NEW.id <> OLD.id OR (NEW.guest AND NOT OLD.guest)"
_GUEST: Final = "SELECT 1 FROM games WHERE id = OLD.game_id AND guest"


def _sqlite() -> Iterator[tuple[str, str]]:
    for table, keys in {**KEYS, "leaves": ("game_id", "version", "number"), "games": ("id",)}.items():
        said = "games are kept" if table == "games" else f"{table} is append-only"
        stop = f"BEGIN SELECT RAISE(ABORT, '{said}'); END"
        same = " AND ".join(f"{key} = NEW.{key}" for key in keys)
        there = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608 - the names in it are ours
        yield f"{table}_no_replace", f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} {there} {stop}"
        unless = f"WHEN NOT EXISTS ({_GUEST}) " if table in OF_A_GAME else ""
        unless = "WHEN NOT OLD.guest " if table == "games" else unless
        if table in KEYS:
            yield f"{table}_no_update", f"CREATE TRIGGER {table}_no_update BEFORE update ON {table} {stop}"
        yield f"{table}_no_delete", f"CREATE TRIGGER {table}_no_delete BEFORE delete ON {table} {unless}{stop}"
    stop = "BEGIN SELECT RAISE(ABORT, 'games are kept'); END"
    yield "games_no_change", f"CREATE TRIGGER games_no_change BEFORE UPDATE OF id, guest ON games WHEN {_GAME} {stop}"
    changed = f"BEFORE UPDATE ON leaves WHEN {_LEAF.format(other='IS NOT')}"
    yield (
        "leaves_no_change",
        f"CREATE TRIGGER leaves_no_change {changed} BEGIN SELECT RAISE(ABORT, 'leaves is append-only'); END",
    )
    last = "SELECT coalesce(max(version), 0) FROM events WHERE game_id = NEW.game_id"
    order = f"BEFORE INSERT ON events WHEN NEW.version <> 1 + ({last})"
    yield (
        "events_in_order",
        f"CREATE TRIGGER events_in_order {order} BEGIN SELECT RAISE(ABORT, 'events come in order'); END",
    )


def _refuse(what: str) -> str:
    return f"RAISE EXCEPTION {what} USING ERRCODE = 'restrict_violation'; END"


FORBID: Final = "BEGIN " + _refuse("'% is append-only', TG_TABLE_NAME")
KEEP_HISTORY: Final = f"BEGIN IF TG_OP = 'DELETE' AND EXISTS ({_GUEST}) THEN RETURN OLD; END IF; " + _refuse(
    "'% is append-only', TG_TABLE_NAME"
)
KEEP_GAME: Final = (
    f"BEGIN IF TG_OP = 'DELETE' AND OLD.guest THEN RETURN OLD; END IF; IF TG_OP = 'DELETE' OR {_GAME} THEN "
    + _refuse("'games is append-only'")
    + " IF; RETURN NEW; END"
)
KEEP_LEAF: Final = (
    f"BEGIN IF {_LEAF.format(other='IS DISTINCT FROM')} THEN "
    + _refuse("'leaves is append-only'")
    + " IF; RETURN NEW; END"
)
IN_ORDER: Final = (
    "BEGIN IF NEW.version < 1 OR (NEW.version > 1 AND NOT EXISTS (SELECT 1 FROM events"  # noqa: S608 - ours
    " WHERE game_id = NEW.game_id AND version = NEW.version - 1)) THEN "
    + _refuse("'events come in order'")
    + " IF; RETURN NEW; END"
)


def _postgresql() -> Iterator[tuple[str, str]]:
    for table in WATCHED:
        does = KEEP_HISTORY if table in OF_A_GAME else FORBID
        name, verbs = f"{table}_append_only", "DELETE OR UPDATE"
        if table == "leaves":
            name, verbs = "leaves_no_delete", "DELETE"
        if table == "games":
            name, verbs, does = "games_kept", "DELETE OR UPDATE OF id, guest", KEEP_GAME
        yield name, f"CREATE TRIGGER {name} BEFORE {verbs} ON {table} FOR EACH ROW: {does}"
        name = f"{table}_no_truncate"
        yield name, f"CREATE TRIGGER {name} BEFORE TRUNCATE ON {table} FOR EACH STATEMENT: {FORBID}"
    yield "leaves_no_change", f"CREATE TRIGGER leaves_no_change BEFORE UPDATE ON leaves FOR EACH ROW: {KEEP_LEAF}"
    yield "events_in_order", f"CREATE TRIGGER events_in_order BEFORE INSERT ON events FOR EACH ROW: {IN_ORDER}"


FUNCTIONS: Final = {
    FORBID: "wardroom_forbid_change",
    KEEP_LEAF: "wardroom_keep_leaf",
    KEEP_HISTORY: "wardroom_keep_history",
    KEEP_GAME: "wardroom_keep_game",
    IN_ORDER: "wardroom_in_order",
}
"""On PostgreSQL, the function that does this."""
TRIGGERS: Final[Mapping[str, Mapping[str, str]]] = {"sqlite": dict(_sqlite()), "postgresql": dict(_postgresql())}
"""By name, on each engine: the text that makes a trigger, and of PostgreSQL what its function does."""
_NAMES: Final = ", ".join(map(repr, WATCHED))
_FOUND: Final = {
    "sqlite": "SELECT name, lower(tbl_name), sql FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": """
        SELECT tgname, c.relname,
               replace(split_part(pg_get_triggerdef(t.oid), ' EXECUTE ', 1), quote_ident(n.nspname) || '.', '')
               || ': ' || prosrc || CASE WHEN tgenabled IN ('O', 'A') THEN '' ELSE ' (off)' END
          FROM pg_trigger t JOIN pg_proc p ON p.oid = tgfoid JOIN pg_class c ON c.oid = tgrelid
          JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE NOT tgisinternal AND n.nspname = current_schema()
    """,
}
_GRANTED: Final = f"""
    SELECT c.relname, privilege FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
           unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS privilege, pg_roles r
     WHERE r.rolname = '{APP_ROLE}' AND n.nspname = current_schema()
       AND c.relname IN ({_NAMES}) AND has_table_privilege(r.oid, c.oid, privilege)
    UNION
    SELECT c.relname, 'UPDATE (' || attname || ')' FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped, pg_roles r
     WHERE r.rolname = '{APP_ROLE}' AND n.nspname = current_schema() AND c.relname IN ({_NAMES})
       AND has_any_column_privilege(r.oid, c.oid, 'UPDATE') AND NOT has_table_privilege(r.oid, c.oid, 'UPDATE')
       AND has_column_privilege(r.oid, c.oid, attnum, 'UPDATE')
"""  # noqa: S608 - the names in it are ours
MAY: Final = {("games", "UPDATE"), ("leaves", "UPDATE (sealed)"), ("leaves", "UPDATE (opened)")}
"""What the role of the service may do to these tables besides reading and adding."""


def foreign_triggers(connection: Connection) -> list[str]:
    """The triggers that nobody here has made."""
    return sorted(triggers(connection).keys() - TRIGGERS[connection.dialect.name].keys())


def foreign_grants(connection: Connection) -> list[tuple[str, str]]:
    """On PostgreSQL, (table, privilege) that the service's role has and should not."""
    if connection.dialect.name == "sqlite":
        return []
    return sorted({(row[0], row[1]) for row in connection.exec_driver_sql(_GRANTED)} - MAY)


def foreign_rules(connection: Connection) -> list[tuple[str, str]]:
    """On PostgreSQL, (rule, table) of the rules that change what is written."""
    if connection.dialect.name == "sqlite":
        return []
    found = sa.text("SELECT rulename, tablename FROM pg_rules WHERE schemaname = current_schema()")
    return [(row[0], row[1]) for row in connection.execute(found)]


def make_again(connection: Connection) -> list[str]:
    """Make the triggers again that are missing, were changed or are off, as the owner of the tables. Their names."""
    missing, changed = faulty(connection)
    for name in (*missing, *changed):
        text = TRIGGERS[connection.dialect.name][name]
        if connection.dialect.name == "sqlite":
            connection.execute(sa.text(f"DROP TRIGGER IF EXISTS {name}"))
        else:
            text, body = text.split(": ", 1)
            table = text.split(" ON ")[1].split()[0]
            connection.execute(sa.text(f"DROP TRIGGER IF EXISTS {name} ON {table}"))
            makes = f"CREATE OR REPLACE FUNCTION {FUNCTIONS[body]}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$"
            connection.execute(sa.text(makes))
            text = f"{text} EXECUTE FUNCTION {FUNCTIONS[body]}()"
        connection.execute(sa.text(text))
    return [*missing, *changed]


def faulty(connection: Connection) -> tuple[list[str], list[str]]:
    """The names of the triggers that are missing, and of those that are others than they should be, or off."""
    right, found = TRIGGERS[connection.dialect.name], triggers(connection)
    there = right.keys() & found.keys()
    return sorted(right.keys() - there), sorted(name for name in there if _plain(found[name]) != _plain(right[name]))


def triggers(connection: Connection) -> dict[str, str]:
    """All triggers, by name; those of PostgreSQL that have a name of ours on another table with that, too."""
    right, found = TRIGGERS[connection.dialect.name], connection.exec_driver_sql(_FOUND[connection.dialect.name])
    if connection.dialect.name == "sqlite":
        return {name: text for name, _, text in found}
    return {name if f" ON {table} " in right.get(name, f" ON {table} ") else f"{name} on {table}": text
            for name, table, text in found}  # fmt: skip


def _plain(text: str) -> str:
    """A text without regard to blanks, and to the case of words that SQL does not regard."""
    return " ".join(text.replace("(", " ( ").replace(")", " ) ").split()).casefold()
