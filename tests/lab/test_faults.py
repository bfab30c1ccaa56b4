"""The faults that measure the suite: where they are put, and what they change."""

import ast
import builtins
from pathlib import Path

import pytest

from lab.faults.mutator import Mutant, draw, mutants_of, with_switches
from lab.faults.planted import plant, read_planted

ROOT = Path(__file__).parents[2]
SOURCE = """
LIMIT = 3

def seats_left(taken, seats):
    \"\"\"Return how many seats are left.\"\"\"
    if taken < seats and not seats < 0:
        taken += 1
    names = []
    names.append(taken)
    return seats - names[0]
"""


def faulty(switched_on: int | None, tree: ast.Module, monkeypatch: pytest.MonkeyPatch) -> object:
    """Return what `seats_left(1, 3)` is with one fault on."""
    monkeypatch.setattr(builtins, "__fault__", lambda number: number == switched_on, raising=False)
    names: dict[str, object] = {}
    exec(compile(tree, "seats.py", "exec"), names)
    return names["seats_left"](1, 3)  # type: ignore[operator]


def tree_under(root: Path, source: str = SOURCE, name: str = "domain/seats.py") -> list[Mutant]:
    """Write one file of a product. Returns its mutants."""
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(source)
    return mutants_of(root)


def test_a_fault_changes_what_its_node_does_and_only_while_it_is_on(tmp_path, monkeypatch):
    mutants = tree_under(tmp_path)
    texts = {mutant.identity.partition(" #")[0] for mutant in mutants}
    assert "seats_left: Compare taken < seats" in texts
    assert "seats_left: AugAssign taken += 1" in texts
    assert not any("LIMIT" in text or "Constant 3" in text for text in texts), "nothing outside of functions"
    tree = with_switches(ast.parse(SOURCE), {mutant.place: number for number, mutant in enumerate(mutants)})
    assert faulty(None, tree, monkeypatch) == 1
    changed = {}
    for number, mutant in enumerate(mutants):
        try:
            changed[mutant.identity.partition(" #")[0]] = faulty(number, tree, monkeypatch)
        except IndexError:
            changed[mutant.identity.partition(" #")[0]] = "raised"
    assert changed["seats_left: AugAssign taken += 1"] == 2
    assert changed["seats_left: BinOp seats - names[0]"] == 5
    assert changed["seats_left: Expr names.append(taken)"] == "raised"
    assert changed["seats_left: UnaryOp not seats < 0"] == 2


def test_the_same_seed_draws_the_same_faults_after_a_move(tmp_path):
    before = draw(tree_under(tmp_path / "a"), 4, seed=7)
    moved = tree_under(tmp_path / "b", f"import os\n\n{SOURCE}", "service/store/chairs.py")
    assert [mutant.identity for mutant in draw(moved, 4, seed=7)] == [mutant.identity for mutant in before]
    assert [mutant.identity for mutant in draw(moved, 4, seed=8)] != [mutant.identity for mutant in before]
    assert {mutant.room for mutant in moved} == {"service/store"}


def test_every_room_has_a_part_in_what_is_drawn(tmp_path):
    tree_under(tmp_path, SOURCE * 30, "service/api/large.py")
    mutants = tree_under(tmp_path, SOURCE, "workers/bots/small.py")
    rooms = [mutant.room for mutant in draw(mutants, 20, seed=1)]
    assert len(rooms) == 20
    assert rooms.count("workers/bots") >= 5


def test_every_planted_fault_applies():
    """If a line was rewritten, rewrite its fault in lab/faults/planted.toml: a fault that is lost measures nothing."""
    planted = read_planted(ROOT)
    assert [fault.name for fault in planted if not fault.path] == []
    assert len(planted) == len({fault.name for fault in planted}) == 60
    for number, fault in enumerate(planted):
        source = (ROOT / fault.path).read_text()
        tree = ast.parse(source)
        sound = ast.unparse(tree)
        plant(tree, source, fault, number)
        assert f"__fault__({number})" in ast.unparse(tree)
        assert ast.unparse(tree) != sound
        compile(tree, fault.path, "exec")
