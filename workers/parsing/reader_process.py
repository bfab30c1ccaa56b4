"""Reading mail in a child process that may fail: a limit on its CPU time, its memory and its patience (T-58, F-46).

The child imports once and reads many mails. It gets none of our environment, so no secrets, and ends when its parent
does: its standard input is then at its end.
"""

import atexit
import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

import msgspec

from service.kernel import own_modules
from workers.parsing.limits import Poison, poison
from workers.parsing.read_mail import Reading, automatic_by_headers, read

SECONDS: Final = 2.0
"""CPU time of one mail (F-46)."""
PATIENCE: Final = 15.0
"""Seconds on the clock of one mail; more than its CPU time, for busy machines."""
MEMORY: Final = 256 * 1024 * 1024
"""Bytes of address space over what the child needs to start."""
NICENESS: Final = 5
"""The lower priority of a child: a move by API or page goes before mail, and mail before bots that think."""
MAILS: Final = 500
"""Mails after which a child is replaced, so that nothing piles up in one."""
ATTEMPTS: Final = 2
"""A child that ends for no reason of ours may have been ended by others: the mail gets a second one."""
PASSED_ON: Final = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONHOME", "TZ")
LENGTH: Final = 4
"""Bytes of the length before each message."""
LONGEST: Final = 16 * 1024 * 1024
"""Bytes of the longest message."""


class Request(msgspec.Struct, frozen=True):
    """One mail to read."""

    raw: bytes
    domain: str
    seconds: float


class Answer(msgspec.Struct, frozen=True):
    """What became of it: a reading, or the name of the limit it broke."""

    reading: Reading | None = None
    limit: str = ""
    automatic: str = ""
    detail: str = ""


class Gone(Exception):
    """The child ended before it answered."""


class BoundedReader:
    """One child at a time and the mails it reads, one after the other, for any number of threads."""

    def __init__(
        self,
        *,
        memory: int = MEMORY,
        mails: int = MAILS,
        patience: float = PATIENCE,
        command: Sequence[str] = tuple(own_modules.command("workers.parsing.reader_process")),
    ) -> None:
        self.memory = memory
        self.mails = mails
        self.patience = patience
        self.command = command
        self.started = 0
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._left = 0
        self._late = False

    def read(self, raw: bytes, domain: str, *, seconds: float = SECONDS) -> Reading:
        """Read one mail. Raises Poison for what `read` raises it for, and for a mail that breaks the child."""
        with self._lock:
            answer = self._answer(Request(raw, domain, seconds), ATTEMPTS)
        if answer.reading is None:
            raise poison(answer.limit, answer.automatic or automatic_by_headers(raw, domain), answer.detail)
        return answer.reading

    def close(self) -> None:
        """End the child. The next mail starts another."""
        with self._lock:
            self._end()

    def forget(self) -> None:
        """After a fork, in the new process: the child is the parent's. Only our ends of its pipes are closed."""
        child, self._child, self._left = self._child, None, 0
        self._lock = threading.Lock()
        if child:
            child.returncode = 0  # not ours to wait for
            _close_pipes(child)

    def _answer(self, request: Request, attempts: int) -> Answer:
        """The answer to one request; a child that met a limit, or read its share of mails, is ended."""
        try:
            answer = self._ask(request)
        except Gone:
            answer = Answer(limit=self._cause(), detail=f"child ended with {self._child and self._child.returncode}")
            self._end()
            return self._answer(request, attempts - 1) if answer.limit == "crash" and attempts > 1 else answer
        if answer.limit in ("memory", "crash") or not self._left:
            self._end()
        return answer

    def _ask(self, request: Request) -> Answer:
        child = self._running()
        assert child.stdin is not None
        assert child.stdout is not None
        self._late = False
        timer = threading.Timer(self.patience, self._lose_patience, [child])
        timer.daemon = True
        timer.start()
        try:
            _send(child.stdin, msgspec.msgpack.encode(request))
            body = _receive(child.stdout)
            answer = msgspec.msgpack.decode(body or b"", type=Answer)
        except (OSError, msgspec.MsgspecError):
            child.kill()  # which changes nothing for one that has ended
            child.wait()
            raise Gone from None
        finally:
            timer.cancel()
        self._left -= 1
        return answer

    def _lose_patience(self, child: "subprocess.Popen[bytes]") -> None:
        self._late = True
        child.kill()

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._child is None or self._child.poll() is not None:
            self._end()
            environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
            self._child = subprocess.Popen(  # noqa: S603  our own interpreter and module
                [*self.command, str(self.memory)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                env=environment | own_modules.search_path(),
                cwd=own_modules.ROOT,
            )
            self._left = self.mails
            self.started += 1
        return self._child

    def _cause(self) -> str:
        """The limit that ended the child: its CPU time, our patience, or none of ours."""
        assert self._child is not None
        return "time" if self._late or self._child.returncode == -signal.SIGPROF else "crash"

    def _end(self) -> None:
        child, self._child, self._left = self._child, None, 0
        if child is None:
            return
        child.kill()
        _close_pipes(child)
        child.wait()


_reader: Final = BoundedReader()
read_bounded = _reader.read
"""Read one mail in this process's child."""
close = _reader.close
"""End this process's child."""


def main() -> None:
    """Read mails from standard input until it ends."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)  # the parent decides, by closing the pipe
    for ending in (signal.SIGPROF, signal.SIGPIPE):  # out of time; nobody left to answer
        signal.signal(ending, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.nice(NICENESS)
    _limit_memory(int(sys.argv[1]))
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while (body := _receive(requests)) is not None:
        request = msgspec.msgpack.decode(body, type=Request)
        signal.setitimer(signal.ITIMER_PROF, request.seconds)
        answer = _answer(request)
        signal.setitimer(signal.ITIMER_PROF, 0)
        _send(answers, msgspec.msgpack.encode(answer))
        del body, request, answer


def _answer(request: Request) -> Answer:
    try:
        return Answer(read(request.raw, request.domain))
    except Poison as over:
        return Answer(limit=over.limit, automatic=over.automatic, detail=over.detail)


def _limit_memory(more: int) -> None:
    """Let the address space grow by so many bytes. Where the system does not tell its size, CPU time must do."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return
    limit = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _send(pipe: IO[bytes], body: bytes) -> None:
    left = memoryview(len(body).to_bytes(LENGTH, "big") + body)
    while left:
        left = left[pipe.write(left) :]
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes | None:
    """The next message; None at the end, in the middle of one, and for one no mail can fill."""
    head = _exactly(pipe, LENGTH)
    length = int.from_bytes(head, "big")
    if len(head) < LENGTH or length > LONGEST:
        return None
    body = _exactly(pipe, length)
    return body if len(body) == length else None


def _exactly(pipe: IO[bytes], count: int) -> bytes:
    """So many bytes, or fewer at the end."""
    pieces = []
    while count and (piece := pipe.read(count)):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _close_pipes(child: "subprocess.Popen[bytes]") -> None:
    for pipe in (child.stdin, child.stdout):
        if pipe:
            with contextlib.suppress(OSError):
                pipe.close()


if __name__ == "__main__":
    main()
else:
    os.register_at_fork(after_in_child=_reader.forget)
    atexit.register(close)
