"""A flask-smorest blueprint with our parser and our problems."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NoReturn

from flask_smorest import Blueprint, abort

from service.api.http.application import asked_now
from service.api.http.reading import StrictParser


class Resource(Blueprint):  # type: ignore[misc]
    """The views of one resource under /api/v1."""

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, name: str, *, description: str) -> None:
        super().__init__(name, f"service.api.{name}", url_prefix="/api/v1", description=description)
        self.before_request(self._refuse_unknown_query)

    def arguments(self, schema: Any, **options: Any) -> Callable[[Any], Any]:
        """Like flask-smorest's, with one instance of the schema for all requests; a body may also not arrive."""
        decorate: Callable[[Any], Any] = super().arguments(schema() if isinstance(schema, type) else schema, **options)
        if options.get("location", "json") == "query":
            return decorate
        late = self.problems(HTTPStatus.REQUEST_TIMEOUT)
        return lambda view: late(decorate(view))

    def response(self, *args: Any, **options: Any) -> Callable[[Any], Any]:
        """Document what a view answers with. It makes its answer itself: flask-smorest's would call it by one more
        function for each response that is documented."""
        return _told(super().response(*args, **options))

    def alt_response(self, *args: Any, **options: Any) -> Callable[[Any], Any]:
        """Document what else it may answer with."""
        return _told(super().alt_response(*args, **options))

    def doc(self, **told: Any) -> Callable[[Any], Any]:
        """Document it in words of the description."""
        return _told(super().doc(**told))

    def _store_endpoint_docs(self, endpoint: str, obj: Any, *args: Any, **options: Any) -> None:
        """Documentation of a path, its operations called after the view: getGame, postMoves."""
        super()._store_endpoint_docs(endpoint, obj, *args, **options)
        for method, doc in self._docs[endpoint].items():
            if method != "parameters":
                doc.setdefault("manual_doc", {})["operationId"] = f"{method}{endpoint}"

    def _refuse_unknown_query(self) -> None:
        """Refuse a query where none is taken; the views that take one refuse what they do not know of it (T-6A)."""
        asked = asked_now()
        if not asked.query_string:
            return
        operations = self._docs.get((asked.endpoint or "").rpartition(".")[2], {})
        method = "get" if asked.method == "HEAD" else asked.method.lower()
        arguments = operations.get(method, {}).get("arguments", {})
        if asked.args and not any(parameter["in"] == "query" for parameter in arguments.get("parameters", ())):
            self.refuse(400, "unknown-query", "This path takes no query: leave out what follows the question mark.")

    def conditional(self, view: Any) -> Any:
        """Document that a read of a game answers 304 to a client that has this very answer."""
        return self.alt_response(304, description="If-None-Match has the ETag of this very answer")(view)

    def problems(self, *statuses: int) -> Callable[[Any], Any]:
        """Document problems a view may answer with, besides what every view may."""

        def documented(view: Any) -> Any:
            for status in statuses:
                view = self.alt_response(status, response=_component(status))(view)
            return view

        return documented

    @staticmethod
    def refuse(status: int, code: str, message: str) -> NoReturn:
        """Answer with a problem."""
        abort(status, code=code, message=message)
        raise AssertionError("abort returned")


def _told(document: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The view itself, with what a decorator tells of it."""

    def decorate(view: Any) -> Any:
        view._apidoc = document(view)._apidoc
        return view

    return decorate


def _component(status: int) -> str:
    return HTTPStatus(status).name
