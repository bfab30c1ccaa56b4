"""A grammar to read mail with, and what becomes of a mail from its bytes to its orders."""

import re
from collections.abc import Sequence
from pathlib import Path

from workers.parsing.command_block import agreed, find_in
from workers.parsing.limits import Poison
from workers.parsing.new_text import new_text
from workers.parsing.read_mail import Reading, read

DOMAIN = "wardroom.example"
CODES = ["k7x2"]
CORPUS = Path(__file__).parent / "corpus"
FORMS = {
    "bid": re.compile(r"bid (none|\d{1,3})"),
    "place": re.compile(r"place \d{1,2}( \d{1,2})?"),
    "slander": re.compile(r"slander \w+ \d{1,2}"),
    "assign": re.compile(r"assign \w+ \w+"),
    "pass": re.compile(r"pass"),
    "end": re.compile(r"end"),
    "help": re.compile(r"help"),
}


class Tammany:
    """A small game: some verbs, and the numbers of `options`."""

    def __init__(self, options: int = 3, without: str = "") -> None:
        self.forms = {verb: form for verb, form in FORMS.items() if verb != without}
        self.verbs = {verb: verb for verb in self.forms}
        self.options = options

    def problem(self, line: str) -> str | None:
        verb = line.partition(" ")[0]
        if verb in self.forms and self.forms[verb].fullmatch(line):
            return None
        if re.fullmatch(r"[1-9]", line) and int(line) <= self.options:
            return None
        return f"{verb} fits otherwise." if verb in self.forms else "No order begins so."

    def completes(self, lines: Sequence[str]) -> bool:
        return bool(lines) and (lines[-1] in ("end", "pass") or lines[-1].startswith("bid ") or lines[-1].isdecimal())

    @property
    def people(self) -> Sequence[str]:
        return ()

    def core(self, line: str) -> str:
        return line

    def intended(self, line: str) -> Sequence[str]:
        return ()

    def is_aside(self, line: str) -> bool:
        return line == "help"

    def is_yes(self, line: str) -> bool:
        return line == "yes"

    def below(self, line: str) -> "Tammany":
        return self

    def standalone(self, line: str) -> str:
        return line

    def elsewhere(self, line: str) -> str:
        return ""


def corpus(name: str) -> bytes:
    return (CORPUS / f"{name}.eml").read_bytes()


def orders(reading: Reading, grammar: Tammany) -> str:
    """What a mail orders, in one line."""
    plain, html = (find_in(new_text(text, CODES), grammar) for text in (reading.text, reading.html_text))
    block = html if not reading.text.strip() else agreed(plain, html) if reading.html_text.strip() else plain
    if block.reaction:
        return f"reaction {block.reaction}"
    if block.refused:
        return f"refused: {block.refused[0].message}"
    return "; ".join(each.text for each in block.commands) or "nothing"


def outcome(raw: bytes) -> str:
    """What becomes of a mail, in one line."""
    try:
        reading = read(raw, DOMAIN)
    except Poison as over:
        return f"poison {over.limit}"
    if reading.automatic:
        return f"automatic {reading.automatic}"
    if reading.encrypted:
        return "encrypted"
    if len(reading.from_addresses) != 1 or reading.from_headers != 1:
        return f"from {len(reading.from_addresses)} in {reading.from_headers}"
    return orders(reading, Tammany())
