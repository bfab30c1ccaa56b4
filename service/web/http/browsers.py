"""The name of a browser for its owner's list of sessions: coarse, for it is kept."""

from typing import Final

_BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chromium", "Chromium"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
"""What stands in a User-Agent and what it means; the first that is there, as most of them name others, too."""
_SYSTEMS: Final = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"), ("Linux", "Linux"),
)  # fmt: skip


def browser_name(user_agent: str) -> str:
    """Browser and system, "Firefox on Android": no versions, no models. "" for one that says neither."""
    found = [next((name for sign, name in signs if sign in user_agent), "") for signs in (_BROWSERS, _SYSTEMS)]
    return " on ".join(name for name in found if name)
