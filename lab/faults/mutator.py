"""Mutants of the product, drawn by a seed: small faults in functions, each switched on by its number at run time.

All mutants are compiled into one program (mutant schemata): `a < b` becomes `a <= b if __fault__(7) else a < b`. One
run of the tests tells which test reaches which mutant, and a forked process switches one on. A mutant is known by the
name of its function and its text, so that the same seed draws the same mutants after code has moved.
"""

import ast
import copy
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOTS: Final = ("domain", "service", "workers", "config")
FEWEST: Final = 5
"""Mutants that each room gets, if it has so many."""
SWAPPED: Final[dict[type, type]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Sub: ast.Add,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One fault: the file, the line, the place of the node in the file's functions, and what changes."""

    path: str
    line: int
    place: int
    identity: str  # function, text and occurrence: the same after a move

    @property
    def room(self) -> str:
        """Return the first two parts of the path, such as `service/store`."""
        return "/".join(Path(self.path).parts[:-1][:2])


def mutated(node: ast.AST) -> ast.AST | None:
    """Return the node with a fault, or None if it has no mutant. A statement that is dropped becomes `pass`."""
    match node:
        case ast.Compare(ops=[only]) if type(only) in SWAPPED:
            return _with(node, ops=[SWAPPED[type(only)]()])
        case ast.BoolOp() | ast.BinOp(op=ast.Sub()):
            return _with(node, op=SWAPPED[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            return copy.deepcopy(node.operand)
        case ast.Constant(value=bool(value)):
            return ast.Constant(not value)
        case ast.Constant(value=int(value)) if value < 1000:
            return ast.Constant(value + 1)
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Delete():
            return ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            return ast.Pass()
    return None


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def sites(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield each node in the body of a function, and the function's name, in the order of the text."""

    def walk(node: ast.AST, name: str) -> Iterator[tuple[str, ast.AST]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name == "__init__":
                return  # a missing attribute shows everywhere
            for statement in node.body:
                yield from walk(statement, node.name)
        elif isinstance(node, ast.ClassDef | ast.Module):
            for statement in node.body:
                yield from walk(statement, name)
        elif isinstance(node, ast.pattern | ast.JoinedStr | ast.AnnAssign) or (not name and isinstance(node, ast.expr)):
            return
        else:
            if name and mutated(node) is not None:
                yield name, node
            for child in ast.iter_child_nodes(node):
                yield from walk(child, name)

    return walk(tree, "")


def mutants_of(root: Path) -> list[Mutant]:
    """Return every mutant of the product under a root."""
    found = []
    for path in sorted(path for top in ROOTS for path in (root / top).rglob("*.py")):
        seen: Counter[str] = Counter()
        if "migrations" in path.parts:
            continue
        for place, (name, node) in enumerate(sites(ast.parse(path.read_text()))):
            text = f"{name}: {type(node).__name__} {ast.unparse(node)}"
            seen[text] += 1
            line = getattr(node, "lineno", 0)
            found.append(Mutant(str(path.relative_to(root)), line, place, f"{text} #{seen[text]}"))
    return found


def draw(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return `count` mutants: a few of every room, the others in proportion to the size of the rooms."""
    ranked = sorted(mutants, key=lambda each: hashlib.sha256(f"{seed} {each.identity}".encode()).digest())
    rooms: defaultdict[str, list[Mutant]] = defaultdict(list)
    for mutant in ranked:
        rooms[mutant.room].append(mutant)
    drawn = [mutant for room in rooms.values() for mutant in room[:FEWEST]][:count]
    taken = set(drawn)
    others = [mutant for mutant in ranked if mutant not in taken]
    return [*drawn, *others[: count - len(drawn)]]


class _Switches(ast.NodeTransformer):
    """Put a switch at each node given: the mutant if it is on, else what was there."""

    def __init__(self, numbers: dict[ast.AST, int]) -> None:
        self.numbers = numbers

    def generic_visit(self, node: ast.AST) -> ast.AST:
        fault = mutated(node) if node in self.numbers else None
        kept = super().generic_visit(node)
        if fault is None:
            return kept
        test = ast.parse(f"__fault__({self.numbers[node]})", mode="eval").body
        if isinstance(kept, ast.stmt):
            return ast.If(ast.UnaryOp(ast.Not(), test), [kept], [])
        assert isinstance(kept, ast.expr)
        assert isinstance(fault, ast.expr)
        return ast.IfExp(test, fault, kept)


def with_switches(tree: ast.Module, places: dict[int, int]) -> ast.Module:
    """Return a module with its mutants inside; `places` gives the number of the mutant at each place."""
    numbers = {node: places[place] for place, (_, node) in enumerate(sites(tree)) if place in places}
    return ast.fix_missing_locations(_Switches(numbers).visit(tree))
