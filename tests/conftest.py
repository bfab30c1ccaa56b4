"""Fixtures every test may use: real servers, settings, databases; and the patches freezegun needs.

With pytest-xdist each worker process has its own servers.
"""

import gc
import logging
import os
import random
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import freezegun
import hypothesis
import pytest
import structlog
from freezegun.api import FakeDate, FakeDatetime
from pydantic_core import core_schema

from config.settings import Settings, load
from tests import compiled
from tests.both_databases import BothDatabases
from tests.closing import Closing
from tests.databases import (
    migrated_postgres,
    migrated_sqlite,
    open_services,
    postgres_template,
    sqlite_template,
    url,
)
from tests.servers import PostgresServer, RedisServer
from tests.smtp_sink import SmtpSink

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["migrated_postgres", "migrated_sqlite", "open_services", "postgres_template", "sqlite_template", "url"]

SAME_EACH_TIME: dict[str, Any] = {"derandomize": True, "deadline": None, "database": None}
hypothesis.settings.register_profile("quick", max_examples=50, **SAME_EACH_TIME)
hypothesis.settings.register_profile("long", max_examples=400, **SAME_EACH_TIME)

# pydantic must read freezegun's stand-ins as the classes they stand for, also in models built while time is frozen.
FakeDatetime.__get_pydantic_core_schema__ = classmethod(lambda *_: core_schema.datetime_schema())
FakeDate.__get_pydantic_core_schema__ = classmethod(lambda *_: core_schema.date_schema())
# Whoever runs the suite in the background of a shell script lets it ignore Ctrl-C, and every command it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
# An error that is logged takes a second to print with the values of all variables, as `rich` does: no test reads them.
structlog.get_config()["processors"][-1].exception_formatter = structlog.dev.plain_traceback
compiled.share()
freezegun.configure(extend_ignore_list=["celery", "kombu", "vine", "amqp", "redis", "billiard"])


gc.disable()  # until all tests are found: what is loaded before stays to the end


def pytest_collection_finish() -> None:
    """Look for garbage from now on, and not among the modules and the thousands of tests, again and again."""
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the drills marked long, which take minutes")
    parser.addoption("--first", default="", help="run what belongs to these changed files first: paths with commas")
    parser.addoption("--shuffle", metavar="SEED", help="run files, and tests in files, in an order drawn by a seed")


def pytest_configure(config: pytest.Config) -> None:
    closing = Closing(config)
    both = BothDatabases(closing)
    both.watch()
    config.pluginmanager.register(closing)
    config.pluginmanager.register(both)
    hypothesis.settings.load_profile("long" if config.getoption("--long") else "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark every test that names a PostgreSQL fixture; leave the drills marked long for `--long`."""
    for item in items:
        if "postgres_server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.postgres)
    if not config.getoption("--long"):
        drills = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=drills)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
    if seed := config.getoption("--shuffle"):
        chance = random.Random(seed)
        ranks = {path: chance.random() for path in sorted({item.path for item in items})}
        chance.shuffle(items)
        items.sort(key=lambda item: ranks[item.path])
    if changed := config.getoption("--first"):
        items.sort(key=lambda item: not _belongs(item.path, changed.split(",")))


@cache
def _source(path: Path) -> str:
    return path.read_text()


def _belongs(path: Path, changed: list[str]) -> bool:
    """Return whether a test file changed, or names a module that did."""
    names = {name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name in changed}
    own = ".".join(path.relative_to(Path(__file__).parent.parent).with_suffix("").parts)
    return own in names or any(name in _source(path) for name in names if not name.startswith("tests."))


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    """A command that a test runs in this process sets logging up: put it back, or later tests capture no line."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    yield
    if structlog.is_configured():
        logging.captureWarnings(False)
        root.handlers, root.level = before
        structlog.reset_defaults()


@pytest.fixture(autouse=True)
def apps_given_back() -> Iterator[None]:
    """Applications are free for others when a test is over."""
    yield
    if apps := sys.modules.get("tests.apps"):
        apps.give_back()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A real PostgreSQL: `create(template)` and `drop(url)` databases in it."""
    with PostgresServer() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """An empty PostgreSQL database for one test."""
    url = postgres_server.create()
    yield url
    postgres_server.drop(url)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A SQLite file for one test, not yet made."""
    return f"sqlite:///{tmp_path}/test.sqlite"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest) -> str:
    """An empty database for one test, which runs twice: on SQLite and on PostgreSQL."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """A real Redis, shared: a test that stops or freezes one starts its own `RedisServer`."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def redis_url(redis_server: RedisServer) -> str:
    """The shared Redis, emptied for one test."""
    redis_server.empty()
    return redis_server.url


@pytest.fixture(scope="session")
def _smtp_server() -> Iterator[SmtpSink]:
    with SmtpSink() as sink:
        yield sink


@pytest.fixture
def smtp_sink(_smtp_server: SmtpSink) -> SmtpSink:
    """A mail server without mails; `script` tells it what to answer."""
    _smtp_server.clear()
    return _smtp_server


@pytest.fixture
def settings_with(tmp_path: Path) -> Callable[..., Settings]:
    """Load settings from the variables given, without their prefix: `settings_with(MAIL_DOMAIN="x.example")`.

    Nothing comes from the environment; data is kept in the test's own directory, rate limits are off, and neither mail
    nor bots wait.
    """

    def make(**variables: str) -> Settings:
        at_once = {"RATE_LIMITS": "off", "MAIL_WINDOW": "PT0S", "UNDO_SECONDS": "0"}
        given = {"DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": "k" * 32, **at_once, **variables}
        return load({f"WARDROOM_{name}": value for name, value in given.items()})

    return make


@pytest.fixture
def settings(settings_with: Callable[..., Settings]) -> Settings:
    """The embedded mode: SQLite, no Redis, the development mailbox."""
    return settings_with()


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """A browser, started once a process."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert program, "no Chromium here: `python3 dev.py test` finds or installs it, and CHROMIUM names another"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()
