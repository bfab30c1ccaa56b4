"""A game looked at again, without script: step by step by links, parts of it, versions there are not, other eyes."""

import re

import pytest

from service.games import takeback
from tests.service.web.browser import Browser, Page
from tests.tables import Tables

NAMES = ("ann", "bob", "cyd")


@pytest.fixture
def game(tables: Tables) -> str:
    """A game of Tammany Hall in its second year."""
    game = tables.begin(*NAMES, kind="tammany-hall")
    tables.play_out(game, 1, late=0, most=14)
    return game


@pytest.fixture
def bidding(tables: Tables, game: str) -> str:
    """The same in its first election."""
    while len(tables.awaited(game)) < 2:
        tables.play_on(game, tables.head(game).version)
    return game


@pytest.fixture
def finished(tables: Tables) -> str:
    game = tables.begin(*NAMES, kind="tammany-hall")
    tables.play_out(game, 1, late=0)
    return game


def at(tables: Tables, name: str = "ann", **more: str) -> Browser:
    return Browser(tables.services, tables.player(name), **more)


def link(page: Page, id_: str) -> str:
    """Where a way of the bar leads; "" for nowhere."""
    return next(given.get("href", "") for tag, given in page.tags if tag == "a" and given.get("id") == id_)


def heading(page: Page) -> str:
    return re.sub("<[^>]*>", "", page.html.partition("<h1")[2].partition(">")[2].partition("</h1>")[0])


def told(page: Page) -> list[str]:
    part = page.html.partition('<ol class="told">')[2].partition("</ol>")[0]
    return [" ".join(line.split()) for line in re.findall(r"<li[^>]*>([^<]*)", part)]


def section(page: Page, id_: str) -> str:
    return page.html.partition(f'id="{id_}"')[2].partition("</section>")[0]


def board(page: Page) -> str:
    """The map without the marks of what has changed."""
    return page.html.partition('id="map"')[2].partition("<svg")[2].partition("</svg>")[0].replace(" recent", "")


def test_from_the_first_step_to_the_last_and_back_by_links_alone(tables, game):
    """WCAG 2.1.1, PAGES 6.1: complete without script; what is told on the way is the whole story."""
    browser = at(tables, "dan")
    page = browser.get(f"/g/{game}?v=first")
    assert link(page, "before") == link(page, "first") == ""
    forward, story = [page.words], told(page)
    while link(page, "next"):
        page = browser.get(link(page, "next"))
        assert page.status == 200
        forward.append(page.words)
        story += told(page)
    last = tables.head(game).version
    assert heading(page) == f"Version {last} of {last}"
    live = browser.get(f"/g/{game}")
    live = browser.get(f"/g/{game}")
    assert board(page) == board(live)
    read = re.findall(r'<li value="[0-9]+" id="v[0-9]+">([^<]*)', browser.get(f"/g/{game}/story").html)
    assert [line for line in story if line in read] == read
    backward = [page.words]
    while link(page, "before"):
        page = browser.get(link(page, "before"))
        backward.append(page.words)
    assert backward[::-1] == forward


def test_a_step_says_who_did_what_and_marks_the_places_it_changed(tables):
    game = tables.begin(*NAMES, kind="tammany-hall")
    tables.move(game, tables.awaited(game)[0], "place 1 14")
    page = at(tables).get(f"/g/{game}?v=last")
    name = NAMES[tables.awaited(game)[0]]
    assert told(page) == [f"{name} campaigns: a boss in ward 1 and a boss in ward 14."]
    assert f"<strong>{name}</strong>" in section(page, "step")
    marked = {given["id"] for tag, given in page.tags if "recent" in given.get("class", "").split() and "id" in given}
    assert marked == {"ward-1", "ward-14"}
    assert "A dot marks what has changed" in page.words


def test_what_makes_no_sense_in_the_past_is_not_there(tables, game):
    page = at(tables).get(f"/g/{game}?v=last")
    assert not [form for form in page.forms if form.method == "post" and form.action.startswith(f"/g/{game}")]
    for part in ("draft", "talk", "clock", "status"):
        assert f'id="{part}"' not in page.html


def test_chapters_lead_to_where_they_begin(tables, finished):
    page = at(tables).get(f"/g/{finished}?v=first")
    chapters = dict(re.findall(r'<li><a href="([^"]*)" data-version="[0-9]+"[^>]*>([^<]*)', page.html))
    assert list(chapters.values())[:6] == [*(f"Term 1, year {year}" for year in range(1, 5)), "Term 1, the election",
                                           "Term 2, year 5"]  # fmt: skip
    for address, name in list(chapters.items())[::5]:
        opened = at(tables).get(address)
        current = re.search(r'aria-current="true">([^<]*)</a></li>', opened.html)
        assert current is not None
        assert current[1] == name


def test_a_part_of_a_game_has_an_address_and_its_ends(tables, game):
    browser = at(tables)
    last = tables.head(game).version
    form = next(form for form in browser.get(f"/g/{game}?v=12").forms if "to" in form.fields)
    page = browser.send(form, v="12", to="30")
    assert page.status == 200
    assert heading(page) == f"Version 12 of {last}"
    assert "This is a part of the game: versions 12 to 30." in page.words
    assert link(page, "before") == ""
    seen = [12]
    while link(page, "next"):
        page = browser.get(link(page, "next"))
        seen.append(int(heading(page).split()[1]))
        assert "versions 12 to 30" in page.words
    assert (seen[0], seen[-1]) == (12, 30)
    assert browser.get(f"/g/{game}?v=30-12").words == browser.get(f"/g/{game}?v=12-30").words
    assert heading(browser.get(f"/g/{game}?v=12-30&at=20")) == f"Version 20 of {last}"
    assert heading(browser.get(f"/g/{game}?v=12-30&at=31")) == f"Version 12 of {last}"


@pytest.mark.parametrize("asked", ["0", "99999", "x", "", "-3", "1.5", "99999999999", "1-99999", "12-", "<script>"])
def test_a_version_that_there_is_not_is_said_and_leads_to_the_nearest(tables, game, asked):
    browser, last = at(tables), tables.head(game).version
    page = browser.get(f"/g/{game}?v={asked}")
    assert page.status == 404
    assert f"This game has versions 1 to {last}." in page.words
    nearest = next(address for address in page.links if "?v=" in address)
    assert browser.get(nearest).status == 200
    assert "script>" not in page.html.partition("<main")[2]


def test_every_version_can_be_looked_at_also_before_the_game_began(tables, game):
    browser = at(tables)
    for version in (1, 2, 5, 9, 10, 15):
        page = browser.get(f"/g/{game}?v={version}")
        assert heading(page).startswith(f"Version {version} of ")
    assert "there is no board yet" in browser.get(f"/g/{game}?v=2").words


def test_u1_since_ones_last_move_leads_to_the_replay_of_it(tables, game):
    seat = tables.awaited(game)[0]
    for number in range(3):
        tables.play_on(game, number)
    browser = at(tables, NAMES[seat])
    live = browser.get(f"/g/{game}")
    address = next((address for address in live.links if re.search(r"\?v=[0-9]+-[0-9]+$", address)), None)
    assert address is not None
    assert f"/g/{game}?v=first" in live.links
    page = browser.get(address)
    assert page.status == 200
    assert "This is a part of the game" in page.words


def test_what_was_taken_back_is_shown_and_marked(tables):
    """0014: nothing is unseen; the branch that was undone stays, and says where it was taken back."""
    game = tables.begin(*NAMES, kind="tammany-hall")
    seat = tables.awaited(game)[0]
    tables.move(game, seat, "place 1 14")
    slip = tables.head(game).version
    with tables.services.database.write() as tx:
        takeback.go_back(tables.services, tx, game, tables.ids[NAMES[seat]])
    back = tables.head(game).version
    browser = at(tables)
    undone, again = browser.get(f"/g/{game}?v={slip}"), browser.get(f"/g/{game}?v={back}")
    assert "This was taken back later" in undone.words
    assert f"/g/{game}?v={back}" in undone.links
    assert "a boss in ward 1 and a boss in ward 14." in undone.words
    assert "This was taken back later" not in again.words
    assert "undoes what came after version" in again.words
    assert "bosses: " + NAMES[seat] not in section(again, "board")


def test_when_the_game_is_over_it_can_be_looked_at_with_other_eyes_and_not_before(tables, game, finished):
    browser = at(tables)
    for whose in ("yellow", "all", "public", "nobody"):
        page = browser.get(f"/g/{game}?v=20&as={whose}")
        assert page.status == 404
        assert "The hands of others can be looked at when the game is over." in page.words
    assert "as=" not in browser.get(f"/g/{game}?v=20").html.partition("<main")[2]
    page = browser.get(f"/g/{finished}?v=20")
    assert [address.rpartition("as=")[2] for address in page.links if "as=" in address] == [
        "red", "yellow", "black", "public", "all"]  # fmt: skip
    assert browser.get(f"/g/{finished}?v=20&as=green").status == 404
    for whose in ("yellow", "all", "public"):
        shown = browser.get(f"/g/{finished}?v=20&as={whose}")
        assert shown.status == 200
        assert all(f"as={whose}" in link(shown, way) for way in ("next", "before", "last"))


def test_sealed_bids_are_shown_when_they_were_made_to_who_may_know(tables, finished):
    with tables.services.database.read() as connection:
        head = tables.services.streams.head(connection, finished)
        past = tables.services.streams.history(connection, finished, head.rules, head.version)
    made = next(entry.version for entry in past if type(entry.event).__name__ == "BidSealed")
    bidder = head.rules.notation.pawns[past[made - 1].event.seat]
    browser, eyes = at(tables, "dan"), ("red", "yellow", "black", "all")
    known = {whose: told(browser.get(f"/g/{finished}?v={made}&as={whose}")) for whose in eyes}
    amount = known["all"]
    assert "hands in a sealed bid for ward" in amount[0]
    assert {whose for whose, text in known.items() if text == amount} == {bidder, "all"}
    assert amount != told(browser.get(f"/g/{finished}?v={made}"))
    everything = browser.get(f"/g/{finished}?v={made}&as=all").html.partition("Candidates in ward")[2]
    assert "has bid" not in everything.partition("</table>")[0]


def test_ones_own_sealed_bid_is_folded_while_the_game_runs(tables, bidding):
    """0058: the page stands open on screens that others see, and is read aloud."""
    game = bidding
    seat = tables.awaited(game)[0]
    tables.move(game, seat, "bid none")
    page = at(tables, NAMES[seat]).get(f"/g/{game}?v=last")
    assert "Show what you sealed" in section(page, "step")
    said = next(given["data-said"] for tag, given in page.tags if "data-said" in given)
    assert "none" not in said
    assert "none" not in section(page, "slide").partition("</p>")[0]


def test_a_stranger_to_a_private_game_finds_nothing(tables):
    game = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    dan = at(tables, "dan")
    assert dan.get(f"/g/{game}?v=1").words == dan.get("/g/nosuchgame?v=1").words


@pytest.mark.parametrize("language", ["fr", "de"])
def test_out_37_a_replay_is_in_the_readers_language(tables, finished, language):
    tables.change_profile("ann", language=language)
    page = at(tables).get(f"/g/{finished}?v=40")
    assert ("lang", language) in [pair for tag, given in page.tags if tag == "html" for pair in given.items()]
    for english in ("Version 40 of", " settles", "What happened", "Term 1", "Speed", "Chapters"):
        assert english not in page.words, english
