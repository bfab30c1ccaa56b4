"""Which verb a mistyped word was meant to be (IN-10). It may suggest; it never executes (IN-12)."""

from collections.abc import Collection
from typing import Final

SHORT: Final = 5
"""Verbs with fewer letters bear one slip, the others two."""
LONGEST: Final = 24
EDGES: Final = ".,;:!?\"'()[]*_`~<>"


def nearest(word: str, verbs: Collection[str]) -> str:
    """The verb a word is, or is close enough to for a slip; "" for none. The closest, then the first by letters."""
    word = word.strip(EDGES)
    if not word or len(word) > LONGEST:
        return ""
    if word in verbs:
        return word
    close = [(distance(word, verb), verb) for verb in verbs if abs(len(word) - len(verb)) <= allowed(verb)]
    return min(((slips, verb) for slips, verb in close if slips <= allowed(verb)), default=(0, ""))[1]


def allowed(verb: str) -> int:
    """How many slips a verb bears."""
    return 1 if len(verb) < SHORT else 2


def distance(one: str, other: str) -> int:
    """Letters put in, left out or changed, or two neighbours exchanged, to make one word the other."""
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, against in enumerate(other, 1):
            least = min(above[column] + 1, line[-1] + 1, above[column - 1] + (letter != against))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == against:
                least = min(least, before[column - 2] + 1)
            line.append(least)
        before, above = above, line
    return above[-1]
