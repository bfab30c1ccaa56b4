"""What is loaded at its first use, and that a process which forks has loaded it before (decision 0106, P16)."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.settings import load
from service.app import create_app
from service.container import assemble
from service.kernel import late
from service.store.structure import migrate

ROOT = Path(__file__).parents[3]
GAMES = {"domain.tammany_hall", "domain.city_hall"}
LATE = {"webauthn", "limits", "markdown_it", "babel.dates", "babel.messages.pofile"}


def loaded_by(program: str, environment: dict[str, str] | None = None) -> set[str]:
    """The modules that a new process has loaded when it has run this program."""
    words = [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=True)
    return set(done.stdout.split())


@pytest.mark.slow
def test_the_factory_loads_no_game_no_table_and_nothing_that_can_wait():
    loaded = loaded_by("import service.app")
    assert "flask" in loaded
    assert loaded & (GAMES | LATE | {"service.store.rows", "alembic", "celery", "PIL", "yaml"}) == set()


@pytest.mark.slow
def test_the_embedded_service_does_without_what_sqlite_does_not_need():
    loaded = loaded_by("import workers.processes.serving")
    assert loaded & {"psycopg", "redis", "celery", "kombu", "alembic"} == set()


@pytest.mark.slow
def test_what_watches_over_the_embedded_service_does_without_all_that_serves():
    """Its memory would be there twice."""
    loaded = loaded_by("import workers.processes.embedded")
    assert loaded & {"sqlalchemy", "pydantic", "flask", "marshmallow", "aiosmtpd", "msgspec", *GAMES} == set()


@pytest.mark.slow
def test_play_knows_the_kinds_of_games_without_loading_one():
    program = "from domain.rulesets import RULESETS\nimport service.games.play\nassert 'city-hall' in RULESETS"
    assert loaded_by(program) & (GAMES | LATE) == set()
    assert loaded_by("from domain.history.codec import history\nhistory('city-hall')") & GAMES == {"domain.city_hall"}


@pytest.mark.slow
def test_a_web_process_has_loaded_everything_before_it_forks(tmp_path):
    environment = {
        "WARDROOM_DATA_DIR": f"{tmp_path}",
        "WARDROOM_DATABASE_URL": f"sqlite:///{tmp_path}/wardroom.sqlite",
        "WARDROOM_SECRET_KEY": "loaded" * 8,
        "WARDROOM_LOG_LEVEL": "error",
    }
    services = assemble(load(environment))
    migrate.upgrade(services.database)
    services.database.close()
    program = (
        "import service.wsgi, gc\nassert gc.isenabled() and gc.get_freeze_count() > 100_000\n"
        "api = service.wsgi.app.extensions['description']\nassert len(api.spec.to_dict()['paths']) > 50\n"
        "import sys\nfrom service.kernel.late import NAMES\nassert len(NAMES) > 5 and sys.modules.keys() >= {*NAMES}"
    )
    assert loaded_by(program, environment) >= GAMES | LATE


def test_a_late_module_is_loaded_by_the_first_name_asked_of_it(monkeypatch):
    monkeypatch.setattr(late, "NAMES", [])
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    module = late.late("colorsys")
    assert late.NAMES == ["colorsys"]
    assert "colorsys" not in sys.modules
    assert module.rgb_to_hls(1, 1, 1) == (0, 1, 0)
    assert "colorsys" in sys.modules
    assert "rgb_to_hls" in vars(module)
    with pytest.raises(AttributeError, match="no_such_colour"):
        module.no_such_colour  # noqa: B018 - asked for


class SlowDisk:
    """A finder that finds nothing, and leaves the other thread time to hold the lock of `lately.first` meanwhile."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "lately":
            time.sleep(0.2)


def test_two_threads_may_first_need_modules_of_one_package_at_once(tmp_path, monkeypatch):
    """The home page and a game page right after a start: one needs `babel.messages.catalog`, the other `pofile`."""
    package = tmp_path / "lately"
    package.mkdir()
    (package / "__init__.py").write_text("from lately import first\n")
    for name in ("first", "second"):
        (package / f"{name}.py").write_text("answer = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [SlowDisk(), *sys.meta_path])
    monkeypatch.setattr(late, "NAMES", [])
    modules = [late.late(f"lately.{name}") for name in ("second", "first")]
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda module: module.answer, modules)) == [1, 1]


@pytest.mark.slow
def test_the_api_is_described_when_that_is_asked_for_and_once(tmp_path, monkeypatch):
    database = {"WARDROOM_DATABASE_URL": f"sqlite:///{tmp_path}/none.sqlite"}
    services = assemble(load({"WARDROOM_DATA_DIR": f"{tmp_path}", "WARDROOM_SECRET_KEY": "loaded" * 8, **database}))
    app = create_app(services)
    api = app.extensions["description"]
    assert api.spec.to_dict()["paths"] == {}
    first = app.test_client().get("/api/v1/openapi.json")
    assert len(first.json["paths"]) > 50
    monkeypatch.setattr(api.spec, "to_dict", None)
    assert app.test_client().get("/api/v1/openapi.json").data == first.data
    services.database.close()
