"""Names of components: one space of names for the types of all rulesets, with their own name before each."""

from collections.abc import Collection, Mapping
from typing import Any, Final

import msgspec

REF: Final = "#/components/schemas/"
Schema = dict[str, Any]


def pascal(slug: str) -> str:
    """`tammany-hall` as `TammanyHall`."""
    return "".join(word.capitalize() for word in slug.split("-"))


def ref(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": REF + name}


def components(types: Collection[type], prefix: str, own: Mapping[str, str]) -> dict[str, Schema]:
    """The JSON Schema of types and of what they are made of, by component name: a prefix, then the name of the type,
    or the one that `own` has for it."""
    _, found = msgspec.json.schema_components(types, ref_template=REF + "{name}")
    names = {name: prefix + own.get(name, name.removesuffix("Document")) for name in found}
    return {names[name]: {"title": names[name]} | _named(schema, names) for name, schema in found.items()}


def _named(schema: Any, names: Mapping[str, str]) -> Any:
    """A schema with the new names in its references, and no title of the class."""
    if isinstance(schema, dict):
        inner = {key: _named(value, names) for key, value in schema.items() if key != "title"}
        return _plain(inner)
    if isinstance(schema, str) and schema.startswith(REF):
        return REF + names[schema.removeprefix(REF)]
    return [_named(value, names) for value in schema] if isinstance(schema, list) else schema


def _plain(schema: Schema) -> Schema:
    """The same without what generators of clients do not know: tuples, and lists of words and numbers."""
    if "prefixItems" in schema:
        return _array(schema)
    kinds = {type(value) for value in schema.get("enum", ())}
    if len(kinds) < 2:
        return schema
    kept = {key: value for key, value in schema.items() if key != "enum"}
    parts = [[value for value in schema["enum"] if type(value) is kind] for kind in sorted(kinds, key=str)]
    return {**kept, "anyOf": [{"enum": values} for values in parts]}


def _array(schema: Schema) -> Schema:
    """A tuple as an array of so many items."""
    kinds: list[Schema] = []
    for item in schema["prefixItems"]:
        kinds += [kind for kind in item.get("anyOf", [item]) if kind not in kinds]
    size = len(schema["prefixItems"])
    kept = {key: value for key, value in schema.items() if key != "prefixItems"}
    return {**kept, "items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}, "minItems": size, "maxItems": size}


def union(names: Collection[str], schemas: Mapping[str, Schema], tag: str, description: str) -> Schema:
    """A union told apart by a property that each of its schemas has with one value.

    Those with most required properties come first: clients that try them in order then never stop too early.
    """
    order = sorted(names, key=lambda name: (-len(schemas[name].get("required", ())), name))
    mapping = {schemas[name]["properties"][tag]["enum"][0]: REF + name for name in sorted(names)}
    return {
        "description": description,
        "oneOf": [ref(name) for name in order],
        "discriminator": {"propertyName": tag, "mapping": mapping},
    }
