"""An empty Debian with a systemd of its own, in a folder: what a host begins with."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Final, Self

TOOLS: Final = ("debootstrap", "systemd-nspawn", "nsenter", "chroot")
INCLUDED: Final = "systemd,systemd-sysv,dbus,ca-certificates"
HOST_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def why_not() -> str | None:
    """Why none can be had on this machine."""
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        return f"{', '.join(missing)} is not here: Debian's packages debootstrap and systemd-container have them"
    return "only root makes containers" if os.geteuid() else None


class Debian:
    """A Debian in a folder, first as a tree that programs of this machine change, then booted without any network."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        self.leader = 0
        release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
        suite = release.get("VERSION_CODENAME", "stable").strip('"')
        bootstrap = ["debootstrap", "--variant=minbase", f"--include={INCLUDED}", suite, str(folder)]
        subprocess.run(bootstrap, check=True, capture_output=True, timeout=1200)

    def changed(self, script: str) -> str:
        """Run a script in the tree, with the network of this machine and the settings of pip here."""
        pip = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "HTTP", "http"))}
        environ = {"PATH": HOST_PATH, "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **pip}
        done = subprocess.run(
            ["chroot", str(self.folder), "bash", "-e", "-c", script],
            env=environ, capture_output=True, text=True, timeout=1200, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def __enter__(self) -> Self:
        words = ["systemd-nspawn", "-D", str(self.folder), "--boot", "--private-network", f"--machine=w{os.getpid()}"]
        words += ["--register=no", "--keep-unit", "--console=pipe"]
        quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        self.process = subprocess.Popen(words, **quiet)  # type: ignore[call-overload]
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if found := children.read_text().split():
                self.leader = int(found[0])
                if self.run("systemctl is-system-running --wait", check=False).stdout.strip() in (
                    "running",
                    "degraded",
                ):
                    return self
            time.sleep(0.2)
        self.__exit__()
        raise TimeoutError("Debian did not boot")

    def __exit__(self, *_: object) -> None:
        assert self.process is not None
        if self.leader:
            self.run("poweroff", check=False)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(60)

    def run(self, script: str, *, check: bool = True, timeout: float = 900) -> subprocess.CompletedProcess[str]:
        """Run a script in the booted system, as root at a terminal does."""
        enter = ["nsenter", "-t", str(self.leader), "-m", "-p", "-u", "-i", "-n", "-C"]
        clean = ["env", "-i", f"PATH={HOST_PATH}", "HOME=/root", "LANG=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        done = subprocess.run(
            [*enter, *clean, "bash", "-c", script], capture_output=True, text=True, timeout=timeout, check=False
        )
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done
