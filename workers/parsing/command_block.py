"""The commands in the new text of a mail: one block, all of it understood, or none of it used (IN-09 to IN-13).

A stray word outside the block is ignored and reported; what might be an order but is none, or stands where orders are
not read, is refused with a sentence, so that nothing is lost in silence and nothing is guessed.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, Protocol

import msgspec

from domain.engine.sentences import say, say_n
from service.languages.commands import AWAY
from workers.parsing.near_words import EDGES, nearest
from workers.parsing.new_text import Extract, Line, Position
from workers.parsing.normalise import is_emoji, normal, plain, readings
from workers.parsing.quotes import is_blank
from workers.parsing.small_talk import FALSE_FRIENDS, STOPS, THANKS, closes, greets, takes_back, words_of

MAX_GREETING: Final = 3
MAX_WORDS: Final = 6
"""Longer lines are prose, whatever their first word is."""
MAX_LENGTH: Final = 200
"""Characters of a line that may be a command."""
MAX_REST: Final = 2
"""Words of a line below complete orders that may still be one with a word too many."""
LONGEST_NUMBER: Final = 4
"""Digits that no option's number has: a telephone's may stand alone on a line."""
SHOWN: Final = 60
"""Characters of a line that are quoted to its writer."""
MISPLACED: Final = say("There is other text right above these orders. Leave an empty line above your orders.")
TOO_LOW: Final = say(
    "These orders are too far down. Put them at the top: at most {count} lines of greeting may come above them.",
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

    @property
    def people(self) -> Collection[str]:
        """The words of the names at the table and of the writer's own, in lower case: no slips of commands."""
        ...

    def core(self, line: str) -> str:
        """A normalised line without what people say around an order: "I'll pass, thanks" is "pass"."""
        ...

    def is_aside(self, line: str) -> bool:
        """Whether a command only talks, or asks to see something: it goes with any orders."""
        ...

    def is_yes(self, line: str) -> bool:
        """Whether a command is the word that answers a question of ours with yes."""
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
    where the mail is nothing but one (IN-13). `copies` are whole sets of commands to be sent again, with what was
    suggested in its place: one, or two to choose from.
    """

    commands: list[Line] = []
    ignored: list[Line] = []
    ignored_note: str = ""
    refused: list[Refused] = []
    reaction: str = ""
    copies: list[list[Line]] = []


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
    def core(self) -> str:
        return self.grammar.core(self.text)


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
    both = [plain.commands, html.commands]
    return Block(
        plain.commands, plain.ignored, plain.ignored_note, [Refused(plain.commands[0], TWO_TEXTS)], copies=both
    )


class _Finder:
    """One new text being searched.

    `sets` are the sets of commands in it with suggestions in the place of slips, the one that is read first.
    """

    def __init__(self, lines: Sequence[Line], grammar: Grammar) -> None:
        self.grammar = grammar
        self.commands: list[Line] = []
        self.ignored = [line for line in lines if _is_comment(line)]
        self.entries = self.read(lines)
        self.refused: list[Refused] = []
        self.sets: list[list[Line]] = [[]]
        self.tried: dict[tuple[str, ...], bool] = {}

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
        copies = [sorted(each, key=lambda line: line.number) for each in self.sets if each] if self.refused else []
        return Block(self.commands, self.ignored, self.note(cut, cut_from), self.refused, copies=copies[:2])

    def between_quotes(self) -> None:
        """Answers between quoted lines: every line is a command, or nothing is (IN-08)."""
        for each in self.entries:
            if each.command:
                self.accept(each)
            elif not each.blank and not self.refused:
                self.refused.append(Refused(each.line, NOT_ON_TOP))
            elif not each.blank:
                self.ignored.append(each.line)

    def contiguous(self) -> None:
        """The block at the top or below an empty line (IN-09), and all that is not in it."""
        entries = self.entries[: self.stop()]
        after = self.entries[len(entries) :]
        start = self.start(entries, 0)
        greeting = [each for each in entries[:start] if not each.blank]
        if start < len(entries) and len(greeting) > MAX_GREETING:
            self.refused.append(Refused(entries[start].line, TOO_LOW))
        end = self.take(entries, start)
        while (place := self.continued(entries, end)) < len(entries):
            self.outside(entries[end:place], TWO_SETS)
            end = self.take(entries, place)
        self.outside(greeting, MISPLACED)
        self.outside(entries[end:], TWO_SETS)
        self.ignored += [each.line for each in after if not each.blank]

    def stop(self) -> int:
        """Where the reading ends: at a word that says so, or a line of dashes."""
        for place, each in enumerate(self.entries):
            if not (each.command or each.elsewhere) and (each.text in STOPS or _is_rule(each.line.text)):
                return place
        return len(self.entries)

    def start(self, entries: Sequence[_Entry], since: int) -> int:
        """Where a block starts: its first command stands on top of a paragraph, or below slips or a greeting there."""
        for place in range(since, len(entries)):
            if entries[place].blank or (place and not entries[place - 1].blank):
                continue
            top = place
            while top < len(entries) and greets(entries[top].text) and not entries[top].command:
                top += 1
            first = top
            while first < len(entries) and not entries[first].command and self.is_slip(entries[first]):
                first += 1
            if first < len(entries) and entries[first].command:
                return top
        return len(entries)

    def continued(self, entries: Sequence[_Entry], end: int) -> int:
        """Where the block goes on below an empty line (IN-09): it answers nothing yet, or only talks.

        A paragraph that answers the decision by itself is another set, unless it does so with what stands above it.
        """
        place = self.start(entries, end)
        if place == len(entries) or self.answered or any(self.closes(each) for each in entries[end:place]):
            return len(entries)
        paragraph = [_command(each).text for each in takewhile(lambda each: each.command, entries[place:])]
        above = [line.text for line in self.sets[0]]
        talked = all(self.grammar.is_aside(text) for text in above)
        other = self.grammar.completes(paragraph) and not self.grammar.completes([*above, *paragraph])
        return len(entries) if other and not talked else place

    @property
    def answered(self) -> bool:
        """Whether the decision is answered by what was read, slips corrected."""
        texts = tuple(line.text for line in self.sets[0])
        if texts not in self.tried:
            self.tried[texts] = bool(texts) and self.grammar.completes(texts)
        return self.tried[texts]

    def take(self, entries: Sequence[_Entry], start: int) -> int:
        """Take the commands of the paragraph that starts here; where it ends."""
        for place in range(start, len(entries)):
            each = entries[place]
            if each.blank or self.ends(entries[place:]):
                return place
            if each.command and self.answered and self.grammar.is_yes(each.text):
                self.ignored.append(each.line)
            elif each.command:
                self.accept(each)
            elif self.answered and self.is_chatter(each):
                return place
            else:
                self.refuse(each)
        return len(entries)

    def ends(self, rest: Sequence[_Entry]) -> bool:
        """Whether the first of these lines ends a paragraph of commands: it thanks, or closes a mail."""
        first, *others = takewhile(lambda each: not each.blank, rest)
        if first.command or first.text in THANKS:
            return not first.command
        return self.closes(first) and not any(each.command for each in others)

    def accept(self, entry: _Entry) -> None:
        self.commands.append(_command(entry))
        self.sets[0].append(self.commands[-1])

    def refuse(self, entry: _Entry) -> None:
        """Refuse a line that was not understood; what it may have been takes its place in the copy."""
        self.refused.append(self.refusal(entry))
        if suggestion := self.refused[-1].suggestion:
            answered = self.answered
            if answered:
                self.sets.append([])
            self.sets[-1 if answered else 0].append(Line(entry.line.number, suggestion, suggestion))

    def outside(self, entries: Sequence[_Entry], reason: str) -> None:
        """Ignore lines outside the block, except those that may have been meant: they are refused (IN-10).

        What follows a closing under the block is a signature, in which only whole commands are looked for.
        """
        signed = near = False
        apart = fresh = True
        for place, each in enumerate(entries):
            fresh = fresh or each.blank
            signed = signed or (reason is TWO_SETS and self.closes(each))
            near = near and not each.blank
            if each.command and fresh and self.answered and self.is_said(entries[place:]):
                self.ignored.append(each.line)
            elif each.command and reason is TWO_SETS and self.grammar.is_aside(each.text):
                self.ignored.append(each.line) if signed else self.accept(each)
            elif each.command and near:  # right below a slip: what is wrong is that line, not this one
                self.accept(each)
            elif each.command:
                self.misplaced(each, reason, apart=apart)
                fresh = False
            elif not signed and self.is_near(each):
                near = True
                self.refuse(each)
            elif not signed and self.answered and self.takes_back(each):
                self.refused.append(_taken_back(each))
            elif not each.blank:
                self.ignored.append(each.line)
            apart = each.blank or (apart and not each.command)

    def is_said(self, rest: Sequence[_Entry]) -> bool:
        """Whether the commands of a paragraph add nothing to complete orders: some of them again, or a yes."""
        said = [line.text for line in self.sets[0]]
        paragraph = [each.text for each in takewhile(lambda each: not each.blank, rest) if each.command]
        again = all(self.grammar.is_yes(text) or text in said for text in paragraph)
        return again and not self.grammar.completes(paragraph)

    def misplaced(self, entry: _Entry, reason: str, *, apart: bool) -> None:
        """Refuse a command that stands where none is read. Below an empty line it begins another set."""
        self.refused.append(Refused(entry.line, reason, entry.text if reason is MISPLACED else ""))
        if reason is TWO_SETS and apart:
            self.sets.append([])
        self.sets[-1 if reason is TWO_SETS else 0].append(_command(entry))

    def below_quotes(self, below: Sequence[Line]) -> None:
        """Commands under quoted lines, although there is text on top: nobody may think they were read."""
        for each in self.read(below):
            if each.command:
                self.refused.append(Refused(each.line, NOT_ON_TOP))

    def is_slip(self, entry: _Entry) -> bool:
        """Whether a line may have been meant as a command that can be suggested."""
        return self.is_near(entry) and bool(self.suggestion(entry))

    def is_near(self, entry: _Entry) -> bool:
        """Whether a line may have been meant as a command (IN-10).

        Once the decision is answered it may only if what would be suggested answered it, too.
        """
        if entry.elsewhere:
            return True
        words, grammar = entry.core.split(), entry.grammar
        if entry.text.startswith("type:") or not 1 <= len(words) <= MAX_WORDS or self.is_name(entry):
            return False
        if words[0].isdecimal():
            short = len(words) <= MAX_REST or not self.answered
            return (len(words) == 1 and len(words[0]) < LONGEST_NUMBER) or (short and grammar.problem(words[0]) is None)
        if nearest(words[0], grammar.verbs):
            return not self.answered or self.is_other_order(entry, words)
        amounts = readings(words[0]) if len(words) == 1 else None
        return amounts is not None and any(grammar.problem(each) is None for each in amounts)

    def is_other_order(self, entry: _Entry, words: Sequence[str]) -> bool:
        """Whether what would be suggested for a line below complete orders contradicts them.

        A verb alone is suggested for a verb with one word more, not for a slip with others: "pas de souci" is none.
        """
        order = normal(self.suggestion(entry))
        shortened = len(order.split()) < len(words)
        if shortened and (len(words) > MAX_REST or words[0] not in entry.grammar.verbs):
            return False
        return words[0] not in FALSE_FRIENDS and self.contradicts(order, entry.grammar)

    def contradicts(self, order: str, grammar: Grammar) -> bool:
        """Whether an order, "" for none, would answer the decision in another way than what was read, or begin another
        list."""
        if not order or order in [line.text for line in self.sets[0]]:
            return False
        return grammar.below(order) is not grammar or grammar.completes([order])

    def is_name(self, entry: _Entry) -> bool:
        """Whether a line is nothing but names of people who play."""
        words = words_of(entry.text)
        return bool(words) and all(word in self.grammar.people for word in words)

    def is_chatter(self, entry: _Entry) -> bool:
        """Whether a line under complete orders can mean nothing: no near miss, no verb, no digit (IN-09)."""
        if self.is_name(entry):
            return True
        if any(char.isdigit() for char in entry.line.text) or self.is_near(entry):
            return False
        return entry.problem is not None and not self.holds_verb(entry)

    def closes(self, entry: _Entry) -> bool:
        """Whether a line begins a signature."""
        return closes(entry.text) and not (self.holds_verb(entry) or any(char.isdigit() for char in entry.text))

    def takes_back(self, entry: _Entry) -> bool:
        """Whether a short line may take back the orders above it: it says so, and names an order or an option."""
        words = entry.text.split()
        if len(words) > MAX_WORDS:
            return False
        says_so = takes_back(entry.text)
        ends = [" ".join(words[place:]) for place in range(1, len(words)) if says_so or place < len(words) - 1]
        return any(entry.grammar.problem(end) is None and self.contradicts(end, entry.grammar) for end in ends)

    def holds_verb(self, entry: _Entry) -> bool:
        """Whether a line has a word in it that begins orders, or asks for something."""
        verbs = entry.grammar.verbs
        return any(verbs.get(word) for word in words_of(entry.text))

    def refusal(self, entry: _Entry) -> Refused:
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
        shown = _shorten(entry.line.text)
        if order := self.suggestion(entry):
            message = say("“{line}” was not understood. Did you mean “{order}”?", line=shown, order=order)
            return Refused(entry.line, message, order)
        return Refused(entry.line, entry.problem or say("“{line}” was not understood.", line=shown))

    def suggestion(self, entry: _Entry) -> str:
        """What a line may have been: the whole with the verb it comes near to, or that alone where no other follows."""
        core, verbs = entry.core, entry.grammar.verbs
        words = plain(entry.line.text).split() if core == entry.text else core.split()
        word = verbs.get(nearest(words[0].casefold(), verbs), "") if words else ""
        if not word:
            return ""
        several = any(other.casefold().strip(EDGES) in verbs for other in words[1:])
        orders = [" ".join([word, *words[1:]]), *([] if several else [word])]
        return next((order for order in orders if entry.grammar.problem(normal(order)) is None), "")

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


def _entry(line: Line, grammar: Grammar) -> _Entry:
    text = normal(line.text) if len(line.text) <= MAX_LENGTH else ""
    if not text or text.startswith("type:"):
        return _Entry(line, text, grammar, "")
    problem = grammar.problem(text)
    return _Entry(line, text, grammar, problem, "" if problem is None else grammar.elsewhere(text))


def _command(entry: _Entry) -> Line:
    return Line(entry.line.number, entry.grammar.standalone(entry.text), entry.line.text.strip())


def _taken_back(entry: _Entry) -> Refused:
    message = say(
        "“{line}” may take back what stands above it, so nothing was done. Send only the order that counts.",
        line=_shorten(entry.line.text),
    )
    return Refused(entry.line, message)


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
