"""Every page, as anybody gets it: accessible by axe, in every language, width and scheme; and it fits."""

import pytest

from tests.browser.looks import assert_accessible, assert_fits

PAGES: tuple[str, ...] = ("/", "/docs", "/sign-in", "/nothing-here")
LANGUAGES = ("en", "fr", "de")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_and_is_accessible(house, path):
    """WCAG 2.2 AA as far as axe can tell, in every scheme; 1.4.10, reflow: nothing scrolls sideways at any width."""
    window = house.window(path=path, forgiven=("404",))
    assert_fits(window)
    assert_accessible(window)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_fits_in_every_language(house, language):
    """The longest words of any of them."""
    window = house.window(locale=language, forgiven=("404",))
    for path in PAGES:
        window.page.goto(path)
        assert window.page.locator("html").get_attribute("lang") == language
        assert_fits(window)
