"""How a command ends: its exit code, by sysexits, and one sentence on standard error that says what to do.

A command that judges (`doctor`, `verify`, `verify-log`, `replay`, `clock`, `arena --report`) ends with 0 or 1: that is
its verdict. All that keeps a command from its work is a `Failure`, or an error of click's that `code_of` knows.
"""

import errno
import gc
import os
import pwd
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn

import click

VERDICT: Final = 1
"""What was looked at is not as it must be; the command did its work."""
INTERRUPTED: Final = 130
"""Ctrl-C, or a question that was not answered with yes, as shells have it."""
PIPE_CLOSED: Final = 141
"""Whoever read the output has left, as shells have it: no verdict."""
LOADING: Final = 100_000
"""New objects between two collections of garbage: a command makes most of its own while it loads, and none is any."""
SERVING: Final = 10_000
"""The same in a program that goes on, as in `service.wsgi`: each request leaves few cycles, and there are many."""
HOME: Final = Path(__file__).parents[3]
OURS: Final = tuple(f"{HOME / room}{os.sep}" for room in ("config", "domain", "service", "workers"))
FORBIDDEN: Final = (errno.EACCES, errno.EPERM, errno.EROFS)
BY_ERRNO: Final = {
    **dict.fromkeys(FORBIDDEN, os.EX_NOPERM),
    **dict.fromkeys((errno.ENOENT, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG), os.EX_NOINPUT),
}
NOT_PERMITTED: Final = (
    "The user {1} may not use {0}: {2}. Run this as the user whom the service runs as, and let that user write to the "
    "data folder (WARDROOM_DATA_DIR)."
)
FAULT: Final = (
    "This is a fault of Wardroom ({what}), and nothing that you did. Run it again with WARDROOM_LOG_LEVEL=debug to see "
    "more, and report it."
)


class Failure(click.ClickException):
    """A command cannot do its work. `sentence` says why and what to do; `exit_code` is one of `os.EX_…`."""

    def __init__(self, exit_code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code  # type: ignore[misc]


def code_of(error: click.ClickException) -> int:
    """The exit code of an error: its own, or what sysexits has for a mistake in the words or for a file."""
    if isinstance(error, Failure):
        return error.exit_code
    cause = error.__cause__ or error.__context__
    if isinstance(error, click.BadParameter) and isinstance(cause, OSError):
        return BY_ERRNO.get(cause.errno or 0, os.EX_IOERR)
    kind = getattr(getattr(error, "param", None), "type", None)
    if isinstance(kind, click.Path):
        return os.EX_NOINPUT if kind.exists else os.EX_CANTCREAT
    return os.EX_USAGE if isinstance(error, click.UsageError) else os.EX_SOFTWARE


class Program(click.Command):
    """A command that ends as this page says, however it ends."""

    new_objects: ClassVar[int] = LOADING

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run it as a program, which ends with it."""
        run: Any = super().main
        often = gc.get_threshold()
        gc.set_threshold(self.new_objects, *often[1:])
        try:
            status = run(*args, **{**extra, "standalone_mode": False})
        except click.ClickException as error:
            with suppress(OSError):
                error.show()
            status = code_of(error)
        except UnicodeEncodeError as error:
            status = _no_text(error)
        except (click.Abort, KeyboardInterrupt):
            click.echo("Stopped.", err=True)
            status = INTERRUPTED
        except Exception as error:
            status = _fault(error)
        finally:
            gc.set_threshold(*often)
        sys.exit(status if isinstance(status, int) else os.EX_OK)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read its words, and help whoever asks."""
        with _for_a_reader():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Do its work, to the last byte of what it prints."""
        with _for_a_reader():
            found = super().invoke(ctx)
            sys.stdout.flush()
            return found


class LongRunning(Program):
    """A program that goes on until it is told to end, and whose memory must not grow with what it has done."""

    new_objects = SERVING


def _no_text(error: UnicodeEncodeError) -> int:
    """What is said of a word whose bytes are no text, where text is needed."""
    if not any("\ud800" <= sign <= "\udfff" for sign in error.object):
        return _fault(error)
    click.echo(f"Error: {error.object.encode(errors='replace').decode()} is no text in UTF-8.", err=True)
    return os.EX_USAGE


class CommandLine(Program, click.Group):
    """A command with commands, which all end as this page says."""


def unreadable(path: Path, error: OSError) -> Failure:
    """The failure of a file that cannot be read."""
    return Failure(BY_ERRNO.get(error.errno or 0, os.EX_IOERR), f"{path} cannot be read: {error.strerror}.")


def unwritable(path: Path, error: OSError) -> Failure:
    """The failure of a file that cannot be made or written."""
    code = BY_ERRNO.get(error.errno or 0, os.EX_IOERR)
    code = os.EX_CANTCREAT if code == os.EX_NOINPUT else code
    return Failure(code, f"{path} cannot be written: {error.strerror}.")


def ends_with(status: int, sentence: str) -> NoReturn:
    """End with a sentence that stands alone, as mail servers quote it."""
    click.echo(sentence, err=True)
    sys.exit(status)


@contextmanager
def _for_a_reader() -> Iterator[None]:
    """End without a word where nobody reads what is printed any more, nor what is still in the buffer."""
    try:
        yield
    except BrokenPipeError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)


def _fault(error: Exception) -> int:
    """Say what nobody foresaw; its own words may hold secrets, so they are for whoever asks for them."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        click.echo(f"Error: Nothing more can be written: {error.strerror}.", err=True)
        return os.EX_IOERR
    if isinstance(error, OSError) and error.errno in FORBIDDEN and error.filename:
        click.echo(f"Error: {NOT_PERMITTED.format(error.filename, user_name(), error.strerror)}", err=True)
        return os.EX_NOPERM
    if os.environ.get("WARDROOM_LOG_LEVEL", "").lower() == "debug":
        traceback.print_exception(error)
    click.echo(f"Error: {FAULT.format(what=_place(error))}", err=True)
    return os.EX_SOFTWARE


def user_name() -> str:
    """Return the name of the user of this process, or the number if there is no name."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def _place(error: Exception) -> str:
    """The kind of an error and the line that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(OURS)]
    where = f" at {Path(frames[-1].filename).relative_to(HOME)}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"
