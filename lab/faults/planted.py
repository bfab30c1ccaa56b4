"""Faults planted by hand, each known by the name of a function and one line of it: a move does not lose them."""

import ast
import textwrap
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lab.faults.mutator import ROOTS

PLANTED: Final = Path(__file__).with_name("planted.toml")


@dataclass(frozen=True)
class Planted:
    """One fault of `planted.toml`, found in a file; `path` is "" if it no longer applies."""

    name: str
    room: str
    function: str
    line: str
    instead: str
    path: str = ""
    start: int = 0  # the line of the `def`


def read_planted(root: Path) -> list[Planted]:
    """Return the faults of `planted.toml`, looked up in the product under a root."""
    entries = tomllib.loads(PLANTED.read_text())["fault"]
    holders: dict[tuple[str, str], list[tuple[str, int]]] = {}
    wanted = {entry["function"] for entry in entries}
    for path in sorted(path for top in ROOTS for path in (root / top).rglob("*.py")):
        source = path.read_text()
        if not any(f"def {name}(" in source for name in wanted):
            continue
        lines = source.splitlines()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in wanted:
                for line in lines[node.lineno - 1 : node.end_lineno]:
                    holders.setdefault((node.name, line.strip()), []).append((str(path.relative_to(root)), node.lineno))
    found = []
    for entry in entries:
        places = holders.get((entry["function"], entry["line"]), [])
        path_of, start = places[0] if len(places) == 1 else ("", 0)
        fields = {key: entry[key] for key in ("name", "room", "function", "line", "instead")}
        found.append(Planted(**fields, path=path_of, start=start))
    return found


def plant(tree: ast.Module, source: str, fault: Planted, number: int) -> None:
    """Give the function of a fault a second body, which runs while `__fault__(number)` is true."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    holder = next(node for node in functions if node.name == fault.function and node.lineno == fault.start)
    lines = source.splitlines()[holder.lineno - 1 : holder.end_lineno]
    spoiled = []
    for line in lines:
        if line.strip() == fault.line:
            indent = line[: len(line) - len(line.lstrip())]
            spoiled += [indent + part for part in fault.instead.splitlines()]
        else:
            spoiled.append(line)
    second = ast.parse(textwrap.dedent("\n".join(spoiled))).body[0]
    assert isinstance(second, ast.FunctionDef | ast.AsyncFunctionDef)
    documented = ast.get_docstring(second, clean=False) is not None
    head, body = holder.body[:documented], holder.body[documented:]
    test = ast.parse(f"__fault__({number})", mode="eval").body
    holder.body = [*head, ast.If(test, second.body[documented:], body)]
    ast.fix_missing_locations(tree)
