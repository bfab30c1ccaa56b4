"""Reading a mail: its new text, the command block in it, and a verdict for each line."""

import hashlib
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from domain.engine.sentences import say
from service.mail import addresses, reply_tokens
from service.store.incoming import replies
from workers.commands.context import ReplyContext
from workers.commands.trial_orders import finishes
from workers.commands.words.block_text import ready
from workers.commands.words.command import Command
from workers.commands.words.grammar import Grammar
from workers.commands.words.line import Line
from workers.parsing import new_text
from workers.parsing.command_block import Block, agreed, find, find_in
from workers.parsing.near_misses import Refused
from workers.parsing.read_mail import Reading

ENCRYPTED: Final = say("We cannot read encrypted mail: send it again without encryption; signed is fine.")
DOUBT: Final = say("This may take your orders back, or doubt them.")
SUBJECTS: Final = frozenset({"help"})
"""Words that count in the subject of a mail without text (IN-15)."""


def grammar_of(context: ReplyContext) -> Grammar:
    """The commands this player may write about this game."""
    head = context.head
    view = context.view
    names = view.notation_names
    seat, legal = context.token.seat, frozenset[str]()
    if seat is not None and head.table.status == "running":
        own = head.rules.decider.blind(head.table.game, seat)
        legal = frozenset(
            head.rules.notation.write(action) for action in head.rules.decider.legal_actions(own, seat).actions
        )
    return Grammar(
        head.rules, names, context.person.language, context.token.options, legal, context.words,
        lambda orders: finishes(head, seat, orders, names), view.display_names,
        context.reading.author,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Written:
    """The player's own words, the commands in them, and the grammar they were read with."""

    text: str
    block: Block
    grammar: Grammar

    @property
    def digest(self) -> bytes:
        """What tells one text from another."""
        said = self.text if self.text.strip() else "\n".join(line.text for line in self.block.commands)
        return hashlib.sha256(said.encode()).digest()

    @property
    def copies(self) -> list[list[str]]:
        """Whole sets of lines to be sent again: one, or two to choose from."""
        language, kind = self.grammar.language, self.grammar.rules.kind
        return [[ready(line, language, kind) for line in lines] for lines in self.block.copies]

    @property
    def commands(self) -> list[Command]:
        """All of the commands, or none where a line is refused."""
        return [] if self.block.refused else [command_of(self.grammar, line) for line in self.block.commands]


def read_commands(context: ReplyContext) -> Written:
    """What a mail says, in the words of its author."""
    return written_in(context.reading, context.token.mark, grammar_of(context))


def written_in(reading: Reading, mark: str, grammar: Grammar) -> Written:
    """What a mail says, in its plain text or else in its HTML; both must not order different things (IN-06)."""
    written = new_text.new_text(reading.body, {mark})
    block = find_in(written, grammar)
    if reading.text.strip() and reading.html_text.strip():
        block = agreed(block, find_in(new_text.new_text(reading.html_text, {mark}), grammar))
    text = "\n".join(line.text for line in written.lines)
    subject = reading.subject.strip().casefold()
    if not text.strip() and not reading.encrypted and subject in SUBJECTS:
        block = find([new_text.Line(1, subject)], grammar)
    if reading.encrypted and not block.commands:
        block = Block(refused=[Refused(new_text.Line(0, ""), ENCRYPTED)])
    return _doubted(Written(text, block, grammar))


def _doubted(written: Written) -> Written:
    """Doubt orders beside a word that takes talk back: in other languages it is "delete" or "withdraw" (IN-10a)."""
    commands = written.commands
    unsaid = next((place for place, command in enumerate(commands) if command.verb == "unsay"), None)
    if unsaid is None or written.block.doubt or not any(command.plays for command in commands):
        return written
    return replace(written, block=msgspec.structs.replace(written.block, doubt=written.block.commands[unsaid]))


def with_help(written: Written) -> Written:
    """A mail in which nothing was written asks for help."""
    if written.text.strip() or written.block.commands or written.block.refused:
        return written
    return replace(written, block=find([new_text.Line(1, "help")], written.grammar))


def command_of(grammar: Grammar, line: new_text.Line) -> Command:
    """A line of the block as a command; talk and names keep the letters they were written in."""
    command = grammar.command(line.text)
    if command.verb not in ("say", "join"):
        return command
    word, _, rest = line.text.partition(" ")
    place = line.original.casefold().find(word)
    own = line.original[place + len(word) :].strip() if place >= 0 else rest
    return Command(command.verb, f"{command.verb} {own}".strip())


def verdicts(context: ReplyContext, block: Block) -> list[Line]:
    """A verdict for each line of the block (OUT-35); what is refused as a whole has no line."""
    refused = [*block.refused, *([Refused(block.doubt, DOUBT)] if block.doubt else [])]
    faults = {each.line.number: each for each in refused}
    told = {line.number: line for line in (*block.commands, *(each.line for each in refused))}
    return [
        Line(
            number,
            (line.original or line.text).strip()[:200],
            context.words(faults[number].message) if number in faults else "",
        )
        for number, line in sorted(told.items())
        if number
    ]


def left_aside(context: ReplyContext, block: Block) -> list[str]:
    """What was left aside, and why."""
    notes = [context.words(block.ignored_note)] if block.ignored_note else []
    files = context.reading.attachments
    if files:
        said = say("Attachments are never opened; we ignored {files}.", files=", ".join(files[:5]))
        notes.append(context.words(said))
    return notes


def is_copy(context: ReplyContext, digest: bytes) -> bool:
    """Whether this very mail was seen before: the same address, Message-ID and text, or every byte (IN-17)."""
    row, message_id = context.row, context.reading.message_id[:200]
    if not message_id:
        return replies.has_twin(context.tx, row.id, row.token, row.digest)
    return replies.has_copy(context.tx, row.id, row.reply_token, message_id, digest)


def to_two_games(context: ReplyContext) -> bool:
    """Whether the mail went to addresses of two games at once (IN-29)."""
    found = [addresses.read(context.services.settings, recipient) for recipient in context.reading.recipients]
    tokens = {to.token for to in found if to is not None and to.token and to.purpose == addresses.ANSWER}
    known = [
        reply_tokens.find(context.services.database, context.services.sealer, context.tx, token) for token in tokens
    ]
    return len({token.game for token in known if token is not None} | {context.token.game}) > 1
