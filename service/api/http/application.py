"""Flask as this service uses it: views and hooks are plain functions, and hooks are handed the request.

Each look at Flask's `request` or `g` goes through a proxy, of four calls; a request is looked at some dozen times.
"""

from collections.abc import Callable, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Request, Response, request
from werkzeug.routing import MapAdapter

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

Before = Callable[[Request], Response | None]
After = Callable[[Request, Response], Response]
ADDED: Final = "wardroom.headers"


class Application(Flask):
    """Flask with hooks of its own: `before` in their order, ahead of a blueprint's, and `after` behind them."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.before: list[Before] = []
        self.after: list[After] = []

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: Flask would look into each hook of each request for a coroutine."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Where a request leads to, whatever its host: werkzeug would take that apart for subdomains."""
        if request is None:
            return super().create_url_adapter(request)
        parts = (request.host, request.root_path, "", request.scheme, request.method, request.path)
        return self.url_map.bind(*parts, query_args=request.query_string.decode("latin-1"))

    def preprocess_request(self) -> Any:
        """Ask each hook; the first that answers ends it."""
        asked = asked_now()
        for hook in self.before:
            answer = hook(asked)
            if answer is not None:
                return answer
        return super().preprocess_request()

    def process_response(self, response: Response) -> Response:
        """Hand the answer from hook to hook."""
        response = super().process_response(response)
        asked = asked_now()
        for hook in self.after:
            response = hook(asked, response)
        return response


def asked_now() -> Request:
    """The request that is being answered, itself and not by proxy."""
    found: Request = request._get_current_object()  # type: ignore[attr-defined]
    return found


def add_headers(asked: Request, headers: Mapping[str, str]) -> None:
    """Headers of the answer to a request that do not depend on what it says."""
    asked.environ.setdefault(ADDED, {}).update(headers)


def with_headers(app: "WSGIApplication", usual: Mapping[str, str]) -> "WSGIApplication":
    """An application whose answers have the headers that were added for them, and the usual ones that they lack.

    werkzeug's Headers look through all that they hold for each that is set, and copy and check them once more when
    they are sent: a tenth of the time of a move.
    """

    def answer(environ: "WSGIEnvironment", start_response: "StartResponse") -> Any:
        added: MutableMapping[str, str] = environ.setdefault(ADDED, {})

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            headers.extend(added.items())
            present = {name for name, _ in headers}
            headers.extend([header for header in usual.items() if header[0] not in present])
            return start_response(status, headers, *error)

        return app(environ, start)

    return answer
