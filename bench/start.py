"""What it costs to start: processor time of a new process, its children included. `python3 dev.py bench start`.

The floor imports the libraries that a service of this kind cannot do without (gate P16).
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench import ground
from bench.rounds import compare

ROOT: Final = Path(__file__).parent.parent
STARTS: Final = {
    "flask, sqlmodel, psycopg": ("-c", "import flask, sqlmodel, psycopg"),
    "service.app": ("-c", "import service.app"),
    "the whole web application": ("-c", "import service.wsgi"),
    "the workers' tasks": ("-c", "import workers.tasks"),
    "wardroom --help": ("-m", "service.cli", "--help"),
    "wardroom games list": ("-m", "service.cli", "games", "list"),
}
QUIET: Final = {"WARDROOM_LOG_LEVEL": "error"}


def main() -> None:
    """Start each in every round."""
    with TemporaryDirectory(prefix="wardroom-bench-") as folder:
        os.environ["BENCH_SQLITE_DIR"] = folder
        services = ground.migrated(f"sqlite:///{folder}/bench.sqlite", "start")
        services.database.close()
        environment = os.environ | ground.environment(services.settings.database_url)
        compare(
            "Start of a process", "ms of processor time", {name: _start(environment, *STARTS[name]) for name in STARTS}
        )


def _start(environment: dict[str, str], *words: str) -> Callable[[], float]:
    return lambda: processor_time([sys.executable, *words], environment)


def processor_time(command: Sequence[str], environment: dict[str, str]) -> float:
    """Milliseconds of user and system time that a command takes. It must end well."""
    silent = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=silent, stderr=silent) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return 1000 * (used.ru_utime + used.ru_stime)
