"""The worked examples as positions: all are there, and what each of them says holds."""

import pytest

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from service.lessons.examples import stand, tried
from service.lessons.material import examples_of
from tests.test_docs import numbered

KINDS = {"tammany-hall": 35, "city-hall": 36}
SCENES = [
    (kind, example.id, number)
    for kind in KINDS
    for example in examples_of(kind).values()
    for number in range(1, len(example.scene) + 1)
]


def holds(practice, seat, path, value):
    """Whether the view of a seat has a value at a dotted path; a list by number."""
    found = practice.view(seat)
    for part in path.split("."):
        found = found[int(part)] if isinstance(found, list) else found[part]
    return found == (None if value == "none" else value)


def asked(practice):
    return min(practice.awaited, default=None)


@pytest.mark.parametrize("kind", KINDS)
def test_every_worked_example_is_a_position(kind):
    """All 71 of them, TH-E1 to TH-E35 and CH-E1 to CH-E36."""
    assert len(examples_of(kind)) == KINDS[kind]
    assert examples_of(kind).keys() == {number for number in numbered(kind) if "-E" in number}


@pytest.mark.parametrize("kind, example, number", SCENES, ids=str)
def test_what_an_example_says_holds(kind, example, number):
    """The position is as it is told; each line is legal, or refused for the reason that is named."""
    scene = examples_of(kind)[example].scene[number - 1]
    table = stand(kind, example, number, ()).practice
    for path, value in scene.shows.items():
        assert holds(table, asked(table), path, value), f"{path} is not {value}"
    assert scene.shows or scene.tries
    for line in scene.tries:
        code, then = "", None
        try:
            then = tried(kind, example, number, line)
        except (RuleViolation, OrderNotUnderstood) as refused:
            code = refused.code
        assert code == line.refused, line.line
        for path, value in line.gives.items():
            assert holds(then, asked(then), path, value), f"{line.line}: {path} is not {value}"
