"""What a line outside the orders may have been meant as (IN-09, IN-10): a slip, a second thought, a name, or nothing.

Nothing here executes anything: what may have been meant is asked about.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

import msgspec

from domain.engine.sentences import say
from service.languages.commands import AWAY
from workers.parsing.entries import Entry, Grammar, shorten
from workers.parsing.near_words import EDGES, nearest
from workers.parsing.new_text import Line
from workers.parsing.normalise import normal, plain, readings
from workers.parsing.small_talk import FALSE_FRIENDS, closes, greets, takes_back, words_of

MAX_WORDS: Final = 6
"""Longer lines are prose, whatever their first word is."""
MAX_REST: Final = 2
"""Words of a line below complete orders that may still be one with a word too many."""
LONGEST_NUMBER: Final = 4
"""Digits that no option's number has: a telephone's may stand alone on a line."""
EXAMPLE: Final = say("A line that starts with “type:” is an example. Send only what stands behind it.")


class Refused(msgspec.Struct, frozen=True):
    """A line because of which nothing is executed, why, and what might have been meant, or "" if nothing comes near."""

    line: Line
    message: str
    suggestion: str = ""


class NearMisses:
    """What lines of one mail come near to, beside what was `said`: the commands of it, slips corrected."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.said: list[Line] = []
        self.tried: dict[tuple[str, ...], bool] = {}

    @property
    def answered(self) -> bool:
        """Whether the decision is answered by what was read, slips corrected."""
        texts = tuple(line.text for line in self.said)
        if texts not in self.tried:
            self.tried[texts] = bool(texts) and self.grammar.completes(texts)
        return self.tried[texts]

    def is_said(self, rest: Sequence[Entry]) -> bool:
        """Whether the commands of a paragraph add nothing to complete orders: some of them again, or a yes."""
        said = [line.text for line in self.said]
        paragraph = [each for each in takewhile(lambda each: not each.blank, rest) if each.command]
        texts = [each.grammar.standalone(each.text) for each in paragraph]
        again = all(each.grammar.is_yes(each.text) or each.grammar.standalone(each.text) in said for each in paragraph)
        return again and not self.grammar.completes(texts)

    def is_slip(self, entry: Entry) -> bool:
        """Whether a line may have been meant as a command that can be suggested."""
        return self.is_near(entry) and bool(self.suggestion(entry))

    def is_near(self, entry: Entry) -> bool:
        """Whether a line may have been meant as a command (IN-10).

        Once the decision is answered it may only if what would be suggested answered it, too.
        """
        if entry.elsewhere or greets(entry.text):
            return bool(entry.elsewhere)
        words, grammar = entry.core.split(), entry.grammar
        if entry.text.startswith("type:") or not 1 <= len(words) <= MAX_WORDS or self.is_name(entry):
            return False
        if words[0].isdecimal():
            short = len(words) <= MAX_REST or not self.answered
            return (len(words) == 1 and len(words[0]) < LONGEST_NUMBER) or (short and grammar.problem(words[0]) is None)
        if nearest(words[0], grammar.verbs):
            if self.said and len(words) == 1 and entry.line.text.strip()[:1].isupper() and self.only_shows(entry):
                return False  # a name under orders, such as Anders
            if self.only_talked and words[0] not in grammar.verbs and not self.suggestion(entry):
                return False
            return not self.answered or self.is_above_with_number(entry) or self.is_other_order(entry, words)
        amounts = readings(words[0]) if len(words) == 1 else None
        return amounts is not None and any(grammar.problem(each) is None for each in amounts)

    def is_other_order(self, entry: Entry, words: Sequence[str]) -> bool:
        """Whether what would be suggested for a line below complete orders contradicts them.

        A verb alone is suggested for a verb with one word more, not for a slip with others: "pas de souci" is none.
        """
        order = normal(self.suggestion(entry))
        shortened = len(order.split()) < len(words)
        if shortened and (len(words) > MAX_REST or words[0] not in entry.grammar.verbs):
            return False
        return words[0] not in FALSE_FRIENDS and self.contradicts(order, entry.grammar)

    @property
    def only_talked(self) -> bool:
        """Return whether the mail only talks or asks to see something so far."""
        return bool(self.said) and all(self.grammar.is_aside(line.text) for line in self.said)

    def may_end(self, entry: Entry) -> bool:
        """Return whether a line right below commands ends them: chatter below complete orders, a name below talk."""
        if not self.only_talked:
            return self.answered and self.is_chatter(entry)
        words = words_of(entry.line.text)
        return len(words) <= MAX_WORDS and all(word[:1].isupper() for word in words) and self.is_chatter(entry)

    def only_shows(self, entry: Entry) -> bool:
        """Return whether what would be suggested for a line only asks to see something."""
        order = normal(self.suggestion(entry))
        return bool(order) and entry.grammar.is_aside(order)

    def is_above_with_number(self, entry: Entry) -> bool:
        """Return whether a line above all commands is a verb with a number, as an order with a slip in it is."""
        words = entry.core.split()
        above = all(entry.line.number < line.number for line in self.said)
        return above and words[0] in entry.grammar.verbs and any(map(str.isdecimal, words))

    def means_orders(self, entry: Entry) -> bool:
        """Return whether a line above the commands orders something else in everyday words, with a verb."""
        if entry.text.startswith("type:"):
            return False
        said = {line.text for line in self.said}
        named = {entry.grammar.verbs.get(word) for word in words_of(entry.text)}
        orders = entry.grammar.intended(entry.text)
        return any(order not in said and order.partition(" ")[0] in named for order in orders)

    def contradicts(self, order: str, grammar: Grammar) -> bool:
        """Whether an order, "" for none, would answer the decision in another way than what was read, or begin another
        list."""
        if not order or grammar.standalone(order) in [line.text for line in self.said]:
            return False
        return grammar.below(order) is not grammar or grammar.completes([grammar.standalone(order)])

    def is_name(self, entry: Entry) -> bool:
        """Whether a line is nothing but names of people who play."""
        words = words_of(entry.text)
        return bool(words) and all(word in self.grammar.people for word in words)

    def is_chatter(self, entry: Entry) -> bool:
        """Whether a line under complete orders can mean nothing: no near miss, no verb, no digit (IN-09)."""
        if self.is_name(entry):
            return True
        if any(char.isdigit() for char in entry.line.text) or self.is_near(entry):
            return False
        return entry.problem is not None and not self.holds_verb(entry)

    def closes(self, entry: Entry) -> bool:
        """Whether a line begins a signature."""
        return closes(entry.text) and not (self.holds_verb(entry) or any(char.isdigit() for char in entry.text))

    def takes_back(self, entry: Entry) -> bool:
        """Whether a short line may take back the orders above it: it says so, and names an order or an option."""
        words = entry.text.split()
        if len(words) > MAX_WORDS or greets(entry.text):
            return False
        says_so = takes_back(entry.text)
        ends = [" ".join(words[place:]) for place in range(1, len(words)) if says_so or place < len(words) - 1]
        return any(entry.grammar.problem(end) is None and self.contradicts(end, entry.grammar) for end in ends)

    def holds_verb(self, entry: Entry) -> bool:
        """Whether a line has a word in it that begins orders, or asks for something."""
        verbs = entry.grammar.verbs
        return any(verbs.get(word) for word in words_of(entry.text))

    def refusal(self, entry: Entry) -> Refused:
        """Why a line is not understood: the two readings of an amount, the verb it may have been, or what would fit."""
        if entry.text.startswith("type:"):
            return Refused(entry.line, EXAMPLE)
        if entry.elsewhere:
            return Refused(entry.line, entry.elsewhere)
        words = entry.core.split()
        if entry.problem and words and entry.grammar.verbs.get(words[0]) == AWAY:
            return Refused(entry.line, entry.problem)  # 2.1. is a day, no amount
        for word in words[:MAX_WORDS]:
            if both := readings(word):
                message = say(
                    "“{word}” can be read as {one} or as {other}. Write it as a plain number.",
                    word=word,
                    one=both[0],
                    other=both[1],
                )
                return Refused(entry.line, message)
        shown = shorten(entry.line.text)
        if order := self.suggestion(entry):
            message = say("“{line}” was not understood. Did you mean “{order}”?", line=shown, order=order)
            return Refused(entry.line, message, order)
        return Refused(entry.line, entry.problem or say("“{line}” was not understood.", line=shown))

    def suggestion(self, entry: Entry) -> str:
        """What a line may have been: the whole with the verb it comes near to, or that alone where no other follows."""
        core, verbs = entry.core, entry.grammar.verbs
        words = plain(entry.line.text).split() if core == entry.text else core.split()
        word = verbs.get(nearest(words[0].casefold(), verbs), "") if words else ""
        if not word:
            return ""
        several = any(other.casefold().strip(EDGES) in verbs for other in words[1:])
        orders = [" ".join([word, *words[1:]]), *([] if several else [word])]
        return next((order for order in orders if entry.grammar.problem(normal(order)) is None), "")


def taken_back(entry: Entry) -> Refused:
    """The refusal of a line that may take back the orders above it."""
    message = say(
        "“{line}” may take back what stands above it, so nothing was done. Send only the order that counts.",
        line=shorten(entry.line.text),
    )
    return Refused(entry.line, message)
