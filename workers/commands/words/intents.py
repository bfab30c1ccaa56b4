"""The orders that a line in everyday words plainly means, to be offered for copying and never executed (IN-10b)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from service.languages import canonical
from workers.commands.words.politeness import NUMBERS
from workers.parsing.near_words import distance
from workers.parsing.small_talk import words_of

LONGEST: Final = 24
"""Words of a line that may still mean orders."""
SHORTEST_SLIP: Final = 6
"""Letters of an order in which one slip is plain."""
MOST_AROUND_UNDO: Final = 6
SEPARATORS: Final = ",.;:!"
JOINING: Final = frozenset("and then & und dann et puis ensuite".split())
"""What stands between two orders of a line."""
SAID: Final = {
    **dict.fromkeys(("nothing", "nichts", "rien", "nought"), "none"),
    **dict.fromkeys(("out", "raus", "draussen"), "pass"),
}
"""Everyday words for words of the notation."""
ARTICLES: Final = frozenset("one ein eins un".split())
UNDO: Final = "undo"


class Intents:
    """The orders that are legal now, by what tells each from the others that begin with its verb."""

    def __init__(
        self, legal: Collection[str], verbs: Collection[str], language: str, kind: str, read: Callable[[str], str]
    ) -> None:
        self.verbs, self.language, self.kind, self.read = verbs, language, kind, read
        self.legal = _telling(frozenset(legal))
        self.words = frozenset(word for _, telling in self.legal.values() for word in telling)

    def find(self, line: str) -> list[str]:
        """Return the orders that a normalised line means; [] if that is not certain."""
        words = line.split()
        if not 0 < len(words) <= LONGEST:
            return []
        if len(words) <= MOST_AROUND_UNDO and UNDO in map(self._canonical, words_of(line)):
            return [UNDO]
        return self._several(words)

    def _several(self, words: Sequence[str]) -> list[str]:
        """Return the orders of a line, one by itself or several in a row."""
        for place in self._joints(words):
            left = self._single(_stripped(words[:place]))
            right = self._several(_stripped(words[place:]).split()) if left else []
            if left and right:
                return [left, *right]
        order = self._single(" ".join(words))
        return [order] if order else []

    def _joints(self, words: Sequence[str]) -> Iterator[int]:
        """Yield the places where another order may begin: at a verb, with an "and" before it or not."""
        for place in range(1, len(words)):
            first = next(iter(_stripped(words[place:]).split()), "").strip(SEPARATORS)
            if self._canonical(first) in self.verbs:
                yield place

    def _single(self, text: str) -> str:
        """Return the one order that a text is or means, "" if it is not certain."""
        text = text.strip(SEPARATORS + " ")
        if text and not text.isdecimal() and (order := self.read(text)):
            return order
        said = self._tokens(text)
        return self._meant(said) or self._mistyped(text)

    def _meant(self, said: Sequence[str]) -> str:
        """Return the one legal order with all that was said; "" if there are several or none."""
        verbs = {word for word in said if word in self.verbs}
        rest = {word for word in said if word not in verbs and (word in self.words or word.isdecimal())}
        if len(verbs) > 1 or not (verbs or rest):
            return ""
        known = [
            text for text, (verb, _) in self.legal.items() if (not verbs or verb in verbs) and rest <= set(text.split())
        ]
        found = [text for text in known if self.legal[text][1] <= rest] or (known if verbs and rest else [])
        digits = Counter(filter(str.isdecimal, said))
        if len(found) > 1:
            found = [text for text in found if Counter(filter(str.isdecimal, text.split())) == digits]
        if len(found) > 1:
            found = [text for text in found if _in_order(text.split(), said)]
        return found[0] if len(found) == 1 else ""

    def _mistyped(self, text: str) -> str:
        """Return the only legal order that is one slip away."""
        text = " ".join(map(self._canonical, text.split()))
        if len(text) < SHORTEST_SLIP:
            return ""
        near = [order for order in self.legal if abs(len(order) - len(text)) <= 1 and distance(text, order) == 1]
        return near[0] if len(near) == 1 else ""

    def _tokens(self, text: str) -> list[str]:
        words = [self._canonical(word) for word in words_of(text)]
        if not any(map(str.isdecimal, words)):
            numbers = _numbers(self.language)
            words = [numbers.get(word, word) for word in words]
        return [SAID.get(word, word) for word in words]

    def _canonical(self, word: str) -> str:
        return canonical(word, self.language, self.kind).lower()


@lru_cache(64)
def _telling(legal: frozenset[str]) -> Mapping[str, tuple[str, frozenset[str]]]:
    """Return for each legal order its verb, and the words that not all orders with this verb have."""
    by_verb: dict[str, list[set[str]]] = {}
    for text in legal:
        verb, *rest = text.split()
        by_verb.setdefault(verb, []).append(set(rest))
    shared = {verb: set[str]() if len(rests) == 1 else set.intersection(*rests) for verb, rests in by_verb.items()}
    found = {}
    for text in sorted(legal):
        verb, *rest = text.split()
        found[text] = verb, frozenset(rest) - shared[verb]
    return found


@lru_cache(8)
def _numbers(language: str) -> Mapping[str, str]:
    """Return the numbers in words that are not articles as well."""
    both = dict.fromkeys(("en", language))
    words = ((word, str(count)) for each in both for count, word in enumerate(NUMBERS.get(each, "").split()))
    return {word: digits for word, digits in words if word not in ARTICLES}


def _stripped(words: Sequence[str]) -> str:
    """Return words without what joins them with those beside them."""
    kept = list(words)
    while kept and kept[0].strip(SEPARATORS) in JOINING | {""}:
        kept.pop(0)
    return " ".join(kept).strip(SEPARATORS + " ")


def _in_order(order: Sequence[str], said: Sequence[str]) -> bool:
    """Return whether the words of an order that were said were said in its order."""
    places = [said.index(word) for word in order[1:] if word in said]
    return places == sorted(places)
