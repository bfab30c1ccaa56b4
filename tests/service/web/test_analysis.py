"""What else could have been done: asking for it, waiting for it and reading it, without script."""

from collections.abc import Iterator

import pytest

from service.privacy import erase
from tests.domain.teacher.toy import guided_pennies
from tests.service.web.browser import Browser, Page
from tests.tables import Tables
from workers.teacher.study_process import study_slice
from workers.teacher.teacher import Teacher


@pytest.fixture
def taught(tables: Tables) -> Iterator[Tables]:
    """Pennies can be thought about."""
    with guided_pennies():
        yield tables


def finished(tables: Tables, **terms: object) -> str:
    game = tables.begin(**terms)
    tables.play_out(game, 7, late=0)
    return game


def at(tables: Tables, name: str, **more: str) -> Browser:
    return Browser(tables.services, tables.player(name), **more)


def ask(browser: Browser, game: str, strength: str = "1") -> Page:
    page = browser.get(f"/g/{game}/analysis")
    return browser.send(page.form(f"/g/{game}/analysis"), strength=strength)


def work(tables: Tables) -> None:
    Teacher(tables.services, study_slice).work()


def test_from_the_page_of_a_finished_game_to_what_could_have_been_done(taught):
    game, browser = finished(taught), at(taught, "ann")
    assert f"/g/{game}/analysis" in browser.get(f"/g/{game}").links
    waiting = ask(browser, game)
    assert "The analysis waits for its turn." in waiting.words
    assert ("meta", {"http-equiv": "refresh", "content": "5"}) in waiting.tags
    work(taught)
    page = browser.get(f"/g/{game}/analysis")
    assert page.status == 200
    for heading in ("At a glance", "What the sealed bids were worth", "Every decision"):
        assert heading in page.words
    seats = [link for link in page.links if "seat=" in link and "version" not in link]
    assert any("The worst moments" in browser.get(link).words for link in seats)
    assert "pennies are enough." in page.words
    assert not [tag for tag, given in page.tags if given.get("http-equiv") == "refresh"]
    assert "None" not in page.words


def test_each_seat_has_a_page_and_each_decision_its_position(taught):
    game, browser = finished(taught), at(taught, "bob")
    ask(browser, game)
    work(taught)
    own = browser.get(f"/g/{game}/analysis")
    assert [given for tag, given in own.tags if given.get("aria-current")][-1]["href"].endswith("seat=1")
    other = browser.get(next(link for link in own.links if link.endswith("seat=2")))
    assert other.words != own.words
    position = next(link for link in own.links if link.endswith("#position"))
    shown = browser.get(position)
    assert "Played:" in shown.words
    assert "phase" in shown.words, "the board in words, as the seat saw it"
    for strange in ("seat=9", "seat=x", "version=1", "version=99999", "strength=x"):
        assert browser.get(f"/g/{game}/analysis?{strange}").status == 200


def test_the_position_is_the_one_that_the_seat_saw(taught):
    """Nobody's hand but its own, though the game is over and all are known."""
    game = taught.begin(options={"rounds": "1"})
    for seat, hidden in ((2, "hide 2 secretly"), (1, "hide 3 quietly"), (0, "hide 0")):
        taught.move(game, seat, hidden)
    taught.move(game, 1, "take")
    browser = at(taught, "ann")
    ask(browser, game)
    work(taught)
    first = next(link for link in browser.get(f"/g/{game}/analysis").links if link.endswith("#position"))
    shown = browser.get(first)
    assert "'phase': 'hide'" in shown.words, "as it was, and not as it ended"
    assert "'hands': {}" in shown.words
    assert "secretly" not in shown.words
    assert "quietly" not in shown.words


def test_progress_is_told_to_whoever_waits_and_it_can_be_cancelled(taught):
    game, browser = finished(taught), at(taught, "ann")
    waiting = ask(browser, game, "2")
    told = browser.client.get(f"/g/{game}/analysis/progress?strength=2", headers=browser.headers).json
    assert (told["status"], told["done"], told["text"]) == ("queued", 0, "The analysis waits for its turn.")
    assert f"/g/{game}/analysis/cancel" not in [form.action for form in at(taught, "bob").get(waiting.address).forms]
    cancelled = browser.send(waiting.form(f"/g/{game}/analysis/cancel"))
    assert "The analysis was cancelled" in cancelled.words


def test_whoever_waits_for_another_is_led_there(taught):
    first, second = finished(taught), finished(taught)
    browser = at(taught, "ann")
    ask(browser, first)
    refused = ask(browser, second)
    assert refused.status == 409
    assert "You are waiting for the analysis of another game" in refused.words
    assert f"/g/{first}/analysis?strength=1" in refused.links


def test_whoever_may_not_see_that_game_any_more_cancels_it_here(taught):
    first = finished(taught, public=False, invite=["bob@people.example", "cyd@people.example"])
    second = finished(taught)
    browser = at(taught, "dan")
    taught.execute(
        "INSERT INTO invitations (game_id, email_key, known_by) "
        "SELECT :game, email_key, '' FROM players WHERE id = :dan",
        game=first, dan=taught.ids["dan"],
    )  # fmt: skip
    ask(browser, first)
    taught.execute("DELETE FROM invitations WHERE game_id = :game", game=first)
    refused = ask(browser, second)
    assert browser.get(f"/g/{first}/analysis").status == 404
    assert browser.send(refused.form(f"/g/{first}/analysis/cancel")).status == 200
    assert "The analysis waits for its turn." in ask(browser, second).words


def test_there_is_none_of_a_game_that_runs_for_nobody(taught):
    game = taught.begin()
    for name in ("ann", "bob", "dan"):
        browser = at(taught, name)
        assert f"/g/{game}/analysis" not in browser.get(f"/g/{game}").links
        page = browser.get(f"/g/{game}/analysis")
        assert (page.status, "when it is over, and not before, for nobody" in page.words) == (409, True)


def test_strangers_find_no_private_game_there(taught):
    game = finished(taught, public=False, invite=["bob@people.example", "cyd@people.example"])
    assert at(taught, "dan").get(f"/g/{game}/analysis").status == 404
    assert Browser(taught.services).get(f"/g/{game}/analysis").address == "/sign-in"


@pytest.mark.parametrize(("language", "heading"), [("de", "Jede Entscheidung"), ("fr", "Chaque décision")])
def test_it_is_told_in_the_language_of_its_reader(taught, language, heading):
    game, browser = finished(taught), at(taught, "ann")
    taught.change_profile("ann", language=language)
    ask(browser, game)
    work(taught)
    page = browser.get(f"/g/{game}/analysis")
    assert heading in page.words
    assert "At a glance" not in page.words


def test_somebody_who_is_gone_is_called_a_former_player(taught):
    game, browser = finished(taught), at(taught, "ann")
    ask(browser, game)
    work(taught)
    erase.erase(taught.services, taught.ids["bob"])
    page = browser.get(f"/g/{game}/analysis?seat=1")
    assert "a former player (silver)" in page.words
    assert "bob" not in page.words
