"""Our modules as programs in processes of their own, found whatever lies in the working directory.

Our packages have plain names, so another `service` or `config` there must not be taken for ours.
"""

import os
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""The folder that holds our packages: a checkout, or where packages are installed."""


def command(module: str, *words: str) -> list[str]:
    """`python -m module words` with this interpreter, without the working directory among the places to look."""
    return [sys.executable, "-P", "-m", module, *words]


def extended(environ: Mapping[str, str]) -> dict[str, str]:
    """An environment that also leads to our packages, after whatever else its variable leads to."""
    ours = search_path().get("PYTHONPATH")
    paths = [path for path in (environ.get("PYTHONPATH"), ours) if path]
    return {**environ, "PYTHONPATH": os.pathsep.join(paths)} if ours else dict(environ)


def search_path() -> dict[str, str]:
    """The variable that leads an interpreter to our packages; none where they are installed, for there it looks."""
    installed = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    return {} if ROOT in installed else {"PYTHONPATH": str(ROOT)}
