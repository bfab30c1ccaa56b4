"""The files of `deploy/container/`, read for tests; and a base image made of Debian's own packages, where none can be
fetched."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import yaml

from tests.acceptance.processes import ROOT, until

HERE: Final = ROOT / "deploy" / "container"
NEEDED: Final = ("buildah", "debootstrap", "crun")
INSTRUCTIONS: Final = "ARG FROM ENV RUN COPY LABEL USER WORKDIR VOLUME EXPOSE HEALTHCHECK CMD".split()


def compose() -> dict[str, Any]:
    """compose.yaml, with its anchors and merges resolved."""
    found: dict[str, Any] = yaml.safe_load((HERE / "compose.yaml").read_text(encoding="utf-8"))
    return found


def instructions(path: Path) -> list[tuple[str, str]]:
    """The instructions of a Containerfile and what follows each, lines that go on joined."""
    text = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE))
    return [(word, rest) for line in text.splitlines() if line for word, _, rest in [line.partition(" ")]]


def words_of(rest: str) -> list[str]:
    """The words of a command in the form without a shell. Raises ValueError for any other."""
    words: list[str] = json.loads(rest[rest.index("[") :])
    return words


class Images:
    """buildah with a store of its own, which goes with its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        lines = f'driver = "vfs"\ngraphroot = "{folder}/graph"\nrunroot = "{folder}/run"\n'
        (folder / "storage.conf").write_text(f"[storage]\n{lines}")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
        here = {"CONTAINERS_STORAGE_CONF": str(folder / "storage.conf"), "BUILDAH_ISOLATION": "chroot"}
        self.environ = kept | here

    def __call__(self, *words: str | Path) -> str:
        """What a command of buildah says."""
        done = self.run(*words)
        assert done.returncode == 0, f"{words}: {done.stderr[-2000:]}"
        return done.stdout.strip()

    def run(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        """A command of buildah that may fail."""
        command = ["buildah", *words]
        return subprocess.run(command, env=self.environ, cwd=ROOT, capture_output=True, text=True, check=False)

    def said(self, *words: str) -> str:
        """What a program in a container says, for the options of `buildah run`, the container, the program's words.

        On a busy machine buildah may end before it has passed on what a short program printed: it is asked again.
        """
        place = next(number for number, word in enumerate(words) if not word.startswith("--"))
        command = ("run", *words[: place + 1], "--", *words[place + 1 :])
        return str(until(lambda: self(*command), "what it says"))

    def make_base(self, *names: str) -> None:
        """Make an image of Debian with Python, and call it as Containerfiles call what they begin with."""
        root = self.folder / "root"
        packages = "--include=python3,python3-venv,ca-certificates,tzdata"
        command = ["debootstrap", "--variant=minbase", packages, "bookworm", str(root)]
        subprocess.run(command, capture_output=True, check=True)
        container = self("from", "scratch")
        self("add", "-q", container, str(root), "/")
        self("config", "--env", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", container)
        self("commit", "-q", "--rm", container, names[0])
        for name in names[1:]:
            self("tag", names[0], name)
        shutil.rmtree(root)


@contextmanager
def images(folder: Path) -> Iterator[Images]:
    """A store of images, emptied afterwards."""
    found = Images(folder)
    try:
        yield found
    finally:
        found.run("rm", "--all")
        found.run("rmi", "--all", "--force")
