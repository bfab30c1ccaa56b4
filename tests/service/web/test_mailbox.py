"""The development mailbox: letters by person and by game, with the code and the link to click at once."""

from service.mail.development_mailbox import Letter
from service.web.mailbox_list import NO_GAME, groups, listed
from tests.service.web.browser import Browser
from tests.unreadable_dates import UNREADABLE_DATES
from workers.mail_out.transport import transport

BASE = "http://127.0.0.1:8000"


def letter(name="1", **more):
    headers = {"To": "Ann <ann@people.example>", "Subject": "[City Hall #abc123] ann, bob", "Date": "", **more}
    text = headers.pop("text", "Your turn.\n")
    return Letter(name, list(headers.items()), text, "")


def mailed(tables):
    tables.request_code("ann")
    game = tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    tables.deliver(transport(tables.services.settings))
    return game


def test_a_code_and_its_link_are_offered_at_once(tables):
    mailed(tables)
    page = Browser(tables.services).get("/mailbox")
    link = next(link for link in page.links if link.startswith("/sign-in/"))
    assert 'class="code"' in page.html
    assert Browser(tables.services).get(link).status == 200


def test_a_turn_s_letter_leads_to_the_game(tables):
    game = mailed(tables)
    assert f"/g/{game}" in Browser(tables.services).get("/mailbox").links


def test_letters_stand_with_the_person_or_with_the_game():
    mine, yours = listed(letter("1"), BASE), listed(letter("2", To="Bob <bob@people.example>"), BASE)
    code = listed(letter("3", Subject="Your code"), BASE)
    by_person = groups([mine, yours, code], by_game=False)
    assert [[shown.name for shown in group.letters] for group in by_person] == [["1", "3"], ["2"]]
    by_game = groups([mine, yours, code], by_game=True)
    assert [(group.title, [shown.name for shown in group.letters]) for group in by_game] == [
        ("#abc123", ["1", "2"]),
        (NO_GAME, ["3"]),
    ]


def test_only_our_own_links_are_offered():
    text = f"Hello\nhttp://evil.example/g/abc123\nhttp://evil.example?{BASE}evil/g/x\n"
    assert listed(letter(text=text), BASE).link == ""
    assert listed(letter(text=f"Hello\n{BASE}/g/abc123\n"), BASE).link == "/g/abc123"


def test_a_letter_that_is_odd_is_listed_all_the_same():
    for date in ("yesterday", *UNREADABLE_DATES):
        odd = listed(letter(To="", Subject="", Date=date, text=""), BASE)
        assert (odd.person, odd.game, odd.at, odd.code) == ("", "", None, ""), date


def test_the_components_are_shown_where_the_mailbox_is(tables, open_services, migrated_sqlite):
    page = Browser(tables.services).get("/components")
    assert page.status == 200
    assert page.html.count("<svg") == 2
    assert Browser(open_services(migrated_sqlite, SMTP_URL="smtp://127.0.0.1:1")).get("/components").status == 404


def test_the_components_are_for_this_machine_alone(tables):
    client = Browser(tables.services).client
    assert client.get("/components", environ_overrides={"REMOTE_ADDR": "192.0.2.1"}).status_code == 404
