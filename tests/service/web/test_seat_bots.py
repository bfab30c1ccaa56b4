"""Bots on pages: shown as what they are, said to think while they do, called to seats by the host and sent away."""

import pytest

from domain.engine.bots import Bot
from tests.service.web.browser import Browser, Form
from tests.tables import Tables
from tests.thinking import think_all

BOTS = (Bot(2, "patient"), Bot(3, "vindictive"))


@pytest.fixture
def game(tables: Tables) -> str:
    """Ann plays against two bots, who are asked until a worker answers for them."""
    return tables.open("ann", kind="tammany-hall", seats=3, bots=BOTS)


def browser_of(tables, name, **more):
    return Browser(tables.services, tables.player(name), **more)


def bots_of(tables, game):
    return [chair.bot for chair in tables.head(game).table.chairs]


def vacant(tables):
    """A game that Bob has left to the caretaker."""
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall", clock={"strikes": 1, "per_move": "P3D"})
    for _ in range(20):
        if tables.head(game).table.chairs[1].vacant:
            return game
        if (seat := tables.awaited(game)[0]) == 1:
            tables.expire(game, seat)
        else:
            tables.play_on(game)
    raise AssertionError("Bob is never asked")


def let_bots_be_asked(tables, game):
    """Until nobody but bots is waited for."""
    for seed in range(20):
        if 0 not in tables.awaited(game):
            return
        tables.play_on(game, seed)


@pytest.mark.parametrize("language, said", [
    ("en", ("a bot (2 · Practised, patient)", "a bot (3 · Strong, vindictive)")),
    ("fr", ("un robot (2 · Aguerri, patient)", "un robot (3 · Redoutable, rancunier)")),
    ("de", ("ein Bot (2 · Geübt, geduldig)", "ein Bot (3 · Stark, nachtragend)")),
])  # fmt: skip
def test_a_bot_is_shown_as_a_bot_with_its_strength_and_temper(tables, game, language, said):
    ann = browser_of(tables, "ann")
    tables.change_profile("ann", language=language)
    for path in (f"/g/{game}", "/turns", "/tables?status=running&mine=yes"):
        page = ann.get(path)
        assert all(words in page.words for words in said), (path, page.words)


def test_while_only_bots_are_asked_the_page_says_that_they_think_and_how_to_look_again(tables, game):
    let_bots_be_asked(tables, game)
    page = browser_of(tables, "ann").get(f"/g/{game}")
    assert any(f"{bot} is thinking …" in page.words for bot in ("Yellow (bot 2)", "Black (bot 3)")), page.words[:200]
    assert "Look again" in page.words, "for whoever has no script"
    assert "is asked" not in page.words
    assert page.html.count('role="status"') + page.html.count("aria-live") == 0, "the news say it, once"


def test_who_has_sealed_a_bid_and_may_replace_it_sees_which_bots_think(tables):
    game = tables.open("ann", kind="tammany-hall", seats=3, bots=[Bot(1), Bot(1)])
    for seed in range(80):
        if 0 not in tables.awaited(game):
            think_all(tables.services)
        elif tables.phase(game) == "bid" and len(tables.awaited(game)) > 1:
            break
        else:
            tables.play_on(game, seed)
    tables.move(game, 0, "bid none")
    page = browser_of(tables, "ann").get(f"/g/{game}")
    assert "You have answered: replace it until all have" in page.words
    assert "thinking …" in page.html.partition('id="draft"')[2].partition("<form")[0]


def test_a_game_that_waits_for_a_person_too_or_is_over_does_not_only_think(tables):
    game = tables.open("ann", kind="pennies", seats=2, bots=[Bot(1)])
    eve = browser_of(tables, "eve")
    assert len(tables.awaited(game)) == 2
    assert "The game waits for ann and" in eve.get(f"/g/{game}").words
    while tables.awaited(game):
        think_all(tables.services)
        if 0 in tables.awaited(game):
            tables.play_on(game)
    over = f"/tables/new?rematch={game}"
    assert "Look again" not in eve.get(f"/g/{game}").words
    assert over in browser_of(tables, "ann").get(f"/g/{game}").links
    assert over not in eve.get(f"/g/{game}").links, "for those who sat there"


def test_a_bot_has_one_name_in_all_tables_of_the_page(tables, game):
    page = browser_of(tables, "ann").get(f"/g/{game}")
    rows = page.html.partition('id="people"')[2].partition("</ul>")[0]
    assert "Yellow (bot 2)" in rows
    assert "Black (bot 3)" in rows


def test_who_has_not_moved_yet_is_told_of_no_last_move(tables, game):
    ann = browser_of(tables, "ann")
    assert "What happened last" in ann.get(f"/g/{game}").words
    think_all(tables.services)
    let_bots_be_asked(tables, game)
    think_all(tables.services)
    assert "Since your last move" in ann.get(f"/g/{game}").words


def test_a_bot_owes_no_deadline(tables, game):
    let_bots_be_asked(tables, game)
    page = browser_of(tables, "ann").get(f"/g/{game}")
    assert 'class="deadlines"' not in page.html
    assert "why this deadline?" not in page.words


def test_the_host_lets_a_bot_play_a_vacant_seat(tables):
    game = vacant(tables)
    ann = browser_of(tables, "ann")
    form = ann.get(f"/g/{game}").form(f"/g/{game}/seats/1/bot")
    page = ann.send(form, strength="2", temper="cautious")
    assert bots_of(tables, game)[1] == Bot(2, "cautious")
    assert "a bot (2 · Practised, cautious)" in page.words
    assert ann.send(form, strength="2", temper="cautious").address == f"/g/{game}", "twice is once"


def test_the_host_frees_the_seat_of_a_bot_and_is_told_what_that_means(tables, game):
    ann = browser_of(tables, "ann")
    page = ann.get(f"/g/{game}")
    assert "Until somebody sits down here the caretaker plays" in page.words
    form = page.form(f"/g/{game}/seats/2/free")
    page = ann.send(form)
    assert tables.head(game).table.chairs[2].vacant
    assert "vacant: the caretaker plays" in page.words
    assert ann.send(form).address == f"/g/{game}", "twice is once"


def test_a_bot_takes_the_last_free_seat_before_the_start_and_goes_again(tables):
    game = tables.open("ann", kind="tammany-hall", seats=4)
    ann = browser_of(tables, "ann")
    page = ann.send(ann.get(f"/g/{game}").form(f"/g/{game}/seats/3/bot"), strength="1", temper="patient")
    assert bots_of(tables, game)[3] == Bot(1, "patient")
    assert "a bot (1 · Beginner, patient)" in page.words
    ann.send(page.form(f"/g/{game}/seats/3/free"))
    assert bots_of(tables, game) == [None] * 4


def test_only_the_host_has_these_buttons_and_may_use_them(tables):
    game = vacant(tables)
    form = browser_of(tables, "ann").get(f"/g/{game}").form(f"/g/{game}/seats/1/bot")
    cyd = browser_of(tables, "cyd")
    page = cyd.get(f"/g/{game}")
    assert not [found for found in page.forms if "/seats/" in found.action]
    form.fields["csrf"] = page.forms[0].fields["csrf"]
    page = cyd.send(form, strength="1", temper="even")
    assert (page.status, bots_of(tables, game)) == (409, [None] * 3)
    assert "Only the host of the table seats bots and sends them away." in page.words


@pytest.mark.parametrize("typed", [
    {"strength": "0", "temper": "even"}, {"strength": "9", "temper": "even"}, {"strength": "1", "temper": "sunny"},
    {"strength": "", "temper": ""}, {"strength": "1" * 5000, "temper": "\0"}, {},
])  # fmt: skip
def test_a_bot_that_no_form_offers_is_refused(tables, typed):
    game = vacant(tables)
    ann = browser_of(tables, "ann")
    form = ann.get(f"/g/{game}").form(f"/g/{game}/seats/1/bot")
    sent = Form(form.action, form.method, {"csrf": form.fields["csrf"], **typed})
    assert ann.send(sent).status == 400
    assert bots_of(tables, game) == [None] * 3


@pytest.mark.parametrize("seat, status", [("0", 409), ("17", 409), ("-1", 404), ("x", 404), ("9" * 400, 404)])
def test_a_seat_that_is_none_or_somebody_s_is_refused(tables, seat, status):
    game = vacant(tables)
    ann = browser_of(tables, "ann")
    form = ann.get(f"/g/{game}").form(f"/g/{game}/seats/1/bot")
    form.action = f"/g/{game}/seats/{seat}/bot"
    assert ann.send(form, strength="1", temper="even").status == status
    assert bots_of(tables, game) == [None] * 3


def test_nobody_s_own_vacant_seat_is_given_away_by_a_slip(tables):
    """The host whose own seat fell vacant takes it back; a bot there would leave the game without them."""
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall", clock={"strikes": 1, "per_move": "P3D"})
    while not tables.head(game).table.chairs[0].vacant:
        tables.expire(game, tables.awaited(game)[0]) if 0 in tables.awaited(game) else tables.play_on(game)
    page = browser_of(tables, "ann").get(f"/g/{game}")
    assert "Take my seat back" in page.words
    assert not [form for form in page.forms if "/seats/" in form.action]
