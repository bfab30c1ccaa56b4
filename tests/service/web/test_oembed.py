"""oEmbed (oembed.com 1.0): a pasted link becomes a board in a frame, in both forms; all other addresses are refused."""

import xml.etree.ElementTree as ET
from urllib.parse import urlsplit

import pytest

from tests.service.web.browser import Browser
from tests.tables import Tables


@pytest.fixture
def game(tables: Tables) -> str:
    return tables.begin("ann", "bob", "cyd", kind="tammany-hall")


@pytest.fixture
def crawler(tables: Tables):
    """A program with neither cookies nor a language."""
    return Browser(tables.services).app.test_client()


def base(tables) -> str:
    return tables.services.settings.base_url


def asked(tables, crawler, url, **more):
    return crawler.get("/oembed", query_string={"url": url, **more})


def test_names_that_people_chose_are_text_in_the_frame_that_is_offered(tables, game, crawler):
    tables.change_profile("ann", name='"><script>x</script>')
    assert "<script>x" not in asked(tables, crawler, f"{base(tables)}/g/{game}").json["html"]


def test_a_pasted_link_is_answered_with_a_frame_and_a_picture(tables, game, crawler):
    answer = asked(tables, crawler, f"{base(tables)}/g/{game}")
    found = answer.json
    assert (found["type"], found["version"], found["provider_name"]) == ("rich", "1.0", "Wardroom")
    assert f'<iframe src="{base(tables)}/g/{game}/embed" width="640" height="600"' in found["html"]
    assert crawler.get(found["thumbnail_url"].removeprefix(base(tables))).status_code == 200
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"


def test_discovery_leads_to_the_same_in_both_forms(tables, game, crawler):
    page = Browser(tables.services).get(f"/g/{game}")
    found = {given["type"]: given["href"] for tag, given in page.tags if "oembed" in given.get("type", "")}
    json = crawler.get(found["application/json+oembed"].removeprefix(base(tables))).json
    xml = crawler.get(found["text/xml+oembed"].removeprefix(base(tables)))
    assert xml.content_type == "text/xml; charset=utf-8"
    read = {element.tag: element.text for element in ET.fromstring(xml.data)}
    assert read == {name: str(value) for name, value in json.items()}


@pytest.mark.parametrize(
    ("bounds", "size", "small"),
    [
        ({"maxwidth": "300"}, (300, 600), None),
        ({"maxwidth": "700", "maxheight": "400"}, (640, 400), 600),
        ({"maxwidth": "5000"}, (640, 600), 1200),
        ({"maxwidth": "1", "maxheight": "1"}, (1, 1), None),
    ],
)
def test_a_frame_is_no_larger_than_was_asked_for(tables, game, crawler, bounds, size, small):
    found = asked(tables, crawler, f"{base(tables)}/g/{game}", **bounds).json
    assert (found["width"], found["height"], found.get("thumbnail_width")) == (*size, small)


@pytest.mark.parametrize("bound", ["0", "-1", "x", "1e3", "９", "99999999999", "1.5"])
def test_a_bound_that_is_no_number_is_refused(tables, game, crawler, bound):
    answer = asked(tables, crawler, f"{base(tables)}/g/{game}", maxwidth=bound)
    assert (answer.status_code, answer.json["code"]) == (400, "bad-size")


def test_other_formats_are_not_there(tables, game, crawler):
    assert asked(tables, crawler, f"{base(tables)}/g/{game}", format="yaml").status_code == 501


HOSTILE = (
    "", "x", "javascript:alert(1)", "//evil.example/g/{game}", "http://evil.example/g/{game}",
    "{base}@evil.example/g/{game}",
    "{base}.evil.example/g/{game}", "{base}:81/g/{game}", "{base}/g/{game}/../../me", "{base}/g/",
    "{base}/g/{game}/text",
    "{base}/g/%2e%2e", "{base}/me", "{base}\\@evil.example/g/{game}", "http://[::1/g/{game}", "{base}/g/{game}?v=x",
    "{base}/g/{game}?" + "a=1&" * 30, "{base}/g/{game}?" + "a=1&" * 200,
    "{base}/g/" + "a" * 600, "{base}/g/{game}\n", "{base}/g/{game}\x00",
)  # fmt: skip


@pytest.mark.parametrize("url", HOSTILE)
def test_an_address_that_is_no_games_of_ours_is_404(tables, game, crawler, url):
    hostile = url.replace("{base}", base(tables)).replace("{game}", game)
    answer = asked(tables, crawler, hostile)
    assert (answer.status_code, answer.json["code"]) == (404, "not-ours"), url


def test_s11_a_private_game_is_401_as_is_one_that_is_not_there(tables, crawler):
    private = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    answers = [asked(tables, crawler, f"{base(tables)}/g/{id_}") for id_ in (private, "0" * len(private))]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].data == answers[1].data
    assert "public" not in answers[0].headers["Cache-Control"]


def test_an_address_may_name_a_version_or_the_frame(tables, game, crawler):
    version = tables.head(game).version
    tables.move(game, tables.awaited(game)[0], "place 1 14\nend")
    found = asked(tables, crawler, f"{base(tables)}/g/{game}?v={version}").json
    assert f"/g/{game}/embed?v={version}" in found["html"]
    assert f"?v={version}" in found["thumbnail_url"]
    assert asked(tables, crawler, f"{base(tables)}/g/{game}/embed").status_code == 200
    assert asked(tables, crawler, f"{base(tables)}/g/{game}?v=999").status_code == 401
    assert urlsplit(found["thumbnail_url"]).path == f"/g/{game}/preview.png"
