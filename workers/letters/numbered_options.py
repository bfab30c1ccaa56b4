"""The options of a mail that a phone can answer with a number (OUT-31).

Where an option is an amount, its number is that amount; what stands beside amounts is answered in words, for any number
may be meant as an amount. Else options are numbered from 1.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from domain.engine.game import Seat
from domain.table.evolve import Rules

MOST: Final = 24
MOST_OF_A_KIND: Final = 9
AT_THE_START: Final = 8
"""Amounts that are listed of too many, before the last."""
FEWEST_TOGETHER: Final = 4
"""Actions in one row, with their last words side by side."""


@dataclass(frozen=True, slots=True)
class Option:
    """A legal action in the notation, and the number that stands for it; None where only its words do."""

    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Additions:
    """Actions that add one word each to the same others: "activate surveyor search", and Q3, Q8 or B1."""

    stem: str
    options: Sequence[Option]

    @property
    def last_words(self) -> list[tuple[Option, str]]:
        """Each action with the word it ends in."""
        return [(option, option.text.rpartition(" ")[2]) for option in self.options]


def numbered(rules: Rules, game: Any, seat: Seat) -> list[Option]:
    """Legal actions: all of them if they are few or amounts, else the kinds that are few.

    `game` is the seat's own blind state.
    """
    legal = rules.decider.legal_actions(game, seat)
    texts = list(dict.fromkeys(map(rules.notation.write, legal.actions)))
    amounts = _amounts(texts)
    too_many = not legal.complete or len(texts) - len(amounts or ()) > MOST
    texts = _few(texts) if too_many else _by_use(texts)
    numbers = amounts if amounts is not None else _places(texts)
    return [Option(text, numbers.get(text)) for text in texts]


def listed(options: Sequence[Option]) -> list[Option | None]:
    """The options that a mail lists: None stands for amounts left out before the last, where they are too many."""
    counted = [option for option in options if option.number is not None]
    if len(options) <= MOST or len(counted) <= AT_THE_START + 1:
        return list(options)
    others = [option for option in options if option.number is None]
    return [*counted[:AT_THE_START], None, counted[-1], *others]


def in_rows(options: Sequence[Option | None]) -> list[Option | Additions | None]:
    """Options as HTML lists them: many that add one word each to another option share a row."""
    others = {option.text for option in options if option is not None}
    rows: list[Option | Additions | None] = []
    for stem, alike in groupby(options, lambda option: _stem(option, others)):
        together = list(alike)
        known = [option for option in together if option is not None]
        rows += [Additions(stem, known)] if stem and len(known) >= FEWEST_TOGETHER else together
    return rows


def _stem(option: Option | None, others: Collection[str]) -> str:
    """All but the last word of an option, where that begins as another option is written; else ""."""
    return "" if option is None or not _adds(option.text, others) else option.text.rpartition(" ")[0]


def _by_use(texts: Sequence[str]) -> list[str]:
    """Actions, those that only add to another one after all that do not: `activate surveyor search B5`."""
    known = frozenset(texts)
    return sorted(texts, key=lambda text: _adds(text, known))


def _adds(text: str, others: Collection[str]) -> bool:
    """Whether an action begins as another one is written."""
    end = text.find(" ")
    while end >= 0:
        if text[:end] in others:
            return True
        end = text.find(" ", end + 1)
    return False


def _few(texts: Sequence[str]) -> list[str]:
    """Those of kinds that are few, kind by kind."""
    few = [text for kind in _kinds(texts) if len(kind) <= MOST_OF_A_KIND for text in kind]
    return [text for kind in _kinds(_by_use(few)) for text in kind][:MOST]


def _kinds(texts: Sequence[str]) -> Collection[list[str]]:
    """Actions by their first word."""
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kinds.setdefault(text.partition(" ")[0], []).append(text)
    return kinds.values()


def _places(texts: Sequence[str]) -> Mapping[str, int]:
    """Actions counted from 1, but for those that end in a number of their own."""
    return {text: number for number, text in enumerate((text for text in texts if not _ends_in_number(text)), 1)}


def _amounts(texts: Sequence[str]) -> Mapping[str, int] | None:
    """The amount of each action that is one, and 0 for none of it; None where no amount is asked for.

    Amounts of different things have no numbers: 2 could be two of either. Nor has what ends in several, `place 3 14`.
    """
    counted = {}
    for text in texts:
        *before, last = text.rsplit(" ", 2)
        if last.isdecimal():
            if before and before[-1].isdecimal():
                return {}
            if _all_numbers(text) == 1:
                counted[text] = int(last)
    if not counted:
        return None
    things = {text.rpartition(" ")[0] for text in counted}
    if len(things) > 1:
        return {}
    none = f"{things.pop().partition(' ')[0]} none"
    return {none: 0, **counted} if none in texts and 0 not in counted.values() else counted


def _ends_in_number(text: str) -> bool:
    return text.rpartition(" ")[2].isdecimal()


def _all_numbers(text: str) -> int:
    return sum(word.isdecimal() for word in text.split())
