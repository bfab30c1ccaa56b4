"""One shape for every log line: ours, Flask's, gunicorn's, Celery's and SQLAlchemy's. Secrets are struck out.

A request or task binds what its lines share with `structlog.contextvars.bound_contextvars(request_id=...)`.
Celery takes over the root logger unless its `setup_logging` signal is connected to something: connect `configure`.
"""

import logging.config
import re
from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any, Final

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


def scrub(text: str) -> str:
    """Strike out what must not be read in a log: passwords in URLs, bearer tokens, the secrets of links in mails,
    query strings, e-mail addresses."""
    if not _MAY_TELL.search(text):
        return text
    return without_addresses(_SECRET_TEXT.sub(STRUCK_OUT, text))


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
    ours = {name: value for name, value in line.items() if not name.startswith("_")}
    return {**line, **without_secrets(ours)}


_SHARED: Final[list[Processor]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
]


def logging_dict(settings: Settings, stream: str = "ext://sys.stdout") -> dict[str, Any]:
    """Return the standard library's logging configuration; gunicorn takes it as it is."""
    level = settings.log_level.upper()
    shape: Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False, default=str)
        if settings.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    )
    finish = [
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        strike_out,
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        shape,
    ]
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
            "sqlalchemy.engine": {"level": "WARNING"},  # at INFO it writes statements with their values
            "service.store.database.WatchedPool": {"level": "WARNING"},  # SQLAlchemy's, as that of any pool
        },
    }


def configure(settings: Settings, stream: str = "ext://sys.stdout") -> None:
    """Set logging up for this process. A command whose output is data passes `ext://sys.stderr`."""
    logging.config.dictConfig(logging_dict(settings, stream))
    logging.captureWarnings(True)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
