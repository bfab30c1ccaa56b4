"""What a host has: a folder whose name has blanks in it, an environment of their own, a user who is not root."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import dev
from tests.acceptance.processes import Program
from tests.package.build import PACKAGES, build
from tests.ports import free_port

NOBODY: Final = 65534
BARE: Final = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
OFFLINE: Final = ("--no-index", "--no-deps", "--no-compile", "-q")
"""The lock names all there is, so nothing is resolved; what is run is compiled, and nothing else."""


def other_user() -> dict[str, int]:
    """How to start a program as nobody in particular: by root alone, others are that already."""
    return {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}


def interpreters(version: str) -> list[Path]:
    """The Pythons of a version here, that of the system first, for it is what hosts have."""
    managed = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    own = [Path(sys.base_prefix, "bin", f"python{version}")] if sys.version.startswith(f"{version}.") else []
    return [path for path in (Path(f"/usr/bin/python{version}"), *own, *managed) if runs(path)]


def runs(python: Path, **user: int) -> bool:
    """Whether it can be started at all, and can make environments."""
    with contextlib.suppress(OSError):
        command = [python, "-I", "-c", "import ctypes, sqlite3, ssl, venv"]
        return subprocess.run(command, cwd="/", env=BARE, capture_output=True, check=False, **user).returncode == 0
    return False


@dataclass
class Host:
    """An environment in which the package is installed, and a home with nothing in it, far from any checkout."""

    folder: Path
    python: Path
    user: dict[str, int]
    port: int = field(default_factory=free_port)

    @property
    def bin(self) -> Path:
        return self.folder / "the club" / "bin"

    @property
    def home(self) -> Path:
        return self.folder / "home of nobody"

    @property
    def data(self) -> Path:
        return self.home / ".local" / "share" / "wardroom"

    @property
    def elsewhere(self) -> Path:
        """The folder of another project, whose packages have the names of ours: the command is typed there."""
        return self.folder / "another project"

    def environ(self, **settings: str) -> dict[str, str]:
        """As a login has it: no variable leads to any code. Compiled modules are kept at home, to be quick."""
        ours = {"PORT": str(self.port), "MAIL_IN": f"smtp://127.0.0.1:{free_port()}", **settings}
        own = {"HOME": str(self.home), "PYTHONPYCACHEPREFIX": str(self.home / "compiled")}
        return BARE | own | {f"WARDROOM_{name}": value for name, value in ours.items()}

    def install(self, wheel: Path, lock: Path, wheels: Path) -> None:
        """As the page for hosts says, from a folder instead of an index."""
        command = [self.python, "-m", "venv", "--without-pip", self.bin.parent]
        subprocess.run(command, env=BARE, check=True)
        self.pip("--find-links", wheels, "--require-hashes", "--only-binary", ":all:", "-r", lock)
        self.pip(wheel)

    def pip(self, *words: str | Path) -> None:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--isolated",
            "--disable-pip-version-check",
            "--python",
            self.bin / "python",
        ]
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
        subprocess.run([*pip, "install", *OFFLINE, *words], env=kept, cwd=self.folder, check=True)

    def run(self, program: str, *words: str, **settings: str) -> str:
        """What a program of the environment says that its user types; `wardroom` may be typed anywhere."""
        cwd = self.elsewhere if program == "wardroom" else self.home
        done = subprocess.run(
            [self.bin / program, *words], cwd=cwd, env=self.environ(**settings), capture_output=True, text=True,
            check=False, timeout=300, **self.user,
        )  # fmt: skip
        assert done.returncode == 0, f"{words}: {done.stderr}"
        return done.stdout

    def start(self, program: str, *words: str, **settings: str) -> Program:
        """The same, for what goes on."""
        log = self.folder / f"{program} {len(list(self.folder.iterdir()))}.log"
        return Program([str(self.bin / program), *words], self.environ(**settings), log, self.elsewhere, **self.user)


@contextlib.contextmanager
def host(python: Path, user: dict[str, int], wheels: Path = dev.WHEELS) -> Iterator[Host]:
    """A host who has installed this very code, built as a release is."""
    with tempfile.TemporaryDirectory(prefix="a host's ", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        found = Host(folder, python, user)
        found.home.mkdir()
        for package in PACKAGES:
            (found.elsewhere / package).mkdir(parents=True)
            (found.elsewhere / package / "__init__.py").write_text('raise SystemExit("This is not Wardroom.")\n')
        if user:
            os.chown(found.home, user["user"], user["group"])
        built = build(folder / "dist", "-t", "wheel")
        (wheel,) = built.glob("*.whl")
        found.install(wheel, built / "requirements.lock", wheels)
        yield found
