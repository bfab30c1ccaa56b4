"""What a style does to text as far as a reader would see it: hidden, of which colour, on which ground, how small."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

Colour = tuple[int, int, int]
Declarations = dict[str, str]

WHITE: Final[Colour] = (255, 255, 255)
BLACK: Final[Colour] = (0, 0, 0)
NAMED: Final[dict[str, Colour]] = {
    "white": WHITE,
    "black": BLACK,
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "floralwhite": (255, 250, 240),
    "whitesmoke": (245, 245, 245),
    "azure": (240, 255, 255),
    "mintcream": (245, 255, 250),
}
"""Colours by name; others are taken for ones that can be read."""
ALIKE: Final = 32
"""Two colours no more apart than this in red, green and blue cannot be told from one another."""
NUMBER: Final = re.compile(r"-?\d{0,6}(?:\.\d{1,6})?")
FAR: Final = -500.0
"""Pixels to the left or above, beyond any edge."""
RULE_MARK: Final = re.compile(r"([a-z][a-z0-9]{0,15})?([.#][\w-]{1,80})?", re.ASCII)
MAX_RULES: Final = 2000


class Look(NamedTuple):
    """How text looks: its colour, its ground (None: a picture or a colour we do not know), and its size in pixels."""

    colour: Colour | None = BLACK
    ground: Colour | None = WHITE
    size: float = 16.0

    @property
    def seen(self) -> bool:
        """Whether a reader would see it."""
        if self.size <= 1.0:
            return False
        if self.colour is None or self.ground is None:
            return True
        return max(abs(front - back) for front, back in zip(self.colour, self.ground, strict=True)) > ALIKE


def declarations(style: str) -> Declarations:
    """The declarations of a style attribute; of two for one property the last counts."""
    found = {}
    for each in style.lower().split(";"):
        name, colon, value = each.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def hides(style: Declarations) -> bool:
    """Whether an element of this style is not there at all, whatever it holds."""
    if style.get("display") == "none" or style.get("visibility") in ("hidden", "collapse"):
        return True
    if style.get("mso-hide") == "all" or "line-through" in style.get("text-decoration", ""):
        return True
    if "line-through" in style.get("text-decoration-line", "") or _length(style.get("opacity", "1")) == 0.0:
        return True
    if any(_length(style.get(name, "auto")) == 0.0 for name in ("max-height", "max-width", "line-height")):
        return True
    clipped = style.get("overflow", "visible") in ("hidden", "clip")
    if clipped and any(_length(style.get(name, "auto")) in (0.0, 1.0) for name in ("height", "width")):
        return True
    if style.get("clip", "").replace(" ", "").startswith("rect(0") or style.get("clip-path") == "inset(100%)":
        return True
    return any((_length(style.get(name, "0")) or 0.0) <= FAR for name in ("left", "top", "text-indent", "margin-left"))


def look(style: Declarations, around: Look, *, colour: str = "", ground: str = "") -> Look:
    """How text of this style looks within text that looks like `around`; `colour` and `ground` are from attributes."""
    written = style.get("color", colour)
    behind = style.get("background-color") or style.get("background") or ground
    return Look(
        around.colour if written in ("", "inherit", "currentcolor") else _colour(written, around.ground),
        around.ground if behind in ("", "inherit", "none", "initial") else _ground(behind, around.ground),
        _size(style.get("font-size", ""), around.size),
    )


def hiding_rules(sheets: Iterable[str]) -> set[str]:
    """The selectors of style sheets that hide, of the simple forms `p`, `.note`, `#note` and `p.note`."""
    hidden: set[str] = set()
    for sheet in sheets:
        for rule in sheet.lower().split("}")[:MAX_RULES]:
            selectors, brace, body = rule.rpartition("{")
            style = declarations(body)
            if brace and (hides(style) or _length(style.get("font-size", "")) == 0.0):
                marks = (each.strip() for each in selectors.rpartition("{")[2].rpartition("*/")[2].split(","))
                hidden.update(each for each in marks if each and RULE_MARK.fullmatch(each))
    return hidden


def _length(value: str) -> float | None:
    """The number at the start of a length in pixels; None if there is none."""
    match = NUMBER.match(value.strip())
    text = match[0] if match else ""
    if text in ("", "-"):
        return None
    number = float(text)
    unit = value.strip()[len(text) :].strip()
    return number * 16 if unit.startswith(("em", "rem")) else number


def _size(value: str, around: float) -> float:
    if value.endswith("%"):
        percent = _length(value.removesuffix("%"))
        return around if percent is None else around * percent / 100
    size = _length(value)
    return around if size is None else size


def _ground(value: str, around: Colour | None) -> Colour | None:
    """The colour behind the text: of a shorthand the first colour in it; None for pictures and what we do not know."""
    if "url(" in value or "gradient" in value:
        return None
    for word in re.sub(r"\s*([,()])\s*", r"\1", value).split()[:8]:
        if word == "transparent":
            return around
        found = _colour(word, around)
        if found is not None:
            return found
    return None


def _colour(value: str, ground: Colour | None) -> Colour | None:
    """Red, green and blue; the ground itself for what is transparent, None for what we do not know."""
    value = value.strip().replace(" ", "")
    if value == "transparent":
        return ground
    if value in NAMED:
        return NAMED[value]
    if re.fullmatch(r"#?[0-9a-f]{3,8}", value, re.ASCII):
        return _hexadecimal(value.removeprefix("#"), ground)
    if value.startswith(("rgb(", "rgba(")) and value.endswith(")"):
        numbers = [_length(each) for each in re.split(r"[,/]", value.partition("(")[2][:-1])]
        if len(numbers) == 4 and numbers[3] == 0.0:
            return ground
        if len(numbers) in (3, 4) and None not in numbers[:3]:
            return (int(numbers[0] or 0), int(numbers[1] or 0), int(numbers[2] or 0))
    return None


def _hexadecimal(digits: str, ground: Colour | None) -> Colour | None:
    if len(digits) in (3, 4):
        digits = "".join(digit * 2 for digit in digits)
    if len(digits) == 8 and digits.endswith("00"):
        return ground
    if len(digits) not in (6, 8):
        return None
    return (int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16))
