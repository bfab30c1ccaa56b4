"""The archived games show at every version what the games before the clean beginning showed."""

import json
import lzma
from typing import Any

import pytest

from tests.archive.reference import KEPT, SHORT, describe, games
from tests.archive.test_archive import QUICK

REFERENCE: dict[str, Any] = json.loads(lzma.decompress(KEPT.read_bytes()))


def test_the_reference_names_every_game():
    assert sorted(REFERENCE) == sorted(games()), "run `python -m tests.archive.reference`"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in games()]
)
def test_positions_texts_and_winners_are_those_of_the_reference_at_every_version(name):
    """If rules or sentences were changed on purpose: `python -m tests.archive.reference` writes them down anew."""
    found, kept = describe(name), REFERENCE[name]
    assert found["winners"] == kept["winners"]
    for what in ("positions", "sentences"):
        assert first_difference(found[what]["each"], kept[what]["each"]) is None, what
        assert found[what] == kept[what]


def first_difference(found: str, kept: str) -> int | None:
    """Return the first version whose digest differs, None if all are the same."""
    pairs = zip(versions(found), versions(kept), strict=True)
    return next((version for version, (one, other) in enumerate(pairs, 1) if one != other), None)


def versions(digests: str) -> list[str]:
    return [digests[at : at + SHORT] for at in range(0, len(digests), SHORT)]
