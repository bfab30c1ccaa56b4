"""Examples of requests and answers, from a game that the suite plays: `examples.json` beside this module."""

import json
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("examples.json")


def add_examples(document: dict[str, Any]) -> None:
    """Put the kept examples on the operations: request bodies, and the answer that was given to them."""
    kept: dict[str, Any] = json.loads(FILE.read_text()) if FILE.exists() else {}
    for methods in document["paths"].values():
        for operation in methods.values():
            if isinstance(operation, dict) and operation.get("operationId") in kept:
                _add(operation, kept[operation["operationId"]])


def _add(operation: dict[str, Any], kept: dict[str, Any]) -> None:
    """Put one exchange on an operation."""
    request = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if "body" in kept and request:
        request["example"] = kept["body"]
    if "bodies" in kept:
        request["examples"] = {label: {"value": body} for label, body in kept["bodies"].items()}
    answer = operation["responses"].get(str(kept["status"]), {}).get("content", {}).get(kept["type"])
    if answer is not None and "answer" in kept:
        answer["example"] = kept["answer"]
