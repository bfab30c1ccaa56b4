"""The id of what is being done: one for a request, a mail that came in, a deadline, and all that follows from it.

It is in every line of the log until the work is over (decision 0103), in the notices and thoughts that come of it, and
where it was made here also in the events (`cause`).
"""

import contextlib
import contextvars
from collections.abc import Iterator
from dataclasses import dataclass

from service.kernel.entropy import Entropy
from service.kernel.ids import new_cause


@dataclass(slots=True)
class Work:
    """What is being done. `cause` is the id for the events of its first commit, which nobody else may have used."""

    id: str
    cause: str | None


_work: contextvars.ContextVar[Work | None] = contextvars.ContextVar("work", default=None)


def start(entropy: Entropy, given: str | None) -> Work:
    """A piece of work under the id that is `given`, or one that is made."""
    if given:
        return Work(given, None)
    made = new_cause(entropy)
    return Work(made, made)


def begin(entropy: Entropy, given: str | None = None) -> str:
    """Begin another piece of work. Its id."""
    from structlog.contextvars import bind_contextvars

    work = start(entropy, given)
    _work.set(work)
    bind_contextvars(request_id=work.id)
    return work.id


def end() -> None:
    """End the piece of work: what this thread does next is none of it."""
    from structlog.contextvars import unbind_contextvars

    _work.set(None)
    unbind_contextvars("request_id")


@contextlib.contextmanager
def under(entropy: Entropy, given: str | None = None) -> Iterator[str]:
    """The block is a piece of work of its own."""
    from structlog.contextvars import bound_contextvars

    work = start(entropy, given)
    token = _work.set(work)
    try:
        with bound_contextvars(request_id=work.id):
            yield work.id
    finally:
        _work.reset(token)


def current() -> str | None:
    """The id of what is being done; None where nobody began anything."""
    work = _work.get()
    return None if work is None else work.id


def cause(entropy: Entropy) -> str:
    """An id for the events of one commit: the request's own where it was made here and is not used yet (Q-6)."""
    work = _work.get()
    if work is None or work.cause is None:
        return new_cause(entropy)
    own, work.cause = work.cause, None
    return own
