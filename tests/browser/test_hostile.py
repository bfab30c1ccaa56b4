"""Another origin of the same site, whose requests bring our cookies as a subdomain's do; and who sits here next."""

import threading
from collections.abc import Iterator

import pytest
from werkzeug.serving import make_server
from werkzeug.wrappers import Response

from tests.browser.house import House, Window
from tests.ports import free_port

EVIL = """<!doctype html><title>evil</title>
<form method=post target=_blank action="{base}/g/{game}/leave"><button>post</button></form>
<form method=post target=_blank enctype="text/plain" action="{base}/g/{game}/talk"><input name=text value=x>
<button>plain</button></form>
<iframe src="{base}/g/{game}" onload="window.framed = true"></iframe>"""
LOADS = """async address => {
  const loads = (tag, property) => new Promise(done => {
    const element = document.createElement(tag);
    element.onload = () => done(tag);
    element.onerror = () => done("");
    element[property] = address;
    if (tag === "link") element.rel = "stylesheet";
    document.body.append(element);
  });
  const tags = [["img", "src"], ["script", "src"], ["link", "href"]];
  const found = await Promise.all(tags.map(([tag, property]) => loads(tag, property)));
  for (const mode of ["no-cors", "cors"])
    await fetch(address, { mode, credentials: "include" }).then(() => found.push(mode), () => {});
  return found.filter(Boolean);
}"""
FORGIVEN = ("Failed to load", "frame-ancestors", "Refused", "CORS", "ERR_", "403", "415", "X-Frame-Options", "violates")


@pytest.fixture
def evil(house: House) -> Iterator[tuple[Window, str]]:
    """A window at another origin of the same site, of somebody who is signed in here, and their game."""
    game = house.tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    window = house.window("ann", path=f"/g/{game}", forgiven=FORGIVEN)
    port = free_port()
    page = EVIL.format(base=house.base, game=game)
    server = make_server("127.0.0.1", port, lambda *wsgi: Response(page, content_type="text/html")(*wsgi))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    window.base = "http://127.0.0.1:"  # both
    window.page.goto(f"http://127.0.0.1:{port}/")
    yield window, game
    server.shutdown()
    thread.join()
    server.server_close()


def test_another_origin_of_the_same_site_does_nothing_and_learns_nothing(house, evil):
    window, game = evil
    page, before = window.page, house.tables.head(game).version
    assert page.frames[1].locator("#table").count() == 0
    for path in (f"/g/{game}", "/g/absentgame", "/turns", "/me/data/export"):
        assert page.evaluate(LOADS, f"{house.base}{path}") == [], path
    for name in ("post", "plain"):
        with window.context.expect_page() as opened:
            page.get_by_role("button", name=name).click()
        opened.value.wait_for_load_state()
        assert "Nothing was done" in opened.value.content() or "did not work" in opened.value.content()
        assert opened.value.evaluate("window.opener") is None
    assert house.tables.head(game).version == before
    assert house.base not in page.evaluate("document.cookie")


def test_nothing_is_seen_or_kept_after_signing_out(house):
    game = house.tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    window = house.window("ann", path=f"/g/{game}")
    page = window.page
    assert page.evaluate("document.cookie") == ""
    page.goto("/me/access")
    page.get_by_role("contentinfo").get_by_role("button", name="Sign out").click()
    window.settle()
    page.go_back()
    window.settle()
    assert page.url == f"{house.base}/sign-in?next=/me/access"
    page.go_back()
    window.settle()
    assert page.locator("#table").get_attribute("data-seat") == "", "as anybody sees a public game"
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert kept == '[{},{},""]'
