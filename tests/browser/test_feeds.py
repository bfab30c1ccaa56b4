"""The addresses of feeds are copied by a button, or from their field."""

from playwright.sync_api import expect

from tests.browser.looks import assert_accessible, assert_fits


def test_an_address_is_copied_by_a_button_that_is_there_with_script_alone(house):
    window = house.window("ann", path="/me/feeds", permissions=["clipboard-read", "clipboard-write"])
    window.page.get_by_role("button", name="Make the addresses").click()
    address = window.page.get_by_label("Calendar of your deadlines").first
    expect(address).not_to_be_editable()
    window.page.get_by_role("button", name="Copy: Calendar of your deadlines").click()
    expect(window.page.get_by_text("Copied.")).to_be_visible()
    assert window.page.evaluate("navigator.clipboard.readText()") == address.input_value()
    assert_fits(window)
    assert_accessible(window)
    plain = house.window("bob", path="/me/feeds", java_script_enabled=False)
    plain.page.get_by_role("button", name="Make the addresses").click()
    expect(plain.page.get_by_label("News feed")).to_have_attribute("readonly", "")
    expect(plain.page.get_by_role("button", name="Copy")).to_have_count(0)
