"""Commands of a mail: the words of every game by sort, and one line understood."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from service.languages.commands import AWAY

ORDERS: Final = "orders"
NO_ORDERS: Final = "orders none"
"""What withdraws what was ordered ahead."""


class Sort(Enum):
    """The purpose of a command."""

    READ = "only asks to see something"
    TALK = "says something, or takes it back"
    PLAY = "plays, where the game knows the word"
    ALONE = "must be alone in a mail, and is never suggested"
    ANSWER = "answers a question, alone in its mail"
    GRAVE = "cannot be taken back, and is alone in its mail (IN-16)"


SORTS: Final[Mapping[str, Sort]] = {
    **dict.fromkeys(("help", "status", "board", "legal", "history", ORDERS, AWAY, "calendar"), Sort.READ),
    **dict.fromkeys(("say", "unsay"), Sort.TALK),
    **dict.fromkeys(("pass", "stop"), Sort.PLAY),
    **dict.fromkeys(("join", "undo", "agree", "refuse", "pause", "resume", "extend"), Sort.ALONE),
    **dict.fromkeys(("yes", "no"), Sort.ANSWER),
    **dict.fromkeys(("leave", "resign"), Sort.GRAVE),
}
"""The words of every game; any other begins an order of the game itself."""


def _of(*sorts: Sort) -> frozenset[str]:
    return frozenset(verb for verb, sort in SORTS.items() if sort in sorts)


READS: Final = _of(Sort.READ)
TALKS: Final = _of(Sort.TALK)
ANSWERS_OF_A_QUESTION: Final = _of(Sort.ANSWER)
GRAVE: Final = _of(Sort.GRAVE)
LONERS: Final = _of(Sort.ALONE, Sort.ANSWER, Sort.GRAVE)


@dataclass(frozen=True, slots=True)
class Command:
    """One line understood: its verb, and the whole in canonical words."""

    verb: str
    text: str

    @classmethod
    def of(cls, text: str) -> "Command":
        """A command from its canonical words."""
        return cls(text.partition(" ")[0].lower(), text)

    @property
    def reads(self) -> bool:
        """Whether it only asks to see something."""
        return self.verb in READS and not self.files and not self.leaves

    @property
    def files(self) -> bool:
        """Whether it is a line of what is ordered ahead, or withdraws that."""
        return self.verb == ORDERS and self.text != ORDERS

    @property
    def leaves(self) -> bool:
        """Whether it announces leave, or takes it back."""
        return self.verb == AWAY and self.text != AWAY

    @property
    def plays(self) -> bool:
        """Whether it is an order of the game."""
        return self.verb not in READS | TALKS | LONERS
