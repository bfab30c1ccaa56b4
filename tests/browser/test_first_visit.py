"""A new person's way, in a window of a phone: from the invitation to the first move, a ballot, and the next day."""

import re

import pytest
from playwright.sync_api import expect

from service.accounts.sign_in import post_codes
from tests.browser.player import PLAY
from tests.letters import text_of

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DORA = "dora@people.example"


@pytest.fixture
def invited(house):
    """Ann's table, full but for Dora, who has never been here; what the invitation says."""
    house.tables.player("ann")
    game = house.tables.open("ann", kind="tammany-hall", invite=[DORA])
    house.tables.sit(game, "bob")
    return game, newest_letter(house)


def newest_letter(house):
    """The newest letter to Dora."""
    post_codes(house.tables.services)
    house.tables.deliver()
    return text_of(house.tables.carrier.letters_to("dora")[-1])


def link_in(letter, path):
    return re.search(rf"http://127\.0\.0\.1:\d+{path}\S*", letter)[0].rstrip(".>)")


def test_out31_from_an_invitation_to_a_move_a_ballot_and_tomorrow(house, invited):
    """Three clicks lead from the page of an invitation to a seat, for whoever is signed in."""
    game, invitation = invited
    window = house.window(**PHONE)
    page = window.page
    page.goto(link_in(invitation, f"/g/{game}"))
    page.get_by_role("link", name=re.compile("Sign in to sit")).tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    page.get_by_label("Your mail address").fill(DORA)
    page.get_by_label("Your name, if you are new here").fill("Dora")
    page.get_by_role("button", name="Send me the mail").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Look into your mail")
    code = newest_letter(house).partition("Your code for Wardroom: ")[2].split()[0]
    page.get_by_label("The code from the mail").fill(code)
    page.get_by_role("button", name="Sign in", exact=True).tap()
    expect(page).to_have_url(f"{house.base}/g/{game}")
    page.get_by_role("button", name="Join").tap()
    expect(page.get_by_role("region", name="Board")).to_be_visible()
    read_the_rules(page)
    page.goto(f"/g/{game}")
    let_others_play(house, game)
    page.reload()
    play_first_move(window)
    file_ballot(window, game)
    house.tables.advance(days=1)
    let_others_play(house, game)
    page.goto(f"/g/{game}")
    expect(page.get_by_role("region", name="Since your last move")).to_contain_text(re.compile("ann|bob"))


def read_the_rules(page):
    """What is asked can be looked up, and is in the page of rules under its number."""
    page.get_by_role("link", name="Rules").first.tap()
    page.wait_for_url("**/rules/tammany-hall")
    page.goto("/rules/tammany-hall#TH-6.2")
    expect(page.locator("[id='TH-6.2']")).to_be_visible()


def let_others_play(house, game):
    """Until Dora, who sat down last, is asked."""
    for seed in range(200):
        if 2 in house.tables.awaited(game):
            return
        house.tables.play_on(game, seed)
    raise AssertionError("Dora is never asked")


def play_first_move(window):
    """Two taps on wards of the map, and the turn is ended."""
    move = window.page.get_by_role("region", name="Your move")
    question = move.get_by_role("group").first
    question.get_by_role("button", name="Place two bosses").tap()
    for asked in ("Into which ward goes the first boss?", "Into which ward goes the second boss?"):
        expect(question).to_contain_text(asked)
        window.page.locator("#ward-14").tap()
    expect(move.get_by_text("place 14 14").first).to_be_visible()
    question.get_by_role("button", name=re.compile("Nothing more")).tap()
    expect(move.get_by_text("With this your move is whole.")).to_be_visible()
    move.get_by_role("button", name=PLAY).tap()
    expect(window.page.get_by_role("heading", level=1)).not_to_contain_text("Take your turn")


def file_ballot(window, game):
    """A line for one ward."""
    window.page.get_by_role("link", name="Orders ahead").first.tap()
    expect(window.page).to_have_url(re.compile(f"/g/{game}/orders$"))
    ward = window.page.locator("details.ward", has_text="Ward 14")
    ward.locator("summary").tap()
    ward.get_by_label("What to do").select_option("win as cheaply as is certain")
    ward.get_by_label("at most").fill("3")
    ward.get_by_label("first").select_option("Irish")
    window.page.get_by_role("button", name="Seal and file").tap()
    expect(window.page.get_by_role("status").first).to_contain_text("filed and sealed")
