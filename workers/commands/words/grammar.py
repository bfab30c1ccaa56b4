"""The grammar of a line: an order of the game, a word understood in every game, or the number of an option.

Below a line that says `orders`, to the end of the block, a line is one of what is ordered ahead.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from domain.engine.game import Seat
from domain.engine.refusals import OrderNotUnderstood
from domain.engine.sentences import Sentence, Words, one_of, say, typed
from domain.engine.standing_orders import StandingOrders
from domain.table.evolve import Rules
from service.languages import canonical
from service.languages.commands import FREE, typed_forms
from workers.commands.words.command import LONERS, NO_ORDERS, ORDERS, TALKS, Command
from workers.commands.words.forms import FORMS
from workers.commands.words.intents import Intents
from workers.commands.words.politeness import counts_behind, rewordings, without_politeness
from workers.commands.words.talk_addressee import Called, addressed, folded
from workers.parsing.normalise import normal, readings
from workers.parsing.small_talk import words_of

PASSES: Final = ("pass", "bid none", "bonus pass")
"""What `pass` stands for, where one of these is legal."""
_OPTION: Final = re.compile(r"(?:option|number|num|nummer|numéro|numero|nr|(?:no|n)\.|n°)\.?\s*([0-9]{1,3})")
_PARTS: Final = re.compile(r"\s*(?:;|,(?![0-9])|(?<![0-9]),|(?<!\S)(?:and|et|und|&)(?!\S))\s*")
"""What people write between the words of an order, which the notation does not; `1,5` is two readings (IN-12)."""
_DIGITS: Final = "0123456789"
_NOUGHT: Final = {"nothing": "none", "zero": "0", "zéro": "0", "null": "0"}
LONGEST: Final = 20
"""Words of an order as people say it; longer lines are prose."""
ONE_A_LINE: Final = say("Write one command a line.")
NONE: Final = frozenset({"none", "withdraw"})
HELP: Final = frozenset({"?", "??", "???", "rules", "commands"})
"""What people type for help, besides the word for it."""
BELOW: Final = say("This can be ordered ahead: write it below a line with the word “{orders}”.", orders=typed(ORDERS))
ABOVE: Final = say(
    "This is an order of the game: write it above the line “{orders}”, which your standing orders follow.",
    orders=typed(ORDERS),
)


@dataclass(frozen=True)
class Grammar:
    """The commands of one mail: of this game, with these names, in this language, with these numbered options."""

    rules: Rules
    names: Sequence[str]
    language: str
    options: Mapping[int, str]
    """What the numbers of the mail stand for."""
    legal: frozenset[str]
    words: Words
    finishes: Callable[[Sequence[str]], bool]
    """Whether these orders would answer the decision."""
    displayed: Sequence[str | None] = ()
    """The names people see, by seat."""
    author: str = ""
    """What the author of the mail calls themselves in it."""

    @property
    def verbs(self) -> Mapping[str, str]:
        """The first words of commands in English and in the player's language, and how they are suggested, if ever."""
        return _suggested(self.language, self.rules.kind, self.rules.notation.verbs)

    def problem(self, line: str) -> str | None:
        """None for a line that is a command by its form, else a sentence that says what would fit."""
        return _problem(self, line)

    def completes(self, lines: Sequence[str]) -> bool:
        """Whether these lines answer the decision completely, or are about what is asked later alone (IN-09)."""
        commands = [self.command(line) for line in lines]
        orders = [command.text for command in commands if command.plays]
        return self.finishes(orders) if orders else any(command.files for command in commands)

    def below(self, line: str) -> "Grammar | Ahead":
        """What reads the line below this command."""
        command, ahead = self.command(line), self.ahead
        return ahead if ahead is not None and command.verb == ORDERS and command.text != NO_ORDERS else self

    def standalone(self, line: str) -> str:
        """The line itself: no heading belongs to it."""
        return line

    def elsewhere(self, line: str) -> str:
        """Where a line belongs that is no command, but would be one among what is ordered ahead."""
        ahead = self.ahead
        return self.words(BELOW) if ahead is not None and ahead.has(line) else ""

    @property
    def ahead(self) -> "Ahead | None":
        """What reads a line of what is ordered ahead, if anything can be."""
        return None if self.rules.standing_orders is None else Ahead(self, self.rules.standing_orders)

    @cached_property
    def people(self) -> frozenset[str]:
        """The words of the names at the table, and of the author's own, in lower case."""
        names = (*self.names, *filter(None, self.displayed), self.author)
        return frozenset(word for name in names for word in words_of(normal(name)))

    def core(self, line: str) -> str:
        """A line without what people say around an order."""
        return without_politeness(line, self.language)

    def intended(self, line: str) -> Sequence[str]:
        """Return the orders that a line which is not one plainly means, to be offered for copying (IN-10b)."""
        if not line.strip() or any(map(readings, line.split())):
            return ()
        pawns = dict(zip(self.names, self.rules.notation.pawns, strict=False))
        return self._intents.find(" ".join(pawns.get(word, word) for word in self._with_handles(line).split()))

    @cached_property
    def _intents(self) -> Intents:
        return Intents(self.legal, self.rules.notation.verbs, self.language, self.rules.kind, self._order)

    def _order(self, line: str) -> str:
        """Return the order of the game that a line is, in the notation; "" if it is not one."""
        try:
            command = self.command(line)
        except OrderNotUnderstood:
            return ""
        return command.text if command.plays and "\n" not in command.text else ""

    def is_aside(self, line: str) -> bool:
        """Whether a command only talks, or asks to see something."""
        command = self.command(line)
        return command.reads or command.verb in TALKS

    def is_yes(self, line: str) -> bool:
        """Whether a command is the word for yes."""
        return self.command(line).verb == "yes"

    def command(self, line: str) -> Command:
        """The command a normalised line is, be it said as people say it. Raises OrderNotUnderstood."""
        try:
            return self._command(line)
        except OrderNotUnderstood:
            for other in self._reworded(line):
                with suppress(OrderNotUnderstood):
                    found = self._command(other)
                    if found.verb not in LONERS | FREE:
                        return found
            raise

    def _reworded(self, line: str) -> Iterator[str]:
        """What else a line may be, word for word: as the notation has it, or with the only verb that could follow."""
        said = " ".join(filter(None, _PARTS.split(self.core(line))))
        if not 0 < len(said.split()) <= LONGEST:
            return
        verbs = {text.partition(" ")[0] for text in self.legal}
        for other in rewordings(self._with_handles(said), self.language, self.rules.kind, self.verbs):
            yield other
            if len(verbs) == 1 and not other.isdecimal() and any(map(str.isdecimal, other.split()[:2])):
                yield f"{min(verbs)} {other}"
                yield counts_behind(f"{min(verbs)} {other}") or other

    def _command(self, line: str) -> Command:
        """The command a line is as it stands. Raises OrderNotUnderstood."""
        if line in HELP:
            return Command("help", "help")
        option = _OPTION.fullmatch(line) if self.options else None
        if line.isdecimal() or option:
            return self._option(option[1] if option else line)
        text = self.canonical(line)
        verb = text.partition(" ")[0].lower()
        if verb.rstrip(":") == ORDERS and self.ahead is not None:
            return self._orders(line, text.partition(" ")[2].lower(), self.ahead)
        if verb == "pass" and text.lower() == "pass":
            return self._pass(line)
        if verb in FORMS:
            rest = text.partition(" ")[2]
            return Command(verb, FORMS[verb](line, verb, rest if verb in FREE else rest.lower()))
        return self.order(line, self._read, self.problem)

    def canonical(self, line: str) -> str:
        """A line in English words, with single blanks; a heading without its colon."""
        text = " ".join(canonical(line, self.language, self.rules.kind).split())
        word, _, rest = text.partition(" ")
        if word.endswith(":") and canonical(word[:-1], self.language, self.rules.kind).lower() == ORDERS:
            return f"{ORDERS} {rest}".strip()
        return text

    def order(self, line: str, read: Callable[[str], Command], problem: Callable[[str], str | None]) -> Command:
        """An order, as written or else in the notation's own signs and names, as `read` and `problem` know it."""
        try:
            return read(line)
        except OrderNotUnderstood:
            named = self._with_handles(line)
            if _is_several(named, problem):
                raise OrderNotUnderstood("bad-syntax", "IN-12", line, ONE_A_LINE) from None
            for other in filter(None, dict.fromkeys((named, _tidy(named)))):
                with suppress(OrderNotUnderstood):
                    return read(other)
            raise

    def _read(self, line: str) -> Command:
        text = self.canonical(line)
        written = "\n".join(map(self.rules.notation.write, self.rules.notation.parse(text, self.names)))
        return Command(text.partition(" ")[0].lower(), written)

    def _orders(self, line: str, rest: str, ahead: "Ahead") -> Command:
        """The heading of what is ordered ahead, or that with the first line of it, or nothing to be ordered."""
        if not rest:
            return Command(ORDERS, ORDERS)
        return Command(ORDERS, NO_ORDERS) if rest in NONE else ahead.read(line.partition(" ")[2].strip())

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
        text = self.options.get(int(line)) if len(line) < 4 else None
        if text is None:
            have = say("this mail has none")
            if self.options:
                have = say("this mail has {numbers}", numbers=_range(sorted(self.options)))
            message = say("There is no option {number}: {have}.", number=line[:6], have=have)
            raise OrderNotUnderstood("bad-option", "OUT-31", line, message)
        return Command(text.partition(" ")[0], text)

    def _pass(self, line: str) -> Command:
        meant = [text for text in PASSES if text in self.legal]
        if "pass" in meant or (not meant and "pass" in self.rules.notation.verbs):
            return Command("pass", "pass")
        if len(meant) == 1:
            return Command(meant[0].partition(" ")[0], meant[0])
        message = say("You cannot pass here; to end your turn, type the order that ends it.")
        raise OrderNotUnderstood("cannot-pass", "IN-12", line, message)

    def addressed(self, command: Command) -> tuple[Seat | None, str]:
        """To whom a line of table talk goes, None for the table, and what it says.

        Raises NotSaid where one may have been meant and it is not certain who (IN-12).
        """
        called = Called(self.names, self.displayed, self.rules.notation.pawns, self.rules.kind)
        return addressed(command.text.partition(" ")[2], called)


@dataclass(frozen=True, slots=True)
class Ahead:
    """What a line may be below one that says `orders`: of what is ordered ahead, or a word of every game."""

    grammar: Grammar
    orders: StandingOrders[Any, Any]

    @property
    def verbs(self) -> Mapping[str, str]:
        """The first words of such lines, and how they are suggested."""
        return _suggested(self.grammar.language, self.grammar.rules.kind, self.orders.verbs)

    def problem(self, line: str) -> str | None:
        """None for a line that is one of these by its form, else a sentence that says what would fit."""
        return _problem(self, line)

    def completes(self, lines: Sequence[str]) -> bool:
        """Whether these lines leave nothing to answer."""
        return self.grammar.completes(lines)

    def below(self, line: str) -> "Grammar | Ahead":
        """What reads the line below: the same, to the end of the block."""
        return self

    def standalone(self, line: str) -> str:
        """A line with the heading it stands below."""
        return f"{ORDERS} {line}" if self.has(line) else line

    @property
    def people(self) -> frozenset[str]:
        """The words of names."""
        return self.grammar.people

    def core(self, line: str) -> str:
        """The line itself: what is ordered ahead is written as it is."""
        return line

    def intended(self, line: str) -> Sequence[str]:
        """Return nothing: what is ordered ahead is not guessed at."""
        return ()

    def is_aside(self, line: str) -> bool:
        """Whether a command only talks, or asks to see something."""
        command = self.command(line)
        return command.reads or command.verb in TALKS

    def is_yes(self, line: str) -> bool:
        """Whether a command is the word for yes."""
        return self.command(line).verb == "yes"

    def elsewhere(self, line: str) -> str:
        """Where a line belongs that is no order to be followed later, but one of the game."""
        try:
            plays = self.grammar.command(line).plays
        except OrderNotUnderstood:
            return ""
        return self.grammar.words(ABOVE) if plays else ""

    def has(self, line: str) -> bool:
        """Whether it is a line of what is ordered ahead."""
        try:
            self.read(line)
        except OrderNotUnderstood:
            return False
        return True

    def command(self, line: str) -> Command:
        """The command a normalised line is here. Raises OrderNotUnderstood."""
        try:
            return self.read(line)
        except OrderNotUnderstood:
            verb = self.grammar.canonical(line).partition(" ")[0].lower()
            if verb in FORMS and verb not in self.orders.verbs:
                return self.grammar.command(line)
            raise

    def read(self, line: str) -> Command:
        """A line of what is ordered ahead. Raises OrderNotUnderstood."""
        return self.grammar.order(line, self._read, self.problem)

    def _read(self, line: str) -> Command:
        text = self.grammar.canonical(line)
        written = self.orders.write(self.orders.parse(text, self.grammar.names))
        return Command(ORDERS, f"{ORDERS} {text.lower() if len(written.splitlines()) != 1 else written}")


def _problem(grammar: Grammar | Ahead, line: str) -> str | None:
    try:
        grammar.command(line)
    except OrderNotUnderstood as error:
        words = grammar.words if isinstance(grammar, Grammar) else grammar.grammar.words
        return words(error.message)
    return None


@lru_cache(64)
def _suggested(language: str, kind: str, verbs: frozenset[str]) -> Mapping[str, str]:
    """The first words of commands with these verbs, as they may be typed, and how each is suggested, if ever."""
    own = {*FORMS, *verbs}
    known = (*typed_forms(language, kind), *((word, word, word) for word in sorted(own)))
    return {spelling: "" if word in LONERS else form for spelling, form, word in known if word in own}


def _range(numbers: Sequence[int]) -> Sentence:
    """Numbers for people: "0 to 4", "0, 10 and 30"."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return say("{first} to {last}", first=numbers[0], last=numbers[-1])
    return one_of(numbers)


def _is_several(line: str, problem: Callable[[str], str | None]) -> bool:
    """Whether a line is several commands, of which none is half of another."""
    parts = [part for part in _PARTS.split(line) if part]
    if len(parts) < 2 or problem(parts[0]) is not None:
        return False
    return any(not part.isdecimal() and problem(part) is None for part in parts[1:])


def _tidy(line: str) -> str:
    """A line without the signs between its words, and with the notation's word for nothing."""
    words = " ".join(_PARTS.split(line)).split()
    return " ".join(_NOUGHT.get(word, word) for word in words)
