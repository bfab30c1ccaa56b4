"""The commands in the new text of a mail: one block, all of it understood, or none of it used (IN-09 to IN-13).

A stray word outside the block is ignored and reported; what might be an order but is none, or stands where orders are
not read, is refused with a sentence, so that nothing is lost in silence and nothing is guessed.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

import msgspec

from domain.engine.sentences import say, say_n
from workers.parsing.entries import MAX_LENGTH, Entry, Grammar, entry_of, shorten
from workers.parsing.near_misses import NearMisses, Refused, taken_back
from workers.parsing.near_words import nearest
from workers.parsing.new_text import Extract, Line, Position
from workers.parsing.normalise import is_emoji, normal
from workers.parsing.small_talk import STOPS, THANKS, greets, words_of
from workers.parsing.take_backs import find_doubt

MAX_GREETING: Final = 3
MOST_OF_A_PLACEHOLDER: Final = 4
"""Lines of a plain text that only points to the HTML."""
MISPLACED: Final = say("There is other text right above these orders. Leave an empty line above your orders.")
TOO_LOW: Final = say(
    "These orders are too far down. Put them at the top: at most {count} lines of greeting may come above them.",
    count=MAX_GREETING,
)
TWO_SETS: Final = say("There are two sets of orders in your mail. Send one, without empty lines in it.")
NOT_ON_TOP: Final = say("Put your move at the top, above the quoted mail, with all its orders together.")
TWO_TEXTS: Final = say("Your mail gives different orders as plain text and as HTML. Send it as plain text.")


class Block(msgspec.Struct, frozen=True):
    """What a mail orders. If anything is refused, nothing may be executed, whatever else was understood.

    `ignored` are the lines that are no orders, `ignored_note` says which from where on. `reaction` holds the picture
    where the mail is nothing but one (IN-13). `copies` are whole sets of commands to be sent again, with what was
    suggested in its place: one, or two to choose from. `doubt` is a line that takes the commands back, doubts or
    conditions them: they wait for a yes (IN-10a).
    """

    commands: list[Line] = []
    ignored: list[Line] = []
    ignored_note: str = ""
    refused: list[Refused] = []
    reaction: str = ""
    copies: list[list[Line]] = []
    doubt: Line | None = None


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
    """Return the block of a mail that says its text twice. Two different sets of orders are refused (IN-06).

    If a program spoiled the plain text, by joining or parting its lines or by a placeholder, and the HTML is a whole
    block, the HTML counts; if its words differ, it is only offered to copy.
    """
    if (plain.refused or not plain.commands) and html.commands and not html.refused:
        if _words(plain) == _words(html) or (not plain.commands and _is_placeholder(_all_lines(plain))):
            return html
        return plain if plain.copies else msgspec.structs.replace(plain, copies=[html.commands])
    if plain.refused or not plain.commands or not html.commands:
        return plain
    if [each.text for each in plain.commands] == [each.text for each in html.commands]:
        return plain if plain.doubt else msgspec.structs.replace(plain, doubt=html.doubt)
    both = [plain.commands, html.commands]
    return Block(
        plain.commands, plain.ignored, plain.ignored_note, [Refused(plain.commands[0], TWO_TEXTS)], copies=both
    )


class _Finder:
    """One new text being searched.

    `sets` are the sets of commands in it with suggestions in the place of slips, the one that is read first. `lost`
    says that an order could not be understood, so that a set without it would be a part of what was meant.
    """

    def __init__(self, lines: Sequence[Line], grammar: Grammar) -> None:
        self.grammar = grammar
        self.near = NearMisses(grammar)
        self.commands: list[Line] = []
        self.ignored = [line for line in lines if _is_comment(line)]
        self.entries = self.read(lines)
        self.refused: list[Refused] = []
        self.sets = [self.near.said]
        self.lost = False

    def read(self, lines: Sequence[Line]) -> list[Entry]:
        """The lines as entries. Comments are left out: they neither part a block nor make a line stand apart.

        What a heading is for ends at a blank line, as every block does.
        """
        found: list[Entry] = []
        grammar = self.grammar
        for line in lines:
            if _is_comment(line):
                continue
            entry = entry_of(line, grammar)
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
        doubt = self.doubt(below, cut_from)
        self.refused.sort(key=lambda each: each.line.number)
        self.ignored.sort(key=lambda each: each.number)
        copies = self.copies() if self.refused or not self.commands else []
        note = self.note(cut, cut_from)
        return Block(self.commands, self.ignored, note, self.refused, copies=copies[:2], doubt=doubt)

    def doubt(self, below: Sequence[Line], cut_from: str) -> Line | None:
        """Return the line that makes the commands doubtful (IN-10a), or None.

        A terminator right below the commands only ends them; the same word apart takes them back.
        """
        if not self.commands:
            return None
        numbers = [line.number for line in self.commands]
        ends = [line for line in self.ignored if line.number - 1 in numbers and normal(line.text) in STOPS]
        said = [line for line in self.ignored if not (_is_comment(line) or line in ends)]
        above = [line for line in said if line.number < min(numbers)]
        under = [line for line in said if line.number > min(numbers)]
        return find_doubt(above, [*under, *below, Line(0, cut_from)], self.grammar.people)

    def copies(self) -> list[list[Line]]:
        """Return the sets of commands to be offered: each the whole of what was meant, never a part of it (IN-10b)."""
        sets = [sorted(each, key=lambda line: line.number) for each in self.sets if each]
        if not self.lost and self.refused and any(self.completes(each) for each in sets):
            return sets
        meant = self.meant()
        if meant and (not sets or self.lost or self.completes(meant) or len(meant) > len(sets[0])):
            return [meant]
        return [] if self.lost else sets

    def completes(self, lines: Sequence[Line]) -> bool:
        """Return whether these commands answer the decision."""
        return self.grammar.completes([line.text for line in lines])

    def meant(self) -> list[Line]:
        """Return all commands of the mail with what other lines plainly mean; [] if an order among them is not plain.

        Reading ends where these answer the decision.
        """
        found: list[Line] = []
        for entry in self.entries[: self.stop()]:
            number, _text = entry.line.number, entry.line.text.strip()
            if entry.command:
                found.append(_command(entry))
            elif not entry.blank and not greets(entry.text):
                slip = self.near.suggestion(entry) if self.near.is_near(entry) else ""
                orders = [slip] if slip else self.grammar.intended(entry.text)
                found += [Line(number, entry.grammar.standalone(normal(order)), order) for order in orders]
                if not orders and any(refused.line == entry.line and self.is_order(entry) for refused in self.refused):
                    return []
            if found and self.completes(found):
                break
        return found

    def is_order(self, entry: Entry) -> bool:
        """Return whether a line that was not understood begins as an order does, or holds a number."""
        words = entry.core.split()
        return bool(words) and (any(map(str.isdecimal, words)) or bool(nearest(words[0], entry.grammar.verbs)))

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

    def start(self, entries: Sequence[Entry], since: int) -> int:
        """Where a block starts: its first command stands on top of a paragraph, or below slips or a greeting there."""
        for place in range(since, len(entries)):
            if entries[place].blank or (place and not entries[place - 1].blank):
                continue
            top = place
            while top < len(entries) and greets(entries[top].text) and not entries[top].command:
                top += 1
            first = top
            while first < len(entries) and not entries[first].command and self.near.is_slip(entries[first]):
                first += 1
            if first < len(entries) and entries[first].command:
                return top
        return len(entries)

    def continued(self, entries: Sequence[Entry], end: int) -> int:
        """Where the block goes on below an empty line (IN-09): it answers nothing yet, or only talks.

        A paragraph that answers the decision by itself is another set, unless it does so with what stands above it.
        """
        place = self.start(entries, end)
        if place == len(entries) or self.near.answered or any(self.near.closes(each) for each in entries[end:place]):
            return len(entries)
        paragraph = [_command(each).text for each in takewhile(lambda each: each.command, entries[place:])]
        above = [line.text for line in self.sets[0]]
        talked = all(self.grammar.is_aside(text) for text in above)
        other = self.grammar.completes(paragraph) and not self.grammar.completes([*above, *paragraph])
        return len(entries) if other and not talked else place

    def take(self, entries: Sequence[Entry], start: int) -> int:
        """Take the commands of the paragraph that starts here; where it ends."""
        for place in range(start, len(entries)):
            each = entries[place]
            if each.blank or self.ends(entries[place:]):
                return place
            if each.command and self.near.answered and each.grammar.is_yes(each.text):
                self.ignored.append(each.line)
            elif each.command:
                self.accept(each)
            elif self.near.may_end(each):
                return place
            else:
                self.refuse(each)
        return len(entries)

    def ends(self, rest: Sequence[Entry]) -> bool:
        """Whether the first of these lines ends a paragraph of commands: it thanks, or closes a mail."""
        first, *others = takewhile(lambda each: not each.blank, rest)
        if first.command or first.text in THANKS:
            return not first.command
        return self.near.closes(first) and not any(each.command for each in others)

    def accept(self, entry: Entry) -> None:
        self.commands.append(_command(entry))
        self.sets[0].append(self.commands[-1])

    def refuse(self, entry: Entry) -> None:
        """Refuse a line that was not understood; what it may have been takes its place in the copy."""
        self.refused.append(self.near.refusal(entry))
        if suggestion := self.refused[-1].suggestion:
            answered = self.near.answered
            if answered:
                self.sets.append([])
            text = entry.grammar.standalone(normal(suggestion))
            self.sets[-1 if answered else 0].append(Line(entry.line.number, text, suggestion))
        elif self.is_order(entry):
            self.lost = True

    def outside(self, entries: Sequence[Entry], reason: str) -> None:
        """Ignore lines outside the block, except those that may have been meant: they are refused (IN-10).

        What follows a closing under the block is a signature, in which only whole commands are looked for.
        """
        signed = near = False
        apart = fresh = True
        for place, each in enumerate(entries):
            fresh = fresh or each.blank
            signed = signed or (reason is TWO_SETS and self.near.closes(each))
            near = near and not each.blank
            if each.command and fresh and self.near.answered and self.near.is_said(entries[place:]):
                self.ignored.append(each.line)
            elif each.command and reason is TWO_SETS and each.grammar.is_aside(each.text):
                self.ignored.append(each.line) if signed else self.accept(each)
            elif each.command and near:  # right below a slip: what is wrong is that line, not this one
                self.accept(each)
            elif each.command:
                self.misplaced(each, reason, apart=apart)
                fresh = False
            elif not signed and (self.near.is_near(each) or (reason is MISPLACED and self.near.means_orders(each))):
                near = True
                self.refuse(each)
            elif not signed and self.near.answered and self.near.takes_back(each):
                self.refused.append(taken_back(each))
            elif not each.blank:
                self.ignored.append(each.line)
            apart = each.blank or (apart and not each.command)

    def misplaced(self, entry: Entry, reason: str, *, apart: bool) -> None:
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
                line=shorten(early[0].text),
            )
        if count := len(late) + cut:
            below = say_n(
                "Ignored: {count} line, “{line}”.",
                "Ignored: {count} lines from “{line}” on.",
                count,
                line=shorten(late[0].text if late else cut_from),
            )
        return say("{first} {second}", first=above, second=below) if above and below else above or below


def _is_comment(line: Line) -> bool:
    return len(line.text) <= MAX_LENGTH and normal(line.text).startswith(("#", "//"))


def _command(entry: Entry) -> Line:
    return Line(entry.line.number, entry.grammar.standalone(entry.text), entry.line.text.strip())


def _is_rule(text: str) -> bool:
    shown = text.strip()
    return len(shown) >= 2 and not shown.strip("-–—=_~*")


def _words(block: Block) -> list[str]:
    return words_of(" ".join(_all_lines(block)))


def _is_placeholder(lines: Sequence[str]) -> bool:
    """Return whether a plain text only says that the mail is in HTML, or that it is a picture."""
    said = [line for line in lines if line]
    pictures = all(line.startswith(("[image", "[cid:", "[bild", "[inline")) for line in said)
    return len(said) <= MOST_OF_A_PLACEHOLDER and (pictures or any("html" in words_of(line) for line in said))


def _all_lines(block: Block) -> list[str]:
    """All lines of a mail in their order, as far as they count."""
    refused = (refusal.line for refusal in block.refused)
    lines = {each.number: each.original or each.text for each in (*block.ignored, *refused)}
    lines |= {each.number: each.original for each in block.commands}
    return [normal(lines[number]) for number in sorted(lines)]
