"""The manifest of the installed app (W3C, Web Application Manifest)."""

from typing import Any

from domain.engine.sentences import Words, say
from service.web.shell import icons

NAME = "Wardroom"


def manifest(language: str, words: Words) -> dict[str, Any]:
    """Name, icons and shortcuts, in a language."""
    shortcuts = ((say("Your turns"), "/turns"), (say("Tables"), "/tables"))
    pictures = [_icon(size, masked) for size in icons.SIZES[1:] for masked in (False, True)]
    return {
        "id": "/",
        "name": NAME,
        "short_name": NAME,
        "description": words(say("Political board games by correspondence.")),
        "lang": language,
        "start_url": "/turns",
        "scope": "/",
        "display": "standalone",
        "background_color": icons.PAPER,
        "theme_color": icons.GROUND,
        "icons": [*pictures, {"src": "/icons/tab-0.svg", "sizes": "any", "type": "image/svg+xml"}],
        "shortcuts": [{"name": words(name), "url": url, "icons": [_icon(192, False)]} for name, url in shortcuts],
    }


def _icon(size: int, masked: bool) -> dict[str, str]:
    name = f"maskable-{size}" if masked else f"{size}"
    purpose = {"purpose": "maskable"} if masked else {}
    return {"src": f"/icons/{name}.png", "sizes": f"{size}x{size}", "type": "image/png", **purpose}
