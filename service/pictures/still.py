"""A map of a page as a picture that stands alone: light colours, no stylesheet, nothing to look up elsewhere.

On a page `board.css` has the colours and sizes. A picture in a mail has no stylesheet, and its renderer knows no custom
properties, so each shape gets what the stylesheet says of it. Pictures are often shown small: they have the dress for
narrow windows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from service.pictures import svg
from service.pictures.page import Map
from service.pictures.pieces import PATTERNS, SYMBOLS

STYLE: Final = Path(__file__).parents[1] / "web" / "static" / "board.css"
NARROW: Final = "(max-width: 999px)"
"""The condition of the dress for narrow windows."""
SHAPES: Final = frozenset({"rect", "circle", "ellipse", "polygon", "polyline", "path", "text"})
LOOKS: Final = frozenset(
    "fill fill-opacity font-size font-weight stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin "
    "stroke-opacity stroke-width text-anchor".split()
)
"""Properties that a shape inherits and a picture keeps; the bundled font is its only one."""
STREETS: Final = "url(#s-street)"
"""The faint streets of a page, which a picture leaves out: in a mail they are a third of its bytes."""
GIVEN: Final = ("--p", "--on", "--pale", "--f", "--d", "--l", "--belt", "--posts", "--spot", "color")
"""Properties that differ between the elements that use a symbol."""
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_MEDIA: Final = re.compile(r"@media ([^{]*)\{((?:[^{}]*\{[^{}]*\})*)\s*\}")
_RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
_CONDITION: Final = re.compile(r'\.[\w-]+|\[class\*="[\w-]+"\]|:(?:first-child|last-child|root)')
_COMPOUND: Final = re.compile(rf"([a-z]*)((?:{_CONDITION.pattern})*)")
_VARIABLE: Final = re.compile(r"var\(--([a-z-]+)(?:,([a-z]+))?\)")
_MIXED: Final = re.compile(r"color-mix\(in srgb, (#\w+) ([0-9]+)%, (#\w+|transparent)\)")

Seen = tuple[str, str, bool, bool]
"""An element as selectors see it: tag, classes, whether it is the first in its parent, and whether the last."""


@dataclass(frozen=True, slots=True)
class Step:
    """A compound selector, and whether it must fit the parent of the next one."""

    is_parent: bool
    tag: str
    conditions: Sequence[str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the stylesheet: its selector from the last compound to the first, its weight, its values."""

    steps: Sequence[Step]
    weight: tuple[int, int]
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Around:
    """Inheritance of an element: the elements around it as selectors see them, their looks and custom properties."""

    path: tuple[Seen, ...] = ()
    looks: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


ROOT: Final[Seen] = ("svg", "board", True, True)


def water() -> str:
    """Return the colour of the water around both boards."""
    return _values(ROOT, ())["--water"]


def still_map(kind: str, board: Map) -> str:
    """Draw a map without a frame, its ground as one part: for a document that has its own."""
    seen = ("svg", f"board {kind}", True, True)
    names = _values(seen, ())
    root = Around((seen,), {"fill": names["--ink"]}, names)
    ground = _shapes(board.ground, root, (True, False))
    places = "".join(svg.group(place.drawing, kind="place") for place in board.places)
    return f"<svg><defs>{_resolved(PATTERNS, root.names)}</defs>{ground}</svg>{_shapes(places, root, (False, True))}"


def _shapes(markup: str, around: Around, place: tuple[bool, bool]) -> str:
    """Return the shapes in markup of our own; `place` says whether it comes first, and last, in its parent."""
    return "".join(_drawn(ElementTree.fromstring(f"<g>{markup}</g>"), around, place))  # noqa: S314 - our own


def _drawn(element: Element, around: Around, place: tuple[bool, bool]) -> Iterator[str]:
    """Yield the shapes in an element, each with all that it inherits."""
    seen = (element.tag, element.get("class", ""), *place)
    values = {name: value for name, value in element.attrib.items() if name in LOOKS} | _values(seen, around.path)
    if values.get("display") == "none" or values.get("fill") == STREETS:
        return
    names = {**around.names, **{name: value for name, value in values.items() if name.startswith("--")}}
    looks = {
        **around.looks,
        **{name: _resolved(value, names) for name, value in values.items() if name in LOOKS},
    }
    if element.tag == "use":
        yield _piece(element, looks, names)
    elif element.tag in SHAPES:
        if looks.get("fill") != "none" or looks.get("stroke", "none") != "none":
            yield _shape(element, looks)
    else:
        transform = element.get("transform")
        yield f'<g transform="{transform}">' if transform else ""
        inside, last = Around((seen, *around.path), looks, names), len(element) - 1
        for number, child in enumerate(element):
            yield from _drawn(child, inside, (number == 0, number == last))
        yield "</g>" if transform else ""


def _shape(element: Element, looks: Mapping[str, str]) -> str:
    own = {name: value for name, value in element.attrib.items() if name not in LOOKS and name != "class"}
    written = element.tag + "".join(f" {name}={quoteattr(value)}" for name, value in {**own, **looks}.items())
    return f"<{written}>{svg.quoted(element.text or '')}</text>" if element.tag == "text" else f"<{written}/>"


def _piece(element: Element, looks: Mapping[str, str], names: Mapping[str, str]) -> str:
    """Draw a symbol where it is used, as one part."""
    name = element.get("href", "").removeprefix("#s-")
    left, top, across, down = map(float, SYMBOLS[name][0].split())
    x, y, wide, high = (float(element.get(side, 0)) for side in ("x", "y", "width", "height"))
    scale = min(wide / across, high / down)
    x, y = x + (wide - scale * across) / 2 - scale * left, y + (high - scale * down) / 2 - scale * top
    shapes = _symbol(name, looks["fill"], tuple((given, names[given]) for given in GIVEN if given in names))
    return f'<g data-piece="{name}" transform="translate({x:.2f} {y:.2f}) scale({scale:.4f})">{shapes}</g>'


@lru_cache(maxsize=256)
def _symbol(name: str, ink: str, given: Sequence[tuple[str, str]]) -> str:
    """Return the shapes of a symbol in the colours that the element that uses it gives."""
    around = Around((), {"fill": ink}, {**_values(ROOT, ()), **dict(given)})
    return _shapes(SYMBOLS[name][1], around, (True, True))


def _resolved(value: str, names: Mapping[str, str]) -> str:
    """Replace custom properties and mixed colours by what they come to."""
    value = value.replace("currentColor", names.get("color") or "var(--ink)")
    while found := _VARIABLE.search(value):
        value = value.replace(found[0], names.get(f"--{found[1]}") or found[2])
    return _MIXED.sub(_mix, value).removesuffix("px")


def _mix(found: re.Match[str]) -> str:
    """Return the colour that two colours make; with a transparent one it has an alpha."""
    one, share, other = _full(found[1]), int(found[2]) / 100, found[3]
    if other == "transparent":
        return f"{one}{round(255 * share):02x}"
    parts = zip(bytes.fromhex(one[1:]), bytes.fromhex(_full(other)[1:]), strict=True)
    return "#" + "".join(f"{round(share * first + (1 - share) * second):02x}" for first, second in parts)


def _full(colour: str) -> str:
    """Return a colour as #rrggbb."""
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])


@lru_cache(maxsize=2048)
def _values(seen: Seen, around: tuple[Seen, ...]) -> dict[str, str]:
    """Return what the stylesheet says of an element in these."""
    found: dict[str, str] = {}
    for rule in _rules():
        if _fits(rule.steps, seen, around):
            found |= rule.values
    return found


def _fits(steps: Sequence[Step], seen: Seen, around: tuple[Seen, ...]) -> bool:
    """Return whether a selector fits an element in these."""
    step, *rest = steps
    tag, kind, is_first, is_last = seen
    if step.tag not in ("", tag):
        return False
    for condition in step.conditions:
        match condition:
            case ":root":
                fits = tag == "svg"
            case ":first-child":
                fits = is_first
            case ":last-child":
                fits = is_last
            case _ if condition.startswith("."):
                fits = condition[1:] in kind.split()
            case _:
                fits = condition.split('"')[1] in kind
        if not fits:
            return False
    near = range(1 if rest and rest[0].is_parent else len(around))
    return not rest or any(_fits(rest, around[place], around[place + 1 :]) for place in near if place < len(around))


@cache
def _rules() -> Sequence[Rule]:
    """Return the rules for pictures, those that outweigh others last."""
    source = _COMMENT.sub("", STYLE.read_text())
    source = _MEDIA.sub(lambda found: found[2] if found[1].strip() == NARROW else "", source)
    rules = []
    for selectors, body in _RULE.findall(source):
        pairs = (part.partition(":") for part in body.split(";") if ":" in part)
        values = {name.strip(): value.strip() for name, _, value in pairs}
        rules += [Rule(steps, _weight(steps), values) for steps in map(_steps, selectors.split(",")) if steps]
    return sorted(rules, key=lambda rule: rule.weight)


def _steps(selector: str) -> list[Step]:
    """Return a selector from its last compound to its first; [] for states that no picture has."""
    steps, is_parent = [], False
    for part in reversed(selector.split()):
        if part != ">":
            compound = _COMPOUND.fullmatch(part)
            if compound is None:
                return []
            steps.append(Step(is_parent, compound[1], _CONDITION.findall(compound[2])))
        is_parent = part == ">"
    return steps


def _weight(steps: Sequence[Step]) -> tuple[int, int]:
    """Return what a selector weighs (Selectors 4, specificity)."""
    return sum(len(step.conditions) for step in steps), sum(bool(step.tag) for step in steps)
