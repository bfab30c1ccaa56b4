"""A child process that thinks for this one at a low priority: a line of JSON in, a line of JSON out.

It gets none of our environment, so no secrets, and ends when its parent does, also in the midst of a thought: its
standard input is then at its end.
"""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec

from service.kernel import own_modules

T = TypeVar("T")
PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONHOME", "TZ")


class ChildGone(Exception):
    """The child ended before it answered, or was ended because it took too long. The next request starts another."""


class ChildFailed(Exception):
    """The child could not answer, for the reason it names; it goes on with the next request."""


class _Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    answer: msgspec.Raw = msgspec.Raw(b"null")
    fault: str = ""


class ChildProcess:
    """`python -m module` in a process of its own, started when it is first asked, for any number of threads.

    `niceness` is what it adds to its own, so that whoever serves people goes first.
    """

    def __init__(self, module: str, niceness: int) -> None:
        self.module, self.niceness = module, niceness
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._parent = os.getpid()

    def ask(self, request: Any, form: type[T], patience: float) -> T:
        """The answer to a request, which must come within `patience` seconds. Raises ChildGone, ChildFailed."""
        if self._parent != os.getpid():  # forked: the child is the parent's
            self._lock, self._child, self._parent = threading.Lock(), None, os.getpid()
        with self._lock:
            reply = self._reply(msgspec.json.encode(request) + b"\n", patience)
        if reply.fault:
            raise ChildFailed(reply.fault)
        return msgspec.json.decode(reply.answer, type=form)

    @property
    def pid(self) -> int | None:
        """Which process it is; None while there is none."""
        return None if self._child is None else self._child.pid

    def close(self) -> None:
        """End the child, also while it thinks: whoever waits for it hears that it is gone."""
        child = self._child
        if child is not None and self._parent == os.getpid():
            child.kill()
            with self._lock:
                self._end()

    def _reply(self, line: bytes, patience: float) -> _Reply:
        child = self._running()
        assert child.stdin is not None
        assert child.stdout is not None
        timer = threading.Timer(patience, child.kill)
        timer.daemon = True
        timer.start()
        try:
            child.stdin.write(line)
            child.stdin.flush()
            return msgspec.json.decode(child.stdout.readline(), type=_Reply)
        except (OSError, msgspec.MsgspecError) as error:
            self._end()
            raise ChildGone(f"{self.module} ended before it answered") from error
        finally:
            timer.cancel()

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._child is None or self._child.poll() is not None:
            self._end()
            environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
            self._child = subprocess.Popen(  # noqa: S603  our own interpreter and module
                own_modules.command(self.module, str(self.niceness)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment | own_modules.search_path(),
                cwd=own_modules.ROOT,
            )
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        for pipe in (child.stdin, child.stdout):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        child.wait()


def answer_requests(handle: Callable[[bytes], Any]) -> None:
    """What such a module runs: answer each line of standard input, until it ends. What `handle` raises is a fault."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)  # the parent decides, by closing the pipe
    os.nice(int(sys.argv[1]))
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_listen, args=[lines], daemon=True).start()
    while True:
        sys.stdout.buffer.write(msgspec.json.encode(_answered(handle, lines.get())) + b"\n")
        sys.stdout.buffer.flush()


def _answered(handle: Callable[[bytes], Any], line: bytes) -> _Reply:
    try:
        return _Reply(msgspec.Raw(msgspec.json.encode(handle(line))))
    except Exception as error:  # what is asked next can be answered all the same
        return _Reply(fault=f"{type(error).__name__}: {error}"[:200])


def _listen(lines: "queue.Queue[bytes]") -> None:
    """Hand on what the parent asks. It has gone when there is nothing more: nobody waits for an answer then."""
    for line in sys.stdin.buffer:
        lines.put(line)
    os._exit(0)
