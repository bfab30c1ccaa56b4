"""Where data lies when no setting says so: never beside installed code, which an upgrade replaces. And the pages."""

import sysconfig
from collections.abc import Mapping
from pathlib import Path

from config.release import ROOT, is_checkout


def page(name: str) -> Path:
    """Where a page of `docs/` lies: an installation has it among the files for hosts (hatch_build.py)."""
    return (ROOT if is_checkout() else Path(sysconfig.get_path("data"), "share", "wardroom")) / "docs" / name


def data_dir(environ: Mapping[str, str]) -> str:
    """A path: `var` for a checkout; installed, what systemd made for the unit, else the user's own folder for data."""
    return "var" if is_checkout() else installed_data_dir(environ)


def installed_data_dir(environ: Mapping[str, str]) -> str:
    """The first StateDirectory of systemd.exec(5), else `wardroom` in the folder for data of the XDG specification."""
    state = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    if state:
        return state
    shared = environ.get("XDG_DATA_HOME", "")
    return str(Path(shared if shared.startswith("/") else "~/.local/share", "wardroom"))
