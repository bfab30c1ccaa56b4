"""Every error as RFC 9457 problem+json: a code for programs, a sentence for people that says what to do instead."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from threading import Lock
from typing import Any, Final

from flask import Flask, Response
from flask_smorest import Api, Blueprint
from flask_smorest.utils import prepare_response
from marshmallow import Schema, fields
from werkzeug.exceptions import HTTPException

from service.api.http.answers import encoded
from service.api.http.keeping import same_for_all
from service.api.http.scopes import describe_scopes

PROBLEM: Final = "application/problem+json"


class ErrorSchema(Schema):
    """Where in the request something is wrong."""

    pointer = fields.String(
        required=True, metadata={"description": "JSON Pointer into the body, or the parameter's name"}
    )
    detail = fields.String(required=True)


class ProblemSchema(Schema):
    """RFC 9457 problem details."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True, metadata={"description": "one sentence for people"})
    code = fields.String(required=True, metadata={"description": "for programs; never changes"})
    rule = fields.String(metadata={"description": "the rule that forbids it, e.g. TH-8.3"})
    rule_url = fields.Url(metadata={"description": "where that rule is read, if it is one of a game"})
    errors = fields.List(fields.Nested(ErrorSchema))
    line = fields.String(metadata={"description": "the line of notation that cannot be read"})
    until = fields.String(allow_none=True, metadata={"description": "403 suspended: until when; null for no end"})
    why = fields.String(allow_none=True, metadata={"description": "403 suspended: the reason the operator gave"})
    scope = fields.String(metadata={"description": "403 insufficient-scope: the scope that a token needs for it"})
    version = fields.Integer(metadata={"description": "412: where the game is now"})
    hash = fields.String(metadata={"description": "412: the hash of its last event"})
    events = fields.List(fields.Dict(), metadata={"description": "412: what happened since the version in If-Match"})


class ProblemApi(Api):  # type: ignore[misc]
    """flask-smorest with problem+json, documented as what is really sent; described when that is first asked for.

    To describe all resources takes half as long as to make the application, and most processes are not asked.
    """

    ERROR_SCHEMA = ProblemSchema

    def __init__(self, app: Flask) -> None:
        self._undescribed: list[Blueprint] = []
        self._describing = Lock()
        self._document = b""
        super().__init__(app)

    def register_blueprint(self, blueprint: Blueprint) -> None:
        """Let a resource answer."""
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blueprint.name] = self
        self._app.register_blueprint(blueprint)
        self._undescribed.append(blueprint)

    def describe(self) -> bytes:
        """Put every resource into the description, once; the document."""
        with self._describing:
            for blueprint in self._undescribed:
                blueprint.register_views_in_doc(self, self._app, self.spec, name=blueprint.name, parameters=None)
                self.spec.tag({"name": blueprint.name, "description": blueprint.description})
            self._undescribed.clear()
            self._document = self._document or self._completed()
        return self._document

    def _completed(self) -> bytes:
        from service.api.description.document import complete

        base_url = self._app.extensions["wardroom"].settings.base_url
        document = json.loads(json.dumps(self.spec.to_dict()))
        describe_scopes(document["paths"])
        return json.dumps(complete(document, base_url)).encode()

    def _openapi_json(self) -> Response:
        return same_for_all(Response(self.describe(), mimetype="application/json"))

    def _register_responses(self) -> None:
        for status in HTTPStatus:
            response: dict[str, Any] = {"description": status.phrase}
            if status >= 400:
                response["schema"] = self.ERROR_SCHEMA
            prepare_response(response, self.spec, PROBLEM)
            self.spec.components.response(status.name, response, lazy=True)
        response = {"description": "Problem", "schema": self.ERROR_SCHEMA}
        prepare_response(response, self.spec, PROBLEM)
        self.spec.components.response("DEFAULT_ERROR", response, lazy=True)

    def handle_http_exception(self, error: HTTPException) -> Response:
        """An HTTP error, from Flask, webargs or a view, as a problem; its own headers are kept."""
        data: Mapping[str, Any] = getattr(error, "data", None) or {}
        status = error.code or 500
        title = HTTPStatus(status).phrase
        messages = data.get("messages") or data.get("errors")
        more: dict[str, Any] = {"errors": pointers(messages)} if messages else {}
        detail = data.get("message") or (SAID_BETTER.get(status) if not messages else None)
        if detail is None:
            faults = "; ".join(f"{fault['pointer']}: {fault['detail']}" for fault in more.get("errors", ()))
            detail = faults if more else title + "."
        code = data.get("code") or title.lower().replace(" ", "-")
        answer = problem(status, code, detail, **more)
        for name, value in error.get_headers():
            if name.lower() not in ("content-type", "content-length"):
                answer.headers[name] = value
        answer.headers.update(data.get("headers") or {})
        return answer


SAID_BETTER: Final = {
    400: "The request cannot be read: send what /api/v1/openapi.json describes.",
    404: "There is nothing here: the paths are listed at /api/v1/openapi.json.",
    405: "This path does not take that method: see the Allow header.",
    413: "The request is too large: send less at a time.",
    414: "The address is too long.",
    415: "Send JSON, with Content-Type: application/json.",
    429: "Too many requests: wait as long as Retry-After says.",
}


def problem(status: int, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> Response:
    """A problem as a response."""
    body = {
        "type": f"urn:wardroom:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        **more,
    }
    answer = Response(encoded(body), status, content_type=PROBLEM)
    answer.headers.update(headers or {})
    return answer


def pointers(messages: Any, at: str = "") -> list[dict[str, str]]:
    """marshmallow's nested messages as a list of JSON Pointers and sentences."""
    if isinstance(messages, Mapping):
        return [pointer for key, inner in messages.items() for pointer in pointers(inner, _below(at, str(key)))]
    if isinstance(messages, list | tuple):
        return [pointer for inner in messages for pointer in pointers(inner, at)]
    return [{"pointer": at or "/", "detail": str(messages)}]


def _below(at: str, key: str) -> str:
    if not at and key in ("json", "query", "query_string", "headers", "_schema"):
        return ""
    return at if key == "_schema" else f"{at}/{key.replace('~', '~0').replace('/', '~1')}"
