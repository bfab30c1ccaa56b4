"""Structured log lines, whose library is not loaded before the first of them: most requests log nothing."""

import logging
from typing import Any


def log(name: str, level: str, event: str, **facts: Any) -> None:
    """One line of this logger; facts never hold a secret, and no free text of a person."""
    import structlog

    getattr(structlog.get_logger(name), level)(event, **facts)


def note(name: str, event: str, **facts: Any) -> None:
    """One line that tells what went well: next to nothing where nobody wants such lines."""
    if logging.getLogger(name).isEnabledFor(logging.INFO):
        log(name, "info", event, **facts)
