"""Find docstrings that are hard to read: `python -m lab.english [--list RULE]`.

Each rule is a pattern over the first words, the words or the sentences of a docstring of the product.
"""

import argparse
import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PRODUCT: Final = ("domain", "service", "workers", "config")
ROOT: Final = Path(__file__).parent.parent
WORDS_A_SENTENCE: Final = 20

_ASKING = r"Who|What|Whose|How|When|Where|Whoever|Which|Whether|Since when|Until when|By how much"
_FOR_IF = (
    r"\b(None|False|True|\"\"|Raises \w+|else|and|or|but|nothing)[ ,]+where "
    r"(it|there|they|that|one|nobody|none|nothing|he|somebody)\b|; (None|\"\"|False) where\b|\bNone for\b"
)
_WORDS = (
    r"\b(be it|besides|in vain|anew|thereof|midst|just now|made good|as told|likewise|hence|whence|whoever)\b"
    r"|\bso (many|much|few|long)\b(?! (as|that))|\b(tell|tells|told|know|knows|known|hear|hears|ask|asked) of\b"
    r"|\b(is|are|was|were) (no|none)\b(?! (longer|more))"
    r"|\b(stands?|lies?|lay|rests?) (in|at|beside|there|here|under|behind)\b"
    r"|\b(is|are|was|were|what is|who is) to be \w+ed\b|\b[Ll]et \w+ (\w+ )?(go|pass|be|lie|rest)\b"
    r"|\b(of|for|by|to|from|with|in) (which|whom)\b|\b(by then|of its own|of their own|of ours|of theirs)\b"
)
PATTERNS: Final = {
    "opens with a question word": re.compile(rf"^({_ASKING})\b"),
    "opens with all that": re.compile(r"^(All|Everything|All that|Those|The same|That)\b"),
    "where for if, None for": re.compile(_FOR_IF),
    "unusual words": re.compile(_WORDS),
}
LONG: Final = "sentence of more than 20 words"
NO_VERB: Final = "function without a verb in front"
_NOUN: Final = re.compile(
    r"^(The|A|An|No|Nothing|None|Nobody|Somebody|One|This|It|Two|Each|Every|Both|Of|For|In|On|By|As|At|With)\b"
)
RULES: Final = (*PATTERNS, LONG, NO_VERB)
CONTORTED: Final = tuple(PATTERNS)
"""The rules that make a docstring contorted: a reader has to untangle it."""


@dataclass(frozen=True)
class Docstring:
    """One docstring: where it is, whether it belongs to a function, and its words on one line."""

    place: str
    is_function: bool
    text: str

    def broken(self) -> set[str]:
        """Return the rules that this docstring breaks."""
        found = {name for name, pattern in PATTERNS.items() if pattern.search(self.text)}
        if any(len(sentence.split()) > WORDS_A_SENTENCE for sentence in re.split(r"(?<=[.:?!;])\s+", self.text)):
            found.add(LONG)
        if self.is_function and _NOUN.match(self.text):
            found.add(NO_VERB)
        return found


def product(root: Path = ROOT) -> Iterator[tuple[Path, ast.Module]]:
    """Yield the files of the product and their syntax trees."""
    for path in sorted(path for top in PRODUCT for path in (root / top).rglob("*.py")):
        if "versions" not in path.parts:
            yield path, ast.parse(path.read_text())


def docstrings(root: Path = ROOT) -> Iterator[Docstring]:
    """Yield every docstring of the product."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for path, tree in product(root):
        for node in ast.walk(tree):
            if isinstance(node, documented) and (text := ast.get_docstring(node)):
                is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                yield Docstring(
                    f"{path.relative_to(root)}:{getattr(node, 'lineno', 1)}", is_function, " ".join(text.split())
                )


def contorted(root: Path = ROOT) -> int:
    """Return how many docstrings break one of the rules of `CONTORTED`."""
    return sum(bool(docstring.broken() & {*CONTORTED}) for docstring in docstrings(root))


def main() -> None:
    """Print how many docstrings break each rule, or list those that break one."""
    parser = argparse.ArgumentParser(prog="python -m lab.english", description=__doc__)
    parser.add_argument("--list", metavar="RULE", choices=RULES, help=f"list what breaks a rule: {'; '.join(RULES)}")
    asked = parser.parse_args()
    every = [(docstring, docstring.broken()) for docstring in docstrings()]
    if asked.list:
        print("\n".join(f"{each.place} {each.text}" for each, broken in every if asked.list in broken))
        return
    for rule in RULES:
        print(f"{sum(rule in broken for _, broken in every):6}  {rule}")
    print(f"{sum(bool(broken & {*CONTORTED}) for _, broken in every):6}  contorted, of {len(every)}")


if __name__ == "__main__":
    main()
