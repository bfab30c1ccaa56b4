"""The draft on the page of a game: picked, typed, rehearsed, changed, and played by an act of its own."""

import json
from dataclasses import replace

import pytest

from domain.tammany_hall.rules.board import COLOURS
from service.integrity import key_rotation
from service.kernel.encryption import Sealer
from service.privacy.export import export
from service.store.clocks import decisions
from service.store.clocks.decisions import decisions as decision_rows
from tests.service.web.browser import Browser, Form, Page
from tests.service.web.page_player import WHOLE
from tests.tables import Tables


class Desk:
    """Whoever is asked in a game, at their browser."""

    def __init__(self, tables: Tables, game: str, seat: int | None = None, language: str = "en") -> None:
        self.tables, self.game = tables, game
        self.seat = tables.awaited(game)[0] if seat is None else seat
        player = tables.head(game).table.chairs[self.seat].player
        self.browser = Browser(tables.services, player, language=language)

    def look(self) -> Page:
        return self.browser.get(f"/g/{self.game}")

    def form(self, page: Page, to: str = "draft") -> Form:
        return replace(page.form(f"/g/{self.game}/draft"), action=f"/g/{self.game}/{to}")

    def press(self, page: Page, to: str = "draft", **filled: str) -> Page:
        """Press a button, by its name and value, with these fields filled in."""
        return self.browser.send(self.form(page, to), **filled)

    def pick(self, page: Page, *words: str) -> Page:
        for option in words:
            assert ("pick", option) in self.form(page).buttons, (option, self.form(page).buttons)
            page = self.press(page, pick=option)
        return page

    def text(self, page: Page) -> str:
        return self.form(page).fields["text"]

    @property
    def version(self) -> int:
        return self.tables.head(self.game).version


@pytest.fixture
def desk(tables: Tables) -> Desk:
    return Desk(tables, tables.begin("ann", "bob", "cyd", kind="tammany-hall"))


@pytest.fixture
def bidding(tables: Tables) -> Desk:
    """Somebody who is asked for a sealed bid."""
    return asked_to_bid(tables, tables.begin("ann", "bob", "cyd", kind="tammany-hall"))


@pytest.fixture
def auction(tables: Tables) -> Desk:
    """Somebody who is asked for an open bid."""
    return asked_to_bid(tables, tables.begin("ann", "bob", kind="city-hall"))


def asked_to_bid(tables: Tables, game: str) -> Desk:
    number = 0
    while tables.phase(game) != "bid":
        tables.play_on(game, number)
        number += 1
    return Desk(tables, game)


def test_a_line_is_picked_word_by_word_and_told(desk):
    page = desk.pick(desk.look(), "place", "place 1")
    assert desk.text(page) == ""
    assert "place 1 …" in page.words
    page = desk.pick(page, "place 1 14")
    assert desk.text(page) == "place 1 14"
    assert "campaigns: a boss in ward 1 and a boss in ward 14." in page.words
    assert "Play and end my turn: place 1 14" in page.html


def test_what_may_follow_a_draft_is_offered_after_it(desk):
    page = desk.pick(desk.look(), "place", "place 1", "place 1 14", "end")
    assert desk.text(page) == "place 1 14\nend"
    assert "Play 2 actions: place 1 14, end" in page.html
    assert "With this your move is whole." in page.words
    assert "This hands on to others" in page.words


def test_a_draft_records_nothing(desk):
    before = desk.version
    desk.pick(desk.look(), "place", "place 1", "place 1 14", "end")
    assert desk.version == before


def test_a_draft_is_played_by_an_act_of_its_own(desk):
    page = desk.pick(desk.look(), "place", "place 1", "place 1 14", "end")
    before = desk.version
    played = desk.press(page, "moves", play="1")
    assert played.status == 200
    assert desk.version > before
    assert "Done." in played.words


def test_a_browser_that_ignores_where_a_button_leads_plays_too(desk):
    """As w3m, lynx and elinks do: the form has one address, and *Play* is told by its name."""
    before = desk.version
    assert desk.press(desk.look(), "draft", text="place 1 14", check="1").status == 200
    assert desk.version == before
    played = desk.press(desk.look(), "draft", text="place 1 14", play="1")
    assert desk.version > before
    assert "Done." in played.words


def test_the_key_of_a_draft_stays_while_it_grows(desk):
    page = desk.look()
    key = desk.form(page).fields["key"]
    assert desk.form(desk.pick(page, "place", "place 1")).fields["key"] == key


def test_a_line_is_taken_out_and_all_of_them_are(desk):
    page = desk.press(desk.look(), text="place 1 14\n\nend")
    page = desk.press(page, drop="3")
    assert desk.text(page) == "place 1 14\n"
    assert desk.text(desk.press(page, clear="1")) == ""


def test_what_is_typed_is_the_same_draft(desk):
    page = desk.press(desk.look(), text="place 1 14", check="1")
    assert "campaigns: a boss in ward 1 and a boss in ward 14." in page.words
    assert desk.text(desk.pick(page, "end")) == "place 1 14\nend"


def test_a_refused_line_says_why_beside_it_and_keeps_all_lines(desk):
    page = desk.press(desk.look(), text="place 1 14\nplace 2 2\nend")
    assert desk.text(page) == "place 1 14\nplace 2 2\nend"
    assert page.html.count('class="refused"') == 1
    assert "/rules/tammany-hall#TH-" in page.html
    assert "Choose something first" in page.words


def test_a_line_picked_beside_a_refused_one_goes_before_it(desk):
    page = desk.press(desk.look(), text="place 1 14\nplace 2 2")
    assert desk.text(desk.pick(page, "end")) == "place 1 14\nend\nplace 2 2"


def test_a_place_of_the_picture_offers_all_that_can_be_done_there(desk):
    page = desk.press(desk.look(), at="ward-1")
    picks = {value for name, value in desk.form(page).buttons if name == "pick"}
    assert picks == {"place 1", "settle boss 1"}


@pytest.mark.parametrize("odd", ["", "nonsense", "place 12", "=place 1", "\x00", "place " * 200, "<b>"])
def test_what_is_no_option_changes_nothing(desk, odd):
    page = desk.press(desk.look(), text="place 1 14", pick=odd)
    assert page.status == 200
    assert desk.text(page) == "place 1 14"


@pytest.mark.parametrize(
    "odd",
    [
        "\x00",
        "<script>alert(1)</script>",
        "‮end",
        "x" * 5000,
        "end\n" * 900,
        "١٢",
        "\ud800".encode("utf-8", "replace").decode(),
    ],
)
def test_anything_typed_comes_back_with_a_sentence(desk, odd):
    page = desk.press(desk.look(), text=odd)
    assert page.status == 200
    assert desk.text(page) == odd[:4000].rstrip("\n") or desk.text(page) == odd[:4000]
    assert "<script>alert" not in page.html


def test_of_a_draft_that_is_too_long_nothing_is_played(desk):
    before = desk.version
    answer = desk.press(desk.look(), "moves", text="place 1 14\n" + "\n" * 4000 + "end")
    assert (answer.status, desk.version) == (422, before)
    assert "Send at most 4000 letters at a time" in answer.words


def test_a_draft_in_the_readers_own_words(tables):
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    tables.change_profile(("ann", "bob", "cyd")[tables.awaited(game)[0]], language="de")
    desk = Desk(tables, game)
    page = desk.pick(desk.look(), "place", "place 1", "place 1 14", "end")
    written = desk.text(page)
    assert written != "place 1 14\nend"
    played = desk.press(page, "moves", play="1")
    assert "Fertig." in played.words or played.status == 200
    assert not [form for form in played.forms if form.action.endswith("/draft")]


def test_u8_a_draft_is_rehearsed_again_where_the_game_moved_on(desk):
    page = desk.look()
    desk.tables.move(desk.game, desk.seat, "place 2 2")
    again = desk.press(page, text="place 1 14\nend")
    assert "The game has moved on" in again.words
    assert "campaigns: two bosses in ward 2." in again.words
    assert again.html.count('class="refused"') == 1
    assert desk.form(again).fields["version"] == str(desk.version)


def test_a_bid_is_sealed_at_once_and_hidden_until_it_is_asked_for(bidding):
    page = bidding.look()
    assert "data-sealed" in page.html
    words = dict(bidding.form(page).buttons)["seal"]
    before = bidding.version
    played = bidding.press(page, "moves", seal=words)
    assert bidding.version > before
    assert "hands in a sealed bid" in played.words
    open_to_all = played.html.split('<details class="sealed">')
    assert "none" not in open_to_all[0].split('id="done"')[1]
    assert len(open_to_all) > 1


def test_a_bid_in_an_auction_is_filled_in_and_added(auction):
    """CH-7.6: the verb is the word of the amount, so the question has no words of its own before it."""
    page = auction.pick(auction.look(), "bid")
    words = dict(auction.form(page).buttons)["compose"]
    page = auction.press(page, compose=words, **{"amount-bid": "1"})
    assert auction.text(page) == "bid 1"
    assert WHOLE in page.words


def test_enter_adds_an_open_amount_and_seals_none(auction, bidding):
    """A browser presses the first button of a form for Enter (HTML, implicit submission)."""
    page = auction.pick(auction.look(), "bid")
    name, value = auction.form(page).buttons[0]
    assert auction.text(auction.press(page, **{name: value, "amount-bid": "1"})) == "bid 1"
    assert bidding.form(bidding.look()).buttons[0] == ("check", "1")


def test_the_ballot_shows_every_colour_that_any_candidate_can_bid(tables):
    """A colour of which the reader has no chip is a row, too: a rival's chips of it are votes."""
    shown = 0
    for seed in range(3):
        game = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
        for number in range(seed, 400):
            if tables.head(game).table.status != "running":
                break
            if tables.phase(game) == "bid" and len(tables.awaited(game)) > 1:
                desk = Desk(tables, game)
                view = tables.head(game).rules.decider.view(tables.head(game).table.game, desk.seat)["bidding"]
                usable = {colour for one in view["candidates"] for colour, count in one["usable"].items() if count}
                mine = next(one["usable"] for one in view["candidates"] if one["seat"] == desk.seat)
                ballot = desk.look().html.partition('<table class="ballot">')[2].partition("</table>")[0]
                assert {colour for colour in COLOURS if f"c-{colour}" in ballot} == usable
                shown += any(not mine[colour] for colour in usable)
            tables.play_on(game, number)
    assert shown, "somebody had chips of a colour that the reader lacked"


def test_what_is_announced_of_a_sealed_bid_has_no_amount(bidding):
    page = bidding.press(bidding.look(), text="bid none")
    assert "data-sealed" in page.html
    assert next(found["data-said"] for _, found in page.tags if found.get("id") == "draft") == ""
    words = dict(bidding.form(bidding.look()).buttons)["seal"]
    played = bidding.press(bidding.look(), "moves", seal=words)
    said = next(found["data-said"] for _, found in played.tags if found.get("id") == "done")
    assert "sealed bid" in said
    assert "none" not in said


def test_a_bid_of_too_much_comes_back_with_what_was_filled_in(bidding):
    page = bidding.look()
    words = dict(bidding.form(page).buttons)["seal"]
    before = bidding.version
    colour = next(name for name in bidding.form(page).fields if name.startswith("amount-"))
    answer = bidding.press(page, "moves", seal=words, **{colour: "99"})
    assert (answer.status, bidding.version) == (422, before)
    assert bidding.form(answer).fields[colour] == "99"
    assert 'id="amounts-fault"' in answer.html


def test_no_address_ever_holds_a_bid(bidding):
    page = bidding.look()
    words = dict(bidding.form(page).buttons)["seal"]
    form = bidding.form(page, "moves")
    ours = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"} | bidding.browser.headers
    answer = bidding.browser.client.post(form.action, data={**form.fields, "seal": words}, headers=ours)
    assert answer.headers["Location"] == f"/g/{bidding.game}?done={bidding.version}#status-heading"


def test_the_map_marks_what_can_be_done_and_what_the_draft_changes(desk):
    page = desk.pick(desk.look(), "place")
    assert {"place", "lit"} <= set(place(page, "ward-1").split())
    page = desk.pick(page, "place 1")
    assert "drafted" in place(page, "ward-1").split(), "what the line has named so far"
    page = desk.pick(page, "place 1 14")
    assert "drafted" in place(page, "ward-14").split()
    assert "drafted" not in place(page, "ward-2").split()
    assert "Board after your draft" in page.words


def place(page: Page, name: str) -> str:
    """The classes of a place of the map."""
    return next(found["class"] for tag, found in page.tags if tag == "g" and found.get("id") == name)


# Kept for its player


def sealed_draft(desk: Desk) -> bytes | None:
    """What the database holds of a draft of the seat."""
    with desk.tables.services.database.read() as connection:
        owed = decisions.of_seat(connection, desk.game, desk.seat)
    return None if owed is None else owed.draft


def test_u3_a_draft_is_there_on_every_device_of_its_player_until_it_is_played(desk, tables):
    waits = "A draft of your move waits there."
    player = tables.head(desk.game).table.chairs[desk.seat].player
    phone = Browser(tables.services, player)
    assert waits not in phone.get("/turns").words
    desk.press(desk.look(), text="place 1 14")
    assert waits in phone.get("/turns").words
    page = phone.get(f"/g/{desk.game}")
    assert desk.text(page) == "place 1 14"
    assert "campaigns: a boss in ward 1 and a boss in ward 14." in page.words
    phone.send(desk.form(page, "moves"))
    assert waits not in phone.get("/turns").words
    assert tables.head(desk.game).table.game.wards[14].bosses[desk.seat] == 1
    assert sealed_draft(desk) is None


def test_u3_a_draft_is_gone_when_it_is_cleared_or_its_answer_comes_by_another_way(desk, tables):
    desk.press(desk.look(), text="place 1 14")
    desk.press(desk.look(), clear="1")
    assert desk.text(desk.look()) == ""
    assert sealed_draft(desk) is None
    desk.press(desk.look(), text="place 1 14")
    tables.move(desk.game, desk.seat, "place 1 14\nend")
    assert desk.seat not in tables.awaited(desk.game)
    while desk.seat not in tables.awaited(desk.game):
        tables.play_on(desk.game)
    assert desk.text(desk.look()) == "", "the next answer begins without it"


def test_u3_a_draft_of_a_position_that_has_changed_says_so(desk, tables):
    desk.press(desk.look(), text="place 1 14\nend")
    tables.move(desk.game, desk.seat, "place 4 4")
    page = desk.look()
    assert desk.text(page) == "place 1 14\nend"
    assert "The game has moved on: nothing was played." in page.words
    tables.move(desk.game, desk.seat, "end")


def test_u3_a_draft_that_was_played_from_elsewhere_is_not_offered_again(desk, tables):
    desk.press(desk.look(), text="place 1 14")
    tables.move(desk.game, desk.seat, "place 1 14")
    assert tables.awaited(desk.game) == [desk.seat], "the turn still lacks its end"
    assert desk.text(desk.look()) == ""


def test_s06_a_draft_is_in_no_log_and_no_page_of_another_and_nobody_can_read_it(desk, tables):
    other = Desk(tables, desk.game, (desk.seat + 1) % 3)
    before = other.look().words, desk.version
    desk.press(desk.look(), text="place 1 14")
    assert (other.look().words, desk.version) == before
    body = sealed_draft(desk)
    assert body is not None
    assert b"place" not in body
    desk.press(desk.look(), text="place 1 14\nend")
    assert len(sealed_draft(desk) or b"") == len(body), "its length tells nothing"
    (place,) = [place for place in key_rotation.PLACES if place.column is decision_rows.c.draft]
    renewed = Sealer(["another secret of at least thirty-two signs", tables.services.settings.secret_key])
    with tables.services.database.write() as tx:
        assert key_rotation.seal_again(renewed, tx, place, 10) == 1
        assert key_rotation.seal_again(renewed, tx, place, 10) == 0


def test_s06_a_secret_draft_is_not_kept(bidding):
    page = bidding.press(bidding.look(), text="bid none")
    assert bidding.text(page) == "bid none"
    assert sealed_draft(bidding) is None
    assert bidding.text(bidding.look()) == ""


def test_s50_a_draft_is_in_its_players_export(desk, tables):
    desk.press(desk.look(), text="place 1 14")
    player = tables.head(desk.game).table.chairs[desk.seat].player
    with tables.services.database.read() as connection:
        document = json.loads(b"".join(export(tables.services, connection, player)))
    assert [row["draft"] for row in document["waiting"]] == ["place 1 14"]
