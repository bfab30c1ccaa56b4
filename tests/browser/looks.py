"""What is asked of every page: that it fits the window, and that axe finds nothing."""

import json
from collections.abc import Collection, Sequence
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.house import Window

WIDTHS: Final = (320, 768, 1280)
SCHEMES: Final[tuple[dict[str, Any], ...]] = (
    {"color_scheme": "light", "forced_colors": "none"},
    {"color_scheme": "dark", "forced_colors": "none"},
    {"color_scheme": "light", "forced_colors": "active"},
)
PAINTED: Final = SCHEMES[:2]
"""Schemes whose colours are ours. In forced colours they are the system's: looked at where each component is shown."""
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
BY_COLOUR: Final = ["color-contrast", "link-in-text-block"]
"""Rules of axe whose outcome a scheme can change, and a language cannot; they take longer than all others."""
COLOURS: Final[dict[str, Any]] = {"runOnly": {"type": "rule", "values": BY_COLOUR}}
EVERYTHING: Final[dict[str, Any]] = {"runOnly": {"type": "tag", "values": TAGS}}
CHEAP: Final[dict[str, Any]] = {"resultTypes": ["violations"], "selectors": False, "preload": False}
"""Options of axe that halve its time: no selectors of what passes, and no style sheets for css-orientation-lock, the
one rule that reads them (WCAG 1.3.4). `test_no_style_depends_on_the_orientation` proves that for all pages."""
NAMED: Final = [
    "aria-command-name", "aria-input-field-name", "aria-toggle-field-name", "button-name", "document-title",
    "empty-heading", "frame-title", "html-has-lang", "html-lang-valid", "image-alt", "input-button-name", "label",
    "label-title-only", "link-name", "select-name", "summary-name", "svg-img-alt", "valid-lang",
]  # fmt: skip
BY_WORDS: Final[dict[str, Any]] = {"runOnly": {"type": "rule", "values": NAMED}}
"""Rules of axe about names and languages: what a translation can break."""
SCRIPT: Final = Axe().axe_script
STILL: Final = (
    "document.getAnimations().forEach(each => each.effect.getTiming().iterations < Infinity && each.finish())"
)
"""Ends every motion: what fades in has no contrast yet."""
SCHEME: Final = "['(prefers-color-scheme: dark)', '(forced-colors: active)'].filter(each => matchMedia(each).matches)"


def assert_fits(window: Window) -> None:
    """Nothing scrolls sideways but what is in a box of its own (WCAG 1.4.10), once all styles are there."""
    window.page.wait_for_load_state("load")
    for width in WIDTHS:
        window.page.set_viewport_size({"width": width, "height": 800})
        wide = window.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{window.page.url} is {wide} wide at {width}"


def assert_accessible(
    window: Window, schemes: Sequence[dict[str, Any]] = PAINTED, forgiven: Collection[str] = ()
) -> None:
    """Axe finds no violation of WCAG 2.2 AA: by colours in each scheme, by all else once; but for rules forgiven.

    Without a scheme only the rules run whose outcome words can change: the page was looked at in another language.
    """
    rules = EVERYTHING if schemes else BY_WORDS
    for scheme in schemes or [{}]:
        window.page.emulate_media(**scheme)
        assert_none(window.page, rules, forgiven)
        rules = COLOURS


def assert_none(page: Page, rules: dict[str, Any], forgiven: Collection[str] = ()) -> None:
    """A page breaks none of these rules: else their names, what they ask for, and the elements that break them."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(SCRIPT)
    page.evaluate(STILL)
    options = json.dumps({**CHEAP, **rules})
    found = page.evaluate(f"axe.run({options}).then(results => results.violations)")
    faults = [(fault["id"], fault["help"], [node["html"] for node in fault["nodes"]]) for fault in found]
    faults = [fault for fault in faults if fault[0] not in forgiven]
    assert faults == [], f"{page.url} {page.evaluate(SCHEME)}: {faults}"
