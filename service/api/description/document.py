"""The whole document: what flask-smorest knows of the views, completed step by step."""

from collections.abc import Iterator
from types import NoneType
from typing import Any, Final

from service.api.description.events import event_schemas
from service.api.description.examples import add_examples
from service.api.description.headers import COUNTED, add_headers, add_problem_headers
from service.api.description.naming import REF
from service.api.description.operations import Operation, name_operation
from service.api.description.refinements import refine, refine_bodies, refine_texts
from service.api.description.rulesets import ruleset_schemas
from service.api.description.webhooks import webhook_schemas, webhooks

METHODS: Final = frozenset({"get", "put", "post", "patch", "delete"})
LICENSE: Final = {"name": "MIT", "identifier": "MIT"}
BINARY: Final = frozenset({"image/png", "application/zip"})


def complete(document: dict[str, Any], base_url: str) -> dict[str, Any]:
    """The description of the service at an address. `document` is flask-smorest's; it is changed and returned."""
    schemas, paths = document["components"]["schemas"], document["paths"]
    document["servers"] = [{"url": base_url, "description": "this service"}]
    document["info"]["license"] = LICENSE
    document["info"]["contact"] = {"name": "the operator of this service", "url": f"{base_url}/docs"}
    refine(schemas)
    refine_bodies(paths, schemas)
    schemas |= ruleset_schemas(schemas["Game"]) | event_schemas() | webhook_schemas()
    _title(schemas)
    for _, _, operation in operations(document):
        operation["responses"].setdefault("429", {"$ref": "#/components/responses/TOO_MANY_REQUESTS"})
        _type_binary(operation)
        name_operation(operation)
        add_headers(operation)
        _name_parameters(operation)
    add_problem_headers(document["components"]["responses"])
    document["components"]["headers"] = COUNTED
    document["webhooks"] = webhooks()
    document["components"]["schemas"] = dict(sorted(_used(document).items()))
    for part in (document["components"]["schemas"], document["paths"], document["webhooks"]):
        _type_enumerations(part)
    refine_texts(document)
    _drop_unused_problems(document)
    add_examples(document)
    return document


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, Operation]]:
    """Path, method and operation of all operations of the document."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method in METHODS:
                operation.setdefault("parameters", [])
                yield path, method, operation


def _title(schemas: dict[str, Any]) -> None:
    """Titles, which generators take for names, on all components."""
    for name, schema in schemas.items():
        schema.setdefault("title", name)


JSON_TYPES: Final[dict[type, str]] = {str: "string", bool: "boolean", int: "integer", NoneType: "null"}


def _type_enumerations(part: Any) -> None:
    """The type of all enumerated values, which msgspec leaves out and readers of descriptions ask for."""
    if isinstance(part, list):
        for below in part:
            _type_enumerations(below)
    elif isinstance(part, dict):
        if isinstance(values := part.get("enum"), list) and "type" not in part:
            types = sorted({JSON_TYPES[type(value)] for value in values})
            part["type"] = types[0] if len(types) == 1 else types
        for below in part.values():
            _type_enumerations(below)


def _type_binary(operation: Operation) -> None:
    """Bytes, where an answer is no text (OpenAPI 3.1: no schema, for its content type says all)."""
    for response in operation["responses"].values():
        for kind, content in response.get("content", {}).items():
            if kind in BINARY:
                content["schema"] = {"type": "string", "format": "binary"}


def _name_parameters(operation: Operation) -> None:
    """A sentence for each parameter that says nothing of itself."""
    for parameter in operation["parameters"]:
        parameter.setdefault("description", PARAMETERS.get(parameter["name"], ""))


PARAMETERS: Final[dict[str, str]] = {
    "limit": "how many at most",
    "cursor": "the `next` of the page before",
}


def _used(document: dict[str, Any]) -> dict[str, Any]:
    """The components that something refers to, directly or not."""
    schemas = document["components"]["schemas"]
    found: set[str] = set()
    waiting: list[Any] = [document["paths"], document["webhooks"], document["components"]["responses"]]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            name = part.get("$ref", "").removeprefix(REF) if isinstance(part.get("$ref"), str) else ""
            if name in schemas and name not in found:
                found.add(name)
                waiting.append(schemas[name])
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return {name: schema for name, schema in schemas.items() if name in found}


def _drop_unused_problems(document: dict[str, Any]) -> None:
    """Leave out responses that no operation has."""
    responses = document["components"]["responses"]
    named = {
        response["$ref"].rpartition("/")[2]
        for _, _, operation in operations(document)
        for response in operation["responses"].values()
        if "$ref" in response
    }
    document["components"]["responses"] = {name: responses[name] for name in responses if name in named}
