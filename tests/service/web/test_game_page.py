"""The page of a game: what it shows, and playing on it by its forms."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest

from domain.city_hall.rules.events import OfficeControlled
from domain.rulesets import ruleset
from domain.tammany_hall.rules.events import OfficesAssigned
from service.games import long_poll, play
from tests.acceptance.processes import until
from tests.service.web.browser import Browser, Form, Page
from tests.tables import Tables


@pytest.fixture
def game(tables: Tables) -> str:
    """A game of Tammany Hall that has just begun."""
    return tables.begin("ann", "bob", "cyd", kind="tammany-hall")


def asked(tables: Tables, game: str) -> tuple[Browser, int]:
    """The browser of whoever is asked, and their seat."""
    seat = tables.awaited(game)[0]
    return browser_of(tables, game, seat), seat


def browser_of(tables: Tables, game: str, seat: int) -> Browser:
    return Browser(tables.services, tables.head(game).table.chairs[seat].player)


def moves(page: Page, game: str) -> Form:
    """The form of the draft, with the button that plays it."""
    return replace(page.form(f"/g/{game}/draft"), action=f"/g/{game}/moves")


def write(page: Page, game: str, browser: Browser, text: str) -> Page:
    """Play these lines."""
    return browser.send(moves(page, game), text=text)


def test_who_is_asked_sees_so_first_and_has_a_form_to_answer(tables, game):
    browser, _ = asked(tables, game)
    page = browser.get(f"/g/{game}")
    assert "Take your turn of year 1" in page.words
    assert "Your turn" in page.words
    assert "2 days" in page.words or "3 days" in page.words
    assert moves(page, game).fields["text"] == ""


def test_who_is_not_asked_sees_whom_the_game_waits_for_and_no_form(tables, game):
    _, seat = asked(tables, game)
    other = browser_of(tables, game, (seat + 1) % 3).get(f"/g/{game}")
    assert f"The game waits for {('ann', 'bob', 'cyd')[seat]}" in other.words
    assert not [form for form in other.forms if form.action.endswith("/draft")]
    card = re.search(r'<section class="move card calm".*?</section>', other.html, re.DOTALL)
    assert card is not None
    meanwhile = re.findall(r'class="choice" href="([^"]+)"', card.group())
    assert meanwhile == ["#talk-heading", "#note-heading", f"/g/{game}/orders", f"/g/{game}?v=first"], (
        "what one likes to do then"
    )


def test_links_within_the_page_lead_where_text_browsers_look(tables, game):
    """W3m and elinks find no id of these elements, and elinks says so in a window over the page after each move."""
    browser, _ = asked(tables, game)
    lost = {"article", "details", "header", "main", "nav", "section"}
    for page in (browser.get(f"/g/{game}"), write(browser.get(f"/g/{game}"), game, browser, "place 1 14\nend")):
        tags = {found["id"]: tag for tag, found in page.tags if "id" in found}
        links = [link.removeprefix("#") for link in page.links if link.startswith("#") and link != "#main"]
        assert [link for link in links if tags[link] in lost] == []
        assert links


def test_th_13_ch_12_a_finished_game_has_a_podium_its_scoring_and_play_again_first(tables):
    """Places and points, the scoring added up line by line, the rule for ties, then what one can do next."""
    for kind, tie in (("tammany-hall", "TH-13.6"), ("city-hall", "CH-12.6")):
        game = tables.begin("ann", "bob", "cyd", kind=kind)
        tables.play_out(game, 2, late=0)
        result = tables.head(game).table.result
        assert result is not None
        for name in ("ann", "dora"):
            page = Browser(tables.services, tables.player(name)).get(f"/g/{game}")
            podium = re.search(r'<details class="podium" open>.*?</details>', page.html, re.DOTALL)
            scoring = re.search(r'<table class="scoring">.*?</table>', page.html, re.DOTALL)
            assert podium is not None, (kind, name)
            assert scoring is not None, (kind, name)
            best = sorted(result.scores, reverse=True)
            assert [int(score) for score in re.findall(r"<strong>(\d+)</strong>", podium.group())] == best, kind
            *rows, total = [
                [int(points.replace("–", "0")) for points in re.findall(r"([\d–]+)</td>", row)]
                for row in scoring.group().split("<tr>")[2:]
            ]
            assert total == best == [sum(column) for column in zip(*rows, strict=True)], kind
            assert f"/rules/{kind}#{tie}" in page.links, kind
            ways = ["?v=first", "/preview.png", "/statistics"]
            wanted = [*(["/tables/new?rematch=" + game] * (name == "ann")), *(f"/g/{game}{way}" for way in ways)]
            card = page.html[page.html.index('<section class="move card calm"') :]
            assert re.findall(r'class="(?:go|choice)"[^>]* href="([^"]+)"', card) == wanted, (kind, name)


def test_a_game_that_others_resigned_from_has_a_podium_and_no_scoring(tables):
    game = tables.begin("ann", "bob", kind="city-hall")
    tables.play_out(game, 1, late=0, most=40)
    with tables.services.database.write() as tx:
        play.resign(tables.services, tx, game, tables.ids["bob"])
    page = Browser(tables.services, tables.ids["ann"]).get(f"/g/{game}")
    assert "ann has won: all others have resigned or left" in page.words
    podium = page.html[page.html.index('class="podium"') :]
    assert podium.index("<b>ann</b>") < podium.index("<b>bob</b>"), "whoever stays has won, with any points"
    for absent in ("Turning point", "In a tie", 'class="scoring"'):
        assert absent not in page.html, absent


def test_a_move_is_played_and_told_with_its_receipt(tables, game):
    browser, _ = asked(tables, game)
    before = tables.head(game).version
    page = write(browser.get(f"/g/{game}"), game, browser, "place 1 14\nend")
    assert tables.head(game).version > before
    assert "campaigns: a boss in ward 1 and a boss in ward 14." in page.words
    assert re.search(rf"Receipt: {tables.head(game).version}-[0-9A-Z-]+", page.words)


def test_what_another_has_done_is_not_told_as_done(tables, game):
    browser, seat = asked(tables, game)
    tables.move(game, seat, "place 1 14\nend")
    version = tables.head(game).version
    assert 'id="done"' in browser.get(f"/g/{game}?done={version}").html
    for other, done in (((seat + 1) % 3, version), (seat, version - 1), (seat, version + 1), (seat, 10**8)):
        assert 'id="done"' not in browser_of(tables, game, other).get(f"/g/{game}?done={done}").html


def test_the_same_form_twice_is_one_move(tables, game):
    browser, _ = asked(tables, game)
    form = moves(browser.get(f"/g/{game}"), game)
    first = browser.send(form, text="place 1 14\nend")
    version = tables.head(game).version
    second = browser.send(form, text="place 1 14\nend")
    assert tables.head(game).version == version
    assert (second.status, second.words) == (first.status, first.words)


def test_what_the_rules_forbid_comes_back_with_the_sentence_beside_it(tables, game):
    browser, _ = asked(tables, game)
    version = tables.head(game).version
    page = write(browser.get(f"/g/{game}"), game, browser, "place 12 14\nend")
    assert page.status == 422
    assert moves(page, game).fields["text"] == "place 12 14\nend"
    assert 'There is no ward "12"' in page.words
    assert "/rules/tammany-hall#TH-" in page.html
    assert tables.head(game).version == version


def test_u8_a_draft_for_a_game_that_moved_on_is_kept_and_not_sent(tables, game):
    browser, seat = asked(tables, game)
    page = browser.get(f"/g/{game}")
    tables.move(game, seat, "place 2 2")
    version = tables.head(game).version
    answer = write(page, game, browser, "place 1 14\nend")
    assert (answer.status, tables.head(game).version) == (412, version)
    assert "The game has moved on: nothing was played." in answer.words
    assert "campaigns: two bosses in ward 2." in answer.words
    assert moves(answer, game).fields["text"] == "place 1 14\nend"
    played = write(answer, game, browser, "end")
    assert played.status == 200
    assert tables.head(game).version > version


def test_a_draft_that_names_no_version_is_kept_and_not_sent(tables, game):
    browser, _ = asked(tables, game)
    form = moves(browser.get(f"/g/{game}"), game)
    version = tables.head(game).version
    for odd in ("", "0", "x", "99999999999", "１７"):
        answer = browser.send(form, text="end", version=odd)
        assert (answer.status, tables.head(game).version) == (412, version)
        assert "nothing was played" in answer.words
        assert moves(answer, game).fields["text"] == "end"


def test_a_key_used_for_another_draft_plays_nothing_and_a_new_one_is_given(tables):
    game = tables.begin("ann", "bob")
    tables.move(game, 0, "hide 3")
    tables.move(game, 1, "hide 1")
    browser, seat = asked(tables, game)
    form = moves(browser.get(f"/g/{game}"), game)
    browser.send(form, text="nod")
    version = tables.head(game).version
    answer = browser.send(form, text="nod\ntake")
    assert (answer.status, tables.head(game).version) == (412, version)
    again = moves(answer, game)
    assert again.fields["key"] != form.fields["key"]
    assert browser.send(again, text="take").status == 200
    assert seat not in tables.awaited(game) or tables.phase(game) == "hide"


def test_in10c_a_turn_that_only_its_end_is_missing_from_is_ended_by_play_and_says_so_before(tables, game):
    browser, seat = asked(tables, game)
    tried = browser.send(browser.get(f"/g/{game}").form(f"/g/{game}/draft"), text="place 1 14")
    assert "Playing this also ends your turn: nothing else is left." in tried.words
    played = browser.send(moves(tried, game))
    assert "It is" in played.words
    assert seat not in tables.awaited(game)
    with tables.services.database.read() as connection:
        head = tables.head(game)
        past = tables.services.streams.history(connection, game, head.rules, head.version)
    texts = [entry.text for entry in past if entry.action and entry.actor == {"seat": seat}]
    assert texts == ["place 1 14", "end"], "as an action of the seat with its text"


def test_a_stranger_signs_in_before_a_private_game(tables):
    game = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    answer = Browser(tables.services).client.get(f"/g/{game}")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/sign-in?next=/g/{game}")


def test_s11_a_private_game_is_not_there_for_others(tables):
    game = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    dan = Browser(tables.services, tables.player("dan"))
    assert dan.get(f"/g/{game}").words == dan.get("/g/nosuchgame").words


def test_who_watches_a_public_game_sees_it_without_forms_of_a_seat(tables, game):
    page = Browser(tables.services, tables.player("dan")).get(f"/g/{game}")
    assert page.status == 200
    posted = {form.action for form in page.forms if form.action.startswith("/g/") and form.method == "post"}
    assert posted == {f"/g/{game}/note"}, "to oneself"


def test_who_watches_cannot_play_talk_or_vote(tables, game):
    mine = browser_of(tables, game, 0)
    form = mine.get(f"/g/{game}").form(f"/g/{game}/talk")
    dan = Browser(tables.services, tables.player("dan"))
    page = Browser(tables.services, tables.player("dan")).get(f"/g/{game}")
    version = tables.head(game).version
    for action in ("moves", "talk", "talk/withdraw", "back", "clock", "vote"):
        answer = dan.client.post(f"/g/{game}/{action}", data=form.fields, headers=dan.headers)
        assert answer.status_code == 403
    assert (page.status, tables.head(game).version) == (200, version)


def test_the_board_in_words_is_plain_text(tables, game):
    browser, _ = asked(tables, game)
    answer = browser.client.get(f"/g/{game}/text", headers=browser.headers)
    assert answer.content_type == "text/plain; charset=utf-8"
    assert answer.text.startswith("TAMMANY HALL")


def test_news_are_the_version_alone_and_only_for_who_may_see_the_game(tables, game):
    browser, _ = asked(tables, game)
    answer = browser.client.get(f"/g/{game}/news?after=0", headers=browser.headers)
    assert (answer.status_code, answer.json) == (200, {"version": tables.head(game).version})
    private = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    dan = Browser(tables.services, tables.player("dan"))
    assert dan.client.get(f"/g/{private}/news?after=0").status_code == 404
    assert Browser(tables.services).client.get(f"/g/{private}/news").status_code == 303


def test_where_nobody_more_can_wait_news_say_when_to_ask_again(tables, game, monkeypatch):
    monkeypatch.setitem(long_poll._waiting, "others", [long_poll.Wait()] * 1000)
    browser, _ = asked(tables, game)
    answer = browser.client.get(f"/g/{game}/news?after={tables.head(game).version}")
    assert (answer.status_code, answer.headers["Retry-After"], answer.data) == (204, "25", b"")


def test_who_looks_at_another_page_waits_there_in_place_of_the_oldest(tables, game):
    """Q-13: a server learns late that a page was left; the page that is looked at must not pay for it."""
    _, seat = asked(tables, game)
    player, version = tables.head(game).table.chairs[seat].player, tables.head(game).version
    with ThreadPoolExecutor(3) as threads:
        wait = partial(long_poll.for_news, tables.services, player, game, version, 60, in_place=True)
        waits = [threads.submit(wait)]
        until(lambda: len(long_poll._waiting.get(player, [])) == 1, "the first waits")
        waits.append(threads.submit(wait))
        until(lambda: len(long_poll._waiting[player]) == 2, "the second waits")
        waits.append(threads.submit(wait))
        assert waits[0].result(30) is False
        tables.move(game, seat, "place 1 1")
        assert [wait.result(30) for wait in waits[1:]] == [True, True]
    assert player not in long_poll._waiting


def test_nobody_waits_in_a_process_that_is_to_end(tables, game, monkeypatch):
    _, seat = asked(tables, game)
    player, version = tables.head(game).table.chairs[seat].player, tables.head(game).version
    with ThreadPoolExecutor(1) as threads:
        waits = threads.submit(long_poll.for_news, tables.services, player, game, version, 600)
        until(lambda: long_poll._waiting.get(player), "the wait")
        tables.services.serve_while(lambda: False)
        assert waits.result(30) is False


def sections(page: Page) -> dict[str, str]:
    """What stands in the parts of the page, by their ids."""
    parts = re.split(r'<(?:section|div)[^>]* id="([a-z-]+)"', page.html)
    return dict(zip(parts[1::2], parts[2::2], strict=False))


def test_u1_what_happened_since_ones_last_move_is_told_and_what_followed_by_rule_is_folded(tables):
    game = tables.begin("ann", "bob", "cyd", kind="city-hall")
    first = tables.awaited(game)[0]
    for seed in range(3):
        tables.play_on(game, seed)
    page = browser_of(tables, game, first).get(f"/g/{game}")
    recent = sections(page)["recent"]
    assert recent.count(" drafts ") == 2, "what the others did, and not what one did before that"
    movers = re.findall(r"; changed by (\w+)</title>", page.html)
    assert sorted(movers) == sorted({"ann", "bob", "cyd"} - {("ann", "bob", "cyd")[first]}), "on the board as well"
    folded, last = recent.split("<details>")[1], recent.rpartition("<li")[2]
    assert "by the rules then: 2 things more" in folded
    assert "is drawn from the Land deck" in folded.partition("</details>")[0]
    assert "is drawn from the Land deck" in last, "of the last step nothing is folded"
    assert "<details>" not in last
    assert page.html.index('id="board"') < page.html.index('id="draft"') < page.html.index('id="recent"')


def test_u6_the_next_game_that_waits_is_offered_and_never_this_one(tables, game):
    _, seat = asked(tables, game)
    name = ("ann", "bob", "cyd")[seat]
    browser = browser_of(tables, game, seat)
    tables.move(game, seat, "place 1 14\nend")
    assert "Next:" not in browser.get(f"/g/{game}").words
    other = tables.begin(name, kind="city-hall", bots=2)
    assert tables.awaited(other) == [0]
    page = browser.get(f"/g/{game}")
    assert "Next: City Hall, 3 days left" in page.words
    assert f"/g/{other}" in page.links
    assert "Next:" not in browser.get(f"/g/{other}").words


def test_who_bids_with_others_sees_who_has_to_bid(tables, game):
    number = 0
    while len(tables.awaited(game)) < 2:
        tables.play_on(game, number)
        number += 1
    one, other, *_ = tables.awaited(game)
    names = ("ann", "bob", "cyd")
    assert f"{names[other]} has to bid" in browser_of(tables, game, one).get(f"/g/{game}").words


def test_out_37_what_happened_is_told_in_the_readers_language(tables, game):
    _, seat = asked(tables, game)
    tables.change_profile(("ann", "bob", "cyd")[seat], language="de")
    browser = browser_of(tables, game, seat)
    page = write(browser.get(f"/g/{game}"), game, browser, "setzen 1 14\nende")
    tables.play_on(game)
    story = sections(browser.get(f"/g/{game}/story"))["story"]
    told = sections(page)["done"], sections(browser.get(f"/g/{game}"))["recent"], story
    assert "macht Wahlkampf" in told[0]
    assert "Vor dem Spiel" in told[2]
    for english in ("Before the game", "Term 1", " campaigns", " settles", " sits down", " comes into play", "begins"):
        assert not any(english in text for text in told), english


def test_the_story_stands_on_a_page_of_its_own_that_grows_alone(tables, game):
    """The page of a game costs the same late as early; what it tells is what the reader may know."""
    ann = Browser(tables.services, tables.player("ann"))
    before = len(ann.get(f"/g/{game}").html)
    for number in range(120):
        tables.play_on(game, number)
    page, story = ann.get(f"/g/{game}"), ann.get(f"/g/{game}/story")
    assert len(page.html) < 2.5 * before
    assert "Year 1" not in sections(page)["story"]
    assert "Before the game" in sections(story)["story"]
    assert "Term 1" in sections(story)["story"]
    spoken = Browser(tables.services).get(f"/g/{game}/story")
    assert "Before the game" in sections(spoken)["story"], "a public game tells it to anybody"


def test_s11_the_story_of_a_private_game_is_for_its_players(tables):
    private = tables.open("ann", kind="tammany-hall", public=False, seats=3, bots=2)
    assert Browser(tables.services, tables.player("ann")).get(f"/g/{private}/story").status == 200
    assert Browser(tables.services, tables.player("dan")).get(f"/g/{private}/story").status == 404
    assert "The story so far" not in Browser(tables.services).get(f"/g/{private}/story").words


def test_th_12_ch_8_who_gets_an_office_is_told_so_and_what_it_is_for(tables, game):
    for seed in range(60):
        was, _ = tables.phase(game), tables.play_on(game, seed)
        if was == "assign":
            break
    pages = [browser_of(tables, game, seat).get(f"/g/{game}").words for seat in range(3)]
    told = [re.findall(r"gives the offices: .*?\. (You are [A-Z][^:.]+: each year you may )", words) for words in pages]
    assert sorted(map(len, told)) == [0, 1, 1]
    for name in ("ann", "bob", "cyd"):
        tables.change_profile(name, language="de")
    pages = [browser_of(tables, game, seat).get(f"/g/{game}").words for seat in range(3)]
    assert sum("Jedes Jahr darfst du" in words for words in pages) == 2
    facts = (
        ("tammany-hall", OfficesAssigned(0, {"police": 1}), ["", "You are Chief of Police: each year you may send"]),
        ("city-hall", OfficeControlled(1, "surveyor", acts=True), ["", "It is yours: Buy one space."]),
    )
    for kind, event, wanted in facts:
        given = [ruleset(kind).presentation.gives(event, seat) for seat in range(2)]
        assert [text[: len(start)] for text, start in zip(given, wanted, strict=True)] == wanted, kind
