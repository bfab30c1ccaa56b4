"""Our programs as processes forked from one that has imported them: real processes without the seconds of a start.

The first is a new interpreter, which knows nothing of pytest, its threads and its patches; each process forked from it
has an environment, a folder and files of its own, as if somebody had typed `python -m MODULE WORDS`. What the start of
an interpreter itself proves (PYTHONPATH, options, the end of the interpreter) needs a real start.
"""

import atexit
import gc
import importlib
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from multiprocessing import get_context
from pathlib import Path
from typing import Any

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload([
    "tests.forked", "service.cli", "service.commands.health.diagnosis", "service.container", "service.privacy.erase",
    "service.integrity.audit", "service.integrity.export_bundle", "service.integrity.replay",
    "service.store.structure.migrate", "service.accounts.people", "service.games.history_queries", "alembic.command",
    "domain.audit.bundle.verify", "psycopg", "workers.processes.embedded", "workers.processes.serving",
    "tests.workers.doomed", "tests.workers.mail_in.doomed_listener", "tests.workers.mail_in.doomed_postroom",
    "tests.service.store.mover", "tests.service.api.turn_taker",
])  # fmt: skip


class Forked:
    """The `main` of a module in a process and a group of its own; `folder` has its standard files: 0, 1 and 2.

    It has the face of `subprocess.Popen`. `warns`: what it leaves open is said on its standard error.
    """

    def __init__(
        self, module: str, words: list[str], environ: Mapping[str, str], cwd: Path, folder: Path, warns: bool = False
    ) -> None:
        self.args = [module, *words]
        given = (module, words, dict(environ), cwd, folder, warns)
        self._process = FORKS.Process(target=_become, args=given, daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, seconds: float) -> int:
        """How it ended: minus the signal, where one ended it. Raises TimeoutExpired."""
        self._process.join(seconds)
        if (code := self._process.exitcode) is None:
            raise subprocess.TimeoutExpired(self.args, seconds)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def run(
    module: str, words: list[str], environ: Mapping[str, str], cwd: Path, stdin: str = "", seconds: float = 119
) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run` does. Raises TimeoutExpired."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "0").write_text(stdin)
        process = Forked(module, words, environ, cwd, folder, warns=True)
        try:
            code = process.wait(seconds)
        finally:
            process.send_signal(signal.SIGKILL)
        out, error = ((folder / name).read_text(errors="backslashreplace") for name in "12")
        return subprocess.CompletedProcess(process.args, code, out, error)


def _become(module: str, words: list[str], environ: dict[str, str], cwd: Path, folder: Path, warns: bool) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(cwd)
    for number, how in enumerate((os.O_RDONLY | os.O_CREAT, *[os.O_WRONLY | os.O_CREAT | os.O_APPEND] * 2)):
        file = os.open(folder / str(number), how)
        os.dup2(file, number)
        os.close(file)
    sys.stdin = os.fdopen(0, closefd=False)
    warnings.simplefilter("error" if warns else "ignore", ResourceWarning)
    os.execve = _execute
    try:
        _call(module, words)
    finally:
        atexit._run_exitfuncs()
        gc.collect()


def _call(module: str, words: list[str]) -> None:
    program: Any = importlib.import_module(module)
    sys.argv = [str(program.__file__), *words]
    program.main(*([] if hasattr(program.main, "callback") else words))  # click reads them itself


def _execute(path: str, words: list[str], environ: Mapping[str, str]) -> None:
    """A program that becomes another of ours becomes it without a start."""
    assert words[:3] == [path, "-P", "-m"] == [sys.executable, "-P", "-m"]
    os.environ.update(environ)
    warnings.simplefilter("ignore", ResourceWarning)  # an option of the first
    _call(words[3], words[4:])
    sys.exit()
