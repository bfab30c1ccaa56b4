"""One shape for every log line: ours, Flask's, gunicorn's, Celery's and SQLAlchemy's. Secrets are struck out.

A request or task binds what its lines share with `structlog.contextvars.bound_contextvars(request_id=...)`.
Celery takes over the root logger unless its `setup_logging` signal is connected to something: connect `configure`.
"""

import contextlib
import errno
import json
import logging.config
import re
import sys
from collections.abc import MutableMapping
from functools import lru_cache
from typing import IO, Any, Final

import structlog
from structlog.typing import Processor

from config.settings import Settings

STRUCK_OUT: Final = "[struck out]"
_SECRET_NAME: Final = re.compile(
    r"authorization|cookie|passw|secret|token|(^|_)(code|key|keys|nonce|salt|seed|sealed|bid|chips)$", re.IGNORECASE
)
_SECRET_TEXT: Final = re.compile(
    r"(?<=://)[^\s/@]*:[^\s/@]*(?=@)|(?<=bearer )[^\s\"',]+|(?<=/sign-in/)[\w-]{30,}|(?<=/u/)[\w.-]{20,}|"
    r"(?<=/feeds/)[\w-]{20,}|(?<=[?&])[^\s\"'#=]+=[^\s\"'#&]+",
    re.IGNORECASE,
)
_MAY_TELL: Final = re.compile(r"[@?&]|bearer |/(?:sign-in|u|feeds)/", re.IGNORECASE)
"""What every text has in which something is struck out: a quick look at each of the others is enough."""
_ENDS: Final = r"\s<>()\[\],;:\"\\@…"
_ADDRESS: Final = re.compile(rf'(?:"[^"\n]{{1,64}}"|(?<![^{_ENDS}])[^{_ENDS}]+)@[^\s<>(),;"]+')


TICKS: Final = ("celery.beat", "celery.worker.strategy", "celery.app.trace")
"""Loggers that tell each tick of the schedule, three and more every five seconds; shown at the level `debug`."""
_NUMBERS: Final = frozenset({int, float, bool, type(None)})


def scrub(text: str) -> str:
    """Strike out what must not be read in a log: passwords in URLs, bearer tokens, the secrets of links in mails,
    query strings, e-mail addresses."""
    return without_addresses(_SECRET_TEXT.sub(STRUCK_OUT, text)) if _MAY_TELL.search(text) else text


def without_addresses(text: str) -> str:
    """Replace e-mail addresses by "…". Those of ours that are masked already stay: they are nobody's."""
    return _ADDRESS.sub("…", text)


@lru_cache(1000)
def _is_secret(name: str) -> bool:
    """Whether an entry of this name holds a secret."""
    return _SECRET_NAME.search(name) is not None


def without_secrets(value: Any) -> Any:
    """Return `value` for the log: texts scrubbed, entries with a secret's name struck out, however deep."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, dict):
        return {k: STRUCK_OUT if _is_secret(str(k)) else without_secrets(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [without_secrets(item) for item in value]
    return value if isinstance(value, int | float | None) else scrub(str(value))


def strike_out(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Clean one log line; the last step before it is written, so tracebacks are cleaned too."""
    return {
        name: STRUCK_OUT if _is_secret(name) else value if value.__class__ in _NUMBERS else without_secrets(value)
        for name, value in line.items()
    }


def shorten_full_disk(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Log a full disk in a word: whatever fails because of it does so every few seconds, at the same place."""
    given = line.get("exc_info")
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException) and _is_full(error):
        return {name: value for name, value in line.items() if name != "exc_info"} | {"why": "the disk is full"}
    return line


def _is_full(error: BaseException) -> bool:
    """Return whether the system, SQLite or PostgreSQL (53100) found no room."""
    driver = getattr(error, "orig", None) or error
    if getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or getattr(driver, "sqlstate", None) == "53100":
        return True
    return type(driver).__module__ == "sqlite3" and "disk is full" in str(driver)  # not every process has loaded it


def _as_json(_logger: Any, _method: str, line: MutableMapping[str, Any]) -> str:
    return _to_json(line)


class Line:
    """Writes our own lines: each by one call, which no other thread divides. A stream that takes none stops nobody."""

    def __init__(self, name: str, stream: IO[str]) -> None:
        self.name = name
        self.stream = stream

    def msg(self, line: str) -> None:
        """Write a line."""
        with contextlib.suppress(OSError, ValueError):
            self.stream.write(f"{line}\n")
            self.stream.flush()

    debug = info = warning = error = critical = exception = msg


_to_json: Final = json.JSONEncoder(ensure_ascii=False, default=str).encode
_SHARED: Final[list[Processor]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
]


def logging_dict(settings: Settings, stream: str = "ext://sys.stdout") -> dict[str, Any]:
    """Return the standard library's logging configuration; gunicorn takes it as it is."""
    level = settings.log_level.upper()
    finish = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_finish(settings)]
    handled = {"level": level, "handlers": [], "propagate": True}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": structlog.stdlib.ProcessorFormatter, "foreign_pre_chain": _SHARED, "processors": finish}
        },
        "handlers": {"out": {"class": "logging.StreamHandler", "stream": stream, "formatter": "line"}},
        "root": {"level": level, "handlers": ["out"]},
        "loggers": {
            "gunicorn.error": handled,
            "gunicorn.access": handled,
            "celery": handled,
            **{name: {"level": level if level == "DEBUG" else "WARNING"} for name in TICKS},
            "sqlalchemy.engine": {"level": "WARNING"},  # at INFO it writes statements with their values
            "service.store.engines.WatchedPool": {"level": "WARNING"},  # SQLAlchemy's, as that of any pool
        },
    }


def _finish(settings: Settings) -> list[Processor]:
    """What is done last with each line, ours and those of libraries."""
    shape: Processor = _as_json
    if settings.log_format != "json":
        shape = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    return [
        shorten_full_disk,
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        strike_out,
        shape,
    ]


def configure(settings: Settings, stream: str = "ext://sys.stdout") -> None:
    """Set logging up for this process. A command whose output is data passes `ext://sys.stderr`.

    Our own lines do not go through the standard library, where one costs a tenth of a move.
    """
    target: Any = getattr(sys, stream.removeprefix("ext://sys.")) if isinstance(stream, str) else stream
    logging.config.dictConfig(logging_dict(settings, stream))
    logging.captureWarnings(True)
    structlog.configure(
        processors=[*_SHARED, *_finish(settings)],
        logger_factory=lambda name="wardroom": Line(name, target),
        wrapper_class=structlog.make_filtering_bound_logger(settings.log_level),
        cache_logger_on_first_use=False,
    )
