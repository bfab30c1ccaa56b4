"""What names look like, by the security mechanisms of Unicode (UTS 39): what nobody sees, and what looks the same.

The tables of the library take a moment to read: they are read when the first name is given.
"""

import re
import unicodedata
from functools import cache
from typing import Final

INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
"""What is ignored when it is shown (Default_Ignorable_Code_Point), and the Braille pattern without dots."""
_ZWNJ: Final = "\u200c"
_JOINERS: Final = re.compile("[\u200c\u200d]")
_VIRAMA: Final = 9
"""The combining class of a sign that joins consonants (Virama)."""
_CURSIVE: Final = ("ARABIC LETTER", "SYRIAC LETTER", "NKO LETTER", "MONGOLIAN LETTER", "MANDAIC LETTER")
"""How the names of letters begin that are joined to the next."""
_LAST_ONLY: Final = frozenset(
    "\u0621\u0622\u0623\u0624\u0625\u0627\u0629\u062f\u0630\u0631\u0632\u0648\u0671\u0672\u0673\u0674\u0675\u0676\u0677"
    "\u0688\u0689\u068a\u068b\u068c\u068d\u068e\u068f\u0690\u0691\u0692\u0693\u0694\u0695\u0696\u0697\u0698\u0699\u06c0\u06c3"
    "\u06c4\u06c5\u06c6\u06c7\u06c8\u06c9\u06ca\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0710\u0715\u0716\u0717\u0718\u0719"
    "\u071e\u0728\u072a\u072c\u072f"
)
"""Letters that never join the next one: a ZWNJ after them shows nothing."""
_ANY_SCRIPT: Final = frozenset({"COMMON", "INHERITED"})
_TOGETHER: Final = tuple(
    frozenset({"LATIN", "HAN", *others}) for others in (["HIRAGANA", "KATAKANA"], ["BOPOMOFO"], ["HANGUL"])
)
"""Scripts that are written in one line by those who read them (UTS 39, 5.2: Highly Restrictive)."""
_MARK: Final = "\u200e"
"""What the tables of the library put around letters that are written from right to left."""


def without_joiners(text: str) -> str:
    """Return a text without ZWJ and ZWNJ."""
    return _JOINERS.sub("", text)


def joiners_out_of_place(text: str) -> bool:
    """Return whether a ZWJ or ZWNJ stands anywhere but between letters that need it (RFC 5892, A.1 and A.2)."""
    return any(not _is_in_place(text, found.start()) for found in _JOINERS.finditer(text))


def _is_in_place(text: str, place: int) -> bool:
    """Return whether a joiner follows a virama, or a ZWNJ parts two letters that would be joined."""
    before, after = text[:place], text[place + 1 :]
    if not before or not after or not after[0].isalpha():
        return False
    if unicodedata.combining(before[-1]) == _VIRAMA:
        return True
    while before and unicodedata.category(before[-1]) == "Mn":
        before = before[:-1]
    return (
        text[place] == _ZWNJ
        and before != ""
        and _joins(before[-1])
        and before[-1] not in _LAST_ONLY
        and _joins(after[0])
    )


def _joins(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(_CURSIVE)


def is_of_one_script(text: str) -> bool:
    """Whether a text is of one script, or of Latin beside Chinese, Japanese or Korean (UTS 39, 5.2)."""
    from confusable_homoglyphs.categories import alias

    scripts = {alias(letter) for letter in text} - _ANY_SCRIPT
    return len(scripts) <= 1 or any(scripts <= together for together in _TOGETHER)


def look_alike(one: str, other: str) -> bool:
    """Whether two texts look the same, as they are or in small letters."""
    return bool(skeletons(one) & skeletons(other))


def skeletons(text: str) -> frozenset[str]:
    """What a text comes down to, the same for texts that look alike (UTS 39, 4), as it is and in small letters."""
    whole = " ".join(unicodedata.normalize("NFKC", without_joiners(text)).split())
    return frozenset({_skeleton(whole), _skeleton(whole.casefold()).casefold()})


def _skeleton(text: str) -> str:
    prototypes = _prototypes()
    for _ in range(2):  # what stands for a letter may be of letters that others stand for
        letters = unicodedata.normalize("NFD", text)
        text = "".join(prototypes.get(letter, letter) for letter in letters)
    return unicodedata.normalize("NFD", text)


@cache
def _prototypes() -> dict[str, str]:
    """The sign that stands for each letter that looks like another.

    The library lists for each sign those that look like it: many where it stands for them, else the one that stands for
    it. Of two that are alone with each other either may, but for the longer one where one is of several letters.
    """
    from confusable_homoglyphs.confusables import confusables_data

    found: dict[str, str] = {}
    for sign, alike in confusables_data.items():
        if len(alike) == 1 and len(bare := sign.strip(_MARK)) == 1:
            other = alike[0]["c"]
            stands = len(confusables_data.get(other, ())) > 1
            found[bare] = (other if stands else min(sign, other, key=lambda each: (-len(each), each))).strip(_MARK)
    return found
