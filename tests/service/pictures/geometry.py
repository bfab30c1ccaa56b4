"""Where everything in a picture lies: its shapes and texts with places on the whole picture, in the order drawn."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from PIL import ImageColor

from service.pictures import font
from tests.service.pictures.positions import SVG

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle from its left upper to its right lower corner."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box", slack: float = 0) -> bool:
        """The two share more than a strip as wide as the slack."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > slack
            and min(self.bottom, other.bottom) - max(self.top, other.top) > slack
        )

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Text:
    """A line of text: what it says, its colour, the box of its letters, and the colour beneath it."""

    content: str
    fill: str
    box: Box
    size: float
    ground: str


@dataclass(frozen=True)
class _Shape:
    fill: str
    corners: Sequence[Point]


def texts_on_grounds(picture: ElementTree.Element) -> list[Text]:
    """Every text of a picture, with what it is written on."""
    shapes: list[_Shape] = []
    found = []
    for element, (dx, dy, scale) in _placed(picture, (0, 0, 1)):
        match element.tag.removeprefix(SVG):
            case "text" if element.text:
                box = _text_box(element, dx, dy, scale)
                ground = _ground(shape.fill for shape in reversed(shapes) if _within(box.middle, shape.corners))
                fill = "#{:02x}{:02x}{:02x}".format(*ImageColor.getrgb(element.get("fill") or picture.get("fill")))
                found.append(Text(element.text, fill, box, float(element.get("font-size")) * scale, ground))
            case "g" if element.get("data-piece") == "boss":  # a bust, on which its player's letter stands
                bust = [(dx + x * scale, dy + y * scale) for x, y in ((2, 19), (26, 19), (26, 35), (2, 35))]
                shapes.append(_Shape(element[1].get("fill"), bust))
            case "rect" | "circle" | "polygon" if element.get("fill", "").startswith("#"):
                corners = [(dx + x * scale, dy + y * scale) for x, y in _corners(element)]
                shapes.append(_Shape(element.get("fill"), corners))
    return found


def _ground(fills: Iterator[str]) -> str:
    """The colour that the shapes below a text come to, the uppermost first."""
    layers = []
    for fill in fills:
        layers.append(fill)
        if len(fill) < 9:
            break
    red, green, blue = ImageColor.getrgb(layers.pop())[:3]
    for fill in reversed(layers):
        *paint, alpha = ImageColor.getrgb(fill)
        red, green, blue = (
            round(over * alpha / 255 + under * (1 - alpha / 255))
            for over, under in zip(paint, (red, green, blue), strict=True)
        )
    return f"#{red:02x}{green:02x}{blue:02x}"


def _placed(
    element: ElementTree.Element, at: tuple[float, float, float]
) -> Iterator[tuple[ElementTree.Element, tuple]]:
    """Each element with the move and the scale that its groups add up to."""
    yield element, at
    for child in element:
        dx, dy, scale = at
        if transform := child.get("transform"):
            x, y = map(float, re.search(r"translate\((\S+) (\S+)\)", transform).groups())
            dx, dy = dx + x * scale, dy + y * scale
            if sized := re.search(r"scale\(([0-9.]+)\)", transform):
                scale *= float(sized[1])
        yield from _placed(child, (dx, dy, scale))


def _text_box(element: ElementTree.Element, dx: float, dy: float, scale: float) -> Box:
    """The box of small letters: ascenders and descenders may reach into the line's neighbours."""
    size = float(element.get("font-size"))
    wide = font.width(element.text, size, bold=element.get("font-weight", "400") >= "600")
    left = float(element.get("x")) - {"start": 0, "middle": wide / 2, "end": wide}[element.get("text-anchor", "start")]
    base = float(element.get("y"))
    corners = (left, base - 0.72 * size, left + wide, base)
    left, top, right, bottom = (value * scale for value in corners)
    return Box(dx + left, dy + top, dx + right, dy + bottom)


def _corners(element: ElementTree.Element) -> list[Point]:
    def number(name: str) -> float:
        return float(element.get(name, "0"))

    match element.tag.removeprefix(SVG):
        case "rect":
            x, y, wide, high = map(number, ("x", "y", "width", "height"))
            return [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
        case "circle":
            x, y, r = map(number, ("cx", "cy", "r"))
            return [
                (x + r * a, y + r * b)
                for a, b in ((0, -1), (0.87, -0.5), (0.87, 0.5), (0, 1), (-0.87, 0.5), (-0.87, -0.5))
            ]
        case _:
            return [tuple(map(float, corner.split(","))) for corner in element.get("points").split()]


def _within(point: Point, ring: Sequence[Point]) -> bool:
    """A point lies within a ring (an odd number of sides is to the right of it)."""
    x, y = point
    crossed = [
        (x1 + (y - y1) * (x2 - x1) / (y2 - y1)) > x
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True)
        if (y1 > y) != (y2 > y)
    ]
    return sum(crossed) % 2 == 1
