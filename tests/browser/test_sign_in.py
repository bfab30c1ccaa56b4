"""Signing in in a real browser: from a form whose session is over, by the link on a phone, by a passkey, and out."""

import re

import pytest
from playwright.sync_api import Page, expect

from service.accounts import sign_in
from tests.browser.house import House
from tests.browser.looks import assert_accessible, assert_fits
from tests.letters import text_of
from tests.manual_clock import ManualClock
from tests.ports import free_port
from tests.tables import Tables

ANN = "ann@people.example"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
STATUSES = ("401", "410", "422")
"""What a browser calls a failure, and a page that says what to do is none."""


@pytest.fixture
def named(chromium, migrated_sqlite, open_services):
    """A service that is reached by a name, which is what passkeys are bound to."""
    clock, base = ManualClock(), f"http://localhost:{free_port()}"
    with House(
        chromium, Tables(open_services(migrated_sqlite, clock=clock, BASE_URL=base), clock), base
    ).open() as found:
        yield found


def mailed(house: House) -> tuple[str, str]:
    """The code of the newest mail, and the path of its link."""
    sign_in.post_codes(house.tables.services)
    house.tables.deliver()
    letter = house.tables.carrier.letters[-1]
    found = re.search(r"(/sign-in/[\w-]{43})\n", text_of(letter))
    assert found is not None
    return house.tables.code_of(letter), found[1]


def ask(page: Page) -> None:
    page.get_by_label("Your mail address").fill(ANN)
    page.get_by_role("button", name="Send me the mail").click()


def test_what_was_typed_when_the_session_was_over_is_saved_after_signing_in(house):
    window = house.window("ann", path="/me", forgiven=STATUSES)
    window.page.get_by_label("Name").fill("Änne & Ö")
    house.tables.execute("DELETE FROM tokens")
    window.page.get_by_role("button", name="Save").click()
    expect(window.page.get_by_role("status")).to_contain_text("what you sent was not taken")
    assert_fits(window)
    ask(window.page)
    window.page.get_by_label("The code from the mail").fill("mistyped")
    window.page.get_by_role("button", name="Sign in", exact=True).click()
    expect(window.page.get_by_label("The code from the mail")).to_be_focused()
    expect(window.page.get_by_label("The code from the mail")).to_have_accessible_description(
        re.compile("does not fit")
    )
    assert_accessible(window)
    window.page.get_by_label("The code from the mail").fill(mailed(house)[0])
    window.page.get_by_role("button", name="Sign in", exact=True).click()
    expect(window.page.get_by_role("heading", level=1)).to_have_text("You are signed in as ann")
    window.page.get_by_role("button", name="Go on with what you had written").click()
    expect(window.page.get_by_label("Name")).to_have_value("Änne & Ö")
    expect(window.page.get_by_role("status")).to_have_text("Done.")


def test_the_link_on_a_phone_signs_in_there_and_stands_in_no_address(house):
    house.tables.player("ann")
    window = house.window(path="/sign-in?next=/me/mail")
    ask(window.page)
    _, link = mailed(house)
    phone = house.window(path=link, forgiven=STATUSES, **PHONE)
    expect(phone.page).to_have_url(f"{house.base}/sign-in/link")
    assert_accessible(phone)
    phone.page.get_by_role("button", name="Sign in as ann").click()
    expect(phone.page.get_by_role("link", name="ann", exact=True)).to_be_visible()
    phone.page.go_back()
    assert link not in phone.page.url
    phone.page.goto(link)
    expect(phone.page.get_by_role("alert")).to_contain_text("does not work any more")
    window.page.goto("/me")
    expect(window.page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_a_new_person_has_the_time_zone_of_their_device(house):
    window = house.window(path="/sign-in", timezone_id="Europe/Paris")
    window.page.get_by_label("Your name, if you are new here").fill("Dora")
    ask(window.page)
    window.page.get_by_label("The code from the mail").fill(mailed(house)[0])
    window.page.get_by_role("button", name="Sign in", exact=True).click()
    window.page.goto("/me")
    expect(window.page.get_by_label("Time zone")).to_have_value("Europe/Paris")


def test_a_passkey_is_made_and_signs_in_and_the_button_is_shown_to_who_can_use_it_alone(named):
    window = named.window("ann", path="/me/access", forgiven=("Clear-Site-Data",))
    device = window.context.new_cdp_session(window.page)
    device.send("WebAuthn.enable")
    authenticator = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    device.send("WebAuthn.addVirtualAuthenticator", {"options": {**authenticator, "isUserVerified": True}})
    make = window.page.get_by_role("button", name="Make a passkey on this device")
    make.click()
    expect(window.page.get_by_role("status")).to_have_text("Done.")
    make.click()
    expect(window.page.get_by_text("There is a passkey for you on this device already.")).to_be_visible()
    assert_accessible(window)
    window.page.get_by_role("button", name="Sign out", exact=True).click()
    window.page.goto("/sign-in?next=/me/mail")
    window.page.get_by_role("button", name="Sign in with a passkey").click()
    expect(window.page).to_have_url(f"{named.base}/me/mail")
    without = named.window(path="/sign-in", java_script_enabled=False)
    expect(without.page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()


def test_the_pages_about_oneself_fit_and_are_accessible(house):
    window = house.window("ann", path="/me")
    for path in ("/me", "/me/mail", "/me/feeds", "/me/leave", "/me/access", "/me/data"):
        window.page.goto(path)
        assert_fits(window)
        assert_accessible(window)
