"""What goes wrong on the page of a game: sessions that end, games that end, seats that are lost, forms with anything in
them, names with markup."""

import json

import pytest

from domain.engine.bots import Bot
from service.accounts import people
from tests.service.web.browser import Browser, Form
from tests.service.web.test_game_page_draft import Desk
from tests.tables import Tables
from tests.thinking import think_all

MARKUP = "<b>Ann</b> & “Co”"


@pytest.fixture
def game(tables: Tables) -> str:
    return tables.begin("ann", "bob", "cyd", kind="tammany-hall")


@pytest.fixture
def desk(tables: Tables, game: str) -> Desk:
    return Desk(tables, game)


def sign_out_everywhere(tables: Tables, player: str) -> None:
    with tables.services.database.write() as tx:
        people.end_tokens(tx, player)


def miss(tables: Tables, desk: Desk) -> None:
    """This seat lets a deadline pass, or another plays."""
    if desk.seat in tables.awaited(desk.game):
        tables.expire(desk.game, desk.seat)
    else:
        tables.play_on(desk.game)


@pytest.mark.parametrize("to", ["draft", "moves"])
def test_a_session_that_ended_plays_nothing_and_loses_nothing(desk, tables, to):
    page = desk.look()
    before = desk.version
    sign_out_everywhere(tables, tables.head(desk.game).table.chairs[desk.seat].player)
    answer = desk.press(page, to, text="place 1 14\nend")
    assert desk.version == before
    carried = json.loads(next(found["value"] for _, found in answer.tags if found.get("name") == "carried"))
    assert carried["address"] == f"/g/{desk.game}/{to}"
    assert ["text", "place 1 14\nend"] in carried["fields"]


def test_a_game_that_finished_meanwhile_says_so_and_plays_nothing(desk, tables):
    page = desk.look()
    tables.play_out(desk.game, "meanwhile", late=0)
    assert tables.head(desk.game).table.status == "finished"
    before = desk.version
    for to, text in (("draft", "place 1 14"), ("moves", "place 1 14\nend")):
        answer = desk.press(page, to, text=text)
        assert answer.status in (200, 412)
        assert "won" in answer.words
        assert "The game has moved on: nothing was played." in answer.words
        assert text in answer.html
    assert desk.version == before


def test_a_seat_that_fell_vacant_is_taken_back_by_one_button(desk, tables):
    while not tables.head(desk.game).table.chairs[desk.seat].vacant:
        miss(tables, desk)
    page = desk.look()
    assert "Your seat is vacant" in page.words
    assert not [form for form in page.forms if form.action.endswith("/draft")]
    taken = desk.browser.send(page.form(f"/g/{desk.game}/seat"))
    assert taken.status == 200
    assert not tables.head(desk.game).table.chairs[desk.seat].vacant


def test_whose_seat_is_played_by_the_caretaker_plays_nothing(desk, tables):
    page = desk.look()
    while not tables.head(desk.game).table.chairs[desk.seat].vacant:
        miss(tables, desk)
    answer = desk.press(page, "draft", text="place 1 14")
    assert "Your seat is vacant" in answer.words
    current = {"version": str(desk.version)}
    refused = desk.press(page, "moves", text="end", **current)
    assert refused.status == 422
    assert "take your seat back first" in refused.words


def test_a_stopped_clock_is_said_first(desk, tables):
    other = Desk(tables, desk.game, (desk.seat + 1) % 3)
    page = other.look()
    other.browser.send(page.form(f"/g/{desk.game}/clock"), propose="pause", number="2", unit="D")
    for seat in range(3):
        voter = Desk(tables, desk.game, seat)
        shown = voter.look()
        if seat != other.seat:
            assert "asks to stop the clock for 2 days at most" in shown.words
            voter.browser.send(shown.form(f"/g/{desk.game}/vote"), answer="agree")
    page = desk.look()
    assert "The clock is stopped until" in page.words
    assert "no deadline while the clock is stopped" in page.words
    assert "Ask to let it run" in page.words


def test_a_proposal_is_refused_and_withdrawn_by_its_buttons(desk, tables):
    other = Desk(tables, desk.game, (desk.seat + 1) % 3)
    for answer, voter in (("refuse", desk), ("withdraw", other)):
        other.browser.send(other.look().form(f"/g/{desk.game}/clock"), propose="extend", number="5", unit="H")
        assert tables.head(desk.game).table.proposal is not None
        voter.browser.send(voter.look().form(f"/g/{desk.game}/vote"), answer=answer)
        assert tables.head(desk.game).table.proposal is None


def test_a_deadline_one_missed_is_asked_back_by_a_form_of_its_own(desk, tables):
    assert "Go back to before the deadline I missed" not in desk.look().words
    tables.expire(desk.game, desk.seat)
    page = desk.look()
    assert "Go back to before the deadline I missed" in page.words
    form = next(form for form in page.forms if form.fields.get("reason") == "lapse")
    desk.browser.send(form)
    proposal = tables.head(desk.game).table.proposal
    assert proposal is not None
    assert proposal.reason == "lapse"


def test_all_since_a_version_is_asked_back(desk, tables):
    before = desk.version
    tables.move(desk.game, desk.seat, "place 1 14\nend")
    tables.play_on(desk.game)
    desk.browser.send(desk.look().form(f"/g/{desk.game}/back"), to=str(before))
    proposal = tables.head(desk.game).table.proposal
    assert proposal is not None
    assert proposal.to == before


def test_a_vote_on_a_game_that_moved_on_does_nothing_and_says_so(desk, tables):
    other = Desk(tables, desk.game, (desk.seat + 1) % 3)
    other.browser.send(other.look().form(f"/g/{desk.game}/clock"), propose="extend", number="5", unit="H")
    form = desk.look().form(f"/g/{desk.game}/vote")
    tables.move(desk.game, desk.seat, "place 1 14")
    answer = desk.browser.send(form, answer="refuse")
    assert answer.status == 412
    assert "The game has moved on since you opened this page" in answer.words
    assert tables.head(desk.game).table.proposal is not None


def test_what_one_did_last_is_taken_back_by_a_button(desk, tables):
    tables.move(desk.game, desk.seat, "place 1 14")
    page = desk.look()
    assert "This would be undone: " in page.words
    back = desk.browser.send(next(form for form in page.forms if "reason" in form.fields), reason="misread")
    assert back.status == 200
    assert tables.head(desk.game).table.game.wards[1].bosses[desk.seat] == 0


def test_q12_the_button_goes_when_a_bot_has_moved(tables):
    game = tables.begin("ann", kind="tammany-hall", bots=[Bot(2), Bot(2)])
    think_all(tables.services)
    ann = Desk(tables, game, 0)
    tables.move(game, "ann", "place 14 14\nend")
    assert "Take my last move back" in ann.look().words
    think_all(tables.services)
    words = ann.look().words
    assert "Take my last move back" not in words
    assert "Take back what I did last" in words, "with bots alone nobody has to agree"


def test_q12_one_button_takes_ones_last_move_back_until_somebody_else_has_moved(desk, tables):
    button = "Take my last move back"
    assert button not in desk.look().words, "nothing was played yet"
    tables.move(desk.game, desk.seat, "place 1 14\nend")
    page = desk.look()
    assert button in page.words
    back = desk.browser.send(page.form(f"/g/{desk.game}/back"))
    assert back.status == 200
    assert tables.awaited(desk.game) == [desk.seat]
    assert tables.head(desk.game).table.game.wards[1].bosses[desk.seat] == 0
    tables.move(desk.game, desk.seat, "place 1 14\nend")
    page = desk.look()
    tables.play_on(desk.game)
    assert button not in desk.look().words, "it would take their consent"
    before = desk.version
    late = desk.browser.send(page.form(f"/g/{desk.game}/back"))
    assert late.status == 412
    assert desk.version == before


@pytest.mark.parametrize("number, unit", [("0", "D"), ("", "H"), ("9999999", "D"), ("-1", "H"), ("x", "D")])
def test_a_span_that_cannot_be_comes_back_with_a_sentence(desk, number, unit):
    answer = desk.browser.send(desk.look().form(f"/g/{desk.game}/clock"), propose="extend", number=number, unit=unit)
    assert answer.status == 422
    assert "More time is from an hour to thirty days" in answer.words


@pytest.mark.parametrize(
    "to, fields",
    [
        ("clock", {"propose": "explode"}),
        ("clock", {"propose": "pause", "unit": "Y"}),
        ("vote", {"what": "x"}),
        ("vote", {"answer": "maybe"}),
        ("back", {"reason": "<b>"}),
    ],
)
def test_what_no_form_of_ours_offers_is_a_bad_request(desk, to, fields):
    before = desk.version
    form = desk.look().form(f"/g/{desk.game}/talk")
    answer = desk.browser.send(Form(f"/g/{desk.game}/{to}", "post", {**form.fields, **fields}))
    assert (answer.status, desk.version) == (400, before)


def test_fields_that_no_form_has_are_nothing(desk):
    page = desk.press(desk.look(), text="place 1 14", nonsense="1", drop="x", **{"amount-irish": "5", "place-0": "x"})
    assert (page.status, desk.text(page)) == (200, "place 1 14")


def test_talk_is_said_once_however_often_it_is_sent_and_taken_back(desk):
    form = desk.look().form(f"/g/{desk.game}/talk")
    first = desk.browser.send(form, text=MARKUP)
    again = desk.browser.send(form, text=MARKUP)
    assert first.words.count(MARKUP) == again.words.count(MARKUP) == 1
    assert MARKUP not in first.html
    back = desk.browser.send(again.form(f"/g/{desk.game}/talk/withdraw"))
    assert MARKUP not in back.words
    assert ("Nobody has said" in first.words, "Nobody has said" in back.words) == (False, True)


def test_what_cannot_be_said_comes_back_as_it_was_typed(desk):
    answer = desk.browser.send(desk.look().form(f"/g/{desk.game}/talk"), text="two\nlines")
    assert answer.status == 422
    assert "without line breaks" in answer.words
    assert answer.form(f"/g/{desk.game}/talk").fields["text"].split() == ["two", "lines"]


def test_talk_to_one_seat_is_heard_by_that_seat_alone(desk, tables):
    to = (desk.seat + 1) % 3
    desk.browser.send(desk.look().form(f"/g/{desk.game}/talk"), text="psst", to=str(to))
    tables.advance(hours=1)
    heard = [seat for seat in range(3) if "psst" in Desk(tables, desk.game, seat).look().words]
    assert heard == sorted([desk.seat, to])


def test_names_with_markup_are_names(tables):
    for name in ("ann", "bob", "cyd"):
        tables.player(name)
    tables.change_profile("ann", name="<i>Ann</i> & Co")
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    tables.play_out(game, "names", late=0, most=9)
    page = Browser(tables.services, tables.ids["bob"]).get(f"/g/{game}")
    assert "<i>" not in page.html
    assert "<i>Ann</i> & Co" in page.words


def test_a_game_that_is_none_is_not_there(tables):
    browser = Browser(tables.services, tables.player("ann"))
    for game in ("nosuchgame", "x" * 70, "%00", "..%2f", "<b>"):
        for path in ("", "/text", "/news"):
            assert browser.get(f"/g/{game}{path}").status == 404


def test_an_open_tables_forms_of_a_running_game_do_nothing(tables):
    game = tables.open("ann", kind="tammany-hall", seats=3)
    form = Browser(tables.services, tables.ids["ann"])
    page = form.get(f"/g/{game}")
    fields = next(found.fields for found in page.forms if "csrf" in found.fields)
    for to in ("draft", "moves", "back", "clock", "vote"):
        answer = form.send(Form(f"/g/{game}/{to}", "post", {**fields, "version": "1", "text": "end"}))
        assert answer.status in (200, 409, 412, 422), (to, answer.status, answer.words)
