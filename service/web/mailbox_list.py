"""Letters of the development mailbox as a list shows them: whose, about which game, what to click."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import parseaddr
from typing import Final

from service.kernel.foreign_dates import read_date
from service.mail.development_mailbox import Letter

CODE: Final = re.compile(r"Wardroom\s?: (\w{6,12})\b")
GAME: Final = re.compile(r"\[.*#([0-9a-z]+)\]")
NO_GAME: Final = "Accounts and digests"
LONGEST: Final = 90


@dataclass(frozen=True, slots=True)
class Listed:
    """A letter in a list: its first line stands for it, as its subject is the same in a whole thread."""

    name: str
    person: str
    address: str
    game: str
    headline: str
    at: datetime | None
    code: str
    link: str


@dataclass(frozen=True, slots=True)
class Group:
    """Letters to one person, or about one game."""

    title: str
    letters: list[Listed]


def listed(letter: Letter, base: str) -> Listed:
    """One letter; `base` is the address of this service, whose links alone are offered to be clicked."""
    person, address = parseaddr(letter.header("To"))
    game = GAME.search(letter.header("Subject"))
    code = CODE.search(letter.text)
    link = re.search(rf"{re.escape(base)}(/(?:sign-in|g)/[\w/-]+)", letter.text)
    first = next((line.strip() for line in letter.text.splitlines() if line.strip()), letter.header("Subject"))
    return Listed(
        name=letter.name,
        person=person or address.partition("@")[0],
        address=address,
        game=game[1] if game else "",
        headline=first if len(first) <= LONGEST else f"{first[: LONGEST - 1]}…",
        at=read_date(letter.header("Date")),
        code=code[1] if code else "",
        link=link[1] if link else "",
    )


def groups(letters: Sequence[Listed], *, by_game: bool) -> list[Group]:
    """The letters by person, or by game; the group of the newest letter first, the newest letter first in each."""
    title: Callable[[Listed], str] = _of_game if by_game else _of_person
    found: dict[str, list[Listed]] = {}
    for letter in letters:
        found.setdefault(title(letter), []).append(letter)
    return [Group(name, members) for name, members in found.items()]


def _of_person(letter: Listed) -> str:
    return letter.address


def _of_game(letter: Listed) -> str:
    return f"#{letter.game}" if letter.game else NO_GAME
