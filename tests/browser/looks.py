"""What is asked of every page: that it fits the window, and that axe finds nothing."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe

from tests.browser.house import Window

WIDTHS: Final = (320, 768, 1280)
SCHEMES: Final[tuple[dict[str, Any], ...]] = (
    {"color_scheme": "light", "forced_colors": "none"},
    {"color_scheme": "dark", "forced_colors": "none"},
    {"color_scheme": "light", "forced_colors": "active"},
)
TAGS: Final = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def assert_fits(window: Window) -> None:
    """Nothing scrolls sideways but what is in a box of its own (WCAG 1.4.10), once all styles are there."""
    window.page.wait_for_load_state("load")
    for width in WIDTHS:
        window.page.set_viewport_size({"width": width, "height": 800})
        wide = window.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{window.page.url} is {wide} wide at {width}"


def assert_accessible(
    window: Window, schemes: Sequence[dict[str, Any]] = SCHEMES, forgiven: Collection[str] = ()
) -> None:
    """Axe finds no violation of WCAG 2.2 AA, light, dark and in forced colours, but of rules that are forgiven."""
    for scheme in schemes:
        window.page.emulate_media(**scheme)
        options = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": list(TAGS)}}
        found = Axe().run(window.page, options=options).response["violations"]
        faults = [(fault["id"], fault["help"], [node["html"] for node in fault["nodes"]]) for fault in found]
        faults = [fault for fault in faults if fault[0] not in forgiven]
        assert faults == [], f"{window.page.url} {scheme}: {faults}"
