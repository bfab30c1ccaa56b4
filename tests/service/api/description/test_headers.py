"""The headers of answers are described where answers have them; enumerated values have a type."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from service.api.description.document import operations
from service.api.description.headers import COUNTED


@pytest.mark.slow
def test_every_answer_tells_of_the_limits_on_requests(document):
    answers = [
        document["components"]["responses"][answer["$ref"].rpartition("/")[2]] if "$ref" in answer else answer
        for _, _, operation in operations(document)
        for answer in operation["responses"].values()
    ]
    assert {name for answer in answers for name in COUNTED if name not in answer["headers"]} == set()
    assert "Retry-After" in document["components"]["responses"]["TOO_MANY_REQUESTS"]["headers"]


@pytest.mark.slow
def test_the_headers_are_as_described(document, limited_api):
    answer = limited_api.get("/rulesets")
    for name, header in document["components"]["headers"].items():
        words = re.split(r"\d+", header["example"].replace('"token"', '"address"'))
        assert re.fullmatch(r"\d+".join(map(re.escape, words)), answer.headers[name]), answer.headers[name]


def test_every_enumeration_has_a_type(document):
    found = [part for part in _parts(document["components"]["schemas"]) if isinstance(part.get("enum"), list)]
    assert len(found) > 100
    assert [part for part in found if "type" not in part] == []


def _parts(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        yield part
    for below in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from _parts(below)
