"""Small pictures drawn as shapes, so that they need no font: all about 0, 0."""

from math import cos, pi, sin

from service.pictures import svg
from service.pictures.palette import CARD, EDGE, INK, PAPER, PERMITS, SHORE, STAR, STAR_EDGE, TRUNK, WINDOW, Paint


def padlock(x: float, y: float, size: float = 1) -> str:
    """A closed padlock."""
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) scale({size})">'
        + svg.path("M-4-1v-4a4 4 0 0 1 8 0v4", "none", stroke=INK, thick=2)
        + svg.rect(-6.5, -2, 13, 10, INK, r=2)
        + svg.circle(0, 3, 1.6, PAPER)
        + "</g>"
    )


def star(x: float, y: float, r: float, fill: Paint = STAR) -> str:
    """A star of five points."""
    spikes = [
        (0.0, -1.0), (0.23, -0.31), (0.95, -0.31), (0.37, 0.12), (0.59, 0.81),
        (0.0, 0.4), (-0.59, 0.81), (-0.37, 0.12), (-0.95, -0.31), (-0.23, -0.31),
    ]  # fmt: skip
    return svg.polygon([(x + r * dx, y + r * dy) for dx, dy in spikes], fill, stroke=STAR_EDGE, thick=0.7)


def medal(x: float, y: float) -> str:
    """The Star Token: a star on a disc, unlike the stars that Buildings have."""
    return svg.circle(x, y, 11, CARD, stroke=EDGE, thick=0.8) + star(x, y, 8.5)


def compass(x: float, y: float, r: float) -> str:
    """The rose of an old chart, north up: each point half in shadow."""
    rose = svg.circle(x, y, 0.62 * r, "none", stroke=SHORE, thick=0.8)
    for long, turns in ((0.7 * r, range(1, 8, 2)), (r, range(0, 8, 2))):
        for turn in turns:
            tip = _around(x, y, long, turn)
            for side, paint in ((1, SHORE), (-1, PAPER)):
                rose += svg.polygon([(x, y), tip, _around(x, y, 0.27 * r, turn + side)], paint, stroke=SHORE, thick=0.7)
    return rose


def _around(x: float, y: float, r: float, eighths: int) -> svg.Point:
    """The point so far from a middle, in a direction counted from the north in eighths of a turn."""
    return x + r * sin(eighths * pi / 4), y - r * cos(eighths * pi / 4)


def permit(kind: str) -> str:
    """The building or park a Permit stands for, 28 wide and 28 high."""
    fill = PERMITS[kind]
    match kind:
        case "housing":
            return (
                svg.path("M-13 1L0-12L13 1V13H-13z", fill, stroke=EDGE, thick=1)
                + svg.rect(-8, 1, 5, 5, WINDOW)
                + svg.rect(3, 1, 5, 5, WINDOW)
                + svg.rect(-2.5, 6, 5, 7, WINDOW)
            )
        case "tower":
            panes = "".join(svg.rect(x, y, 3.4, 3.4, WINDOW) for y in (-8, -2.5, 3) for x in (-5, 1.6))
            return svg.path("M-8 13V-12H-1V-15H1V-12H8V13z", fill, stroke=EDGE, thick=1) + panes
        case "factory":
            return (
                svg.path("M-13 13V-2L-5-7V-2L3-7V-2H5V-14H10V-2H13V13z", fill, stroke=EDGE, thick=1)
                + svg.rect(-9, 4, 4, 4, WINDOW)
                + svg.rect(-2, 4, 4, 4, WINDOW)
                + svg.rect(5, 4, 4, 4, WINDOW)
            )
        case _:
            return (
                svg.rect(-2, 3, 4, 10, TRUNK)
                + svg.circle(-5, 1, 7, fill, stroke=EDGE)
                + svg.circle(5, 1, 7, fill, stroke=EDGE)
                + svg.circle(0, -6, 7.5, fill, stroke=EDGE)
            )
