"""The commands in the new text of a mail: one block, all of it understood, or none of it used (IN-09 to IN-13).

A stray word outside the block is ignored and reported; what might be an order but is none, or stands where orders are
not read, is refused with a sentence, so that nothing is lost in silence and nothing is guessed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec

from domain.engine.sentences import say, say_n
from service.languages.commands import AWAY
from workers.parsing.near_words import EDGES, nearest
from workers.parsing.new_text import Extract, Line, Position
from workers.parsing.normalise import is_emoji, normal, plain, readings
from workers.parsing.quotes import is_blank

MAX_GREETING: Final = 3
MAX_WORDS: Final = 6
"""Longer lines are prose, whatever their first word is."""
MAX_LENGTH: Final = 200
"""Characters of a line that may be a command."""
SHOWN: Final = 60
"""Characters of a line that are quoted to its writer."""
STOPS: Final = frozenset("end stop signoff".split())
"""Words that end the reading, where the game has no such command. So does a line of dashes."""
THANKS: Final = frozenset(
    {"thanks", "thank you", "thx", "many thanks", "danke", "vielen dank", "merci", "merci beaucoup"}
)
"""Words that end a block of commands, as a signature does."""
CLOSINGS: Final = (
    "best",
    "regards",
    "kind regards",
    "best regards",
    "best wishes",
    "warm regards",
    "all the best",
    "cheers",
    "yours",
    "sincerely",
    "see you",
    "see you soon",
    "good luck",
    "good game",
    "have fun",
    "bye",
    "ciao",
    "bis bald",
    "bis dann",
    "bis morgen",
    "bis später",
    "tschüss",
    "viel spaß",
    "gruß",
    "gruss",
    "grüße",
    "grüsse",
    "liebe grüße",
    "viele grüße",
    "schöne grüße",
    "beste grüße",
    "mit freundlichen grüßen",
    "lg",
    "vg",
    "mfg",
    "viel glück",
    "cordialement",
    "bien à vous",
    "bien cordialement",
    "amicalement",
    "bonne chance",
    "à bientôt",
    "à demain",
    "à plus",
    "bises",
    "saludos",
    "un saludo",
    "saluti",
    "cordiali saluti",
    "groeten",
    "groetjes",
    "met vriendelijke groet",
    "hilsen",
    "hälsningar",
)
"""How signatures begin that nothing sets apart."""
CLOSED: Final = frozenset(each.casefold() for each in CLOSINGS)

MISPLACED: Final = say("These orders stand right below other text. Leave an empty line above your orders.")
TOO_LOW: Final = say(
    "These orders stand too far down. Put them at the top: at most {count} lines of greeting may stand above them.",
    count=MAX_GREETING,
)
TWO_SETS: Final = say("There are two sets of orders in your mail. Send one, without empty lines in it.")
NOT_ON_TOP: Final = say("Put your move at the top, above the quoted mail, with all its orders together.")
TWO_TEXTS: Final = say("Your mail gives different orders as plain text and as HTML. Send it as plain text.")
EXAMPLE: Final = say("A line that starts with “type:” is an example. Send only what stands behind it.")


class Grammar(Protocol):
    """What a game and its decision understand."""

    @property
    def verbs(self) -> Mapping[str, str]:
        """The first words of commands in the player's language and in English, in lower case, however they are typed.

        With each goes the word to suggest for it, "" where none ever is.
        """
        ...

    def problem(self, line: str) -> str | None:
        """None if a normalised line is a command by its form; else a sentence that says what would fit."""
        ...

    def completes(self, lines: Sequence[str]) -> bool:
        """Whether these commands answer the decision completely."""
        ...

    def below(self, line: str) -> "Grammar":
        """What reads the line below a command: its own, where the command is the heading of those below it."""
        ...

    def standalone(self, line: str) -> str:
        """A command as it would be written without the heading above it."""
        ...

    def elsewhere(self, line: str) -> str:
        """Of a line that is no command here, the sentence that says where in a mail it is one; "" for nowhere."""
        ...


class Refused(msgspec.Struct, frozen=True):
    """A line because of which nothing is executed, why, and what might have been meant, or "" if nothing comes near."""

    line: Line
    message: str
    suggestion: str = ""


class Block(msgspec.Struct, frozen=True):
    """What a mail orders. If anything is refused, nothing may be executed, whatever else was understood.

    `ignored` are the lines that are no orders, `ignored_note` says which from where on. `reaction` holds the picture
    where the mail is nothing but one (IN-13).
    """

    commands: list[Line] = []
    ignored: list[Line] = []
    ignored_note: str = ""
    refused: list[Refused] = []
    reaction: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of the new text, as the grammar of its place sees it."""

    line: Line
    text: str
    grammar: Grammar
    problem: str | None
    elsewhere: str = ""

    @property
    def blank(self) -> bool:
        return is_blank(self.line.text)

    @property
    def command(self) -> bool:
        return self.problem is None

    @property
    def words(self) -> list[str]:
        return self.text.split()


def find(
    lines: Sequence[Line],
    grammar: Grammar,
    *,
    position: Position = "top",
    below: Sequence[Line] = (),
    cut: int = 0,
    cut_from: str = "",
) -> Block:
    """The commands of the new text. `below`, `cut` and `cut_from` are those of the Extract."""
    return _Finder(lines, grammar).block(position, below, cut, cut_from)


def find_in(extract: Extract, grammar: Grammar) -> Block:
    """The commands of an extract; an unsure one is refused."""
    if extract.unsure:
        return Block(refused=[Refused(Line(1, ""), extract.unsure)])
    return find(
        extract.lines,
        grammar,
        position=extract.position,
        below=extract.below,
        cut=extract.cut,
        cut_from=extract.cut_from,
    )


def agreed(plain: Block, html: Block) -> Block:
    """The block of a mail that says its text twice. Two different sets of orders are refused (IN-06).

    Outlook puts empty lines between the lines of its plain text. Where that alone made it two sets, HTML counts, if it
    has the same lines.
    """
    if plain.refused and html.commands and not html.refused:
        spacing = all(each.message in (TWO_SETS, MISPLACED) for each in plain.refused)
        return html if spacing and _all_lines(plain) == _all_lines(html) else plain
    if plain.refused or not plain.commands or not html.commands:
        return plain
    if [each.text for each in plain.commands] == [each.text for each in html.commands]:
        return plain
    return Block(plain.commands, plain.ignored, plain.ignored_note, [Refused(plain.commands[0], TWO_TEXTS)])


class _Finder:
    """One new text being searched."""

    def __init__(self, lines: Sequence[Line], grammar: Grammar) -> None:
        self.grammar = grammar
        self.commands: list[Line] = []
        self.ignored = [line for line in lines if _is_comment(line)]
        self.entries = self.read(lines)
        self.refused: list[Refused] = []

    def read(self, lines: Sequence[Line]) -> list[_Entry]:
        """The lines as entries. Comments are left out: they neither part a block nor make a line stand apart.

        What a heading is for ends at a blank line, as every block does.
        """
        found: list[_Entry] = []
        grammar = self.grammar
        for line in lines:
            if _is_comment(line):
                continue
            entry = _entry(line, grammar)
            found.append(entry)
            grammar = self.grammar if entry.blank else grammar.below(entry.text) if entry.command else grammar
        return found

    def block(self, position: Position, below: Sequence[Line], cut: int, cut_from: str) -> Block:
        written = "".join(each.line.text for each in self.entries)
        if is_emoji(written):
            return Block(reaction="".join(written.split()))
        if position == "inline":
            self.between_quotes()
        else:
            self.contiguous()
        self.below_quotes(below)
        self.refused.sort(key=lambda each: each.line.number)
        self.ignored.sort(key=lambda each: each.number)
        return Block(self.commands, self.ignored, self.note(cut, cut_from), self.refused)

    def between_quotes(self) -> None:
        """Answers between quoted lines: every line is a command, or nothing is (IN-08)."""
        for each in self.entries:
            if each.command:
                self.commands.append(_command(each))
            elif not each.blank and not self.refused:
                self.refused.append(Refused(each.line, NOT_ON_TOP))
            elif not each.blank:
                self.ignored.append(each.line)

    def contiguous(self) -> None:
        """The block at the top or below an empty line (IN-09), and all that is not in it."""
        entries = self.entries[: self.stop()]
        after = self.entries[len(entries) :]
        start = next((place for place in range(len(entries)) if _starts_block(entries, place)), len(entries))
        greeting = [each for each in entries[:start] if not each.blank]
        self.outside(greeting, MISPLACED)
        if start < len(entries) and len(greeting) > MAX_GREETING:
            self.refused.append(Refused(entries[start].line, TOO_LOW))
        end = self.take(entries, start)
        self.outside(entries[end:], TWO_SETS)
        self.ignored += [each.line for each in after if not each.blank]

    def stop(self) -> int:
        """Where the reading ends: at a word that says so, or a line of dashes."""
        for place, each in enumerate(self.entries):
            if not (each.command or each.elsewhere) and (each.text in STOPS or _is_rule(each.line.text)):
                return place
        return len(self.entries)

    def take(self, entries: Sequence[_Entry], start: int) -> int:
        """Take the commands of the block that starts here; where it ends."""
        for place in range(start, len(entries)):
            each = entries[place]
            if each.blank or each.text in THANKS:
                return place
            if each.command:
                self.commands.append(_command(each))
            elif self.is_chatter(each) and self.grammar.completes([command.text for command in self.commands]):
                return place
            else:
                self.refused.append(self.refusal(each))
        return len(entries)

    def outside(self, entries: Sequence[_Entry], reason: str) -> None:
        """Ignore lines outside the block, except those that may have been meant: they are refused (IN-10).

        What follows a closing under the block is a signature, in which only whole commands are looked for.
        """
        signed = near = False
        for each in entries:
            signed = signed or (reason is TWO_SETS and (each.text in THANKS or each.text in CLOSED))
            near = near and not each.blank
            if each.command and near:  # right below a slip: what is wrong is that line, not this one
                self.commands.append(_command(each))
            elif each.command:
                self.refused.append(Refused(each.line, reason, each.text if reason is MISPLACED else ""))
            elif not signed and self.is_near(each):
                near = True
                self.refused.append(self.refusal(each))
            elif not each.blank:
                self.ignored.append(each.line)

    def below_quotes(self, below: Sequence[Line]) -> None:
        """Commands under quoted lines, although there is text on top: nobody may think they were read."""
        for each in self.read(below):
            if each.command:
                self.refused.append(Refused(each.line, NOT_ON_TOP))

    def is_near(self, entry: _Entry) -> bool:
        """Whether a line may have been meant as a command: a verb or nearly one, or an option's number (IN-10)."""
        words, grammar = entry.words, entry.grammar
        if entry.elsewhere:
            return True
        if entry.text.startswith("type:") or not 1 <= len(words) <= MAX_WORDS:
            return False
        if nearest(words[0], grammar.verbs):
            return True
        if words[0].isdecimal():
            return len(words) == 1 or grammar.problem(words[0]) is None
        amounts = readings(words[0]) if len(words) == 1 else None
        return amounts is not None and any(grammar.problem(each) is None for each in amounts)

    def is_chatter(self, entry: _Entry) -> bool:
        """Whether a line under complete orders can mean nothing: no near miss, no verb, no digit (IN-09)."""
        if entry.text in CLOSED:
            return True
        if any(char.isdigit() for char in entry.line.text) or self.is_near(entry):
            return False
        verbs = entry.grammar.verbs
        return entry.problem is not None and not any(word.strip(".,;:!?") in verbs for word in entry.words)

    def refusal(self, entry: _Entry) -> Refused:
        """Why a line is not understood: the two readings of an amount, the verb it may have been, or what would fit."""
        if entry.text.startswith("type:"):
            return Refused(entry.line, EXAMPLE)
        if entry.elsewhere:
            return Refused(entry.line, entry.elsewhere)
        if entry.problem and entry.words and entry.grammar.verbs.get(entry.words[0]) == AWAY:
            return Refused(entry.line, entry.problem)  # 2.1. is a day, no amount
        for word in entry.words[:MAX_WORDS]:
            if both := readings(word):
                message = say(
                    "“{word}” can be read as {one} or as {other}. Write it as a plain number.",
                    word=word,
                    one=both[0],
                    other=both[1],
                )
                return Refused(entry.line, message)
        verb = nearest(entry.words[0], entry.grammar.verbs) if entry.words else ""
        shown = _shorten(entry.line.text)
        for order in self.suggestions(entry, verb):
            if entry.grammar.problem(normal(order)) is None:
                message = say("“{line}” was not understood. Did you mean “{order}”?", line=shown, order=order)
                return Refused(entry.line, message, order)
        return Refused(entry.line, entry.problem or say("“{line}” was not understood.", line=shown))

    def suggestions(self, entry: _Entry, verb: str) -> list[str]:
        """What a line with this verb may have been: the whole with it, or the verb alone where no other follows."""
        verbs = entry.grammar.verbs
        word = verbs.get(verb, "")
        others = plain(entry.line.text).split()[1:]
        if not word:
            return []
        several = any(other.casefold().strip(EDGES) in verbs for other in others)
        return [" ".join([word, *others]), *([] if several else [word])]

    def note(self, cut: int, cut_from: str) -> str:
        """Which lines were ignored above the last order and below it, signature included; "" for none (OUT-33)."""
        last = max((each.number for each in self.commands), default=0)
        early = [each for each in self.ignored if each.number <= last]
        late = [each for each in self.ignored if each.number > last]
        above = below = ""
        if early:
            above = say_n(
                "Ignored above your orders: {count} line, “{line}”.",
                "Ignored above your orders: {count} lines from “{line}” on.",
                len(early),
                line=_shorten(early[0].text),
            )
        if count := len(late) + cut:
            below = say_n(
                "Ignored: {count} line, “{line}”.",
                "Ignored: {count} lines from “{line}” on.",
                count,
                line=_shorten(late[0].text if late else cut_from),
            )
        return say("{first} {second}", first=above, second=below) if above and below else above or below


def _is_comment(line: Line) -> bool:
    return len(line.text) <= MAX_LENGTH and normal(line.text).startswith(("#", "//"))


def _starts_block(entries: Sequence[_Entry], place: int) -> bool:
    return entries[place].command and (place == 0 or entries[place - 1].blank)


def _entry(line: Line, grammar: Grammar) -> _Entry:
    text = normal(line.text) if len(line.text) <= MAX_LENGTH else ""
    if not text or text.startswith("type:"):
        return _Entry(line, text, grammar, "")
    problem = grammar.problem(text)
    return _Entry(line, text, grammar, problem, "" if problem is None else grammar.elsewhere(text))


def _command(entry: _Entry) -> Line:
    return Line(entry.line.number, entry.grammar.standalone(entry.text), entry.line.text.strip())


def _is_rule(text: str) -> bool:
    shown = text.strip()
    return len(shown) >= 2 and not shown.strip("-–—=_~*")


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else f"{text[:SHOWN].rstrip()}…"


def _all_lines(block: Block) -> list[str]:
    """All lines of a mail in their order, as far as they count."""
    refused = (refusal.line for refusal in block.refused)
    lines = {each.number: each.original or each.text for each in (*block.ignored, *refused)}
    lines |= {each.number: each.original for each in block.commands}
    return [normal(lines[number]) for number in sorted(lines)]
