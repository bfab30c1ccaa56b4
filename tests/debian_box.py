"""A Debian machine for tests, and a world around it, without a container engine: namespaces over this very system.

with DebianBox(tmp_path, packages="postfix opendkim") as box:
    box.run("cp deploy/postfix/main.cf /etc/postfix/")   # as root, in this folder, and nothing outside is changed
    box.start("python -m workers.processes.embedded")
    box.run("dig mx x.example", world=True)                        # on the other side of its only cable

Files are those of this machine, and what is written lies in memory and is gone with the box. So are processes, ports
and addresses: all default ports are free in it. Only packages are installed from outside.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

ROOT: Final = Path(__file__).parent.parent
BOX: Final = "93.184.215.14"
"""The public address of the machine."""
WORLD: Final = "203.0.113.77"
"""Everybody else; the DNS and other people's mail servers listen there."""
NAME_SERVER: Final = "203.0.113.53"
PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
MORTAL: Final = ("setpriv", "--pdeathsig", "KILL")
"""However the tests end, the box ends with them."""
TOOLS: Final = ("setpriv", "unshare", "nsenter", "mount", "chroot", "apt-get", "ip")
SETUP: Final = """
set -e
mount -t tmpfs tmpfs "$BOX"
mkdir "$BOX/upper" "$BOX/work" "$BOX/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$BOX/upper,workdir=$BOX/work" "$BOX/root"
mount -t proc proc "$BOX/root/proc"
mount --rbind /dev "$BOX/root/dev"
printf '#!/bin/sh\\nexit 101\\n' > "$BOX/root/usr/sbin/policy-rc.d"
chmod 755 "$BOX/root/usr/sbin/policy-rc.d"
export DEBIAN_FRONTEND=noninteractive
install() { chroot "$BOX/root" apt-get -q install -y --no-install-recommends $PACKAGES; }
[ -z "$PACKAGES" ] || install || { chroot "$BOX/root" apt-get -q update; install; }
echo "nameserver 203.0.113.53" > "$BOX/root/etc/resolv.conf"
unshare --net chroot "$BOX/root" sh -c 'echo $$ > /run/world.pid; exec sleep infinity' &
exec unshare --net chroot "$BOX/root" sh -ec '
    until [ -s /run/world.pid ]; do sleep 0.05; done
    world=$(cat /run/world.pid)
    ip link set lo up
    ip link add cable type veth peer name cable netns $world
    ip address add 93.184.215.14/32 dev cable
    ip link set cable up
    nsenter -t $world --net sh -ec "ip link set lo up; ip address add 203.0.113.77/32 dev cable
        ip address add 203.0.113.53/32 dev cable; ip link set cable up; ip route add 93.184.215.14 dev cable
        ip route add default dev cable"
    ip route add default dev cable
    echo $$ > /run/box.pid
    exec sleep infinity'
"""


class NoBox(Exception):
    """This machine cannot have one; the message says why."""


class DebianBox:
    """One machine with a world at the other end of its cable."""

    def __init__(self, folder: Path, packages: str = "") -> None:
        self.folder = folder / "box"
        self.packages = packages
        self.log = folder / "box.log"
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        missing = [name for name in TOOLS if shutil.which(name) is None]
        if os.geteuid() != 0 or missing:
            raise NoBox(f"needs root on Debian{' with ' + ', '.join(missing) if missing else ''}")
        self.folder.mkdir()
        environ = os.environ | {"BOX": str(self.folder), "PACKAGES": self.packages}
        words = [*MORTAL, "unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"]
        with self.log.open("wb") as out:
            self._holder = subprocess.Popen(
                [*words, "sh", "-c", SETUP], env=environ, stdout=out, stderr=subprocess.STDOUT
            )
        self._targets = {False: self._target("box"), True: self._target("world")}
        return self

    def __exit__(self, *_: object) -> None:
        self._holder.send_signal(signal.SIGKILL)  # and with it every process of the box
        self._holder.wait(60)
        for process in self._started:
            process.wait(60)

    def _target(self, name: str) -> int:
        """The process outside that stands for the box or the world. Raises NoBox."""
        end = time.monotonic() + 300
        while time.monotonic() < end:
            if self._holder.poll() is not None:
                raise NoBox(f"could not be set up: {self.log.read_text(errors='replace')[-2000:]}")
            for status in Path("/proc").glob("[0-9]*/status"):
                if (found := self._pid_of(status, name)) is not None:
                    return found
            time.sleep(0.1)
        raise NoBox("was not there within five minutes")

    def _pid_of(self, status: Path, name: str) -> int | None:
        """The pid outside, if this process is the one that wrote its pid inside into /run/NAME.pid."""
        try:
            root = status.parent / "root"
            if root.readlink() != self.folder / "root":
                return None
            inside = status.read_text().partition("NSpid:")[2].splitlines()[0].split()[-1]
            return int(status.parent.name) if (root / f"run/{name}.pid").read_text().strip() == inside else None
        except (OSError, IndexError):
            return None

    def words(self, command: list[str], *, world: bool = False) -> list[str]:
        """The words that run a command there."""
        entry = ["nsenter", "-t", str(self._targets[world]), "--mount", "--net", "--pid", "--root", "--wd=/"]
        return [*entry, *command]

    def run(
        self, command: str, *, world: bool = False, environ: Mapping[str, str] | None = None, timeout: float = 120
    ) -> subprocess.CompletedProcess[str]:
        """Run a line of a shell there. Raises CalledProcessError."""
        words = self.words(["bash", "-ec", f"cd {ROOT}\n{command}"], world=world)
        return subprocess.run(
            words, env=self._environ(environ), capture_output=True, text=True, timeout=timeout, check=True
        )

    def start(self, command: str, log: Path, *, world: bool = False, environ: Mapping[str, str] | None = None) -> None:
        """Start what runs on; it ends with the box."""
        with log.open("ab") as out:
            words = self.words(["bash", "-c", f"cd {ROOT}; exec {command}"], world=world)
            process = subprocess.Popen(words, env=self._environ(environ), stdout=out, stderr=subprocess.STDOUT)
        self._started.append(process)

    @staticmethod
    def _environ(more: Mapping[str, str] | None) -> dict[str, str]:
        return {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            **(more or {}),
        }
