"""The page that checks a game: who gets it, its bundle, what it says without script, and the same as one file."""

import hashlib
import re
from pathlib import Path

import pytest

from domain.audit.bundle.archive import MANIFEST, unpack
from service.languages.catalogues import LANGUAGES, catalogue
from service.languages.modules import SAID
from service.web.check import offline
from service.web.check.texts import MODULES, texts, translations
from tests.service.web.browser import Browser
from tests.tables import Tables

MANUAL = Path(__file__).parents[3] / "docs" / "checking.md"


@pytest.fixture
def game(tables: Tables) -> str:
    """A public game that has just begun."""
    return tables.begin("ann", "bob", "cyd", kind="tammany-hall")


def bundle_of(browser: Browser, game: str) -> bytes:
    answer = browser.client.get(f"/g/{game}/bundle", headers=browser.headers)
    assert (answer.status_code, answer.mimetype) == (200, "application/zip")
    return answer.data


def test_a_player_finds_the_page_from_the_game_and_downloads_the_bundle_of_their_seat(tables, game):
    browser = Browser(tables.services, tables.player("bob"))
    assert f"/g/{game}/check" in browser.get(f"/g/{game}").links
    page = browser.get(f"/g/{game}/check")
    assert page.status == 200
    assert {f"/g/{game}/bundle", "/check/offline.html", f"/g/{game}"} <= {*page.links}
    data = bundle_of(browser, game)
    assert b'"reader":1' in unpack(data)[MANIFEST]
    assert f"verify_bundle.py wardroom-{game}-" in page.words


def test_a_bundle_that_one_has_already_is_not_sent_again(tables, game):
    browser = Browser(tables.services, tables.player("bob"))
    first = browser.client.get(f"/g/{game}/bundle", headers=browser.headers)
    again = browser.client.get(f"/g/{game}/bundle", headers={**browser.headers, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_anybody_checks_a_public_game_as_a_spectator_and_nobody_else_a_private_one(tables, game):
    stranger = Browser(tables.services)
    assert stranger.get(f"/g/{game}/check").status == 200
    assert b'"reader":null' in unpack(bundle_of(stranger, game))[MANIFEST]
    private = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    for path in (f"/g/{private}/check", f"/g/{private}/bundle"):
        assert "/sign-in" in stranger.get(path).address
        assert Browser(tables.services, tables.player("dan")).get(path).status == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_script_the_page_says_what_it_would_check_and_what_checks_it_else(tables, game, language):
    page = Browser(tables.services, language=language).get(f"/g/{game}/check")
    said = catalogue(language).gettext
    assert said("A program of one file, which knows the description of the format and nothing else:")[:-2] in page.words
    assert {"en": "Your browser runs no", "fr": "Votre navigateur n'exécute", "de": "Dein Browser führt"}[
        language
    ] in page.words
    assert "wardroom verify" in page.words
    (form,) = [given for tag, given in page.tags if tag == "form" and given.get("data-part") == "form"]
    assert "hidden" in form


def test_whoever_has_a_bundle_checks_it_without_an_account(tables):
    page = Browser(tables.services).get("/check")
    assert page.status == 200
    assert "/check/offline.html" in page.links
    assert "The bundle of a game: the .zip file" in page.words


def test_the_page_is_had_as_one_file_whose_digest_stands_in_the_manual(tables):
    browser = Browser(tables.services)
    answer = browser.client.get("/check/offline.html", headers=browser.headers)
    assert answer.headers["Content-Disposition"].startswith("attachment; ")
    assert answer.data == offline.page()
    told = hashlib.sha256(answer.data).hexdigest()
    assert told in MANUAL.read_text(), "python -m service.web.check.offline --manual brings docs/checking.md up to date"


def test_the_file_asks_nobody_for_anything():
    """Its policy names its own script and style alone; it has no address of anything to load."""
    page = offline.page().decode()
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert re.fullmatch(
        r"default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'",
        policy.replace("&#39;", "'"),
    )
    assert not re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=|@import|url\(", page)
    assert page.count("<script") == 1


def test_a_module_that_cannot_be_put_into_one_script_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(offline, "MODULES", tmp_path)
    entry = tmp_path / "entry.js"
    (tmp_path / "beside.js").write_text("export const a = 1;\n")
    entry.write_text('// @ts-check\nimport { a as b } from "./beside.js";\nexport function c() { return b; }\n')
    assert "const { a: b } = module_beside;" in offline.one_script(entry).replace("{  ", "{ ")
    for text in (
        'import a from "./beside.js";',
        "export default 1;",
        'import "./beside.js";',
        'const a = "</script>";',
    ):
        entry.write_text(f"{text}\n")
        with pytest.raises(offline.NotInlined):
            offline.one_script(entry)


def test_every_text_of_the_modules_is_written_out_where_it_is_said():
    for path in MODULES.rglob("*.js"):
        calls = re.findall(r"(?<!function )\bsay\(", path.read_text())
        assert len(calls) == len(SAID.findall(path.read_text())), path
    assert len(texts()) > 150
    assert translations("en") == "{}"
    for language in LANGUAGES[1:]:
        known = catalogue(language)
        for text in texts():
            assert {*re.findall(r"\{\w+\}", text)} == {*re.findall(r"\{\w+\}", known.gettext(text))}, text
