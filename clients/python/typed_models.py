"""Makes the types of the client's documents from the OpenAPI description of a server.

    python clients/python/typed_models.py openapi.json

Documents are dictionaries as they come; their types are TypedDicts, so that a server that says more breaks no program.
"""

import json
import keyword
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

PLACE: Final = Path(__file__).parent / "wardroom_client" / "models.py"
ROOTS: Final = [
    "Actions", "Choices", "Diff", "Draft", "Event", "Events", "Game", "Lobby", "Me", "Moved", "Problem", "Turns",
]  # fmt: skip
"""The documents that the client returns; those that they hold come with them."""
PLAIN: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
HEAD: Final = '''"""The documents of the API as types: made by `clients/python/typed_models.py` from the description.

A document may hold more than is named here: a newer server says more.
"""

# ruff: noqa: E501
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
'''


def models_of(description: Mapping[str, Any]) -> str:
    """The module of types. Raises KeyError where the description lacks a document that the client returns."""
    schemas = description["components"]["schemas"]
    wanted = [name for name in ROOTS if name in schemas or name != "Event"]
    for name in wanted:  # it grows by what each holds
        wanted += [other for other in dict.fromkeys(_references(schemas[name])) if other not in wanted]
    made = [_definition(name, schemas[name]) for name in sorted(wanted)]
    if "Event" not in schemas:
        made.append("Event: TypeAlias = dict[str, Any]\n")
    return HEAD + "\n\n" + "\n\n".join(made)


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for key, inner in schema.items():
            if key != "discriminator":
                yield from _references(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _references(inner)


def _definition(name: str, schema: Mapping[str, Any]) -> str:
    properties = schema.get("properties")
    if properties is None:
        return f"{name}: TypeAlias = {_type(schema)}\n"
    required = set(schema.get("required", ()))
    fields = {
        field: _type(inner) if field in required else f"NotRequired[{_type(inner)}]"
        for field, inner in properties.items()
    }
    if all(field.isidentifier() and not keyword.iskeyword(field) for field in fields):
        lines = "".join(f"    {field}: {kind}\n" for field, kind in fields.items()) or "    pass\n"
        return f"class {name}(TypedDict):\n{lines}"
    lines = "".join(f"        {json.dumps(field)}: {kind},\n" for field, kind in fields.items())
    return f"{name} = TypedDict(\n    {json.dumps(name)},\n    {{\n{lines}    }},\n)\n"


def _type(schema: Any) -> str:
    """The type of a value, references as names in quotes."""
    if not isinstance(schema, Mapping):
        return "Any"
    if "$ref" in schema:
        return json.dumps(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return _union([_type(inner) for inner in schema[key]])
    kind = schema.get("type")
    if isinstance(kind, list):
        return _union([_type({**schema, "type": each}) for each in kind])
    if kind == "array":
        return f"list[{_type(schema.get('items'))}]"
    if kind == "object":
        inner = schema.get("additionalProperties")
        return f"dict[str, {_type(inner)}]" if not schema.get("properties") else "dict[str, Any]"
    return PLAIN.get(kind or "", "Any")


def _union(kinds: list[str]) -> str:
    found = list(dict.fromkeys(kinds))
    if "Any" in found:
        return "Any"
    if len(found) > 1 and any(kind.startswith('"') for kind in found):
        return json.dumps(" | ".join(kind.replace('"', "") for kind in found))
    return " | ".join(found)


if __name__ == "__main__":
    PLACE.write_text(models_of(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), encoding="utf-8")
