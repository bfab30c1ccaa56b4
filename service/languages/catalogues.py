"""Catalogues: the texts of one language, read from their .po files when first asked for."""

from __future__ import annotations

import gettext
import io
import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from domain.engine.sentences import COMMAND, Catalogue, Words, said
from service.kernel.late import late

if TYPE_CHECKING:
    from babel.messages import catalog, mofile, pofile
else:
    catalog, mofile, pofile = (late(f"babel.messages.{name}") for name in ("catalog", "mofile", "pofile"))

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "fr", "de")
"""The languages a player may choose; English first, which needs no catalogue."""
SHARED: Final = "wardroom"
"""The catalogue of everything that belongs to no ruleset."""
FOLDER: Final = Path(__file__).parent
BROKEN: Final = "{"
OF_TEMPLATES: Final = re.compile(r"%\(\w+\)s")


def words(language: str, kind: str = "", called: Mapping[str, str] = MappingProxyType({})) -> Words:
    """A speaker: says any text in a language, with the words of one ruleset, then with the shared ones.

    What no catalogue has stays English, and so does everything for a language there is not. `called` has the names of
    people by words of the notation: their pawns, where a sentence is about people and nothing is to be typed.
    """
    if not called and (language not in LANGUAGES or language == ENGLISH):
        return str
    known: Catalogue = catalogue(language, kind)
    if called:
        known = _WithNames(known, called)
    return lambda text: said(text, known)


@dataclass(frozen=True, slots=True)
class _WithNames:
    """A catalogue that calls people by their names."""

    known: Catalogue
    called: Mapping[str, str]

    def gettext(self, message: str) -> str:
        return self.known.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.known.ngettext(msgid1, msgid2, n)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.known.npgettext(context, msgid1, msgid2, n)

    def pgettext(self, context: str, message: str) -> str:
        name = self.called.get(message) if context == COMMAND else None
        return self.known.pgettext(context, message) if name is None else name


@lru_cache(64)
def catalogue(language: str, kind: str = "") -> gettext.NullTranslations:
    """The texts of a language for one ruleset, then the shared ones: for templates, and for `said`."""
    if language not in LANGUAGES or language == ENGLISH:
        return gettext.NullTranslations()
    found = _compile(language, SHARED)
    if kind and po_file(language, kind).exists():
        own = _compile(language, kind)
        own.add_fallback(found)
        return own
    return found


@lru_cache(64)
def read(language: str, name: str) -> catalog.Catalog:
    """One .po file as it stands; empty where there is none."""
    path = po_file(language, name)
    if not path.exists():
        return catalog.Catalog(locale=language, charset="utf-8")
    with path.open("rb") as file:
        return pofile.read_po(file, locale=language, charset="utf-8", abort_invalid=True)


def po_file(language: str, name: str) -> Path:
    """Where the catalogue of a ruleset, or "wardroom", lies."""
    return FOLDER / language / f"{name}.po"


def fits(message: catalog.Message) -> bool:
    """Whether a translation names only values that its English text has, so that it can be filled in."""
    known = set().union(*map(placeholders, forms(message.id)))
    return all(placeholders(form) <= known for form in forms(message.string))


def placeholders(template: str) -> set[str]:
    """The `{names}` in a text, and the `%(names)s` in one of a mail or page; BROKEN where braces do not close."""
    try:
        parts = [(name, spec, how) for _, name, spec, how in string.Formatter().parse(template) if name is not None]
    except ValueError:
        parts = [(BROKEN, "", None)]
    return {f"{name}!{how or ''}:{spec}" for name, spec, how in parts} | set(OF_TEMPLATES.findall(template))


def _compile(language: str, name: str) -> gettext.GNUTranslations:
    """A catalogue ready to be asked. A command is said by the first of its words; a text that does not fit is left out.

    Left out, it is English: a slip in a translation must not keep a letter from being sent.
    """
    usable = catalog.Catalog(locale=language, charset="utf-8")
    for message in read(language, name):
        if message.id and is_translated(message) and not message.fuzzy and fits(message):
            said_so = listed(message)[0] if message.context == COMMAND else message.string
            usable.add(message.id, said_so, context=message.context)
    compiled = io.BytesIO()
    mofile.write_mo(compiled, usable)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def listed(message: catalog.Message) -> tuple[str, ...]:
    """The words a language has for a command, the one to show first."""
    return tuple(word.strip() for word in str(message.string).split(","))


def is_translated(message: catalog.Message) -> bool:
    """Whether every form of a message has a text."""
    return all(forms(message.string))


def forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """The forms of a text: two where number matters, else one."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)
