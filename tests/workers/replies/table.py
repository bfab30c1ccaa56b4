"""The tables of replies, a file a language.

@ auction            the decision that is answered from here on
| Hi all,            a reply, line by line; {nbsp} and {zwsp} are written out
|
| bid 3
= bid 3              what is executed, one command after the other
? pass               or else: nothing is, and the answer has this to copy; only `?` says nothing about that
? nothing            or the answer has nothing to copy
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
UNSEEN: Final = {"{nbsp}": "\xa0", "{zwsp}": "\u200b", "{narrow}": "\u202f"}


@dataclass(frozen=True)
class Row:
    """A reply, and what becomes of it."""

    line: int
    decision: str
    text: str
    sign: str
    expected: str

    def __str__(self) -> str:
        return f"line {self.line}, {self.decision}: {self.text!r}"


def rows(language: str) -> list[Row]:
    """All replies of a language."""
    return list(_rows((FOLDER / f"{language}.txt").read_text().splitlines()))


def small_talk(language: str) -> list[tuple[str, str]]:
    """Lines that order nothing, each with its sign: `|`, or `?` for those that come near an order somewhere."""
    lines = (FOLDER / f"small_talk_{language}.txt").read_text().splitlines()
    return [(line[0], line[2:]) for line in lines]


def _rows(lines: list[str]) -> Iterator[Row]:
    decision, text = "", list[str]()
    for number, line in enumerate(lines, 1):
        sign, rest = line[:1], line[1:].removeprefix(" ")
        if sign == "@":
            decision = rest.strip()
        elif sign == "|":
            for name, char in UNSEEN.items():
                rest = rest.replace(name, char)
            text.append(rest)
        elif sign in ("=", "?"):
            yield Row(number, decision, "\n".join(text), sign, rest.strip())
            text = []
        elif line.strip() and sign != "#":
            raise ValueError(f"line {number} is of no kind: {line}")
