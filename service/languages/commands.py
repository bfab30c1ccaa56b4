"""The words of commands in every language, and back to the English ones that are understood everywhere (IN-14)."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from domain.engine.sentences import COMMAND, Sentence, Words, say_in
from service.languages.catalogues import ENGLISH, LANGUAGES, SHARED, listed, read, words

UNIVERSAL: Final = tuple(
    "help status board legal history undo pass orders away say yes no agree refuse pause resume extend stop calendar "
    "unsay join leave resign".split()
)
"""The words of mail commands that every game knows."""
AWAY: Final = "away"
"""The command for leave: what looks like an amount in its line is a day."""
TALK: Final = "say"
FREE: Final = frozenset({TALK, "join"})
"""Commands whose words after the first are the player's own."""
EXPANDED: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "œ": "oe", "æ": "ae", "ß": "ss"})


def canonical(line: str, language: str, kind: str = "") -> str:
    """A line of commands with the English word for every word of the player's language; all other words as they are.

    Letter case and accents do not matter: "Enchérir", "encherir", "grün", "gruen" and "grun" are all understood.
    """
    known = synonyms(language, kind)
    pieces = re.split(r"(\s+)", line)
    first = next((number for number, piece in enumerate(pieces) if piece.strip()), 0)
    pieces[first] = known.get(folded(pieces[first]), pieces[first])
    if pieces[first].lower() in FREE:
        return "".join(pieces)
    return "".join(known.get(folded(piece), piece) for piece in pieces)


def shown(line: str, language: str, kind: str = "", called: Mapping[str, str] = MappingProxyType({})) -> str:
    """A line of the notation in the words of a language, as a player could type it: what `canonical` reads back.

    `called` has what to type for people, by their pawns.
    """
    speak = words(language, kind)
    if isinstance(line, Sentence):
        return speak(line)
    first = {word: forms[0] for word, forms in commands(language, kind).items()}
    verb, blank, rest = line.partition(" ")
    if verb in FREE:
        return f"{first.get(verb, verb)}{blank}{_to(rest, speak) if verb == TALK else rest}"
    return "".join(called.get(piece) or first.get(piece, piece) for piece in re.split(r"(\s+)", line))


def _to(said: str, speak: Words) -> str:
    """Table talk with the word before a name in a language; all else as it was written."""
    word, blank, rest = said.partition(" ")
    return f"{speak(say_in('before a name', 'to'))}{blank}{rest}" if word == "to" and blank else said


@lru_cache(64)
def synonyms(language: str, kind: str = "") -> Mapping[str, str]:
    """Every spelling of every command word of a language, folded, with the English word it stands for."""
    return MappingProxyType(
        {
            spelling: word
            for word, forms in commands(language, kind).items()
            for form in forms
            for spelling in spellings(form)
        }
    )


def typed_forms(language: str, kind: str = "") -> tuple[tuple[str, str, str], ...]:
    """Every spelling of every command word of a language, as it is written, and the English word it stands for."""
    return tuple(
        (spelling, form, word)
        for word, forms in commands(language, kind).items()
        for form in forms
        for spelling in sorted({form.casefold(), *spellings(form)})
    )


@lru_cache(64)
def commands(language: str, kind: str = "") -> Mapping[str, tuple[str, ...]]:
    """The words of a language for each English one, the one to show first; those of a ruleset before the shared."""
    found: dict[str, tuple[str, ...]] = {}
    for name in (kind, SHARED) if language in LANGUAGES and language != ENGLISH else ():
        for message in read(language, name) if name else ():
            if message.context == COMMAND and message.string:
                word = str(message.id)
                found[word] = tuple(dict.fromkeys((*found.get(word, ()), *listed(message))))
    return MappingProxyType(found)


@lru_cache(16)
def words_of_all_languages(kind: str = "") -> frozenset[str]:
    """All command words but the English ones, folded: nobody's handle is one of them."""
    return frozenset(spelling for language in LANGUAGES for spelling in synonyms(language, kind))


def spellings(word: str) -> set[str]:
    """The ways to type a word: with its accents or without, "ü" also as "ue"."""
    return {folded(word), folded(word.casefold().translate(EXPANDED))}


def folded(word: str) -> str:
    """A word as it is compared: small letters without accents and apostrophes."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter) and letter not in "'’")
