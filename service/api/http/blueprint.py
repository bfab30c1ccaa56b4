"""A flask-smorest blueprint with our parser and our problems."""

from collections.abc import Callable
from typing import Any, NoReturn

from flask import request
from flask_smorest import Blueprint, abort

from service.api.http.reading import StrictParser


class Resource(Blueprint):  # type: ignore[misc]
    """The views of one resource under /api/v1."""

    ARGUMENTS_PARSER = StrictParser()

    def __init__(self, name: str, *, description: str) -> None:
        super().__init__(name, f"service.api.{name}", url_prefix="/api/v1", description=description)
        self.before_request(self._refuse_unknown_query)

    def arguments(self, schema: Any, **options: Any) -> Callable[[Any], Any]:
        """Like flask-smorest's, with one instance of the schema for all requests."""
        decorate: Callable[[Any], Any] = super().arguments(schema() if isinstance(schema, type) else schema, **options)
        return decorate

    def _store_endpoint_docs(self, endpoint: str, obj: Any, *args: Any, **options: Any) -> None:
        """Documentation of a path, its operations called after the view: getGame, postMoves."""
        super()._store_endpoint_docs(endpoint, obj, *args, **options)
        for method, doc in self._docs[endpoint].items():
            if method != "parameters":
                doc.setdefault("manual_doc", {})["operationId"] = f"{method}{endpoint}"

    def _refuse_unknown_query(self) -> None:
        """Refuse a query where none is taken; the views that take one refuse what they do not know of it (T-6A)."""
        if not request.query_string:
            return
        operations = self._docs.get((request.endpoint or "").rpartition(".")[2], {})
        arguments = operations.get(request.method.lower(), {}).get("arguments", {})
        if request.args and not any(parameter["in"] == "query" for parameter in arguments.get("parameters", ())):
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


def _component(status: int) -> str:
    from http import HTTPStatus

    return HTTPStatus(status).name
