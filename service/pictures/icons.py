"""Small pictures drawn as shapes, so that they need no font: all about 0, 0."""

from typing import Final

from service.pictures import svg

PERMIT_COLOURS: Final = {"housing": "#b5562b", "tower": "#3e6a9e", "factory": "#5d5a58", "park": "#3d8048"}


def padlock(x: float, y: float, size: float = 1) -> str:
    """A closed padlock."""
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) scale({size})">'
        + svg.path("M-4-1v-4a4 4 0 0 1 8 0v4", "none", stroke=svg.INK, thick=2)
        + svg.rect(-6.5, -2, 13, 10, svg.INK, r=2)
        + svg.circle(0, 3, 1.6, "#fbf7ee")
        + "</g>"
    )


def star(x: float, y: float, r: float, fill: str = "#c8920e") -> str:
    """A star of five points."""
    spikes = [
        (0.0, -1.0), (0.23, -0.31), (0.95, -0.31), (0.37, 0.12), (0.59, 0.81),
        (0.0, 0.4), (-0.59, 0.81), (-0.37, 0.12), (-0.95, -0.31), (-0.23, -0.31),
    ]  # fmt: skip
    return svg.polygon([(x + r * dx, y + r * dy) for dx, dy in spikes], fill, stroke="#7a5700", thick=0.7)


def permit(kind: str) -> str:
    """The building or park a Permit stands for, 28 wide and 28 high."""
    fill = PERMIT_COLOURS[kind]
    windows = "#fff8e6"
    match kind:
        case "housing":
            return (
                svg.path("M-13 1L0-12L13 1V13H-13z", fill, stroke=svg.INK, thick=1)
                + svg.rect(-8, 1, 5, 5, windows)
                + svg.rect(3, 1, 5, 5, windows)
                + svg.rect(-2.5, 6, 5, 7, windows)
            )
        case "tower":
            panes = "".join(svg.rect(x, y, 3.4, 3.4, windows) for y in (-8, -2.5, 3) for x in (-5, 1.6))
            return svg.path("M-8 13V-12H-1V-15H1V-12H8V13z", fill, stroke=svg.INK, thick=1) + panes
        case "factory":
            return (
                svg.path("M-13 13V-2L-5-7V-2L3-7V-2H5V-14H10V-2H13V13z", fill, stroke=svg.INK, thick=1)
                + svg.rect(-9, 4, 4, 4, windows)
                + svg.rect(-2, 4, 4, 4, windows)
                + svg.rect(5, 4, 4, 4, windows)
            )
        case _:
            return (
                svg.rect(-2, 3, 4, 10, "#7a5230")
                + svg.circle(-5, 1, 7, fill, stroke=svg.INK)
                + svg.circle(5, 1, 7, fill, stroke=svg.INK)
                + svg.circle(0, -6, 7.5, fill, stroke=svg.INK)
            )
