"""What a line of a mail may be: an order of the game, a word understood in every game, or the number of an option."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from domain.decider import OrderNotUnderstood, Seat
from domain.sentences import Words, say
from domain.table.evolve import Rules
from service.languages import UNIVERSAL, canonical
from service.languages.commands import FREE, typed_forms
from workers.addressee import Called, addressed, folded
from workers.intake.extract import Line

READS: Final = frozenset({"help", "status", "board", "legal", "history", "orders", "away", "calendar"})
TALKS: Final = frozenset({"say", "unsay"})
ANSWERS_OF_A_QUESTION: Final = frozenset({"yes", "no"})
GRAVE: Final = frozenset({"leave"})
"""What cannot be taken back (IN-16)."""
LONERS: Final = frozenset({"undo", "join", *GRAVE, *ANSWERS_OF_A_QUESTION})
"""What must be alone in a mail, and is never suggested."""
MOST_OF_HISTORY: Final = 100
PASSES: Final = ("pass", "bid none", "bonus pass")
"""What `pass` stands for, where one of these is legal."""
_HISTORY: Final = re.compile(r"history(?: ([0-9]{1,3}))?")
_OPTION: Final = re.compile(r"(?:option|number|num|nummer|numéro|numero|nr|(?:no|n)\.|n°)\.?\s*([0-9]{1,3})")
_PARTS: Final = re.compile(r"\s*(?:;|,(?![0-9])|(?<![0-9]),|(?<!\S)(?:and|et|und|&)(?!\S))\s*")
"""What people write between the words of an order, which the notation does not; `1,5` is two readings (IN-12)."""
_DIGITS: Final = "0123456789"
_NOUGHT: Final = {"nothing": "none", "zero": "0", "zéro": "0", "null": "0"}
ONE_A_LINE: Final = say("Write one command a line.")


@dataclass(frozen=True, slots=True)
class Command:
    """One line understood: its verb, and the whole in canonical words."""

    verb: str
    text: str

    @property
    def reads(self) -> bool:
        """Whether it only asks to see something."""
        return self.verb in READS

    @property
    def plays(self) -> bool:
        """Whether it is an order of the game."""
        return not self.reads and self.verb not in TALKS | LONERS


@dataclass(frozen=True, slots=True)
class Grammar:
    """The commands of one mail: of this game, with these names, in this language, with these numbered options."""

    rules: Rules
    names: Sequence[str]
    language: str
    options: Sequence[str]
    legal: frozenset[str]
    words: Words
    finishes: Callable[[Sequence[str]], bool]
    """Whether these orders would answer the decision."""
    displayed: Sequence[str | None] = ()
    """The names people see, by seat."""

    @property
    def verbs(self) -> dict[str, str]:
        """The first words of commands in English and in the player's language, and how they are suggested, if ever."""
        own = {*UNIVERSAL, *self.rules.verbs}
        known = (*typed_forms(self.language, self.rules.kind), *((word, word, word) for word in sorted(own)))
        return {spelling: "" if word in LONERS else form for spelling, form, word in known if word in own}

    def problem(self, line: str) -> str | None:
        """None for a line that is a command by its form, else a sentence that says what would fit."""
        try:
            self.command(line)
        except OrderNotUnderstood as error:
            return self.words(error.message)
        return None

    def completes(self, lines: Sequence[str]) -> bool:
        """Whether these lines answer the decision completely (IN-09)."""
        orders = [command.text for command in map(self.command, lines) if command.plays]
        return bool(orders) and self.finishes(orders)

    def command(self, line: str) -> Command:
        """The command a normalised line is. Raises OrderNotUnderstood."""
        option = _OPTION.fullmatch(line) if self.options else None
        if line.isdecimal() or option:
            return self._option(option[1] if option else line)
        text = " ".join(canonical(line, self.language, self.rules.kind).split())
        verb = text.partition(" ")[0].lower()
        if verb == "say":
            return self._talk(line, text)
        if verb == "pass" and text.lower() == "pass":
            return self._pass(line)
        if verb in UNIVERSAL:
            return self._universal(line, verb, text.lower())
        return self._order(line)

    def _order(self, line: str) -> Command:
        """An order of the game, as written or else in the notation's own signs and names."""
        try:
            return self._read(line)
        except OrderNotUnderstood:
            named = self._with_handles(line)
            if self._is_several(named):
                raise OrderNotUnderstood("bad-syntax", "IN-12", line, ONE_A_LINE) from None
            for other in filter(None, dict.fromkeys((named, _tidy(named)))):
                with suppress(OrderNotUnderstood):
                    return self._read(other)
            raise

    def _read(self, line: str) -> Command:
        text = " ".join(canonical(line, self.language, self.rules.kind).split())
        written = "\n".join(map(self.rules.write, self.rules.parse(text, self.names)))
        return Command(text.partition(" ")[0].lower(), written)

    def _is_several(self, line: str) -> bool:
        """Whether a line is several commands, of which none is half of another."""
        parts = [part for part in _PARTS.split(line) if part]
        if len(parts) < 2 or self.problem(parts[0]) is not None:
            return False
        return any(not part.isdecimal() and self.problem(part) is None for part in parts[1:])

    def _with_handles(self, line: str) -> str:
        """The line with what the notation calls people in place of the names they gave themselves."""
        seats: dict[str, set[Seat]] = {}
        for seat, name in enumerate(self.displayed):
            seats.setdefault(folded(name or ""), set()).add(seat)
        handles = {name: self.names[min(who)] for name, who in seats.items() if len(who) == 1 and name.strip(_DIGITS)}
        most = max((len((name or "").split()) for name in self.displayed), default=0)
        verb, *words = line.split()
        place = 0
        while place < len(words):
            for length in range(min(most, len(words) - place), 0, -1):
                handle = handles.get(folded(" ".join(words[place : place + length])))
                if handle is not None:
                    words[place : place + length] = [handle]
                    break
            place += 1
        return " ".join([verb, *words])

    def _option(self, line: str) -> Command:
        number = int(line) if len(line) < 4 else 0
        if not 1 <= number <= len(self.options):
            have = say("this mail has {count}", count=len(self.options)) if self.options else say("this mail has none")
            message = say("There is no option {number}: {have}.", number=line[:6], have=have)
            raise OrderNotUnderstood("bad-option", "OUT-31", line, message)
        text = self.options[number - 1]
        return Command(text.partition(" ")[0], text)

    def _pass(self, line: str) -> Command:
        meant = [text for text in PASSES if text in self.legal]
        if "pass" in meant or (not meant and "pass" in self.rules.verbs):
            return Command("pass", "pass")
        if len(meant) == 1:
            return Command(meant[0].partition(" ")[0], meant[0])
        message = say("There is nothing to pass on now; to end your turn, type the order that ends it.")
        raise OrderNotUnderstood("cannot-pass", "IN-12", line, message)

    def _universal(self, line: str, verb: str, text: str) -> Command:
        history = _HISTORY.fullmatch(text)
        if verb == "join":
            return Command(verb, line)
        if history and (not history[1] or 1 <= int(history[1]) <= MOST_OF_HISTORY):
            return Command(verb, text)
        if verb == "history":
            message = say(
                "Write {form}, with a number from 1 to {most} or none.", form="history 20", most=MOST_OF_HISTORY
            )
            raise OrderNotUnderstood("bad-syntax", "IN-12", line, message)
        if text != verb:
            message = say("{word} stands alone on its line.", word=verb)
            raise OrderNotUnderstood("bad-syntax", "IN-12", line, message)
        return Command(verb, verb)

    def _talk(self, line: str, text: str) -> Command:
        if " " not in text:
            message = say("Write what you have to say on the same line.")
            raise OrderNotUnderstood("bad-syntax", "IN-12", line, message)
        return Command("say", text)

    def addressed(self, command: Command) -> tuple[Seat | None, str]:
        """To whom a line of table talk goes, None for the table, and what it says.

        Raises NotSaid where one may have been meant and it is not certain who (IN-12).
        """
        called = Called(self.names, self.displayed, self.rules.pawns, self.rules.kind)
        return addressed(command.text.partition(" ")[2], called)


def ready(line: Line, language: str, kind: str) -> str:
    """A line of a block, to be copied and sent again: talk and names as they were written, orders as they were read."""
    word, _, rest = line.text.partition(" ")
    if canonical(word, language, kind) not in FREE:
        return line.text
    place = line.original.casefold().find(word)
    own = line.original[place + len(word) :].strip() if place >= 0 else rest
    return f"{word} {own}".strip()


def _tidy(line: str) -> str:
    """A line without the signs between its words, and with the notation's word for nothing."""
    words = " ".join(_PARTS.split(line)).split()
    return " ".join(_NOUGHT.get(word, word) for word in words)
