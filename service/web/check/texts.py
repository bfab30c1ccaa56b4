"""What the modules that check a game say, in the reader's language: they hold the English, the catalogues the rest."""

import json
from functools import cache
from typing import Final

from service.languages.catalogues import ENGLISH, catalogue
from service.languages.modules import texts_of
from service.web.http.assets import FOLDER

MODULES: Final = FOLDER / "check"


@cache
def texts() -> tuple[str, ...]:
    """The English texts, in alphabetical order."""
    modules = (path.read_text(encoding="utf-8") for path in MODULES.rglob("*.js"))
    return tuple(sorted({text for module in modules for _, text in texts_of(module)}))


@cache
def translations(language: str) -> str:
    """The texts of a language by the English ones, as JSON; nothing for English."""
    if language == ENGLISH:
        return "{}"
    known = catalogue(language)
    return json.dumps({text: known.gettext(text) for text in texts()}, ensure_ascii=False, sort_keys=True)
