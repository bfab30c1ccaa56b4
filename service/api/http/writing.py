"""Commands: one request, one transaction, one answer, also when it is sent twice."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from flask import Response, g, request

from service.accounts import idempotency
from service.api.http.auth import services
from service.api.http.reading import refuse

KEPT_HEADERS: Final = ("Location", "ETag", "Content-Type")


def writes(view: Callable[..., Response]) -> Callable[..., Response]:
    """Run a view in a write transaction, given as `tx`; wake the workers when it is committed.

    With an Idempotency-Key the answer is kept in the same transaction, and given again to the same request.
    A view that raises has done nothing, and its key is free again.
    """

    @wraps(view)
    def command(*args: Any, **more: Any) -> Response:
        wanted = _claim()
        with services().database.write() as tx:
            kept = idempotency.replay(services().database, services().sealer, tx, wanted) if wanted else None
            if kept is not None:
                return _again(kept)
            response: Response = view(*args, **more, tx=tx)
            if wanted:
                headers = [(name, response.headers[name]) for name in KEPT_HEADERS if name in response.headers]
                answer = idempotency.Answer(response.status_code, headers, response.get_data())
                idempotency.keep(services().sealer, tx, wanted, answer)
        services().wakeup.wake()
        return response

    command.takes_key = True  # type: ignore[attr-defined]
    return command


def is_once(view: Callable[..., Response]) -> Callable[..., Response]:
    """Mark a command that cannot be done twice: it takes an Idempotency-Key, as all do, and needs none."""
    view.takes_key = True  # type: ignore[attr-defined]
    return view


def _again(kept: idempotency.Answer) -> Response:
    response = Response(kept.body, kept.status)
    response.headers.update(dict(kept.headers))
    response.headers["Idempotency-Replayed"] = "true"
    return response


def _claim() -> idempotency.Claim | None:
    key = request.headers.get("Idempotency-Key")
    if key is None or "player" not in g:
        return None
    body = request.query_string + b"\n" + request.get_data(cache=True)
    try:
        return idempotency.claim(g.player, key, request.method, request.path, body)
    except ValueError as error:
        refuse(str(error), "bad-idempotency-key")
