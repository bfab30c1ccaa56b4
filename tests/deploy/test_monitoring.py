"""The alerts and the dashboard of deploy/ ask for nothing that is not told, and each alert for a row of the table."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
import yaml

from config.settings import load
from service.container import Services, assemble
from service.kernel.measures import BOUNDS, LABELS, Measures
from service.store.rows import InboundRow
from service.store.running.heartbeats import beat
from service.store.structure import migrate
from service.telemetry.reporter import Reporter
from service.web.metrics.exposition import Exposition
from service.web.metrics.names import COUNTERS, GAUGES, HISTOGRAMS
from tests.acceptance.processes import Program, answers, environment, until
from tests.ports import free_port
from tests.service.web.metrics.test_metrics import series

ROOT = Path(__file__).parents[2]
ALERTS = ROOT / "deploy" / "prometheus" / "rules.yml"
DASHBOARD = ROOT / "deploy" / "grafana" / "wardroom.json"
NO_PROMTOOL = "promtool is not here: Debian's package prometheus has it; what the rules ask for is looked at anyway"
ASKED = re.compile(r"(wardroom_\w+)(?:\{([^}]*)\})?")
MATCHES = re.compile(r'(\w+)(=~|!~|!=|=)"([^"]*)"')
HEADER = "| gone | what happens | what to do |"


def rules() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return found


def expressions() -> Iterator[tuple[str, str]]:
    """What is asked for, and by which alert or panel."""
    yield from ((rule["alert"], rule["expr"]) for rule in rules())
    yield from ((panel["title"], target["expr"]) for panel in panels() for target in panel.get("targets", ()))


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """What a service tells that has Redis, news, mail that came in, and processes of each role."""
    folder = tmp_path_factory.mktemp("told")
    given = {"REDIS_URL": "redis://127.0.0.1:1/0", "NEWS": "127.0.0.1:1"}
    given |= {"SECRET_KEY": "k" * 32, "DATA_DIR": str(folder)}
    services = assemble(load({f"WARDROOM_{name}": text for name, text in given.items()}), durable=False)
    migrate.upgrade(services.database)
    report(services)
    found = series(Exposition(services).text())
    services.database.close()
    return found


def report(services: Services) -> None:
    """Each process says that it lives, each measure has a sample, a mail is set aside, signs of life are given."""
    for role in ("web", "worker", "bots", "mail"):
        process = Reporter(services.database, Measures())
        process.role, process._process = role, role
        for name, labels in LABELS.items():
            values = [{"process": role, "channel": "mail", "status": "5xx"}.get(label, "x") for label in labels]
            if name in BOUNDS:
                process.measures.observe(name, 1, *values)
            else:
                process.measures.count(name, *values)
        assert process.report()
    with services.database.write() as tx:
        for name in ("sweep", "beat", "housekeeping", "imap"):
            beat(services.database, tx, name)
        mail = {"received_at": 1, "source": "lmtp", "sender": "", "recipient": "", "purpose": "mv", "digest": b"x"}
        tx.execute(sa.insert(InboundRow.__table__).values(**mail, state="quarantined"))


@pytest.mark.parametrize("where, asks", list(expressions()))
def test_what_is_asked_for_is_told_with_these_labels(told, where, asks):
    asked = ASKED.findall(asks)
    assert asked or "up{job" in asks
    for name, within in asked:
        samples = [dict(labels) for sample, labels in told if sample == name]
        optional = name in ("wardroom_games",)  # there is none yet
        assert samples or optional, f"{where}: nobody tells {name}"
        for label, how, value in MATCHES.findall(within):
            values = {labels[label] for labels in samples}
            if how == "=" and (name, value) not in NEVER_AT_ONCE:
                assert value in values, f"{where}: {name} has {label} {sorted(values)}, not {value}"
            if how == "=~":
                assert [known for known in values if re.fullmatch(value, known)], where
    for label in re.findall(r"by \(([\w, ]+)\)", asks):
        names = {part.strip() for part in label.split(",")} - {"le"}
        assert all(names <= set(labels_of(name)) for name, _ in asked), where


NEVER_AT_ONCE = {("wardroom_ready", "key")}
"""Told alone, when all else is not looked at."""


def labels_of(name: str) -> tuple[str, ...]:
    """The labels of a metric by the name of one of its samples."""
    base = re.sub(r"_(?:total|bucket|sum|count)$", "", name)
    known = {**GAUGES, **COUNTERS, **HISTOGRAMS}
    return known[name if name in known else base].labels


def test_every_metric_is_told_by_a_service_that_has_all(told):
    names = {name for name, _ in told}
    for name in {*GAUGES} - {"wardroom_games", "wardroom_outbox"}:
        assert name in names
    assert {f"{name}_total" for name in COUNTERS} <= names
    assert {f"{name}_bucket" for name in HISTOGRAMS} <= names


def test_each_alert_quotes_a_row_of_the_table_and_says_what_to_do():
    table = (ROOT / "docs" / "operations.md").read_text().partition(HEADER)[2]
    cells = [line.split(" | ")[0].removeprefix("| ") for line in table.partition("\n\n")[0].splitlines()[2:]]
    for rule in rules():
        row, summary = rule["annotations"]["row"], rule["annotations"]["summary"]
        assert [cell for cell in cells if cell == row or cell.startswith((f"{row}:", f"{row},"))], rule["alert"]
        assert summary.endswith(".")
        assert rule["labels"]["severity"] in ("page", "warn")
    assert len({rule["alert"] for rule in rules()}) == len(rules())


def test_the_panels_of_the_dashboard_lie_side_by_side_and_ask_the_source_that_is_chosen():
    taken: set[tuple[int, int]] = set()
    for panel in panels():
        place = panel["gridPos"]
        columns, lines = range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])
        cells = {(x, y) for x in columns for y in lines}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
        for target in panel.get("targets", ()):
            assert target["datasource"]["uid"] == "${source}"
    assert len({panel["id"] for panel in panels()}) == len(panels())


@pytest.fixture
def promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        pytest.skip(NO_PROMTOOL)
    return found


@pytest.mark.parametrize("words", [
    ["check", "rules", "rules.yml"], ["test", "rules", "rules_test.yml"],
    ["check", "config", "--syntax-only", "prometheus.yml"],
], ids=" ".join)  # fmt: skip
def test_promtool_finds_nothing_wrong(promtool, words):
    done = subprocess.run([promtool, *words], cwd=ALERTS.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_promtool_reads_what_the_dashboard_asks_for(promtool, tmp_path):
    targets = [target for panel in panels() for target in panel.get("targets", ())]
    asked = [target["expr"].replace("$__rate_interval", "5m") for target in targets]
    recorded = [{"record": f"panel:{number}", "expr": expr} for number, expr in enumerate(asked)]
    (tmp_path / "rules.yml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": recorded}]}))
    done = subprocess.run([promtool, "check", "rules", tmp_path / "rules.yml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_a_service_tells_is_what_prometheus_reads(promtool, open_services, migrated_sqlite):
    services = open_services(migrated_sqlite)
    report(services)
    done = subprocess.run([promtool, "check", "metrics"], input=Exposition(services).text(), capture_output=True)
    assert done.returncode in (0, 3), done.stderr
    assert not [line for line in done.stderr.decode().splitlines() if "error" in line.lower()], done.stderr


# The page


def lines_of(page: str, heading: str, end: str) -> list[str]:
    """The commands of a section, as they are typed."""
    text = (ROOT / "docs" / page).read_text().partition(heading)[2].partition(end)[0]
    return [line[4:] for line in text.splitlines() if line.startswith("    ")]


LEFT = {
    "apt-get install": "Debian's own", "systemctl restart prometheus": "the same",
    "systemctl restart wardroom.target": "tests/deploy/test_hosting.py starts the units",
    "openssl rand -hex 24": "writes into /etc",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("jq") is None or shutil.which("curl") is None, reason="the page uses curl and jq")
def test_what_the_pages_type_to_watch_works_as_it_stands_there(tmp_path, promtool):
    port, log = free_port(), tmp_path / "log"
    environ = environment(DATA_DIR=str(tmp_path / "data"), PORT=f"{port}", LOG_LEVEL="info", LOG_FORMAT="json")
    (tmp_path / "prometheus").mkdir()
    typed = [*lines_of("hosting.md", "## 12. Watch it", "\n## "), *lines_of("operations.md", "**Logs**", "**Traces.**")]
    asked = [line for line in typed if not line.startswith(tuple(LEFT))]
    assert len(asked) == 6
    assert all(any(line.startswith(start) for line in typed) for start in LEFT)
    with Program([sys.executable, "-m", "workers.processes.embedded"], environ, log) as program:
        until(lambda: answers(port) or program.process.poll() is not None, "the service")
        with httpx.Client(base_url=f"http://127.0.0.1:{port}") as http:
            id = http.get("/api/v1/rulesets").headers["X-Request-Id"]
        printed = [types(line, port, log, id, tmp_path) for line in asked]
    metrics, copied, checked, *followed = printed
    assert "wardroom_database_up 1.0" in metrics
    assert copied == ""
    assert f"{len(rules())} rules found" in checked
    assert all("/api/v1/rulesets" in line and id in line and line.count("\n") == 1 for line in followed)


def types(line: str, port: int, log: Path, id: str, folder: Path) -> str:
    """What is printed where a line is typed, with the port, the journal, the id and the places of this test."""
    here = line.replace("127.0.0.1:8000", f"127.0.0.1:{port}").replace("7x2m9qd4tk5hv0sz", id)
    here = here.replace("journalctl -o cat -u 'wardroom-*'", f"cat {log}")
    here = here.replace("/etc/prometheus", f"{folder}/prometheus")
    done = subprocess.run(["bash", "-c", here], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (here, done.stderr)
    return done.stdout
