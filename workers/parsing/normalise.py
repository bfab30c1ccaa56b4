"""One line as the grammar reads it: the same order typed on any keyboard is the same text (IN-11)."""

import re
import unicodedata
from typing import Final

SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″＂", '"'),
        **dict.fromkeys("‘’‚‛′´＇", "'"),
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
        **dict.fromkeys("→⇒➔➜⟶⟹➞➡", "->"),
        "…": "...",
    }
)
KEPT: Final = frozenset({"<super>", "<sub>", "<fraction>", "<circle>", "<square>"})
"""Characters that NFKC would turn into plain digits: 3² is not 32, so it stays what it is (IN-12)."""
LIST_MARK: Final = re.compile(r"(?:[*\-•‣◦▪·–]|\d{1,3}[.)])[ ]+(?=\S)")
EMPHASIS: Final = "*_`"
TRAILING: Final = ".!,; "
QUOTES: Final = "\"'"
MISTYPED: Final = re.compile(r"\d[\doil|]*", re.IGNORECASE)
GROUPED: Final = re.compile(r"(\d{1,3})([.,]\d{3})+")
DECIMAL: Final = re.compile(r"(\d+)([.,])(\d+)")
DIGITS: Final = str.maketrans({"o": "0", "i": "1", "l": "1", "|": "1"})


def normal(line: str) -> str:
    """The line in folded case, with plain blanks, quotes, dashes and digits, without mark, emphasis and full stop."""
    return unicodedata.normalize("NFC", plain(line).casefold())


def plain(line: str) -> str:
    """The line in its own letters, with plain blanks, quotes, dashes and digits, without mark, emphasis and full stop.

    A list mark goes only where more follows: a bare `3.` is option 3. Quotes go where the line begins with one.
    """
    text = "".join(map(_plain, line.translate(SIGNS)))
    text = " ".join(text.translate(SIGNS).split())
    text = LIST_MARK.sub("", text, count=1) if LIST_MARK.match(text) else text
    text = text.rstrip(TRAILING)
    text = " ".join(filter(None, (word.strip(EMPHASIS) for word in text.split())))
    quote, inner = text[:1], text[1:].rstrip(TRAILING)
    if quote and quote in QUOTES and quote not in inner.removesuffix(quote):
        text = inner.removesuffix(quote).strip()
    return unicodedata.normalize("NFC", text.rstrip(TRAILING))


def readings(word: str) -> tuple[str, str] | None:
    """The two ways to read an amount nobody should guess at, `3O`, `1l`, `1.000` or `1,5`; None for any other word."""
    folded = word.casefold()
    if MISTYPED.fullmatch(folded) and not folded.isdecimal():
        digits = folded.translate(DIGITS)
        return digits, "".join(char for char in folded if char.isdecimal())
    if grouped := GROUPED.fullmatch(folded):
        plain = re.sub(r"[.,]", "", folded)
        return plain, f"{grouped[1]}.{folded[len(grouped[1]) + 1 :]}"
    if decimal := DECIMAL.fullmatch(folded):
        return f"{decimal[1]} {decimal[3]}", f"{decimal[1]}.{decimal[3]}"
    return None


def is_emoji(text: str) -> bool:
    """Whether all that can be seen in a text are pictures, such as a thumb."""
    seen = [char for char in text if not char.isspace() and unicodedata.category(char) not in ("Cf", "Mn", "Sk")]
    keycaps = "\u20e3" in text
    return bool(seen) and all(_is_picture(char) or (keycaps and char in "0123456789#*\u20e3") for char in seen)


def _plain(char: str) -> str:
    """One character in its plain form; "" for one that cannot be seen."""
    if char.isascii():
        return char if char.isprintable() else " "
    if char.isspace():
        return " "
    category = unicodedata.category(char)
    if category in ("Cc", "Cf") or char in "\ufe0e\ufe0f\u034f":
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if unicodedata.decomposition(char).partition(" ")[0] in KEPT:
        return char
    return unicodedata.normalize("NFKC", char)


def _is_picture(char: str) -> bool:
    return unicodedata.category(char) == "So" or char in "‼⁉" or "\U0001f000" <= char <= "\U0001faff"
