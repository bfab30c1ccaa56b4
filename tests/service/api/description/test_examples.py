"""The examples of the description are what a game gives, and fit the schemas they stand beside."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from service.api.description.document import operations
from tests.service.api.description import exchanges


@pytest.fixture(scope="module")
def kept() -> str:
    return exchanges.FILE.read_text()


@pytest.mark.slow
def test_the_examples_are_what_the_game_gives_again(kept):
    """If not: `python -m tests.service.api.description.exchanges`, and read what has changed."""
    assert exchanges.generate() == kept


@pytest.mark.slow
def test_every_example_fits_its_schema(document):
    shown = 0
    for _, _, operation in operations(document):
        bodies = [operation["requestBody"]] if "requestBody" in operation else []
        for part in [*bodies, *operation["responses"].values()]:
            for content in part.get("content", {}).values():
                several = [example["value"] for example in content.get("examples", {}).values()]
                for example in [content["example"]] if "example" in content else several:
                    _fits(document, content["schema"], example, operation["operationId"])
                    shown += 1
    assert shown > 60


def _fits(document: dict[str, Any], schema: Any, example: Any, name: str) -> None:
    whole = {**schema, "components": document["components"]}
    for error in Draft202012Validator(whole, format_checker=FormatChecker()).iter_errors(example):
        raise AssertionError(f"{name}: {error.json_path}: {error.message[:300]}")
