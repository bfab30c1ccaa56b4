"""The description in short, a line for each operation and each schema: what a change of the API changes.

`python -m tests.service.api.description.summary` writes `summary.txt` again and prints the digest for a row of
docs/api-changelog.md.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from service.api.description.document import operations
from tests.service.api.description import exchanges

FILE = Path(__file__).with_name("summary.txt")


def summarize(document: dict[str, Any]) -> str:
    """The whole summary."""
    return "\n".join([*sorted(_operations(document)), *sorted(_schemas(document))]) + "\n"


def digest(summary: str) -> str:
    """What a row of the changelog names."""
    return hashlib.sha256(summary.encode()).hexdigest()[:12]


def _operations(document: dict[str, Any]) -> Iterator[str]:
    for path, method, operation in operations(document):
        names = " ".join(sorted(f"{parameter['in']}:{parameter['name']}" for parameter in operation["parameters"]))
        yield f"{method.upper()} {path} {operation['operationId']} [{names}] {' '.join(sorted(operation['responses']))}"
    for name in document["webhooks"]:
        yield f"webhook {name}"


def _schemas(document: dict[str, Any]) -> Iterator[str]:
    for name, schema in document["components"]["schemas"].items():
        yield f"schema {name} {digest(json.dumps(_bare(schema), sort_keys=True))}"


def _bare(schema: Any) -> Any:
    """A schema without what only people read."""
    if isinstance(schema, dict):
        return {
            key: _bare(value)
            for key, value in schema.items()
            if key not in ("title", "example") and not _told(key, value)
        }
    return [_bare(value) for value in schema] if isinstance(schema, list) else schema


def _told(key: str, value: Any) -> bool:
    return key == "description" and isinstance(value, str)


if __name__ == "__main__":
    written = summarize(json.loads(exchanges.describe()))
    FILE.write_text(written)
    print(digest(written))
