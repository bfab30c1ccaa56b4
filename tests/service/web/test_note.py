"""The note to oneself on a game's page: folded, kept by a form, and never on the page of anybody else."""

import pytest

from service.games.notes import LONGEST
from tests.service.web.browser import Browser
from tests.tables import Tables

SECRET = "Cyd <b>bluffs</b> & “waits”\n\tin ward 17"


@pytest.fixture
def game(tables: Tables) -> str:
    return tables.begin("ann", "bob", "cyd", kind="tammany-hall")


def test_a_player_and_a_watcher_keep_notes_that_only_they_read(tables, game):
    ann, bob, dora = (Browser(tables.services, tables.player(name)) for name in ("ann", "bob", "dora"))
    page = ann.get(f"/g/{game}")
    assert "Write a note to yourself" in page.words
    page = ann.send(page.form(f"/g/{game}/note"), note=SECRET)
    assert page.form(f"/g/{game}/note").fields["note"] == SECRET
    assert "Read or change it" in page.words
    assert "<b>bluffs" not in page.html
    dora.send(dora.get(f"/g/{game}").form(f"/g/{game}/note"), note="mine")
    for other in (bob, dora):
        assert "bluffs" not in other.get(f"/g/{game}").html
    assert dora.get(f"/g/{game}").form(f"/g/{game}/note").fields["note"] == "mine"
    page = ann.send(page.form(f"/g/{game}/note"), note="  ")
    assert "Write a note to yourself" in page.words


def test_a_note_that_is_too_long_comes_back_whole(tables, game):
    ann = Browser(tables.services, tables.player("ann"))
    page = ann.send(ann.get(f"/g/{game}").form(f"/g/{game}/note"), note="x" * (LONGEST + 1))
    assert (page.status, "at most 4000 characters" in page.words) == (422, True)
    assert page.form(f"/g/{game}/note").fields["note"] == "x" * (LONGEST + 1)
    assert ann.get(f"/g/{game}").form(f"/g/{game}/note").fields["note"] == ""
