#!/usr/bin/env python3
"""Everything a developer runs, on a machine with only Python 3.11: `python3 dev.py --help`.

Builds `.venv` from requirements-dev.lock when that has changed, finds or fetches what the checks need, and starts it.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import venv
from collections import deque
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
TOOLS = ROOT / ".tools"
RUNNING = ROOT / "requirements.lock"
LOCK = ROOT / "requirements-dev.lock"
"""What runs the service; and what `.venv` is built from: the same versions, and all that checks it."""
WHEELS = TOOLS / "wheels"
REDIS_PACKAGES = ("redis-server", "redis-tools", "libjemalloc2", "liblzf1", "libatomic1")
NO_PACKAGES = (
    "The packages could not be installed (pip ended with {code}; its last words are above). They come from the package "
    "index: is this machine online? Behind a proxy or a mirror, set HTTPS_PROXY or PIP_INDEX_URL, then run this again."
)
FAST = "not slow and not postgres"
STATIC = {
    "style": ["ruff", "check", "--quiet"],
    "format": ["ruff", "format", "--check", "--quiet"],
    "types": ["mypy"],
    "imports": ["lint-imports", "--no-logo"],
}
FAST_FOLDERS = ("tests/domain", "tests/service", "tests/test_house.py")


def run(args):
    """serve API, pages, workers and a development mailbox on this machine"""
    os.environ.setdefault("WARDROOM_LOG_FORMAT", "text")
    wardroom(["serve", *args])


def play(args):
    """begin a game against bots and print the link to it; serves, too, where nothing is served yet"""
    os.environ.setdefault("WARDROOM_LOG_FORMAT", "text")
    wardroom(["play", *args])


def demo(args):
    """play a whole game with bots of each strength through the REST API, with mail and a final audit"""
    wardroom(["demo", *args])


def wardroom(args):
    """pass the rest to the `wardroom` command, such as `wardroom doctor`"""
    module("service.cli", args)


def bench(args):
    """run the benchmarks"""
    module("bench", args)


def test(args):
    """run every check: style, types, imports, tests; --long adds drills of minutes; more words go to pytest"""
    ensure_venv()
    ensure_wheels()
    os.environ["CHROMIUM"] = ensure_chromium()
    checks(["-n", "3", "--dist", "worksteal", *args])  # one more than the cores: many tests wait for processes


def check(args):
    """run the fast checks, what belongs to changed files first; with paths, every test of those files"""
    ensure_venv()
    named = any(not word.startswith("-") and (ROOT / word.partition("::")[0]).exists() for word in args)
    chosen = args if named else ["-m", FAST, "--first", ",".join(changed_files()), *FAST_FOLDERS, *args]
    checks(["-n", "2", "--dist", "worksteal", *chosen])


def changed_files():
    """Return the paths of files that differ from the last commit, and of those that are new."""
    git = ["git", "status", "--porcelain", "--untracked-files=all", "--no-renames"]
    try:
        found = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return [line[3:] for line in found.stdout.splitlines() if line.endswith(".py")]


def trips(args):
    """count the modules that each trip through the service enters"""
    module("lab.trips", args)


def ratchets(args):
    """compare the counts that may only shrink with what they are now; --lower writes down what has shrunk"""
    module("lab.ratchets", args)


def lock(args):
    """write both locks anew from pyproject.toml: what runs the service, and what tests it, too"""
    tools = TOOLS / "uv"
    if not (tools / "bin" / "uv").exists():
        build_venv(tools)
        must([tools / "bin" / "python", "-m", "pip", "install", "-q", "uv"], "uv could not be installed")
    drafts = {path: TOOLS / path.name for path in (LOCK, RUNNING)}
    for path, draft in drafts.items():
        shutil.copy(path, draft)  # keeps what need not change; `dev.py lock --upgrade` takes the newest
    compile_lock(drafts[LOCK], "--group", "test", "--extra", "demo", "--extra", "otel", *args)
    compile_lock(drafts[RUNNING], "--constraints", drafts[LOCK])
    for path, draft in drafts.items():
        draft.replace(path)
    print(f"{RUNNING.name} and {LOCK.name} are written; commit them with pyproject.toml.")


def compile_lock(draft, *parts):
    options = "--universal --python-version 3.11 --generate-hashes --no-annotate --no-header --quiet".split()
    command = [TOOLS / "uv" / "bin" / "uv", "pip", "compile", "pyproject.toml", *parts, *options, "-o", draft]
    must(command, "the lock could not be written", stdout=subprocess.DEVNULL)
    if "://" in draft.read_text():
        sys.exit("The locks are left as they were: a new one would name a host.")


def words(args):
    """bring the catalogues of translations up to date with the code, all or those named, such as tammany-hall"""
    module("service.languages.extraction", args)


def wheel(args):
    """write the rules and the client as libraries into dist/: wheels, and their sources"""
    ensure_venv()
    build = [BIN / "python", "-P", "-m", "hatchling", "build", "-d", ROOT / "dist", *args]
    for library in ("rules", "python"):
        must(build, "the wheel could not be built", cwd=ROOT / "clients" / library)


def package(args):
    """write what hosts install into dist/, or -d FOLDER: the service as a wheel, its sources, and the lock"""
    ensure_venv()
    folder = Path(args[args.index("-d") + 1]).absolute() if "-d" in args[:-1] else ROOT / "dist"
    must([BIN / "python", "-P", "-m", "hatchling", "build", *args, "-d", folder], "the package could not be built")
    shutil.copy(RUNNING, folder)


COMMANDS = {
    each.__name__: each
    for each in (run, play, test, check, demo, bench, lock, words, trips, ratchets, wheel, package, wardroom)
}


def main(words):
    if sys.version_info < (3, 11):
        sys.exit(f"Wardroom needs Python 3.11 or newer; this is {sys.version.split()[0]}. Try: python3.11 dev.py")
    if not words or words[0] in ("-h", "--help", "help"):
        print("usage: python3 dev.py COMMAND [...]\n")
        print("\n".join(f"  {name:<9} {command.__doc__}" for name, command in COMMANDS.items()))
        return
    if words[0] not in COMMANDS:
        sys.exit(f"dev.py: there is no command {words[0]!r}; there are {', '.join(COMMANDS)}.")
    COMMANDS[words[0]](words[1:])


def module(name, args):
    """Become `python -m name`, in the directory of the caller and with the data of this tree."""
    ensure_venv()
    os.environ.setdefault("WARDROOM_DATA_DIR", str(ROOT / "var"))
    os.environ["PYTHONPATH"] = str(ROOT)
    os.environ.setdefault("PYTHONUNBUFFERED", "1")  # piped output is read while it is made
    os.environ["PATH"] = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    sys.stdout.flush()
    os.execv(BIN / "python", [str(BIN / "python"), "-P", "-m", name, *args])


def checks(pytest_args):
    """Run every check, the static ones beside the tests. The last line is that of the tests, or says what failed."""
    ensure_venv()
    env = {name: value for name, value in os.environ.items() if not is_left_out(name)}
    env.update(ensure_redis())
    static = Steps(STATIC, env)
    announce("tests")
    code = subprocess.call([BIN / "python", "-m", "pytest", *pytest_args], cwd=ROOT, env=env)
    failed = static.finish()
    if failed:
        sys.exit(f"FAILED: {', '.join(failed)}{' and tests' if code else '; the tests passed'}.")
    sys.exit(code)


def is_left_out(name):
    """Settings of a service are none of the tests; and hundreds of processes would compile what none of them keeps."""
    return name.startswith("WARDROOM_") or name == "PYTHONDONTWRITEBYTECODE"


class Steps:
    """Commands that run one after the other in the background; what they print is shown at the end, if one failed."""

    def __init__(self, steps, env):
        self.failed, self.env = [], env
        self.thread = threading.Thread(target=lambda: [self.run(*step) for step in steps.items()])
        self.thread.start()

    def run(self, name, command):
        start, words = time.monotonic(), [BIN / command[0], *command[1:]]
        done = subprocess.run(
            words, cwd=ROOT, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        if done.returncode:
            self.failed.append((name, command, done.stdout))
        else:
            print(f"== {name}: passed in {time.monotonic() - start:.1f} s", flush=True)

    def finish(self):
        """Wait for all of them. Returns the names of those that failed."""
        self.thread.join()
        for name, command, output in self.failed:
            print(f"== {name} failed ({' '.join(command)})\n{output}", flush=True)
        return [name for name, _, _ in self.failed]


def announce(name):
    print(f"== {name}", flush=True)


def ensure_venv():
    """Build `.venv` from the lock unless it was built from this very lock."""
    stamp, wanted = VENV / "lock.sha256", hashlib.sha256(LOCK.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    if VENV.is_symlink():
        sys.exit(f"{VENV} is a link to an environment of another lock: remove the link; to build anew would empty it.")
    tell(f"Building .venv from {LOCK.name}, a minute or two ...")
    build_venv(VENV)
    install_packages()
    stamp.write_text(wanted)


def install_packages():
    """Install what the lock names, saying now and then how far it is."""
    options = ["--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:", "--progress-bar", "off"]
    command = [BIN / "python", "-m", "pip", "install", *options, "-r", LOCK]
    total, found, last = LOCK.read_text().count("=="), 0, deque(maxlen=15)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        for line in pip.stdout:
            last.append(line)
            found += line.startswith("Collecting")
            if line.startswith("Collecting") and found % 10 == 0:
                tell(f"  {found} of at most {total} packages")
            elif line.startswith("Installing"):
                tell("  all are here; installing ...")
    if pip.returncode:
        sys.stderr.writelines(last)
        sys.exit(NO_PACKAGES.format(code=pip.returncode))


def ensure_wheels():
    """Keep what runs the service as files, for tests that install it where there is no index."""
    stamp, wanted = WHEELS / "lock.sha256", hashlib.sha256(RUNNING.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    tell(f"Fetching the packages of {RUNNING.name} as files ...")
    shutil.rmtree(WHEELS, ignore_errors=True)
    WHEELS.mkdir(parents=True)
    ours = re.compile(rf" ; python_full_version < '3\.{sys.version_info.minor}\.\d+'")
    every = WHEELS / "of every 3.x.y"  # what only earlier ones of this Python need, too: Debian's may be one of them
    every.write_text(ours.sub("", RUNNING.read_text()))
    options = ["-qq", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:", "--no-deps"]
    command = [BIN / "python", "-m", "pip", "download", *options, "-d", WHEELS, "-r", every]
    code = subprocess.call(command, cwd=ROOT)
    if code:
        sys.exit(NO_PACKAGES.format(code=code))
    stamp.write_text(wanted)


def tell(line):
    """Say what takes its time, to whoever waits."""
    print(line, file=sys.stderr, flush=True)


def build_venv(path):
    if importlib.util.find_spec("ensurepip") is None:
        package = f"python3.{sys.version_info.minor}-venv"
        if not (is_root() and shutil.which("apt-get")):
            sys.exit(f"This Python cannot make virtual environments. On Debian or Ubuntu: apt-get install {package}")
        tell(f"This Python cannot make virtual environments: installing Debian's {package} ...")
        apt_get("install", "-y", "--no-install-recommends", package)
    venv.create(path, with_pip=True, clear=True)


def ensure_redis():
    """Return the variables that tell the tests where a Redis server is; fetch Debian's, without installing it."""
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found:
        return {"REDIS_SERVER": found}
    server = TOOLS / "redis" / "usr" / "bin" / "redis-server"
    if not server.exists():
        fetch_redis(TOOLS / "redis")
    libraries = os.pathsep.join(map(str, TOOLS.glob("redis/usr/lib/*-linux-gnu*")))
    answers = {"REDIS_SERVER": str(server), "REDIS_LIBS": libraries}
    environ = dict(os.environ, LD_LIBRARY_PATH=libraries)
    if subprocess.call([server, "--version"], env=environ, stdout=subprocess.DEVNULL):
        sys.exit(f"The Redis unpacked in {TOOLS} does not run here: install redis-server or valkey-server, then again.")
    return answers


def fetch_redis(target):
    missing = (
        "The tests need a Redis server, and none could be fetched: install redis-server or valkey-server, then again."
    )
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        sys.exit(missing)
    tell("Fetching a Redis server for the tests ...")
    draft = target.with_name("redis.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    apt_get("download", *REDIS_PACKAGES, cwd=draft, otherwise=missing)
    for package in draft.glob("*.deb"):
        must(["dpkg-deb", "-x", package, draft], missing)
        package.unlink()
    draft.replace(target)


def ensure_chromium():
    """Where a Chromium is, for the tests of pages; as root on Debian it is installed, for it has many libraries."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    found = next(filter(None, map(shutil.which, [os.environ.get("CHROMIUM", ""), *names])), None)
    if found:
        return found
    missing = (
        "The tests of pages need a Chromium: install it (on Debian or Ubuntu: apt-get install chromium), then again."
    )
    if not (is_root() and shutil.which("apt-get")):
        sys.exit(f"{missing} Elsewhere CHROMIUM may name its program.")
    tell("Installing Debian's chromium for the tests of pages, a minute or two ...")
    apt_get("install", "-y", "--no-install-recommends", "chromium", otherwise=missing)
    return shutil.which("chromium") or sys.exit(missing)


def apt_get(*words, cwd=ROOT, otherwise=""):
    """Run apt-get; where its lists are missing or stale, root brings them up to date and tries again."""
    command = ["apt-get", "-q", *words]
    quiet = {"cwd": cwd, "stdout": subprocess.DEVNULL, "env": dict(os.environ, DEBIAN_FRONTEND="noninteractive")}
    if subprocess.call(command, stderr=subprocess.DEVNULL, **quiet) == 0:
        return
    if is_root():
        must(["apt-get", "-q", "update"], "apt-get could not read its lists", **quiet)
    must(command, otherwise or f"apt-get could not {words[0]} {words[-1]}", **quiet)


def must(command, otherwise, **options):
    """Run a command that has to succeed; `otherwise` is the last line when it does not."""
    code = subprocess.call(command, **dict({"cwd": ROOT}, **options))
    if code:
        sys.exit(f"{otherwise} ({Path(command[0]).name} ended with {code}).")


def is_root():
    return os.geteuid() == 0


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        sys.exit(
            f"{error.filename or ROOT}: {error.strerror}. dev.py writes .venv and .tools into {ROOT}: "
            "make that possible for you, or work in a copy of it."
        )
