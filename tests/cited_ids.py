"""The list of requirements and rules that the tests of the normal suite cite, and the command that prints it.

`python -m tests.cited_ids` prints the list; `tests/cited_ids.txt` keeps it, and `tests/test_cited_ids.py` compares the
two, so that losing the only test of a requirement is never an oversight. Drills marked `long` do not count.
"""

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
KEPT = TESTS / "cited_ids.txt"
PREFIXES = "A CH DESIGN F G I IN OUT Q RATE S T TH".split()
IN_TEXT = re.compile(rf"\b({'|'.join(PREFIXES)})-(E?\d+(?:\.\d+)*[a-z]?)\b")
IN_NAME = re.compile(rf"_({'|'.join(PREFIXES).lower()})_?(e?\d+[a-z]?)(?=_|$)(?:_(\d+)(?=_|$))?")
CHAPTERS = {"TH", "CH"}
"""The rules of the games have a chapter and a number: `test_th_9_10_...` is TH-9.10."""


def main() -> None:
    print(listing(cited_ids()), end="")


def cited_ids() -> set[str]:
    """The ids cited by names and texts of tests that run in the normal suite, without leading zeros: IN-1, TH-9.10."""
    files = [file for file in TESTS.rglob("*.py") if "cited_ids" not in file.name and file.parent.name != "simulation"]
    return {found for file in files for found in ids_of_module(file.read_text(encoding="utf-8"))}


def ids_of_module(source: str) -> set[str]:
    """The ids one module cites; none if the module is marked `long`."""
    tree = ast.parse(source)
    if any(_marked_long(node) for node in tree.body if isinstance(node, ast.Assign)):
        return set()
    return {found for node in _normal_nodes(tree) for found in _ids_of_node(node)}


def listing(ids: set[str]) -> str:
    """The ids as text: a paragraph for each prefix, in order of their numbers."""
    paragraphs = (sorted((found for found in ids if found.startswith(f"{prefix}-")), key=_order) for prefix in PREFIXES)
    filled = (textwrap.fill(" ".join(paragraph), 110, break_on_hyphens=False) for paragraph in paragraphs)
    return "".join(f"{text}\n" for text in filled if text)


def _normal_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes below `tree` but for functions marked `long`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and any(map(_marked_long, node.decorator_list)):
            continue
        yield node
        yield from _normal_nodes(node)


def _marked_long(node: ast.AST) -> bool:
    text = ast.unparse(node)
    return text.startswith(("pytest.mark.long", "pytestmark")) and "pytest.mark.long" in text


def _ids_of_node(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
        for prefix, number, rule in IN_NAME.findall(node.name):
            yield _id(prefix, f"{number}.{rule}" if rule and prefix.upper() in CHAPTERS else number)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        for prefix, number in IN_TEXT.findall(node.value):
            yield _id(prefix, number)


def _id(prefix: str, number: str) -> str:
    plain = re.sub(r"\b0+(?=\d)", "", number)
    return f"{prefix.upper()}-{plain.replace('e', 'E', 1) if plain.startswith('e') else plain}"


def _order(found: str) -> tuple[bool, list[int], str]:
    number = found.partition("-")[2]
    return number.startswith("E"), [int(part) for part in re.findall(r"\d+", number)], number


if __name__ == "__main__":
    main()
