"""Commands as lines that can be copied into a mail and sent again."""

from collections.abc import Sequence

from service.languages import canonical
from service.languages.commands import FREE
from workers.commands.words.command import NO_ORDERS, ORDERS, Command
from workers.parsing.new_text import Line
from workers.parsing.normalise import normal


def ready(line: Line, language: str, kind: str) -> str:
    """A line of a block, to be copied and sent again: talk and names as they were written, orders as they were read."""
    word, _, rest = line.text.partition(" ")
    if word == ORDERS and rest == normal(line.original):
        return rest
    if canonical(word, language, kind) not in FREE:
        return line.text
    place = line.original.casefold().find(word)
    own = line.original[place + len(word) :].strip() if place >= 0 else rest
    return f"{word} {own}".strip()


def unfolded(commands: Sequence[str]) -> list[str]:
    """Commands as they are written in a mail: what is ordered ahead stands below one line that says so."""
    lines: list[str] = []
    below = False
    for command in map(Command.of, commands):
        if not command.files or command.text == NO_ORDERS:
            lines.append(command.text)
            below = command.text == ORDERS
            continue
        lines += [] if below else [ORDERS]
        lines.append(command.text.partition(" ")[2])
        below = True
    return lines
