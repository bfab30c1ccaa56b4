"""The codes of problems that the source can answer with. `python -m` prints the module that lists them."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import TypeGuard

ROOT = Path(__file__).parents[4]
NAMED = ("service.notify.endpoints.BAD",)
"""Codes that have a name, and a table of them."""
PLACES = {"__init__": 0, "require": 1, "RuleViolation": 0, "OrderNotUnderstood": 0, "problem": 1, "NotSaid": 0}
"""Where the code stands among the arguments, by the function called; `refuse` has it first or second."""
CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
PLAIN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
"""Of two words at least: a single one there is something else."""
STATUSES = (400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 414, 415, 422, 428, 429, 500, 501, 502, 503)
"""Errors that are told by their status alone: its phrase is the code."""


@cache
def found() -> list[str]:
    """All codes, sorted."""
    codes = {HTTPStatus(status).phrase.lower().replace(" ", "-") for status in STATUSES}
    for folder in ("domain", "service"):
        for path in (ROOT / folder).rglob("*.py"):
            codes.update(_of(ast.parse(path.read_text())))
    for name in NAMED:
        module_name, _, constant = name.rpartition(".")
        named = getattr(import_module(module_name), constant)
        codes.update(named.values() if isinstance(named, dict) else [named])
    return sorted(codes)


def _of(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for place, pattern in _places(node):
                for part in ast.walk(place):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and pattern.fullmatch(part.value):
                        yield part.value
        if isinstance(node, ast.Return) and _is_refusal(node.value):
            yield str(_text(node.value.elts[0]))


def _text(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _is_refusal(value: ast.expr | None) -> TypeGuard[ast.Tuple]:
    """Whether a code and its sentence are returned."""
    if not (isinstance(value, ast.Tuple) and len(value.elts) == 2 and PLAIN.fullmatch(str(_text(value.elts[0])))):
        return False
    return isinstance(value.elts[1], ast.Call) and getattr(value.elts[1].func, "id", "") == "say"


def _places(call: ast.Call) -> Iterator[tuple[ast.expr, re.Pattern[str]]]:
    """Arguments that may be a code, and the form of a code there."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in PLACES and len(call.args) > PLACES[name]:
        yield call.args[PLACES[name]], CODE if name == "problem" else PLAIN
    if name in ("refuse", "_refuse"):
        yield from ((argument, PLAIN) for argument in call.args[:2] if isinstance(argument, ast.Constant | ast.IfExp))
    if name in ("abort", "problem_abort", "problem"):
        yield from ((keyword.value, CODE) for keyword in call.keywords if keyword.arg == "code")


def module() -> str:
    """The source of `service/api/description/problem_codes.py`."""
    lines = [""]
    for code in found():
        lines[-1:] = [f"{lines[-1]} {code}"] if len(lines[-1]) + len(code) < 112 else [lines[-1], code]
    text = "\n".join(f"    {line.strip()}" for line in lines)
    return (
        '"""Every `code` of a problem. A test compares it with the source, and says how it is written again."""\n\n'
        f'from typing import Final\n\nCODES: Final = tuple(\n    """\n{text}\n""".split()\n)\n'
    )


if __name__ == "__main__":
    print(module(), end="")
