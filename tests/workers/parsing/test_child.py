"""Reading mail in a child process that may fail (F-46, T-58, IN-04)."""

import contextlib
import os
import resource
import select
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from service.kernel.own_modules import ROOT
from tests.workers.parsing.bombs import BOMBS
from tests.workers.parsing.desk import CORPUS, DOMAIN, corpus
from workers.parsing import reader_process as child_module
from workers.parsing.limits import REASONS, Poison
from workers.parsing.read_mail import read
from workers.parsing.reader_process import BoundedReader

DOOMED = """
import os, signal, time
from workers.parsing import read_mail, reader_process

def fail(raw, domain):
    what = raw.partition(b"\\n\\n")[2]
    if what == b"spin":
        while True: pass
    if what == b"spin outside Python":
        sum(range(10**12))
    if what == b"wait":
        time.sleep(60)
    if what == b"eat":
        b"x" * 10**9
    if what == b"fall":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == b"leave":
        os._exit(0)
    if what == b"babble":
        os.write(1, b"\\0\\0\\0\\5nonsense")
    if what == b"boast":
        os.write(1, b"\\xff" * 8)
    if what == b"raise":
        raise ValueError(raw)
    if what == b"secrets":
        raise KeyError([name for name in os.environ if name.startswith("WARDROOM")][0])
    return real(raw, domain)

real, read_mail._read = read_mail._read, fail
reader_process.main()
"""
"""A child in which reading some mails fails in every way it can."""


@pytest.fixture
def reader():
    """Starts no child until it reads."""
    reader = BoundedReader()
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def doomed():
    reader = BoundedReader(command=(sys.executable, "-P", "-c", DOOMED), patience=60.0)
    yield reader
    reader.close()


def mail(what):
    return b"Precedence: bulk\n\n" + what.encode()


def test_a_child_reads_what_we_read_and_is_kept(reader):
    for name in ("gmail_web", "outlook_desktop", "dsn_postfix"):
        assert reader.read(corpus(name), DOMAIN) == read(corpus(name), DOMAIN)
    assert reader.started == 1


def test_limits_are_told_across_the_process_with_their_sentence(reader):
    with pytest.raises(Poison) as caught:
        reader.read(b"Auto-Submitted: auto-replied\n\n" + b"x\n" * 1001, DOMAIN)
    assert (caught.value.reason, caught.value.automatic) == (REASONS["lines"], "auto-submitted")
    assert reader.started == 1


@pytest.mark.parametrize(
    "what, limit",
    [
        ("spin", "time"),
        ("spin outside Python", "time"),
        ("eat", "memory"),
        ("fall", "crash"),
        ("leave", "crash"),
        ("babble", "crash"),
        ("boast", "crash"),
        ("raise", "crash"),
        ("secrets", "crash"),
    ],
)
def test_f46_a_mail_that_breaks_the_child_is_poison_and_the_next_is_read(doomed, what, limit):
    with pytest.raises(Poison) as caught:
        doomed.read(mail(what), DOMAIN, seconds=0.2)
    assert (caught.value.limit, caught.value.reason) == (limit, REASONS[limit])
    assert caught.value.automatic == "precedence"
    assert doomed.read(mail("bid 30"), DOMAIN).text == "bid 30"


def test_f46_a_mail_that_does_nothing_for_too_long_is_poison():
    reader = BoundedReader(command=(sys.executable, "-P", "-c", DOOMED), patience=0.5)
    with pytest.raises(Poison) as caught:
        reader.read(mail("wait"), DOMAIN)
    assert caught.value.limit == "time"
    reader.close()


def test_the_child_gets_no_secret_of_ours(doomed, monkeypatch):
    monkeypatch.setenv("WARDROOM_SECRET_KEY", "x" * 40)
    doomed.close()
    with pytest.raises(Poison) as caught:
        doomed.read(mail("secrets"), DOMAIN)
    assert caught.value.detail.startswith("IndexError")


def test_a_child_that_others_ended_costs_no_mail(reader):
    reader.read(mail("x"), DOMAIN)
    os.kill(reader._child.pid, signal.SIGKILL)
    assert reader.read(mail("bid 30"), DOMAIN).text == "bid 30"
    assert reader.started == 2


def test_a_child_outlives_the_signals_that_end_our_process_group(reader):
    reader.read(mail("x"), DOMAIN)
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(reader._child.pid, each)
    assert reader.read(mail("bid 30"), DOMAIN).text == "bid 30"
    assert reader.started == 1


def test_a_child_is_replaced_after_its_share_of_mails():
    reader = BoundedReader(mails=2)
    for _ in range(5):
        reader.read(mail("x"), DOMAIN)
    assert reader.started == 3
    reader.close()


def test_after_close_the_next_mail_starts_another(reader):
    reader.read(mail("x"), DOMAIN)
    reader.close()
    reader.close()
    assert reader.read(mail("bid 30"), DOMAIN).text == "bid 30"
    assert reader.started == 2


def test_threads_take_turns(reader):
    names = ["gmail_web", "mutt", "yahoo", "iphone"] * 5
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda name: reader.read(corpus(name), DOMAIN), names))
    assert found == [read(corpus(name), DOMAIN) for name in names]
    assert reader.started == 1


def test_the_process_has_one_reader_of_its_own():
    before = set(threading.enumerate())
    found = child_module.read_bounded(corpus("mutt"), DOMAIN)
    child_module.close()
    assert found == read(corpus("mutt"), DOMAIN)
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
        assert not thread.is_alive(), "the clock of a mail ends with it"


def limit_of(reader, raw):
    """The limit a mail breaks, "" for none."""
    try:
        reader.read(raw, DOMAIN)
    except Poison as over:
        return over.limit
    return ""


SCRIPT = """
import os
from workers.parsing import reader_process
reader_process.read_bounded(b"a: b\\n\\nx", "x")
pid = reader_process._reader._child.pid
"""


def run(script):
    return subprocess.Popen(
        [sys.executable, "-P", "-c", SCRIPT + script],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_child_ends_with_its_parent_however_that_ends():
    with run("print(pid, flush=True); input()") as parent:
        handle = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
    ended, _, _ = select.select([handle], [], [], 60)
    os.close(handle)
    assert ended


def test_a_child_whose_parent_is_gone_while_it_reads_ends_without_a_word():
    request = msgspec.msgpack.encode(child_module.Request(b"a: b\n\nx", DOMAIN, 2.0))
    command = [sys.executable, "-P", "-m", "workers.parsing.reader_process", str(child_module.MEMORY)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, **pipes) as child:
        child.stdout.close()
        _, errors = child.communicate(len(request).to_bytes(child_module.LENGTH, "big") + request, timeout=60)
    assert errors == b""


def test_a_forked_process_starts_a_child_of_its_own_and_leaves_the_other_alone():
    script = """
if forked := os.fork():
    _, status = os.waitpid(forked, 0)
    reader_process.read_bounded(b"a: b\\n\\nx", "x")
    print(status, reader_process._reader._child.pid == pid, reader_process._reader.started)
else:
    found = reader_process.read_bounded(b"a: b\\n\\nbid 30", "x")
    reader_process.close()
    os._exit(0 if found.text == "bid 30" else 1)
"""
    with run(script) as parent:
        out, _ = parent.communicate(timeout=60)
    assert out.split() == ["0", "True", "1"]


def computing(reader):
    """Seconds that children which have ended computed, and the one that reads."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    now = 0
    if reader._child is not None:
        with contextlib.suppress(FileNotFoundError):  # it has ended
            fields = Path(f"/proc/{reader._child.pid}/stat").read_text().rpartition(")")[2].split()
            now = int(fields[11]) + int(fields[12])
    return ended.ru_utime + ended.ru_stime + now / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
def test_f46_every_mail_costs_the_child_less_than_two_seconds_and_no_crash(reader):
    """Each mail by itself; a child goes on with the next one, if it lives."""
    costs, broken = {}, {}
    mails = {path.stem: path.read_bytes() for path in CORPUS.glob("*.eml")}
    mails |= {name: build() for name, (build, _) in BOMBS.items()}
    for name, raw in mails.items():
        before = computing(reader)
        broken[name] = limit_of(reader, raw)
        costs[name] = computing(reader) - before
    assert len(set(costs.values())) > 1, "it is measured"
    assert {name: cost for name, cost in costs.items() if cost >= 2.0} == {}
    assert {"time", "memory", "crash"}.isdisjoint(broken.values()), broken
