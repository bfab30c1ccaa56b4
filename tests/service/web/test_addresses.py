"""Where a browser may be led that says itself where to: to our own pages alone (CWE-601)."""

import pytest

from service.web.http.own_paths import own_path

OURS = ["/", "/turns", "/g/k7x2m9qd4t", "/g/k7x2m9qd4t?v=17&x=%2F", "/me/mail#digest", "/rules/tammany-hall#TH-8.3",
        "/tables?next=//evil.example"]  # fmt: skip
ELSEWHERE = [
    "//evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example", "evil.example", "", "javascript:x",
    "/%2Fevil.example", "/%2f%2fevil.example", "/%5Cevil.example", "/%255Cevil.example", "/%25252fevil.example",
    "/\t/evil.example", "/\n/evil.example", "/%09/evil.example", "/%0d%0aLocation:%20x", "/x\x00", "/..//evil.example",
    "/a/..", "/./x", "/%2e%2e/x", "/é", " /turns", "/" + "x" * 2_000,
    "/sign-in", "/sign-in?next=/", "/%73ign-in", "/sign-out", "/api/v1/me", "///evil.example", "/g//x",
]  # fmt: skip


@pytest.mark.parametrize("address", OURS)
def test_a_page_of_ours_is_led_to(address):
    assert own_path(address) == address


@pytest.mark.parametrize("address", ELSEWHERE)
def test_all_else_leads_to_the_first_page(address):
    assert own_path(address) == "/"
