"""The name of a browser in its owner's list of sessions: coarse."""

import pytest

from service.web.http.browsers import browser_name

AGENTS = {
    "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0": "Firefox on Android",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 "
    "Safari/537.36": "Chrome on Linux",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36 "
    "Edg/156.0": "Edge on Windows",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/18.0 "
    "Mobile/15E148 Safari/604.1": "Safari on iPhone",
    "curl/8.0": "",
    "Linux": "Linux",
    "": "",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_s21_a_session_is_known_by_browser_and_system(agent):
    assert browser_name(agent) == AGENTS[agent]
