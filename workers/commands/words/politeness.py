"""What people say around an order in English and in their language, and the order without it.

Every word here is dropped or exchanged exactly as written; nothing is guessed at (IN-12). What is left must be an order
by itself, word for word.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from service.languages import canonical

BEFORE: Final[Mapping[str, str]] = {
    "en": "i'll|i'm|i am|i will|i'd like to|i would like to|i want to|let me|i|we|my|please|ok|okay|alright|yes|sure",
    "de": "ich möchte|ich will|ich werde|ich bin|ich|wir|mein|meine|bitte|ok|okay|gut|na gut|ja",
    "fr": (
        "j'ai|je vais|je voudrais|je veux|je souhaite|je ne|je|nous|mon|ma|mes|svp|ok|d'accord|bon|oui|"
        "merci de|s'il vous plaît|s'il te plaît"
    ),
}
"""What stands before an order."""
AFTER: Final[Mapping[str, str]] = {
    "en": "please|thanks|thank you|thx|this time|this round|on this one|sorry",
    "de": "bitte|danke|vielen dank|diesmal|dieses mal|an|leider|sorry",
    "fr": "svp|stp|merci|merci beaucoup|s'il vous plaît|s'il te plaît|s'il vous plait|cette fois|désolé|désolée",
}
"""What stands behind one."""
LINKING: Final[Mapping[str, str]] = {"en": ":|=|is|of", "de": "ist|von|um", "fr": "est de|est|à|de"}
"""What stands between the first word of an order and the rest of it."""
WITHIN: Final[Mapping[str, str]] = {
    "en": "in on with using the my it turn chip chips influence office",
    "de": "in auf mit den die das der dem meinen mein zug es chip chips einfluss",
    "fr": "dans sur avec le la les de du mon ma tour jeton jetons influence",
}
"""Words within an order that say nothing."""
WARDS: Final = frozenset("ward wards bezirk bezirke quartier quartiers".split())
"""The same, but where the notation has a place for them."""
OBJECTS: Final = frozenset("the my it turn den meinen zug es le la l mon ma tour de du mon".split())
"""The only ones of them that a verb without anything else may have: "end my turn", "zug beenden"."""
VERB_LAST: Final = frozenset({"de"})
"""Languages in which the verb may come last: "3 bieten"."""
NUMBERS: Final[Mapping[str, str]] = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
}
"""Numbers in words, from nought."""
BRITISH: Final = {"favour": "favor"}
_MONEY: Final = re.compile(r"(?<!\S)\$\s?(?=\d)|(?<=\d)\s?\$(?!\S)")
_POSSESSIVE: Final = re.compile(r"'s(?: (?:bid|offer))?$")
_SIGN: Final = re.compile(r"^(\S+?)\s*[:=]\s*")


def without_politeness(line: str, language: str) -> str:
    """A normalised line without what is said before and behind an order, "i'll pass, thanks" as "pass"."""
    before, after = _around(language)
    while (shorter := after.sub("", before.sub("", line, count=1), count=1)) != line and shorter:
        line = shorter
    return line


def rewordings(line: str, language: str, kind: str, verbs: Collection[str]) -> Iterator[str]:
    """A line that is no order, in the words of the notation: without small words, in its order, with digits."""
    said = without_politeness(line, language)
    words = said.split()
    if language in VERB_LAST and words[-1] in verbs and words[0] not in verbs:
        said = " ".join([words[-1], *words[:-1]])
    plain = without_small_words(said, language, kind)
    if plain in verbs and not OBJECTS.issuperset(said.split()[1:]):
        return  # "pass it on" is not to pass
    yield plain
    if swapped := counts_behind(plain):
        yield swapped


def counts_behind(line: str) -> str:
    """`bid 2 irish 1 english` as `bid irish 2 english 1`; "" for any other line."""
    verb, *words = line.split()
    counts, things = words[::2], words[1::2]
    if not words or len(words) % 2 or not all(map(str.isdecimal, counts)) or any(map(str.isdecimal, things)):
        return ""
    return " ".join([verb, *chain.from_iterable(zip(things, counts, strict=True))])


def without_small_words(line: str, language: str, kind: str) -> str:
    """A line without words, signs and units within it that say nothing; the amount of a bid in digits.

    Between two numbers every word says something: "place 1 in 14" is one boss in ward 14.
    """
    small, numbers, linking = _within(language)
    verb, _, rest = _SIGN.sub(r"\1 ", _MONEY.sub("", line)).partition(" ")
    is_bid = canonical(verb, language, kind) == "bid" or verb in numbers
    small, numbers = (small, {**numbers, **BRITISH}) if is_bid else (small | WARDS, BRITISH)
    rest = _POSSESSIVE.sub("", linking.sub("", rest, count=1))
    words = [numbers.get(word, word) for word in (verb, *rest.split())]
    return " ".join(_without(words, small))


def _without(words: Sequence[str], small: Collection[str]) -> Iterator[str]:
    """The words, the first always, without small ones that do not stand between two numbers."""
    kept, left = "", list[str]()
    for place, word in enumerate(words):
        if place and word in small:
            left.append(word)
            continue
        if kept.isdecimal() and word.isdecimal():
            yield from left
        yield word
        kept, left = word, []


@lru_cache(8)
def _around(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before and behind an order, in English and in a language."""
    before, after = (_either(each, language) for each in (BEFORE, AFTER))
    return re.compile(rf"^(?:(?:{before})[ ,.:!]+|j'\s?)"), re.compile(rf"[ ,.!]+(?:{after})[ .!]*$")


@lru_cache(8)
def _within(language: str) -> tuple[frozenset[str], Mapping[str, str], re.Pattern[str]]:
    """Small words, numbers and what links a verb with the rest."""
    both = dict.fromkeys(("en", language))
    words = frozenset(word for each in both for word in WITHIN.get(each, "").split())
    numbers = {word: str(count) for each in both for count, word in enumerate(NUMBERS.get(each, "").split())}
    return words, numbers, re.compile(rf"^(?:{_either(LINKING, language)})(?:\s+|$)")


def _either(words: Mapping[str, str], language: str) -> str:
    """The alternatives of English and of a language, the longest first."""
    found = {word for each in ("en", language) for word in words.get(each, "").split("|") if word}
    return "|".join(re.escape(word) for word in sorted(found, key=lambda word: (-len(word), word)))
